"""The way from Parquet to Parquet: what each step costs, whole jobs, and memory as data grows.

    make bench      or: python -m benchmarks.arrow [--check] [--documents 8000] [--growth]

Processor time on one core, the least of three rounds. `--growth` makes a data set of 200 MB and one
of 2 GB and compares the memory that a job needs at its peak. `--check` exits 1 when a floor is not
held.
"""

import argparse
import gc
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.corpus import write
from benchmarks.harness import save
from spanwise.arrow import BatchChunker
from spanwise.arrow.parquet import ParquetFile

FLOOR = 60.0
"""MB/s of text on one core, from Parquet to Parquet and from JSON lines to JSON lines."""
MEMORY = 1.5
"""How many times the memory of 200 MB a job over 2 GB may need."""
GROWTH = (21_200, 212_000)
ROUNDS = 3
BATCH_ROWS = 256


def least(function: Callable[[], object]) -> float:
    """Seconds of processor time."""
    times = []
    for _ in range(ROUNDS):
        before = time.process_time()
        function()
        times.append(time.process_time() - before)
    return min(times)


def steps(path: Path, folder: Path) -> dict[str, float]:
    """Seconds of each step of one process, and of all of them in one stream."""
    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
    chunker = BatchChunker()
    file = pq.ParquetFile(path)

    def batches() -> Any:
        found = pq.ParquetFile(path).iter_batches(BATCH_ROWS, use_threads=False)
        return pa.RecordBatchReader.from_batches(file.schema_arrow, found)

    texts = list(batches())
    chunks = list(chunker.chunks_of(pa.Table.from_batches(texts).to_reader(BATCH_ROWS)))

    def put(made: Any) -> None:
        with (folder / "out.parquet").open("wb") as out, ParquetFile(out, chunks[0].schema) as to:
            to.write(made)

    return {
        "reading Parquet": least(lambda: list(batches())),
        "chunks": least(lambda: list(chunker.chunks_of(pa.Table.from_batches(texts).to_reader()))),
        "writing Parquet": least(lambda: put(chunks)),
        "all three, as a stream": least(lambda: put(chunker.chunks_of(batches()))),
    }


def job(data: Path, folder: Path, *more: str) -> tuple[float, int]:
    """Seconds of processor time and kilobytes at the peak of `spanwise dataset` as a process."""
    out = folder / "out"
    command = ["from spanwise.doors.cli import main; main()", "dataset", str(data), str(out)]
    process = subprocess.Popen(
        [sys.executable, "-c", *command, "--jobs", "1", "-q", *more], env=os.environ
    )
    _, status, used = os.wait4(process.pid, 0)
    assert status == 0
    subprocess.run(["rm", "-r", str(out)], check=True)
    return used.ru_utime + used.ru_stime, used.ru_maxrss


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the way from Parquet to Parquet.")
    parser.add_argument("--check", action="store_true", help="exit 1 when a floor is not held")
    parser.add_argument("--documents", type=int, default=8_000)
    parser.add_argument("--growth", action="store_true", help="memory for 200 MB and for 2 GB")
    options = parser.parse_args()
    gc.disable()
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sizes = {kind: write(folder / kind, options.documents, kind, 1) for kind in KINDS}
        size = sizes["parquet"]
        print(f"{options.documents} documents, {size / 1e6:.1f} MB of UTF-8, one core\n")
        for what, seconds in steps(folder / "parquet" / "000.parquet", folder).items():
            found[what] = size / seconds / 1e6
            print(f"{what:42} {found[what]:8.1f} MB/s")
        for kind in KINDS:
            what = f"spanwise dataset, {kind} to {kind}"
            runs = [job(folder / kind, folder, "--format", kind) for _ in range(ROUNDS)]
            found[what] = size / min(seconds for seconds, _ in runs) / 1e6
            print(f"{what:42} {found[what]:8.1f} MB/s, the whole process")
    if options.growth:
        found["memory"] = growth()
    print(f"\nkept in {save('arrow', found)}")
    held = all(value >= FLOOR for what, value in found.items() if " to " in what)
    held = held and (not options.growth or found["memory"][1] <= MEMORY * found["memory"][0])
    if options.check and not held:
        raise SystemExit(1)


KINDS = ("parquet", "jsonl")


def growth() -> list[float]:
    """Megabytes at the peak of a job over a small and a big data set."""
    peaks = []
    for count in GROWTH:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            size = write(folder / "data", count, "parquet", -(-count // 10_000))
            seconds, peak = job(folder / "data", folder)
            peaks.append(peak / 1024)
            print(
                f"{size / 1e6:8.0f} MB: {peak / 1024:6.0f} MB at the peak, {seconds:.1f} s of "
                f"processor time, {size / seconds / 1e6:.1f} MB/s"
            )
    return peaks


if __name__ == "__main__":
    main()
