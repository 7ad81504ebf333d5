"""Parts of a section, and how much one may hold."""

from typing import final

from mypy_extensions import i64

from spanwise.markdown.units import Room, Unit


@final
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
