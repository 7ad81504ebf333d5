"""`spanwise chunk`: files and folders to JSON lines, written, printed or compared."""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from spanwise.doors.cli.options import (
    bulk_option,
    chunk_options,
    column_options,
    document_options,
    source_options,
)
from spanwise.doors.cli.output import put, put_json
from spanwise.doors.cli.work import Progress, Work
from spanwise.errors import UnreadableSource

if TYPE_CHECKING:
    from spanwise.formats import Settings
    from spanwise.store.parquet import ParquetLines


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "-o", "--output", metavar="FILE", help="Where to write; `-` is stdout. See above for defaults."
)
@chunk_options
@document_options
@bulk_option
@column_options
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if the output would differ.")
@click.option(
    "--jobs", type=click.IntRange(min=1), metavar="N",
    help="Worker processes. Default: one for each core, none for small inputs.",
)  # fmt: skip
@click.option("-q", "--quiet", is_flag=True, help="No progress and no summary.")
@source_options
def chunk(
    paths: tuple[str, ...],
    output: str | None,
    bulk_index: str | None,
    text_column: str | None,
    source_column: str | None,
    carry: tuple[str, ...],
    memory_mb: int,
    check: bool,
    jobs: int | None,
    quiet: bool,
    as_json: bool,
    stdin_name: str,
    settings: "Settings",
    **options: Any,
) -> int:
    """Cut documents into chunks, one JSON object a line.

    A chunk is a section, or a part of one that is bigger than --max-chars.

    PATH is a file, a folder or `-` for stdin. Folders are searched through all levels for Markdown
    and text and for the formats that `spanwise convert` reads. What .gitignore excludes is left
    out, and so are names that start with a dot; a file that is named is always read. What a file
    is, its content decides. Text must be UTF-8. Chunks come in the order of the file names.

    Without -o, the chunks of guide.md go to guide.chunks.jsonl beside it, those of a folder docs to
    docs.chunks.jsonl beside it, and those of stdin to stdout. Several paths need -o. With --json
    and no -o, nothing is written: the object holds the chunks. A FILE called *.parquet becomes
    Parquet, and one called *.bulk what `_bulk` of Elasticsearch and OpenSearch takes.

    With --text-column, PATH is a file or folder of Parquet or JSON lines, a document a row, and the
    chunks come in its order; see also `spanwise dataset`.

    \b
    spanwise chunk guide.md
    spanwise chunk docs README.md -o all.jsonl --max-chars 800 --prefix-path
    spanwise chunk docs -o all.jsonl --check
    spanwise chunk docs.parquet --text-column body -o chunks.parquet
    cat guide.md | spanwise chunk - --stdin-filename guide.md
    """
    import gc

    from spanwise.markdown.options import ChunkOptions

    gc.disable()  # rows have no cycles, and looking for some takes a fifth of the time
    target = output or default_output(paths, as_json and not check)
    if check and target == "-":
        raise click.UsageError("--check compares with a file: name it with -o FILE.")
    if check and target.endswith(".bulk"):
        raise click.UsageError("--check compares with JSON lines or Parquet, not with *.bulk.")
    chosen = ChunkOptions(**options)
    if text_column is not None:
        if len(paths) > 1 or paths == ("-",) or check or target.endswith(".bulk"):
            raise click.UsageError(
                "--text-column reads one file or folder of data; it does not go with --check, with "
                "stdin or with *.bulk."
            )
        from spanwise.doors.cli.datasets import chunk_data

        data = (text_column, source_column, carry, memory_mb)
        return chunk_data(paths[0], target, as_json, quiet, *data, chosen)
    if source_column is not None or carry:
        raise click.UsageError("--source-column and --carry need --text-column.")
    work = Work(paths, stdin_name, chosen, jobs, settings)
    if target != "-":
        work.refuse_to_replace_input(target)
    progress = Progress(len(work.files), quiet)
    if check:
        return checked(work, target, progress, as_json, quiet)
    if target == "-":
        return printed(work, progress, as_json, quiet)
    return saved(work, target, bulk_index, progress, as_json, quiet)


