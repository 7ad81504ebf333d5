"""The stack of open elements (HTML standard, 13.2.4.2)."""

from collections.abc import Collection

from spanwise.formats.html.names import (
    BUTTON_SCOPE,
    IMPLIED_END,
    MATHML_SPECIAL,
    SCOPE,
    SPECIAL,
    SVG_SPECIAL,
    TABLE_SCOPE,
)
from spanwise.formats.html.nodes import HTML, MATHML, SVG, Element


class OpenElements:
    """The elements that are open, from the root in."""

    def __init__(self) -> None:
        """None is open."""
        self.open: list[Element] = []
        self.context: Element | None = None
        """What a fragment is parsed in."""

    @property
    def current(self) -> Element:
        """The innermost open element."""
        return self.open[-1]

    def in_foreign(self) -> bool:
        """Whether the adjusted current node is SVG or MathML."""
        node = self.adjusted()
        return node is not None and node.namespace != HTML

    def adjusted(self) -> Element | None:
        """The current node, or what a fragment is parsed in."""
        if self.context is not None and len(self.open) == 1:
            return self.context
        return self.open[-1] if self.open else None

    def is_current(self, *names: str) -> bool:
        """Whether the current node is an HTML element of such a name."""
        node = self.open[-1]
        return node.namespace == HTML and node.name in names

    def pop_until(self, *names: str) -> None:
        """Close elements up to and with the innermost HTML one of such a name."""
        while self.open:
            node = self.open.pop()
            if node.namespace == HTML and node.name in names:
                return

    def pop_to(self, names: Collection[str]) -> None:
        """Close elements until the current one is one of these."""
        while not (self.open[-1].namespace == HTML and self.open[-1].name in names):
            self.open.pop()

    def imply_ends(self, but: str = "", names: Collection[str] = IMPLIED_END) -> None:
        """Close elements whose end tags may be left out."""
        while self.open:
            node = self.open[-1]
            if node.namespace != HTML or node.name == but or node.name not in names:
                return
            self.open.pop()

    def close_p(self) -> None:
        """Close the paragraph that is open."""
        if self.in_scope("p", BUTTON_SCOPE):
            self.imply_ends("p")
            self.pop_until("p")

    def has_open(self, name: str) -> bool:
        """Whether an HTML element of that name is open."""
        return any(node.name == name and node.namespace == HTML for node in self.open)

    def in_scope(self, wanted: str | Element, scope: Collection[str] = SCOPE) -> bool:
        """Whether an element, or one of that name, is open in this scope."""
        for node in reversed(self.open):
            if node.namespace == HTML:
                if node is wanted or node.name == wanted:
                    return True
                if node.name in scope:
                    return False
            elif node is wanted:
                return True
            elif scope is not TABLE_SCOPE and is_special(node):
                return False
        return False

    def any_in_scope(self, names: Collection[str], scope: Collection[str] = SCOPE) -> bool:
        """Whether an element of one of these names is open in this scope."""
        return any(self.in_scope(name, scope) for name in names)


def is_special(node: Element) -> bool:
    """Whether an element is of the special category."""
    if node.namespace == HTML:
        return node.name in SPECIAL
    if node.namespace == SVG:
        return node.name in SVG_SPECIAL
    assert node.namespace == MATHML
    return node.name in MATHML_SPECIAL
