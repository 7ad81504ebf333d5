"""text-sentence-offsets: where sentences start and end, and why they end."""

from spanwise.contract import Limits, Result
from spanwise.spans import Unit, to_unit
from spanwise.text import DATA_VERSION, ending_rules, sentence_boundaries


def run(limits: Limits, *, text: str, unit: Unit = "code_point") -> Result:
    """Starts, ends and rules of the sentences of `text`."""
    boundaries = sentence_boundaries(text)
    offsets = to_unit(text, boundaries, unit)
    starts = offsets[:-1]
    limits.count("max_sentences", len(starts), "sentences")
    result: Result = {
        "data_version": DATA_VERSION,
        "unit": unit,
        "sentence_count": len(starts),
        "starts": starts,
        "ends": offsets[1:],
        "rules": ending_rules(text, boundaries),
    }
    limits.output("max_output_bytes", result)
    return result
