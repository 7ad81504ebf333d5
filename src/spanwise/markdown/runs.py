"""Runs: text without blocks in it, and the places where it can be cut.

A run is cut between lines, or between sentences, or between words, and where there is no word that
fits, between grapheme clusters.
"""

from typing import Final, final

from mypy_extensions import i64

from spanwise.kernel.chars import CR, LF, SPACE, TAB
from spanwise.kernel.graphemes import inside_cluster, last_cut
from spanwise.kernel.lines import after_ending
from spanwise.kernel.sentences import is_white_space
from spanwise.markdown.units import LINES, SENTENCES, WORDS, Opener, Unit

TINY: Final = 8
"""Less than one eighth of the size is a crumb."""


@final
class Runs:
    """Cuts the runs of one document."""

    def __init__(self, opener: Opener) -> None:
        """`opener` knows the text and its blocks."""
        self.text = opener.text
        self.opener = opener

    def place(self, unit: Unit, room: i64, end: i64) -> i64:
        """Where to cut a run so that its first piece fits into `room`, or -1.

        `end` is where the section ends.
        """
        cut = self.last_place(unit, unit.start + room)
        if cut < 0:
            return -1
        # No crumb is left behind where an earlier cut avoids it.
        tiny = room // TINY
        if end - cut < tiny:
            earlier = self.last_place(unit, end - tiny)
            if earlier > unit.start + room // 2:
                return earlier
        return cut

    def last_place(self, unit: Unit, limit: i64) -> i64:
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

    def finer(self, unit: Unit) -> list[Unit] | None:
        """What stands for a run of which not even the first piece fits: a finer one and the rest.

        None when there is nothing finer.
        """
        opener = self.opener
        if unit.kind == LINES:
            end = self._first_line_end(unit)
            if unit.keeps:
                first = self._piece(unit, WORDS, unit.start, end, None)
            else:
                marks = opener.marks(unit.start, end)
                first = self._piece(unit, SENTENCES, unit.start, end, marks)
            return self._with_rest(unit, first, end, LINES)
        if unit.kind == SENTENCES:
            end = unit.end
            for mark in unit.marks or []:
                if mark > unit.start and mark >= unit.lowest:
                    end = mark
                    break
            first = self._piece(unit, WORDS, unit.start, end, None)
            return self._with_rest(unit, first, end, SENTENCES)
        if unit.wrap is None and not unit.keeps and self._is_blank(unit.start):
            rest = self._with_rest(unit, unit, unit.start, unit.kind)[1:]
            if not rest or rest[0].start > unit.start:
                return rest
        return None

    def forced(self, unit: Unit, room: i64) -> list[Unit]:
        """A run cut where `room` ends, whatever is there, if it can be cut at all."""
        lowest = max(unit.lowest, unit.start + 1)
        highest = min(unit.start + max(1, room), unit.end)
        if highest >= unit.end:
            return [unit]
        return self._after_heading(unit, highest) or self.split(
            unit, last_cut(self.text, min(lowest, highest), highest)
        )

    def _after_heading(self, unit: Unit, highest: i64) -> list[Unit]:
        """A run cut after the heading that it starts with, if that ends by `highest`, or nothing.

        A heading alone is better than a cut inside a word.
        """
        if unit.block < 0 or not unit.opens:
            return []
        opener = self.opener
        body = opener.line_start(opener.blocks.start(unit.block))
        if not unit.start < body <= highest:
            return []
        tail = opener.trimmed(unit.start, body)
        rest = Unit(
            unit.kind, body, unit.end, unit.tail, unit.level, unit.block, -1, unit.wrap, True,
            unit.closes, unit.keeps, unit.lowest, unit.highest, unit.marks,
        )  # fmt: skip
        return [Unit(WORDS, unit.start, body, tail, unit.level, unit.block), rest]

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

    def split(self, unit: Unit, cut: i64) -> list[Unit]:
        """What of a run comes before and after `cut`; a line ending goes with its line."""
        if cut < unit.end and (ord(self.text[cut]) == LF or ord(self.text[cut]) == CR):
            cut = after_ending(self.text, cut, unit.end)
        return self.halves(unit, cut)

    def halves(self, unit: Unit, cut: i64) -> list[Unit]:
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
