"""Formats that are text themselves: their lines, and spans of them as regions.

A region is `{"start_line", "end_line", "start", "end"}`: lines from 1, and a span of code points of
the text (UTF-8, without byte order mark, line endings as they are). What stands under it is text of
the document without any markup.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from spanwise.document import Pages, Region, Stretch
from spanwise.errors import UnreadableSource
from spanwise.formats.writer import Run

SOURCE: Final = 0
"""The only origin there is."""

_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_CONTROLS: Final = re.compile(r"[\0-\x08\x0e-\x1a\x1c-\x1f]")
_FOLD: Final = re.compile(r"(?<![ \t])[ \t]*(?:\r\n|\r|\n)[ \t]*")
TAB: Final = 8


class Line(NamedTuple):
    """A line: where it starts, where its text starts and ends, and how far that is indented."""

    start: int
    text_start: int
    text_end: int
    indent: int
    text: str
    """Without indent and trailing white space."""


@lru_cache(maxsize=1)  # the chunks of a file are asked for one after the other
def decoded(data: bytes, kind: str) -> str:
    """The text of a file; UnreadableSource where it is none."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableSource(f"not {kind}: not UTF-8 at byte {error.start}") from None
    controls = len(_CONTROLS.findall(text[:65536]))
    if controls > 8 and controls * 50 > min(len(text), 65536):
        raise UnreadableSource(f"not {kind}: what is in it is not text")
    return text


def lines_of(source: str) -> list[Line]:
    """The lines of a text."""
    found = []
    start = 0
    while start < len(source):
        match = _LINE.match(source, start)
        assert match is not None
        raw = match.group()
        text = raw.strip()
        lead = len(raw) - len(raw.lstrip()) if text else 0
        indent = len(raw[:lead].expandtabs(TAB))
        text_start = start + lead
        found.append(Line(start, text_start, text_start + len(text), indent, text))
        start = match.end()
    return found


def runs_of(source: str, start: int, end: int) -> list[Run]:
    """The text of a span on one line: a line ending and the indent after it are a blank."""
    runs = []
    at = start
    for match in _FOLD.finditer(source, start, end):
        runs.append(Run(source[at : match.start()], SOURCE, at))
        runs.append(Run(" "))
        at = match.end()
    runs.append(Run(source[at:end], SOURCE, at))
    return [run for run in runs if run.text]


class SourcePlaces:
    """Spans of the source."""

    def __init__(self, source: str, lines: Sequence[Line]) -> None:
        """The lines are those of the source."""
        self._source = source
        self._starts = [line.start for line in lines]

    def regions(self, stretches: Sequence[Stretch]) -> list[Region]:
        """Spans with their lines; only white space divides nothing."""
        spans: list[list[int]] = []
        for _, start, end in stretches:
            if spans and start >= spans[-1][1] and not self._source[spans[-1][1] : start].strip():
                spans[-1][1] = end
            else:
                spans.append([start, end])
        return [
            {
                "start_line": bisect_right(self._starts, start),
                "end_line": bisect_right(self._starts, max(start, end - 1)),
                "start": start,
                "end": end,
            }
            for start, end in spans
        ]

    def pages(self, stretches: Sequence[Stretch]) -> Pages | None:
        """A text has none."""
        return None


def text_at(source: str, regions: Sequence[Region]) -> str:
    """The text under regions."""
    return "\n".join(source[region["start"] : region["end"]] for region in regions)
