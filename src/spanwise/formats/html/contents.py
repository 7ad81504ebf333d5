"""What is in the parts of a page, known before these are written."""

from collections.abc import Callable

from spanwise.formats.html.nodes import Element, Node
from spanwise.formats.html.visible import elements


class Contents:
    """Headings and tables, by what they are in."""

    def __init__(self, roots: list[Element], level: Callable[[Element], int]) -> None:
        """Of all that is in the roots and these themselves; `level` is that of a heading, or 0."""
        self.highest = 0
        """The least level; 0 without any heading."""
        self.with_heading: set[Node] = set()
        """What a heading is in."""
        self.with_table: set[Node] = set()
        """What a table is in; a quote that holds one only indents it, as those of manuals."""
        for root in roots:
            for element in (root, *elements(root)):
                own = level(element)
                self.highest = min(self.highest or own, own or self.highest)
                if own:
                    _note(element.parent, self.with_heading)
                elif element.name == "table":
                    _note(element.parent, self.with_table)


def _note(node: Node | None, within: set[Node]) -> None:
    """Add a node and all that it is in."""
    while node is not None and node not in within:
        within.add(node)
        node = node.parent
