"""How fast JSON is checked and fences are found, against parsers of JSON and of Markdown.

    python -m venv bench-env
    bench-env/bin/pip install . -r benchmarks/json-peers.txt
    bench-env/bin/python benchmarks/json_text.py [--check]

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
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any

import orjson

import spanwise.kernel.json_syntax
from spanwise.json_text import check_json, json_fences

ROOT = Path(__file__).parents[1]
DATA = Path(os.environ.get("SPANWISE_TEST_DATA", ROOT.parent / "shared" / "data"))

PASS_BYTES = 2_000_000
SLOW_BYTES = 100_000

Run = Callable[[str], Any]

FLOORS: dict[str, dict[str, dict[tuple[str, str], float]]] = {
    "compiled": {
        "check": {("check_json", "json.loads"): 1.0},
        "fences": {("json_fences", "pyromark"): 1.0, ("json_fences", "markdown-it-py"): 5.0},
    },
    "interpreted": {"check": {}, "fences": {("json_fences", "markdown-it-py"): 0.5}},
}
"""By build and table: us, the peer, and how many times its speed we must have on every text."""

EXCEPTIONS = {("check_json", "json.loads", "strings"): 0.6}
"""Floors of single texts: where all is long strings, json.loads does hardly more than copy them."""

AIMS = {"json_fences": 200.0}
"""MB/s that the compiled build aims at; printed, since they depend on the machine."""


def records(name: str) -> list[dict[str, Any]]:
    """The records of a .jsonl file of the shared data."""
    with (DATA / name).open(encoding="utf-8", newline="\n") as lines:
        return [json.loads(line) for line in lines]


def json_texts() -> dict[str, list[str]]:
    """Valid JSON: what models wrote, one big file compact and indented, numbers, long strings."""
    fences = [fence for one in records("replies/fences.jsonl") for fence in one["fences"]]
    library = [one["record"] for one in records("csl/records.jsonl")]
    flows = [one["flow"] for one in records("plaintext/udhr.jsonl")]
    return {
        "replies": [fence["content"] for fence in fences if fence["json_valid"]],
        "compact": [json.dumps(library, ensure_ascii=False, separators=(",", ":"))],
        "indented": [json.dumps(library, indent=2)],
        "numbers": [json.dumps([number * 1.37 for number in range(50_000)])],
        "strings": [json.dumps(flows, ensure_ascii=False)],
    }


def markdown_texts() -> dict[str, list[str]]:
    """Replies of models with fences in them."""
    return {"replies": [one["reply"] for one in records("replies/replies.jsonl")]}


def checkers() -> dict[str, Run]:
    """What checks or parses JSON, by name."""
    return {"check_json": check_json, "json.loads": json.loads, "orjson.loads": orjson.loads}


def finders() -> dict[str, Run]:
    """What finds fences in Markdown, by name."""
    parser = import_module("markdown_it").MarkdownIt("commonmark")
    events = import_module("pyromark").events_with_range

    def pyromark(text: str) -> None:
        for _ in events(text):
            pass

    return {
        "json_fences": lambda text: json_fences(text, unit="utf16"),
        "every fence": lambda text: json_fences(text, "all", "utf16"),
        "pyromark": pyromark,
        "markdown-it-py": parser.parse,
    }


def of_about(texts: Iterable[str], size: int) -> list[str]:
    """The first texts that have `size` bytes together, at least one."""
    kept: list[str] = []
    for text in texts:
        if kept and size <= 0:
            break
        kept.append(text)
        size -= len(text.encode())
    return kept


def measure(
    texts: dict[str, list[str]], runs: dict[str, Run], rounds: int
) -> dict[str, dict[str, float]]:
    """MB/s by text and contestant; what is slow gets a part of the texts, once."""
    speeds = {}
    for name, whole in texts.items():
        taken: dict[str, list[float]] = {contestant: [] for contestant in runs}
        for number in range(rounds):
            for contestant, run in runs.items():
                is_slow = contestant == "markdown-it-py"
                if is_slow and number:
                    continue
                given = of_about(whole, SLOW_BYTES) if is_slow else whole
                size = sum(len(text.encode()) for text in given)
                passes = 1 if is_slow else max(1, PASS_BYTES // size)
                started = time.process_time()
                for _ in range(passes):
                    for text in given:
                        run(text)
                seconds = time.process_time() - started
                taken[contestant].append(size * passes / 1e6 / seconds)
        speeds[name] = {contestant: median(values) for contestant, values in taken.items()}
    return speeds


def build() -> str:
    """Which build of the package this process runs."""
    path = spanwise.kernel.json_syntax.__file__ or ""
    return "interpreted" if path.endswith(".py") else "compiled"


def show(table: str, speeds: dict[str, dict[str, float]]) -> None:
    """Print one table, with the ratios that have a floor."""
    columns = list(next(iter(speeds.values())))
    print(f"\n{table}, {build()}, MB/s")
    print(f"{'':10}", *(f"{column:>15}" for column in columns))
    for name, row in speeds.items():
        print(f"{name:10}", *(f"{row[column]:15.3g}" for column in columns))
    for name, aim in AIMS.items() if build() == "compiled" else ():
        if name in columns:
            least = min(row[name] for row in speeds.values())
            print(f"{name}: at least {least:.3g} MB/s (aim: {aim:g})")
    for (ours, peer), floor in FLOORS[build()][table].items():
        ratios = ", ".join(f"{name} {row[ours] / row[peer]:.3g}" for name, row in speeds.items())
        print(f"{ours} / {peer} (floor {floor:g}): {ratios}")


def too_slow(table: str, speeds: dict[str, dict[str, float]]) -> list[str]:
    """The floors that were not held, in words."""
    return [
        f"{build()}: {ours} is {row[ours] / row[peer]:.3g} times {peer} on {name}"
        for (ours, peer), floor in FLOORS[build()][table].items()
        for name, row in speeds.items()
        if row[ours] < EXCEPTIONS.get((ours, peer, name), floor) * row[peer]
    ]


def run_interpreted(arguments: list[str]) -> int:
    """Run this file again on a copy of the package without its compiled modules."""
    package = Path(spanwise.kernel.json_syntax.__file__ or "").parents[1]
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(
            package, Path(folder, "spanwise"), ignore=shutil.ignore_patterns("*.so", "*.pyd")
        )
        environment = {**os.environ, "PYTHONPATH": folder}
        command = [sys.executable, str(Path(__file__).resolve()), *arguments]
        return subprocess.run(command, env=environment, check=False).returncode


def main() -> None:
    """Measure and print; with --check exit 1 when a floor is not held."""
    parser = argparse.ArgumentParser(description="Measure the JSON check and the fence finder.")
    parser.add_argument("--check", action="store_true", help="exit 1 when a floor is not held")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    if not DATA.is_dir():
        raise SystemExit(f"the shared test data is not in {DATA} (SPANWISE_TEST_DATA)")
    missed = []
    for table, texts, runs in (
        ("check", json_texts(), checkers()),
        ("fences", markdown_texts(), finders()),
    ):
        speeds = measure(texts, runs, options.rounds)
        show(table, speeds)
        missed += too_slow(table, speeds) if options.check else []
    sys.stdout.flush()
    status = run_interpreted(sys.argv[1:]) if build() == "compiled" else 0
    if missed:
        raise SystemExit("\n".join(missed))
    raise SystemExit(status)


if __name__ == "__main__":
    main()
