"""The tools of the MCP door: what each is called, takes, gives and does.

A tool that takes a document takes it as text or, from a server on the same machine, as the path of
a file; over HTTP there are no paths, and nothing is written.
"""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from pathlib import PurePath
from typing import Any, Final

import orjson

from spanwise.catalogue import contracts, execute, get_tool, search
from spanwise.contract import Contract, Result
from spanwise.doors.mcp.roots import Roots
from spanwise.errors import InvalidInput, LimitExceeded
from spanwise.markdown.options import ChunkOptions, is_mdx
from spanwise.markdown.outlining import get_section, outline
from spanwise.rows import Chunk, chunk_rows, json_lines
from spanwise.tokens import ENCODINGS, counter_of

MAX_TEXT_BYTES: Final = 1_048_576
"""The longest text in a call; a file may be longer, see MAX_FILE_BYTES."""
MAX_PAGE_BYTES: Final = 1_000_000
"""A page ends before the item that would make it longer, unless it would be empty."""

Run = Callable[[dict[str, Any], Roots | None], Result]


@dataclass(frozen=True, slots=True)
class Door:
    """One tool: `writes` says that it changes a file."""

    name: str
    title: str
    description: str
    properties: dict[str, Any]
    required: list[str]
    output: dict[str, Any]
    run: Run
    writes: bool = False
    document: bool = True

    def input_schema(self, local: bool) -> dict[str, Any]:
        """The schema of the arguments; with `local` a document may be a file."""
        properties = deepcopy(self.properties)
        required = list(self.required)
        if self.document:
            source = {"path": PATH, "text": TEXT} if local else {"text": TEXT}
            properties = deepcopy({**source, **properties})
            if not local:
                required.append("text")
        return {
            "type": "object",
            "additionalProperties": False,
            "required": required,
            "properties": properties,
        }

    def described(self, local: bool) -> str:
        """The description, with what is said of files only where there are any."""
        return self.description.replace("{FILES}", FILES if local else "")


def tools(local: bool) -> dict[str, Door]:
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


# The document


PATH: Final = {
    "type": "string",
    "description": "A Markdown or text file in UTF-8, at most 10 MB, below a folder the server "
    "was started for; a relative path starts at the first of these. Leave out when giving text.",
}
TEXT: Final = {
    "type": "string",
    "description": "The Markdown text itself, at most 1 MiB of UTF-8.",
}
FILES: Final = (
    " Give exactly one of path and text; both or neither is invalid_input. Files are read only "
    "below the folders the server was started for, and links are not followed."
)


def _document(arguments: dict[str, Any], roots: Roots | None) -> tuple[str, str]:
    """Name and text of the document that was given."""
    path = arguments.pop("path", None)
    text = arguments.pop("text", None)
    if (path is None) == (text is None):
        given = "neither" if path is None else "both"
        raise InvalidInput(f"give either path or text ({given} given)", field="path")
    if path is None or roots is None:
        return "text", text or ""
    return roots.read(path)


def _page(items: list[Any], arguments: dict[str, Any], name: str, limit: int) -> dict[str, Any]:
    """The items from `start` on, at most `limit` of them and about MAX_PAGE_BYTES of JSON."""
    start = arguments.pop("start", 1)
    limit = arguments.pop("limit", limit)
    found: list[Any] = []
    size = 0
    for item in items[start - 1 : start - 1 + limit]:
        size += len(orjson.dumps(item))
        if found and size > MAX_PAGE_BYTES:
            break
        found.append(item)
    after = start + len(found)
    return {"start": start, name: found, "next_start": after if after <= len(items) else None}


def paging(limit: int, most: int, what: str) -> dict[str, Any]:
    """The properties that ask for a page."""
    return {
        "limit": {
            "type": "integer", "minimum": 1, "maximum": most, "default": limit,
            "description": f"Most {what} to return in this call.",
        },
        "start": {
            "type": "integer", "minimum": 1, "maximum": 1_000_000_000, "default": 1,
            "description": f"Number of the first of the {what}, from 1; pass next_start of the "
            "call before.",
        },
    }  # fmt: skip


# chunk_markdown and save_chunks_jsonl


