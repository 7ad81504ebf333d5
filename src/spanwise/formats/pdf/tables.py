"""Tables: cells between rules, or cells that line up.

A table is rows of cells, a cell the pieces of lines in it. Where a cell spans several columns or
rows its text stands in the first of them.
"""

import statistics
from bisect import bisect_left
from collections.abc import Sequence
from typing import Final, NamedTuple

from spanwise.formats.pdf.bands import are_columns, are_lists, parted_columns, rows_of_band
from spanwise.formats.pdf.characters import PageText
from spanwise.formats.pdf.graphics import Graphics, Rule
from spanwise.formats.pdf.lines import Line, split_line
from spanwise.formats.pdf.page import Box
from spanwise.formats.pdf.pdfium import LazyPage
from spanwise.formats.pdf.table_lines import Cell, Row

TOUCH: Final = 3.0
"""Points that rules of one table may miss each other by."""
BANDS: Final = 4
"""Bands between rules of a grid that has a rule between most of its rows."""
MOST_RULES: Final = 2000
LAYOUT: Final = 600
"""Letters of a cell that is rather a column of text."""


class Table(NamedTuple):
    """What is in a table, and the lines of the page that it was made of."""

    rows: list[Row]
    used: list[Line]
    areas: Sequence[list[Line]] = ()
    """Where there are no rows: what is in each cell of a grid that text is laid out in."""


def ruled_tables(
    page: LazyPage, text: PageText, lines: Sequence[Line], graphics: Graphics
) -> list[Table]:
    """The tables between rules of a page; one without rows is a grid that text is laid out in."""
    found: list[Table] = []
    free = [line for line in lines if not line.turned]
    for grid in grids_of(graphics):
        table = _ruled(page, text, free, grid)
        if table is not None:
            found.append(table)
            used = set(map(id, table.used))
            free = [line for line in free if id(line) not in used]
    return found


def tagged_tables(lines: Sequence[Line], columns: dict[int, int]) -> list[Table]:
    """The tables of a page that are tagged; `columns` says how many columns each has."""
    found: list[Table] = []
    for number, count in columns.items():
        used = [line for line in lines if line.runs[0].tag.table == number]
        rows: dict[int, Row] = {}
        for line in used:
            tag = line.runs[0].tag
            if tag.column >= 0:
                row = rows.setdefault(tag.row, [[] for _ in range(count)])
                row[tag.column].append(line)
        if count < 2 or len(rows) < 2 or any(line.runs[0].tag.column < 0 for line in used):
            continue
        sizes = [sum(len(line.text) for line in cell) for row in rows.values() for cell in row]
        if max(sizes) <= LAYOUT:
            found.append(Table([rows[row] for row in sorted(rows)], used))
    return found


# -- rules ---------------------------------------------------------------------------------------


class Grid(NamedTuple):
    """The rules of one table."""

    across: list[Rule]
    down: list[Rule]
    xs: list[float]
    ys: list[float]


def grids_of(graphics: Graphics) -> list[Grid]:
    """Rules that touch each other, as far as they make columns."""
    across = list(graphics.across)
    down = list(graphics.down)
    for left, top, right, bottom in graphics.boxes:
        across += [Rule(top, left, right), Rule(bottom, left, right)]
        down += [Rule(left, top, bottom), Rule(right, top, bottom)]
    across = merged_rules(across)
    down = merged_rules(down)
    if len(across) < 2 or not down or len(across) + len(down) > MOST_RULES:
        return []
    home = list(range(len(across) + len(down)))

    def root(at: int) -> int:
        while home[at] != at:
            home[at] = home[home[at]]
            at = home[at]
        return at

    for i, one in enumerate(across):
        for j, two in enumerate(down):
            if (
                one.start - TOUCH <= two.at <= one.end + TOUCH
                and two.start - TOUCH <= one.at <= two.end + TOUCH
            ):
                home[root(i)] = root(len(across) + j)
    groups: dict[int, tuple[list[Rule], list[Rule]]] = {}
    for at in range(len(home)):
        rules = groups.setdefault(root(at), ([], []))
        if at < len(across):
            rules[0].append(across[at])
        else:
            rules[1].append(down[at - len(across)])
    found = []
    for one_way, other_way in groups.values():
        if len(one_way) < 2 or not other_way:
            continue
        # Where a table ends without a rule, as at the end of a page, those it has tell.
        top, bottom = min(rule.start for rule in other_way), max(rule.end for rule in other_way)
        left, right = min(rule.start for rule in one_way), max(rule.end for rule in one_way)
        xs = _places([rule.at for rule in other_way] + [left, right])
        one_way = one_way + _under_groups(one_way, other_way, xs)
        ys = _places([rule.at for rule in one_way] + [top, bottom])
        if len(ys) >= 3 and len(xs) >= 3:
            found.append(Grid(one_way, other_way, xs, ys))
    return sorted(found, key=lambda grid: (grid.ys[0], grid.xs[0]))


