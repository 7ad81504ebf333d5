"""Rows as keyword arguments for documents of frameworks, none of which need be installed."""

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import spanwise
from spanwise.integrations import to_haystack, to_langchain, to_llama_index
from spanwise.integrations.chunker import OPTIONS, SOURCE_KEYS, chunker_of, with_ids_of_their_own
from spanwise.integrations.records import CITED, ROW_FIELDS
from spanwise.markdown.options import Options
from tests.shared_data import PACKAGE

TEXT = "Before.\n\n# Tea\n\nSteep. 🍵\n\n## Green\n\n" + "No milk. " * 60 + "\n"
ROWS = spanwise.chunk_markdown(TEXT, source="tea.md", max_chars=200, overlap_chars=40)
FRAMEWORKS = {
    "spanwise.integrations.langchain": ("langchain_core.documents", "spanwise[langchain]"),
    "spanwise.integrations.llama_index": ("llama_index.core.node_parser", "spanwise[llama-index]"),
    "haystack_integrations.components.preprocessors.spanwise": ("haystack", "spanwise[haystack]"),
}


def plain(row: spanwise.Chunk) -> dict[str, Any]:
    """What the metadata has of a row."""
    return {name: row[name] for name in ROW_FIELDS if row.get(name) is not None}


def test_every_field_of_a_row_is_in_the_metadata_or_a_place_of_its_own() -> None:
    # `id` is `source`, `#` and `index`; `chars` is the length of the text.
    assert set(spanwise.Chunk.__annotations__) - set(ROW_FIELDS) == {"id", "chars", "text"}


def test_langchain() -> None:
    for row, fields in zip(ROWS, to_langchain(ROWS), strict=True):
        assert fields == {
            "id": row["chunk_id"],
            "page_content": row["text"],
            "metadata": plain(row) | {"start_index": row["start"], "end_index": row["end"]},
        }
    assert "anchor" not in to_langchain(ROWS)[0]["metadata"]


def test_haystack() -> None:
    for row, fields in zip(ROWS, to_haystack(ROWS), strict=True):
        own = {"source_id": row["doc_id"], "split_id": row["index"] - 1}
        assert fields == {
            "id": row["chunk_id"],
            "content": row["text"],
            "meta": plain(row) | own | {"split_idx_start": row["start"]},
        }


def test_llama_index() -> None:
    nodes = to_llama_index(ROWS)
    ids = [node["id_"] for node in nodes]
    assert ids == [row["chunk_id"] for row in ROWS]
    for number, (row, node) in enumerate(zip(ROWS, nodes, strict=True)):
        assert node["text"] == row["text"]
        assert (node["start_char_idx"], node["end_char_idx"]) == (row["start"], row["end"])
        flat = plain(row) | {"heading_path": " > ".join(row["heading_path"])}
        assert node["metadata"] == flat
        assert all(isinstance(value, str | int) for value in flat.values())
        assert node["excluded_embed_metadata_keys"] == list(flat)
        assert set(flat) - set(node["excluded_llm_metadata_keys"]) == set(CITED) & set(flat)
        related = {kind: node["relationships"].get(kind, {}).get("node_id") for kind in "123"}
        assert related == {
            "1": row["doc_id"],
            "2": ids[number - 1] if number else None,
            "3": ids[number + 1] if number + 1 < len(ids) else None,
        }


def test_neighbours_are_of_one_document() -> None:
    other = spanwise.chunk_markdown("# Other\n\nText.\n", source="other.md")
    last, first = to_llama_index([*ROWS, *other])[-2:]
    assert "3" not in last["relationships"]
    assert "2" not in first["relationships"]


def test_joined_sections_are_flat_too() -> None:
    rows = spanwise.chunk_markdown("# A\n\na\n\n# B\n\nb\n", min_chars=50)
    assert to_langchain(rows)[0]["metadata"]["headings"] == ["A", "B"]
    assert to_llama_index(rows)[0]["metadata"]["headings"] == "A\nB"


def test_places_in_an_original(tmp_path: Path) -> None:
    path = tmp_path / "tea.ipynb"
    cells = [{"cell_type": "markdown", "metadata": {}, "source": "# Tea\n\nSteep."}]
    path.write_text(
        json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells})
    )
    [row] = spanwise.chunk_file(path)
    row["pages"] = {"first": 3, "last": 4, "labels": ["iii", "iv"]}  # as of a PDF
    metadata = to_langchain([row])[0]["metadata"]
    assert metadata["regions"] == row["regions"] != []
    assert metadata["media_type"] == row["media_type"]
    assert to_haystack([row])[0]["meta"]["pages"] == row["pages"]
    [node] = to_llama_index([row])
    assert node["metadata"]["pages"] == "3-4"
    assert json.loads(node["metadata"]["regions"]) == row["regions"]
    assert "pages" not in node["excluded_llm_metadata_keys"]


