"""The server under load, on loopback: `python -m benchmarks.serve [--seconds N] [--mixed N]`.

1. Processor time of a request for a 20 KB document, server and worker together; beside it the same
   request answered with a constant of the same size, by the worker in place of the tool and by the
   handler in place of the worker; and the tool's own time (reading JSON, checking, cutting, writing
   JSON) in this process. Taken in turn in many short windows, of which the median counts.
2. Latency at half of the rate at which the server is saturated, in windows of a few seconds.
3. Good, bad and hostile requests mixed, with the memory of all processes at the start and the end.

Processor time is what to trust: requests a second depend on what else the machine does.
"""

import argparse
import asyncio
import contextlib
import json
import multiprocessing
import os
import random
import socket
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import uvloop

from spanwise.doors.http import pool as pool_module
from spanwise.doors.http import worker
from spanwise.doors.http.app import Service
from spanwise.doors.http.server import DrainingServer, config_of
from spanwise.doors.http.settings import Settings
from spanwise.doors.work import Answer, answer

TARGET = "execute markdown-sections-chunk 1.0.0"
WINDOW_SECONDS = 0.5
PATH = "/v1/tools/markdown-sections-chunk/versions/1.0.0/execute"
PARAGRAPH = "Water, leaves and *patience*; see [the list](#list) for how long each kind takes.\n\n"


def document() -> bytes:
    """An input of about 20 KB: a Markdown text with a heading every half kilobyte."""
    text = "".join(f"## Kind {n}\n\n{PARAGRAPH * 5}- one\n- two\n\n" for n in range(45))
    return json.dumps({"markdown": text}).encode()


class Server:
    """A server in a process of its own: real, or answering with a constant from a worker or not."""

    def __init__(self, kind: str = "real") -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        context = multiprocessing.get_context("spawn")
        self.process = context.Process(target=run_server, args=(self.port, kind))
        self.process.start()
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                break
            except OSError:
                time.sleep(0.05)

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.join(60)

    def pids(self) -> list[int]:
        """The server and its workers."""
        found = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(self.process.pid)], capture_output=True, text=True
        )
        return [self.process.pid or 0, *map(int, found.stdout.split())]

    def cpu(self) -> float:
        """Seconds of processor time so far, of all processes."""
        return sum(on_cpu(pid) for pid in self.pids())

    def memory(self) -> float:
        """Resident megabytes of all processes."""
        total = 0
        for pid in self.pids():
            try:
                total += int(Path(f"/proc/{pid}/statm").read_bytes().split()[1])
            except FileNotFoundError:
                continue
        return total * os.sysconf("SC_PAGE_SIZE") / 1e6


