"""Chunks as Parquet and changes for `_bulk`: the same rows and the same deltas as JSON lines."""

import json
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.shared_data import DATA, needs_data
from tests.sync_world import (
    Row,
    by_id,
    documents,
    edit,
    environment,
    read_rows,
    spanwise_command,
    sync,
    write,
    write_documents,
)

pa = pytest.importorskip("pyarrow")

import pyarrow.parquet as pq  # noqa: E402

from spanwise.arrow.parquet import UNIQUE  # noqa: E402
from spanwise.arrow.rows import ROW_SCHEMA, lines_of  # noqa: E402
from spanwise.store import parquet as parquet_module  # noqa: E402

PARQUET = ("-o", "chunks.parquet", "--delta", "p.jsonl", "--manifest", "p/manifest.db")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def make_documents(chance: random.Random, count: int = 30) -> None:
    for number in range(count):
        sections = [f"## S{i} ü\n\n" + "word " * chance.randrange(400) for i in range(5)]
        write(Path(f"docs/{number % 4}/{number}.md"), f"# D{number}\n\n" + "\n\n".join(sections))


def change(chance: random.Random) -> None:
    for path in chance.sample(documents(), 5):
        if chance.random() < 0.3:
            path.unlink()
        else:
            edit(path, lambda text: f"# New {chance.random()}\n\nx\n\n{text}")
    write(Path(f"docs/{chance.randrange(6)}/{chance.random()}.md"), "# A\n\nb\n")


def both(*arguments: str) -> dict[str, Any]:
    """Sync to JSON lines and to Parquet; what comes of it has to be the same."""
    said = sync(*arguments)
    again = sync(*PARQUET, *arguments)
    assert {**again, "read": 0} == {**said, "read": 0}
    assert Path("p.jsonl").read_bytes() == Path("delta.jsonl").read_bytes()
    assert lines_of(pq.read_table("chunks.parquet")) == Path("chunks.jsonl").read_bytes()
    return said


def test_parquet_follows_as_json_lines_do(here: Path) -> None:
    chance = random.Random(1)
    make_documents(chance)
    both()
    before = Path("chunks.parquet").stat()
    said = both()
    assert (said["upserts"], said["read"]) == (0, 0)
    assert Path("chunks.parquet").stat() == before
    for _ in range(6):
        change(chance)
        both()
    both("--max-chars", "400", "--unit", "utf8")
    both("--min-chars", "900")
    shutil.rmtree("docs/1")
    both("--min-chars", "900")
    said = both("--min-chars", "900", "--verify")
    assert said["read"] == len(documents())
    assert not list(Path().glob(".*.tmp"))


def test_pending_runs(here: Path) -> None:
    chance = random.Random(2)
    make_documents(chance)
    both()
    for _ in range(3):
        change(chance)
        run = both("--pending")["run"]
    for manifest in (".spanwise/manifest.db", "p/manifest.db"):
        assert spanwise_command("ack", run, "--manifest", manifest).returncode == 0
    assert both("--pending")["upserts"] == 0


