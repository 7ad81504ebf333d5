"""Cutting a section that is too big into parts, each at the highest boundary that fits.

Parts are filled in order. What does not fit into the rest of a part but into one of its own is left
whole for the next; what fits into none is opened, or cut if it is a run, and goes on filling.
"""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from spanwise.kernel.chars import CR, LF, SPACE, TAB
from spanwise.kernel.graphemes import inside_cluster, last_cut
from spanwise.kernel.lines import after_ending
from spanwise.kernel.records import DEFINITIONS, PARAGRAPH
from spanwise.kernel.sentences import is_white_space
from spanwise.markdown.units import (
    BLOCK,
    GROUP,
    LINES,
    SENTENCES,
    WORDS,
    Opener,
    Room,
    Unit,
    is_heading,
    unclosed_fence,
)

_TINY: Final = 8
"""A part of less than one eighth of the size is balanced against the one before it."""
_TRIES: Final = 3
"""How often a part may be filled with more than the guess."""
_SMALLEST: Final = 16
"""A budget below that many characters is not tried again with less."""


@final
@mypyc_attr(acyclic=True)
class Part:
    """A part of a section: its span, what is added to it, and what it is made of."""

    __slots__ = ("end", "lead", "prefix", "repeated", "start", "suffix", "tokens", "units")

    def __init__(
        self, units: list[Unit], lead: str, prefix: str, suffix: str, repeated: i64 = -1
    ) -> None:
        """`prefix` ends with `lead`, which reopens a fence or table.

        repeated: where the end of the part before begins that `prefix` repeats, or -1.
        """
        self.units = units
        self.lead = lead
        self.prefix = prefix
        self.suffix = suffix
        self.start: i64 = units[0].start
        self.end: i64 = units[-1].tail
        self.tokens: i64 = -1
        self.repeated: i64 = repeated

    def taken(self) -> list[int]:
        """Starts and ends of what of the prefix stands in the source: overlap, table header."""
        wrap = self.units[0].wrap
        if self.repeated >= 0:
            return [self.repeated, self.start]
        if self.lead and wrap is not None and wrap.head >= 0 and self.start >= wrap.body:
            return [wrap.head, wrap.body]
        return []

    def size(self) -> i64:
        """Code points of the whole part."""
        return len(self.prefix) + self.end - self.start + len(self.suffix)

    def text(self, source: str) -> str:
        """The whole part, as it is read alone."""
        return self.prefix + source[self.start : self.end] + self.suffix


@final
class _Node:
    """The units still to be placed, as a list that can be gone back to."""

    __slots__ = ("rest", "unit")

    def __init__(self, unit: Unit, rest: "_Node | None") -> None:
        self.unit = unit
        self.rest = rest


