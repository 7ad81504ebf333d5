"""The text of a paragraph of an OpenDocument text.

White space is one blank, as OpenDocument has it (1.3, 6.1.2), and none at the start; blanks, tabs
and line breaks that count are elements. A formula is written in one line. Notes, comments and text
boxes are texts of their own.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from spanwise.formats.odt.formulas import Formulas
from spanwise.formats.xml import Element

_WHITE_SPACE: Final = re.compile(r"[ \t\r\n]+")
_LEFT_OUT: Final = frozenset(
    "office:annotation office:annotation-end text:note-citation text:tracked-changes "
    "text:ruby-text text:hidden-text".split()
)
_BOXES: Final = frozenset(("draw:text-box", "draw:custom-shape"))
_MAX_BLANKS: Final = 1000


class Inline(NamedTuple):
    """Text with one look, or a note or text box that is anchored here."""

    text: str
    style: str = ""
    link: str = ""
    note: Element | None = None
    box: Element | None = None


def printed(paragraph: Element, formulas: Formulas) -> str:
    """The text of a paragraph."""
    return "".join(inline.text for inline in inlines(paragraph, formulas))


def inlines(paragraph: Element, formulas: Formulas) -> Iterator[Inline]:
    """What is in a paragraph."""
    after_blank = True
    for inline in _content(paragraph, formulas, "", ""):
        text = inline.text
        if text and inline.note is None and inline.box is None and not inline.text.startswith("\0"):
            text = _WHITE_SPACE.sub(" ", text)
            if after_blank and text[0] == " ":
                text = text[1:]
            if not text:
                continue
            after_blank = text[-1] == " "
            yield inline._replace(text=text)
        elif text:
            after_blank = False
            yield inline._replace(text=text[1:])
        else:
            yield inline


def _content(parent: Element, formulas: Formulas, style: str, link: str) -> Iterator[Inline]:
    """The parts of an element, white space as it stands; signs begin with a NUL."""
    yield Inline(parent.text, style, link)
    for element in parent.children:
        name = element.name
        if name == "text:span":
            yield from _content(element, formulas, element.get("text:style-name") or style, link)
        elif name == "text:a":
            yield from _content(element, formulas, style, element.get("xlink:href"))
        elif name == "text:s":
            count = element.get("text:c", "1")
            blanks = min(int(count), _MAX_BLANKS) if count.isdecimal() else 1
            yield Inline("\0" + " " * blanks, style, link)
        elif name == "text:tab":
            yield Inline("\0\t", style, link)
        elif name == "text:line-break":
            yield Inline("\0\n", style, link)
        elif name == "text:note":
            yield Inline("", note=element)
        elif name == "draw:object":
            text = formulas.of(element)
            if text:
                yield Inline("\0" + text, style, link)
        elif name in _BOXES:
            yield Inline("", box=element)
        elif name not in _LEFT_OUT and name not in ("text:p", "text:h"):
            # Fields, bookmarks, frames and the like.
            yield from _content(element, formulas, style, link)
        yield Inline(element.tail, style, link)
