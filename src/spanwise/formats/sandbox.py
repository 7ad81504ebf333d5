"""Runs readers in a child process, where a file can do no harm: bounded in time and memory.

One child serves many files, and is started again when one was its end. What comes back is JSON, so
a child that a file has taken over can say nothing but wrong things. See `child` for the other side.
"""

import atexit
import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import orjson

from spanwise.errors import LimitExceeded, SpanwiseError, UnreadableSource
from spanwise.formats import Settings
from spanwise.markdown.options import ChunkOptions
from spanwise.spans import Unit

LENGTH: Final = 8
"""Bytes of the length before each message and each payload."""

READING: Final = 0.95
"""The share of its seconds that a child has; the rest is for ending it and telling of it."""

_REFUSED: Final = (signal.SIGABRT, signal.SIGILL, signal.SIGSEGV, getattr(signal, "SIGTRAP", 0))
"""The signals that a library ends its process with when it gets no memory."""
_START: Final = (
    "import sys; sys.path[:] = sys.argv[1:]; from spanwise.formats.child import serve; serve()"
)


class Sandbox:
    """A child process that reads documents."""

    def __init__(self) -> None:
        """Nothing is started before it is needed."""
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def ask(
        self, data: bytes, source: str, media_type: str, settings: Settings, **job: Any
    ) -> tuple[dict[str, Any], bytes]:
        """What the child says of one file: an answer and its payload.

        Raises LimitExceeded, UnreadableSource or what else the reader raised.
        """
        head = job | {"source": source, "media_type": media_type, "settings": asdict(settings)}
        with self._lock:
            answer, payload = self._exchange(head, data, source, settings)
        if "error" in answer:
            raise SpanwiseError.from_dict(answer["error"])
        return answer, payload

    def _exchange(
        self, head: dict[str, Any], data: bytes, source: str, settings: Settings
    ) -> tuple[dict[str, Any], bytes]:
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        late = threading.Event()

        def end() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(settings.max_seconds * READING, end)
        timer.start()
        try:
            process.stdin.write(framed(orjson.dumps(head), data))
            process.stdin.flush()
            answer = received(process.stdout)
            payload = received(process.stdout)
        except (EOFError, OSError):
            self._process = None
            code, memory = _ended(process)
            if late.is_set():
                raise LimitExceeded(
                    "max_seconds", settings.max_seconds, settings.max_seconds + 1,
                    f"{source}: seconds to read it",
                ) from None  # fmt: skip
            if -code in _REFUSED and memory > settings.max_memory // 2:
                # Where a library asks for more than it gets, it ends the process. What grows by
                # doubling has half of the limit then.
                raise LimitExceeded(
                    "max_memory", settings.max_memory, settings.max_memory + 1,
                    f"{source}: bytes of memory",
                ) from None  # fmt: skip
            raise UnreadableSource(
                f"{source}: its reader ended with {_status(code)}", source=source
            ) from None
        finally:
            timer.cancel()
        return orjson.loads(answer), payload

    def _running(self) -> "subprocess.Popen[bytes]":
        if self._process is None or self._process.poll() is not None:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _START, *[path or str(Path.cwd()) for path in sys.path]],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                close_fds=True,
            )
        return self._process

    def close(self) -> None:
        """End the child."""
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            process.kill()
            _ended(process)


_own: dict[int, Sandbox] = {}


def sandbox() -> Sandbox:
    """The child of this process; one that was forked off gets a child of its own."""
    pid = os.getpid()
    if pid not in _own:
        _own.clear()
        _own[pid] = Sandbox()
        atexit.register(_own[pid].close)
    return _own[pid]


def chunked(
    data: bytes, source: str, media_type: str, options: ChunkOptions, settings: Settings
) -> tuple[dict[str, Any], bytes]:
    """The chunk rows of a document as JSON lines, after `chunks`, `biggest` and `notices`."""
    return sandbox().ask(data, source, media_type, settings, job="chunk", options=asdict(options))


def converted(data: bytes, source: str, media_type: str, settings: Settings) -> Any:
    """The document as `text`, `title`, `media_type`, `notices` and `segments` with regions."""
    answer, payload = sandbox().ask(data, source, media_type, settings, job="convert")
    return answer | orjson.loads(payload)


def verified(
    data: bytes,
    source: str,
    media_type: str,
    rows: Sequence[dict[str, Any]],
    unit: Unit,
    settings: Settings,
) -> list[str]:
    """For each row with `start`, `end`, `quote` and `regions` what is wrong, or an empty string.

    The quote has to be the converted text at the span, the regions those of the span, and the text
    at the regions of the original, taken out of it anew, the quote without its markup.
    """
    _, payload = sandbox().ask(
        data, source, media_type, settings, job="verify", rows=list(rows), unit=unit
    )
    said: list[str] = orjson.loads(payload)
    return said


def framed(head: bytes, payload: bytes) -> bytes:
    """A message and its payload, each after its length."""
    return b"".join(
        [len(head).to_bytes(LENGTH, "big"), head, len(payload).to_bytes(LENGTH, "big"), payload]
    )


def received(stream: Any) -> bytes:
    """One part of a message; EOFError where the other side is gone."""
    size = stream.read(LENGTH)
    if len(size) < LENGTH:
        raise EOFError
    data: bytes = stream.read(int.from_bytes(size, "big"))
    if len(data) < int.from_bytes(size, "big"):
        raise EOFError
    return data


def _ended(process: "subprocess.Popen[bytes]") -> tuple[int, int]:
    """The exit status of a child that is at its end, and the most bytes of memory it had."""
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError):  # what was not yet written is for nobody
                pipe.close()
    if not hasattr(os, "wait4") or process.returncode is not None:
        return process.wait(), 0  # not there on Windows
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    # Bytes on macOS, kibibytes elsewhere.
    return process.returncode, usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _status(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit status {code}"
