"""Lines as far as tables need them: in rows, with gaps, running text told from cells."""

import itertools
import re
import statistics
from collections.abc import Sequence
from typing import Final

from spanwise.formats.pdf.characters import PageText
from spanwise.formats.pdf.lines import Line, words_of
from spanwise.formats.pdf.pdfium import LazyPage

Cell = list[Line]
Row = list[Cell]

_NUMBER: Final = re.compile(
    r"[-+±(<>~≈$€£¥]*\d[\d.,:/% ()±×xe*†‡～〜~–-]*[%)€$£]?$|[-–—]+$|(?:n/?a|yes|no)$", re.IGNORECASE
)
_OPEN_NUMBER: Final = re.compile(r"\d.*[-±/:,(]$|[-+±(]$")
"""A number, or a date, that goes on in the next line."""
PROSE: Final = 34
"""Letters of a usual line in running text; of East Asian text half as many."""
CLOSE: Final = 0.8
"""A gap between two columns that are close is wider than this many times the font size."""


def rows_of(lines: Sequence[Line]) -> list[list[Line]]:
    """Lines next to each other, from the top, each row from the left."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: (line.base, line.left)):
        if rows:
            last = rows[-1]
            if line.base - last[0].base < 0.35 * min(line.size, last[0].size):
                last.append(line)
                continue
        rows.append([line])
    for row in rows:
        row.sort(key=lambda line: line.left)
    return rows


def is_number(text: str) -> bool:
    """Whether a line of a cell is a number with its unit, or what stands for none."""
    return _NUMBER.match(text) is not None and _OPEN_NUMBER.match(text) is None


def gaps_in(
    page: LazyPage, text: PageText, row: Sequence[Line], least: float
) -> list[tuple[float, float]]:
    """Where words of a row are further apart than so many times the font size."""
    words = sorted(word for line in row for word in words_of(page, text, line))
    return [
        (one[1], two[0])
        for one, two in itertools.pairwise(words)
        if two[0] - one[1] > least * row[0].size
    ]


def is_running(lines: Sequence[Line]) -> bool:
    """Whether lines below each other are running text."""
    if len(lines) < 3:
        return False
    usual = statistics.mean(weight_of(line.text) for line in lines[:-1])
    lower = sum(line.text[:1].islower() for line in lines)
    return usual >= PROSE or (usual >= 0.6 * PROSE and lower >= 0.4 * len(lines) and lower > 1)


def weight_of(text: str) -> float:
    """Letters of a line, East Asian ones counting for two."""
    return len(text) + (0 if text.isascii() else sum(letter > "\u1100" for letter in text))


def are_beside(one: Sequence[Line], two: Sequence[Line]) -> bool:
    """Whether lines are at the height of others, for three lines or more."""
    top = max(min(line.top for line in one), min(line.top for line in two))
    bottom = min(max(line.bottom for line in one), max(line.bottom for line in two))
    return bottom - top > 3 * one[0].size


def has_room(line: Line, after: Line, edge: float) -> bool:
    """Whether the first word of the line after a line could stand in it: it starts anew."""
    first = after.text.split(" ", 1)[0]
    width = (len(first) + 1) * (after.right - after.left) / max(1, len(after.text))
    return edge - line.right > width + 0.5 * after.size


def columns_of(
    rows: Sequence[Sequence[tuple[float, float]]], size: float, full: int
) -> list[tuple[float, float]]:
    """The columns that the words of most rows leave a gap between."""
    least = size * (1.0 if full < 3 else 0.8 if full < 5 else 0.5)
    edges: list[tuple[float, int]] = []
    for row in rows:
        for left, right in row:
            edges.append((left, 1))
            edges.append((right, -1))
    edges.sort()
    few = len(rows) // 8
    found: list[tuple[float, float]] = []
    depth = 0
    start = 0.0
    for at, step in edges:
        if depth <= few < depth + step:
            start = found.pop()[0] if found and at - found[-1][1] < least else at
        elif depth > few >= depth + step:
            found.append((start, at))
        depth += step
    return found
