"""The child process of `sandbox`: reads one file after the other, within limits."""

import gc
import os
import signal
import sys
from collections.abc import Callable
from typing import Any, BinaryIO

import orjson

from spanwise.document import Document, Region
from spanwise.errors import LimitExceeded, SpanwiseError, UnreadableSource
from spanwise.formats import Settings, reader, rereader
from spanwise.formats.sandbox import framed, received
from spanwise.markdown.options import ChunkOptions
from spanwise.rows import document_rows, json_lines
from spanwise.spans import Unit, from_unit
from spanwise.tokens import counter_of


def serve() -> None:
    """Answer jobs from stdin until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent takes it and ends this process
    jobs = sys.stdin.buffer
    # What a library prints must not get between the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    while _serve_one(jobs, answers):
        pass


def _serve_one(jobs: BinaryIO, answers: BinaryIO) -> bool:
    try:
        head = orjson.loads(received(jobs))
        data = received(jobs)
    except EOFError:
        return False
    settings = Settings(**head["settings"])
    # A tree is all alive until it is done with, and looking for what is not takes half of the time.
    gc.disable()
    try:
        _limit_memory(settings.max_memory)
        answer, payload = _done(head, data, settings)
    except SpanwiseError as error:
        answer, payload = {"error": _about(error, head["source"]).as_dict()}, b""
    except MemoryError:
        limit = settings.max_memory
        fault = LimitExceeded("max_memory", limit, limit + 1, f"{head['source']}: bytes of memory")
        answer, payload = {"error": fault.as_dict()}, b""
    except RecursionError:
        limit = settings.max_depth
        fault = LimitExceeded("max_depth", limit, limit + 1, f"{head['source']}: nesting")
        answer, payload = {"error": fault.as_dict()}, b""
    except Exception as error:
        what = f"{head['source']}: cannot be read: {type(error).__name__}: {error}"
        unreadable = UnreadableSource(what, source=head["source"])
        answer, payload = {"error": unreadable.as_dict()}, b""
    answers.write(framed(orjson.dumps(answer), payload))
    answers.flush()
    gc.enable()
    gc.collect()
    return True


def _done(head: dict[str, Any], data: bytes, settings: Settings) -> tuple[dict[str, Any], bytes]:
    media_type = head["media_type"]
    document = reader(media_type)(data, settings)
    if head["job"] == "verify":
        reread = rereader(media_type)
        said = _verified(
            document, head["rows"], head["unit"], lambda regions: reread(data, regions, settings)
        )
        return {}, orjson.dumps(said)
    if head["job"] == "convert":
        return {}, orjson.dumps(_told(document))
    options = ChunkOptions(**head["options"])
    rows = document_rows(document, head["source"], options, counter_of(options.tokenizer))
    answer = {
        "chunks": len(rows),
        "biggest": max([row["chars"] for row in rows], default=0),
        "notices": document.notices,
    }
    return answer, json_lines(rows)


def _told(document: Document) -> dict[str, Any]:
    segments = [
        {"start": start, "end": end, "regions": document.regions(start, end)}
        for start, end, _, _ in document.segments
    ]
    return {
        "text": document.text,
        "title": document.title,
        "media_type": document.media_type,
        "notices": document.notices,
        "segments": segments,
    }


def _verified(
    document: Document, rows: list[dict[str, Any]], unit: Unit, again: Callable[[list[Region]], str]
) -> list[str]:
    """What is wrong with each row, or an empty string."""
    said = []
    for row in rows:
        start, end = from_unit(document.text, [row["start"], row["end"]], unit)
        if start is None or end is None or document.text[start:end] != row["quote"]:
            said.append("changed: the converted text is another one at its span")
        elif document.regions(start, end) != row["regions"]:
            said.append("moved: it stands elsewhere in the original")
        elif folded(again(row["regions"])) != folded(document.own_text(start, end)):
            said.append("changed: the original says something else at its regions")
        else:
            said.append("")
    return said


def folded(text: str) -> str:
    """The text without white space, which is not the same in an original and in Markdown."""
    return "".join(text.split())


def _about(error: SpanwiseError, source: str) -> SpanwiseError:
    """The error with the name of the file in front and in its details."""
    if not error.message.startswith(source):
        error.message = f"{source}: {error.message}"
    error.details.setdefault("source", source)
    return error


def _limit_memory(most: int) -> None:
    try:
        import resource
    except ImportError:
        return  # not there on Windows, where only the time is limited
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))
