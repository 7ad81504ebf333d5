"""Worker processes: one function over batches of items, the results in order.

A worker has one batch at a time, and batches are handed out only a little ahead of the one to be
given next, so that memory stays bounded. A worker that dies costs only the item it died of.
"""

import contextlib
import gc
import multiprocessing
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Final, Generic, TypeVar

AHEAD: Final = 4
"""Batches handed out or finished before their turn, for each worker."""

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(slots=True)
class _Task(Generic[Item, Result]):
    """One batch on its way: its place in the order, and the results once they are there."""

    items: list[Item]
    results: list[Result] | None = None


class Workers(Generic[Item, Result]):
    """Processes that work on batches, each talked to through a pipe of its own."""

    def __init__(
        self,
        work: Callable[[Item], Result],
        lost: Callable[[Item, str], Result],
        jobs: int,
        forks: bool = True,
    ) -> None:
        """`work` and what it takes and gives can be pickled.

        lost: the result of an item whose worker died, and of what.
        forks: False where a library has threads that Python does not know of.
        """
        self.work = work
        self.lost = lost
        self.jobs = jobs
        # Forking is fastest, and safe only while there is one thread.
        forks = forks and sys.platform == "linux" and threading.active_count() == 1
        self.context: Any = multiprocessing.get_context("fork" if forks else "spawn")
        self.forks = forks
        self.processes: dict[Connection[Any, Any], BaseProcess] = {}
        self.at_work: dict[Connection[Any, Any], _Task[Item, Result]] = {}
        self.idle: list[Connection[Any, Any]] = []

    def run(self, batches: list[list[Item]]) -> Iterator[Result]:
        """The results of all batches, in order."""
        waiting = deque(_Task[Item, Result](batch) for batch in batches)
        in_order: deque[_Task[Item, Result]] = deque()
        retries: deque[_Task[Item, Result]] = deque()
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
        # Only a forked worker can take over open pipes.
        inherited = [*self.processes, ours] if self.forks else []
        process = self.context.Process(
            target=_work, args=(theirs, self.work, inherited), daemon=True
        )
        process.start()
        theirs.close()
        self.processes[ours] = process
        self.idle.append(ours)

    def _hand_out(self, task: _Task[Item, Result]) -> None:
        connection = self.idle.pop()
        self.at_work[connection] = task
        with contextlib.suppress(OSError):  # a dead worker, which `_collect` finds
            connection.send(task.items)

    def _collect(self) -> list[_Task[Item, Result]]:
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

    def _split(
        self, task: _Task[Item, Result], in_order: deque[_Task[Item, Result]]
    ) -> list[_Task[Item, Result]]:
        """Replace a task whose worker died by one for each item; a single item is lost."""
        if len(task.items) == 1:
            reason = f"the worker process died ({_exit_reason(self.exit_code)})"
            task.results = [self.lost(task.items[0], reason)]
            return []
        place = in_order.index(task)
        single = [_Task[Item, Result]([item]) for item in task.items]
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
    work: Callable[[Any], Any],
    inherited: list["Connection[Any, Any]"],
) -> None:
    """The life of a worker: batches in, results out, until the other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent takes it and ends its workers
    gc.disable()  # results have no cycles, and looking for some takes a fifth of the time
    for other in inherited:
        other.close()  # so that the pipes of the others close when the parent goes
    while True:
        try:
            items = connection.recv()
        except EOFError:
            return
        results = [work(item) for item in items]
        try:
            connection.send(results)
        except OSError:
            return  # the parent is gone


def _exit_reason(code: int | None) -> str:
    if code is not None and code < 0:
        return f"signal {-code}, as when memory runs out" if code == -9 else f"signal {-code}"
    return f"exit status {code}"
