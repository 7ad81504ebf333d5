"""Lines cut at gaps that line up with those of lines near them: between columns that are close."""

import re
from collections.abc import Sequence
from typing import Final

from spanwise.formats.pdf.characters import PageText
from spanwise.formats.pdf.lines import Line, split_line
from spanwise.formats.pdf.pdfium import LazyPage
from spanwise.formats.pdf.table_lines import CLOSE, gaps_in

LEAST: Final = 3
"""Lines below each other whose gaps line up, for them to be rows of a table."""
MOST_BETWEEN: Final = 4
"""Rows of one cell that may follow each other in a table."""

_LIKELY: Final = re.compile(r"\d|: ")
"""A digit, or the end of the name of a field."""


def parted_lines(
    page: LazyPage, text: PageText, lines: Sequence[Line], whole: dict[int, Line]
) -> list[Line]:
    """The lines, those cut that follow each other with gaps in the same places.

    `whole` is told of the line of each piece.
    """
    cut: dict[int, list[Line]] = {}
    chain: list[Line] = []
    for line in lines:
        # Looking at gaps takes time, and most tables have digits or names of fields.
        if line.style.mono or " " not in line.text or not _LIKELY.search(line.text):
            _cut_chain(page, text, chain, cut)
            chain = []
            continue
        if chain and not _is_below(chain[-1], line):
            _cut_chain(page, text, chain, cut)
            chain = []
        chain.append(line)
    _cut_chain(page, text, chain, cut)
    if not cut:
        return list(lines)
    found: list[Line] = []
    for line in lines:
        pieces = cut.get(id(line))
        if pieces is None:
            found.append(line)
            continue
        found += pieces
        whole.update((id(piece), line) for piece in pieces)
    return found


def _is_below(one: Line, two: Line) -> bool:
    """Whether a line is the next below another, as far as what is written next tells."""
    shared = min(one.right, two.right) - max(one.left, two.left)
    return 0.5 * two.size < two.base - one.base < 2 * two.size and shared > 0.5 * min(
        one.right - one.left, two.right - two.left
    )


def _cut_chain(
    page: LazyPage, text: PageText, chain: Sequence[Line], cut: dict[int, list[Line]]
) -> None:
    """Cut the lines of which three that follow each other have a gap at one place."""
    if len(chain) < LEAST:
        return
    gaps = _gaps_of(page, text, chain)
    for at, line in enumerate(chain):
        cuts: list[float] = []
        for low, high in gaps[at]:
            level = 1
            for way in (1, -1):
                near = at + way
                left, right = low, high
                while 0 <= near < len(chain) and level < LEAST:
                    shared = [
                        (max(left, one), min(right, two))
                        for one, two in gaps[near]
                        if min(right, two) - max(left, one) > 0.5 * line.size
                    ]
                    if not shared:
                        break
                    left, right = shared[0]
                    level += 1
                    near += way
            if level >= LEAST:
                cuts.append((low + high) / 2)
        if cuts:
            cut[id(line)] = split_line(page, text, line, cuts)


def _gaps_of(
    page: LazyPage, text: PageText, chain: Sequence[Line]
) -> list[list[tuple[float, float]]]:
    """The gaps of each line, none where those near it tell that there are too few in a row.

    Of as many lines as a gap has to go through one is looked at, and the others where it has some.
    """
    gaps: list[list[tuple[float, float]]] = [[] for _ in chain]
    for at in range(LEAST - 1, len(chain), LEAST):
        gaps[at] = gaps_in(page, text, [chain[at]], CLOSE)
    for at, line in enumerate(chain):
        if at % LEAST != LEAST - 1:
            before = at - at % LEAST - 1
            after = before + LEAST
            if (before >= 0 and gaps[before]) or (after < len(chain) and gaps[after]):
                gaps[at] = gaps_in(page, text, [line], CLOSE)
    return gaps


def parted_rows(
    page: LazyPage, text: PageText, rows: list[list[Line]], whole: dict[int, Line]
) -> list[list[Line]]:
    """The rows, those of one line cut at gaps that go on in the next.

    Where columns are close, a gap between them can be little wider than one between words. `whole`
    is told of the line of each piece.
    """
    found = list(rows)
    gaps: dict[int, list[tuple[float, float]]] = {}

    def gaps_of(at: int) -> list[tuple[float, float]]:
        if at not in gaps:
            gaps[at] = gaps_in(page, text, found[at], CLOSE)
        return gaps[at]

    for order in (range(len(rows)), range(len(rows) - 1, -1, -1)):
        near = -1
        for at in order:
            if len(found[at]) > 1:
                near = at
                continue
            line = found[at][0]
            if near < 0 or " " not in line.text or line.style.mono:
                continue
            # Rows between may have one cell only.
            between = abs(at - near)
            if (
                between > MOST_BETWEEN
                or abs(line.base - found[near][0].base) > 2.4 * line.size * between
            ):
                continue
            if any(
                min(high, right) - max(low, left) > 0.5 * line.size
                for low, high in gaps_of(at)
                for left, right in gaps_of(near)
            ):
                cuts = [(low + high) / 2 for low, high in gaps_of(at)]
                pieces = split_line(page, text, line, cuts)
                whole.update((id(piece), line) for piece in pieces)
                found[at] = pieces
                if len(pieces) > 1:
                    near = at
    return found
