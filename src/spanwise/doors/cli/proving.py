"""`spanwise verify`: chunks proved against the files they were cut from."""

import sys
from typing import TYPE_CHECKING, Any

import click

from spanwise.doors.cli.options import document_options
from spanwise.doors.cli.output import put, put_json, say

if TYPE_CHECKING:
    from spanwise.formats import Settings


@click.command()
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
@document_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, errors too.")
def verify(
    path: str,
    root: str,
    unit: Any,
    settings: "Settings",
    as_json: bool,
) -> int:
    """Prove that each chunk still is what its source says at its span and lines.

    The rows are those that `spanwise chunk` writes; `-` reads them from stdin. Each chunk that
    moved (with its new place, if it stands there exactly once), changed or lost its source is one
    line of output; the exit status is then 1. Documents such as PDF files are converted again, with
    the options they were cut with, and read again at the regions of each chunk.

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
    for finding in verify_rows(data, path, root, unit, settings):
        count += 1
        if finding is not None:
            findings.append(finding)
            if not as_json:
                put(f"{finding['id']}: {finding['message']}\n".encode())
    if as_json:
        put_json({"ok": not findings, "count": count, "findings": findings})
    else:
        say(f"{count - len(findings)} of {count} chunks hold")
    return 1 if findings else 0
