"""`spanwise sentences`: the sentences of a text."""

from typing import Any

import click

from spanwise.doors.cli.documents import one_document
from spanwise.doors.cli.output import put, put_json


@click.command()
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
