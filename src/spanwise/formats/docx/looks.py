"""What a paragraph of Word is: a heading, an item of a list, a line of code, or text."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from spanwise.formats.docx.inlines import inlines
from spanwise.formats.docx.numbering import Label, Numbering
from spanwise.formats.docx.styles import BODY_TEXT, Style, Styles, number
from spanwise.formats.xml import Element

MAX_HEADING: Final = 300
"""Characters of a heading; more is text that was given a level, or the style, by mistake."""
_LEFT_OUT: Final = frozenset(
    "w:del w:moveFrom w:pPr w:txbxContent w:drawing w:pict w:object mc:AlternateContent".split()
)


class Look(NamedTuple):
    """What a paragraph is."""

    style: Style
    outline: int | None
    """The level as a heading, from 0; None for other text."""
    label: Label | None


class Looks:
    """Tells what paragraphs are, by their properties, styles and numbering."""

    def __init__(self, styles: Styles, numbering: Numbering) -> None:
        """Those of the document."""
        self._styles = styles
        self._numbering = numbering

    def of(self, paragraph: Element) -> Look:
        """What a paragraph is; it is counted, so this is asked once of each, in order."""
        properties = paragraph.first("w:pPr")
        key = style_id(paragraph, self._styles)
        style = self._styles.of(key)
        num_id, level = style.num_id, style.num_level
        if num_id and level is None:
            level = self._numbering.level_of(num_id, key)
        numbering = properties.first("w:numPr") if properties is not None else None
        if numbering is not None:
            said_id = numbering.first("w:numId")
            said_level = numbering.first("w:ilvl")
            if said_id is not None:
                num_id = said_id.get("w:val")
            if said_level is not None:
                level = number(said_level)
        label = None
        outline = self._outline(paragraph)
        if num_id:
            level = min(8, level or 0)
            label = self._numbering.label(num_id, level)
            if outline is None and numbering is not None and key == self._styles.default:
                outline = self._numbered_as(num_id, level)
        if outline is not None and outline >= BODY_TEXT:
            outline = None
        return Look(style, outline, label)

    def is_heading(self, paragraph: Element) -> bool:
        """Whether a style or the paragraph itself says so; numbers do not count here."""
        outline = self._outline(paragraph)
        return outline is not None and outline < BODY_TEXT

    def is_said(self, paragraph: Element) -> bool:
        """Whether anything says that a paragraph is a heading or a title."""
        if (
            self.is_heading(paragraph)
            or self._styles.of(style_id(paragraph, self._styles)).is_title
        ):
            return True
        num_id, level = self._direct_number(paragraph)
        if not num_id or style_id(paragraph, self._styles) != self._styles.default:
            return False
        outline = self._numbered_as(num_id, level)
        return outline is not None and outline < BODY_TEXT

    def is_bullet(self, paragraph: Element) -> bool:
        """Whether a bullet stands before a paragraph."""
        num_id, level = self.numbering(paragraph)
        return self._numbering.is_bullet(num_id, level)

    def sample(self, paragraph: Element) -> str:
        """The number before a paragraph as that of a second one is; empty without, or a bullet."""
        num_id, level = self.numbering(paragraph)
        return self._numbering.sample(num_id, level)

    def numbering(self, paragraph: Element) -> tuple[str, int]:
        """The numbering of a paragraph, its own or that of its style, and the level of it."""
        num_id, level = self._direct_number(paragraph)
        if not num_id:
            style = self._styles.of(style_id(paragraph, self._styles))
            num_id, level = style.num_id or "", style.num_level or 0
        return num_id, min(8, level)

    def _direct_number(self, paragraph: Element) -> tuple[str, int]:
        """The numbering that a paragraph names itself, and the level of it."""
        numbering = paragraph.find("w:pPr", "w:numPr")
        said = numbering.first("w:numId") if numbering is not None else None
        level = numbering.first("w:ilvl") if numbering is not None else None
        return (
            said.get("w:val") if said is not None else "",
            number(level) if level is not None else 0,
        )

    def is_code(self, paragraph: Element, look: Look) -> bool:
        """Whether a paragraph is a line of code: by its style, or a fixed width all along."""
        if look.outline is not None or look.label is not None or self._styles.is_monospaced:
            return False
        if look.style.is_code or look.style.is_monospaced:
            return True
        texts = [one for one in inlines(paragraph, self._styles) if one.text.strip()]
        return bool(texts) and all(one.is_code for one in texts)

    def _numbered_as(self, num_id: str, level: int) -> int | None:
        """What is numbered as the headings are is one, though nobody gave it the style."""
        linked = self._numbering.style_of(num_id, level)
        return self._styles.of(linked).outline if linked else None

    def _outline(self, paragraph: Element) -> int | None:
        direct = paragraph.find("w:pPr", "w:outlineLvl")
        if direct is not None:
            outline: int | None = number(direct)
        else:
            outline = self._styles.of(style_id(paragraph, self._styles)).outline
        if outline is None or outline >= BODY_TEXT:
            return outline
        parts = (part for run in own_runs(paragraph) for part in run.children)
        chars = sum(len(part.text) for part in parts if part.name == "w:t")
        return outline if chars <= MAX_HEADING else BODY_TEXT


def style_id(paragraph: Element, styles: Styles) -> str:
    """The id of the style of a paragraph, which is the usual one where none is named."""
    named = paragraph.find("w:pPr", "w:pStyle")
    return named.get("w:val") if named is not None else styles.default


def own_runs(paragraph: Element) -> Iterator[Element]:
    """The runs of a paragraph, those of its links and text boxes left out."""
    rest = paragraph.children[::-1]
    while rest:
        element = rest.pop()
        if element.name == "w:r":
            yield element
        elif element.name not in _LEFT_OUT and element.name != "w:hyperlink":
            rest.extend(reversed(element.children))
