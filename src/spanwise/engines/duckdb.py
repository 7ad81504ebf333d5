"""DuckDB: the engine of one machine. It reads and sorts; worker processes use the cores.

>>> spanwise.engines.duckdb.register(con)
>>> con.sql("SELECT unnest(chunk_markdown(body, path), recursive := true) FROM documents")
"""

import contextlib
import os
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any, Final, Unpack

from spanwise.arrow.batches import BatchChunker
from spanwise.arrow.building import pa
from spanwise.arrow.needed import needed
from spanwise.arrow.schema import TEXT_FIELDS
from spanwise.engines.inputs import DataFile
from spanwise.engines.job import Job, Part, Work
from spanwise.engines.parts import SOURCE, TEXT, NoSource, texts_of, write_part
from spanwise.engines.plain import plain_rows
from spanwise.engines.planning import Task, check_columns, column_names
from spanwise.engines.sources import OneSource
from spanwise.errors import InvalidInput, SpanwiseError, UnreadableSource
from spanwise.files import unreadable, unwritable
from spanwise.markdown.options import Options
from spanwise.workers import Workers

duckdb = needed("duckdb", "duckdb", "the engine duckdb")

BATCH_ROWS: Final = 256
"""Documents that are handed over at a time: a few megabytes."""
SAMPLE_ROWS: Final = 20_480
"""Rows of JSON lines that the types of carried columns are found out from."""
BLOCK_BYTES: Final = 1 << 20
LONGEST_LINE: Final = 16 << 20
"""Bytes of the longest JSON line that is read without asking for more memory."""


def connect(job: Job, scratch: os.PathLike[str] | str | None) -> Any:
    """A connection that keeps to one thread and to the memory of the job."""
    return connection(job.memory_mb, scratch)


def connection(memory_mb: int, scratch: os.PathLike[str] | str | None) -> Any:
    """A connection of one thread. What does not fit into the memory goes to `scratch`."""
    con = duckdb.connect()
    con.execute("SET threads = 1")
    con.execute("SET enable_progress_bar = false")
    con.execute(f"SET memory_limit = '{memory_mb}MB'")
    con.execute(f"SET temp_directory = {quoted(str(scratch or ''))}")
    return con


def run(work: Work, tasks: Sequence[Task], jobs: int) -> Iterator[Part]:
    """Do the tasks in `jobs` processes; each part as soon as it is in its place."""
    types = json_types(work.job)
    do = partial(do_task, work=work, types=types)
    results: Iterator[Part | SpanwiseError]
    if jobs <= 1 or len(tasks) <= 1:
        results = map(do, tasks)
    else:
        # DuckDB and Arrow have threads by now, which a forked process would not have.
        workers = Workers(do, _lost, min(jobs, len(tasks)), forks=False)
        results = workers.run([[task] for task in tasks])
    for result in results:
        if isinstance(result, SpanwiseError):
            raise result
        yield result


def do_task(task: Task, work: Work, types: dict[str, str]) -> Part | SpanwiseError:
    """Do one task in this process, also for other engines; `types` is what `json_types` gives."""
    cut = work.scratch / f"{task.number:05}-{os.getpid()}.jsonl"
    try:
        sorted_rows = plain_rows(work.job, task, BATCH_ROWS)
        if sorted_rows is not None:
            try:
                return write_part(work, task.number, *sorted_rows)
            except (NoSource, OneSource, InvalidInput, UnreadableSource, pa.ArrowException):
                pass  # the way below finds the same fault, and where it is in the file
        if task.file.format == "jsonl" and task.end >= 0:
            whole = task.start == 0 and task.end == task.file.size
            longest = _cut_out(task, None if whole else cut)
            table = read_json(task.file.path if whole else str(cut), types, longest)
        else:
            table = read_file(task.file, types)
        with connect(work.job, work.scratch) as con:
            reader = documents(con, work.job, task, table)
            texts = texts_of(work.job, reader)
            return write_part(work, task.number, reader.schema, texts)
    except NoSource:
        return _no_source(work, task, table)
    except OneSource as found:
        return _one_source(work, task, table, found.name)
    except duckdb.Error as error:
        return _told(error, task.file)
    except SpanwiseError as error:
        return error
    finally:
        with contextlib.suppress(OSError):
            cut.unlink(missing_ok=True)
        # What Arrow keeps for later adds up with what DuckDB keeps.
        pa.default_memory_pool().release_unused()


def _no_source(work: Work, task: Task, table: str) -> SpanwiseError:
    """The error that names the first row that has a text and no source."""
    (first,) = _rows_where(work, task, table, "source IS NULL", 1)
    where = f"{task.file.name}: row {first}{_after(task)}"
    return InvalidInput(f"{where} has a text, and {work.job.source} is null", field="source")


