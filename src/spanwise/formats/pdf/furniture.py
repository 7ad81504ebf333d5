"""Furniture: running headers and footers and page numbers, which are not part of the text."""

import itertools
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from typing import Final

from spanwise.formats.pdf.lines import Line
from spanwise.formats.pdf.numbering import NAMED_KINDS, heading_label
from spanwise.formats.pdf.running import header, running_titles
from spanwise.formats.pdf.tags import ARTIFACT

EDGE: Final = 0.16
"""The share of the height of a page, at its top and its bottom, where furniture stands."""
ROWS: Final = 4
"""Rows at each edge that are looked at."""
WIDE: Final = 1.2
"""How wide a page is by its height, at least, if it can be a slide."""
WIDE_SHARE: Final = 0.6
SHARE: Final = 0.2
"""The share of the pages that a text is on at the same height if it is furniture."""

TOP: Final = 0.1
"""The share of a page at its top in which a header is that its number alone tells."""
LARGER: Final = 1.2
"""How much larger than a running title the title is."""
ROOM: Final = 1.3
NEAR: Final = 0.9
"""How far below a header the text begins, by the size of its font; and if most pages have it."""
FEW: Final = 5
"""Pages below which what repeats proves little."""

LEAST_NUMBERS: Final = 15
"""Numbered lines that a page has at least if its lines are numbered."""

_DIGITS: Final = re.compile(r"\d+")
_PAGE_NUMBER: Final = re.compile(
    r"(?:(?:page|seite|p\.|página|pagina|strana|页|第)\s*)?[-–—\[(|]*\s*(\d{1,5}|[ivxlcdm]{1,8})\s*[-–—\])|]*"
    r"(?:\s*(?:of|/|von|sur|de|页)\s*\d{0,5})?",
    re.IGNORECASE,
)
COPIED: Final = 0.6
"""The share of the rows of a page that another has at the same place if one is a copy."""

_PAGE_WORD: Final = re.compile(
    r"\W*(?:page|seite|página|pagina|strana|стр\.?)\s*\d{1,4}"
    r"(?:\s*(?:of|/|von|sur|de|di|z|из)\s*\d{1,4})?\W*",
    re.IGNORECASE,
)
_ENDS: Final = re.compile(r"^\s*(\d{1,5})\b(?![.,]\d|\s?%)|(?<!\d[.,])\b(\d{1,5})\s*$")
"""A number at either end of a row, and no amount as `1.5%`."""


def furniture_of(pages: Sequence[Sequence[Line]], sizes: Sequence[tuple[float, float]]) -> set[int]:
    """The `id` of each line that is furniture; pages have a width and a height."""
    heights = [height for _, height in sizes]
    rows: list[tuple[int, str, int, list[Line], list[int]]] = []
    loose: set[int] = set()
    outer: set[int] = set()
    headers: set[int] = set()
    found: set[int] = set()
    few = len(pages) < FEW
    copies = few and _are_copies(pages)
    for number, lines in enumerate(pages):
        counted_lines = line_numbers(lines)
        found.update(counted_lines)
        edges = _edge_rows(
            [line for line in lines if id(line) not in counted_lines], heights[number]
        )
        headers.update(header([row for _, row, _ in edges], heights[number]))
        for at, row, is_loose in edges:
            rows.append((number, _masked(row), at, row, _numbers(row)))
            if is_loose:
                loose.add(id(row))
        flat = [row for _, row, is_loose in edges if not is_loose]
        if flat:
            # The first and the last of a page, where they are near its edges.
            ends = (min(flat, key=lambda row: row[0].base), max(flat, key=lambda row: row[0].base))
            outer.update(map(id, ends))
    places: dict[tuple[str, int], set[int]] = {}
    numbered: dict[tuple[int, int], set[int]] = {}
    for number, text, at, _, values in rows:
        for near in (at - 1, at, at + 1):
            places.setdefault((text, near), set()).add(number)
            for value in values:
                # Where the difference to the count of pages stays the same, it is a page number.
                numbered.setdefault((near, value - number), set()).add(number)
    # Slides that build up have one title, and a title may go on over some.
    wide = are_wide(sizes)
    least = max(2, (WIDE_SHARE if wide else SHARE) * len(pages))
    # Titles of chapters run along, too: at a height where most pages have a line at their edge.
    heights_of: dict[int, set[int]] = {}
    for number, _, at, row, _ in rows:
        if id(row) in outer:
            for near in (at - 1, at, at + 1):
                heights_of.setdefault(near, set()).add(number)
    usual = _usual_sizes(pages)
    chapters = _chapters(rows)
    for number, text, at, row, values in rows:
        if id(row) in chapters:
            continue
        large = max(line.size for line in row) > LARGER * usual[number]
        if wide and large:
            continue  # the title of a slide that builds up
        if few and large and number == min(places[text, at]):
            continue  # the title of the document, though it runs along on the pages after it
        if (
            id(row) not in loose
            and not copies
            and len(places[text, at]) >= least
            and text.strip("# ")
            # On few pages a line may be the same by chance, as where each starts alike.
            and not (
                few
                and not _is_outer(
                    row, pages[number], found, NEAR if len(places[text, at]) > 2 else ROOM
                )
            )
        ):
            found.update(map(id, row))
            continue
        if (
            id(row) not in loose
            and not wide
            and len(places[text, at]) > 1
            and len(heights_of.get(at, ())) >= max(4, 0.5 * len(pages))
            and _is_outer(row, pages[number], found)
        ):
            found.update(map(id, row))
            continue
        if id(row) not in loose:
            # The number of a page says that it is one, whatever stands beside it.
            found.update(id(line) for line in row if _PAGE_WORD.fullmatch(line.text))
        counted = max((len(numbered[at, value - number]) for value in values), default=0)
        lone = _PAGE_NUMBER.fullmatch(_text(row).strip()) is not None
        if id(row) in loose:
            if lone and counted >= 2:
                found.update(map(id, row))
        elif (
            # What is larger is the title of a section, though each may have a page.
            (
                counted >= max(3, SHARE * len(pages))
                and (lone or not (large and values))
                and (lone or not few or max(line.size for line in row) < 1.1 * usual[number])
            )
            or (lone and (counted >= 2 or len(pages) == 1 or not values))
            or (few and _is_header(row, number + 1, pages[number], heights[number], found))
        ):
            found.update(map(id, row))
    found.update(_beside_repeated(pages, rows, outer, found))
    found.update(_echoes(pages, rows, outer, found))
    found.update(_stamps(pages))
    found.update(headers)
    if few and not wide and not copies:
        found.update(running_titles(pages, heights, found))
    found.update(_artifacts(pages, heights))
    if all(id(line) in found for lines in pages for line in lines):
        return set()  # there is nothing else
    return found


