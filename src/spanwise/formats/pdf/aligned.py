"""Tables without a grid: rows whose cells line up in columns."""

import itertools
import statistics
from collections.abc import Iterable, Sequence
from typing import Final

from spanwise.formats.pdf.characters import PageText
from spanwise.formats.pdf.gaps import parted_lines, parted_rows
from spanwise.formats.pdf.graphics import Graphics, Rule, inside
from spanwise.formats.pdf.gutters import page_columns
from spanwise.formats.pdf.halves import with_halves
from spanwise.formats.pdf.heads import Heads
from spanwise.formats.pdf.lines import Line, line_box, split_line, words_of
from spanwise.formats.pdf.numbering import has_leaders, is_caption
from spanwise.formats.pdf.page import Box
from spanwise.formats.pdf.pdfium import LazyPage
from spanwise.formats.pdf.prose import running_lines
from spanwise.formats.pdf.regions import (
    is_columns,
    is_page,
    parted_regions,
    ruled_regions,
    with_bold_head,
    with_header,
)
from spanwise.formats.pdf.stacking import is_even, stacked_rows
from spanwise.formats.pdf.table_lines import Row, columns_of, rows_of
from spanwise.formats.pdf.tablelike import is_table
from spanwise.formats.pdf.tables import Table
from spanwise.formats.pdf.wrapping import joined_rows, merged_columns

SPACE: Final = 0.5
"""A gap between two words of a cell is narrower than this many times the font size."""
MOST_COLUMNS: Final = 100
"""Columns of a table: each word is compared with them."""
DOUBLE: Final = 6.0
"""Points between two rules that are one double rule."""


def aligned_tables(
    page: LazyPage,
    text: PageText,
    lines: Sequence[Line],
    graphics: Graphics,
    others: Sequence[Table] = (),
) -> list[Table]:
    """The tables that free lines of a page make by their places alone.

    `others` are those that rules have told. What is left between them is none.
    """
    free = [line for line in lines if not line.turned and not has_leaders(line.text)]
    found: list[Table] = []
    regions = [
        *parted_regions(page, text, graphics, free),
        *((part, []) for one in ruled_regions(graphics) for part in _at_captions(one, free)),
    ]
    for box, columns in regions:
        region = with_bold_head(free, with_header(page, text, free, box), columns)
        if any(inside(line_box(table.used[0]), region) for table in others):
            continue
        within = [line for line in free if inside(line_box(line), region)]
        group = rows_of(within)
        if len(group) < 2 or is_columns(within) or is_page(page, text, group, region):
            continue
        table = _table(page, text, group, graphics, columns, True)
        if table is not None:
            found.append(table)
            used = set(map(id, table.used))
            free = [line for line in free if id(line) not in used]
    whole: dict[int, Line] = {}
    free = parted_lines(page, text, free, whole)
    if len(rows_of(free)) == len(free):
        return found  # nothing stands beside anything
    prose = running_lines(free)
    running = [line for line in free if id(line) in prose]
    for column in page_columns(free, running):
        rows = rows_of([line for line in column if id(line) not in prose])
        rows = parted_rows(page, text, rows, whole)
        rows, halves = with_halves(rows)
        for group_rows in _groups(rows, running, halves):
            for row in group_rows if halves else ():
                row.extend(halves.get(id(row[0]), ()))
            table = _table(page, text, group_rows, graphics)
            used_lines = _whole(table.used, whole) if table is not None else None
            if table is not None and used_lines is not None:
                found.append(Table(table.rows, used_lines))
    return found


def _at_captions(region: Box, lines: Sequence[Line]) -> list[Box]:
    """The parts of a region of rules above and below the caption of a second table in it."""
    within = [line for line in lines if inside(line_box(line), region)]
    captions = [line for line in within if is_caption(line.text)]
    if not captions:
        return [region]
    alone = {id(row[0]) for row in rows_of(within) if len(row) == 1}
    left, top, right, bottom = region
    found: list[Box] = []
    for line in sorted(captions, key=lambda line: line.top):
        if id(line) in alone:
            found.append((left, top, right, line.top))
            top = line.bottom
    return [*found, (left, top, right, bottom)]


