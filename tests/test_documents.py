"""The Document, the writer of canonical Markdown, the child process, and a notebook all the way."""

import json
import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from spanwise import chunk_file, convert_file
from spanwise.document import Document, Pages, Region, Stretch
from spanwise.errors import LimitExceeded, SpanwiseError, UnreadableSource
from spanwise.formats import Settings
from spanwise.formats.sandbox import sandbox
from spanwise.formats.sniffing import media_type
from spanwise.formats.writer import Run, Writer
from spanwise.kernel.blocks import scan
from spanwise.kernel.records import ATX_HEADING, PARAGRAPH
from spanwise.kernel.tables import is_table
from spanwise.markdown.options import ChunkOptions
from spanwise.rows import document_rows
from spanwise.verifying import verify_rows


class Lines:
    """Places that are the stretches themselves."""

    def regions(self, stretches: Sequence[Stretch]) -> list[Region]:
        return [one._asdict() for one in stretches]

    def pages(self, stretches: Sequence[Stretch]) -> Pages | None:
        return None


def written(write: Any) -> Document:
    writer = Writer()
    write(writer)
    return writer.document("text/plain", "", Lines(), [])


lines = st.text(st.sampled_from("ab1 .#-+*_=|>`~<[]:()\\\t\n\r\u2028é漢"), max_size=30) | st.text(
    st.characters(exclude_categories=["Cs"]), max_size=30
)


@given(lines)
def test_a_paragraph_is_one_whatever_is_in_it(text: str) -> None:
    document = written(lambda writer: writer.paragraph([Run(text, 0, 0)]))
    blocks = scan(document.text)
    kinds = [blocks.kind(i) for i in range(blocks.count)]
    assert kinds == ([PARAGRAPH] if text.strip() else [])
    check_segments(document, [text])


@given(lines, st.integers(1, 6))
def test_a_heading_keeps_its_text(text: str, level: int) -> None:
    document = written(lambda writer: writer.heading(level, [Run(text, 0, 0)]))
    blocks = scan(document.text)
    if not text.strip():
        assert document.text == ""
        return
    assert [blocks.kind(i) for i in range(blocks.count)] == [ATX_HEADING]
    assert blocks.level(0) == level
    check_segments(document, [text])


@example([["", "\\\\|"], ["\\|\\", "|"]])
@given(st.lists(st.lists(lines, min_size=2, max_size=3), min_size=2, max_size=4))
def test_a_table_is_one(rows: list[list[str]]) -> None:
    texts = [cell for row in rows for cell in row]
    numbers = iter(range(len(texts)))
    runs = [[[Run(cell, next(numbers), 0)] for cell in row] for row in rows]
    document = written(lambda writer: writer.table(runs))
    written_lines = document.text.split("\n")
    header, delimiter = written_lines[:2]
    text = header + "\n" + delimiter
    assert is_table(text, 0, len(header), len(header) + 1, len(text))
    assert len(written_lines) == len(rows) + 2
    check_segments(document, texts)


def check_segments(document: Document, originals: list[str]) -> None:
    """Segments ascend and say what they hold, and all that is not white space is in one."""
    end = 0
    taken: dict[int, str] = {}
    for segment in document.segments:
        assert segment.start >= end
        end = segment.end
        assert segment.end <= len(document.text)
        original = originals[segment.origin]
        size = segment.end - segment.start
        said = document.text[segment.start : segment.end]
        for mine, theirs in zip(
            said, original[segment.offset : segment.offset + size], strict=True
        ):
            assert mine == theirs or (mine == " " and theirs.isspace()) or mine == "\ufffd"
        taken[segment.origin] = taken.get(segment.origin, "") + said
    for number, original in enumerate(originals):
        expected = "".join(original.replace("\0", "\ufffd").split())
        assert "".join(taken.get(number, "").split()) == expected


