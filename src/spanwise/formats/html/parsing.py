"""Source to tree, as the HTML standard says; the html5lib tests hold it to that."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from spanwise.formats.html.construction import RAW_STATES, Builder
from spanwise.formats.html.foreign import in_foreign
from spanwise.formats.html.modes import MODES
from spanwise.formats.html.nodes import HTML, Comment, Element, Node, Piece, Text, Tree
from spanwise.formats.html.tokens import PLAINTEXT, RAWTEXT, SCRIPT

MAX_DEPTH: Final = 256
MAX_OBJECTS: Final = 2_000_000


class Parsed(NamedTuple):
    """A tree, and the text in it: text nodes hold numbers of `pieces`, which ascend."""

    tree: Tree
    pieces: list[Piece]
    flattened: bool
    """Whether elements were nested deeper than `max_depth`."""


def parse(
    source: str,
    *,
    max_depth: int = MAX_DEPTH,
    max_objects: int = MAX_OBJECTS,
    scripting: bool = False,
    xml: bool = False,
) -> Parsed:
    """The tree of a document; `xml` is for XHTML as in books.

    Elements nested deeper than `max_depth` are beside each other, but for tables and the like.
    Raises LimitExceeded for those, and for `max_objects`.
    """
    builder = Builder(source, MODES, in_foreign, max_depth, max_objects, xml)
    builder.scripting = scripting
    builder.run()
    if "<selectedcontent" in source:
        _show_selected(builder.tree)
    return Parsed(builder.tree, builder.pieces, bool(builder.flattened))


def parse_fragment(source: str, context: Element, *, scripting: bool = False) -> Parsed:
    """What `source` is as the content of an element like `context`: the children of the root."""
    builder = Builder(source, MODES, in_foreign, MAX_DEPTH, MAX_OBJECTS)
    builder.scripting = scripting
    root = Element("html", {})
    builder.tree.append(root)
    builder.open.append(root)
    builder.context = context
    if context.namespace == HTML:
        name = context.name
        states = RAW_STATES | {"script": SCRIPT, "plaintext": PLAINTEXT}
        if scripting:
            states["noscript"] = RAWTEXT
        builder.tokens.state = states.get(name, builder.tokens.state)
        if name == "template":
            builder.template_modes.append("in template")
        if name == "form":
            builder.form = context
    builder.reset_mode()
    builder.run()
    tree = Tree()
    for child in root.children:
        tree.append(child)
    return Parsed(tree, builder.pieces, bool(builder.flattened))


def _show_selected(tree: Tree) -> None:
    """Copy what is selected to where its `select` shows it (HTML standard, 4.10.17)."""
    for select in list(_elements(tree, "select")):  # a copy is not looked into
        options = list(_elements(select, "option"))
        selected = [option for option in options if "selected" in option.attrs]
        if not options or "multiple" in select.attrs:
            continue
        shown = selected[-1] if selected else options[0]
        place = next(_elements(select, "selectedcontent"), None)
        if place is not None:
            for child in shown.children:
                place.append(_copied(child))


def _elements(within: Node, name: str) -> Iterator[Element]:
    rest = within.children[::-1]
    while rest:
        node = rest.pop()
        if isinstance(node, Element) and node.name == name:
            yield node
        rest.extend(reversed(node.children))


def _copied(node: Node) -> Node:
    if isinstance(node, Text):
        text = Text(0)
        text.pieces = node.pieces[:]
        return text
    if not isinstance(node, Element):
        return Comment("")
    copy = Element(node.name, node.attrs, node.namespace)
    for child in node.children:
        copy.append(_copied(child))
    return copy
