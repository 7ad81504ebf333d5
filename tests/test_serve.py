"""The real server on a real socket: slow clients, full queues, dying workers, stopping."""

import contextlib
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from click.testing import CliRunner

pytest.importorskip("uvicorn", reason="needs the extra [serve]")

from spanwise.doors.cli import main
from spanwise.doors.http import pool as pool_module
from spanwise.doors.http.app import Service
from spanwise.doors.http.server import DrainingServer, config_of
from spanwise.doors.http.settings import Settings
from spanwise.doors.http.worker import SLOT_BYTES

EXECUTE = "/v1/tools/markdown-sections-chunk/versions/1.0.0/execute"
DOCUMENT = json.dumps({"markdown": "# Tea\n\nSteep.\n\n" * 200}).encode()
JSON = {"Content-Type": "application/json"}


class Running:
    """A server in a thread of this process, with workers of its own."""

    def __init__(self, **settings: Any) -> None:
        self.service = Service(Settings(port=0, quiet=True, **settings))
        self.server = DrainingServer(config_of(self.service), self.service)
        self.thread = threading.Thread(target=self.server.run, daemon=True)

    def __enter__(self) -> "Running":
        self.thread.start()
        wait_until(lambda: self.server.started)
        self.port: int = self.server.servers[0].sockets[0].getsockname()[1]
        return self

    def __exit__(self, *_: object) -> None:
        self.server.should_exit = True
        self.thread.join(20)
        assert not self.thread.is_alive()

    def post(self, body: bytes = DOCUMENT) -> tuple[int, Any, Any]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        with contextlib.closing(connection):
            connection.request("POST", EXECUTE, body, JSON)
            response = connection.getresponse()
            return response.status, json.loads(response.read()), response.headers

    def pids(self) -> list[int]:
        return [worker.process.pid or 0 for worker in self.service.pool.workers]