CHUNKING: Final[dict[str, Any]] = {
    "max_chars": {
        "type": "integer", "minimum": 200, "maximum": 1_000_000,
        "description": "Most code points in a chunk, everything added included. Default 1500, or "
        "no limit when max_tokens is given.",
    },
    "max_tokens": {
        "type": "integer", "minimum": 50, "maximum": 1_000_000,
        "description": "Most tokens in a chunk, counted exactly; needs tokenizer.",
    },
    "tokenizer": {
        "type": "string", "enum": list(ENCODINGS),
        "description": "How to count tokens. Without it they are estimated and not limited.",
    },
    "overlap_chars": {
        "type": "integer", "minimum": 0, "maximum": 500_000, "default": 0,
        "description": "Code points of the end of one part to repeat at the start of the next.",
    },
    "overlap_tokens": {
        "type": "integer", "minimum": 0, "maximum": 500_000, "default": 0,
        "description": "The same in tokens, with max_tokens.",
    },
    "min_chars": {
        "type": "integer", "minimum": 0, "maximum": 1_000_000, "default": 0,
        "description": "Join neighbouring small sections under one parent until they hold this.",
    },
    "prefix_path": {
        "type": "boolean", "default": False,
        "description": "Begin each chunk with its heading path, as in Guide > Install.",
    },
    "front_matter": {
        "type": "string", "enum": ["chunk", "drop"], "default": "chunk",
        "description": "Make a chunk of YAML or TOML at the top, or leave it out.",
    },
    "unit": {
        "type": "string", "enum": ["code_point", "utf16", "utf8"], "default": "code_point",
        "description": "What start and end of a chunk count.",
    },
}  # fmt: skip

TEXT_OUT: Final = {"type": "string"}
COUNT: Final = {"type": "integer", "minimum": 0}
LINE: Final = {"type": "integer", "minimum": 1}
NAMES: Final = {"type": "array", "items": TEXT_OUT}
NEXT: Final = {"type": ["integer", "null"], "minimum": 2}


def object_of(properties: dict[str, Any], optional: tuple[str, ...] = ()) -> dict[str, Any]:
    """The schema of an object with these members and no others."""
    return {
        "type": "object",
        "additionalProperties": False,
        "required": [name for name in properties if name not in optional],
        "properties": properties,
    }


CHUNK_OUT: Final = object_of(
    {
        "id": TEXT_OUT,
        "chunk_id": TEXT_OUT,
        "doc_id": TEXT_OUT,
        "text_sha": TEXT_OUT,
        "source": TEXT_OUT,
        "index": LINE,
        "kind": {"type": "string", "enum": ["section", "preamble", "front_matter"]},
        "heading_path": NAMES,
        "heading_level": {"type": "integer", "minimum": 0, "maximum": 6},
        "anchor": {"type": ["string", "null"]},
        "start_line": LINE,
        "end_line": LINE,
        "start": COUNT,
        "end": COUNT,
        "part": LINE,
        "parts": LINE,
        "chars": COUNT,
        "tokens": COUNT,
        "tokens_exact": {"type": "boolean"},
        "prefix_chars": COUNT,
        "suffix_chars": COUNT,
        "text": TEXT_OUT,
        "headings": NAMES,
    },
    optional=("text", "headings"),
)


def _rows(source: str, text: str, arguments: dict[str, Any]) -> list[Chunk]:
    options = ChunkOptions(**arguments)
    return chunk_rows(text, source, options, counter_of(options.tokenizer))


def _chunk_markdown(arguments: dict[str, Any], roots: Roots | None) -> Result:
    with_text = arguments.pop("include_text", True)
    asked: dict[str, Any] = {
        name: arguments.pop(name) for name in ("start", "limit") if name in arguments
    }
    source, text = _document(arguments, roots)
    rows: list[Any] = list(_rows(source, text, arguments))
    if not with_text:
        for row in rows:
            del row["text"]
    return {"source": source, "total": len(rows), **_page(rows, asked, "chunks", 100)}


