"""Chunks as Parquet: zstd, groups of rows that are worth skipping, the row's schema."""

from collections.abc import Iterable
from types import TracebackType
from typing import Any, Final, Protocol, Self

from spanwise.arrow.needed import needed

pa = needed("pyarrow", "arrow", "Parquet")
pq = needed("pyarrow.parquet", "arrow", "Parquet")


class Writable(Protocol):
    """Something to write to."""

    def write(self, data: bytes, /) -> Any:
        """Write more."""


GROUP_ROWS: Final = 65_536
"""Rows that a row group has at least, but for the last one of a file."""
GROUP_BYTES: Final = 128 << 20
"""Bytes in memory that a row group is written at, however few its rows are."""

UNIQUE: Final = {"id", "chunk_id", "text_sha", "start", "end", "text"}
"""Columns in which hardly a value comes twice: a dictionary of them is given up when it is full."""

ORDER: Final = (("source", "ascending"), ("index", "ascending"))


class _Sink:
    """What pyarrow takes for a file: an open file, until it is of no use any more."""

    closed = False

    def __init__(self, target: Writable) -> None:
        self.target: Writable | None = target

    def write(self, data: bytes) -> int:
        if self.target is not None:
            self.target.write(data)
        return len(data)

    def flush(self) -> None:
        """Who made the target does that."""

    def close(self) -> None:
        """That, too."""


def _leaves(schema: Any) -> list[str]:
    """What Parquet calls the columns that it makes of a schema."""
    buffer = pa.BufferOutputStream()
    pq.ParquetWriter(buffer, schema).close()
    made = pq.read_metadata(pa.BufferReader(buffer.getvalue())).schema
    return [made.column(number).path for number in range(len(made))]


class ParquetFile:
    """A Parquet file that record batches are written to.

    A context manager: it ends the file, which is of no use after an exception.
    """

    def __init__(self, file: Writable, schema: Any, in_order: bool = False) -> None:
        """To `file`, which is not closed.

        in_order: the rows come by (source, index), sources by their bytes; that is kept in the
            file, for readers.
        """
        self.schema = schema
        self.waiting: list[Any] = []
        self.rows = 0
        self.size = 0
        self.sink = _Sink(file)
        self.writer = pq.ParquetWriter(
            self.sink,
            schema,
            compression="zstd",
            use_dictionary=[path for path in _leaves(schema) if path not in UNIQUE],
            sorting_columns=pq.SortingColumn.from_ordering(schema, ORDER) if in_order else None,
            write_page_checksum=True,
        )

    def __enter__(self) -> Self:
        """Ready to be written to."""
        return self

    def write(self, batches: Iterable[Any]) -> None:
        """Write more rows, in whole row groups."""
        for batch in batches:
            self.waiting.append(batch)
            self.rows += batch.num_rows
            self.size += batch.nbytes
            if self.rows >= GROUP_ROWS or self.size >= GROUP_BYTES:
                self._write_group()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Write what is left and the footer; after an exception nothing more."""
        if kind is not None:
            self.sink.target = None
        elif self.rows:
            self._write_group()
        self.writer.close()

    def _write_group(self) -> None:
        table = pa.Table.from_batches(self.waiting, self.schema)
        self.writer.write_table(table, row_group_size=max(1, self.rows))
        self.waiting = []
        self.rows = 0
        self.size = 0
