"""How fast sentences are found, against ICU, a Rust text splitter and a pure Python UAX #29.

    python -m venv bench-env
    bench-env/bin/pip install . -r benchmarks/sentence-peers.txt
    bench-env/bin/python benchmarks/sentences.py [--check]

All figures are MB (10^6 bytes of UTF-8) per second of processor time, medians of rounds in which
everybody takes a turn. The build that is installed is measured first; then, in a process of its
own, the same sources run interpreted. `--check` fails when one of the floors below is not held.
The texts come from the shared test data (SPANWISE_TEST_DATA).
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

import spanwise.kernel.sentences
from spanwise.text import chunk_sentences, sentence_boundaries, sentences

ROOT = Path(__file__).parents[1]
DATA = Path(os.environ.get("SPANWISE_TEST_DATA", ROOT.parent / "shared" / "data"))

TEXT_BYTES = 1_000_000
UNISEG_CHARACTERS = 4_000
CHUNK_SIZE = 1500

FLOORS = {
    "compiled": {
        ("boundaries", "icu4py"): 1.8,
        ("rows", "icu4py"): 0.5,
        ("chunks", "text-splitter"): 0.5,
    },
    "interpreted": {("boundaries", "uniseg"): 100.0},
}
"""By build: us, the peer, and how many times its speed we must have on every text."""


def texts() -> dict[str, str]:
    """The Declaration of Human Rights, repeated to a megabyte; "mixed" is it in 60 languages.

    The English text has a few typographic hyphens, the ASCII text has plain ones.
    """
    with (DATA / "plaintext" / "udhr.jsonl").open(encoding="utf-8") as lines:
        flows = {record["code"]: record["flow"] for record in map(json.loads, lines)}
    chosen = {
        "ASCII": flows["eng"].replace("\u2010", "-"),
        "English": flows["eng"],
        "German": flows["deu_1996"],
        "Japanese": flows["jpn"],
        "mixed": "\n".join(flows.values()),
    }
    return {
        name: (text + "\n") * max(1, round(TEXT_BYTES / len(text.encode())))
        for name, text in chosen.items()
    }


def contestants() -> dict[str, Callable[[str], Any]]:
    """What is measured, by name."""
    breaker = import_module("icu4py.breakers").SentenceBreaker
    splitter = import_module("semantic_text_splitter").TextSplitter(CHUNK_SIZE)
    uniseg = import_module("uniseg.sentencebreak")
    return {
        "boundaries": sentence_boundaries,
        "rows": sentences,
        "rows, utf16": lambda text: sentences(text, "utf16"),
        "chunks": lambda text: chunk_sentences(text, CHUNK_SIZE),
        "icu4py": lambda text: list(breaker(text, "en").segments()),
        "icu4py, texts": lambda text: list(breaker(text, "en")),
        "text-splitter": splitter.chunk_indices,
        "uniseg": lambda text: list(uniseg.sentence_boundaries(text)),
    }


def measure(rounds: int) -> dict[str, dict[str, float]]:
    """MB/s by text and contestant."""
    speeds = {}
    runs = contestants()
    for name, text in texts().items():
        if runs["icu4py"](text) != list(pairwise(sentence_boundaries(text, "utf16"))):
            raise SystemExit(f"icu4py finds other sentences in the {name} text")
        taken: dict[str, list[float]] = {contestant: [] for contestant in runs}
        for number in range(rounds):
            for contestant, run in runs.items():
                is_slow = contestant == "uniseg"
                if is_slow and number:
                    continue
                given = text[:UNISEG_CHARACTERS] if is_slow else text
                started = time.process_time()
                run(given)
                seconds = time.process_time() - started
                taken[contestant].append(len(given.encode()) / 1e6 / seconds)
        speeds[name] = {contestant: median(values) for contestant, values in taken.items()}
    return speeds


def build() -> str:
    """Which build of the package this process runs."""
    path = spanwise.kernel.sentences.__file__ or ""
    return "interpreted" if path.endswith(".py") else "compiled"


def show(speeds: dict[str, dict[str, float]]) -> None:
    """Print the table of one build, with the ratios that have a floor."""
    floors = FLOORS[build()]
    columns = list(next(iter(speeds.values())))
    print(f"\n{build()}, MB/s")
    print(f"{'':10}", *(f"{column:>13}" for column in columns))
    for name, row in speeds.items():
        print(f"{name:10}", *(f"{row[column]:13.3g}" for column in columns))
    for (ours, peer), floor in floors.items():
        ratios = ", ".join(f"{name} {row[ours] / row[peer]:.3g}" for name, row in speeds.items())
        print(f"{ours} / {peer} (floor {floor:g}): {ratios}")


def too_slow(speeds: dict[str, dict[str, float]]) -> list[str]:
    """The floors that were not held, in words."""
    return [
        f"{build()}: {ours} is {row[ours] / row[peer]:.3g} times {peer} on {name}, not {floor:g}"
        for (ours, peer), floor in FLOORS[build()].items()
        for name, row in speeds.items()
        if row[ours] < floor * row[peer]
    ]


def run_interpreted(arguments: list[str]) -> int:
    """Run this file again on a copy of the package without its compiled modules."""
    package = Path(spanwise.kernel.sentences.__file__ or "").parents[1]
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(
            package, Path(folder, "spanwise"), ignore=shutil.ignore_patterns("*.so", "*.pyd")
        )
        environment = {**os.environ, "PYTHONPATH": folder}
        command = [sys.executable, str(Path(__file__).resolve()), *arguments]
        return subprocess.run(command, env=environment, check=False).returncode


def main() -> None:
    """Measure and print; with --check exit 1 when a floor is not held."""
    parser = argparse.ArgumentParser(description="Measure sentence segmentation.")
    parser.add_argument("--check", action="store_true", help="exit 1 when a floor is not held")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    if not DATA.is_dir():
        raise SystemExit(f"the shared test data is not in {DATA} (SPANWISE_TEST_DATA)")
    speeds = measure(options.rounds)
    show(speeds)
    sys.stdout.flush()
    missed = too_slow(speeds) if options.check else []
    status = run_interpreted(sys.argv[1:]) if build() == "compiled" else 0
    if missed:
        raise SystemExit("\n".join(missed))
    raise SystemExit(status)


if __name__ == "__main__":
    main()
