"""The navigation of a book: which document is below which, and where the pages of print begin.

EPUB 3.3, 7: lists in the elements `nav` of a document. EPUB 2 has the same in an NCX.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from spanwise.formats.epub.book import Book, resolved
from spanwise.formats.html.nodes import Element as HtmlElement
from spanwise.formats.html.nodes import Node, Text
from spanwise.formats.html.parsing import Parsed
from spanwise.formats.xml import Element

MAX_ABOVE: Final = 32
"""Documents above one that are asked for their headings."""

_KINDS: Final = {"toc": "toc", "doc-toc": "toc", "page-list": "pages", "doc-pagelist": "pages"}


class _Entry(NamedTuple):
    part: str
    fragment: str
    label: str
    above: int
    """The place of the entry that this one is in, -1 for none."""


class Navigation:
    """What the navigation of a book tells."""

    def __init__(self, contents: list[_Entry], pages: list[_Entry]) -> None:
        """The entries of the table of contents, and of the list of pages."""
        self.pages: dict[str, dict[str, str]] = {}
        """For each document the ids at which pages begin, with their labels; the id may be ""."""
        for entry in pages:
            self.pages.setdefault(entry.part, {}).setdefault(entry.fragment, entry.label)
        self._above: dict[str, str] = {}
        for entry in contents:
            if entry.part in self._above:
                continue
            at = entry.above
            while at >= 0 and contents[at].part in ("", entry.part):
                at = contents[at].above
            self._above[entry.part] = contents[at].part if at >= 0 else ""

    def above(self, part: str) -> Iterator[str]:
        """The documents that a document is below, from the nearest on; of a long row the first."""
        for _ in range(MAX_ABOVE):  # so that rings end, too
            part = self._above.get(part, "")
            if not part:
                return
            yield part


def navigation(book: Book) -> Navigation:
    """The navigation of a book, by its navigation document or else the NCX.

    Raises what reading those does.
    """
    part = book.navigation()
    if part:
        return _of_document(part, book.parsed(part))
    found = book.ncx()
    if found is None:
        return Navigation([], [])
    part, root = found
    contents: list[_Entry] = []
    listed = root.first("ncx:navMap")
    for point, above in _nested(listed):
        contents.append(_point(part, point, above))
    listed = root.first("ncx:pageList")
    targets = listed.children if listed is not None else []
    pages = [_point(part, target, -1) for target in targets if target.name == "ncx:pageTarget"]
    return Navigation(contents, pages)


def _nested(parent: Element | None) -> Iterator[tuple[Element, int]]:
    """The points of an NCX in order, each with the place of the one it is in."""
    count = 0
    rest = [(child, -1) for child in reversed(parent.children)] if parent is not None else []
    while rest:
        element, above = rest.pop()
        if element.name == "ncx:navPoint":
            yield element, above
            rest.extend((child, count) for child in reversed(element.children))
            count += 1


def _point(part: str, point: Element, above: int) -> _Entry:
    label = point.find("ncx:navLabel", "ncx:text")
    content = point.first("ncx:content")
    said = " ".join(label.all_text().split()) if label is not None else ""
    source = content.get("src") if content is not None else ""
    return _Entry(*(resolved(part, source) if source else ("", "")), said, above)


def _of_document(part: str, parsed: Parsed) -> Navigation:
    found: dict[str, list[_Entry]] = {"toc": [], "pages": []}
    # Each node with the list of entries it belongs to, and the place of the entry it is in.
    rest: list[tuple[Node, str, int]] = [(parsed.tree, "", -1)]
    while rest:
        node, kind, above = rest.pop()
        entries = found.get(kind)
        if isinstance(node, HtmlElement):
            if node.name == "nav":
                said = f"{node.attrs.get('epub:type', '')} {node.attrs.get('role', '')}"
                kind = next((_KINDS[word] for word in said.split() if word in _KINDS), "")
            elif node.name == "li" and entries is not None:
                entries.append(_linked(part, node, parsed, above))
                above = len(entries) - 1
        rest.extend((child, kind, above) for child in reversed(node.children))
    return Navigation(found["toc"], found["pages"])


def _linked(part: str, item: HtmlElement, parsed: Parsed, above: int) -> _Entry:
    """The entry that an item is: its link, or its text alone."""
    for child in item.children:
        if isinstance(child, HtmlElement) and child.name == "a" and child.attrs.get("href"):
            label = " ".join(_text(child, parsed).split())
            return _Entry(*resolved(part, child.attrs["href"].strip()), label, above)
    return _Entry("", "", "", above)


def _text(element: Node, parsed: Parsed) -> str:
    parts: list[str] = []
    rest = [element]
    while rest:
        node = rest.pop()
        if isinstance(node, Text):
            parts.extend(parsed.pieces[number].text for number in node.pieces)
        rest.extend(reversed(node.children))
    return "".join(parts)
