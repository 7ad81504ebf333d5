"""Sentence boundaries by the default rules of UAX #29, revision 47, over Unicode 17.0.0.

The rules are SB1 to SB998 of section 5.1. Nothing but a terminator or a paragraph separator, a
stop for short, can end a sentence, so the scan goes from one stop to the next and decides there.
The look-ahead of SB8 meets no stop on its way, and the scan goes on where it ended: no character
is looked at more than three times.
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
class _AsciiStops:
    """Finds the stops of ASCII text by `find`, remembering where each of the five is next.

    So a text with many of one and none of another is searched for each only once.
    """

    def __init__(self, text: str, end: i64) -> None:
        self.text = text
        self.end: i64 = end
        self.full_stop: i64 = -1
        self.exclamation: i64 = -1
        self.question: i64 = -1
        self.carriage_return: i64 = -1
        self.line_feed: i64 = -1

    def next(self, i: i64) -> i64:
        """The first stop at or after `i`, or `end`."""
        if self.full_stop < i:
            self.full_stop = self._find(".", i)
        if self.exclamation < i:
            self.exclamation = self._find("!", i)
        if self.question < i:
            self.question = self._find("?", i)
        if self.carriage_return < i:
            self.carriage_return = self._find("\r", i)
        if self.line_feed < i:
            self.line_feed = self._find("\n", i)
        mark = min(min(self.full_stop, self.exclamation), self.question)
        return min(mark, min(self.carriage_return, self.line_feed))

    def _find(self, character: str, i: i64) -> i64:
        found: i64 = self.text.find(character, i, self.end)
        return self.end if found < 0 else found


def boundaries(text: str, start: i64, end: i64) -> list[int]:
    """Offsets of every sentence boundary of `text[start:end]`, both ends included.

    An empty stretch has none (SB1, SB2). What lies outside the stretch has no say.
    """
    found: list[int] = []
    if start >= end:
        return found
    stops = _AsciiStops(text, end) if text.isascii() else None
    found.append(start)
    i = start
    while True:
        i = _next_stop(text, i, end, _INDEX, _BLOCKS) if stops is None else stops.next(i)
        if i == end:
            break
        kind = sentence_class(ord(text[i]))
        i += 1
        if kind < SEPARATOR:
            i = _after_terminator(text, start, i, end, kind, found)
        else:
            if kind == CARRIAGE_RETURN and i < end and ord(text[i]) == LF:
                i += 1  # SB3
            found.append(i)  # SB4
    if found[-1] != end:
        found.append(end)  # SB2
    return found


def _next_stop(text: str, i: i64, end: i64, index: bytes, blocks: bytes) -> i64:
    """The first terminator or paragraph separator at or after `i`, or `end`.

    The hot loop. It looks classes up in line, and the first one before the loop: so the C compiler
    sees that how the text is stored does not change, and asks only once.
    """
    if i >= end:
        return end
    code: i64 = ord(text[i])
    block: i64 = index[code >> 7]
    kind: i64 = blocks[block << 7 | code & 127]
    while kind < A_TERM:
        i += 1
        if i == end:
            return end
        code = ord(text[i])
        block = index[code >> 7]
        kind = blocks[block << 7 | code & 127]
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
