"""PowerPoint (.pptx): slides with their titles, lists, tables, diagrams, charts and notes.

A region is `{"slide", "part", "paragraph", "start", "end"}`: the slide from 1 in the order they
are shown, the part of the package that holds the text (the slide itself, its notes, a diagram or a
chart), the paragraph in it (its `a:p` elements, and the `c:v` of a chart, from 1, in the order of
the XML), and a span of characters of the paragraph. The pages of a chunk are its slides. Slides
that are hidden, dates, footers and slide numbers are left out (the last three unless
`keep_furniture` is asked for). Notes are a quote. A slide with text and without a title is called
`Slide 3`, so that it does not count to the one before. A chart is a table of its data.
"""

from collections.abc import Sequence
from functools import lru_cache

from spanwise.document import Document, Region
from spanwise.formats import Settings
from spanwise.formats.depth import deep
from spanwise.formats.drawings import TEXTS, drawn
from spanwise.formats.office import Office, paragraph_text
from spanwise.formats.pptx.reading import Reader

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
KIND = "presentation (PPTX)"


def read(data: bytes, settings: Settings) -> Document:
    """The document of a presentation."""
    with deep(settings.max_depth):
        return Reader(Office(data, settings, KIND), settings).document(MEDIA_TYPE)


def reread(data: bytes, regions: Sequence[Region], settings: Settings) -> str:
    """The text at `regions`, taken from the XML of the parts."""
    texts = _texts(data, settings)
    return "\n".join(paragraph_text(region, texts.of(region["part"])) for region in regions)


class _Texts:
    """The texts of the paragraphs of each part."""

    def __init__(self, office: Office, max_depth: int) -> None:
        self._office = office
        self._max_depth = max_depth
        self._parts: dict[str, list[str]] = {}

    def of(self, part: str) -> list[str]:
        if part not in self._parts:
            with deep(self._max_depth):
                self._parts[part] = [
                    "".join(text for text, _ in drawn(element))
                    for element in self._office.tree(part).walk()
                    if element.name in TEXTS
                ]
        return self._parts[part]


@lru_cache(maxsize=1)  # the chunks of a file are asked for one after the other
def _texts(data: bytes, settings: Settings) -> _Texts:
    return _Texts(Office(data, settings, KIND), settings.max_depth)
