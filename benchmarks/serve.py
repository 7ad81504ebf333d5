"""The server under load, on loopback: `python -m benchmarks.serve [--seconds N] [--mixed N]`.

1. Processor time of a request for a 20 KB document, server and worker together; beside it the same
   handler whose worker answers with a constant, the handler without any worker, and the tool's own
   time (reading JSON, checking, cutting, writing JSON) in this process.
2. Latency at half of the rate at which the server is saturated.
3. Good, bad and hostile requests mixed, with the memory of all processes at the start and the end.

Processor time is what to trust: requests a second depend on what else the machine does.
"""

import argparse
import asyncio
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
from typing import NamedTuple

from spanwise.doors import work
from spanwise.doors.http import pool as pool_module
from spanwise.doors.http.app import Service
from spanwise.doors.http.server import DrainingServer, config_of
from spanwise.doors.http.settings import Settings
from spanwise.doors.work import Answer, answer

TARGET = "execute markdown-sections-chunk 1.0.0"
PATH = "/v1/tools/markdown-sections-chunk/versions/1.0.0/execute"
TICKS = os.sysconf("SC_CLK_TCK")
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
        return sum(self._stat(pid) for pid in self.pids())

    def _stat(self, pid: int) -> float:
        try:
            fields = Path(f"/proc/{pid}/stat").read_bytes().rsplit(b")", 1)[1].split()
        except FileNotFoundError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / TICKS

    def memory(self) -> float:
        """Resident megabytes of all processes."""
        total = 0
        for pid in self.pids():
            try:
                total += int(Path(f"/proc/{pid}/statm").read_bytes().split()[1])
            except FileNotFoundError:
                continue
        return total * os.sysconf("SC_PAGE_SIZE") / 1e6


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


def constant_work(connection: socket.socket) -> None:
    """A worker that answers every job with the same bytes."""
    constant = answer(TARGET, document())
    work.answer = lambda target, body: constant
    work.work(connection)


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


async def read_response(reader: asyncio.StreamReader) -> tuple[int, bool]:
    """The status of a response, and whether the connection stays open."""
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    size = int(head.split(b"content-length:")[1].split(b"\r\n")[0])
    await reader.readexactly(size)
    return int(head.split(b" ")[1]), b"connection: close" not in head


async def load(
    port: int, requests: list[bytes], seconds: float, connections: int, rate: float = 0.0
) -> Load:
    """Send requests in turn for some seconds, as fast as answers come or at a fixed rate."""
    taken: list[float] = []
    statuses: Counter[int] = Counter()
    began = time.perf_counter()
    turn = 0

    async def client() -> None:
        nonlocal turn
        streams = None
        while time.perf_counter() - began < seconds:
            mine = turn
            turn += 1
            due = began + mine / rate if rate else time.perf_counter()
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            if streams is None:
                streams = await asyncio.open_connection("127.0.0.1", port)
            reader, writer = streams
            try:
                writer.write(requests[mine % len(requests)])
                status, stays = await read_response(reader)
            except (OSError, asyncio.IncompleteReadError):
                status, stays = 0, False
            taken.append(time.perf_counter() - due)
            statuses[status] += 1
            if not stays:
                writer.close()
                streams = None

    await asyncio.gather(*(client() for _ in range(connections)))
    return Load(taken, statuses, time.perf_counter() - began)


def per_request(server: Server, request: bytes, seconds: float) -> tuple[float, Load]:
    """Processor seconds of a request, and the load they were measured with."""
    asyncio.run(load(server.port, [request], 0.5, 8))
    before = server.cpu()
    found = asyncio.run(load(server.port, [request], seconds, 8))
    return (server.cpu() - before) / len(found.seconds), found


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
        rates = []
        for _ in range(3):
            own = own_time(body)
            whole, saturated = per_request(real, request, asked.seconds)
            base, _ = per_request(fixed, request, asked.seconds)
            least, _ = per_request(alone, request, asked.seconds)
            rates.append(len(saturated.seconds) / saturated.duration)
            print(
                f"processor time of a request: {whole * 1e6:.0f} us; a constant {base * 1e6:.0f}, "
                f"without a worker {least * 1e6:.0f}; the tool's own {own * 1e6:.0f}; "
                f"(request - own) / constant = {(whole - own) / base:.2f}; "
                f"{rates[-1]:.0f} requests a second"
            )
        rate = min(rates) / 2
        half = asyncio.run(load(real.port, [request], asked.seconds * 2, 16, rate))
        taken = sorted(half.seconds)
        median, p99 = taken[len(taken) // 2], taken[len(taken) * 99 // 100]
        print(
            f"at {rate:.0f} a second: median {median * 1e3:.2f} ms, p99 {p99 * 1e3:.2f} ms, "
            f"ratio {p99 / median:.1f}; statuses {dict(half.statuses)}"
        )
        requests = mixed()
        asyncio.run(load(real.port, requests, 5, 8))
        memory: list[float] = [real.memory()]
        statuses: Counter[int] = Counter()
        until = time.monotonic() + asked.mixed
        while time.monotonic() < until:
            statuses += asyncio.run(load(real.port, requests, min(30, asked.mixed), 8)).statuses
            memory.append(real.memory())
        print(f"mixed: statuses {dict(statuses)}; memory {[round(mb) for mb in memory]} MB")
        failed = statuses[500] + statuses[0] + statuses[503]
        if failed:
            print(f"{failed} requests failed that should not")
            sys.exit(1)


if __name__ == "__main__":
    main()
