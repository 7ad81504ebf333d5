"""The command line: results to stdout, everything else to stderr, no traceback for users.

Exit status: 0 done; 1 the input or a check failed; 2 the command was not understood.
"""

import contextlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from spanwise import __version__
from spanwise.errors import EXIT_STATUS, SpanwiseError, UnreadableSource

if TYPE_CHECKING:
    from spanwise.files import SourceFile
    from spanwise.markdown.options import ChunkOptions
    from spanwise.pipeline import FileResult

INTERRUPTED = 130
BROKEN_PIPE = 141
"""What a shell shows for a program that SIGINT or SIGPIPE ended."""

Command = TypeVar("Command", bound=Callable[..., Any])


class Door(click.Group):
    """The command group: turns every exception into a message and an exit status."""

    def main(self, args: Sequence[str] | None = None, **extra: Any) -> Any:  # type: ignore[override]
        """Run the command line and exit."""
        arguments = list(sys.argv[1:] if args is None else args)
        extra.pop("standalone_mode", None)
        sys.exit(self._status(arguments, "--json" in arguments, extra))

    def _status(self, arguments: list[str], as_json: bool, extra: dict[str, Any]) -> int:
        extra.setdefault("prog_name", "spanwise")
        try:
            result = super().main(arguments, standalone_mode=False, **extra)
            sys.stdout.flush()
            return result if isinstance(result, int) else 0
        except click.UsageError as error:
            if as_json:
                message = error.format_message()
                put_json({"ok": False, "error": {"code": "usage", "message": message}})
            else:
                error.show()
            return 2
        except click.ClickException as error:
            error.show()
            return error.exit_code
        except SpanwiseError as error:
            report(error, as_json)
            return EXIT_STATUS.get(error.code, 1)
        except (KeyboardInterrupt, click.Abort):
            click.echo("interrupted", err=True)
            return INTERRUPTED
        except (ReaderGone, BrokenPipeError):
            # Nothing may be written at exit either.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return BROKEN_PIPE
        except Exception as error:
            if os.environ.get("SPANWISE_TRACEBACK"):
                raise
            what = f"{type(error).__name__}: {error}"
            if as_json:
                put_json({"ok": False, "error": {"code": "internal_error", "message": what}})
            click.echo(f"internal error: {what} (SPANWISE_TRACEBACK=1 shows where)", err=True)
            return EXIT_STATUS["internal_error"]


class ReaderGone(Exception):
    """What reads stdout has ended, as after `| head`; click has its own way with an OSError."""


def put(data: bytes) -> None:
    """Write bytes to stdout, whatever its encoding."""
    left = memoryview(data)
    try:
        while left:  # with PYTHONUNBUFFERED a write may take a part only
            left = left[sys.stdout.buffer.write(left) :]
    except BrokenPipeError:
        raise ReaderGone from None


def put_json(value: Any) -> None:
    """Write one compact JSON object and a line ending to stdout."""
    import orjson

    put(orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE))


def report(error: SpanwiseError, as_json: bool = False) -> None:
    """Say what went wrong: one line on stderr, or the error object on stdout."""
    if as_json:
        put_json({"ok": False, "error": error.as_dict()})
    else:
        click.echo(f"error: {error.message}", err=True)


def show_version(context: click.Context, option: click.Parameter, asked: bool) -> None:
    """Print version and build, and exit."""
    if not asked or context.resilient_parsing:
        return
    from spanwise.kernel import blocks

    build = "interpreted" if str(blocks.__file__).endswith(".py") else "compiled"
    click.echo(f"spanwise {__version__} ({build})")
    context.exit()


