"""`spanwise tools` and `spanwise run`: the catalogue, and one call of a tool."""

import sys
from typing import Any

import click

from spanwise.doors.cli.output import put, put_json


@click.command()
@click.argument("tool_id", metavar="[ID]", required=False)
@click.argument("version", metavar="[VERSION]", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, errors too.")
def tools(tool_id: str | None, version: str | None, as_json: bool) -> int:
    """List the tools, or print the contract of one.

    \b
    spanwise tools
    spanwise tools markdown-sections-chunk
    """
    import orjson

    from spanwise.catalogue import contracts, get_tool

    if tool_id is not None:
        contract = get_tool(tool_id, version).contract.data
        put(orjson.dumps(contract, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
        return 0
    if as_json:
        put_json({"ok": True, "tools": contracts()})
        return 0
    for contract in contracts():
        line = f"{contract['id']} {contract['version']}\n    {contract['description']}\n"
        put(line.encode())
    return 0


@click.command()
@click.argument("tool_id", metavar="ID")
@click.argument("version", metavar="VERSION")
@click.option(
    "--input", "source", metavar="FILE", required=True, help="The input object; `-` is stdin."
)
@click.option("--base-url", metavar="URL", help="Ask the server at URL instead of working here.")
@click.option("--json", "as_json", is_flag=True, help="Wrap the result, and print errors as JSON.")
def run(tool_id: str, version: str, source: str, base_url: str | None, as_json: bool) -> int:
    """Run a tool on a JSON object and print the result as JSON.

    \b
    echo '{"markdown": "# Tea"}' | spanwise run markdown-sections-chunk 1.0.0 --input -
    spanwise run markdown-sections-chunk 1.0.0 --input call.json --base-url http://127.0.0.1:8000
    """
    if base_url is not None:
        from spanwise.doors.client import execute_at

        result = execute_at(base_url, tool_id, version, json_input(source))
    else:
        from spanwise.catalogue import execute, get_tool

        get_tool(tool_id, version)
        result = execute(tool_id, version, json_input(source))
    put_json({"ok": True, "result": result} if as_json else result)
    return 0


def json_input(path: str) -> Any:
    """The JSON value in a file; InvalidInput where it is none, UnreadableSource without a file."""
    from spanwise.contract import read_input
    from spanwise.files import STDIN, read_bytes

    return read_input(sys.stdin.buffer.read() if path == STDIN else read_bytes(path))
