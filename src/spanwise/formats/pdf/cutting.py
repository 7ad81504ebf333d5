"""Lines cut into cells: where rules stand between their words, and where dots lead to the next."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Final

from spanwise.formats.pdf.characters import PageText
from spanwise.formats.pdf.graphics import Graphics, Rule
from spanwise.formats.pdf.lines import Line, settle, split_line, words_of
from spanwise.formats.pdf.numbering import has_leaders
from spanwise.formats.pdf.pdfium import LazyPage
from spanwise.formats.pdf.runs import part_of
from spanwise.formats.pdf.table_lines import is_number, rows_of
from spanwise.formats.pdf.tables import MOST_RULES, merged_rules

LONG: Final = 1.8
"""A rule is between columns, not part of what is written, from so many times the font size on."""

_DOTS: Final = re.compile(r"(?:(?<=\s)\.(?:\s?\.)+|(?:\.\s?){4,}|…{2,}|(?:·\s?){5,})(?=\s|$)")
_PAGE: Final = re.compile(r"(?:[A-Z]-?)?\d{1,4}|[ivxlc]{1,7}|\d{1,2}(?:\.\d){1,3}")
"""The number of a page, or of a section."""
_PAGES: Final = re.compile(r"\d{1,4}(?:[-–]\d{1,4})?(?:,?$|,? )")
"""Numbers of pages, as in an index, with what may follow them."""


def cut_at_rules(
    page: LazyPage, text: PageText, lines: Sequence[Line], graphics: Graphics
) -> list[Line]:
    """The lines, those cut that a long upright rule goes through, between two words."""
    if not graphics.down or len(graphics.down) > MOST_RULES:
        return list(lines)
    rules = sorted(merged_rules(graphics.down))
    places = [rule.at for rule in rules]
    found: list[Line] = []
    for line in lines:
        first = bisect_right(places, line.left + 1)
        last = bisect_left(places, line.right - 1)
        if first >= last or line.turned:
            found.append(line)
            continue
        cuts = _between_words(page, text, line, rules[first:last])
        pieces = split_line(page, text, line, cuts) if cuts else [line]
        pieces[0].bullet = line.bullet
        found.extend(pieces)
    return found


def _between_words(
    page: LazyPage, text: PageText, line: Line, rules: Sequence[Rule]
) -> list[float]:
    middle = (line.top + line.bottom) / 2
    near = [
        rule.at
        for rule in rules
        if rule.start < middle < rule.end and rule.end - rule.start > LONG * line.size
    ]
    if not near:
        return []
    words = words_of(page, text, line)
    return [at for at in near if not any(low + 0.5 < at < high - 0.5 for low, high in words)]


def without_leaders(page: LazyPage, text: PageText, lines: Sequence[Line]) -> list[Line]:
    """The lines, cut at dots that lead from cell to cell, the dots left out.

    Dots that lead to a number of a page are those of a table of contents, and stay.
    """
    if not any(has_leaders(line.text) for line in lines if not line.turned):
        return list(lines)
    cut: dict[int, list[Line]] = {}
    for row in rows_of([line for line in lines if not line.turned]):
        if any(has_leaders(line.text) for line in row) and _is_of_cells(row):
            cut.update((id(line), _without_dots(page, text, line)) for line in row)
    return [piece for line in lines for piece in cut.get(id(line), [line])]


def _is_of_cells(row: Sequence[Line]) -> bool:
    """Whether dots in a row lead to cells: to several, or to one that is no page number."""
    joined = " ".join(line.text for line in row)
    parts = [part.strip() for part in _DOTS.split(joined)]
    if not parts[-1] or not parts[0]:
        return False
    after = [part for part in parts[1:] if part]
    if len(after) > 1:
        return 2 * sum(_PAGES.match(part) is not None for part in after) <= len(after)
    if len(parts) == 2 and _are_amounts(parts[1].split()):
        return True
    return (
        len(parts) == 2
        and _PAGE.fullmatch(parts[1]) is None
        and _PAGES.match(parts[1]) is None
        and len(parts[1]) < len(parts[0]) + 20
    )


def _are_amounts(words: Sequence[str]) -> bool:
    """Whether words are the numbers in a row of a table, and not those of the pages of an entry."""
    return (
        len(words) > 2
        and sum(is_number(word) for word in words) > 1
        # What is not known has a sign, as `(X)`.
        and all(is_number(word) or (len(word) < 4 and not word.islower()) for word in words)
        and not any(word.endswith(",") for word in words)
    )


def _without_dots(page: LazyPage, text: PageText, line: Line) -> list[Line]:
    """The pieces of a line that are between dots."""
    letters = text.text
    found: list[Line] = []
    piece: Line | None = None
    for run in line.runs:
        at = run.start
        for match in _DOTS.finditer(letters, run.start, run.end):
            before = part_of(page, text, run, at, match.start())
            if before is not None:
                if piece is None:
                    piece = Line(line.page, before)
                    found.append(piece)
                else:
                    piece.add(before)
            piece = None
            at = match.end()
        rest = run if at == run.start else part_of(page, text, run, at, run.end)
        if rest is not None:
            if piece is None:
                piece = Line(line.page, rest)
                found.append(piece)
            else:
                piece.add(rest)
    for one in found:
        one.rtl = line.rtl
        settle(one, letters)
    return found
