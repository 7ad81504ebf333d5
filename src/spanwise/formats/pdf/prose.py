"""Which lines of a page are running text, and which only look so: columns of words in tables."""

import itertools
from collections.abc import Sequence
from typing import Final

from spanwise.formats.pdf.blocks import blocks_of
from spanwise.formats.pdf.lines import Line
from spanwise.formats.pdf.table_lines import PROSE, has_room, is_running, rows_of, weight_of

LONGEST: Final = 200
"""Lines that a column of running text in a table has at most: each is compared with others."""
WIDER: Final = 1.22
"""How much wider the step from cell to cell is than that from line to line."""
MOST_BLOCKS: Final = 60
MOST_LINES: Final = 800
"""Blocks and lines of a page that are looked at for being cells of a table."""


def running_lines(lines: Sequence[Line]) -> set[int]:
    """The `id` of the lines that are running text."""
    blocks = [block.lines for block in blocks_of(lines) if is_running(block.lines)]
    cells = _cell_blocks(blocks, lines)
    found = [
        block for block in blocks if id(block) not in cells and not _is_beside_cells(block, lines)
    ]
    prose = {id(line) for block in found for line in block}
    return prose - _cells_of(found, lines, prose)


def _cell_blocks(blocks: Sequence[Sequence[Line]], lines: Sequence[Line]) -> set[int]:
    """The `id` of blocks that are columns of cells, as most of their parts have others beside."""
    if len(blocks) > MOST_BLOCKS or len(lines) > MOST_LINES:
        return set()
    columns: dict[int, list[tuple[Sequence[Line], bool]]] = {}
    for block in blocks:
        for part in _parts(block):
            left = round(min(line.left for line in part) / 2)
            columns.setdefault(left, []).append((block, _is_cell(part, lines)))
    return {
        id(block)
        for parts in columns.values()
        if len(parts) > 1 and sum(found for _, found in parts) >= 0.6 * len(parts)
        for block, _ in parts
    }


def _parts(block: Sequence[Line]) -> list[list[Line]]:
    """The lines of a block in groups that have more room between them than their lines."""
    least = min((two.base - one.base for one, two in itertools.pairwise(block)), default=0.0)
    found = [[block[0]]]
    for one, two in itertools.pairwise(block):
        if two.base - one.base > WIDER * least:
            found.append([])
        found[-1].append(two)
    return found


def _is_cell(part: Sequence[Line], lines: Sequence[Line]) -> bool:
    """Whether short lines, to the left or several to the right, are level with some lines.

    They begin at the same height, or have their middle there.
    """
    left, right = min(line.left for line in part), max(line.right for line in part)
    top, bottom = part[0].top, part[-1].bottom
    level = [
        line
        for line in lines
        if top < line.bottom and line.top < bottom and (line.right < left or line.left > right)
    ]
    if not level or any(weight_of(line.text) >= PROSE for line in level):
        return False
    if len(level) < 2 and level[0].left > right:
        return False
    size = part[0].size
    pitch = min((two.base - one.base for one, two in itertools.pairwise(part)), default=1.3 * size)
    level.sort(key=lambda line: line.base)
    for at, line in enumerate(level):
        after = next((one for one in level[at + 1 :] if _share(line, one)), None)
        if after is not None and after.base - line.base > WIDER * pitch:
            return False  # of two rows
    first, last = level[0].top, max(line.bottom for line in level)
    return abs(first - top) < 0.35 * size or abs(first + last - top - bottom) < 0.8 * size


def _share(one: Line, two: Line) -> bool:
    return one.left < two.right and two.left < one.right


def _cells_of(blocks: Sequence[Sequence[Line]], lines: Sequence[Line], prose: set[int]) -> set[int]:
    """The short lines at the ends of running text with others beside them: cells right below it."""
    beside = {
        id(line)
        for row in rows_of(lines)
        if not all(id(line) in prose for line in row)
        for line in row
    }
    found: set[int] = set()
    for block in blocks:
        left, right = min(line.left for line in block), max(line.right for line in block)
        for ends in (block, block[::-1]):
            for line in ends:
                if id(line) not in beside or line.right > right - 0.15 * (right - left):
                    break
                found.add(id(line))
    return found


def _is_beside_cells(lines: Sequence[Line], others: Sequence[Line]) -> bool:
    """Whether running text is a column of a table: short cells begin where its paragraphs do."""
    if len(lines) > LONGEST:
        return False
    left = min(line.left for line in lines)
    top, bottom = lines[0].top - 1, lines[-1].bottom + 1
    before = [
        line for line in others if line.right < left and top < line.bottom and line.top < bottom
    ]
    if not before or any(weight_of(line.text) >= PROSE for line in before):
        return False
    bases = [line.base for line in lines]
    begun: set[int] = set()
    for line in before:
        at = min(range(len(bases)), key=lambda at: abs(bases[at] - line.base))
        if abs(bases[at] - line.base) > 0.35 * line.size:
            return False
        begun.add(at)
    right = max(line.right for line in lines)
    return 0 in begun and all(at == 0 or has_room(lines[at - 1], lines[at], right) for at in begun)
