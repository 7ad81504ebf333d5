"""Headings on one line with the text below them: `2.1. Springs. Water comes from ...`."""

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from spanwise.formats.pdf.characters import PageText
from spanwise.formats.pdf.fonts import Style
from spanwise.formats.pdf.lines import Line, settle
from spanwise.formats.pdf.numbering import heading_label
from spanwise.formats.pdf.paragraphs import Paragraph

LEAST: Final = 2
"""Headings set alike that run in, of which there is more than one."""
LONGEST: Final = 110
"""Characters of the longest."""
ENDS: Final = (".", ":", "?", "!", "—", "–")


class _RunIn(NamedTuple):
    """Where a heading ends in a paragraph: before run `run` of line `line`; and its style."""

    line: int
    run: int
    style: Style


def with_run_ins(
    paragraphs: Sequence[Paragraph], texts: Sequence[PageText]
) -> tuple[list[Paragraph], set[int]]:
    """The paragraphs, those that begin with a heading made two; the `id` of the headings.

    Such a heading has a number of two parts at least, and another style than the text after it.
    """
    found: dict[int, _RunIn] = {}
    for at, one in enumerate(paragraphs):
        if one.kind == "paragraph" and len(one.lines) > 1 and one.lines[0].text[0].isalnum():
            part = _run_in(one, texts)
            if part is not None:
                found[at] = part
    counts = Counter(part.style for part in found.values())
    made: list[Paragraph] = []
    heads: set[int] = set()
    for at, one in enumerate(paragraphs):
        cut = found.get(at)
        if cut is None or counts[cut.style] < LEAST:
            made.append(one)
            continue
        letters = texts[one.page].text
        line = one.lines[cut.line]
        first = [*one.lines[: cut.line], *_line_of(line, 0, cut.run, letters)]
        rest = [*_line_of(line, cut.run, len(line.runs), letters), *one.lines[cut.line + 1 :]]
        made.append(Paragraph(first))
        heads.add(id(made[-1]))
        made.append(Paragraph(rest))
        made[-1].edge = one.edge
    return made, heads


def _run_in(one: Paragraph, texts: Sequence[PageText]) -> _RunIn | None:
    """Where the heading at the start of a paragraph ends, if there is one."""
    label = heading_label(one.lines[0].text)
    if label is None or label.kind != "decimal" or label.depth < 2:
        return None
    text = one.lines[-1].style
    style: Style | None = None
    length = 0
    for at, line in enumerate(one.lines[:2]):
        if line.rtl or line.page != one.page:
            return None
        letters = texts[line.page].text
        for number, run in enumerate(line.runs):
            words = letters[run.start : run.end]
            if style is None and (length + len(words) > label.end):
                style = run.style
            if style is not None and _alike(run.style, text):
                before = letters[: run.start].rstrip()
                ends = length > label.end and before.endswith(ENDS)
                if number + at == 0 or not ends or words[0].islower() or _alike(style, text):
                    return None
                return _RunIn(at, number, style)
            length += len(words) + 1
        if length > LONGEST:
            return None
    return None


def _alike(one: Style, two: Style) -> bool:
    return one.font == two.font and abs(one.size - two.size) < 0.05 * two.size


def _line_of(line: Line, first: int, last: int, letters: str) -> list[Line]:
    """Some of the runs of a line, as a line; none for none."""
    runs = line.runs[first:last]
    if not runs:
        return []
    made = Line(line.page, runs[0])
    for run in runs[1:]:
        made.add(run)
    settle(made, letters)
    return [made]
