"""Outputs: files that follow the sources, each written beside its place and moved into it.

Whatever the format, an output is used in one order: `begin`, `rows` for each source, `settle`,
and `commit` after the manifest knows what is coming; or `abandon` at any point.
"""

import os
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Protocol

import orjson

from spanwise.errors import UnreadableSource
from spanwise.files import AtomicFile, source_name, sync_folder, unreadable
from spanwise.store.manifest import Entry

TAG: Final = "sync"


class Output(Protocol):
    """Somewhere for rows to go, all of them or none."""

    def begin(self) -> None:
        """Make ready; UnwritableOutput where that cannot be done."""

    def rows(self, lines: bytes) -> None:
        """Take the rows of one more source, as JSON lines."""

    def settle(self) -> os.stat_result:
        """Bring everything to the disk; the status that the file will have in its place."""

    def commit(self) -> None:
        """Put it in its place in one step."""

    def abandon(self) -> None:
        """Leave what was there before."""


class JsonLines:
    """Chunks as JSON lines: what `spanwise chunk` writes."""

    def __init__(self, path: str) -> None:
        """Nothing is opened yet."""
        self.file = AtomicFile(path, TAG)
        self.begun = False

    def begin(self) -> None:
        """Open a new file beside the one there is."""
        self.file.__enter__()
        self.begun = True

    def rows(self, lines: bytes) -> None:
        """Write them."""
        self.file.write(lines)

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


class HeldLines:
    """The file of chunks as an earlier run left it, read by source.

    A file is the lines of its sources in the order of their names, nothing else; where those of one
    source stand follows from the sizes of all before it. `broken` has the sources whose lines are
    not there as they were.
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
            start += entry.lines_size
        self.size = start
        self.broken: set[str] = set()
        self._file: Any = None

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
            raise UnreadableSource(
                f"{self.name}: the lines of {source} are not as the last run left them; "
                "--verify cuts what is damaged again",
                source=self.name,
            )
        return found

    def _read(self, source: str) -> bytes | None:
        entry = self.entries[source]
        if entry.lines_size == 0:
            return b""
        try:
            if self._file is None:
                self._file = self.path.open("rb")
            self._file.seek(self.starts[source])
            lines: bytes = self._file.read(entry.lines_size)
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
