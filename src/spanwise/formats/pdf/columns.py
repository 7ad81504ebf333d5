"""Lines cut between columns of running text, where PDFium made one line of both.

It does so in files whose content goes from the top to the bottom of a page rather than from column
to column, and a text object can even go over several columns. Where the columns are is told by the
lines that are in one of them.
"""

import itertools
import statistics
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Final

from spanwise.formats.pdf.characters import PageText
from spanwise.formats.pdf.lines import Line, split_line, words_of
from spanwise.formats.pdf.pdfium import LazyPage

LEAST: Final = 8
"""Lines that begin at one place, and that end before it, if a column of text begins there."""
LETTERS: Final = 20
"""Characters of most lines of a column of running text."""
SAME: Final = 1.5
"""Points that the lines of a column begin apart at most."""
GAP: Final = 0.8
"""How wide the room between columns is at least, by the size of the font."""
ODD: Final = 0.1
"""The share of the lines before a place that may reach into the room between."""
MOST: Final = 8
"""Places on a page where a column may begin."""


def cut_at_columns(page: LazyPage, text: PageText, lines: Sequence[Line]) -> list[Line]:
    """The lines, those that go over several columns cut between them."""
    straight = [line for line in lines if not line.turned and not line.rtl]
    cuts: dict[int, list[float]] = {}
    words: dict[int, list[tuple[float, float]]] = {}
    for place in _starts(straight):
        for line in _across(straight, place):
            if id(line) not in words:
                words[id(line)] = sorted(words_of(page, text, line))
            cut = _cut_at(words[id(line)], place, GAP * line.size)
            if cut > 0.0:
                cuts.setdefault(id(line), []).append(cut)
    if not cuts:
        return list(lines)
    found: list[Line] = []
    for line in lines:
        places = cuts.get(id(line))
        if places is None:
            found.append(line)
            continue
        pieces = split_line(page, text, line, sorted(set(places)))
        pieces[0].bullet = line.bullet
        found += pieces
    return found


def _starts(lines: Sequence[Line]) -> list[float]:
    """Where columns of running text begin, but for the first."""
    lefts = sorted(line.left for line in lines)
    found: list[float] = []
    for left in dict.fromkeys(lefts):
        if found and left < found[-1] + 2 * SAME:
            continue
        first, last = bisect_left(lefts, left), bisect_right(lefts, left + SAME)
        if last - first >= LEAST and first >= LEAST:
            found.append(left)
    return found if len(found) <= MOST else []


def _across(lines: Sequence[Line], place: float) -> list[Line]:
    """The lines that go over the place where a column begins; none if none does."""
    before: list[Line] = []
    after: list[Line] = []
    across: list[Line] = []
    odd = 0
    for line in lines:
        if line.left > place - 0.2:
            if line.left < place + SAME:
                after.append(line)
        elif line.right < place - GAP * line.size:
            before.append(line)
        elif line.right < place + 2 * SAME:
            odd += 1  # as a title may happen to end
        else:
            across.append(line)
    if not across or min(len(before), len(after)) < LEAST or odd > ODD * len(before):
        return []
    letters = [statistics.median_low(len(line.text) for line in side) for side in (before, after)]
    return across if min(letters) >= LETTERS else []


def _cut_at(words: Sequence[tuple[float, float]], place: float, least: float) -> float:
    """The middle of the gap before a word that begins at a place; 0 without one."""
    for (_, right), (left, _) in itertools.pairwise(words):
        if abs(left - place) <= SAME and left - right >= least:
            return (left + right) / 2
    return 0.0
