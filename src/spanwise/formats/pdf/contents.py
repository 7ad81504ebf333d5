"""Tables of contents: their entries look like headings and are none."""

import itertools
import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from spanwise.formats.pdf.lines import Line
from spanwise.formats.pdf.numbering import has_leaders
from spanwise.formats.pdf.outline import folded
from spanwise.formats.pdf.paragraphs import Paragraph
from spanwise.formats.pdf.table_lines import rows_of

_TITLE: Final = re.compile(
    r"(?:table of )?contents|list of \w+|inhalt|table des mati|sommaire|índice|indice|spis|"
    r"目\s*[次录錄]|목\s*차",
    re.IGNORECASE,
)
LONGEST: Final = 30
"""Characters of the longest of these titles."""
LEAST: Final = 4
"""Entries that a page of contents has."""

_NUMBER: Final = re.compile(r"\d{1,4}$")
_LAST: Final = re.compile(r"\s(?:\d{1,4}|[ivxl]{1,6})$")
_PAGE: Final = re.compile(r"(?:[A-Z]-?)?\d{1,4}$|[ivxlc]{1,7}$")


_SEVERAL: Final = re.compile(r"\d,\s*\d{1,4}(?:,\s*\d{1,4})*,?$")
"""The pages of an entry of an index."""
_NO_LETTER: Final = re.compile(r"[\W\d_]+")


def is_index(rows: Sequence[Sequence[Sequence[Line]]]) -> bool:
    """Whether rows of cells are the columns of an index beside each other, and no table.

    Bold letters stand between entries that begin with them, or that several pages belong to.
    """
    columns: dict[int, list[str]] = {}
    letters = begun = several = 0
    for row in rows:
        for at, cell in enumerate(row):
            text = " ".join(line.text for line in cell)
            if not text:
                continue
            column = columns.setdefault(at, [])
            if column and _NO_LETTER.sub("", text[:20]).casefold().startswith(column[-1]):
                begun += 1
            is_letter = len(text) == 1 and text.isalpha() and cell[0].style.bold
            letters += is_letter
            several += _SEVERAL.search(text) is not None
            # What follows anything but a letter begins with nothing.
            column.append(text.casefold() if is_letter else "\0")
    return (letters > 1 and several > 1) or (begun > 2 and begun >= 0.6 * letters)


def with_entries(lines: list[Line]) -> tuple[list[Line], set[int]]:
    """The lines of a page and the `id` of those that are entries of a table of contents.

    The text, the dots and the number of an entry are made one line.
    """
    flat = [line for line in lines if not line.turned]
    dotted = [line for line in flat if has_leaders(line.text)]
    if not dotted and not any(_PAGE.match(line.text) for line in flat):
        return lines, set()
    if len(dotted) >= LEAST:
        entries = [
            row
            for column in _columns(flat, dotted)
            for row in _around_dots(rows_of(column.lines), column.edge)
        ]
    else:
        rows = rows_of(flat)
        edge = max(line.right for line in flat)
        entries = [row for row in rows if _is_entry(row, edge)]
        if not _is_list(rows, entries, len(dotted)):
            # Right below a title the numbers may follow the words, wherever those end.
            entries = [row for row in rows if len(row) > 1 and _PAGE.match(row[-1].text)]
            if not _is_list(rows, entries, 0) or not _is_titled(rows, entries[0]):
                return lines, set()
    found: set[int] = set()
    gone: set[int] = set()
    for row in entries:
        first = row[0]
        for line in row[1:]:
            for run in line.runs:
                first.add(run)
            first.text = f"{first.text} {line.text}"
            gone.add(id(line))
        found.add(id(first))
    return [line for line in lines if id(line) not in gone], found


class _Column(NamedTuple):
    """Lines of a column whose dots lead to numbers at `edge`."""

    edge: float
    lines: list[Line]


def _columns(flat: Sequence[Line], dotted: Sequence[Line]) -> list[_Column]:
    """The columns of a page that have dots: beside them may be another, or text."""
    edges: list[list[float]] = []
    ends: list[float] = []
    for line in dotted:
        # The number may be a line of its own.
        numbers = [
            other.right
            for other in flat
            if abs(other.base - line.base) < 0.3 * line.size
            and 0 <= other.left - line.right < 4 * line.size
            and _PAGE.match(other.text)
        ]
        ends.append(min(numbers, default=line.right))
    for end, line in sorted(zip(ends, dotted, strict=True), key=lambda pair: pair[0]):
        if edges and line.left < edges[-1][1]:
            edges[-1] = [min(edges[-1][0], line.left), end]
        else:
            edges.append([line.left, end])
    found = []
    before = 0.0
    for _, end in edges:
        own = [line for line in flat if before < line.left and line.right < end + 0.5 * line.size]
        found.append(_Column(end, own))
        before = end
    return found


