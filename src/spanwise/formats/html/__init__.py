"""HTML: headings, lists, tables, code and links as they are; what is not for readers is left out.

A region is `{"start", "end", "element"}`: a span of code points in the decoded source (without byte
order mark, line endings as they are), and the `id` of the nearest element around it that has one,
or null. Scripts, styles, templates, form fields and what is hidden (by attributes, or by simple
rules of style sheets in the page) are left out; so are navigation and what else is around the
content, unless `boilerplate` is asked for. What stands for a picture (`alt`) is no text.
"""

from collections.abc import Sequence
from functools import lru_cache

from spanwise.document import Document, Region
from spanwise.formats import Settings
from spanwise.formats.html.decoding import decoded
from spanwise.formats.html.parsing import parse
from spanwise.formats.html.places import Texts
from spanwise.formats.html.reading import read_tree

MEDIA_TYPE = "text/html"


def read(data: bytes, settings: Settings) -> Document:
    """The document of a page."""
    source = decoded(data)
    parsed = parse(source, max_depth=settings.max_depth, max_objects=settings.max_objects)
    return read_tree(parsed, settings, MEDIA_TYPE)


def reread(data: bytes, regions: Sequence[Region], settings: Settings) -> str:
    """The text at `regions`: tags taken out and references resolved once more."""
    texts = _texts(data, settings)
    return "\n".join(texts.at(region) for region in regions)


@lru_cache(maxsize=1)  # the chunks of a file are asked for one after the other
def _texts(data: bytes, settings: Settings) -> Texts:
    source = decoded(data)
    parsed = parse(source, max_depth=settings.max_depth, max_objects=settings.max_objects)
    return Texts(parsed.pieces)
