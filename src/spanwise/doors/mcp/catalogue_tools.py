"""The tools for the whole catalogue: search, describe, execute."""

from typing import Any, Final

from spanwise.catalogue import contracts, execute, get_tool, search
from spanwise.contract import Result
from spanwise.doors.mcp.named_tool import (
    COUNT,
    LINE,
    NAMES,
    NEXT,
    TEXT_OUT,
    NamedTool,
    object_of,
    page,
    paging,
)
from spanwise.doors.mcp.roots import Roots


def _search_tools(arguments: dict[str, Any], roots: Roots | None) -> Result:
    query = arguments.pop("query", "")
    found = search(query) if query.strip() else contracts()
    kept = ("id", "version", "description", "supported_operations", "unsupported_operations")
    entries = [{name: contract[name] for name in kept} for contract in found]
    return {"count": len(entries), **page(entries, arguments, "tools", 20)}


SEARCH_TOOLS: Final = NamedTool(
    "search_tools",
    "Search the catalogue",
    "Find tools of the spanwise catalogue by words in their ids, descriptions and supported "
    "operations.\n\n"
    "Use first, when a task is about cutting text into sentences, paragraphs or sections with "
    "exact offsets, or checking what was cut, and none of the named Markdown tools fits. Not to "
    "learn how a tool is called (use describe_tool) or to run it (use execute).\n\n"
    "All words of query must occur, in any case and order; tools with more of them in the id come "
    "first. Without query every tool is listed, by id, then version. What a tool does not do is "
    "listed too: check it before choosing. Returns at most limit tools; continue at next_start "
    "until it is null. Nothing found is an empty list, "
    "no error.",
    {
        "query": {
            "type": "string", "maxLength": 1000,
            "description": "Words to find, such as: sentence offsets. Leave out for all tools.",
        },
        **paging(20, 100, "tools"),
    },
    [],
    object_of(
        {
            "count": COUNT,
            "start": LINE,
            "tools": {
                "type": "array",
                "items": object_of(
                    {
                        "id": TEXT_OUT, "version": TEXT_OUT, "description": TEXT_OUT,
                        "supported_operations": NAMES, "unsupported_operations": NAMES,
                    }
                ),
            },
            "next_start": NEXT,
        }
    ),
    _search_tools,
    document=False,
)  # fmt: skip


def _describe_tool(arguments: dict[str, Any], roots: Roots | None) -> Result:
    return get_tool(arguments["id"], arguments.get("version")).contract.data


ANY_OBJECT: Final = {"type": "object"}
TOOL_ID: Final = {
    "type": "string", "maxLength": 200,
    "description": "Id of a tool, such as text-sentences-chunk, as search_tools gives it.",
}  # fmt: skip

DESCRIBE_TOOL: Final = NamedTool(
    "describe_tool",
    "Describe a tool of the catalogue",
    "Return the contract of one catalogue tool: what it does and does not, its rules, limits, "
    "schemas of input and output, and examples.\n\n"
    "Use after search_tools and before execute, to build a valid input and to decide whether the "
    "tool fits. Not to find tools (use search_tools).\n\n"
    "Without version the newest is described; a contract never changes once it has a version. An "
    "unknown id or version is the error unknown_tool or unknown_version, with the closest ones in "
    "details.",
    {
        "id": TOOL_ID,
        "version": {
            "type": "string", "maxLength": 50,
            "description": "A version, such as 1.0.0. Default: the newest.",
        },
    },
    ["id"],
    object_of(
        {
            "id": TEXT_OUT, "version": TEXT_OUT, "description": TEXT_OUT,
            "supported_operations": NAMES, "unsupported_operations": NAMES, "semantics": NAMES,
            "limits": ANY_OBJECT, "pricing": ANY_OBJECT, "input_schema": ANY_OBJECT,
            "output_schema": ANY_OBJECT, "examples": {"type": "array", "items": ANY_OBJECT},
            "execute_url": TEXT_OUT,
        }
    ),
    _describe_tool,
    document=False,
)  # fmt: skip


def _execute(arguments: dict[str, Any], roots: Roots | None) -> Result:
    return {"result": execute(arguments["id"], arguments["version"], arguments["input"])}


EXECUTE: Final = NamedTool(
    "execute",
    "Run a tool of the catalogue",
    "Run one version of a catalogue tool on an input object and return its result.\n\n"
    "Use when you know id, version and input from describe_tool. Not for Markdown chunks, outlines "
    "or sections: chunk_markdown, outline_markdown and get_section are simpler there.\n\n"
    "Pure computation: nothing is stored or fetched, and the same call always gives the same "
    "result. id and version must both be exact, and input must fit the tool's input_schema. "
    "Errors: invalid_input names the field, limit_exceeded the limit with both numbers, "
    "unknown_tool and unknown_version what there is instead; correct the call and try again.",
    {
        "id": TOOL_ID,
        "version": {
            "type": "string", "maxLength": 50,
            "description": "The exact version, such as 1.0.0.",
        },
        "input": {
            "type": "object",
            "description": "The input object, as the tool's input_schema asks for it.",
        },
    },
    ["id", "version", "input"],
    object_of({"result": {"type": "object", "description": "As the tool's output_schema says."}}),
    _execute,
    document=False,
)  # fmt: skip
