"""A worker process: jobs in, answers out, one after the other.

Bodies go through memory shared with the server, and over the socket only a few bytes that announce
them. Several jobs may be sent at once; their answers go back together where that costs no time.
"""

import contextlib
import gc
import itertools
import signal
import socket
import struct
import time
from typing import Any, Final

from spanwise.catalogue import all_tools
from spanwise.doors.mcp import tools
from spanwise.doors.work import answer

JOB: Final = struct.Struct("!HI")
"""Announces a job: the lengths of its target, which follows, and of its body."""
ANSWER: Final = struct.Struct("!HBI")
"""Announces an answer: its status, and the lengths of its code, which follows, and of its body."""
SLOTS: Final = 8
SLOT_BYTES: Final = 128 << 10
"""Jobs take turns with the slots of the shared memory; the body of a job is put there, and then
that of its answer. A body that does not fit follows its announcement on the socket."""
HOLD_SECONDS: Final = 0.0005
"""How long an answer may wait for others to go with, while there are more jobs."""


def slots_of(shared: Any) -> list[memoryview]:
    """The slots of the shared memory, in the order in which jobs use them."""
    area = memoryview(shared).cast("B")
    return [area[at : at + SLOT_BYTES] for at in range(0, SLOTS * SLOT_BYTES, SLOT_BYTES)]


def work(connection: socket.socket, shared: Any) -> None:
    """The life of a worker, until the other end of the connection is closed."""
    for ignored in (signal.SIGINT, signal.SIGTERM):  # the server ends its workers itself
        signal.signal(ignored, signal.SIG_IGN)
    warm_up()
    line = Line(connection)
    slots = itertools.cycle(slots_of(shared))
    with contextlib.suppress(OSError, EOFError):
        line.send(ANSWER.pack(200, 0, 0))  # ready
        while True:
            target_size, size = JOB.unpack(line.receive(JOB.size))
            target = line.receive(target_size).decode()
            slot = next(slots)
            done = answer(target, slot[:size] if size <= SLOT_BYTES else line.receive(size))
            code = done.code.encode()
            head = ANSWER.pack(done.status, len(code), len(done.body)) + code
            if len(done.body) <= SLOT_BYTES:
                slot[: len(done.body)] = done.body
                line.send(head)
            else:
                line.send(head + done.body)


class Line:
    """The way to the server, on which a message may wait for others: waking it up costs time."""

    def __init__(self, connection: socket.socket) -> None:
        """Over a connected socket."""
        connection.setblocking(True)
        self.connection = connection
        self.inbox = bytearray()
        self.taken = 0
        self.outbox: list[bytes] = []
        self.oldest = 0.0

    def receive(self, size: int) -> bytes:
        """The next `size` bytes; EOFError when the other end is closed."""
        start, end = self.taken, self.taken + size
        while len(self.inbox) < end:
            self.flush()
            data = self.connection.recv(1 << 16)
            if not data:
                raise EOFError
            if start:
                del self.inbox[:start]
                start, end = 0, size
            self.inbox += data
        self.taken = end
        return bytes(self.inbox[start:end])

    def send(self, data: bytes) -> None:
        """Send `data` soon: when the oldest has waited long enough, or before waiting for more."""
        now = time.monotonic()
        if not self.outbox:
            self.oldest = now
        self.outbox.append(data)
        if now - self.oldest > HOLD_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Send what there is."""
        if self.outbox:
            self.connection.sendall(b"".join(self.outbox))
            self.outbox.clear()


def warm_up() -> None:
    """Load and compile now what the first call of each tool would, and keep it out of the GC."""
    tools.call("outline_markdown", {"text": ""}, None)
    for versions in all_tools().values():
        for tool in versions.values():
            for example in tool.contract.data["examples"][:1]:
                tool.run(example["input"])
    gc.collect()
    gc.freeze()
