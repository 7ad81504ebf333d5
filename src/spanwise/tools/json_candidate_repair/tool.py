"""json-candidate-repair: almost-JSON made JSON by edits that can be read, or left alone."""

from spanwise.contract import Limits, Result
from spanwise.json_text import repair_json
from spanwise.spans import Unit


def run(limits: Limits, *, text: str, unit: Unit = "code_point") -> Result:
    """What became of `text`, the edits that did it, and the value's text."""
    repair = repair_json(text, unit)
    limits.count("max_edits", len(repair["edits"]), "edits")
    result: Result = {"unit": unit, **repair}
    limits.output("max_output_bytes", result)
    return result
