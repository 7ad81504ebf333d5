"""json-candidate-list: the JSON objects and arrays that stand in a text outside fenced code."""

from spanwise.contract import Limits, Result
from spanwise.json_text import Kind, candidate_rows
from spanwise.spans import Unit


def run(
    limits: Limits,
    *,
    text: str,
    include_fences: bool = False,
    kind: Kind = "any",
    unit: Unit = "code_point",
) -> Result:
    """The candidates in `text`, how many they are and how many of them are valid."""
    rows = candidate_rows(text, include_fences, kind, unit)
    limits.count("max_candidates", len(rows), "candidates")
    result: Result = {
        "unit": unit,
        "candidate_count": len(rows),
        "valid_count": sum(row["json_valid"] for row in rows),
        "candidates": rows,
    }
    limits.output("max_output_bytes", result)
    return result
