"""Real Markdown to measure on: the shared documentation files, or this repository's own."""

import json
import lzma
import os
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
DATA = Path(os.environ.get("SPANWISE_TEST_DATA", ROOT.parent / "shared" / "data"))
LEAST = 4_000_000
"""Code points that the repository's own files are repeated to."""


@cache
def documents() -> tuple[str, list[str]]:
    """What the texts are, and the texts. Fold 4 of the shared files is kept for release checks."""
    path = DATA / "markdown" / "docs.jsonl.xz"
    if path.is_file():
        with lzma.open(path, "rt", encoding="utf-8", newline="\n") as lines:
            records = map(json.loads, lines)
            texts = [record["text"] for record in records if record["fold"] != 4]
        return f"{len(texts)} documentation files", texts
    own = [
        path.read_text(encoding="utf-8")
        for path in sorted(
            [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("src/**/*.md")]
        )
    ]
    times = 1 + LEAST // sum(map(len, own))
    return f"this repository's {len(own)} Markdown files, {times} times", own * times


def size_of(texts: list[str]) -> int:
    """Bytes of UTF-8."""
    return sum(len(text.encode()) for text in texts)
