"""text-sentences-chunk: whole sentences packed under a size limit."""

from spanwise.contract import Limits, Result
from spanwise.spans import Unit
from spanwise.text import DATA_VERSION, chunk_rows, sentence_boundaries


def run(
    limits: Limits, *, text: str, max_size: int, unit: Unit = "code_point", overlap: int = 0
) -> Result:
    """The chunks of `text`, and how many they and its sentences are."""
    boundaries = sentence_boundaries(text)
    sentence_count = max(len(boundaries) - 1, 0)
    limits.count("max_sentences", sentence_count, "sentences")
    chunks = chunk_rows(text, boundaries, max_size, unit, overlap)
    result: Result = {
        "data_version": DATA_VERSION,
        "unit": unit,
        "max_size": max_size,
        "overlap": overlap,
        "sentence_count": sentence_count,
        "count": len(chunks),
        "chunks": chunks,
    }
    limits.output("max_output_bytes", result)
    return result
