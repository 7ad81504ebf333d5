"""Words inside drawings, which are no headings."""

from collections.abc import Sequence
from typing import Final

from spanwise.formats.pdf.graphics import Graphics, inside, is_framed
from spanwise.formats.pdf.lines import line_box
from spanwise.formats.pdf.page import Box
from spanwise.formats.pdf.paragraphs import Paragraph

FRAME: Final = 200.0
"""Points that the frame around a node of a flow chart is wide at most."""
SMALL: Final = 0.7
"""How large the labels of a figure are at most, by the size of the text."""
LEAST_LABELS: Final = 8
"""Labels that a figure has at least which they tell."""
TEXT: Final = 4
"""Lines that text has at least, and rows of a table."""
FILLED: Final = 40
WORDS: Final = 8
"""Characters that the lines of text have on average, and the cells of a table."""


def mark_figures(
    paragraphs: list[Paragraph], number: int, drawings: Graphics, usual: float
) -> None:
    """Words inside a drawing are not headings; `usual` is the size of the text."""
    first = len(paragraphs)
    while first > 0 and paragraphs[first - 1].page == number:
        first -= 1
    page = paragraphs[first:]
    labels = _labels(page, usual)
    figures = [figure for figure in drawings.figures if not _has_text(figure, page)]
    for one in page:
        if one.kind != "paragraph":
            continue
        box = line_box(one.lines[0])
        if len(one.lines) < 4 and (
            any(inside(box, figure) for figure in figures)
            or is_framed(box, drawings, FRAME)
            or id(one) in labels
        ):
            one.kind = "figure"


def _has_text(figure: Box, page: Sequence[Paragraph]) -> bool:
    """Whether a drawing is around text or behind it, as waves along a page are.

    What is in a figure are labels, and neither lines that are filled nor whole tables.
    """
    for one in page:
        if len(one.lines) < TEXT:
            continue
        if one.kind == "paragraph":
            is_text = sum(len(line.text) for line in one.lines) > FILLED * len(one.lines)
        else:
            is_text = one.kind == "table" and len(one.rows) > TEXT and _has_words(one)
        if is_text and all(
            inside(line_box(line), figure) for line in (one.lines[0], one.lines[-1])
        ):
            return True
    return False


def _has_words(table: Paragraph) -> bool:
    """Whether a table is more than letters and numbers that stand in rows in a figure."""
    return sum(len(line.text) for line in table.lines) > WORDS * len(table.lines)


def _labels(page: list[Paragraph], usual: float) -> set[int]:
    """The `id` of paragraphs among which nearly all are set much smaller than text is."""
    small = [one for one in page if one.kind == "paragraph" and one.size < SMALL * usual]
    if len(small) < LEAST_LABELS:
        return set()
    top, bottom = min(one.lines[0].base for one in small), max(one.lines[0].base for one in small)
    left, right = min(one.lines[0].left for one in small), max(one.lines[0].right for one in small)
    within = [
        one
        for one in page
        if top <= one.lines[0].base <= bottom
        and left < one.lines[0].right
        and one.lines[0].left < right
        and one.kind != "table"
    ]
    if any(len(one.lines) > 2 and one.size >= SMALL * usual for one in within):
        return set()  # text beside a figure
    return set(map(id, within)) if len(small) > 0.8 * len(within) else set()