def _chapters(rows: Sequence[tuple[int, str, int, list[Line], list[int]]]) -> set[int]:
    """The `id` of rows that are the number of a chapter, as `Chapter 2`: each is there once."""
    named: list[tuple[str, int]] = []
    for _, _, _, row, _ in rows:
        label = heading_label(row[0].text) if len(row) == 1 else None
        if label is not None and label.kind in NAMED_KINDS and label.end == len(row[0].text):
            named.append((row[0].text, id(row)))
    counts = Counter(text for text, _ in named)
    return {row for text, row in named if counts[text] == 1}


def are_wide(sizes: Sequence[tuple[float, float]]) -> bool:
    """Whether pages of these widths and heights may be slides."""
    return len(sizes) > 1 and (
        sum(width > WIDE * height for width, height in sizes) >= 0.8 * len(sizes)
    )


def _artifacts(pages: Sequence[Sequence[Line]], heights: Sequence[float]) -> set[int]:
    """What is tagged as no part of the text, at the edges of pages; not where most is."""
    tagged = [
        line
        for lines in pages
        for line in lines
        if line.runs[0].tag is ARTIFACT and all(run.tag is ARTIFACT for run in line.runs)
    ]
    if tagged and 3 * sum(len(line.text) for line in tagged) > sum(
        len(line.text) for lines in pages for line in lines
    ):
        return set()
    return {
        id(line)
        for line in tagged
        if not EDGE * heights[line.page] < line.bottom < (1 - EDGE) * heights[line.page]
    }


