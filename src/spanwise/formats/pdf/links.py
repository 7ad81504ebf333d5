"""Links: which characters of a page lead to a web address."""

from collections.abc import Sequence
from typing import NamedTuple

from spanwise.formats.pdf.characters import PageText
from spanwise.formats.pdf.lines import Line
from spanwise.formats.pdf.page import Link, PdfPage


class LinkSpan(NamedTuple):
    """Characters of the text of a page, and where they lead."""

    start: int
    end: int
    target: str


def link_spans(
    page: PdfPage, text: PageText, lines: Sequence[Line], links: Sequence[Link]
) -> list[LinkSpan]:
    """The characters in the boxes of links, in order; no character is in two."""
    found: list[LinkSpan] = []
    for (left, top, right, bottom), target in links:
        for line in lines:
            if line.turned or not top - 1 < (line.top + line.bottom) / 2 < bottom + 1:
                continue
            for run in line.runs:
                start, _, end, _ = run.box
                if end <= left or start >= right:
                    continue
                low, high = run.start, run.end
                if start < left - 1 or end > right + 1:
                    inside = [
                        at
                        for at in range(run.start, run.end)
                        if text.text[at] != " " and _is_in(page, text.number(at), left, right)
                    ]
                    if not inside:
                        continue
                    low, high = inside[0], inside[-1] + 1
                found.append(LinkSpan(low, high, target))
    found.sort()
    apart: list[LinkSpan] = []
    for span in found:
        if not apart or span.start >= apart[-1].end:
            apart.append(span)
    return apart


def _is_in(page: PdfPage, number: int, left: float, right: float) -> bool:
    box = page.char_box(number)
    return left <= (box[0] + box[2]) / 2 <= right
