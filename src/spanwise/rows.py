"""The chunk row: what every door and every output gives for one piece, its ids, and JSON lines.

`text == prefix + source[start:end] + suffix`, the prefix being the first `prefix_chars` and the
suffix the last `suffix_chars` code points of `text`.
"""

from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256
from typing import Final, Literal, NotRequired, TypedDict, final

import orjson

from spanwise.document import Document, Pages, Region
from spanwise.errors import InvalidInput
from spanwise.markdown.chunking import KINDS, Counter, Piece, pieces
from spanwise.markdown.layout import SECTION
from spanwise.markdown.options import ChunkOptions, is_mdx
from spanwise.spans import Unit, to_unit

ID_BYTES = 16
"""What an id is of the SHA-256 it comes from; each is two of its hex digits."""
ID_DIGITS = 2 * ID_BYTES
"""Hex digits of `chunk_id`, `doc_id` and `text_sha`."""
BYTES_PER_TOKEN = 4
"""UTF-8 bytes that an estimated token has."""


class Chunk(TypedDict):
    """One chunk of one document."""

    id: str
    """For display: source, `#`, index."""
    chunk_id: str
    """The same as long as source, heading path and text are; see `Ids`."""
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
    media_type: NotRequired[str]
    """Of what was converted (PDF, Word, HTML ...), as the next four; lines and span are those of
    the Markdown it became, which `spanwise convert` prints."""
    title: NotRequired[str]
    pages: NotRequired[Pages | None]
    regions: NotRequired[list[Region]]
    """The places of the span in the original; see the format."""
    prefix_regions: NotRequired[list[Region]]
    """The places of what the prefix repeats: an overlap, the header of a table."""


# Copying a dict of the right size is faster than filling one, which grows three times on its way.
_USUAL: Final[Chunk] = {
    "id": "", "chunk_id": "", "doc_id": "", "text_sha": "", "source": "", "index": 0,
    "kind": "section", "heading_path": [], "heading_level": 0, "anchor": None, "start_line": 0,
    "end_line": 0, "start": 0, "end": 0, "part": 1, "parts": 1, "chars": 0, "tokens": 0,
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


def document_rows(
    document: Document, source: str, options: ChunkOptions, counter: Counter | None = None
) -> list[Chunk]:
    """The chunks of a converted document, with their places in the original."""
    check_unicode(source, "source")
    found = pieces(document.text, options, counter)
    rows = rows_of(document.text, found, source, options, counter)
    for row, piece in zip(rows, found, strict=True):
        row["media_type"] = document.media_type
        row["title"] = document.title
        row["pages"] = document.pages(piece.start, piece.end)
        row["regions"] = document.regions(piece.start, piece.end)
        taken = piece.taken or []
        repeated: list[Region] = []
        for at in range(0, len(taken), 2):
            repeated += document.regions(taken[at], taken[at + 1])
        row["prefix_regions"] = repeated
    return rows


def rows_of(
    text: str,
    found: list[Piece],
    source: str,
    options: ChunkOptions,
    counter: Counter | None = None,
) -> list[Chunk]:
    """The rows of pieces of `text`, which ascend."""
    usual = _USUAL.copy()
    usual["doc_id"] = document_id(source)
    usual["source"] = source
    usual["tokens_exact"] = counter is not None
    ids = Ids(source)
    rows: list[Chunk] = []
    for index, piece in enumerate(found, 1):
        section = piece.section
        part = text[piece.start : piece.end]
        row = usual.copy()
        if piece.prefix or piece.suffix:
            part = piece.prefix + part + piece.suffix
            row["prefix_chars"] = len(piece.prefix)
            row["suffix_chars"] = len(piece.suffix)
        encoded = part.encode()
        path = piece.path
        ids.take(encoded, path)
        row["text_sha"] = ids.text_sha.hex()
        row["id"] = f"{source}#{index}"
        row["chunk_id"] = ids.chunk_id.hex()
        row["index"] = index
        if section.kind != SECTION:
            row["kind"] = KINDS[section.kind]
        row["heading_path"] = path[:]
        row["heading_level"] = section.level
        row["anchor"] = section.anchor
        row["start_line"] = piece.start_line
        row["end_line"] = piece.end_line
        row["start"] = piece.start
        row["end"] = piece.end
        if piece.parts > 1:
            row["part"] = piece.part
            row["parts"] = piece.parts
        row["chars"] = len(part)
        if counter is None:
            row["tokens"] = (len(encoded) + BYTES_PER_TOKEN - 1) // BYTES_PER_TOKEN
        else:
            row["tokens"] = piece.tokens if piece.tokens >= 0 else counter.count(part)
        row["text"] = part
        if piece.joined is not None:
            row["headings"] = [joined.path[-1] for joined in piece.joined]
        rows.append(row)
    if options.unit != "code_point":
        _count_in(options.unit, text, rows)
    return rows


@final
class Ids:
    """The ids of the chunks of one document, made in their order: bytes, shown as hex digits.

    A `chunk_id` is the first 32 hex digits of the SHA-256 of the text followed by the compact JSON
    `[source, heading_path, n]`, n being the number of equal chunks of the document before this one.
    No offset, line or ordinal is in it, so an edit elsewhere in the document leaves the id alone.
    """

    def __init__(self, source: str) -> None:
        """For the document called `source`."""
        self.source = source
        self.text_sha = b""
        self.chunk_id = b""
        self.start_hash = sha256()  # copying one is faster than making one
        self.seen: dict[bytes, int] = {}

    def take(self, encoded: bytes, path: list[str]) -> None:
        """Let `text_sha` and `chunk_id` be those of the next chunk, whose text is `encoded`."""
        text_hash = self.start_hash.copy()
        text_hash.update(encoded)
        self.text_sha = text_hash.digest()[:ID_BYTES]
        text_hash.update(orjson.dumps([self.source, path, 0]))
        chunk_id = text_hash.digest()[:ID_BYTES]
        times = self.seen.get(chunk_id, 0)
        self.seen[chunk_id] = times + 1
        if times > 0:
            text_hash = sha256(encoded)
            text_hash.update(orjson.dumps([self.source, path, times]))
            chunk_id = text_hash.digest()[:ID_BYTES]
        self.chunk_id = chunk_id


def _count_in(unit: Unit, text: str, rows: list[Chunk]) -> None:
    """Let `start` and `end` of the rows count in `unit` instead of code points."""
    offsets: list[int] = []
    for row in rows:
        offsets.append(row["start"])
        offsets.append(row["end"])
    shown = iter(to_unit(text, offsets, unit))
    for row in rows:
        row["start"] = next(shown)
        row["end"] = next(shown)


def document_id(source: str) -> str:
    """The id of a document by its name."""
    return sha256(source.encode()).hexdigest()[:ID_DIGITS]


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
