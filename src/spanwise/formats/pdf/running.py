"""Running titles of a few pages, as those that were taken out of a book or a journal."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from spanwise.formats.pdf.lines import Line

TOP: Final = 0.15
"""The share of a page at its top in which its running title is."""
SHARE: Final = 0.6
"""The share of the pages that the name of a journal is on."""
LEAST: Final = 10
"""The least number before a running title that tells by itself that it is one."""
_PAGE_OF: Final = re.compile(
    r"\W*(?:page|seite|p\.|página|pagina|strana|стр\.?)\s*\d{1,4}\s*(?:of|/|von|sur|de|di|z|из)\s*\d{1,4}\W*",
    re.IGNORECASE,
)
EDGE: Final = 0.16
"""The share of a page at its top in which a block with the number of the page is."""
ROOM: Final = 1.5
"""How far above the text a running title is, at least, by the size of its font."""


def running_titles(
    pages: Sequence[Sequence[Line]], heights: Sequence[float], found: set[int]
) -> set[int]:
    """The `id` of each line of the running titles of a few pages; `found` is furniture already.

    A number alone at the outer edge, of a left page or of a right one, says that it is that of the
    page, whatever the page before it. Else what is at the left on one page and at the right on the
    next says the same.
    """
    tops = [
        _first_row([line for line in lines if id(line) not in found], height)
        for lines, height in zip(pages, heights, strict=True)
    ]
    result = {id(line) for row in tops if _is_numbered(row) for line in row}
    # Left pages may have it a little higher than right ones.
    texts = Counter(text for row in tops for text in {line.text for line in row})
    least = max(2, SHARE * len(pages))
    for row in tops:
        # Beside the name of a journal is that of an article, or the date.
        if len(row) > 1 and any(texts[line.text] >= least for line in row):
            result.update(map(id, row))
    names = {line.text for row in tops for line in row if id(line) in result}
    result.update(id(row[0]) for row in tops if len(row) == 1 and row[0].text in names)
    return result


def _first_row(lines: Sequence[Line], height: float) -> list[Line]:
    """The lines at the top of a page at one height, from the left; none if text is close below.

    A line below them that is smaller belongs to them, as a volume does to the name of a journal.
    """
    flat = sorted((line for line in lines if not line.turned), key=lambda line: line.base)
    if not flat or flat[0].base > TOP * height:
        return []
    base, size = flat[0].base, flat[0].size
    row = [line for line in flat if line.base - base < 0.4 * size]
    below = flat[len(row) :]
    while below and below[0].base - base < ROOM * size and below[0].size < 0.9 * size:
        base = below.pop(0).base
    if not below or below[0].base - base < ROOM * size:
        return []
    return sorted(row, key=lambda line: line.left)


def _is_numbered(row: Sequence[Line]) -> bool:
    """Whether a row of a title and a number has the latter at the outer edge of a book's page."""
    if len(row) != 2:
        return False
    first, last = row
    if not any(letter.isalpha() for letter in (last if first.text.isdecimal() else first).text):
        return False
    if last.left - first.right < first.size:
        return False
    # A lower one may be that of a section.
    if first.text.isdecimal() and len(first.text) < 5:
        return int(first.text) % 2 == 0 and int(first.text) >= LEAST
    return last.text.isdecimal() and len(last.text) < 5 and int(last.text) % 2 == 1


def header(rows: Sequence[Sequence[Line]], height: float) -> set[int]:
    """The `id` of the lines of a block at the top with two sides, one ending in `Page 1 of 8`."""
    block: list[Line] = []
    for row in rows:
        first, last = row[0], row[-1]
        if (
            first is last
            or first.base > EDGE * height
            or (
                block
                and (
                    abs(first.left - block[0].left) > 3
                    or abs(last.right - block[1].right) > 3
                    or first.base - block[-1].base > 3 * first.size
                )
            )
        ):
            return set()
        block.extend((first, *row[1:-1], last))
        if _PAGE_OF.fullmatch(last.text) or _PAGE_OF.fullmatch(first.text):
            return set(map(id, block))
    return set()
