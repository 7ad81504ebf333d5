"""What is set as headings are and is none: terms, cells, titles of tables, words of examples."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from spanwise.formats.pdf.counting import trusted
from spanwise.formats.pdf.front import SHORT, Body
from spanwise.formats.pdf.looks import Look, counted_of, family
from spanwise.formats.pdf.numbering import bullet_end, heading_label, item_end
from spanwise.formats.pdf.paragraphs import Paragraph

NEAR: Final = 8
"""Paragraphs after a title among which the table below it is, where there are some beside it."""


def with_evidence(
    chosen: Sequence[Paragraph],
    looks: dict[int, Look],
    sure: set[int],
    apart: set[Look],
    body: Body,
) -> list[Paragraph]:
    """The headings without those that only a number tells which does not count sections."""
    numbers = [counted_of(heading_label(one.text), looks[id(one)]) for one in chosen]
    kept = []
    for one, is_true in zip(chosen, trusted(numbers), strict=True):
        look = looks[id(one)]
        if (
            is_true
            or id(one) in sure
            or look in apart
            or look.marked
            or look.size >= 1.05 * body.size + 0.1
        ):
            kept.append(one)
    return kept


def without_strays(
    chosen: list[Paragraph], looks: dict[int, Look], sure: set[int], body: Body
) -> list[Paragraph]:
    """The headings without single ones in a font of their own, as words of an example have."""
    fonts = Counter(family(looks[id(one)].font) for one in chosen)
    strays = {
        id(one)
        for one in chosen
        if one.page > 1
        and fonts[family(looks[id(one)].font)] == 1
        and family(looks[id(one)].font) != family(body.font)
        and heading_label(one.text) is None
        and id(one) not in sure
    }
    # Where there are many of them, fonts tell nothing.
    if 10 * len(strays) > len(chosen):
        return chosen
    return [one for one in chosen if id(one) not in strays]


def is_term(paragraphs: Sequence[Paragraph], at: int, look: Look, body: Body) -> bool:
    """Whether a paragraph is a term that is explained below it, set in."""
    one = paragraphs[at]
    label = heading_label(one.text)
    if look.size > 1.15 * body.size or at + 1 == len(paragraphs) or at == 0:
        return False
    if label is not None and (label.kind not in ("decimal", "letter", "roman") or label.depth > 1):
        return False
    after = paragraphs[at + 1]
    last, first = one.lines[-1], after.lines[0]
    if after.kind != "paragraph" or first.page != last.page:
        return False
    if bullet_end(after.text) or item_end(after.text):
        return False  # a list
    step = first.base - last.base
    inset = min(line.left for line in after.lines[:3]) - one.lines[0].left
    return 0 < step < 1.7 * last.size and inset > 0.9 * body.size


def is_cell(paragraphs: Sequence[Paragraph], at: int, looks: dict[int, Look]) -> bool:
    """Whether a paragraph stands in a row with one that is set alike, as heads of columns do."""
    one = paragraphs[at]
    after = paragraphs[at + 1] if at + 1 < len(paragraphs) else None
    if _is_over_table(paragraphs, at):
        return False
    # Columns of text may have headings beside each other.
    reach = 4 if after is not None and len(after.text) < SHORT else 1
    for other in paragraphs[max(0, at - reach) : at + reach + 1]:
        if (
            other is not one
            and other.page == one.page
            and len(other.lines) <= 2
            and looks.get(id(other)) == looks[id(one)]
            and abs(other.lines[0].base - one.lines[0].base) < 0.35 * one.size
        ):
            return True
    return False


def _is_over_table(paragraphs: Sequence[Paragraph], at: int) -> bool:
    """Whether a paragraph is the title of one of the tables beside each other: right above it."""
    one = paragraphs[at]
    last = one.lines[-1]
    middle = (last.left + last.right) / 2
    for other in paragraphs[at + 1 : at + NEAR]:
        if other.kind == "table" and other.page == one.page:
            top = min(line.top for line in other.lines)
            left = min(line.left for line in other.lines)
            right = max(line.right for line in other.lines)
            if -1 < top - last.bottom < 2 * last.size and left < middle < right:
                return left - last.size < last.left and last.right < right + last.size
    return False


def is_above_table(paragraphs: Sequence[Paragraph], at: int, look: Look) -> bool:
    """Whether a paragraph is the title of a table: plain, and well inside of it."""
    one = paragraphs[at]
    after = paragraphs[at + 1] if at + 1 < len(paragraphs) else None
    if after is None or after.kind != "table" or after.page != one.page or look.marked or at == 0:
        return False
    left = min(line.left for line in after.lines)
    right = max(line.right for line in after.lines)
    first = one.lines[0]
    return first.left > left + 3 * one.size and first.right < right - one.size


def is_below_table(paragraphs: Sequence[Paragraph], at: int, look: Look) -> bool:
    """Whether a line is a remark to the table above: close to it, and far from what is below."""
    one = paragraphs[at]
    before = paragraphs[at - 1] if at > 0 else None
    if before is None or before.kind != "table" or before.page != one.page or len(one.lines) > 1:
        return False
    step = one.lines[0].base - max(line.base for line in before.lines)
    if not 0 < step < 1.5 * one.size:
        return False
    after = paragraphs[at + 1] if at + 1 < len(paragraphs) else None
    return (
        after is None
        or after.page != one.page
        or after.lines[0].base - one.lines[0].base > 2 * step
    )
