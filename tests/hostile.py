"""Files broken on purpose, and what a reader makes of them: outcome, seconds, peak memory."""

import contextlib
import io
import os
import random
import re
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from spanwise.errors import SpanwiseError
from spanwise.formats import Settings
from spanwise.formats.sandbox import chunked
from spanwise.formats.sniffing import media_type
from spanwise.markdown.options import ChunkOptions

SECONDS: Final = 10
MEMORY: Final = 1 << 30
LARGEST: Final = 1 << 22
"""Bytes of a text that is made by repeating."""
SILENT: Final = "silent"
"""The outcome that must not be: no text, and nothing said about it."""
UNPLANNED: Final = "unplanned"
"""An error that no rule of a reader raised: a fault of ours, though it did no harm."""

_TAG: Final = re.compile(rb"<[^<>]*>")
_LINE: Final = re.compile(rb"[^\n]*\n")
_VALUE: Final = re.compile(rb'"[^"]*"')
_VALUES: Final = (
    b'"-1"', b'"0"', b'"4294967296"', b'"99999999999999999999"', b'"x"', b'""', b'"../../a"',
    b'"&#x10ffff;"', b'"1e308"',
)  # fmt: skip


class Outcome(NamedTuple):
    """What came of reading one file."""

    what: str
    """`read`, the code of an error or the limit it names, `silent` or `unplanned`."""
    message: str
    seconds: float
    peak: int
    """Bytes of memory that the child had at most; 0 where the system does not tell."""


def tried(data: bytes, name: str, kind: str = "", password: str | None = None) -> Outcome:
    """Read a file in a child with the usual limits; `kind` is its media type, where it is known."""
    settings = Settings(password=password, max_seconds=SECONDS, max_memory=MEMORY)
    _forget_peaks()
    start = time.monotonic()
    what, message = "read", ""
    try:
        kind = kind or media_type(data, name)
        answer, _ = chunked(data, name, kind, ChunkOptions(), settings)
        if answer["chunks"] == 0 and not answer["notices"]:
            what = SILENT
    except SpanwiseError as error:
        what, message = str(error.details.get("limit") or error.code), error.message
        if re.search(r"cannot be read: \w+(?:Error|Exception)?: |its reader ended with", message):
            what = UNPLANNED
    return Outcome(what, message, time.monotonic() - start, _peak())


def mutations(data: bytes, count: int, seed: int) -> Iterator[bytes]:
    """`count` broken forms of a file, the same ones for the same seed.

    Of a package either its bytes are changed, or the text of one of its parts.
    """
    chance = random.Random(seed)
    is_package = zipfile.is_zipfile(io.BytesIO(data))
    for _ in range(count):
        if is_package and chance.random() < 0.7:
            yield _with_a_broken_part(data, chance)
        elif is_package:
            yield _broken_bytes(data, chance)
        else:
            yield _broken_text(data, chance)


def _with_a_broken_part(data: bytes, chance: random.Random) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as package, zipfile.ZipFile(out, "w", 8) as made:
        names = [name for name in package.namelist() if name.endswith((".xml", ".rels", "html"))]
        broken = chance.choice(names)
        for name in package.namelist():
            part = package.read(name)
            if name == broken:
                if chance.random() < 0.05:
                    continue
                part = _broken_text(part, chance)
            made.writestr(zipfile.ZipInfo(name), part, compress_type=8)
    return out.getvalue()


def _broken_bytes(data: bytes, chance: random.Random) -> bytes:
    made = bytearray(data)
    for _ in range(chance.choice((1, 1, 3, 20))):
        at = chance.randrange(len(made))
        made[at] = chance.randrange(256)
    if chance.random() < 0.3:
        del made[chance.randrange(len(made)) :]
    return bytes(made)


def _broken_text(data: bytes, chance: random.Random) -> bytes:
    """A text of tags and words, some of them taken out, doubled, swapped or given other values."""
    for _ in range(chance.choice((1, 2, 5))):
        units = _TAG if _TAG.search(data) else _LINE
        tags = [found.span() for found in units.finditer(data)] or [(0, len(data))]
        start, end = chance.choice(tags)
        way = chance.randrange(6)
        if way == 0:
            data = data[:start] + data[end:]
        elif way == 1:
            data = data[:end] + data[start:end] * chance.choice((1, 3, 2000)) + data[end:]
            data = data[:LARGEST]
        elif way == 2:
            other = chance.choice(tags)
            data = data[:start] + data[other[0] : other[1]] + data[end:]
        elif way == 3:
            values = [found.span() for found in _VALUE.finditer(data)]
            if values:
                start, end = chance.choice(values)
                data = data[:start] + chance.choice(_VALUES) + data[end:]
        elif way == 4:
            at = chance.randrange(len(data) + 1)
            data = data[:at] + bytes(chance.randrange(256) for _ in range(4)) + data[at:]
        else:
            # A stretch moves, with all that is in it.
            first, last = sorted(chance.choice(tags)[0] for _ in range(2))
            data = data[:first] + data[last:] + data[first:last]
    return data


def _children() -> list[int]:
    found: list[int] = []
    for task in Path(f"/proc/{os.getpid()}/task").glob("*/children"):
        with contextlib.suppress(FileNotFoundError):  # a thread that has ended since
            found.extend(int(word) for word in task.read_text().split())
    return found


def _forget_peaks() -> None:
    """From here on the peaks of the children are counted anew."""
    for pid in _children():
        with contextlib.suppress(FileNotFoundError):
            Path(f"/proc/{pid}/clear_refs").write_text("5")


def _peak() -> int:
    """The most memory that a child of this process had, in bytes; a child that is gone has none."""
    most = 0
    for pid in _children():
        with contextlib.suppress(FileNotFoundError):
            found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
            most = max(most, int(found[1]) * 1024 if found else 0)
    return most
