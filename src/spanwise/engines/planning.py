"""Tasks: a data set in pieces that one process can hold and that can be done again alone."""

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import orjson

from spanwise.arrow.needed import needed
from spanwise.engines.inputs import DataFile
from spanwise.errors import InvalidInput, UnreadableSource

PART_BYTES: Final = 128 << 20
"""What the documents of one task come to, uncompressed, and so about what a part holds."""


Columns = Mapping[str, Sequence[str]]
"""Names of columns by what they are for: `text`, `source`, `carry`."""


class Task(NamedTuple):
    """Some rows of one file, which become one part of the output.

    `start` and `end` count rows of Parquet and bytes of JSON lines; -1 is the end of the file.
    """

    number: int
    file: DataFile
    start: int = 0
    end: int = -1


def plan(
    files: Sequence[DataFile], columns: Columns, split_lines: bool, part_bytes: int
) -> list[Task]:
    """The tasks of a data set, the same every time.

    `columns` are those that each Parquet file must have, by their role; `text` is the one that is
    measured. JSON lines are cut in pieces where `split_lines` and the file is not compressed.
    """
    tasks: list[Task] = []
    for file in files:
        if file.format == "parquet":
            ranges = _row_ranges(file, columns, part_bytes)
        elif split_lines and not file.packed:
            ranges = _line_ranges(file, part_bytes)
        else:
            ranges = iter([(0, -1)])
        for start, end in ranges:
            tasks.append(Task(len(tasks), file, start, end))
    return tasks


def check_columns(role: str, names: Iterable[str], there: Iterable[str]) -> None:
    """Raise InvalidInput where a column is none of those that are there."""
    for name in names:
        if name not in there:
            raise InvalidInput(
                f"{role}: no column called {name}, among {', '.join(there)}", field=role, name=name
            )


def gave_up(engine: str, error: Exception, tasks: Sequence[Task]) -> UnreadableSource:
    """The error for tasks that an engine could not do, however often it tried."""
    names = list(dict.fromkeys(task.file.name for task in tasks))
    said = str(error).strip().splitlines() or [type(error).__name__]
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return UnreadableSource(f"{names[0]}{more}: {engine} gave up: {said[0]}", source=names[0])


def column_names(file: DataFile) -> list[str]:
    """The columns of a file: of JSON lines, the keys of the first."""
    if file.format == "parquet":
        return list(_metadata(file).schema.to_arrow_schema().names)
    pa = needed("pyarrow", "arrow", "JSON lines")
    try:
        with pa.input_stream(file.path, compression="detect") as stream:
            line = io.BufferedReader(stream).readline()
        found = orjson.loads(line) if line.strip() else {}
    except (OSError, orjson.JSONDecodeError) as error:
        raise UnreadableSource(f"{file.name}: line 1: {error}", source=file.name) from None
    return list(found) if isinstance(found, dict) else []


def _metadata(file: DataFile) -> Any:
    parquet = needed("pyarrow.parquet", "arrow", "Parquet")
    pa = needed("pyarrow", "arrow", "Parquet")
    try:
        return parquet.read_metadata(file.path)
    except (OSError, pa.ArrowException) as error:
        raise UnreadableSource(f"{file.name}: {error}", source=file.name) from None


def _row_ranges(file: DataFile, names: Columns, part_bytes: int) -> Iterator[tuple[int, int]]:
    """Runs of row groups; groups that are too big alone are cut by their rows."""
    about = _metadata(file)
    there = about.schema.to_arrow_schema().names
    for role, some in names.items():
        check_columns(role, some, there)
    (text,) = names["text"]
    start = row = size = 0
    for number in range(about.num_row_groups):
        group = about.row_group(number)
        columns = [group.column(column) for column in range(group.num_columns)]
        bytes_in = sum(one.total_uncompressed_size for one in columns if one.path_in_schema == text)
        if size and size + bytes_in > part_bytes:
            yield start, row
            start, size = row, 0
        size += bytes_in
        row += group.num_rows
        pieces = min(group.num_rows, -(-size // part_bytes))
        if pieces > 1:
            first = start
            rows = row - first
            for piece in range(1, pieces + 1):
                end = first + rows * piece // pieces
                yield start, end
                start = end
            size = 0
    if row > start or row == 0:
        yield start, row


def _line_ranges(file: DataFile, part_bytes: int) -> Iterator[tuple[int, int]]:
    """Runs of whole lines of about `part_bytes` bytes."""
    start = 0
    try:
        with open(file.path, "rb") as opened:  # noqa: PTH123
            while start + part_bytes < file.size:
                opened.seek(start + part_bytes)
                opened.readline()
                end = min(opened.tell(), file.size)
                yield start, end
                start = end
    except OSError as error:
        raise UnreadableSource(f"{file.name}: {error.strerror}", source=file.name) from None
    if start < file.size or file.size == 0:
        yield start, file.size
