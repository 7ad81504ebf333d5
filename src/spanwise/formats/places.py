"""Origins that are texts of their own: a paragraph of a part, a cell, a line."""

from collections.abc import Sequence

from spanwise.document import Pages, Region, Stretch
from spanwise.formats.writer import Run


class Texts:
    """The texts of a file, each with the region that tells where it is."""

    def __init__(self, page: str = "") -> None:
        """`page` is the key of the number that counts as that of a page, where there is one."""
        self._page = page
        self._places: list[Region] = []
        self._texts: list[str] = []

    def add(self, place: Region, text: str) -> int:
        """Note a text; the number is its origin."""
        self._places.append(place)
        self._texts.append(text)
        return len(self._texts) - 1

    def run(self, place: Region, text: str) -> Run:
        """Note a text; the whole of it as a run."""
        return Run(text, self.add(place, text), 0)

    def regions(self, stretches: Sequence[Stretch]) -> list[Region]:
        """For each text its place with `start` and `end`; only white space divides nothing."""
        found: list[Region] = []
        last = -1
        for origin, start, end in stretches:
            if origin == last:
                region = found[-1]
                between = self._texts[origin][region["end"] : start]
                if start >= region["end"] and (not between or between.isspace()):
                    region["end"] = end
                    continue
            found.append({**self._places[origin], "start": start, "end": end})
            last = origin
        return found

    def pages(self, stretches: Sequence[Stretch]) -> Pages | None:
        """From the first to the last of them, in a format that has any."""
        if not self._page or not stretches:
            return None
        numbers = [self._places[one.origin][self._page] for one in stretches]
        first, last = min(numbers), max(numbers)
        return {
            "first": first,
            "last": last,
            "labels": [str(number) for number in range(first, last + 1)],
        }
