"""How deep headings are: by the depth of their numbers, by bookmarks, by how they look."""

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, TypeVar

from spanwise.formats.pdf.counting import Counted, trusted
from spanwise.formats.pdf.lines import Style
from spanwise.formats.pdf.numbering import Label, heading_label
from spanwise.formats.pdf.outline import Matched
from spanwise.formats.pdf.paragraphs import Paragraph

_Key = TypeVar("_Key")

DEEPEST: Final = 6

ALIKE: Final = 0.03
"""The share by which sizes of one look differ, as fonts that are scaled to fit do."""
AGREED: Final = 0.9
"""The share of the bookmarks of headings that have the depth of most with that look."""
SHALLOW: Final = ("decimal1", "chapter1", "appendix1", "east-章1", "east-장1")
"""Kinds of numbers that tell no depth below the first."""
ANEW: Final = 3
"""How often numbers begin with one again, at least, if they count parts of something."""
MOST_DEPTHS: Final = 64
"""Depths that are looked at for being rare; those below them are one."""
ODD: Final = 5
"""So many times more headings than those with numbers say that these count no sections."""
STEADY: Final = 2.0
"""Points that headings of one kind begin apart at most, if it tells how deep they are."""


_WEIGHT: Final = re.compile(
    r"[-,]?(?:Bold|Medium|Regular|Roman|Italic|Oblique|Semi|MT|PS)+$|[-,].*$"
)
_CAPITALS: Final = re.compile(r"[^\W\d_]{4}|[^\W\d_]{2,}\W+[^\W\d_]{2,}")
_FIRST: Final = ("1", "A", "I", "a", "i")


class Look(NamedTuple):
    """How a heading is set: those that look alike are of one level."""

    size: float
    bold: bool
    capitals: bool
    italic: bool
    font: str
    colour: int
    underlined: bool = False

    @property
    def plain(self) -> "Look":
        """The same whether in capitals or not."""
        return self._replace(capitals=False) if self.capitals else self

    @property
    def rank(self) -> tuple[float, bool, bool, bool, bool]:
        """How much it stands out; what stands out more sorts first."""
        return (-self.size, not self.bold, not self.capitals, not self.underlined, self.italic)

    @property
    def marked(self) -> bool:
        """Whether it is bold or underlined."""
        return self.bold or self.underlined


Rank = tuple[float, bool, bool, bool, int, bool, bool]
"""How much a look stands out, how far it is set in, and whether it is of the family of the text."""


class Class(NamedTuple):
    """Headings that are of one level: one look and one kind of number."""

    look: Look
    kind: str


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


def set_levels(
    headings: Sequence[Paragraph],
    looks: dict[int, Look],
    matched: Matched,
    title: Paragraph | None,
    body_font: str,
) -> None:
    """Set the `level` of headings; `body_font` is that of the text."""
    sized = _sized(looks[id(one)] for one in headings)
    entries: list[Entry] = []
    marks: dict[Class, Counter[int]] = {}
    offsets: Counter[int] = Counter()
    numbered = sum(_depth(heading_label(one.text)) > 0 for one in headings)
    # Where bookmarks tell, a number before one of many headings is a part of its words.
    odd = len(matched.depths) > 2 and ODD * numbered < len(headings)
    for one in headings:
        if one is title:
            continue
        label = heading_label(one.text)
        if odd and _depth(label) > 0:
            label = None
        look = looks[id(one)]
        place = Class(look._replace(size=sized[look.size]), _kind(label))
        entries.append(Entry(one, place, label))
        if id(one) in matched.depths:
            mark = matched.depths[id(one)] + 1
            depth = _depth(label)
            if depth:
                offsets[mark - depth] += 1
            else:
                marks.setdefault(place, Counter())[mark] += 1
    depths = _agreed(entries, matched)
    if not depths:
        depths = _numbered(entries)
        offset = offsets.most_common(1)[0][0] if offsets else 0
        for place in dict.fromkeys(entry.place for entry in entries):
            votes = marks.get(place)
            if place not in depths and votes:
                depths[place] = max(1, votes.most_common(1)[0][0] - offset)
    _rank(entries, depths, family(body_font))
    if len(depths) == 1 and _are_marked(entries, matched):
        # All look alike, and only the bookmarks tell.
        first = matched.depths.get(id(title), -1) if title is not None else -1
        is_one = first >= 0 and title is not None and looks[id(title)] == looks[id(headings[-1])]
        if title is not None:
            title.level = 1 + max(0, first) if is_one else 1
        for entry in entries:
            level = matched.depths[id(entry.heading)] + (1 if title is None or is_one else 2)
            entry.heading.level = min(DEEPEST, level)
        return
    _close_up(entries, depths, DEEPEST - (1 if title is not None else 0))
    least = min(depths.values(), default=1)
    shift = (1 if title is not None else 0) + 1 - least
    if title is not None:
        title.level = 1
    for entry in entries:
        entry.heading.level = min(DEEPEST, depths[entry.place] + shift)


