"""`spanwise serve`, `mcp` and `play`: the tools for programs, agents and people."""

import contextlib
from collections.abc import Iterator
from typing import Any

import click

from spanwise.doors.cli.documents import one_document


@click.command()
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


@click.command()
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


@click.command()
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
