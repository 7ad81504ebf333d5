"""Units: what a section is made of, from whole blocks down to runs of lines, sentences or words.

The units of a section follow one another without a gap. A unit that does not fit is opened: a
container into the blocks inside it, a leaf into a run, which can be cut at many places and is cut
only where a part ends.
"""

from typing import Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from spanwise.kernel.blocks import scan
from spanwise.kernel.chars import CR, GREATER, LF, SPACE, TAB, TAB_STOP
from spanwise.kernel.lines import after_ending
from spanwise.kernel.records import (
    ATX_HEADING,
    DEFINITIONS,
    FENCED_CODE,
    HTML_BLOCK,
    INDENTED_CODE,
    ITEM,
    LIST,
    NESTED,
    PARAGRAPH,
    QUOTE,
    SETEXT_HEADING,
    Blocks,
)
from spanwise.kernel.sentences import boundaries
from spanwise.kernel.tables import is_table

# Kinds of unit.
GROUP: Final = 0  # sibling blocks, `block` to before `last`
BLOCK: Final = 1  # one block
LINES: Final = 2  # may be cut before each line
SENTENCES: Final = 3  # may be cut at `marks`
WORDS: Final = 4  # may be cut after white space


@final
class Wrap:
    """What makes the part of a cut table or code block whole again."""

    __slots__ = ("body", "closing", "context", "head", "margin", "opening")

    def __init__(
        self, opening: str, closing: str, context: str, margin: str, body: i64, head: i64 = -1
    ) -> None:
        """`opening` goes before a part that begins inside, `closing` after one that ends there.

        context: what of `opening` only opens the containers.
        margin: how a line inside begins, for a part that begins within one.
        body: where the first row or line inside starts.
        head: where the header of a table does, which goes up to `body` and is in `opening`; or -1.
        """
        self.opening = opening
        self.closing = closing
        self.context = context
        self.margin = margin
        self.body: i64 = body
        self.head: i64 = head


@final
class Unit:
    """A stretch of a section; never changed once it is made."""

    __slots__ = (
        "block", "closes", "end", "highest", "keeps", "kind", "last", "level", "lowest", "marks",
        "opens", "start", "tail", "wrap",
    )  # fmt: skip

    def __init__(
        self,
        kind: i64,
        start: i64,
        end: i64,
        tail: i64,
        level: i64,
        block: i64 = -1,
        last: i64 = -1,
        wrap: Wrap | None = None,
        opens: bool = True,
        closes: bool = True,
        keeps: bool = False,
        lowest: i64 = 0,
        highest: i64 = 0,
        marks: list[int] | None = None,
    ) -> None:
        """A unit of `[start, end)`; a part that ends with it ends at `tail`.

        level: how deep the boundary before it lies: 0 between the blocks of a section.
        opens, closes: it holds the beginning, the end of what `wrap` is for.
        keeps: it is code, of which no white space is left out.
        lowest, highest: first and last place where a run may be cut.
        """
        self.kind: i64 = kind
        self.start: i64 = start
        self.end: i64 = end
        self.tail: i64 = tail
        self.level: i64 = level
        self.block: i64 = block
        self.last: i64 = last
        self.wrap = wrap
        self.opens: bool = opens
        self.closes: bool = closes
        self.keeps: bool = keeps
        self.lowest: i64 = lowest
        self.highest: i64 = highest
        self.marks = marks


class Room:
    """A measure of texts, by code points."""

    def __init__(self, most: i64) -> None:
        """Room for `most` code points."""
        self.most: i64 = most

    def holds(self, text: str) -> bool:
        """Whether there is room for `text`."""
        return len(text) <= self.most


