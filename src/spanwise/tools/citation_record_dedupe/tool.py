"""citation-record-dedupe: CSL-JSON records of the same work, grouped by exact keys."""

from typing import Any

from spanwise.citations import dedupe_records
from spanwise.contract import Limits, Result


def run(limits: Limits, *, records: list[dict[str, Any]]) -> Result:
    """The groups of `records`, and how many records repeat an earlier one."""
    limits.count("max_records", len(records), "records")
    groups = dedupe_records(records)
    result: Result = {
        "record_count": len(records),
        "group_count": len(groups),
        "duplicate_count": len(records) - len(groups),
        "groups": groups,
    }
    limits.output("max_output_bytes", result)
    return result
