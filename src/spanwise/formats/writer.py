"""Writes canonical Markdown, and keeps where each stretch of it comes from.

Every block is followed by a blank line. A paragraph is one line. What is taken from the original
keeps its characters; a backslash is put before what would begin a block of another kind, and lies
outside of the segments as all markup does.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple
from urllib.parse import quote

from spanwise.document import Document, Notice, Places, Segment

MAX_NESTED: Final = 32
"""Lists within lists, and quotes within quotes, that are told apart."""

ADDED: Final = -1
"""The origin of text that is not in the original."""

_BLOCK_START: Final = re.compile(
    r"#{1,6}(?=[ \t]|$)|>|<(?=[A-Za-z/!?])|[-+*](?=[ \t]|$)|[0-9]{1,9}(?=[.)](?:[ \t]|$))"
    r"|```|~~~|\[[^\]]*\]:|(?:\*[ \t]*){3,}$|(?:-[ \t]*){3,}$|(?:_[ \t]*){3,}$"
)
"""At the start of a line: what may begin a block that is no paragraph."""
_BREAKS: Final = re.compile(r"[\t\n\r\x0b\x0c\x1c-\x1f\x85\u2028\u2029]")
_ADDRESS: Final = re.compile(r"(?:https?|ftp)://|mailto:", re.IGNORECASE)
_CLOSING_HASHES: Final = re.compile(r"(?:^|(?<=[ \t]))#+[ \t]*$")
_LONE_SURROGATE: Final = re.compile(r"[\ud800-\udfff]|\0")


class Run(NamedTuple):
    """Text from one place: the characters of `origin` from `offset` on, or ADDED."""

    text: str
    origin: int = ADDED
    offset: int = 0


class Writer:
    """Collects the text and the segments of one document."""

    def __init__(self) -> None:
        """Nothing is written yet."""
        self._parts: list[str] = []
        self._segments: list[Segment] = []
        self._size = 0
        # How wide the marker of the last item at each depth was.
        self._widths: list[int] = []
        # What each line begins with, and whether it stands in the last item.
        self._prefix = ""
        self._in_item = False
        self._after_item = False

    # -- blocks ----------------------------------------------------------------------------------

    def heading(self, level: int, runs: Sequence[Run]) -> None:
        """A heading of level 1 to 6; without text, nothing."""
        runs = trimmed(runs)
        if not runs:
            return
        last = runs[-1]
        hashes = _CLOSING_HASHES.search(last.text)
        if hashes:
            # They would be taken for the end of the heading.
            at = hashes.start()
            runs = [*runs[:-1], *_around(last, at, "\\")]
        self._begin_block()
        self._line("#" * min(6, max(1, level)) + " ", runs)
        self._end_block()

    def paragraph(self, runs: Sequence[Run]) -> None:
        """A paragraph; without text, nothing."""
        runs = trimmed(runs)
        if runs:
            self._begin_block()
            self._line("", _escaped(runs))
            self._end_block()

    def item(self, depth: int, marker: str, runs: Sequence[Run]) -> None:
        """An item of a list, `depth` lists deep from 0; `marker` is `-` or a number as in `3.`."""
        runs = trimmed(runs)
        if runs:
            depth = min(depth, len(self._widths), MAX_NESTED)
            indent = sum(self._widths[:depth])
            self._widths[depth:] = [len(marker) + 1]
            self._line(" " * indent + marker + " ", _escaped(runs))
            self._after_item = True

    def end_list(self) -> None:
        """The items before belong together; what follows does not."""
        self._widths.clear()
        if self._after_item:
            self._end_block()

    @contextmanager
    def in_item(self) -> Iterator[None]:
        """What is written belongs to the last item; where there is none, it does not."""
        before = self._prefix, self._in_item
        self._prefix += " " * sum(self._widths)
        self._in_item = True
        yield
        self._prefix, self._in_item = before

    @contextmanager
    def quote(self) -> Iterator[None]:
        """What is written is a block quote."""
        self.end_list()
        before = self._prefix
        if before.count(">") < MAX_NESTED:
            self._prefix += "> "
        yield
        self.end_list()
        self._prefix = before

    def code(self, runs: Sequence[Run], info: str = "") -> None:
        """A block of code; line endings in the runs stay."""
        text = "".join(run.text for run in runs)
        longest = max((len(match) for match in re.findall("`{3,}", text)), default=2)
        fence = "`" * (longest + 1)
        self._begin_block()
        self._add(f"{self._prefix}{fence}{info}\n{self._prefix if text else ''}")
        for run in runs:
            self._put_lines(run)
        if text and not text.endswith("\n"):
            self._add("\n" + self._prefix)
        self._add(f"{'' if text else self._prefix}{fence}\n")
        self._end_block()

    def table(self, rows: Sequence[Sequence[Sequence[Run]]]) -> None:
        """A table of rows of cells, the first being its header; all rows get the widest's width."""
        width = max((len(row) for row in rows), default=0)
        if width == 0:
            return
        self._begin_block()
        for number, row in enumerate(rows):
            for at in range(width):
                self._add(self._prefix + "| " if at == 0 else " | ")
                for run in _cell(trimmed(row[at])) if at < len(row) else ():
                    self._put(run)
            self._add(" |\n")
            if number == 0:
                self._add(f"{self._prefix}|{' --- |' * width}\n")
        self._end_block()

    def markdown(self, runs: Sequence[Run]) -> None:
        """Text that is Markdown already, as it stands."""
        if any(run.text.strip() for run in runs):
            self._begin_block()
            for run in runs:
                self._put(run)
            if not runs[-1].text.endswith("\n"):
                self._add("\n")
            self._end_block()

    # -- the end ---------------------------------------------------------------------------------

    def document(
        self, media_type: str, title: str, places: Places, notices: list[Notice]
    ) -> Document:
        """All that was written."""
        text = "".join(self._parts)
        kept = text.rstrip("\n")
        text = kept + "\n" if kept else ""
        return Document(text, media_type, title, self._segments, places, notices)

    # -- lines -----------------------------------------------------------------------------------

    def _line(self, mark: str, runs: Sequence[Run]) -> None:
        self._add(self._prefix + mark)
        for run in runs:
            self._put(run)
        self._add("\n")

    def _begin_block(self) -> None:
        if not self._in_item:
            self.end_list()
        elif self._after_item:
            self._end_block()

    def _end_block(self) -> None:
        self._add("\n")
        self._after_item = False

    def _put_lines(self, run: Run) -> None:
        """A run whose line endings stay, each line after the first with what a line begins with."""
        if not self._prefix:
            self._put(run)
            return
        start = 0
        for end in [match.end() for match in re.finditer("\n", run.text)]:
            self._put(run._replace(text=run.text[start:end], offset=run.offset + start))
            self._add(self._prefix)
            start = end
        self._put(run._replace(text=run.text[start:], offset=run.offset + start))

    def _put(self, run: Run) -> None:
        text, origin, offset = run
        if not text.isascii() or "\0" in text:
            text = _LONE_SURROGATE.sub("\ufffd", text)
        if origin != ADDED and text:
            start = self._size
            end = start + len(text)
            segments = self._segments
            if segments:
                before, at, known, known_offset = segments[-1]
                if at == start and known == origin and known_offset + at - before == offset:
                    start = before
                    offset = known_offset
                    segments.pop()
            segments.append(Segment(start, end, origin, offset))
        self._add(text)

    def _add(self, text: str) -> None:
        self._parts.append(text)
        self._size += len(text)