def _are_marked(entries: Sequence["Entry"], matched: Matched) -> bool:
    """Whether all headings have bookmarks, of several depths."""
    marks = [matched.depths.get(id(entry.heading), -1) for entry in entries]
    return min(marks) >= 0 and len(set(marks)) > 1


def _agreed(entries: Sequence["Entry"], matched: Matched) -> dict["Class", int]:
    """The depths that bookmarks or tags tell, where they go well with looks and with numbers.

    None where they say little: most headings have one, those of one look have one depth, and
    deeper numbers are deeper.
    """
    votes: dict[Class, Counter[int]] = {}
    for entry in entries:
        mark = matched.depths.get(id(entry.heading), -1)
        if mark >= 0:
            votes.setdefault(entry.place, Counter())[mark + 1] += 1
    marked = sum(found.total() for found in votes.values())
    alike = sum(found.most_common(1)[0][1] for found in votes.values())
    depths = {place: found.most_common(1)[0][0] for place, found in votes.items()}
    if (
        2 * marked < len(entries)
        or alike < AGREED * marked
        or len(set(depths.values())) < 2
        or max(found.total() for found in votes.values()) < 2
    ):
        return {}
    numbers: dict[int, set[int]] = {}
    for place, depth in depths.items():
        if place.kind.startswith("decimal"):
            numbers.setdefault(int(place.kind[len("decimal") :]), set()).add(depth)
    steps = [numbers[key] for key in sorted(numbers)]
    if any(max(one) >= min(two) for one, two in itertools.pairwise(steps)):
        return {}
    if numbers:
        # Deeper numbers than those with bookmarks are as much deeper.
        deepest = max(numbers)
        for place in dict.fromkeys(entry.place for entry in entries):
            if place not in depths and place.kind.startswith("decimal"):
                level = int(place.kind[len("decimal") :])
                depths[place] = max(1, max(numbers[deepest]) + level - deepest)
    return depths


def counted_of(label: Label | None, look: Look) -> Counted:
    """The number of a heading, as far as it tells whether it is one of a section."""
    if label is None or label.kind != "decimal":
        return Counted((), look.size, look.marked)
    return Counted(label.key, look.size, look.marked)


def family(font: str) -> str:
    """The name of a font without that of its weight."""
    return _WEIGHT.sub("", font)


def _close_up(entries: Sequence["Entry"], depths: dict[Class, int], most: int) -> None:
    """Leave no depth out where there are more than `most`, and make those one that are rare.

    A document may have a few large lines that are headings of nothing. They must not use up the
    levels that its many headings need.
    """
    used = sorted(set(depths.values()))
    if not used or used[-1] - used[0] < most:
        return
    counts = Counter(depths[entry.place] for entry in entries)
    groups = [([depth], counts[depth]) for depth in used[:MOST_DEPTHS]]
    if len(used) > MOST_DEPTHS:
        groups[-1][0].extend(used[MOST_DEPTHS:])
    while len(groups) > most:
        # The last of the rarest, into the rarer of the two beside it.
        least = min(count for _, count in groups)
        at = max(place for place, (_, count) in enumerate(groups) if count == least)
        if at == 0 or (at + 1 < len(groups) and groups[at + 1][1] < groups[at - 1][1]):
            at += 1
        groups[at - 1 : at + 1] = [
            (groups[at - 1][0] + groups[at][0], groups[at - 1][1] + groups[at][1])
        ]
    places = {depth: at for at, (found, _) in enumerate(groups) for depth in found}
    for place, depth in depths.items():
        depths[place] = used[0] + places[depth]


