"""The functions a program calls to chunk a text or a file."""

from os import PathLike
from typing import TypedDict, Unpack

import orjson

from spanwise.document import Notice, Region
from spanwise.files import decode, read_bytes, source_name
from spanwise.formats import MARKDOWN, Settings
from spanwise.formats.sniffing import media_type
from spanwise.markdown.options import ChunkOptions, Options
from spanwise.rows import Chunk, chunk_rows
from spanwise.tokens import counter_of


class SegmentRow(TypedDict):
    """A stretch of converted text that stands in the original."""

    start: int
    end: int
    regions: list[Region]


class Conversion(TypedDict):
    """A file as Markdown."""

    text: str
    title: str
    media_type: str
    notices: list[Notice]
    segments: list[SegmentRow]


def chunk_markdown(text: str, *, source: str = "text", **options: Unpack[Options]) -> list[Chunk]:
    """The chunks of a Markdown text: each section, cut where it is bigger than `max_chars`.

    source: name of the document in the rows; the ids depend on it.
    max_chars: code points of the biggest chunk (default 1500, at least 200), additions included.
    max_tokens, tokenizer: limit tokens instead, counted exactly by an encoding such as
        "cl100k_base" or a local tokenizer.json.
    overlap_chars, overlap_tokens: how much of the end of a part the next part may repeat, in whole
        words; at most half of the size.
    prefix_path: begin each chunk with its heading path.
    min_chars: join neighbouring sections under one parent until they hold that many.
    front_matter: YAML or TOML at the very top becomes a chunk, or is left out with "drop".
    unit: what `start` and `end` count: code points, UTF-16 code units or UTF-8 bytes.
    mdx: read MDX where it differs from Markdown; by default where the source ends with .mdx.
    Raises InvalidInput for a value that is not one, and at a lone surrogate.
    """
    checked = ChunkOptions(**options)
    return chunk_rows(text, source, checked, counter_of(checked.tokenizer))


def chunk_file(
    path: str | PathLike[str],
    *,
    source: str | None = None,
    settings: Settings | None = None,
    **options: Unpack[Options],
) -> list[Chunk]:
    """The chunks of a file; see `chunk_markdown`.

    `source` is the path as given, unless another name is. Markdown and text are read as UTF-8, and
    offsets count from the first character after a byte order mark. Documents (PDF, Word, HTML ...,
    known by what is in them) are converted in a child process; their rows say where each chunk
    stands in the original. `settings` are for those.
    Raises UnreadableSource where the file cannot be read, LimitExceeded where it is too much.
    """
    name = source_name(path) if source is None else source
    data = read_bytes(path)
    found = media_type(data, name)
    if found == MARKDOWN:
        return chunk_markdown(decode(data, name), source=name, **options)
    from spanwise.formats.sandbox import chunked  # starts processes

    _, lines = chunked(data, name, found, ChunkOptions(**options), settings or Settings())
    return [orjson.loads(line) for line in lines.splitlines()]


def convert_file(
    path: str | PathLike[str], *, source: str | None = None, settings: Settings | None = None
) -> Conversion:
    """A document as Markdown, with where each stretch of it stands in the original.

    Markdown and text come back as they are. Raises as `chunk_file` does.
    """
    name = source_name(path) if source is None else source
    return convert_bytes(read_bytes(path), name, settings)


def convert_bytes(data: bytes, name: str, settings: Settings | None = None) -> Conversion:
    """As `convert_file`, of the bytes of a file called `name`."""
    found = media_type(data, name)
    if found == MARKDOWN:
        text = decode(data, name)
        return Conversion(text=text, title="", media_type=found, notices=[], segments=[])
    from spanwise.formats.sandbox import converted  # starts processes

    document: Conversion = converted(data, name, found, settings or Settings())
    return document
