"""A job: what is asked for, the parts it is made of, and the folder in which they come together.

    .OUT.spanwise/           beside OUT; only there while the job is not finished
        lock                 one run at a time
        job.json             what the job is; another one starts anew
        done/00012.json      what is known of a part that is finished
        done/00012.parquet   the sources of its documents, which have to differ from all others
        data/part-00012.parquet
        scratch/             for engines
    OUT/                     `data` renamed, once all parts and the manifest are in it

So OUT is not there, or complete; and of a job that was killed the finished parts are kept.
"""

import os
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Literal, NamedTuple, Self

import orjson

from spanwise import __version__
from spanwise.engines.inputs import DataFile
from spanwise.engines.planning import PART_BYTES, Task, plan
from spanwise.errors import InvalidInput
from spanwise.files import AtomicFile, source_name, sync_folder, unreadable, unwritable
from spanwise.markdown.options import ChunkOptions
from spanwise.store.locking import Lock

MANIFEST: Final = "_spanwise.json"
"""In a finished data set: how it was made and what is in it. Engines skip names with `_`."""
FORMAT: Final = 1

Format = Literal["parquet", "jsonl"]


@dataclass(frozen=True)
class Job:
    """What is asked for. It can be pickled, and is all that a worker needs to know."""

    files: tuple[DataFile, ...]
    text: str = "text"
    source: str | None = "source"
    """The column with the names of the documents; None names them `FILE#ROW`, from 1."""
    carry: tuple[str, ...] = ()
    options: ChunkOptions = field(default_factory=ChunkOptions)
    format: Format = "parquet"
    part_bytes: int = PART_BYTES
    memory_mb: int = 1024
    """What an engine may take in each process, where it can be told."""

    def as_dict(self) -> dict[str, Any]:
        """What decides what comes out, for the manifest."""
        return {
            "format": FORMAT,
            "version": __version__,
            "inputs": [
                {"name": file.name, "size": file.size, "mtime_ns": file.mtime_ns}
                for file in self.files
            ],
            "text_column": self.text,
            "source_column": self.source,
            "carry": list(self.carry),
            "options": asdict(self.options),
            "part_format": self.format,
            "part_bytes": self.part_bytes,
        }

    @cached_property
    def id(self) -> str:
        """The same for the same job: 32 hex digits."""
        return sha256(orjson.dumps(self.as_dict(), option=orjson.OPT_SORT_KEYS)).hexdigest()[:32]

    def columns(self) -> dict[str, tuple[str, ...]]:
        """The columns that are read, by what they are for."""
        source = () if self.source is None else (self.source,)
        return {"text": (self.text,), "source": source, "carry": self.carry}

    def tasks(self) -> list[Task]:
        """The job in pieces; InvalidInput where a Parquet file lacks a column."""
        # Rows are counted from the start of a file.
        split_lines = self.source is not None
        return plan(self.files, self.columns(), split_lines, self.part_bytes)


class Part(NamedTuple):
    """A finished part: a file of chunks in the order of (source, index)."""

    number: int
    """Of its task."""
    file: str
    documents: int
    """Rows that have a text."""
    chunks: int
    text_bytes: int
    """UTF-8 of these texts."""
    bytes: int
    """Of the file."""