def test_rows_read_from_json_lines() -> None:
    read = [json.loads(json.dumps(row)) for row in ROWS]
    assert to_langchain(read) == to_langchain(ROWS)


def test_metadata_of_the_document_is_kept() -> None:
    given = {"source": "tea.md", "author": {"name": "Kakuzo"}, "kind": "manual", "start": 7,
             "document_kind": "mine", "start_index": -1}  # fmt: skip
    for row, fields in zip(ROWS, to_langchain(ROWS, given), strict=True):
        metadata = fields["metadata"]
        assert plain(row).items() <= metadata.items()
        assert metadata["start_index"] == row["start"]
        assert metadata["author"] == {"name": "Kakuzo"}
        assert metadata["document_kind"] == "mine"
        assert metadata["document_document_kind"] == "manual"
        assert metadata["document_start"] == 7 or row["start"] == 7
        assert metadata["document_start_index"] == -1
        assert "document_source" not in metadata
    first, second = to_langchain(ROWS, given)[:2]
    first["metadata"]["author"]["name"] = "other"
    assert second["metadata"]["author"] == given["author"] == {"name": "Kakuzo"}


def test_what_a_document_showed_or_hid_stays_so() -> None:
    """A name of ours that the document has with the same value is still the document's."""
    nodes = to_llama_index(ROWS, {"source": "tea.md", "kind": "manual"})
    for node in nodes:
        assert "source" not in node["excluded_embed_metadata_keys"]
        assert "kind" in node["excluded_embed_metadata_keys"]
        assert "document_kind" not in node["excluded_embed_metadata_keys"]


def test_the_rows_are_left_alone() -> None:
    before = json.dumps(ROWS)
    for fields in to_langchain(ROWS, {"kind": "x"}):
        fields["metadata"]["heading_path"].append("changed")
    assert json.dumps(ROWS) == before


def test_no_framework_is_imported() -> None:
    code = (
        "import sys; import spanwise.integrations.chunker; from spanwise.integrations import "
        "to_langchain, to_llama_index, to_haystack; "
        "print([m for m in ('langchain_core', 'llama_index', 'haystack', 'pydantic', 'numpy') "
        "if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, text=True, check=True, env={"PYTHONPATH": PACKAGE},
    )  # fmt: skip
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("module", FRAMEWORKS)
def test_a_missing_framework_is_named(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    needed, extra = FRAMEWORKS[module]
    monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setitem(sys.modules, needed, None)
    monkeypatch.setitem(sys.modules, needed.partition(".")[0], None)
    with pytest.raises(ModuleNotFoundError, match=f"pip install '{extra}'".replace("[", r"\[")):
        import_module(module)


# -- what the splitters share --------------------------------------------------------------------


def test_options_are_those_of_chunk_markdown() -> None:
    assert set(OPTIONS) == set(Options.__annotations__)
    with pytest.raises(spanwise.InvalidInput, match="chunk_size: no such option; there are"):
        chunker_of(None, {"chunk_size": 1000})  # type: ignore[typeddict-unknown-key]
    with pytest.raises(spanwise.InvalidInput, match="max_chars: 20 is less than 200"):
        chunker_of(None, {"max_chars": 20})


def test_documents_have_names() -> None:
    source = chunker_of(None, {}).source
    assert source("text", {"file_path": "/a.md", "source": "b.md"}, "id") == "b.md"
    assert source("text", {"file_path": "/a.md", "source": 7}, "id") == "/a.md"
    assert source("text", {"url": "http://a"}, "id") == "id"
    assert source("text", {}, None) == source("text", {}, None) != source("other", {}, None)
    assert chunker_of("url", {}).source("text", {"url": "u", "source": "s"}, "id") == "u"
    assert SOURCE_KEYS == ("source", "file_path")


@pytest.mark.parametrize("unit", ["code_point", "utf16", "utf8"])
def test_frameworks_count_code_points_whatever_the_unit(unit: Any) -> None:
    chunker = chunker_of(None, {"unit": unit, "max_chars": 200, "overlap_chars": 40})
    expected = spanwise.chunk_markdown(
        TEXT, source="tea.md", unit=unit, max_chars=200, overlap_chars=40
    )
    found = chunker.cut(TEXT, "tea.md")
    assert [cut.row for cut in found] == expected
    assert [(cut.start, cut.end) for cut in found] == [(row["start"], row["end"]) for row in ROWS]


def test_equal_chunks_of_documents_with_one_name_have_ids_of_their_own() -> None:
    chunker = chunker_of(None, {})
    pages = ["# A\n\nSame.\n", "# A\n\nSame.\n", "# A\n\nOther.\n"]
    once, twice = (
        [
            cut.row["chunk_id"]
            for found in with_ids_of_their_own(chunker.cut(page, "a.md") for page in pages)
            for cut in found
        ]
        for _ in range(2)
    )
    assert once == twice
    assert len(set(once)) == 3
    assert once[0] == spanwise.chunk_markdown(pages[0], source="a.md")[0]["chunk_id"]
