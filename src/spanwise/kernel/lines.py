"""Lines: they end at LF, CR or CRLF and nowhere else (CommonMark 0.31.2, 2.1)."""

from typing import final

from librt.vecs import append, vec
from mypy_extensions import i64

from spanwise.kernel.chars import CR, LF


@final
class LineEnds:
    """Finds line endings of one text by asking for ascending positions.

    The next LF and the next CR are both remembered, so that a text with many of one and few of the
    other is still searched only once.
    """

    def __init__(self, text: str) -> None:
        """Look at `text` from its start."""
        self.text = text
        self.size: i64 = len(text)
        self.has_cr: bool = "\r" in text
        self.next_lf: i64 = -1
        self.next_cr: i64 = -1

    def at(self, position: i64) -> i64:
        """Offset of the first line ending at or after `position`, or the length of the text."""
        if self.next_lf < position:
            self.next_lf = self.text.find("\n", position)
            if self.next_lf < 0:
                self.next_lf = self.size
        if not self.has_cr:
            return self.next_lf
        if self.next_cr < position:
            self.next_cr = self.text.find("\r", position)
            if self.next_cr < 0:
                self.next_cr = self.size
        return min(self.next_lf, self.next_cr)


def after_ending(text: str, position: i64, size: i64) -> i64:
    """Start of the line after the ending at `position` (CRLF is one); `size` at the very end."""
    if position >= size:
        return size
    if ord(text[position]) == CR and position + 1 < size and ord(text[position + 1]) == LF:
        return position + 2
    return position + 1


def count_endings(text: str, start: i64, end: i64, has_cr: bool) -> i64:
    """Number of line endings that end inside `[start, end)`; `start` is not inside a CRLF."""
    endings: i64 = text.count("\n", start, end)
    if has_cr:
        carriage: i64 = text.count("\r", start, end)
        both: i64 = text.count("\r\n", start, end)
        if end > start and ord(text[end - 1]) == CR and end < len(text) and ord(text[end]) == LF:
            carriage -= 1
        endings += carriage - both
    return endings


def line_starts(text: str) -> vec[i64]:
    """Offset of the start of every line; text after the last ending is a line, nothing is not."""
    ends = LineEnds(text)
    size = ends.size
    starts: vec[i64] = vec[i64]()
    position: i64 = 0
    while position < size:
        starts = append(starts, position)
        position = after_ending(text, ends.at(position), size)
    return starts


def line_numbers(text: str, offsets: list[int]) -> list[int]:
    """The line of each of `offsets`, which ascend: 1 + the endings that end at or before it."""
    numbers: list[int] = []
    has_cr = "\r" in text
    line: i64 = 1
    position: i64 = 0
    for offset in offsets:
        if offset > position:
            line += count_endings(text, position, offset, has_cr)
            position = offset
        numbers.append(line)
    return numbers
