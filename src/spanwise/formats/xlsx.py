"""Excel (.xlsx): each sheet a section, its filled ranges tables, numbers and dates as shown.

A region is `{"sheet", "cells"}`: the name of the sheet and a range such as `B2:D9`, or a cell such
as `B2`; with `"start", "end"` where only those characters of one cell are meant. For the name of a
sheet itself, `cells` is null. Hidden sheets are left out.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from spanwise.document import Document, Notice, Pages, Region, Stretch
from spanwise.errors import LimitExceeded, UnreadableSource
from spanwise.formats import Settings
from spanwise.formats.number_formats import BUILT_IN, shown
from spanwise.formats.office import SPACES, Office
from spanwise.formats.writer import Run, Writer
from spanwise.formats.xml import Element, elements

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
KIND = "workbook (XLSX)"

_ROW: Final = frozenset(("x:row",))
_STRING: Final = frozenset(("x:si",))
_CELL: Final = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")


class _Cell(NamedTuple):
    sheet: str
    row: int
    column: int
    """From 1; the name of a sheet is in row and column 0."""
    text: str


class _Workbook:
    """The sheets of a file, and the texts of their cells."""

    def __init__(self, data: bytes, settings: Settings) -> None:
        self.office = Office(data, settings, KIND)
        self._part = self.office.main()
        self._targets = self.office.targets(self._part)
        self._root = self.office.tree(self._part)
        if self._root.name != "x:workbook":
            raise UnreadableSource(f"not a {KIND}: {self._part} begins with {self._root.name}")
        properties = self._root.first("x:workbookPr")
        self._is_1904 = properties is not None and properties.get("date1904") in ("1", "true")
        self._strings: list[str] | None = None
        self._formats = self._read_formats()

    def sheets(self) -> Iterator[tuple[str, str, bool]]:
        """Name and part of each sheet, and whether it is shown; of two with one part the first."""
        sheets = self._root.first("x:sheets")
        seen: set[str] = set()
        for sheet in sheets.children if sheets is not None else ():
            target = self._targets.get(sheet.get("r:id"))
            if target is not None and target.kind == "worksheet" and target.name not in seen:
                seen.add(target.name)
                yield sheet.get("name"), target.name, sheet.get("state", "visible") == "visible"

    def rows(self, sheet: str, part: str) -> Iterator[list[_Cell]]:
        """The cells of each row that have text."""
        number = 0
        data = self.office.package.read(part)
        for row in elements(data, SPACES, self.office.limits, part, _ROW, "x:worksheet"):
            said = row.get("r")
            number = int(said) if said.isdecimal() and len(said) < 8 else number + 1
            column = 0
            cells = []
            for cell in row.children:
                if cell.name != "x:c":
                    continue
                place = _CELL.fullmatch(cell.get("r"))
                column = column_number(place[1]) if place else column + 1
                text = self._text(cell).strip()
                if text:
                    cells.append(_Cell(sheet, number, column, text))
            yield cells

    def _text(self, cell: Element) -> str:
        kind = cell.get("t", "n")
        if kind == "inlineStr":
            inline = cell.first("x:is")
            return _rich(inline) if inline is not None else ""
        value = cell.first("x:v")
        said = value.text if value is not None else ""
        if kind == "s":
            strings = self._shared()
            return strings[int(said)] if said.isdecimal() and int(said) < len(strings) else ""
        if kind == "b":
            return {"1": "TRUE", "0": "FALSE"}.get(said, said)
        if kind != "n" or not said:
            return said
        style = cell.get("s", "0")
        at = int(style) if style.isdecimal() else 0
        code = self._formats[at] if at < len(self._formats) else ""
        return shown(said.strip(), code, self._is_1904)

    def _shared(self) -> list[str]:
        if self._strings is None:
            self._strings = []
            for target in self._targets.values():
                if target.kind == "sharedStrings" and target.name in self.office.package:
                    data = self.office.package.read(target.name)
                    found = elements(data, SPACES, self.office.limits, target.name, _STRING)
                    self._strings = [_rich(one) for one in found]
        return self._strings

    def _read_formats(self) -> list[str]:
        """For each style of cells the format of its numbers."""
        root = self.office.tree_of(self._targets, "styles")
        if root is None:
            return []
        codes = {str(key): code for key, code in BUILT_IN.items()}
        own = root.first("x:numFmts")
        for one in own.children if own is not None else ():
            codes[one.get("numFmtId")] = one.get("formatCode")
        styles = root.first("x:cellXfs")
        return [
            codes.get(one.get("numFmtId"), "")
            for one in (styles.children if styles is not None else ())
        ]


def read(data: bytes, settings: Settings) -> Document:
    """The document of a workbook."""
    workbook = _Workbook(data, settings)
    writer = Writer()
    cells = _Cells()
    hidden = 0
    for sheet, part, is_shown in workbook.sheets():
        if not is_shown:
            hidden += 1
            continue
        begun = False
        for block in _blocks(workbook.rows(sheet, part)):
            if not begun:
                writer.heading(1, [cells.run(_Cell(sheet, 0, 0, sheet))])
                begun = True
            _write(block, writer, cells, settings.max_objects)
    notices: list[Notice] = []
    if hidden:
        message = f"{hidden} hidden sheets are left out"
        notices.append({"code": "left_out", "page": None, "message": message})
    document = writer.document(MEDIA_TYPE, workbook.office.title(), cells, notices)
    if not document.text:
        notices.append({"code": "no_text", "page": None, "message": "there is no text in it"})
    return document


def reread(data: bytes, regions: Sequence[Region], settings: Settings) -> str:
    """The text at `regions`, taken from the cells."""
    sheets = _sheets(data, settings)
    found = []
    for region in regions:
        sheet = region["sheet"]
        if sheet not in sheets:
            raise UnreadableSource(f"there is no sheet {sheet}")
        texts = [sheet] if region["cells"] is None else _within(sheets[sheet], region["cells"])
        text = " ".join(texts)
        found.append(text[region["start"] : region["end"]] if "start" in region else text)
    return "\n".join(found)


@lru_cache(maxsize=1)  # the chunks of a file are asked for one after the other
def _sheets(data: bytes, settings: Settings) -> dict[str, dict[int, list[_Cell]]]:
    """The cells of each row of each sheet."""
    workbook = _Workbook(data, settings)
    sheets: dict[str, dict[int, list[_Cell]]] = {}
    for sheet, part, _ in workbook.sheets():
        rows = sheets.setdefault(sheet, {})
        for row in workbook.rows(sheet, part):
            if row:
                rows.setdefault(row[0].row, []).extend(row)
    return sheets


def _blocks(rows: Iterator[list[_Cell]]) -> Iterator[list[list[_Cell]]]:
    """The rows that follow each other without an empty one in between."""
    block: list[list[_Cell]] = []
    for row in rows:
        if block and (not row or row[0].row > block[-1][0].row + 1):
            yield block
            block = []
        if row:
            block.append(row)
    if block:
        yield block


def _write(block: list[list[_Cell]], writer: Writer, cells: "_Cells", max_cells: int) -> None:
    """One table; rows of one cell before it are its titles, and such rows alone paragraphs."""
    lone = next((at for at, row in enumerate(block) if len(row) > 1), len(block))
    columns = sorted({cell.column for row in block[lone:] for cell in row})
    if lone < len(block) or len(block) < 3:
        for row in block[:lone]:
            writer.paragraph([cells.run(row[0])])
    else:
        lone = 0
        columns = sorted({cell.column for row in block for cell in row})
    size = len(columns) * (len(block) - lone)
    if size > max_cells:
        raise LimitExceeded("max_objects", max_cells, size, "cells of a table")
    lines = []
    for row in block[lone:]:
        by_column = {cell.column: cell for cell in row}
        lines.append(
            [[cells.run(by_column[column])] if column in by_column else [] for column in columns]
        )
    writer.table(lines)


class _Cells:
    """The cells that were written, and what of a row they are."""

    def __init__(self) -> None:
        self._cells: list[_Cell] = []
        self._counts: dict[tuple[str, int], int] = {}

    def run(self, cell: _Cell) -> Run:
        self._cells.append(cell)
        key = cell.sheet, cell.row
        self._counts[key] = self._counts.get(key, 0) + 1
        return Run(cell.text, len(self._cells) - 1, 0)

    def regions(self, stretches: Sequence[Stretch]) -> list[Region]:
        """Ranges of whole cells; rows that are there as a whole and follow each other are one."""
        found: list[Region] = []
        rows: list[list[_Cell]] = []
        for origin, start, end in stretches:
            cell = self._cells[origin]
            is_whole = cell.row > 0 and start == 0 and end == len(cell.text)
            if is_whole and rows and rows[-1][0][:2] == cell[:2]:
                rows[-1].append(cell)
                continue
            if rows and not (is_whole and self._is_next(rows[-1], cell)):
                found.extend(self._ranges(rows))
                rows = []
            if is_whole:
                rows.append([cell])
                continue
            cells = cell_name(cell.column, cell.row) if cell.row else None
            found.append({"sheet": cell.sheet, "cells": cells, "start": start, "end": end})
        return found + self._ranges(rows)

    def _ranges(self, rows: list[list[_Cell]]) -> list[Region]:
        """One range, or two where of the last row only a part is there."""
        if len(rows) > 1 and not self._is_all(rows[-1]):
            return [_range(rows[:-1]), _range(rows[-1:])]
        return [_range(rows)] if rows else []

    def _is_next(self, row: list[_Cell], cell: _Cell) -> bool:
        """Whether a cell is in the row after one all of whose cells are there."""
        sheet, number = row[0][:2]
        return (cell.sheet, cell.row) == (sheet, number + 1) and self._is_all(row)

    def _is_all(self, row: list[_Cell]) -> bool:
        return len(row) == self._counts[row[0].sheet, row[0].row]

    def pages(self, stretches: Sequence[Stretch]) -> Pages | None:
        """A workbook has none."""
        return None


def column_number(letters: str) -> int:
    """1 for A, 27 for AA."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def cell_name(column: int, row: int) -> str:
    """B2 for column 2 of row 2."""
    letters = ""
    while column > 0:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return f"{letters}{row}"


