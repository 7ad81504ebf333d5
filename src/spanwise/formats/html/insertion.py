"""Putting nodes into the tree (HTML standard, 13.2.6.1)."""

from typing import Final

from spanwise.errors import LimitExceeded
from spanwise.formats.html.names import FORMATTING, ROWS
from spanwise.formats.html.nodes import HTML, Comment, Element, Node, Piece, Text, Tree
from spanwise.formats.html.open_elements import OpenElements

ROOM: Final = 8
"""Levels below `max_depth` that are kept for elements that are relied upon."""
_RELIED_UPON: Final = frozenset(
    "applet body button caption col colgroup form frameset head html marquee noembed noframes "
    "noscript object optgroup option script select style table tbody td template textarea tfoot th "
    "thead title tr xmp iframe".split()
)
_TABLE: Final = frozenset(("table", "tr"))


class Inserter(OpenElements):
    """A tree that grows where elements are open, within limits."""

    def __init__(self, max_depth: int, max_objects: int) -> None:
        """An empty tree."""
        super().__init__()
        self.tree = Tree()
        self.pieces: list[Piece] = []
        """All text in the tree, in the order of the source."""
        self.foster = False
        """Whether what does not belong into a table goes before it."""
        self.flattened: dict[str, int] = {}
        """How many elements of a name were not opened, since too many are."""
        self.max_depth = max_depth
        self._max_objects = max_objects
        self._objects = 0

    def place(self, target: Element | None = None) -> tuple[Node, int]:
        """Where a node goes: a parent, and before which of its children."""
        into = target or self.open[-1]
        if self.foster and into.namespace == HTML and (into.name in ROWS or into.name in _TABLE):
            return self._foster_place()
        parent: Node = into.content or into
        return parent, len(parent.children)

    def _foster_place(self) -> tuple[Node, int]:
        for at in range(len(self.open) - 1, -1, -1):
            node = self.open[at]
            if node.namespace != HTML:
                continue
            if node.name == "template" and node.content is not None:
                return node.content, len(node.content.children)
            if node.name == "table":
                if node.parent is not None:
                    siblings = node.parent.children
                    return node.parent, _last_index(siblings, node)
                above = self.open[at - 1]
                return above, len(above.children)
        return self.open[0], len(self.open[0].children)

    def insert(self, name: str, attrs: dict[str, str], namespace: str = HTML) -> Element:
        """Put an element into the tree and open it.

        One that is nested deeper than `max_depth` stays empty, and what would be in it follows it,
        as in browsers; those that later tags rely upon can go a little deeper.
        """
        element = self._put(name, attrs, namespace)
        if len(self.open) < self.max_depth - ROOM or namespace != HTML or name in _RELIED_UPON:
            self.push(element)
        else:
            self.flattened[name] = self.flattened.get(name, 0) + 1
        return element

    def ends_flattened(self, name: str) -> bool:
        """Whether an end tag is that of an element that was not opened; what follows is apart."""
        count = self.flattened.get(name, 0)
        if count == 0:
            return False
        self.flattened[name] = count - 1
        if name not in FORMATTING:
            self._put(name, {}, HTML)
        return True

    def _put(self, name: str, attrs: dict[str, str], namespace: str) -> Element:
        element = self.new(name, attrs, namespace)
        parent, at = self.place()
        parent.insert(at, element)
        return element

    def new(self, name: str, attrs: dict[str, str], namespace: str = HTML) -> Element:
        """An element that stands nowhere yet."""
        self._count()
        element = Element(name, attrs, namespace)
        if name == "template" and namespace == HTML:
            element.content = Tree()
        return element

    def push(self, element: Element) -> None:
        """Open an element."""
        self.open.append(element)
        if len(self.open) > self.max_depth:
            raise LimitExceeded(
                "max_depth", self.max_depth, len(self.open), "elements within elements"
            )

    def insert_void(self, name: str, attrs: dict[str, str], namespace: str = HTML) -> None:
        """Put an element into the tree that cannot have content."""
        self._put(name, attrs, namespace)

    def insert_text(self, piece: Piece) -> None:
        """Put text into the tree."""
        parent, at = self.place()
        if parent is self.tree:
            return
        self._count()
        number = len(self.pieces)
        self.pieces.append(piece)
        before = parent.children[at - 1] if at > 0 else None
        if isinstance(before, Text):
            before.pieces.append(number)
        else:
            parent.insert(at, Text(number))

    def insert_comment(self, data: str, parent: Node | None = None) -> None:
        """Put a comment into the tree."""
        at = len(parent.children) if parent else 0
        if parent is None:
            parent, at = self.place()
        parent.insert(at, Comment(data))

    def _count(self) -> None:
        self._objects += 1
        if self._objects > self._max_objects:
            raise LimitExceeded(
                "max_objects", self._max_objects, self._objects, "elements and texts"
            )


def _last_index(nodes: list[Node], node: Node) -> int:
    """Where `node` stands; it is looked for from the end, where it most often is."""
    for at in range(len(nodes) - 1, -1, -1):
        if nodes[at] is node:
            return at
    raise ValueError("not a child of its parent")
