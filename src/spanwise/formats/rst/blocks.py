"""What reading any block of reStructuredText needs: the lines, their indents, and what is open."""

from abc import ABC, abstractmethod

from spanwise.errors import LimitExceeded
from spanwise.formats import Settings
from spanwise.formats.lines import SOURCE, lines_of
from spanwise.formats.rst.inlines import Names, inline
from spanwise.formats.rst.syntax import BULLET, ENUMERATOR, define
from spanwise.formats.writer import Run, Writer


class Blocks(ABC):
    """The lines of one source, and what is written of them."""

    def __init__(self, source: str, settings: Settings) -> None:
        """Names are looked for first."""
        self._source = source
        self._lines = lines_of(source)
        self._names = Names(source)
        self._writer = Writer()
        self._max_depth = settings.max_depth
        self._max_cells = settings.max_objects
        self._depth = 0
        self._label: list[Run] = []
        """What the next paragraph begins with."""
        self._item: tuple[int, str] | None = None
        """Depth and marker of an item of which nothing is written yet."""
        self._items = 0
        """Lists that are open."""
        define(self._names, source, self._lines)

    @abstractmethod
    def _block(self, at: int, end: int, indent: int) -> int:
        """The block that begins on a line; the line after it."""

    def _blocks(self, at: int, end: int, indent: int) -> None:
        """The blocks of the lines from `at` to before `end`, which are indented as far."""
        self._depth += 1
        if self._depth > self._max_depth:
            raise LimitExceeded("max_depth", self._max_depth, self._depth, "blocks within blocks")
        while at < end:
            line = self._lines[at]
            if not line.text:
                at += 1
            elif line.indent > indent:
                after = self._indented(at, end, indent)
                self._quote(at, after)
                at = after
            else:
                at = self._block(at, end, indent)
        self._depth -= 1

    def _indented(self, at: int, end: int, indent: int) -> int:
        """Where the lines end that are blank or indented further, without blank ones at the end."""
        after = last = at
        while after < end:
            line = self._lines[after]
            if line.text:
                if line.indent <= indent:
                    break
                last = after + 1
            after += 1
        return last

    def _inside(self, at: int, end: int) -> None:
        """The blocks of indented lines."""
        indents = [line.indent for line in self._lines[at:end] if line.text]
        if indents:
            self._blocks(at, end, min(indents))

    def _rest(self, at: int, end: int, start: int) -> None:
        """The blocks of lines, the first of which is read from `start` on."""
        line = self._lines[at]
        inner = [one.indent for one in self._lines[at + 1 : end] if one.text]
        self._lines[at] = line._replace(
            text_start=start,
            indent=min(inner, default=line.indent + 3),
            text=self._source[start : line.text_end],
        )
        self._inside(at, end)
        self._lines[at] = line
        self._label = []

    def _quote(self, at: int, end: int) -> None:
        text = self._lines[at].text
        if self._items or self._item or BULLET.match(text) or ENUMERATOR.match(text):
            # A list that is indented is meant as a list.
            self._inside(at, end)
        else:
            with self._writer.quote():
                self._inside(at, end)

    # -- what is written -------------------------------------------------------------------------

    def _write_code(self, at: int, end: int, language: str) -> None:
        lines = self._lines[at:end]
        while lines and not lines[0].text:
            lines = lines[1:]
        shift = min([line.indent for line in lines if line.text], default=0)
        runs = []
        for line in lines:
            blanks = " " * max(0, line.indent - shift) if line.text else ""
            runs.append(Run(blanks))
            runs.append(Run(line.text, SOURCE, line.text_start))
            runs.append(Run("\n"))
        if any(line.text for line in lines):
            self._begin_item()
            with self._writer.in_item():
                self._writer.code([run for run in runs if run.text], language)

    def _inline(self, at: int, end: int) -> list[Run]:
        return inline(self._names, self._lines[at].text_start, self._lines[end - 1].text_end)

    def _begin_item(self) -> None:
        """What an item begins with, if that is no paragraph: only its label is written."""
        if self._item is not None and self._label:
            self._write([])
        self._item = None

    def _write(self, runs: list[Run]) -> None:
        """A paragraph, or what an item begins with."""
        runs = [*self._label, *runs]
        self._label = []
        if self._item is not None:
            self._writer.item(*self._item, runs)
            self._item = None
        elif self._items:
            with self._writer.in_item():
                self._writer.paragraph(runs)
        else:
            self._writer.paragraph(runs)