@click.group(
    cls=Door,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit status: 0 done, 1 the input or a check failed, 2 the command was not understood.",
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=show_version,
    help="Show the version and whether the kernel is compiled.",
)  # fmt: skip
def main() -> None:
    """Cut documents into pieces that can be cited, checked and built again.

    Every piece knows its heading path, its lines and its exact span in the source.

    \b
    spanwise chunk guide.md              writes guide.chunks.jsonl
    spanwise chunk docs -o all.jsonl     all Markdown below docs, in one file
    spanwise outline guide.md            shows the headings
    spanwise section guide.md --heading Install
    spanwise sentences notes.txt         prints its sentences with their offsets
    spanwise verify all.jsonl            proves chunks against their sources
    spanwise tools                       lists the tools and their contracts
    spanwise serve                       offers them over HTTP and MCP
    spanwise mcp                         offers them to an agent that starts it
    spanwise play guide.md               shows in a browser how a document is cut

    `spanwise COMMAND --help` says more about each command.
    """


def source_options(command: Command) -> Command:
    """What every command takes that reads documents."""
    for option in (
        click.option(
            "--mdx", is_flag=True, default=None,
            help="Read MDX where it differs from Markdown. Default: files called *.mdx.",
        ),
        click.option("--json", "as_json", is_flag=True, help="Print one JSON object, errors too."),
        click.option(
            "--stdin-filename", "stdin_name", metavar="NAME", default="stdin", show_default=True,
            help="What to call the text that `-` reads from stdin.",
        ),
    ):  # fmt: skip
        command = option(command)
    return command


def chunk_options(command: Command) -> Command:
    """The options of chunking: each is named after a field of ChunkOptions."""
    for option in reversed(
        (
            click.option(
                "--max-chars", type=int, metavar="N",
                help="Most characters in a chunk, at least 200. [default: 1500]",
            ),
            click.option(
                "--max-tokens", type=int, metavar="N",
                help="Most tokens in a chunk, counted exactly; needs --tokenizer.",
            ),
            click.option(
                "--tokenizer", metavar="NAME|FILE",
                help="An encoding such as cl100k_base, or a local tokenizer.json.",
            ),
            click.option(
                "--overlap-chars", type=int, metavar="N", default=0,
                help="Begin each part of a cut section with up to N characters of the one before.",
            ),
            click.option(
                "--overlap-tokens", type=int, metavar="N", default=0,
                help="The same in tokens, with --max-tokens.",
            ),
            click.option(
                "--prefix-path", is_flag=True,
                help="Begin each chunk with its heading path, as in Guide > Install.",
            ),
            click.option(
                "--min-chars", type=int, metavar="N", default=0,
                help="Join neighbouring sections under one parent until they hold N characters.",
            ),
            click.option(
                "--front-matter", type=click.Choice(["chunk", "drop"]), default="chunk",
                show_default=True, help="Make a chunk of YAML or TOML at the top, or drop it.",
            ),
            click.option(
                "--unit", type=click.Choice(["code_point", "utf16", "utf8"]), default="code_point",
                show_default=True, help="What `start` and `end` count.",
            ),
        )
    ):  # fmt: skip
        command = option(command)
    return command


@main.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "-o", "--output", metavar="FILE", help="Where to write; `-` is stdout. See above for defaults."
)
@chunk_options
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
    check: bool,
    jobs: int | None,
    quiet: bool,
    as_json: bool,
    stdin_name: str,
    **options: Any,
) -> int:
    """Cut Markdown into chunks, one JSON object a line.

    A chunk is a section, or a part of one that is bigger than --max-chars.

    PATH is a file, a folder or `-` for stdin. Folders are searched through all levels for .md,
    .markdown, .mdown, .mdwn, .mkd, .mkdn, .mdx, .txt and .text files. What .gitignore excludes is
    left out, and so are names that start with a dot; a file that is named is always read. Files
    must be UTF-8. Chunks come in the order of the file names.

    Without -o, the chunks of guide.md go to guide.chunks.jsonl beside it, those of a folder docs to
    docs.chunks.jsonl beside it, and those of stdin to stdout. Several paths need -o. With --json
    and no -o, nothing is written: the object holds the chunks.

    \b
    spanwise chunk guide.md
    spanwise chunk docs README.md -o all.jsonl --max-chars 800 --prefix-path
    spanwise chunk docs -o all.jsonl --check
    cat guide.md | spanwise chunk - --stdin-filename guide.md
    """
    import gc

    from spanwise.markdown.options import ChunkOptions

    gc.disable()  # rows have no cycles, and looking for some takes a fifth of the time
    target = output or default_output(paths, as_json and not check)
    if check and target == "-":
        raise click.UsageError("--check compares with a file: name it with -o FILE.")
    work = Work(paths, stdin_name, ChunkOptions(**options), jobs)
    if target != "-":
        work.refuse_to_replace_input(target)
    progress = Progress(len(work.files), quiet)
    if check:
        return checked(work, target, progress, as_json, quiet)
    if target == "-":
        return printed(work, progress, as_json, quiet)
    return saved(work, target, progress, as_json, quiet)


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


