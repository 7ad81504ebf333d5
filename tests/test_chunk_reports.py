"""Faults that people met in chunkers, as cases: through the library and through the command."""

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from spanwise import InvalidInput, chunk_markdown
from spanwise.doors.cli import main
from tests.chunk_laws import fence_faults, parsed
from tests.shared_data import field_reports

Rows = list[dict[str, Any]]
Call = Callable[[dict[str, Any], Path], Rows]


class Refused(Exception):
    """The options were not accepted."""


def library(given: dict[str, Any], folder: Path) -> Rows:
    options = {name: value for name, value in given.items() if name != "text"}
    try:
        return [dict(row) for row in chunk_markdown(given["text"], **options)]
    except InvalidInput as error:
        raise Refused(error.message) from None


def command(given: dict[str, Any], folder: Path) -> Rows:
    path = folder / "given.md"
    path.write_bytes(given["text"].encode())
    arguments = ["chunk", str(path), "-o", "-"]
    for name, value in given.items():
        if name != "text":
            option = "--" + name.replace("_", "-")
            arguments += [option] if value is True else [option, str(value)]
    done = CliRunner().invoke(main, arguments)
    if done.exit_code:
        assert done.stdout == ""
        raise Refused(done.stderr)
    return [json.loads(line) for line in done.stdout_bytes.split(b"\n") if line]


def holding(rows: Rows, text: str) -> Rows:
    return [row for row in rows if text in row["text"]]


def shared(before: str, after: str) -> int:
    """Length of the longest text that ends one chunk and begins the next."""
    sizes = range(min(len(before), len(after)), -1, -1)
    return next(size for size in sizes if before.endswith(after[:size]))


def once(rows: Rows, wanted: list[str], source: str) -> bool:
    return all(len(holding(rows, text)) == 1 for text in wanted)


def chunk_with(rows: Rows, wanted: dict[str, Any], source: str) -> bool:
    fields = {name: value for name, value in wanted.items() if name != "text_contains"}
    return any(fields.items() <= row.items() for row in holding(rows, wanted["text_contains"]))


def lines_match(rows: Rows, wanted: bool, source: str) -> bool:
    lines = source.split("\n")
    return all(
        "\n".join(lines[row["start_line"] - 1 : row["end_line"]]).strip() == row["text"].strip()
        for row in rows
    )


def continuations(rows: Rows) -> Rows:
    return [row for row in rows if row["part"] > 1]


CHECKS: dict[str, Callable[[Rows, Any, str], bool]] = {
    "every_chunk_max": lambda rows, most, _: all(len(row["text"]) <= most for row in rows),
    "heading_paths": lambda rows, paths, _: (
        [
            row["heading_path"]
            for i, row in enumerate(rows)
            if not i or row["heading_path"] != rows[i - 1]["heading_path"]
        ]
        == paths
    ),
    "chunk_with": chunk_with,
    "text_once": once,
    "text_somewhere": lambda rows, texts, _: all(holding(rows, text) for text in texts),
    "text_or_path_somewhere": lambda rows, texts, _: all(
        any(text in row["text"] or text in row["heading_path"] for row in rows) for text in texts
    ),
    "path_only": lambda rows, pairs, _: all(
        holding(rows, text) and all(row["heading_path"] == path for row in holding(rows, text))
        for text, path in pairs
    ),
    "one_chunk_contains_all": lambda rows, texts, _: any(
        all(text in row["text"] for text in texts) for row in rows
    ),
    "continuation_starts_with": lambda rows, start, _: all(
        row["text"].startswith(start) for row in continuations(rows)
    ),
    "every_chunk_starts_with": lambda rows, start, _: all(
        row["text"].startswith(start) for row in rows
    ),
    "every_code_part_opens_with": lambda rows, start, _: all(
        start in row["text"] for row in holding(rows, "compute(")
    ),
    "fences_balanced": lambda rows, _, __: (
        not any(
            True
            for _ in fence_faults(rows, [parsed(row["text"]) for row in rows])  # type: ignore[arg-type]
        )
    ),
    "non_space_text_preserved": lambda rows, _, source: (
        "".join("".join(row["text"].split()) for row in rows) == "".join(source.split())
    ),
    "text_matches_lines": lines_match,
    "start_lines_increase": lambda rows, _, __: all(
        one["start_line"] < two["start_line"] for one, two in pairwise(rows)
    ),
    "first_start_line": lambda rows, line, _: rows[0]["start_line"] == line,
    "continuation_start_line": lambda rows, line, _: all(
        row["start_line"] == line for row in continuations(rows)
    ),
    "continuations_share_with_previous": lambda rows, size, _: all(
        size["min"] <= shared(one["text"], two["text"]) <= size["max"]
        for one, two in pairwise(rows)
        if two["part"] > 1
    ),
    "min_parts": lambda rows, least, _: rows[0]["parts"] >= least,
    "min_chunks": lambda rows, least, _: len(rows) >= least,
    "no_chunk_ends_with_heading": lambda rows, _, __: (
        not any(row["text"].split("\n")[-1].startswith("#") for row in rows)
    ),
}


@pytest.mark.parametrize("call", [library, command], ids=lambda call: call.__name__)
@pytest.mark.parametrize("case", field_reports("chunk-markdown"), ids=lambda case: case["id"])
def test_field_report(case: dict[str, Any], call: Call, tmp_path: Path) -> None:
    expected = case["expect"]
    if "error" in expected:
        with pytest.raises(Refused, match="overlap_chars: 300 is more than half"):
            call(case["input"], tmp_path)
        return
    rows = call(case["input"], tmp_path)
    for name, value in expected.items():
        assert CHECKS[name](rows, value, case["input"]["text"]), f"{name}: {case['why']}"
