"""Grounds behind words, as code in a sentence has them: they are no cells of a table."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from spanwise.formats.pdf.graphics import Graphics
from spanwise.formats.pdf.lines import Line
from spanwise.formats.pdf.page import Box

MOST: Final = 500
"""Boxes of a page among which grounds are looked for."""
BESIDE: Final = 40
"""Lines at the height of one that are looked at."""
HIGH: Final = 2.0
"""How high a ground is at most, by the size of the font."""
PADDING: Final = 0.5
"""How far a ground stands out at both sides at most, by the size of the font."""
ALIKE: Final = 0.5
"""Points that the heights of grounds differ by."""


def without_highlights(graphics: Graphics, lines: Sequence[Line]) -> Graphics:
    """The drawings of a page without the boxes that are as wide as some words of a line.

    Those that are behind a whole line are left out, too, if they are as high as such ones.
    """
    boxes = graphics.boxes
    if not boxes or len(boxes) > MOST:
        return graphics
    flat = sorted((line for line in lines if not line.turned), key=lambda line: line.base)
    bases = [line.base for line in flat]
    found: set[int] = set()
    whole: list[int] = []
    heights: list[float] = []
    for at, box in enumerate(boxes):
        first = bisect_left(bases, box[1])
        last = min(bisect_left(bases, box[3]), first + BESIDE)
        for line in flat[first:last]:
            count = _runs_on(box, line)
            if 0 < count < len(line.runs):
                found.add(at)
                heights.append(box[3] - box[1])
                break
            if count > 0:
                whole.append(at)
                break
    heights.sort()
    for at in whole:
        high = boxes[at][3] - boxes[at][1]
        place = bisect_left(heights, high - ALIKE)
        if place < len(heights) and heights[place] <= high + ALIKE:
            found.add(at)
    if not found:
        return graphics
    return graphics._replace(boxes=[box for at, box in enumerate(boxes) if at not in found])


def _runs_on(box: Box, line: Line) -> int:
    """How many runs of a line are on a ground that is as wide as they are together; 0 if none."""
    left, top, right, bottom = box
    if bottom - top > HIGH * line.size:
        return 0
    on = [run for run in line.runs if left - 1 <= run.box[0] and run.box[2] <= right + 1]
    if not on:
        return 0
    room = PADDING * line.size
    start, end = min(run.box[0] for run in on), max(run.box[2] for run in on)
    return len(on) if start - left < room and right - end < room else 0
