"""Heads over several columns: in which column each of them stands."""

from collections.abc import Sequence
from typing import Final

from spanwise.formats.pdf.graphics import Graphics, Rule
from spanwise.formats.pdf.lines import Line
from spanwise.formats.pdf.tables import merged_rules

MOST: Final = 3
"""Rows that heads over several columns are in."""
NEAR: Final = 0.5
"""How far the middle of a head is from that of its columns at most, by the size of the font."""

Columns = Sequence[tuple[float, float]]


class Heads:
    """What tells heads over several columns of a table from those of one."""

    def __init__(
        self, rows: Sequence[Sequence[Line]], columns: Columns, graphics: Graphics
    ) -> None:
        """`rows` are those of the table, from the top."""
        lines = [line for row in rows for line in row]
        left, right = min(line.left for line in lines), max(line.right for line in lines)
        top, bottom = min(line.top for line in lines), max(line.bottom for line in lines)
        self.columns = columns
        self.rules = [
            rule
            for rule in merged_rules(graphics.across)
            if rule.end - rule.start < 0.9 * (right - left)
            and left - 12 < rule.start
            and rule.end < right + 12
            and top < rule.at < bottom
        ]
        """Rules over some of the columns."""
        self.count = 0
        """How many rows may hold such heads: those above the first that has all columns."""
        while self.count < min(MOST, len(rows) - 1) and len(rows[self.count]) < len(columns):
            self.count += 1

    def first_column(self, line: Line, row: Sequence[Line]) -> int:
        """The first of the columns that a line of a row is over; -1 where it is in one of them."""
        rule = self._rule_below(line)
        if rule is not None:
            over = [
                at
                for at, (left, right) in enumerate(self.columns)
                if rule.start < (left + right) / 2 < rule.end
            ]
            return over[0] if len(over) > 1 else -1
        middle = line.left + line.right
        near = 2 * NEAR * line.size
        for left, right in self.columns:
            if left - 1 <= line.left and line.right <= right + 1:
                return -1
            if abs(left + right - middle) < near:
                return -1
        wide = len(self.columns)
        for count in range(2, wide):
            for at in range(wide - count + 1):
                left, right = self.columns[at][0], self.columns[at + count - 1][1]
                if abs(left + right - middle) < near and left < line.left and line.right < right:
                    alone = all(one is line or one.right < left or right < one.left for one in row)
                    return at if alone else -1
        return -1

    def _rule_below(self, line: Line) -> Rule | None:
        for rule in self.rules:
            if (
                0 < rule.at - line.base < 1.2 * line.size
                and rule.start - 2 <= line.left
                and line.right <= rule.end + 2
            ):
                return rule
        return None
