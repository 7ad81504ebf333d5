"""HTML: headings, lists, tables, code and links as they are; what is not for readers is left out.

A region is `{"start", "end", "element"}`: a span of code points in the decoded source (without byte
order mark, line endings as they are), and the `id` of the nearest element around it that has one,
or null. Scripts, styles, templates, form fields and what is hidden are left out; so are navigation
and what else is around the content, unless `boilerplate` is asked for.
"""

from bisect import bisect_left
from collections.abc import Sequence

from spanwise.document import Document, Region
from spanwise.formats import Settings
from spanwise.formats.html.decoding import decoded
from spanwise.formats.html.parsing import parse
from spanwise.formats.html.reading import read_tree

MEDIA_TYPE = "text/html"


def read(data: bytes, settings: Settings) -> Document:
    """The document of a page."""
    return read_text(decoded(data), settings, MEDIA_TYPE)


def read_text(source: str, settings: Settings, media_type: str) -> Document:
    """The document of a page that is text already."""
    parsed = parse(source, max_depth=settings.max_depth, max_objects=settings.max_objects)
    return read_tree(parsed, settings, media_type)


def reread(data: bytes, regions: Sequence[Region], settings: Settings) -> str:
    """The text at `regions`: tags taken out and references resolved once more."""
    return reread_text(decoded(data), regions, settings)


def reread_text(source: str, regions: Sequence[Region], settings: Settings) -> str:
    """As `reread`, of a page that is text already."""
    pieces = parse(source, max_depth=settings.max_depth, max_objects=settings.max_objects).pieces
    starts = [piece.start for piece in pieces]
    found = []
    for region in regions:
        start, end = region["start"], region["end"]
        parts = []
        for number in range(max(0, bisect_left(starts, start + 1) - 1), bisect_left(starts, end)):
            piece = pieces[number]
            if len(piece.text) == piece.end - piece.start:
                parts.append(piece.text[max(0, start - piece.start) : max(0, end - piece.start)])
            elif piece.start >= start:
                parts.append(piece.text)
        found.append("".join(parts))
    return "\n".join(found)
