"""Chunks as Parquet: zstd, groups of rows that are worth skipping, the row's schema."""

import contextlib
from collections.abc import Iterable
from types import TracebackType
from typing import IO, Any, Final, Self

from spanwise.arrow.needed import needed

pa = needed("pyarrow", "arrow", "Parquet")
pq = needed("pyarrow.parquet", "arrow", "Parquet")

GROUP_ROWS: Final = 65_536
"""Rows that a row group has at least, but for the last one of a file."""
GROUP_BYTES: Final = 128 << 20
"""Bytes in memory that a row group is written at, however few its rows are."""

ORDER: Final = (("source", "ascending"), ("index", "ascending"))


class ParquetFile:
    """A Parquet file that record batches are written to, in the order of (source, index).

    A context manager: it ends the file, which is of no use after an exception.
    """

    def __init__(self, file: IO[bytes], schema: Any, told: dict[str, str] | None = None) -> None:
        """To an open file, which is not closed; `told` is kept in the footer."""
        self.schema = schema
        self.waiting: list[Any] = []
        self.rows = 0
        self.size = 0
        self.writer = pq.ParquetWriter(
            file,
            schema,
            compression="zstd",
            sorting_columns=pq.SortingColumn.from_ordering(schema, ORDER),
        )
        if told:
            self.writer.add_key_value_metadata(told)

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
        """Write what is left, and the footer."""
        if kind is not None:
            # It would be closed later anyway, when the file is not open any more.
            with contextlib.suppress(Exception):
                self.writer.close()
            return
        if self.rows:
            self._write_group()
        self.writer.close()

    def _write_group(self) -> None:
        table = pa.Table.from_batches(self.waiting, self.schema)
        self.writer.write_table(table, row_group_size=max(1, self.rows))
        self.waiting = []
        self.rows = 0
        self.size = 0
