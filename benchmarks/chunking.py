"""Chunking beside other chunkers, by characters and by tokens, and the command as a whole process.

    make bench            or: python -m benchmarks.chunking [--check]

Processor time, everybody in turns. `--check` exits 1 when one of the floors is not held.
"""

import argparse
import os
import platform
import resource
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.corpus import documents, size_of
from benchmarks.harness import (
    ENVIRONMENTS,
    ROOT,
    Contender,
    measure,
    measure_growth,
    save,
    table,
)

Pass = Callable[[], object]

MAX_CHARS = 1500
MAX_TOKENS = 512
ENCODING = "cl100k_base"
TOKEN_BYTES = 4_000_000
FOLDER_ROUNDS = 5
OPTIONS = ("--jobs", "1", "--quiet")

OURS = "chunk_markdown, 1500 chars"
TOKENS = f"{MAX_TOKENS} tokens a chunk"
BARE = f"bare {ENCODING}, encoding the texts"
COUNT = f"bare {ENCODING}, counting by the fastest call"
WARM = "{}, cache warm"
FLOORS = [
    (OURS, 10.0, "langchain-md-chunker"),
    (OURS, 1.3, "semantic-text-splitter Markdown, with offsets"),
    (TOKENS, 0.6, BARE),
]
"""Us, how many times the speed of the other we must have, and the other."""
AIMS = [
    (OURS, 2.0, FLOORS[1][2]),
    (OURS, 1.0, "LangChain recursive"),
    (TOKENS, 0.8, BARE),
    (TOKENS, 0.6, COUNT),
    (WARM.format(TOKENS), 0.6, WARM.format(BARE)),
    (WARM.format(TOKENS), 0.6, WARM.format(COUNT)),
]
FOLDER_FLOOR = 60.0
"""MB/s of processor time for `spanwise chunk FOLDER -o FILE`, from start to end."""
GROWTH_FLOOR = 0.75
"""A text as one document of 4 MB against as sixteen of 250 KB: at least so much of the speed."""
SIZES = [250_000, 1_000_000, 4_000_000]


def corpus() -> list[str]:
    return documents()[1]


def each(function: Callable[[str], object], texts: list[str]) -> Pass:
    def run() -> None:
        for text in texts:
            function(text)

    return run