def test_stretches_are_cut_like_the_text() -> None:
    document = written(
        lambda writer: (
            writer.heading(1, [Run("Title", 0, 10)]),
            writer.paragraph([Run("one two", 1, 0), Run(" "), Run("three", 2, 5)]),
        )
    )
    assert document.text == "# Title\n\none two three\n"
    start = document.text.index("two")
    assert document.stretches(start, start + 6) == [Stretch(1, 4, 7), Stretch(2, 5, 7)]
    assert document.stretches(0, 4) == [Stretch(0, 10, 12)]
    assert document.stretches(7, 9) == []


# -- a notebook all the way ----------------------------------------------------------------------

NOTEBOOK = {
    "nbformat": 4,
    "metadata": {"language_info": {"name": "python"}},
    "cells": [
        {"cell_type": "markdown", "source": ["# Tea\n", "\n", "Green tea."]},
        {"cell_type": "code", "source": "steep = 3\nprint(steep)", "outputs": []},
        {"cell_type": "markdown", "source": "## Black\n\nBoil it.\n"},
    ],
}


@pytest.fixture
def notebook(tmp_path: Path) -> Path:
    path = tmp_path / "tea.ipynb"
    path.write_text(json.dumps(NOTEBOOK), encoding="utf-8")
    return path


def test_a_notebook_is_converted(notebook: Path) -> None:
    document = convert_file(notebook)
    assert document["text"] == (
        "# Tea\n\nGreen tea.\n\n```python\nsteep = 3\nprint(steep)\n```\n\n## Black\n\nBoil it.\n"
    )
    assert document["media_type"] == "application/x-ipynb+json"
    rows = chunk_file(notebook, source="tea.ipynb")
    assert [(row["heading_path"], row["regions"]) for row in rows] == [
        (
            ["Tea"],
            [
                {"cell": 1, "start_line": 1, "end_line": 3},
                {"cell": 2, "start_line": 1, "end_line": 2},
            ],
        ),
        (["Tea", "Black"], [{"cell": 3, "start_line": 1, "end_line": 3}]),
    ]
    assert rows[0]["pages"] is None
    for row in rows:
        inside = row["text"][row["prefix_chars"] : len(row["text"]) - row["suffix_chars"]]
        assert inside == document["text"][row["start"] : row["end"]]


def test_what_a_prefix_repeats_has_places_of_its_own() -> None:
    cells = [[f"row {number}", "words " * 8] for number in range(12)]
    words = "One sentence after the other fills the paragraph. " * 15

    def write(writer: Writer) -> None:
        writer.paragraph([Run(words, 0, 0)])
        rows = [["name", "text"], *cells]
        writer.table([[[Run(cell, 1 + at, 0)] for cell in row] for at, row in enumerate(rows)])

    document = written(write)
    options = ChunkOptions(max_chars=300, overlap_chars=60)
    rows = document_rows(document, "a", options)
    overlaps = [row for row in rows if row["prefix_chars"] and "| --- |" not in row["text"]]
    assert overlaps
    for row in overlaps:
        place = row["prefix_regions"]
        assert [one["origin"] for one in place] == [0]
        repeated = words[place[0]["start"] : place[0]["end"]]
        assert row["text"].startswith(repeated.strip())
        assert place[0]["end"] <= row["regions"][0]["start"]
    headed = [row for row in rows if row["text"].startswith("| name | text |") and row["part"] > 1]
    assert len([row for row in headed if row["prefix_chars"]]) > 1
    for row in headed:
        if row["prefix_chars"]:
            assert row["prefix_regions"] == [
                {"origin": 1, "start": 0, "end": 4},
                {"origin": 1, "start": 0, "end": 4},
            ]


def findings(rows: list[Any], root: Path) -> list[str]:
    data = b"".join(orjson.dumps(row) + b"\n" for row in rows)
    found = verify_rows(data, "rows", str(root), "code_point")
    return ["" if finding is None else finding["message"] for finding in found]


def test_a_notebook_without_text_says_so(notebook: Path) -> None:
    notebook.write_text(json.dumps({"cells": [{"cell_type": "code", "source": " "}]}))
    document = convert_file(notebook)
    assert document["text"] == ""
    assert [notice["code"] for notice in document["notices"]] == ["no_text"]