class Work:
    """The folder of a job; a context manager, which holds the lock."""

    def __init__(self, job: Job, output: str) -> None:
        """For the job whose data set is to be the folder `output`."""
        self.job = job
        self.output = Path(os.path.abspath(output))  # noqa: PTH100 (links in it stay)
        self.folder = self.output.with_name(f".{self.output.name}.spanwise")
        self.data = self.folder / "data"
        self.done = self.folder / "done"
        self.scratch = self.folder / "scratch"

    def __enter__(self) -> Self:
        """Take the lock, and take up what an earlier run of the same job has left.

        InvalidInput where the output is there and is that of another job; Locked.
        """
        self.finished = self._manifest()
        if self.finished is not None:
            self.clear()  # where a run was killed after its last rename
            return self
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise unwritable(self.folder, error) from None
        self._lock = Lock(self.folder / "lock")
        self._lock.__enter__()
        try:
            self._take_up()
        except BaseException:
            self._lock.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Let go of the lock."""
        if self.finished is None:
            self._lock.__exit__(kind, error, trace)

    def _manifest(self) -> dict[str, Any] | None:
        """That of the output, if this job has made it; None where there is no output."""
        name = source_name(self.output)
        if not os.path.lexists(self.output):
            return None
        try:
            found: dict[str, Any] = orjson.loads((self.output / MANIFEST).read_bytes())
        except (OSError, orjson.JSONDecodeError):
            found = {}
        if found.get("job") != self.job.id:
            what = "the chunks of other inputs or options" if found else "something else"
            raise InvalidInput(
                f"out: {name} is there and holds {what}; remove it, or name another folder",
                field="out",
            )
        return found

    def _take_up(self) -> None:
        """Keep what the same job has left, remove what any other has."""
        told = self.folder / "job.json"
        try:
            same = orjson.loads(told.read_bytes()).get("job") == self.job.id
        except (OSError, orjson.JSONDecodeError):
            same = False
        try:
            if not same:
                told.unlink(missing_ok=True)
                for folder in (self.done, self.data):
                    shutil.rmtree(folder, ignore_errors=True)
            shutil.rmtree(self.scratch, ignore_errors=True)
            for folder in (self.done, self.data, self.scratch):
                folder.mkdir(exist_ok=True)
            records = [file.stem for file in self.done.iterdir() if file.suffix == ".json"]
            kept = {stem for stem in records if self.names_path(int(stem)).exists()}
            for folder in (self.done, self.data):
                for file in folder.iterdir():
                    if file.name.endswith(".tmp") or _number(file) not in kept:
                        file.unlink()
        except OSError as error:
            raise unwritable(self.folder, error) from None
        if not same:
            _write_json(told, {"job": self.job.id})

    def parts(self) -> dict[int, Part]:
        """The finished parts, by the numbers of their tasks."""
        found = {}
        try:
            for record in sorted(self.done.glob("*.json")):
                part = Part(**orjson.loads(record.read_bytes()))
                found[part.number] = part
        except (OSError, orjson.JSONDecodeError, TypeError) as error:
            raise unreadable(self.done, OSError(0, str(error))) from None
        return found

    def part_path(self, number: int) -> Path:
        """Where the part of a task is to be."""
        return self.data / f"part-{number:05}.{self.job.format}"

    def names_path(self, number: int) -> Path:
        """Where the sources of the part of a task are kept until the job is done."""
        return self.done / f"{number:05}.parquet"

    def keep(self, part: Part) -> Part:
        """Take note of a part that is in its place and on the disk."""
        sync_folder(self.data / part.file)
        _write_json(self.done / f"{part.number:05}.json", part._asdict())
        sync_folder(self.done / "any")
        return part

    def publish(self, engine: str, tasks: Sequence[Task]) -> dict[str, Any]:
        """Write the manifest beside the parts, and let the folder be the output."""
        parts = self.parts()
        assert sorted(parts) == [task.number for task in tasks], "all parts are done"
        told = self.job.as_dict() | {
            "job": self.job.id,
            "engine": engine,
            "documents": sum(part.documents for part in parts.values()),
            "chunks": sum(part.chunks for part in parts.values()),
            "text_bytes": sum(part.text_bytes for part in parts.values()),
            "parts": [
                part._asdict() | {"input": task.file.name, "start": task.start, "end": task.end}
                for task, part in ((task, parts[task.number]) for task in tasks)
            ],
        }
        try:
            for left in self.data.glob(".*.tmp"):  # by workers that were killed, and others went on
                left.unlink(missing_ok=True)
        except OSError as error:
            raise unwritable(self.data, error) from None
        _write_json(self.data / MANIFEST, told)
        sync_folder(self.data / MANIFEST)
        try:
            self.data.rename(self.output)
        except OSError as error:
            raise unwritable(self.output, error) from None
        sync_folder(self.output)
        self.clear()
        return told

    def clear(self) -> None:
        """Remove what the job needed on its way; what cannot be removed is left."""
        shutil.rmtree(self.folder, ignore_errors=True)


def _number(file: Path) -> str:
    """The number in the name of a part or of its record, as written there."""
    return file.stem.removeprefix("part-")


def _write_json(path: Path, value: dict[str, Any]) -> None:
    with AtomicFile(path) as file:
        file.write(orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
