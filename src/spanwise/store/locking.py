"""A lock that a process holds as long as it lives, so that two runs do not meet."""

import contextlib
import os
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from spanwise.errors import Locked
from spanwise.files import source_name, unwritable

TRIES: Final = 50
PAUSE: Final = 0.02
"""How often, and seconds between, a lock is asked for whose process has just died."""

_held: Final[set[int]] = set()


def _let_go() -> None:
    """In a forked child: a worker that outlives its parent is not to hold the parent's lock."""
    while _held:
        os.close(_held.pop())


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go)


class Lock:
    """A lock on a file, which stays where it is; the system lets go of it when the process ends."""

    def __init__(self, path: Path) -> None:
        """On `path`, whose folder exists."""
        self.path = path
        self.file = -1

    def __enter__(self) -> Self:
        """Take the lock; Locked where another run has it."""
        try:
            self.file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            raise unwritable(self.path, error) from None
        try:
            _take_from_the_living(self.file)
        except OSError:
            holder = _holder(self.file)
            os.close(self.file)
            name = source_name(self.path)
            raise Locked(
                f"{name}: another run is at work" + (f" (process {holder})" if holder else ""),
                lock=name,
                process=int(holder) if holder.isdigit() else None,
            ) from None
        _held.add(self.file)
        with contextlib.suppress(OSError):  # only a help to people; a full disk is told of later
            os.ftruncate(self.file, 0)
            os.write(self.file, f"{os.getpid()}\n".encode())
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Let go of the lock."""
        _held.discard(self.file)
        os.close(self.file)


def _holder(file: int) -> str:
    """The number of the process that has the lock, as it wrote it; empty where that is unknown."""
    said = os.pread(file, 20, 0) if hasattr(os, "pread") else b""
    return said.decode("ascii", "replace").strip()


def _take_from_the_living(file: int) -> None:
    """Take the lock; OSError where a process that lives has it.

    One that was killed between forking a worker and the worker's first step leaves it to that
    worker, which lets go when it gets its turn.
    """
    for _ in range(TRIES):
        try:
            _take(file)
            return
        except OSError:
            if not _is_gone(_holder(file)):
                raise
        time.sleep(PAUSE)
    _take(file)


def _is_gone(process: str) -> bool:
    if not process.isdigit() or not hasattr(os, "fork"):
        return False
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        pass  # somebody else's
    return False


if sys.platform == "win32":
    import msvcrt

    def _take(file: int) -> None:
        # A byte behind what is written, since what is locked cannot be read by others.
        os.lseek(file, 1 << 20, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        os.lseek(file, 0, os.SEEK_SET)
else:
    import fcntl

    def _take(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
