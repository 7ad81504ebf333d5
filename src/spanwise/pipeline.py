"""The pipeline: files to JSON lines, in order, on all cores.

Workers send back encoded lines and a few numbers, since pickling rows would cost more than making
them. A worker has one batch at a time, and batches are handed out only a little ahead of the one to
be given next, so that memory stays bounded. The results do not depend on the number of workers.
"""

import contextlib
import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Final

from spanwise.errors import SpanwiseError, UnreadableSource
from spanwise.files import SourceFile, read_text
from spanwise.markdown.chunking import Counter
from spanwise.markdown.options import ChunkOptions
from spanwise.rows import chunk_rows, json_lines
from spanwise.tokens import counter_of

BATCH_BYTES: Final = 1 << 20
"""A batch ends with the file that brings it to this size."""
BATCH_FILES: Final = 500
PARALLEL_BYTES: Final = 4 << 20
"""Inputs smaller than this together are not worth starting workers for."""
AHEAD: Final = 4
"""Batches handed out or finished before their turn, for each worker."""


@dataclass(frozen=True, slots=True)
class FileResult:
    """What became of one file: its JSON lines and counts, or the error that it ended in."""

    source: str
    lines: bytes = b""
    chunks: int = 0
    biggest: int = 0
    error: SpanwiseError | None = None


def text_result(
    text: str, source: str, options: ChunkOptions, counter: Counter | None = None
) -> FileResult:
    """The chunks of one text, encoded; `counter` as for `chunk_rows`."""
    rows = chunk_rows(text, source, options, counter)
    biggest = max([row["chars"] for row in rows], default=0)
    return FileResult(source, json_lines(rows), len(rows), biggest)


def file_result(
    file: SourceFile, options: ChunkOptions, counter: Counter | None = None
) -> FileResult:
    """The chunks of one file, encoded; an error about the file is part of the result."""
    try:
        return text_result(read_text(file.path), file.source, options, counter)
    except SpanwiseError as error:
        return FileResult(file.source, error=error)
    except MemoryError:
        return FileResult(file.source, error=_lost(file, "not enough memory"))


def file_results(
    files: list[SourceFile],
    options: ChunkOptions,
    jobs: int | None = None,
    counter: Counter | None = None,
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
        return (file_result(file, options, counter) for file in files)
    return _Workers(options, counter, jobs).run(batches)


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


@dataclass(slots=True)
class _Task:
    """One batch on its way: its place in the order, and the results once they are there."""

    files: list[SourceFile]
    results: list[FileResult] | None = None


class _Workers:
    """Processes that chunk batches, each talked to through a pipe of its own."""

    def __init__(self, options: ChunkOptions, counter: Counter | None, jobs: int) -> None:
        self.options = options
        self.counter = counter
        self.jobs = jobs
        # Forking is fastest, and safe only while there is one thread.
        forks = sys.platform == "linux" and threading.active_count() == 1
        self.context: Any = multiprocessing.get_context("fork" if forks else "spawn")
        self.forks = forks
        self.processes: dict[Connection[Any, Any], BaseProcess] = {}
        self.at_work: dict[Connection[Any, Any], _Task] = {}
        self.idle: list[Connection[Any, Any]] = []

    def run(self, batches: list[list[SourceFile]]) -> Iterator[FileResult]:
        """The results of all batches, in order."""
        waiting = deque(_Task(batch) for batch in batches)
        in_order: deque[_Task] = deque()
        retries: deque[_Task] = deque()
        try:
            for _ in range(self.jobs):
                self._start()
            while waiting or in_order or retries:
                while self.idle and (retries or (waiting and len(in_order) < AHEAD * self.jobs)):
                    if retries:
                        task = retries.popleft()
                    else:
                        task = waiting.popleft()
                        in_order.append(task)
                    self._hand_out(task)
                while in_order and in_order[0].results is not None:
                    yield from in_order.popleft().results or ()
                if not self.at_work:
                    continue
                for task in self._collect():
                    retries += self._split(task, in_order)
        finally:
            self._stop()

    def _start(self) -> None:
        ours, theirs = self.context.Pipe()
        # Only a forked worker can take over open pipes and a tokenizer.
        inherited = [*self.processes, ours] if self.forks else []
        counter = self.counter if self.forks else None
        process = self.context.Process(
            target=_work, args=(theirs, self.options, counter, inherited), daemon=True
        )
        process.start()
        theirs.close()
        self.processes[ours] = process
        self.idle.append(ours)

    def _hand_out(self, task: _Task) -> None:
        connection = self.idle.pop()
        self.at_work[connection] = task
        with contextlib.suppress(OSError):  # a dead worker, which `_collect` finds
            connection.send(task.files)

    def _collect(self) -> list[_Task]:
        """Wait for results and keep them; gives back the tasks whose workers died."""
        lost = []
        for ready in wait(list(self.at_work)):
            connection: Any = ready
            task = self.at_work.pop(connection)
            try:
                task.results = connection.recv()
                self.idle.append(connection)
            except (EOFError, OSError):
                lost.append(task)
                self._bury(connection)
                self._start()
        return lost

    def _bury(self, connection: Any) -> None:
        process = self.processes.pop(connection)
        connection.close()
        process.join()
        self.exit_code = process.exitcode

    def _split(self, task: _Task, in_order: deque[_Task]) -> list[_Task]:
        """Replace a task whose worker died by one for each file; a single file gets the error."""
        if len(task.files) == 1:
            reason = f"the worker process died ({_exit_reason(self.exit_code)})"
            file = task.files[0]
            task.results = [FileResult(file.source, error=_lost(file, reason))]
            return []
        place = in_order.index(task)
        single = [_Task([file]) for file in task.files]
        in_order.remove(task)
        for offset, part in enumerate(single):
            in_order.insert(place + offset, part)
        return single

    def _stop(self) -> None:
        """End all workers, at once where they are still at work."""
        for connection, process in self.processes.items():
            if connection in self.at_work:
                process.terminate()
            connection.close()
        for process in self.processes.values():
            process.join()


def _work(
    connection: "Connection[Any, Any]",
    options: ChunkOptions,
    counter: Counter | None,
    inherited: list["Connection[Any, Any]"],
) -> None:
    """The life of a worker: batches in, results out, until the other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent takes it and ends its workers
    gc.disable()  # rows have no cycles, and looking for some takes a fifth of the time
    for other in inherited:
        other.close()  # so that the pipes of the others close when the parent goes
    if counter is None:
        counter = counter_of(options.tokenizer)
    while True:
        try:
            files = connection.recv()
        except EOFError:
            return
        results = [file_result(file, options, counter) for file in files]
        try:
            connection.send(results)
        except OSError:
            return  # the parent is gone


def _exit_reason(code: int | None) -> str:
    if code is not None and code < 0:
        return f"signal {-code}, as when memory runs out" if code == -9 else f"signal {-code}"
    return f"exit status {code}"


def _lost(file: SourceFile, reason: str) -> UnreadableSource:
    return UnreadableSource(f"{file.source}: {reason}", source=file.source)
