"""The manifest: one SQLite file that knows what the outputs are made of.

A run writes a row for each source that it changes. The rows up to the run that is `head` are the
state that a store is taken to have; the rows of a later run lie over it until that run is committed
(by itself, or by `spanwise ack`), or for ever, where it was killed. So what is on the disk is
explained at every moment, and to commit is to change one number.
"""

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NamedTuple, Self

import orjson

from spanwise.errors import InvalidInput, UnreadableSource, UnwritableOutput
from spanwise.files import source_name, unwritable
from spanwise.store.delta import PACKED_BYTES

FORMAT: Final = 1
"""`user_version` of the file."""

_SCHEMA: Final = f"""
CREATE TABLE run (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    placed INTEGER NOT NULL,
    output_size INTEGER NOT NULL,
    output_mtime_ns INTEGER NOT NULL
);
CREATE TABLE entry (
    source TEXT NOT NULL,
    run INTEGER NOT NULL,
    gone INTEGER NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    sha256 BLOB NOT NULL,
    config BLOB NOT NULL,
    lines_size INTEGER NOT NULL,
    lines_sha256 BLOB NOT NULL,
    chunks INTEGER NOT NULL,
    packed BLOB NOT NULL,
    PRIMARY KEY (source, run)
);
CREATE TABLE state (head INTEGER NOT NULL, output TEXT NOT NULL, call TEXT NOT NULL);
INSERT INTO state VALUES (0, '', '{{}}');
PRAGMA user_version = {FORMAT};
"""
_COLUMNS: Final = (
    "source, run, gone, size, mtime_ns, sha256, config, lines_size, lines_sha256, chunks"
)


class Entry(NamedTuple):
    """What one source was when it was last cut; `gone` where there is no such source any more."""

    source: str
    run: int
    gone: bool
    size: int
    mtime_ns: int
    """-1 where the file was so new that its time says nothing yet."""
    sha256: bytes
    """Of the file."""
    config: bytes
    """What it was cut with; see `config_id`."""
    lines_size: int
    """Bytes that its rows take in the output."""
    lines_sha256: bytes
    chunks: int


class Run(NamedTuple):
    """A run that has left something: its id, and the output as it wrote it."""

    number: int
    id: str
    placed: bool
    """Whether all its outputs were put in their places."""
    output_size: int
    output_mtime_ns: int


