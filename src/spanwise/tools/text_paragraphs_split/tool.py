"""text-paragraphs-split: the paragraphs of a text, one row each."""

from spanwise.contract import Limits, Result
from spanwise.text import paragraphs


def run(limits: Limits, *, text: str) -> Result:
    """The paragraphs of `text` and how many they are."""
    rows = paragraphs(text)
    limits.count("max_paragraphs", len(rows), "paragraphs")
    result: Result = {"paragraph_count": len(rows), "paragraphs": rows}
    limits.output("max_output_bytes", result)
    return result
