"""The tree of an HTML document."""

from typing import Final, NamedTuple

HTML: Final = "html"
SVG: Final = "svg"
MATHML: Final = "math"


class Piece(NamedTuple):
    """Text that stands in the source at `start` to before `end`.

    It is that stretch of the source, or what a reference or line ending there stands for.
    """

    text: str
    start: int
    end: int


class Node:
    """What the nodes have in common: a parent, and children where they can have any."""

    __slots__ = ("children", "parent")

    def __init__(self) -> None:
        """Stands nowhere yet."""
        self.parent: Node | None = None
        self.children: list[Node] = []

    def append(self, child: "Node") -> None:
        """Put `child` last."""
        self.children.append(child)
        child.parent = self

    def insert(self, at: int, child: "Node") -> None:
        """Put `child` before the child at `at`."""
        self.children.insert(at, child)
        child.parent = self

    def detach(self) -> None:
        """Take this node away from its parent."""
        if self.parent is not None:
            siblings = self.parent.children
            # What is moved about is most often the last.
            if siblings[-1] is self:
                siblings.pop()
            else:
                siblings.remove(self)
            self.parent = None


class Tree(Node):
    """The document, or what is in a template."""

    __slots__ = ()


class Element(Node):
    """An element; its name is in lower case but for some of SVG."""

    __slots__ = ("attrs", "content", "name", "namespace")

    def __init__(self, name: str, attrs: dict[str, str], namespace: str = HTML) -> None:
        """Without children."""
        super().__init__()
        self.name = name
        self.attrs = attrs
        self.namespace = namespace
        self.content: Tree | None = None
        """What is in a template; it has no children."""


class Text(Node):
    """Text, as numbers of the pieces it is made of."""

    __slots__ = ("pieces",)

    def __init__(self, piece: int) -> None:
        """Made of one piece."""
        super().__init__()
        self.pieces = [piece]


class Comment(Node):
    """A comment."""

    __slots__ = ("data",)

    def __init__(self, data: str) -> None:
        """What stands in it."""
        super().__init__()
        self.data = data


class Doctype(Node):
    """The document type."""

    __slots__ = ("name", "public", "system")

    def __init__(self, name: str, public: str | None, system: str | None) -> None:
        """As the source has it."""
        super().__init__()
        self.name = name
        self.public = public
        self.system = system