def _around_dots(rows: list[list[Line]], edge: float) -> list[list[Line]]:
    """The entries with dots and those next to them: chapters may have none."""
    entries = [at for at, row in enumerate(rows) if _is_entry(row, edge, exact=True)]
    dotted = [
        place
        for place, at in enumerate(entries)
        if any(has_leaders(line.text) for line in rows[at])
        and any(letter.isalpha() for line in rows[at] for letter in line.text)
    ]
    if not dotted:
        return []  # dots, but no words, as in a drawing
    first, last = dotted[0], dotted[-1]
    while first > 0 and _is_near(rows[entries[first - 1]], rows[entries[first]]):
        first -= 1
    while last + 1 < len(entries) and _is_near(rows[entries[last]], rows[entries[last + 1]]):
        last += 1
    found = []
    for place in range(first, last + 1):
        at = entries[place]
        # The lines before the one with the number, where a title is longer than one.
        above = at
        floor = entries[place - 1] if place > 0 else at - 3
        while above - 1 > floor and above > 0 and _goes_on(rows[above - 1], rows[above]):
            above -= 1
        found.extend(rows[above : at + 1])
    return found


def _goes_on(one: Sequence[Line], two: Sequence[Line]) -> bool:
    """Whether the second row may be the rest of an entry that the first begins."""
    first, last = one[0], two[0]
    return (
        len(one) == 1
        and abs(first.size - last.size) < 0.1 * last.size
        # The dots may be in another font than the words before them.
        and first.style.bold == last.runs[0].style.bold
        and last.base - first.base < 1.6 * last.size
        and last.left > first.left + 0.5 * last.size
    )


def _is_near(one: list[Line], two: list[Line]) -> bool:
    return two[0].base - one[0].base < 4 * max(one[0].size, two[0].size)


def _is_list(rows: list[list[Line]], entries: list[list[Line]], dotted: int) -> bool:
    """Whether entries without dots follow each other, as below a title that says what they are."""
    if len(entries) < LEAST or not _ascends(entries):
        return False
    first, last = rows.index(entries[0]), rows.index(entries[-1])
    if len(entries) < 0.7 * (last - first + 1):
        return False
    if _is_titled(rows, entries[0]) or dotted > 1:
        return True
    # A number, a title and a page; what has more columns is a table whose last one counts.
    wide = sum(len(row) > 3 for row in entries)
    return 2 * len(entries) >= len(rows) and 2 * wide < len(entries)


def _is_titled(rows: list[list[Line]], entry: list[Line]) -> bool:
    """Whether a title of contents stands above their first entry."""
    first = rows.index(entry)
    return any(_TITLE.match(line.text) for row in rows[max(0, first - 2) : first] for line in row)


def _is_entry(row: Sequence[Line], edge: float, exact: bool = False) -> bool:
    """Whether a row is a title and a page number; `exact` where others end at `edge`, too."""
    text = " ".join(line.text for line in row)
    if not any(letter.isalpha() for letter in text):
        return False
    last = row[-1]
    if has_leaders(text):
        return True
    if last.right < edge - 3 * last.size:
        return False
    if exact and abs(last.right - edge) < 0.4 * last.size and _LAST.search(text):
        return True
    return len(row) > 1 and _PAGE.match(last.text) is not None


def _ascends(entries: Sequence[Sequence[Line]]) -> bool:
    """Whether the page numbers of the entries go up."""
    ends = [_NUMBER.search(row[-1].text) for row in entries]
    # Roman ones stand before the others.
    numbers = [int(end.group()) if end is not None else 0 for end in ends]
    if len(numbers) < LEAST:
        return False
    up = sum(one <= two for one, two in itertools.pairwise(numbers))
    return up >= 0.8 * (len(numbers) - 1)


def without_named(chosen: Sequence[Paragraph]) -> list[Paragraph]:
    """The headings without those below a title of contents that come again, as what they name.

    Contents may have neither dots nor numbers of pages that would tell them.
    """
    opens = [
        at for at, one in enumerate(chosen) if _TITLE.match(one.text) and len(one.text) < LONGEST
    ]
    if not opens:
        return list(chosen)
    last = {folded(one.text): at for at, one in enumerate(chosen)}
    gone: set[int] = set()
    for first in opens:
        end = first + 1
        while end < len(chosen) and last[folded(chosen[end].text)] > end:
            end += 1
        # Each comes again after the last of them.
        entries = [at for at in range(first + 1, end) if last[folded(chosen[at].text)] >= end]
        if len(entries) > 1:
            gone.update(entries)
    return [one for at, one in enumerate(chosen) if at not in gone]
