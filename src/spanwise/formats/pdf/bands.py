"""Rows and columns that no rule parts, in a table that is drawn with rules."""

import itertools
from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from spanwise.formats.pdf.characters import PageText
from spanwise.formats.pdf.lines import Line, split_line, words_of
from spanwise.formats.pdf.pdfium import LazyPage
from spanwise.formats.pdf.stacking import is_even, stacked_rows
from spanwise.formats.pdf.table_lines import (
    CLOSE,
    Cell,
    Row,
    columns_of,
    gaps_in,
    is_number,
    is_running,
    rows_of,
)

SAME: Final = 3.0
"""Points that the base lines of one row are apart at most."""
PADDING: Final = 3.0
"""Points that are left free at the sides of a cell, at least."""
MOST_WITH_GAPS: Final = 0.8
"""The share of the cells of a column that have a gap if it is one between columns."""
LEAST: Final = 4
"""Rows that numbers in several columns tell, at least."""
FULL: Final = 0.6
"""The share of the rows that each such column has a number in."""
MOST_AMOUNTS: Final = 0.8
"""The share of the lines of a column of numbers that are some."""
HEAD: Final = 3
"""Lines that a head has at most."""


def rows_of_band(
    band: Row, edges: Sequence[tuple[float, float]], is_first: bool, has_bands: bool
) -> list[Row]:
    """The rows between two rules: several where the lines of its cells begin anew side by side.

    `edges` are the sides of each cell; `has_bands` says that rules part other rows, too. What
    stands beside several rows and level with none of them is over all, and in the first.
    """
    filled = [at for at, cell in enumerate(band) if cell]
    bases = {at: _bases(band[at]) for at in filled}
    most = max(map(len, bases.values()))
    several = [at for at in filled if len(bases[at]) > 1]
    if len(several) == 1 and len(filled) > 1:
        lines = band[several[0]]
        if not all(is_number(line.text) for line in lines):
            return [band]
    elif len(several) < 2 or (len(filled) < 3 and most < 4 and not _are_counted(band, bases)):
        return [band]
    counted = _counted_starts(band, bases)
    if counted:
        return _at_starts(band, counted)
    if is_first and most <= HEAD and _is_head(band, several, most, bases):
        return [band]
    if not has_bands and (most > 2 or not is_first):
        stacked = stacked_rows(band)
        if stacked is not None and is_even(stacked):
            return stacked
    levels = sorted({base for at in several for base in bases[at]})
    even = len(filled) > 2 and all(
        len(bases[at]) == most and all(_level(bases[at], base) >= 0 for base in bases[filled[0]])
        for at in filled
    )
    alike = all(len(bases[at]) == len(levels) for at in several)
    # A column of numbers alone: they do not wrap.
    guided = any(
        len(bases[at]) == len(levels) and all(is_number(line.text) for line in band[at])
        for at in several
    )
    enough = 0.6 * len(several) if not guided else 0
    starts = [levels[0] - SAME]
    last = levels[0]
    for base in levels[1:]:
        begun = [at for at in several if _level(bases[at], base) >= 0]
        if base <= last + SAME or len(begun) < max(1 if guided else 2, enough):
            continue
        signs = [_begins(band[at], base, edges[at][1] - edges[at][0], even) for at in begun]
        if min(signs) >= 0 and (guided or sum(signs) >= max(1 if alike else 2, 0.5 * len(signs))):
            starts.append(base - SAME)
            last = base
    if len(starts) == 1:
        return [band]
    rows: list[Row] = [[[] for _ in band] for _ in starts]
    for at in filled:
        lone = len(bases[at]) == 1 and _level(starts, bases[at][0] - SAME) < 0
        for line in band[at]:
            row = 0 if lone else max(0, sum(start <= line.base for start in starts) - 1)
            rows[row][at].append(line)
    return rows


def _counted_starts(band: Row, bases: dict[int, list[float]]) -> list[float]:
    """Where rows start whose numbers, in several columns, are level; none where that is not so.

    A label of several lines has its numbers at its last line if that goes on from those before.
    """
    numbers = [at for at in bases if len(bases[at]) > 1 and _holds_amounts(band[at])]
    if len(numbers) < 2:
        return []
    levels: list[float] = []
    for base in sorted(base for at in numbers for base in bases[at]):
        if not levels or base - levels[-1] > SAME:
            levels.append(base)
    if len(levels) < LEAST or any(len(bases[at]) < FULL * len(levels) for at in numbers):
        return []
    starts = list(levels)
    for at in bases:
        if at in numbers:
            continue
        last: Line | None = None
        begun = -1e9
        for line in sorted(band[at], key=lambda line: (line.base, line.left)):
            place = _level(levels, line.base)
            goes_on = last is not None and line.text[:1].islower()
            if not goes_on:
                begun = line.base
            if place >= 0:
                if place == 0 or begun > levels[place - 1] + SAME:
                    starts[place] = min(starts[place], begun)
                last = None
            else:
                last = line
    return [start - SAME for start in starts]


def _holds_amounts(cell: Cell) -> bool:
    """Whether lines are numbers, but for a few signs for what is not known, as `(X)`."""
    count = sum(is_number(line.text) for line in cell)
    return count >= MOST_AMOUNTS * len(cell) and all(
        is_number(line.text) or (len(line.text) < 5 and not line.text.islower()) for line in cell
    )


