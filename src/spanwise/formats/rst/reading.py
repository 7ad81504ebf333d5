"""reStructuredText to document: a block after the other, by their indent."""

from spanwise.document import Document, Notice
from spanwise.formats import Settings
from spanwise.formats.lines import SourcePlaces
from spanwise.formats.rst.explicit import Explicit
from spanwise.formats.rst.inlines import inline
from spanwise.formats.rst.lists import Lists
from spanwise.formats.rst.syntax import ADORNMENT, LINE_BLOCK
from spanwise.formats.writer import Run


class Reader(Lists, Explicit):
    """Reads one file."""

    def __init__(self, source: str, settings: Settings) -> None:
        """Nothing is read yet."""
        super().__init__(source, settings)
        self._styles: list[tuple[str, bool]] = []
        """Adornments of sections, from the outermost in; whether there is a line above, too."""
        self._title = ""

    def document(self, media_type: str) -> Document:
        """All that is in the file."""
        self._blocks(0, len(self._lines), 0)
        notices: list[Notice] = []
        places = SourcePlaces(self._source, self._lines)
        document = self._writer.document(media_type, self._title, places, notices)
        if not document.text:
            notices.append({"code": "no_text", "page": None, "message": "there is no text in it"})
        return document

    def _block(self, at: int, end: int, indent: int) -> int:
        """The block that begins on a line; the line after it."""
        text = self._lines[at].text
        for read in (
            self._section,
            self._explicit,
            self._grid_table,
            self._simple_table,
            self._bullets,
            self._enumeration,
            self._fields,
            self._option,
            self._doctest,
            self._line_block,
            self._definition,
        ):
            after = read(at, end, indent)
            if after > at:
                return after
        if text.startswith("__ "):
            return at + 1
        return self._paragraph(at, end, indent)

    # -- sections and paragraphs -----------------------------------------------------------------

    def _section(self, at: int, end: int, indent: int) -> int:
        lines = self._lines
        mark = ADORNMENT.fullmatch(lines[at].text)
        if mark and at + 2 < end and lines[at + 1].text and lines[at + 2].text == lines[at].text:
            return self._heading(at + 1, mark[1], True, at + 3)
        if mark and len(mark.group()) >= 4:
            # A line between blocks.
            return at + 1
        if at + 1 < end:
            under = ADORNMENT.fullmatch(lines[at + 1].text)
            wide = lines[at + 1].text_end - lines[at + 1].text_start
            size = lines[at].text_end - lines[at].text_start
            if under and lines[at + 1].indent == indent and (wide >= size or wide >= 4):
                return self._heading(at, under[1], False, at + 2)
        return at

    def _heading(self, at: int, mark: str, over: bool, after: int) -> int:
        if self._depth > 1:
            # Only the document itself has sections; this is a title of a box.
            self._write(self._inline(at, at + 1))
            return after
        if (mark, over) not in self._styles:
            self._styles.append((mark, over))
        line = self._lines[at]
        runs = inline(self._names, line.text_start, line.text_end, plain=True)
        text = " ".join("".join(run.text for run in runs).split())
        self._title = self._title or text
        self._writer.heading(self._styles.index((mark, over)) + 1, runs)
        return after

    def _paragraph(self, at: int, end: int, indent: int) -> int:
        after = at + 1
        while after < end and self._lines[after].text and self._lines[after].indent == indent:
            after += 1
        start, stop = self._lines[at].text_start, self._lines[after - 1].text_end
        literal = self._source[max(start, stop - 2) : stop] == "::"
        if literal:
            stop -= 1
            if self._source[max(start, stop - 2) : stop - 1].isspace() or stop - 1 == start:
                stop -= 1
        self._write(inline(self._names, start, stop))
        return self._literal(after, end, indent) if literal else after

    def _literal(self, at: int, end: int, indent: int) -> int:
        while at < end and not self._lines[at].text:
            at += 1
        if at == end:
            return at
        after = self._indented(at, end, indent)
        if after == at:
            # Not indented: lines that begin with the same sign.
            sign = self._lines[at].text[0]
            if sign.isalnum():
                return at
            while after < end and self._lines[after].text.startswith(sign):
                after += 1
        self._write_code(at, after, "")
        return after

    def _doctest(self, at: int, end: int, indent: int) -> int:
        if not self._lines[at].text.startswith(">>> "):
            return at
        after = at
        while after < end and self._lines[after].text and self._lines[after].indent >= indent:
            after += 1
        self._write_code(at, after, "python")
        return after

    def _line_block(self, at: int, end: int, indent: int) -> int:
        after = at
        runs: list[Run] = []
        while after < end and (mark := LINE_BLOCK.match(self._lines[after].text)):
            line = self._lines[after]
            runs.extend(inline(self._names, line.text_start + mark.end(), line.text_end))
            runs.append(Run(" "))
            after += 1
        if runs:
            self._write(runs)
        return after

    def _definition(self, at: int, end: int, indent: int) -> int:
        lines = self._lines
        if at + 1 >= end or not lines[at + 1].text or lines[at + 1].indent <= indent:
            return at
        if lines[at].text.endswith("::"):
            return at
        self._write(self._inline(at, at + 1))
        after = self._indented(at + 1, end, indent)
        self._inside(at + 1, after)
        return after
