"""Tables of HTML: which hold data, their rows and cells."""

from collections.abc import Callable, Iterator
from typing import Final

from spanwise.formats.grids import MAX_CELL, MAX_UNDER_HEADING
from spanwise.formats.html.nodes import HTML, Element
from spanwise.formats.html.visible import elements, heading_level

MAX_SPAN: Final = 1000
"""What the HTML standard allows for `colspan`."""

_WORDS: Final = frozenset(
    "abbr b bdi bdo br cite code data del dfn em i ins kbd mark q s samp small span strong sub sup "
    "time tt u var wbr".split()
)
"""Elements in the cells of a row of data; where there are others, they may be a menu or a frame."""
_GROUPS: Final = ("thead", "tbody", "tfoot")


def is_layout(table: Element, size: Callable[[Element], int]) -> bool:
    """Whether a table only arranges what is on the page; `size` tells the characters in a cell."""
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
        return not _is_record(cells, size)
    headings = [element for element in elements(table) if heading_level(element)]
    if any(_is_followed(heading, size) for heading in headings):
        return True
    holds_blocks = headings or any(element.name in ("table", "pre") for element in elements(table))
    return bool(holds_blocks) and any(size(cell) > MAX_CELL for cell in cells)


def _is_record(cells: list[Element], size: Callable[[Element], int]) -> bool:
    """Whether the cells of the only row are data: of words alone, in more than one of them."""
    if sum(0 < size(cell) <= MAX_CELL for cell in cells) < 2:
        return False
    return all(
        size(cell) <= MAX_CELL and all(one.name in _WORDS for one in elements(cell))
        for cell in cells
    )


def _is_followed(heading: Element, size: Callable[[Element], int]) -> bool:
    """Whether there is prose in the cell of a heading: it is that of a section."""
    own = size(heading)
    cell = heading.parent
    while isinstance(cell, Element) and cell.name != "td":
        cell = cell.parent
    return own > 0 and isinstance(cell, Element) and size(cell) - own > MAX_UNDER_HEADING


def is_divider(cells: list[Element], size: Callable[[Element], int]) -> bool:
    """Whether a row has nothing but a heading, across the columns of the rows below it."""
    if len(cells) != 1 or span(cells[0], "colspan") < 2:
        return False
    headings = [element for element in elements(cells[0]) if heading_level(element)]
    return len(headings) == 1 and 0 < size(headings[0]) == size(cells[0])


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


def span(cell: Element, name: str) -> int:
    """What `colspan` or `rowspan` says; 1 where it says nothing that counts."""
    said = cell.attrs.get(name, "").strip()
    if not said.isdecimal() or len(said) > 5:
        return 1
    value = int(said)
    if name == "rowspan" and value == 0:
        return 65534  # to the end of the table
    return min(max(1, value), MAX_SPAN if name == "colspan" else 65534)
