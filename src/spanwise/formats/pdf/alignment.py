"""Which headings stand in the middle of their column, where others begin at its edge."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from spanwise.formats.pdf.looks import Look
from spanwise.formats.pdf.paragraphs import Paragraph

NEAR: Final = 12
"""Paragraphs around a heading that are looked at for the edges of its column."""
LEAST: Final = 2
"""Headings of each kind there are, where it tells how deep they are."""
MOST: Final = 0.8
"""The share of headings in one look that stand alike, if all are of one kind."""


def centred(
    paragraphs: Sequence[Paragraph], headings: Sequence[Paragraph], looks: dict[int, Look]
) -> set[int]:
    """The `id` of headings in the middle of their column; none where all stand alike."""
    wanted = {id(one) for one in headings}
    middle: dict[Look, list[int]] = {}
    edge: Counter[Look] = Counter()
    total: Counter[Look] = Counter()
    for at, one in enumerate(paragraphs):
        if id(one) not in wanted:
            continue
        look = looks[id(one)]
        total[look] += 1
        place = _place(paragraphs, at)
        if place > 0:
            middle.setdefault(look, []).append(id(one))
        elif place < 0:
            edge[look] += 1
    found: set[int] = set()
    for look, ids in middle.items():
        if (
            len(ids) >= LEAST
            and edge[look] >= LEAST
            and edge[look] + len(ids) >= MOST * total[look]
        ):
            found.update(ids)
        elif len(ids) >= max(LEAST, MOST * total[look]):
            found.update(id(one) for one in headings if looks[id(one)] == look)
    return found if len(found) < len(headings) and edge.total() >= LEAST else set()


def _place(paragraphs: Sequence[Paragraph], at: int) -> int:
    """1 for a heading in the middle of its column, -1 for one that begins at its edge, 0 else."""
    one = paragraphs[at]
    left = min(line.left for line in one.lines)
    right = max(line.right for line in one.lines)
    for other in (
        *paragraphs[at + 1 : at + 1 + NEAR],
        *reversed(paragraphs[max(0, at - NEAR) : at]),
    ):
        if other.page != one.page or other.kind != "paragraph" or len(other.lines) < 2:
            continue
        first = min(line.left for line in other.lines if line.page == one.page)
        last = max(line.right for line in other.lines if line.page == one.page)
        if first > left + 1 or last < right - 1:
            continue
        size = one.size
        if left - first < 0.5 * size and last - right > 3 * size:
            return -1
        if left - first > 1.5 * size and all(
            abs(line.left - first - (last - line.right)) < size for line in one.lines
        ):
            return 1
        return 0
    return 0
