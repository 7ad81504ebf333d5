"""Numbers before headings: which of them count sections, and which are only numbers."""

import itertools
from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

ALIKE: Final = 0.03
"""The share by which sizes of one look differ."""


class Counted(NamedTuple):
    """A decimal number before a heading, and how it is set."""

    key: tuple[str, ...]
    """Its parts, as `("3", "1")`; empty without a decimal number."""
    size: float
    marked: bool


class _Group(NamedTuple):
    """Numbers of one depth that are set alike."""

    depth: int
    size: float
    marked: bool


def trusted(numbers: Sequence[Counted]) -> list[bool]:
    """For each whether its number tells how deep it is, as that of a section does.

    Numbers of sections go on from each other, and those of one depth are not set smaller than
    deeper ones. Others stand before steps, lines of code, amounts.
    """
    members: dict[_Group, list[Counted]] = {}
    for one in numbers:
        if one.key:
            members.setdefault(_group(one), []).append(one)
    good: set[_Group] = set()
    leading = _leading(numbers)
    sizes = _Sizes()
    counts = Counter({group: len(found) for group, found in members.items()})
    # The more there are of one look, the surer it is.
    for group, _ in counts.most_common():
        # One that leads the deeper ones need not be bold where those are.
        shown = group._replace(marked=True) if group in leading else group
        if _go_on(members[group]) and sizes.fits(shown):
            good.add(group)
            sizes.add(shown)
    return [not one.key or _group(one) in good for one in numbers]


def _leading(numbers: Sequence[Counted]) -> set[_Group]:
    """Groups whose numbers the deeper ones below them begin with, as `2.1` below `2`."""
    last: dict[int, Counted] = {}
    right: Counter[_Group] = Counter()
    wrong: Counter[_Group] = Counter()
    for one in numbers:
        above = last.get(len(one.key) - 1)
        if above is not None:
            (right if one.key[:-1] == above.key else wrong)[_group(above)] += 1
        if one.key:
            last[len(one.key)] = one
    return {group for group, count in right.items() if count > 1 and 4 * wrong[group] < count}


def _group(one: Counted) -> _Group:
    return _Group(len(one.key), one.size, one.marked)


class _Sizes:
    """The sizes of what has been taken for numbers of sections, by how deep they are."""

    def __init__(self) -> None:
        self._least: dict[tuple[int, bool], float] = {}
        self._most: dict[tuple[int, bool], float] = {}

    def add(self, one: _Group) -> None:
        key = (one.depth, one.marked)
        self._least[key] = min(one.size, self._least.get(key, one.size))
        self._most[key] = max(one.size, self._most.get(key, one.size))

    def fits(self, one: _Group) -> bool:
        """Whether none that is less deep is set smaller, or not bold where a deeper one is."""
        for (depth, marked), size in self._most.items():
            if depth > one.depth and (
                one.size < size * (1 - ALIKE) or (one.size <= size and marked and not one.marked)
            ):
                return False
        for (depth, marked), size in self._least.items():
            if depth < one.depth and (
                size < one.size * (1 - ALIKE) or (size <= one.size and one.marked and not marked)
            ):
                return False
        return True


def _go_on(numbers: Sequence[Counted]) -> bool:
    """Whether most numbers follow those before them, or few at least go up."""
    pairs = [follows(one.key, two.key) for one, two in itertools.pairwise(numbers)]
    if sum(pairs) >= 0.4 * len(pairs):
        return True
    values = [[_value(part) for part in one.key] for one in numbers]
    return len(values) < 4 and values == sorted(values)


def follows(one: tuple[str, ...], two: tuple[str, ...]) -> bool:
    """Whether a number comes next after another of its depth, or begins anew."""
    same = 0
    while same < len(one) and one[same] == two[same]:
        same += 1
    rest = two[same:]
    if not rest:
        return False
    step = _value(rest[0]) - _value(one[same])
    return (step == 1 or rest[0] in ("1", "A")) and all(part in ("0", "1") for part in rest[1:])


def _value(part: str) -> int:
    return int(part) if part.isdecimal() else ord(part[0].upper())
