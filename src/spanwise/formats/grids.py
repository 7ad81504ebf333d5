"""Tables as rows of cells; what spans several rows or columns stands in the first of them."""

from typing import Final

from spanwise.errors import LimitExceeded
from spanwise.formats.writer import Run

Cell = list[Run]
MAX_CELL: Final = 400
"""Characters of a cell with blocks in it that is still one of data, not of a layout."""
MAX_UNDER_HEADING: Final = 100
"""Characters that a cell of data has besides a heading that it begins with."""


class Grid:
    """Rows of cells; columns and rows that are empty are left out at the end."""

    def __init__(self, max_cells: int) -> None:
        """Without rows."""
        self._rows: list[dict[int, Cell]] = []
        self._taken: dict[int, int] = {}
        """Columns that a cell above reaches into, and for how many rows yet."""
        self._max_cells = max_cells
        self._slots = 0
        self._held: dict[int, Cell] = {}
        """Cells of rows that have no line of their own, as all their cells reach further down."""

    def row(self, cells: list[tuple[Cell, int, int]]) -> None:
        """Add a row: for each cell its runs, and how many columns and rows it spans.

        Raises LimitExceeded for `max_objects` when the cells and those they reach into are more.
        """
        self._slots += len(self._taken) + sum(columns for _, columns, _ in cells)
        if self._slots > self._max_cells:
            raise LimitExceeded("max_objects", self._max_cells, self._slots, "cells of a table")
        row = self._held
        self._held = {}
        taken = {column: rows for column, rows in self._taken.items() if rows > 0}
        column = 0
        for runs, columns, rows in cells:
            while column in taken:
                column += 1
            if any(run.text.strip() for run in runs):
                row[column] = runs
            for spanned in range(column, column + columns):
                taken[spanned] = max(rows, taken.get(spanned, 0))
            column += columns
        self._taken = {column: rows - 1 for column, rows in taken.items()}
        if cells and all(rows > 1 for _, _, rows in cells):
            self._held = row
        elif row:
            self._rows.append(row)

    def rows(self) -> list[list[Cell]]:
        """All rows, of the same number of cells. Raises LimitExceeded as `row` does."""
        if self._held:
            self._rows.append(self._held)
            self._held = {}
        columns = sorted({column for row in self._rows for column in row})
        cells = len(columns) * len(self._rows)
        if cells > self._max_cells:
            raise LimitExceeded("max_objects", self._max_cells, cells, "cells of a table")
        return [[row.get(column, []) for column in columns] for row in self._rows]
