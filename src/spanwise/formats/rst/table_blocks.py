"""Tables of reStructuredText, drawn or as directives, into rows."""

from itertools import groupby

from spanwise.formats.grids import Grid
from spanwise.formats.rst.blocks import Blocks
from spanwise.formats.rst.inlines import inline
from spanwise.formats.rst.tables import (
    GRID_LINE,
    RULE,
    Row,
    csv_rows,
    grid_cells,
    list_rows,
    simple_rows,
)
from spanwise.formats.writer import Run


class Tables(Blocks):
    """Reads tables."""

    def _grid_table(self, at: int, end: int, indent: int) -> int:
        if not GRID_LINE.fullmatch(self._lines[at].text):
            return at
        after = at
        while after < end and self._lines[after].text[:1] in ("+", "|"):
            after += 1
        cells = grid_cells(self._source, self._lines[at:after])
        if cells is None:
            self._write_code(at, after, "")
            return after
        grid = Grid(self._max_cells)
        for _, row in groupby(sorted(cells), lambda one: one.row):
            grid.row([(self._cell(cell.spans), cell.columns, cell.rows) for cell in row])
        self._write_table(grid)
        return after

    def _simple_table(self, at: int, end: int, indent: int) -> int:
        lines = self._lines
        if not RULE.fullmatch(lines[at].text):
            return at
        rules: list[int] = []
        for number in range(at + 1, end):
            if lines[number].indent == indent and RULE.fullmatch(lines[number].text):
                rules.append(number)
                if len(rules) == 2:
                    break
        # The second rule is under the header, unless nothing but a blank line is after it.
        after = next(
            (one + 1 for one in rules if one + 1 >= end or not lines[one + 1].text), 0
        ) or (rules[-1] + 1 if rules else 0)
        rows = simple_rows(self._source, lines[at:after]) if after else None
        if rows is None:
            return at
        self._table_of(rows)
        return after

    def _cell(self, spans: list[tuple[int, int]]) -> list[Run]:
        runs: list[Run] = []
        for start, end in spans:
            if self._source[start:end].strip():
                if runs:
                    runs.append(Run(" "))
                text = self._source[start:end]
                start += len(text) - len(text.lstrip())
                end -= len(text) - len(text.rstrip())
                runs.extend(inline(self._names, start, end, plain=True))
        return runs

    def _list_table(self, content: int, end: int) -> None:
        self._table_of(list_rows(self._lines[content:end]))

    def _csv_table(self, at: int, content: int, end: int) -> None:
        options, lines = self._lines[at + 1 : content], self._lines[content:end]
        self._table_of(csv_rows(self._source, options, lines))

    def _table_of(self, rows: list[Row]) -> None:
        grid = Grid(self._max_cells)
        for row in rows:
            grid.row([(self._cell(spans), 1, 1) for spans in row])
        self._write_table(grid)

    def _write_table(self, grid: Grid) -> None:
        rows = grid.rows()
        if rows:
            self._begin_item()
            with self._writer.in_item():
                self._writer.table(rows)
