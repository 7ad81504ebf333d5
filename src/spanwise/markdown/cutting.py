"""Cutting a section that is too big into parts, each at the highest boundary that fits.

Parts are filled in order. What does not fit into the rest of a part but into one of its own is left
whole for the next; what fits into none is opened, or cut if it is a run, and goes on filling.
"""

from typing import Final, final

from mypy_extensions import i64

from spanwise.kernel.chars import CR, LF
from spanwise.kernel.records import DEFINITIONS, PARAGRAPH
from spanwise.kernel.sentences import is_white_space
from spanwise.markdown.parts import Budget, Part
from spanwise.markdown.runs import TINY, Runs
from spanwise.markdown.units import (
    BLOCK,
    GROUP,
    LINES,
    WORDS,
    Opener,
    Unit,
    is_heading,
    unclosed_fence,
)

_TRIES: Final = 3
"""How often a part may be filled with more than the guess."""
_SMALLEST: Final = 16
"""A budget below that many characters is not tried again with less."""


@final
class _Node:
    """The units still to be placed, as a list that can be gone back to."""

    __slots__ = ("rest", "unit")

    def __init__(self, unit: Unit, rest: "_Node | None") -> None:
        self.unit = unit
        self.rest = rest


@final
class Cutter:
    """Cuts the sections of one document."""

    def __init__(self, opener: Opener, budget: Budget, overlap: i64, mdx: bool) -> None:
        """Parts within `budget`, each repeating up to `overlap` characters of the one before."""
        self.text = opener.text
        self.opener = opener
        self.runs = Runs(opener)
        self.budget = budget
        self.overlap: i64 = overlap
        self.mdx = mdx
        self.end: i64 = 0
        self.path = ""
        self.pending: _Node | None = None
        self.carried = ""
        # What the last part was to hold.
        self.limit: i64 = 0
        # Where the words start that the last prefix repeats, or -1.
        self.repeated: i64 = -1

    def cut(self, start: i64, end: i64, first: i64, last: i64, path: str) -> list[Part]:
        """The parts of the section `[start, end)` with the blocks `first` to before `last`.

        Each begins with `path`. A heading is the first block, and stays with the one after it.
        """
        self.path = path
        self.end = end
        opener = self.opener
        opener.room = self.budget.room(path)
        if first < last:
            blocks = opener.blocks
            if is_heading(blocks.kind(first)):
                first = self._after_heading(start, first, last)
            unit = opener.group(start, end, first, last, -1)
        else:
            unit = Unit(LINES, start, end, end, 0, -1, -1, None, True, True, False, start + 1, end)
        self.pending = _Node(unit, None)
        self.carried = ""
        parts: list[Part] = []
        while self._is_left():
            parts.append(self._next(parts[-1] if parts else None))
        self._balance(parts)
        return parts

    def _after_heading(self, start: i64, heading: i64, last: i64) -> i64:
        """The block that the heading stays with; a few definitions before it go with it, too."""
        blocks = self.opener.blocks
        block = heading + 1
        while (
            block + 1 < last
            and blocks.kind(block) == DEFINITIONS
            and 2 * (blocks.end(block) - start) < self.budget.guess(start, self.path)
        ):
            block += 1
        return block if block < last else heading

    def _is_left(self) -> bool:
        return self.pending is not None

    def _next(self, before: Part | None) -> Part:
        """The next part; a try that turns out too big is taken back and filled with less.

        One that turns out far too small, before any was too big, is filled with more.
        """
        begin = self.pending
        assert begin is not None
        carried = self.carried
        limit = self.budget.guess(begin.unit.start, self.path)
        self.limit = limit
        tries = _TRIES
        closing = True
        while True:
            self.carried = carried
            part = self._fill(limit, before)
            self._seal(part, closing)
            smaller = self.budget.shrink(self.text, part, limit)
            if smaller == 0:
                larger = self.budget.grow(part, limit)
                if tries == 0 or larger <= limit or not self._is_left():
                    return part
                tries -= 1
                limit = larger
                self.pending = begin
                continue
            if limit <= _SMALLEST and not closing:
                return part
            tries = 0
            self.pending = begin
            limit = min(smaller, limit - 1)
            if limit <= _SMALLEST and closing:
                # A fence so long that there is no room to close it.
                closing = False
                limit = self.budget.guess(begin.unit.start, self.path)

    # -- filling ---------------------------------------------------------------------------------

    def _fill(self, limit: i64, before: Part | None) -> Part:
        """Take units until the next one does not fit."""
        units: list[Unit] = []
        lead = ""
        prefix = ""
        start: i64 = 0
        while self.pending is not None:
            unit = self.pending.unit
            if not units:
                start = unit.start
                lead = self._lead(unit)
                prefix = self._prefix(unit, lead, limit, before)
            closing = _closing(unit)
            added: i64 = len(prefix) + closing
            if added + unit.tail - start <= limit:
                units.append(unit)
                self.pending = self.pending.rest
                continue
            if units and self._alone(unit) <= limit:
                break
            if unit.kind == GROUP or unit.kind == BLOCK:
                self._push(self.opener.open(unit))
                continue
            room = limit - added - (unit.start - start)
            if units and unit.kind == WORDS and 2 * room < limit:
                break
            cut = self.runs.place(unit, room, self.end)
            if cut >= 0:
                self._push(self.runs.split(unit, cut))
                units.append(self.pending.unit)
                self.pending = self.pending.rest
                break
            if units:
                break
            finer = self.runs.finer(unit)
            if finer is not None:
                self._push(finer)
                continue
            self._push(self.runs.forced(unit, room))
            units.append(self.pending.unit)
            self.pending = self.pending.rest
            break
        return Part(units, lead, prefix, self._suffix(units[-1]), self.repeated)

    def _push(self, units: list[Unit]) -> None:
        """Put units in the place of the next one."""
        node = self.pending
        rest = node.rest if node is not None else None
        i: i64 = len(units) - 1
        while i >= 0:
            rest = _Node(units[i], rest)
            i -= 1
        self.pending = rest

    def _lead(self, unit: Unit) -> str:
        """What a part that begins with `unit` reopens."""
        wrap = unit.wrap
        if wrap is None:
            return self.carried
        if unit.opens:
            # What is cut, and no whole block, is read in its containers from the first part on.
            return wrap.context if unit.kind >= LINES and unit.start <= wrap.body else self.carried
        return wrap.opening if self._begins_line(unit.start) else wrap.opening + wrap.margin

    def _begins_line(self, i: i64) -> bool:
        code: i64 = LF if i == 0 else ord(self.text[i - 1])
        return code == LF or code == CR

    def _suffix(self, unit: Unit) -> str:
        return "" if unit.wrap is None or unit.closes else unit.wrap.closing

    def _alone(self, unit: Unit) -> i64:
        """Size of a part that holds just this unit, without overlap."""
        return len(self.path) + len(self._lead(unit)) + unit.tail - unit.start + _closing(unit)

    def _prefix(self, unit: Unit, lead: str, limit: i64, before: Part | None) -> str:
        """Path, overlap and what is reopened."""
        self.repeated = -1
        if self.overlap == 0 or before is None or lead or unit.keeps:
            return self.path + lead
        most = self.overlap
        alone = self._alone(unit)
        # What is new comes first; where it has to be cut anyway, it gets half of the room.
        room = limit - alone if alone <= limit else (limit - len(self.path)) // 2
        most = min(most, room)
        return self.path + self._repeated(before, unit, most)

    def _repeated(self, before: Part, unit: Unit, most: i64) -> str:
        """Whole words from the end of the part before, with the white space up to `unit`.

        Only the text of a paragraph is repeated, and only before text or a new block.
        """
        text = self.text
        last = before.units[-1]
        if last.keeps or self._suffix(last) or unit.kind == LINES:
            return ""
        end = before.end
        if text[end : unit.start].strip(" \t\r\n"):
            return ""
        blocks = self.opener.blocks
        block = self.opener.leaf_at(end - 1)
        if block < 0 or blocks.kind(block) != PARAGRAPH or blocks.end(block) < end:
            return ""
        if self.opener.is_table_block(block):
            return ""
        lowest = max(before.start, blocks.start(block))
        gap = unit.start - end
        start = self._word_start(max(lowest, end - (most - gap)), lowest, end)
        while start < end:
            allowed: i64 = self.budget.repeats(text[start : unit.start])
            if allowed >= unit.start - start:
                break
            start = self._word_start(unit.start - allowed, lowest, end)
        words = text[start:end]
        if not words or words.startswith(("```", "~~~")):
            return ""
        self.repeated = start
        return words + text[end : unit.start]

    def _word_start(self, start: i64, lowest: i64, end: i64) -> i64:
        """The first start of a word from `start` on, or `end`."""
        text = self.text
        while start < end and start > lowest and not is_white_space(ord(text[start - 1])):
            start += 1
        while start < end and is_white_space(ord(text[start])):
            start += 1
        return start

    # -- sealing ---------------------------------------------------------------------------------

    def _seal(self, part: Part, closing: bool = True) -> None:
        """Close a fence that the part would leave open when it is read alone.

        A block that was cut inside, read alone, can open fences that it did not open in place. What
        is closed here is reopened in the next part of the same block.
        """
        self.carried = ""
        first = part.units[0]
        last = part.units[-1]
        if not closing or (first.level <= 0 and last.level <= 0 and not self.path):
            return
        alone = part.text(self.text)
        if "```" not in alone and "~~~" not in alone:
            return
        open_fence = unclosed_fence(alone, self.mdx)
        if open_fence is None:
            return
        part.suffix += open_fence[1]
        following = self.pending
        if following is not None and following.unit.block == last.block and not _closing(last):
            self.carried = open_fence[0]

    # -- balancing -------------------------------------------------------------------------------

    def _balance(self, parts: list[Part]) -> None:
        """Move units into a last part of a few characters from the one before it."""
        count: i64 = len(parts)
        if count < 2:
            return
        last = parts[count - 1]
        before = parts[count - 2]
        limit = self.limit
        tiny = limit // TINY
        if last.end - last.start >= tiny or last.lead or (before.lead and len(before.units) < 2):
            return
        boundary = last.units[0].level
        keep: i64 = len(before.units) - 1
        while keep > 0 and before.units[keep].level <= boundary:
            moved = before.units[keep]
            if moved.start - before.start < tiny or (moved.wrap is not None and not moved.opens):
                break
            if last.end - moved.start >= tiny:
                self._move(parts, before.units[:keep], before.units[keep:] + last.units, limit)
                return
            keep -= 1
        self._move_sentences(parts, limit)

    def _move_sentences(self, parts: list[Part], limit: i64) -> None:
        """Move the last sentences of a paragraph, which ends the part before the last one."""
        opener = self.opener
        last = parts[-1]
        before = parts[-2]
        unit = before.units[-1]
        if unit.kind != BLOCK or opener.blocks.kind(unit.block) != PARAGRAPH:
            return
        if opener.is_table_block(unit.block):
            return
        run = opener.sentences(unit, unit.start, unit.end, unit.level)
        cut = self.runs.last_place(run, last.end - limit // TINY)
        if cut < before.start + limit // 2:
            return
        pieces = self.runs.halves(run, cut)
        if len(pieces) == 2:
            self._move(parts, [*before.units[:-1], pieces[0]], [pieces[1], *last.units], limit)

    def _move(self, parts: list[Part], earlier: list[Unit], units: list[Unit], limit: i64) -> None:
        """Let the last two parts be made of these units instead, if both fit then."""
        last = parts.pop()
        before = parts.pop()
        shorter = Part(earlier, before.lead, before.prefix, self._suffix(earlier[-1]))
        prefix = self._prefix(units[0], "", limit, shorter)
        longer = Part(units, "", prefix, last.suffix, self.repeated)
        self.pending = None
        self._seal(shorter)
        self._seal(longer)
        budget = self.budget
        if (
            budget.shrink(self.text, shorter, limit) == 0
            and budget.shrink(self.text, longer, limit) == 0
        ):
            parts.append(shorter)
            parts.append(longer)
        else:
            parts.append(before)
            parts.append(last)


def _closing(unit: Unit) -> i64:
    """Code points that close what the unit leaves open."""
    return 0 if unit.wrap is None or unit.closes else len(unit.wrap.closing)