class Work:
    """The documents that a command was given, their results, and the sums over them."""

    def __init__(
        self, paths: Sequence[str], stdin_name: str, options: "ChunkOptions", jobs: int | None
    ) -> None:
        """Find the files and the tokenizer, before anything is written.

        UnreadableSource when there is nothing to read at all, InvalidInput without the tokenizer.
        """
        from spanwise.files import STDIN, find_files
        from spanwise.tokens import counter_of

        self.files: list[SourceFile]
        self.faults: list[SpanwiseError]
        self.files, self.faults = find_files([path for path in paths if path != STDIN])
        self.reads_stdin = STDIN in paths
        if not self.files and not self.reads_stdin and not self.faults:
            where = ", ".join(paths)
            raise UnreadableSource(f"no Markdown or text files in {where}", source=where)
        self.stdin_name = stdin_name
        self.options = options
        self.counter = counter_of(options.tokenizer)
        self.jobs = jobs
        self.done = 0
        self.chunks = 0
        self.biggest = 0
        self.bytes = 0

    def refuse_to_replace_input(self, target: str) -> None:
        """Raise a usage error when the output would overwrite an input."""
        output = Path(target)
        if output.exists():
            for file in self.files:
                if output.samefile(file.path):
                    raise click.UsageError(f"The output would replace the input {file.source}.")

    def results(self, progress: "Progress") -> Iterator["FileResult"]:
        """What became of each document that could be read; the others' errors are kept."""
        from spanwise.pipeline import file_results

        if self.reads_stdin:
            yield from self._counted(self._stdin_results())
        results = file_results(self.files, self.options, self.jobs, self.counter)
        yield from self._counted(progress.over(results))

    def _stdin_results(self) -> "Iterator[FileResult]":
        from spanwise.files import decode
        from spanwise.pipeline import text_result

        try:
            text = decode(sys.stdin.buffer.read(), self.stdin_name)
        except UnreadableSource as error:
            self.faults.append(error)
            return
        yield text_result(text, self.stdin_name, self.options, self.counter)

    def _counted(self, results: "Iterable[FileResult]") -> Iterator["FileResult"]:
        for result in results:
            if result.error is not None:
                self.faults.append(result.error)
                continue
            self.done += 1
            self.chunks += result.chunks
            self.biggest = max(self.biggest, result.biggest)
            self.bytes += len(result.lines)
            yield result

    def summary(self) -> str:
        """The sums, for people."""
        noun = "chunk" if self.chunks == 1 else "chunks"
        return f"{self.chunks} {noun}, biggest {self.biggest} chars"

    def as_dict(self) -> dict[str, Any]:
        """The sums and errors, for programs."""
        summary: dict[str, Any] = {
            "ok": not self.faults,
            "files": self.done,
            "count": self.chunks,
            "bytes": self.bytes,
            "biggest_chunk_chars": self.biggest,
        }
        errors = [error.as_dict() for error in self.faults]
        return summary | ({"error": errors[0], "errors": errors} if errors else {"errors": []})

    def finish(self, quiet: bool, as_json: bool, summary: str = "") -> int:
        """Report the errors and the summary on stderr; the exit status."""
        if not as_json:
            for error in self.faults:
                report(error)
        if summary and not quiet and not as_json:
            click.echo(summary, err=True)
        return 1 if self.faults else 0


