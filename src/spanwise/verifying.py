"""Chunk rows proved against the files they were cut from."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Any, Final, Literal, TypedDict

import orjson

from spanwise.citations import check_citations
from spanwise.errors import InvalidInput, SpanwiseError, UnreadableSource
from spanwise.files import read_bytes, read_text
from spanwise.formats import Settings
from spanwise.formats.sandbox import verified
from spanwise.formats.sniffing import media_type
from spanwise.kernel.lines import line_starts
from spanwise.rows import ID_DIGITS
from spanwise.spans import Unit, from_unit

_FIELDS: Final[dict[str, type]] = {
    "id": str,
    "source": str,
    "text": str,
    "start": int,
    "end": int,
    "start_line": int,
    "end_line": int,
    "prefix_chars": int,
    "suffix_chars": int,
}
"""The fields of a row that are looked at, and their types."""


class Finding(TypedDict):
    """What is wrong with one chunk."""

    id: str
    source: str
    status: Literal["moved", "changed", "lost"]
    message: str


class _Source:
    """One file: its text and where its lines start."""

    def __init__(self, path: str) -> None:
        self.text = read_text(path)
        self.starts: list[int] = list(line_starts(self.text))

    def line(self, offset: int) -> int:
        """Line of the character at `offset`, from 1."""
        return max(1, bisect_right(self.starts, offset))


def verify_rows(
    data: bytes, name: str, root: str, unit: Unit, settings: Settings | None = None
) -> Iterator[Finding | None]:
    """For each chunk row of a JSONL file, in order: None where it holds, else what is wrong.

    Sources are looked for below `root`. A row holds when its text between prefix and suffix is the
    source at its span, the lines are those of the span, and `text_sha`, where there is one, is that
    of the text. A row of a converted document (it has `media_type`) holds when the source converted
    now says the same at the span, and the original, read again at its regions, does, too.
    Raises InvalidInput for a line that is no chunk row.
    """
    sources: dict[str, _Source | str] = {}
    rows = (
        _row(line, name, number)
        for number, line in enumerate(data.split(b"\n"), start=1)
        if line.strip()
    )
    for (source_name, converted), group in groupby(rows, _kind):
        if converted:
            path = str(Path(root, source_name))
            yield from _checked_document(list(group), path, unit, settings or Settings())
            continue
        yield from _checked_texts(group, sources, root, unit)


def _kind(row: dict[str, Any]) -> tuple[str, bool]:
    return row["source"], "media_type" in row


def _checked_document(
    rows: list[dict[str, Any]], path: str, unit: Unit, settings: Settings
) -> Iterator[Finding | None]:
    """What is wrong with the rows of one converted document."""
    asked = []
    for row in rows:
        text = row["text"]
        quote = text[row["prefix_chars"] : len(text) - row["suffix_chars"]]
        asked.append({key: row.get(key) for key in ("start", "end", "regions")} | {"quote": quote})
    source = rows[0]["source"]
    try:
        data = read_bytes(path)
        said = verified(data, source, media_type(data, source), asked, unit, settings)
    except SpanwiseError as error:
        for row in rows:
            yield _finding(row, "lost", f"lost its source: {error.message}")
        return
    for row, message in zip(rows, said, strict=True):
        if not message and _sha_of(row) != row.get("text_sha", _sha_of(row)):
            message = "changed: text_sha is that of another text"
        if not message:
            yield None
        else:
            yield _finding(row, "moved" if message.startswith("moved") else "changed", message)


def _sha_of(row: dict[str, Any]) -> str:
    return sha256(row["text"].encode()).hexdigest()[:ID_DIGITS]


def _checked_texts(
    rows: Iterable[dict[str, Any]], sources: "dict[str, _Source | str]", root: str, unit: Unit
) -> Iterator[Finding | None]:
    """What is wrong with the rows of one text."""
    for row in rows:
        path = str(Path(root, row["source"]))
        if path not in sources:
            sources.clear()  # rows come source by source; one text is enough to keep
            try:
                sources[path] = _Source(path)
            except UnreadableSource as error:
                sources[path] = error.message
        source = sources[path]
        if isinstance(source, str):
            yield _finding(row, "lost", f"lost its source: {source}")
        else:
            yield _checked(row, source, unit)


def _row(line: bytes, name: str, number: int) -> dict[str, Any]:
    try:
        row = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise InvalidInput(f"{name}, line {number}: not JSON: {error}", line=number) from None
    for field, kind in _FIELDS.items():
        value = row.get(field) if isinstance(row, dict) else None
        if type(value) is not kind or (isinstance(value, int) and value < 0):
            raise InvalidInput(
                f"{name}, line {number}: no chunk row: {field} is missing or of the wrong type",
                line=number,
                field=field,
            )
    assert isinstance(row, dict)
    return row


def _checked(row: dict[str, Any], source: _Source, unit: Unit) -> Finding | None:
    text = row["text"]
    if row.get("text_sha", _sha_of(row)) != _sha_of(row):
        return _finding(row, "changed", "changed: text_sha is that of another text")
    quote = text[row["prefix_chars"] : len(text) - row["suffix_chars"]]
    if not quote or row["start"] > row["end"]:
        return _finding(row, "changed", "changed: prefix and suffix leave no text for the span")
    checked = check_citations(
        {"": source.text},
        [{"source": "", "quote": quote, "start": row["start"], "end": row["end"]}],
        unit,
    )[0]
    was = f"{row['start']}-{row['end']}, lines {row['start_line']}-{row['end_line']}"
    if checked["status"] == "ambiguous":
        return _finding(row, "changed", f"changed: not at {was}; its text stands elsewhere twice")
    if checked["start"] is None or checked["end"] is None:
        return _finding(row, "changed", f"changed: not at {was}, nor anywhere else")
    found = from_unit(source.text, [checked["start"], checked["end"]], unit)
    assert found[0] is not None
    assert found[1] is not None
    lines = source.line(found[0]), source.line(found[1] - 1)
    here = f"{checked['start']}-{checked['end']}, lines {lines[0]}-{lines[1]}"
    if not checked["ok"] or lines != (row["start_line"], row["end_line"]):
        return _finding(row, "moved", f"moved: at {here}; not at {was}")
    return None


def _finding(
    row: dict[str, Any], status: Literal["moved", "changed", "lost"], message: str
) -> Finding:
    return {"id": row["id"], "source": row["source"], "status": status, "message": message}
