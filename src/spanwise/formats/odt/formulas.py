"""Formulas of an OpenDocument text: objects that are in the text, or in parts of their own."""

import posixpath
from collections.abc import Iterator

from spanwise.formats.archive import Package
from spanwise.formats.formulas import TOKENS, laid_out
from spanwise.formats.odt.spaces import SPACES
from spanwise.formats.xml import Element, Limits, tree


class Formulas:
    """The formulas of one file."""

    def __init__(self, package: Package, limits: Limits) -> None:
        """They are read as they are asked for."""
        self._package = package
        self._limits = limits
        self._parts: dict[str, str] = {}

    def of(self, drawn: Element) -> str:
        """The formula that an object is, in one line; empty for an object of another kind."""
        inside = drawn.first("math:math")
        if inside is not None:
            return "".join(_written(inside))
        href = drawn.get("xlink:href")
        part = posixpath.normpath(posixpath.join(href, "content.xml")) if href else ""
        if part not in self._parts:
            text = ""
            if part in self._package:
                root = tree(self._package.read(part), SPACES, self._limits, part, doctype=True)
                text = "".join(_written(root)) if root.name == "math:math" else ""
            self._parts[part] = text
        return self._parts[part]


def _written(element: Element) -> Iterator[str]:
    name = _name(element)
    if name in TOKENS:
        yield element.all_text().strip()
        return
    for part in laid_out(name, _attributes(element), element.children, _name, Element.all_text):
        if isinstance(part, str):
            yield part
        else:
            yield from _written(part)


def _name(element: Element) -> str:
    return element.name.rpartition(":")[2]


def _attributes(element: Element) -> dict[str, str]:
    return {key.rpartition(":")[2]: value for key, value in element.attrs.items()}
