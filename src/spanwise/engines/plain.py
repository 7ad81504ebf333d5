"""Plain columns, read without DuckDB: Parquet by Arrow, strings of JSON lines by orjson.

For what fits into memory, and where both ways give the same. What else there is, DuckDB reads,
which also says where in a file a fault is.
"""

import re
from collections.abc import Iterator
from operator import itemgetter
from typing import Any, Final

import orjson

from spanwise.arrow.batches import without_mark
from spanwise.arrow.building import pa
from spanwise.arrow.needed import needed
from spanwise.engines.job import Job
from spanwise.engines.parts import SOURCE, TEXT, Texts, texts_of
from spanwise.engines.planning import Task

pc = needed("pyarrow.compute", "arrow", "Parquet")
pq = needed("pyarrow.parquet", "arrow", "Parquet")

PLAIN: Final = (pa.string(), pa.int32(), pa.int64(), pa.float32(), pa.float64(), pa.bool_())
"""Types that columns of Parquet may have to be carried."""
SHARE: Final = 3
"""The share of the memory of a job that columns of a task may take: they are there twice."""


def plain_rows(job: Job, task: Task, batch_rows: int) -> tuple[Any, Iterator[Texts]] | None:
    """The documents of a task, by source, as `parts.write_part` takes them: schema and texts.

    None for what DuckDB has to read, and where something is wrong.
    """
    if job.source is None:
        return None
    read = _of_parquet if task.file.format == "parquet" else _of_lines
    return read(job, task, batch_rows)


def _of_parquet(job: Job, task: Task, batch_rows: int) -> tuple[Any, Iterator[Texts]] | None:
    """The documents of a task of Parquet."""
    table = _table(job, task)
    if table is None:
        return None
    names = table.column(SOURCE)
    if pc.all(pc.less_equal(names[:-1], names[1:]), skip_nulls=False).as_py():
        batches = iter(table.to_batches(batch_rows))
    else:
        order = pc.sort_indices(names)  # stable
        places = (order.slice(at, batch_rows) for at in range(0, len(order), batch_rows))
        taken = (table.take(some).combine_chunks() for some in places)
        batches = (batch for some in taken for batch in some.to_batches())
    return table.schema, texts_of(job, batches)


def _table(job: Job, task: Task) -> Any:
    """The rows of a task as a table: text, source and what is carried."""
    try:
        with pq.ParquetFile(task.file.path, memory_map=False) as file:
            found = _groups(job, task, file)
            if found is None:
                return None
            groups, start, end = found
            names = list(dict.fromkeys((job.text, job.source, *job.carry)))
            table = file.read_row_groups(groups, names, use_threads=False).slice(start, end - start)
    except (OSError, pa.ArrowException):
        return None
    columns = {TEXT: job.text, SOURCE: job.source} | {name: name for name in job.carry}
    schema = pa.schema([(name, table.field(given).type) for name, given in columns.items()])
    return pa.table([table.column(given) for given in columns.values()], schema=schema)


def _groups(job: Job, task: Task, file: Any) -> tuple[list[int], int, int] | None:
    """The row groups of a task, and where its rows are in them; None where Arrow is not to read."""
    schema = file.schema_arrow
    wanted = {TEXT: job.text, SOURCE: job.source} | {name: name for name in job.carry}
    for role, name in wanted.items():
        if len(schema.get_all_field_indices(name)) != 1:
            return None
        kind = schema.field(name).type
        if kind not in PLAIN or (role in (TEXT, SOURCE) and kind != pa.string()):
            return None
    about = file.metadata
    after = about.num_rows if task.end < 0 else task.end
    groups: list[int] = []
    first = row = size = 0
    for number in range(about.num_row_groups):
        group = about.row_group(number)
        if row + group.num_rows > task.start and row < after:
            if not groups:
                first = row
            groups.append(number)
            columns = map(group.column, range(group.num_columns))
            size += sum(
                one.total_uncompressed_size
                for one in columns
                if one.path_in_schema in wanted.values()
            )
        row += group.num_rows
    if SHARE * size > job.memory_mb << 20:
        return None
    return groups, task.start - first, after - first


LINES_SHARE: Final = 6
"""The same for lines, whose texts are strings of Python: up to four bytes a character."""


def _of_lines(job: Job, task: Task, batch_rows: int) -> tuple[Any, Iterator[Texts]] | None:
    """The documents of a task of JSON lines, if all texts and sources are strings or null."""
    size = task.end - task.start
    if task.end < 0 or job.carry or LINES_SHARE * size > job.memory_mb << 20:
        return None
    text, source = _Key(job.text), _Key(str(job.source))
    found: list[tuple[str, str]] = []
    try:
        with open(task.file.path, "rb") as file:  # noqa: PTH123
            file.seek(task.start)
            while size > 0 and (line := file.readline()):
                size -= len(line)
                if line.isspace():
                    continue
                row = orjson.loads(line)
                name, words = source.value(row, line), text.value(row, line)
                if words is not None:
                    if name is None:
                        return None
                    found.append((name, words))
    except (OSError, ValueError):
        return None
    found.sort(key=itemgetter(0))  # by code points, which is the order of UTF-8, too
    batches = (found[at : at + batch_rows] for at in range(0, len(found), batch_rows))
    return pa.schema([(TEXT, pa.string()), (SOURCE, pa.string())]), map(_texts, batches)


def _texts(found: list[tuple[str, str]]) -> Texts:
    """Documents by their names."""
    size = sum(len(text) if text.isascii() else len(text.encode()) for _, text in found)
    return Texts([(at, without_mark(text), name) for at, (name, text) in enumerate(found)], size)


class _Key:
    """A key of JSON lines, whose values are strings or null."""

    def __init__(self, name: str) -> None:
        """For keys that are `name`."""
        self.name = name
        self.quoted = orjson.dumps(name)
        self.before_colon = re.compile(re.escape(self.quoted) + rb"\s*:")

    def value(self, row: Any, line: bytes) -> str | None:
        """The value in a row; ValueError where it is of another type, or the key is there twice.

        Of two, orjson takes the last; to DuckDB they are an error.
        """
        if not isinstance(row, dict):
            raise ValueError("not an object")
        value = row.get(self.name)
        once = self.name in row
        times = line.count(self.quoted)
        if times != once:  # as a value, too; within a text it would be `\"text\"`
            times = len(self.before_colon.findall(line))
        if times != once or not isinstance(value, str | None):
            raise ValueError("not one string")
        return value
