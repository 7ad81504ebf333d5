"""Tables whose every second row has a ground: the rows between them have the same cells."""

import itertools
from bisect import bisect_left
from collections.abc import Sequence
from typing import Final, NamedTuple

from spanwise.formats.pdf.graphics import Graphics
from spanwise.formats.pdf.lines import Line
from spanwise.formats.pdf.page import Box

MOST: Final = 2000
"""Boxes of a page among which stripes are looked for."""
BESIDE: Final = 200
"""Lines that are looked at above and below stripes."""
JOINT: Final = 1.5
"""Points that the edges of cells beside each other, and above each other, differ by."""
LEAST: Final = 0.6
GAP: Final = 2.5
"""How high the row between two stripes is, by the height of a stripe."""
ROW: Final = 1.5
"""How high the row above the first stripe, or below the last, is at most by that of a stripe."""


class Stripe(NamedTuple):
    """Boxes beside each other: where they begin and end, and the edges of their columns."""

    top: float
    bottom: float
    edges: tuple[float, ...]


def with_rows_between(graphics: Graphics, lines: Sequence[Line]) -> Graphics:
    """The drawings of a page with boxes for the cells of rows between stripes, as if drawn."""
    boxes = graphics.boxes
    if len(boxes) < 4 or len(boxes) > MOST:
        return graphics
    groups = [group for group in _groups(_stripes(boxes)) if not _is_loose(group)]
    heights = [group[0].bottom - group[0].top for group in groups if _gaps(group)]
    if not heights:
        return graphics
    flat = sorted((line for line in lines if not line.turned), key=lambda line: line.top)
    tops = [line.top for line in flat]
    made: list[Box] = []
    for group in groups:
        first, last = group[0], group[-1]
        high = first.bottom - first.top
        gaps = _gaps(group)
        # One stripe alone is known by others on its page.
        if not gaps and (len(group) > 1 or all(abs(high - other) > JOINT for other in heights)):
            continue
        for top, bottom in gaps:
            made += _cells(top, bottom, first.edges)
        above = _beside(flat, tops, first.top - ROW * high, first.top, first.edges)
        if above:
            made += _cells(min(line.top for line in above) - 1, first.top, first.edges)
        below = _beside(flat, tops, last.bottom, last.bottom + ROW * high, first.edges)
        if below:
            made += _cells(last.bottom, max(line.bottom for line in below) + 1, first.edges)
    return graphics._replace(boxes=[*boxes, *made])


def _stripes(boxes: Sequence[Box]) -> list[Stripe]:
    """The rows of boxes that touch each other."""
    found: list[Stripe] = []
    row: list[Box] = []
    for box in sorted(boxes, key=lambda one: (round(one[1]), round(one[3]), one[0])):
        if row and (
            abs(box[1] - row[-1][1]) < JOINT
            and abs(box[3] - row[-1][3]) < JOINT
            and abs(box[0] - row[-1][2]) < JOINT
        ):
            row.append(box)
            continue
        if len(row) > 1:
            found.append(_stripe(row))
        row = [box]
    if len(row) > 1:
        found.append(_stripe(row))
    return found


def _stripe(row: Sequence[Box]) -> Stripe:
    return Stripe(row[0][1], row[0][3], (*(box[0] for box in row), row[-1][2]))


def _groups(stripes: Sequence[Stripe]) -> list[list[Stripe]]:
    """Stripes with the same columns that are below each other, a row apart at most."""
    groups: list[list[Stripe]] = []
    open_at: dict[tuple[int, ...], int] = {}
    for stripe in sorted(stripes, key=lambda one: one.top):
        key = tuple(round(edge / (2 * JOINT)) for edge in stripe.edges)
        at = open_at.get(key, -1)
        if at >= 0:
            last = groups[at][-1]
            if stripe.top - last.bottom <= GAP * (last.bottom - last.top):
                groups[at].append(stripe)
                continue
        open_at[key] = len(groups)
        groups.append([stripe])
    return groups


def _is_loose(group: Sequence[Stripe]) -> bool:
    """Whether there is room between stripes that is no row: all rows have one."""
    return any(
        JOINT < two.top - one.bottom < LEAST * (two.bottom - two.top)
        for one, two in itertools.pairwise(group)
    )


def _gaps(group: Sequence[Stripe]) -> list[tuple[float, float]]:
    """Where there are rows between the stripes of a group."""
    found = []
    for at in range(1, len(group)):
        top, bottom = group[at - 1].bottom, group[at].top
        if bottom - top >= LEAST * (group[at].bottom - group[at].top):
            found.append((top, bottom))
    return found


def _cells(top: float, bottom: float, edges: Sequence[float]) -> list[Box]:
    return [(edges[at], top, edges[at + 1], bottom) for at in range(len(edges) - 1)]


def _beside(
    lines: Sequence[Line],
    tops: Sequence[float],
    top: float,
    bottom: float,
    edges: Sequence[float],
) -> list[Line]:
    """The lines of a row above or below the stripes, where several columns have some."""
    found: list[Line] = []
    columns: set[int] = set()
    start = bisect_left(tops, top - JOINT)
    for line in lines[start : min(bisect_left(tops, bottom), start + BESIDE)]:
        middle = (line.left + line.right) / 2
        if line.bottom > bottom + JOINT or not edges[0] < middle < edges[-1]:
            continue
        if line.left < edges[0] - JOINT or line.right > edges[-1] + JOINT:
            return []
        for run in line.runs:
            column = bisect_left(edges, (run.box[0] + run.box[2]) / 2)
            if not 0 < column < len(edges):
                return []
            if run.box[0] < edges[column - 1] - JOINT or run.box[2] > edges[column] + JOINT:
                return []  # text that minds no columns
            columns.add(column)
        found.append(line)
    return found if len(columns) > 1 else []
