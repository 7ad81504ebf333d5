"""Where the text of a book stands: in its documents, and on the pages of print."""

from bisect import bisect_right
from collections.abc import Sequence

from spanwise.document import Pages, Region, Stretch
from spanwise.formats.html.places import Spans


class Places:
    """The spans of all documents; the origins of each follow on those before."""

    def __init__(self) -> None:
        """Without documents."""
        self.next_origin = 0
        self._firsts: list[int] = []
        self._parts: list[str] = []
        self._spans: list[Spans] = []
        self._breaks: list[tuple[int, int]] = []
        """Where each page of print begins: the number of the document, that of its piece."""
        self._labels: list[str] = []

    def add(self, part: str, spans: Spans, size: int) -> None:
        """The spans of a document with `size` pieces of text."""
        self._firsts.append(self.next_origin)
        self._parts.append(part)
        self._spans.append(spans)
        self.next_origin += size + 1
        for piece, label in spans.breaks:
            self._breaks.append((len(self._spans) - 1, piece))
            self._labels.append(label or str(len(self._breaks)))

    def regions(self, stretches: Sequence[Stretch]) -> list[Region]:
        """Those of HTML, with the names of the parts."""
        found: list[Region] = []
        at = 0
        while at < len(stretches):
            number = bisect_right(self._firsts, stretches[at].origin) - 1
            first = self._firsts[number]
            after = first if number + 1 == len(self._firsts) else self._firsts[number + 1]
            alike = []
            while at < len(stretches):
                origin, start, end = stretches[at]
                if origin < first or (after > first and origin >= after):
                    break
                alike.append(Stretch(origin - first, start, end))
                at += 1
            regions = self._spans[number].regions(alike)
            found.extend({"part": self._parts[number], **region} for region in regions)
        return found

    def pages(self, stretches: Sequence[Stretch]) -> Pages | None:
        """The pages of print, where the book tells where they begin; none before the first."""
        found = [page for stretch in stretches if (page := self._page(stretch))]
        if not found:
            return None
        first, last = min(found), max(found)
        return {"first": first, "last": last, "labels": self._labels[first - 1 : last]}

    def _page(self, stretch: Stretch) -> int:
        """The page on which a stretch begins; 0 for none."""
        number = bisect_right(self._firsts, stretch.origin) - 1
        piece = self._spans[number].piece(stretch.origin - self._firsts[number], stretch.start)
        return bisect_right(self._breaks, (number, piece))
