"""Paragraphs: the lines of a block that go on from each other."""

import itertools
import statistics
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Final

from spanwise.formats.pdf.blocks import Block
from spanwise.formats.pdf.fonts import Style
from spanwise.formats.pdf.lines import Line, is_uniform
from spanwise.formats.pdf.numbering import bullet_end, heading_label, item_end

_STOPS: Final = frozenset(".!?:;。！？…")
_CLOSING: Final = "\"'”’)]"


class Paragraph:
    """Lines that are one paragraph, heading or item; or a table."""

    __slots__ = ("depth", "edge", "kind", "label", "lead", "level", "lines", "rows", "text")

    def __init__(self, lines: list[Line]) -> None:
        """`kind` is set to what it turns out to be."""
        self.lines = lines
        self.kind = "paragraph"
        self.level = 0
        self.depth = 0
        self.label = 0
        self.rows: list[list[list[Line]]] = []
        self.text = ""
        self.edge = 0.0
        # The line whose look is that of all: not that of a number above a title.
        self.lead = 0

    @property
    def page(self) -> int:
        """The page it starts on, from 0."""
        return self.lines[0].page

    @property
    def style(self) -> Style:
        """The style of its first line, or of the first after a number."""
        return self.lines[self.lead].style

    @property
    def size(self) -> float:
        """The font size of that line."""
        return self.lines[self.lead].size


class Columns:
    """Where running text ends at the right, on each page and in the whole document."""

    def __init__(self, pages: Sequence[Sequence[Block]]) -> None:
        """Look at the blocks of all pages."""
        self._pages = [
            [(block.left, block.right) for block in blocks if is_prose(block)] for blocks in pages
        ]
        self._all: list[tuple[float, float]] = sorted(
            {(round(left), round(right)) for page in self._pages for left, right in page}
        )

    def right_of(self, page: int, block: Block) -> float:
        """The right edge of the column that a block is in."""
        size = block.lines[0].size
        near = 4 * size
        filled = sum(line.right > block.right - size for line in block.lines)
        if filled >= 3 and 2 * filled > len(block.lines):
            return block.right
        first = bisect_left(self._all, (block.left - near, 0.0))
        last = bisect_right(self._all, (block.left + near, 0.0))
        for found in (self._pages[page], self._all[first:last]):
            edges = [
                right
                for left, right in found
                if abs(left - block.left) < near and right > block.right - 2
            ]
            if edges:
                return min(edges)
        return block.right


def is_prose(block: Block) -> bool:
    """Whether a block is running text."""
    return (
        block.table is None
        and len(block.lines) >= 3
        and block.right - block.left > 8 * block.lines[0].size
    )


def paragraphs_of(block: Block, edge: float, contents: set[int]) -> list[Paragraph]:
    """The paragraphs of a block in a column that ends at `edge`.

    `contents` are the `id` of lines that are entries of a table of contents.
    """
    found = _parted(block, edge, contents)
    for one in found:
        one.edge = edge
        if id(one.lines[0]) in contents:
            one.kind = "contents"
    return found


def _parted(block: Block, edge: float, contents: set[int]) -> list[Paragraph]:
    lines = block.lines
    if len(lines) == 1:
        return [Paragraph(lines)]
    steps = [two.base - one.base for one, two in itertools.pairwise(lines)]
    pitch = statistics.median_low(steps)
    margin = _common_left(lines)
    found = [Paragraph([lines[0]])]
    for at in range(1, len(lines)):
        after = lines[at + 1] if at + 1 < len(lines) else None
        before = found[-1].lines
        if (
            id(lines[at]) in contents
            or id(before[-1]) in contents
            or _starts(before, lines[at], after, block, edge, steps[at - 1], pitch, margin)
        ):
            found.append(Paragraph([lines[at]]))
        else:
            found[-1].lines.append(lines[at])
    return found


def restyled(last: Line, line: Line) -> bool:
    """Whether two lines are set so differently that they cannot be of one paragraph."""
    apart = abs(line.size - last.size)
    if apart > 0.06 * line.size + 0.25:
        return True
    one, two = last.style, line.style
    if one.font != two.font and apart > 0.3:
        return True
    if one.bold != two.bold:
        # Emphasis within a paragraph begins and ends within lines.
        mixed = not (is_uniform(last) and is_uniform(line)) or _ends_otherwise(last)
        goes_on = last.runs[-1].style.bold == line.runs[0].style.bold
        return not (mixed and goes_on)
    return False


