"""Lists of reStructuredText: bullets, numbers, fields, options."""

from spanwise.formats import Settings
from spanwise.formats.lines import SOURCE, runs_of
from spanwise.formats.rst.blocks import Blocks
from spanwise.formats.rst.inlines import inline
from spanwise.formats.rst.syntax import BULLET, ENUMERATOR, FIELD, OPTION
from spanwise.formats.writer import Run, code_span


class Lists(Blocks):
    """Reads items, each with the blocks in it."""

    def __init__(self, source: str, settings: Settings) -> None:
        """Without a list."""
        super().__init__(source, settings)
        self._counts: dict[int, int] = {}
        """For each list that is open how many of its items are numbered by themselves."""

    def _bullets(self, at: int, end: int, indent: int) -> int:
        mark = BULLET.match(self._lines[at].text)
        if mark is None:
            return at
        return self._list_item(at, end, indent, mark.end(), "-")

    def _enumeration(self, at: int, end: int, indent: int) -> int:
        lines = self._lines
        mark = ENUMERATOR.match(lines[at].text)
        if mark is None or (mark[1] and mark[3] != ")"):
            return at
        following = lines[at + 1] if at + 1 < end else None
        if (
            following is not None
            and following.text
            and following.indent <= indent
            and not ENUMERATOR.match(following.text)
        ):
            return at  # a paragraph that begins like one, as with initials
        marker = mark[2] + mark[3]
        if not mark[2].isdecimal() or mark[1]:
            marker = "-"
            if mark[2] == "#":
                self._counts[self._items] = self._counts.get(self._items, 0) + 1
                marker = f"{self._counts[self._items]}."
            else:
                start = lines[at].text_start
                self._label = [Run(mark.group().strip(), SOURCE, start), Run(" ")]
        return self._list_item(at, end, indent, mark.end(), marker)

    def _list_item(self, at: int, end: int, indent: int, width: int, marker: str) -> int:
        """One item; that the next one belongs to the same list, the writer sees by itself."""
        line = self._lines[at]
        after = max(at + 1, self._indented(at + 1, end, indent))
        self._item = (self._items, marker)
        self._items += 1
        # The rest of the line is read as if it stood on a line of its own.
        start = line.text_start + width
        rest = line._replace(
            start=start, text_start=start, indent=indent + width, text=line.text[width:]
        )
        self._lines[at] = rest
        inner = [one.indent for one in self._lines[at + 1 : after] if one.text]
        if rest.text and inner and min(inner) != rest.indent:
            self._lines[at] = rest._replace(indent=min(inner))
        self._inside(at, after)
        self._lines[at] = line
        self._items -= 1
        self._item = None
        if not self._goes_on(after, end, indent):
            self._counts.pop(self._items, None)
            if not self._items:
                self._writer.end_list()
        return after

    def _goes_on(self, at: int, end: int, indent: int) -> bool:
        while at < end and not self._lines[at].text:
            at += 1
        if at == end or self._lines[at].indent != indent:
            return False
        text = self._lines[at].text
        return bool(BULLET.match(text) or ENUMERATOR.match(text))

    def _fields(self, at: int, end: int, indent: int) -> int:
        line = self._lines[at]
        mark = FIELD.match(line.text)
        if mark is None:
            return at
        after = max(at + 1, self._indented(at + 1, end, indent))
        name = line.text_start + mark.start(1), line.text_start + mark.end(1)
        self._label = [*runs_of(self._source, *name), Run(": ")]
        start = line.text_start + mark.end()
        if after == at + 1:
            self._write(inline(self._names, start, line.text_end))
            return after
        self._rest(at, after, start)
        return after

    def _option(self, at: int, end: int, indent: int) -> int:
        """An option of a program and what it does, as an item."""
        line = self._lines[at]
        mark = OPTION.match(line.text)
        if mark is None:
            return at
        after = max(at + 1, self._indented(at + 1, end, indent))
        start = line.text_start + mark.end()
        if start == line.text_end and after == at + 1:
            return at
        self._item = (self._items, "-")
        self._items += 1
        option = runs_of(self._source, line.text_start, line.text_start + mark.end(1))
        self._label = [*code_span(option), Run(": ")]
        self._rest(at, after, start)
        self._items -= 1
        self._item = None
        following = next((one for one in self._lines[after:end] if one.text), None)
        if not self._items and not (following and OPTION.match(following.text)):
            self._writer.end_list()
        return after
