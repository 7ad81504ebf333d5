"""The pipeline: files to JSON lines, in order, on all cores.

Workers send back encoded lines and a few numbers, since pickling rows would cost more than making
them. The results do not depend on the number of workers.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from typing import Final

from spanwise.document import Notice
from spanwise.errors import SpanwiseError, UnreadableSource
from spanwise.files import SourceFile, decode, read_bytes
from spanwise.formats import MARKDOWN, Settings
from spanwise.formats.sniffing import media_type
from spanwise.markdown.chunking import Counter
from spanwise.markdown.options import ChunkOptions
from spanwise.rows import chunk_rows, json_lines
from spanwise.tokens import counter_of

BATCH_BYTES: Final = 1 << 20
"""A batch ends with the file that brings it to this size."""
BATCH_FILES: Final = 500
PARALLEL_BYTES: Final = 4 << 20
"""Inputs smaller than this together are not worth starting workers for."""


@dataclass(frozen=True, slots=True)
class FileResult:
    """What became of one file: its JSON lines and counts, or the error that it ended in.

    `sha256` is that of the file where the file was asked for by one (`SourceFile.known`); where it
    is the one that was known, the file is `same`, and was not cut.
    """

    source: str
    lines: bytes = b""
    chunks: int = 0
    biggest: int = 0
    error: SpanwiseError | None = None
    notices: tuple[Notice, ...] = ()
    sha256: bytes = b""
    same: bool = False


def text_result(
    text: str, source: str, options: ChunkOptions, counter: Counter | None = None
) -> FileResult:
    """The chunks of one text, encoded; `counter` as for `chunk_rows`."""
    rows = chunk_rows(text, source, options, counter)
    biggest = max([row["chars"] for row in rows], default=0)
    return FileResult(source, json_lines(rows), len(rows), biggest)


def bytes_result(
    data: bytes,
    source: str,
    options: ChunkOptions,
    counter: Counter | None = None,
    settings: Settings | None = None,
) -> FileResult:
    """The chunks of one file of any format, encoded; raises what is wrong with it."""
    found = media_type(data, source)
    if found == MARKDOWN:
        return text_result(decode(data, source), source, options, counter)
    from spanwise.formats.sandbox import chunked  # starts processes

    answer, lines = chunked(data, source, found, options, settings or Settings())
    notices = tuple(answer["notices"])
    return FileResult(source, lines, answer["chunks"], answer["biggest"], None, notices)


def file_result(
    file: SourceFile,
    options: ChunkOptions,
    counter: Counter | None = None,
    settings: Settings | None = None,
) -> FileResult:
    """The chunks of one file, encoded; an error about the file is part of the result."""
    try:
        data = read_bytes(file.path)
        if file.known is None:
            return bytes_result(data, file.source, options, counter, settings)
        digest = sha256(data).digest()
        if digest == file.known:
            return FileResult(file.source, sha256=digest, same=True)
        result = bytes_result(data, file.source, options, counter, settings)
        return replace(result, sha256=digest)
    except SpanwiseError as error:
        return FileResult(file.source, error=error)
    except MemoryError:
        return lost(file, "not enough memory")


def lost(file: SourceFile, reason: str) -> FileResult:
    """The result of a file that could not be finished."""
    error = UnreadableSource(f"{file.source}: {reason}", source=file.source)
    return FileResult(file.source, error=error)


def file_results(
    files: list[SourceFile],
    options: ChunkOptions,
    jobs: int | None = None,
    counter: Counter | None = None,
    settings: Settings | None = None,
) -> Iterator[FileResult]:
    """A result for each file, in the order given.

    `jobs` is the number of workers; by default there is one for each core, and none where the files
    are few and small. A worker that dies is an error of the file it had. `counter` is the tokenizer
    that `options` names, where it is loaded already; InvalidInput where there is none of the name.
    """
    if not files:
        return iter(())
    counter = counter or counter_of(options.tokenizer)
    if jobs is None:
        jobs = available_cores() if sum(file.size for file in files) >= PARALLEL_BYTES else 1
    batches = list(_batches(files, jobs))
    jobs = min(jobs, len(batches))
    if jobs <= 1:
        return (file_result(file, options, counter, settings) for file in files)
    from spanwise.workers import Workers  # what starts processes takes long to import

    work = partial(file_result, options=options, counter=counter, settings=settings)
    return Workers(work, lost, jobs).run(batches)


def available_cores() -> int:
    """Cores that this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _batches(files: list[SourceFile], jobs: int) -> Iterator[list[SourceFile]]:
    """The files in runs that are worth sending to a worker, at least `jobs` where there are."""
    most_files = max(1, min(BATCH_FILES, len(files) // jobs))
    batch: list[SourceFile] = []
    size = 0
    for file in files:
        batch.append(file)
        size += file.size
        if size >= BATCH_BYTES or len(batch) >= most_files:
            yield batch
            batch = []
            size = 0
    if batch:
        yield batch
