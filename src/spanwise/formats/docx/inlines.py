"""The text of a Word paragraph: what is printed of it, in order.

The text of a paragraph is defined here, for reading and for reading again: characters of runs that
are not deleted, moved away or hidden; a tab is a tab, a line break a line feed, a page break
nothing. Formulas are written in one line. Text boxes and notes are texts of their own.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from spanwise.formats.docx.styles import Styles, is_monospaced
from spanwise.formats.office import is_on
from spanwise.formats.xml import Element


class Inline(NamedTuple):
    """Text with one look, or a note that is referred to, or a text box."""

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


def choice(alternatives: Element) -> Element | None:
    """The one of several ways to show something that is taken: the first there is."""
    found = alternatives.first("mc:Choice")
    return found if found is not None else alternatives.first("mc:Fallback")


def boxes(drawing: Element) -> Iterator[Element]:
    """The text boxes in a drawing, outermost, each once."""
    rest = [drawing]
    while rest:
        element = rest.pop()
        if element.name == "w:txbxContent":
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
        return _symbol(part.get("w:font"), part.get("w:char"))
    return _SIGNS.get(name, "")


def _symbol(font: str, code: str) -> str:
    try:
        value = int(code, 16)
    except ValueError:
        return ""
    low = value - 0xF000 if 0xF000 <= value <= 0xF0FF else value
    if font.lower() in _PICTURES:
        return _PICTURES[font.lower()].get(low, "\ufffd")
    if font.lower() == "symbol":
        return _SYMBOL.get(low) or (chr(low) if 0x20 <= low < 0x40 else "\ufffd")
    if 0 < value <= 0x10FFFF and not 0xD800 <= value <= 0xF8FF:
        return chr(value)
    return "\ufffd"


def formula(element: Element) -> str:
    """A formula in one line: `a/b`, `x^2`, `√(x)`."""
    name = element.name
    if name == "m:t":
        return element.text
    if name == "w:t":
        return element.text
    if name.endswith("Pr"):
        return ""
    texts = [(child.name, formula(child)) for child in element.children]
    parts = dict(texts)
    if name == "m:f":
        kind = element.find("m:fPr", "m:type")
        bar = "¦" if kind is not None and kind.get("m:val") == "noBar" else "/"
        return f"{_grouped(parts.get('m:num', ''))}{bar}{_grouped(parts.get('m:den', ''))}"
    if name in ("m:sSup", "m:sSub", "m:sSubSup", "m:nary"):
        base = parts.get("m:e", "")
        if name != "m:nary" and element.find("m:e", "m:f") is not None:
            base = f"({base})"
        low = parts.get("m:sub", "")
        high = parts.get("m:sup", "")
        marks = (f"_{_grouped(low)}" if low else "") + (f"^{_grouped(high)}" if high else "")
        if name == "m:nary":
            sign = element.find("m:naryPr", "m:chr")
            return (sign.get("m:val") if sign is not None else "∫") + marks + " " + base
        return base + marks
    if name == "m:rad":
        return f"{parts.get('m:deg', '')}√{_grouped(parts.get('m:e', ''))}"
    if name == "m:d":
        opening = element.find("m:dPr", "m:begChr")
        closing = element.find("m:dPr", "m:endChr")
        inside = ", ".join(text for child, text in texts if child == "m:e")
        left = opening.get("m:val") if opening is not None else "("
        right = closing.get("m:val") if closing is not None else ")"
        return left + inside + right
    if name == "m:func":
        said, of = parts.get("m:fName", ""), parts.get("m:e", "")
        return f"{said} {of}" if said[-1:].isalpha() and of[:1].isalnum() else said + of
    if name in ("m:limLow", "m:limUpp"):
        mark = "_" if name == "m:limLow" else "^"
        return f"{parts.get('m:e', '')}{mark}{_grouped(parts.get('m:lim', ''))}"
    between = " " if name in ("m:mr", "m:m", "m:eqArr", "m:oMathPara") else ""
    return between.join(text for _, text in texts if text)


def _grouped(text: str) -> str:
    return text if len(text) < 2 or text.isalnum() else f"({text})"


_LEFT_OUT: Final = frozenset(
    "w:del w:moveFrom w:pPr w:rPr w:sdtPr w:sdtEndPr w:customXmlPr w:smartTagPr "
    "w:commentRangeStart w:commentRangeEnd w:bookmarkStart w:bookmarkEnd w:proofErr w:p "
    "w:tbl".split()
)
_SIGNS: Final = {
    "w:tab": "\t",
    "w:ptab": "\t",
    "w:cr": "\n",
    "w:noBreakHyphen": "\u2011",
}
_PICTURES: Final = {
    "wingdings": {
        0x20: " ", 0x22: "✂", 0x28: "☎", 0x2A: "✉", 0x36: "⌛", 0x37: "⌨", 0x3F: "✍", 0x41: "✌",
        0x45: "☜", 0x46: "☞", 0x47: "☝", 0x48: "☟", 0x4A: "☺", 0x4B: "😐", 0x4C: "☹", 0x4D: "💣",
        0x4E: "☠", 0x51: "✈", 0x52: "☼", 0x53: "💧", 0x54: "❄", 0x58: "✠", 0x5A: "☪", 0x5B: "☯",
        0x6C: "●", 0x6D: "❍", 0x6E: "■", 0x6F: "☐", 0x71: "❑", 0x72: "❒", 0x73: "⬧", 0x74: "⧫",
        0x75: "◆", 0x76: "❖", 0x77: "⬥", 0x78: "☒", 0x7B: "❀", 0x7C: "✿", 0x80: "⓪", 0x81: "①",
        0x82: "②", 0x83: "③", 0x84: "④", 0x85: "⑤", 0x86: "⑥", 0x87: "⑦", 0x88: "⑧", 0x89: "⑨",
        0x8A: "⑩", 0x8C: "❶", 0x8D: "❷", 0x8E: "❸", 0x8F: "❹", 0x90: "❺", 0x91: "❻", 0x92: "❼",
        0x93: "❽", 0x94: "❾", 0x95: "❿", 0x9E: "·", 0x9F: "•", 0xA0: "▪", 0xA1: "○", 0xA4: "◉",
        0xA5: "◎", 0xA7: "▪", 0xA8: "☐", 0xAA: "✦", 0xAB: "★", 0xAC: "✶", 0xAD: "✴", 0xAE: "✹",
        0xAF: "✵", 0xD8: "➢", 0xDF: "←", 0xE0: "→", 0xE1: "↑", 0xE2: "↓", 0xE8: "➔", 0xEF: "⇦",
        0xF0: "⇨", 0xF1: "⇧", 0xF2: "⇩", 0xF3: "⬄", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
    },
    "wingdings 2": {
        0x20: " ", 0x4F: "✗", 0x50: "✓", 0x51: "☒", 0x52: "☑", 0x53: "☒", 0x54: "☒", 0x96: "•",
        0x97: "●", 0x98: "●", 0x99: "○", 0x9A: "○", 0xA0: "▪", 0xA2: "■", 0xA3: "☐", 0xA4: "☐",
    },
    "wingdings 3": {
        0x20: " ", 0x66: "→", 0x67: "→", 0x70: "▲", 0x71: "▼", 0x72: "△", 0x73: "▽", 0x74: "◀",
        0x75: "▶", 0x76: "◁", 0x77: "▷", 0x7D: "▶", 0x84: "◀",
    },
}  # fmt: skip
"""What fonts of pictures have for letters."""
_SYMBOL: Final = {
    0x61: "α", 0x62: "β", 0x63: "χ", 0x64: "δ", 0x65: "ε", 0x66: "φ", 0x67: "γ", 0x68: "η",
    0x69: "ι", 0x6A: "ϕ", 0x6B: "κ", 0x6C: "λ", 0x6D: "μ", 0x6E: "ν", 0x6F: "ο", 0x70: "π",
    0x71: "θ", 0x72: "ρ", 0x73: "σ", 0x74: "τ", 0x75: "υ", 0x77: "ω", 0x78: "ξ", 0x79: "ψ",
    0x7A: "ζ", 0x44: "Δ", 0x46: "Φ", 0x47: "Γ", 0x4C: "Λ", 0x50: "Π", 0x51: "Θ", 0x53: "Σ",
    0x57: "Ω", 0x58: "Ξ", 0x59: "Ψ", 0xA3: "≤", 0xA5: "∞", 0xAE: "→", 0xAC: "←", 0xB0: "°",
    0xB1: "±", 0xB3: "≥", 0xB4: "×", 0xB7: "•", 0xB9: "≠", 0xBB: "≈", 0xC5: "⊕", 0xD6: "√",
    0xDE: "⇒", 0xE5: "∑", 0xF2: "∫", 0xCE: "∈", 0xC7: "∩", 0xC8: "∪", 0xB6: "∂", 0xD1: "∇",
}  # fmt: skip