@final
class Opener:
    """Makes units of the blocks of one document and opens those that do not fit."""

    def __init__(self, text: str, blocks: Blocks, room: Room) -> None:
        """Units of `text`, whose blocks are of every kind; `room` is for a wrap."""
        self.text = text
        self.room = room
        self.blocks = blocks
        self.has_cr: bool = blocks.has_cr

    # -- making ----------------------------------------------------------------------------------

    def group(self, start: i64, end: i64, first: i64, last: i64, level: i64) -> Unit:
        """The sibling blocks `first` to before `last`, together `[start, end)`."""
        tail = self.trimmed(start, end)
        wrap = self._open_fence(last - 1)
        return Unit(GROUP, start, end, tail, level, first, last, wrap, True, wrap is None)

    def _block(self, start: i64, end: i64, block: i64, level: i64) -> Unit:
        tail = self.trimmed(start, end)
        wrap = self._open_fence(self.after(block) - 1)
        return Unit(BLOCK, start, end, tail, level, block, -1, wrap, True, wrap is None)

    def _lines(self, unit: Unit) -> Unit:
        """A run of lines without a wrap; what stands before the block keeps a line of it."""
        lowest = self._second_line(unit.block)
        return Unit(
            LINES, unit.start, unit.end, unit.tail, unit.level, unit.block, -1, None, True, True,
            False, lowest, unit.end,
        )  # fmt: skip

    def _second_line(self, block: i64) -> i64:
        """Where the line after the one that a block starts on does."""
        return after_ending(self.text, self.line_end(self.blocks.start(block)), len(self.text))

    def _open_fence(self, block: i64) -> Wrap | None:
        """What closes the fence that is still open at the end of `block`, if it is one."""
        if self.blocks.kind(block) != FENCED_CODE or self.blocks.closed(block):
            return None
        return self.fence_wrap(block)

    # -- opening ---------------------------------------------------------------------------------

    def open(self, unit: Unit) -> list[Unit]:
        """The units that a GROUP or BLOCK is made of."""
        if unit.kind == GROUP:
            return self._siblings(unit, unit.block, unit.last)
        block = unit.block
        kind = self.blocks.kind(block)
        if kind == LIST or kind == ITEM or kind == QUOTE:
            after = self.after(block)
            if after > block + 1:
                return self._siblings(unit, block + 1, after)
            return [self._lines(unit)]
        if kind == FENCED_CODE:
            return [self._fence_lines(unit)]
        if kind == INDENTED_CODE:
            return [self._code_lines(unit, None, self._second_line(block), unit.end, True)]
        if kind == HTML_BLOCK or kind == DEFINITIONS:
            return [self._lines(unit)]
        if kind == PARAGRAPH:
            return self._open_paragraph(unit)
        return [self.sentences(unit, unit.start, unit.end, unit.level)]

    def _siblings(self, unit: Unit, first: i64, last: i64) -> list[Unit]:
        """A unit for each of the sibling blocks; the first one starts where `unit` does.

        Link reference definitions and the rest of their paragraph are one unit: read alone, the
        rest could be something else than a paragraph. So are a heading and the block it is over.
        """
        level = unit.level + 1
        blocks = self.blocks
        units: list[Unit] = []
        start = unit.start
        block = first
        while block < last:
            while block + 1 < last and self._stays_with_next(block):
                block += 1
            after = self.after(block)
            end = self.line_start(blocks.start(after)) if after < last else unit.end
            units.append(self._block(start, end, block, level))
            start = end
            block = after
        return units

    def _stays_with_next(self, block: i64) -> bool:
        blocks = self.blocks
        following = blocks.kind(block + 1)
        if blocks.kind(block) == DEFINITIONS:
            touching = blocks.first_line(block + 1) == blocks.last_line(block) + 1
            return following == PARAGRAPH and touching
        return is_heading(blocks.kind(block)) and not is_heading(following)

    def after(self, block: i64) -> i64:
        """The first block that is not inside `block`."""
        blocks = self.blocks
        kind = blocks.kind(block)
        low = block + 1
        if kind != LIST and kind != ITEM and kind != QUOTE:
            return low
        end = blocks.end(block)
        high = blocks.count
        while low < high:
            middle = (low + high) // 2
            if blocks.start(middle) < end:
                low = middle + 1
            else:
                high = middle
        return low

    def leaf_at(self, position: i64) -> i64:
        """The innermost block that starts last at or before `position`, or -1."""
        blocks = self.blocks
        low: i64 = 0
        high = blocks.count
        while low < high:
            middle = (low + high) // 2
            if blocks.start(middle) <= position:
                low = middle + 1
            else:
                high = middle
        return low - 1

    def _open_paragraph(self, unit: Unit) -> list[Unit]:
        starts = self._paragraph_lines(unit.block)
        table = self.table_line(starts)
        level = unit.level
        if table < 0:
            if self._is_quoted(unit.block):
                return [self._lines(unit)]
            return [self.sentences(unit, unit.start, unit.end, level)]
        header = self.line_start(starts[table])
        if table == 0:
            return [self._table_rows(unit, unit.start, header, starts, level)]
        before = self.sentences(unit, unit.start, header, level)
        rows = self._table_rows(unit, header, header, starts, level + 1)
        return [before, rows]

    def _is_quoted(self, block: i64) -> bool:
        parent = self.blocks.parent(block)
        return parent >= 0 and self.blocks.kind(parent) == QUOTE

    def _paragraph_lines(self, block: i64) -> vec[i64]:
        """Where the content of each line of a paragraph starts."""
        blocks = self.blocks
        starts: vec[i64] = vec[i64]()
        at = blocks.lines_at(block)
        if at >= 0:
            last = at + blocks.content_count(block)
            while at < last:
                starts = append(starts, blocks.content[at] >> 2)
                at += 1
            return starts
        end = blocks.end(block)
        i = blocks.start(block)
        while True:
            starts = append(starts, i)
            i = self.line_end(i)
            if i >= end:
                return starts
            i = after_ending(self.text, i, end)

    def table_line(self, starts: vec[i64]) -> i64:
        """Which of a paragraph's lines is the header of a table, or -1."""
        count: i64 = len(starts)
        end = self.line_end(starts[0])
        i: i64 = 1
        while i < count:
            next_end = self.line_end(starts[i])
            if is_table(self.text, starts[i - 1], end, starts[i], next_end):
                return i - 1
            end = next_end
            i += 1
        return -1

    def is_table_block(self, block: i64) -> bool:
        """Whether a paragraph holds a table."""
        return self.table_line(self._paragraph_lines(block)) >= 0

    def _table_rows(
        self, unit: Unit, start: i64, header: i64, starts: vec[i64], level: i64
    ) -> Unit:
        """The rows of a table as a run; its first part has at least one row under the header."""
        count: i64 = len(starts)
        k: i64 = 0
        while self.line_start(starts[k]) < header:
            k += 1
        lowest = unit.end
        highest = start
        wrap: Wrap | None = None
        if k + 3 < count:
            lowest = self.line_start(starts[k + 3])
            highest = self.line_start(starts[count - 1])
        if k + 2 < count:
            body = self.line_start(starts[k + 2])
            containers = self._context(header, starts[k])
            opening = containers + self.text[header:body]
            if self.room.holds(opening):
                margin = self._margin(unit.block, header, starts[k])
                wrap = Wrap(opening, "", containers, margin, body, header)
        tail = self.trimmed(start, unit.end)
        return Unit(
            LINES, start, unit.end, tail, level, unit.block, -1, wrap, True, True, False, lowest,
            highest,
        )  # fmt: skip

    def _fence_lines(self, unit: Unit) -> Unit:
        """The code lines of a fence as a run that keeps each fence with a line of code."""
        blocks = self.blocks
        block = unit.block
        size: i64 = len(self.text)
        code = after_ending(self.text, self.line_end(blocks.start(block)), size)
        lowest = after_ending(self.text, self.line_end(code), size)
        last = self.line_start(blocks.end(block))
        if blocks.closed(block):
            last = self.line_start(last - 1)
        return self._code_lines(unit, self.fence_wrap(block), lowest, last, blocks.closed(block))

    def _code_lines(
        self, unit: Unit, wrap: Wrap | None, lowest: i64, highest: i64, closes: bool
    ) -> Unit:
        return Unit(
            LINES, unit.start, unit.end, unit.tail, unit.level, unit.block, -1, wrap, True, closes,
            True, lowest, highest,
        )  # fmt: skip

    def fence_wrap(self, block: i64) -> Wrap:
        """The lines that reopen and close a fence, container markers included.

        Without room for the info string the fence alone; without room for that nothing.
        """
        blocks = self.blocks
        text = self.text
        start = blocks.start(block)
        line = self.line_start(start)
        lead = text[line:start]
        run = text[start : start + blocks.level(block)]
        body = self._second_line(block)
        containers = self._context(line, start)
        opening = containers + lead + text[start : self.line_end(start)] + "\n"
        closing = self.fence_closing(block)
        if not self.room.holds(opening + closing):
            opening = containers + lead + run + "\n"
            if not self.room.holds(opening + closing):
                return Wrap("", "", "", "", body)
        return Wrap(opening, closing, containers, self._margin(block, line, start), body)

    def fence_closing(self, block: i64) -> str:
        """The line that closes a fence, the ending before it included."""
        start = self.blocks.start(block)
        run = self.text[start : start + self.blocks.level(block)]
        return "\n" + continued(self.text[self.line_start(start) : start]) + run

    def _margin(self, block: i64, line: i64, start: i64) -> str:
        """How a line inside `block`, which starts at `start`, begins to stay in its containers."""
        return continued(self.text[line:start]) if self.blocks.depth(block) > 0 else ""

    def _context(self, line: i64, start: i64) -> str:
        """A line of markers that opens the containers which the blanks before `start` stand for.

        Empty where the text at `start` means the same without them: up to three columns.
        """
        return context(self.text[line:start])

    def sentences(self, unit: Unit, start: i64, end: i64, level: i64) -> Unit:
        """A run that may be cut between sentences, but not before the block itself has begun."""
        tail = self.trimmed(start, end)
        lowest = max(start, self.blocks.start(unit.block)) + 1
        return Unit(
            SENTENCES, start, end, tail, level, unit.block, -1, None, True, True, False, lowest,
            end, self.marks(start, end),
        )  # fmt: skip

    def marks(self, start: i64, end: i64) -> list[int]:
        """The sentence boundaries in `[start, end)`; a line ending is only a blank."""
        flat = self.text[start:end].replace("\n", " ").replace("\r", " ")
        return [mark + start for mark in boundaries(flat, 0, len(flat))]

    # -- looking at the text ---------------------------------------------------------------------

    def line_start(self, position: i64) -> i64:
        """Start of the line that `position` is on."""
        text = self.text
        i = position
        while i > 0:
            code: i64 = ord(text[i - 1])
            if code == LF or code == CR:
                break
            i -= 1
        return i

    def line_end(self, position: i64) -> i64:
        """End of the line that `position` is on, before its ending."""
        text = self.text
        size: i64 = len(text)
        if not self.has_cr:
            end: i64 = text.find("\n", position)
            return end if end >= 0 else size
        i = position
        while i < size:
            code: i64 = ord(text[i])
            if code == LF or code == CR:
                break
            i += 1
        return i

    def trimmed(self, start: i64, end: i64) -> i64:
        """End of `[start, end)` without blank lines at its end.

        The last line keeps its own blanks where it is whole.
        """
        text = self.text
        last = end
        while last > start:
            code: i64 = ord(text[last - 1])
            if code != SPACE and code != TAB and code != LF and code != CR:
                break
            last -= 1
        i = last
        while i < end:
            code = ord(text[i])
            if code == LF or code == CR:
                return i
            i += 1
        return end if end == len(text) else last


