"""The text of a Word paragraph: what is printed of it, in order.

The text of a paragraph is defined here, for reading and for reading again: characters of runs that
are not deleted, moved away or hidden; a tab is a tab, a line break a line feed, a page break
nothing. Formulas are written in one line. Text boxes and notes are texts of their own.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from spanwise.formats.docx.styles import Styles, is_monospaced
from spanwise.formats.docx.symbols import symbol
from spanwise.formats.equations import formula
from spanwise.formats.office import choice, is_on
from spanwise.formats.xml import Element


class Inline(NamedTuple):
    """Text with one look, or a note that is referred to, or a drawing with text."""

    text: str
    is_code: bool = False
    link: str = ""
    """The id of a relationship with its address, or the address itself after `=`."""
    note: tuple[str, str] | None = None
    """`footnote` or `endnote`, and its id."""
    box: Element | None = None


def printed(paragraph: Element, styles: Styles) -> str:
    """The text of a paragraph."""
    return "".join(inline.text for inline in inlines(paragraph, styles))


def inlines(paragraph: Element, styles: Styles) -> Iterator[Inline]:
    """What is in a paragraph."""
    named = paragraph.find("w:pPr", "w:pStyle")
    is_hidden = named is not None and styles.of(named.get("w:val")).is_hidden
    return _Walk(styles, is_hidden).content(paragraph, "")


class _Field:
    __slots__ = ("code", "in_result")

    def __init__(self) -> None:
        self.code = ""
        self.in_result = False


class _Walk:
    """One paragraph; fields are open from one of their marks to another."""

    def __init__(self, styles: Styles, is_hidden: bool) -> None:
        self._styles = styles
        self._is_hidden = is_hidden
        self._fields: list[_Field] = []

    def content(self, parent: Element, link: str) -> Iterator[Inline]:
        before = ""
        for element in parent.children:
            name = element.name
            between = " " if before.startswith("m:oMath") else ""
            before = name
            if name == "w:r":
                yield from self._run(element, link)
            elif name in _LEFT_OUT:
                continue
            elif name == "w:hyperlink":
                yield from self.content(element, element.get("r:id") or link)
            elif name == "w:fldSimple":
                address = _address(element.get("w:instr"))
                yield from self.content(element, address or link)
            elif name == "mc:AlternateContent":
                chosen = choice(element)
                if chosen is not None:
                    yield from self.content(chosen, link)
            elif name in ("m:oMath", "m:oMathPara"):
                if all(field.in_result for field in self._fields):
                    yield Inline(between + formula(element))
            elif name.startswith("w:") or name == "mc:Choice":
                # Insertions, content controls, smart tags, directional wrappers and the like.
                yield from self.content(element, link)

    def _run(self, run: Element, link: str) -> Iterator[Inline]:
        properties = run.first("w:rPr")
        is_code = False
        is_hidden = self._is_hidden
        if properties is not None:
            style = properties.first("w:rStyle")
            if style is not None:
                found = self._styles.of(style.get("w:val"))
                is_hidden = is_hidden or found.is_hidden
                is_code = found.is_code or found.is_monospaced
            is_code = is_code or is_monospaced(properties.first("w:rFonts"))
            vanish = properties.first("w:vanish")
            is_hidden = is_on(vanish) if vanish is not None else is_hidden
        if is_hidden:
            return
        yield from self._parts(run, is_code, link)

    def _parts(self, run: Element, is_code: bool, link: str) -> Iterator[Inline]:
        for part in run.children:
            name = part.name
            if name == "w:fldChar":
                yield from self._mark(part)
            elif name == "w:instrText":
                if self._fields and not self._fields[-1].in_result:
                    self._fields[-1].code += part.text
            elif name == "mc:AlternateContent":
                chosen = choice(part)
                if chosen is not None:
                    yield from self._parts(chosen, is_code, link)
            elif name in ("w:drawing", "w:pict", "w:object"):
                for box in boxes(part):
                    yield Inline("", box=box)
            elif name in ("w:footnoteReference", "w:endnoteReference"):
                kind = name[2:].removesuffix("Reference")
                yield Inline("", note=(kind, part.get("w:id")))
            elif name == "w:ruby":
                base = part.first("w:rubyBase")
                if base is not None:
                    yield from self.content(base, link)
            else:
                text = part.text if name == "w:t" else _sign(part)
                if text and all(field.in_result for field in self._fields):
                    yield Inline(text, is_code, self._link() or link)

    def _mark(self, mark: Element) -> Iterator[Inline]:
        kind = mark.get("w:fldCharType")
        if kind == "begin":
            self._fields.append(_Field())
            box = mark.find("w:ffData", "w:checkBox")
            if box is not None:
                state = box.first("w:checked")
                checked = is_on(state if state is not None else box.first("w:default"))
                yield Inline("☒" if checked else "☐")
        elif kind == "separate" and self._fields:
            self._fields[-1].in_result = True
        elif kind == "end" and self._fields:
            self._fields.pop()

    def _link(self) -> str:
        for field in reversed(self._fields):
            address = _address(field.code)
            if address:
                return address
        return ""


def boxes(drawing: Element) -> Iterator[Element]:
    """What has text in a drawing, outermost, each once: text boxes, diagrams, charts."""
    rest = [drawing]
    while rest:
        element = rest.pop()
        if element.name in _WITH_TEXT:
            yield element
        elif element.name == "mc:AlternateContent":
            chosen = choice(element)
            if chosen is not None:
                rest.append(chosen)
        else:
            rest.extend(reversed(element.children))


def _address(code: str) -> str:
    """The address in the code of a field, after `=`; empty where there is none."""
    words = code.split('"')
    if len(words) < 2 or words[0].split() != ["HYPERLINK"]:
        return ""
    return "=" + words[1]


def _sign(part: Element) -> str:
    """What an element of a run that is no text stands for."""
    name = part.name
    if name == "w:br":
        return "" if part.get("w:type") in ("page", "column") else "\n"
    if name == "w:sym":
        return symbol(part.get("w:font"), part.get("w:char"))
    return _SIGNS.get(name, "")


_LEFT_OUT: Final = frozenset(
    "w:del w:moveFrom w:pPr w:rPr w:sdtPr w:sdtEndPr w:customXmlPr w:smartTagPr "
    "w:commentRangeStart w:commentRangeEnd w:bookmarkStart w:bookmarkEnd w:proofErr w:p "
    "w:tbl".split()
)
_WITH_TEXT: Final = frozenset(("w:txbxContent", "dgm:relIds", "c:chart"))
_SIGNS: Final = {
    "w:tab": "\t",
    "w:ptab": "\t",
    "w:cr": "\n",
    "w:noBreakHyphen": "\u2011",
}
