"""Explicit markup of reStructuredText: what begins with two full stops."""

import re

from spanwise.formats.lines import SOURCE, runs_of
from spanwise.formats.rst.directives import (
    CODE,
    LABELLED,
    LEFT_OUT,
    OBJECTS,
    PLAIN,
    TITLED,
    VERSIONS,
)
from spanwise.formats.rst.inlines import inline
from spanwise.formats.rst.syntax import DIRECTIVE, EXPLICIT, FIELD, NOTE
from spanwise.formats.rst.table_blocks import Tables
from spanwise.formats.writer import Run, code_span


class Explicit(Tables):
    """Reads notes and directives; comments and definitions are none to be read."""

    def _explicit(self, at: int, end: int, indent: int) -> int:
        line = self._lines[at]
        mark = EXPLICIT.match(line.text)
        if mark is None:
            return at
        if line.text == ".." and (at + 1 == end or not self._lines[at + 1].text):
            return at + 1  # what is indented after an empty comment is no part of it
        after = max(at + 1, self._indented(at + 1, end, indent))
        start = line.text_start + mark.end()
        note = NOTE.match(self._source, start, line.text_end)
        directive = DIRECTIVE.match(self._source, start, line.text_end)
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

    def _directive(self, at: int, end: int, directive: "re.Match[str]") -> None:
        line = self._lines[at]
        name = directive[1].lower()
        argument = directive.end(), line.text_end
        content = at + 1
        while content < end and FIELD.match(self._lines[content].text):
            content += 1
        if name in LEFT_OUT:
            return
        if name in CODE:
            language = self._source[slice(*argument)].strip()
            self._write_code(content, end, language if re.fullmatch(r"[\w+#.-]*", language) else "")
            return
        if name in ("table", "list-table", "csv-table"):
            self._argument(argument)
            if name == "table":
                self._inside(content, end)
            elif name == "list-table":
                self._list_table(content, end)
            else:
                self._csv_table(at, content, end)
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
