"""Ray Data and Spark: the rows of the other engines, also where workers or the driver are killed.

`make test-engines` installs them. A start of either takes some 20 to 50 seconds of processor time,
so nearly all tests share one.
"""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from spanwise.errors import InvalidInput, UnreadableSource
from tests.shared_data import DATA, ROOT, markdown_files
from tests.sync_world import command, environment

pa = pytest.importorskip("pyarrow")
pytest.importorskip("duckdb")

import pyarrow.parquet as pq  # noqa: E402

from spanwise.engines.job import Job  # noqa: E402
from spanwise.engines.running import run_job  # noqa: E402
from tests.test_datasets import (  # noqa: E402
    DOCUMENTS,
    Row,
    all_rows,
    expected,
    job_of,
    place,
    write_lines,
    write_parquet,
)

CORES = 2
NEEDS = {"ray": "ray", "spark": "pyspark"}
WORKERS = {"ray": b"ray::", "spark": b"pyspark.daemon"}
"""What the command lines of workers begin with or have in them."""


@pytest.fixture(scope="module", params=NEEDS)
def engine(request: pytest.FixtureRequest) -> Iterator[str]:
    """The name of an engine that is running."""
    name: str = request.param
    if find_spec(NEEDS[name]) is None:
        pytest.skip(f"needs {NEEDS[name]} (make test-engines)")
    module: Any = import_module(f"spanwise.engines.{name}")
    if name == "ray":
        module._start(CORES)
        yield name
        module.ray.shutdown()
    else:
        try:
            session, _ = module._session(CORES)
        except InvalidInput as error:
            pytest.skip(error.message)
        yield name
        session.stop()


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def real_documents(count: int) -> list[Row]:
    """Real Markdown where it is at hand, in an order that is not that of the names."""
    if not DATA.is_dir():
        return DOCUMENTS[:count]
    texts = [record["text"] for record in markdown_files("docs")]
    return [
        {"text": text, "source": f"{number * 7919 % count:05}.md"}
        for number, text in enumerate(texts[:count])
    ]


def part_bytes(out: str) -> list[tuple[str, bytes]]:
    return [(path.name, path.read_bytes()) for path in sorted(Path(out).glob("part-*"))]


@pytest.mark.parametrize("kind", ["parquet", "jsonl"])
def test_the_same_parts_as_duckdb(engine: str, kind: str) -> None:
    """Of a few hundred documents, byte for byte; so the same rows as `chunk_markdown`."""
    documents = real_documents(300)
    for number, document in enumerate(documents):
        document["n"] = None if number % 7 == 0 else number
    if kind == "parquet":
        write_parquet("in/a.parquet", documents[:200], group=40, n=pa.int64())
        write_parquet("in/b.parquet", documents[200:], group=40, n=pa.int64())
    else:
        write_lines("in/a.jsonl", documents)
    job = job_of("in", carry=("n",), part_bytes=200_000)
    seen: list[int] = []
    made = run_job(job, "OUT", engine, CORES, lambda tasks, parts: seen.append(len(parts)))
    assert made["engine"] == engine
    assert len(made["parts"]) > 4
    assert seen[-1] == len(made["parts"])
    run_job(job, "DUCK", "duckdb", 1)
    assert part_bytes("OUT") == part_bytes("DUCK")
    assert all_rows() == expected(documents, "n")


def chunks_of(engine: str, documents: list[Row], types: dict[str, Any], **more: Any) -> list[Row]:
    """The rows of the chunks that the function of an engine makes of a dataset or a frame."""
    module: Any = import_module(f"spanwise.engines.{engine}")
    if engine == "ray":
        data = module.ray.data.from_arrow(pa.Table.from_pylist(documents, pa.schema(types)))
        rows = module.chunk_dataset(data.repartition(4), **more).take_all()
    else:
        from pyspark.sql import SparkSession

        write_parquet("frame.parquet", documents, **types)
        session = SparkSession.getActiveSession()
        assert session is not None
        frame = session.read.parquet(str(Path("frame.parquet").resolve())).repartition(4)
        rows = [row.asDict() for row in module.chunk_frame(frame, **more).collect()]
    for row in rows:
        row["heading_path"] = list(row["heading_path"])
        if row["headings"] is None:
            del row["headings"]
        else:
            row["headings"] = list(row["headings"])
    return sorted(rows, key=place)


