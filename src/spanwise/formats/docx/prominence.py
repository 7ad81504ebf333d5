"""Headings of documents in which nothing says what a heading is: lines that look like some.

Many people write in Word without styles. Where no paragraph has an outline level, the style of a
heading or that of a title, short paragraphs that are larger than the text, or from end to end bold,
underlined or in capitals, are the headings, unless too much is.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final, NamedTuple

from spanwise.formats.docx.looks import Looks
from spanwise.formats.docx.styles import Styles, number
from spanwise.formats.office import is_on
from spanwise.formats.pdf.numbering import LABEL_WORDS
from spanwise.formats.xml import Element

MAX_CHARS: Final = 100
MAX_WORDS: Final = 15
MAX_IN_A_ROW: Final = 3
"""Lines that look alike, without text in between: more are an address or the like."""
MAX_SHARE: Final = 0.25
"""How much of the text may be headings."""
LARGER: Final = 1.15
"""How many times as large as the text a heading is that does not stand out otherwise."""
MIN_CAPITALS: Final = 6
"""Letters of a line in capitals: fewer may be the name of something."""

_ENDS: Final = re.compile(r"[.,;:\u3002\uff1a\uff1b\uff0c]$")
"""What sentences and labels end with, and headings do not."""
_LABEL: Final = re.compile(
    rf"(?P<word>(?:{LABEL_WORDS})\s+[\dIVXLC])|(?P<digits>\d+(?:\.\d+)*)[.)]?\s"
    r"|(?P<roman>[IVXLC]+)[.)]\s|(?P<letter>[A-Z])[.)]\s|(?P<brackets>\(\w{1,4}\))\s",
    re.IGNORECASE,
)
_LEFT_OUT: Final = frozenset(
    "w:del w:moveFrom w:pPr w:txbxContent w:drawing w:pict w:object mc:AlternateContent".split()
)


class Look(NamedTuple):
    """How all of a line looks; looks that come first are those of higher headings."""

    smallness: int
    """The size in half points, negative."""
    is_light: bool
    is_plain: bool
    """Not underlined."""
    is_small: bool
    """Not in capitals."""


class _Line(NamedTuple):
    number: int
    look: Look | None
    """None for what cannot be a heading."""
    label: str
    """What kind of label it begins with, as `A.` or `1.2`; empty for none, or else `either` where a
    letter may be a number, as in `C.`"""
    chars: int


def prominent(blocks: Iterable[Element], looks: Looks, styles: Styles) -> dict[int, int]:
    """The headings by their look: for the number of each paragraph its level, from 0.

    `blocks` are those of the body. Nothing is found where something says what a heading is.
    """
    lines: list[_Line] = []
    sizes: dict[int, int] = {}
    count = 0
    for block in blocks:
        first = count + 1
        for element in block.walk():
            if element.name == "w:p":
                count += 1
                if looks.is_said(element) and _chars(element):
                    return {}
        is_text = block.name == "w:p" and not looks.is_bullet(block)
        lines.append(_line(block, is_text, first, styles, sizes))
    if not sizes:
        return {}
    usual = max(sizes, key=lambda size: (sizes[size], -size))
    found = [line for group in _groups(lines, usual) for line in group]
    chars = sum(line.chars for line in lines)
    if sum(line.chars for line in found) > MAX_SHARE * chars:
        return {}
    return _levels(found)


def _levels(found: list[_Line]) -> dict[int, int]:
    """Levels by the looks; of those that look alike, the kind of label that comes first is above.

    What has no label belongs to the first.
    """
    romans = {line.look for line in found if line.label == "roman"}
    labels: dict[Look, list[str]] = {}
    ranks: dict[int, tuple[Look, int]] = {}
    for line in found:
        if line.look is not None:
            kinds = labels.setdefault(line.look, [])
            label = line.label
            if label == "either":
                label = "roman" if line.look in romans else "letter"
            if label and label not in kinds:
                kinds.append(label)
            ranks[line.number] = line.look, kinds.index(label) if label else 0
    levels = {rank: level for level, rank in enumerate(sorted(set(ranks.values())))}
    return {number: levels[rank] for number, rank in ranks.items()}


def _groups(lines: list[_Line], usual: int) -> Iterator[list[_Line]]:
    """Lines that look like headings of the text after them; `usual` is the size of that."""
    group: list[_Line] = []
    for line in lines:
        if line.look is not None and _stands_out(line.look, usual):
            group.append(line)
        elif line.chars:
            for _, alike in groupby(group, lambda one: one.look):
                lines_alike = list(alike)
                if len(lines_alike) <= MAX_IN_A_ROW:
                    yield lines_alike
            group = []


def _stands_out(look: Look, usual: int) -> bool:
    size = -look.smallness
    if look.is_light and look.is_plain and look.is_small:
        return size >= LARGER * usual
    return size >= usual


def _line(
    block: Element, is_text: bool, first: int, styles: Styles, sizes: dict[int, int]
) -> _Line:
    """What a block is; the sizes of its text are counted."""
    chars = _chars(block)
    if not is_text:
        return _Line(first, None, "", chars)
    text = ""
    smallest = 0
    is_bold = is_underlined = True
    named = block.find("w:pPr", "w:pStyle")
    style = styles.of(named.get("w:val") if named is not None else styles.default)
    for run in _runs(block):
        said = "".join(part.text if part.name == "w:t" else " " for part in run.children)
        if not said.strip():
            continue
        text += said
        properties = run.first("w:rPr")
        own = properties.first("w:rStyle") if properties is not None else None
        character = styles.of(own.get("w:val")) if own is not None else None
        bold = properties.first("w:b") if properties is not None else None
        line = properties.first("w:u") if properties is not None else None
        sized = properties.first("w:sz") if properties is not None else None
        size = number(sized) if sized is not None else 0
        size = size or (character.size if character else 0) or style.size or styles.size
        sizes[size] = sizes.get(size, 0) + len(said)
        smallest = min(smallest or size, size)
        if bold is not None:
            is_bold &= is_on(bold)
        else:
            is_bold &= style.is_bold or (character is not None and character.is_bold)
        is_underlined &= line is not None and line.get("w:val", "single") != "none"
    text = " ".join(text.split())
    is_short = 0 < len(text) <= MAX_CHARS and len(text.split()) <= MAX_WORDS
    first_letter = next((letter for letter in text if letter.isalpha()), "")
    if not is_short or _ENDS.search(text) or not first_letter or first_letter.islower():
        return _Line(first, None, "", chars)
    is_capital = text.isupper() and sum(map(str.isalpha, text)) >= MIN_CAPITALS
    look = Look(-smallest, not is_bold, not is_underlined, not is_capital)
    return _Line(first, look, _label(text), chars)


def _label(text: str) -> str:
    """The kind of label that a line begins with; empty for none."""
    found = _LABEL.match(text)
    if found is None:
        return ""
    kind = found.lastgroup or ""
    if kind == "digits":
        return f"digits{found[kind].count('.')}"
    return "either" if kind == "roman" and len(found[kind]) == 1 else kind


def _runs(paragraph: Element) -> Iterator[Element]:
    """The runs of a paragraph, those of its text boxes left out."""
    rest = paragraph.children[::-1]
    while rest:
        element = rest.pop()
        if element.name == "w:r":
            yield element
        elif element.name not in _LEFT_OUT and element.name != "w:hyperlink":
            rest.extend(reversed(element.children))


def _chars(element: Element) -> int:
    """How many characters of text are in an element."""
    return sum(len(part.text.strip()) for part in element.walk() if part.name == "w:t")