def _under_groups(across: Sequence[Rule], down: Sequence[Rule], xs: Sequence[float]) -> list[Rule]:
    """The edges below heads over several columns, where only the rules between those begin."""
    heights = sorted(rule.at for rule in across)
    starts: dict[int, list[Rule]] = {}
    for rule in down:
        at = bisect_left(heights, rule.start)
        if 0 < at < len(heights) and (
            min(rule.start - heights[at - 1], heights[at] - rule.start) > 2 * TOUCH
        ):
            starts.setdefault(round(rule.start / TOUCH), []).append(rule)
    found: list[Rule] = []
    for rules in starts.values():
        if len(rules) > 1:
            first, last = min(rule.at for rule in rules), max(rule.at for rule in rules)
            left = max((x for x in xs if x < first - TOUCH), default=first)
            right = min((x for x in xs if x > last + TOUCH), default=last)
            found.append(Rule(rules[0].start, left, right))
    return found


def merged_rules(rules: Sequence[Rule], apart: float = TOUCH) -> list[Rule]:
    """Rules along one line that are not more than some points apart, made one."""
    found: list[Rule] = []
    for rule in sorted(rules, key=lambda rule: (round(rule.at), rule.start)):
        at = len(found) - 1
        while at >= max(0, len(found) - 40) and not (
            abs(rule.at - found[at].at) < 1.5
            and rule.start <= found[at].end + apart
            and found[at].start <= rule.end + apart
        ):
            at -= 1
        if at >= max(0, len(found) - 40):
            last = found[at]
            found[at] = Rule(last.at, min(last.start, rule.start), max(last.end, rule.end))
        else:
            found.append(rule)
    return found


def _places(values: list[float]) -> list[float]:
    """The distinct values, those near each other made one."""
    found: list[float] = []
    for value in sorted(values):
        if not found or value - found[-1] > TOUCH + 1:
            found.append(value)
    return found


def _ruled(page: LazyPage, text: PageText, lines: Sequence[Line], grid: Grid) -> Table | None:
    """The table between the rules of a grid; None where there is none."""
    xs, ys = grid.xs, grid.ys
    outer = (xs[0] - TOUCH, ys[0] - TOUCH, xs[-1] + TOUCH, ys[-1] + TOUCH)
    used = [line for line in lines if _within(line, outer)]
    if len(used) < 2:
        return None
    cells: list[list[Cell]] = [[[] for _ in range(len(xs) - 1)] for _ in range(len(ys) - 1)]
    home_of: dict[int, int] = {}
    for line in used:
        row = _band(ys, (line.top + line.bottom) / 2)
        for piece in _between(page, text, line, grid, ys[row], ys[row + 1]):
            # Text may stand out over the rule at its left.
            column = _band(xs, piece.left + 0.5 * min(piece.size, piece.right - piece.left))
            home = _origin(grid, row, column)
            cells[home[0]][home[1]].append(piece)
            home_of[id(line)] = home[0]
    if any(are_lists(band) for band in cells):
        return _layout(cells, used, 0)
    sizes = [sum(len(line.text) for line in cell) for band in cells for cell in band if cell]
    if (
        max(sizes, default=0) > LAYOUT
        and statistics.mean(sizes) > LAYOUT / 3
        and any(are_columns(band) for band in cells)
    ):
        return _layout(cells, used, LAYOUT / 3)
    first, last = _without_titles(grid, cells)
    used = [line for line in used if first <= home_of[id(line)] < last]
    has_bands = sum(any(band) for band in cells) >= BANDS
    rows: list[Row] = []
    for at in range(first, last):
        band = cells[at]
        if any(band):
            rows.extend(rows_of_band(band, _edges(grid, at), not rows, has_bands))
    rows = parted_columns(page, text, rows)
    columns = [at for at in range(len(rows[0]) if rows else 0) if any(row[at] for row in rows)]
    if len(columns) < 2 or len(rows) < 2:
        return None
    if sum(bool(cell) for row in rows for cell in row) < 0.3 * len(rows) * len(columns):
        return None
    return Table([[row[at] for at in columns] for row in rows], used)


