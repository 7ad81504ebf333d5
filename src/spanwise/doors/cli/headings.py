"""`spanwise outline` and `spanwise section`: the headings of a document, and what is under one."""

from typing import Any

import click

from spanwise.doors.cli.documents import documents, one_document
from spanwise.doors.cli.options import source_options
from spanwise.doors.cli.output import put, put_json, report
from spanwise.errors import SpanwiseError


@click.command()
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


@click.command()
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
