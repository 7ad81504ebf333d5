"""citation-batch-check: whether quotes stand in their sources where they are said to."""

from spanwise.citations import Citation, check_citations
from spanwise.contract import Limits, Result
from spanwise.errors import InvalidInput
from spanwise.spans import Unit


def run(
    limits: Limits,
    *,
    sources: list[dict[str, str]],
    citations: list[Citation],
    unit: Unit = "code_point",
    stop_at_failure: bool = False,
) -> Result:
    """What became of each citation, and whether all are right."""
    limits.count("max_sources", len(sources), "sources")
    limits.count("max_citations", len(citations), "citations")
    texts: dict[str, str] = {}
    for index, source in enumerate(sources):
        if source["id"] in texts:
            raise InvalidInput(
                f"sources.{index}.id: {source['id']!r} is there twice", field=f"sources.{index}.id"
            )
        texts[source["id"]] = source["text"]
    rows = check_citations(texts, citations, unit, stop_at_failure)
    failures = sum(not row["ok"] for row in rows)
    result: Result = {
        "unit": unit,
        "ok": failures == 0,
        "citation_count": len(citations),
        "checked_count": len(rows),
        "failure_count": failures,
        "results": rows,
    }
    limits.output("max_output_bytes", result)
    return result
