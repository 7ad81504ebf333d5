"""What tests of `spanwise sync` need: real documents, a store that loads deltas, and an oracle.

`SPANWISE_SYNC=all`, as in `make sync-tests`, takes all documents and more moments.
"""

import hashlib
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path, PurePosixPath
from typing import Any

import spanwise
from spanwise.files import TEXT_SUFFIXES
from spanwise.rows import json_lines
from tests.shared_data import PACKAGE, markdown_files

ALL = os.environ.get("SPANWISE_SYNC") == "all"
LONG_AGO = 1_700_000_000
"""A time at which no file changes any more while a test looks at it."""

Row = dict[str, Any]


def write_documents(folder: Path) -> None:
    """Real Markdown below `folder`: all 2,775 files, or 150 of them."""
    written = 0
    for number, record in enumerate(markdown_files()):
        if not ALL and number % 11:
            continue
        suffix = PurePosixPath(record["path"]).suffix.lower()
        name = f"{number:04}{suffix if suffix in TEXT_SUFFIXES else '.md'}"
        path = folder / record["set"] / record["project"].replace("/", "-") / name
        write(path, record["text"])
        written += 1
        if not ALL and written == 150:
            return


def write(path: Path, text: str) -> None:
    """Write a text as it is, and let it look old."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    os.utime(path, (LONG_AGO, LONG_AGO))


def edit(path: Path, change: Callable[[str], str]) -> None:
    """Change a text; its time is another one then, and also not of today."""
    before = path.stat().st_mtime
    write(path, change(path.read_bytes().decode()))
    os.utime(path, (before + 10, before + 10))


def documents(folder: Path = Path("docs")) -> list[Path]:
    """All files there are, in order."""
    return sorted(path for path in folder.rglob("*") if path.is_file())


def sync(*arguments: str, status: int = 0) -> dict[str, Any]:
    """Run `spanwise sync docs` in a process of its own; what it says."""
    done = spanwise_command("sync", "docs", *OUTPUTS, "--json", *arguments)
    assert done.returncode == status, done.stdout + done.stderr
    said: dict[str, Any] = json.loads(done.stdout)
    return said


OUTPUTS = ("-o", "chunks.jsonl", "--delta", "delta.jsonl")


def spanwise_command(*arguments: str, **options: Any) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command(*arguments), capture_output=True, text=True, env=environment(), **options
    )


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-c", "from spanwise.doors.cli import main; main()", *arguments]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": PACKAGE}


def chunks_now(paths: Iterable[Path], **options: Any) -> list[Row]:
    """The rows of files, cut anew, in the order of an output."""
    ordered = sorted(paths, key=lambda path: path.parts)
    return [dict(row) for path in ordered for row in spanwise.chunk_file(path, **options)]


def lines_of(rows: list[Row]) -> bytes:
    """Rows as an output has them."""
    return json_lines(rows)  # type: ignore[arg-type]


def held_in(path: Path) -> bytes:
    """The rows of an output as JSON lines, be it Parquet; fails where it is not whole."""
    if path.suffix == ".parquet":
        import pyarrow.parquet as pq

        from spanwise.arrow.rows import lines_of

        return lines_of(pq.read_table(path))
    data = path.read_bytes()
    assert data == b"" or data.endswith(b"\n")
    return data


def read_rows(path: Path = Path("chunks.jsonl")) -> list[Row]:
    """The rows of an output; fails where it is not whole."""
    return [json.loads(line) for line in held_in(path).splitlines()]


class Delta:
    """A delta that was checked: whole, with the counts and the hash that its summary tells."""

    def __init__(self, path: Path = Path("delta.jsonl")) -> None:
        *body, last = path.read_bytes().splitlines(keepends=True)
        self.ops: list[Row] = [json.loads(line) for line in body]
        self.summary: Row = json.loads(last)
        assert last.endswith(b"\n")
        assert self.summary["op"] == "summary"
        assert self.summary["sha256"] == hashlib.sha256(b"".join(body)).hexdigest()
        for op in ("upsert", "delete", "move"):
            assert self.summary[f"{op}s"] == len(self.named(op))

    def named(self, op: str) -> list[Row]:
        """The lines of one kind, without the word."""
        return [
            {key: value for key, value in line.items() if key != "op"}
            for line in self.ops
            if line["op"] == op
        ]


class Store:
    """A store of rows in SQLite that loads deltas as a vector store would."""

    def __init__(self, path: str = ":memory:") -> None:
        self.db = sqlite3.connect(path)
        self.db.execute("CREATE TABLE chunks (chunk_id TEXT PRIMARY KEY, text TEXT, rest TEXT)")
        self.last: str | None = None

    def load(self, delta: Delta) -> bool:
        """Apply a delta, unless it was before; whether there was something to do."""
        if delta.summary["run"] == self.last:
            return False
        assert self.last in delta.summary["bases"]
        self.apply(delta)
        self.last = delta.summary["run"]
        return True

    def apply(self, delta: Delta) -> None:
        """Apply a delta, whatever was before."""
        with self.db:
            for line in delta.ops:
                row = {key: value for key, value in line.items() if key != "op"}
                key, text = row["chunk_id"], row.pop("text", None)
                rest = json.dumps(row)
                if line["op"] == "delete":
                    self.db.execute("DELETE FROM chunks WHERE chunk_id = ?", (key,))
                elif line["op"] == "upsert":
                    self.db.execute(
                        "INSERT OR REPLACE INTO chunks VALUES (?, ?, ?)", (key, text, rest)
                    )
                else:
                    done = self.db.execute(
                        "UPDATE chunks SET rest = ? WHERE chunk_id = ?", (rest, key)
                    )
                    assert done.rowcount == 1, f"moved, but not there: {row['id']}"

    def rows(self) -> dict[str, Row]:
        """What it holds, by chunk_id."""
        found = self.db.execute("SELECT chunk_id, text, rest FROM chunks")
        return {key: json.loads(rest) | {"text": text} for key, text, rest in found}


def by_id(rows: Iterable[Row]) -> dict[str, Row]:
    """Rows by chunk_id, none of which is there twice."""
    found: dict[str, Row] = {}
    for row in rows:
        assert row["chunk_id"] not in found
        found[row["chunk_id"]] = row
    return found
