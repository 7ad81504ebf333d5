"""OpenDocument text (.odt): headings, lists with their numbers, tables, notes, links, code.

The numbers that a file computes for its headings are not in their text, and are written only where
`heading_numbers` asks for them.

A region is `{"part", "paragraph", "id", "start", "end"}` as for Word: the part is `content.xml`, a
paragraph is one of its `text:p` and `text:h` elements from 1 in the order of the XML, the id is its
`xml:id` or null, and the span counts characters of its text (see `inlines`). Tracked deletions,
comments, headers and footers are left out.
"""

from collections.abc import Sequence
from functools import lru_cache

from spanwise.document import Document, Region
from spanwise.errors import UnreadableSource
from spanwise.formats import Settings
from spanwise.formats.archive import Package
from spanwise.formats.depth import deep
from spanwise.formats.odt.formulas import Formulas
from spanwise.formats.odt.inlines import printed
from spanwise.formats.odt.reading import BLOCKS, PARAGRAPHS, PART, Reader
from spanwise.formats.odt.spaces import SPACES
from spanwise.formats.xml import Limits, elements

MEDIA_TYPE = "application/vnd.oasis.opendocument.text"
KIND = "text document (ODT)"


def read(data: bytes, settings: Settings) -> Document:
    """The document of an ODT file."""
    with deep(settings.max_depth):
        return Reader(Package(data, settings, KIND), settings).document(MEDIA_TYPE)


def reread(data: bytes, regions: Sequence[Region], settings: Settings) -> str:
    """The text at `regions`, taken from the XML."""
    texts = _texts(data, settings)
    found = []
    for region in regions:
        if not 0 < region["paragraph"] <= len(texts):
            raise UnreadableSource(f"{PART}: there is no paragraph {region['paragraph']}")
        found.append(texts[region["paragraph"] - 1][region["start"] : region["end"]])
    return "\n".join(found)


@lru_cache(maxsize=1)  # the chunks of a file are asked for one after the other
def _texts(data: bytes, settings: Settings) -> list[str]:
    """The texts of all paragraphs."""
    package = Package(data, settings, KIND)
    limits = Limits(settings)
    formulas = Formulas(package, limits)
    blocks = elements(package.read(PART), SPACES, limits, PART, BLOCKS)
    with deep(settings.max_depth):
        return [
            printed(element, formulas)
            for block in blocks
            for element in block.walk()
            if element.name in PARAGRAPHS
        ]
