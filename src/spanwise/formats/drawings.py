"""Text of drawings (DrawingML): paragraphs, and diagrams (SmartArt) as the trees that they are."""

from collections.abc import Iterator
from typing import Final

from spanwise.formats.equations import formula
from spanwise.formats.office import choice
from spanwise.formats.xml import Element

TEXTS: Final = frozenset(("a:p", "c:v"))
"""What is counted as a paragraph of a drawing: those, and the values of charts."""


def drawn(paragraph: Element) -> Iterator[tuple[str, str]]:
    """The text of a paragraph in pieces, each with the id of the link that it is."""
    if paragraph.name == "c:v" and paragraph.text:
        yield paragraph.text, ""
    for child in paragraph.children:
        if child.name in ("a:r", "a:fld"):
            text = child.first("a:t")
            clicked = child.find("a:rPr", "a:hlinkClick")
            key = clicked.get("r:id") if clicked is not None else ""
            if text is not None and text.text:
                yield text.text, key
        elif child.name == "a:br":
            yield "\n", ""
        elif child.name == "mc:AlternateContent":
            chosen = choice(child)
            if chosen is not None and (text_of := formula(chosen)):
                yield text_of, ""


def points(root: Element) -> Iterator[tuple[int, Element]]:
    """The paragraphs of a diagram, each with how deep it stands, from 0.

    Office Open XML, 21.4.2: the points of a model are joined by connections from parent to child;
    those that no connection leads to, and text in no point, follow at the end.
    """
    model: dict[str, Element] = {}
    for number, point in enumerate(_all(root, "dgm:ptLst", "dgm:pt")):
        model.setdefault(point.get("modelId") or f"#{number}", point)
    children: dict[str, list[tuple[int, str]]] = {}
    for join in _all(root, "dgm:cxnLst", "dgm:cxn"):
        if join.get("type", "parOf") == "parOf":
            order = join.get("srcOrd")
            place = int(order) if order.isdecimal() and len(order) < 10 else 0
            children.setdefault(join.get("srcId"), []).append((place, join.get("destId")))
    seen: set[str] = set()
    written: set[int] = set()
    roots = [key for key, point in model.items() if point.get("type") == "doc"]
    for key in [*roots, *model]:
        rest = [(key, -1 if key in roots else 0)]
        while rest:
            at, depth = rest.pop()
            if at in seen or at not in model:
                continue
            seen.add(at)
            for paragraph in model[at].walk():
                if paragraph.name == "a:p":
                    written.add(id(paragraph))
                    yield max(0, depth), paragraph
            below = sorted(children.get(at, ()), key=lambda one: one[0])
            rest.extend((child, depth + 1) for _, child in reversed(below))
    for paragraph in root.walk():
        if paragraph.name == "a:p" and id(paragraph) not in written:
            yield 0, paragraph


def _all(root: Element, group: str, name: str) -> Iterator[Element]:
    found = root.first(group)
    for child in found.children if found is not None else ():
        if child.name == name:
            yield child
