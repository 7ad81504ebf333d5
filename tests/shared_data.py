"""Where the shared test data lies; tests that need it skip, saying so, where it is absent."""

import base64
import json
import lzma
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import spanwise

PACKAGE = str(Path(spanwise.__file__).parents[1])
"""Where the package under test is: a program that a test starts has to run the same one."""
ROOT = Path(__file__).parents[1]
DATA = Path(os.environ.get("SPANWISE_TEST_DATA", ROOT.parent / "shared" / "data"))
CASES = DATA.parent / "cases"
REFERENCE = DATA.parent / "reference"

needs_data = pytest.mark.skipif(
    not DATA.is_dir(), reason=f"shared test data not found (SPANWISE_TEST_DATA, looked in {DATA})"
)


def read_json(path: Path) -> Any:
    """A JSON file as it stands, lone surrogate escapes included."""
    return json.loads(path.read_text(encoding="utf-8"))


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The records of a .jsonl or .jsonl.xz file, line endings of their texts untouched."""
    opened = lzma.open if path.suffix == ".xz" else open
    with opened(path, "rt", encoding="utf-8", newline="\n") as lines:
        for line in lines:
            yield json.loads(line)


def markdown_files(*sets: str) -> Iterator[dict[str, Any]]:
    """Records of the Markdown sets named (docs, huge, nasty; all three without a name)."""
    for name in sets or ("docs", "huge", "nasty"):
        yield from read_lines(DATA / "markdown" / f"{name}.jsonl.xz")


def field_reports(*capabilities: str) -> list[dict[str, Any]]:
    """The field reports of the given capabilities, or none where the data is absent."""
    path = CASES / "field-reports.json"
    if not path.is_file():
        return []
    cases = read_json(path)["cases"]
    return [case for case in cases if case["capability"] in capabilities]


def reference_cases(name: str) -> list[dict[str, Any]]:
    """The cases of one contract (sections, sentences, fences), or none without the data."""
    path = CASES / f"{name}.json"
    return read_json(path)["cases"] if path.is_file() else []


def pathological(use: str | None = None) -> Iterator[tuple[str, list[Any]]]:
    """Name and parts of the hostile inputs for `use` (None: Markdown); see `build`."""
    for record in read_json(DATA / "commonmark" / "pathological.json"):
        if record.get("use") == use:
            yield record["name"], record["parts"]


def build(parts: list[Any], factor: float = 1.0) -> str:
    """A hostile input at `factor` times its size (only repeated parts and ramps grow)."""
    text = []
    for part in parts:
        if isinstance(part, list):
            string, times = part
            text.append(string * (max(1, int(times * factor)) if times > 1 else times))
            continue
        prefix = part.get("prefix", "")
        before, after = part["ramp"]
        # A ramp's text grows with the square of its end.
        grown = factor if "number" in part else factor**0.5
        for x in range(part["from"], int(part["to"] * grown)):
            if "number" in part:
                text.append(f"{prefix}{x}{part['number']}")
            else:
                text.append(prefix + before * x + after)
    return "".join(text)


def raw_bytes(record: dict[str, Any]) -> bytes:
    """The bytes of a record that stores them as base64."""
    return base64.b64decode(record["base64"])
