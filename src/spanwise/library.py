"""The functions a program calls to chunk a text or a file."""

from os import PathLike
from typing import TypedDict, Unpack

from spanwise.files import read_text, source_name
from spanwise.markdown.options import ChunkOptions, FrontMatter
from spanwise.rows import Chunk, chunk_rows
from spanwise.spans import Unit
from spanwise.tokens import counter_of


class Options(TypedDict, total=False):
    """The options of `chunk_markdown` and `chunk_file`, by name; see `ChunkOptions`."""

    front_matter: FrontMatter
    unit: Unit
    mdx: bool | None
    max_chars: int | None
    max_tokens: int | None
    tokenizer: str | None
    overlap_chars: int
    overlap_tokens: int
    prefix_path: bool
    min_chars: int


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
    path: str | PathLike[str], *, source: str | None = None, **options: Unpack[Options]
) -> list[Chunk]:
    """The chunks of a Markdown file in UTF-8; see `chunk_markdown`.

    `source` is the path as given, unless another name is. Offsets count from the first character
    after a byte order mark. Raises UnreadableSource where the file cannot be read or is not UTF-8.
    """
    name = source_name(path) if source is None else source
    return chunk_markdown(read_text(path), source=name, **options)
