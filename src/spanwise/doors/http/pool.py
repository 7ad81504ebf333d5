"""The pool: a bounded number of worker processes, and a bounded queue before them.

Nothing here looks into a document, so the event loop stays free whatever comes. A worker does one
job at a time; where all are busy, a few short jobs are handed over in advance, so that a worker
need not sleep between two of them: waking it up would cost more than such a job does.
"""

import asyncio
import contextlib
import multiprocessing
import socket
from collections import deque
from multiprocessing.process import BaseProcess
from typing import Any, Final, cast

from spanwise.doors.http.worker import ANSWER, JOB, SLOT_BYTES, SLOTS, slots_of, work
from spanwise.doors.work import Answer
from spanwise.errors import InternalError, Overloaded

SHORT_BYTES: Final = 32 << 10
"""A job with a longer body is handed to a worker alone: others should not wait behind it."""
WORK_SECONDS: Final = 30.0
"""How long a job may take before its worker is ended; no input within the limits takes as long."""
WATCH_SECONDS: Final = 1.0
START_SECONDS: Final = 60.0
RESTART_PAUSE: Final = 0.5
RETRY_AFTER: Final = 1


class Job:
    """One job on its way, and the future its answer goes to."""

    __slots__ = ("body", "future", "short", "target")

    def __init__(self, target: str, body: bytes, future: "asyncio.Future[Answer]") -> None:
        """Take a job; nothing is sent yet."""
        self.target = target
        self.body = body
        self.future = future
        self.short = len(body) <= SHORT_BYTES
        """Whether others may be handed over behind it, and it behind others."""