def _ends_otherwise(line: Line) -> bool:
    """Whether emphasis ends before the last word of a line, as after a title in a paragraph."""
    last = line.runs[-1]
    return (
        len(line.runs) > 1
        and last.style.bold != line.style.bold
        and last.size > 0.8 * line.size
        and last.end - last.start > 1
        and line.text[-2:].isalpha()
    )


def _begins_with_name(line: Line) -> bool:
    """Whether a few bold words up to a colon begin a line, as in `DATES: May 2021`."""
    if line.style.bold or not line.runs[0].style.bold or not line.text[:1].isupper():
        return False
    length = sum(
        run.end - run.start for run in itertools.takewhile(lambda run: run.style.bold, line.runs)
    )
    name, colon, _ = line.text.partition(":")
    return colon != "" and name.count(" ") < 3 and abs(len(name) + 1 - length) < 3


def _are_numbered(one: Line, two: Line) -> bool:
    """Whether two lines begin with numbers as `2.1`, as headings right below each other do.

    So may `II.` and `A.`, where they are set in two fonts.
    """
    first, second = heading_label(one.text), heading_label(two.text)
    if first is None or second is None:
        return False
    if first.kind != second.kind and second.kind != "parentheses":
        return one.style.font != two.style.font and is_uniform(one) and is_uniform(two)
    return (
        first.kind == second.kind == "decimal"
        and second.depth > 1
        and abs(two.left - one.left) < two.size
        and one.style.bold
        and two.style.bold
    )


def _common_left(lines: Sequence[Line]) -> float:
    """Where most lines start."""
    lefts: dict[int, int] = {}
    for line in lines:
        key = round(line.left / 2)
        lefts[key] = lefts.get(key, 0) + 1
    return 2.0 * max(sorted(lefts), key=lambda key: lefts[key])


def _ends_sentence(text: str) -> bool:
    return text.rstrip(_CLOSING)[-1:] in _STOPS


def _is_centred(last: Line, line: Line) -> bool:
    """Whether two lines have one middle, but do not start at one place."""
    apart = abs(line.left - last.left)
    middles = abs(line.left + line.right - last.left - last.right)
    return apart > 0.7 * line.size and middles < 0.5 * line.size


def _starts(
    before: list[Line], line: Line, after: Line | None, block: Block, edge: float, step: float,
    pitch: float, margin: float,
) -> bool:  # fmt: skip
    """Whether `line` starts a paragraph."""
    last = before[-1]
    size = line.size
    one, two = last.runs[0].tag, line.runs[0].tag
    if line.bullet or one.item != two.item or one.level != two.level:
        return True
    if step > 1.25 * pitch + 0.5 and step > 1.3 * size:
        return True
    if restyled(last, line):
        return True
    if bullet_end(line.text) > 0 or (len(before) < 3 and _are_numbered(before[0], line)):
        return True
    if last.style.mono != line.style.mono and (
        step > 1.12 * pitch or abs(line.left - last.left) > 1.5 * size
    ):
        return True
    width = edge - block.left
    room = (last.left - block.left) if line.rtl else (edge - last.right)
    centred = _is_centred(last, line)
    if centred:
        width = block.right - block.left
        room = width - (last.right - last.left)
    letters = max(1, len(line.text))
    first = line.text.split(" ", 1)[0]
    fits = room > (len(first) + 1) * (line.right - line.left) / letters + 0.5 * size
    sentence = _ends_sentence(last.text)
    if item_end(line.text) > 0 and (
        fits or sentence or item_end(before[0].text) > 0 or line.left < last.left - 0.7 * size
    ):
        return True
    if last.style.bold and is_uniform(last) and _begins_with_name(line):
        return True
    if fits and (sentence or room > 0.25 * width) and not last.text.endswith((",", "-")):
        return True
    if line.rtl or centred:
        return False
    indent = line.left - margin
    if 0.7 * size < indent < 5 * size and last.left < margin + 0.5 * size:
        # A first line that is set in; but an item or reference is set out, and goes on so.
        returns = after is None or after.left < line.left - 0.5 * size
        hangs = len(before) == 1 and (
            item_end(before[0].text) > 0 or bullet_end(before[0].text) > 0 or not sentence
        )
        return returns and not hangs
    # Set out again after a hanging paragraph.
    return (
        len(before) > 1
        and last.left - line.left > 0.7 * size
        and before[0].left < last.left - 0.5 * size
    )
