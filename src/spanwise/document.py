"""The document: canonical Markdown text, and where each stretch of it comes from.

Whatever a file is, what is cut is one text. Its segments say which stretches were taken from the
original, and from which place there; what lies between segments was added to make it Markdown
(heading marks, table pipes, blank lines). Where a chunk comes from is computed from its span by
bisection; nothing is carried along.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, TypedDict

Region = dict[str, Any]
"""A place in an original; the keys are those of its format, see the modules of `formats`."""


class Segment(NamedTuple):
    """`text[start:end]` stands in the original at `origin`, from its character `offset` on.

    The characters are the same, one for one: a cut inside of a segment is a cut inside of its
    origin.
    """

    start: int
    end: int
    origin: int
    offset: int


class Stretch(NamedTuple):
    """The characters `start` to before `end` of an origin."""

    origin: int
    start: int
    end: int


class Notice(TypedDict):
    """Something a reader of the document should know."""

    code: str
    """`needs_ocr`, `garbled_text`, ..."""
    page: int | None
    message: str


class Pages(TypedDict):
    """The pages that a stretch of text is on."""

    first: int
    """From 1, in the order of the file."""
    last: int
    labels: list[str]
    """What is printed on them, from the first to the last; the number where nothing is."""


class Places(Protocol):
    """The origins of a document: what a format knows about where its text stands."""

    def regions(self, stretches: Sequence[Stretch]) -> list[Region]:
        """The places of these stretches, in order, those that touch made one."""

    def pages(self, stretches: Sequence[Stretch]) -> Pages | None:
        """The pages that they are on; None for a format without pages."""


class Document:
    """The text of one file, and where it comes from."""

    __slots__ = ("_starts", "media_type", "notices", "places", "segments", "text", "title")

    def __init__(
        self,
        text: str,
        media_type: str,
        title: str,
        segments: list[Segment],
        places: Places,
        notices: list[Notice],
    ) -> None:
        """`segments` ascend and do not overlap."""
        self.text = text
        self.media_type = media_type
        self.title = title
        self.segments = segments
        self.places = places
        self.notices = notices
        self._starts = [segment.start for segment in segments]

    def stretches(self, start: int, end: int) -> list[Stretch]:
        """What of `text[start:end]` comes from the original, in order."""
        first = max(0, bisect_right(self._starts, start) - 1)
        last = bisect_left(self._starts, end)
        found = []
        for segment in self.segments[first:last]:
            low = max(start, segment.start)
            high = min(end, segment.end)
            if low < high:
                shift = segment.offset - segment.start
                found.append(Stretch(segment.origin, low + shift, high + shift))
        return found

    def own_text(self, start: int, end: int) -> str:
        """What of `text[start:end]` comes from the original, a blank where something was added."""
        first = max(0, bisect_right(self._starts, start) - 1)
        last = bisect_left(self._starts, end)
        parts = []
        for segment in self.segments[first:last]:
            low = max(start, segment.start)
            high = min(end, segment.end)
            if low < high:
                parts.append(self.text[low:high])
        return " ".join(parts)

    def regions(self, start: int, end: int) -> list[Region]:
        """The places in the original that `text[start:end]` comes from."""
        return self.places.regions(self.stretches(start, end))

    def pages(self, start: int, end: int) -> Pages | None:
        """The pages that `text[start:end]` is on; None where there are none."""
        return self.places.pages(self.stretches(start, end))
