"""Places in a PDF: from characters of a page to boxes, and from boxes to characters again.

A region is `{"page", "label", "boxes"}`: the page from 1, its label, and a box for each line, as
`[left, top, right, bottom]` in PDF points from the top left corner of the page as it is shown. A
character is in a box that its middle is in.
"""

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

from spanwise.document import Pages, Region, Stretch
from spanwise.formats.pdf.characters import PageText, page_text
from spanwise.formats.pdf.lines import Line
from spanwise.formats.pdf.page import HYPHEN, Box, PdfPage, union
from spanwise.formats.pdf.pdfium import Pdf
from spanwise.formats.pdf.runs import DOUBLED

DIGITS: Final = 2
"""Decimals of a coordinate."""

KNOWN_PAGES: Final = 16
"""Pages whose characters are kept while one chunk after the other is read again."""
ROW: Final = 8.0
"""Points of the rows that characters of a page are found by."""

_SLACK: Final = 0.006
"""More than what rounding moves an edge."""


class PagePlaces:
    """The runs of a page: where in its text they start and end, and their boxes."""

    __slots__ = ("_crowds", "boxes", "ends", "starts", "text")

    def __init__(self, text: PageText, lines: Sequence[Line]) -> None:
        """Every run of every line becomes one entry."""
        runs = [run for line in lines for run in line.runs]
        runs.sort(key=lambda run: run.start)
        self.text = text
        self.starts = [run.start for run in runs]
        self.ends = [run.end for run in runs]
        self.boxes = [run.box for run in runs]
        self._crowds: dict[int, list[int]] | None = None

    def crowd(self, at: int) -> list[int]:
        """The runs whose boxes overlap that of a run: its box may hold letters of theirs."""
        if self._crowds is None:
            self._crowds = self._overlaps()
        return self._crowds.get(at, [])

    def _overlaps(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        boxes = self.boxes
        order = sorted(range(len(boxes)), key=lambda at: boxes[at][1])
        open_runs: list[int] = []
        for at in order:
            left, top, right, _ = boxes[at]
            open_runs = [other for other in open_runs if boxes[other][3] > top - _SLACK]
            for other in open_runs:
                if boxes[other][0] < right + _SLACK and left < boxes[other][2] + _SLACK:
                    found.setdefault(at, []).append(other)
                    found.setdefault(other, []).append(at)
            open_runs.append(at)
        return found


class PdfPlaces:
    """The places of a document; an origin is a page from 0, an offset one in its text."""

    def __init__(self, pdf: Pdf, pages: list[PagePlaces], labels: list[str]) -> None:
        """The file stays open: where a line is cut, its characters are asked for."""
        self._pdf = pdf
        self._pages = pages
        self._labels = labels

    def regions(self, stretches: Sequence[Stretch]) -> list[Region]:
        """The boxes of all lines, those of one page in one region."""
        found: list[Region] = []
        for number, start, end in stretches:
            boxes = self._boxes(number, start, end)
            if not boxes:
                continue
            if found and found[-1]["page"] == number + 1:
                region = found[-1]
            else:
                region = {"page": number + 1, "label": self._labels[number], "boxes": []}
                found.append(region)
            for box in boxes:
                _put(region["boxes"], box)
        return found

    def pages(self, stretches: Sequence[Stretch]) -> Pages | None:
        """The first and the last page, and the labels of all between."""
        if not stretches:
            return None
        first = min(stretch.origin for stretch in stretches)
        last = max(stretch.origin for stretch in stretches)
        return {"first": first + 1, "last": last + 1, "labels": self._labels[first : last + 1]}

    def _boxes(self, number: int, start: int, end: int) -> list[Box]:
        places = self._pages[number]
        at = max(0, bisect_right(places.starts, start) - 1)
        found: list[Box] = []
        while at < len(places.starts) and places.starts[at] < end:
            low, high = max(start, places.starts[at]), min(end, places.ends[at])
            if low < high:
                crowd = places.crowd(at)
                if not crowd and low == places.starts[at] and high == places.ends[at]:
                    found.append(places.boxes[at])
                else:
                    found.extend(self._cut(number, places, low, high, [at, *crowd]))
            at += 1
        return found

    def _cut(
        self, number: int, places: PagePlaces, start: int, end: int, runs: list[int]
    ) -> list[Box]:
        """The boxes of part of a run, as few as hold no other letter of the runs."""
        page = self._pdf.page(number)
        if page is None:
            return []
        text = places.text
        own = [page.char_box(text.number(at)) for at in range(start, end) if text.text[at] != " "]
        others = [
            _middle(page.char_box(text.number(at)))
            for other in runs
            for at in range(places.starts[other], places.ends[other])
            if text.text[at] != " " and not start <= at < end
        ]
        return _parted(own, others) if own else []


def _parted(own: list[Box], others: list[tuple[float, float]]) -> list[Box]:
    """Boxes around all of `own` that none of the points `others` is in."""
    box = union(own)
    left, top, right, bottom = box
    inside = [
        (x, y)
        for x, y in others
        if left - 2 * _SLACK <= x <= right + 2 * _SLACK
        and top - 2 * _SLACK <= y <= bottom + 2 * _SLACK
    ]
    if not inside:
        return [box]
    if len(own) == 1:
        x, y = _middle(box)
        return [(x, y, x, y)]  # printed over each other: its middle is all that is its own
    half = len(own) // 2
    one, two = own[:half], own[half:]
    return _parted(one, inside + [_middle(box) for box in two]) + _parted(
        two, inside + [_middle(box) for box in one]
    )


def _middle(box: Box) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def _put(boxes: list[list[float]], box: Box) -> None:
    boxes.append([round(value, DIGITS) for value in box])


class Rereading:
    """The text at regions, taken from the file anew."""

    def __init__(self, pdf: Pdf) -> None:
        """`pdf` stays open."""
        self._pdf = pdf
        self._pages: OrderedDict[int, _Characters] = OrderedDict()

    def text_under(self, regions: Sequence[Region]) -> str:
        """The text whose characters have their middle in the boxes, a space between two boxes."""
        parts: list[str] = []
        taken: dict[int, set[int]] = {}
        for region in regions:
            number = region["page"] - 1
            characters = self._characters(number)
            gone = taken.setdefault(number, set())
            for left, top, right, bottom in region["boxes"]:
                parts.append(characters.under(left, top, right, bottom, gone))
        return " ".join(parts)

    def _characters(self, number: int) -> "_Characters":
        found = self._pages.get(number)
        if found is None:
            found = self._pages[number] = _Characters(self._pdf.page(number))
            if len(self._pages) > KNOWN_PAGES:
                self._pages.popitem(last=False)
        return found


class _Characters:
    """All characters of a page."""

    def __init__(self, page: PdfPage | None) -> None:
        """None stands for a page that cannot be loaded."""
        self.boxes: list[Box] = []
        self.objects: list[int] = []
        self.text = ""
        self._rows: dict[int, list[int]] = {}
        if page is not None:
            text = page_text(page)
            self.text = text.text
            for at, letter in enumerate(self.text):
                box = page.char_box(text.number(at))
                self.boxes.append(box)
                self.objects.append(page.text_object(text.number(at)))
                if letter not in " \r\n":
                    self._rows.setdefault(int((box[1] + box[3]) / 2 // ROW), []).append(at)

    def under(
        self, left: float, top: float, right: float, bottom: float, taken: set[int]
    ) -> str:  # fmt: skip
        """The characters in a box that are not `taken`: some are printed over each other."""
        left, top, right, bottom = left - _SLACK, top - _SLACK, right + _SLACK, bottom + _SLACK
        found: list[str] = []
        seen: dict[str, int] = {}
        last = -2
        for at in self._near(top, bottom, right - left):
            if at in taken:
                continue
            letter = self.text[at]
            box = self.boxes[at]
            if letter in seen and self._is_doubled(seen[letter], at):
                taken.add(at)
            elif left <= (box[0] + box[2]) / 2 <= right and top <= (box[1] + box[3]) / 2 <= bottom:
                if last >= 0 and last + 1 != at:
                    found.append(" ")
                found.append("-" if letter == HYPHEN else letter)
                last = at
                taken.add(at)
                seen[letter] = at
        return "".join(found)

    def _near(self, top: float, bottom: float, wide: float) -> list[int]:
        """The characters that may be in a box, or doubles of some in it."""
        room = DOUBLED * max(bottom - top, wide)
        first, last = int((top - room) // ROW), int((bottom + room) // ROW)
        if last - first > len(self._rows):
            return sorted(at for row in self._rows.values() for at in row)
        return sorted(at for row in range(first, last + 1) for at in self._rows.get(row, ()))

    def _is_doubled(self, one: int, two: int) -> bool:
        """Whether two letters are one that is printed twice to look bold."""
        if self.objects[one] == self.objects[two]:
            return False  # of one ligature
        mine, yours = self.boxes[one], self.boxes[two]
        near = DOUBLED * max(yours[2] - yours[0], yours[3] - yours[1])
        return all(abs(a - b) < near for a, b in zip(mine, yours, strict=True))