CHUNK_MARKDOWN: Final = Door(
    "chunk_markdown",
    "Chunk Markdown",
    "Cut a Markdown document into chunks at its headings, each with heading path, anchor, lines "
    "and exact span, for search, embeddings or citing.\n\n"
    "Use when you need the whole of a long document in pieces. Not to see only its headings (use "
    "outline_markdown), to read one section (get_section) or to keep the chunks in a file "
    "(save_chunks_jsonl). Not for PDF, Word or HTML: convert those first.\n\n"
    "A chunk never mixes sections unless min_chars joins small ones; code blocks and tables stay "
    "whole when they fit, else each part repeats the fence or table header. Sizes are code points, "
    "not tokens, unless max_tokens and tokenizer are given together. overlap_chars is at most half "
    "of max_chars and works only within a section that is cut.{FILES} The same input always gives "
    "the same chunks. Returns at most limit chunks; continue at next_start until it is null. "
    "include_text false gives spans alone. A wrong value is invalid_input, too long a text "
    "limit_exceeded.",
    {
        **CHUNKING,
        **paging(100, 1000, "chunks"),
        "include_text": {
            "type": "boolean", "default": True,
            "description": "Whether the chunks hold their text, or only where it is.",
        },
    },
    [],
    object_of(
        {
            "source": TEXT_OUT, "total": COUNT, "start": LINE,
            "chunks": {"type": "array", "items": CHUNK_OUT}, "next_start": NEXT,
        }
    ),
    _chunk_markdown,
)  # fmt: skip


def _save_chunks(arguments: dict[str, Any], roots: Roots | None) -> Result:
    assert roots is not None
    path = arguments.pop("path")
    source, text = roots.read(path)
    output = arguments.pop("output_path", None)
    if output is None:
        output = str(PurePath(path).with_name(f"{PurePath(path).stem}.chunks.jsonl"))
    if not output.endswith(".jsonl"):
        raise InvalidInput("output_path: must end with .jsonl", field="output_path")
    if roots.same(path, output):
        raise InvalidInput("output_path: is the input", field="output_path")
    rows = _rows(source, text, arguments)
    lines = json_lines(rows)
    written = roots.write(output, lines)
    biggest = max([row["chars"] for row in rows], default=0)
    return {
        "output_path": written, "chunks": len(rows), "bytes": len(lines),
        "biggest_chunk_chars": biggest,
    }  # fmt: skip


SAVE_CHUNKS: Final = Door(
    "save_chunks_jsonl",
    "Save chunks as JSONL",
    "Cut a Markdown file into chunks and write them to a JSONL file, one chunk a line; the chunks "
    "are those of chunk_markdown.\n\n"
    "Use when the chunks are for an index, a database or another program and should not pass "
    "through the conversation. Not to look at chunks (use chunk_markdown).\n\n"
    "Writes one file, at once: it replaces a file of that name, and a failure leaves the old one "
    "as it was. The Markdown file is only read. Both must be below the folders the server was "
    "started for; links are not followed. output_path must end with .jsonl and defaults to "
    "NAME.chunks.jsonl beside the input. overlap_chars is at most half of max_chars; max_tokens "
    "needs tokenizer. Errors: invalid_input, limit_exceeded (file over 10 MB), unreadable_source, "
    "unwritable_output.",
    {
        "path": {
            "type": "string",
            "description": "The Markdown file to cut: UTF-8, at most 10 MB, below a folder the "
            "server was started for.",
        },
        "output_path": {
            "type": "string",
            "description": "Where to write; ends with .jsonl. Default: NAME.chunks.jsonl beside "
            "the input.",
        },
        **CHUNKING,
    },
    ["path"],
    object_of(
        {
            "output_path": TEXT_OUT, "chunks": COUNT, "bytes": COUNT,
            "biggest_chunk_chars": COUNT,
        }
    ),
    _save_chunks,
    writes=True,
    document=False,
)  # fmt: skip


# outline_markdown and get_section


def _outline(arguments: dict[str, Any], roots: Roots | None) -> Result:
    source, text = _document(arguments, roots)
    headings = outline(text, mdx=is_mdx(source))
    return {
        "source": source,
        "count": len(headings),
        **_page(list(headings), arguments, "headings", 500),
    }


