"""Sections: what stands under each top-level heading, with heading path, lines and exact span."""

from typing import Final, Literal, TypedDict

from mypy_extensions import i64

from spanwise.kernel.blocks import scan
from spanwise.kernel.chars import SPACE
from spanwise.kernel.content import heading_text
from spanwise.kernel.lines import count_endings
from spanwise.kernel.records import ATX_HEADING, HEADINGS, Blocks


class Section(TypedDict):
    """A row of `sections`; offsets in code points, lines from 1, `end_line` inclusive."""

    index: int
    level: int
    heading: str | None
    heading_kind: Literal["atx", "setext"] | None
    heading_start_line: int | None
    heading_end_line: int | None
    path: list[str]
    start: int
    end: int
    start_line: int
    end_line: int
    text: str


_ROW: Final[Section] = {
    "index": 0,
    "level": 0,
    "heading": None,
    "heading_kind": None,
    "heading_start_line": None,
    "heading_end_line": None,
    "path": [],
    "start": 0,
    "end": 0,
    "start_line": 1,
    "end_line": 1,
    "text": "",
}
"""A row to copy: filling the copy of a dict of full size is faster than growing a new one."""


def sections(text: str) -> list[Section]:
    """The sections of a CommonMark text, in order: a preamble if there is one, then each heading's.

    Rows are those of the tool markdown-sections-chunk 1.0.0, without its limits. From the first on
    they tile the text: `"".join(row["text"] for row in rows)` ends the text.
    """
    return section_rows(text, scan(text, HEADINGS))


def section_rows(text: str, blocks: Blocks) -> list[Section]:
    """The sections of `text` from the top-level headings among `blocks`."""
    rows: list[Section] = []
    size: i64 = len(text)
    count: i64 = len(blocks)
    path: list[str] = []
    levels: list[int] = []
    start = _line_start(text, blocks.start(0)) if count > 0 else size
    if text[:start].strip(" \t\r\n"):
        preamble = _ROW.copy()
        preamble["path"] = []
        preamble["end"] = start
        preamble["end_line"] = _last_line(text, start, blocks.has_cr)
        preamble["text"] = text[:start]
        rows.append(preamble)
    first = blocks.first_line(0) if count > 0 else 1
    block: i64 = 0
    while block < count:
        level = blocks.level(block)
        if blocks.kind(block) == ATX_HEADING:
            kind: Literal["atx", "setext"] = "atx"
            heading = text[blocks.text_start(block) : blocks.text_end(block)]
            if "\0" in heading:
                heading = heading.replace("\0", "\ufffd")
        else:
            kind = "setext"
            heading = heading_text(text, blocks, block)
        while levels and levels[-1] >= level:
            levels.pop()
            path.pop()
        levels.append(level)
        path.append(heading)
        last_line = blocks.last_line(block)
        block += 1
        if block < count:
            end = _line_start(text, blocks.start(block))
            after = blocks.first_line(block)
        else:
            end = size
            after = blocks.line_count + 1
        row = _ROW.copy()
        row["index"] = len(rows)
        row["level"] = level
        row["heading"] = heading
        row["heading_kind"] = kind
        row["heading_start_line"] = first
        row["heading_end_line"] = last_line
        row["path"] = path[:]
        row["start"] = start
        row["end"] = end
        row["start_line"] = first
        row["end_line"] = after - 1
        row["text"] = text[start:end]
        rows.append(row)
        start = end
        first = after
    return rows


def _line_start(text: str, start: i64) -> i64:
    """Start of the line of a block that is indented by at most three spaces."""
    while start > 0 and ord(text[start - 1]) == SPACE:
        start -= 1
    return start


def _last_line(text: str, end: i64, has_cr: bool) -> i64:
    """Line of the last character before `end`."""
    return 1 + count_endings(text, 0, end, has_cr) - (1 if text[end - 1] in "\r\n" else 0)
