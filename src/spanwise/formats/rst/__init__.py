"""reStructuredText: sections, lists, tables, literal blocks, directives, notes and links.

Regions are those of `lines`. Comments, targets, images and directives without text of their own
(`toctree`, `include`, `raw` ...) are left out; no file is included and no role is carried out.
"""

from collections.abc import Sequence

from spanwise.document import Document, Region
from spanwise.formats import Settings
from spanwise.formats.depth import deep
from spanwise.formats.lines import decoded, text_at
from spanwise.formats.rst.reading import Reader

MEDIA_TYPE = "text/x-rst"
KIND = "reStructuredText"


def read(data: bytes, settings: Settings) -> Document:
    """The document of a reStructuredText file."""
    with deep(settings.max_depth):
        return Reader(decoded(data, KIND), settings).document(MEDIA_TYPE)


def reread(data: bytes, regions: Sequence[Region], settings: Settings) -> str:
    """The text at `regions`."""
    return text_at(decoded(data, KIND), regions)