def _usual_sizes(pages: Sequence[Sequence[Line]]) -> list[float]:
    """For each page the size of the font in its middle."""
    found = []
    for lines in pages:
        sizes = sorted(line.size for line in lines)
        found.append(sizes[len(sizes) // 2] if sizes else 0.0)
    return found


def _beside_repeated(
    pages: Sequence[Sequence[Line]],
    rows: Sequence[tuple[int, str, int, list[Line], list[int]]],
    outer: set[int],
    found: set[int],
) -> set[int]:
    """The lines of rows at the edges of pages beside one that most pages have at this height.

    The title of the document runs along, and beside it that of a section.
    """
    places: dict[tuple[str, int], set[int]] = {}
    for number, _, at, row, _ in rows:
        for line in row:
            for near in (at - 1, at, at + 1):
                places.setdefault((line.text, near), set()).add(number)
    least = max(FEW, SHARE * len(pages))
    return {
        id(line)
        for number, _, at, row, _ in rows
        if len(row) > 1
        and id(row) in outer
        and any(
            len(places[line.text, at]) >= least and sum(map(str.isalpha, line.text)) > 3
            for line in row
        )
        and _is_outer(row, pages[number], found)
        for line in row
    }


def _echoes(
    pages: Sequence[Sequence[Line]],
    rows: Sequence[tuple[int, str, int, list[Line], list[int]]],
    outer: set[int],
    found: set[int],
) -> set[int]:
    """The lines at the top of pages that say what a larger one says: the title of the section."""
    sizes: dict[str, float] = {}
    for lines in pages:
        for line in lines:
            if line.size > sizes.get(line.text, 0.0):
                sizes[line.text] = line.size
    echoes = [
        row[0]
        for number, _, _, row, _ in rows
        if len(row) == 1
        and id(row) in outer
        and sizes[row[0].text] > LARGER * row[0].size
        and row[0].base
        < min((line.base for line in pages[number] if line is not row[0]), default=0.0)
        and _is_outer(row, pages[number], found)
    ]
    return set(map(id, echoes)) if len({line.page for line in echoes}) > 2 else set()


def _stamps(pages: Sequence[Sequence[Line]]) -> set[int]:
    """Text along the edges of pages that is the same on many of them."""
    places: dict[str, list[Line]] = {}
    for lines in pages:
        for line in lines:
            if line.turned:
                places.setdefault(_DIGITS.sub("#", line.text), []).append(line)
    return {
        id(line)
        for lines in places.values()
        if len({line.page for line in lines}) >= max(2, SHARE * len(pages))
        for line in lines
    }


def line_numbers(lines: Sequence[Line]) -> set[int]:
    """The numbers of the lines of a page, as transcripts and drafts have them at the left."""
    numbers = [line for line in lines if line.text.isdecimal() and len(line.text) < 5]
    if len(numbers) < LEAST_NUMBERS:
        return set()
    edge = sorted(line.right for line in numbers)[len(numbers) // 2]
    column = [line for line in numbers if abs(line.right - edge) < 8]
    column.sort(key=lambda line: line.base)
    values = [int(line.text) for line in column]
    steps = sum(two == one + 1 for one, two in itertools.pairwise(values))
    if steps < LEAST_NUMBERS - 1:
        return set()
    counted = set(map(id, column))
    lefts = [line.left for line in lines if id(line) not in counted and not line.turned]
    if not lefts or min(lefts) < edge - 20:
        return set()
    bases = sorted(line.base for line in lines if line.left > edge)
    beside = sum(
        bisect_left(bases, one.base + 3) - bisect_right(bases, one.base - 3) > 1 for one in column
    )
    return counted if beside <= 0.3 * len(column) else set()


def _edge_rows(lines: Sequence[Line], height: float) -> list[tuple[int, list[Line], bool]]:
    """The outermost rows at the top and the bottom of a page, outer ones first, with their heights.

    The last says that a row is too far from the edge for all but a page number.
    """
    flat = sorted((line for line in lines if not line.turned), key=lambda line: line.base)
    rows: list[list[Line]] = []
    for line in flat:
        if rows and line.base - rows[-1][0].base < max(3.0, 0.6 * line.size):
            rows[-1].append(line)
        else:
            rows.append([line])
    found: list[tuple[int, list[Line], bool]] = []
    for row in rows[:ROWS]:
        if row[0].base < EDGE * height:
            found.append((round(row[0].base / 2), row, False))
    for row in reversed(rows[-ROWS:]):
        if row[0].base > (1 - EDGE) * height and len(rows) > 1:
            found.append((round(row[0].base / 2), row, False))
    last = rows[-1] if len(rows) > 2 else []
    if (
        len(last) == 1
        and last[0].base <= (1 - EDGE) * height
        and last[0].base - rows[-2][0].base > 1.8 * rows[-2][0].size
    ):
        found.append((round(last[0].base / 2), last, True))
    for _, row, _ in found:
        row.sort(key=lambda line: line.left)
    return found


def _is_outer(
    row: Sequence[Line], lines: Sequence[Line], found: set[int], room: float = ROOM
) -> bool:
    """Whether there is nothing but furniture above a row, or below it.

    What is below the first row is at least so many times the size of its font away.
    """
    base, own = row[0].base, set(map(id, row))
    others = [
        line.base
        for line in lines
        if id(line) not in found and id(line) not in own and abs(line.base - base) > 3
    ]
    return not others or base < min(others) - room * row[0].size or base > max(others) + row[0].size


def _is_header(
    row: Sequence[Line], number: int, lines: Sequence[Line], height: float, found: set[int]
) -> bool:
    """Whether a row at the top of page `number` stands well above all else, the number at an end.

    The number is a line of its own: other text may begin or end in the same.
    """
    if len(row) < 2 or row[0].base > TOP * height or not _is_outer(row, lines, found):
        return False
    ends = (_PAGE_NUMBER.fullmatch(line.text.strip()) for line in (row[0], row[-1]))
    if not any(end is not None and end[1] == str(number) for end in ends):
        return False
    base = row[0].base
    below = min((line.base for line in lines if line.base > base + 3), default=base)
    return below - base > 1.5 * row[0].size


def _are_copies(pages: Sequence[Sequence[Line]]) -> bool:
    """Whether pages are the same but for a few lines, as the copies of an invoice are."""
    if len(pages) < 2:
        return False
    seen = [{(round(line.base / 2), line.text) for line in lines} for lines in pages if lines]
    return len(seen) > 1 and all(
        len(one & two) > COPIED * max(len(one), len(two)) for one, two in itertools.pairwise(seen)
    )


def _text(row: Sequence[Line]) -> str:
    return " ".join(line.text for line in row)


def _masked(row: Sequence[Line]) -> str:
    return _DIGITS.sub("#", _text(row)).strip()


def _numbers(row: Sequence[Line]) -> list[int]:
    """The numbers at both ends of a row."""
    text = _text(row).strip()
    if not text[:1].isdecimal() and not text[-1:].isdecimal():
        return []
    return [int(one or two) for one, two in _ENDS.findall(text)]
