"""Which elements of a page are for its readers, and where the content is."""

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final

from spanwise.formats.html.nodes import HTML, Element, Node, Piece, Text
from spanwise.formats.html.stylesheets import Sheets

_NEVER: Final = frozenset(
    "audio canvas datalist head iframe map meter noembed noframes noscript object progress script "
    "select style svg template textarea title video".split()
)
_AROUND: Final = frozenset(("nav", "button"))
_AROUND_BODY: Final = frozenset(("aside", "footer"))
_AROUND_ROLES: Final = frozenset("banner complementary contentinfo navigation search".split())
_AROUND_CLASSES: Final = frozenset(
    "anchorjs-link blob-num gutter hash-link headerlink lineno linenodiv linenos "
    "mw-editsection".split()
)
"""What wikis and documentation makers put beside headings and lines of code."""
_UNSEEN_CLASSES: Final = frozenset(
    "screen-reader-text sr-only visually-hidden visuallyhidden".split()
)
_UNSEEN_STYLE: Final = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.I)
_HEADER: Final = frozenset(("header",))
_ROOTS: Final = frozenset(("article", "main", "section", "aside", "blockquote", "td"))

_NO_TITLE: Final = frozenset("a aside footer li nav".split())
"""What the heading of a site or a menu is in."""
_BLOCKS: Final = frozenset(
    "article aside footer form h1 h2 h3 h4 h5 h6 header main nav ol section table ul".split()
)
MAX_INSIDE: Final = 50
"""Elements in one that has the role of a heading."""
MIN_LINKS: Final = 2
LINKED: Final = 0.6
"""The share of the text of an aside that is in links where it only leads to other pages."""


class Visible:
    """What is seen of a page; with `everything`, also what is around its content."""

    def __init__(self, everything: bool, sheets: Sheets, pieces: list[Piece]) -> None:
        """`everything` is the option `boilerplate`, the rest is the page's."""
        self._everything = everything
        self._sheets = sheets
        self._pieces = pieces
        self._leading: dict[Element, bool] = {}
        """Whether an `aside` within the content leads elsewhere, where that was asked."""

    def leaves_out(self, element: Element) -> bool:
        """Whether an element, with all that is in it, is not content."""
        name = element.name
        if name in _NEVER and element.namespace == HTML:
            return True
        attrs = element.attrs
        if element.namespace != HTML:
            return name in ("svg", "annotation", "annotation-xml")
        if name == "dialog" and "open" not in attrs:
            return True
        if attrs and is_hidden(attrs):
            return not _is_formula(element)
        if self._sheets.hide(element):
            return not _is_formula(element)
        return not self._everything and self._is_around(element)

    def _is_around(self, element: Element) -> bool:
        name = element.name
        attrs = element.attrs
        if name in _AROUND:
            return name == "nav" or not _is_in_heading(element)
        if attrs.get("role", "").lower() in _AROUND_ROLES:
            return True
        if "class" in attrs and not _AROUND_CLASSES.isdisjoint(attrs["class"].split()):
            return True
        if name in ("ul", "ol"):
            return _is_inside(element, _HEADER)
        if name in _AROUND_BODY:
            return not _is_inside(element, _ROOTS) or (name == "aside" and self._leads(element))
        if name == "header":
            return not _is_inside(element, _ROOTS) and not any(
                found.name == "h1" for found in elements(element)
            )
        return False

    def _leads(self, aside: Element) -> bool:
        """Whether an aside is made of links, as what to read next is, and not a note."""
        if aside not in self._leading:
            top: Node = aside
            while top.parent is not None:
                top = top.parent
            self._leading.update(leading(top, self._pieces))
        return self._leading.get(aside, False)

    def root(self, body: Element) -> list[Element]:
        """The elements that hold the content: `main`, else what is an `article`, else all."""
        if self._everything:
            return [body]
        for is_main in (_is_main, _is_article):
            found = list(self._outermost(body, is_main))
            size = sum(self._size(element) for element in found)
            # A page of teasers has articles, too, and a page that a script fills an empty `main`.
            if size > 0 and (is_main is _is_main or size * 2 >= self._size(body)):
                return [*self._title(body, found), *found]
        return [body]

    def _title(self, body: Element, roots: list[Element]) -> list[Element]:
        """The heading of the page where that stands before the content, which has none itself."""
        if any(heading_level(element) == 1 for root in roots for element in elements(root)):
            return []
        first = roots[0]
        titles: list[Element] = []
        is_before = True
        for element in elements(body):
            is_before &= element is not first
            if element.name == "h1" and self._is_seen_title(element):
                titles.append(element)
                if not is_before or len(titles) > 1:
                    return []
        return titles

    def _is_seen_title(self, heading: Element) -> bool:
        """Whether a heading is that of the page, not of the site, and is shown."""
        if not self._size(heading) or any(one.name == "a" for one in elements(heading)):
            return False
        node: Node | None = heading
        is_in_header = False
        while isinstance(node, Element):
            if node.name in _NO_TITLE or self.leaves_out(node):
                return False
            if node.name in ("header", "article"):
                is_in_header = node.name == "header"  # that of an article has its title
            node = node.parent
        return not is_in_header

    def _outermost(self, within: Element, wanted: Callable[[Element], bool]) -> Iterator[Element]:
        rest: list[Node] = [within]
        while rest:
            node = rest.pop()
            if not isinstance(node, Element) or self.leaves_out(node):
                continue
            if wanted(node):
                yield node
            else:
                rest.extend(reversed(node.children))

    def _size(self, within: Element) -> int:
        """How many pieces of text are seen in an element."""
        size = 0
        rest: list[Node] = [within]
        while rest:
            node = rest.pop()
            if isinstance(node, Text):
                size += len(node.pieces)
            elif isinstance(node, Element) and not self.leaves_out(node):
                rest.extend(node.children)
        return size


