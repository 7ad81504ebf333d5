"""The chunk row: its fields, its ids, its laws on generated and on real documents."""

import hashlib
import json
import math
import time
from typing import Any, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spanwise import Chunk, InvalidInput, chunk_markdown
from spanwise.kernel.lines import line_starts
from spanwise.markdown.options import ChunkOptions
from spanwise.rows import chunk_rows, json_lines
from spanwise.spans import UNITS, Unit
from tests.shared_data import (
    DATA,
    build,
    field_reports,
    markdown_files,
    needs_data,
    pathological,
)


def pathological_cases() -> list[tuple[str, list[Any]]]:
    return list(pathological()) if DATA.is_dir() else []


GUIDE = "---\nt: x\n---\n\nHello.\n\n# Guide\n\n## Set up\n\nSteps 漢字 📦.\n\n## Use\n\n# End\n"
FIELDS = (
    "id chunk_id doc_id text_sha source index kind heading_path heading_level anchor start_line "
    "end_line start end part parts chars tokens tokens_exact prefix_chars suffix_chars text"
).split()


def test_the_fields_of_a_row() -> None:
    rows = chunk_markdown(GUIDE, source="guide.md")
    assert [(r["kind"], r["heading_path"], r["start_line"], r["end_line"]) for r in rows] == [
        ("front_matter", [], 1, 3),
        ("preamble", [], 5, 5),
        ("section", ["Guide", "Set up"], 9, 11),
        ("section", ["Guide", "Use"], 13, 13),
        ("section", ["End"], 15, 15),
    ]
    assert all(list(row) == FIELDS for row in rows)
    converted = ["media_type", "title", "pages", "regions", "prefix_regions"]
    assert list(get_type_hints(Chunk)) == [*FIELDS, "headings", *converted]
    text = "## Set up\n\nSteps 漢字 📦."
    encoded = text.encode()
    identity = json.dumps(["guide.md", ["Guide", "Set up"], 0], separators=(",", ":")).encode()
    assert dict(rows[2]) == {
        "id": "guide.md#3",
        "chunk_id": hashlib.sha256(encoded + identity).hexdigest()[:32],
        "doc_id": hashlib.sha256(b"guide.md").hexdigest()[:32],
        "text_sha": hashlib.sha256(encoded).hexdigest()[:32],
        "source": "guide.md",
        "index": 3,
        "kind": "section",
        "heading_path": ["Guide", "Set up"],
        "heading_level": 2,
        "anchor": "set-up",
        "start_line": 9,
        "end_line": 11,
        "start": GUIDE.index("## Set"),
        "end": GUIDE.index("## Use") - 2,
        "part": 1,
        "parts": 1,
        "chars": len(text),
        "tokens": math.ceil(len(encoded) / 4),
        "tokens_exact": False,
        "prefix_chars": 0,
        "suffix_chars": 0,
        "text": text,
    }


def test_front_matter_can_be_dropped() -> None:
    rows = chunk_markdown(GUIDE, front_matter="drop")
    assert rows[0]["kind"] == "preamble"
    assert rows[0]["start_line"] == 5


def test_equal_chunks_have_different_ids() -> None:
    rows = chunk_markdown("# A\n\nx\n\n# A\n\nx\n\n# A\n\nx\n")
    assert len({row["chunk_id"] for row in rows}) == 3
    assert len({row["text_sha"] for row in rows}) == 1


def test_ids_outlive_an_edit_elsewhere() -> None:
    before = chunk_markdown(GUIDE)
    after = chunk_markdown(GUIDE.replace("# Guide\n", "# New\n\nText.\n\n# Guide\n"))
    missing = {row["chunk_id"] for row in before} - {row["chunk_id"] for row in after}
    assert not missing


def test_rows_do_not_share_their_paths() -> None:
    rows = chunk_markdown("# A\n\nx\n\n## B\n\ny\n")
    rows[0]["heading_path"].append("changed")
    assert rows[1]["heading_path"] == ["A", "B"]


