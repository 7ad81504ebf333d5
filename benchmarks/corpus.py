"""Real Markdown to measure on: the shared documentation files, or this repository's own.

    python -m benchmarks.corpus OUT [--documents 2000] [--format parquet|jsonl] [--files 1]

writes a data set of any size out of them, the same every time.
"""

import argparse
import json
import lzma
import os
import random
from collections.abc import Iterator
from functools import cache
from importlib import import_module
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


SEED = 20_261_129
SIZES = (2_000, 50_000, 200_000)
"""Documents of a data set: for CI, for comparing engines, and for what grows."""


def variations(count: int, seed: int = SEED) -> Iterator[tuple[str, str]]:
    """Names and texts of `count` documents: the real ones again and again, each time with a section
    of its own somewhere between two paragraphs, so that no two are the same."""
    _, texts = documents()
    words = sorted({word for text in texts[:50] for word in text.split() if word.isalpha()})
    chance = random.Random(seed)
    for number in range(count):
        text = texts[number % len(texts)]
        title = " ".join(chance.choices(words, k=3))
        body = " ".join(chance.choices(words, k=chance.randrange(20, 90)))
        place = text.find("\n\n", chance.randrange(max(1, len(text))))
        place = len(text) if place < 0 else place
        name = f"{number % 97:02}/{number:06}.md"
        yield name, f"{text[:place]}\n\n## {title}\n\n{body}\n{text[place:]}"


def write(folder: Path, count: int, kind: str, files: int) -> int:
    """Write a data set of `source` and `text`; bytes of UTF-8 in its texts."""
    folder.mkdir(parents=True, exist_ok=True)
    each = -(-count // files)
    size = 0
    rows = variations(count)
    for number in range(files):
        some = [row for row, _ in zip(rows, range(min(each, count - number * each)), strict=False)]
        size += size_of([text for _, text in some])
        path = folder / f"{number:03}.{kind}"
        if kind == "jsonl":
            lines = (json.dumps({"source": name, "text": text}) + "\n" for name, text in some)
            path.write_text("".join(lines), encoding="utf-8")
        else:
            pa, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
            table = pa.table({"source": [n for n, _ in some], "text": [t for _, t in some]})
            parquet.write_table(table, path, compression="zstd", row_group_size=2_000)
    return size


def main() -> None:
    parser = argparse.ArgumentParser(description="Write a data set of Markdown documents.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--documents", type=int, default=SIZES[0])
    parser.add_argument("--format", choices=["parquet", "jsonl"], default="parquet")
    parser.add_argument("--files", type=int, default=1)
    options = parser.parse_args()
    size = write(options.folder, options.documents, options.format, options.files)
    print(f"{options.documents} documents, {size / 1e6:.1f} MB of text")


if __name__ == "__main__":
    main()
