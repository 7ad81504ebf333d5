"""The named tools for Markdown: chunks, to be seen or saved; the outline; one section."""

from pathlib import PurePath
from typing import Any, Final

import orjson

from spanwise.catalogue import get_tool
from spanwise.contract import Result
from spanwise.doors.mcp.named_tool import (
    COUNT,
    LINE,
    MAX_PAGE_BYTES,
    NAMES,
    NEXT,
    TEXT_OUT,
    Loaded,
    NamedTool,
    document,
    loaded,
    object_of,
    page,
    paging,
)
from spanwise.doors.mcp.roots import Roots
from spanwise.errors import InvalidInput, LimitExceeded
from spanwise.formats import MARKDOWN, Settings
from spanwise.formats.sandbox import chunked
from spanwise.markdown.options import ChunkOptions, is_mdx
from spanwise.markdown.outlining import get_section, outline
from spanwise.rows import chunk_rows, json_lines
from spanwise.tokens import ENCODINGS, counter_of


def _output_of(tool: str) -> dict[str, Any]:
    """The members of the result of a tool of the catalogue, which has the same rows."""
    members: dict[str, Any] = get_tool(tool).contract.data["output_schema"]["properties"]
    return members


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

_CHUNK: Final = _output_of("markdown-chunk")["chunks"]["items"]
_PLACES: Final = {"type": "array", "items": {"type": "object"}}
_OF_DOCUMENTS: Final[dict[str, Any]] = {
    "media_type": TEXT_OUT,
    "title": TEXT_OUT,
    "pages": {
        "type": ["object", "null"],
        "required": ["first", "last", "labels"],
        "properties": {"first": LINE, "last": LINE, "labels": NAMES},
    },
    "regions": _PLACES,
    "prefix_regions": _PLACES,
}
"""What chunks of converted documents have besides."""
CHUNK_OUT: Final = object_of(
    _CHUNK["properties"] | _OF_DOCUMENTS, optional=("text", "headings", *_OF_DOCUMENTS)
)


def _rows(found: Loaded, arguments: dict[str, Any]) -> list[Any]:
    options = ChunkOptions(**arguments)
    if found.media_type != MARKDOWN:
        _, lines = chunked(found.data, found.source, found.media_type, options, Settings())
        return [orjson.loads(line) for line in lines.splitlines()]
    return list(chunk_rows(found.text, found.source, options, counter_of(options.tokenizer)))


def _chunk_markdown(arguments: dict[str, Any], roots: Roots | None) -> Result:
    with_text = arguments.pop("include_text", True)
    asked: dict[str, Any] = {
        name: arguments.pop(name) for name in ("start", "limit") if name in arguments
    }
    found = document(arguments, roots)
    rows = _rows(found, arguments)
    if not with_text:
        for row in rows:
            del row["text"]
    return {"source": found.source, "total": len(rows), **page(rows, asked, "chunks", 100)}


CHUNK_MARKDOWN: Final = NamedTool(
    "chunk_markdown",
    "Chunk Markdown",
    "Cut a Markdown document into chunks at its headings, each with heading path, anchor, lines "
    "and exact span, for search, embeddings or citing.\n\n"
    "Use when you need the whole of a long document in pieces. Not to see only its headings (use "
    "outline_markdown), to read one section (get_section) or to keep the chunks in a file "
    "(save_chunks_jsonl).{FORMATS}\n\n"
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
    found = loaded(path, roots)
    output = arguments.pop("output_path", None)
    if output is None:
        output = str(PurePath(path).with_name(f"{PurePath(path).stem}.chunks.jsonl"))
    if not output.endswith(".jsonl"):
        raise InvalidInput("output_path: must end with .jsonl", field="output_path")
    if roots.same(path, output):
        raise InvalidInput("output_path: is the input", field="output_path")
    rows = _rows(found, arguments)
    lines = json_lines(rows)
    written = roots.write(output, lines)
    biggest = max([row["chars"] for row in rows], default=0)
    return {
        "output_path": written, "chunks": len(rows), "bytes": len(lines),
        "biggest_chunk_chars": biggest,
    }  # fmt: skip


SAVE_CHUNKS: Final = NamedTool(
    "save_chunks_jsonl",
    "Save chunks as JSONL",
    "Cut a Markdown file or another document into chunks and write them to a JSONL file, one chunk "
    "a line; the chunks are those of chunk_markdown.\n\n"
    "Use when the chunks are for an index, a database or another program and should not pass "
    "through the conversation. Not to look at chunks (use chunk_markdown).\n\n"
    "Writes one file, at once: it replaces a file of that name, and a failure leaves the old one "
    "as it was. The document is only read. Both must be below the folders the server was "
    "started for; links are not followed. output_path must end with .jsonl and defaults to "
    "NAME.chunks.jsonl beside the input. overlap_chars is at most half of max_chars; max_tokens "
    "needs tokenizer. Errors: invalid_input, limit_exceeded (file over 10 MB), unreadable_source, "
    "unwritable_output.",
    {
        "path": {
            "type": "string",
            "description": "The file to cut: Markdown or text in UTF-8, or a PDF, Word, HTML or "
            "other document; at most 10 MB, below a folder the server was started for.",
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
    found = document(arguments, roots)
    headings = outline(found.text, mdx=is_mdx(found.source))
    return {
        "source": found.source,
        "count": len(headings),
        **page(list(headings), arguments, "headings", 500),
    }


OUTLINE_MARKDOWN: Final = NamedTool(
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
                "items": _output_of("markdown-outline")["headings"]["items"],
            },
            "next_start": NEXT,
        }
    ),
    _outline,
)  # fmt: skip


def _get_section(arguments: dict[str, Any], roots: Roots | None) -> Result:
    given = document(arguments, roots)
    anchor = arguments.get("anchor")
    found = get_section(
        given.text,
        heading=arguments.get("heading") if anchor is None else None,
        anchor=anchor,
        include_subsections=arguments.get("include_subsections", True),
        mdx=is_mdx(given.source),
    )
    size = len(found["text"].encode())
    if size > MAX_PAGE_BYTES:
        raise LimitExceeded(
            "max_page_bytes", MAX_PAGE_BYTES, size, "bytes of the section (use chunk_markdown)"
        )
    return {"source": given.source, **found}


GET_SECTION: Final = NamedTool(
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
    object_of({"source": TEXT_OUT, **_output_of("markdown-section-get")}),
    _get_section,
)  # fmt: skip