def _whole(pieces: Sequence[Line], whole: dict[int, Line]) -> list[Line] | None:
    """The lines that pieces are cut from; None where some of a line is not among them."""
    found: dict[int, Line] = {}
    for piece in pieces:
        line = piece
        while id(line) in whole:
            line = whole[id(line)]
        found[id(line)] = line
    if _letters(pieces) != _letters(found.values()):
        return None
    return list(found.values())


def _letters(lines: Iterable[Line]) -> int:
    return sum(len(line.text) - line.text.count(" ") for line in lines)


def _groups(
    rows: list[list[Line]], running: Sequence[Line], halves: dict[int, list[Line]]
) -> list[list[list[Line]]]:
    """Rows that follow each other closely, begun and ended by one with several cells."""
    groups: list[list[list[Line]]] = []
    group: list[list[Line]] = []
    for row in rows:
        if len(row) == 1 and is_caption(row[0].text):
            groups.append(group)
            group = []
            continue
        if group:
            last = group[-1]
            size = max(row[0].size, last[0].size)
            step = row[0].base - last[0].base
            # Cells in the middle of their rows reach beyond them.
            for one in (last, row):
                reach = [abs(line.base - one[0].base) for line in halves.get(id(one[0]), ())]
                step -= max(reach, default=0.0)
            cells = next(row for row in reversed(group) if len(row) > 1)[0].size
            if (
                step > 3.2 * size
                or row[0].size > 1.16 * cells
                # A remark to a cell may be set smaller than it.
                or row[0].size < (0.7 if len(row) == 1 else 0.84) * cells
                or (len(row) == 1 and not _fits(row[0], group, step))
                or _parted(last, row, running)
            ):
                groups.append(group)
                group = []
        if len(row) > 1 or group:
            group.append(row)
    groups.append(group)
    return [group for group in groups if sum(len(row) > 1 for row in group) >= 2]


def _fits(line: Line, group: list[list[Line]], step: float) -> bool:
    """Whether a lone line goes on with a cell of the rows above it."""
    if step > 2.4 * line.size:
        return False
    above = next(row for row in reversed(group) if len(row) > 1)
    if any(abs(line.left - cell.left) < line.size for cell in above[1:]):
        return True
    return step < 1.4 * line.size and line.left > above[0].left - 1 and line.right < above[1].left


def _parted(one: list[Line], two: list[Line], running: Sequence[Line]) -> bool:
    left = min(line.left for line in (*one, *two))
    right = max(line.right for line in (*one, *two))
    return any(
        one[0].base < line.base < two[0].base and line.left < right and left < line.right
        for line in running
    )


def _table(
    page: LazyPage,
    text: PageText,
    group: list[list[Line]],
    graphics: Graphics,
    columns: list[tuple[float, float]] | None = None,
    ruled: bool = False,
) -> Table | None:
    """The table that rows make; `columns` are known where rules tell."""
    several = group if ruled else [row for row in group if len(row) > 1]
    if len(several) < 2:
        return None
    words_in = {id(line): words_of(page, text, line) for row in group for line in row}
    words = [[word for line in row for word in words_in[id(line)]] for row in group]
    size = statistics.median(row[0].size for row in group)
    if sum(line.style.mono for row in group for line in row) > len(group) / 2:
        size *= 2.4  # all spaces of such fonts are as wide as a letter, and line up
    known = bool(columns)
    if not columns:
        parts = [
            [part for line in row for part in _stretches(words_in[id(line)], size)] for row in group
        ]
        # A title over columns tells none of them.
        columns = columns_of([row for row in parts if len(row) > 1], size, len(several))
    if not 2 <= len(columns) <= MOST_COLUMNS:
        return None
    if known:
        cuts = [two[0] for two in columns[1:]]
        over = sum(any(low < cut < high for cut in cuts for low, high in row) for row in words)
        if over > 0.15 * len(words):
            return None  # the rules of a header and a footer, with the page between them
    else:
        cuts = [_clearest(words, one[1], two[0]) for one, two in itertools.pairwise(columns)]
    lines = [line for row in group for line in row]
    left, right = min(line.left for line in lines), max(line.right for line in lines)
    top, bottom = min(line.top for line in lines), max(line.bottom for line in lines)
    rules: list[Rule] = []
    for rule in sorted(graphics.across):
        if (
            rule.end - rule.start > 0.5 * (right - left)
            and left - 25 < rule.start < right
            and left < rule.end
            and top - 12 < rule.at < bottom + 12
            and not (rules and rule.at - rules[-1].at < DOUBLE)
        ):
            rules.append(rule)
    heads = Heads(group, columns, graphics)
    filled: list[Row] = []
    for number, row in enumerate(group):
        cells: Row = [[] for _ in columns]
        if len(row) == 1 and not known and _spans(row[0], words_in[id(row[0])], columns, size):
            # A title over columns: it stands in the first of them.
            cells[_first_under(row[0], columns)].append(row[0])
            filled.append(cells)
            continue
        for line in row:
            first = heads.first_column(line, row) if number < heads.count else -1
            if first >= 0 and len(_stretches(words_in[id(line)], size)) == 1:
                cells[first].append(line)
                continue
            for piece in _cut(page, text, line, words_in[id(line)], cuts):
                cells[_column(columns, piece)].append(piece)
        filled.append(_ordered(cells))
    if not known:
        filled = merged_columns(filled)
    stacked = None
    if len(rules) <= 3 and not heads.rules:
        stacked = stacked_rows(
            [[line for row in filled for line in row[at]] for at in range(len(filled[0]))]
        )
    rows = (
        stacked
        if stacked is not None and is_even(stacked)
        else joined_rows(filled, rules, heads.rules)
    )
    if not is_table(rows, rules, known):
        return None
    return Table(rows, lines)


