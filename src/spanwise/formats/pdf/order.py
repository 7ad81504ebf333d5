"""Blocks of lines, in the order of reading.

The order of the content stream is believed as long as it does not go up within a column. Where it
does, blocks are sorted by two rules: what is above comes first in a column, and a column comes
before the one to its right unless something that spans both lies between, or is drawn there.
"""

import itertools
from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from spanwise.formats.pdf.blocks import Block
from spanwise.formats.pdf.bylines import bylines
from spanwise.formats.pdf.graphics import Graphics, Rule
from spanwise.formats.pdf.lines import Line

MOST_IN_COLUMNS: Final = 120
"""Blocks of a page that are looked at in threes, as columns need it."""
MOST_SORTED: Final = 400
"""Blocks of a page that are sorted by looking at pairs of them; more stay in stream order."""

WIDE: Final = 0.75
"""The share of the width of the text of a page that something is as wide as to part columns."""
TITLE: Final = 1.6
"""How large a title is, at least, by the size of the text."""
MOST_TITLES: Final = 4
"""Blocks that a title and what belongs to it have at most."""
NOWHERE: Final = 1e9
BESIDE: Final = 2
"""Pairs of tables beside each other that tell columns."""
MOST_EDGES: Final = 500
"""Wide rules and edges of a page above which they are a shade."""
ROOM: Final = 6.0
"""Points that text may stand out at its ends."""


def in_order(
    blocks: list[Block], graphics: Graphics | None = None, size: tuple[float, float] = (0.0, 0.0)
) -> list[Block]:
    """The blocks of a page as one reads them; what is drawn over all columns parts them.

    `size` is the width and the height of the page, where they are known.
    """
    if _descends(blocks) or len(blocks) > MOST_SORTED:
        return blocks
    found = _sorted(blocks, _separators(blocks, graphics) if graphics is not None else [])
    # Wide pages may be two of a book on one sheet.
    return _title_first(found) if blocks[0].lines[0].page == 0 and size[0] < size[1] else found