def _without_titles(grid: Grid, cells: Sequence[Row]) -> tuple[int, int]:
    """The first band of a table and the one after its last: titles and notes have one wide cell."""
    first, last = 0, len(cells)
    while first < last and _is_wide(grid, cells, first):
        first += 1
    while first < last and _is_wide(grid, cells, last - 1):
        last -= 1
    return first, last


def _is_wide(grid: Grid, cells: Sequence[Row], at: int) -> bool:
    """Whether a band has one cell, over all columns, or nothing."""
    if any(cells[at][1:]):
        return False
    middle = (grid.ys[at] + grid.ys[at + 1]) / 2
    return not any(_ruled_at(grid.down, x, middle) for x in grid.xs[1:-1])


def _edges(grid: Grid, row: int) -> list[tuple[float, float]]:
    """For each column the edges of the cell that begins in it, in a row of a grid."""
    xs = grid.xs
    middle = (grid.ys[row] + grid.ys[row + 1]) / 2
    found: list[tuple[float, float]] = []
    for at in range(len(xs) - 1):
        end = at + 1
        while end < len(xs) - 1 and not _ruled_at(grid.down, xs[end], middle):
            end += 1
        found.append((xs[at], xs[end]))
    return found


def _layout(cells: list[list[Cell]], used: list[Line], least: float) -> Table | None:
    """A grid that text is laid out in, in columns; None for a frame around one text.

    A column holds more than `least` letters.
    """
    large = [sum(sum(len(line.text) for line in cell) > least for cell in band) for band in cells]
    if max(large) < 2:
        return None
    whole = set(map(id, used))
    areas = [[line for line in cell if id(line) in whole] for band in cells for cell in band]
    return Table([], used, [area for area in areas if area])


def _within(line: Line, box: Box) -> bool:
    across, down = (line.left + line.right) / 2, (line.top + line.bottom) / 2
    return box[0] <= across <= box[2] and box[1] <= down <= box[3]


def _band(places: list[float], value: float) -> int:
    """Between which of the places a value lies."""
    for at in range(len(places) - 2, 0, -1):
        if value >= places[at]:
            return at
    return 0


def _between(
    page: LazyPage, text: PageText, line: Line, grid: Grid, top: float, bottom: float
) -> list[Line]:
    """A line, cut where rules cross it."""
    middle = (line.top + line.bottom) / 2
    cuts = [
        rule.at
        for rule in grid.down
        if line.left + 1 < rule.at < line.right - 1
        and rule.start - TOUCH <= middle <= rule.end + TOUCH
    ]
    return split_line(page, text, line, sorted(cuts)) if cuts else [line]


def _origin(grid: Grid, row: int, column: int) -> tuple[int, int]:
    """The first cell of those that the cell at a place is one with."""
    xs, ys = grid.xs, grid.ys
    while column > 0:
        middle = (ys[row] + ys[row + 1]) / 2
        if _ruled_at(grid.down, xs[column], middle):
            break
        column -= 1
    while row > 0:
        middle = (xs[column] + xs[column + 1]) / 2
        if _ruled_at(grid.across, ys[row], middle):
            break
        row -= 1
    return row, column


def _ruled_at(rules: Sequence[Rule], at: float, middle: float) -> bool:
    return any(
        abs(rule.at - at) <= TOUCH + 1 and rule.start - 1 <= middle <= rule.end + 1
        for rule in rules
    )
