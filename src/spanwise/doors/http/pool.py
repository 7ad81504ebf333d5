"""The pool: a bounded number of worker processes, and a bounded queue before them.

Each worker has a socket of its own and one job at a time. Nothing here looks into a document, so
the event loop stays free whatever comes.
"""

import asyncio
import contextlib
import multiprocessing
import socket
from collections import deque
from multiprocessing.process import BaseProcess
from typing import Any, Final, cast

from spanwise.doors.work import ANSWER, JOB, Answer, work
from spanwise.errors import InternalError, Overloaded

WORK_SECONDS: Final = 30.0
"""How long a job may take before its worker is ended; no input within the limits takes as long."""
START_SECONDS: Final = 60.0
RESTART_PAUSE: Final = 0.5
RETRY_AFTER: Final = 1


class Job:
    """One job on its way, and the future its answer goes to."""

    __slots__ = ("body", "future", "target")

    def __init__(self, target: str, body: bytes, future: "asyncio.Future[Answer]") -> None:
        """Take a job; nothing is sent yet."""
        self.target = target
        self.body = body
        self.future = future


class Worker(asyncio.Protocol):
    """The server's side of one worker process."""

    def __init__(self, pool: "Pool", process: BaseProcess) -> None:
        """For a process that has been started."""
        self.pool = pool
        self.process = process
        self.buffer = bytearray()
        self.job: Job | None = None
        self.timer: asyncio.TimerHandle | None = None
        self.ready = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the way to the process."""
        self.transport = cast(asyncio.Transport, transport)

    def start(self, job: Job) -> None:
        """Hand a job to the process."""
        self.job = job
        self.timer = self.pool.loop.call_later(WORK_SECONDS, self.process.kill)
        target = job.target.encode()
        self.transport.write(JOB.pack(len(target), len(job.body)) + target + job.body)

    def data_received(self, data: bytes) -> None:
        """Collect an answer; when it is whole, give it to whom it is for."""
        buffer = self.buffer
        buffer += data
        if len(buffer) < ANSWER.size:
            return
        status, code_size, size = ANSWER.unpack_from(buffer)
        body_at = ANSWER.size + code_size
        if len(buffer) < body_at + size:
            return
        code = buffer[ANSWER.size : body_at].decode()
        with memoryview(buffer) as view:
            done = Answer(status, code, bytes(view[body_at : body_at + size]))
        buffer.clear()
        if self.ready:
            self._finish(done)
        self.ready = True
        self.pool.free(self)

    def _finish(self, done: Answer | InternalError) -> None:
        job, self.job = self.job, None
        if self.timer is not None:
            self.timer.cancel()
        if job is None or job.future.done():
            return
        if isinstance(done, InternalError):
            job.future.set_exception(done)
        else:
            job.future.set_result(done)

    def connection_lost(self, error: Exception | None) -> None:
        """The process has ended, with or without a job."""
        self._finish(InternalError("the worker process died"))
        self.pool.lost(self)


class Pool:
    """`workers` processes; `queue` jobs may wait for one of them."""

    def __init__(self, workers: int, queue: int) -> None:
        """Prepare; `start` starts the processes."""
        self.size = workers
        self.queue = queue
        self.workers: set[Worker] = set()
        self.idle: list[Worker] = []
        self.waiting: deque[Job] = deque()
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

    async def _start_worker(self) -> None:
        ours, theirs = socket.socketpair()
        context = multiprocessing.get_context("spawn")
        process = context.Process(target=work, args=(theirs,), daemon=True, name="spanwise-worker")
        process.start()
        theirs.close()
        worker = Worker(self, process)
        self.workers.add(worker)
        await self.loop.create_connection(lambda: worker, sock=ours)

    @property
    def busy(self) -> int:
        """How many workers have a job."""
        return sum(worker.job is not None for worker in self.workers)

    async def run(self, target: str, body: bytes) -> Answer:
        """The answer to a job; Overloaded where too many wait already."""
        if not self.idle and len(self.waiting) >= self.queue:
            raise Overloaded(
                f"all {self.size} workers are busy and {self.queue} requests wait",
                retry_after=RETRY_AFTER,
            )
        job = Job(target, body, self.loop.create_future())
        self.waiting.append(job)
        self._hand_out()
        return await job.future

    def _hand_out(self) -> None:
        while self.idle and self.waiting:
            job = self.waiting.popleft()
            if not job.future.done():  # it may have been cancelled while it waited
                self.idle.pop().start(job)

    def free(self, worker: Worker) -> None:
        """Take a worker back that has finished."""
        self.idle.append(worker)
        if len(self.idle) == self.size:
            self.all_ready.set()
        self._hand_out()

    def lost(self, worker: Worker) -> None:
        """Replace a worker that has died."""
        self.workers.discard(worker)
        if worker in self.idle:
            self.idle.remove(worker)
        if not self.stopping:
            self.restarts += 1
            self.loop.call_later(RESTART_PAUSE, self._replace)

    def _replace(self) -> None:
        if not self.stopping:
            self.replacing: Any = self.loop.create_task(self._start_worker())

    async def stop(self) -> None:
        """End all processes; jobs that still wait fail."""
        self.stopping = True
        processes = [worker.process for worker in self.workers]
        for worker in list(self.workers):
            if worker.job is not None:
                worker.process.kill()
            worker.transport.close()
        for job in self.waiting:
            if not job.future.done():
                job.future.set_exception(InternalError("the server stops"))
        for process in processes:
            await asyncio.to_thread(process.join, 5)
            if process.is_alive():
                process.kill()
            with contextlib.suppress(ValueError):
                process.close()
