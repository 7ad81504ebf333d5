"""GitHub's side of a step: commands in its log, and the files for outputs and summary.

The runner reads lines of the log that start with `::` as commands. In their values `%`, CR and LF
are percent-encoded, in properties `:` and `,` too.
"""

import os
import re
import secrets
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal

from spanwise.doors.cli.output import put
from spanwise.files import unwritable

Level = Literal["notice", "warning", "error"]

ANNOTATIONS: Final = 10
"""Annotations of each level that GitHub shows for a step."""
SUMMARY_BYTES: Final = 1 << 20
"""A summary with more is not shown at all."""
NOTE_BYTES: Final = 500
"""Room that a table keeps for saying what is left out, here and in the tables after it."""


def escape_data(text: str) -> str:
    """A text as the message of a command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def escape_property(text: str) -> str:
    """A text as the value of a property of a command."""
    return escape_data(text).replace(":", "%3A").replace(",", "%2C")


def command(name: str, message: str, **properties: str | int) -> str:
    """The line that is a command, without its end."""
    pairs = ",".join(f"{key}={escape_property(str(value))}" for key, value in properties.items())
    return f"::{name}{' ' if pairs else ''}{pairs}::{escape_data(message)}"


def say(line: str) -> None:
    """Write a line to the log, in UTF-8 whatever the locale is."""
    put(_encoded(f"{line}\n"))


def _encoded(text: str) -> bytes:
    """The text in UTF-8; bytes of paths and variables that are not show as escapes."""
    return text.encode("utf-8", "backslashreplace")


def annotate(level: Level, message: str, **properties: str | int) -> None:
    """Put a message on the page of the run; with `file` and `line` on that line, too."""
    say(command(level, message, **properties))


@contextmanager
def quoted(title: str) -> Iterator[None]:
    """A group of lines in the log, in which none is taken for a command."""
    end = secrets.token_hex(16)
    say(command("group", title))
    say(command("stop-commands", end))
    yield
    say(f"::{end}::")
    say(command("endgroup", ""))


def set_outputs(values: dict[str, str | int]) -> None:
    """Give the step outputs: in the file for them, or without one as lines `name=value`."""
    path = os.environ.get("GITHUB_OUTPUT")
    if not path:
        for name, value in values.items():
            say(f"{name}={value}")
        return
    lines = ""
    for name, value in values.items():
        end = f"end-{secrets.token_hex(16)}"  # so that no value can hold the line that ends it
        lines += f"{name}<<{end}\n{value}\n{end}\n"
    _append(path, _encoded(lines))


class Summary:
    """The Markdown of a step's summary, which holds only so many bytes."""

    def __init__(self) -> None:
        """Start empty; what the step has written before takes room, too."""
        named = os.environ.get("GITHUB_STEP_SUMMARY")
        self.path = Path(named) if named else None
        used = self.path.stat().st_size if self.path and self.path.exists() else 0
        self.room = SUMMARY_BYTES - used if self.path else sys.maxsize
        self.text: list[bytes] = []

    def add(self, markdown: str, keep: int = 0) -> bool:
        """Add Markdown where that leaves room for `keep` bytes; whether it was added."""
        data = _encoded(markdown)
        if len(data) + keep > self.room:
            return False
        self.room -= len(data)
        self.text.append(data)
        return True

    def table(self, title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Add a table under a title, where there are rows; at its end how many found no room."""
        if not rows:
            return
        rule = ["---"] * len(heads)
        if not self.add(f"\n### {title}\n\n{_row(heads)}{_row(rule)}", keep=NOTE_BYTES):
            self.add(f"\n{title}: {len(rows)}, for which there is no room here.\n")
            return
        for done, row in enumerate(rows):
            if not self.add(_row(row), keep=NOTE_BYTES):
                self.add(f"\nand {len(rows) - done} more, for which there is no room here.\n")
                return

    def write(self) -> None:
        """Append it to the file for it, or without one print it."""
        if self.path is None:
            put(b"".join(self.text))
        else:
            _append(str(self.path), b"".join(self.text))


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


CONTROLS: Final = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029]")
MARKUP: Final = re.compile(r"[\\`*_\[\]<>&|~:@#]")


def code(text: str) -> str:
    """A text as code in a cell of a table, whatever is in it."""
    shown = CONTROLS.sub(" ", text)
    if "|" in shown:  # ends a cell in a code span, too
        entities = MARKUP.sub(lambda found: f"&#{ord(found[0])};", shown)
        return f"<code>{entities}</code>"
    ticks = "`"
    while ticks in shown:
        ticks += "`"
    edge = " " if "`" in (shown[:1], shown[-1:]) else ""
    return f"{ticks}{edge}{shown}{edge}{ticks}" if shown else ""


def _append(path: str, data: bytes) -> None:
    try:
        with Path(path).open("ab") as file:
            file.write(data)
    except OSError as error:
        raise unwritable(path, error) from None