class Entry(NamedTuple):
    """A heading other than the title."""

    heading: Paragraph
    place: Class
    label: Label | None


def _sized(looks: Iterable[Look]) -> dict[float, float]:
    """For each size of headings the one that stands for it."""
    found: dict[float, float] = {}
    last = 0.0
    for size in sorted({look.size for look in looks}, reverse=True):
        if not last or size < last * (1 - ALIKE):
            last = size
        found[size] = last
    return found


def _numbered(entries: Sequence[Entry]) -> dict[Class, int]:
    """The depths that numbers tell."""
    depths: dict[Class, int] = {}
    true = trusted([counted_of(entry.label, entry.place.look) for entry in entries])
    for entry, is_true in zip(entries, true, strict=True):
        depth = _depth(entry.label)
        if depth and is_true:
            depths[entry.place] = depth
    if all(place.kind in SHALLOW for place in depths):
        for place in _begun_anew(entries, depths):
            del depths[place]
    for place in _led(entries, depths):
        depths[place] = 1
    chapters = [place.look.size for place in depths if place.kind in ("chapter1", "east-章1")]
    sections = [place.look.size for place in depths if place.kind == "decimal1"]
    if chapters and sections and min(chapters) > max(sections) * (1 + ALIKE):
        # Sections counted anew in each chapter.
        for place in depths:
            if place.kind.startswith("decimal"):
                depths[place] += 1
    while True:
        above = _around(entries, depths)
        if above is None:
            return depths
        depths[above] = min(depths.values()) - 1


def _begun_anew(entries: Sequence[Entry], depths: dict[Class, int]) -> list[Class]:
    """Classes that count from one again and again, each time below one that stands out more.

    Their numbers tell which part of that they are, and not how deep.
    """
    anew: Counter[Class] = Counter()
    below: Counter[Class] = Counter()
    last: Class | None = None
    for entry in entries:
        place = entry.place
        if place.kind == "decimal1" and entry.label is not None and entry.label.key[0] == "1":
            anew[place] += 1
            below[place] += last is not None and last.look.rank < place.look.rank
        last = place
    return [
        place
        for place, count in anew.items()
        if count >= ANEW and place in depths and below[place] >= 0.8 * count
    ]


def _led(entries: Sequence[Entry], depths: dict[Class, int]) -> list[Class]:
    """Classes whose number is the first one of those below them, as of `2.1` below `Part 2`."""
    last: dict[Class, str] = {}
    right: Counter[Class] = Counter()
    wrong: Counter[Class] = Counter()
    for entry in entries:
        label = entry.label
        if label is None:
            continue
        if label.depth == 1 and label.kind != "decimal" and entry.place not in depths:
            last[entry.place] = label.key[0]
        elif label.kind == "decimal" and label.depth == 2:
            for place, key in last.items():
                (right if key == label.key[0] else wrong)[place] += 1
    return [place for place, count in right.items() if count > 1 and count > wrong[place]]


def _around(entries: Sequence[Entry], depths: dict[Class, int]) -> Class | None:
    """A class without a depth that several of the outermost with one are below, each time anew."""
    if not depths:
        return None
    least = min(depths.values())
    outer = [place for place, depth in depths.items() if depth == least]
    rank = min(place.look.rank for place in outer)
    counts: Counter[Class] = Counter()
    open_place: Class | None = None
    for entry in entries:
        place = entry.place
        if place in depths:
            if open_place is not None and depths[place] == least:
                counts[open_place] += 1
                open_place = None
            continue
        if place.look.rank < rank or (place.look.rank == rank and place.kind and least == 1):
            # The one nearest above counts: larger ones are around it in turn.
            open_place = place
    found = [place for place, count in counts.items() if count > 1 or place.kind.startswith("part")]
    return max(found, key=lambda place: place.look.rank, default=None)


