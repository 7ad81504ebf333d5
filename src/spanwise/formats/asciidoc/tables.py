"""Tables of AsciiDoc: cells between separators, which may say how far they span."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from spanwise.formats.lines import Line

MAX_SPAN: Final = 1000

_SPEC: Final = re.compile(
    r"(?:(?P<times>\d{1,4})\*|(?P<columns>\d{1,4})?(?:\.(?P<rows>\d{1,4}))?\+)?"
    r"(?:[<^>])?(?:\.[<^>])?[adehlmsv]?$"
)
_COLUMNS: Final = re.compile(r"cols\s*=\s*(?:\"([^\"]*)\"|([^,\]]+))")


class Cell(NamedTuple):
    """The spans of a cell's lines, how far it reaches, and the line it begins on."""

    spans: list[tuple[int, int]]
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


def table_cells(source: str, lines: Sequence[Line], separator: str) -> list[Cell]:
    """The cells of a table, in order."""
    cells: list[Cell] = []
    for number, line in enumerate(lines):
        text = line.text
        if not text:
            continue
        if separator in ",:;":
            _add_values(cells, line, separator, number)
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
    return cells


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