class NothingDone(Exception):
    """No document could be read, so that no output is written."""


def saved(work: Work, target: str, progress: "Progress", as_json: bool, quiet: bool) -> int:
    """Write the chunks to a file; the exit status."""
    from spanwise.files import AtomicFile, source_name

    try:
        with AtomicFile(target) as file:
            for result in work.results(progress):
                file.write(result.lines)
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


def checked(work: Work, target: str, progress: "Progress", as_json: bool, quiet: bool) -> int:
    """Compare the chunks with the file there is; the exit status."""
    from spanwise.files import source_name

    try:
        with Path(target).open("rb") as file:
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


class Progress:
    """A line on stderr that counts files: only on a terminal, and after a moment."""

    DELAY = 1.0
    PAUSE = 0.2

    def __init__(self, total: int, quiet: bool) -> None:
        """For `total` files."""
        self.total = total
        self.shown = not quiet and sys.stderr.isatty()

    def over(self, results: "Iterator[FileResult]") -> Iterator["FileResult"]:
        """The results, counted as they pass."""
        if not self.shown:
            yield from results
            return
        import time

        due = time.monotonic() + self.DELAY
        visible = False
        try:
            for done, result in enumerate(results, 1):
                if time.monotonic() >= due:
                    click.echo(f"\r{done} of {self.total} files", err=True, nl=False)
                    due = time.monotonic() + self.PAUSE
                    visible = True
                yield result
        finally:
            if visible:
                click.echo("\r\x1b[K", err=True, nl=False)


def documents(paths: Sequence[str], stdin_name: str) -> Iterator[tuple[str, str] | SpanwiseError]:
    """Name and text of each document the paths mean, or what is wrong with it."""
    from spanwise.files import STDIN, decode, find_files, read_text

    files, faults = find_files([path for path in paths if path != STDIN])
    yield from faults
    if STDIN in paths:
        try:
            yield stdin_name, decode(sys.stdin.buffer.read(), stdin_name)
        except SpanwiseError as error:
            yield error
    for file in files:
        try:
            yield file.source, read_text(file.path)
        except SpanwiseError as error:
            yield error


@main.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@source_options
def outline(paths: tuple[str, ...], mdx: bool | None, as_json: bool, stdin_name: str) -> int:
    """Show the headings: line, anchor and size of each one's own text.

    PATH is a file, a folder or `-`, as for `spanwise chunk`.

    \b
    spanwise outline guide.md
    spanwise outline docs --json
    """
    from spanwise.markdown.options import is_mdx
    from spanwise.markdown.outlining import outline as headings_of

    files: list[dict[str, Any]] = []
    faults: list[SpanwiseError] = []
    for document in documents(paths, stdin_name):
        if isinstance(document, SpanwiseError):
            faults.append(document)
            continue
        source, text = document
        headings = headings_of(text, mdx=mdx or is_mdx(source))
        files.append({"source": source, "count": len(headings), "headings": headings})
    if as_json:
        errors = [error.as_dict() for error in faults]
        first = {"error": errors[0]} if errors else {}
        put_json({"ok": not errors, "files": files, "errors": errors} | first)
        return 1 if faults else 0
    for file in files:
        if len(files) > 1:
            put(f"{file['source']}\n".encode())
        put("".join(map(tree_line, file["headings"])).encode())
    for error in faults:
        report(error)
    return 1 if faults else 0


