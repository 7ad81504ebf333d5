"""The doors a case goes through: each takes a call and gives `{"result"}` or `{"error"}`.

A new door is one function here and its name in `DOORS`.
"""

import atexit
import json
from collections.abc import Callable
from contextlib import ExitStack
from functools import cache
from importlib.util import find_spec
from typing import Any

from click.testing import CliRunner

from spanwise.catalogue import execute
from spanwise.doors.cli import main
from spanwise.errors import EXIT_STATUS, HTTP_STATUS, SpanwiseError

Answer = dict[str, Any]
Door = Callable[[str, str, Any], Answer]


def library(tool: str, version: str, input: Any) -> Answer:
    """`spanwise.execute`."""
    try:
        return {"result": execute(tool, version, input)}
    except SpanwiseError as error:
        return {"error": error.as_dict()}


def cli(tool: str, version: str, input: Any) -> Answer:
    """`spanwise run ID VERSION --input -`; after a failure again with `--json`, for its code."""
    call = ["run", tool, version, "--input", "-"]
    done = CliRunner().invoke(main, call, input=json.dumps(input).encode())
    if done.exit_code == 0:
        return {"result": json.loads(done.stdout)}
    assert done.stderr.startswith("error: "), f"no clean failure: {done.output!r}"
    assert done.stdout == "", "something on stdout beside the message"
    told = CliRunner().invoke(main, [*call, "--json"], input=json.dumps(input).encode())
    answer: Answer = json.loads(told.stdout)
    assert answer["ok"] is False
    assert told.exit_code == done.exit_code == EXIT_STATUS[answer["error"]["code"]]
    return {"error": answer["error"]}


@cache
def _service() -> Any:
    from tests.services import service

    return service()


def http(tool: str, version: str, input: Any) -> Answer:
    """`POST /v1/tools/ID/versions/VERSION/execute`."""
    from tests.asgi import post

    target = f"/v1/tools/{tool}/versions/{version}/execute"
    reply = post(_service(), target, json.dumps(input).encode())
    answer: Answer = reply.json
    if "error" in answer:
        assert reply.status == HTTP_STATUS[answer["error"]["code"]]
    else:
        assert reply.status == 200
    return answer


@cache
def _client() -> Any:
    """A client connected to the MCP server for all cases, and the thread its loop runs in."""
    from anyio.from_thread import start_blocking_portal
    from mcp.client.client import Client

    from spanwise.doors.mcp.roots import Roots
    from spanwise.doors.mcp.server import local_server

    stack = ExitStack()
    atexit.register(stack.close)
    portal = stack.enter_context(start_blocking_portal())
    client = Client(local_server(Roots(["."])))
    stack.enter_context(portal.wrap_async_context_manager(client))
    return portal, client


def mcp(tool: str, version: str, input: Any) -> Answer:
    """The MCP tool `execute`; what it says as text and as structured content is the same."""
    portal, client = _client()
    call = {"id": tool, "version": version, "input": input}
    told = portal.call(client.call_tool, "execute", call)
    assert [block.type for block in told.content] == ["text"]
    answer: Answer = json.loads(told.content[0].text)
    assert told.is_error == ("error" in answer)
    assert told.structured_content == (None if told.is_error else answer)
    return answer


DOORS: list[Door] = [library, cli]
if find_spec("starlette") and find_spec("mcp"):  # the extra [serve]
    DOORS += [http, mcp]
