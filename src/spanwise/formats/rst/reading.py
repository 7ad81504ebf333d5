"""reStructuredText to document: a block after the other, by their indent."""

import re
from collections.abc import Callable
from itertools import groupby
from typing import Final

from spanwise.document import Document, Notice
from spanwise.errors import LimitExceeded
from spanwise.formats import Settings
from spanwise.formats.grids import Grid
from spanwise.formats.lines import SOURCE, SourcePlaces, lines_of, runs_of
from spanwise.formats.rst.directives import (
    CODE,
    LABELLED,
    LEFT_OUT,
    OBJECTS,
    PLAIN,
    TITLED,
    VERSIONS,
)
from spanwise.formats.rst.inlines import Names, inline
from spanwise.formats.rst.tables import (
    GRID_LINE,
    RULE,
    Row,
    csv_rows,
    grid_cells,
    list_rows,
    simple_rows,
)
from spanwise.formats.writer import Run, Writer, code_span

_ADORNMENT: Final = re.compile(r"([!-/:-@\[-`{-~])\1*")
_BULLET: Final = re.compile(r"([-*+•‣⁃])(?:[ \t]+|$)")
_ENUMERATOR: Final = re.compile(
    r"(\(?)([0-9]{1,9}|[A-Za-z]|[ivxlcdm]{1,9}|[IVXLCDM]{1,9}|#)([.)])(?:[ \t]+|$)"
)
_FIELD: Final = re.compile(r":((?:\\.|[^\\:]|:(?! |$))+):(?:[ \t]+|$)")
_OPTION_VALUE: Final = r"(?:<[^>]*>|[A-Za-z][\w-]*)"
_ONE_OPTION: Final = rf"(?:-\w(?: ?{_OPTION_VALUE})?|(?:--|/)[\w-]+(?:[ =]{_OPTION_VALUE})?)"
_OPTION: Final = re.compile(rf"({_ONE_OPTION}(?:, {_ONE_OPTION})*)(?:[ ]{{2,}}|$)")
_EXPLICIT: Final = re.compile(r"\.\.(?:[ \t]+|$)")
_DIRECTIVE: Final = re.compile(r"([A-Za-z0-9]+(?:[-_+:.][A-Za-z0-9]+)*)[ ]?::(?:[ \t]+|$)")
_SUBSTITUTION: Final = re.compile(r"\|([^|]+)\|[ \t]+([\w-]+)::[ \t]*")
_TARGET: Final = re.compile(r"_(?:`([^`]+)`|((?:\\.|[^\\:])+)):(?:[ \t]+|$)")
_NOTE: Final = re.compile(r"(\[(?:[0-9]+|#[\w.-]*|\*|[\w.-]+)\])(?:[ \t]+|$)")
_LINE_BLOCK: Final = re.compile(r"\|(?:[ \t]+|$)")


