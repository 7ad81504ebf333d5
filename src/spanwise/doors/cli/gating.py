"""`spanwise check` and `spanwise ci`: what guards the documents of a repository."""

from typing import TYPE_CHECKING, Any

import click

from spanwise.doors.cli.options import chunk_options, source_options
from spanwise.doors.cli.output import put, put_json
from spanwise.doors.cli.work import Progress, Work
from spanwise.errors import EXIT_STATUS, SpanwiseError

if TYPE_CHECKING:
    from spanwise.doors.checks import Finding


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "--chunks",
    metavar="FILE",
    help="The file with the chunks of all. Default: NAME.chunks.jsonl beside each, where it is.",
)
@click.option("--allow-split", is_flag=True, help="Say nothing of sections that are too big.")
@chunk_options
@click.option("-q", "--quiet", is_flag=True, help="No progress and no summary.")
@source_options
def check(
    paths: tuple[str, ...],
    chunks: str | None,
    allow_split: bool,
    quiet: bool,
    as_json: bool,
    stdin_name: str,
    **options: Any,
) -> int:
    """Check that chunks are up to date, and that sections fit into one.

    PATH is a file, a folder or `-`, as for `spanwise chunk`. Each section that is too big for one
    chunk is one line of output, and so is each document whose chunks are not what they would be now
    (with the same options), or that FILE holds none of, and each that FILE holds chunks of though
    it is gone. The exit status is then 1. Nothing is written, and documents of FILE that are there
    but not among the PATHs are passed over: this is for hooks, which are told what has changed.

    \b
    spanwise check docs
    spanwise check docs/guide.md --chunks docs.chunks.jsonl --allow-split --max-chars 800
    """
    import gc

    from spanwise.doors.checks import Stored, beside_finding, split_findings
    from spanwise.markdown.options import ChunkOptions

    gc.disable()  # rows have no cycles, and looking for some takes a fifth of the time
    work = Work(paths, stdin_name, ChunkOptions(**options), jobs=None)
    stored = None if chunks is None else Stored(chunks)
    where = {file.source: file.path for file in work.files}
    findings: list[Finding] = []
    for result in work.results(Progress(len(work.files), quiet)):
        found: list[Finding | None] = []
        if not allow_split:
            found += split_findings(result, work.options)
        if stored is not None:
            found.append(stored.finding(result))
        elif result.source in where:
            found.append(beside_finding(result, where[result.source]))
        findings += [each for each in found if each is not None]
    findings += stored.gone() if stored is not None else ()
    if as_json:
        put_json(work.as_dict() | {"ok": not (findings or work.faults), "findings": findings})
    else:
        for each in findings:
            place = each["source"] if each["line"] is None else f"{each['source']}:{each['line']}"
            put(f"{place}: {each['message']}\n".encode())
    documents = len({each["source"] for each in findings})
    status = work.finish(quiet, as_json, f"{documents} of {work.done} documents need a change")
    return 1 if findings else status


@click.command()
@click.option(
    "--files",
    metavar="LIST",
    default="**/*.md",
    show_default=True,
    envvar="INPUT_FILES",
    help="Globs of the files to read, with commas or line ends between them.",
)
@click.option(
    "--exclude",
    metavar="LIST",
    default="",
    envvar="INPUT_EXCLUDE",
    help="Globs of files and folders to leave out.",
)
@click.option(
    "--max-chars",
    type=int,
    metavar="N",
    envvar="INPUT_MAX_CHARS",
    help="Most characters in a chunk, at least 200. [default: 1500, none with --max-tokens]",
)
@click.option(
    "--max-tokens",
    type=int,
    metavar="N",
    envvar="INPUT_MAX_TOKENS",
    help="Most tokens in a chunk, counted exactly.",
)
@click.option(
    "--tokenizer",
    metavar="NAME|FILE",
    envvar="INPUT_TOKENIZER",
    help="What counts tokens. [default with --max-tokens: cl100k_base]",
)
@click.option(
    "--overlap-chars",
    type=int,
    metavar="N",
    default=0,
    envvar="INPUT_OVERLAP_CHARS",
    help="Begin each part of a split section with up to N characters of the one before.",
)
@click.option(
    "--prefix-path",
    is_flag=True,
    envvar="INPUT_PREFIX_PATH",
    help="Begin each chunk with its heading path.",
)
@click.option(
    "--output",
    "-o",
    metavar="FILE",
    default="chunks.jsonl",
    show_default=True,
    envvar="INPUT_OUTPUT",
    help="Where to write the chunks.",
)
@click.option(
    "--fail-on-split",
    is_flag=True,
    envvar="INPUT_FAIL_ON_SPLIT",
    help="Fail when a section is too big for one chunk.",
)
@click.option(
    "--fail-on-empty/--pass-on-empty",
    default=True,
    show_default=True,
    envvar="INPUT_FAIL_ON_EMPTY",
    help="Fail when no file matches.",
)
def ci(
    files: str,
    exclude: str,
    max_chars: int | None,
    max_tokens: int | None,
    tokenizer: str | None,
    overlap_chars: int,
    prefix_path: bool,
    output: str,
    fail_on_split: bool,
    fail_on_empty: bool,
) -> int:
    """Chunk the documents of a repository in CI, and point at sections that are too big.

    This is what the GitHub Action runs. The ten biggest sections that had to be split are warnings
    on their lines; the summary of the job lists all of them, and the chunks of each file. Each
    option can be given as an environment variable, such as INPUT_MAX_CHARS. Where GITHUB_OUTPUT or
    GITHUB_STEP_SUMMARY is not set, outputs and summary are printed.

    `**` is any number of folders, {a,b} is either. What .gitignore excludes is left out, and so are
    names that start with a dot, unless the pattern says them. A name that holds commas or wildcards
    can stand as it is on a line of its own; in a pattern they have a backslash before them.

    \b
    spanwise ci --files 'docs/**/*.md, README.md' --max-chars 800
    """
    import gc

    from spanwise.doors.action import Settings, run
    from spanwise.doors.workflow import annotate
    from spanwise.markdown.options import ChunkOptions

    gc.disable()  # rows have no cycles, and looking for some takes a fifth of the time
    try:
        options = ChunkOptions(
            max_chars=max_chars,
            max_tokens=max_tokens,
            tokenizer=tokenizer or ("cl100k_base" if max_tokens is not None else None),
            overlap_chars=overlap_chars,
            prefix_path=prefix_path,
        )
        return run(Settings(files, exclude, options, output, fail_on_split, fail_on_empty))
    except SpanwiseError as error:
        annotate("error", error.message)
        return EXIT_STATUS.get(error.code, 1)
