"""The group of all commands, and what becomes of an exception in any of them."""

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final

import click

from spanwise import __version__
from spanwise.doors.cli.output import ReaderGone, put_json, report
from spanwise.errors import EXIT_STATUS, SpanwiseError

INTERRUPTED: Final = 130
BROKEN_PIPE: Final = 141
"""What a shell shows for a program that SIGINT or SIGPIPE ended."""

COMMANDS: Final = {
    "ack": "syncing",
    "check": "gating",
    "chunk": "chunking",
    "ci": "gating",
    "convert": "converting",
    "dataset": "datasets",
    "mcp": "serving",
    "outline": "headings",
    "play": "serving",
    "run": "tooling",
    "section": "headings",
    "sentences": "texts",
    "serve": "serving",
    "status": "syncing",
    "sync": "syncing",
    "tools": "tooling",
    "verify": "proving",
}
"""Each command and the module of this package that it is in, under its own name."""


class Door(click.Group):
    """The command group: loads commands, and turns exceptions into messages and exit statuses."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command called `cmd_name`, loaded now; None where there is none."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"spanwise.doors.cli.{COMMANDS[cmd_name]}")
        command: click.Command = getattr(module, cmd_name)
        return command

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
    # click lists these, and looks among them for names like one that is not there.
    commands={name: click.Command(name) for name in COMMANDS},
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
    spanwise sync docs -o all.jsonl --delta new.jsonl
                                         the same again later, and what has changed since
    spanwise dataset docs.parquet chunks --text-column body
                                         documents in Parquet or JSON lines, on all cores
    spanwise convert report.pdf          prints a document as Markdown
    spanwise outline guide.md            shows the headings
    spanwise section guide.md --heading Install
    spanwise sentences notes.txt         prints its sentences with their offsets
    spanwise verify all.jsonl            proves chunks against their sources
    spanwise check docs                  old chunks, and sections too big for one, for hooks
    spanwise ci --files 'docs/**/*.md'   the same for a whole repository, as the GitHub Action does
    spanwise tools                       lists the tools and their contracts
    spanwise serve                       offers them over HTTP and MCP
    spanwise mcp                         offers them to an agent that starts it
    spanwise play guide.md               shows in a browser how a document is cut

    `spanwise COMMAND --help` says more about each command.
    """
