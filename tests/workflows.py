"""GitHub's side of a step, for tests: runs `spanwise ci`, then reads log, outputs and summary.

The log is read as the runner reads it: a line that starts with `::` is a command, unless commands
are stopped; properties are split before they are decoded.
"""

import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from markdown_it import MarkdownIt

from tests.shared_data import PACKAGE


class Command(NamedTuple):
    """A command in the log."""

    name: str
    properties: dict[str, str]
    message: str


class Log(NamedTuple):
    """What a log says: its commands, and the lines that are none."""

    commands: list[Command]
    lines: list[str]

    def named(self, name: str) -> list[Command]:
        """The commands called `name`."""
        return [command for command in self.commands if command.name == name]


def read_log(text: str) -> Log:
    """The log, line by line."""
    log = Log([], [])
    resumes = ""
    for line in re.split("\r\n|\r|\n", text):
        found = re.fullmatch(r"::([\w-]+)(?: (.*?))?::(.*)", line.lstrip())
        if resumes:
            if line == f"::{resumes}::":
                resumes = ""
            else:
                log.lines.append(line)
        elif found is None:
            log.lines.append(line)
        elif found[1] == "stop-commands":
            resumes = found[3]
        else:
            pairs = (pair.partition("=") for pair in (found[2] or "").split(",") if pair)
            properties = {key.strip(): decoded(value, ":,") for key, _, value in pairs}
            log.commands.append(Command(found[1], properties, decoded(found[3])))
    assert not resumes, "commands are never taken up again"
    return log


def decoded(text: str, also: str = "") -> str:
    """A value as the runner decodes it: `%` last, so that `%250A` is the text `%0A`."""
    for char in "\r\n" + also + "%":
        text = text.replace(f"%{ord(char):02X}", char)
    return text


def read_outputs(text: str) -> dict[str, str]:
    """The outputs in the file for them."""
    outputs = {}
    lines = iter(text.split("\n"))
    for line in lines:
        name, heredoc, end = line.partition("<<")
        if heredoc:
            value = []
            for inner in lines:
                if inner == end:
                    break
                value.append(inner)
            else:
                raise AssertionError(f"no line ends the value of {name}")
            outputs[name] = "\n".join(value)
        else:
            assert line == ""
    return outputs


def read_tables(markdown: str) -> dict[str, list[list[str]]]:
    """The tables of a summary by the titles above them, as cells of plain text."""
    tables: dict[str, list[list[str]]] = {}
    title = ""
    tokens = MarkdownIt("commonmark").enable("table").parse(markdown)
    for before, token in pairwise(tokens):
        if before.type == "heading_open":
            title = token.content
        elif before.type == "tr_open":
            tables.setdefault(title, []).append([])
        elif before.type in ("td_open", "th_open"):
            shown = [inner.content for inner in token.children or () if inner.type != "html_inline"]
            tables[title][-1].append("".join(shown))
    return tables


class Step:
    """A step of a workflow in the folder `here`, with GitHub's files beside it."""

    def __init__(self, here: Path, files: dict[str, str | bytes] | None = None) -> None:
        """Write the files."""
        self.here = here / "repository"
        self.here.mkdir()
        self.output = here / "output"
        self.summary_file = here / "summary"
        for name, content in (files or {}).items():
            path = self.here / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def run(self, *arguments: str, env: Any = None, **inputs: str) -> int:
        """Run `spanwise ci` with inputs such as `max_chars`; the exit status."""
        given = {f"INPUT_{name.upper()}": value for name, value in inputs.items()}
        known = {"GITHUB_OUTPUT": str(self.output), "GITHUB_STEP_SUMMARY": str(self.summary_file)}
        done = subprocess.run(
            [sys.executable, "-c", "from spanwise.doors.cli import main; main()", "ci", *arguments],
            cwd=self.here,
            env=os.environ
            | {"PYTHONPATH": PACKAGE, "GITHUB_ACTIONS": "true"}
            | known
            | given
            | (env or {}),
            capture_output=True,
            timeout=120,
        )
        self.text = done.stdout.decode()
        self.errors = done.stderr.decode()
        self.log = read_log(self.text)
        self.outputs: dict[str, Any] = {}
        if self.output.exists():
            self.outputs = read_outputs(self.output.read_text(encoding="utf-8"))
        self.summary = ""
        if self.summary_file.exists():
            self.summary = self.summary_file.read_text(encoding="utf-8")
        return done.returncode
