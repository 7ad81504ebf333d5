"""Where rules tell that a table may be: between rules of one width, or drawn cell by cell."""

import itertools
from collections.abc import Sequence

from spanwise.formats.pdf.blocks import blocks_of
from spanwise.formats.pdf.characters import PageText
from spanwise.formats.pdf.graphics import Graphics, Rule, inside
from spanwise.formats.pdf.lines import Line, line_box, words_of
from spanwise.formats.pdf.page import Box
from spanwise.formats.pdf.pdfium import LazyPage
from spanwise.formats.pdf.table_lines import (
    CLOSE,
    PROSE,
    are_beside,
    gaps_in,
    is_running,
    rows_of,
    weight_of,
)
from spanwise.formats.pdf.tables import MOST_RULES, merged_rules


def ruled_regions(graphics: Graphics) -> list[Box]:
    """The boxes between rules of one width below each other, three or more."""
    families: list[list[Rule]] = []
    for rule in merged_rules(graphics.across, 12.0):
        for family in families:
            if abs(family[0].start - rule.start) < 4 and abs(family[0].end - rule.end) < 4:
                family.append(rule)
                break
        else:
            families.append([rule])
    found = []
    for family in families:
        wide = family[0].end - family[0].start > 60
        if len(family) >= 3 and wide and not _are_frames(family, graphics.down):
            found.append((family[0].start - 4, family[0].at, family[0].end + 4, family[-1].at))
    return found


def _are_frames(family: Sequence[Rule], down: Sequence[Rule]) -> bool:
    """Whether rules of one width are edges of frames with room between, as around titles."""
    sides: tuple[list[Rule], list[Rule]] = ([], [])
    for rule in down[:MOST_RULES]:
        for side, place in zip(sides, (family[0].start, family[0].end), strict=True):
            if abs(rule.at - place) < 4:
                side.append(rule)
    rules = sorted(family, key=lambda rule: rule.at)
    closed = [
        all(
            any(rule.start < one.at + 4 and two.at - 4 < rule.end for rule in side)
            for side in sides
        )
        for one, two in itertools.pairwise(rules)
    ]
    return sum(closed) > 1 and not any(one and two for one, two in itertools.pairwise(closed))


def parted_regions(
    page: LazyPage, text: PageText, graphics: Graphics, lines: Sequence[Line]
) -> list[tuple[Box, list[tuple[float, float]]]]:
    """The boxes of tables whose rules are drawn cell by cell, and their columns.

    Below the last rule there may be a row that has none, or whose rule is on the next page.
    """
    levels: dict[int, list[Rule]] = {}
    for rule in graphics.across:
        levels.setdefault(round(rule.at), []).append(rule)
    families: dict[tuple[int, ...], list[float]] = {}
    for rules in levels.values():
        rules.sort(key=lambda rule: rule.start)
        chain = [rules[0]]
        for rule in [*rules[1:], Rule(0.0, 1e9, 1e9)]:
            if abs(rule.start - chain[-1].end) < 2.5:
                chain.append(rule)
                continue
            if len(chain) > 1:
                inner = [(one.end + two.start) / 2 for one, two in itertools.pairwise(chain)]
                edges = tuple(map(round, (chain[0].start, *inner, chain[-1].end)))
                families.setdefault(edges, []).append(chain[0].at)
            chain = [rule]
    found: list[tuple[Box, list[tuple[float, float]]]] = []
    for places, heights in families.items():
        columns = [(float(one), float(two)) for one, two in itertools.pairwise(places)]
        left, right = columns[0][0] - 2, columns[-1][1] + 2
        inside_columns = [line for line in lines if left <= line.left and line.right <= right]
        inside_columns.sort(key=lambda line: line.top)
        table = [min(heights)]
        for height in [*sorted(set(heights))[1:], 1e9]:
            between = [line for line in inside_columns if table[-1] - 1 < line.top < height]
            size = 1.12 * between[0].size if between else 0.0
            if height < 1e9 and not any(
                line.size > size or _crosses(page, text, line, columns) for line in between
            ):
                table.append(height)
                continue
            bottom = table[-1]
            for row in rows_of(between):
                if row[0].top - bottom > 1.2 * row[0].size:
                    break
                if len(row) < 2 and not gaps_in(page, text, row, CLOSE):
                    break  # text below the table
                if any(_crosses(page, text, line, columns) for line in row):
                    break
                bottom = max(line.bottom for line in row)
            if len(table) > 1:
                found.append(((left, table[0] - 1, right, bottom + 1), columns))
            table = [height]
    return sorted(found)


