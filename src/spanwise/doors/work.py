"""Work for the doors that serve: jobs, of which every exception is an answer.

A job is a target (`execute ID VERSION`, or `call TOOL` for a tool of the MCP door) and the bytes of
a JSON object. An answer is an HTTP status, the code of the error if there is one, and JSON.
"""

import json
import sys
import traceback
from collections.abc import Callable
from typing import Any, NamedTuple

import orjson

from spanwise.catalogue import execute, get_tool
from spanwise.contract import read_input
from spanwise.errors import HTTP_STATUS, InternalError, SpanwiseError


class Answer(NamedTuple):
    """What came of a job; `code` is empty where there was no error."""

    status: int
    code: str
    body: bytes


def answer(target: str, body: bytes | memoryview) -> Answer:
    """Do one job."""
    return answer_of(lambda: perform(target, body))


def answer_of(job: Callable[[], bytes]) -> Answer:
    """The answer to a job; every exception becomes one."""
    try:
        return Answer(200, "", job())
    except SpanwiseError as error:
        return failure(error)
    except Exception as error:
        log_fault(error)
        return failure(InternalError("internal error"))


def perform(target: str, body: bytes | memoryview) -> bytes:
    """The result of one job as JSON; SpanwiseError where there is none."""
    kind, *names = target.split(" ")
    if kind == "execute":
        tool_id, version = names
        get_tool(tool_id, version)  # before the body is looked at, as at the other doors
        result: dict[str, Any] = {"result": execute(tool_id, version, read_input(body))}
        return orjson.dumps(result)
    if kind == "call":
        from spanwise.doors.mcp.tools import call

        return orjson.dumps(call(names[0], orjson.loads(body), None))
    raise ValueError(f"no such job: {kind}")


def failure(error: SpanwiseError) -> Answer:
    """The answer that tells of an error."""
    told = {"error": error.as_dict()}
    try:
        body = orjson.dumps(told)
    except TypeError:  # it quotes an integer beyond 64 bits, or a lone surrogate
        body = json.dumps(told).encode()
    return Answer(HTTP_STATUS.get(error.code, 500), error.code, body)


def log_fault(error: BaseException) -> None:
    """Say on stderr where an exception came from, without its message, which may hold a text."""
    frames = traceback.extract_tb(error.__traceback__)
    places = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames[-8:]]
    line = {"event": "internal_error", "exception": type(error).__name__, "frames": places}
    print(orjson.dumps(line).decode(), file=sys.stderr, flush=True)
