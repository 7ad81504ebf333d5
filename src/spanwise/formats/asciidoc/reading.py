"""AsciiDoc to document: a block after the other."""

import re

from spanwise.document import Document, Notice
from spanwise.errors import LimitExceeded
from spanwise.formats import Settings
from spanwise.formats.asciidoc.inlines import Inlines, Span
from spanwise.formats.asciidoc.syntax import (
    ADMONITION,
    ATTRIBUTE,
    BLOCK_ATTRIBUTES,
    BULLET,
    CALLOUT,
    COMMENT,
    MACRO,
    NAMES,
    NUMBER,
    SECTION,
    TERM,
    VERBATIM,
    interrupts,
    is_item,
    language_of,
    opened_by,
    style_of,
    underlined,
)
from spanwise.formats.asciidoc.tables import table_rows
from spanwise.formats.lines import SOURCE, Line, SourcePlaces, lines_of
from spanwise.formats.writer import Run, Writer


class Reader:
    """Reads one file."""

    def __init__(self, source: str, settings: Settings) -> None:
        """The whole source is one document."""
        self._source = source
        self._lines = lines_of(source)
        self._inlines = Inlines(source)
        self._inlines.note = self._note
        self._writer = Writer()
        self._max_depth = settings.max_depth
        self._max_cells = settings.max_objects
        self._depth = 0
        self._title = ""
        self._attributes = ""
        """What stands in brackets above the next block."""
        self._label: list[Run] = []
        self._markers: list[str] = []
        """The marks of the lists that are open, from the outermost in."""
        self._counts: list[int] = []
        self._item: str | None = None
        """The marker of an item of which nothing is written yet."""
        self._notes: list[tuple[str, Span]] = []
        self._note_count = 0

    def document(self, media_type: str) -> Document:
        """All that is in the file."""
        self._blocks(0, len(self._lines))
        self._end_lists()
        self._write_notes()
        notices: list[Notice] = []
        places = SourcePlaces(self._source, self._lines)
        document = self._writer.document(media_type, self._title, places, notices)
        if not document.text:
            notices.append({"code": "no_text", "page": None, "message": "there is no text in it"})
        return document

    # -- blocks ----------------------------------------------------------------------------------

    def _blocks(self, at: int, end: int) -> None:
        self._depth += 1
        if self._depth > self._max_depth:
            raise LimitExceeded("max_depth", self._max_depth, self._depth, "blocks within blocks")
        while at < end:
            at = self._block(at, end)
        self._depth -= 1

    def _block(self, at: int, end: int) -> int:
        """The block that begins on a line; the line after it."""
        line = self._lines[at]
        text = line.text
        if not text:
            return at + 1
        delimiter = opened_by(text)
        if delimiter:
            return self._delimited(at, end, delimiter)
        if COMMENT.match(text) or MACRO.match(text) or text in ("<<<", "'''", "---", "***"):
            return at + 1
        if BLOCK_ATTRIBUTES.fullmatch(text):
            if not text.startswith("[["):
                self._attributes = text[1:-1]
            return at + 1
        attribute = ATTRIBUTE.match(text)
        if attribute:
            self._inlines.attributes[attribute[1].lower()] = (
                line.text_start + attribute.end(),
                line.text_end,
            )
            return at + 1
        section = SECTION.match(text)
        if section and line.indent == 0 and self._depth == 1:
            title = text.removesuffix(" " + section[1]).rstrip()
            span = line.text_start + section.end(), line.text_start + len(title)
            return self._heading(len(section[1]), span, at + 1, end)
        if text == "+" and self._markers:
            return at + 1
        listed = self._listed(at, end)
        if listed > at:
            return listed
        if text.startswith(".") and len(text) > 1 and text[1] not in ". ":
            self._end_lists()
            self._paragraph([*self._runs(line.text_start + 1, line.text_end)])
            return at + 1
        level = self._underlined(at, end)
        if level:
            return self._heading(level, (line.text_start, line.text_end), at + 2, end)
        return self._text(at, end)

    def _underlined(self, at: int, end: int) -> int:
        """The level of a title with a line under it, 0 where it is none."""
        if at + 1 >= end or self._depth > 1 or self._lines[at].indent:
            return 0
        return underlined(self._lines[at].text, self._lines[at + 1].text)

    def _heading(self, level: int, span: Span, after: int, end: int) -> int:
        self._end_lists()
        self._write_notes()
        attributes = self._taken_attributes()
        runs = self._inlines.runs(*span, plain=True)
        if attributes.startswith("discrete"):
            level = max(2, level)
        elif not self._title and level == 1:
            self._title = " ".join("".join(run.text for run in runs).split())
            self._writer.heading(level, runs)
            return self._header(after, end)
        self._writer.heading(level, runs)
        return after

    def _header(self, at: int, end: int) -> int:
        """Author and revision under the title of a document: lines without a blank one before."""
        while at < end and (text := self._lines[at].text):
            if ATTRIBUTE.match(text) or COMMENT.match(text):
                self._block(at, end)
            else:
                line = self._lines[at]
                self._writer.paragraph(self._runs(line.text_start, line.text_end))
            at += 1
        return at

    def _text(self, at: int, end: int) -> int:
        """A paragraph, or lines that are indented: as they stand."""
        lines = self._lines
        after = at + 1
        while after < end and lines[after].text and not self._interrupts(after):
            after += 1
        attributes = self._taken_attributes()
        name = style_of(attributes)
        if name in ("source", "listing", "literal") or (
            lines[at].indent and not self._markers and not name
        ):
            self._code(at, after, language_of(attributes))
            return after
        start, stop = lines[at].text_start, lines[after - 1].text_end
        if not self._source[lines[at].start : start] and self._is_apart(at):
            self._end_lists()
        admonition = ADMONITION.match(self._source, start, stop)
        if admonition:
            self._label = [Run(self._source[start : admonition.end(1)].capitalize() + ": ")]
            start = admonition.end()
        elif name in NAMES:
            self._label = [Run(name.capitalize() + ": ")]
        if name in ("quote", "verse"):
            with self._writer.quote():
                self._writer.paragraph(self._runs(start, stop))
            return after
        self._paragraph(self._runs(start, stop))
        return after

    def _interrupts(self, at: int) -> bool:
        """Whether a line ends the paragraph before it."""
        text = self._lines[at].text
        return interrupts(text) or (bool(self._markers) and is_item(text))

    def _is_apart(self, at: int) -> bool:
        """Whether a block is no part of the list before it: after a blank line, and no plus."""
        before = at - 1
        while before >= 0 and BLOCK_ATTRIBUTES.fullmatch(self._lines[before].text or "-"):
            before -= 1
        return bool(self._markers) and before >= 0 and not self._lines[before].text

    def _delimited(self, at: int, end: int, delimiter: "re.Match[str]") -> int:
        mark = self._lines[at].text if delimiter[1] != "```" else "```"
        close = at + 1
        while close < end and self._lines[close].text != mark:
            close += 1
        after = min(close + 1, end)
        attributes = self._taken_attributes()
        if self._is_apart(at):
            self._end_lists()
        name = style_of(attributes)
        sign = mark[0] if mark != "--" else ""
        if sign in VERBATIM or (sign == "" and name in ("source", "listing", "literal")):
            self._code(at + 1, close, delimiter[2] or language_of(attributes))
        elif mark.endswith("==") and sign in "|,:!":
            self._table(at + 1, close, sign, attributes)
        elif sign == "_" or (sign == "" and name in ("quote", "verse")):
            self._within(at + 1, close, quote=True)
        elif sign not in ("/", "+"):
            if name in NAMES:
                self._label = [Run(name.capitalize() + ": ")]
            self._within(at + 1, close)
        return after

    def _within(self, at: int, end: int, quote: bool = False) -> None:
        """The blocks in a delimited block; lists in it are its own."""
        before = self._markers, self._counts
        if before[0] or not quote:
            self._markers, self._counts = [], []
            if before[0]:
                with self._writer.in_item():
                    self._blocks_in_item(at, end)
            else:
                self._blocks(at, end)
                self._end_lists()
            self._markers, self._counts = before
            return
        with self._writer.quote():
            self._blocks(at, end)
            self._end_lists()

    def _blocks_in_item(self, at: int, end: int) -> None:
        """What is in an item: lists in it would have to begin anew, so they are paragraphs."""
        start = next((n for n in range(at, end) if self._lines[n].text), end)
        while start < end:
            start = self._block_in_item(start, end)

    def _block_in_item(self, at: int, end: int) -> int:
        line = self._lines[at]
        if not line.text:
            return at + 1
        delimiter = opened_by(line.text)
        if delimiter:
            return self._delimited(at, end, delimiter)
        after = at + 1
        while after < end and self._lines[after].text:
            after += 1
        self._writer.paragraph(self._runs(line.text_start, self._lines[after - 1].text_end))
        return after

    # -- lists -----------------------------------------------------------------------------------

    def _listed(self, at: int, end: int) -> int:
        """The text of an item or the term of a description; where it is none, the same line."""
        line = self._lines[at]
        text = line.text
        found = BULLET.match(text) or NUMBER.match(text) or CALLOUT.match(text)
        if found is None:
            return self._described(at, end)
        mark = found[1] if text[0] != "<" else "<"
        if mark[0].isalnum():
            mark = "0"
        self._taken_attributes()
        self._open(mark)
        self._counts[-1] += 1
        marker = "-"
        if text[0] not in "*-":
            marker = f"{self._counts[-1]}."
            if found[1][0].isdigit():
                marker = f"{found[1].rstrip('.')}."
        self._item = marker
        box = found[2] if found.re is BULLET else None
        if box is not None:
            self._label = [Run("[ ] " if box == " " else "[x] ")]
        return self._rest(at, end, line.text_start + found.end())

    def _described(self, at: int, end: int) -> int:
        line = self._lines[at]
        found = TERM.match(line.text)
        if found is None or "://" in found[1] + found[2] + line.text[found.end() :][:2]:
            return at
        self._end_lists()
        self._taken_attributes()
        self._paragraph(self._runs(line.text_start, line.text_start + found.end(1)))
        start = line.text_start + found.end()
        if start < line.text_end:
            return self._rest(at, end, start)
        after = at + 1
        while after < end and not self._lines[after].text:
            after += 1
        if after == end or self._interrupts(after) or is_item(self._lines[after].text):
            return after
        return self._rest(after, end, self._lines[after].text_start)

    def _rest(self, at: int, end: int, start: int) -> int:
        """The paragraph that begins beside a mark."""
        after = at + 1
        while after < end and self._lines[after].text and not self._interrupts(after):
            if is_item(self._lines[after].text):
                break
            after += 1
        self._paragraph(self._runs(start, self._lines[after - 1].text_end))
        return after

    def _open(self, mark: str) -> None:
        """Go to the list whose items have that mark, or begin one in the item that is open."""
        if mark in self._markers:
            depth = self._markers.index(mark) + 1
            del self._markers[depth:]
            del self._counts[depth:]
        else:
            self._markers.append(mark)
            self._counts.append(0)
            if len(self._markers) > self._max_depth:
                raise LimitExceeded(
                    "max_depth", self._max_depth, len(self._markers), "lists within lists"
                )

    def _end_lists(self) -> None:
        self._item = None
        if self._markers:
            self._markers = []
            self._counts = []
            self._writer.end_list()

    # -- code and tables -------------------------------------------------------------------------

    def _code(self, at: int, end: int, language: str) -> None:
        lines: list[Line] = self._lines[at:end]
        while lines and not lines[-1].text:
            lines.pop()
        while lines and not lines[0].text:
            lines = lines[1:]
        runs = []
        for line in lines:
            # A callout says nothing to a reader of the code.
            text = re.sub(r"(?:[ \t]*(?://|#|--|;;)?[ \t]*<(?:\d{1,3}|\.)>)+$", "", line.text)
            blanks = self._source[line.start : line.text_start] if line.text else ""
            runs.append(Run(blanks + text, SOURCE, line.start))
            runs.append(Run("\n"))
        if runs:
            with self._writer.in_item():
                self._writer.code([run for run in runs if run.text], language)

    def _table(self, at: int, end: int, sign: str, attributes: str) -> None:
        lines = self._lines[at:end]
        rows = table_rows(self._source, lines, sign, attributes, self._cell, self._max_cells)
        if rows:
            with self._writer.in_item():
                self._writer.table(rows)

    def _cell(self, spans: list[Span]) -> list[Run]:
        runs: list[Run] = []
        for start, end in spans:
            if runs:
                runs.append(Run(" "))
            runs.extend(self._inlines.runs(start, end, plain=True))
        return runs

    # -- lines -----------------------------------------------------------------------------------

    def _taken_attributes(self) -> str:
        attributes = self._attributes
        self._attributes = ""
        return attributes

    def _runs(self, start: int, end: int) -> list[Run]:
        return self._inlines.runs(start, end)

    def _paragraph(self, runs: list[Run]) -> None:
        runs = [*self._label, *runs]
        self._label = []
        if self._item is not None:
            self._writer.item(len(self._markers) - 1, self._item, runs)
            self._item = None
        elif self._markers:
            with self._writer.in_item():
                self._writer.paragraph(runs)
        else:
            self._writer.paragraph(runs)

    def _note(self, span: Span) -> str:
        self._note_count += 1
        mark = f"[^{self._note_count}]"
        self._notes.append((mark, span))
        return mark

    def _write_notes(self) -> None:
        notes = self._notes
        self._notes = []
        for mark, span in notes:
            self._writer.paragraph([Run(mark + ": "), *self._inlines.runs(*span)])