def wait_until(condition: Any, seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    with Running(workers=1, queue=1, header_seconds=0.5, body_seconds=0.5) as started:
        yield started


def received(port: int, data: bytes, pause: float = 0.0, more: bytes = b"") -> tuple[bytes, float]:
    """What the server sends before it hangs up, and how long that took."""
    began = time.monotonic()
    with socket.create_connection(("127.0.0.1", port), timeout=10) as client:
        got = b""
        with contextlib.suppress(ConnectionError):
            client.sendall(data)
            if more:
                time.sleep(pause)
                client.sendall(more)
            while part := client.recv(65536):
                got += part
    return got, time.monotonic() - began


def test_slow_headers_are_given_up(running: Running) -> None:
    for begun in (b"", b"GET /healthz HTTP/1.1\r\nHost: x"):
        got, seconds = received(running.port, begun)
        assert got == b""
        assert 0.3 < seconds < 3


def test_headers_without_an_end_are_given_up(running: Running) -> None:
    line = b"X-Filler: " + b"a" * 1000 + b"\r\n"
    got, seconds = received(running.port, b"GET / HTTP/1.1\r\nHost: localhost\r\n" + line * 200)
    assert got == b"" or got.startswith(b"HTTP/1.1 4")
    assert seconds < 3


def test_a_slow_body_is_given_up(running: Running) -> None:
    head = f"POST {EXECUTE} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    got, seconds = received(running.port, f"{head}Content-Length: 100\r\n\r\n{{".encode())
    assert got.startswith(b"HTTP/1.1 408")
    assert b'"request_timeout"' in got
    assert 0.3 < seconds < 3


def test_a_body_that_does_not_end_is_refused(running: Running) -> None:
    head = (
        f"POST {EXECUTE} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        "Transfer-Encoding: chunked\r\n\r\n"
    )
    chunk = b"10000\r\n" + b" " * 65536 + b"\r\n"
    got, _ = received(running.port, head.encode() + chunk * 30)
    assert got.startswith(b"HTTP/1.1 413")
    assert b'"max_body_bytes"' in got


def test_nonsense_is_refused(running: Running) -> None:
    head = (
        f"POST {EXECUTE} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n".encode()
    )
    for sent in (
        b"\x16\x03\x01 nonsense\r\n\r\n",
        b"BREW /v1/tools HTTP/1.1\r\nHost: localhost\r\n\r\n",
        head + b"Content-Length: -1\r\n\r\n",
        head + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
        head + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        head + b"Transfer-Encoding: chunked\r\n\r\nZZ\r\n",
    ):
        got, _ = received(running.port, sent)
        start, _, body = got.partition(b"\r\n\r\n")
        assert start.startswith(b"HTTP/1.1 400"), sent
        assert b"x-content-type-options: nosniff" in start
        assert json.loads(body)["error"]["code"] == "invalid_input"


def test_an_offer_of_http2_does_not_lose_the_body(running: Running) -> None:
    """Java's HttpClient makes one with the first request on each connection."""
    offer = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAA\r\n"
    body = b'{"markdown": "\\r\\nUpgrade: h2c\\r\\n"}'
    head = (
        f"POST {EXECUTE} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n{offer}\r\n"
    )
    with socket.create_connection(("127.0.0.1", running.port), timeout=10) as client:
        client.sendall(head.encode() + body)
        assert client.recv(65536).startswith(b"HTTP/1.1 200")


def test_a_client_may_ask_before_it_sends_a_body(running: Running) -> None:
    head = f"POST {EXECUTE} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    ask = "Expect: 100-continue\r\nContent-Length: {}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", running.port), timeout=10) as client:
        client.sendall((head + ask.format(16)).encode())
        assert client.recv(65536) == b"HTTP/1.1 100 Continue\r\n\r\n"
        client.sendall(b'{"markdown": ""}')
        assert client.recv(65536).startswith(b"HTTP/1.1 200")
    got, _ = received(running.port, (head + ask.format(99999999)).encode())
    assert got.startswith(b"HTTP/1.1 413")


def test_a_full_queue_says_when_to_come_back(running: Running) -> None:
    os.kill(running.pids()[0], signal.SIGSTOP)
    answers: list[Any] = []
    threads = [
        threading.Thread(target=lambda: answers.append(running.post()), daemon=True)
        for _ in range(2)
    ]
    try:
        for thread in threads:
            thread.start()
        wait_until(lambda: running.service.pool.queued == 1)
        status, body, headers = running.post()
        assert (status, body["error"]["code"], headers["Retry-After"]) == (503, "overloaded", "1")
    finally:
        os.kill(running.pids()[0], signal.SIGCONT)
    for thread in threads:
        thread.join(20)
    assert [status for status, _, _ in answers] == [200, 200]


def test_a_worker_that_dies_is_replaced(running: Running) -> None:
    first = running.pids()[0]
    os.kill(first, signal.SIGSTOP)
    answers: list[Any] = []
    thread = threading.Thread(target=lambda: answers.append(running.post()), daemon=True)
    thread.start()
    wait_until(lambda: running.service.pool.busy == 1)
    os.kill(first, signal.SIGKILL)
    thread.join(20)
    assert (answers[0][0], answers[0][1]["error"]["code"]) == (500, "internal_error")
    wait_until(lambda: all_ready(running))
    assert running.post()[0] == 200
    assert running.pids() != [first]


def all_ready(running: Running) -> bool:
    workers = running.service.pool.workers
    return len(workers) == running.service.pool.size and all(worker.ready for worker in workers)


def test_jobs_behind_one_that_kills_its_worker_are_done_by_another() -> None:
    """Short jobs are handed over several at a time; that one is to blame shows when it is alone."""
    with Running(workers=1) as running:
        pid = running.pids()[0]
        os.kill(pid, signal.SIGSTOP)
        answers: list[Any] = []
        threads = [
            threading.Thread(target=lambda: answers.append(running.post()), daemon=True)
            for _ in range(5)
        ]
        for thread in threads:
            thread.start()
        wait_until(lambda: running.service.pool.queued == 4)
        assert len(running.service.pool.workers[0].jobs) == 5
        os.kill(pid, signal.SIGKILL)
        for thread in threads:
            thread.join(20)
        assert [status for status, _, _ in answers] == [200] * 5
        assert running.service.pool.restarts == 1


def test_nothing_waits_behind_a_long_job_while_another_worker_could_do_it() -> None:
    long = json.dumps({"markdown": "# Tea\n\nSteep it well.\n\n" * 2000}).encode()
    assert len(long) > pool_module.SHORT_BYTES
    with Running(workers=2) as running:
        first, second = running.service.pool.workers
        pids = running.pids()
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        answers: list[Any] = []
        threads = [
            threading.Thread(target=lambda b=body: answers.append(running.post(b)), daemon=True)
            for body in (long, DOCUMENT, DOCUMENT, DOCUMENT)
        ]
        for number, thread in enumerate(threads, start=1):
            thread.start()
            wait_until(lambda n=number: running.service.pool.unfinished == n)
        assert sorted(len(worker.jobs) for worker in (first, second)) == [1, 3]
        for pid in pids:
            os.kill(pid, signal.SIGCONT)
        for thread in threads:
            thread.join(20)
        assert [status for status, _, _ in answers] == [200] * 4


def test_a_worker_is_not_left_at_one_job_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool_module, "WORK_SECONDS", 0.5)
    monkeypatch.setattr(pool_module, "WATCH_SECONDS", 0.1)
    with Running(workers=1) as running:
        os.kill(running.pids()[0], signal.SIGSTOP)
        status, body, _ = running.post()
        assert (status, body["error"]["code"]) == (500, "internal_error")
        wait_until(lambda: all_ready(running))
        assert running.post()[0] == 200


def test_bodies_that_do_not_fit_the_shared_memory_come_through() -> None:
    text = "# Tea\n\n" + "Steep it well. " * 16000
    assert len(text) > SLOT_BYTES
    with Running(workers=1) as running:
        for size in (SLOT_BYTES - 200, len(text)):
            status, body, _ = running.post(json.dumps({"markdown": text[:size]}).encode())
            assert status == 200
            assert body["result"]["sections"][0]["text"] == text[:size]


def test_the_client_gives_what_the_library_gives(running: Running) -> None:
    def invoke(body: bytes, *options: str, tool: str = "markdown-sections-chunk") -> Any:
        call = ["run", tool, "1.0.0", "--input", "-", *options]
        return CliRunner().invoke(main, call, input=body)

    there = ("--base-url", f"http://127.0.0.1:{running.port}")
    for body in (DOCUMENT, b"{}", b"[", b'{"markdown": "%b"}' % (b"a" * 262145)):
        for extra in ((), ("--json",)):
            here, remote = invoke(body, *extra), invoke(body, *extra, *there)
            assert (remote.exit_code, remote.stdout, remote.stderr) == (
                here.exit_code, here.stdout, here.stderr
            )  # fmt: skip
    here, remote = (invoke(b"{}", *extra, tool="no such? #tool") for extra in ((), there))
    assert (remote.exit_code, remote.stderr) == (here.exit_code, here.stderr)


def test_the_client_says_when_there_is_no_server() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
        call = ["run", "markdown-sections-chunk", "1.0.0", "--input", "-", "--base-url"]
        done = CliRunner().invoke(main, [*call, url], input=DOCUMENT)
        assert (done.exit_code, done.stderr.startswith("error: no answer from")) == (1, True)
        for wrong in ("file:///etc", "localhost", "", "http://", "http://[::1", "http://h:port"):
            done = CliRunner().invoke(main, [*call, wrong], input=DOCUMENT)
            told = f"error: not an http or https address: {wrong}\n"
            assert (done.exit_code, done.stderr) == (1, told)


COMMAND = [sys.executable, "-c", "from spanwise.doors.cli import main; main()"]


def started_server(*options: str) -> tuple[subprocess.Popen[str], int]:
    """`spanwise serve` as a process of its own, and its port."""
    process = subprocess.Popen(
        [*COMMAND, "serve", "--port", "0", "--workers", "2", *options],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    )
    assert process.stderr is not None
    for line in process.stderr:
        if found := re.search(r"running on http://127\.0\.0\.1:(\d+)", line):
            threading.Thread(target=process.stderr.read, daemon=True).start()
            return process, int(found[1])
    raise AssertionError("the server did not start")


def test_a_port_that_is_taken_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = CliRunner().invoke(main, ["serve", "--port", port])
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith(f"error: cannot listen on 127.0.0.1, port {port}: ")


def children_of(pid: int) -> list[int]:
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True)
    return [int(line) for line in found.stdout.split()]


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def keep_asking(port: int, stop: threading.Event, answered: list[int], lost: list[str]) -> None:
    """Requests on connections kept alive, until the server takes no more of them."""
    while not stop.is_set():
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        try:
            connection.connect()
        except OSError:
            return  # not accepted, so nothing is lost
        with contextlib.closing(connection):
            while not stop.is_set():
                try:
                    connection.request("POST", EXECUTE, DOCUMENT, JSON)
                    response = connection.getresponse()
                    response.read()
                except (OSError, http.client.HTTPException) as error:
                    lost.append(repr(error))
                    return
                answered.append(response.status)
                if response.will_close:
                    break


def test_sigterm_under_load_loses_no_accepted_request() -> None:
    process, port = started_server()
    workers = children_of(process.pid)
    stop = threading.Event()
    answered: list[int] = []
    lost: list[str] = []
    threads = [
        threading.Thread(target=keep_asking, args=(port, stop, answered, lost), daemon=True)
        for _ in range(8)
    ]
    try:
        for thread in threads:
            thread.start()
        wait_until(lambda: len(answered) > 100)
        process.send_signal(signal.SIGTERM)
        process.wait(30)
        for thread in threads:
            thread.join(10)
    finally:
        stop.set()
        if process.poll() is None:
            process.kill()
    assert lost == []
    assert set(answered) == {200}
    wait_until(lambda: not any(map(is_running, workers)))


def test_workers_end_with_a_server_that_is_killed() -> None:
    process, _ = started_server()
    workers = children_of(process.pid)
    assert len(workers) >= 2
    process.kill()
    process.wait()
    wait_until(lambda: not any(map(is_running, workers)))


def test_a_missing_extra_is_named() -> None:
    code = (
        "import sys; sys.modules['uvicorn'] = None; sys.modules['mcp'] = None\n"
        "from spanwise.doors.cli import main; main(sys.argv[1:])"
    )
    for command, extra in (("serve", "serve"),):
        done = subprocess.run([sys.executable, "-c", code, command], capture_output=True, text=True)
        assert done.returncode == 1
        assert f"pip install 'spanwise[{extra}]'" in done.stderr
        assert "Traceback" not in done.stderr
