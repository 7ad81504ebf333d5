"""markdown-chunk: chunks of bounded size along headings and blocks."""

from typing import Any

from spanwise.contract import Limits, Result
from spanwise.kernel.blocks import scan
from spanwise.kernel.records import HEADINGS
from spanwise.markdown.front_matter import front_matter_end
from spanwise.markdown.options import ChunkOptions
from spanwise.rows import chunk_rows


def run(
    limits: Limits, *, markdown: str, source: str = "text", mdx: bool = False, **options: Any
) -> Result:
    """The chunks of `markdown`, how many they are and how big the biggest is."""
    checked = ChunkOptions(mdx=mdx, **options)
    depth = scan(markdown, HEADINGS, True, mdx, front_matter_end(markdown)).max_depth
    limits.count("max_nesting_depth", depth, "nested block quotes and list items")
    chunks = chunk_rows(markdown, source, checked)
    limits.count("max_chunks", len(chunks), "chunks")
    limits.output("max_output_bytes", chunks)
    biggest = max((chunk["chars"] for chunk in chunks), default=0)
    return {"chunk_count": len(chunks), "biggest_chunk_chars": biggest, "chunks": chunks}