def _kind(label: Label | None) -> str:
    if label is None:
        return ""
    return f"{label.kind}{label.depth}"


def _depth(label: Label | None) -> int:
    """The depth that a number tells by itself; 0 without."""
    if label is None:
        return 0
    if label.kind == "decimal":
        return label.depth
    return 1 if label.kind in ("chapter", "appendix", "east-章", "east-장") else 0


def _rank(entries: Sequence[Entry], depths: dict[Class, int], body: str) -> None:
    """Give those without a depth one by how they look beside the others.

    `body` is the family of the font of the text: of what is set alike, headings in another one
    stand out more.
    """
    first: dict[Class, int] = {}
    anew: Counter[Class] = Counter()
    for at, entry in enumerate(entries):
        first.setdefault(entry.place, at)
        anew[entry.place] += entry.label is not None and entry.label.key[-1] in _FIRST
    insets = _insets(entries)
    ranks = {place: _rank_of(place, insets.get(place, 0), body) for place in first}
    alike: dict[Look, int] = {}
    peers: dict[tuple[Rank, str], int] = {}
    beside: dict[tuple[Look, bool], int] = {}

    known = set(depths)
    for place, depth in depths.items():
        alike[place.look] = min(depth, alike.get(place.look, depth))
        _least(peers, (ranks[place], place.kind), depth)
        if _goes_along(place, anew):
            _least(beside, (place.look, not place.kind), depth)
    outer = above = 0
    within: dict[Look, int] = {}
    last: Rank | None = None
    # Those that stand out more have a depth before those below them.
    for place in sorted(first, key=lambda one: (ranks[one], first[one])):
        rank = ranks[place]
        if rank != last:
            outer, last = max(outer, above), rank
        if place not in known:
            found = None
            if not place.kind:
                found = alike.get(place.look)
            if found is None:
                found = peers.get((rank, place.kind))
            if found is None and _goes_along(place, anew):
                # An introduction before `A.` is of one level with it, and so are references after.
                found = beside.get((place.look, bool(place.kind)))
            if found is None:
                found = max(outer, within.get(place.look, 0)) + 1
            depths[place] = found
            _least(peers, (rank, place.kind), found)
            if _goes_along(place, anew):
                _least(beside, (place.look, not place.kind), found)
        above = max(above, depths[place])
        within[place.look] = max(within.get(place.look, 0), depths[place])


def _goes_along(place: Class, anew: Counter[Class]) -> bool:
    """Whether those without numbers that look alike can be of its level."""
    return anew[place] < 2 and "parentheses" not in place.kind


def _least(depths: dict[_Key, int], key: _Key, depth: int) -> None:
    depths[key] = min(depth, depths.get(key, depth))


def _rank_of(place: Class, inset: int, body: str) -> Rank:
    look = place.look
    return (
        -look.size,
        not look.bold,
        not look.capitals,
        not look.underlined,
        inset,
        look.italic,
        family(look.font) == body,
    )


def _insets(entries: Sequence[Entry]) -> dict[Class, int]:
    """For classes without numbers how far they are set in beside others as large, in ems.

    Only those count whose headings all begin at one place, as centred ones and those in columns do
    not.
    """
    places: dict[Class, list[float]] = {}
    for entry in entries:
        if not entry.place.kind:
            places.setdefault(entry.place, []).append(entry.heading.lines[0].left)
    steady = {
        place: lefts[0]
        for place, lefts in places.items()
        if len(lefts) > 1 and max(lefts) - min(lefts) < STEADY
    }
    least: dict[float, float] = {}
    for place, left in steady.items():
        least[place.look.size] = min(left, least.get(place.look.size, left))
    return {
        place: int((left - least[place.look.size]) / place.look.size)
        for place, left in steady.items()
    }
