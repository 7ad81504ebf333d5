"""Looks of headings that stand out alike and differ in colour or font alone: which is in which."""

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from spanwise.formats.pdf.looks import Class, Entry, Look, family
from spanwise.formats.pdf.paragraphs import Paragraph

MOST: Final = 6
"""Looks that stand out alike, where it is worth asking: of more each has its own place."""
LIGHT: Final = 0xE0
"""The least red, green and blue of letters that can only be read on a dark ground."""
SHADE: Final = 48
"""How far the red, green or blue of two colours are apart, of 255, to tell headings apart."""


def nested(
    paragraphs: Sequence[Paragraph], entries: Sequence[Entry], ranks: Mapping[Class, object]
) -> dict[Class, int]:
    """For classes without numbers how many of those that stand out alike they are within.

    One is in another that comes before it if it stands right below that, without text between,
    and never the other way round; or if it comes more often, below several of those. White ones,
    which stand on a band of a colour, are around the others.
    """
    alike: dict[object, list[Class]] = {}
    for place in dict.fromkeys(entry.place for entry in entries if not entry.place.kind):
        alike.setdefault(ranks[place], []).append(place)
    groups = [places for places in alike.values() if 1 < len(places) <= MOST]
    if not groups:
        return {}
    counts = Counter(entry.place for entry in entries)
    places = {id(one): at for at, one in enumerate(paragraphs)}
    found: dict[Class, int] = {}
    for group in groups:
        own = [entry for entry in entries if entry.place in group]
        after: Counter[tuple[Class, Class]] = Counter()
        below: Counter[tuple[Class, Class]] = Counter()
        for one, two in itertools.pairwise(own):
            pair = (one.place, two.place)
            after[pair] += 1
            below[pair] += places[id(two.heading)] == places[id(one.heading)] + 1
        for at, place in enumerate(group):
            found[place] = max(
                (
                    found[other] + 1
                    for other in group[:at]
                    if _differ(other.look, place.look)
                    and (
                        below[other, place] > below[place, other] == 0
                        or (_is_light(other.look) and not _is_light(place.look))
                        or (1 < counts[other] < counts[place] and after[other, place] > 1)
                    )
                ),
                default=0,
            )
    return found


def _differ(one: Look, two: Look) -> bool:
    """Whether two looks differ by more than the name of a font or a hue that nobody sees."""
    if family(one.font) != family(two.font):
        return True
    return any(
        abs((one.colour >> shift & 255) - (two.colour >> shift & 255)) > SHADE
        for shift in (0, 8, 16)
    )


def _is_light(look: Look) -> bool:
    return all(look.colour >> shift & 255 >= LIGHT for shift in (0, 8, 16))
