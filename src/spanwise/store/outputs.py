"""Outputs: files that follow the sources, each written beside its place and moved into it.

Whatever the format, an output is used in one order: `begin`, `rows` or `copy` for each source,
`settle`, and `commit` after the manifest knows what is coming; or `abandon` at any point. What a
file is, the end of its name says: `.parquet`, `.bulk` (see `bulk`), otherwise JSON lines.
"""

import os
from abc import ABC, abstractmethod
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Protocol

import orjson

from spanwise.errors import InvalidInput, UnreadableSource
from spanwise.files import AtomicFile, source_name, sync_folder, unreadable
from spanwise.store.manifest import Entry

TAG: Final = "sync"


class Output(Protocol):
    """Somewhere for rows to go, all of them or none."""

    begun: bool

    def begin(self) -> None:
        """Make ready; UnwritableOutput where that cannot be done."""

    def rows(self, lines: bytes) -> None:
        """Take the rows of one more source, as JSON lines."""

    def copy(self, held: "Held", source: str) -> None:
        """Take the rows of one more source as they were."""

    def settle(self) -> os.stat_result:
        """Bring everything to the disk; the status that the file will have in its place."""

    def commit(self) -> None:
        """Put it in its place in one step."""

    def abandon(self) -> None:
        """Leave what was there before."""


class JsonLines:
    """Chunks as JSON lines: what `spanwise chunk` writes."""

    def __init__(self, path: str, tag: str | None = TAG) -> None:
        """Nothing is opened yet; `tag` is None where no lock is held."""
        self.file = AtomicFile(path, tag)
        self.begun = False

    def begin(self) -> None:
        """Open a new file beside the one there is."""
        self.file.__enter__()
        self.begun = True

    def rows(self, lines: bytes) -> None:
        """Write them."""
        self.file.write(lines)

    def copy(self, held: "Held", source: str) -> None:
        """Write the lines that are there, once they are known to be whole."""
        self.rows(held.lines(source))

    def settle(self) -> os.stat_result:
        """Flush to the disk."""
        return self.file.settle()

    def commit(self) -> None:
        """Rename."""
        self.file.place()
        sync_folder(self.file.path)

    def abandon(self) -> None:
        """Take the new file away."""
        if self.begun:
            self.file.discard()


class DeltaLines(JsonLines):
    """Changes as JSON lines, with a summary at the end that has the hash of what is before it."""

    def begin(self) -> None:
        """As any output."""
        super().begin()
        self.hash = sha256()

    def rows(self, lines: bytes) -> None:
        """Write lines that `change_lines` made."""
        self.hash.update(lines)
        super().rows(lines)

    def summarise(self, summary: dict[str, Any]) -> None:
        """Write the last line."""
        whole = {"op": "summary"} | summary | {"sha256": self.hash.hexdigest()}
        self.file.write(orjson.dumps(whole, option=orjson.OPT_APPEND_NEWLINE))


class Held(ABC):
    """The output as an earlier run left it, read by source.

    It holds the rows of its sources in the order of their names, nothing else. `broken` has the
    sources whose rows are not there as they were.
    """

    def __init__(self, path: str, entries: dict[str, Entry]) -> None:
        """For the entries of one run."""
        self.name = source_name(path)
        self.path = Path(path)
        self.entries = entries
        self.starts: dict[str, int] = {}
        start = 0
        for entry in sorted(entries.values(), key=lambda entry: entry.source.split("/")):
            self.starts[entry.source] = start
            start += self.measure(entry)
        self.size = start
        self.broken: set[str] = set()
        self._file: Any = None

    @abstractmethod
    def measure(self, entry: Entry) -> int:
        """What the rows of a source take."""

    @abstractmethod
    def is_whole(self) -> bool:
        """Whether the file is as big as all rows together."""

    @abstractmethod
    def read(self, start: int, size: int) -> bytes:
        """The lines that stand there; OSError, or others where the file is broken."""

    def status(self) -> tuple[int, int]:
        """Size and time of the file there is; (-1, 0) where there is none."""
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return -1, 0
        except OSError as error:
            raise unreadable(self.path, error) from None
        return found.st_size, found.st_mtime_ns

    def check(self) -> None:
        """Find out which sources' lines are not there as they were."""
        self.broken = {source for source in self.starts if self._read(source) is None}

    def lines(self, source: str) -> bytes:
        """The lines of a source; UnreadableSource where they are not as they were."""
        found = self._read(source)
        if found is None:
            raise self.damaged(source)
        return found

    def damaged(self, source: str) -> UnreadableSource:
        """The error for rows that are not as they were."""
        return UnreadableSource(
            f"{self.name}: the lines of {source} are not as the last run left them; "
            "--verify cuts what is damaged again",
            source=self.name,
        )

    def _read(self, source: str) -> bytes | None:
        entry = self.entries[source]
        if entry.lines_size == 0:
            return b""
        try:
            lines = self.read(self.starts[source], self.measure(entry))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise unreadable(self.path, error) from None
        return lines if sha256(lines).digest() == entry.lines_sha256 else None

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None


class HeldLines(Held):
    """JSON lines: where those of a source stand follows from the sizes of all before it."""

    def measure(self, entry: Entry) -> int:
        """Bytes."""
        return entry.lines_size

    def is_whole(self) -> bool:
        """By the size of the file."""
        return self.status()[0] == self.size

    def read(self, start: int, size: int) -> bytes:
        """These bytes."""
        if self._file is None:
            self._file = self.path.open("rb")
        self._file.seek(start)
        lines: bytes = self._file.read(size)
        return lines


PARQUET: Final = ".parquet"
BULK: Final = ".bulk"


def output_at(path: str, tag: str | None = TAG, index: str | None = None) -> Output:
    """The output for rows at `path`; InvalidInput where the extra that it needs is missing."""
    if path.endswith(PARQUET):
        from spanwise.store.parquet import ParquetRows

        return ParquetRows(path, tag)
    if path.endswith(BULK):
        from spanwise.store.bulk import BulkRows

        return BulkRows(path, tag, index)
    return JsonLines(path, tag)


def delta_at(path: str, index: str | None = None) -> DeltaLines:
    """The output for changes at `path`."""
    if path.endswith(PARQUET):
        raise InvalidInput("delta: changes are JSON lines or bulk, not Parquet", field="delta")
    if path.endswith(BULK):
        from spanwise.store.bulk import BulkDelta

        return BulkDelta(path, index)
    return DeltaLines(path)


def held_at(path: str, entries: dict[str, Entry]) -> Held:
    """The output that is at `path`, for the entries of one run."""
    if path.endswith(BULK):
        raise InvalidInput(
            f"out: chunks that are kept in step are JSON lines or Parquet; {BULK} is for --delta",
            field="out",
        )
    if path.endswith(PARQUET):
        from spanwise.store.parquet import HeldParquet

        return HeldParquet(path, entries)
    return HeldLines(path, entries)
