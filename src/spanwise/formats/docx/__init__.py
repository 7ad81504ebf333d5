"""Word (.docx): headings, lists with their numbers, tables, notes, links, code.

The numbers that a file computes for its headings are not in their text, and are written only where
`heading_numbers` asks for them.

A region is `{"part", "paragraph", "id", "start", "end"}`: the name of the part in the package, the
paragraph in it (its `w:p` elements from 1, in the order of the XML, those in tables and text boxes
included), what Word calls it (`w14:paraId`, or null), and a span of characters in the text of the
paragraph (see `inlines`). A page of HTML that is embedded (`altChunk`) is read, too; a region of it
is `{"part", "start", "end", "element"}`, as in a page of its own. Comments, deletions, hidden text,
headers and footers are left out.
"""

from collections.abc import Sequence
from functools import lru_cache

from spanwise.document import Document, Region
from spanwise.formats import Settings
from spanwise.formats.depth import deep
from spanwise.formats.docx.embedded import parsed
from spanwise.formats.docx.inlines import printed
from spanwise.formats.docx.reading import BLOCKS, Reader
from spanwise.formats.docx.styles import Styles
from spanwise.formats.html.places import Texts
from spanwise.formats.office import SPACES, Office, paragraph_text
from spanwise.formats.xml import elements

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
KIND = "Word document"


def read(data: bytes, settings: Settings) -> Document:
    """The document of a Word file."""
    with deep(settings.max_depth):
        return Reader(Office(data, settings, KIND), settings).document(MEDIA_TYPE)


def reread(data: bytes, regions: Sequence[Region], settings: Settings) -> str:
    """The text at `regions`, taken from the XML of the parts."""
    texts = _texts(data, settings)
    return "\n".join(
        paragraph_text(region, texts.of(region["part"]))
        if "paragraph" in region
        else texts.page(region["part"]).at(region)
        for region in regions
    )


class _Texts:
    """The texts of the paragraphs of each part."""

    def __init__(self, office: Office, settings: Settings) -> None:
        self._office = office
        self._settings = settings
        self._styles = Styles(office.tree_of(office.targets(office.main()), "styles"))
        self._parts: dict[str, list[str]] = {}
        self._pages: dict[str, Texts] = {}

    def page(self, part: str) -> Texts:
        """The texts of an embedded page."""
        if part not in self._pages:
            data = self._office.package.read(part)
            self._pages[part] = Texts(parsed(data, self._settings).pieces)
        return self._pages[part]

    def of(self, part: str) -> list[str]:
        """The texts of the paragraphs of a part."""
        if part not in self._parts:
            office = self._office
            blocks = elements(office.package.read(part), SPACES, office.limits, part, BLOCKS)
            with deep(self._settings.max_depth):
                self._parts[part] = [
                    printed(element, self._styles)
                    for block in blocks
                    for element in block.walk()
                    if element.name == "w:p"
                ]
        return self._parts[part]


@lru_cache(maxsize=1)  # the chunks of a file are asked for one after the other
def _texts(data: bytes, settings: Settings) -> _Texts:
    return _Texts(Office(data, settings, KIND), settings)
