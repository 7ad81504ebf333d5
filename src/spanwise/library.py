"""The functions a program calls to chunk a text or a file."""

from os import PathLike

from spanwise.files import read_text, source_name
from spanwise.markdown.options import ChunkOptions, FrontMatter
from spanwise.rows import Chunk, chunk_rows
from spanwise.spans import Unit


def chunk_markdown(
    text: str,
    *,
    source: str = "text",
    front_matter: FrontMatter = "chunk",
    unit: Unit = "code_point",
    mdx: bool | None = None,
) -> list[Chunk]:
    """The chunks of a Markdown text, one for each section.

    source: name of the document in the rows; the ids depend on it.
    front_matter: YAML or TOML at the very top becomes a chunk, or is left out with "drop".
    unit: what `start` and `end` count: code points, UTF-16 code units or UTF-8 bytes.
    mdx: read MDX where it differs from Markdown; by default where the source ends with .mdx.
    Raises InvalidInput for a value that is not one, and at a lone surrogate.
    """
    return chunk_rows(text, source, ChunkOptions(front_matter, unit, mdx))


def chunk_file(
    path: str | PathLike[str],
    *,
    source: str | None = None,
    front_matter: FrontMatter = "chunk",
    unit: Unit = "code_point",
    mdx: bool | None = None,
) -> list[Chunk]:
    """The chunks of a Markdown file in UTF-8; see `chunk_markdown`.

    `source` is the path as given, unless another name is. Offsets count from the first character
    after a byte order mark. Raises UnreadableSource where the file cannot be read or is not UTF-8.
    """
    name = source_name(path) if source is None else source
    text = read_text(path)
    return chunk_markdown(text, source=name, front_matter=front_matter, unit=unit, mdx=mdx)