@pytest.mark.parametrize("limit", [0, 100, 4096, 30_000])
def test_files_that_may_not_grow(here: Path, limit: int) -> None:
    """As on a full disk: the error says what cannot be written, and what was there is there."""
    pytest.importorskip("resource")
    chance = random.Random(3)
    make_documents(chance)
    both()
    old = Path("chunks.parquet").read_bytes(), Path("p.jsonl").read_bytes()
    change(chance)
    for path in documents():
        edit(path, lambda text: f"# {chance.random()}\n\nx\n\n{text}")
    code = (
        "import resource, sys; limit = int(sys.argv.pop(1)); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)); "
        "from spanwise.doors.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(limit), "sync", "docs", *PARQUET],
        env=environment(), capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.startswith("error: cannot write "), done.stderr
    assert (Path("chunks.parquet").read_bytes(), Path("p.jsonl").read_bytes()) == old
    assert not list(Path().glob(".*.tmp"))
    both()


@needs_data
def test_rows_of_all_kinds_come_back_as_they_were(here: Path) -> None:
    """Regions, pages and titles of documents, joined headings, real Markdown."""
    write_documents(Path("docs"))
    for kind in ("docx", "html", "pdf"):
        for path in sorted((DATA / "documents" / kind).iterdir())[:3]:
            if path.is_file():
                shutil.copy(path, Path("docs") / path.name)
    assert spanwise_command("sync", "docs", "-o", "a.jsonl", "--delta", "d.jsonl",
                            "--min-chars", "300").returncode in (0, 1)  # fmt: skip
    assert spanwise_command("sync", "docs", *PARQUET, "--min-chars", "300").returncode in (0, 1)
    table = pq.read_table("chunks.parquet")
    assert lines_of(table) == Path("a.jsonl").read_bytes()
    assert table.schema == ROW_SCHEMA
    for name in ("media_type", "title", "pages", "regions", "prefix_regions", "headings"):
        assert 0 < table.column(name).null_count < len(table), name
    write(Path("docs/new.md"), "# New\n\nx\n")
    spanwise_command("sync", "docs", *PARQUET, "--min-chars", "300")
    spanwise_command("sync", "docs", "-o", "a.jsonl", "--delta", "d.jsonl", "--min-chars", "300")
    assert lines_of(pq.read_table("chunks.parquet")) == Path("a.jsonl").read_bytes()


def test_the_file_is_one_for_stores(here: Path) -> None:
    """zstd, row groups of a good size, strings and lists, in the order of the names."""
    for number in range(300):
        write(Path(f"docs/{number:03}.md"), "".join(f"# H{i}\n\nword\n\n" for i in range(500)))
    assert sync(*PARQUET)["count"] == 150_000
    for _ in range(2):
        file = pq.ParquetFile("chunks.parquet")
        about = file.metadata
        groups = [about.row_group(number) for number in range(about.num_row_groups)]
        assert [50_000 <= group.num_rows <= 100_000 for group in groups[:-1]] == [True, True]
        column = groups[0].column(about.schema.names.index("text"))
        assert column.compression == "ZSTD"
        whole = [
            groups[0].column(number).path_in_schema
            for number in range(groups[0].num_columns)
            if not groups[0].column(number).has_dictionary_page
        ]
        assert set(whole) - {"tokens_exact"} == UNIQUE, "but booleans, which have none"
        rows = file.read(["source", "index"]).to_pylist()
        assert rows == sorted(rows, key=lambda row: (row["source"], row["index"]))
        file.close()
        edit(Path("docs/150.md"), lambda text: f"# New\n\nx\n\n{text}")
        assert sync(*PARQUET)["upserts"] == 1
    assert pq.read_metadata("chunks.parquet").num_rows == 150_002


@pytest.mark.parametrize("damage", ["cut", "bytes", "gone", "another"])
def test_parquet_that_others_changed_is_made_again(here: Path, damage: str) -> None:
    chance = random.Random(3)
    make_documents(chance)
    both()
    path = Path("chunks.parquet")
    data = path.read_bytes()
    if damage == "cut":
        path.write_bytes(data[:-100])
    elif damage == "bytes":
        middle = len(data) // 2
        path.write_bytes(data[:middle] + bytes(200) + data[middle + 200 :])
    elif damage == "gone":
        path.unlink()
    else:
        pq.write_table(pa.table({"x": [1, 2]}), path)
    change(chance)
    both()


def test_a_copy_with_another_time_is_taken_as_it_is(here: Path) -> None:
    make_documents(random.Random(4))
    both()
    Path("chunks.parquet").touch()
    assert sync(*PARQUET)["read"] == 0
    both()


def bulk_applied(path: str, store: dict[str, Row], index: str | None = None) -> None:
    """Do what a file says, as `_bulk` would."""
    data = Path(path).read_bytes()
    assert data == b"" or data.endswith(b"\n")
    lines = iter(data.splitlines())
    for line in lines:
        ((action, target),) = json.loads(line).items()
        assert target.pop("_index", None) == index
        key = target.pop("_id")
        assert target == {}
        if action == "delete":
            store.pop(key, None)
        elif action == "index":
            store[key] = json.loads(next(lines))
            assert store[key]["chunk_id"] == key
        else:
            assert action == "update"
            (doc,) = json.loads(next(lines)).values()
            assert "text" not in doc
            store[key] = store[key] | doc


@pytest.mark.parametrize("index", [None, "docs-v1"])
def test_bulk_brings_an_index_up_to_date(here: Path, index: str | None) -> None:
    chance = random.Random(5)
    make_documents(chance)
    store: dict[str, Row] = {}
    named = ("--bulk-index", index) if index else ()
    seen = []
    for turn in range(6):
        said = sync("--delta", "delta.bulk", *named, *(["--unit", "utf16"] if turn == 5 else []))
        bulk_applied("delta.bulk", store, index)
        assert store == by_id(read_rows())
        bulk_applied("delta.bulk", store, index)
        assert store == by_id(read_rows())
        seen.append((said["upserts"], said["deletes"], said["moves"]))
        change(chance)
    assert all(sum(one) > 0 for one in zip(*seen, strict=True))


def test_the_run_is_that_of_json_lines(here: Path) -> None:
    make_documents(random.Random(6))
    run = sync()["run"]
    shutil.rmtree(".spanwise")
    assert sync("--delta", "delta.bulk")["run"] == run


def test_chunk_writes_parquet_and_bulk(here: Path) -> None:
    make_documents(random.Random(7))
    for name in ("all.jsonl", "all.parquet", "all.bulk"):
        done = spanwise_command("chunk", "docs", "-o", name, "--bulk-index", "x")
        assert done.returncode == 0, done.stderr
    lines = Path("all.jsonl").read_bytes()
    assert lines_of(pq.read_table("all.parquet")) == lines
    store: dict[str, Row] = {}
    bulk_applied("all.bulk", store, "x")
    assert list(store.values()) == [json.loads(line) for line in lines.splitlines()]
    assert not list(Path().glob(".*"))
    assert spanwise_command("chunk", "docs", "-o", "all.parquet", "--check").returncode == 0
    edit(documents()[3], lambda text: text + " more")
    assert spanwise_command("chunk", "docs", "-o", "all.parquet", "--check").returncode == 1
    Path("all.parquet").write_bytes(b"not Parquet")
    done = spanwise_command("chunk", "docs", "-o", "all.parquet", "--check")
    assert (done.returncode, done.stderr[:18]) == (1, "error: all.parquet")
    assert spanwise_command("chunk", "docs", "-o", "all.bulk", "--check").returncode == 2


def test_reading_lines_of_parquet(here: Path) -> None:
    make_documents(random.Random(8))
    both()
    lines = Path("chunks.jsonl").read_bytes()
    with parquet_module.ParquetLines("chunks.parquet") as file:
        assert file.read(100) + file.read(0) + file.read(1) + file.read() == lines
        assert file.read(5) == b""


@pytest.mark.parametrize(
    ("out", "delta", "message"),
    [
        ("chunks.bulk", "d.jsonl", "out: chunks that are kept in step are JSON lines or Parquet"),
        ("chunks.jsonl", "d.parquet", "delta: changes are JSON lines or bulk, not Parquet"),
    ],
)
def test_files_that_cannot_be(here: Path, out: str, delta: str, message: str) -> None:
    make_documents(random.Random(9), 2)
    done = spanwise_command("sync", "docs", "-o", out, "--delta", delta)
    assert done.returncode == 1
    assert done.stderr.startswith(f"error: {message}")
    assert not Path(out).exists()


@pytest.mark.parametrize("verb", ["sync", "chunk"])
def test_the_extra_is_named(here: Path, verb: str) -> None:
    make_documents(random.Random(9), 2)
    code = "import sys; sys.modules['pyarrow'] = None; from spanwise.doors.cli import main; main()"
    more = ["--delta", "d.jsonl"] if verb == "sync" else []
    done = subprocess.run(
        [sys.executable, "-c", code, verb, "docs", "-o", "chunks.parquet", *more],
        capture_output=True, text=True, env=environment(),
    )  # fmt: skip
    assert done.returncode == 1
    assert "needs an extra: pip install 'spanwise[arrow]'" in done.stderr
    assert not Path("chunks.parquet").exists()


@pytest.mark.parametrize("limit", [0, 100, 4096, 16_384, 60_000])
@pytest.mark.parametrize("verb", ["sync", "chunk"])
def test_a_disk_without_room(here: Path, verb: str, limit: int) -> None:
    """The old file stays, and the error says what cannot be written."""
    pytest.importorskip("resource")
    make_documents(random.Random(10))
    both()
    old = Path("chunks.parquet").read_bytes()
    for number in range(150):
        words = " ".join(str(random.Random(number).random()) for _ in range(400))
        write(Path(f"docs/new/{number}.md"), f"# {number}\n\n{words}\n")
    code = (
        "import resource, sys; limit = int(sys.argv.pop(1)); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)); "
        "from spanwise.doors.cli import main; main()"
    )
    more = PARQUET if verb == "sync" else ("-o", "chunks.parquet")
    done = subprocess.run(
        [sys.executable, "-c", code, str(limit), verb, "docs", *more],
        env=environment(), capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.startswith("error: cannot write "), done.stderr
    assert Path("chunks.parquet").read_bytes() == old
    assert not list(Path().glob(".*.tmp"))
    both()