def test_rows_are_proved_against_the_original(notebook: Path) -> None:
    rows: list[Any] = list(chunk_file(notebook, source=notebook.name))
    root = notebook.parent
    assert findings(rows, root) == ["", ""]
    wrong = [dict(rows[0]) | {"regions": rows[1]["regions"]}, dict(rows[1]) | {"start": 3}]
    assert [message.split(":")[0] for message in findings(wrong, root)] == ["moved", "changed"]
    edited = json.loads(json.dumps(NOTEBOOK))
    edited["cells"][2]["source"] = "## Black\n\nBoil that.\n"
    notebook.write_text(json.dumps(edited), encoding="utf-8")
    assert [message.split(":")[0] for message in findings(rows, root)] == ["", "changed"]
    notebook.unlink()
    assert [message.split(":")[0] for message in findings(rows, root)] == ["lost its source"] * 2


# -- the child -----------------------------------------------------------------------------------


def test_what_cannot_be_read_is_an_error_with_the_name(tmp_path: Path) -> None:
    path = tmp_path / "bad.ipynb"
    path.write_bytes(b"{")
    with pytest.raises(SpanwiseError) as caught:
        chunk_file(path, source="bad.ipynb")
    assert caught.value.code == "unreadable_source"
    assert caught.value.message.startswith("bad.ipynb: not a notebook")
    assert caught.value.details["source"] == "bad.ipynb"


def test_a_deep_file_passes_a_limit_and_the_next_one_is_read(notebook: Path) -> None:
    deep = notebook.with_name("deep.ipynb")
    deep.write_bytes(b'{"cells": ' + b"[" * 100_000)
    with pytest.raises(SpanwiseError):
        chunk_file(deep)
    assert chunk_file(notebook)


def test_too_little_memory_is_a_limit_with_its_name(notebook: Path) -> None:
    big = notebook.with_name("big.ipynb")
    cells = [{"cell_type": "markdown", "source": "x" * 50_000_000}]
    big.write_text(json.dumps({"cells": cells}), encoding="utf-8")
    with pytest.raises(SpanwiseError) as caught:
        convert_file(big, settings=Settings(max_memory=150 << 20))
    assert caught.value.code == "limit_exceeded"
    assert caught.value.details["limit"] == "max_memory"
    assert convert_file(notebook)["text"]


def test_a_child_that_is_killed_is_told_of_and_replaced(notebook: Path) -> None:
    assert convert_file(notebook)
    process = sandbox()._process
    assert process is not None
    os.kill(process.pid, signal.SIGSTOP)
    start = time.monotonic()
    with pytest.raises(LimitExceeded) as caught:
        convert_file(notebook, settings=Settings(max_seconds=1))
    assert time.monotonic() - start < 5
    assert caught.value.details == {"limit": "max_seconds", "maximum": 1, "found": 2}
    assert convert_file(notebook)["text"]
    process = sandbox()._process
    assert process is not None
    os.kill(process.pid, signal.SIGKILL)
    try:
        assert convert_file(notebook)["text"]
    except UnreadableSource as error:
        assert "signal 9" in error.message
    assert convert_file(notebook)["text"]


# -- sniffing ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "name", "expected"),
    [
        (b"# Tea\n", "tea.md", "text/markdown"),
        (b"%PDF-1.7\n", "tea.md", "application/pdf"),
        (b"junk\n%PDF-1.4\n", "tea", "application/pdf"),
        (b"<!DOCTYPE html><p>x", "page", "text/html"),
        (b"\xef\xbb\xbf\n <html>", "page.txt", "text/html"),
        ("<html>".encode("utf-16"), "page", "text/html"),
        (b"<html> in Markdown", "tea.md", "text/markdown"),
        (b"PK\x03\x04 no zip", "x.docx.md", "text/markdown"),
        (b"plain text", "tea.txt", "text/markdown"),
        (b"{}", "tea.ipynb", "application/x-ipynb+json"),
    ],
)
def test_content_decides_what_a_file_is(data: bytes, name: str, expected: str) -> None:
    assert media_type(data, name) == expected
