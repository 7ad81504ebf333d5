"""Runs contenders beside each other and tells how fast each is.

A benchmark is a module with a list `CONTENDERS` and a function `corpus()`. Each environment (the
compiled build, the interpreted one, the peers') gets one process that holds the corpus and runs
its contenders when told to; turns go round, so that a noisy machine is noisy for all alike. What
counts is processor time, the median of the rounds. Only the standard library is needed here.
"""

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import IO, Any, NamedTuple

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results"
ENVIRONMENTS = {"compiled": ".venv", "interpreted": ".venv-pure", "peers": ".venv-bench"}
"""The folder of each environment, as `make bench` makes them."""


class Contender(NamedTuple):
    """Something to measure: `prepare` takes the corpus and gives one pass over it."""

    name: str
    environment: str
    prepare: Callable[[list[str]], Callable[[], object]]
    rounds: int = 7


class Measured(NamedTuple):
    """A contender's seconds for one pass in each round; or why there are none."""

    name: str
    environment: str
    seconds: list[float]
    missing: str = ""

    @property
    def median(self) -> float:
        """Seconds of the middle round."""
        return statistics.median(self.seconds)


class Worker:
    """The process of one environment."""

    def __init__(self, module: str, environment: str) -> None:
        """Start it; it reads the corpus on its own."""
        python = ROOT / ENVIRONMENTS[environment] / "bin" / "python"
        if not python.is_file():
            raise SystemExit(f"{python} is not there: run this through `make bench`")
        self.process = subprocess.Popen(
            [str(python), "-m", "benchmarks.harness", module],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(
        self, contender: str, size: int | None = None, total: int = 0
    ) -> tuple[float | None, str]:
        """Seconds of one pass, or None and why there is none.

        With a `size`, over one text of `total` code points as documents of that size.
        """
        told, said = _pipes(self.process)
        told.write(json.dumps([contender, size, total]) + "\n")
        told.flush()
        seconds, fault = json.loads(said.readline())
        return seconds, fault

    def stop(self) -> None:
        """End the process."""
        _pipes(self.process)[0].close()
        self.process.wait()


def _pipes(process: "subprocess.Popen[str]") -> tuple[IO[str], IO[str]]:
    assert process.stdin is not None
    assert process.stdout is not None
    return process.stdin, process.stdout


def documents_of(texts: list[str], size: int, total: int) -> list[str]:
    """`total` code points of the corpus as documents of `size`: the same text for every size."""
    text = "\n\n".join(texts)
    text *= 1 + total // max(1, len(text))
    return [text[start : min(start + size, total)] for start in range(0, total, size)]


def serve(module: str) -> None:
    """The worker's life: read a contender's name, make one pass, say how long it took."""
    benchmark = import_module(module)
    contenders = {contender.name: contender for contender in benchmark.CONTENDERS}
    texts: list[str] = benchmark.corpus()
    passes: dict[tuple[str, int | None], Callable[[], object]] = {}
    for line in sys.stdin:
        name, size, total = json.loads(line)
        try:
            if (name, size) not in passes:
                chosen = texts if size is None else documents_of(texts, size, total)
                passes[name, size] = contenders[name].prepare(chosen)
            before = time.process_time()
            passes[name, size]()
            answer: tuple[float | None, str] = (time.process_time() - before, "")
        except (ImportError, OSError, subprocess.CalledProcessError) as fault:
            answer = (None, f"{type(fault).__name__}: {fault}")
        print(json.dumps(answer), flush=True)


def measure(module: str, contenders: Sequence[Contender]) -> list[Measured]:
    """Every contender's times, a warm-up before them, taken in turns."""
    workers = {name: Worker(module, name) for name in {c.environment for c in contenders}}
    found = {}
    for contender in contenders:
        _, fault = workers[contender.environment].run(contender.name)
        found[contender.name] = Measured(contender.name, contender.environment, [], fault)
    for turn in range(max(contender.rounds for contender in contenders)):
        for contender in contenders:
            if turn < contender.rounds and not found[contender.name].missing:
                seconds, _ = workers[contender.environment].run(contender.name)
                assert seconds is not None
                found[contender.name].seconds.append(seconds)
    for worker in workers.values():
        worker.stop()
    return list(found.values())


def measure_growth(
    module: str, contenders: Sequence[Contender], sizes: Sequence[int], rounds: int = 3
) -> dict[str, list[float]]:
    """Seconds of each contender for one text as documents of each size, the least of a few rounds.

    The text is as long as the largest size.
    """
    workers = {name: Worker(module, name) for name in {c.environment for c in contenders}}
    found: dict[str, list[float]] = {}
    for contender in contenders:
        worker = workers[contender.environment]
        total = max(sizes)
        times = [
            [worker.run(contender.name, size, total)[0] for size in sizes] for _ in range(rounds)
        ]
        if all(seconds is not None for row in times for seconds in row):
            columns = zip(*times, strict=True)
            found[contender.name] = [min(s for s in column if s is not None) for column in columns]
    for worker in workers.values():
        worker.stop()
    return found


def table(measured: Sequence[Measured], size: int, reference: str) -> str:
    """Speeds in MB (10^6 bytes of UTF-8) a second, and how many times each the reference is."""
    base = next((one.median for one in measured if one.name == reference and one.seconds), None)
    width = max(len(one.name) for one in measured)
    lines = [f"{'':{width}}       MB/s   {reference} is"]
    for one in sorted(measured, key=lambda one: one.median if one.seconds else 1e9):
        if not one.seconds:
            lines.append(f"{one.name:{width}}  not measured: {one.missing}")
            continue
        times = f"{one.median / base:8.2f} times" if base else ""
        lines.append(f"{one.name:{width}} {size / one.median / 1e6:10.1f}   {times}")
    return "\n".join(lines)


def save(name: str, value: dict[str, Any]) -> Path:
    """Keep a run as JSON; gives back where."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}-{time.strftime('%Y%m%d-%H%M%S')}.json"
    path.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")
    return path


if __name__ == "__main__":
    serve(sys.argv[1])
