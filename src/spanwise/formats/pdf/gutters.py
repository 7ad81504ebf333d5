"""The columns of a page, as far as tables need them: each is looked at for itself."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from spanwise.formats.pdf.lines import Line
from spanwise.formats.pdf.table_lines import are_beside

WIDE: Final = 0.6
"""The share of the width of the text of a page that a line in a column is as wide as at most."""
ALIKE: Final = 0.9
"""How wide one column is by the other, at least."""
LEVEL: Final = 0.5
"""The share of rows that are level with some in the other column if both are of one table."""


def page_columns(lines: Sequence[Line], running: Sequence[Line]) -> list[list[Line]]:
    """The lines of each column of running text that a page has; all of them without columns."""
    left, right = min(line.left for line in lines), max(line.right for line in lines)
    narrow = [line for line in running if line.right - line.left < WIDE * (right - left)]
    gutter = _gutter(narrow)
    if gutter == 0.0:
        return [list(lines)]
    beside, alone = _bands_beside(lines, narrow)
    one = [line for line in beside if line.right <= gutter + 3]
    two = [line for line in beside if line.left >= gutter - 3]
    over: list[Line] = []
    for band in _bands(alone):
        sides = [[line for line in band if line.right <= gutter + 3]]
        sides.append([line for line in band if line.left >= gutter - 3])
        if len(sides[0]) + len(sides[1]) == len(band) and not _are_level(*sides):
            one += sides[0]
            two += sides[1]
        else:
            over += band
    return [one, two, over]


def _gutter(running: Sequence[Line]) -> float:
    """The middle of the room between two columns of running text; 0 for none."""
    edges = sorted({(line.left, line.right) for line in running})
    reach = edges[0][1] if edges else 0.0
    for left, right in edges:
        if left > reach + 6:
            # Enough on both sides, at the same height, for two columns.
            gutter = (left + reach) / 2
            sides = [
                [line for line in running if (line.left > gutter) is side] for side in (False, True)
            ]
            if min(map(len, sides)) >= 4 and (are_beside(*sides) or _are_alike(*sides)):
                return gutter
        reach = max(reach, right)
    return 0.0


def _are_alike(one: Sequence[Line], two: Sequence[Line]) -> bool:
    """Whether lines on both sides are as wide, as in columns whose text is beside tables only."""
    wide = [
        max(line.right for line in side) - min(line.left for line in side) for side in (one, two)
    ]
    return min(wide) > ALIKE * max(wide)


def _bands(lines: Sequence[Line]) -> list[list[Line]]:
    """Lines in groups that have room between them, from the top."""
    found: list[list[Line]] = []
    bottom = 0.0
    for line in sorted(lines, key=lambda line: line.top):
        if found and line.top < bottom + 1.5 * line.size:
            found[-1].append(line)
            bottom = max(bottom, line.bottom)
        else:
            found.append([line])
            bottom = line.bottom
    return found


def _are_level(one: Sequence[Line], two: Sequence[Line]) -> bool:
    """Whether rows on both sides stand at the same heights, as those of one wide table do."""
    if not one or not two:
        return False
    fewer, more = sorted(({round(line.base) for line in side} for side in (one, two)), key=len)
    level = sum(any(base + step in more for step in (-1, 0, 1)) for base in fewer)
    return level > LEVEL * len(fewer)


def _bands_beside(lines: Sequence[Line], running: Sequence[Line]) -> tuple[list[Line], list[Line]]:
    """The lines that running text stands beside, and those at heights where there is none."""
    beside: list[Line] = []
    alone: list[Line] = []
    spans: list[list[float]] = []
    for line in sorted(running, key=lambda line: line.top):
        if spans and line.top < spans[-1][1] + line.size:
            spans[-1][1] = max(spans[-1][1], line.bottom)
        else:
            spans.append([line.top, line.bottom])
    tops = [top for top, _ in spans]
    for line in lines:
        at = bisect_left(tops, line.bottom) - 1
        (beside if at >= 0 and line.top < spans[at][1] else alone).append(line)
    return beside, alone