class Budget(Room):
    """How much a part may hold: code points, and whatever else a subclass counts."""

    def __init__(self, max_chars: int) -> None:
        """At most `max_chars` code points."""
        super().__init__(max_chars)
        self.max_chars = max_chars

    def room(self, path: str) -> Room:
        """Half of what a part has beside `path`: the most that may be repeated in each part."""
        return Room((self.max_chars - len(path)) // 2)

    def guess(self, start: i64, path: str) -> int:
        """Code points to fill a part with that begins with `path` and goes on at `start`."""
        return self.max_chars

    def repeats(self, words: str) -> int:
        """How many characters at the end of `words` may be repeated in the next part."""
        return len(words)

    def grow(self, part: Part, limit: int) -> int:
        """More code points to try a part with that is far too small, else 0."""
        return 0

    def shrink(self, source: str, part: Part, limit: int) -> int:
        """0 when the part is small enough, else the fewer code points to try it again with."""
        excess = part.size() - self.max_chars
        if excess <= 0:
            return 0
        # What was added may be as long as the part itself, and shrinks with it.
        return max(limit - excess, limit // 2)


@final
class Cutter:
    """Cuts the sections of one document."""

    def __init__(self, opener: Opener, budget: Budget, overlap: i64, mdx: bool) -> None:
        """Parts within `budget`, each repeating up to `overlap` characters of the one before."""
        self.text = opener.text
        self.opener = opener
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
            cut = self._place(unit, room)
            if cut >= 0:
                self._split(unit, cut)
                units.append(self.pending.unit)
                self.pending = self.pending.rest
                break
            if units:
                break
            if not self._refine(unit, room):
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

    # -- runs ------------------------------------------------------------------------------------

    def _place(self, unit: Unit, room: i64) -> i64:
        """Where to cut a run so that its first piece fits into `room`, or -1."""
        cut = self._last_place(unit, unit.start + room)
        if cut < 0:
            return -1
        # No crumb is left behind where an earlier cut avoids it.
        tiny = room // _TINY
        if self.end - cut < tiny:
            earlier = self._last_place(unit, self.end - tiny)
            if earlier > unit.start + room // 2:
                return earlier
        return cut

    def _last_place(self, unit: Unit, limit: i64) -> i64:
        """The last cut of a run whose first piece ends at or before `limit`, or -1."""
        if limit <= unit.start:
            return -1
        if unit.kind == LINES:
            return self._last_line(unit, limit)
        if unit.kind == SENTENCES:
            return self._last_mark(unit, limit)
        return self._last_blank(unit, limit)

    def _last_line(self, unit: Unit, limit: i64) -> i64:
        text = self.text
        highest = unit.highest if unit.highest > 0 else unit.end
        lowest = max(unit.lowest, unit.start + 1)
        if highest < lowest:
            return -1
        # A line may end just at the limit: its ending is not part of the piece.
        i = min(limit, unit.end - 1)
        if i >= highest:
            return highest
        while i >= lowest - 1:
            code: i64 = ord(text[i])
            if code == LF:
                return (
                    i + 1
                    if i + 1 >= lowest and (i < limit or not self._after_cr(i))
                    else (self._earlier_line(unit, i - 1, lowest))
                )
            if code == CR:
                cut = i + 2 if i + 1 < len(text) and ord(text[i + 1]) == LF else i + 1
                return cut if lowest <= cut <= highest else -1
            i -= 1
        return -1

    def _after_cr(self, i: i64) -> bool:
        return i > 0 and ord(self.text[i - 1]) == CR

    def _earlier_line(self, unit: Unit, limit: i64, lowest: i64) -> i64:
        return self._last_line(unit, limit) if limit >= lowest - 1 else -1

    def _last_mark(self, unit: Unit, limit: i64) -> i64:
        """The last sentence boundary whose sentence, blanks at its end aside, ends by `limit`."""
        marks = unit.marks
        if marks is None:
            return -1
        low: i64 = 0
        high: i64 = len(marks)
        while low < high:
            middle = (low + high) // 2
            if marks[middle] <= limit:
                low = middle + 1
            else:
                high = middle
        if low < len(marks) and self._without_blanks(unit.start, marks[low]) <= limit:
            low += 1
        if low == 0:
            return -1
        cut: i64 = marks[low - 1]
        return cut if unit.lowest <= cut < unit.end and cut > unit.start else -1

    def _last_blank(self, unit: Unit, limit: i64) -> i64:
        """The last place after white space; in code the white space has to fit, too."""
        text = self.text
        lowest = max(unit.lowest, unit.start + 1)
        i = min(limit, unit.end - 1)
        if not unit.keeps and is_white_space(ord(text[i])):
            i += 1
        while i >= lowest:
            if is_white_space(ord(text[i - 1])) and not inside_cluster(text, i):
                # Blanks alone are no piece.
                return i if self._without_blanks(unit.start, i) > unit.start else -1
            i -= 1
        return -1

    def _without_blanks(self, start: i64, end: i64) -> i64:
        while end > start and is_white_space(ord(self.text[end - 1])):
            end -= 1
        return end

    def _refine(self, unit: Unit, room: i64) -> bool:
        """Replace a run of which not even the first piece fits by a finer one and the rest.

        False when there is nothing finer: then it is cut where `room` ends, if it can be.
        """
        opener = self.opener
        if unit.kind == LINES:
            end = self._first_line_end(unit)
            if unit.keeps:
                first = self._piece(unit, WORDS, unit.start, end, None)
            else:
                marks = opener.marks(unit.start, end)
                first = self._piece(unit, SENTENCES, unit.start, end, marks)
            self._push(self._with_rest(unit, first, end, LINES))
            return True
        if unit.kind == SENTENCES:
            end = unit.end
            for mark in unit.marks or []:
                if mark > unit.start and mark >= unit.lowest:
                    end = mark
                    break
            first = self._piece(unit, WORDS, unit.start, end, None)
            self._push(self._with_rest(unit, first, end, SENTENCES))
            return True
        if unit.wrap is None and not unit.keeps and self._is_blank(unit.start):
            rest = self._with_rest(unit, unit, unit.start, unit.kind)[1:]
            if not rest or rest[0].start > unit.start:
                self._push(rest)
                return True
        lowest = max(unit.lowest, unit.start + 1)
        highest = min(unit.start + max(1, room), unit.end)
        if highest >= unit.end:
            return False
        if self._split_heading(unit, highest):
            return False
        self._split(unit, last_cut(self.text, min(lowest, highest), highest))
        return False

    def _split_heading(self, unit: Unit, highest: i64) -> bool:
        """Cut a run after the heading that it starts with, if that ends by `highest`.

        A heading alone is better than a cut inside a word.
        """
        if unit.block < 0 or not unit.opens:
            return False
        opener = self.opener
        body = opener.line_start(opener.blocks.start(unit.block))
        if not unit.start < body <= highest:
            return False
        tail = opener.trimmed(unit.start, body)
        rest = Unit(
            unit.kind, body, unit.end, unit.tail, unit.level, unit.block, -1, unit.wrap, True,
            unit.closes, unit.keeps, unit.lowest, unit.highest, unit.marks,
        )  # fmt: skip
        self._push([Unit(WORDS, unit.start, body, tail, unit.level, unit.block), rest])
        return True

    def _first_line_end(self, unit: Unit) -> i64:
        """Where the first line of a run ends that has to stay whole, its ending included."""
        if unit.opens and unit.lowest > unit.start + 1:
            return min(unit.lowest, unit.end)
        end = self.opener.line_end(max(unit.start, unit.lowest - 1))
        text = self.text
        if end + 1 < len(text) and ord(text[end]) == CR and ord(text[end + 1]) == LF:
            end += 1
        return min(end + 1, unit.end)

    def _piece(self, unit: Unit, kind: i64, start: i64, end: i64, marks: list[int] | None) -> Unit:
        """`[start, end)` of a run, whose beginning, if it is that, is not cut."""
        whole = end == unit.end
        closes = unit.closes if whole else unit.wrap is None
        tail = unit.tail if whole else self._tail(unit, start, end)
        opens = unit.opens and start == unit.start
        lowest = start + 1
        if opens and unit.wrap is not None:
            lowest = max(lowest, unit.wrap.body + 1)
        elif opens and unit.block >= 0:
            lowest = max(lowest, self.opener.blocks.start(unit.block) + 1)
        return Unit(
            kind, start, end, tail, unit.level + 1, unit.block, -1, unit.wrap, opens, closes,
            unit.keeps, min(lowest, end), end, marks,
        )  # fmt: skip

    def _tail(self, unit: Unit, start: i64, end: i64) -> i64:
        """Where a piece ends: code keeps all but its last line ending."""
        if not unit.keeps:
            return self.opener.trimmed(start, end)
        text = self.text
        if ord(text[end - 1]) == LF:
            return end - 2 if end - 1 > start and ord(text[end - 2]) == CR else end - 1
        return end - 1 if ord(text[end - 1]) == CR else end

    def _split(self, unit: Unit, cut: i64) -> None:
        """Replace a run by what comes before and after `cut`; a line ending goes with its line."""
        if cut < unit.end and (ord(self.text[cut]) == LF or ord(self.text[cut]) == CR):
            cut = after_ending(self.text, cut, unit.end)
        self._push(self._halves(unit, cut))

    def _halves(self, unit: Unit, cut: i64) -> list[Unit]:
        """What of a run comes before and after `cut`."""
        kind = unit.kind
        first = Unit(
            kind, unit.start, cut, self._tail(unit, unit.start, cut), unit.level, unit.block, -1,
            unit.wrap, unit.opens, unit.wrap is None, unit.keeps, unit.lowest, cut, unit.marks,
        )  # fmt: skip
        return self._with_rest(unit, first, cut, kind)

    def _with_rest(self, unit: Unit, first: Unit, cut: i64, kind: i64) -> list[Unit]:
        """`first`, and after it a run of what of `unit` comes after `cut`."""
        if cut >= unit.end:
            return [first]
        start = cut
        if not unit.keeps and kind != LINES:
            while start < unit.end and self._is_blank(start):
                if inside_cluster(self.text, start + 1):
                    break
                start += 1
        level = max(unit.level, 1) if kind == LINES else unit.level + 1
        lowest = start + 1
        if unit.keeps and kind == LINES:
            # No part of blank lines alone.
            while lowest < unit.end and is_white_space(ord(self.text[lowest - 1])):
                lowest += 1
        rest = Unit(
            kind, start, unit.end, unit.tail, level, unit.block, -1, unit.wrap, False, unit.closes,
            unit.keeps, lowest, unit.highest, unit.marks,
        )  # fmt: skip
        return [first, rest] if start < unit.tail else [first]

    def _is_blank(self, i: i64) -> bool:
        code: i64 = ord(self.text[i])
        return code == SPACE or code == TAB

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
        tiny = limit // _TINY
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
        cut = self._last_place(run, last.end - limit // _TINY)
        if cut < before.start + limit // 2:
            return
        pieces = self._halves(run, cut)
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
