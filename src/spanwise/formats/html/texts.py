"""The text of elements, without regard to how it is shown."""

from spanwise.formats.html.nodes import Element, Piece, Text
from spanwise.formats.html.visible import elements


def own_text(element: Element, pieces: list[Piece]) -> str:
    """The text of an element itself, that of others in it left out."""
    return "".join(
        pieces[piece].text
        for child in element.children
        if isinstance(child, Text)
        for piece in child.pieces
    )


def all_text(element: Element, pieces: list[Piece]) -> str:
    """The text of an element: its own, then that of each in it."""
    return "".join(own_text(node, pieces) for node in (element, *elements(element)))


def size_of(element: Element, pieces: list[Piece]) -> int:
    """How many characters are in an element, without white space around its pieces of text."""
    return sum(
        len(pieces[piece].text.strip())
        for node in (element, *elements(element))
        for child in node.children
        if isinstance(child, Text)
        for piece in child.pieces
    )


def says_something(element: Element, pieces: list[Piece]) -> bool:
    """Whether there is more in an element than signs, as `#` or an arrow."""
    return any(
        char.isalnum()
        for node in (element, *elements(element))
        for child in node.children
        if isinstance(child, Text)
        for piece in child.pieces
        for char in pieces[piece].text
    )
