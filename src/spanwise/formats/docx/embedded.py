"""Documents that are embedded in a Word file as a part of its text (`altChunk`)."""

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from spanwise.document import Notice, Pages, Region, Stretch
from spanwise.formats import Settings
from spanwise.formats.docx.notes import Counts
from spanwise.formats.html.decoding import decoded
from spanwise.formats.html.parsing import Parsed, parse
from spanwise.formats.html.places import Spans
from spanwise.formats.html.reading import PageReader
from spanwise.formats.places import Texts
from spanwise.formats.writer import Writer

MAX_EMBEDDED: Final = 500
"""Documents in a file that are read, each time that the text asks for one."""
_SHIFT: Final = 32
"""Origins of the paragraphs are below 1 << 32, those of the page n from n << 32 on."""


def parsed(data: bytes, settings: Settings) -> Parsed:
    """The tree of a page."""
    return parse(decoded(data), max_depth=settings.max_depth, max_objects=settings.max_objects)


class Places:
    """The paragraphs of a file, and the pages that are embedded."""

    def __init__(self, texts: Texts) -> None:
        """`texts` are the paragraphs."""
        self._texts = texts
        self._pages: list[tuple[Region, Spans]] = []

    def write(self, place: Region, data: bytes, writer: Writer, settings: Settings) -> None:
        """Write a page; `place` is what its regions begin with."""
        first = (len(self._pages) + 1) << _SHIFT
        page = PageReader(
            parsed(data, settings), writer, settings, everything=True, first_origin=first
        )
        page.read()
        self._pages.append((place, page.spans))

    def regions(self, stretches: Sequence[Stretch]) -> list[Region]:
        """Paragraphs with spans in them; for pages the part and what HTML has for regions."""
        found: list[Region] = []
        for number, group in groupby(stretches, lambda stretch: stretch.origin >> _SHIFT):
            if number == 0:
                found.extend(self._texts.regions([*group]))
                continue
            place, spans = self._pages[number - 1]
            first = number << _SHIFT
            own = [stretch._replace(origin=stretch.origin - first) for stretch in group]
            found.extend({**place, **region} for region in spans.regions(own))
        return found

    def pages(self, stretches: Sequence[Stretch]) -> Pages | None:
        """A text that flows has none."""
        return None


class Output:
    """What a file is written to, with all that is embedded in it."""

    def __init__(self) -> None:
        """Nothing is written yet."""
        self.writer = Writer()
        self.texts = Texts()
        self.places = Places(self.texts)
        self.notices: list[Notice] = []
        self.counts: Counts = {}
        self.embedded = 0

    def leave_out(self, message: str) -> None:
        """Tell that something is not read."""
        notice: Notice = {"code": "left_out", "page": None, "message": message}
        if notice not in self.notices:
            self.notices.append(notice)
