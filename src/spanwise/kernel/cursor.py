"""The line at hand: where its parts are, and moving over blanks and markers.

Positions are offsets into the document throughout. `col` counts columns with tab stops (CommonMark
0.31.2, 2.2), so that a tab can be used up in part: `pos` stays on it while `col` moves on.
"""

from mypy_extensions import i64

from spanwise.kernel.chars import SPACE, TAB, TAB_STOP
from spanwise.kernel.lines import LineEnds


class Cursor:
    """A place on one line of a document."""

    __slots__ = (
        "col",
        "ends",
        "has_cr",
        "indent",
        "line",
        "line_end",
        "line_start",
        "next",
        "partial",
        "pos",
        "size",
        "tabs",
        "text",
    )

    def __init__(self, text: str) -> None:
        """Before the first line."""
        self.text = text
        self.size: i64 = len(text)
        self.ends = LineEnds(text)
        self.has_cr: bool = self.ends.has_cr
        self.line: i64 = 1
        self.line_start: i64 = 0
        self.line_end: i64 = 0
        self.pos: i64 = 0
        self.col: i64 = 0
        self.partial: bool = False  # the tab at `pos` is used up to `col`
        self.next: i64 = 0  # first character after the blanks at `pos`
        self.indent: i64 = 0  # columns from `pos` to `next`
        self.tabs: bool = False  # there is a tab among them

    def _find_next(self) -> None:
        """Measure the blanks at `pos`."""
        text = self.text
        end = self.line_end
        i = self.pos
        col = self.col
        tabs = False
        while i < end:
            code: i64 = ord(text[i])
            if code == SPACE:
                col += 1
            elif code == TAB:
                col += TAB_STOP - col % TAB_STOP
                tabs = True
            else:
                break
            i += 1
        self.next = i
        self.indent = col - self.col
        self.tabs = tabs

    def _consume(self, columns: i64) -> None:
        """Move over that many columns of the indentation; at most `indent`."""
        if columns == 0:
            return
        self.indent -= columns
        if not self.tabs:
            self.pos += columns
            self.col += columns
            return
        self.partial = False
        while columns > 0:
            width: i64 = 1
            if ord(self.text[self.pos]) == TAB:
                width = TAB_STOP - self.col % TAB_STOP
            if width > columns:
                self.col += columns
                self.partial = True
                return
            self.pos += 1
            self.col += width
            columns -= width

    def _pass_marker(self, length: i64) -> None:
        """Move over the indentation and a marker at `next`, then measure the blanks after it."""
        self.col += self.indent + length
        self.pos = self.next + length
        self.partial = False
        self._find_next()

    def _blank(self) -> bool:
        """Nothing but blanks is left of the line."""
        return self.next == self.line_end
