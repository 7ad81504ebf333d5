"""Where the text of an HTML document stands in its source."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate

from spanwise.document import Pages, Region, Stretch
from spanwise.formats.html.nodes import Piece

SOURCE = 0
"""The origin that is the source; n + 1 is the piece n, where that is not what the source has."""


class Spans:
    """The pieces of text of a source, and the elements they are in."""

    def __init__(self, pieces: list[Piece]) -> None:
        """Pieces as parsed."""
        self.elements: list[str | None] = [None] * len(pieces)
        """For each piece the nearest `id`."""
        self.breaks: list[tuple[int, str]] = []
        """The pages of print that begin here: the next piece of each, and what is printed on it."""
        self._pieces = pieces
        self._starts = [piece.start for piece in pieces]
        # How many of the pieces before each hold more than white space.
        self._solid = [0, *accumulate(0 if piece.text.isspace() else 1 for piece in pieces)]

    def regions(self, stretches: Sequence[Stretch]) -> list[Region]:
        """The spans of the stretches; they are one where nothing but tags is in between."""
        found: list[Region] = []
        last = -1
        for origin, start, end in stretches:
            number = self.piece(origin, start)
            if origin != SOURCE:
                start, end = self._pieces[number].start, self._pieces[number].end
            if not (found and self._extended(found[-1], last, number, start, end)):
                found.append({"start": start, "end": end, "element": self.elements[number]})
            last = number
        return found

    def piece(self, origin: int, start: int) -> int:
        """The number of the piece that holds the character `start` of an origin."""
        return bisect_right(self._starts, start) - 1 if origin == SOURCE else origin - 1

    def _extended(self, region: Region, last: int, number: int, start: int, end: int) -> bool:
        """Make a region longer, if all text up to `end` belongs to it."""
        if self.elements[number] != region["element"] or start < region["end"]:
            return False
        if number == last:
            text, at, _ = self._pieces[number]
            between = text[region["end"] - at : start - at]
            if between and not between.isspace():
                return False
        else:
            rest = self._text(last, region["end"], self._pieces[last].end)
            before = self._text(number, self._pieces[number].start, start)
            others = self._solid[number] - self._solid[last + 1]
            if number < last or others or rest.strip() or before.strip():
                return False
        region["end"] = end
        return True

    def _text(self, number: int, start: int, end: int) -> str:
        """What of a piece is between two places of the source, where it is what stands there."""
        text, at, after = self._pieces[number]
        return text[start - at : end - at] if len(text) == after - at else ""

    def pages(self, stretches: Sequence[Stretch]) -> Pages | None:
        """A page of the web has none."""
        return None


class Texts:
    """The text of a source, to be asked for at regions."""

    def __init__(self, pieces: list[Piece]) -> None:
        """Pieces as parsed."""
        self._pieces = pieces
        self._starts = [piece.start for piece in pieces]

    def at(self, region: Region) -> str:
        """The text that stands there."""
        start, end = region["start"], region["end"]
        first = max(0, bisect_left(self._starts, start + 1) - 1)
        parts = []
        for number in range(first, bisect_left(self._starts, end)):
            text, at, after = self._pieces[number]
            if len(text) == after - at:
                parts.append(text[max(0, start - at) : max(0, end - at)])
            elif at >= start:
                parts.append(text)
        return "".join(parts)
