"""The package of a book: its documents, their order, and where the navigation is."""

import posixpath
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote

from spanwise.errors import UnreadableSource
from spanwise.formats import Settings
from spanwise.formats.archive import Package
from spanwise.formats.html.decoding import decoded
from spanwise.formats.html.parsing import Parsed, parse
from spanwise.formats.xml import Element, Limits, tree

_SPACES: Final = {
    "urn:oasis:names:tc:opendocument:xmlns:container": "c",
    "http://www.idpf.org/2007/opf": "opf",
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://www.w3.org/2001/04/xmlenc#": "enc",
    "http://www.daisy.org/z3986/2005/ncx/": "ncx",
}
_CONTAINER: Final = "META-INF/container.xml"
_ENCRYPTION: Final = "META-INF/encryption.xml"
_NCX: Final = "application/x-dtbncx+xml"
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
        """Name and properties of each document, in the order of the spine.

        EPUB 3.3, 5.6.3: none may be named twice; one that is stands once.
        """
        items = {one.get("id"): one for one in self._items()}
        spine = self._root.first("opf:spine")
        for reference in spine.children if spine is not None else ():
            item = items.pop(reference.get("idref"), None)
            if item is not None and item.get("media-type").lower() in _DOCUMENTS:
                yield self._name(item), item.get("properties")

    def navigation(self) -> str:
        """The name of the document that holds the navigation; empty where none does."""
        for item in self._items():
            if "nav" in item.get("properties").split():
                return self._name(item)
        return ""

    def ncx(self) -> tuple[str, Element] | None:
        """Name and root of the navigation of older books, where there is one."""
        for item in self._items():
            name = self._name(item)
            if item.get("media-type").lower() == _NCX and name in self._package:
                return name, self._tree(name)
        return None

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

    def _items(self) -> list[Element]:
        manifest = self._root.first("opf:manifest")
        return manifest.children if manifest is not None else []

    def _name(self, item: Element) -> str:
        """The name of the part that an item of the manifest is."""
        return resolved(self._opf, item.get("href"))[0]

    def _tree(self, part: str) -> Element:
        return tree(self._package.read(part), _SPACES, self._limits, part, doctype=True)


def resolved(part: str, href: str) -> tuple[str, str]:
    """The part that an address in another part leads to, and the id in it."""
    path, _, fragment = href.partition("#")
    name = posixpath.normpath(posixpath.join(posixpath.dirname(part), unquote(path)))
    return (name if path else part), unquote(fragment)
