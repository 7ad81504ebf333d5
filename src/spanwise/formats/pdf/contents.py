"""Tables of contents: their entries look like headings and are none."""

import itertools
import re
from collections.abc import Sequence
from typing import Final

from spanwise.formats.pdf.lines import Line
from spanwise.formats.pdf.numbering import has_leaders
from spanwise.formats.pdf.table_lines import rows_of

_TITLE: Final = re.compile(
    r"(?:table of )?contents|list of \w+|inhalt|table des mati|sommaire|índice|indice|spis|"
    r"目\s*[次录錄]|목\s*차",
    re.IGNORECASE,
)
LEAST: Final = 4
"""Entries that a page of contents has."""

_NUMBER: Final = re.compile(r"\d{1,4}$")
_PAGE: Final = re.compile(r"(?:[A-Z]-?)?\d{1,4}$|[ivxlc]{1,7}$")


def with_entries(lines: list[Line]) -> tuple[list[Line], set[int]]:
    """The lines of a page and the `id` of those that are entries of a table of contents.

    The text, the dots and the number of an entry are made one line.
    """
    flat = [line for line in lines if not line.turned]
    dotted = sum(has_leaders(line.text) for line in flat)
    if dotted == 0 and not any(_PAGE.match(line.text) for line in flat):
        return lines, set()
    rows = rows_of(flat)
    edge = max(
        (line.right for line in flat if dotted < LEAST or has_leaders(line.text)), default=0.0
    )
    entries = [row for row in rows if _is_entry(row, edge)]
    if dotted >= LEAST:
        entries = _around_dots(entries)
        if not entries:
            return lines, set()  # dots, but no words, as in a drawing
    elif not _is_list(rows, entries, dotted):
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


def _around_dots(entries: list[list[Line]]) -> list[list[Line]]:
    """The entries with dots and those next to them: chapters may have none."""
    dotted = [at for at, row in enumerate(entries) if any(has_leaders(line.text) for line in row)]
    if not dotted:
        return []
    first, last = dotted[0], dotted[-1]
    while first > 0 and _is_near(entries[first - 1], entries[first]):
        first -= 1
    while last + 1 < len(entries) and _is_near(entries[last], entries[last + 1]):
        last += 1
    return entries[first : last + 1]


def _is_near(one: list[Line], two: list[Line]) -> bool:
    return two[0].base - one[0].base < 4 * max(one[0].size, two[0].size)


def _is_list(rows: list[list[Line]], entries: list[list[Line]], dotted: int) -> bool:
    """Whether entries without dots follow each other, as below a title that says what they are."""
    if len(entries) < LEAST or not _ascends(entries):
        return False
    first, last = rows.index(entries[0]), rows.index(entries[-1])
    if len(entries) < 0.7 * (last - first + 1):
        return False
    titled = any(_TITLE.match(line.text) for row in rows[max(0, first - 2) : first] for line in row)
    return titled or dotted > 1 or 2 * len(entries) >= len(rows)


def _is_entry(row: Sequence[Line], edge: float) -> bool:
    text = " ".join(line.text for line in row)
    if not any(letter.isalpha() for letter in text):
        return False
    last = row[-1]
    if has_leaders(text):
        return True
    if last.right < edge - 3 * last.size:
        return False
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
