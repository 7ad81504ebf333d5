"""Speeds of the installed build and of the same sources interpreted, and the floors they must hold.

What a benchmark of this kind has is tables: texts, and what runs over them. All figures are MB
(10^6 bytes of UTF-8) per second of processor time, medians of rounds in which everybody takes a
turn. The build that is installed is measured first; then, in a process of its own, the interpreted
one. `--check` fails when a floor is not held.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import spanwise.kernel.chars

ROOT = Path(__file__).parents[1]
DATA = Path(os.environ.get("SPANWISE_TEST_DATA", ROOT.parent / "shared" / "data"))
PASS_BYTES = 1_000_000
"""A turn goes over at least about this much."""

Run = Callable[[str], Any]


class Floor(NamedTuple):
    """How many times the speed of a peer we must have on every text, or on those of `but`."""

    ours: str
    peer: str
    times: float
    but: Mapping[str, float] = {}


class Table(NamedTuple):
    """Contestants by name, and the texts they run over."""

    name: str
    texts: dict[str, list[str]]
    runs: dict[str, Run]
    floors: dict[str, list[Floor]]
    """By build."""
    slow: Mapping[str, int] = {}
    """Contestants that run once, over texts of this many bytes."""
    aims: Mapping[str, float] = {}
    """MB/s that the compiled build aims at; printed only, since they depend on the machine."""


Speeds = dict[str, dict[str, float]]


def records(name: str) -> list[dict[str, Any]]:
    """The records of a .jsonl file of the shared data."""
    with (DATA / name).open(encoding="utf-8", newline="\n") as lines:
        return [json.loads(line) for line in lines]


def of_about(texts: Iterable[str], size: int) -> list[str]:
    """The start of the texts, `size` bytes long; the last text may be cut."""
    kept: list[str] = []
    for text in texts:
        if size <= 0:
            break
        kept.append(text.encode()[:size].decode(errors="ignore"))
        size -= len(kept[-1].encode())
    return kept


def measure(table: Table, rounds: int) -> Speeds:
    """MB/s by text and contestant."""
    speeds = {}
    for name, whole in table.texts.items():
        taken: dict[str, list[float]] = {contestant: [] for contestant in table.runs}
        for number in range(rounds):
            for contestant, run in table.runs.items():
                most = table.slow.get(contestant)
                if most and number:
                    continue
                given = of_about(whole, most) if most else whole
                size = sum(len(text.encode()) for text in given)
                passes = 1 if most else max(1, PASS_BYTES // size)
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
    path = spanwise.kernel.chars.__file__ or ""
    return "interpreted" if path.endswith(".py") else "compiled"


def show(table: Table, speeds: Speeds) -> None:
    """Print one table, with the ratios that have a floor."""
    columns = list(table.runs)
    width = 2 + max(map(len, columns))
    print(f"\n{table.name}, {build()}, MB/s")
    print(f"{'':10}", *(f"{column:>{width}}" for column in columns))
    for name, row in speeds.items():
        print(f"{name:10}", *(f"{row[column]:{width}.3g}" for column in columns))
    for name, aim in table.aims.items() if build() == "compiled" else ():
        least = min(row[name] for row in speeds.values())
        print(f"{name}: at least {least:.3g} MB/s (aim: {aim:g})")
    for floor in table.floors[build()]:
        ratios = (f"{name} {row[floor.ours] / row[floor.peer]:.3g}" for name, row in speeds.items())
        print(f"{floor.ours} / {floor.peer} (floor {floor.times:g}): {', '.join(ratios)}")


def too_slow(table: Table, speeds: Speeds) -> list[str]:
    """The floors that were not held, in words."""
    return [
        f"{build()}: {floor.ours} is {row[floor.ours] / row[floor.peer]:.3g} times {floor.peer} "
        f"on {name}, not {floor.but.get(name, floor.times):g}"
        for floor in table.floors[build()]
        for name, row in speeds.items()
        if row[floor.ours] < floor.but.get(name, floor.times) * row[floor.peer]
    ]


def run_interpreted(module: str, arguments: Sequence[str]) -> int:
    """Run the benchmark again on a copy of the package without its compiled modules."""
    package = Path(spanwise.kernel.chars.__file__ or "").parents[1]
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(
            package, Path(folder, "spanwise"), ignore=shutil.ignore_patterns("*.so", "*.pyd")
        )
        environment = {**os.environ, "PYTHONPATH": folder}
        command = [sys.executable, "-m", module, *arguments]
        return subprocess.run(command, env=environment, cwd=ROOT, check=False).returncode


def main(module: str, description: str, tables: Callable[[], Iterable[Table]]) -> None:
    """Measure and print; with --check exit 1 when a floor is not held."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--check", action="store_true", help="exit 1 when a floor is not held")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    if not DATA.is_dir():
        raise SystemExit(f"the shared test data is not in {DATA} (SPANWISE_TEST_DATA)")
    missed = []
    for table in tables():
        speeds = measure(table, options.rounds)
        show(table, speeds)
        missed += too_slow(table, speeds) if options.check else []
    sys.stdout.flush()
    status = run_interpreted(module, sys.argv[1:]) if build() == "compiled" else 0
    if missed:
        raise SystemExit("\n".join(missed))
    raise SystemExit(status)
