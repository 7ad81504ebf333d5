"""Styles of a Word document, each with what it takes from those it is based on."""

import re
from dataclasses import dataclass, replace
from typing import Final

from spanwise.formats.office import is_on
from spanwise.formats.xml import Element

BODY_TEXT: Final = 9
"""The outline level of what is no heading."""

_HEADING: Final = re.compile(r"heading ?([1-9])", re.IGNORECASE)
_CODE: Final = re.compile(
    r"(?:source ?|html ?|inline ?|program ?)?code(?: ?(?:block|char|text|snippet))?"
    r"|(?:verbatim|html ?(?:preformatted|sample|typewriter)|preformatted ?text)(?: ?char)?",
    re.IGNORECASE,
)
_MONOSPACED: Final = re.compile(
    r"\bmono\b|courier|consolas|menlo|monaco|lucida console|source code|typewriter|inconsolata"
    r"|fira code|cascadia",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Style:
    """What matters of a style."""

    id: str = ""
    name: str = ""
    outline: int | None = None
    """0 to 8 for headings, 9 for others; None where nothing is said."""
    num_id: str | None = None
    num_level: int | None = None
    is_title: bool = False
    is_code: bool = False
    is_hidden: bool = False
    is_monospaced: bool = False
    is_bold: bool = False
    size: int = 0
    """In half points; 0 where nothing is said."""


class Styles:
    """All styles, by their ids."""

    def __init__(self, root: Element | None) -> None:
        """`root` is that of the part with styles, where there is one."""
        self._elements: dict[str, Element] = {}
        self._styles: dict[str, Style] = {}
        self.default = ""
        """The id of the style of paragraphs that name none."""
        self.is_monospaced = False
        """Whether all text has a fixed width unless it says otherwise."""
        self.size = 20
        """The size of text that says nothing of its own, in half points."""
        if root is None:
            return
        for element in root.children:
            if element.name != "w:style":
                continue
            self._elements[element.get("w:styleId")] = element
            is_default = element.get("w:default") in ("1", "true", "on")
            if is_default and element.get("w:type") == "paragraph":
                self.default = element.get("w:styleId")
        defaults = root.find("w:docDefaults", "w:rPrDefault", "w:rPr")
        size = defaults.first("w:sz") if defaults is not None else None
        self.size = self.of(self.default).size or (number(size) if size is not None else 0) or 20
        fonts = defaults.first("w:rFonts") if defaults is not None else None
        self.is_monospaced = is_monospaced(fonts) or self.of(self.default).is_monospaced

    def of(self, style_id: str) -> Style:
        """The style of that id; where it is not defined, what its id tells."""
        found = self._styles.get(style_id)
        if found is not None:
            return found
        chain: dict[str, Element] = {}
        at = style_id
        while at in self._elements and at not in self._styles and at not in chain:
            chain[at] = self._elements[at]
            base = chain[at].first("w:basedOn")
            at = base.get("w:val") if base is not None else ""
        style = self._styles.get(at, Style())
        for key, element in reversed(chain.items()):
            style = self._styles[key] = replace(_with(style, element), id=key)
        if not chain:
            style = self._styles[style_id] = _named(Style(style_id), style_id)
        return style


def is_monospaced(fonts: Element | None) -> bool:
    """Whether the fonts of text have a fixed width."""
    return fonts is not None and bool(_MONOSPACED.search(fonts.get("w:ascii")))


def _with(style: Style, element: Element) -> Style:
    """A style with what another one that is based on it says."""
    name = element.first("w:name")
    style = _named(style, name.get("w:val") if name is not None else element.get("w:styleId"))
    level = element.find("w:pPr", "w:outlineLvl")
    if level is not None:
        style = replace(style, outline=number(level))
    numbering = element.find("w:pPr", "w:numPr")
    if numbering is not None:
        num_id = numbering.first("w:numId")
        num_level = numbering.first("w:ilvl")
        if num_id is not None:
            style = replace(style, num_id=num_id.get("w:val"), num_level=None)
        if num_level is not None:
            style = replace(style, num_level=number(num_level))
    fonts = element.find("w:rPr", "w:rFonts")
    if fonts is not None and fonts.get("w:ascii"):
        style = replace(style, is_monospaced=is_monospaced(fonts))
    bold = element.find("w:rPr", "w:b")
    if bold is not None:
        style = replace(style, is_bold=is_on(bold))
    size = element.find("w:rPr", "w:sz")
    if size is not None:
        style = replace(style, size=number(size))
    vanish = element.find("w:rPr", "w:vanish")
    if vanish is not None:
        style = replace(style, is_hidden=vanish.get("w:val", "1") not in ("0", "false"))
    return style


def _named(style: Style, name: str) -> Style:
    """What the name of a style tells, the built-in ones having the same in all languages."""
    heading = _HEADING.fullmatch(name.strip())
    outline = style.outline
    if heading:
        outline = int(heading[1]) - 1
    elif re.fullmatch(r"toc (?:heading|\d)", name, re.IGNORECASE):
        outline = BODY_TEXT
    return replace(
        style,
        name=name,
        outline=outline,
        is_title=name.strip().lower() == "title",
        is_code=style.is_code or bool(_CODE.fullmatch(name.strip())),
    )


def number(element: Element) -> int:
    """The value of a property that is a number; 0 where it is none."""
    said = element.get("w:val")
    return int(said) if said.isdecimal() and len(said) < 10 else 0