def _ordered(row: Row) -> Row:
    """The row, the lines of each cell from the top."""
    for cell in row:
        if any(two.base < one.base - 0.5 * two.size for one, two in itertools.pairwise(cell)):
            cell.sort(key=lambda line: line.base)
    return row


def _stretches(words: Sequence[tuple[float, float]], size: float) -> list[tuple[float, float]]:
    """The words of a row, those a usual space apart made one."""
    found: list[tuple[float, float]] = []
    for left, right in sorted(words):
        if found and left - found[-1][1] < SPACE * size:
            found[-1] = (found[-1][0], max(right, found[-1][1]))
        else:
            found.append((left, right))
    return found


def _spans(
    line: Line,
    words: Sequence[tuple[float, float]],
    columns: Sequence[tuple[float, float]],
    size: float,
) -> bool:
    """Whether a line without gaps reaches into several columns."""
    under = sum(line.left < right and left < line.right for left, right in columns)
    return under > 1 and len(_stretches(words, size)) == 1


def _first_under(line: Line, columns: Sequence[tuple[float, float]]) -> int:
    """The first column under a line; of one in the middle of all the first there is."""
    left, right = columns[0][0], columns[-1][1]
    if abs(line.left - left - (right - line.right)) < line.size:
        return 0
    return next(at for at, (_, end) in enumerate(columns) if line.left < end)


def _clearest(rows: Sequence[Sequence[tuple[float, float]]], left: float, right: float) -> float:
    """The middle of the widest gap between two columns that the fewest words are at."""
    near = [word for row in rows for word in row if word[0] < right and left < word[1]]
    edges = sorted({left, right} | {edge for word in near for edge in word if left < edge < right})
    best = (1 << 30, 0.0, 0.0)
    for one, two in itertools.pairwise(edges):
        middle = (one + two) / 2
        crossing = sum(low < middle < high for low, high in near)
        best = min(best, (crossing, one - two, middle))
    return best[2] if len(edges) > 1 else (left + right) / 2


def _cut(
    page: LazyPage,
    text: PageText,
    line: Line,
    words: Sequence[tuple[float, float]],
    cuts: Sequence[float],
) -> list[Line]:
    """The pieces of a line; one that a word of goes over a cut stays whole there."""
    clean = [
        cut
        for cut in cuts
        if line.left < cut < line.right and not any(left < cut < right for left, right in words)
    ]
    return split_line(page, text, line, clean) if clean else [line]


def _column(columns: Sequence[tuple[float, float]], line: Line) -> int:
    """The column that a line is in: the first it covers, or the nearest."""
    best, most = 0, -1e9
    for at, (left, right) in enumerate(columns):
        shared = min(line.right, right) - max(line.left, left)
        if shared > 0.5 * (right - left) or shared > 0.5 * (line.right - line.left):
            return at
        if shared > most:
            best, most = at, shared
    return best
