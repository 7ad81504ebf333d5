"""The chunk row: what every door and every output gives for one piece, its ids, and JSON lines.

`text == prefix + source[start:end] + suffix`, the prefix being the first `prefix_chars` and the
suffix the last `suffix_chars` code points of `text`.
"""

from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256
from typing import Final, Literal, NotRequired, TypedDict

import orjson

from spanwise.errors import InvalidInput
from spanwise.markdown.chunking import KINDS, Counter, Piece, pieces
from spanwise.markdown.options import ChunkOptions, is_mdx
from spanwise.spans import to_unit

ID_DIGITS = 32
"""Hex digits of `chunk_id` and `doc_id`."""
BYTES_PER_TOKEN = 4
"""UTF-8 bytes that an estimated token has."""


class Chunk(TypedDict):
    """One chunk of one document."""

    id: str
    """For display: source, `#`, index."""
    chunk_id: str
    """The same as long as source, heading path and text are; see `chunk_id`."""
    doc_id: str
    """The first 32 hex digits of the SHA-256 of `source`."""
    text_sha: str
    """The first 32 hex digits of the SHA-256 of `text`: the key of a cache of embeddings."""
    source: str
    """Name of the document: its path as given, with forward slashes."""
    index: int
    """From 1, within the document."""
    kind: Literal["section", "preamble", "front_matter"]
    heading_path: list[str]
    """Raw headings from the outermost in, the section's own last."""
    heading_level: int
    """1 to 6; 0 for a preamble or front matter."""
    anchor: str | None
    """GitHub's anchor for the heading, without `#`."""
    start_line: int
    end_line: int
    """Lines of the span in the file, from 1, inclusive."""
    start: int
    end: int
    """The span in the file, half-open, in the unit asked for."""
    part: int
    parts: int
    """Part 2 of parts 3 is the second of three pieces of one section."""
    chars: int
    """Code points of `text`."""
    tokens: int
    tokens_exact: bool
    """Without a tokenizer `tokens` is a quarter of the UTF-8 bytes of `text`, rounded up."""
    prefix_chars: int
    suffix_chars: int
    text: str
    headings: NotRequired[list[str]]
    """The headings inside, where several sections were joined (`min_chars`)."""


# Copying a dict of the right size is faster than filling one, which grows three times on its way.
_EMPTY: Final[Chunk] = {
    "id": "", "chunk_id": "", "doc_id": "", "text_sha": "", "source": "", "index": 0,
    "kind": "section", "heading_path": [], "heading_level": 0, "anchor": None, "start_line": 0,
    "end_line": 0, "start": 0, "end": 0, "part": 0, "parts": 0, "chars": 0, "tokens": 0,
    "tokens_exact": False, "prefix_chars": 0, "suffix_chars": 0, "text": "",
}  # fmt: skip


def chunk_rows(
    text: str, source: str, options: ChunkOptions, counter: Counter | None = None
) -> list[Chunk]:
    """The chunks of one document called `source`; InvalidInput at a lone surrogate.

    `counter` counts tokens exactly; without one they are estimated.
    """
    check_unicode(source, "source")
    if options.front_matter == "drop":
        check_unicode(text, "text")
    if options.mdx is None and is_mdx(source):
        options = replace(options, mdx=True)
    try:
        return rows_of(text, pieces(text, options, counter), source, options, counter)
    except (UnicodeEncodeError, orjson.JSONEncodeError):
        # All text that is not dropped is encoded on the way, in a chunk or in a path.
        check_unicode(text, "text")
        raise


def rows_of(
    text: str,
    found: list[Piece],
    source: str,
    options: ChunkOptions,
    counter: Counter | None = None,
) -> list[Chunk]:
    """The rows of pieces of `text`, which ascend."""
    doc_id = document_id(source)
    offsets: list[int] = []
    for piece in found:
        offsets.append(piece.start)
        offsets.append(piece.end)
    shown = to_unit(text, offsets, options.unit)
    seen: dict[bytes, int] = {}
    rows: list[Chunk] = []
    for index, piece in enumerate(found):
        section = piece.section
        part = text[piece.start : piece.end]
        if piece.prefix or piece.suffix:
            part = piece.prefix + part + piece.suffix
        encoded = part.encode()
        text_sha = sha256(encoded).hexdigest()[:ID_DIGITS]
        path = piece.path
        if counter is None:
            tokens = -(-len(encoded) // BYTES_PER_TOKEN)
        else:
            tokens = piece.tokens if piece.tokens >= 0 else counter.count(part)
        identity = orjson.dumps([source, path, text_sha])
        times = seen.get(identity, 0)
        seen[identity] = times + 1
        row = _EMPTY.copy()
        row["id"] = f"{source}#{index + 1}"
        row["chunk_id"] = chunk_id(identity, times)
        row["doc_id"] = doc_id
        row["text_sha"] = text_sha
        row["source"] = source
        row["index"] = index + 1
        row["kind"] = KINDS[section.kind]
        row["heading_path"] = path[:]
        row["heading_level"] = section.level
        row["anchor"] = section.anchor
        row["start_line"] = piece.start_line
        row["end_line"] = piece.end_line
        row["start"] = shown[2 * index]
        row["end"] = shown[2 * index + 1]
        row["part"] = piece.part
        row["parts"] = piece.parts
        row["chars"] = len(part)
        row["tokens"] = tokens
        row["tokens_exact"] = counter is not None
        row["prefix_chars"] = len(piece.prefix)
        row["suffix_chars"] = len(piece.suffix)
        row["text"] = part
        if piece.joined is not None:
            row["headings"] = [joined.path[-1] for joined in piece.joined]
        rows.append(row)
    return rows


def document_id(source: str) -> str:
    """The id of a document by its name."""
    return sha256(source.encode()).hexdigest()[:ID_DIGITS]


def chunk_id(identity: bytes, times: int) -> str:
    """The first 32 hex digits of the SHA-256 of `identity`.

    That is the compact JSON `[source, heading_path, text_sha]`; where `times` equal chunks of the
    document come before this one, `#` and their number follow. No offset, line or ordinal is in it,
    so an edit elsewhere in the document leaves the id alone.
    """
    if times:
        identity = b"%b#%d" % (identity, times)
    return sha256(identity).hexdigest()[:ID_DIGITS]


def json_lines(rows: Iterable[Chunk]) -> bytes:
    """The rows as JSON lines: UTF-8, one row a line, LF after each."""
    return b"".join([orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in rows])


def check_unicode(text: str, field: str) -> None:
    """Raise InvalidInput where `text` has a lone surrogate, which UTF-8 cannot hold."""
    if text.isascii():
        return
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InvalidInput(
            f"{field}: lone surrogate at code point {error.start}", field=field, offset=error.start
        ) from None
