"""`spanwise convert`: a document as Markdown, or where each stretch of that comes from."""

import sys
from typing import TYPE_CHECKING

import click

from spanwise.doors.cli.options import document_options
from spanwise.doors.cli.output import put, put_json

if TYPE_CHECKING:
    from spanwise.formats import Settings


@click.command()
@click.argument("path", metavar="FILE")
@document_options
@click.option(
    "--map",
    "as_map",
    is_flag=True,
    help="Print the segments instead: JSON lines with span, text and places in the original.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object with all of it.")
@click.option(
    "--stdin-filename",
    "stdin_name",
    metavar="NAME",
    default="stdin",
    show_default=True,
    help="What to call the document that `-` reads from stdin.",
)
def convert(
    path: str,
    settings: "Settings",
    as_map: bool,
    as_json: bool,
    stdin_name: str,
) -> int:
    """Print a document as Markdown.

    FILE is Markdown, text, PDF (with the extra [pdf]), Word, HTML, EPUB, OpenDocument text,
    PowerPoint, Excel, a Jupyter notebook, reStructuredText or AsciiDoc; `-` is stdin. What it is,
    its content decides. Conversion runs in a child process, within limits on time, memory and
    unpacked size; nothing is fetched.

    \b
    spanwise convert report.pdf > report.md
    spanwise convert report.pdf --map
    """
    import orjson

    from spanwise.files import STDIN, read_bytes, source_name
    from spanwise.library import convert_bytes

    data = sys.stdin.buffer.read() if path == STDIN else read_bytes(path)
    name = stdin_name if path == STDIN else source_name(path)
    document = convert_bytes(data, name, settings)
    if as_json:
        put_json({"ok": True, "source": name} | document)
        return 0
    text = document["text"]
    if as_map:
        for segment in document["segments"]:
            shown = dict(segment) | {"text": text[segment["start"] : segment["end"]]}
            put(orjson.dumps(shown, option=orjson.OPT_APPEND_NEWLINE))
    else:
        put(text.encode())
    for notice in document["notices"]:
        click.echo(f"warning: {name}: {notice['message']}", err=True)
    return 0
