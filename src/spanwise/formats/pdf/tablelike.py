"""Whether rows of cells are a table, rather than columns of text, a list or a form."""

import statistics
from collections.abc import Sequence

from spanwise.formats.pdf.graphics import Rule
from spanwise.formats.pdf.numbering import bullet_end, item_end
from spanwise.formats.pdf.table_lines import PROSE, Cell, Row, is_number, weight_of
from spanwise.formats.pdf.wrapping import LEAST_ROWS


def is_table(rows: Sequence[Row], rules: Sequence[Rule], known: bool) -> bool:
    """Whether rows of cells are a table rather than columns of text, a list or a form."""
    count = len(rows[0])
    # A column of nothing but symbols is of a frame, or of a form.
    worded = [
        any(letter.isalnum() for row in rows for line in row[at] for letter in line.text)
        for at in range(count)
    ]
    if sum(worded) < 2:
        return False
    if known and sum(sum(map(bool, row)) > 1 for row in rows) > 1:
        return True
    full = [
        row
        for row in rows
        if sum(bool(cell) and words for cell, words in zip(row, worded, strict=True)) > 1
    ]
    least = 2 if len(rules) > 1 or _are_level(rows) else LEAST_ROWS
    if len(full) < least or len(full) < 0.5 * len(rows):
        return False
    filled = sum(bool(cell) for row in rows for cell in row)
    if filled < 0.45 * len(rows) * count:
        return False
    texts = [[_text(cell) for cell in row] for row in rows]
    firsts = [row[0] for row in texts if row[0]]
    if firsts and all(_is_mark(text) for text in firsts):
        return False
    if len(rules) > 1:
        return True
    cells = [text for row in texts for text in row if text]
    if sum(text[0].islower() for text in cells) > 0.45 * len(cells) and count < 4:
        return False  # lines that go on from each other
    lengths = [
        statistics.mean([weight_of(row[at]) for row in texts if row[at]] or [0.0])
        for at in range(count)
    ]
    if count == 2:
        numbers = sum(is_number(row[1]) for row in texts if row[1])
        return lengths[0] < PROSE and (
            numbers >= 0.6 * len(full)
            or (lengths[1] < 0.7 * PROSE and len(full) >= 4)
            or (lengths[0] < 0.4 * PROSE and _are_pairs(rows))
        )
    return statistics.median(lengths) < 0.8 * PROSE


def _are_pairs(rows: Sequence[Row]) -> bool:
    """Whether rows are short words, far from what is said about each, all begun at two places."""
    if len(rows) < 4 or not all(cell for row in rows for cell in row):
        return False
    near = 0.2 * rows[0][0][0].size
    lefts = [min(line.left for line in row[0]) for row in rows]
    rights = [max(line.right for line in row[0]) for row in rows]
    others = [min(line.left for line in row[1]) for row in rows]
    if max(others) - min(others) > near or not all(row[0][0].text[0].isalpha() for row in rows):
        return False
    room = min(others) - max(rights)
    if max(rights) - min(rights) < near and max(lefts) - min(lefts) > near:
        # Names of fields that end at one place.
        return room > 2 * near and all(row[0][-1].text.endswith(":") for row in rows)
    return max(lefts) - min(lefts) < near and room > 7 * near


def _are_level(rows: Sequence[Row]) -> bool:
    """Whether two rows of several short cells begin or end at the same places: a head and a row."""
    if len(rows) != 2 or len(rows[0]) < 4 or not all(cell for row in rows for cell in row):
        return False
    if all(is_number(_text(cell)) for cell in rows[0]):
        return False
    return all(
        len(one) == len(two) == 1
        and max(weight_of(one[0].text), weight_of(two[0].text)) < PROSE
        and (
            abs(one[0].left - two[0].left) < 0.2 * one[0].size
            or abs(one[0].right - two[0].right) < 0.2 * one[0].size
        )
        for one, two in zip(*rows, strict=True)
    )


def _is_mark(text: str) -> bool:
    return bullet_end(text + " x") > 0 or item_end(text + " x") >= len(text)


def _text(cell: Cell) -> str:
    return " ".join(line.text for line in cell)