def _one_source(work: Work, task: Task, table: str, name: str) -> SpanwiseError:
    """The error that names the first two rows with a text whose source is `name`."""
    first, second = _rows_where(work, task, table, f"source = {quoted(name)}", 2)
    return InvalidInput(
        f"{task.file.name}: rows {first} and {second}{_after(task)} have one source, {name}, which "
        "is part of the ids of chunks",
        field="source",
        source=name,
    )


def _after(task: Task) -> str:
    """From where on the rows of a task are counted, where that is not the start of the file."""
    return f" after byte {task.start}" if task.start and task.file.format == "jsonl" else ""


def _rows_where(work: Work, task: Task, table: str, condition: str, count: int) -> list[int]:
    """The first rows of a task with a text for which a condition on `source` holds, from 1."""
    job = work.job
    assert job.source is not None, "names are made of rows otherwise"
    row = "file_row_number" if task.file.format == "parquet" else "row_number() OVER () - 1"
    rows = f"place >= {task.start} AND place < {task.end}"
    within = rows if task.file.format == "parquet" and task.end >= 0 else "true"
    with connect(job, work.scratch) as con:
        found = con.execute(
            f"SELECT place + 1 FROM (SELECT {row} AS place, CAST({name_of(job.source)} AS VARCHAR) "
            f"AS source, {name_of(job.text)} AS text FROM {table}) "
            f"WHERE {within} AND text IS NOT NULL AND {condition} ORDER BY place LIMIT {count}"
        ).fetchall()
    return [place for (place,) in found]


def _lost(task: Task, reason: str) -> SpanwiseError:
    return UnreadableSource(f"{task.file.name}: {reason}", source=task.file.name)


def _told(error: Any, file: DataFile) -> SpanwiseError:
    """The error of DuckDB about one file; its first line says what it is."""
    said = str(error).strip().splitlines()[0]
    return UnreadableSource(f"{file.name}: {said}", source=file.name)


def documents(con: Any, job: Job, task: Task, table: str) -> Any:
    """A reader of the documents of a task, by source, as `texts_of` takes them."""
    row = "file_row_number" if task.file.format == "parquet" else "row_number() OVER ()"
    where = ""
    if task.file.format == "parquet" and task.end >= 0:
        where = f"WHERE {row} >= {task.start} AND {row} < {task.end}"
    names = ", ".join(map(name_of, (TEXT, SOURCE, *job.carry)))
    return con.sql(
        f"SELECT {names} FROM (SELECT {columns(job, task.file, row)}, {row} AS place "
        f"FROM {table} {where}) ORDER BY {name_of(SOURCE)}, place"
    ).to_arrow_reader(BATCH_ROWS)


def columns(job: Job, file: DataFile, row: str) -> str:
    """What is selected of a file: text, source and the columns to carry."""
    source = (
        f"CAST({name_of(job.source)} AS VARCHAR)"
        if job.source is not None
        else (
            f"concat({quoted(file.name + '#')}, {row}{' + 1' if file.format == 'parquet' else ''})"
        )
    )
    carried = "".join(f", {name_of(name)}" for name in job.carry)
    return f"{name_of(job.text)} AS {TEXT}, {source} AS {SOURCE}{carried}"


def read_file(file: DataFile, types: dict[str, str]) -> str:
    """A whole file as a table of SQL."""
    if file.format == "parquet":
        return f"read_parquet({quoted(file.path)}, file_row_number = true)"
    return read_json(file.path, types, LONGEST_LINE)


def read_json(path: str, types: dict[str, str], longest: int) -> str:
    """JSON lines as a table of SQL."""
    told = ", ".join(f"{quoted(name)}: {quoted(kind)}" for name, kind in types.items())
    return (
        f"read_json({quoted(path)}, format = 'newline_delimited', columns = {{{told}}}, "
        f"maximum_object_size = {max(longest, LONGEST_LINE)})"
    )


def json_types(job: Job) -> dict[str, str]:
    """The types of the columns that are read of JSON lines; none for Parquet.

    Text and source are strings; what the types of the others are, the first rows of all files say.
    InvalidInput where those have no such column.
    """
    if job.files[0].format != "jsonl":
        return {}
    wanted = {name: "VARCHAR" for name in (job.text, job.source) if name is not None}
    if not job.carry and wanted.keys() <= set(column_names(job.files[0])):
        return wanted
    paths = ", ".join(quoted(file.path) for file in job.files)
    try:
        with connect(job, None) as con:
            found = con.execute(
                f"DESCRIBE SELECT * FROM read_json([{paths}], format = 'newline_delimited', "
                f"union_by_name = true, sample_size = {SAMPLE_ROWS}, "
                f"maximum_object_size = {LONGEST_LINE})"
            ).fetchall()
    except duckdb.Error as error:
        raise _told(error, job.files[0]) from None
    there = {name: kind for name, kind, *_ in found}
    for role, names in job.columns().items():
        check_columns(role, names, there)
    return {name: there[name] for name in job.carry} | wanted