def is_heading(kind: i64) -> bool:
    """Whether a block of that kind is a heading."""
    return kind == ATX_HEADING or kind == SETEXT_HEADING


def context(lead: str) -> str:
    """Markers that open the containers which `lead`, the start of a line, is indented for.

    Four columns of blanks would make what follows indented code when it is read alone. A line of
    list markers before it makes them the indentation of items again. Bullets alternate, since three
    equal ones would be a thematic break.
    """
    line = ""
    blanks: i64 = 0
    needed = False
    column: i64 = 0
    for i in range(len(lead)):
        code: i64 = ord(lead[i])
        if code == SPACE:
            blanks += 1
            column += 1
        elif code == TAB:
            width = TAB_STOP - column % TAB_STOP
            blanks += width
            column += width
        elif code == GREATER:
            needed = needed or blanks >= TAB_STOP
            line += _items(blanks) + ">"
            # One blank after it is its own.
            blanks = -1
            column += 1
        else:
            # A list marker: from here on the line opens its own containers.
            break
    if not needed and blanks < TAB_STOP:
        return ""
    return (line + _items(blanks)).rstrip() + "\n"


def _items(blanks: i64) -> str:
    """List markers for an indentation, two columns each; blanks where none is needed."""
    if blanks < TAB_STOP:
        return " " * max(0, blanks)
    return ("- * " * (blanks // 4 + 1))[: blanks // 2 * 2] + " " * (blanks % 2)


def continued(lead: str) -> str:
    """The start of a line that goes on with the containers that `lead` opens: markers blanked."""
    return "".join([char if char in "> \t" else " " for char in lead])


def unclosed_fence(alone: str, mdx: bool) -> tuple[str, str] | None:
    """The lines that would reopen and close the fence left open at the end of `alone`, if any."""
    blocks = scan(alone, (1 << FENCED_CODE) | NESTED, True, mdx)
    last = blocks.count - 1
    if last < 0 or blocks.closed(last) or blocks.end(last) < len(alone.rstrip("\r\n")):
        return None
    opener = Opener(alone, blocks, Room(len(alone)))
    start = blocks.start(last)
    line = opener.line_start(start)
    run = alone[start : start + blocks.level(last)]
    lead = alone[line:start]
    return continued(lead) + alone[start : opener.line_end(start)] + "\n", "\n" + continued(
        lead
    ) + run
