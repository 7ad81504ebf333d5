"""Our server with the tools, resources and prompts that the MCP conformance suite calls.

`python tests/conformance/fixtures.py` serves them beside our own tools, on a port it names on
stderr, through the same guard, routes and MCP server. What the real server has no use for, such as
sessions, streams and asking back, is switched on here, so that the way to it is tested too.
"""

import asyncio
import hashlib
import hmac
import json
import logging
import os
import re
import sys
from collections.abc import Callable
from typing import Any, ClassVar, Final

import mcp_types as types
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ListenHandler,
    PromptsListChanged,
    ToolsListChanged,
)
from mcp.shared.exceptions import MCPError

from spanwise.doors.http.app import Service
from spanwise.doors.http.server import DrainingServer, config_of
from spanwise.doors.http.settings import Settings

PNG: Final = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAF"
    "AAH/iZk9HQAAAABJRU5ErkJggg=="
)
WAV: Final = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA="
KEY: Final = os.urandom(32)

Params = Any
Content = list[dict[str, Any]]


def text(said: str) -> dict[str, Any]:
    """A block of text."""
    return {"type": "text", "text": said}


def resource(uri: str, kind: str, said: str) -> dict[str, Any]:
    """A block with a resource in it."""
    return {"type": "resource", "resource": {"uri": uri, "mimeType": kind, "text": said}}


IMAGE: Final = {"type": "image", "data": PNG, "mimeType": "image/png"}

CONTENTS: Final[dict[str, Content]] = {
    "test_simple_text": [text("This is a simple text response for testing.")],
    "test_image_content": [IMAGE],
    "test_audio_content": [{"type": "audio", "data": WAV, "mimeType": "audio/wav"}],
    "test_embedded_resource": [
        resource("test://embedded-resource", "text/plain", "This is an embedded resource content.")
    ],
    "test_multiple_content_types": [
        text("Multiple content types test:"),
        IMAGE,
        resource(
            "test://mixed-content-resource", "application/json", '{"test":"data","value":123}'
        ),
    ],
    "test_x_header": [text("The header said the same as the body.")],
}
"""Tools that always give the same."""

PROMPTS: Final[dict[str, tuple[list[str], Callable[[dict[str, str]], Content]]]] = {
    "test_simple_prompt": ([], lambda given: [text("This is a simple prompt for testing.")]),
    "test_prompt_with_arguments": (
        ["arg1", "arg2"],
        lambda given: [
            text(f"Prompt with arguments: arg1='{given['arg1']}', arg2='{given['arg2']}'")
        ],
    ),
    "test_prompt_with_embedded_resource": (
        ["resourceUri"],
        lambda given: [
            resource(given["resourceUri"], "text/plain", "Embedded resource content for testing."),
            text("Please process the embedded resource above."),
        ],
    ),
    "test_prompt_with_image": ([], lambda given: [IMAGE, text("Please analyze the image above.")]),
    "test_input_required_result_prompt": ([], lambda given: [text("A prompt with a context.")]),
}
"""Prompts: their arguments, and the contents of their messages."""


# Asking back (protocol 2026-07-28): a result that is a question, and a second call with the answer.


def form(message: str, **properties: str) -> dict[str, Any]:
    """A question to the user."""
    schema = {
        "type": "object",
        "properties": {name: {"type": kind} for name, kind in properties.items()},
        "required": list(properties),
    }
    return {
        "method": "elicitation/create",
        "params": {"mode": "form", "message": message, "requestedSchema": schema},
    }


def sampling(prompt: str, tokens: int) -> dict[str, Any]:
    """A question to the client's model."""
    message = {"role": "user", "content": text(prompt)}
    return {
        "method": "sampling/createMessage",
        "params": {"messages": [message], "maxTokens": tokens},
    }


ROOTS: Final = {"method": "roots/list", "params": {}}
NAME: Final = {"user_name": form("What is your name?", name="string")}
CONFIRM: Final = {"confirm": form("Please confirm", ok="boolean")}

QUESTIONS: Final[dict[str, dict[str, Any]]] = {
    "test_input_required_result_elicitation": NAME,
    "test_input_required_result_sampling": {
        "capital_question": sampling("What is the capital of France?", 100)
    },
    "test_input_required_result_list_roots": {"client_roots": ROOTS},
    "test_input_required_result_request_state": CONFIRM,
    "test_input_required_result_multiple_inputs": {
        **NAME, "greeting": sampling("Generate a greeting", 50), "client_roots": ROOTS,
    },
    "test_input_required_result_multi_round": {
        "step1": form("Step 1: What is your name?", name="string")
    },
    "test_input_required_result_tampered_state": CONFIRM,
    "test_input_required_result_capabilities": {"answer": sampling("Anything", 10), **NAME},
    "test_streaming_elicitation": NAME,
}  # fmt: skip
"""What each of these tools asks first."""
WITH_STATE: Final = re.compile("request_state|multiple_inputs|multi_round|tampered_state")


