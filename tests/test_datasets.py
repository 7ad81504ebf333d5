"""`spanwise dataset`: the rows of `chunk_markdown`, from data sets, and going on after an end."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import spanwise
from spanwise.errors import InvalidInput, Locked, SpanwiseError, UnreadableSource
from tests.shared_data import PACKAGE, markdown_files, needs_data
from tests.sync_world import environment, spanwise_command

pa = pytest.importorskip("pyarrow")
pytest.importorskip("duckdb")

import pyarrow.parquet as pq  # noqa: E402

from spanwise.doors.cli.datasets import ENGINES as OFFERED  # noqa: E402
from spanwise.engines import ENGINES  # noqa: E402
from spanwise.engines.inputs import find_data  # noqa: E402
from spanwise.engines.job import MANIFEST, Job, Work  # noqa: E402
from spanwise.engines.plain import plain_rows  # noqa: E402
from spanwise.engines.running import run_job  # noqa: E402
from spanwise.markdown.options import ChunkOptions  # noqa: E402

Row = dict[str, Any]

DOCUMENTS = [
    {"text": f"# T{number}\n\nAn é.\n\n## Sub\n\n" + "word " * (number % 90 * 7), "source": name}
    for number, name in enumerate(f"{n * 7919 % 500:03}/ä.md" for n in range(500))
]
"""In an order that is not that of the names."""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_parquet(path: str, rows: list[Row], group: int = 100, **types: Any) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    schema = pa.schema({"text": pa.string(), "source": pa.string()} | types)
    pq.write_table(pa.Table.from_pylist(rows, schema), path, row_group_size=group)


def write_lines(path: str, rows: list[Row], **types: Any) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text("".join(json.dumps(row) + "\n" for row in rows))


def job_of(path: str, **more: Any) -> Job:
    return Job(tuple(find_data(path)), **more)


def expected(documents: list[Row], *carry: str, **options: Any) -> list[Row]:
    return [
        {**row, **{name: document.get(name) for name in carry}}
        for document in sorted(documents, key=lambda one: one["source"])
        if document["text"] is not None
        for row in spanwise.chunk_markdown(
            document["text"].removeprefix("\ufeff"), source=document["source"], **options
        )
    ]


def part_rows(path: Path) -> list[Row]:
    """The rows of one part, in the order in which they stand there."""
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_bytes().splitlines()]
    rows: list[Row] = pq.read_table(path).to_pylist()
    for row in rows:
        if row["headings"] is None:
            del row["headings"]
    return rows


def all_rows(out: str = "OUT") -> list[Row]:
    """All rows of a data set in order; each part is in order itself, as its manifest says."""
    manifest = json.loads(Path(out, MANIFEST).read_bytes())
    names = [part["file"] for part in manifest["parts"]]
    assert {path.name for path in Path(out).iterdir()} == {MANIFEST, *names}
    assert not Path(f".{out}.spanwise").exists()
    rows = []
    for part in manifest["parts"]:
        found = part_rows(Path(out, part["file"]))
        assert len(found) == part["chunks"]
        assert found == sorted(found, key=place)
        assert Path(out, part["file"]).stat().st_size == part["bytes"]
        rows += found
    assert len(rows) == manifest["chunks"]
    return sorted(rows, key=place)


def place(row: Row) -> Any:
    return row["source"], row["index"]


@pytest.mark.parametrize("format_in", ["parquet", "jsonl"])
@pytest.mark.parametrize("format_out", ["parquet", "jsonl"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_rows_are_those_of_chunk_markdown(
    here: Path, format_in: str, format_out: Any, jobs: int
) -> None:
    write = write_parquet if format_in == "parquet" else write_lines
    write(f"in/b.{format_in}", DOCUMENTS[:300])
    write(f"in/deep/a.{format_in}", DOCUMENTS[300:])
    Path("in/_SUCCESS").touch()
    Path("in/.hidden.jsonl").touch()
    job = job_of("in", format=format_out, part_bytes=40_000)
    made = run_job(job, "OUT", jobs=jobs)
    assert len(made["parts"]) > 5
    assert made["documents"] == 500
    assert made["text_bytes"] == sum(len(one["text"].encode()) for one in DOCUMENTS)
    assert all_rows() == expected(DOCUMENTS)


@needs_data
def test_real_documents_through_the_command(here: Path) -> None:
    documents: list[Row] = [
        {"body": record["text"], "url": f"{number:05}.md", "n": number, "tags": [str(number), None]}
        for number, record in enumerate(markdown_files("docs"))
    ]
    kinds = {"body": pa.string(), "url": pa.string(), "n": pa.int64()}
    table = pa.Table.from_pylist(documents, pa.schema(kinds | {"tags": pa.list_(pa.string())}))
    pq.write_table(table, "in.parquet", row_group_size=300)
    columns = ("--text-column", "body", "--source-column", "url", "--carry", "n", "--carry", "tags")
    options = ("--max-chars", "800", "--prefix-path", "--part-size", "2", "--json")
    done = spanwise_command("dataset", "in.parquet", "OUT", *columns, *options)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    rows = all_rows()
    assert said["documents"] == len(documents)
    assert said["chunks"] == len(rows)
    assert said["parts"] > 3
    for document in documents:
        document.update({"text": document["body"], "source": document["url"]})
    assert rows == expected(documents, "n", "tags", max_chars=800, prefix_path=True)


@pytest.mark.parametrize("suffix", [".jsonl.gz", ".ndjson", ".jsonl.zst"])
def test_lines_by_other_names(here: Path, suffix: str) -> None:
    rows: list[Row] = [{**one, "n": 1.5, "who": {"x": 1}} for one in DOCUMENTS[:50]]
    with pa.output_stream(f"in{suffix}", compression="detect") as stream:
        stream.write(b"\n".join(json.dumps(row).encode() for row in rows))
    run_job(job_of(f"in{suffix}", carry=("n", "who"), part_bytes=1000), "OUT")
    assert all_rows() == expected(rows, "n", "who")


def test_documents_without_text_or_name(here: Path) -> None:
    rows: list[Row] = [{"text": "# A", "name": "x"}, {"text": None, "name": "y"}, {"text": "b"}]
    write_parquet("in.parquet", rows, 1)
    write_lines("in.jsonl", rows)
    for path, format_out in (("in.parquet", "jsonl"), ("in.jsonl", "parquet")):
        out = f"out-{format_out}"
        run_job(job_of(path, source=None, part_bytes=1, format=format_out), out)
        named = [row | {"source": f"{path}#{row_number}"} for row_number, row in enumerate(rows, 1)]
        assert all_rows(out) == expected(named)


@pytest.mark.parametrize("part_bytes", [1 << 20, 40_000])
@pytest.mark.parametrize(("group", "in_order"), [(10_000, False), (90, False), (90, True)])
def test_arrow_and_duckdb_read_the_same(
    here: Path, monkeypatch: pytest.MonkeyPatch, group: int, in_order: bool, part_bytes: int
) -> None:
    """Plain columns that fit into memory are read without DuckDB; parts are the same bytes."""
    more: list[Row] = [
        {"text": None, "source": "x"},
        {"text": None, "source": None},
        {"text": "", "source": ""},
    ]
    rows: list[Row] = [{**one, "n": n % 7 or None, "s": "é" * n} for n, one in enumerate(DOCUMENTS)]
    rows.sort(key=lambda row: row["source"], reverse=not in_order)
    types = {"n": pa.int64(), "s": pa.string(), "f": pa.float32(), "b": pa.bool_()}
    write_parquet("in.parquet", rows + more, group, **types)
    job = job_of("in.parquet", carry=("f", "n", "b", "s"), part_bytes=part_bytes)
    fast = [task for task in job.tasks() if plain_rows(job, task, 256) is not None]
    # A group that is much bigger than a part is not read again for each.
    assert len(fast) == len(job.tasks())
    run_job(job, "OUT")
    monkeypatch.setattr("spanwise.engines.duckdb.plain_rows", lambda *_: None)
    run_job(job, "DUCK")
    for path in Path("DUCK").glob("part-*"):
        assert path.read_bytes() == Path("OUT", path.name).read_bytes()
    assert all_rows() == expected([*rows, more[2]], "f", "n", "b", "s")


@pytest.mark.parametrize("part_bytes", [1 << 20, 40_000])
@pytest.mark.parametrize("format_out", ["parquet", "jsonl"])
def test_orjson_and_duckdb_read_the_same(
    here: Path, monkeypatch: pytest.MonkeyPatch, format_out: Any, part_bytes: int
) -> None:
    """Lines that have texts and names as strings are read without DuckDB."""
    more: list[Row] = [
        {"text": None, "source": "x"},
        {"kind": "text", "source": None, "more": {"x": ["source"]}},
        {"text": 'says "text": \0\U0001f600', "source": 'a"text"'},
        {"source": ""},
    ]
    lines = [json.dumps(one, ensure_ascii=n % 2 == 0) for n, one in enumerate(DOCUMENTS + more)]
    Path("in.jsonl").write_bytes("\r\n \n\n".join(lines).encode())
    job = job_of("in.jsonl", part_bytes=part_bytes, format=format_out)
    assert None not in [plain_rows(job, task, 256) for task in job.tasks()]
    run_job(job, "OUT")
    monkeypatch.setattr("spanwise.engines.duckdb.plain_rows", lambda *_: None)
    run_job(job, "DUCK")
    for path in Path("DUCK").glob("part-*"):
        assert path.read_bytes() == Path("OUT", path.name).read_bytes()
    assert all_rows() == expected([*DOCUMENTS, more[2]])


@pytest.mark.parametrize(
    "line",
    [
        '{"text": 5, "source": "a"}',
        '{"text": "x", "source": 5}',
        '{"text": "x", "source": "a", "text": "y"}',
        '{"text": "x", "source": "a", "more": {"text": "y"}}',
        '{"te\\u0078t": "x", "source": "a"}',
        '{"text": "x", "source": "a", "n": NaN}',
        '{"text": "x", "source": "a"} {}',
        '["text", "source"]',
        "null",
    ],
)
def test_lines_that_duckdb_has_to_read(here: Path, line: str) -> None:
    Path("in.jsonl").write_text(f'{{"text": "x", "source": "b"}}\n{line}\n')
    (task,) = job_of("in.jsonl").tasks()
    assert plain_rows(job_of("in.jsonl"), task, 256) is None


def test_lines_that_are_too_many_for_the_memory(here: Path) -> None:
    write_lines("in.jsonl", DOCUMENTS)
    (task,) = job_of("in.jsonl").tasks()
    assert plain_rows(job_of("in.jsonl"), task, 256) is not None
    for more in ({"carry": ("text",)}, {"memory_mb": 0}, {"source": None}):
        assert plain_rows(job_of("in.jsonl", **more), task, 256) is None


def test_what_duckdb_has_to_read(here: Path) -> None:
    """Columns of other kinds, and rows that would take too much of the memory."""
    write_parquet("in.parquet", DOCUMENTS, n=pa.int16(), s=pa.large_string())
    (task,) = job_of("in.parquet").tasks()
    assert plain_rows(job_of("in.parquet"), task, 256) is not None
    for more in ({"carry": ("n",)}, {"carry": ("s",)}, {"memory_mb": 0}, {"source": None}):
        assert plain_rows(job_of("in.parquet", **more), task, 256) is None
    assert plain_rows(job_of("in.parquet", text="n"), task, 256) is None


@pytest.mark.parametrize("format_out", ["parquet", "jsonl"])
@pytest.mark.parametrize("kind", ["parquet", "jsonl"])
def test_a_byte_order_mark_is_no_text(here: Path, kind: str, format_out: Any) -> None:
    """As of a file: it marked the encoding. One further on is a character like others."""
    texts = ["\ufeff# Tee\n\nHei\u00df \ufeffund \U0001f375.\n", "\ufeff", "\ufeff\ufeff# x\n"]
    rows = [{"text": text, "source": f"{n}.md"} for n, text in enumerate(texts)]
    (write_parquet if kind == "parquet" else write_lines)(f"in.{kind}", rows)
    run_job(job_of(f"in.{kind}", format=format_out, options=ChunkOptions(unit="utf8")), "OUT")
    for row in rows:
        Path(row["source"]).write_text(row["text"], encoding="utf-8", newline="")
    files = [row for one in rows for row in spanwise.chunk_file(one["source"], unit="utf8")]
    assert all_rows() == files
    assert [row["heading_path"] for row in files] == [["Tee"], []]
    assert (files[0]["start"], files[0]["end"]) == (0, len(texts[0].encode()) - 4)
    assert files[1]["text"] == "\ufeff# x"


@pytest.mark.parametrize("kind", ["parquet", "jsonl"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_two_documents_of_one_source(here: Path, kind: str, jobs: int) -> None:
    """In one part, in two of one file, and in two files; the rows have names of their own."""
    write = write_parquet if kind == "parquet" else write_lines
    rows: list[Row] = [{"body": one["text"], "url": one["source"]} for one in DOCUMENTS]
    types = {"body": pa.string(), "url": pa.string()} if kind == "parquet" else {}
    again = rows[30]["url"]
    write(f"near.{kind}", [*rows[:60], {"body": None, "url": again}, rows[30]], **types)
    write(f"far.{kind}", [*rows, rows[30]], **types)
    write(f"two/a.{kind}", rows[:60], **types)
    write(f"two/b.{kind}", rows[30:31], **types)
    columns = {"text": "body", "source": "url"}
    told = f"one source, {again}, which is part of the ids"
    for path, part_bytes, message in (
        ("near", 1 << 20, f"near.{kind}: rows 31 and 62 have {told}"),
        ("far", 40_000, f"far.{kind}: two documents have {told}"),
        ("two", 1 << 20, f"two/a.{kind} and two/b.{kind}: two documents have {told}"),
    ):
        given = path if path == "two" else f"{path}.{kind}"
        for _ in range(2):  # what is done is taken up, and the fault is there still
            with pytest.raises(InvalidInput) as caught:
                run_job(job_of(given, part_bytes=part_bytes, **columns), "OUT", jobs=jobs)
            assert caught.value.message.startswith(message)
            assert not Path("OUT").exists()
    for target in ("x.jsonl", "x.parquet"):
        asked = ("--text-column", "body", "--source-column", "url", "-o", target)
        done = spanwise_command("chunk", f"far.{kind}", *asked)
        assert (done.returncode, done.stderr[:42]) == (
            1,
            "error: url: two documents have one source,",
        )
        assert not Path(target).exists()
    # A row without a text is no document.
    write(f"once.{kind}", [*rows[:60], {"body": None, "url": again}], **types)
    run_job(job_of(f"once.{kind}", **columns), "OUT")
    assert len({row["source"] for row in all_rows()}) == 60


def test_parts_without_their_sources_are_made_again(here: Path) -> None:
    write_parquet("in.parquet", DOCUMENTS)
    job = job_of("in.parquet", part_bytes=40_000)
    run_until(job, 3)
    Path(".OUT.spanwise/done/00001.parquet").unlink()
    with Work(job, "OUT") as work:
        assert sorted(work.parts()) == [0, 2]
    run_job(job, "OUT")
    assert all_rows() == expected(DOCUMENTS)


def test_nothing_becomes_nothing(here: Path) -> None:
    write_parquet("in.parquet", [])
    made = run_job(job_of("in.parquet"), "OUT")
    assert (made["documents"], made["chunks"], len(made["parts"])) == (0, 0, 1)
    assert all_rows() == []


class Stopped(Exception):
    """The end of a run that was killed after some parts."""


def run_until(job: Job, parts: int) -> None:
    def watch(tasks: Sequence[Any], done: Sequence[Any]) -> None:
        if len(done) == parts:
            raise Stopped

    with pytest.raises(Stopped):
        run_job(job, "OUT", watch=watch, jobs=1)


def test_a_job_goes_on_where_it_was(here: Path) -> None:
    write_parquet("in.parquet", DOCUMENTS, 50)
    job = job_of("in.parquet", part_bytes=30_000)
    run_until(job, 4)
    assert not Path("OUT").exists()
    Path(".OUT.spanwise/data/.part-00004.parquet.tmp").write_bytes(b"PAR1 and no more")
    before = {path: path.stat() for path in Path(".OUT.spanwise/data").glob("part*")}
    assert len(before) == 4
    run_until(job, 6)
    with Work(job, "OUT") as work:
        kept = {path: path.stat() for path in before}
        assert kept == before
        assert sorted(work.parts()) == [0, 1, 2, 3, 4, 5]
    run_job(job, "OUT")
    assert all_rows() == expected(DOCUMENTS)


def test_a_part_without_its_record_is_made_again(here: Path) -> None:
    write_parquet("in.parquet", DOCUMENTS, 50)
    job = job_of("in.parquet", part_bytes=30_000)
    run_until(job, 3)
    Path(".OUT.spanwise/done/00001.json").unlink()
    Path(".OUT.spanwise/data/part-00001.parquet").write_bytes(b"no Parquet")
    run_job(job, "OUT")
    assert all_rows() == expected(DOCUMENTS)


def test_another_job_starts_anew(here: Path) -> None:
    write_parquet("in.parquet", DOCUMENTS, 50)
    run_until(job_of("in.parquet", part_bytes=30_000), 4)
    write_parquet("in.parquet", DOCUMENTS[:200], 50)
    run_job(job_of("in.parquet", part_bytes=30_000), "OUT")
    assert all_rows() == expected(DOCUMENTS[:200])


def test_a_job_that_is_done_is_not_done_again(here: Path) -> None:
    write_parquet("in.parquet", DOCUMENTS)
    job = job_of("in.parquet")
    made = run_job(job, "OUT")
    before = {path: path.stat() for path in Path("OUT").iterdir()}
    assert run_job(job, "OUT") == made
    assert {path: path.stat() for path in Path("OUT").iterdir()} == before


def test_what_is_there_is_not_replaced(here: Path) -> None:
    write_parquet("in.parquet", DOCUMENTS)
    Path("OUT").mkdir()
    with pytest.raises(InvalidInput, match="OUT is there and holds something else"):
        run_job(job_of("in.parquet"), "OUT")
    Path("OUT").rmdir()
    run_job(job_of("in.parquet"), "OUT")
    with pytest.raises(InvalidInput, match="holds the chunks of other inputs or options"):
        run_job(job_of("in.parquet", carry=("source",)[:0], part_bytes=1000), "OUT")


def test_one_run_at_a_time(here: Path) -> None:
    write_parquet("in.parquet", DOCUMENTS)
    job = job_of("in.parquet")
    with Work(job, "OUT"), pytest.raises(Locked, match="another run is at work"):
        run_job(job, "OUT")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"text": "body"}, "text: no column called body, among text, source"),
        ({"source": "url"}, "source: no column called url, among text, source"),
        ({"carry": ("n",)}, "carry: no column called n, among text, source"),
        ({"carry": ("text",)}, "carry: chunks have columns of their own called text"),
    ],
)
@pytest.mark.parametrize("kind", ["parquet", "jsonl"])
def test_columns_that_are_not_there(here: Path, options: Any, message: str, kind: str) -> None:
    (write_parquet if kind == "parquet" else write_lines)(f"in.{kind}", DOCUMENTS)
    with pytest.raises(InvalidInput) as caught:
        run_job(job_of(f"in.{kind}", **options), "OUT")
    assert caught.value.message.startswith(message)
    assert not Path("OUT").exists()


@pytest.mark.parametrize("format_out", ["parquet", "jsonl"])
def test_data_that_is_not_right(here: Path, format_out: Any) -> None:
    write_parquet("null.parquet", [{"text": "a", "source": "x"}, {"text": "b", "source": None}])
    Path("broken.parquet").write_bytes(b"PAR1nothing")
    Path("broken.jsonl").write_bytes(b'{"text":"a","source":"x"}\n{"text":"b"\n')
    pq.write_table(pa.table({"text": [1], "source": ["a"]}), "number.parquet")
    pq.write_table(pa.table({"body": [1], "url": ["a"]}), "other.parquet")
    with pytest.raises(InvalidInput, match=r"^text: the column body is int64, not text"):
        run_job(job_of("other.parquet", text="body", source="url", format=format_out), "OUT")
    faults: dict[str, tuple[type[SpanwiseError], str]] = {
        "null.parquet": (InvalidInput, "null.parquet: row 2 has a text, and source is null"),
        "broken.parquet": (UnreadableSource, "broken.parquet: "),
        "broken.jsonl": (UnreadableSource, "broken.jsonl: "),
        "number.parquet": (InvalidInput, "text: the column text is int64, not text"),
        "gone.parquet": (UnreadableSource, "gone.parquet: no such file"),
        "readme.md": (UnreadableSource, "readme.md: no such file"),
    }
    for name, (kind, message) in faults.items():
        with pytest.raises(kind) as caught:
            run_job(job_of(name, format=format_out), "OUT")
        assert caught.value.message.startswith(message)
        assert not Path("OUT").exists()
    Path("both").mkdir()
    Path("both/a.parquet").touch()
    Path("both/a.jsonl").touch()
    with pytest.raises(InvalidInput, match="both has both Parquet and JSON lines"):
        find_data("both")


@pytest.mark.parametrize("kind", ["parquet", "jsonl"])
@pytest.mark.parametrize("limit", [0, 100, 4096, 30_000])
def test_a_disk_without_room(here: Path, kind: str, limit: int) -> None:
    """The error says what cannot be written, and with room the job ends well."""
    pytest.importorskip("resource")
    (write_parquet if kind == "parquet" else write_lines)(f"in.{kind}", DOCUMENTS)
    code = (
        "import resource, sys; limit = int(sys.argv.pop(1)); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)); "
        "from spanwise.doors.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(limit), "dataset", f"in.{kind}", "OUT"],
        env=environment(), capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.startswith("error: cannot write "), done.stderr
    assert not Path("OUT").exists()
    assert spanwise_command("dataset", f"in.{kind}", "OUT").returncode == 0
    assert all_rows() == expected(DOCUMENTS)


def test_the_extra_is_named(here: Path) -> None:
    write_parquet("in.parquet", DOCUMENTS)
    code = (
        "import sys; sys.modules['duckdb'] = None\n"
        "from spanwise.doors.cli import main\n"
        "main(['dataset', 'in.parquet', 'OUT'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={"PYTHONPATH": PACKAGE}
    )
    assert done.returncode == 1
    assert "the engine duckdb needs an extra: pip install 'spanwise[duckdb]'" in done.stderr


def test_the_command_offers_every_engine() -> None:
    assert list(ENGINES) == list(OFFERED)


@pytest.mark.parametrize("suffix", [".parquet", ".jsonl"])
@pytest.mark.parametrize("target", ["out.parquet", "out.jsonl", "-"])
def test_chunk_reads_data(here: Path, suffix: str, target: str) -> None:
    """In the order of the data."""
    rows: list[Row] = [{**one, "n": 7} for one in DOCUMENTS]
    if suffix == ".parquet":
        write_parquet("in.parquet", rows, n=pa.int64())
    else:
        write_lines("in.jsonl", rows)
    asked = ("chunk", f"in{suffix}", "--text-column", "text", "-o", target)
    done = spanwise_command(*asked, "--carry", "n", "--max-chars", "300")
    assert done.returncode == 0, done.stderr
    if target == "-":
        found = [json.loads(line) for line in done.stdout.splitlines()]
    else:
        found = part_rows(Path(target))
    assert found == [row for one in rows for row in expected([one], "n", max_chars=300)]


def test_chunk_tells_what_does_not_go_together(here: Path) -> None:
    write_lines("in.jsonl", DOCUMENTS)
    before = Path("in.jsonl").read_bytes()
    for more in (["--check"], ["-o", "x.bulk"], ["-o", "in.jsonl"]):
        assert spanwise_command("chunk", "in.jsonl", "--text-column", "text", *more).returncode == 2
    assert spanwise_command("chunk", "in.jsonl", "--carry", "text").returncode == 2
    assert Path("in.jsonl").read_bytes() == before
    done = spanwise_command("chunk", "in.jsonl", "--text-column", "body")
    assert (done.returncode, done.stderr[:34]) == (1, "error: text: no column called body")


def test_functions_for_sql() -> None:
    import duckdb

    from spanwise.engines.duckdb import register

    con = duckdb.connect()
    register(con)
    register(con, "chunk_small", max_chars=200, prefix_path=True)
    given = pa.Table.from_pylist([*DOCUMENTS, {"text": None, "source": "x"}, {"text": "a"}])
    con.register("documents", given)
    for name, options in (
        ("chunk_markdown", {}),
        ("chunk_small", {"max_chars": 200, "prefix_path": True}),
    ):
        query = f"SELECT unnest({name}(text, source), recursive := true) FROM documents"
        rows = con.sql(query).to_arrow_table().to_pylist()
        for row in rows:
            if row["headings"] is None:
                del row["headings"]
        assert sorted(rows, key=place) == expected(DOCUMENTS, **options)
    nulls = con.sql("SELECT count(*) FROM documents WHERE chunk_markdown(text, source) IS NULL")
    assert nulls.fetchall() == [(2,)]
    assert con.sql("SELECT len(chunk_markdown('', 'x'))").fetchall() == [(0,)]
