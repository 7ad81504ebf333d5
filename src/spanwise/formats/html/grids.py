"""Tables of HTML as rows of cells, what spans several rows or columns standing in the first."""

from collections.abc import Iterator
from typing import Final

from spanwise.errors import LimitExceeded
from spanwise.formats.html.nodes import HTML, Element
from spanwise.formats.html.visible import elements, heading_level
from spanwise.formats.writer import Run

Cell = list[Run]
MAX_SPAN: Final = 1000
"""What the HTML standard allows for `colspan`."""

_GROUPS: Final = ("thead", "tbody", "tfoot")


def is_layout(table: Element) -> bool:
    """Whether a table only arranges what is on the page."""
    if table.attrs.get("role", "").lower() in ("presentation", "none"):
        return True
    rows = list(rows_of(table))
    cells = [cell for row in rows for cell in cells_of(row)]
    if len(cells) == 1:
        return True
    if any(cell.name == "th" for cell in cells) or any(
        isinstance(child, Element) and child.name == "caption" for child in table.children
    ):
        return False
    if len(rows) <= 1:
        return True
    return any(
        element.name in ("table", "pre") or heading_level(element) for element in elements(table)
    )


def rows_of(table: Element) -> Iterator[Element]:
    """The rows of a table as they are shown: the head first, the foot last."""
    for group in _GROUPS:
        for child in table.children:
            if not isinstance(child, Element):
                continue
            if child.name == group:
                for row in child.children:
                    if isinstance(row, Element) and row.name == "tr":
                        yield row
            elif child.name == "tr" and group == "tbody":
                yield child


def cells_of(row: Element) -> Iterator[Element]:
    """The cells of a row."""
    for child in row.children:
        if isinstance(child, Element) and child.name in ("td", "th") and child.namespace == HTML:
            yield child


class Grid:
    """Rows of cells; columns and rows that are empty are left out at the end."""

    def __init__(self, max_cells: int) -> None:
        """Without rows."""
        self._rows: list[dict[int, Cell]] = []
        self._taken: dict[int, int] = {}
        """Columns that a cell above reaches into, and for how many rows yet."""
        self._max_cells = max_cells

    def row(self, cells: list[tuple[Cell, int, int]]) -> None:
        """Add a row: for each cell its runs, and how many columns and rows it spans."""
        row: dict[int, Cell] = {}
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
        if row:
            self._rows.append(row)

    def rows(self) -> list[list[Cell]]:
        """All rows, of the same number of cells. Raises LimitExceeded for `max_objects`."""
        columns = sorted({column for row in self._rows for column in row})
        cells = len(columns) * len(self._rows)
        if cells > self._max_cells:
            raise LimitExceeded("max_objects", self._max_cells, cells, "cells of a table")
        return [[row.get(column, []) for column in columns] for row in self._rows]


def span(cell: Element, name: str) -> int:
    """What `colspan` or `rowspan` says; 1 where it says nothing that counts."""
    said = cell.attrs.get(name, "").strip()
    if not said.isdecimal() or len(said) > 5:
        return 1
    value = int(said)
    if name == "rowspan" and value == 0:
        return 65534  # to the end of the table
    return min(max(1, value), MAX_SPAN if name == "colspan" else 65534)
