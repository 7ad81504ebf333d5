"""The tools of the MCP door: which there are, and how one is called."""

from functools import cache
from typing import Any, Final

from spanwise.contract import Contract, Result
from spanwise.doors.mcp.catalogue_tools import DESCRIBE_TOOL, EXECUTE, SEARCH_TOOLS
from spanwise.doors.mcp.markdown_tools import (
    CHUNK_MARKDOWN,
    GET_SECTION,
    OUTLINE_MARKDOWN,
    SAVE_CHUNKS,
)
from spanwise.doors.mcp.named_tool import MAX_TEXT_BYTES, NamedTool
from spanwise.doors.mcp.roots import Roots

ALL: Final = (
    CHUNK_MARKDOWN,
    OUTLINE_MARKDOWN,
    GET_SECTION,
    SAVE_CHUNKS,
    SEARCH_TOOLS,
    DESCRIBE_TOOL,
    EXECUTE,
)


def tools(local: bool) -> dict[str, NamedTool]:
    """The tools by name, in the order they are listed; `local` ones may use files."""
    return {tool.name: tool for tool in ALL if local or not tool.writes}


@cache
def _contract(name: str, local: bool) -> Contract:
    limits = {"max_text_bytes": MAX_TEXT_BYTES}
    schema = tools(local)[name].input_schema(local)
    if not tools(local)[name].document:
        limits = {}
    return Contract({"id": name, "version": "", "limits": limits, "input_schema": schema})


def call(name: str, arguments: Any, roots: Roots | None) -> Result:
    """The result of a tool; SpanwiseError where there is none, KeyError for no such tool."""
    tool = tools(roots is not None)[name]
    return tool.run(_contract(name, roots is not None).check(arguments), roots)