def tree_line(heading: Any) -> str:
    """One heading of the outline, indented by the headings it stands under."""
    title = " ".join(heading["title"].split("\n"))
    indent = "  " * (len(heading["path"]) - 1)
    facts = f"line {heading['line']}, #{heading['anchor']}, {heading['chars']} chars"
    return f"{indent}{title} [{facts}]\n"


@main.command()
@click.argument("path", metavar="PATH")
@click.option("--heading", metavar="TITLE", help="The whole heading, in any case.")
@click.option("--anchor", metavar="ANCHOR", help="GitHub's anchor, as `spanwise outline` shows it.")
@click.option("--no-subsections", is_flag=True, help="Leave out the sections under it.")
@source_options
def section(
    path: str,
    heading: str | None,
    anchor: str | None,
    no_subsections: bool,
    mdx: bool | None,
    as_json: bool,
    stdin_name: str,
) -> int:
    """Print one section, found by its heading or its anchor.

    Of several headings with one title the first is meant; their anchors tell them apart.

    \b
    spanwise section README.md --heading install
    spanwise section guide.md --anchor install-1 --json
    """
    from spanwise.markdown.options import is_mdx
    from spanwise.markdown.outlining import get_section

    if (heading is None) == (anchor is None):
        raise click.UsageError("Give either --heading or --anchor.")
    source, text = one_document(path, stdin_name)
    found = get_section(
        text,
        heading=heading,
        anchor=anchor,
        include_subsections=not no_subsections,
        mdx=mdx or is_mdx(source),
    )
    if as_json:
        put_json({"ok": True, "source": source} | found)
        return 0
    put(found["text"].encode() + b"\n")
    if found["matches"] > 1:
        count = found["matches"]
        click.echo(f"{count} headings have this title; --anchor picks another", err=True)
    return 0


def one_document(path: str, stdin_name: str) -> tuple[str, str]:
    """Name and text of the one file that `path` names."""
    from spanwise.files import STDIN, decode, read_text, source_name

    if path == STDIN:
        return stdin_name, decode(sys.stdin.buffer.read(), stdin_name)
    return source_name(path), read_text(path)


@main.command()
@click.argument("path", metavar="FILE")
@click.option(
    "--unit",
    type=click.Choice(["code_point", "utf16", "utf8"]),
    default="code_point",
    show_default=True,
    help="What `start` and `end` count.",
)
@click.option("--trim", is_flag=True, help="Leave white space at the edges out of the spans.")
@click.option(
    "--suppressions",
    metavar="LANGUAGE",
    help="Join sentences at the abbreviations CLDR lists for de, en, es, fr, it, pt or ru.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, errors too.")
@click.option(
    "--stdin-filename", "stdin_name", metavar="NAME", default="stdin", show_default=True,
    help="What to call the text that `-` reads from stdin.",
)  # fmt: skip
def sentences(
    path: str, unit: Any, trim: bool, suppressions: Any, as_json: bool, stdin_name: str
) -> int:
    """Print the sentences of a text, each with start, end and line.

    Sentences are the default ones of Unicode (UAX #29). They know no abbreviations: there is a
    break after "Mr." unless --suppressions joins it. FILE may be `-` for stdin. Lines of output
    are `start TAB end TAB line TAB text`; --json has the exact texts.

    \b
    spanwise sentences notes.txt
    spanwise sentences letter.txt --suppressions en --trim --json
    """
    from spanwise.text import sentences as sentences_of

    source, text = one_document(path, stdin_name)
    rows = sentences_of(text, unit, trim, suppressions)
    if as_json:
        put_json({"ok": True, "source": source, "count": len(rows), "sentences": rows})
        return 0
    for row in rows:
        shown = row["text"].rstrip("\r\n\x85\u2028\u2029")
        put(f"{row['start']}\t{row['end']}\t{row['start_line']}\t{shown}\n".encode())
    return 0


