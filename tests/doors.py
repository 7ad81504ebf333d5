"""The doors a case goes through: each takes a call and gives `{"result"}` or `{"error"}`.

A new door is one function here and its name in `DOORS`.
"""

import json
from collections.abc import Callable
from typing import Any

from click.testing import CliRunner

from spanwise.catalogue import execute
from spanwise.doors.cli import main
from spanwise.errors import EXIT_STATUS, SpanwiseError

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


DOORS: list[Door] = [library, cli]