def _title_first(blocks: list[Block]) -> list[Block]:
    """The blocks of a first page, a large title above all else before the columns below it.

    It may stand above the last column only, where the first has the sign of a firm.
    """
    if len(blocks) < 3:
        return blocks
    sizes = sorted(line.size for block in blocks for line in block.lines)
    usual = sizes[len(sizes) // 2]
    large = [block for block in blocks if any(line.size == sizes[-1] for line in block.lines)]
    if len(large) > 1 or sizes[-1] <= TITLE * usual:
        return blocks
    title = large[0]
    down = sorted(blocks, key=lambda block: block.top)
    bottom = 0.0
    above: list[Block] = []
    for at in range(min(len(down) - 1, MOST_TITLES)):
        one = down[at]
        if title in above and not (
            # A line below the title goes along with it.
            one.top - bottom < sizes[-1] and one.left < title.right and title.left < one.right
        ):
            break
        if one is not title and title not in above and len(one.lines) > 1:
            return blocks  # there is text above it
        bottom = max(bottom, one.bottom)
        if bottom > down[at + 1].top + 1 and (one is title or title in above):
            break
        above.append(one)
    if title not in above or any(
        block.top < max(one.bottom for one in above) - 1 for block in down[len(above) :]
    ):
        return blocks
    own = set(map(id, above))
    return [
        *(block for block in blocks if id(block) in own),
        *(block for block in blocks if id(block) not in own),
    ]


def _separators(blocks: Sequence[Block], graphics: Graphics) -> list[Rule]:
    """Rules, and edges of boxes, as wide as columns beside each other, from the top."""
    left, right = min(block.left for block in blocks), max(block.right for block in blocks)
    least = WIDE * (right - left)
    found = [rule for rule in graphics.edges if rule.end - rule.start > least]
    for start, top, end, bottom in graphics.images:
        if end - start > least:
            found += [Rule(top, start, end), Rule(bottom, start, end)]
    if len(found) > MOST_EDGES:
        return []
    behind = {_ends(rule) for rule in found if _is_behind(rule, blocks)}
    return sorted(rule for rule in found if _ends(rule) not in behind)


def _ends(rule: Rule) -> tuple[int, int]:
    return round(rule.start), round(rule.end)


def _is_behind(rule: Rule, blocks: Sequence[Block]) -> bool:
    """Whether a rule goes through text: it is the edge of a shade that is drawn strip by strip."""
    return any(
        block.table is None
        and block.top + ROOM < rule.at < block.bottom - ROOM
        and rule.start < block.left
        and block.right < rule.end
        for block in blocks
    )


def _descends(blocks: list[Block]) -> bool:
    for one, two in itertools.pairwise(blocks):
        if two.top < one.bottom - 0.3 * (one.bottom - one.top) - 1:
            return False
    return True


def _has_columns(blocks: list[Block]) -> bool:
    """Whether there is running text beside running text, or tables beside several others."""
    tables = [block for block in blocks if block.table is not None]
    beside = sum(
        min(one.bottom, two.bottom) - max(one.top, two.top) > one.lines[0].size
        and one.right <= two.left + 1
        for one in tables
        for two in tables
    )
    if beside >= BESIDE:
        return True
    prose = [block for block in blocks if block.table is None and _is_prose(block)]
    return any(
        min(one.bottom, two.bottom) - max(one.top, two.top) > one.lines[0].size
        and one.right <= two.left + 1
        for one in prose
        for two in prose
    )


def _is_prose(block: Block) -> bool:
    return len(block.lines) >= 3 and block.right - block.left > 8 * block.lines[0].size


def _spans(blocks: list[Block]) -> list[tuple[float, float]]:
    """For each block where its column starts and ends: a short heading is as wide as its column."""
    prose = [
        (block.left, block.right) for block in blocks if block.table is None and _is_prose(block)
    ]
    tables = [block for block in blocks if block.table is not None]
    found = []
    for block in blocks:
        titled = [table for table in tables if is_over(block.lines, table)]
        if titled:
            found.append((titled[0].left, titled[0].right))
            continue
        wide = block.right - block.left
        around = [
            (right - left, left, right)
            for left, right in prose
            if min(block.right, right) - max(block.left, left) > 0.9 * wide
        ]
        left, right = block.left, block.right
        if around:
            _, first, last = min(around)
            left, right = min(left, first), max(right, last)
        found.append((left, right))
    return found


def is_over(lines: Sequence[Line], table: Block) -> bool:
    """Whether lines are the title of a table: right above it, and in its middle or at its left."""
    last = lines[-1]
    if len(lines) > 3 or not 0 <= table.top - last.bottom < 2.6 * last.size:
        return False
    left, right = min(line.left for line in lines), max(line.right for line in lines)
    return (
        left > table.left - last.size
        and right < table.right + last.size
        and (
            abs(left + right - table.left - table.right) < 3 * last.size
            or abs(left - table.left) < last.size
        )
    )


def _sorted(blocks: list[Block], separators: list[Rule]) -> list[Block]:
    count = len(blocks)
    spans = _spans(blocks) if count <= MOST_IN_COLUMNS and _has_columns(blocks) else None
    columns = spans or []
    if 2 * sum(line.rtl for block in blocks for line in block.lines) > sum(
        len(block.lines) for block in blocks
    ):
        # The first column is that at the right: seen in a mirror it is the one at the left.
        spans = [(-right, -left) for left, right in spans] if spans is not None else None
        turned = True
    else:
        turned = False
    rooms = _rooms(blocks, spans) if spans is not None else []
    floors: dict[int, float] = {}
    if spans is not None:
        boxes = [(block.left, block.top, block.right, block.bottom) for block in blocks]
        floors = bylines(boxes, [block.lines for block in blocks], columns)
    after: list[list[int]] = [[] for _ in range(count)]
    waiting = [0] * count
    for i in range(count):
        for j in range(count):
            if i != j and _before(blocks, i, j, spans, rooms, floors, separators, turned):
                after[i].append(j)
                waiting[j] += 1
    done = [False] * count
    found: list[Block] = []
    last = -1
    while len(found) < count:
        # The next of the stream first, so that what the rules leave open stays together.
        at = next((i for i in range(last + 1, count) if not done[i] and waiting[i] == 0), -1)
        if at < 0:
            at = next((i for i in range(count) if not done[i] and waiting[i] == 0), -1)
        if at < 0:
            at = min((waiting[i], i) for i in range(count) if not done[i])[1]
        done[at] = True
        found.append(blocks[at])
        last = at
        for j in after[at]:
            waiting[j] -= 1
    return found


def _before(
    blocks: list[Block], i: int, j: int, spans: list[tuple[float, float]] | None,
    rooms: list[tuple[float, float]], floors: dict[int, float], separators: list[Rule],
    turned: bool,
) -> bool:  # fmt: skip
    """Whether a block comes before another by one of the rules; `turned` is right to left."""
    one, two = blocks[i], blocks[j]
    if spans is None:
        if min(one.bottom, two.bottom) - max(one.top, two.top) <= 1:
            return one.top < two.top
        shared = min(one.right, two.right) - max(one.left, two.left)
        if shared > 0.1 * min(one.right - one.left, two.right - two.left):
            return one.top + one.bottom < two.top + two.bottom
        return one.right > two.right if turned else one.left < two.left
    if floors:
        if two.top >= floors.get(i, NOWHERE) - 1:
            return True
        if one.top >= floors.get(j, NOWHERE) - 1:
            return False
    if separators:
        if _is_parted(one, two, separators):
            return True
        if _is_parted(two, one, separators):
            return False
    left, right = spans[i]
    other_left, other_right = spans[j]
    shared = min(right, other_right) - max(left, other_left)
    if shared > 0.1 * min(right - left, other_right - other_left):
        level = min(one.bottom, two.bottom) - max(one.top, two.top)
        apart = max(one.left, two.left) >= min(one.right, two.right)
        if apart and level > 0.5 * min(one.bottom - one.top, two.bottom - two.top):
            # Beside each other in one column, as a number and its title.
            return (one.left < two.left) is not turned
        return one.top + one.bottom < two.top + two.bottom
    if two.bottom <= one.top + 1 or one.bottom <= two.top + 1:
        upper, lower = (i, j) if one.top < two.top else (j, i)
        if _is_in_band_above(blocks, upper, lower, spans, rooms):
            return upper == i
    if left >= other_left:
        return False
    top = min(one.bottom, two.bottom)
    bottom = max(one.top, two.top)
    for k, other in enumerate(blocks):
        if (
            k not in (i, j)
            and spans[k][0] < right - 1
            and spans[k][1] > other_left + 1
            and other.top >= top - 1
            and other.bottom <= bottom + 1
        ):
            return False
    return True


def _rooms(blocks: list[Block], spans: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """For each block where what is beside it ends at the left, and begins at the right."""
    found = []
    for i, one in enumerate(blocks):
        left, right = -NOWHERE, NOWHERE
        for j, other in enumerate(blocks):
            level = min(one.bottom, other.bottom) - max(one.top, other.top)
            if j != i and level > 0.5 * min(one.bottom - one.top, other.bottom - other.top):
                if spans[j][1] < spans[i][0] + 1:
                    left = max(left, spans[j][1])
                elif spans[j][0] > spans[i][1] - 1:
                    right = min(right, spans[j][0])
        found.append((left, right))
    return found


def _is_in_band_above(
    blocks: list[Block], upper: int, lower: int, spans: list[tuple[float, float]],
    rooms: list[tuple[float, float]],
) -> bool:  # fmt: skip
    """Whether a block is beside one that is over another and over what is beside that, below both.

    As authors beside each other are, above two columns of text.
    """
    floor = blocks[lower].top + 1
    left, right = spans[lower]
    before, after = rooms[lower]
    block = blocks[upper]
    return any(
        k not in (upper, lower)
        and spans[k][0] < right - 1
        and spans[k][1] > left + 1
        and (spans[k][0] < before - 1 or spans[k][1] > after + 1)
        and other.bottom <= floor
        and min(other.bottom, block.bottom) - max(other.top, block.top)
        > 0.5 * min(other.bottom - other.top, block.bottom - block.top)
        for k, other in enumerate(blocks)
    )


def _is_parted(one: Block, two: Block, separators: list[Rule]) -> bool:
    """Whether something that is drawn as wide as both is below a block and above another."""
    at = bisect_left(separators, (one.bottom - 1, 0.0, 0.0))
    left, right = min(one.left, two.left), max(one.right, two.right)
    while at < len(separators) and separators[at].at <= two.top + 1:
        rule = separators[at]
        if rule.start < left + ROOM and right - ROOM < rule.end:
            return True
        at += 1
    return False
