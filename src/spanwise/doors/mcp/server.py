"""The tools over the SDK's low-level server: definitions and answers, nothing decided here."""

import logging
import os
import sys
from collections.abc import Awaitable, Callable
from typing import Any, Final

import anyio
import anyio.to_thread
import mcp_types as types
import orjson
from mcp.server.caching import CacheHint
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS

from spanwise import __version__
from spanwise.doors.mcp.named_tool import NamedTool
from spanwise.doors.mcp.roots import Roots
from spanwise.doors.mcp.tools import call, tools
from spanwise.doors.work import Answer, answer_of

Run = Callable[[str, dict[str, Any]], Awaitable[Answer]]
"""Runs a tool by name with its arguments; never raises a SpanwiseError."""

INSTRUCTIONS: Final = (
    "Cuts documents into pieces with exact spans. For Markdown: outline_markdown to see what is "
    "there, get_section to read one part, chunk_markdown for all of it. For sentences, paragraphs "
    "and other cuts: search_tools, then describe_tool, then execute. Everything is computed here; "
    "the same call gives the same result."
)
HINT: Final = CacheHint(300_000, "public")


def definition(tool: NamedTool, local: bool) -> types.Tool:
    """A tool as it is listed."""
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.described(local),
        input_schema=tool.input_schema(local),
        output_schema=tool.output,
        annotations=types.ToolAnnotations(
            title=tool.title,
            read_only_hint=not tool.writes,
            destructive_hint=tool.writes,
            idempotent_hint=True,
            open_world_hint=False,
        ),
    )


def make_server(run: Run, local: bool) -> Server[Any]:
    """A server with the tools there are for `local` clients, or for those over HTTP."""
    offered = tools(local)
    listed = [definition(tool, local) for tool in offered.values()]

    async def list_tools(context: Any, params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=listed)

    async def call_tool(context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        if params.name not in offered:
            raise MCPError(INVALID_PARAMS, f"there is no tool {params.name[:100]!r}")
        done = await run(params.name, params.arguments or {})
        content: list[types.ContentBlock] = [types.TextContent(text=done.body.decode())]
        if done.code:
            # No structured content: some clients hold it against the schema of a success.
            return types.CallToolResult(content=content, is_error=True)
        return types.CallToolResult(content=content, structured_content=orjson.loads(done.body))

    async def list_resources(context: Any, params: Any) -> types.ListResourcesResult:
        return types.ListResourcesResult(resources=[])

    async def list_templates(context: Any, params: Any) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(resource_templates=[])

    async def read_resource(context: Any, params: Any) -> types.ReadResourceResult:
        raise MCPError(INVALID_PARAMS, "there are no resources", {"uri": str(params.uri)})

    async def list_prompts(context: Any, params: Any) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=[])

    return Server(
        "spanwise",
        version=__version__,
        title="spanwise",
        instructions=INSTRUCTIONS,
        cache_hints={
            "tools/list": HINT,
            "resources/list": HINT,
            "resources/templates/list": HINT,
            "resources/read": HINT,
            "prompts/list": HINT,
            "server/discover": HINT,
        },
        get_tool_input_schema=lambda name: (
            offered[name].input_schema(local) if name in offered else None
        ),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
        on_list_prompts=list_prompts,
    )


def local_server(roots: Roots) -> Server[Any]:
    """A server for a client on this machine, which may use files below `roots`."""
    one_at_a_time = anyio.Semaphore(1)

    async def run(name: str, arguments: dict[str, Any]) -> Answer:
        async with one_at_a_time:
            return await anyio.to_thread.run_sync(
                lambda: answer_of(lambda: orjson.dumps(call(name, arguments, roots)))
            )

    return make_server(run, local=True)


def serve_stdio(folders: list[str]) -> None:
    """Speak MCP on stdin and stdout until stdin ends or stdout breaks; never returns."""
    logging.basicConfig(level=logging.ERROR, stream=sys.stderr)
    server = local_server(Roots(folders))

    async def speak() -> None:
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())

    status = 0
    try:
        anyio.run(speak)
    except* (BrokenPipeError, ConnectionError):
        status = 141
    except* KeyboardInterrupt:
        status = 130
    finally:
        # A thread may still wait for a line from a stdin that nobody closes.
        sys.stderr.flush()
        os._exit(status)
