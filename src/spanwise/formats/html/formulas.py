"""Formulas (MathML) in one line: `a/b`, `x^2`, `√(x+1)`."""

from collections.abc import Callable, Iterator
from typing import Final

from spanwise.formats.html.nodes import Element

_SCRIPTS: Final = {
    "msub": "_",
    "msup": "^",
    "munder": "_",
    "mover": "^",
    "msubsup": "_^",
    "munderover": "_^",
}
_APART: Final = frozenset(("mtable", "mtr", "mlabeledtr"))
_UNSEEN: Final = frozenset(("mphantom", "annotation", "annotation-xml", "none", "mprescripts"))


def laid_out(element: Element, text_of: Callable[[Element], str]) -> Iterator[str | Element]:
    """What to write of an element of a formula, in order: its children, and signs between them.

    `text_of` tells the text in an element.
    """
    name = element.name
    children = [
        child
        for child in element.children
        if isinstance(child, Element) and child.name not in _UNSEEN
    ]

    def grouped(child: Element) -> Iterator[str | Element]:
        text = "".join(text_of(child).split())
        if len(text) > 1 and not text.isalnum():
            yield "("
            yield child
            yield ")"
        else:
            yield child

    if name == "semantics":
        yield from children[:1]
    elif name == "mfrac" and len(children) == 2:
        yield from grouped(children[0])
        yield "¦" if element.attrs.get("linethickness", "").startswith("0") else "/"
        yield from grouped(children[1])
    elif name in _SCRIPTS and len(children) == len(_SCRIPTS[name]) + 1:
        if children[0].name == "mfrac":
            yield "("
            yield children[0]
            yield ")"
        else:
            yield children[0]
        for sign, child in zip(_SCRIPTS[name], children[1:], strict=True):
            yield sign
            yield from grouped(child)
    elif name == "msqrt":
        yield "√("
        yield from children
        yield ")"
    elif name == "mroot" and len(children) == 2:
        yield children[1]
        yield "√"
        yield from grouped(children[0])
    elif name == "mfenced":
        yield element.attrs.get("open", "(")
        for number, child in enumerate(children):
            if number:
                yield ", "
            yield child
        yield element.attrs.get("close", ")")
    else:
        for number, child in enumerate(children):
            if number and name in _APART:
                yield " "
            yield child
