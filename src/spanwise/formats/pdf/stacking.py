"""Rows told by the room between them: the lines of one cell are closer than those of two.

Cells may stand at the top of their row or in its middle, so rows are told from what overlaps, not
from base lines.
"""

import itertools
from collections.abc import Sequence
from typing import Final

from spanwise.formats.pdf.lines import Line
from spanwise.formats.pdf.table_lines import Cell, Row, is_number

SAME: Final = 0.3
"""The base lines of one line of a cell are apart by less than this many times its size."""
LOOSE: Final = 1.5
"""Lines of one cell are closer than this many times their size, unless others are closer still."""
WIDER: Final = 1.22
"""How much wider the step between two rows is than that between two lines of a cell."""

MOST_GROUPS: Final = 0.4
"""The share of rows that are rather several with room around them, at most."""


class Stack:
    """Lines of one column that follow each other closely: what one cell of it holds."""

    __slots__ = ("bottom", "column", "lines", "top")

    def __init__(self, column: int, line: Line) -> None:
        """A stack of one line."""
        self.column = column
        self.lines = [line]
        self.top = line.top
        self.bottom = line.bottom

    def add(self, line: Line) -> None:
        """Put a line at the end."""
        self.lines.append(line)
        self.top = min(self.top, line.top)
        self.bottom = max(self.bottom, line.bottom)


def stacked_rows(columns: Row) -> list[Row] | None:
    """The rows that the lines of each column make; None where room tells none."""
    ordered = [sorted(cell, key=lambda line: (line.base, line.left)) for cell in columns]
    steps = [
        step
        for cell in ordered
        for one, two in itertools.pairwise(cell)
        if (step := two.base - one.base) > SAME * two.size
    ]
    if not steps:
        return None
    size = max(line.size for cell in columns for line in cell)
    least = min(steps)
    if least > LOOSE * size:
        within = 0.0
    elif max(steps) > WIDER * least:
        within = least * (1 + WIDER) / 2
    else:
        return None
    stacks = _stacks(ordered, within)
    if any(_are_numbers(stack) for stack in stacks):
        return None
    rows: list[list[Stack]] = []
    bottom = 0.0
    for stack in sorted(stacks, key=lambda stack: (stack.top, stack.column)):
        if rows and _overlaps(rows[-1], stack, bottom):
            rows[-1].append(stack)
            bottom = max(bottom, stack.bottom)
        else:
            if stack.top < bottom - 0.3 * size:
                return None  # one cell beside two others: of which row?
            rows.append([stack])
            bottom = stack.bottom
    long = [row for row in rows if any(len(stack.lines) > 1 for stack in row)]
    if sum(_is_group(row) for row in long) > MOST_GROUPS * len(long):
        return None
    if len(rows[0]) == len(columns) > 2 and all(len(stack.lines) > 1 for stack in rows[0]):
        return None  # a head close to the first row
    found: list[Row] = []
    for row in rows:
        made: Row = [[] for _ in columns]
        for stack in row:
            made[stack.column].extend(stack.lines)
        found.append(made)
    return found


def _is_group(row: Sequence[Stack]) -> bool:
    """Whether all cells have the same lines, which wrapped text has by chance only."""
    return len(row) > 1 and len({len(stack.lines) for stack in row}) == 1


def _are_numbers(stack: Stack) -> bool:
    """Whether there are several numbers below each other, each of a row of its own."""
    return len(stack.lines) > 1 and all(is_number(line.text) for line in stack.lines)


def _stacks(columns: Sequence[Cell], within: float) -> list[Stack]:
    found: list[Stack] = []
    for at, cell in enumerate(columns):
        last: Line | None = None
        for line in cell:
            step = line.base - last.base if last is not None else 0.0
            if last is not None and (step <= SAME * line.size or step <= within):
                found[-1].add(line)
            else:
                found.append(Stack(at, line))
            last = line
    return found


def _overlaps(row: Sequence[Stack], stack: Stack, bottom: float) -> bool:
    """Whether a stack is of a row: beside much of it, and no cell of its column is there yet."""
    if any(other.column == stack.column for other in row):
        return False
    top = min(other.top for other in row)
    shared = min(bottom, stack.bottom) - max(top, stack.top)
    return shared > 0.5 * min(bottom - top, stack.bottom - stack.top)


def is_even(rows: Sequence[Row]) -> bool:
    """Whether most of some rows have several cells, as those of a table do."""
    return len(rows) > 1 and sum(sum(map(bool, row)) > 1 for row in rows) > 0.7 * len(rows)
