"""Containers: the markers of list items (CommonMark 0.31.2, 5.2) and the stack of open ones."""

from typing import Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from spanwise.kernel.chars import (
    ASTERISK,
    FULL_STOP,
    HYPHEN,
    NINE,
    PLUS,
    RIGHT_PAREN,
    ZERO,
    is_blank,
)
from spanwise.kernel.leaves import skip_blanks

_MAX_DIGITS: Final = 9


def marker_length(text: str, start: i64, end: i64, interrupts: bool) -> i64:
    """Length of the list marker at `start`, or 0 when there is none.

    `interrupts`: a paragraph is open, which only an item with content, and of the ordered ones only
    number 1, can interrupt (5.3).
    """
    i = start
    code: i64 = ord(text[i])
    if code == HYPHEN or code == PLUS or code == ASTERISK:
        i += 1
    else:
        while i < end and i - start <= _MAX_DIGITS and ZERO <= ord(text[i]) <= NINE:
            i += 1
        digits = i - start
        if digits == 0 or digits > _MAX_DIGITS or i == end:
            return 0
        if interrupts and marker_number(text, start, i + 1) != 1:
            return 0
        code = ord(text[i])
        if code != FULL_STOP and code != RIGHT_PAREN:
            return 0
        i += 1
    if i < end and not is_blank(ord(text[i])):
        return 0
    if interrupts and skip_blanks(text, i, end) == end:
        return 0
    return i - start


def marker_number(text: str, start: i64, end: i64) -> i64:
    """Number of the ordered list marker `[start, end)`, -1 for a bullet."""
    if end - start < 2:
        return -1
    number: i64 = 0
    i = start
    while i < end - 1:
        number = number * 10 + ord(text[i]) - ZERO
        i += 1
    return number


@final
class Stack:
    """The open block quotes and list items, outermost first, as columns of integers."""

    def __init__(self) -> None:
        """Nothing open."""
        self.depth: i64 = 0
        self.offset: vec[i64] = vec[i64]()
        """Columns an item's content is indented, 0 for a quote."""
        self.block: vec[i64] = vec[i64]()
        """Number of its block, -1 when it is not recorded."""
        self.end: vec[i64] = vec[i64]()
        """End of the last line that is its own by its marker."""
        self.last_line: vec[i64] = vec[i64]()
        """That line."""
        self.list_mark: vec[i64] = append(vec[i64](), 0)
        """At each depth, 0 included, the mark of the list a next item may join, or 0."""
        self.list_block: vec[i64] = append(vec[i64](), -1)
        """At each depth the block of that list."""
        self.quotes: i64 = 0
        self.quote_at: vec[i64] = vec[i64]()
        """Where in the stack the quotes are: a blank line concerns only them."""

    def push(self, offset: i64, block: i64, end: i64, line: i64) -> None:
        """Open a container; `offset` is 0 for a block quote."""
        depth = self.depth
        if depth == len(self.offset):
            self.offset = append(self.offset, offset)
            self.block = append(self.block, block)
            self.end = append(self.end, end)
            self.last_line = append(self.last_line, line)
            self.list_mark = append(self.list_mark, 0)
            self.list_block = append(self.list_block, -1)
        else:
            self.offset[depth] = offset
            self.block[depth] = block
            self.end[depth] = end
            self.last_line[depth] = line
            self.list_mark[depth + 1] = 0
            self.list_block[depth + 1] = -1
        if offset == 0:
            if self.quotes == len(self.quote_at):
                self.quote_at = append(self.quote_at, depth)
            else:
                self.quote_at[self.quotes] = depth
            self.quotes += 1
        self.depth = depth + 1

    def pop(self) -> None:
        """Close the innermost container."""
        self.depth -= 1
        if self.offset[self.depth] == 0:
            self.quotes -= 1

    def parent(self) -> i64:
        """Block of the innermost container, or -1."""
        return self.block[self.depth - 1] if self.depth > 0 else -1
