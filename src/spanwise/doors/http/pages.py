"""Pages for people, rendered here and readable without scripts; all that is in them is derived."""

import json
import shlex
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import orjson
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from spanwise import __version__
from spanwise.catalogue import all_tools, contracts, get_tool, search
from spanwise.doors.http.replies import MAX_QUERY, cached
from spanwise.doors.mcp.markdown_tools import CHUNK_MARKDOWN
from spanwise.errors import HTTP_STATUS, LimitExceeded, NotFound, SpanwiseError
from spanwise.tokens import ENCODINGS

HERE: Final = Path(__file__).parent
STATIC: Final = {"style.css": "text/css", "play.js": "text/javascript"}
MAX_RELATED: Final = 6

Contract = dict[str, Any]


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["pretty"] = lambda value: json.dumps(value, indent=2, ensure_ascii=False)
    environment.filters["facts"] = facts
    environment.filters["data"] = data
    environment.filters["words"] = lambda name: name.replace("_", " ")
    environment.globals["version"] = __version__
    return environment


def page(template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A rendered template."""
    return HTMLResponse(_environment().get_template(template).render(values), status)


def error_page(error: SpanwiseError) -> HTMLResponse:
    """An error, for people."""
    return page("error.html", HTTP_STATUS.get(error.code, 500), error=error.as_dict())


def routes(document: tuple[str, str] | None) -> list[BaseRoute]:
    """All pages; `document` is the name and text that the playground begins with."""

    async def playground(request: Request) -> Response:
        name, text = document or ("", EXAMPLE)
        return page("playground.html", source=name, text=text, choices=choices())

    return [
        Route("/", start),
        Route("/tools/{id}", tool_page),
        Route("/tools/{id}/{version}", tool_page),
        Route("/playground", playground),
        Route("/static/{name}", static),
    ]


async def start(request: Request) -> Response:
    """The start page: all tools, or those that `?query=` finds."""
    query = request.query_params.get("query", "").strip()
    if len(query) > MAX_QUERY:
        raise LimitExceeded("max_query_chars", MAX_QUERY, len(query), "characters of query")
    found = search(query) if query else contracts()
    return page("start.html", query=query, tools=found)


async def tool_page(request: Request) -> Response:
    """The page of a tool: the newest version, or the one in the address."""
    contract = get_tool(request.path_params["id"], request.path_params.get("version")).contract.data
    example = contract["examples"][0]
    return page(
        "tool.html",
        contract=contract,
        versions=list(all_tools()[contract["id"]]),
        example=example,
        calls=calls(contract, example["input"], str(request.base_url).rstrip("/")),
        related=related(contract),
    )


def calls(contract: Contract, input: Any, base: str) -> list[dict[str, str]]:
    """How the example is run at each door."""
    tool, version = contract["id"], contract["version"]
    compact = json.dumps(input, ensure_ascii=False)
    execute = json.dumps({"id": tool, "version": version, "input": input}, indent=2)
    return [
        {
            "door": "MCP",
            "note": f"Connect {base}/mcp, or start spanwise mcp; then call execute with",
            "code": execute,
        },
        {
            "door": "HTTP",
            "note": "No key is needed.",
            "code": f"curl -X POST {base}{contract['execute_url']} \\\n"
            f"  -H 'Content-Type: application/json' \\\n  -d {shlex.quote(compact)}",
        },
        {
            "door": "Command line",
            "note": "Here, or with --base-url at a server.",
            "code": f"printf %s {shlex.quote(compact)} |\n"
            f"  spanwise run {tool} {version} --input -",
        },
        {
            "door": "Python",
            "note": "Raises spanwise.SpanwiseError, which has a code.",
            "code": f"import spanwise\n\nspanwise.execute({tool!r}, {version!r}, {input!r})",
        },
    ]


def related(contract: Contract) -> list[Contract]:
    """Other tools: those the contract names, those about the same subject, those that do alike."""
    newest = [list(versions.values())[-1].contract.data for versions in all_tools().values()]
    others = [other for other in newest if other["id"] != contract["id"]]
    prose = " ".join(contract["unsupported_operations"] + contract["semantics"])
    subject, *rest = contract["id"].split("-")
    named = [other for other in others if other["id"] in prose]
    near = [other for other in others if other["id"].split("-")[0] == subject]
    alike = [other for other in others if set(other["id"].split("-")) & set(rest)]
    return list({other["id"]: other for other in named + near + alike}.values())[:MAX_RELATED]


def facts(schema: Any) -> str:
    """Type and bounds of a schema in a few words."""
    kinds = schema.get("type", "any value")
    said = [" or ".join(kinds) if isinstance(kinds, list) else kinds]
    if "items" in schema and "type" in schema["items"]:
        inner = schema["items"]["type"]
        said[0] += f" of {' or '.join(inner) if isinstance(inner, list) else inner}"
    if "enum" in schema:
        said.append("one of " + ", ".join(json.dumps(value) for value in schema["enum"]))
    if "const" in schema:
        said.append("always " + json.dumps(schema["const"]))
    bounds: dict[str, Callable[[Any], str]] = {
        "minimum": lambda value: f"at least {value:,}",
        "maximum": lambda value: f"at most {value:,}",
        "minLength": lambda value: f"at least {value:,} characters",
        "maxLength": lambda value: f"at most {value:,} characters",
        "maxItems": lambda value: f"at most {value:,} items",
    }
    said += [words(schema[name]) for name, words in bounds.items() if name in schema]
    return ", ".join(said)


async def static(request: Request) -> Response:
    """A style sheet or script of the pages."""
    name = request.path_params["name"]
    if name not in STATIC:
        raise NotFound("there is nothing at this address")
    return cached(request, (HERE / "static" / name).read_bytes(), f"{STATIC[name]}; charset=utf-8")


# The playground


EXAMPLE: Final = """# Tea

Leaves, water and a little patience.

## Green

Steep at 80 °C for two minutes. Never boil it. 🍵

```sh
# not a heading
kettle --heat 80
```

## Black

| kind | minutes |
| --- | --- |
| Assam | 4 |
| Darjeeling | 3 |
"""


def choices() -> list[dict[str, Any]]:
    """The tools that cut a text into spans; first those that tell what they add to a span."""
    found: list[dict[str, Any]] = []
    for contract in contracts():
        properties = contract["input_schema"]["properties"]
        members = contract["output_schema"]["properties"]
        text = next((name for name in ("markdown", "text") if name in properties), None)
        rows = next(filter(None, map(rows_name, members.items())), None)
        if text is None or rows is None:
            continue
        taken = (text, "unit")
        choice = {
            "label": f"{contract['id']} {contract['version']}",
            "name": contract["id"],
            "version": contract["version"],
            "url": contract["execute_url"],
            "text": text,
            "rows": rows,
            "unit": "unit" in properties,
            "options": {name: schema for name, schema in properties.items() if name not in taken},
            "required": contract["input_schema"]["required"],
            "example": contract["examples"][0]["input"],
        }
        adds = "prefix_chars" in members[rows]["items"]["properties"]
        found.insert(0 if adds else len(found), choice)
    if find_spec("splintr"):
        found.insert(1, by_tokens())
    return found


def by_tokens() -> dict[str, Any]:
    """The choice that cuts by tokens: what the catalogue gives must not depend on an extra."""
    taken = ("limit", "start", "include_text", "unit")
    return {
        "label": f"{CHUNK_MARKDOWN.name}, sizes in tokens",
        "name": CHUNK_MARKDOWN.name,
        "version": "",
        "url": "/mcp",
        "text": "text",
        "rows": "chunks",
        "unit": True,
        "options": {n: s for n, s in CHUNK_MARKDOWN.properties.items() if n not in taken},
        "required": ["max_tokens", "tokenizer"],
        "example": {"max_tokens": 200, "tokenizer": ENCODINGS[0]},
    }


def rows_name(member: tuple[str, Any]) -> str | None:
    """The name of an output member that is a list of spans; None for any other."""
    name, schema = member
    row = schema.get("items", {}).get("properties", {})
    return name if {"start", "end"} <= set(row) else None


def data(value: Any) -> str:
    """JSON that may stand in a script element."""
    return orjson.dumps(value).decode().replace("<", "\\u003c")
