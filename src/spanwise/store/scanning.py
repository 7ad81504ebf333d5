"""The sources that paths mean now, beside what is known of them: what is to be done with each."""

import time
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import asdict
from hashlib import sha256
from os import stat_result
from typing import Any, Final, Literal, NamedTuple

import orjson

from spanwise.errors import SpanwiseError, UnreadableSource
from spanwise.files import SourceFile, find_sources
from spanwise.formats import Settings, converter_versions
from spanwise.markdown.options import ChunkOptions
from spanwise.store.manifest import Entry

RACY_NS: Final = 2_000_000_000
"""A file may change again without a new time within two seconds (FAT; others are finer)."""
CONFIG_BYTES: Final = 16

Action = Literal["keep", "read", "remove"]


class Step(NamedTuple):
    """What is to be done with one source.

    keep: it is as it was, or nothing can be said of it (`outside` of what was searched).
    read: it is new or may have changed.
    remove: it is not there any more.
    """

    source: str
    action: Action
    file: SourceFile | None = None
    outside: bool = False


class Scan(NamedTuple):
    """The steps, in the order of the names of the sources, and what went wrong on the way."""

    steps: list[Step]
    faults: list[SpanwiseError]
    scopes: list[str]
    started_ns: int

    def files(self) -> list[SourceFile]:
        """The files that are to be read."""
        return [step.file for step in self.steps if step.action == "read" and step.file]


def scan(
    paths: Sequence[str],
    entries: Mapping[str, Entry],
    config: bytes,
    verify: bool = False,
    broken: Set[str] = frozenset(),
) -> Scan:
    """Compare the files there are with the entries of the sources known.

    A source that was cut otherwise, or whose rows are `broken`, is to be cut in any case. With
    `verify` every file is read.
    """
    started_ns = time.time_ns()

    def known(source: str, status: stat_result) -> bool:
        entry = entries.get(source)
        return entry is not None and (entry.size, entry.mtime_ns) == (
            status.st_size,
            status.st_mtime_ns,
        )

    files, faults, scopes = find_sources(list(paths), known)
    steps: dict[str, Step] = {}
    for file in files:
        if file.source in steps:
            faults.append(
                UnreadableSource(f"{file.source}: two files have this name", source=file.source)
            )
            continue
        entry = entries.get(file.source)
        cuts = entry is None or entry.config != config or file.source in broken
        if entry is None or cuts or verify or not _is_as_it_was(entry, file):
            digest = b"" if entry is None or cuts else entry.sha256
            steps[file.source] = Step(file.source, "read", file._replace(known=digest))
        else:
            steps[file.source] = Step(file.source, "keep", file)
    for source in entries:
        if source not in steps:
            gone = any(covers(scope, source) for scope in scopes)
            steps[source] = Step(source, "remove" if gone else "keep", None, not gone)
    ordered = sorted(steps.values(), key=lambda step: step.source.split("/"))
    return Scan(ordered, faults, scopes, started_ns)


def _is_as_it_was(entry: Entry, file: SourceFile) -> bool:
    return entry.size == file.size and entry.mtime_ns == file.mtime_ns


def covers(scope: str, source: str) -> bool:
    """Whether a source is below a folder that was searched; see `files.Found`.

    `../` is the folder above, not those above it, and the folder at hand has no absolute paths.
    """
    if not source.startswith(scope):
        return False
    first = source[len(scope) :].partition("/")[0]
    return first not in ("..", "") and not (scope == "" and first.endswith(":"))


def trusted_time(file: SourceFile, started_ns: int) -> int:
    """The time of a file for its entry: -1 where it could change again without a new one."""
    return file.mtime_ns if file.mtime_ns < started_ns - RACY_NS else -1


def config_id(
    options: ChunkOptions, tokenizer: str | None, settings: Settings, version: str
) -> bytes:
    """What decides what a source is cut into, apart from the source: 16 bytes.

    Options that say the same in other words are the same.
    """
    told: dict[str, Any] = asdict(options) | {
        "max_chars": options.size(),
        "tokenizer": tokenizer,
        "version": version,
        "converters": converter_versions(),
    }
    told |= settings.choices()
    return sha256(orjson.dumps(told, option=orjson.OPT_SORT_KEYS)).digest()[:CONFIG_BYTES]


def hashes(files: Sequence[SourceFile]) -> Iterator[bytes]:
    """The SHA-256 of each file; empty where it cannot be read."""
    from spanwise.files import read_bytes

    for file in files:
        try:
            yield sha256(read_bytes(file.path)).digest()
        except SpanwiseError:
            yield b""
