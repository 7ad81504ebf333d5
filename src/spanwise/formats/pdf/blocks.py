"""Blocks of lines: what stands below each other in one column."""

import itertools
from collections.abc import Sequence
from typing import Final

from spanwise.formats.pdf.lines import Line

_OPEN: Final = 6


class Block:
    """Lines below each other, or something else that has a place, as a table."""

    __slots__ = ("bottom", "left", "lines", "right", "table", "top")

    def __init__(self, lines: list[Line], table: object | None = None) -> None:
        """The lines are in order."""
        self.lines = lines
        self.table = table
        self.left = min(line.left for line in lines)
        self.top = min(line.top for line in lines)
        self.right = max(line.right for line in lines)
        self.bottom = max(line.bottom for line in lines)

    def add(self, line: Line) -> None:
        """Put a line at the end."""
        self.lines.append(line)
        self.left = min(self.left, line.left)
        self.top = min(self.top, line.top)
        self.right = max(self.right, line.right)
        self.bottom = max(self.bottom, line.bottom)


def blocks_of(lines: Sequence[Line]) -> list[Block]:
    """The blocks that lines make, in the order of their first lines."""
    blocks: list[Block] = []
    pitch = _pitch(lines)
    for line in lines:
        home = None
        if not line.turned:
            for back in range(1, min(_OPEN, len(blocks)) + 1):
                block = blocks[-back]
                if _goes_on(block, line, pitch, back == 1) and not _hidden(
                    block, line, blocks, back
                ):
                    home = block
                    break
        if home is None:
            blocks.append(Block([line]))
        else:
            home.add(line)
    return blocks


def _pitch(lines: Sequence[Line]) -> float:
    """The usual step from line to line of running text; 0 where there is none."""
    steps: dict[int, int] = {}
    for one, two in itertools.pairwise(lines):
        if one.size == two.size and abs(one.left - two.left) < one.size and len(one.text) > 30:
            step = round(two.base - one.base)
            if step > 0:
                steps[step] = steps.get(step, 0) + 1
    if not steps:
        return 0.0
    most = max(sorted(steps), key=lambda step: steps[step])
    return most + 0.5 if steps[most] > 1 else 0.0


def _goes_on(block: Block, line: Line, pitch: float, latest: bool) -> bool:
    """Whether a line is the next one of a block."""
    last = block.lines[-1]
    if last.turned or block.table is not None:
        return False
    small, large = sorted((line.size, last.size))
    if large > 1.12 * small + 0.3:
        return False
    step = line.base - last.base
    if not 0.5 * small < step <= max(1.9 * large, min(1.1 * pitch, 2.8 * large)):
        return False
    shared = min(block.right, line.right) - max(block.left, line.left)
    narrow = min(block.right - block.left, line.right - line.left)
    if shared < (0.3 if latest else 0.6) * narrow:
        return False
    return latest or abs(line.left - last.left) < 3 * large or shared > 0.9 * narrow


def _hidden(block: Block, line: Line, blocks: list[Block], back: int) -> bool:
    """Whether one of the last blocks lies between a block and a line."""
    for other in blocks[len(blocks) - back + 1 :]:
        if (
            block.bottom <= other.top + 1
            and other.bottom <= line.top + 1
            and min(other.right, line.right) > max(other.left, line.left)
        ):
            return True
    return False
