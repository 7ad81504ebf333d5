"""`spanwise dataset` killed at any moment: no half file, no chunk lost or doubled.

After each kill, OUT is not there, or complete; every finished part that has its final name in the
folder of the job can be read and holds what its record says. Started again, only what was not done
is done, and the rows are those of the documents.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.sync_world import ALL, command, environment
from tests.test_datasets import (
    DOCUMENTS,
    Row,
    all_rows,
    expected,
    part_rows,
    write_lines,
    write_parquet,
)

pytest.importorskip("pyarrow")
pytest.importorskip("duckdb")

MOMENTS = 200 if ALL else 10
WORK = Path(".OUT.spanwise")

pytestmark = pytest.mark.skipif(os.name != "posix", reason="kills with SIGKILL")


def start(kind: str, jobs: int) -> "subprocess.Popen[bytes]":
    """A job whose documents are cut in eight parts or so."""
    columns = ("--format", "jsonl" if kind == "parquet" else "parquet", "--part-size", "1")
    return subprocess.Popen(
        command("dataset", f"in.{kind}", "OUT", *columns, "--jobs", str(jobs), "-q"),
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def documents() -> list[Row]:
    """Some 8 MB."""
    return [
        {"text": one["text"] + "\n\nmore words " * 1500, "source": one["source"]}
        for one in DOCUMENTS[:480]
    ]


def finished() -> dict[Path, int]:
    """The parts that a record says are done; what is under their names is whole."""
    found = {}
    for record in WORK.glob("done/*.json"):
        part = json.loads(record.read_bytes())
        path = WORK / "data" / part["file"]
        assert path.stat().st_size == part["bytes"]
        assert len(part_rows(path)) == part["chunks"]
        found[path] = path.stat().st_mtime_ns
    for path in WORK.glob("data/part-*"):
        part_rows(path)  # whole, with a record or before it
    return found


@pytest.mark.parametrize(("kind", "jobs"), [("parquet", 1), ("jsonl", 2)])
def test_kills(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    kind: str,
    jobs: int,
) -> None:
    monkeypatch.chdir(tmp_path)
    chance = random.Random(f"{kind} {jobs}")
    given = documents()
    if kind == "parquet":
        write_parquet("in.parquet", given, 20)
    else:
        write_lines("in.jsonl", given)
    rows = expected(given)
    started = time.monotonic()
    process = start(kind, jobs)
    process.wait()
    usual = time.monotonic() - started
    assert all_rows() == rows
    reference = {path.name: path.read_bytes() for path in Path("OUT").glob("part-*")}
    assert len(reference) > 5
    shutil.rmtree("OUT")

    kills = resumed = again = 0
    while kills < MOMENTS // 2:
        before = finished()
        process = start(kind, jobs)
        # Half of the time at some moment, otherwise soon after something was finished.
        if chance.random() < 0.5:
            time.sleep(usual * chance.uniform(0.1, 0.9))
        else:
            more = len(before) + chance.randrange(1, 4)
            while process.poll() is None and len(list(WORK.glob("done/*.json"))) < more:
                time.sleep(0.001)
            time.sleep(chance.uniform(0, 0.02))
        process.send_signal(signal.SIGKILL)  # its workers see that it is gone, and end
        assert process.stderr is not None
        told = process.stderr.read()
        if process.wait() != -signal.SIGKILL:
            assert process.returncode == 0, told
            assert all_rows() == rows
            shutil.rmtree("OUT")
            again += 1
            continue
        kills += 1
        if Path("OUT").exists():
            assert start(kind, jobs).wait() == 0  # has perhaps to tidy up
            assert all_rows() == rows
            shutil.rmtree("OUT")
            continue
        after = finished()
        resumed += bool(before)
        assert before.items() <= after.items(), "what was done was not done again"
        for path in after:
            assert path.read_bytes() == reference[path.name]
    assert start(kind, jobs).wait() == 0
    assert all_rows() == rows
    with capsys.disabled():
        print(f"\n{kills} kills, {resumed} of jobs that went on, {again} ended in between")
    assert resumed > 0