class Worker(asyncio.Protocol):
    """The server's side of one worker process."""

    def __init__(self, pool: "Pool", process: BaseProcess, shared: Any) -> None:
        """For a process that has been started, and the memory shared with it."""
        self.pool = pool
        self.process = process
        self.slots = slots_of(shared)
        self.buffer = bytearray()
        self.jobs: deque[Job] = deque()
        """What the process has been given: the first is at work, the others wait."""
        self.begun = 0
        self.outbox: list[bytes] = []
        self.since = 0.0
        self.ready = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the way to the process."""
        self.transport = cast(asyncio.Transport, transport)

    def takes(self, job: Job) -> bool:
        """Whether a job may be handed over now."""
        if not self.ready:
            return False
        jobs = self.jobs
        return not jobs or (len(jobs) < SLOTS and job.short and jobs[-1].short)

    def start(self, job: Job) -> None:
        """Hand a job to the process."""
        if not self.jobs:
            self.since = self.pool.loop.time()
        self.jobs.append(job)
        target, body = job.target.encode(), job.body
        head = JOB.pack(len(target), len(body)) + target
        if not self.outbox:
            self.pool.loop.call_soon(self._send)
        self.outbox.append(head)
        if len(body) <= SLOT_BYTES:
            self.slots[self.begun % SLOTS][: len(body)] = body
        else:
            self.outbox.append(body)
        self.begun += 1

    def _send(self) -> None:
        """Send what was begun in this turn of the event loop, in one call to the system."""
        self.transport.write(b"".join(self.outbox))
        self.outbox.clear()

    def data_received(self, data: bytes) -> None:
        """Take answers, each when it is whole."""
        buffer = self.buffer
        buffer += data
        at = 0
        while len(buffer) - at >= ANSWER.size:
            status, code_size, size = ANSWER.unpack_from(buffer, at)
            body_at = at + ANSWER.size + code_size
            end = body_at + (size if size > SLOT_BYTES else 0)
            if len(buffer) < end:
                break
            code = buffer[at + ANSWER.size : body_at].decode()
            at = end
            if not self.ready:
                self.ready = True
                self.pool.became_ready()
                continue
            slot = self.slots[(self.begun - len(self.jobs)) % SLOTS]
            body = bytes(slot[:size]) if size <= SLOT_BYTES else bytes(buffer[body_at:end])
            self.since = self.pool.loop.time()
            job = self.jobs.popleft()
            if not job.future.done():  # it may have been cancelled
                job.future.set_result(Answer(status, code, body))
        if at:
            del buffer[:at]
            self.pool.hand_out()

    def connection_lost(self, error: Exception | None) -> None:
        """The process has ended, with or without a job."""
        self.pool.lost(self)


def worker_load(worker: Worker) -> int:
    """How many jobs a worker has."""
    return len(worker.jobs)


class Pool:
    """`workers` processes; `queue` jobs may wait for one of them."""

    def __init__(self, workers: int, queue: int) -> None:
        """Prepare; `start` starts the processes."""
        self.size = workers
        self.queue = queue
        self.workers: list[Worker] = []
        self.waiting: deque[Job] = deque()
        self.unfinished = 0
        self.stopping = False
        self.restarts = 0

    async def start(self) -> None:
        """Start the processes and wait until all are ready."""
        self.loop = asyncio.get_running_loop()
        self.all_ready = asyncio.Event()
        for _ in range(self.size):
            await self._start_worker()
        async with asyncio.timeout(START_SECONDS):
            await self.all_ready.wait()
        self._watch()

    async def _start_worker(self) -> None:
        ours, theirs = socket.socketpair()
        context = multiprocessing.get_context("spawn")
        shared = context.RawArray("B", SLOTS * SLOT_BYTES)
        process = context.Process(
            target=work, args=(theirs, shared), daemon=True, name="spanwise-worker"
        )
        process.start()
        theirs.close()
        worker = Worker(self, process, shared)
        self.workers.append(worker)
        await self.loop.create_connection(lambda: worker, sock=ours)

    def became_ready(self) -> None:
        """Take note that a process has warmed up."""
        if len(self.workers) == self.size and all(worker.ready for worker in self.workers):
            self.all_ready.set()

    def _watch(self) -> None:
        """End workers that are at one job for too long; look again soon."""
        late = self.loop.time() - WORK_SECONDS
        for worker in self.workers:
            if worker.jobs and worker.since < late:
                worker.process.kill()
        if not self.stopping:
            self.watching = self.loop.call_later(WATCH_SECONDS, self._watch)

    @property
    def busy(self) -> int:
        """How many workers have a job."""
        return sum(bool(worker.jobs) for worker in self.workers)

    @property
    def queued(self) -> int:
        """How many jobs wait for a worker to be free."""
        return max(0, self.unfinished - self.size)

    async def run(self, target: str, body: bytes) -> Answer:
        """The answer to a job; Overloaded where too many wait already."""
        if self.unfinished >= self.size + self.queue:
            raise Overloaded(
                f"all {self.size} workers are busy and {self.queue} requests wait",
                retry_after=RETRY_AFTER,
            )
        job = Job(target, body, self.loop.create_future())
        self.unfinished += 1
        try:
            self.waiting.append(job)
            self.hand_out()
            return await job.future
        finally:
            self.unfinished -= 1

    def hand_out(self) -> None:
        """Give waiting jobs to the workers that have least to do."""
        while self.waiting:
            job = self.waiting[0]
            if job.future.done():  # it has been cancelled while it waited
                self.waiting.popleft()
                continue
            able = [worker for worker in self.workers if worker.takes(job)]
            if not able:
                break
            min(able, key=worker_load).start(self.waiting.popleft())

    def lost(self, worker: Worker) -> None:
        """Replace a worker that has died, and give what it had to others.

        If it had one job, that is to blame, and fails. If it had several, each is tried alone.
        """
        self.workers.remove(worker)
        jobs = [job for job in worker.jobs if not job.future.done()]
        if len(worker.jobs) == 1:
            for job in jobs:
                job.future.set_exception(InternalError("the worker process died"))
        else:
            for job in jobs:
                job.short = False
            self.waiting.extendleft(reversed(jobs))
        if not self.stopping:
            self.restarts += 1
            self.loop.call_later(RESTART_PAUSE, self._replace)
            self.hand_out()

    def _replace(self) -> None:
        if not self.stopping:
            self.replacing: Any = self.loop.create_task(self._start_worker())

    async def stop(self) -> None:
        """End all processes; jobs that still wait fail."""
        self.stopping = True
        processes = [worker.process for worker in self.workers]
        for worker in list(self.workers):
            if worker.jobs:
                worker.process.kill()
            worker.transport.close()
        for job in [*self.waiting, *(job for worker in self.workers for job in worker.jobs)]:
            if not job.future.done():
                job.future.set_exception(InternalError("the server stops"))
        for process in processes:
            await asyncio.to_thread(process.join, 5)
            if process.is_alive():
                process.kill()
            with contextlib.suppress(ValueError):
                process.close()
