"""How deep headings are, as far as their numbers, bookmarks or tags tell."""

import itertools
from collections import Counter
from collections.abc import Sequence
from typing import Final

from spanwise.formats.pdf.counting import trusted
from spanwise.formats.pdf.looks import ALIKE, Class, Entry, counted_of
from spanwise.formats.pdf.numbering import NAMED_KINDS, Label
from spanwise.formats.pdf.outline import Matched

AGREED: Final = 0.9
"""The share of the bookmarks of headings that have the depth of most with that look."""
SHALLOW: Final = ("decimal1", "chapter1", "appendix1", "east-章1", "east-장1")
"""Kinds of numbers that tell no depth below the first."""
FIRST: Final = ("1", "A", "I", "a", "i")
"""The numbers that others begin with."""
ANEW: Final = 3
"""How often numbers begin with one again, at least, if they count parts of something."""


def agreed(entries: Sequence[Entry], matched: Matched) -> dict[Class, int]:
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


def in_one_look(entries: Sequence[Entry]) -> list[Entry]:
    """The headings, where those that begin with `Section 1`, `Section 2` and so on look alike.

    In forms each has other words in capitals, bold or in italics.
    """
    found = list(entries)
    places: dict[str, list[int]] = {}
    for at, entry in enumerate(entries):
        if entry.label is not None and entry.label.kind in NAMED_KINDS:
            places.setdefault(entry.place.kind, []).append(at)
    for kind, members in places.items():
        numbers = [_number(entries[at]) for at in members]
        # One may be missing, as what stands in a table.
        if len(members) < ANEW or any(
            not 0 < two - one < 3 for one, two in itertools.pairwise([0, *numbers])
        ):
            continue
        looks = Counter(entries[at].place.look for at in members)
        sizes = [look.size for look in looks]
        if len(looks) > 1 and min(sizes) > max(sizes) * (1 - ALIKE):
            place = Class(looks.most_common(1)[0][0], kind)
            for at in members:
                found[at] = entries[at]._replace(place=place)
    return found


def _number(entry: Entry) -> int:
    """The number of a heading, if it is written in digits; -1 otherwise."""
    key = entry.label.key[0] if entry.label is not None else ""
    return int(key) if key.isascii() and key.isdecimal() else -1


def numbered(entries: Sequence[Entry]) -> dict[Class, int]:
    """The depths that numbers tell."""
    depths: dict[Class, int] = {}
    true = trusted([counted_of(entry.label, entry.place.look) for entry in entries])
    for entry, is_true in zip(entries, true, strict=True):
        depth = depth_of(entry.label)
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
    anew = begun(entries)
    often = max(anew[place] for place in outer)
    counts: Counter[Class] = Counter()
    open_place: Class | None = None
    for entry in entries:
        place = entry.place
        if place in depths:
            if open_place is not None and depths[place] == least:
                counts[open_place] += 1
                open_place = None
            continue
        if place.look.rank < rank or (
            # Of what is set alike, numbers that begin anew more seldom are around the others.
            place.look.rank == rank and place.kind and (least == 1 or anew[place] < often)
        ):
            # The one nearest above counts: larger ones are around it in turn.
            open_place = place
    found = [place for place, count in counts.items() if count > 1 or place.kind.startswith("part")]
    return max(found, key=lambda place: place.look.rank, default=None)


def begun(entries: Sequence[Entry]) -> Counter[Class]:
    """How often the numbers of each class begin with the first."""
    found: Counter[Class] = Counter()
    for entry in entries:
        found[entry.place] += entry.label is not None and entry.label.key[-1] in FIRST
    return found


def depth_of(label: Label | None) -> int:
    """The depth that a number tells by itself; 0 without."""
    if label is None:
        return 0
    if label.kind == "decimal":
        return label.depth
    return 1 if label.kind in ("chapter", "appendix", "east-章", "east-장") else 0