def _cut_out(task: Task, path: Path | None) -> int:
    """Copy the lines of a task into a file of their own, if `path` is one.

    Returns the bytes of the longest line, or of a block where no line is longer than that.
    """
    longest = BLOCK_BYTES
    rest = 0
    with contextlib.ExitStack() as stack:
        # Not brought to the disk: nobody needs it after a fall.
        cut = stack.enter_context(_unwritable_told(path)) if path is not None else None
        for block in _blocks(task.file.path, task.start, task.end - task.start):
            if cut is not None:
                cut.write(block)
            first = block.find(b"\n")
            if first < 0:
                rest += len(block)
            else:
                longest = max(longest, rest + first)
                rest = len(block) - block.rfind(b"\n") - 1
    return max(longest, rest) + 1


@contextlib.contextmanager
def _unwritable_told(path: Path) -> Iterator[Any]:
    """An open file to write to; UnwritableOutput where that cannot be done."""
    try:
        with path.open("wb") as file:
            yield file
    except OSError as error:
        raise unwritable(path, error) from None


def _blocks(path: str, start: int, left: int) -> Iterator[bytes]:
    """`left` bytes of a file from `start` on."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            file.seek(start)
            while left > 0 and (block := file.read(min(left, BLOCK_BYTES))):
                left -= len(block)
                yield block
    except OSError as error:
        raise unreadable(path, error) from None


def stream(job: Job) -> Any:
    """A reader of all documents in the order in which they stand in the files."""
    types = json_types(job)

    def batches() -> Iterator[Any]:
        for file in job.files:
            try:
                with connect(job, tempfile.gettempdir()) as con:
                    yield from _in_order(con, job, file, types)
            except duckdb.Error as error:
                raise _told(error, file) from None

    with connect(job, None) as con:
        schema = _in_order(con, job, job.files[0], types).schema
    return pa.RecordBatchReader.from_batches(schema, batches())


def _in_order(con: Any, job: Job, file: DataFile, types: dict[str, str]) -> Any:
    row = "file_row_number" if file.format == "parquet" else "row_number() OVER ()"
    found = f"SELECT {columns(job, file, row)} FROM {read_file(file, types)}"
    return con.sql(found).to_arrow_reader(BATCH_ROWS)


SQL_TYPES: Final = {
    "string": "VARCHAR",
    "strings": "VARCHAR[]",
    "int32": "INTEGER",
    "int64": "BIGINT",
    "bool": "BOOLEAN",
}


def register(con: Any, name: str = "chunk_markdown", **options: Unpack[Options]) -> None:
    """Give a connection the function `name(text, source)`: a list of chunks, each a struct.

    options: as of `spanwise.chunk_markdown`; for others, register another name. The structs have
    the fields of `spanwise.arrow.SCHEMA`; where text or source is null, the list is.
    """
    chunker = BatchChunker(carry=["row"], **options)

    def chunk(text: Any, source: Any) -> Any:
        rows = pa.array(range(len(text)), pa.int32())
        made = pa.table(chunker(pa.table({"text": text, "source": source, "row": rows})))
        # Chunks come in the order of their documents; so where each list starts can be counted.
        found = made.column("row").value_counts().to_pylist()
        counts = {one["values"]: one["counts"] for one in found}
        offsets = list(accumulate((counts.get(row, 0) for row in range(len(text))), initial=0))
        chunks = made.drop_columns(["row"]).to_struct_array().combine_chunks()
        if isinstance(chunks, pa.ChunkedArray):
            chunks = pa.concat_arrays(chunks.chunks)
        return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), chunks)

    fields = ", ".join(f"{name_of(one.name)} {SQL_TYPES[one.kind]}" for one in TEXT_FIELDS)
    returned = f"STRUCT({fields})[]"
    con.create_function(name, chunk, ["VARCHAR", "VARCHAR"], returned, type="arrow")


def name_of(column: str) -> str:
    """A name as SQL has it."""
    return '"' + column.replace('"', '""') + '"'


def quoted(text: str) -> str:
    """A string as SQL has it."""
    return "'" + text.replace("'", "''") + "'"