@pytest.mark.parametrize("case", field_reports("library"), ids=lambda case: case["id"])
def test_calls_are_independent(case: dict[str, Any]) -> None:
    first, second = [chunk_markdown(call["text"]) for call in case["input"]["calls"]]
    assert first
    expected = case["expect"]["call_2"]
    assert [row["heading_path"] for row in second] == expected["heading_paths"]
    assert not any(part in row["text"] for part in expected["text_nowhere"] for row in second)


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("a\ud800", {}, "text: lone surrogate at code point 1"),
        ("a\ud800", {"unit": "utf8"}, "text: lone surrogate at code point 1"),
        ("# a\ud800\n\n## b\n\nc", {}, "text: lone surrogate at code point 3"),
        ("---\n\ud800\n---\n", {"front_matter": "drop"}, "text: lone surrogate at code point 4"),
        ("a", {"source": "\udfff"}, "source: lone surrogate"),
        ("a", {"unit": "bytes"}, "unit: 'bytes' is none of code_point, utf16, utf8"),
        ("a", {"front_matter": "keep"}, "front_matter: 'keep' is none of chunk, drop"),
    ],
)
def test_bad_input_is_refused(text: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        chunk_markdown(text, **options)


def slice_of(text: str, start: int, end: int, unit: Unit) -> str:
    if unit == "utf8":
        return text.encode()[start:end].decode()
    if unit == "utf16":
        return text.encode("utf-16-le")[2 * start : 2 * end].decode("utf-16-le")
    return text[start:end]


def check_laws(text: str, unit: Unit) -> None:
    """Uncut sections: spans exact and in order, lines right, no line with text lost or doubled."""
    rows = chunk_rows(text, "a.md", ChunkOptions(unit=unit, max_chars=1 << 30))
    starts = list(line_starts(text))
    bare = {row["start_line"] for row in chunk_headings(text)}
    covered: list[int] = []
    for row in rows:
        inner = row["text"][row["prefix_chars"] : row["chars"] - row["suffix_chars"]]
        assert inner == slice_of(text, row["start"], row["end"], unit)
        assert row["text"] == row["text"].strip("\r\n")
        covered += range(row["start_line"], row["end_line"] + 1)
    assert covered == sorted(set(covered))
    ends = [*starts[1:], len(text)][: len(starts)]
    wanted = {
        number
        for number, (start, end) in enumerate(zip(starts, ends, strict=True), 1)
        if text[start:end].strip(" \t\r\n")
    }
    assert wanted - bare <= set(covered)
    if unit == "code_point":
        for row in rows:
            assert starts[row["start_line"] - 1] == row["start"]
            last = row["end_line"]
            assert starts[last - 1] < row["end"] <= ends[last - 1]
            assert not text[row["end"] : ends[last - 1]].strip("\r\n")
    lines = json_lines(rows).split(b"\n")
    assert [json.loads(line) for line in lines[:-1]] == rows
    assert lines[-1] == b""


def chunk_headings(text: str) -> list[dict[str, int]]:
    """Every line of a heading that has no text of its own; those may be without a chunk."""
    from spanwise.markdown.layout import layout

    return [
        {"start_line": line}
        for span in layout(text).spans
        if span.is_bare()
        for line in range(span.start_line, span.end_line + 1)
    ]


MARKDOWN = st.lists(
    st.sampled_from(
        [
            *["# A", "## B 漢", "### *C*", "text", "📦 é", "", "  ", "\t", "---", "===", "> # q"],
            *["- item", "  more", "```", "+++", "...", "a: b", "    code", "[x]: /u", "<div>"],
        ]
    ),
    max_size=25,
).flatmap(lambda lines: st.sampled_from(["\n", "\r\n", "\r"]).map(lambda end: end.join(lines)))


@settings(max_examples=400, deadline=None)
@given(MARKDOWN, st.sampled_from(UNITS))
def test_laws_on_generated_documents(text: str, unit: Unit) -> None:
    check_laws(text, unit)


@needs_data
def test_laws_on_real_documents() -> None:
    for number, record in enumerate(markdown_files()):
        check_laws(record["text"], UNITS[number % 3])


@pytest.mark.parametrize(("name", "parts"), pathological_cases(), ids=lambda x: str(x)[:40])
def test_hostile_documents_cost_linear_time(name: str, parts: list[Any]) -> None:
    def seconds(factor: float, runs: int) -> tuple[int, float]:
        text = build(parts, factor)
        times = []
        for _ in range(runs):
            start = time.process_time()
            chunk_markdown(text)
            times.append(time.process_time() - start)
        return len(text), min(times)

    small, little = seconds(0.05, 3)
    large, much = seconds(0.2, 2)
    assert much < little * (large / small) * 3 + 0.02