TEXTS = {"text": pa.string(), "source": pa.string(), "n": pa.int64()}


def test_a_dataset_or_frame_of_documents(engine: str) -> None:
    documents = real_documents(200)
    for number, document in enumerate(documents):
        document["n"] = number
    documents[3]["text"] = None
    options = {"max_chars": 700, "overlap_chars": 50, "min_chars": 100, "prefix_path": True}
    rows = chunks_of(engine, documents, TEXTS, carry=["n"], **options)
    assert rows == expected(documents, "n", **options)
    assert any(row.get("headings") for row in rows)


def test_options_and_columns_that_are_not_right(engine: str) -> None:
    with pytest.raises(InvalidInput, match="max_chars"):
        chunks_of(engine, DOCUMENTS[:1], TEXTS, max_chars=3)
    with pytest.raises(Exception, match="no column called body"):
        chunks_of(engine, DOCUMENTS[:1], TEXTS, text="body")
    write_parquet("in.parquet", DOCUMENTS[:1])
    with pytest.raises(InvalidInput, match="text: no column called body, among text, source"):
        run_job(job_of("in.parquet", text="body"), "OUT", engine, CORES)


def test_what_is_wrong_with_a_document_is_told(engine: str) -> None:
    """An error of a worker comes back as it is, and is not tried again; what is done is kept."""
    documents = [dict(document) for document in DOCUMENTS]
    documents[450]["source"] = None  # type: ignore[assignment]
    write_parquet("in.parquet", documents, group=100)
    with pytest.raises(InvalidInput, match=r"in.parquet: row 451 has a text, and source is null"):
        run_job(job_of("in.parquet", part_bytes=20_000), "OUT", engine, CORES)
    assert not Path("OUT").exists()


# -- killed ---------------------------------------------------------------------------------------


def big_job(parts: int) -> tuple[Job, list[Row]]:
    """A job of some seconds: a file for each part."""
    documents: list[Row] = []
    for part in range(parts):
        rows = [
            {"text": "".join(f"## {n} {part}\n\n{'Some words. ' * 90}\n\n" for n in range(1000)),
             "source": f"{part:03}-{number}"}
            for number in range(3)
        ]  # fmt: skip
        write_parquet(f"in/{part:02}.parquet", rows)
        documents += rows
    return job_of("in"), documents


def descendants(process: int) -> Iterator[int]:
    """All processes below one."""
    parents: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        parents.setdefault(parent, []).append(int(folder.name))
    waiting = [process]
    while waiting:
        for child in parents.get(waiting.pop(), []):
            waiting.append(child)
            yield child


