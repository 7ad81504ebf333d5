"""Headings of what to read next, which stand below an article and belong to other pages."""

from spanwise.formats.html.nodes import Element, Node
from spanwise.formats.html.visible import elements, heading_level


class Teasers:
    """Tells them from the headings of the article itself.

    Below an article that has a heading of its own there are others to read: links around a heading,
    or an `article` within the article whose heading is a link. On a page of articles each heading
    is a link, the first too, and there they are the content.
    """

    def __init__(self) -> None:
        """Of one page."""
        self._titled: dict[Element, bool] = {}
        """Whether an article has a heading of its own, where that was asked."""

    def has(self, heading: Element) -> bool:
        """Whether a heading is one of another page."""
        is_linked = False
        inner: Element | None = None
        article: Element | None = None
        node: Node | None = heading.parent
        while isinstance(node, Element):
            is_linked |= _leads(node)
            if node.name == "article":
                inner = article if article is not None else node
                article = node
            node = node.parent
        if article is None or not (is_linked or (inner is not article and _is_link(heading))):
            return False
        titled = self._titled.get(article)
        if titled is None:
            titled = self._titled[article] = _is_titled(article)
        return titled


def _is_titled(article: Element) -> bool:
    """Whether the first heading of an article is no link."""
    first = next((one for one in elements(article) if heading_level(one)), None)
    if first is None or _is_link(first):
        return False
    node: Node | None = first
    while isinstance(node, Element) and node is not article:
        if _leads(node):
            return False
        node = node.parent
    return True


def _is_link(heading: Element) -> bool:
    return any(_leads(one) for one in elements(heading))


def _leads(element: Element) -> bool:
    """Whether an element is a link to another page."""
    return element.name == "a" and not element.attrs.get("href", "#").startswith("#")
