"""Slides: pages with few words, each below a title."""

import statistics
from collections.abc import Sequence
from typing import Final

from spanwise.formats.pdf.furniture import are_wide
from spanwise.formats.pdf.looks import look_of
from spanwise.formats.pdf.paragraphs import Paragraph

MOST_LETTERS: Final = 1000
"""Letters of the usual slide."""
LONGEST: Final = 160
"""Characters of the longest title."""
LEAST: Final = 3
"""Pages whose titles stand at one height in one look, if that is what tells them."""


def slide_titles(
    paragraphs: Sequence[Paragraph], sizes: Sequence[tuple[float, float]]
) -> set[int] | None:
    """The `id` of the titles of slides; None where pages, of these widths and heights, are none."""
    if not are_wide(sizes):
        return None
    pages: dict[int, list[Paragraph]] = {}
    for one in paragraphs:
        pages.setdefault(one.page, []).append(one)
    letters = [sum(len(one.text) for one in page) for page in pages.values()]
    if not letters or statistics.median(letters) > MOST_LETTERS:
        return None
    first: dict[int, Paragraph] = {}
    for number, page in pages.items():
        title = _first(page, sizes[number][1])
        if title is not None:
            first[number] = title
    found: set[int] = set()
    for number, one in first.items():
        near = 0.04 * sizes[number][1]
        alike = sum(
            abs(other.lines[0].base - one.lines[0].base) < near
            and look_of(other).plain._replace(font="") == look_of(one).plain._replace(font="")
            for other in first.values()
        )
        if alike >= LEAST or _is_largest(one, pages[number]):
            found.add(id(one))
    return found if 2 * len(found) > len(pages) else None


def _first(page: Sequence[Paragraph], height: float) -> Paragraph | None:
    """The uppermost of the largest paragraphs of a page, if it can be a title."""
    written = [
        one
        for one in page
        if one.kind in ("paragraph", "figure")
        and not one.lines[0].turned
        and sum(letter.isalpha() for letter in one.text) > 1
    ]
    upper = [one for one in written if one.lines[0].base < 0.5 * height] or written
    if not upper:
        return None
    largest = max(one.size for one in upper)
    title = min(
        (one for one in upper if one.size > 0.95 * largest), key=lambda one: one.lines[0].top
    )
    return title if len(title.text) < LONGEST and len(title.lines) < LEAST + 1 else None


def _is_largest(title: Paragraph, page: Sequence[Paragraph]) -> bool:
    others = [one.size for one in page if one is not title for _ in one.lines]
    return not others or title.size > 1.15 * statistics.median(others)
