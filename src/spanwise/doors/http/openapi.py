"""OpenAPI and llms.txt, derived from the contracts."""

from typing import Any

from spanwise import __version__
from spanwise.errors import HTTP_STATUS

Contract = dict[str, Any]

COMMON_STATUSES = (400, 404, 408, 413, 415, 429, 500, 503)
"""What calling a tool may be answered with, beside 200."""


def openapi(contracts: list[Contract]) -> dict[str, Any]:
    """An OpenAPI 3.1 document; each tool has a path of its own, with its schemas as they are."""
    paths: dict[str, Any] = {
        "/v1/tools": {"get": operation("listTools", "List or search the tools.", [QUERY], (413,))},
        "/v1/tools/{id}": {
            "parameters": [ID],
            "get": operation("showTool", "A tool with its versions.", [], (404,)),
        },
        "/v1/tools/{id}/versions/{version}": {
            "parameters": [ID, VERSION],
            "get": operation("showContract", "A contract as it is stored.", [], (404,)),
        },
        "/healthz": {"get": operation("health", "Whether the server takes requests.", [], (503,))},
    }
    for contract in contracts:
        paths[contract["execute_url"]] = {"post": execute_operation(contract)}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "spanwise",
            "version": __version__,
            "description": "Cuts documents into pieces with exact spans. Pure computation: the "
            "same input gives the same output.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {"schemas": {"Error": ERROR_SCHEMA}},
    }


def operation(name: str, summary: str, parameters: list[Any], statuses: Any) -> dict[str, Any]:
    """A GET operation that gives a JSON object."""
    responses: dict[str, Any] = {"200": json_response("The answer.", {"type": "object"})}
    if name != "health":
        responses["304"] = {"description": "Not changed since the ETag in If-None-Match."}
    responses |= {str(status): ERROR_RESPONSE for status in (*statuses, 421, 429, 500)}
    if name == "health":
        responses["503"] = json_response("The server stops.", {"type": "object"})
    return {
        "operationId": name, "summary": summary, "parameters": parameters, "responses": responses
    }  # fmt: skip


def execute_operation(contract: Contract) -> dict[str, Any]:
    """The POST operation that runs a tool."""
    output = {
        "type": "object",
        "additionalProperties": False,
        "required": ["result"],
        "properties": {"result": contract["output_schema"]},
    }
    examples = {
        f"example {number}": {"value": example["input"]}
        for number, example in enumerate(contract["examples"], start=1)
    }
    media = {"schema": contract["input_schema"], "examples": examples}
    return {
        "operationId": f"{contract['id']}@{contract['version']}",
        "summary": contract["description"],
        "description": "\n\n".join(contract["semantics"]),
        "requestBody": {"required": True, "content": {"application/json": media}},
        "responses": {
            "200": json_response("The result.", output),
            **{str(status): ERROR_RESPONSE for status in (*COMMON_STATUSES, 421)},
        },
    }


def json_response(description: str, schema: Any) -> dict[str, Any]:
    """A response with a JSON body."""
    return {"description": description, "content": {"application/json": {"schema": schema}}}


ERROR_SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "additionalProperties": False,
            "required": ["code", "message", "details"],
            "properties": {
                "code": {"type": "string", "enum": sorted(HTTP_STATUS)},
                "message": {"type": "string"},
                "details": {"type": "object"},
            },
        }
    },
}
ERROR_RESPONSE = json_response("An error.", {"$ref": "#/components/schemas/Error"})
QUERY = {
    "name": "query",
    "in": "query",
    "description": "Words to find in ids, descriptions and supported operations.",
    "schema": {"type": "string", "maxLength": 1000},
}
ID = {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
VERSION = {"name": "version", "in": "path", "required": True, "schema": {"type": "string"}}


def llms_txt(contracts: list[Contract]) -> str:
    """What the server offers, in the form of llmstxt.org."""
    tools = [
        f"- [{contract['id']} {contract['version']}]"
        f"(/v1/tools/{contract['id']}/versions/{contract['version']}): {contract['description']}"
        for contract in contracts
    ]
    return "\n".join(
        [
            "# spanwise",
            "",
            "> Cuts documents into pieces that can be cited, checked and built again: every piece "
            "has its exact span, lines and heading path. Pure computation, no model; the same "
            "input gives the same output.",
            "",
            "Read the contract of a tool before calling it: what it supports and does not, its "
            "limits, schemas and examples. Then POST the input object, as application/json, to "
            'the contract\'s address with /execute after it. The answer is {"result": ...} or '
            '{"error": {"code", "message", "details"}}. Over MCP, at /mcp, the tools '
            "search_tools, describe_tool and execute do the same.",
            "",
            "## Tools",
            "",
            *tools,
            "",
            "## API",
            "",
            "- [Search](/v1/tools?query=sentence): tools whose id, description or operations hold "
            "all words of the query",
            "- [OpenAPI](/openapi.json): this API, with the schemas of all tools",
            "",
        ]
    )
