"""What the GitHub Action does: the chunks of a repository, and where its sections are too big."""

from dataclasses import dataclass, field
from pathlib import Path

from spanwise.doors.splits import SplitSection, limits, split_sections, worst
from spanwise.doors.workflow import (
    ANNOTATIONS,
    Summary,
    annotate,
    code,
    quoted,
    say,
    set_outputs,
)
from spanwise.errors import InvalidInput, SpanwiseError
from spanwise.files import AtomicFile, SourceFile, source_name, unwritable
from spanwise.globs import matching_files, read_globs
from spanwise.markdown.options import ChunkOptions
from spanwise.pipeline import file_results
from spanwise.tokens import counter_of


@dataclass(frozen=True, slots=True)
class Settings:
    """What the action is asked for.

    files, exclude: lists of globs, as `read_globs` takes them.
    output: the JSON lines file to write; its folder is made.
    fail_on_split, fail_on_empty: fail where a section is split, where no file matches.
    """

    files: str
    exclude: str
    options: ChunkOptions
    output: str
    fail_on_split: bool
    fail_on_empty: bool
    jobs: int | None = None


@dataclass(slots=True)
class Outcome:
    """What came of it: source, chunks and biggest chunk of each file, and so on."""

    files: list[tuple[str, int, int]] = field(default_factory=list)
    splits: list[SplitSection] = field(default_factory=list)
    faults: list[SpanwiseError] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    idle: list[str] = field(default_factory=list)

    @property
    def chunks(self) -> int:
        """The number of chunks."""
        return sum(chunks for _, chunks, _ in self.files)

    @property
    def biggest(self) -> int:
        """Code points of the biggest chunk."""
        return max((biggest for _, _, biggest in self.files), default=0)

    def said(self) -> str:
        """The numbers in words."""
        return (
            f"{_count(len(self.files), 'file')}, {_count(self.chunks, 'chunk')}, "
            f"biggest {self.biggest} characters, {_count(len(self.splits), 'section')} split"
        )


def run(settings: Settings) -> int:
    """Write the chunks, annotate the log, set outputs and summary; the exit status.

    SpanwiseError where the settings cannot be followed or the output cannot be written.
    """
    matches = matching_files(read_globs(settings.files), read_globs(settings.exclude))
    outcome = Outcome(faults=matches.faults, idle=matches.unmatched)
    _write_chunks(settings, matches.files, outcome)
    if not matches.files and settings.fail_on_empty:
        outcome.failures.append("no files match (fail-on-empty)")
    if outcome.splits and settings.fail_on_split:
        split = _count(len(outcome.splits), "section")
        outcome.failures.append(f"{split} too big for one chunk (fail-on-split)")
    name = source_name(settings.output)
    _annotate(outcome, settings.options)
    _write_summary(outcome, name, settings.options)
    set_outputs(
        {
            "files": len(outcome.files),
            "chunks": outcome.chunks,
            "biggest-chunk": outcome.biggest,
            "split-sections": len(outcome.splits),
            "output": name,
        }
    )
    say(f"Saved: {name} ({outcome.said()})")
    return 1 if outcome.failures or outcome.faults else 0


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _write_chunks(settings: Settings, files: list[SourceFile], outcome: Outcome) -> None:
    """Write the chunks of all files, and note what came of each."""
    output = Path(settings.output)
    for file in files:
        if output.exists() and output.samefile(file.path):
            raise InvalidInput(f"output: {settings.output} is an input, too", field="output")
    counter = counter_of(settings.options.tokenizer)
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise unwritable(output, error) from None
    with AtomicFile(output) as written:
        for result in file_results(files, settings.options, settings.jobs, counter):
            if result.error is not None:
                outcome.faults.append(result.error)
                continue
            written.write(result.lines)
            outcome.files.append((result.source, result.chunks, result.biggest))
            outcome.splits += split_sections(result.lines)


def _annotate(outcome: Outcome, options: ChunkOptions) -> None:
    """As many annotations as are shown, what matters most first, and all split sections."""
    for failure in outcome.failures:
        annotate("error", failure)
    for fault in outcome.faults[: ANNOTATIONS - len(outcome.failures)]:
        source = fault.details.get("source")
        annotate("error", fault.message, **({"file": source} if source else {}))
    for each in worst(outcome.splits, options, ANNOTATIONS):
        place: dict[str, str | int] = {"file": each.source, "line": each.line}
        annotate("warning", each.said(options), **place, title="Section is split")
    for pattern in outcome.idle[:ANNOTATIONS]:
        annotate("notice", f"nothing matches {pattern}")
    if len(outcome.splits) > ANNOTATIONS:
        with quoted(f"All {len(outcome.splits)} sections that are split"):
            for each in outcome.splits:
                say(f"{_one_line(each.source)}:{each.line}: {each.said(options)}")


def _one_line(text: str) -> str:
    return text.replace("\r", "\\r").replace("\n", "\\n")


def _write_summary(outcome: Outcome, output: str, options: ChunkOptions) -> None:
    """The summary: sums, what went wrong, every split section, the chunks of every file."""
    summary = Summary()
    summary.add(f"## Chunks\n\n{outcome.said()}, saved in {code(output)}\n")
    faults = [fault.message for fault in outcome.faults]
    faults += [f"nothing matches {pattern}" for pattern in outcome.idle]
    summary.table("What went wrong", ["message"], [[code(fault)] for fault in faults])
    summary.table(
        f"Sections that are split: a chunk holds {limits(options)}",
        ["file", "line", "section", "characters", "parts"],
        [
            [
                code(each.source),
                str(each.line),
                code(each.heading),
                str(each.size),
                str(each.parts),
            ]
            for each in outcome.splits
        ],
    )
    summary.table(
        "Chunks of each file",
        ["file", "chunks", "biggest"],
        [[code(source), str(chunks), str(size)] for source, chunks, size in outcome.files],
    )
    summary.write()
