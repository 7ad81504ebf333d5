"""text-sentences-split: the sentences of a text, one row each."""

from spanwise.contract import Limits, Result
from spanwise.spans import Unit
from spanwise.text import (
    DATA_VERSION,
    SUPPRESSIONS_VERSION,
    Language,
    joined_boundaries,
    sentence_boundaries,
    sentence_rows,
)


def run(
    limits: Limits,
    *,
    text: str,
    unit: Unit = "code_point",
    trim: bool = False,
    suppressions: Language | None = None,
) -> Result:
    """The sentences of `text`, and how many they are with the blank ones that `trim` leaves out."""
    boundaries = sentence_boundaries(text)
    if suppressions is not None:
        boundaries = joined_boundaries(text, boundaries, suppressions)
    sentence_count = max(len(boundaries) - 1, 0)
    limits.count("max_sentences", sentence_count, "sentences")
    result: Result = {
        "data_version": DATA_VERSION,
        "unit": unit,
        "trim": trim,
        "suppressions": suppressions,
        "suppressions_version": None if suppressions is None else SUPPRESSIONS_VERSION,
        "sentence_count": sentence_count,
        "sentences": sentence_rows(text, boundaries, unit, trim),
    }
    limits.output("max_output_bytes", result)
    return result
