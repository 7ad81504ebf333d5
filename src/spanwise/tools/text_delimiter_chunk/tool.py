"""text-delimiter-chunk: what stands between the delimiters of a text, one row each."""

from spanwise.contract import Limits, Result
from spanwise.text import split_delimiter


def run(limits: Limits, *, text: str, delimiter: str, max_splits: int | None = None) -> Result:
    """The chunks of `text` and how many they are."""
    chunks = split_delimiter(text, delimiter, max_splits)
    limits.count("max_chunks", len(chunks), "chunks")
    result: Result = {"count": len(chunks), "chunks": chunks}
    limits.output("max_output_bytes", result)
    return result
