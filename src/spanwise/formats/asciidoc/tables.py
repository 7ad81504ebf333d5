"""Tables of AsciiDoc: cells between separators, which may say how far they span."""

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from spanwise.errors import LimitExceeded
from spanwise.formats.asciidoc.inlines import Span
from spanwise.formats.asciidoc.syntax import BLOCK_ATTRIBUTES
from spanwise.formats.grids import Grid
from spanwise.formats.lines import Line
from spanwise.formats.writer import Run

MAX_SPAN: Final = 1000

_SPEC: Final = re.compile(
    r"(?:(?P<times>\d{1,4})\*|(?P<columns>\d{1,4})?(?:\.(?P<rows>\d{1,4}))?\+)?"
    r"(?:[<^>])?(?:\.[<^>])?[adehlmsv]?$"
)
_NESTED: Final = re.compile("!={3,}")
_COLUMNS: Final = re.compile(r"cols\s*=\s*(?:\"([^\"]*)\"|([^,\]]+))")


class Cell(NamedTuple):
    """The spans of a cell's lines, how far it reaches, and the line it begins on."""

    spans: list[Span]
    columns: int
    rows: int
    line: int


def columns_of(attributes: str) -> int:
    """How many columns the attributes of a table name; 0 where they name none."""
    found = _COLUMNS.search(attributes)
    if found is None:
        return 0
    count = 0
    for part in re.split(r"[,;]", found[1] or found[2]):
        times = re.match(r"\s*(\d{1,4})\*", part)
        count += int(times[1]) if times else 1
    return min(count, MAX_SPAN)


def table_rows(
    source: str,
    lines: Sequence[Line],
    sign: str,
    attributes: str,
    runs_of: Callable[[list[Span]], list[Run]],
    max_cells: int,
) -> list[list[list[Run]]]:
    """The rows of a table whose delimiter has that sign; `runs_of` makes the runs of a cell.

    Raises LimitExceeded for `max_objects` where there are more cells than `max_cells`.
    """
    said = re.search(r"separator=\"?([^\",\]])", attributes)
    cells = table_cells(source, lines, said[1] if said else sign, max_cells)
    columns = columns_of(attributes) or sum(
        cell.columns for cell in cells if cell.line == cells[0].line
    )
    grid = Grid(max_cells)
    row: list[tuple[list[Run], int, int]] = []
    room = columns
    line = reaching = begun = 0
    ends: dict[int, int] = {}
    """For rows to come how many columns cells from above no longer reach into."""
    for cell in cells:
        row.append((runs_of(_unnested(source, cell.spans, max_cells)), cell.columns, cell.rows))
        room -= cell.columns
        if cell.rows > 1:
            begun += cell.columns
            ends[line + cell.rows] = ends.get(line + cell.rows, 0) + cell.columns
        if room <= 0:
            grid.row(row)
            row = []
            line += 1
            reaching += begun - ends.pop(line, 0)
            begun = 0
            room = columns - reaching
    if row:
        grid.row(row)
    return grid.rows()


def _unnested(source: str, spans: list[Span], max_cells: int) -> list[Span]:
    """The spans of a cell, tables in it being taken apart: their cells one after the other."""
    lines = [Line(start, start, end, 0, source[start:end]) for start, end in spans]
    if not any(_NESTED.fullmatch(line.text) for line in lines):
        return spans
    found: list[Span] = []
    inside: list[Line] | None = None
    """The lines of the table that is open."""
    for number, line in enumerate(lines):
        if _NESTED.fullmatch(line.text):
            if inside is not None:
                cells = table_cells(source, inside, "!", max_cells)
                found.extend(span for cell in cells for span in cell.spans)
            inside = [] if inside is None else None
        elif inside is not None:
            inside.append(line)
        elif not (
            BLOCK_ATTRIBUTES.fullmatch(line.text)
            and number + 1 < len(lines)
            and _NESTED.fullmatch(lines[number + 1].text)
        ):
            found.append((line.text_start, line.text_end))
    found.extend((line.text_start, line.text_end) for line in inside or ())
    return found


def table_cells(source: str, lines: Sequence[Line], separator: str, max_cells: int) -> list[Cell]:
    """The cells of a table, in order. Raises LimitExceeded as `table_rows` does."""
    cells: list[Cell] = []
    for number, line in enumerate(lines):
        text = line.text
        if not text:
            continue
        if separator in ",:;":
            _add_values(cells, line, separator, number)
            _check(cells, max_cells)
            continue
        places = [
            match.start()
            for match in re.finditer(re.escape(separator), text)
            if match.start() == 0 or text[match.start() - 1] != "\\"
        ]
        start = 0
        spec = ""
        for at in [*places, len(text)]:
            before = text[start:at]
            after_spec = ""
            if at < len(text):
                # What stands before a separator, without a blank between, may be about the cell.
                word = before.rpartition(" ")[2] if " " in before or start else before
                word = "" if start and " " not in before else word
                if word and _SPEC.match(word):
                    after_spec = word
                    before = before[: len(before) - len(word)]
            if start == 0 and (not places or at == places[0]):
                if before.strip() and cells:
                    _extend(cells, line, 0, before)
            else:
                _begin(cells, line, start, before, spec, number)
            spec = after_spec
            start = at + 1
            _check(cells, max_cells)
    return cells


def _check(cells: list[Cell], max_cells: int) -> None:
    if len(cells) > max_cells:
        raise LimitExceeded("max_objects", max_cells, len(cells), "cells of a table")


def _begin(cells: list[Cell], line: Line, start: int, text: str, spec: str, number: int) -> None:
    found = _SPEC.match(spec)
    columns = min(int(found["columns"] or 1), MAX_SPAN) if found else 1
    rows = min(int(found["rows"] or 1), MAX_SPAN) if found else 1
    times = min(int(found["times"] or 1), MAX_SPAN) if found else 1
    for _ in range(max(1, times)):
        cells.append(Cell([], max(1, columns), max(1, rows), number))
        _extend(cells, line, start, text)


def _extend(cells: list[Cell], line: Line, start: int, text: str) -> None:
    """More text of the last cell: `text`, which stands in a line at `start`."""
    if text.strip():
        low = line.text_start + start + len(text) - len(text.lstrip())
        cells[-1].spans.append((low, low + len(text.strip())))


def _add_values(cells: list[Cell], line: Line, separator: str, number: int) -> None:
    """The values of a line of CSV or the like."""
    text = line.text
    pattern = (
        rf'\s*(?:"((?:[^"]|"")*)"|([^{re.escape(separator)}]*))\s*(?:{re.escape(separator)}|\Z)'
    )
    for match in re.finditer(pattern, text):
        group = 1 if match[1] is not None else 2
        cells.append(Cell([], 1, 1, number))
        _extend(cells, line, match.start(group), match[group])
        if match.end() == len(text) and not match.group().endswith(separator):
            break
