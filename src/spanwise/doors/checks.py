"""Documents checked before a commit: chunks that are old, sections too big for one chunk."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, TypedDict

import orjson

from spanwise.doors.splits import split_sections
from spanwise.errors import InvalidInput
from spanwise.files import read_bytes
from spanwise.markdown.options import ChunkOptions
from spanwise.pipeline import FileResult


class Finding(TypedDict):
    """What is wrong with a document: its name, the line if there is one, what it is, in words."""

    source: str
    line: int | None
    status: Literal["split", "old", "missing", "gone"]
    message: str


def split_findings(result: FileResult, options: ChunkOptions) -> Iterator[Finding]:
    """The sections of one document that are too big for one chunk."""
    for each in split_sections(result.lines):
        yield _finding(each.source, "split", each.said(options), each.line)


def beside_finding(result: FileResult, path: str) -> Finding | None:
    """What is wrong with NAME.chunks.jsonl beside a document, where there is one."""
    file = Path(path).with_name(f"{Path(path).stem}.chunks.jsonl")
    if not file.exists() or read_bytes(file) == result.lines:
        return None
    return _finding(result.source, "old", f"{file} does not hold its chunks as they are now")


class Stored:
    """The chunks of many documents in one file, told apart by their sources."""

    def __init__(self, name: str) -> None:
        """Read the file called `name`.

        UnreadableSource where there is none, InvalidInput where a line is no chunk row.
        """
        self.name = name
        self.sources: dict[str, hashlib._Hash] = {}
        for number, line in enumerate(read_bytes(name).split(b"\n"), 1):
            if not line:
                continue
            try:
                row = orjson.loads(line)
            except orjson.JSONDecodeError:
                row = None
            if not isinstance(row, dict) or not isinstance(row.get("source"), str):
                raise InvalidInput(f"{name}, line {number}: not a chunk row", line=number)
            held = self.sources.setdefault(row["source"], hashlib.sha256())
            held.update(line + b"\n")

    def finding(self, result: FileResult) -> Finding | None:
        """What is wrong with the chunks there are of a document."""
        held = self.sources.get(result.source)
        if held is None:
            if not result.lines:
                return None
            return _finding(result.source, "missing", f"{self.name} holds no chunks of it")
        if held.digest() == hashlib.sha256(result.lines).digest():
            return None
        return _finding(
            result.source, "old", f"{self.name} does not hold its chunks as they are now"
        )

    def gone(self) -> Iterator[Finding]:
        """Chunks there are of documents that are not there any more."""
        for source in self.sources:
            if not Path(source).exists():
                yield _finding(source, "gone", f"not there, but {self.name} holds chunks of it")


def _finding(
    source: str,
    status: Literal["split", "old", "missing", "gone"],
    message: str,
    line: int | None = None,
) -> Finding:
    return {"source": source, "line": line, "status": status, "message": message}
