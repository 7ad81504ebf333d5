"""Sentence boundaries by the default rules of UAX #29, revision 47, over Unicode 17.0.0.

The rules are SB1 to SB998 of section 5.1. Nothing but a terminator or a paragraph separator can
end a sentence, so the scan hops from one such stop to the next and decides there. The look-ahead
of SB8 meets no stop on its way, and the scan goes on where it ended: no character is looked at
more than three times.
"""

from typing import Final, final

from mypy_extensions import i64

from spanwise.kernel.chars import LF
from spanwise.kernel.sentence_tables import (
    A_TERM,
    BLOCKS,
    CARRIAGE_RETURN,
    CLOSE,
    CONTINUE,
    EXTEND,
    INDEX,
    LOWER,
    NUMERIC,
    OTHER_LETTER,
    SEPARATOR,
    SPACE,
    UPPER,
)

_INDEX: Final[bytes] = INDEX
_BLOCKS: Final[bytes] = BLOCKS
_MAY_STOP: Final = bytes(kind >= A_TERM for kind in BLOCKS[:256])
"""1 at each stop of Latin-1, `?` among them."""

# Measured: the window in which to hop, how many false stops end the hopping there, and for how
# many code points the scan then goes one by one.
_WINDOW: Final = 2048
_MISSES: Final = 32
_DENSE_WINDOW: Final = 16384


def sentence_class(code: i64) -> i64:
    """The Sentence_Break class of a code point, one of the constants of `sentence_tables`."""
    block: i64 = _INDEX[code >> 7]
    return _BLOCKS[block << 7 | code & 127]


def is_white_space(code: i64) -> bool:
    """A character with the White_Space property: the classes Sp, Sep, CR and LF are just these."""
    kind = sentence_class(code)
    return kind == SPACE or kind >= SEPARATOR


def ends_paragraph(code: i64) -> bool:
    """CR, LF or another paragraph separator: a boundary after it is one of SB4."""
    return sentence_class(code) >= SEPARATOR


def trimmed_start(text: str, start: i64, end: i64) -> i64:
    """Where `text[start:end]` starts once white space is left out; `end` when it is blank."""
    while start < end and is_white_space(ord(text[start])):
        start += 1
    return start


def trimmed_end(text: str, start: i64, end: i64) -> i64:
    """Where `text[start:end]` ends once white space is left out; `start` when it is blank."""
    while start < end and is_white_space(ord(text[end - 1])):
        end -= 1
    return end


@final
class _Stops:
    """Finds the stops, terminators and paragraph separators, from left to right.

    A window of the text is turned into one byte for each code point, 1 where a stop may be, so
    that `find` can hop. Code points from 256 on become `?` on the way, hence "may": each of them
    has to be looked at. Where they are many, as in Japanese, the scan goes one by one for a while.
    """

    def __init__(self, text: str, start: i64, end: i64) -> None:
        self.text = text
        self.end: i64 = end
        self.base: i64 = start
        self.window_end: i64 = start
        self.marks = ""
        self.misses: i64 = 0
        self.dense = False

    def next(self, i: i64) -> i64:
        """The first stop at or after `i`, or `end`."""
        text = self.text
        while i < self.end:
            if i >= self.window_end:
                self._open(i)
            if self.dense:
                i = _next_stop(text, i, self.window_end, _INDEX, _BLOCKS)
                if i < self.window_end:
                    return i
                continue
            found: i64 = self.marks.find("\x01", i - self.base)
            if found < 0:
                i = self.window_end
                continue
            i = self.base + found
            code: i64 = ord(text[i])
            if code < 256 or sentence_class(code) >= A_TERM:
                return i
            i += 1
            self.misses += 1
            if self.misses > _MISSES:
                self.dense = True
                self.window_end = min(i + _DENSE_WINDOW, self.end)
        return i

    def _open(self, i: i64) -> None:
        self.base = i
        self.window_end = min(i + _WINDOW, self.end)
        window = self.text[i : self.window_end]
        self.marks = window.encode("latin-1", "replace").translate(_MAY_STOP).decode("ascii")
        self.misses = 0
        self.dense = False


def boundaries(text: str, start: i64, end: i64) -> list[int]:
    """Offsets of every sentence boundary of `text[start:end]`, both ends included.

    An empty stretch has none (SB1, SB2). What lies outside the stretch has no say.
    """
    found: list[int] = []
    if start >= end:
        return found
    stops = _Stops(text, start, end)
    found.append(start)
    i = stops.next(start)
    while i < end:
        kind = sentence_class(ord(text[i]))
        i += 1
        if kind < SEPARATOR:
            i = _after_terminator(text, start, i, end, kind, found)
        else:
            if kind == CARRIAGE_RETURN and i < end and ord(text[i]) == LF:
                i += 1  # SB3
            found.append(i)  # SB4
        i = stops.next(i)
    if found[-1] != end:
        found.append(end)  # SB2
    return found


def _next_stop(text: str, i: i64, end: i64, index: bytes, blocks: bytes) -> i64:
    """The first stop at or after `i`, or `end`.

    The hot loop: it looks the class up in line, in tables that the caller holds.
    """
    while i < end:
        code: i64 = ord(text[i])
        if code >= 256:
            block: i64 = index[code >> 7]
            code = block << 7 | code & 127
        kind: i64 = blocks[code]
        if kind >= A_TERM:
            break
        i += 1
    return i


def _after_terminator(
    text: str, start: i64, i: i64, end: i64, terminator: i64, found: list[int]
) -> i64:
    """Where the scan goes on after the terminator before `i`; a boundary on the way is added.

    Extend and Format are let pass everywhere (SB5).
    """
    last = i - 1
    direct = True
    spaced = False
    kind: i64 = EXTEND
    while i < end:
        kind = sentence_class(ord(text[i]))
        if kind == SPACE:
            spaced = True
            direct = False
        elif kind == CLOSE and not spaced:
            direct = False
        elif kind != EXTEND:
            break
        i += 1
    if i == end or kind >= A_TERM or kind == CONTINUE:
        return i  # SB2, SB8a, SB9, SB10
    ahead = i
    if terminator == A_TERM:
        if direct and kind == NUMERIC:
            return i  # SB6
        if direct and kind == UPPER and _after_cased_letter(text, start, last):
            return i  # SB7
        while kind < OTHER_LETTER:
            ahead += 1
            if ahead == end:
                break
            kind = sentence_class(ord(text[ahead]))
        if kind == LOWER:
            return ahead  # SB8
    found.append(i)  # SB11
    return ahead


def _after_cased_letter(text: str, start: i64, i: i64) -> bool:
    """Whether an Upper or Lower stands before `i`, Extend and Format let pass (SB7, SB5)."""
    while i > start:
        i -= 1
        kind = sentence_class(ord(text[i]))
        if kind != EXTEND:
            return UPPER <= kind <= LOWER
    return False
