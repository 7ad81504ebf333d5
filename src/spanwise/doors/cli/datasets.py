"""`spanwise dataset`: chunks of Parquet and JSON lines, as a folder of parts."""

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spanwise.doors.cli.options import chunk_options, column_options, json_option, mdx_option
from spanwise.doors.cli.output import put, put_json

if TYPE_CHECKING:
    from spanwise.engines.inputs import DataFile
    from spanwise.engines.job import Part
    from spanwise.engines.planning import Task
    from spanwise.markdown.options import ChunkOptions

ENGINES = ("duckdb", "ray", "spark")
"""As `spanwise.engines.ENGINES`; a test holds them together."""


@click.command()
@click.argument("data", metavar="IN")
@click.argument("out", metavar="OUT")
@click.option("--engine", type=click.Choice(ENGINES), default="duckdb", show_default=True)
@column_options
@click.option(
    "--format", "part_format", type=click.Choice(["parquet", "jsonl"]), default="parquet",
    show_default=True, help="What the parts are.",
)  # fmt: skip
@click.option(
    "--part-size", "part_mb", type=click.IntRange(min=1), metavar="MB", default=128,
    show_default=True, help="Text that becomes one part.",
)  # fmt: skip
@chunk_options
@mdx_option
@click.option(
    "--jobs", type=click.IntRange(min=1), metavar="N",
    help="Worker processes. Default: one for each core.",
)  # fmt: skip
@click.option("-q", "--quiet", is_flag=True, help="No progress and no summary.")
@json_option
def dataset(
    data: str,
    out: str,
    engine: str,
    text_column: str | None,
    source_column: str | None,
    carry: tuple[str, ...],
    memory_mb: int,
    part_format: Any,
    part_mb: int,
    jobs: int | None,
    quiet: bool,
    as_json: bool,
    **options: Any,
) -> int:
    """Cut the documents of a data set, and make one of their chunks.

    IN is a file or a folder of Parquet or of JSON lines (*.jsonl, *.ndjson, also with .gz or .zst),
    a document a row. OUT becomes a folder with files of chunks, part-00000.parquet and so on, each
    in the order of (source, index), and with a manifest, _spanwise.json. Rows without a text have
    no chunks.

    OUT is there once all is done, not before. Killed, or stopped by an error, the job goes on where
    it was when it is started again; what is finished so far lies in .OUT.spanwise beside OUT.

    \b
    spanwise dataset docs.parquet chunks --text-column body --source-column url --carry language
    spanwise dataset crawl/ chunks --text-column markdown --jobs 8
    """
    import gc

    from spanwise.engines.inputs import find_data
    from spanwise.engines.job import Job
    from spanwise.engines.running import run_job
    from spanwise.markdown.options import ChunkOptions

    gc.disable()  # rows have no cycles, and looking for some takes a fifth of the time
    files = find_data(data)
    job = Job(
        files=tuple(files),
        text=text_column or "text",
        source=source_of(files[0], source_column),
        carry=carry,
        options=ChunkOptions(**options),
        format=part_format,
        part_bytes=part_mb << 20,
        memory_mb=memory_mb,
    )
    progress = PartProgress(quiet)
    made = run_job(job, out, engine, jobs, progress)
    progress.end()
    sums = {name: made[name] for name in ("documents", "chunks", "text_bytes")}
    if as_json:
        put_json({"ok": True, "output": out, "parts": len(made["parts"]), **sums})
    elif not quiet:
        count = len(made["parts"])
        parts = f"{count} part" if count == 1 else f"{count} parts"
        documents = f"{made['chunks']} chunks of {made['documents']} documents"
        click.echo(f"Saved: {out} ({documents}, {parts})", err=True)
    return 0


def chunk_data(
    data: str,
    target: str,
    as_json: bool,
    quiet: bool,
    text_column: str,
    source_column: str | None,
    carry: tuple[str, ...],
    memory_mb: int,
    options: "ChunkOptions",
) -> int:
    """`spanwise chunk DATA --text-column NAME`: one file, in the order of the data."""
    from spanwise.engines.duckdb import stream
    from spanwise.engines.inputs import find_data
    from spanwise.engines.job import Job
    from spanwise.engines.parts import chunker_of, write_all
    from spanwise.files import AtomicFile, source_name

    files = find_data(data)
    job = Job(
        files=tuple(files),
        text=text_column,
        source=source_of(files[0], source_column),
        carry=carry,
        options=options,
        format="parquet" if target.endswith(".parquet") else "jsonl",
        memory_mb=memory_mb,
    )
    chunker_of(job)
    job.tasks()  # looks for the columns
    if any(Path(file.path).samefile(target) for file in files if Path(target).exists()):
        raise click.UsageError(f"The output would replace the input {data}.")
    documents = stream(job)
    if target == "-":
        write_all(job, documents, Stdout())
        return 0
    with AtomicFile(target) as file:
        documents, chunks = write_all(job, documents, file)
    name = source_name(target)
    if as_json:
        put_json({"ok": True, "output": name, "documents": documents, "count": chunks})
    elif not quiet:
        click.echo(f"Saved: {name} ({chunks} chunks of {documents} documents)", err=True)
    return 0


class Stdout:
    """Where `-o -` goes."""

    def write(self, data: bytes) -> None:
        """Print it."""
        put(data)


def source_of(file: "DataFile", named: str | None) -> str | None:
    """The column with the names of documents, or None where there is none."""
    from spanwise.engines.planning import column_names

    if named is not None:
        return named
    return "source" if "source" in column_names(file) else None


class PartProgress:
    """A line on stderr that counts parts and bytes: only on a terminal."""

    def __init__(self, quiet: bool) -> None:
        """Nothing is shown yet."""
        self.shown = not quiet and sys.stderr.isatty()
        self.started = time.monotonic()
        self.before = -1

    def __call__(self, tasks: "Sequence[Task]", parts: "Sequence[Part]") -> None:
        """Show how many of the parts are there."""
        if not self.shown:
            return
        text = sum(part.text_bytes for part in parts)
        if self.before < 0:
            self.before = text  # of an earlier run
        seconds = time.monotonic() - self.started
        rate = (text - self.before) / seconds / 1e6 if seconds > 1 else 0
        click.echo(
            f"\r\x1b[K{len(parts)} of {len(tasks)} parts, {text / 1e6:.0f} MB of text"
            + (f", {rate:.0f} MB/s" if rate else ""),
            err=True,
            nl=False,
        )

    def end(self) -> None:
        """Clear the line."""
        if self.shown:
            click.echo("\r\x1b[K", err=True, nl=False)