@main.command()
@click.argument("path", metavar="CHUNKS.jsonl")
@click.option(
    "--root", metavar="DIR", default="", help="Where the sources are. Default: the folder at hand."
)
@click.option(
    "--unit",
    type=click.Choice(["code_point", "utf16", "utf8"]),
    default="code_point",
    show_default=True,
    help="What `start` and `end` count; as given to `spanwise chunk`.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, errors too.")
def verify(path: str, root: str, unit: Any, as_json: bool) -> int:
    """Prove that each chunk still is what its source says at its span and lines.

    The rows are those that `spanwise chunk` writes; `-` reads them from stdin. Each chunk that
    moved (with its new place, if it stands there exactly once), changed or lost its source is one
    line of output; the exit status is then 1.

    \b
    spanwise chunk docs -o all.jsonl
    spanwise verify all.jsonl
    spanwise verify all.jsonl --root ../checkout --json
    """
    from spanwise.files import STDIN, read_bytes
    from spanwise.verifying import verify_rows

    data = sys.stdin.buffer.read() if path == STDIN else read_bytes(path)
    count = 0
    findings = []
    for finding in verify_rows(data, path, root, unit):
        count += 1
        if finding is not None:
            findings.append(finding)
            if not as_json:
                put(f"{finding['id']}: {finding['message']}\n".encode())
    if as_json:
        put_json({"ok": not findings, "count": count, "findings": findings})
    else:
        click.echo(f"{count - len(findings)} of {count} chunks hold", err=True)
    return 1 if findings else 0