def on_cpu(pid: int) -> float:
    """Seconds that all threads of a process have run; unlike its times, not counted in ticks."""
    total = 0
    for thread in Path(f"/proc/{pid}/task").glob("*"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            total += int((thread / "schedstat").read_bytes().split()[0])
    return total / 1e9


def run_server(port: int, kind: str) -> None:
    """Serve until ended, as `spanwise serve` does, its log lines going nowhere."""
    sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115
    service = Service(Settings(port=port, workers=1))
    constant = answer(TARGET, document())
    if kind == "no worker":

        async def same(target: str, body: bytes) -> Answer:
            return constant

        service.pool.run = same  # type: ignore[method-assign]
    elif kind == "constant":
        setattr(pool_module, "work", constant_work)  # noqa: B010
    DrainingServer(config_of(service), service).run()


def constant_work(connection: socket.socket, shared: Any) -> None:
    """A worker that answers every job with the same bytes."""
    constant = answer(TARGET, document())
    setattr(worker, "answer", lambda target, body: constant)  # noqa: B010
    worker.work(connection, shared)


class Load(NamedTuple):
    """What came of some load: seconds of each request in order, statuses, duration."""

    seconds: list[float]
    statuses: Counter[int]
    duration: float


def http_request(body: bytes, path: str = PATH, *headers: str) -> bytes:
    """The bytes of a POST."""
    lines = [f"POST {path} HTTP/1.1", "Host: 127.0.0.1", f"Content-Length: {len(body)}", *headers]
    if not any(header.startswith("Content-Type") for header in headers):
        lines.append("Content-Type: application/json")
    return "\r\n".join([*lines, "", ""]).encode() + body


class Client(asyncio.Protocol):
    """One connection of a load, with one request at a time; cheap, to leave the cores to others."""

    def __init__(self, load: "Loading") -> None:
        self.load = load
        self.due = 0.0
        self.waits = False
        self.missing = -1
        self.status = 0
        self.stays = True
        self.head = b""

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        self.next()

    def next(self) -> None:
        """Send the next request when it is due."""
        number, self.due = self.load.take()
        if number < 0:
            self.transport.close()
            self.load.ended()
        elif self.due > (now := time.perf_counter()):
            self.load.loop.call_later(self.due - now, self.send, number)
        else:
            self.send(number)

    def send(self, number: int) -> None:
        """Send a request, or do it over where the connection has been closed meanwhile."""
        self.waits, self.missing, self.head, self.status = True, -1, b"", 0
        if self.transport.is_closing():
            self.connection_lost(None)
        else:
            self.transport.write(self.load.requests[number % len(self.load.requests)])

    def data_received(self, data: bytes) -> None:
        if self.missing < 0:
            self.head += data
            head, found, body = self.head.partition(b"\r\n\r\n")
            if not found:
                return
            head = head.lower()
            self.status = int(head[9:12])
            self.stays = b"connection: close" not in head
            self.missing = int(head.split(b"content-length:")[1].split(b"\r\n")[0])
            data = body
        self.missing -= len(data)
        if self.missing == 0:
            self.done()

    def done(self) -> None:
        """Take note of an answer, or of its absence."""
        self.waits = False
        self.load.taken.append(time.perf_counter() - self.due)
        self.load.statuses[self.status] += 1
        if self.stays and self.status:
            self.next()
        else:
            self.transport.close()
            self.load.connect()

    def connection_lost(self, error: Exception | None) -> None:
        if self.waits:
            self.status = 0
            self.done()


class Loading:
    """Requests in turn for some seconds, as fast as answers come or at a fixed rate."""

    def __init__(self, port: int, requests: list[bytes], seconds: float, rate: float) -> None:
        self.port = port
        self.requests = requests
        self.rate = rate
        self.loop = asyncio.get_running_loop()
        self.began = time.perf_counter()
        self.until = self.began + seconds
        self.turn = 0
        self.taken: list[float] = []
        self.statuses: Counter[int] = Counter()
        self.running: set[Any] = set()
        self.over = asyncio.Semaphore(0)

    def take(self) -> tuple[int, float]:
        """Number of the next request and when it is due; -1 when time is up."""
        now = time.perf_counter()
        due = self.began + self.turn / self.rate if self.rate else now
        if max(due, now) >= self.until:
            return -1, 0.0
        self.turn += 1
        return self.turn - 1, due

    def connect(self) -> None:
        """Open a connection, which begins to send by itself."""
        task = self.loop.create_task(
            self.loop.create_connection(lambda: Client(self), "127.0.0.1", self.port)
        )
        self.running.add(task)
        task.add_done_callback(self.running.discard)

    def ended(self) -> None:
        """One connection has nothing more to do."""
        self.over.release()


async def load(
    port: int, requests: list[bytes], seconds: float, connections: int, rate: float = 0.0
) -> Load:
    """What comes of such a load."""
    loading = Loading(port, requests, seconds, rate)
    for _ in range(connections):
        loading.connect()
    for _ in range(connections):
        await loading.over.acquire()
    return Load(loading.taken, loading.statuses, time.perf_counter() - loading.began)


def per_request(server: Server, request: bytes) -> tuple[float, float]:
    """Processor seconds of a request, and how many there are in a second, in a short window."""
    before = server.cpu()
    found = uvloop.run(load(server.port, [request], WINDOW_SECONDS, 8))
    count = len(found.seconds)
    return (server.cpu() - before) / count, count / found.duration


def processor_time(servers: list[Server], body: bytes, seconds: float) -> float:
    """Print what a request costs at each of three servers; gives the rate the first can do."""
    request = http_request(body)
    columns: list[list[float]] = [[] for _ in range(4)]
    rates: list[float] = []
    for turn in range(max(2, int(seconds / WINDOW_SECONDS)) + 1):
        found = [own_time(body)]
        for server in servers:
            cost, rate = per_request(server, request)
            found.append(cost)
            if server is servers[0]:
                rates.append(rate)
        if turn == 0:
            rates.clear()  # the first window warms up
            continue
        for column, cost in zip(columns, found, strict=True):
            column.append(cost)
    own, whole, constant, alone = (median(column) * 1e6 for column in columns)
    print(
        f"processor time of a request, median of {len(rates)} windows: {whole:.0f} us; the tool's "
        f"own {own:.0f}; a constant from the worker {constant:.0f}, from the handler {alone:.0f}"
    )
    for name, base in (("worker", columns[2]), ("handler", columns[3])):
        ratios = sorted((w - o) / c for o, w, c in zip(columns[0], columns[1], base, strict=True))
        print(
            f"(request - own) / constant from the {name}: median {median(ratios):.2f}, "
            f"windows {' '.join(f'{ratio:.2f}' for ratio in ratios)}"
        )
    return median(rates)


def latency(server: Server, request: bytes, rate: float, seconds: float) -> None:
    """Print median and 99th percentile at a fixed rate, for some windows."""
    for _ in range(5):
        found = uvloop.run(load(server.port, [request], seconds, 16, rate))
        taken = sorted(found.seconds)
        middle, p99 = taken[len(taken) // 2], taken[len(taken) * 99 // 100]
        print(
            f"at {rate:.0f} a second: median {middle * 1e3:.2f} ms, p99 {p99 * 1e3:.2f} ms, "
            f"ratio {p99 / middle:.1f}; statuses {dict(found.statuses)}"
        )


def own_time(body: bytes, times: int = 300) -> float:
    """Processor seconds that the work itself takes, in this process."""
    answer(TARGET, body)
    before = time.process_time()
    for _ in range(times):
        answer(TARGET, body)
    return (time.process_time() - before) / times


def mixed() -> list[bytes]:
    """Good, bad and hostile requests, each of which has a whole body."""
    chooser = random.Random(6)
    deep = b"[" * 50000
    good = [
        http_request(json.dumps({"markdown": PARAGRAPH * n}).encode()) for n in (1, 20, 200, 2000)
    ]
    hostile = [
        http_request(json.dumps({"markdown": text}).encode())
        for text in ("> " * 5000, "[" * 50000, "`" * 60000, "- " * 2000, "\n" * 100000, "\0" * 999)
    ]
    bad = [
        http_request(b"{}"),
        http_request(deep),
        http_request(b'{"markdown": "\\ud800"}'),
        http_request(b"x" * 300000),
        http_request(b" " * 2_000_000),
        http_request(b"{}", PATH, "Content-Type: text/plain"),
        http_request(b"{}", PATH.replace("1.0.0", "9.9.9")),
        http_request(b"{}", "/v1/tools/../../etc/passwd/versions/1/execute"),
        http_request(b"{}", PATH, "Origin: https://evil.example"),
        http_request(b'{"jsonrpc": "2.0"}', "/mcp"),
    ]
    return [chooser.choice(chooser.choice([good, hostile, bad])) for _ in range(997)]


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=5.0)
    options.add_argument("--mixed", type=float, default=20.0, help="seconds of mixed requests")
    asked = options.parse_args()
    body = document()
    request = http_request(body)
    constant = answer(TARGET, body).body
    print(f"request {len(body)} bytes, answer {len(constant)} bytes")
    with Server() as real, Server("constant") as fixed, Server("no worker") as alone:
        rate = processor_time([real, fixed, alone], body, asked.seconds)
        print(f"saturated at {rate:.0f} requests a second")
        latency(real, request, rate / 2, asked.seconds)
        requests = mixed()
        uvloop.run(load(real.port, requests, min(5, asked.mixed), 8))
        memory: list[float] = [real.memory()]
        statuses: Counter[int] = Counter()
        until = time.monotonic() + asked.mixed
        while time.monotonic() < until:
            statuses += uvloop.run(load(real.port, requests, min(30, asked.mixed), 8)).statuses
            memory.append(real.memory())
        print(f"mixed: statuses {dict(statuses)}; memory {[round(mb) for mb in memory]} MB")
        failed = statuses[500] + statuses[0] + statuses[503]
        if failed:
            print(f"{failed} requests failed that should not")
            sys.exit(1)


if __name__ == "__main__":
    main()
