"""What a tool of the MCP door is, and what several of them share: documents, pages, shapes.

A tool that takes a document takes it as text or, from a server on the same machine, as the path of
a file; over HTTP there are no paths, and nothing is written.
"""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import orjson

from spanwise.contract import Result
from spanwise.doors.mcp.roots import Roots
from spanwise.errors import InvalidInput
from spanwise.files import decode
from spanwise.formats import MARKDOWN
from spanwise.formats.sniffing import media_type
from spanwise.library import convert_bytes

MAX_TEXT_BYTES: Final = 1_048_576
"""The longest text in a call; a file may be longer, see MAX_FILE_BYTES."""
MAX_PAGE_BYTES: Final = 1_000_000
"""A page ends before the item that would make it longer, unless it would be empty."""

Run = Callable[[dict[str, Any], Roots | None], Result]


@dataclass(frozen=True, slots=True)
class NamedTool:
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
        said = self.description.replace("{FILES}", FILES if local else "")
        return said.replace("{FORMATS}", "" if local else FORMATS)


# Documents


PATH: Final = {
    "type": "string",
    "description": "A Markdown or text file in UTF-8, or a PDF, Word, HTML or other document; at "
    "most 10 MB, below a folder the server was started for; a relative path starts at the first of "
    "these. Leave out when giving text.",
}
TEXT: Final = {
    "type": "string",
    "description": "The Markdown text itself, at most 1 MiB of UTF-8.",
}
FILES: Final = (
    " Give exactly one of path and text; both or neither is invalid_input. Files are read only "
    "below the server's folders, links are not followed, and a PDF, Word, HTML or other document "
    "is read as the Markdown it becomes."
)
FORMATS: Final = " Not for PDF, Word or HTML: convert those first."


class Loaded(NamedTuple):
    """A document: its name, its text, and of one that was converted the file it is in."""

    source: str
    text: str
    media_type: str = MARKDOWN
    data: bytes = b""


def document(arguments: dict[str, Any], roots: Roots | None) -> Loaded:
    """The document that was given."""
    path = arguments.pop("path", None)
    text = arguments.pop("text", None)
    if (path is None) == (text is None):
        given = "neither" if path is None else "both"
        raise InvalidInput(f"give either path or text ({given} given)", field="path")
    if path is None or roots is None:
        return Loaded("text", text or "")
    return loaded(path, roots)


def loaded(path: str, roots: Roots) -> Loaded:
    """The document in a file."""
    name, data = roots.read_bytes(path)
    found = media_type(data, name)
    if found == MARKDOWN:
        return Loaded(name, decode(data, name))
    return Loaded(name, convert_bytes(data, name)["text"], found, data)


# Pages


def page(items: list[Any], arguments: dict[str, Any], name: str, limit: int) -> dict[str, Any]:
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


# Shapes of results


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