def leading(top: Node, pieces: list[Piece]) -> dict[Element, bool]:
    """For each aside in a tree whether it is made of links to other pages."""
    asides: list[Element] = []
    outer: list[int] = []
    """For each aside the number of the one it is in; -1 for none."""
    counts: list[list[int]] = []
    """Links, characters in these, and all characters."""
    rest: list[tuple[Node, bool, int]] = [(top, False, -1)]
    while rest:
        node, is_link, own = rest.pop()
        if isinstance(node, Text) and own >= 0:
            size = sum(len(pieces[piece].text.strip()) for piece in node.pieces)
            counts[own][1] += size if is_link else 0
            counts[own][2] += size
        elif isinstance(node, Element) and node.name in _NEVER:
            continue
        elif isinstance(node, Element):
            if node.name == "aside":
                asides.append(node)
                outer.append(own)
                own = len(counts)
                counts.append([0, 0, 0])
            if node.name == "a" and not node.attrs.get("href", "#").startswith("#"):
                is_link = True
                if own >= 0:
                    counts[own][0] += 1
        rest.extend((child, is_link, own) for child in node.children)
    # What is within another comes after it.
    for at in range(len(asides) - 1, -1, -1):
        if outer[at] >= 0:
            counts[outer[at]] = [
                sum(pair) for pair in zip(counts[outer[at]], counts[at], strict=True)
            ]
    return {
        aside: links >= MIN_LINKS and linked >= LINKED * size
        for aside, (links, linked, size) in zip(asides, counts, strict=True)
    }


def is_hidden(attrs: dict[str, str]) -> bool:
    """Whether attributes say that an element is not shown."""
    if "hidden" in attrs and attrs["hidden"].lower() != "until-found":
        return True
    if attrs.get("aria-hidden", "").lower() == "true":
        return True
    if "style" in attrs and _UNSEEN_STYLE.search(attrs["style"]):
        return True
    return "class" in attrs and not _UNSEEN_CLASSES.isdisjoint(attrs["class"].split())


def _is_formula(element: Element) -> bool:
    """Whether an element, hidden or not, holds in letters what is shown as a picture."""
    return "mwe-math-mathml-a11y" in element.attrs.get("class", "").split()


def elements(within: Node) -> Iterator[Element]:
    """All elements in a node, in order."""
    rest = within.children[::-1]
    while rest:
        node = rest.pop()
        if isinstance(node, Element):
            yield node
            rest.extend(reversed(node.children))


def is_page_break(element: Element) -> bool:
    """Whether an element says that a page of the printed book begins."""
    kinds = f"{element.attrs.get('epub:type', '')} {element.attrs.get('role', '')}".split()
    return "pagebreak" in kinds or "doc-pagebreak" in kinds


def heading_level(element: Element) -> int:
    """1 to 6 for a heading, else 0."""
    name = element.name
    if len(name) == 2 and name[0] == "h" and "1" <= name[1] <= "6":
        return int(name[1])
    if element.attrs.get("role", "").lower() == "heading" and not _holds_blocks(element):
        level = element.attrs.get("aria-level", "2")
        return min(6, max(1, int(level))) if level.isdecimal() and len(level) < 4 else 2
    return 0


def _holds_blocks(element: Element) -> bool:
    """Whether an element is too much for a heading, whatever its role says."""
    # What has more elements than this is none either; so the time does not grow with the depth.
    inner = list(islice(elements(element), MAX_INSIDE + 1))
    return len(inner) > MAX_INSIDE or any(one.name in _BLOCKS for one in inner)


def _is_main(element: Element) -> bool:
    return element.name == "main" or element.attrs.get("role", "").lower() == "main"


def _is_article(element: Element) -> bool:
    return element.name == "article"


def _is_inside(element: Element, names: frozenset[str]) -> bool:
    node = element.parent
    while node is not None:
        if isinstance(node, Element) and node.name in names:
            return True
        node = node.parent
    return False


def _is_in_heading(element: Element) -> bool:
    node: Node | None = element.parent
    while isinstance(node, Element):
        if heading_level(node) or node.name == "summary":
            return True
        node = node.parent
    return False
