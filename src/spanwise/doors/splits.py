"""Sections that are too big for one chunk: found in chunk rows, and said in words."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import orjson

from spanwise.markdown.options import ChunkOptions
from spanwise.spans import Unit

SHOWN: Final = 100
"""Code points of a heading that are shown."""
UNIT_NAMES: Final[dict[Unit, str]] = {
    "code_point": "characters",
    "utf16": "UTF-16 units",
    "utf8": "bytes",
}
UNNAMED: Final = {
    "front_matter": "(front matter)",
    "preamble": "(text before the first heading)",
}
"""What stands for a heading where a chunk of this kind is under none."""


@dataclass(frozen=True, slots=True)
class SplitSection:
    """A section in several parts: where it starts, its heading and its size.

    heading: one line, cut off where it is long; where there is none, what the text is instead.
    size: from its first part to the end of its last, in the unit of the rows.
    tokens: of all its parts together.
    """

    source: str
    line: int
    heading: str
    parts: int
    size: int
    tokens: int

    def said(self, options: ChunkOptions) -> str:
        """One sentence about it."""
        name = self.heading if self.heading in UNNAMED.values() else f'"{self.heading}"'
        size = f"{self.size} {UNIT_NAMES[options.unit]}"
        held = f"a chunk holds {limits(options)}"
        return f"{name} has {size} and is split into {self.parts} parts: {held}"


def limits(options: ChunkOptions) -> str:
    """What a chunk holds, in words."""
    said = []
    if options.max_chars is not None or options.max_tokens is None:
        said.append(f"{options.size()} characters")
    if options.max_tokens is not None:
        said.append(f"{options.max_tokens} tokens")
    return " and ".join(said)


def split_sections(lines: bytes) -> Iterator[SplitSection]:
    """The split sections in the chunk rows of one document, which are JSON lines, in order."""
    rows: list[Any] = []
    for line in lines.split(b"\n")[:-1]:
        row = orjson.loads(line)
        if row["parts"] == 1:
            continue
        rows.append(row)
        if row["part"] == row["parts"]:
            yield _of_parts(rows)
            rows = []


def _of_parts(rows: list[Any]) -> SplitSection:
    first = rows[0]
    return SplitSection(
        first["source"],
        first["start_line"],
        _heading(first),
        len(rows),
        rows[-1]["end"] - first["start"],
        sum(row["tokens"] for row in rows),
    )


def _heading(row: Any) -> str:
    if row["kind"] in UNNAMED:
        return UNNAMED[row["kind"]]
    heading = " ".join(row["heading_path"][-1].split())
    return heading if len(heading) <= SHOWN else heading[: SHOWN - 1] + "…"


def worst(
    sections: Iterable[SplitSection], options: ChunkOptions, count: int
) -> list[SplitSection]:
    """The `count` biggest, the biggest first, in what the limit counts."""
    tokens = options.max_tokens is not None and options.max_chars is None
    return sorted(sections, key=lambda each: -(each.tokens if tokens else each.size))[:count]
