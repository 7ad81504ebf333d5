"""EPUB: the documents of a book in the order of its spine, read as HTML is.

A region is `{"part", "start", "end", "element"}`: the name of the document in the package, and span
and element in it as for HTML. The document that holds the navigation is left out, unless
`boilerplate` is asked for. The pages of a chunk are those of the printed book, where the documents
say where they begin (`epub:type="pagebreak"`), or the navigation does (its list of pages). The
headings of a document that the table of contents has below another one are below those of that.
"""

from collections.abc import Sequence
from functools import lru_cache

from spanwise.document import Document, Notice, Region
from spanwise.errors import UnreadableSource
from spanwise.formats import Settings
from spanwise.formats.depth import deep
from spanwise.formats.epub.book import Book
from spanwise.formats.epub.navigation import Navigation, navigation
from spanwise.formats.epub.places import Places
from spanwise.formats.html.places import Texts
from spanwise.formats.html.reading import PageReader, flat_notices
from spanwise.formats.writer import Writer

MEDIA_TYPE = "application/epub+zip"


def read(data: bytes, settings: Settings) -> Document:
    """The document of a book."""
    book = Book(data, settings)
    places = Places()
    writer = Writer()
    notices: list[Notice] = []
    flat: list[Notice] = []
    levels: dict[str, int] = {}
    """For each document that has any the highest level of its headings."""
    with deep(settings.max_depth):
        guide = _navigation(book, notices)
        for part, properties in book.documents():
            if "nav" in properties.split() and not settings.boilerplate:
                continue
            parsed = book.parsed(part)
            flat = flat or flat_notices(parsed, settings.max_depth)
            above = next((levels[one] for one in guide.above(part) if one in levels), 0)
            page = PageReader(
                parsed,
                writer,
                settings,
                everything=True,
                first_origin=places.next_origin,
                below=above,
                pages=guide.pages.get(part),
            )
            page.read()
            if page.level:
                levels[part] = page.level
            places.add(part, page.spans, len(parsed.pieces))
    notices.extend(flat)
    document = writer.document(MEDIA_TYPE, book.title(), places, notices)
    if not document.text:
        notices.append({"code": "no_text", "page": None, "message": "there is no text in it"})
    return document


def _navigation(book: Book, notices: list[Notice]) -> Navigation:
    try:
        return navigation(book)
    except UnreadableSource as error:
        message = f"the navigation cannot be read: {error}"
        notices.append({"code": "left_out", "page": None, "message": message})
        return Navigation([], [])


def reread(data: bytes, regions: Sequence[Region], settings: Settings) -> str:
    """The text at `regions`, taken from the documents of the book."""
    texts = _texts(data, settings)
    return "\n".join(texts.at(region) for region in regions)


class _Texts:
    """The texts of the documents of a book, each parsed when it is asked for."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._texts: dict[str, Texts] = {}

    def at(self, region: Region) -> str:
        part = region["part"]
        if part not in self._texts:
            self._texts[part] = Texts(self._book.parsed(part).pieces)
        return self._texts[part].at(region)


@lru_cache(maxsize=1)  # the chunks of a file are asked for one after the other
def _texts(data: bytes, settings: Settings) -> _Texts:
    return _Texts(Book(data, settings))
