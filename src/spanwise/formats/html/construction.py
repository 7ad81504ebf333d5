"""What the tree construction keeps between tokens, and what its rules do to it.

HTML standard, 13.2.4 and 13.2.6.1 to 13.2.6.3. The rules themselves are in `body`, `modes` and
`foreign`.
"""

import re
from collections.abc import Callable, Collection
from typing import Final

from spanwise.errors import LimitExceeded
from spanwise.formats.html.names import (
    BUTTON_SCOPE,
    FORMATTING,
    IMPLIED_END,
    MATHML_SPECIAL,
    ROWS,
    SCOPE,
    SPECIAL,
    SVG_SPECIAL,
    TABLE_SCOPE,
)
from spanwise.formats.html.nodes import HTML, MATHML, SVG, Comment, Element, Node, Piece, Text, Tree
from spanwise.formats.html.tokens import RAWTEXT, RCDATA, Token, Tokens

_BLANK: Final = re.compile(r"[\t\n\f\r ]*")

Mode = Callable[["Builder", Token], None]


class Builder:
    """The state of the tree construction."""

    def __init__(
        self,
        source: str,
        modes: dict[str, Mode],
        foreign: Callable[["Builder", Token], bool],
        max_depth: int,
        max_objects: int,
        xml: bool = False,
    ) -> None:
        """At the start of a document."""
        self.tokens = Tokens(source, self.in_foreign, xml)
        self.tree = Tree()
        self.pieces: list[Piece] = []
        """All text in the tree, in the order of the source."""
        self.mode = "initial"
        self.original_mode = ""
        self.template_modes: list[str] = []
        self.open: list[Element] = []
        self.formatting: list[Element | None] = []
        """The active formatting elements; None is a marker."""
        self.head: Element | None = None
        self.form: Element | None = None
        self.context: Element | None = None
        self.frameset_ok = True
        self.foster = False
        self.quirks = False
        self.scripting = False
        self.skip_newline = False
        self.table_text: list[Piece] = []
        self.flattened: dict[str, int] = {}
        """How many elements of a name were not opened, since too many are."""
        self._modes = modes
        self._foreign = foreign
        self._max_depth = max_depth
        self._max_objects = max_objects
        self._objects = 0

    # -- tokens ----------------------------------------------------------------------------------

    def run(self) -> None:
        """Take all tokens."""
        for token in self.tokens:
            if self.skip_newline:
                self.skip_newline = False
                if isinstance(token, Piece) and token.text[0] == "\n":
                    if len(token.text) == 1:
                        continue
                    token = Piece(token.text[1:], token.start + 1, token.end)
            self.process(token)

    def process(self, token: Token) -> None:
        """Take one token by the rules of the mode, or those of foreign content."""
        if not self._foreign(self, token):
            self._modes[self.mode](self, token)

    def use(self, mode: str, token: Token) -> None:
        """Take one token by the rules of another mode."""
        self._modes[mode](self, token)

    def again(self, mode: str, token: Token) -> None:
        """Go to another mode and take the token there."""
        self.mode = mode
        self.process(token)

    # -- the stack of open elements --------------------------------------------------------------

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

    # -- putting nodes into the tree -------------------------------------------------------------

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
        if len(self.open) < self._max_depth - _ROOM or namespace != HTML or name in _RELIED_UPON:
            self.push(element)
        else:
            self.flattened[name] = self.flattened.get(name, 0) + 1
        return element

    def insert_formatting(self, name: str, attrs: dict[str, str]) -> None:
        """Put a formatting element into the tree, open it and note it."""
        element = self.insert(name, attrs)
        if self.open[-1] is element:
            self.push_formatting(element)

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
        if len(self.open) > self._max_depth:
            raise LimitExceeded(
                "max_depth", self._max_depth, len(self.open), "elements within elements"
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

    def insert_raw(self, name: str, attrs: dict[str, str], state: int) -> None:
        """Put an element into the tree whose content is text only."""
        self.insert(name, attrs)
        self.tokens.state = state
        self.tokens.last_start = name
        self.original_mode = self.mode
        self.mode = "text"

    def _count(self) -> None:
        self._objects += 1
        if self._objects > self._max_objects:
            raise LimitExceeded(
                "max_objects", self._max_objects, self._objects, "elements and texts"
            )

    # -- active formatting elements --------------------------------------------------------------

    def push_formatting(self, element: Element) -> None:
        """Note a formatting element; of equal ones only three are kept."""
        same = 0
        for at in range(len(self.formatting) - 1, -1, -1):
            noted = self.formatting[at]
            if noted is None:
                break
            if noted.name == element.name and noted.attrs == element.attrs:
                same += 1
                if same == 3:
                    del self.formatting[at]
                    break
        self.formatting.append(element)

    def clear_formatting(self) -> None:
        """Forget formatting elements up to the last marker."""
        while self.formatting and self.formatting.pop() is not None:
            pass

    def noted(self, name: str) -> Element | None:
        """The last formatting element of that name after the last marker."""
        for element in reversed(self.formatting):
            if element is None:
                return None
            if element.name == name:
                return element
        return None

    def reconstruct(self) -> None:
        """Open again the formatting elements that were closed without an end tag."""
        noted = self.formatting
        if not noted or noted[-1] is None or noted[-1] is self.open[-1]:
            return
        if noted[-1] in self.open or len(self.open) >= self._max_depth - _ROOM:
            return
        at = len(noted) - 1
        while at > 0 and (before := noted[at - 1]) is not None and before not in self.open:
            at -= 1
        for number in range(at, len(noted)):
            element = noted[number]
            assert element is not None
            if len(self.open) >= self._max_depth - _ROOM:
                self.flattened.setdefault(element.name, 0)
                return
            noted[number] = self.insert(element.name, element.attrs)

    def adopt(self, name: str) -> bool:
        """The adoption agency: close a formatting element that is misnested.

        False where the end tag is to be treated as any other.
        """
        current = self.current
        if current.namespace == HTML and current.name == name and current not in self.formatting:
            self.open.pop()
            return True
        for _ in range(8):
            element = self.noted(name)
            if element is None:
                return False
            if element not in self.open:
                self.formatting.remove(element)
                return True
            if not self.in_scope(element):
                return True
            at = self.open.index(element)
            furthest = next((node for node in self.open[at + 1 :] if is_special(node)), None)
            if furthest is None:
                del self.open[at:]
                self.formatting.remove(element)
                return True
            self._move(element, furthest, self.open[at - 1])
        return True

    def _move(self, element: Element, furthest: Element, ancestor: Element) -> None:
        """One round of the adoption agency: `element` goes into `furthest`."""
        bookmark = self.formatting.index(element)
        last = furthest
        at = self.open.index(furthest)
        rounds = 0
        while True:
            rounds += 1
            at -= 1
            node = self.open[at]
            if node is element:
                break
            if rounds > 3 and node in self.formatting:
                number = self.formatting.index(node)
                del self.formatting[number]
                bookmark -= number < bookmark
            if node not in self.formatting:
                del self.open[at]
                continue
            copy = self.new(node.name, node.attrs)
            number = self.formatting.index(node)
            self.formatting[number] = copy
            self.open[at] = copy
            if last is furthest:
                bookmark = number + 1
            last.detach()
            copy.append(last)
            last = copy
        last.detach()
        parent, place = self.place(ancestor)
        parent.insert(place, last)
        copy = self.new(element.name, element.attrs)
        copy.children, furthest.children = furthest.children, []
        for child in copy.children:
            child.parent = copy
        furthest.append(copy)
        number = self.formatting.index(element)
        del self.formatting[number]
        bookmark -= number < bookmark
        self.formatting.insert(bookmark, copy)
        self.open.remove(element)
        self.open.insert(self.open.index(furthest) + 1, copy)

    # -- modes -----------------------------------------------------------------------------------

    def reset_mode(self) -> None:
        """The mode that fits the elements that are open."""
        for at in range(len(self.open) - 1, -1, -1):
            node = self.open[at]
            last = at == 0
            if last and self.context is not None:
                node = self.context
            name = node.name if node.namespace == HTML else ""
            if name == "template":
                self.mode = self.template_modes[-1]
            elif name == "html":
                self.mode = "before head" if self.head is None else "after head"
            elif name in _MODE_OF and not (last and name in ("td", "th", "head")):
                self.mode = _MODE_OF[name]
            elif last:
                self.mode = "in body"
            else:
                continue
            return


_ROOM: Final = 8
"""Levels below `max_depth` that are kept for elements that are relied upon."""
_RELIED_UPON: Final = frozenset(
    "applet body button caption col colgroup form frameset head html marquee noembed noframes "
    "noscript object optgroup option script select style table tbody td template textarea tfoot th "
    "thead title tr xmp iframe".split()
)
_TABLE: Final = frozenset(("table", "tr"))
_MODE_OF: Final = {
    "td": "in cell",
    "th": "in cell",
    "tr": "in row",
    "tbody": "in table body",
    "thead": "in table body",
    "tfoot": "in table body",
    "caption": "in caption",
    "colgroup": "in column group",
    "table": "in table",
    "head": "in head",
    "body": "in body",
    "frameset": "in frameset",
}


def is_special(node: Element) -> bool:
    """Whether an element is of the special category."""
    if node.namespace == HTML:
        return node.name in SPECIAL
    if node.namespace == SVG:
        return node.name in SVG_SPECIAL
    assert node.namespace == MATHML
    return node.name in MATHML_SPECIAL


def parted(piece: Piece) -> tuple[Piece | None, Piece | None]:
    """The white space that a text begins with, and the rest."""
    text, start, end = piece
    found = _BLANK.match(text)
    assert found is not None
    at = found.end()
    if at == 0:
        return None, piece
    if at == len(text):
        return piece, None
    return Piece(text[:at], start, start + at), Piece(text[at:], start + at, end)


def is_blank(text: str) -> bool:
    """Whether a text is white space only."""
    return _BLANK.fullmatch(text) is not None


def _last_index(nodes: list[Node], node: Node) -> int:
    """Where `node` stands; it is looked for from the end, where it most often is."""
    for at in range(len(nodes) - 1, -1, -1):
        if nodes[at] is node:
            return at
    raise ValueError("not a child of its parent")


RAW_STATES: Final = {
    "title": RCDATA,
    "textarea": RCDATA,
    "style": RAWTEXT,
    "xmp": RAWTEXT,
    "iframe": RAWTEXT,
    "noembed": RAWTEXT,
    "noframes": RAWTEXT,
}
"""How the content of elements without markup is read; `script` and `noscript` apart."""