class Reader:
    """Reads one file."""

    def __init__(self, source: str, settings: Settings) -> None:
        """Names are looked for first."""
        self._source = source
        self._lines = lines_of(source)
        self._names = Names(source)
        self._writer = Writer()
        self._max_depth = settings.max_depth
        self._max_cells = settings.max_objects
        self._depth = 0
        self._styles: list[tuple[str, bool]] = []
        """Adornments of sections, from the outermost in; whether there is a line above, too."""
        self._title = ""
        self._label: list[Run] = []
        """What the next paragraph begins with."""
        self._item: tuple[int, str] | None = None
        """Depth and marker of an item of which nothing is written yet."""
        self._items = 0
        """Lists that are open."""
        self._counts: dict[int, int] = {}
        """For each of them how many of its items are numbered by themselves."""
        self._define()

    def document(self, media_type: str) -> Document:
        """All that is in the file."""
        self._blocks(0, len(self._lines), 0)
        notices: list[Notice] = []
        places = SourcePlaces(self._source, self._lines)
        document = self._writer.document(media_type, self._title, places, notices)
        if not document.text:
            notices.append({"code": "no_text", "page": None, "message": "there is no text in it"})
        return document

    def _define(self) -> None:
        """Note the targets and substitutions that the document defines."""
        for line in self._lines:
            if not line.text.startswith(".. "):
                continue
            at = line.text_start + 3
            at += len(self._source[at : line.text_end]) - len(
                self._source[at : line.text_end].lstrip()
            )
            target = _TARGET.match(self._source, at, line.text_end)
            if target:
                name = " ".join((target[1] or target[2]).split()).casefold()
                self._names.links[name] = self._source[target.end() : line.text_end].strip()
            substitution = _SUBSTITUTION.match(self._source, at, line.text_end)
            if substitution and substitution[2] == "replace":
                span = substitution.end(), line.text_end
                self._names.substitutions[substitution[1].casefold()] = span

    # -- blocks ----------------------------------------------------------------------------------

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

    def _quote(self, at: int, end: int) -> None:
        text = self._lines[at].text
        if self._items or self._item or _BULLET.match(text) or _ENUMERATOR.match(text):
            # A list that is indented is meant as a list.
            self._inside(at, end)
        else:
            with self._writer.quote():
                self._inside(at, end)

    # -- sections and paragraphs -----------------------------------------------------------------

    def _section(self, at: int, end: int, indent: int) -> int:
        lines = self._lines
        mark = _ADORNMENT.fullmatch(lines[at].text)
        if mark and at + 2 < end and lines[at + 1].text and lines[at + 2].text == lines[at].text:
            return self._heading(at + 1, mark[1], True, at + 3)
        if mark and len(mark.group()) >= 4:
            # A line between blocks.
            return at + 1
        if at + 1 < end:
            under = _ADORNMENT.fullmatch(lines[at + 1].text)
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
        while after < end and (mark := _LINE_BLOCK.match(self._lines[after].text)):
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

    # -- lists -----------------------------------------------------------------------------------

    def _bullets(self, at: int, end: int, indent: int) -> int:
        mark = _BULLET.match(self._lines[at].text)
        if mark is None:
            return at
        return self._list_item(at, end, indent, mark.end(), "-")

    def _enumeration(self, at: int, end: int, indent: int) -> int:
        lines = self._lines
        mark = _ENUMERATOR.match(lines[at].text)
        if mark is None or (mark[1] and mark[3] != ")"):
            return at
        following = lines[at + 1] if at + 1 < end else None
        if (
            following is not None
            and following.text
            and following.indent <= indent
            and not _ENUMERATOR.match(following.text)
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
        return bool(_BULLET.match(text) or _ENUMERATOR.match(text))

    def _fields(self, at: int, end: int, indent: int) -> int:
        line = self._lines[at]
        mark = _FIELD.match(line.text)
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
        mark = _OPTION.match(line.text)
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
        if not self._items and not (following and _OPTION.match(following.text)):
            self._writer.end_list()
        return after

    # -- explicit markup -------------------------------------------------------------------------

    def _explicit(self, at: int, end: int, indent: int) -> int:
        line = self._lines[at]
        mark = _EXPLICIT.match(line.text)
        if mark is None:
            return at
        if line.text == ".." and (at + 1 == end or not self._lines[at + 1].text):
            return at + 1  # what is indented after an empty comment is no part of it
        after = max(at + 1, self._indented(at + 1, end, indent))
        start = line.text_start + mark.end()
        note = _NOTE.match(self._source, start, line.text_end)
        directive = _DIRECTIVE.match(self._source, start, line.text_end)
        if note:
            self._note(at, after, note)
        elif directive:
            self._directive(at, after, directive)
        return after

    def _note(self, at: int, end: int, note: "re.Match[str]") -> None:
        if note[1].startswith("[#"):
            self._label = [Run(self._names.note(note[1]) + " ")]
        else:
            self._label = [Run(note[1], SOURCE, note.start(1)), Run(" ")]
        self._rest(at, end, note.end())

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

    def _directive(self, at: int, end: int, directive: "re.Match[str]") -> None:
        line = self._lines[at]
        name = directive[1].lower()
        argument = directive.end(), line.text_end
        content = at + 1
        while content < end and _FIELD.match(self._lines[content].text):
            content += 1
        if name in LEFT_OUT:
            return
        if name in CODE:
            language = self._source[slice(*argument)].strip()
            self._write_code(content, end, language if re.fullmatch(r"[\w+#.-]*", language) else "")
            return
        table = _TABLES.get(name)
        if table is not None:
            self._argument(argument)
            table(self, at, content, end)
            return
        if name in LABELLED:
            self._label = [Run(("See also" if name == "seealso" else name.capitalize()) + ": ")]
            if content == at + 1:
                # The text may begin beside the name.
                self._rest(at, end, argument[0])
                return
            self._argument(argument)
        elif name in VERSIONS:
            self._label = [Run(VERSIONS[name] + " ")]
            self._argument(argument)
        elif name in TITLED:
            self._argument(argument)
        elif name not in PLAIN and name != "figure":
            # What describes an object of a program, or a directive that is not known.
            runs = runs_of(self._source, *argument)
            if runs and ("(" in self._source[slice(*argument)] or ":" in name or name in OBJECTS):
                self._write(code_span(runs))
        self._inside(content, end)
        self._label = []

    def _argument(self, span: tuple[int, int]) -> None:
        if self._source[slice(*span)].strip():
            self._write(inline(self._names, *span))

    # -- tables ----------------------------------------------------------------------------------

    def _grid_table(self, at: int, end: int, indent: int) -> int:
        if not GRID_LINE.fullmatch(self._lines[at].text):
            return at
        after = at
        while after < end and self._lines[after].text[:1] in ("+", "|"):
            after += 1
        cells = grid_cells(self._source, self._lines[at:after])
        if cells is None:
            self._write_code(at, after, "")
            return after
        grid = Grid(self._max_cells)
        for _, row in groupby(sorted(cells), lambda one: one.row):
            grid.row([(self._cell(cell.spans), cell.columns, cell.rows) for cell in row])
        self._write_table(grid)
        return after

    def _simple_table(self, at: int, end: int, indent: int) -> int:
        lines = self._lines
        if not RULE.fullmatch(lines[at].text):
            return at
        rules: list[int] = []
        for number in range(at + 1, end):
            if lines[number].indent == indent and RULE.fullmatch(lines[number].text):
                rules.append(number)
                if len(rules) == 2:
                    break
        # The second rule is under the header, unless nothing but a blank line is after it.
        after = next(
            (one + 1 for one in rules if one + 1 >= end or not lines[one + 1].text), 0
        ) or (rules[-1] + 1 if rules else 0)
        rows = simple_rows(self._source, lines[at:after]) if after else None
        if rows is None:
            return at
        self._table_of(rows)
        return after

    def _cell(self, spans: list[tuple[int, int]]) -> list[Run]:
        runs: list[Run] = []
        for start, end in spans:
            if self._source[start:end].strip():
                if runs:
                    runs.append(Run(" "))
                text = self._source[start:end]
                start += len(text) - len(text.lstrip())
                end -= len(text) - len(text.rstrip())
                runs.extend(inline(self._names, start, end, plain=True))
        return runs

    def _list_table(self, at: int, content: int, end: int) -> None:
        self._table_of(list_rows(self._lines[content:end]))

    def _csv_table(self, at: int, content: int, end: int) -> None:
        options, lines = self._lines[at + 1 : content], self._lines[content:end]
        self._table_of(csv_rows(self._source, options, lines))

    def _table_of(self, rows: list[Row]) -> None:
        grid = Grid(self._max_cells)
        for row in rows:
            grid.row([(self._cell(spans), 1, 1) for spans in row])
        self._write_table(grid)

    def _any_table(self, at: int, content: int, end: int) -> None:
        self._inside(content, end)

    def _write_table(self, grid: Grid) -> None:
        rows = grid.rows()
        if rows:
            self._begin_item()
            with self._writer.in_item():
                self._writer.table(rows)

    # -- lines -----------------------------------------------------------------------------------

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


_TABLES: Final[dict[str, Callable[[Reader, int, int, int], None]]] = {
    "table": Reader._any_table,
    "list-table": Reader._list_table,
    "csv-table": Reader._csv_table,
}
