"""How fast JSON is checked and fences are found, against parsers of JSON and of Markdown.

    python -m venv bench-env
    bench-env/bin/pip install . -r benchmarks/json-peers.txt
    bench-env/bin/python -m benchmarks.json_text [--check]

See `benchmarks.floors` for how. The texts come from the shared test data (SPANWISE_TEST_DATA).
"""

import json
from collections.abc import Iterator
from importlib import import_module

import orjson

from benchmarks.floors import Floor, Run, Table, main, records
from spanwise.json_text import check_json, json_fences

CHECK_FLOORS = {
    # Where all is long strings, json.loads does hardly more than copy them.
    "compiled": [Floor("check_json", "json.loads", 1.0, {"strings": 0.6})],
    "interpreted": [],
}
FENCE_FLOORS = {
    "compiled": [
        Floor("json_fences", "pyromark", 1.0),
        Floor("json_fences", "markdown-it-py", 5.0),
    ],
    "interpreted": [Floor("json_fences", "markdown-it-py", 0.5)],
}


def json_texts() -> dict[str, list[str]]:
    """Valid JSON: what models wrote, one big file compact and indented, numbers, long strings."""
    fences = [fence for one in records("replies/fences.jsonl") for fence in one["fences"]]
    library = [one["record"] for one in records("csl/records.jsonl")]
    flows = [one["flow"] for one in records("plaintext/udhr.jsonl")]
    return {
        "replies": [fence["content"] for fence in fences if fence["json_valid"]],
        "compact": [json.dumps(library, ensure_ascii=False, separators=(",", ":"))],
        "indented": [json.dumps(library, indent=2)],
        "numbers": [json.dumps([number * 1.37 for number in range(50_000)])],
        "strings": [json.dumps(flows, ensure_ascii=False)],
    }


def finders() -> dict[str, Run]:
    """What finds fences in Markdown, by name."""
    parser = import_module("markdown_it").MarkdownIt("commonmark")
    events = import_module("pyromark").events_with_range

    def pyromark(text: str) -> None:
        for _ in events(text):
            pass

    return {
        "json_fences": lambda text: json_fences(text, unit="utf16"),
        "every fence": lambda text: json_fences(text, "all", "utf16"),
        "pyromark": pyromark,
        "markdown-it-py": parser.parse,
    }


def tables() -> Iterator[Table]:
    """Checking JSON, then fences in the replies of models."""
    checkers: dict[str, Run] = {
        "check_json": check_json,
        "json.loads": json.loads,
        "orjson.loads": orjson.loads,
    }
    yield Table("check", json_texts(), checkers, CHECK_FLOORS)
    replies = {"replies": [one["reply"] for one in records("replies/replies.jsonl")]}
    yield Table(
        "fences",
        replies,
        finders(),
        FENCE_FLOORS,
        slow={"markdown-it-py": 100_000},
        aims={"json_fences": 200.0},
    )


if __name__ == "__main__":
    main("benchmarks.json_text", "Measure the JSON check and the fence finder.", tables)
