"""Parquet with plain columns, read and sorted by Arrow, which needs no start as DuckDB does.

For what fits into memory, and where both give the same types. What else there is, DuckDB reads,
which also says where in a file a fault is.
"""

from collections.abc import Iterator
from typing import Any, Final

from spanwise.arrow.building import pa
from spanwise.arrow.needed import needed
from spanwise.engines.job import Job
from spanwise.engines.parts import SOURCE, TEXT
from spanwise.engines.planning import Task

pc = needed("pyarrow.compute", "arrow", "Parquet")
pq = needed("pyarrow.parquet", "arrow", "Parquet")

PLAIN: Final = (pa.string(), pa.int32(), pa.int64(), pa.float32(), pa.float64(), pa.bool_())
"""Types that columns may have to be carried."""
SHARE: Final = 3
"""The share of the memory of a job that the rows of a task may take: they are there twice."""


def plain_rows(job: Job, task: Task, batch_rows: int) -> Any:
    """A reader of the documents of a task, by source, as `parts.write_part` takes them.

    None for what DuckDB has to read, and where something is wrong.
    """
    if task.file.format != "parquet" or job.source is None:
        return None
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
    table = pa.table([table.column(given) for given in columns.values()], schema=schema)
    order = pc.sort_indices(table.column(SOURCE))  # stable

    def batches() -> Iterator[Any]:
        for at in range(0, len(order), batch_rows):
            some = table.take(order.slice(at, batch_rows))
            yield from some.combine_chunks().to_batches()

    return pa.RecordBatchReader.from_batches(schema, batches())


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
