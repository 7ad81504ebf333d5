"""The doors a case goes through: each takes a call and gives `{"result"}` or `{"error"}`.

A new door is one function here and its name in `DOORS`.
"""

import json
from collections.abc import Callable
from typing import Any

from click.testing import CliRunner

from spanwise.catalogue import execute
from spanwise.doors.cli import main
from spanwise.errors import SpanwiseError

Answer = dict[str, Any]
Door = Callable[[str, str, Any], Answer]


def library(tool: str, version: str, input: Any) -> Answer:
    """`spanwise.execute`."""
    try:
        return {"result": execute(tool, version, input)}
    except SpanwiseError as error:
        return {"error": error.as_dict()}


def cli(tool: str, version: str, input: Any) -> Answer:
    """`spanwise run ID VERSION --input -`: the result on stdout, or the error's code on stderr."""
    call = ["run", tool, version, "--input", "-"]
    done = CliRunner().invoke(main, call, input=json.dumps(input).encode())
    if done.exit_code == 0:
        return {"result": json.loads(done.stdout)}
    if not isinstance(done.exception, SystemExit) or done.stdout:
        raise AssertionError(f"no clean failure: {done.output!r}") from done.exception
    code, _, message = done.stderr.removeprefix("spanwise: ").partition(": ")
    return {"error": {"code": code, "message": message}}


DOORS: list[Door] = [library, cli]
