"""How headings look: those that look alike, and have numbers of one kind, are of one level."""

import re
from typing import Final, NamedTuple

from spanwise.formats.pdf.counting import Counted
from spanwise.formats.pdf.fonts import Style
from spanwise.formats.pdf.numbering import Label
from spanwise.formats.pdf.paragraphs import Paragraph

ALIKE: Final = 0.03
"""The share by which sizes of one look differ, as fonts that are scaled to fit do."""
_WEIGHT: Final = re.compile(
    r"[-,]?(?:Bold|Medium|Regular|Roman|Italic|Oblique|Semi|MT|PS)+$|[-,].*$"
)
_CAPITALS: Final = re.compile(r"[^\W\d_]{4}|[^\W\d_]{2,}\W+[^\W\d_]{2,}")


class Look(NamedTuple):
    """How a heading is set: those that look alike are of one level."""

    size: float
    bold: bool
    capitals: bool
    italic: bool
    font: str
    colour: int
    underlined: bool = False
    centred: bool = False
    """Only where others of the document begin at the edge of the column."""

    @property
    def plain(self) -> "Look":
        """The same whether in capitals or not."""
        return self._replace(capitals=False) if self.capitals else self

    @property
    def rank(self) -> tuple[float, bool, bool, bool, bool, bool]:
        """How much it stands out; what stands out more sorts first."""
        return (
            -self.size,
            not self.centred,
            not self.bold,
            not self.capitals,
            not self.underlined,
            self.italic,
        )

    @property
    def marked(self) -> bool:
        """Whether it is bold or underlined."""
        return self.bold or self.underlined


class Class(NamedTuple):
    """Headings that are of one level: one look and one kind of number."""

    look: Look
    kind: str


class Entry(NamedTuple):
    """A heading other than the title."""

    heading: Paragraph
    place: Class
    label: Label | None


def look_of(paragraph: Paragraph) -> Look:
    """The look of a paragraph, by its first line."""
    style = paragraph.style
    text = paragraph.text
    capitals = (
        not text[:1].islower()
        and _has_few_small(text)
        and sum(letter.isupper() for letter in text[:200]) > 3
        # Names as `FAQ` are in capitals everywhere.
        and _CAPITALS.search(text[:200]) is not None
    )
    capitals = capitals or all(line.capitals for line in paragraph.lines)
    underlined = all(line.underlined for line in paragraph.lines)
    return Look(
        style.size, style.bold, capitals, style.italic, style.font, style.colour, underlined
    )


def _has_few_small(text: str) -> bool:
    """Whether letters are capitals but for small words and units between them."""
    few = 0.1 * len(text)
    small = 0
    for letter in text:
        if letter.islower():
            small += 1
            if small >= few:
                return False
    return small < few


def look_of_style(style: Style) -> Look:
    """The plain look of text that is set in a style."""
    return Look(style.size, style.bold, False, style.italic, style.font, style.colour)


def counted_of(label: Label | None, look: Look) -> Counted:
    """The number of a heading, as far as it tells whether it is one of a section."""
    if label is None or label.kind != "decimal":
        return Counted((), look.size, look.marked)
    return Counted(label.key, look.size, look.marked)


def family(font: str) -> str:
    """The name of a font without that of its weight."""
    return _WEIGHT.sub("", font)
