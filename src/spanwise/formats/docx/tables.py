"""Tables of Word: which hold data, their rows and cells."""

from collections.abc import Callable, Iterator

from spanwise.formats.docx.styles import number
from spanwise.formats.grids import MAX_CELL, MAX_UNDER_HEADING
from spanwise.formats.xml import Element

_MAX_SPAN = 1000


def rows_of(table: Element) -> list[Element]:
    """The rows of a table that are not deleted."""
    return [row for row in _parts(table, "w:tr") if not is_deleted(row)]


def cells_of(row: Element) -> list[Element]:
    """The cells of a row."""
    return list(_parts(row, "w:tc"))


def is_deleted(row: Element) -> bool:
    """Whether a change that is tracked takes the row away."""
    return row.find("w:trPr", "w:del") is not None


def gap(row: Element) -> int:
    """The number of columns that a row leaves empty before its first cell."""
    before = row.find("w:trPr", "w:gridBefore")
    return min(number(before), _MAX_SPAN) if before is not None else 0


def columns_of(cell: Element) -> int:
    """How many columns a cell takes."""
    span = cell.find("w:tcPr", "w:gridSpan")
    return min(max(1, number(span)), _MAX_SPAN) if span is not None else 1


def is_continued(cell: Element) -> bool:
    """Whether a cell belongs to the one above or before, what is in it being unseen."""
    properties = cell.first("w:tcPr")
    for name in ("w:vMerge", "w:hMerge"):
        merge = properties.first(name) if properties is not None else None
        if merge is not None and merge.get("w:val") != "restart":
            return True
    return False


def is_layout(cells: list[list[Element]], is_heading: Callable[[Element], bool]) -> bool:
    """Whether a table only arranges what is on the page; `cells` are those of each row."""
    filled = [[cell for cell in row if _is_filled(cell)] for row in cells]
    if sum(map(len, cells)) == 1:
        return True
    is_column = all(len(row) <= 1 for row in filled)
    is_alone = sum(map(len, filled)) == 1
    for row in filled:
        for cell in row:
            size = _size(cell)
            headings = [
                _size(part) for part in cell.walk() if part.name == "w:p" and is_heading(part)
            ]
            if 0 < sum(headings) < size - MAX_UNDER_HEADING:
                return True  # a section
            if is_alone and (headings or size > MAX_UNDER_HEADING):
                return True
            if is_column and sum(headings) == size:
                return True  # what is below it is one
            if size > MAX_CELL and (
                is_column or headings or any(part.name == "w:tbl" for part in cell.walk())
            ):
                return True
    return False


def _is_filled(cell: Element) -> bool:
    """Whether there is more than white space in a cell."""
    return any(part.name == "w:t" and part.text.strip() for part in cell.walk())


def _size(element: Element) -> int:
    """How many characters of text are in an element."""
    return sum(len(part.text) for part in element.walk() if part.name == "w:t")


def _parts(parent: Element, name: str) -> Iterator[Element]:
    """The rows of a table or cells of a row, also those in content controls and the like."""
    for child in parent.children:
        if child.name == name:
            yield child
        elif child.name.startswith("w:") and child.name not in ("w:tr", "w:tc", "w:p", "w:tbl"):
            yield from _parts(child, name)