def _range(rows: list[list[_Cell]]) -> Region:
    """The range that rows of cells fill."""
    columns = [cell.column for row in rows for cell in row]
    first = cell_name(min(columns), rows[0][0].row)
    last = cell_name(max(columns), rows[-1][0].row)
    return {"sheet": rows[0][0].sheet, "cells": first if first == last else f"{first}:{last}"}


def _within(rows: dict[int, list[_Cell]], name: str) -> list[str]:
    """The texts of the cells of a range, row by row."""
    first, _, last = name.partition(":")
    corners = [_CELL.fullmatch(corner) for corner in (first, last or first)]
    if corners[0] is None or corners[1] is None:
        raise UnreadableSource(f"{name} is no range of cells")
    left, right = (column_number(corner[1]) for corner in corners if corner)
    top, bottom = (int(corner[2]) for corner in corners if corner)
    if bottom - top > len(rows):
        numbers = sorted(number for number in rows if top <= number <= bottom)
    else:
        numbers = [number for number in range(top, bottom + 1) if number in rows]
    return [
        cell.text for number in numbers for cell in rows[number] if left <= cell.column <= right
    ]


def _rich(string: Element) -> str:
    """The text of a string, without what says how it is pronounced."""
    parts = []
    for child in string.children:
        if child.name == "x:t":
            parts.append(child.text)
        elif child.name == "x:r":
            text = child.first("x:t")
            parts.append(text.text if text is not None else "")
    return "".join(parts)