@main.command()
@click.argument("tool_id", metavar="[ID]", required=False)
@click.argument("version", metavar="[VERSION]", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, errors too.")
def tools(tool_id: str | None, version: str | None, as_json: bool) -> int:
    """List the tools, or print the contract of one.

    \b
    spanwise tools
    spanwise tools markdown-sections-chunk
    """
    import orjson

    from spanwise.catalogue import contracts, get_tool

    if tool_id is not None:
        contract = get_tool(tool_id, version).contract.data
        put(orjson.dumps(contract, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
        return 0
    if as_json:
        put_json({"ok": True, "tools": contracts()})
        return 0
    for contract in contracts():
        line = f"{contract['id']} {contract['version']}\n    {contract['description']}\n"
        put(line.encode())
    return 0


@main.command()
@click.argument("tool_id", metavar="ID")
@click.argument("version", metavar="VERSION")
@click.option(
    "--input", "source", metavar="FILE", required=True, help="The input object; `-` is stdin."
)
@click.option("--base-url", metavar="URL", help="Ask the server at URL instead of working here.")
@click.option("--json", "as_json", is_flag=True, help="Wrap the result, and print errors as JSON.")
def run(tool_id: str, version: str, source: str, base_url: str | None, as_json: bool) -> int:
    """Run a tool on a JSON object and print the result as JSON.

    \b
    echo '{"markdown": "# Tea"}' | spanwise run markdown-sections-chunk 1.0.0 --input -
    spanwise run markdown-sections-chunk 1.0.0 --input call.json --base-url http://127.0.0.1:8000
    """
    if base_url is not None:
        from spanwise.doors.client import execute_at

        result = execute_at(base_url, tool_id, version, json_input(source))
    else:
        from spanwise.catalogue import execute, get_tool

        get_tool(tool_id, version)
        result = execute(tool_id, version, json_input(source))
    put_json({"ok": True, "result": result} if as_json else result)
    return 0


def json_input(path: str) -> Any:
    """The JSON value in a file; InvalidInput where it is none, UnreadableSource without a file."""
    from spanwise.contract import read_input
    from spanwise.files import STDIN, read_bytes

    return read_input(sys.stdin.buffer.read() if path == STDIN else read_bytes(path))


@main.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    metavar="N",
    help="Port to listen at.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    metavar="N",
    help="Processes that work on documents. Default: one for each core.",
)
@click.option(
    "--queue",
    type=click.IntRange(min=0),
    default=64,
    show_default=True,
    metavar="N",
    help="Requests that may wait for a worker; more are answered with 503.",
)
@click.option(
    "--rate",
    type=click.FloatRange(min=0),
    default=0.0,
    metavar="N",
    help="Requests a second that each client may make. Default: no limit.",
)
@click.option(
    "--allow-host",
    "hosts",
    multiple=True,
    metavar="NAME",
    help="A name that the server goes by, beside localhost; `*` is any. Repeatable.",
)
@click.option(
    "--allow-origin",
    "origins",
    multiple=True,
    metavar="ORIGIN",
    help="A web origin whose pages may use /mcp. Repeatable.",
)
@click.option(
    "--trusted-proxy",
    "proxies",
    multiple=True,
    metavar="ADDRESS",
    help="A proxy whose X-Forwarded-For is believed. Repeatable.",
)
@click.option("-q", "--quiet", is_flag=True, help="Log no requests.")
def serve(**options: Any) -> None:
    """Serve the tools over HTTP and MCP, until interrupted.

    One JSON line a request is logged to stderr, without anything from the documents. The server
    reads no files. SIGTERM lets it finish what it has begun.

    \b
    spanwise serve
    spanwise serve --port 9000 --workers 4 --rate 20
    """
    with extra_needed("serve"):
        from spanwise.doors.http.server import serve as serve_until_stopped
        from spanwise.doors.http.settings import Settings

    serve_until_stopped(Settings(**options))


@main.command()
@click.option(
    "--root",
    "roots",
    multiple=True,
    metavar="DIR",
    help="A folder whose files the tools may use. Repeatable. Default: the folder at hand.",
)
@click.option(
    "--http", is_flag=True, help="Listen at an address instead, at /mcp; then no files are used."
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address, with --http.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    metavar="N",
    help="Port, with --http.",
)
def mcp(roots: tuple[str, ...], http: bool, host: str, port: int) -> None:
    """Serve the tools over MCP, on stdin and stdout, to a program that starts this one.

    Nothing but the protocol goes to stdout. Files are read and written only below the folders
    given with --root; links are not followed.

    \b
    spanwise mcp --root docs
    spanwise mcp --http --port 9000
    """
    if http:
        if roots:
            raise click.UsageError("There are no files over HTTP: leave out --root or --http.")
        with extra_needed("serve"):
            from spanwise.doors.http.server import serve as serve_until_stopped
            from spanwise.doors.http.settings import Settings

        serve_until_stopped(Settings(host=host, port=port, mcp_only=True))
        return
    with extra_needed("mcp"):
        from spanwise.doors.mcp.server import serve_stdio

    serve_stdio(list(roots) or ["."])


@main.command()
@click.argument("path", metavar="FILE")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    metavar="N",
    help="Port to listen at; 0 takes a free one.",
)
@click.option("--no-browser", is_flag=True, help="Open no browser, only say the address.")
def play(path: str, port: int, no_browser: bool) -> None:
    """Show a document in the playground: how it is cut, with which options, in the browser.

    FILE may be `-` for stdin. The server listens at 127.0.0.1 only, until interrupted.

    \b
    spanwise play guide.md
    """
    document = one_document(path, "stdin")
    with extra_needed("serve"):
        from spanwise.doors.http.server import serve as serve_until_stopped
        from spanwise.doors.http.settings import Settings

    def ready(address: str) -> None:
        url = f"{address}/playground"
        click.echo(f"The playground is at {url} (Ctrl-C ends it)", err=True)
        if not no_browser:
            click.launch(url)

    serve_until_stopped(Settings(port=port, quiet=True, document=document), ready)


@contextlib.contextmanager
def extra_needed(extra: str) -> Iterator[None]:
    """Turn a module that is not installed into advice to install an extra of this package."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name is not None and error.name.partition(".")[0] == "spanwise":
            raise
        raise click.ClickException(
            f"this command needs more packages ({error.name} is missing): "
            f"pip install 'spanwise[{extra}]'"
        ) from None
