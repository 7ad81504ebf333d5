"""EPUB: the documents of a book in the order of its spine, read as HTML is.

A region is `{"part", "start", "end", "element"}`: the name of the document in the package, and span
and element in it as for HTML. The document that holds the navigation is left out, unless
`boilerplate` is asked for. The pages of a chunk are those of the printed book, where the documents
say where they begin (`epub:type="pagebreak"`).
"""

import posixpath
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final
from urllib.parse import unquote

from spanwise.document import Document, Notice, Pages, Region, Stretch
from spanwise.errors import UnreadableSource
from spanwise.formats import Settings
from spanwise.formats.archive import Package
from spanwise.formats.depth import deep
from spanwise.formats.html.decoding import decoded
from spanwise.formats.html.parsing import Parsed, parse
from spanwise.formats.html.places import Spans, Texts
from spanwise.formats.html.reading import PageReader, flat_notices
from spanwise.formats.writer import Writer
from spanwise.formats.xml import Element, Limits, tree

MEDIA_TYPE = "application/epub+zip"

_SPACES: Final = {
    "urn:oasis:names:tc:opendocument:xmlns:container": "c",
    "http://www.idpf.org/2007/opf": "opf",
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://www.w3.org/2001/04/xmlenc#": "enc",
}
_CONTAINER: Final = "META-INF/container.xml"
_ENCRYPTION: Final = "META-INF/encryption.xml"
_DOCUMENTS: Final = ("application/xhtml+xml", "text/html", "text/x-oeb1-document")


class Book:
    """The package of a book: its title and documents."""

    def __init__(self, data: bytes, settings: Settings) -> None:
        """Reads the package document."""
        self._settings = settings
        self._package = Package(data, settings, "book (EPUB)")
        self._limits = Limits(settings)
        roots = [one for one in self._tree(_CONTAINER).walk() if one.name == "c:rootfile"]
        if not roots:
            raise UnreadableSource(f"not a book (EPUB): {_CONTAINER} names no package document")
        self._opf = roots[0].get("full-path")
        self._root = self._tree(self._opf)

    def title(self) -> str:
        """The title of the book."""
        title = self._root.find("opf:metadata", "dc:title")
        return " ".join(title.all_text().split()) if title is not None else ""

    def documents(self) -> Iterator[tuple[str, str]]:
        """Name and properties of each document, in the order of the spine."""
        manifest = self._root.first("opf:manifest")
        items = {one.get("id"): one for one in manifest.children} if manifest is not None else {}
        spine = self._root.first("opf:spine")
        folder = posixpath.dirname(self._opf)
        for reference in spine.children if spine is not None else ():
            item = items.get(reference.get("idref"))
            if item is not None and item.get("media-type").lower() in _DOCUMENTS:
                href = unquote(item.get("href"))
                yield posixpath.normpath(posixpath.join(folder, href)), item.get("properties")

    def parsed(self, part: str) -> Parsed:
        """The tree of a document."""
        if part in self._encrypted():
            raise UnreadableSource(f"{part} is encrypted", reason="encrypted")
        settings = self._settings
        return parse(
            decoded(self._package.read(part)),
            max_depth=settings.max_depth,
            max_objects=settings.max_objects,
            xml=True,
        )

    def _encrypted(self) -> set[str]:
        """The parts that are encrypted; fonts often are, and nothing else."""
        if _ENCRYPTION not in self._package:
            return set()
        walk = self._tree(_ENCRYPTION).walk()
        return {unquote(one.get("URI")) for one in walk if one.name == "enc:CipherReference"}

    def _tree(self, part: str) -> Element:
        return tree(self._package.read(part), _SPACES, self._limits, part, doctype=True)


class _Places:
    """The spans of all documents; the origins of each follow on those before."""

    def __init__(self) -> None:
        self.next_origin = 0
        self._firsts: list[int] = []
        self._parts: list[str] = []
        self._spans: list[Spans] = []
        self._breaks: list[tuple[int, int]] = []
        """Where each page of print begins: the number of the document, that of its piece."""
        self._labels: list[str] = []

    def add(self, part: str, spans: Spans, size: int) -> None:
        """The spans of a document with `size` pieces of text."""
        self._firsts.append(self.next_origin)
        self._parts.append(part)
        self._spans.append(spans)
        self.next_origin += size + 1
        for piece, label in spans.breaks:
            self._breaks.append((len(self._spans) - 1, piece))
            self._labels.append(label or str(len(self._breaks)))

    def regions(self, stretches: Sequence[Stretch]) -> list[Region]:
        """Those of HTML, with the names of the parts."""
        found: list[Region] = []
        at = 0
        while at < len(stretches):
            number = bisect_right(self._firsts, stretches[at].origin) - 1
            first = self._firsts[number]
            after = first if number + 1 == len(self._firsts) else self._firsts[number + 1]
            alike = []
            while at < len(stretches):
                origin, start, end = stretches[at]
                if origin < first or (after > first and origin >= after):
                    break
                alike.append(Stretch(origin - first, start, end))
                at += 1
            regions = self._spans[number].regions(alike)
            found.extend({"part": self._parts[number], **region} for region in regions)
        return found

    def pages(self, stretches: Sequence[Stretch]) -> Pages | None:
        """The pages of print, where the book tells where they begin; none before the first."""
        found = [page for stretch in stretches if (page := self._page(stretch))]
        if not found:
            return None
        first, last = min(found), max(found)
        return {"first": first, "last": last, "labels": self._labels[first - 1 : last]}

    def _page(self, stretch: Stretch) -> int:
        """The page on which a stretch begins; 0 for none."""
        number = bisect_right(self._firsts, stretch.origin) - 1
        piece = self._spans[number].piece(stretch.origin - self._firsts[number], stretch.start)
        return bisect_right(self._breaks, (number, piece))


def read(data: bytes, settings: Settings) -> Document:
    """The document of a book."""
    book = Book(data, settings)
    places = _Places()
    writer = Writer()
    notices: list[Notice] = []
    with deep(settings.max_depth):
        for part, properties in book.documents():
            if "nav" in properties.split() and not settings.boilerplate:
                continue
            parsed = book.parsed(part)
            notices = notices or flat_notices(parsed, settings.max_depth)
            page = PageReader(
                parsed, writer, settings, everything=True, first_origin=places.next_origin
            )
            page.read()
            places.add(part, page.spans, len(parsed.pieces))
    document = writer.document(MEDIA_TYPE, book.title(), places, notices)
    if not document.text:
        notices.append({"code": "no_text", "page": None, "message": "there is no text in it"})
    return document


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