def _at_starts(band: Row, starts: Sequence[float]) -> list[Row]:
    """The rows of a band that start at some heights."""
    rows: list[Row] = [[[] for _ in band] for _ in starts]
    for at, cell in enumerate(band):
        for line in cell:
            rows[max(0, bisect_right(starts, line.base) - 1)][at].append(line)
    return rows


def _are_counted(band: Row, bases: dict[int, list[float]]) -> bool:
    """Whether a column of numbers has one beside each line of the others."""
    first = next(iter(bases.values()))
    return all(
        len(found) == len(first) and all(_level(found, base) >= 0 for base in first)
        for found in bases.values()
    ) and any(all(is_number(line.text) for line in band[at]) for at in bases)


def are_columns(band: Row) -> bool:
    """Whether cells are columns of running text, or one frame around it, rather than of a table."""
    filled = [cell for cell in band if cell]
    return len(filled) == 1 or any(is_running(cell) for cell in filled)


def are_lists(band: Row) -> bool:
    """Whether several cells are tables of their own: with titles above some of their rows."""
    mixed = 0
    for cell in band:
        bases = _bases(cell)
        beside = len(cell) - len(bases)
        mixed += len(bases) > 2 * HEAD and 0.2 * len(bases) < beside < 0.9 * len(bases)
    return mixed > 1


def parted_columns(page: LazyPage, text: PageText, rows: list[Row]) -> list[Row]:
    """The rows with each column made several where gaps in its cells line up."""
    at = 0
    while rows and at < len(rows[0]):
        cuts = _gaps_of(page, text, [row[at] for row in rows if row[at]])
        if cuts:
            rows = [
                [*row[:at], *_parted(page, text, row[at], cuts), *row[at + 1 :]] for row in rows
            ]
        at += 1 + len(cuts)
    return rows


def _gaps_of(page: LazyPage, text: PageText, cells: Sequence[Cell]) -> list[float]:
    """The middles of the gaps that all cells of a column have."""
    least = max(3, MOST_WITH_GAPS * len(cells))
    parts: list[list[tuple[float, float]]] = []
    without = 0
    for cell in cells:
        found = [_stretches(page, text, row) for row in rows_of(cell)]
        if any(len(stretches) < 2 for stretches in found):
            without += 1
            if len(cells) - without < least:
                return []
        else:
            parts.extend(found)
    if len(parts) < least:
        return []
    columns = columns_of(parts, cells[0][0].size, len(parts))
    return [(one[1] + two[0]) / 2 for one, two in itertools.pairwise(columns)]


def _stretches(page: LazyPage, text: PageText, row: Sequence[Line]) -> list[tuple[float, float]]:
    """What a row holds between gaps."""
    if len(row) == 1 and " " not in row[0].text:
        return [(row[0].left, row[0].right)]
    gaps = gaps_in(page, text, row, CLOSE)
    edges = [row[0].left, *(edge for gap in gaps for edge in gap), max(line.right for line in row)]
    return list(zip(edges[::2], edges[1::2], strict=True))


def _parted(page: LazyPage, text: PageText, cell: Cell, cuts: Sequence[float]) -> list[Cell]:
    """The lines of a cell in its columns; what has no gap is in the first it reaches into."""
    found: list[Cell] = [[] for _ in range(len(cuts) + 1)]
    for line in cell:
        words = words_of(page, text, line)
        clean = [
            cut
            for cut in cuts
            if line.left < cut < line.right and not any(low < cut < high for low, high in words)
        ]
        for piece in split_line(page, text, line, clean) if clean else [line]:
            found[sum(cut <= piece.left for cut in cuts)].append(piece)
    return found


def _bases(cell: Cell) -> list[float]:
    """Where the lines of a cell stand, from the top."""
    found: list[float] = []
    for base in sorted(line.base for line in cell):
        if not found or base - found[-1] > SAME:
            found.append(base)
    return found


def _level(bases: Sequence[float], base: float) -> int:
    """Which of some base lines is at a height; -1 for none."""
    for at, one in enumerate(bases):
        if abs(one - base) <= SAME:
            return at
    return -1


def _is_head(band: Row, several: Sequence[int], most: int, bases: dict[int, list[float]]) -> bool:
    """Whether the first rows are a head of several lines: cells of as many as they need."""
    lines = [line for cell in band for line in cell]
    if 2 * sum(is_number(line.text) for line in lines) > len(lines):
        return False
    return any(len(found) != most for found in bases.values()) or all(
        line.style.bold for line in lines
    )


def _begins(cell: Cell, base: float, width: float, even: bool) -> int:
    """Whether the line of a cell at a height begins anew: 1 if so, -1 if not, 0 if it may be.

    `even` says that all cells have the same lines: chance does not wrap them so.
    """
    before = [line for line in cell if line.base < base - SAME]
    here = [line for line in cell if abs(line.base - base) <= SAME]
    if not before or not here:
        return 1
    last = max(before, key=lambda line: (line.base, line.right))
    line = min(here, key=lambda line: line.left)
    if last.text.endswith((",", "-", "(", "±")):
        return -1
    if is_number(line.text):
        return 1
    if line.text[0].islower():
        return -1
    if even:
        return 1
    # Lines of East Asian text end between any two letters.
    first = line.text[:1] if line.text[0] > "\u2e80" else line.text.split(" ", 1)[0]
    needed = (len(first) + 1) * (line.right - line.left) / len(line.text)
    return int(width - 2 * PADDING - (last.right - last.left) > needed + 0.5 * line.size)
