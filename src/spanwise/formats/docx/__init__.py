"""Word (.docx): headings, lists with their numbers, tables, notes, links, code.

Headings are what styles and outline levels say, and where they say nothing what looks like one (see
`prominence`). The numbers that a file computes for its headings are not in their text, and are
written only where `heading_numbers` asks for them.

A region is `{"part", "paragraph", "id", "start", "end"}`: the name of the part in the package, the
paragraph in it (its `w:p` elements from 1, in the order of the XML, those in tables and text boxes
included), what Word calls it (`w14:paraId`, or null), and a span of characters in the text of the
paragraph (see `inlines`). Diagrams and charts are parts of their own, whose paragraphs are the
`a:p` and `c:v` elements. What is embedded (`altChunk`) is read, too: a region of a page of HTML is
`{"part", "start", "end", "element"}`, as in a page of its own, and one of a Word file has `inner`,
the name of the part in that file. Comments, deletions, hidden text, headers and footers are left
out.
"""

from collections.abc import Sequence
from functools import lru_cache

from spanwise.document import Document, Region
from spanwise.formats import Settings
from spanwise.formats.depth import deep
from spanwise.formats.docx.embedded import parsed
from spanwise.formats.docx.inlines import printed
from spanwise.formats.docx.reading import BLOCKS, KIND, Reader
from spanwise.formats.docx.styles import Styles
from spanwise.formats.drawings import TEXTS, drawn
from spanwise.formats.html.places import Texts
from spanwise.formats.office import SPACES, Office, paragraph_text
from spanwise.formats.xml import elements

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def read(data: bytes, settings: Settings) -> Document:
    """The document of a Word file."""
    with deep(settings.max_depth):
        return Reader(Office(data, settings, KIND), settings).document(MEDIA_TYPE)


def reread(data: bytes, regions: Sequence[Region], settings: Settings) -> str:
    """The text at `regions`, taken from the XML of the parts."""
    texts = _texts(data, settings)
    return "\n".join(texts.at(region) for region in regions)


class _Texts:
    """The texts of the paragraphs of each part, of embedded pages and of embedded files."""

    def __init__(self, office: Office, settings: Settings) -> None:
        self._office = office
        self._settings = settings
        self._styles = Styles(office.tree_of(office.targets(office.main()), "styles"))
        self._parts: dict[str, list[str]] = {}
        self._pages: dict[str, Texts] = {}
        self._files: dict[str, _Texts] = {}

    def at(self, region: Region) -> str:
        """What stands at a region."""
        part = region["part"]
        if "inner" in region:
            if part not in self._files:
                data = self._office.package.read(part)
                office = Office(data, self._settings, KIND, self._office)
                self._files[part] = _Texts(office, self._settings)
            inside = {key: value for key, value in region.items() if key not in ("part", "inner")}
            return self._files[part].at({"part": region["inner"], **inside})
        if "paragraph" in region:
            return paragraph_text(region, self._paragraphs(part))
        if part not in self._pages:
            data = self._office.package.read(part)
            self._pages[part] = Texts(parsed(data, self._settings).pieces)
        return self._pages[part].at(region)

    def _paragraphs(self, part: str) -> list[str]:
        """The texts of the paragraphs of a part, or of a drawing."""
        if part not in self._parts:
            office = self._office
            wanted = BLOCKS | TEXTS
            blocks = elements(office.package.read(part), SPACES, office.limits, part, wanted)
            texts = self._parts[part] = []
            with deep(self._settings.max_depth):
                for block in blocks:
                    is_drawn = block.name in TEXTS
                    for element in block.walk():
                        if element.name == "w:p":
                            texts.append(printed(element, self._styles))
                        elif is_drawn and element.name in TEXTS:
                            texts.append("".join(text for text, _ in drawn(element)))
        return self._parts[part]


@lru_cache(maxsize=1)  # the chunks of a file are asked for one after the other
def _texts(data: bytes, settings: Settings) -> _Texts:
    return _Texts(Office(data, settings, KIND), settings)
