"""Headings of documents in which nothing says what a heading is: lines that look like some.

Many people write in Word without styles. Where no paragraph has an outline level, the style of a
heading or that of a title, short paragraphs that are larger than the text, or from end to end bold,
underlined or in capitals, are the headings, unless too much is. So are lines such as `Article 3`
that stand alone, where there are several.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final, NamedTuple

from spanwise.formats.docx.looks import Looks, own_runs, style_id
from spanwise.formats.docx.styles import Styles, number
from spanwise.formats.docx.tables import cells_of, is_layout, rows_of
from spanwise.formats.labels import LABEL_WORDS
from spanwise.formats.office import choice, is_on
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
MIN_ALIKE: Final = 4
"""Letters of a line in capitals where others are headings that look so."""

MIN_NAMED: Final = 3
"""Lines that are headings by their wording alone, as `Article 3`: fewer may be anything."""

_BULLETS: Final = frozenset("*•·◦▪–—-")
_ENDS: Final = re.compile(r"[.,;:\u3002\uff1a\uff1b\uff0c]$")
"""What sentences and labels end with, and headings do not."""
_VALUE: Final = re.compile(r"=\s*[-+(]?[.\d]")
"""What a result has, and a heading does not."""
_OTHER_STYLES: Final = re.compile(
    r"\b(?:address|author|bibliography|caption|date|definition|footer|header|legend|name|quote"
    r"|salutation|signature|table|term|toc)\b",
    re.IGNORECASE,
)
"""In the names of styles of what is no heading."""
_NAMES: Final = rf"{LABEL_WORDS}|artigo|artykuł|articolul|článek|título|titolo|titre|titel|title"
_NAMED: Final = re.compile(
    rf"(?i:{_NAMES})(?:\s+(?:\d+(?:\.\d+)*[.ºª°]?|[^\W\d_a-zß-ÿ]\w*\.?)){{1,3}}"
)
_LABEL: Final = re.compile(
    rf"(?P<word>(?:{LABEL_WORDS})\s+[\dIVXLC])|(?P<digits>\d+(?:\.\d+)*)[.)]?\s"
    r"|(?P<roman>[IVXLC]+)[.)]\s|(?P<letter>[A-Z])[.)]\s|(?P<brackets>\(\w{1,4}\))\s",
    re.IGNORECASE,
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
    mark: str
    """The label itself, so that one that comes again tells that the numbers start again."""
    is_named: bool
    """Whether it is a heading by its wording, if others are."""
    is_short: bool
    """Whether it has capitals alone, too few to tell anything."""
    ends: bool
    """Whether it ends as sentences and labels do: then it has to be larger than the text."""
    chars: int


def prominent(blocks: Iterable[Element], looks: Looks, styles: Styles) -> dict[int, int]:
    """The headings by their look: for the number of each paragraph its level, from 0.

    `blocks` are those of the body. Nothing is found where something says what a heading is.
    """
    lines: list[_Line] = []
    reader = _LineReader(looks, styles)
    count = 0
    for block in blocks:
        numbers: dict[int, int] = {}
        for element in block.walk():
            if element.name == "w:p":
                count += 1
                numbers[id(element)] = count
                if looks.is_said(element) and _chars(element):
                    return {}
        for part in _parts(block, looks):
            is_text = part.name == "w:p" and not looks.is_bullet(part)
            lines.append(reader.line(part, is_text, numbers.get(id(part), count)))
    sizes = reader.sizes
    if not sizes:
        return {}
    usual = max(sizes, key=lambda size: (sizes[size], -size))
    groups = list(_groups(_with_capitals(lines), usual))
    found = [line for group in groups for line in group]
    chars = sum(line.chars for line in lines)
    if not found or sum(line.chars for line in found) > MAX_SHARE * chars:
        return {}
    first_line = next((line.number for line in lines if line.chars), 0)
    if len(found) == 1 and found[0].number != first_line and not _is_larger(found[0].look, usual):
        return {}  # bold for a reason of its own
    if found[0].number == first_line and _is_title(groups[0], found):
        below = _levels(groups[1:])
        levels = {line.number: min(at, 1) for at, line in enumerate(groups[0])}
        return levels | {number: level + 1 for number, level in below.items()}
    return _levels(groups)


def _parts(block: Element, looks: Looks) -> Iterator[Element]:
    """The paragraphs of a block and its tables of data, what only arranges them left out."""
    if block.name == "w:p":
        yield block
    elif block.name == "w:tbl":
        cells = [cells_of(row) for row in rows_of(block)]
        if not is_layout(cells, looks.is_heading):
            yield block
            return
        for row in cells:
            for cell in row:
                yield from _parts_of(cell, looks)
    elif block.name == "mc:AlternateContent":
        chosen = choice(block)
        if chosen is not None:
            yield from _parts_of(chosen, looks)
    elif block.name.startswith("w:") and block.name not in ("w:sdtPr", "w:del", "w:moveFrom"):
        yield from _parts_of(block, looks)


def _parts_of(parent: Element, looks: Looks) -> Iterator[Element]:
    for child in parent.children:
        yield from _parts(child, looks)


def _is_title(group: list[_Line], found: list[_Line]) -> bool:
    """Whether the lines that come first are title and subtitle: nothing else looks like them.

    What looks lighter than headings below is a title, too, unless it is smaller.
    """
    look = group[0].look
    if look is None or group[0].label or len(found) == len(group):
        return False
    others = [line.look for line in found[len(group) :] if line.look is not None]
    return look not in others and all(look.smallness <= other.smallness for other in others)


def _levels(groups: list[list[_Line]]) -> dict[int, int]:
    """Levels by the looks; of those that look alike, the kind of label that comes first is above.

    What has no label belongs to the first, but is above it where the numbers start again below it.
    What has none and follows a line that looks alike at once is one level below that.
    """
    found = [line for group in groups for line in group]
    romans = {line.look for line in found if line.label == "roman"}
    labels: dict[Look, list[str]] = {}
    marks: set[tuple[Look, str]] = set()
    restarted: set[Look] = set()
    for line in found:
        if line.look is None:
            continue
        kinds = labels.setdefault(line.look, [])
        if not kinds and not line.label:
            kinds.append("")
        if line.mark and (line.look, line.mark) in marks and kinds[0] == "":
            restarted.add(line.look)
        if line.label and not kinds:
            kinds.append(line.label)
        marks.add((line.look, line.mark))
    labels.clear()
    ranks: dict[int, tuple[Look, int]] = {}
    for line in found:
        look = line.look
        if look is None:
            continue
        kinds = labels.setdefault(look, [""] if look in restarted else [])
        label = line.label
        if label == "either":
            label = "roman" if look in romans else "letter"
        if label and label not in kinds:
            kinds.append(label)
        ranks[line.number] = look, kinds.index(label) if label else 0
    levels = {rank: level for level, rank in enumerate(sorted(set(ranks.values())))}
    below = {line.number for group in groups for line in group[1:] if not line.label}
    return {number: levels[rank] + (number in below) for number, rank in ranks.items()}


def _with_capitals(lines: list[_Line]) -> list[_Line]:
    """The lines; few capitals look as others that are longer and otherwise alike."""
    capitals = {line.look for line in lines if line.look is not None and not line.look.is_small}
    result = []
    for line in lines:
        if line.is_short and line.look is not None:
            look = line.look._replace(is_small=False)
            line = line._replace(look=look) if look in capitals else line
        result.append(line)
    return result


def _groups(lines: list[_Line], usual: int) -> Iterator[list[_Line]]:
    """Lines that look like headings of the text after them; `usual` is the size of that."""
    named = {line.number for line in lines if line.is_named and not _stands_out(line.look, usual)}
    if len(named) < MIN_NAMED:
        named.clear()
    group: list[_Line] = []
    for line in lines:
        look = line.look
        is_out = _is_larger(look, usual) if line.ends else _stands_out(look, usual)
        if is_out or line.number in named:
            group.append(line)
        elif line.chars:
            for _, alike in groupby(group, lambda one: one.look):
                lines_alike = list(alike)
                if len(lines_alike) <= MAX_IN_A_ROW:
                    yield lines_alike
            group = []


def _stands_out(look: Look | None, usual: int) -> bool:
    if look is None:
        return False
    if look.is_light and look.is_plain and look.is_small:
        return _is_larger(look, usual)
    return -look.smallness >= usual


def _is_larger(look: Look | None, usual: int) -> bool:
    return look is not None and -look.smallness >= LARGER * usual


class _LineReader:
    """Tells of one block after the other what line it is."""

    def __init__(self, looks: Looks, styles: Styles) -> None:
        """Those of the document."""
        self.sizes: dict[int, int] = {}
        """How many characters have each size."""
        self._looks = looks
        self._styles = styles
        self._counts: dict[tuple[str, int], int] = {}
        """How many paragraphs each level of a numbering has had."""

    def line(self, block: Element, is_text: bool, first: int) -> _Line:
        """What a block is, whose first paragraph has the number `first`."""
        chars = _chars(block)
        none = _Line(first, None, "", "", False, False, False, chars)
        if not is_text:
            return none
        text, look = self._look(block)
        sample = self._looks.sample(block)
        mark = ""
        if sample:
            key = self._looks.numbering(block)
            self._counts[key] = self._counts.get(key, 0) + 1
            mark = f"{sample}{self._counts[key]}"
        is_short = 0 < len(text) <= MAX_CHARS and len(text.split()) <= MAX_WORDS
        first_letter = next((letter for letter in text if letter.isalpha()), "")
        if not is_short or not first_letter or first_letter.islower() or _VALUE.search(text):
            return none
        if _OTHER_STYLES.search(self._styles.of(style_id(block, self._styles)).name):
            return none
        if text[0] in _BULLETS:
            return none
        ends = _ENDS.search(text) is not None and not (text[-1] == ":" and _is_loud(look))
        is_named = not sample and _NAMED.fullmatch(text) is not None
        letters = sum(map(str.isalpha, text))
        is_short = text.isupper() and MIN_ALIKE <= letters < MIN_CAPITALS
        return _Line(first, look, *_label(text, sample, mark), is_named, is_short, ends, chars)

    def _look(self, block: Element) -> tuple[str, Look]:
        """The text of a paragraph and how all of it looks; the sizes are counted."""
        text = ""
        smallest = 0
        is_bold = is_underlined = is_capital = True
        styles = self._styles
        style = styles.of(style_id(block, styles))
        for run in own_runs(block):
            said = "".join(part.text if part.name == "w:t" else " " for part in run.children)
            if not said.strip():
                continue
            text += said
            properties = run.first("w:rPr")
            own = properties.first("w:rStyle") if properties is not None else None
            character = styles.of(own.get("w:val")) if own is not None else None
            bold = properties.first("w:b") if properties is not None else None
            line = properties.first("w:u") if properties is not None else None
            caps = properties.first("w:caps") if properties is not None else None
            sized = properties.first("w:sz") if properties is not None else None
            size = number(sized) if sized is not None else 0
            size = size or (character.size if character else 0) or style.size or styles.size
            self.sizes[size] = self.sizes.get(size, 0) + len(said)
            smallest = min(smallest or size, size)
            if not any(map(str.isalpha, said)):
                continue  # a number may look otherwise
            if bold is not None:
                is_bold &= is_on(bold)
            else:
                is_bold &= style.is_bold or (character is not None and character.is_bold)
            is_underlined &= line is not None and line.get("w:val", "single") != "none"
            is_capital &= caps is not None and is_on(caps)
        text = " ".join(text.split())
        is_capital |= text.isupper()
        is_capital &= sum(map(str.isalpha, text)) >= MIN_CAPITALS
        return text, Look(-smallest, not is_bold, not is_underlined, not is_capital)


def _chars(element: Element) -> int:
    """How many characters of text are in an element."""
    return sum(len(part.text.strip()) for part in element.walk() if part.name == "w:t")


def _is_loud(look: Look) -> bool:
    """Whether a line is in capitals and more than that."""
    return not look.is_small and not (look.is_light and look.is_plain)


def _label(text: str, sample: str, mark: str) -> tuple[str, str]:
    """The kind of label that a line begins with, and the label; empty for none.

    `sample` is one of the numbers that are printed before the text; `mark` stands for its own.
    """
    found = _LABEL.match(text)
    if found is None and sample:
        found = _LABEL.match(f"{sample} ")
    elif found is not None:
        mark = found[0]
    if found is None:
        return "", ""
    kind = found.lastgroup or ""
    if kind == "digits":
        kind = f"digits{found[kind].count('.')}"
    elif kind == "word":
        kind = found[0].split()[0].casefold()
    elif kind == "roman" and len(found[kind]) == 1:
        kind = "either"
    return kind, mark
