"""Word (.docx): headings, lists and numbers as printed, tables, notes, links, code.

A region is `{"part", "paragraph", "id", "start", "end"}`: the name of the part in the package, the
paragraph in it (its `w:p` elements from 1, in the order of the XML, those in tables and text boxes
included), what Word calls it (`w14:paraId`, or null), and a span of characters in the text of the
paragraph (see `inlines`). Comments, deletions, hidden text, headers and footers are left out.
"""

from collections.abc import Sequence

from spanwise.document import Document, Region
from spanwise.errors import UnreadableSource
from spanwise.formats import Settings
from spanwise.formats.depth import deep
from spanwise.formats.docx.inlines import printed
from spanwise.formats.docx.reading import BLOCKS, Reader
from spanwise.formats.docx.styles import Styles
from spanwise.formats.office import SPACES, Office
from spanwise.formats.xml import elements

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
KIND = "Word document"


def read(data: bytes, settings: Settings) -> Document:
    """The document of a Word file."""
    with deep(settings.max_depth):
        return Reader(Office(data, settings, KIND), settings).document(MEDIA_TYPE)


def reread(data: bytes, regions: Sequence[Region], settings: Settings) -> str:
    """The text at `regions`, taken from the XML of the parts."""
    office = Office(data, settings, KIND)
    styles = Styles(office.tree_of(office.targets(office.main()), "styles"))
    wanted: dict[str, set[int]] = {}
    for region in regions:
        wanted.setdefault(region["part"], set()).add(region["paragraph"])
    texts: dict[tuple[str, int], str] = {}
    with deep(settings.max_depth):
        for part, numbers in wanted.items():
            count = 0
            last = max(numbers)
            blocks = elements(office.package.read(part), SPACES, office.limits, part, BLOCKS)
            for block in blocks:
                for element in block.walk():
                    if element.name != "w:p":
                        continue
                    count += 1
                    if count in numbers:
                        texts[part, count] = printed(element, styles)
                if count >= last:
                    break
    found = []
    for region in regions:
        text = texts.get((region["part"], region["paragraph"]))
        if text is None:
            raise UnreadableSource(f"{region['part']}: there is no paragraph {region['paragraph']}")
        found.append(text[region["start"] : region["end"]])
    return "\n".join(found)
