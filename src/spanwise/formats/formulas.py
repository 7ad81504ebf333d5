"""Formulas (MathML) in one line: `a/b`, `x^2`, `√(x+1)`."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, TypeVar

Node = TypeVar("Node")

TOKENS: Final = frozenset("mi mo mn ms mtext".split())
"""Elements that hold text and no others."""
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


def laid_out(
    name: str,
    attrs: Mapping[str, str],
    children: Iterable[Node],
    name_of: Callable[[Node], str],
    text_of: Callable[[Node], str],
) -> Iterator[str | Node]:
    """What to write of an element of a formula, in order: its children, and signs between them.

    The element is given by its name, attributes and the elements in it; `name_of` and `text_of`
    tell the name of one of these and the text in it.
    """
    children = [child for child in children if name_of(child) not in _UNSEEN]

    def grouped(child: Node) -> Iterator[str | Node]:
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
        yield "¦" if attrs.get("linethickness", "").startswith("0") else "/"
        yield from grouped(children[1])
    elif name in _SCRIPTS and len(children) == len(_SCRIPTS[name]) + 1:
        if name_of(children[0]) == "mfrac":
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
        yield attrs.get("open", "(")
        for number, child in enumerate(children):
            if number:
                yield ", "
            yield child
        yield attrs.get("close", ")")
    else:
        for number, child in enumerate(children):
            if number and name in _APART:
                yield " "
            yield child
