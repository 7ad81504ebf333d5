"""What engines add to a plain loop, and whether the same rows come out of all of them.

    python -m benchmarks.engines [DOCUMENTS] [ENGINE...]

Writes DOCUMENTS (2,000) documents, real Markdown with variations, as Parquet, as files and as rows,
and lets each engine make chunks of them in two processes. It prints the processor time of each, all
processes below it included, a start with one document, and what is left without the start; and
fails where the rows, sorted, are not those of `spanwise chunk` over the files. Processor time is
that of the kernel as it is installed, compiled or not. Needs Linux.
"""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.corpus import documents

ENGINES = {"duckdb": "duckdb", "ray": "ray", "spark": "pyspark"}
PROGRAM = [str(Path(sys.executable).with_name("spanwise"))]
PART_MB = "8"
TICKS = os.sysconf("SC_CLK_TCK")
LOOP = """
import sys
import pyarrow as pa, pyarrow.parquet as pq
from spanwise.arrow import BatchChunker
chunker = BatchChunker()
file = pq.ParquetFile(sys.argv[1])
with pq.ParquetWriter(sys.argv[2], chunker.schema(file.schema_arrow), compression="zstd") as out:
    for batch in file.iter_batches(1000):
        out.write(pa.Table.from_batches([chunker(batch)]))
"""


def write_corpus(folder: Path, count: int) -> int:
    """Write documents as files and as Parquet, in an order that is not that of the names; bytes."""
    _, texts = documents()
    rows = []
    for number in range(count):
        text = texts[number % len(texts)]
        if number >= len(texts):
            # In the middle, so that few chunks are those of the other copies.
            at = text.find("\n\n", len(text) // 2) + 1
            text = f"{text[:at]}\nCopy {number // len(texts)}.\n{text[at:]}"
        name = f"docs/{number * 7919 % count:06}.md"
        rows.append({"text": text, "source": name})
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text.encode())
    pq.write_table(pa.Table.from_pylist(rows), folder / "in.parquet", row_group_size=200)
    pq.write_table(pa.Table.from_pylist(rows[:1]), folder / "one.parquet")
    return sum(len(row["text"].encode()) for row in rows)


def below(process: int) -> Iterator[tuple[tuple[int, int], int]]:
    """(id, start) and ticks of a process and all below it, waited-for children not counted."""
    children: dict[int, list[int]] = {}
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        number = int(folder.name)
        children.setdefault(int(fields[1]), []).append(number)
        found[number] = (number, int(fields[19])), int(fields[11]) + int(fields[12])
    waiting = [process]
    while waiting:
        one = waiting.pop()
        waiting += children.get(one, [])
        if one in found:
            yield found[one]


def measured(command: list[str], folder: Path) -> tuple[float, float]:
    """Processor seconds and wall seconds of a command with all that it starts.

    Looked at ten times a second: what ends in between loses a tenth of a second at most.
    """
    ticks: dict[tuple[int, int], int] = {}
    started = time.monotonic()
    with (folder / "log").open("wb") as log:
        running = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log)
        while running.poll() is None:
            ticks.update(below(running.pid))
            time.sleep(0.1)
    wall = time.monotonic() - started
    if running.returncode:
        raise SystemExit((folder / "log").read_text())
    return sum(ticks.values()) / TICKS, wall


def hash_of(rows: Iterator[dict[str, object]]) -> tuple[int, str]:
    """How many rows, and a hash of them, sorted."""
    lines = sorted(json.dumps(row, sort_keys=True, ensure_ascii=False) for row in rows)
    digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()
    return len(lines), digest


def rows_of(parts: list[Path]) -> Iterator[dict[str, object]]:
    """The rows of Parquet files as `spanwise chunk` has them."""
    for part in parts:
        for batch in pq.ParquetFile(part).iter_batches():
            for row in batch.to_pylist():
                if row["headings"] is None:
                    del row["headings"]
                yield row


def main() -> None:
    """Measure and compare."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    names = sys.argv[2:] or [name for name, module in ENGINES.items() if find_spec(module)]
    with tempfile.TemporaryDirectory(prefix="spanwise-engines-") as name:
        folder = Path(name)
        size = write_corpus(folder, count)
        print(f"{count:,} documents, {size / 1e6:.0f} MB of text")
        files = [*PROGRAM, "chunk", "docs", "-o", "files.jsonl", "--jobs", "2", "-q"]
        print(line("files", *measured(files, folder)))
        with (folder / "files.jsonl").open("rb") as lines:
            wanted = hash_of(map(json.loads, lines))
        loop, wall = measured([sys.executable, "-c", LOOP, "in.parquet", "loop.parquet"], folder)
        print(line("plain loop", loop, wall))
        check("plain loop", wanted, rows_of([folder / "loop.parquet"]))
        for engine in names:
            options = ["--engine", engine, "--jobs", "2", "--part-size", PART_MB, "-q"]
            dataset = [*PROGRAM, "dataset"]
            start, _ = measured([*dataset, "one.parquet", f"one-{engine}", *options], folder)
            all_of_it, wall = measured([*dataset, "in.parquet", engine, *options], folder)
            beyond = all_of_it - start
            print(
                line(engine, all_of_it, wall)
                + f"  start {start:6.1f}  beyond it {beyond:6.1f} = {beyond / loop:.2f} loops"
            )
            check(engine, wanted, rows_of(sorted((folder / engine).glob("*.parquet"))))
    print(f"{wanted[0]:,} rows, the same in all: {wanted[1][:16]}")


def line(name: str, cpu: float, wall: float) -> str:
    """One contender."""
    return f"{name:<11} {cpu:7.1f} s of processor time {wall:7.1f} s"


def check(name: str, wanted: tuple[int, str], rows: Iterator[dict[str, object]]) -> None:
    """Exit where the rows are not those that are wanted."""
    found = hash_of(rows)
    if found != wanted:
        raise SystemExit(f"{name}: {found[0]} rows {found[1][:16]}, not {wanted[0]} {wanted[1]}")


if __name__ == "__main__":
    main()
