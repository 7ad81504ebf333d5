"""Options that several commands have."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

import click

Command = TypeVar("Command", bound=Callable[..., Any])


mdx_option = click.option(
    "--mdx", is_flag=True, default=None,
    help="Read MDX where it differs from Markdown. Default: files called *.mdx.",
)  # fmt: skip
bulk_option = click.option(
    "--bulk-index", metavar="NAME",
    help="The index that a *.bulk file names. Default: that of the request.",
)  # fmt: skip
json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object, errors too."
)


def source_options(command: Command) -> Command:
    """What every command takes that reads documents."""
    for option in (
        mdx_option,
        json_option,
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


def document_options(command: Command) -> Command:
    """The options of converting, which the command gets as `settings`."""

    @wraps(command)
    def with_settings(
        *arguments: Any,
        password: str | None,
        keep_furniture: bool,
        boilerplate: str,
        heading_numbers: bool,
        **others: Any,
    ) -> Any:
        from spanwise.formats import Settings

        others["settings"] = Settings(
            password, keep_furniture, boilerplate == "keep", heading_numbers
        )
        return command(*arguments, **others)

    wrapped = cast(Command, with_settings)
    for option in reversed(
        (
            click.option("--password", metavar="TEXT", help="For encrypted PDF files."),
            click.option(
                "--keep-furniture", is_flag=True,
                help="Keep running headers, footers and page numbers of PDF files.",
            ),
            click.option(
                "--boilerplate", type=click.Choice(["drop", "keep"]), default="drop",
                show_default=True, help="Navigation and the like around the content of HTML files.",
            ),
            click.option(
                "--heading-numbers", is_flag=True,
                help="Begin headings with the numbers that Word and OpenDocument files compute.",
            ),
        )
    ):  # fmt: skip
        wrapped = option(wrapped)
    return wrapped


def column_options(command: Command) -> Command:
    """The options that say which columns of a data set are what."""
    for option in reversed(
        (
            click.option(
                "--text-column", metavar="NAME", help="The column with the text of the documents.",
            ),
            click.option(
                "--source-column", metavar="NAME",
                help="The column with their names. Default: source; without one FILE#ROW.",
            ),
            click.option(
                "--carry", metavar="NAME", multiple=True,
                help="A column that every chunk gets from its document; may be repeated.",
            ),
            click.option(
                "--memory", "memory_mb", type=click.IntRange(min=64), metavar="MB", default=1024,
                show_default=True, help="Memory that the engine may take in each process.",
            ),
        )
    ):  # fmt: skip
        command = option(command)
    return command
