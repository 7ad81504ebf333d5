"""Tables of reStructuredText: those drawn as a grid and those of columns under rules."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple
from unicodedata import east_asian_width

from spanwise.formats.lines import Line

GRID_LINE: Final = re.compile(r"\+(?:[-=]+\+)+")
RULE: Final = re.compile(r"=+(?:[ \t]+=+)+")
_SPANS: Final = re.compile(r"-+(?:[ \t]+-+)*")
_VALUE: Final = re.compile(r'\s*(?:"((?:[^"]|"")*)"|([^,]*))\s*(?:,|\Z)')

Row = list[list[tuple[int, int]]]
"""For each cell of a row the spans of its lines."""


class Area(NamedTuple):
    """A cell: the row and columns it begins in and how many it takes, and spans of its lines."""

    row: int
    column: int
    columns: int
    rows: int
    spans: list[tuple[int, int]]


class _Drawn(NamedTuple):
    """A line as it is seen: letters of East Asian scripts are two columns wide."""

    text: str
    """With NUL for the second column of a wide letter."""
    offsets: Sequence[int]
    """For each column, and the end, the offset in the line."""


def _drawn(text: str) -> _Drawn:
    if text.isascii():
        return _Drawn(text, range(len(text) + 1))
    parts: list[str] = []
    offsets: list[int] = []
    for at, letter in enumerate(text):
        wide = east_asian_width(letter) in "WF"
        parts.append(letter + "\0" if wide else letter)
        offsets.extend([at, at] if wide else [at])
    offsets.append(len(text))
    return _Drawn("".join(parts), offsets)


def grid_cells(source: str, lines: Sequence[Line]) -> list[Area] | None:
    """The cells of a grid table; None where the lines draw none."""
    text = [source[line.text_start : line.text_end] for line in lines]
    width = len(text[0])
    offsets: list[Sequence[int]] = [range(width + 1)] * len(text)
    if any(len(line) != width for line in text):
        drawn = [_drawn(line) for line in text]
        text = [line.text for line in drawn]
        offsets = [line.offsets for line in drawn]
        if any(len(line) != width for line in text):
            return None
    cells = []
    for top in range(len(text) - 1):
        left = text[top].find("+")
        while 0 <= left < width - 1:
            found = _cell_at(text, top, left)
            if found:
                cells.append((top, left, *found))
            left = text[top].find("+", left + 1)
    if not cells:
        return None
    tops = sorted({cell[0] for cell in cells} | {cell[2] for cell in cells})
    lefts = sorted({cell[1] for cell in cells} | {cell[3] for cell in cells})
    rows = {top: number for number, top in enumerate(tops)}
    columns = {left: number for number, left in enumerate(lefts)}
    areas = []
    covered = 0
    for top, left, bottom, right in cells:
        spans = []
        for number in range(top + 1, bottom):
            start, places = lines[number].text_start, offsets[number]
            spans.append((start + places[left + 1], start + places[right]))
        area = Area(
            rows[top],
            columns[left],
            columns[right] - columns[left],
            rows[bottom] - rows[top],
            spans,
        )
        covered += area.columns * area.rows
        areas.append(area)
    if covered != (len(tops) - 1) * (len(lefts) - 1):
        return None
    return areas


def _cell_at(text: list[str], top: int, left: int) -> tuple[int, int] | None:
    """Bottom and right of the smallest cell whose upper left corner is here."""
    right = left
    while True:
        right += 1
        if right >= len(text[top]) or text[top][right] not in "-=+":
            return None
        if text[top][right] != "+":
            continue
        bottom = top
        while True:
            bottom += 1
            if bottom >= len(text) or text[bottom][left] not in "|+":
                return None
            if text[bottom][right] not in "|+":
                break
            edge = text[bottom][left : right + 1]
            if edge[0] == "+" == edge[-1] and len(edge) > 2 and not edge.strip("-=+"):
                return bottom, right


def simple_rows(source: str, lines: Sequence[Line]) -> list[Row] | None:
    """The rows of a table of columns under rules: for each cell the spans of its lines."""
    indent = lines[0].indent
    rule = lines[0].text
    starts = [match.start() for match in re.finditer("=+", rule)]
    rows: list[Row] = []
    blank = True
    for line in lines[1:]:
        if not line.text:
            blank = True
            continue
        shift = line.indent - indent
        if shift < 0:
            return None
        if RULE.fullmatch(line.text) or (shift == 0 and _SPANS.fullmatch(line.text)):
            blank = True
            continue
        # The offset at which each column begins, as far as the line goes.
        offsets = _drawn(line.text).offsets
        last = len(offsets) - 1
        edges = [line.text_start + offsets[min(max(0, at - shift), last)] for at in starts]
        cells = list(pairwise([*edges, line.text_end]))
        has_first = bool(source[slice(*cells[0])].strip())
        if has_first or blank or not rows:
            rows.append([[cell] for cell in cells])
        else:
            for column, cell in zip(rows[-1], cells, strict=True):
                column.append(cell)
        blank = False
    return rows


def list_rows(lines: Sequence[Line]) -> list[Row]:
    """Rows of a `list-table`: items of a list, each a list of cells."""
    rows: list[Row] = []
    for line in lines:
        start = line.text_start
        text = line.text
        if text.startswith("* -") or (text.startswith(("- -", "- *")) and not rows):
            rows.append([[(start + 3, line.text_end)]])
        elif rows and (text in ("-", "*") or text.startswith(("- ", "* "))):
            rows[-1].append([(start + 1, line.text_end)])
        elif rows and text:
            rows[-1][-1].append((start, line.text_end))
    return rows


def csv_rows(source: str, options: Sequence[Line], lines: Sequence[Line]) -> list[Row]:
    """Rows of a `csv-table`: the option `header`, and a line of values each."""
    rows = []
    for line in options:
        if line.text.startswith(":header:"):
            rows.append(_values(source, line.text_start + len(":header:"), line.text_end))
    rows.extend(_values(source, line.text_start, line.text_end) for line in lines if line.text)
    return rows


def _values(source: str, start: int, end: int) -> Row:
    """The spans of the values of a line of CSV, without their quotes."""
    row: Row = []
    for match in _VALUE.finditer(source[start:end]):
        group = 1 if match[1] is not None else 2
        row.append([(start + match.start(group), start + match.end(group))])
        if match.end() == end - start and not match.group().endswith(","):
            break
    return row
