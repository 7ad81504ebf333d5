"""Reading the texts that a command line names."""

import sys
from collections.abc import Iterator, Sequence

from spanwise.errors import SpanwiseError


def documents(paths: Sequence[str], stdin_name: str) -> Iterator[tuple[str, str] | SpanwiseError]:
    """Name and text of each document the paths mean, or what is wrong with it."""
    from spanwise.files import STDIN, decode, find_files, read_text

    files, faults = find_files([path for path in paths if path != STDIN])
    yield from faults
    if STDIN in paths:
        try:
            yield stdin_name, decode(sys.stdin.buffer.read(), stdin_name)
        except SpanwiseError as error:
            yield error
    for file in files:
        try:
            yield file.source, read_text(file.path)
        except SpanwiseError as error:
            yield error


def one_document(path: str, stdin_name: str) -> tuple[str, str]:
    """Name and text of the one file that `path` names."""
    from spanwise.files import STDIN, decode, read_text, source_name

    if path == STDIN:
        return stdin_name, decode(sys.stdin.buffer.read(), stdin_name)
    return source_name(path), read_text(path)
