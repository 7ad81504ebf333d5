"""Titles that are set in white on a ground: each begins a part of its column of a page."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from spanwise.formats.pdf.lines import Line

PALE: Final = 0xE0
"""How light each of red, green and blue is at least in what is set on a ground."""
FAR: Final = 15.0
"""How far apart titles in one row begin, by the size of their font."""
MOST: Final = 100
"""Titles of a page above which they are something else."""


def parts_of(lines: Sequence[Line]) -> tuple[list[list[Line]], list[Line]]:
    """The lines below each title on a ground, and those titles; a page without has one part.

    A title is alone in its row, as the heads of a table beside each other are not; or it begins
    where another does, and looks like it, and what is set so beside it is far away.
    """
    pale = [line for line in lines if is_pale(line.style.colour) and not line.turned]
    titles = [line for line in pale if _is_alone(line, lines)] if len(pale) <= MOST else []
    if len(pale) <= MOST:
        known = set(map(id, titles))
        titles += [line for line in pale if id(line) not in known and _is_of_column(line, pale)]
    if len(titles) < 2 or 3 * len(pale) > len(lines):
        return [list(lines)], []
    starts: list[float] = []
    for left in sorted(line.left for line in titles):
        if not starts or left - starts[-1] > 3 * titles[0].size:
            starts.append(left)
    columns: dict[int, list[Line]] = {}
    for line in sorted(titles, key=lambda one: one.base):
        columns.setdefault(_column(starts, line), []).append(line)
    bases = {at: [line.base for line in column] for at, column in columns.items()}
    own = set(map(id, titles))
    parts: dict[tuple[int, int], list[Line]] = {}
    for line in lines:
        if id(line) not in own:
            column = _column(starts, line)
            place = bisect_right(bases.get(column, []), line.base)
            parts.setdefault((column, place) if place else (-1, 0), []).append(line)
    return list(parts.values()), titles


def is_pale(colour: int) -> bool:
    """Whether a colour, as 0xRRGGBB, can only be seen on a ground."""
    return min(colour >> 16, colour >> 8 & 0xFF, colour & 0xFF) >= PALE


def _is_alone(line: Line, lines: Sequence[Line]) -> bool:
    return not any(
        other is not line
        and abs(other.base - line.base) < 0.5 * line.size
        and is_pale(other.style.colour)
        for other in lines
    )


def _is_of_column(line: Line, pale: Sequence[Line]) -> bool:
    """Whether a title like this one is in its column, and none near it in its row."""
    near = any(
        other is not line
        and abs(other.base - line.base) < 0.5 * line.size
        and abs(other.left - line.left) < FAR * line.size
        for other in pale
    )
    return not near and any(
        other.style == line.style
        and abs(other.left - line.left) < 1.5
        and abs(other.base - line.base) > 3 * line.size
        for other in pale
    )


def _column(starts: Sequence[float], line: Line) -> int:
    """In which column a line begins; -1 left of all."""
    return bisect_right(starts, line.left + line.size) - 1