class Manifest:
    """The open manifest; a context manager. Faults of the file are SpanwiseErrors."""

    def __init__(self, path: Path, create: bool = False) -> None:
        """At `path`, whose folder is there; with `create` the file need not be."""
        self.path = path
        self.name = source_name(path)
        self.create = create

    def __enter__(self) -> Self:
        """Open the file and read all but the ids of the chunks."""
        with self._reading():
            mode = "rwc" if self.create else "rw"
            uri = f"{self.path.absolute().as_uri()}?mode={mode}"
            self.db = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=10)
        try:
            if self.create:
                with self._reading():
                    # The journal keeps its place on the disk while the file is open. So a disk that
                    # is full stops a run when it is staged, not when it is committed.
                    self.db.execute("PRAGMA journal_mode = PERSIST")
            self._load()
        except BaseException:
            self.db.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the file."""
        if self.create:
            with contextlib.suppress(sqlite3.Error):  # all that counts is committed
                self.db.execute("PRAGMA journal_mode = DELETE")
        self.db.close()

    def _load(self) -> None:
        with self._reading():
            (version,) = self.db.execute("PRAGMA user_version").fetchone()
            (tables,) = self.db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        if version != FORMAT and (version or tables):
            raise InvalidInput(
                f"{self.name}: not a manifest that this version reads "
                f"(format {version}, not {FORMAT})",
                field="manifest",
                found=version,
            )
        if not version:
            with self._writing():
                for statement in _SCHEMA.split(";\n"):
                    self.db.execute(statement)
        self.entries: dict[str, Entry] = {}
        self.overlays: dict[int, dict[str, Entry]] = {}
        self._dead: list[tuple[str, int]] = []
        with self._reading():
            self.db.execute("BEGIN")
            head, self.output, call = self.db.execute("SELECT * FROM state").fetchone()
            self.call: dict[str, Any] = orjson.loads(call)
            found = self.db.execute("SELECT * FROM run ORDER BY number")
            runs = [Run(n, name, bool(placed), *rest) for n, name, placed, *rest in found]
            rows = self.db.execute(f"SELECT {_COLUMNS} FROM entry ORDER BY run")
            for entry in map(Entry._make, rows):
                if entry.run > head:
                    self.overlays.setdefault(entry.run, {})[entry.source] = entry
                    continue
                before = self.entries.pop(entry.source, None)
                if before is not None:
                    self._dead.append((before.source, before.run))
                if entry.gone:
                    self._dead.append((entry.source, entry.run))
                else:
                    self.entries[entry.source] = entry
            self.db.execute("COMMIT")
        self.head = next((run for run in runs if run.number == head), None)
        self.open_runs = [run for run in runs if run.number > head]
        for run in self.open_runs:
            self.overlays.setdefault(run.number, {})

    def view(self, run: Run | None) -> dict[str, Entry]:
        """The sources as they are after a run: the head or an open one."""
        over = self.overlays[run.number] if run is not None and run in self.open_runs else {}
        merged = self.entries | over
        return {source: entry for source, entry in merged.items() if not entry.gone}

    def packed(self, entry: Entry) -> bytes:
        """Ids and digests of the chunks of an entry; see `delta.pack`."""
        with self._reading():
            found = self.db.execute(
                "SELECT packed FROM entry WHERE source = ? AND run = ?", (entry.source, entry.run)
            ).fetchone()
        packed: bytes = found[0]
        return packed

    def touch(self, run: Run, touched: Iterable[Entry], output: str, call: dict[str, Any]) -> None:
        """Keep what is new where no rows are: times and options of sources, the output's status."""
        with self._writing():
            self._tell(touched, output, call)
            self.db.execute(
                "UPDATE run SET output_size = ?, output_mtime_ns = ? WHERE number = ?",
                (run.output_size, run.output_mtime_ns, run.number),
            )

    def stage(
        self,
        run: Run,
        rows: Iterable[tuple[Entry, bytes]],
        touched: Iterable[Entry],
        output: str,
        call: dict[str, Any],
    ) -> None:
        """Write what a run changes, before any output is put in its place.

        An open run with the same id told the same, and is replaced: the last one is the one that
        can be acknowledged. `output` and `call` say what all is for.
        """
        with self._writing():
            self.db.executemany("DELETE FROM entry WHERE source = ? AND run = ?", self._dead)
            self._tell(touched, output, call)
            same = [(other.number,) for other in self.open_runs if other.id == run.id]
            self.db.executemany("DELETE FROM entry WHERE run = ?", same)
            self.db.executemany("DELETE FROM run WHERE number = ?", same)
            self.db.execute("INSERT INTO run VALUES (?, ?, ?, ?, ?)", run)
            self.db.executemany(
                f"INSERT INTO entry VALUES ({', '.join('?' * 11)})",
                ((*entry, packed) for entry, packed in rows),
            )

    def place(self, run: Run) -> None:
        """Keep that all outputs of a run are in their places."""
        with self._writing():
            self.db.execute("UPDATE run SET placed = 1 WHERE number = ?", (run.number,))

    def commit(self, run: Run) -> None:
        """Let the state after a run be the one that a store is taken to have."""
        with self._writing():
            self.db.execute("UPDATE run SET placed = 1 WHERE number = ?", (run.number,))
            self.db.execute("UPDATE state SET head = ?", (run.number,))
            for other in self.open_runs:
                if other.number != run.number:
                    self.db.execute("DELETE FROM entry WHERE run = ?", (other.number,))
            self.db.execute("DELETE FROM run WHERE number <> ?", (run.number,))

    def _tell(self, touched: Iterable[Entry], output: str, call: dict[str, Any]) -> None:
        told = orjson.dumps(call).decode()
        self.db.execute("UPDATE state SET output = ?, call = ?", (output, told))
        self.db.executemany(
            "UPDATE entry SET size = ?, mtime_ns = ?, sha256 = ?, config = ? "
            "WHERE source = ? AND run = ?",
            ((e.size, e.mtime_ns, e.sha256, e.config, e.source, e.run) for e in touched),
        )

    @contextlib.contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise UnreadableSource(f"cannot read {self.name}: {error}", source=self.name) from None

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        """One transaction: all of it or nothing."""
        try:
            self.db.execute("BEGIN IMMEDIATE")
            yield
            self.db.execute("COMMIT")
        except BaseException as error:
            with contextlib.suppress(sqlite3.Error):  # a full disk has rolled back by itself
                self.db.execute("ROLLBACK")
            if isinstance(error, sqlite3.Error):
                raise UnwritableOutput(
                    f"cannot write {self.name}: {error}", output=self.name
                ) from None
            raise


def make_folder(path: Path) -> None:
    """Make the folder that a manifest is to lie in."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(path.parent, error) from None


def chunk_count(packed: bytes) -> int:
    """How many chunks were packed."""
    return len(packed) // PACKED_BYTES
