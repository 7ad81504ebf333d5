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
FURTHEST: Final = 6.0
"""How far from the base line of a row its cells reach, by the size of the font."""
EVEN: Final = 0.2
"""How much distances may differ, by the size of the font."""
SPAN: Final = 12
"""Rows around one that its cells may reach into."""
WIDER: Final = 1.22
"""How much further away other rows are than the lines of a cell are from each other."""

MOST: Final = 150
"""Lines near a row that are looked at: each is compared with others."""

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
        if sum(map(len, rows[first:last])) > MOST:
            continue
        found: list[Line] = []
        for other in range(at - 1, first - 1, -1):
            if 2 * len(rows[other]) > len(row) and row[0].base - rows[other][0].base > CLOSE * size:
                continue  # a row of its own
            for line in rows[other]:
                partner = _partner(row, line, rows[at + 1 : last])
                if partner is None or id(line) in taken or id(partner) in taken:
                    continue
                if _is_half(row, line, found) or _is_odd(rows, at, other, line):
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


def _is_odd(rows: Rows, at: int, other: int, line: Line) -> bool:
    """Whether a line is above one of a row in a cell of three lines or five, with room around."""
    row = rows[at]
    own = next((one for one in row if _share(one, line)), None)
    if own is None:
        return False
    column = [
        one.base
        for near in rows[max(0, at - SPAN) : at + SPAN + 1]
        for one in near
        if _share(one, own)
    ]
    above = sorted(own.base - base for base in column if base < own.base - 1)
    below = sorted(base - own.base for base in column if base > own.base + 1)
    if not above or not below:
        return False
    pitch = above[0]
    if pitch > 1.6 * line.size:
        return False
    ends = [_reach(steps, pitch, EVEN * line.size) for steps in (above, below)]
    far = (ends[0] + 0.5) * pitch
    return (
        ends[0] == ends[1] > 0
        and line.base > own.base - far
        and all(
            # Rows that are whole have more of them.
            2 * len(near) <= len(row)
            for near in rows[max(0, at - SPAN) : at + SPAN + 1]
            if near is not row and abs(near[0].base - row[0].base) < far
        )
    )


def _reach(steps: Sequence[float], pitch: float, near: float) -> int:
    """How many lines follow each other at a pitch, with room after the last; 0 without that."""
    count = 0
    while count < len(steps) and abs(steps[count] - (count + 1) * pitch) < near:
        count += 1
    if count < len(steps) and steps[count] - count * pitch < WIDER * pitch:
        return 0
    return count


def _share(one: Line, two: Line) -> bool:
    return one.left < two.right and two.left < one.right