def _crosses(
    page: LazyPage, text: PageText, line: Line, columns: Sequence[tuple[float, float]]
) -> bool:
    """Whether a word of a line goes over the edge of a column."""
    edges = [left for left, _ in columns[1:] if line.left < left < line.right]
    return bool(edges) and any(
        low + 1 < edge < high - 1 for low, high in words_of(page, text, line) for edge in edges
    )


def with_header(page: LazyPage, text: PageText, lines: Sequence[Line], region: Box) -> Box:
    """The box with the row of cells right above its first rule, where only rows end in rules."""
    left, top, right, bottom = region
    above = [
        line
        for line in lines
        if left <= line.left and line.right <= right and top - 2.2 * line.size < line.base < top + 1
    ]
    if not above:
        return region
    row = rows_of(above)[-1]
    first = min((line.base for line in lines if inside(line_box(line), region)), default=0.0)
    gaps = len(row) > 1 or gaps_in(page, text, row, CLOSE)
    if not gaps or first - row[0].base > 2.6 * row[0].size:
        return region
    return (left, min(line.top for line in row) - 1, right, bottom)


def with_bold_head(
    lines: Sequence[Line], region: Box, columns: Sequence[tuple[float, float]]
) -> Box:
    """The box with the row of bold cells right above it, each at the begin of a column or in it."""
    left, top, right, bottom = region
    if not columns:
        return region
    above = [
        line
        for line in lines
        if left <= line.left and line.right <= right and top - 2.2 * line.size < line.base < top + 1
    ]
    row = rows_of(above)[-1] if above else []
    homes = [
        next((at for at, (low, high) in enumerate(columns) if low - 3 <= line.left < high), -1)
        for line in row
    ]
    inside_columns = all(
        home >= 0 and line.right < columns[home][1] + 3
        for home, line in zip(homes, row, strict=True)
    )
    if (
        len(row) < max(2, len(columns) - 1)
        or len(set(homes)) < len(row)
        or not inside_columns
        or not all(line.style.bold for line in row)
    ):
        return region
    return (left, min(line.top for line in row) - 1, right, bottom)


def is_columns(lines: Sequence[Line]) -> bool:
    """Whether there is running text beside running text, as between a header and a footer."""
    prose = [
        block.lines
        for block in blocks_of(lines)
        if len(block.lines) > 5 and is_running(block.lines)
    ]
    return any(
        max(line.right for line in one) < min(line.left for line in two) and are_beside(one, two)
        for one in prose
        for two in prose
    )


def is_page(page: LazyPage, text: PageText, group: list[list[Line]], region: Box) -> bool:
    """Whether rows between rules are running text, as between those of a header and a footer."""
    width = region[2] - region[0]
    full = sum(
        len(row) == 1
        and row[0].right - row[0].left > 0.8 * width
        and row[0].left < region[0] + 0.1 * width
        and weight_of(row[0].text) > PROSE
        and not gaps_in(page, text, row, CLOSE)
        for row in group
    )
    # Between the frames of examples of code there is running text, too.
    code = sum(line.style.mono for row in group for line in row) > 0.3 * len(group)
    return (full > 0 and code) or (full > 2 and full > 0.2 * len(group))