def default_output(paths: Sequence[str], as_json: bool) -> str:
    """Where chunks go when `-o` does not say so."""
    if as_json or paths == ("-",):
        return "-"
    if len(paths) > 1:
        raise click.UsageError("Several paths need -o FILE (or -o - for stdout).")
    path = Path(paths[0])
    if path.is_dir():
        # `.` and `..` have no name of their own; their chunks go to the folder at hand.
        named = path if path.name not in ("", "..") else Path(path.resolve().name or "root")
        return str(named.with_name(f"{named.name}.chunks.jsonl"))
    return str(path.with_name(f"{path.stem}.chunks.jsonl"))


class NothingDone(Exception):
    """No document could be read, so that no output is written."""


@contextlib.contextmanager
def writing(target: str, bulk_index: str | None) -> Iterator[Callable[[bytes], None]]:
    """What takes the lines of a file that is there whole at the end, or as it was."""
    if not target.endswith((".parquet", ".bulk")):
        from spanwise.files import AtomicFile

        with AtomicFile(target) as file:
            yield file.write
        return
    from spanwise.store.outputs import output_at  # brings SQLite

    output = output_at(target, None, bulk_index)
    try:
        output.begin()
        yield output.rows
        output.settle()
        output.commit()
    except BaseException:
        output.abandon()
        raise


def saved(
    work: Work,
    target: str,
    bulk_index: str | None,
    progress: "Progress",
    as_json: bool,
    quiet: bool,
) -> int:
    """Write the chunks to a file; the exit status."""
    from spanwise.files import source_name

    try:
        with writing(target, bulk_index) as write:
            for result in work.results(progress):
                write(result.lines)
            if work.done == 0:
                raise NothingDone
    except NothingDone:
        if as_json:
            put_json(work.as_dict())
        return work.finish(quiet, as_json)
    name = source_name(target)
    if as_json:
        put_json(work.as_dict() | {"output": name})
    return work.finish(quiet, as_json, f"Saved: {name} ({work.summary()})")


def printed(work: Work, progress: "Progress", as_json: bool, quiet: bool) -> int:
    """Write the chunks to stdout, as lines or as one object; the exit status."""
    import orjson

    if not as_json:
        for result in work.results(progress):
            put(result.lines)
        return work.finish(quiet, as_json)
    put(b'{"chunks":[')
    separator = b""
    for result in work.results(progress):
        if result.lines:
            put(separator + result.lines[:-1].replace(b"\n", b","))
            separator = b","
    put(b"]," + orjson.dumps(work.as_dict(), option=orjson.OPT_APPEND_NEWLINE)[1:])
    return work.finish(quiet, as_json)


def reading(target: str) -> "IO[bytes] | ParquetLines":
    """The lines that are in a file."""
    if target.endswith(".parquet"):
        from spanwise.store.parquet import ParquetLines

        return ParquetLines(target)
    return Path(target).open("rb")


def checked(work: Work, target: str, progress: "Progress", as_json: bool, quiet: bool) -> int:
    """Compare the chunks with the file there is; the exit status."""
    from spanwise.files import source_name

    try:
        with reading(target) as file:
            same = True
            for result in work.results(progress):
                same = same and file.read(len(result.lines)) == result.lines
            same = same and not file.read(1)
    except FileNotFoundError:
        same = False
    except OSError as error:
        raise UnreadableSource(f"{target}: {error.strerror}", source=target) from None
    name = source_name(target)
    if as_json:
        ok = same and not work.faults
        put_json(work.as_dict() | {"ok": ok, "output": name, "changed": not same})
    status = work.finish(quiet, as_json, f"Unchanged: {name}" if same else f"Would change: {name}")
    return status if same else 1
