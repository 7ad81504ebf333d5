"""The folders that a server on this machine may read from and write to, and nothing else.

A path is followed from its root folder component by component, and a link on the way is refused, so
that what was checked is what is opened. Only regular files are opened, and never waited for.
"""

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Iterator
from typing import Final

from spanwise.errors import (
    InvalidInput,
    LimitExceeded,
    SpanwiseError,
    UnreadableSource,
    UnwritableOutput,
)
from spanwise.files import decode, source_name

MAX_FILE_BYTES: Final = 10_000_000

FOLDER_FLAGS: Final = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)
FILE_FLAGS: Final = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_BINARY", 0)
)


class Roots:
    """Some folders, by which paths are judged; a relative path starts at the first."""

    def __init__(self, folders: list[str]) -> None:
        """Take the folders; InvalidInput for one that is none."""
        self.folders = [os.path.abspath(folder) for folder in folders]
        for folder in self.folders:
            if not os.path.isdir(folder):
                raise InvalidInput(f"root: {source_name(folder)} is not a folder", field="root")

    def read(self, path: str) -> tuple[str, str]:
        """Name and text of a UTF-8 file; a SpanwiseError where there is none to be had."""
        name, data = self.read_bytes(path)
        return name, decode(data, name)

    def read_bytes(self, path: str) -> tuple[str, bytes]:
        """Name and bytes of a file; a SpanwiseError where there is none to be had."""
        root, parts = self._place(path, "path")
        name = source_name(path)
        try:
            with _folder(root, parts[:-1]) as folder:
                opened = os.open(parts[-1], FILE_FLAGS, dir_fd=folder)
            size, data = _content(opened)
        except OSError as error:
            raise _link(name, "path", error) or _unreadable(name, error) from None
        found = max(size, len(data))
        if found > MAX_FILE_BYTES:
            raise LimitExceeded("max_file_bytes", MAX_FILE_BYTES, found, "bytes of the file")
        return name, data

    def write(self, path: str, data: bytes) -> str:
        """Put `data` in a file, whole or not at all; gives the file's full path."""
        root, parts = self._place(path, "output_path")
        name = source_name(path)
        try:
            with _folder(root, parts[:-1]) as folder:
                _replace(folder, parts[-1], data)
        except OSError as error:
            reason = error.strerror or str(error)
            raise _link(name, "output_path", error) or UnwritableOutput(
                f"cannot write {name}: {reason}", output=name
            ) from None
        return os.path.join(root, *parts)

    def same(self, path: str, output: str) -> bool:
        """Whether two paths, by which a file is read and written, are the same."""
        return self._place(path, "path") == self._place(output, "output_path")

    def _place(self, path: str, field: str) -> tuple[str, list[str]]:
        """The root that `path` is below, and the names from there down."""
        if "\0" in path:
            raise InvalidInput(f"{field}: holds a NUL", field=field)
        full = os.path.normpath(os.path.join(self.folders[0], path))
        for root in self.folders:
            for start in dict.fromkeys((root, os.path.realpath(root))):
                below = full.removeprefix(start.rstrip(os.sep) + os.sep)
                if below != full and below:
                    return root, below.split(os.sep)
        raise InvalidInput(
            f"{field}: {source_name(path)} is not below a folder this server may use (--root)",
            field=field,
        )


@contextlib.contextmanager
def _folder(root: str, parts: list[str]) -> Iterator[int]:
    """The opened folder that `parts` lead to from `root`, without following a link below it."""
    opened = os.open(root, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
    try:
        for part in parts:
            above = opened
            try:
                opened = os.open(part, FOLDER_FLAGS, dir_fd=above)
            except NotADirectoryError:
                if stat.S_ISLNK(os.stat(part, dir_fd=above, follow_symlinks=False).st_mode):
                    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP)) from None
                raise
            os.close(above)
        yield opened
    finally:
        os.close(opened)


def _content(opened: int) -> tuple[int, bytes]:
    """Size and content of an opened regular file, which is then closed; of a big one no content."""
    status = os.fstat(opened)
    if not stat.S_ISREG(status.st_mode):
        os.close(opened)
        raise OSError("not a regular file")
    with os.fdopen(opened, "rb") as file:
        return status.st_size, (
            file.read(MAX_FILE_BYTES + 1) if status.st_size <= MAX_FILE_BYTES else b""
        )


def _replace(folder: int, name: str, data: bytes) -> None:
    """Write a file in an opened folder under another name, then give it its own."""
    with contextlib.suppress(FileNotFoundError):
        if not stat.S_ISREG(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            raise OSError("there is something else than a regular file")
    temporary = f".{secrets.token_hex(8)}.tmp"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        with os.fdopen(os.open(temporary, flags, 0o666, dir_fd=folder), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(temporary, dir_fd=folder)
        raise


def _link(name: str, field: str, error: OSError) -> SpanwiseError | None:
    """The error for a link, where that is what is wrong."""
    if error.errno not in (errno.ELOOP, errno.EMLINK):
        return None
    return InvalidInput(
        f"{field}: {name} is or is below a link, which is not followed", field=field
    )


def _unreadable(name: str, error: OSError) -> SpanwiseError:
    if error.errno == errno.ENXIO:  # a FIFO or socket that nobody has open
        return UnreadableSource(f"{name}: not a regular file", source=name)
    reason = error.strerror or str(error)
    return UnreadableSource(f"{name}: {reason[:1].lower()}{reason[1:]}", source=name)
