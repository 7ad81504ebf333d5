"""AsciiDoc: sections, lists, tables, delimited blocks, admonitions, notes and links.

Regions are those of `lines`. Comments, images, passthroughs and attributes are left out; no file is
included, and what stands under a condition (`ifdef`) is kept.
"""

from collections.abc import Sequence

from spanwise.document import Document, Region
from spanwise.formats import Settings
from spanwise.formats.asciidoc.reading import Reader
from spanwise.formats.depth import deep
from spanwise.formats.lines import decoded, text_at

MEDIA_TYPE = "text/asciidoc"
KIND = "AsciiDoc"


def read(data: bytes, settings: Settings) -> Document:
    """The document of an AsciiDoc file."""
    with deep(settings.max_depth):
        return Reader(decoded(data, KIND), settings).document(MEDIA_TYPE)


def reread(data: bytes, regions: Sequence[Region], settings: Settings) -> str:
    """The text at `regions`."""
    return text_at(decoded(data, KIND), regions)
