"""About how many tokens a stretch of text has: quick, local, close enough to cut by.

What a byte-pair encoding makes of a character is decided mostly by the kinds of it and of the one
before: a letter after a space begins a word and nearly always a token, a letter after a letter
seldom does. So every pair of kinds has a weight. They were fitted by `scripts/fit_token_weights.py`
to the exact counts of two encodings on real documents; `docs/decisions/0004-tokenizers.md` says how
close they come.
"""

from typing import Final, final

from mypy_extensions import i64

UNITS: Final = 32
"""Units of weight in one token of the encodings that the weights were fitted to."""

KINDS: Final = 8
LOWER: Final = 0
UPPER: Final = 1
DIGIT: Final = 2
BLANK: Final = 3
BREAK: Final = 4
SIGN: Final = 5
FOREIGN: Final = 6
IDEOGRAPH: Final = 7

FIRST_IDEOGRAPH: Final = 0x2E80
"""From here on most characters are whole words or syllables (CJK, Hangul, emoji)."""


def kind_of(code: int) -> int:
    """The kind of a character: one of the eight above."""
    if code >= FIRST_IDEOGRAPH:
        return IDEOGRAPH
    if code >= 128:
        return FOREIGN
    char = chr(code)
    if "a" <= char <= "z":
        return LOWER
    if "A" <= char <= "Z":
        return UPPER
    if "0" <= char <= "9":
        return DIGIT
    if char == " ":
        return BLANK
    return BREAK if char in "\t\n\r" else SIGN


ASCII_KINDS: Final = bytes(kind_of(code) for code in range(128))

WEIGHTS: Final = bytes(
    (
        2, 0, 17, 9, 13, 0, 43, 1,
        21, 4, 35, 20, 24, 21, 25, 21,
        55, 49, 9, 25, 44, 19, 48, 2,
        15, 11, 47, 0, 7, 8, 62, 30,
        44, 20, 48, 50, 0, 32, 7, 17,
        46, 28, 36, 27, 0, 5, 126, 19,
        18, 89, 0, 6, 122, 0, 4, 131,
        82, 61, 67, 4, 17, 34, 29, 27,
    )
)  # fmt: skip
"""The weight of a character by the kinds of the one before (row) and of itself (column)."""

LETTER: Final = 2
"""The weight of a small letter after another."""
WORD: Final = 9 + 15
"""The weight of a blank between small letters, and of the letter after it."""

_A: Final = 0x61
_Z: Final = 0x7A
_SPACE: Final = 0x20


@final
class Reach:
    """Goes through a text until it weighs too much."""

    __slots__ = ("end", "weight")

    def __init__(self, text: str, start: i64, end: i64, most: i64) -> None:
        """From `start` to `end`, or to where the weight is more than `most`, to the word.

        `end` is the place, `weight` what the text from `start` up to it weighs. The text before
        `start` is not looked at.
        """
        total: i64 = 0
        kind: i64 = BREAK
        i = start
        while i < end and total <= most:
            code: i64 = ord(text[i])
            i += 1
            before = kind
            if _A <= code <= _Z:
                # Most text is small letters and single blanks; a look at the table for each would
                # take most of the time.
                total += WEIGHTS[before * KINDS]
                while i < end:
                    code = ord(text[i])
                    if _A <= code <= _Z:
                        total += LETTER
                    elif code == _SPACE and i + 1 < end and _A <= ord(text[i + 1]) <= _Z:
                        total += WORD
                        i += 1
                        if total > most:
                            break
                    else:
                        break
                    i += 1
                kind = LOWER
                continue
            kind = IDEOGRAPH
            if code < 128:
                kind = ASCII_KINDS[code]
            elif code < FIRST_IDEOGRAPH:
                kind = FOREIGN
            total += WEIGHTS[before * KINDS + kind]
        self.end: i64 = i
        self.weight: i64 = total
