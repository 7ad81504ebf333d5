"""Cells of several lines that stand in the middle of their row: half above its base line.

By their base lines the lines of such a cell are rows of their own. They are told by standing as far
above a row as others, in one column, stand below it, closer than rows can be; or, where one line is
level with the row, by the room around them.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Final

from spanwise.formats.pdf.lines import Line

CLOSE: Final = 0.85
"""Half the step between two lines of a cell, by the size of the font: rows are further apart."""
FURTHEST: Final = 2.6
"""How far from the base line of a row its cells reach, by the size of the font."""
EVEN: Final = 0.2
"""How much distances may differ, by the size of the font."""
WIDER: Final = 1.22
"""How much further away other rows are than the lines of a cell are from each other."""

Rows = list[list[Line]]


def with_halves(rows: Rows) -> tuple[Rows, dict[int, list[Line]]]:
    """The rows without lines that belong to others; and these, by the `id` of the row's first."""
    bases = [row[0].base for row in rows]
    taken: set[int] = set()
    extra: dict[int, list[Line]] = {}
    for at, row in enumerate(rows):
        size = row[0].size
        first = bisect_left(bases, row[0].base - FURTHEST * size)
        last = bisect_right(bases, row[0].base + FURTHEST * size)
        if len(row) < 2 or first == at or last == at + 1:
            continue
        found: list[Line] = []
        for other in range(at - 1, first - 1, -1):
            for line in rows[other]:
                partner = _partner(row, line, rows[at + 1 : last])
                if partner is None or id(line) in taken or id(partner) in taken:
                    continue
                if _is_half(row, line, found) or _is_third(rows, at, other, line):
                    found += [line, partner]
        if found:
            extra[id(row[0])] = found
            taken.update(map(id, found))
    if not taken:
        return rows, {}
    kept = [[line for line in row if id(line) not in taken] for row in rows]
    return [row for row in kept if row], extra


def _partner(row: Sequence[Line], line: Line, below: Sequence[Sequence[Line]]) -> Line | None:
    """The line as far below a row as another is above it, in the same column."""
    wanted = 2 * row[0].base - line.base
    for other in below:
        for one in other:
            if abs(one.base - wanted) < EVEN * line.size and _share(one, line):
                return one
    return None


def _is_half(row: Sequence[Line], line: Line, found: Sequence[Line]) -> bool:
    """Whether a line is closer above a row than rows are, with nothing of the row below it."""
    if any(_share(line, one) for one in row):
        return False
    away = row[0].base - line.base
    inner = [abs(row[0].base - one.base) for one in found if _share(line, one)]
    if inner:
        return abs(away - max(inner) - 2 * min(inner)) < EVEN * line.size
    return away < CLOSE * line.size


def _is_third(rows: Rows, at: int, other: int, line: Line) -> bool:
    """Whether a line is right above one of a row, both in a cell with room around it."""
    row = rows[at]
    away = row[0].base - line.base
    if other != at - 1 or at + 1 >= len(rows) or away > 1.6 * line.size:
        return False
    if not any(_share(line, one) for one in row) or len(rows[other]) >= len(row):
        return False
    above = rows[other][0].base - rows[other - 1][0].base if other > 0 else 1e9
    below = rows[at + 2][0].base - rows[at + 1][0].base if at + 2 < len(rows) else 1e9
    return min(above, below) > WIDER * away


def _share(one: Line, two: Line) -> bool:
    return one.left < two.right and two.left < one.right
