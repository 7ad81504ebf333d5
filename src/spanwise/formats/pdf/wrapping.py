"""The rows of a table out of rows of lines: those that only go on are one with the row before."""

import itertools
import statistics
from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from spanwise.formats.pdf.bands import PADDING, rows_of_band
from spanwise.formats.pdf.graphics import Rule
from spanwise.formats.pdf.table_lines import Row, has_room, is_number

LEAST_ROWS: Final = 3


def merged_columns(rows: list[Row]) -> list[Row]:
    """The rows with neighbouring columns made one where only a row or two have one of them alone.

    A heading in the middle of a wide column stands beside the cells below it.
    """
    at = 0
    while at + 1 < len(rows[0]):
        counts = [sum(bool(row[column]) for row in rows) for column in (at, at + 1)]
        if any(row[at] and row[at + 1] for row in rows) or min(counts) > max(1, len(rows) // 8):
            at += 1
        else:
            rows = [[*row[:at], row[at] + row[at + 1], *row[at + 2 :]] for row in rows]
    return rows


def joined_rows(rows: list[Row], rules: Sequence[Rule], short: Sequence[Rule]) -> list[Row]:
    """The rows with those that only go on made one with the row before.

    `rules` are as wide as the table; `short` ones are over some of its columns.
    """
    keyed = sum(bool(row[0]) for row in rows)
    has_keys = keyed >= 0.6 * len(rows) or 2 * keyed >= len(rows)
    steps = [_base(two) - _base(one) for one, two in itertools.pairwise(rows)]
    tight = min(steps, default=0.0)
    usual = statistics.median(steps) if steps else 0.0
    bimodal = usual > 1.18 * tight and sum(step > 1.18 * tight for step in steps) >= 0.3 * len(
        steps
    )
    ruled = len(rules) > 0.6 * len(rows) and len(rules) > 3
    edges = [
        max((line.right for row in rows for line in row[at]), default=0.0)
        for at in range(len(rows[0]))
    ]
    parting = [*rules, *short]
    if _are_bands(rows, rules):
        return _by_bands(rows, parting)
    found: list[Row] = []
    for at, row in enumerate(rows):
        if found:
            step = steps[at - 1]
            parted = any(
                _base(rows[at - 1]) < rule.at < _base(row) - 0.3 * _size(row) for rule in parting
            )
            goes_on = not row[0] and has_keys and step < 1.6 * _size(row)
            if (
                not row[0]
                and step < 1.6 * _size(row)
                and (_is_wrapped(found[-1], row, edges) or _is_rest(found[-1], row))
            ):
                goes_on = True
            if not row[0] and has_keys and _hangs(found[-1], row, step, steps[at:]):
                goes_on = True
            if bimodal and step <= 1.1 * tight and step < 1.35 * _size(row):
                goes_on = True
            if ruled and not parted and step < 1.6 * _size(row):
                goes_on = True
            if (
                goes_on
                and not parted
                and sum(map(bool, row)) < max(2, len(row)) + (bimodal or ruled)
            ):
                for mine, more in zip(found[-1], row, strict=True):
                    mine.extend(more)
                continue
        found.append([list(cell) for cell in row])
    return found


def _bands(rows: Sequence[Row], rules: Sequence[Rule]) -> list[list[Row]]:
    """The rows between one rule and the next."""
    heights = sorted(rule.at for rule in rules)
    found: dict[int, list[Row]] = {}
    for row in rows:
        middle = _base(row) - 0.3 * _size(row)
        found.setdefault(bisect_left(heights, middle), []).append(row)
    return [found[at] for at in sorted(found)]


def _are_bands(rows: Sequence[Row], rules: Sequence[Rule]) -> bool:
    """Whether what stands between two rules is one row of cells, some of several lines."""
    bands = _bands(rows, rules)
    if len(bands) < LEAST_ROWS or len(bands) == len(rows):
        return False
    single = 0
    for band in bands:
        counts = [sum(bool(row[at]) for row in band) for at in range(len(band[0]))]
        single += len(band) == 1 or (min(filter(None, counts)) == 1 and sum(map(bool, counts)) > 1)
    return single >= 0.7 * len(bands)


def _by_bands(rows: Sequence[Row], rules: Sequence[Rule]) -> list[Row]:
    """A row for what stands between two rules, or several where cells begin anew."""
    count = len(rows[0])
    edges = [
        (
            min((line.left for row in rows for line in row[at]), default=0.0) - PADDING,
            max((line.right for row in rows for line in row[at]), default=0.0) + PADDING,
        )
        for at in range(count)
    ]
    found: list[Row] = []
    for band in _bands(rows, rules):
        whole = [[line for row in band for line in row[at]] for at in range(count)]
        found += rows_of_band(whole, edges, not found, True)
    return found


def _is_rest(row: Row, after: Row) -> bool:
    """Whether a row of one cell is a second line of the cell above it."""
    filled = [at for at, cell in enumerate(after) if cell]
    return len(after) > 2 and len(filled) == 1 and bool(row[filled[0]])


def _hangs(row: Row, after: Row, step: float, below: Sequence[float]) -> bool:
    """Whether a row of one cell is a remark to the cell above it, nearer to it than what follows.

    `below` are the steps from the row on.
    """
    filled = [at for at, cell in enumerate(after) if cell]
    if len(filled) != 1 or not row[filled[0]] or sum(map(bool, row)) < 3:
        return False
    above, line = row[filled[0]][-1], after[filled[0]][0]
    return (
        step < 2.2 * line.size
        and abs(above.left - line.left) < line.size
        and line.size < above.size + 0.1
        and (not below or below[0] > 1.15 * step)
    )


def _is_wrapped(row: Row, after: Row, edges: Sequence[float]) -> bool:
    """Whether all cells of a row go on with those above, whose last lines had no room for more.

    `edges` are the right edges of the columns.
    """
    if sum(map(bool, after)) > max(2, len(after) - 2):
        return False  # what the empty cell means is that of the row above
    for above, cell, edge in zip(row, after, edges, strict=True):
        if not cell:
            continue
        if not above:
            return False
        if has_room(above[-1], cell[0], edge) or is_number(cell[0].text):
            return False
    return True


def _base(row: Row) -> float:
    return min(line.base for cell in row for line in cell)


def _size(row: Row) -> float:
    return max(line.size for cell in row for line in cell)
