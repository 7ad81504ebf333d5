"""How deep headings are: by the depth of their numbers, by bookmarks, by how they look."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

from spanwise.formats.pdf.alignment import centred
from spanwise.formats.pdf.depths import agreed, begun, depth_of, in_one_look, numbered
from spanwise.formats.pdf.looks import ALIKE, Class, Entry, Look, family
from spanwise.formats.pdf.nesting import nested
from spanwise.formats.pdf.numbering import Label, labels_of
from spanwise.formats.pdf.outline import Matched
from spanwise.formats.pdf.paragraphs import Paragraph

_Key = TypeVar("_Key")

DEEPEST: Final = 6

MOST_DEPTHS: Final = 64
"""Depths that are looked at for being rare; those below them are one."""
ODD: Final = 5
"""So many times more headings than those with numbers say that these count no sections."""
STEADY: Final = 2.0
"""Points that headings of one kind begin apart at most, if it tells how deep they are."""


Rank = tuple[float, bool, bool, bool, bool, int, bool, bool, int]
"""How much a look stands out, how far it is set in, whether it is of the family of the text, and
within how many it is that stand out as much."""


def set_levels(
    paragraphs: Sequence[Paragraph],
    headings: Sequence[Paragraph],
    looks: dict[int, Look],
    matched: Matched,
    title: Paragraph | None,
    body_font: str,
) -> None:
    """Set the `level` of headings among paragraphs; `body_font` is that of the text."""
    middle = centred(paragraphs, [one for one in headings if one is not title], looks)
    sized = _sized(looks[id(one)] for one in headings)
    entries: list[Entry] = []
    marks: dict[Class, Counter[int]] = {}
    offsets: Counter[int] = Counter()
    labels = labels_of(one.text for one in headings)
    count = sum(depth_of(label) > 0 for label in labels)
    # Where bookmarks tell, a number before one of many headings is a part of its words.
    odd = len(matched.depths) > 2 and ODD * count < len(headings)
    for one, label in zip(headings, labels, strict=True):
        if one is title:
            continue
        if odd and depth_of(label) > 0:
            label = None
        look = looks[id(one)]
        look = look._replace(size=sized[look.size], centred=id(one) in middle)
        place = Class(look, _kind(label))
        entries.append(Entry(one, place, label))
        if id(one) in matched.depths:
            mark = matched.depths[id(one)] + 1
            depth = depth_of(label)
            if depth:
                offsets[mark - depth] += 1
            else:
                marks.setdefault(place, Counter())[mark] += 1
    if not matched.depths:
        entries = in_one_look(entries)
    depths = agreed(entries, matched)
    if not depths:
        depths = numbered(entries)
        offset = offsets.most_common(1)[0][0] if offsets else 0
        for place in dict.fromkeys(entry.place for entry in entries):
            votes = marks.get(place)
            if place not in depths and votes:
                depths[place] = max(1, votes.most_common(1)[0][0] - offset)
    told = set(depths.values())
    _rank(paragraphs, entries, depths, family(body_font))
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
    _close_up(entries, depths, told, DEEPEST - (1 if title is not None else 0))
    least = min(depths.values(), default=1)
    shift = (1 if title is not None else 0) + 1 - least
    if title is not None:
        title.level = 1
    for entry in entries:
        entry.heading.level = min(DEEPEST, depths[entry.place] + shift)


def _are_marked(entries: Sequence[Entry], matched: Matched) -> bool:
    """Whether all headings have bookmarks, of several depths."""
    marks = [matched.depths.get(id(entry.heading), -1) for entry in entries]
    return min(marks) >= 0 and len(set(marks)) > 1


def _close_up(
    entries: Sequence[Entry], depths: dict[Class, int], told: set[int], most: int
) -> None:
    """Leave no depth out where there are more than `most`, and make those one that are rare.

    A document may have a few large lines that are headings of nothing. They must not use up the
    levels that its many headings need. Those stay apart that numbers or bookmarks have `told`.
    """
    used = sorted(set(depths.values()))
    if not used or used[-1] - used[0] < most:
        return
    counts = Counter(depths[entry.place] for entry in entries)
    groups = [([depth], counts[depth]) for depth in used[:MOST_DEPTHS]]
    if len(used) > MOST_DEPTHS:
        groups[-1][0].extend(used[MOST_DEPTHS:])
    while len(groups) > most:
        free = [at for at, (found, _) in enumerate(groups) if told.isdisjoint(found)]
        if not free:
            break
        # The last of the rarest, into the rarer of the two beside it.
        least = min(groups[at][1] for at in free)
        at = max(place for place in free if groups[place][1] == least)
        if at == 0 or (at + 1 < len(groups) and groups[at + 1][1] < groups[at - 1][1]):
            at += 1
        groups[at - 1 : at + 1] = [
            (groups[at - 1][0] + groups[at][0], groups[at - 1][1] + groups[at][1])
        ]
    places = {depth: at for at, (found, _) in enumerate(groups) for depth in found}
    for place, depth in depths.items():
        depths[place] = used[0] + places[depth]


def _sized(looks: Iterable[Look]) -> dict[float, float]:
    """For each size of headings the one that stands for it."""
    found: dict[float, float] = {}
    last = 0.0
    for size in sorted({look.size for look in looks}, reverse=True):
        if not last or size < last * (1 - ALIKE):
            last = size
        found[size] = last
    return found


def _kind(label: Label | None) -> str:
    if label is None:
        return ""
    return f"{label.kind}{label.depth}"


def _rank(
    paragraphs: Sequence[Paragraph], entries: Sequence[Entry], depths: dict[Class, int], body: str
) -> None:
    """Give those without a depth one by how they look beside the others.

    `body` is the family of the font of the text: of what is set alike, headings in another one
    stand out more.
    """
    first: dict[Class, int] = {}
    anew = begun(entries)
    for at, entry in enumerate(entries):
        first.setdefault(entry.place, at)
    insets = _insets(entries)
    ranks = {place: _rank_of(place, insets.get(place, 0), 0, body) for place in first}
    for place, count in nested(paragraphs, entries, ranks).items():
        ranks[place] = _rank_of(place, insets.get(place, 0), count, body)
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


def _rank_of(place: Class, inset: int, within: int, body: str) -> Rank:
    look = place.look
    return (
        -look.size,
        not look.centred,
        not look.bold,
        not look.capitals,
        not look.underlined,
        inset,
        look.italic,
        family(look.font) == body,
        within,
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
