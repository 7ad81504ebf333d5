"""OpenDocument text (.odt): headings, lists and numbers as printed, tables, notes, links, code.

A region is `{"part", "paragraph", "id", "start", "end"}` as for Word: the part is `content.xml`, a
paragraph is one of its `text:p` and `text:h` elements from 1 in the order of the XML, the id is its
`xml:id` or null, and the span counts characters of its text (see `inlines`). Tracked deletions,
comments, headers and footers are left out.
"""

from collections.abc import Sequence

from spanwise.document import Document, Region
from spanwise.errors import UnreadableSource
from spanwise.formats import Settings
from spanwise.formats.archive import Package
from spanwise.formats.depth import deep
from spanwise.formats.odt.inlines import printed
from spanwise.formats.odt.reading import BLOCKS, PARAGRAPHS, PART, SPACES, Reader
from spanwise.formats.xml import Limits, elements

MEDIA_TYPE = "application/vnd.oasis.opendocument.text"
KIND = "text document (ODT)"


def read(data: bytes, settings: Settings) -> Document:
    """The document of an ODT file."""
    with deep(settings.max_depth):
        return Reader(Package(data, settings, KIND), settings).document(MEDIA_TYPE)


def reread(data: bytes, regions: Sequence[Region], settings: Settings) -> str:
    """The text at `regions`, taken from the XML."""
    package = Package(data, settings, KIND)
    numbers = {region["paragraph"] for region in regions}
    texts: dict[int, str] = {}
    count = 0
    with deep(settings.max_depth):
        for block in elements(package.read(PART), SPACES, Limits(settings), PART, BLOCKS):
            for element in block.walk():
                if element.name in PARAGRAPHS:
                    count += 1
                    if count in numbers:
                        texts[count] = printed(element)
    found = []
    for region in regions:
        text = texts.get(region["paragraph"])
        if text is None:
            raise UnreadableSource(f"{PART}: there is no paragraph {region['paragraph']}")
        found.append(text[region["start"] : region["end"]])
    return "\n".join(found)