OUTLINE_MARKDOWN: Final = Door(
    "outline_markdown",
    "Outline Markdown",
    "List the headings of a Markdown document with level, path, anchor, lines, span and size of "
    "the text under each.\n\n"
    "Use for a map of a long document before reading it, or to find the heading or anchor for "
    "get_section. Not for the text itself (use get_section, or chunk_markdown for all of it).\n\n"
    "Headings are those of CommonMark, # and underlined ones, outside code, HTML, quotes and "
    "lists; front matter is passed over. chars counts a heading's own text, without the sections "
    "under it.{FILES} Returns at most limit headings; continue at next_start until it is null. A "
    "text without headings gives an empty list.",
    paging(500, 5000, "headings"),
    [],
    object_of(
        {
            "source": TEXT_OUT,
            "count": COUNT,
            "start": LINE,
            "headings": {
                "type": "array",
                "items": object_of(
                    {
                        "level": LINE, "title": TEXT_OUT, "path": NAMES, "anchor": TEXT_OUT,
                        "line": LINE, "end_line": LINE, "start": COUNT, "end": COUNT,
                        "chars": COUNT,
                    }
                ),
            },
            "next_start": NEXT,
        }
    ),
    _outline,
)  # fmt: skip


def _get_section(arguments: dict[str, Any], roots: Roots | None) -> Result:
    source, text = _document(arguments, roots)
    anchor = arguments.get("anchor")
    found = get_section(
        text,
        heading=arguments.get("heading") if anchor is None else None,
        anchor=anchor,
        include_subsections=arguments.get("include_subsections", True),
        mdx=is_mdx(source),
    )
    size = len(found["text"].encode())
    if size > MAX_PAGE_BYTES:
        raise LimitExceeded(
            "max_page_bytes", MAX_PAGE_BYTES, size, "bytes of the section (use chunk_markdown)"
        )
    return {"source": source, **found}


GET_SECTION: Final = Door(
    "get_section",
    "Get a section",
    "Return the text of one section of a Markdown document, found by its heading or its anchor.\n\n"
    "Use when one part of a long document is enough, such as Install of a README. Not to see which "
    "sections there are (use outline_markdown) or to get all of them (use chunk_markdown).\n\n"
    "Give heading or anchor; anchor wins where both are given. heading is the whole title in any "
    "case; of several headings with one title the first is returned and matches counts them, so "
    "pick another by its anchor. Sections under it are included unless include_subsections is "
    "false.{FILES} Where nothing matches, the error is invalid_input and names the closest; a "
    "section over 1 MB is limit_exceeded.",
    {
        "heading": {"type": "string", "description": "The whole title, in any case."},
        "anchor": {
            "type": "string",
            "description": "The anchor GitHub gives the heading, such as install-1; a # before it "
            "does not matter.",
        },
        "include_subsections": {
            "type": "boolean", "default": True,
            "description": "Whether the sections under the heading are part of the text.",
        },
    },
    [],
    object_of(
        {
            "source": TEXT_OUT, "title": TEXT_OUT, "heading_path": NAMES, "level": LINE,
            "anchor": TEXT_OUT, "start_line": LINE, "end_line": LINE, "start": COUNT,
            "end": COUNT, "chars": COUNT, "matches": LINE, "text": TEXT_OUT,
        }
    ),
    _get_section,
)  # fmt: skip


# The catalogue


def _search_tools(arguments: dict[str, Any], roots: Roots | None) -> Result:
    query = arguments.pop("query", "")
    found = search(query) if query.strip() else contracts()
    kept = ("id", "version", "description", "supported_operations", "unsupported_operations")
    entries = [{name: contract[name] for name in kept} for contract in found]
    return {"count": len(entries), **_page(entries, arguments, "tools", 20)}


SEARCH_TOOLS: Final = Door(
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

DESCRIBE_TOOL: Final = Door(
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


EXECUTE: Final = Door(
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

ALL: Final = (
    CHUNK_MARKDOWN,
    OUTLINE_MARKDOWN,
    GET_SECTION,
    SAVE_CHUNKS,
    SEARCH_TOOLS,
    DESCRIBE_TOOL,
    EXECUTE,
)