def some(texts: list[str]) -> list[str]:
    """Every nth text, about `TOKEN_BYTES` in all."""
    return texts[:: max(1, size_of(texts) // TOKEN_BYTES)]


def chunks(texts: list[str], **options: Any) -> Pass:
    chunk = import_module("spanwise").chunk_markdown
    return each(partial(chunk, source="a.md", **options), texts)


def tokenizing(texts: list[str], use: str, warm: bool) -> Pass:
    """A pass that chunks, encodes or counts; `warm` keeps the tokenizer's cache between passes.

    Who chunks documents has most of them counted for the first time.
    """
    encoding = import_module("splintr").Tokenizer.from_pretrained(ENCODING)
    tokens = import_module("spanwise.tokens")
    counter = tokens.Tokenizer(ENCODING, ENCODING, tokens.counting(encoding))
    options = import_module("spanwise.markdown.options").ChunkOptions(
        max_tokens=MAX_TOKENS, tokenizer=ENCODING
    )
    rows = import_module("spanwise.rows").chunk_rows
    uses: dict[str, Callable[[str], object]] = {
        "chunk": lambda text: rows(text, "a.md", options, counter),
        "encode": encoding.encode_ordinary,
        "count": counter.count,
    }
    function = uses[use]
    chosen = some(texts)

    def run() -> None:
        if not warm:
            encoding.clear_cache()
        for text in chosen:
            function(text)

    return run


def md_chunker(texts: list[str]) -> Pass:
    module = import_module("langchain_md_chunker")
    chunker = module.Chunker(module.ChunkConfig(max_chars=MAX_CHARS, skip_kinds=()))
    return each(lambda text: chunker.split_text(text, doc="a.md"), texts)


def text_splitter(texts: list[str]) -> Pass:
    splitter = import_module("semantic_text_splitter").MarkdownSplitter(MAX_CHARS)
    return each(splitter.chunk_indices, texts)


def recursive(texts: list[str]) -> Pass:
    module = import_module("langchain_text_splitters")
    splitter = module.RecursiveCharacterTextSplitter.from_language(
        module.Language.MARKDOWN, chunk_size=MAX_CHARS, chunk_overlap=0
    )
    return each(splitter.split_text, texts)


CHUNKING = [
    Contender(OURS, "compiled", partial(chunks, max_chars=MAX_CHARS)),
    Contender("the same, with path and overlap", "compiled",
              partial(chunks, max_chars=MAX_CHARS, prefix_path=True, overlap_chars=150)),
    Contender("the same, interpreted", "interpreted", partial(chunks, max_chars=MAX_CHARS), 3),
    Contender(FLOORS[0][2], "peers", md_chunker, rounds=3),
    Contender(FLOORS[1][2], "peers", text_splitter),
    Contender(AIMS[1][2], "peers", recursive),
]  # fmt: skip
COUNTING = [
    Contender(
        WARM.format(name) if warm else name,
        "compiled",
        partial(tokenizing, use=use, warm=warm),
    )
    for warm in (False, True)
    for name, use in ((TOKENS, "chunk"), (BARE, "encode"), (COUNT, "count"))
]
CONTENDERS = CHUNKING + COUNTING


def folder_rate(texts: list[str]) -> float:
    """MB/s of `spanwise chunk FOLDER -o FILE`: median of whole processes on one core."""
    command = ROOT / ENVIRONMENTS["compiled"] / "bin" / "spanwise"
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "docs")
        for number, text in enumerate(texts):
            path = source / f"{number // 100:03}" / f"{number:05}.md"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        times = []
        for _ in range(FOLDER_ROUNDS):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(
                [*map(str, [command, "chunk", source, "-o", Path(folder, "out.jsonl")]), *OPTIONS],
                check=True,
                env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
            )
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return size_of(texts) / statistics.median(times) / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure chunking.")
    parser.add_argument("--check", action="store_true", help="exit 1 when a floor is not held")
    options = parser.parse_args()
    what, texts = documents()
    size = size_of(texts)
    print(f"{what}, {size / 1e6:.1f} MB of UTF-8; processor time, medians of rounds in turn\n")
    measured = measure("benchmarks.chunking", CHUNKING)
    print(table(measured, size, OURS), end="\n\n")
    rates = {one.name: size / one.median / 1e6 for one in measured if one.seconds}
    part = size_of(some(texts))
    counted = measure("benchmarks.chunking", COUNTING)
    print(f"{part / 1e6:.1f} MB of it, by tokens")
    print(table(counted, part, TOKENS), end="\n\n")
    rates |= {one.name: part / one.median / 1e6 for one in counted if one.seconds}
    rates["command on a folder"] = folder_rate(texts)
    growth = measure_growth("benchmarks.chunking", CHUNKING[:1], SIZES)[OURS]
    kept = growth[0] / growth[-1]
    missed = []
    for name, floor, other in FLOORS + AIMS:
        if name in rates and other in rates:
            times = rates[name] / rates[other]
            held = (name, floor, other) in AIMS or times >= floor
            kind = "floor" if (name, floor, other) in FLOORS else "aim"
            print(f"{name}: {times:.2f} times {other} ({kind}: {floor:g})")
            missed += [] if held else [f"{name} is {times:.2f} times {other}, not {floor:g}"]
    rate = rates["command on a folder"]
    print(f"spanwise chunk FOLDER -o FILE: {rate:.1f} MB/s, one core (floor: {FOLDER_FLOOR:g})")
    print(f"4 MB as one document: {kept:.2f} of the speed as sixteen (floor: {GROWTH_FLOOR:g})")
    missed += [f"the command makes {rate:.1f} MB/s"] if rate < FOLDER_FLOOR else []
    missed += [f"4 MB has {kept:.2f} of the speed"] if kept < GROWTH_FLOOR else []
    path = save(
        "chunking",
        {
            "corpus": what,
            "bytes": size,
            "python": platform.python_version(),
            "machine": platform.platform(),
            "date": time.strftime("%Y-%m-%d"),
            "megabytes_per_second": rates,
            "growth_sizes": SIZES,
            "growth_seconds": growth,
        },
    )
    print(f"\nsaved as {path.relative_to(path.parents[2])}")
    if options.check and missed:
        raise SystemExit("\n".join(missed))


if __name__ == "__main__":
    main()
