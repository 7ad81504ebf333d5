"""Chunks of files as one Parquet file, written by source and read again by source."""

import os
from bisect import bisect_right
from typing import Any, Self

from spanwise.arrow.building import pa
from spanwise.arrow.parquet import GROUP_ROWS, ParquetFile, pq
from spanwise.arrow.rows import ROW_SCHEMA, lines_of, table_of
from spanwise.store.manifest import Entry
from spanwise.store.outputs import TAG, Held, JsonLines


class ParquetRows(JsonLines):
    """Chunks as Parquet, with the columns of `ROW_SCHEMA`, in the order of the sources."""

    def __init__(self, path: str, tag: str | None = TAG) -> None:
        """Nothing is opened yet."""
        super().__init__(path, tag)
        self.lines: list[bytes] = []
        self.count = 0

    def begin(self) -> None:
        """Open a new file beside the one there is."""
        super().begin()
        self.made = ParquetFile(self.file, ROW_SCHEMA)

    def rows(self, lines: bytes) -> None:
        """Keep them until they are worth a table."""
        self.lines.append(lines)
        self.count += lines.count(b"\n")
        if self.count >= GROUP_ROWS // 8:
            self._write_lines()

    def copy(self, held: Held, source: str) -> None:
        """Take the rows out of the other file as columns."""
        if not isinstance(held, HeldParquet):
            self.rows(held.lines(source))
            return
        self._write_lines()
        self.made.write(held.table(source).to_batches())

    def settle(self) -> os.stat_result:
        """Write the footer, and flush to the disk."""
        self._write_lines()
        self.made.__exit__(None, None, None)
        return super().settle()

    def abandon(self) -> None:
        """Take the new file away."""
        if self.begun:
            self.made.__exit__(InterruptedError, None, None)
        super().abandon()

    def _write_lines(self) -> None:
        if self.count:
            self.made.write(table_of(b"".join(self.lines)).to_batches())
            self.lines = []
            self.count = 0


class HeldParquet(Held):
    """Parquet: where the rows of a source stand follows from how many there are before them.

    One row group is held in memory; sources are mostly asked for in their order.
    """

    def __init__(self, path: str, entries: dict[str, Entry]) -> None:
        """For the entries of one run."""
        super().__init__(path, entries)
        self.group = -1
        self.rows: Any = None

    def measure(self, entry: Entry) -> int:
        """Rows."""
        return entry.chunks

    def is_whole(self) -> bool:
        """By the number of rows; False where the file is no Parquet."""
        try:
            return bool(self._opened().metadata.num_rows == self.size)
        except (OSError, pa.ArrowException):
            return False

    def read(self, start: int, size: int) -> bytes:
        """These rows as JSON lines; nothing where they cannot be read."""
        try:
            return lines_of(self._rows(start, size))
        except (pa.ArrowException, LookupError, ValueError, TypeError):
            return b""
        except OSError as error:
            if error.errno is not None:
                raise
            return b""  # what pyarrow says of pages that are not as they were

    def table(self, source: str) -> Any:
        """The rows of a source, as they stand in the file."""
        entry = self.entries[source]
        try:
            return self._rows(self.starts[source], entry.chunks)
        except (OSError, pa.ArrowException):
            raise self.damaged(source) from None

    def close(self) -> None:
        """Close the file."""
        super().close()
        self.group = -1
        self.rows = None

    def _opened(self) -> Any:
        if self._file is None:
            self._file = pq.ParquetFile(self.path, page_checksum_verification=True)
            about = self._file.metadata
            self.ends = []
            end = 0
            for number in range(about.num_row_groups):
                end += about.row_group(number).num_rows
                self.ends.append(end)
        return self._file

    def _rows(self, start: int, size: int) -> Any:
        """A table of so many rows; an ArrowException where there are fewer."""
        opened = self._opened()
        parts = []
        group = bisect_right(self.ends, start)
        while size > 0:
            if group != self.group:
                self.rows = opened.read_row_group(group, use_threads=False)
                self.group = group
            low = start - (self.ends[group - 1] if group else 0)
            part = self.rows.slice(low, size)
            parts.append(part)
            start += part.num_rows
            size -= part.num_rows
            group += 1
        return pa.concat_tables(parts) if parts else ROW_SCHEMA.empty_table()


class ParquetLines:
    """The rows of a Parquet file as JSON lines, read from start to end; a context manager."""

    def __init__(self, path: str) -> None:
        """OSError where it cannot be opened, also where it is no Parquet."""
        try:
            self.file = pq.ParquetFile(path)
        except pa.ArrowException as error:
            raise OSError(0, str(error)) from None
        self.group = 0
        self.ahead = b""

    def __enter__(self) -> Self:
        """As it is."""
        return self

    def __exit__(self, *error: object) -> None:
        """Close the file."""
        self.file.close()

    def read(self, size: int = -1) -> bytes:
        """The next bytes of the lines, or all that are left; fewer at the end."""
        while (size < 0 or len(self.ahead) < size) and self.group < self.file.num_row_groups:
            self.ahead += lines_of(self.file.read_row_group(self.group, use_threads=False))
            self.group += 1
        size = len(self.ahead) if size < 0 else size
        found, self.ahead = self.ahead[:size], self.ahead[size:]
        return found