def signed(state: str) -> str:
    """A state that the client can carry, but not change."""
    return f"{state}.{hmac.new(KEY, state.encode(), hashlib.sha256).hexdigest()}"


def asked(name: str, questions: dict[str, Any], state: str = "") -> dict[str, Any]:
    """A result that asks."""
    result: dict[str, Any] = {"resultType": "input_required", "inputRequests": questions}
    if WITH_STATE.search(name):
        result["requestState"] = signed(f"{name}{state}")
    return result


def ask_back(context: Any, params: Params) -> dict[str, Any]:
    """The question of a tool, or what it gives once it has the answer."""
    name = params.name
    questions = QUESTIONS[name]
    if name == "test_input_required_result_capabilities":
        meta = context.meta or {}
        able = meta.get("io.modelcontextprotocol/clientCapabilities") or {}
        questions = {k: q for k, q in questions.items() if q["method"].split("/")[0] in able}
    answers = params.input_responses or {}
    state = params.request_state
    if state is not None and signed(state.rpartition(".")[0]) != state:
        raise MCPError(types.INVALID_PARAMS, "requestState has been changed")
    if name.endswith("multi_round") and state == signed(f"{name}1"):
        questions = {"step2": form("Step 2: What is your favorite color?", color="string")}
    if not set(questions) <= set(answers):
        return asked(name, questions, "1" if "step2" in questions else "")
    if "step1" in questions:
        return asked(
            name, {"step2": form("Step 2: What is your favorite color?", color="string")}, "1"
        )
    told = {key: dump(answers[key]) for key in questions}
    name_given = (told.get("user_name", {}).get("content") or {}).get("name", "")
    return {"content": [text(f"Hello, {name_given}! state-ok {json.dumps(told)}")]}


def dump(answer: Any) -> dict[str, Any]:
    """An answer as JSON values."""
    found: dict[str, Any] = answer.model_dump(mode="json", by_alias=True, exclude_none=True)
    return found


# Tools that talk while they run


async def report_progress(context: Any, params: Params) -> str:
    """Three reports."""
    for done in (0, 50, 100):
        await context.session.report_progress(done, 100)
        await asyncio.sleep(0.05)
    return "Done."


async def write_log(context: Any, params: Params) -> str:
    """Three log messages."""
    for said in ("started", "processing data", "completed"):
        words = "Tool " + ("execution " if said != "processing data" else "") + said
        await context.session.send_log_message("info", words, related_request_id=context.request_id)
        await asyncio.sleep(0.05)
    return "Done."


async def sample(context: Any, params: Params) -> str:
    """Ask the client's model."""
    question = types.SamplingMessage(
        role="user", content=types.TextContent(text=params.arguments["prompt"])
    )
    told = await context.session.create_message(
        [question], max_tokens=100, related_request_id=context.request_id
    )
    return f"LLM response: {told.content.text}"


async def elicit(context: Any, message: str, properties: dict[str, Any], required: Any = ()) -> str:
    """Ask the user."""
    schema = {"type": "object", "properties": properties, "required": list(required)}
    told = await context.session.elicit_form(message, schema, context.request_id)
    return f"action={told.action}, content={json.dumps(told.content)}"


async def ask_user(context: Any, params: Params) -> str:
    """Ask the user what the arguments say."""
    fields = {"username": "User's response", "email": "User's email address"}
    properties = {name: {"type": "string", "description": d} for name, d in fields.items()}
    told = await elicit(context, params.arguments["message"], properties, properties)
    return f"User response: {told}"


async def ask_defaults(context: Any, params: Params) -> str:
    """Ask with a default of every type."""
    properties = {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {
            "type": "string", "enum": ["active", "inactive", "pending"], "default": "active",
        },
        "verified": {"type": "boolean", "default": True},
    }  # fmt: skip
    return f"Elicitation completed: {await elicit(context, 'Who?', properties)}"


