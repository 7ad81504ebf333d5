"""The documents of a command: finding them, counting what comes out, showing how far it is."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spanwise.doors.cli.output import report, say
from spanwise.errors import SpanwiseError, UnreadableSource

if TYPE_CHECKING:
    from spanwise.files import SourceFile
    from spanwise.formats import Settings
    from spanwise.markdown.options import ChunkOptions
    from spanwise.pipeline import FileResult


class Work:
    """The documents that a command was given, their results, and the sums over them."""

    def __init__(
        self,
        paths: Sequence[str],
        stdin_name: str,
        options: "ChunkOptions",
        jobs: int | None,
        settings: "Settings | None" = None,
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
            raise UnreadableSource(f"no documents in {where}", source=where)
        self.stdin_name = stdin_name
        self.options = options
        self.settings = settings
        self.counter = counter_of(options.tokenizer)
        self.jobs = jobs
        self.done = 0
        self.chunks = 0
        self.biggest = 0
        self.bytes = 0
        self.notices: list[dict[str, Any]] = []

    def refuse_to_replace_input(self, target: str) -> None:
        """Raise a usage error when the output would overwrite an input."""
        output = Path(target)
        if output.exists():
            size = output.stat().st_size
            for file in self.files:
                if file.size == size and output.samefile(file.path):
                    raise click.UsageError(f"The output would replace the input {file.source}.")

    def results(self, progress: "Progress") -> Iterator["FileResult"]:
        """What became of each document that could be read; the others' errors are kept."""
        from spanwise.pipeline import file_results

        if self.reads_stdin:
            yield from self._counted(self._stdin_results())
        results = file_results(self.files, self.options, self.jobs, self.counter, self.settings)
        yield from self._counted(progress.over(results))

    def _stdin_results(self) -> "Iterator[FileResult]":
        from spanwise.pipeline import bytes_result

        data = sys.stdin.buffer.read()
        try:
            yield bytes_result(data, self.stdin_name, self.options, self.counter, self.settings)
        except SpanwiseError as error:
            self.faults.append(error)

    def _counted(self, results: "Iterable[FileResult]") -> Iterator["FileResult"]:
        for result in results:
            if result.error is not None:
                self.faults.append(result.error)
                continue
            self.done += 1
            self.chunks += result.chunks
            self.biggest = max(self.biggest, result.biggest)
            self.bytes += len(result.lines)
            self.notices += [dict(notice) | {"source": result.source} for notice in result.notices]
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
        if self.notices:
            summary["notices"] = self.notices
        errors = [error.as_dict() for error in self.faults]
        return summary | ({"error": errors[0], "errors": errors} if errors else {"errors": []})

    def finish(self, quiet: bool, as_json: bool, summary: str = "") -> int:
        """Report the errors and the summary on stderr; the exit status."""
        if not as_json:
            for notice in self.notices:
                say(f"warning: {notice['source']}: {notice['message']}")
            for error in self.faults:
                report(error)
        if summary and not quiet and not as_json:
            say(summary)
        return 1 if self.faults else 0


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
