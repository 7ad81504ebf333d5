"""Authors beside each other below a title, each in the middle of a column of the text below."""

from collections.abc import Sequence
from typing import Final

from spanwise.formats.pdf.lines import Line
from spanwise.formats.pdf.numbering import heading_label
from spanwise.formats.pdf.page import Box

NARROW: Final = 0.8
"""The share of a column that the name and the address of an author are as wide as, at most."""
MOST_LINES: Final = 8
"""Lines that they have, at most."""


def bylines(
    boxes: Sequence[Box], lines: Sequence[Sequence[Line]], spans: Sequence[tuple[float, float]]
) -> dict[int, float]:
    """For blocks that are authors, by number, where the last of those beside each other ends.

    `spans` are the columns that blocks are in. Above authors is nothing but a title, set larger
    and over several columns, and other authors; one of them has more than a name.
    """
    order = sorted(range(len(boxes)), key=lambda at: boxes[at][1])
    title = order[0]
    found: dict[int, float] = {}
    rows = 0
    floor = boxes[title][3]
    at = 1
    while at < len(order):
        band = [order[at]]
        bottom = boxes[order[at]][3]
        at += 1
        while at < len(order) and boxes[order[at]][1] < bottom - 1:
            band.append(order[at])
            bottom = max(bottom, boxes[order[at]][3])
            at += 1
        if (
            len(band) < 2
            or boxes[band[0]][1] < floor - 1
            or len({spans[one] for one in band}) < len(band)
            or not all(
                _is_short(boxes[one], lines[one], spans[one])
                and lines[one][0].size < lines[title][0].size
                and boxes[title][0] < spans[one][1]
                and spans[one][0] < boxes[title][2]
                for one in band
            )
            or not (
                all(_is_centred(boxes[one], spans[one], lines[one][0].size) for one in band)
                or _are_below(boxes[title], [boxes[one] for one in band], lines[title][0].size)
            )
        ):
            break
        floor = bottom
        rows += max(len(lines[one]) for one in band)
        found.update(dict.fromkeys(band, bottom))
    return found if rows > 1 else {}


def _is_short(box: Box, lines: Sequence[Line], span: tuple[float, float]) -> bool:
    """Whether a block is narrower than its column and set in, and begins with no number."""
    return (
        len(lines) <= MOST_LINES
        and box[2] - box[0] < NARROW * (span[1] - span[0])
        and box[0] - span[0] > lines[0].size
        and heading_label(lines[0].text) is None
    )


def _is_centred(box: Box, span: tuple[float, float], size: float) -> bool:
    return abs(box[0] - span[0] - (span[1] - box[2])) < 2 * size


def _are_below(title: Box, boxes: Sequence[Box], size: float) -> bool:
    """Whether blocks together are in the middle below a title."""
    left, right = min(box[0] for box in boxes), max(box[2] for box in boxes)
    return abs(left + right - title[0] - title[2]) < 2 * size
