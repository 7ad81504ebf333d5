"""Arrow in, Arrow out: chunks for DuckDB, Polars, Ray, Spark and whoever else speaks it.

    >>> from spanwise.arrow import chunk_batch
    >>> chunks = chunk_batch(table, text="body", source="path", carry=["language"])

schema    the columns of the chunk row
columns   chunks into Arrow's buffers, compiled
building  record batches of them
batches   the door: any Arrow data in, chunks out

The extra `arrow` brings pyarrow; it is imported when one of the names here is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spanwise.arrow.batches import BatchChunker, ChunkStream, chunk_batch, chunk_stream
    from spanwise.arrow.building import SCHEMA

_HOME = {"SCHEMA": "building"} | dict.fromkeys(
    ("BatchChunker", "ChunkStream", "chunk_batch", "chunk_stream"), "batches"
)

__all__ = ["SCHEMA", "BatchChunker", "ChunkStream", "chunk_batch", "chunk_stream"]


def __getattr__(name: str) -> Any:
    """Load a public name from the module it lives in; InvalidInput without the extra."""
    module = _HOME.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"spanwise.arrow.{module}"), name)
    globals()[name] = value
    return value