def code_span(runs: Sequence[Run]) -> list[Run]:
    """The runs as code within a line."""
    text = "".join(run.text for run in runs)
    longest = max((len(match) for match in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    blank = " " if text.startswith("`") or text.endswith("`") else ""
    return [Run(fence + blank), *runs, Run(blank + fence)]


def link(runs: Sequence[Run], address: str) -> list[Run]:
    """The runs as a link.

    They stay as they are where the address leads nowhere outside of what it stands in, or is the
    text, or where the text could not be that of a link.
    """
    text = "".join(run.text for run in runs)
    if (
        not _ADDRESS.match(address)
        or "[" in text
        or "]" in text
        or text.strip() in (address, address.partition("://")[2])
    ):
        return list(runs)
    address = re.sub(r"[\s<>\\]+", lambda match: quote(match.group()), address)
    if "(" in address or ")" in address:
        address = f"<{address}>"
    return [Run("["), *runs, Run(f"]({address})")]


def trimmed(runs: Sequence[Run]) -> list[Run]:
    """The runs on one line, without white space at both ends and without empty ones."""
    kept = [
        # To print all of a text is quicker than to look for what breaks it.
        run
        if run.text.isprintable() or not _BREAKS.search(run.text)
        else run._replace(text=_BREAKS.sub(" ", run.text))
        for run in runs
        if run.text
    ]
    while kept:
        text = kept[0].text.lstrip()
        if text:
            cut = len(kept[0].text) - len(text)
            kept[0] = kept[0]._replace(text=text, offset=kept[0].offset + cut)
            break
        kept.pop(0)
    while kept:
        text = kept[-1].text.rstrip()
        if text:
            kept[-1] = kept[-1]._replace(text=text)
            break
        kept.pop()
    return kept


def _around(run: Run, at: int, added: str) -> list[Run]:
    """A run with something added before its character `at`."""
    halves = [
        run._replace(text=run.text[:at]),
        Run(added),
        run._replace(text=run.text[at:], offset=run.offset + at),
    ]
    return [half for half in halves if half.text]


def _escaped(runs: list[Run]) -> list[Run]:
    """The runs of a line that can be nothing but a paragraph."""
    if runs[0].origin == ADDED:
        # Markup of our own, as for a link.
        return runs
    found = _BLOCK_START.match("".join(run.text for run in runs[:4])[:1000])
    if found is None:
        return runs
    # A number is no mark without the stop after it.
    at = found.end() if found.group()[0].isdigit() else 0
    for number, run in enumerate(runs):
        if at < len(run.text):
            return [*runs[:number], *_around(run, at, "\\"), *runs[number + 1 :]]
        at -= len(run.text)
    return runs


def _cell(runs: list[Run]) -> list[Run]:
    """The runs of a cell, a backslash before each pipe and before backslashes in front of one."""
    text = "".join(run.text for run in runs)
    if "|" not in text:
        return runs
    places = [at for found in re.finditer(r"\\*\|", text) for at in range(*found.span())]
    pieces = []
    start = number = 0
    for run in runs:
        cut = 0
        while number < len(places) and places[number] < start + len(run.text):
            at = places[number] - start
            pieces.append(run._replace(text=run.text[cut:at], offset=run.offset + cut))
            pieces.append(Run("\\"))
            cut = at
            number += 1
        pieces.append(run._replace(text=run.text[cut:], offset=run.offset + cut))
        start += len(run.text)
    return pieces
