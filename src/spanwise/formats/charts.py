"""Charts of presentations: their title, and their data as a table."""

from collections.abc import Callable, Iterator
from typing import Final

from spanwise.formats.grids import Grid
from spanwise.formats.writer import Run, Writer
from spanwise.formats.xml import Element

_CATEGORIES: Final = ("c:cat", "c:xVal")
_VALUES: Final = ("c:val", "c:yVal")


def write_chart(
    root: Element, writer: Writer, line: Callable[[Element], list[Run]], max_cells: int
) -> None:
    """Write the title of a chart, and a row of values for each of its categories.

    `line` makes the runs of an `a:p` or `c:v`. Raises LimitExceeded for `max_objects`.
    """
    title = root.find("c:chart", "c:title")
    for element in title.walk() if title is not None else ():
        if element.name == "a:p":
            writer.paragraph(line(element))
    series = [element for element in root.walk() if element.name == "c:ser"]
    categories = next((found for one in series if (found := _points(one, _CATEGORIES))), {})
    columns = [categories, *(_points(one, _VALUES) for one in series)]
    grid = Grid(max_cells)
    names = [next(_of(one, "c:tx", "c:v"), None) for one in series]
    grid.row([([], 1, 1), *((line(name) if name is not None else [], 1, 1) for name in names)])
    for at in sorted({at for column in columns for at in column}):
        cells = [line(column[at]) if at in column else [] for column in columns]
        grid.row([(cell, 1, 1) for cell in cells])
    rows = grid.rows()
    if rows:
        writer.table(rows)


def _points(series: Element, names: tuple[str, ...]) -> dict[int, Element]:
    """The values of the points in elements of these names, by their places."""
    points = {}
    for name in names:
        for point in _of(series, name, "c:pt"):
            at = point.get("idx")
            value = point.first("c:v")
            if value is not None and at.isdecimal() and len(at) < 8:
                points[int(at)] = value
    return points


def _of(parent: Element, name: str, wanted: str) -> Iterator[Element]:
    """The elements of a name in the children of another one."""
    for child in parent.children:
        if child.name == name:
            for element in child.walk():
                if element.name == wanted:
                    yield element
