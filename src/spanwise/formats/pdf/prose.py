"""Which lines of a page are running text, and which only look so: columns of words in tables."""

from collections.abc import Sequence
from typing import Final

from spanwise.formats.pdf.lines import Line
from spanwise.formats.pdf.order import blocks_of
from spanwise.formats.pdf.table_lines import PROSE, has_room, is_running, rows_of, weight_of

LONGEST: Final = 200
"""Lines that a column of running text in a table has at most: each is compared with others."""
MOST_BLOCKS: Final = 60
"""Blocks of a page that are looked at for being cells of a table."""


def running_lines(lines: Sequence[Line]) -> set[int]:
    """The `id` of the lines that are running text."""
    blocks = [block.lines for block in blocks_of(lines) if is_running(block.lines)]
    middle = _in_the_middle(blocks, lines)
    found = [
        block for block in blocks if id(block) not in middle and not _is_beside_cells(block, lines)
    ]
    prose = {id(line) for block in found for line in block}
    return prose - _cells_of(found, lines, prose)


def _in_the_middle(blocks: Sequence[Sequence[Line]], lines: Sequence[Line]) -> set[int]:
    """The `id` of blocks that are cells, others being in the middle of each of several below."""
    if len(blocks) > MOST_BLOCKS:
        return set()
    begun: dict[int, list[Sequence[Line]]] = {}
    for block in blocks:
        left, right = min(line.left for line in block), max(line.right for line in block)
        top, bottom = block[0].top - 1, block[-1].bottom + 1
        level = [
            line
            for line in lines
            if top < line.bottom and line.top < bottom and (line.right < left or line.left > right)
        ]
        if len(level) < 2 and not any(line.right < left for line in level):
            continue
        if not level or any(weight_of(line.text) >= PROSE for line in level):
            continue
        middle = min(line.top for line in level) + max(line.bottom for line in level)
        if abs(middle - top - bottom) < 0.8 * block[0].size:
            begun.setdefault(round(left / 2), []).append(block)
    return {id(block) for found in begun.values() if len(found) > 1 for block in found}


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
