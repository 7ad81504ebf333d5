"""A line of text as it grows: words, and white space where it counts."""

import re
from typing import Final

from spanwise.formats.writer import Run

_WORDS: Final = re.compile(r"[ \t\n\f\r]+|[^ \t\n\f\r]+(?:[ \t\n\f\r][^ \t\n\f\r]+)*")
_BLANKS: Final = " \t\n\f\r"


class GrowingLine:
    """The runs of a line: white space is one blank, and none at the ends, unless it is `pre`."""

    def __init__(self) -> None:
        """Empty."""
        self.runs: list[Run] = []
        self.pre = False
        """Whether text stays as it stands."""
        self.breaks = 0
        """Line breaks since the last word."""
        self._space: Run | None = None
        """White space that is written when more text follows."""

    def text(self, text: str, origin: int, offset: int) -> None:
        """Add text from `offset` of an origin on."""
        if self.pre:
            self.runs.append(Run(text, origin, offset))
            return
        for found in _WORDS.finditer(text):
            run = Run(found.group(), origin, offset + found.start())
            if run.text[0] in _BLANKS:
                self._space = self._space or run._replace(text=" ")
                continue
            self.settle()
            self.runs.append(run)
            self.breaks = 0

    def add(self, text: str) -> None:
        """Add what is not in the source."""
        self.settle()
        self.runs.append(Run(text))

    def blank(self) -> None:
        """What follows is apart from what is there."""
        self._space = self._space or Run(" ")

    def settle(self) -> None:
        """Write the white space that waits, unless the line begins here."""
        if self.runs and self._space is not None:
            self.runs.append(self._space)
        self._space = None

    def taken(self) -> list[Run]:
        """The runs; the line is empty then."""
        runs = self.runs
        self.runs = []
        self._space = None
        self.breaks = 0
        return runs
