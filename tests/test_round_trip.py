"""Real documents: the text under the regions of each chunk, taken anew, is that of the chunk.

A few of each kind are read each time; `make documents` reads them all.
"""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from spanwise.errors import SpanwiseError
from spanwise.formats import Settings, reader, rereader
from spanwise.formats.sniffing import media_type
from spanwise.markdown.options import ChunkOptions
from spanwise.rows import document_rows
from tests.shared_data import DATA, PACKAGE, needs_data, read_lines

KINDS = ("docx", "html", "pdf")
SAMPLE = 12
"""Documents of a kind that are read each time: the smaller ones, spread over their makers."""
CHUNK_CHARS = 1500
MANIFEST = DATA / "documents" / "manifest.jsonl"
UNREADABLE = {"encrypted", "malformed"}
"""Features of documents that may end in an error."""


@cache
def documents(kind: str) -> list[dict[str, Any]]:
    """What the manifest says of the documents of a kind, a sample unless all are asked for."""
    if not MANIFEST.is_file():
        return []
    found = [one for one in read_lines(MANIFEST) if one["file"].startswith(f"{kind}/")]
    if os.environ.get("SPANWISE_DOCUMENTS") == "all":
        return found
    small = [one for one in found if one["bytes"] < 50_000]
    return small[:: max(1, len(small) // SAMPLE)]


RECORDS = [one for kind in KINDS for one in documents(kind)]


@needs_data
@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["file"])
def test_chunks_are_what_stands_under_their_regions(record: dict[str, Any]) -> None:
    path = DATA / "documents" / record["file"]
    data = path.read_bytes()
    settings = Settings(password=record.get("password") or None)
    found = media_type(data, path.name)
    try:
        document = reader(found)(data, settings)
    except SpanwiseError as error:
        assert UNREADABLE & set(record["features"]) or path.name in KNOWN_ERRORS, error.message
        return
    assert document.text.strip() or document.notices
    rows = document_rows(document, path.name, ChunkOptions(max_chars=CHUNK_CHARS))
    again = rereader(found)
    for row in rows:
        own = folded(document.own_text(row["start"], row["end"]))
        assert folded(again(data, row["regions"], settings)) == own


KNOWN_ERRORS = {
    "poi__ExternalEntityInText.docx": "a document type",
    "poi__truncated62886.docx": "cut off",
    "poi__stress025.docx": "no Word document in it",
    "pdfjs__bug1782186.pdf": "the password does not open it",
}


def folded(text: str) -> str:
    """A text without white space."""
    return "".join(text.split())


@needs_data
def test_two_runs_give_the_same_bytes(tmp_path: Path) -> None:
    paths = [str(DATA / "documents" / record["file"]) for record in RECORDS[::5]]
    outputs = []
    for seed in ("1", "2"):
        environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": PACKAGE}
        run = subprocess.run(
            [sys.executable, "-c", CHUNK, *paths],
            env=environment,
            capture_output=True,
            check=True,
        )
        outputs.append(run.stdout)
    assert outputs[0] == outputs[1]
    assert json.loads(outputs[0].split(b"\n")[0])["regions"]


CHUNK = """
import sys
from spanwise.errors import SpanwiseError
from spanwise.markdown.options import ChunkOptions
from spanwise.pipeline import bytes_result
for path in sys.argv[1:]:
    try:
        sys.stdout.buffer.write(bytes_result(open(path, "rb").read(), path, ChunkOptions()).lines)
    except SpanwiseError as error:
        print(error.message)
"""