def busy_worker(engine: str) -> int | None:
    """A process that works on a task."""
    for process in descendants(os.getpid()):
        try:
            line = Path(f"/proc/{process}/cmdline").read_bytes()
            maps = Path(f"/proc/{process}/maps").read_text()
        except OSError:
            continue
        busy = b"Map" in line if engine == "ray" else True
        # The kernel of DuckDB is loaded by the first task of a worker.
        if WORKERS[engine] in line and busy and "_duckdb" in maps:
            return process
    return None


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="finds workers in /proc")
def test_a_killed_worker_costs_nothing_but_time(engine: str) -> None:
    job, documents = big_job(parts=12)
    killed: list[tuple[int, int]] = []
    over = threading.Event()

    def kill() -> None:
        while not over.is_set():
            done = len(list(Path(".OUT.spanwise/done").glob("*.json")))
            process = busy_worker(engine) if done >= 1 else None
            if process is not None:
                os.kill(process, signal.SIGKILL)
                killed.append((process, done))
                return
            time.sleep(0.02)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        made = run_job(job, "OUT", engine, CORES)
    finally:
        over.set()
        killer.join()
    assert killed
    assert killed[0][1] < 12, "there was work left"
    assert made["documents"] == len(documents)
    assert all_rows() == expected(documents)


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="kills a process group")
def test_a_killed_driver_is_taken_up(engine: str) -> None:
    job, documents = big_job(parts=12)
    code = (
        "from tests.test_datasets import job_of; from spanwise.engines.running import run_job; "
        f"run_job(job_of('in'), 'OUT', {engine!r}, {CORES})"
    )
    driver = subprocess.Popen(
        [command()[0], "-c", code],
        env=environment()
        | {"PYTHONPATH": os.pathsep.join([environment()["PYTHONPATH"], str(ROOT)])},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    done = Path(".OUT.spanwise/done")
    try:
        wait_for(lambda: driver.poll() is not None or len(list(done.glob("*.json"))) >= 2)
        assert driver.poll() is None, "killed before it is over"
        left = list(descendants(driver.pid))
    finally:
        driver.kill()
        driver.wait()
    wait_for(lambda: not [process for process in left if alive(process)])
    assert not Path("OUT").exists()
    finished = {path: path.stat().st_mtime_ns for path in Path(".OUT.spanwise/data").glob("part*")}
    assert len(finished) >= 2
    for path in finished:
        assert pq.read_table(path).num_rows > 0
    kept = {path.stem for path in done.glob("*.json")}
    run_job(job, "OUT", engine, CORES)
    assert all_rows() == expected(documents)
    for path, time_ns in finished.items():
        if path.stem.removeprefix("part-") in kept:
            assert Path("OUT", path.name).stat().st_mtime_ns == time_ns, "not made again"


def wait_for(what: Callable[[], bool], seconds: float = 120) -> None:
    """Return when something is so."""
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end
        time.sleep(0.05)


def alive(process: int) -> bool:
    """Whether a process is there and not a zombie."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


# -- without --------------------------------------------------------------------------------------


def test_without_java(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspark", reason="needs pyspark (make test-engines)")
    write_parquet("in.parquet", DOCUMENTS[:5])
    done = subprocess.run(
        command("dataset", "in.parquet", "OUT", "--engine", "spark"),
        env=environment() | {"JAVA_HOME": "/nowhere"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 1
    assert "error: the engine spark needs Java 17 or later" in done.stderr
    assert not Path("OUT").exists()


def test_without_the_extra() -> None:
    absent = [name for name, module in NEEDS.items() if find_spec(module) is None]
    if not absent:
        pytest.skip("both are installed")
    write_parquet("in.parquet", DOCUMENTS[:5])
    for name in absent:
        with pytest.raises(InvalidInput, match=rf"pip install 'spanwise\[{name}\]'"):
            run_job(job_of("in.parquet"), "OUT", name)


def test_what_a_killed_worker_left_is_not_published() -> None:
    write_parquet("in.parquet", DOCUMENTS[:5])
    job = job_of("in.parquet")
    left = Path(".OUT.spanwise/data/.part-00000.parquet.0123456789abcdef.tmp")
    run_job(job, "OUT", "duckdb", 1, lambda tasks, parts: left.touch())
    assert all_rows() == expected(DOCUMENTS[:5])


def test_what_an_engine_gave_up() -> None:
    from spanwise.engines.planning import gave_up

    write_parquet("in.parquet", DOCUMENTS[:5])
    tasks = job_of("in.parquet").tasks()
    error = gave_up("Ray", RuntimeError("too often\n  at line 3"), tasks)
    assert isinstance(error, UnreadableSource)
    assert error.message == "in.parquet: Ray gave up: too often"