async def ask_choices(context: Any, params: Params) -> str:
    """Ask with every form of choice."""
    plain = [f"option{n}" for n in (1, 2, 3)]
    titled = [{"const": f"value{n}", "title": f"{t} Option"} for n, t in
              ((1, "First"), (2, "Second"), (3, "Third"))]  # fmt: skip
    chosen = [{**item, "title": item["title"].replace("Option", "Choice")} for item in titled]
    properties = {
        "untitledSingle": {"type": "string", "enum": plain},
        "titledSingle": {"type": "string", "oneOf": titled},
        "legacyEnum": {
            "type": "string", "enum": ["opt1", "opt2", "opt3"],
            "enumNames": ["Option One", "Option Two", "Option Three"],
        },
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": plain}},
        "titledMulti": {"type": "array", "items": {"anyOf": chosen}},
    }  # fmt: skip
    return f"Elicitation completed: {await elicit(context, 'Which?', properties)}"


TALKING: Final = {
    "test_tool_with_progress": report_progress,
    "test_tool_with_logging": write_log,
    "test_logging_tool": write_log,
    "test_sampling": sample,
    "test_elicitation": ask_user,
    "test_elicitation_sep1034_defaults": ask_defaults,
    "test_elicitation_sep1330_enums": ask_choices,
}

ANY_OBJECT: Final = {"type": "object", "properties": {}}
SCHEMAS: Final[dict[str, dict[str, Any]]] = {
    "test_sampling": {
        "type": "object", "properties": {"prompt": {"type": "string"}}, "required": ["prompt"],
    },
    "test_elicitation": {
        "type": "object", "properties": {"message": {"type": "string"}}, "required": ["message"],
    },
    "test_x_header": {
        "type": "object",
        "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
        "required": ["region"],
    },
    "json_schema_2020_12_tool": {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef", "type": "object",
                "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
            }
        },
        "properties": {
            "name": {"type": "string"}, "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"}, "email": {"type": "string"},
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]}, "else": {"required": ["email"]},
        "additionalProperties": False,
    },
}  # fmt: skip
NAMES: Final = (
    *CONTENTS, *QUESTIONS, *TALKING, "json_schema_2020_12_tool", "test_error_handling",
    "test_missing_capability", "test_trigger_tool_change", "test_trigger_prompt_change",
)  # fmt: skip


def typed(handler: Any, kind: Any) -> Any:
    """A handler that gives the SDK's results, made from the JSON that `handler` gives."""

    async def handle(context: Any, params: Params) -> Any:
        result = await handler(context, params)
        if kind is None or not isinstance(result, dict):
            return result
        asks = result.get("resultType") == "input_required"
        return (types.InputRequiredResult if asks else kind).model_validate(result)

    return handle


class Fixtures(Service):
    """Our service, which knows the suite's tools, resources and prompts as well."""

    mcp_options: ClassVar = {"json_response": False, "stateless_http": False}

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        server = self.mcp
        listed = server.get_request_handler("tools/list")
        called = server.get_request_handler("tools/call")
        assert listed is not None
        assert called is not None
        self.our_list, self.our_call = listed.handler, called.handler
        our_schema = server.get_tool_input_schema
        assert our_schema is not None
        server.get_tool_input_schema = lambda name: SCHEMAS.get(name) or our_schema(name)
        self.bus = InMemorySubscriptionBus()
        for method, taken, given, handler in (
            ("tools/list", types.PaginatedRequestParams, None, self.list_tools),
            ("tools/call", types.CallToolRequestParams, types.CallToolResult, self.fixture_call),
            ("resources/list", types.PaginatedRequestParams, types.ListResourcesResult,
             list_resources),
            ("resources/templates/list", types.PaginatedRequestParams,
             types.ListResourceTemplatesResult, list_templates),
            ("resources/read", types.ReadResourceRequestParams, types.ReadResourceResult,
             read_resource),
            ("resources/subscribe", types.SubscribeRequestParams, None, accept),
            ("resources/unsubscribe", types.UnsubscribeRequestParams, None, accept),
            ("prompts/list", types.PaginatedRequestParams, types.ListPromptsResult, list_prompts),
            ("prompts/get", types.GetPromptRequestParams, types.GetPromptResult, get_prompt),
            ("completion/complete", types.CompleteRequestParams, types.CompleteResult, complete),
            ("logging/setLevel", types.SetLevelRequestParams, None, accept),
            ("subscriptions/listen", types.SubscriptionsListenRequestParams, None,
             ListenHandler(self.bus)),
        ):  # fmt: skip
            server.add_request_handler(method, taken, typed(handler, given))

    async def list_tools(self, context: Any, params: Params) -> types.ListToolsResult:
        """Our tools, then the suite's."""
        ours = await self.our_list(context, params)
        assert isinstance(ours, types.ListToolsResult)
        theirs = [
            types.Tool(
                name=name, description=f"{name}.", input_schema=SCHEMAS.get(name, ANY_OBJECT)
            )
            for name in NAMES
        ]
        return types.ListToolsResult(tools=[*ours.tools, *theirs])

    async def fixture_call(self, context: Any, params: Params) -> Any:
        """One of the suite's tools; any other is ours."""
        name = params.name
        if name in CONTENTS:
            return {"content": CONTENTS[name]}
        if name in QUESTIONS:
            return ask_back(context, params)
        if name in TALKING:
            return {"content": [text(await TALKING[name](context, params))]}
        if name == "test_error_handling":
            said = "This tool intentionally returns an error for testing"
            return {"content": [text(said)], "isError": True}
        if name == "test_missing_capability":
            needed: Any = {"requiredCapabilities": {"sampling": {}}}
            raise MCPError(types.MISSING_REQUIRED_CLIENT_CAPABILITY, "sampling is needed", needed)
        if name == "test_trigger_tool_change":
            await self.bus.publish(ToolsListChanged())
            return {"content": [text("Changed.")]}
        if name == "test_trigger_prompt_change":
            await self.bus.publish(PromptsListChanged())
            return {"content": [text("Changed.")]}
        return await self.our_call(context, params)


