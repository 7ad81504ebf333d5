"""How deep headings are: by the depth of their numbers, by bookmarks, by how they look."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from spanwise.formats.pdf.numbering import Label, heading_label
from spanwise.formats.pdf.outline import Matched
from spanwise.formats.pdf.paragraphs import Paragraph

DEEPEST: Final = 6

_ABOVE: Final = {"part": 0, "roman": 3, "letter": 4, "parentheses": 5}
"""Kinds of numbers that one look may mix, from the outermost in."""


_SMALL: Final = re.compile(r"[a-zß-öø-ÿ]+")
_CAPITAL: Final = re.compile(r"[A-ZÀ-ÖØ-ÞΑ-ΩА-Я]")


class Look(NamedTuple):
    """How a heading is set: those that look alike are of one level."""

    size: float
    bold: bool
    capitals: bool
    italic: bool
    font: str
    colour: int

    @property
    def plain(self) -> "Look":
        """The same whether in capitals or not."""
        return self._replace(capitals=False)

    @property
    def rank(self) -> tuple[float, bool, bool, bool]:
        """How much it stands out; what stands out more sorts first."""
        return (-self.size, not self.bold, not self.capitals, self.italic)


class Class(NamedTuple):
    """Headings that are of one level: one look and one kind of number."""

    look: Look
    kind: str


def look_of(paragraph: Paragraph) -> Look:
    """The look of a paragraph, by its first line."""
    style = paragraph.style
    text = paragraph.text
    # Small words and units in a line of capitals do not count.
    capitals = text[:1].upper() == text[:1] and len(_SMALL.sub("", text)) > 0.9 * len(text)
    capitals = capitals and len(_CAPITAL.findall(text[:200])) > 3
    return Look(style.size, style.bold, capitals, style.italic, style.font, style.colour)


def set_levels(
    headings: Sequence[Paragraph],
    looks: dict[int, Look],
    matched: Matched,
    title: Paragraph | None,
) -> None:
    """Set the `level` of headings."""
    classes: dict[int, Class] = {}
    depths: dict[Class, int] = {}
    marked: dict[Look, Counter[int]] = {}
    offsets: Counter[int] = Counter()
    for one in headings:
        if one is title:
            continue
        label = heading_label(one.text)
        look = looks[id(one)]
        kind = _kind(label)
        classes[id(one)] = Class(look, kind)
        depth = _depth(label)
        if depth:
            depths[Class(look, kind)] = depth
        if id(one) in matched.depths:
            mark = matched.depths[id(one)] + 1
            if depth:
                offsets[mark - depth] += 1
            else:
                marked.setdefault(look, Counter())[mark] += 1
    if _starts_again(headings, looks, title):
        # Numbers that begin anew under larger headings are below those.
        for place in depths:
            if place.kind.startswith("decimal"):
                depths[place] += 1
    offset = offsets.most_common(1)[0][0] if offsets else 0
    for place in dict.fromkeys(classes.values()):
        votes = marked.get(place.look)
        if place not in depths and votes:
            depths[place] = max(1, votes.most_common(1)[0][0] - offset)
    _rank(list(dict.fromkeys(classes.values())), depths)
    least = min(depths.values(), default=1)
    shift = (1 if title is not None else 0) + 1 - least
    for one in headings:
        one.level = 1 if one is title else min(DEEPEST, depths[classes[id(one)]] + shift)


def _starts_again(
    headings: Sequence[Paragraph], looks: dict[int, Look], title: Paragraph | None
) -> bool:
    """Whether the numbers 1, 2, 3 begin anew under headings that stand out more."""
    again = under = 0
    larger = False
    seen: dict[Look, int] = {}
    first = min(
        (looks[id(one)].rank for one in headings if _kind(heading_label(one.text)) == "decimal1"),
        default=None,
    )
    if first is None:
        return False
    for one in headings:
        label = heading_label(one.text)
        look = looks[id(one)]
        if one is title:
            continue
        if label is not None and label.kind == "decimal":
            if label.key == ("1",):
                under += larger
                again += 1
                larger = False
            continue
        if look.rank < first:
            larger = True
            seen[look] = seen.get(look, 0) + 1
    return again >= 2 and under >= again - 1 and max(seen.values(), default=0) >= 2


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
    return (
        1 if label.kind in ("chapter", "appendix", "annex", "anhang", "kapitel", "chapitre") else 0
    )


def _rank(classes: list[Class], depths: dict[Class, int]) -> None:
    """Give those without a depth one by how they look beside the others."""
    known = dict(depths)
    for place in sorted(classes, key=lambda one: (one.look.rank, _order(one.kind))):
        if place in depths:
            continue
        alike = [depth for other, depth in known.items() if other.look == place.look]
        if alike and not place.kind:
            depths[place] = min(alike)
            continue
        above = [
            depth
            for other, depth in depths.items()
            if other.look.rank < place.look.rank
            or (other.look == place.look and _order(other.kind) < _order(place.kind))
        ]
        peers = [
            depth
            for other, depth in depths.items()
            if other.look.rank == place.look.rank and _order(other.kind) == _order(place.kind)
        ]
        depths[place] = min(peers) if peers else max(above, default=0) + 1


def _order(kind: str) -> int:
    return _ABOVE.get(kind.rstrip("0123456789"), 2)
