"""What commands write: results to stdout as bytes, faults as one line or one object."""

import sys
from typing import Any

import click

from spanwise.errors import SpanwiseError


class ReaderGone(Exception):
    """What reads stdout has ended, as after `| head`; click has its own way with an OSError."""


def put(data: bytes) -> None:
    """Write bytes to stdout, whatever its encoding."""
    left = memoryview(data)
    try:
        while left:  # with PYTHONUNBUFFERED a write may take a part only
            left = left[sys.stdout.buffer.write(left) :]
    except BrokenPipeError:
        raise ReaderGone from None


def put_json(value: Any) -> None:
    """Write one compact JSON object and a line ending to stdout."""
    import orjson

    put(orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE))


def say(line: str) -> None:
    """Write a line to stderr, after what was put before it where both end in one place."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise ReaderGone from None
    click.echo(line, err=True)


def report(error: SpanwiseError, as_json: bool = False) -> None:
    """Say what went wrong: one line on stderr, or the error object on stdout."""
    if as_json:
        put_json({"ok": False, "error": error.as_dict()})
    else:
        click.echo(f"error: {error.message}", err=True)