async def accept(context: Any, params: Params) -> dict[str, Any]:
    """Agree to what the client wants."""
    return {}


async def list_resources(context: Any, params: Params) -> dict[str, Any]:
    """The two resources that do not change."""
    kinds = {"test://static-text": "text/plain", "test://static-binary": "image/png"}
    return {
        "resources": [
            {"uri": uri, "name": uri[7:], "description": f"{uri}.", "mimeType": kind}
            for uri, kind in kinds.items()
        ]
    }


async def list_templates(context: Any, params: Params) -> dict[str, Any]:
    """The one template."""
    one = {"uriTemplate": "test://template/{id}/data", "name": "data", "description": "Data."}
    return {"resourceTemplates": [{**one, "mimeType": "application/json"}]}


async def read_resource(context: Any, params: Params) -> dict[str, Any]:
    """A resource, or an error where there is none."""
    uri = str(params.uri)
    if uri == "test://static-text":
        said = "This is the content of the static text resource."
        return {"contents": [{"uri": uri, "mimeType": "text/plain", "text": said}]}
    if uri == "test://static-binary":
        return {"contents": [{"uri": uri, "mimeType": "image/png", "blob": PNG}]}
    if found := re.fullmatch("test://template/(.+)/data", uri):
        data = {"id": found[1], "templateTest": True, "data": f"Data for ID: {found[1]}"}
        return {
            "contents": [{"uri": uri, "mimeType": "application/json", "text": json.dumps(data)}]
        }
    raise MCPError(types.INVALID_PARAMS, "there is no such resource", {"uri": uri})


async def list_prompts(context: Any, params: Params) -> dict[str, Any]:
    """All prompts."""
    return {
        "prompts": [
            {
                "name": name,
                "description": f"{name}.",
                "arguments": [{"name": argument, "required": True} for argument in arguments],
            }
            for name, (arguments, _) in PROMPTS.items()
        ]
    }


async def get_prompt(context: Any, params: Params) -> dict[str, Any]:
    """One prompt; one of them asks back first."""
    if params.name not in PROMPTS:
        raise MCPError(types.INVALID_PARAMS, "there is no such prompt")
    if params.name == "test_input_required_result_prompt" and not params.input_responses:
        context_form = form("What context should the prompt use?", context="string")
        return asked(params.name, {"user_context": context_form})
    blocks = PROMPTS[params.name][1](params.arguments or {})
    return {"messages": [{"role": "user", "content": block} for block in blocks]}


async def complete(context: Any, params: Params) -> dict[str, Any]:
    """Words that begin as the argument does."""
    words = [word for word in ("paris", "park", "party") if word.startswith(params.argument.value)]
    return {"completion": {"values": words, "total": len(words), "hasMore": False}}


def main() -> None:
    """Serve until ended."""
    logging.basicConfig(level=logging.ERROR, stream=sys.stderr)
    service = Fixtures(Settings(port=0, workers=1, quiet=True))
    DrainingServer(
        config_of(service), service, lambda url: print(f"running on {url}", file=sys.stderr)
    ).run()


if __name__ == "__main__":
    main()
