"""The application: routes over the catalogue. No route knows any tool."""

import asyncio
import contextlib
import gc
import re
from collections.abc import AsyncIterator
from typing import Any, ClassVar, Final

import orjson
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from spanwise import __version__
from spanwise.catalogue import Tool, all_tools, contracts, get_tool, search
from spanwise.doors.http.guard import JSON, Guard, error_response
from spanwise.doors.http.metrics import Metrics
from spanwise.doors.http.openapi import llms_txt, openapi
from spanwise.doors.http.pages import error_page
from spanwise.doors.http.pages import routes as page_routes
from spanwise.doors.http.pool import Pool
from spanwise.doors.http.replies import MAX_QUERY, cached
from spanwise.doors.http.settings import Settings, default_workers
from spanwise.doors.mcp.named_tool import MAX_TEXT_BYTES
from spanwise.doors.mcp.server import make_server
from spanwise.doors.work import Answer, failure
from spanwise.errors import (
    InternalError,
    LimitExceeded,
    MethodNotAllowed,
    NotFound,
    Overloaded,
    Refused,
    RequestTimeout,
    SpanwiseError,
    UnsupportedMediaType,
)

ESCAPED: Final = 6
"""Bytes of JSON that a byte of text may take, as in \\u0041."""
BODY_MARGIN: Final = 64 << 10
DEFAULT_BODY: Final = 4 << 20
"""The longest body for a tool that does not limit its text."""
LINGER_SECONDS: Final = 1.0
LINGER_BYTES: Final = 16 << 20


class Service:
    """One server: its settings, its pool, its counters and its application."""

    mcp_options: ClassVar[dict[str, Any]] = {"json_response": True, "stateless_http": True}

    def __init__(self, settings: Settings) -> None:
        """Prepare; nothing runs before the application's lifespan begins."""
        all_tools()  # read the contracts now, not in the first request
        self.settings = settings
        self.pool = Pool(settings.workers or default_workers(), settings.queue)
        self.metrics = Metrics()
        self.bytes_in_flight = 0
        self.mcp = make_server(self.call_tool, local=False)
        mcp_app = self.mcp.streamable_http_app(
            **self.mcp_options,
            max_request_body_size=ESCAPED * MAX_TEXT_BYTES + BODY_MARGIN,
            # The guard checks Host and Origin, for all addresses in one way.
            transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        )
        self.mcp_routes = mcp_app.routes
        self.inner = Starlette(
            routes=self._routes(),
            exception_handlers={
                SpanwiseError: on_error,
                HTTPException: on_http_exception,
                Exception: on_fault,
            },
            lifespan=self._lifespan,
        )
        self.inner.router.redirect_slashes = False  # there is one address for each thing
        self.guard = Guard(self.inner, settings, self.metrics)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The application, as uvicorn and tests call it."""
        await self.guard(scope, receive, send)

    def _routes(self) -> list[BaseRoute]:
        routes: list[BaseRoute] = []
        if not self.settings.mcp_only:
            contract = "/v1/tools/{id}/versions/{version}"
            routes += [
                Route(f"{contract}/execute", self.execute, methods=["POST"]),  # the most used first
                Route(contract, show_contract),
                Route("/v1/tools/{id}", show_tool),
                Route("/v1/tools", list_tools),
                Route("/openapi.json", show_openapi),
                Route("/llms.txt", show_llms_txt),
                *page_routes(self.settings.document),
            ]
        routes += self.mcp_routes
        routes += [Route("/healthz", self.health), Route("/metrics", self.show_metrics)]
        return routes

    @contextlib.asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        try:
            await self.pool.start()
            async with self.mcp.session_manager.run():
                gc.collect()
                gc.freeze()  # what the libraries made stays; a full collection would stall
                yield
        finally:
            await self.pool.stop()

    async def health(self, request: Request) -> Response:
        """Whether the server takes requests: 200, or 503 while it stops."""
        draining = self.guard.draining
        state = {"status": "draining" if draining else "ok", "version": __version__}
        return Response(
            orjson.dumps(state), 503 if draining else 200, {"Cache-Control": "no-store"}, JSON
        )

    async def show_metrics(self, request: Request) -> Response:
        """Counters for Prometheus."""
        gauges = {
            "workers": self.pool.size,
            "workers_busy": self.pool.busy,
            "worker_restarts": self.pool.restarts,
            "queue_length": self.pool.queued,
            "bytes_in_flight": self.bytes_in_flight,
        }
        return PlainTextResponse(self.metrics.text(gauges), headers={"Cache-Control": "no-store"})

    async def execute(self, request: Request) -> Response:
        """Run a tool on the object in the body, in a worker process."""
        tool = tool_of(request)
        notes = request.scope["spanwise"]
        notes["tool"] = tool.contract.id
        notes["version"] = tool.contract.version
        check_content_type(request.headers)
        body = await self.read_body(request, max_body_bytes(tool.contract.data["limits"]))
        self.bytes_in_flight += len(body)
        try:
            done = await self.pool.run(f"execute {tool.contract.id} {tool.contract.version}", body)
        finally:
            self.bytes_in_flight -= len(body)
        if done.code:
            notes["code"] = done.code
        return Response(done.body, done.status, media_type=JSON)

    async def call_tool(self, name: str, arguments: dict[str, Any]) -> Answer:
        """Run a tool of the MCP door in a worker process."""
        try:
            return await self.pool.run(f"call {name}", orjson.dumps(arguments))
        except SpanwiseError as error:
            return failure(error)

    async def read_body(self, request: Request, maximum: int) -> bytes:
        """The body; LimitExceeded, RequestTimeout or Overloaded where it is too much."""
        notes = request.scope["spanwise"]
        declared = request.headers.get("content-length", "")
        if declared.isdecimal() and int(declared) > maximum:
            raise too_long(maximum, int(declared))
        seconds = self.settings.body_seconds
        body = bytearray()
        try:
            async with asyncio.timeout(seconds):
                async for part in request.stream():
                    body += part
                    self.bytes_in_flight += len(part)
                    notes["bytes_in"] = len(body)
                    if len(body) > maximum:
                        raise too_long(maximum, len(body))
                    if self.bytes_in_flight > self.settings.max_bytes_in_flight:
                        raise Overloaded("too many long requests at once", retry_after=1)
        except TimeoutError:
            raise RequestTimeout(
                f"the body did not arrive within {seconds:g} s", seconds=seconds
            ) from None
        except ClientDisconnect:
            raise RequestTimeout("the connection ended within the body", seconds=seconds) from None
        finally:
            self.bytes_in_flight -= len(body)
        return bytes(body)


async def on_error(request: Request, error: Exception) -> Response:
    """The answer to a SpanwiseError; where the body was not read to its end, hang up after it."""
    assert isinstance(error, SpanwiseError)
    request.scope["spanwise"]["code"] = error.code
    unread = request.method == "POST" and (
        isinstance(error, Refused) or error.details.get("limit") == "max_body_bytes"
    )
    awaited = "expect" in request.headers  # such a client sends nothing before it is told to
    if unread and not awaited and not isinstance(error, RequestTimeout):
        await discard(request)
    if is_page(request):
        return error_page(error)
    return error_response(error, close=unread)


def is_page(request: Request) -> bool:
    """Whether a person is looking: a browser asks for HTML where there is no API."""
    path = request.url.path
    wants_html = "text/html" in request.headers.get("accept", "")
    return wants_html and request.method == "GET" and not path.startswith(("/v1/", "/mcp"))


async def discard(request: Request) -> None:
    """Take in some more of a body nobody wants: hanging up at once would lose our answer too."""
    size = 0
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(LINGER_SECONDS):
            while size < LINGER_BYTES:
                message = await request.receive()
                size += len(message.get("body", b""))
                if message["type"] != "http.request" or not message.get("more_body"):
                    return


async def on_http_exception(request: Request, error: Exception) -> Response:
    """What Starlette says of an address or a method, in our words."""
    assert isinstance(error, HTTPException)
    if error.status_code == 405:
        allowed = sorted((error.headers or {}).get("Allow", "").split(", "))
        message = f"this address does not take {request.method[:20]}"
        return await on_error(request, MethodNotAllowed(message, allowed=allowed))
    return await on_error(request, NotFound("there is nothing at this address; see /llms.txt"))


async def on_fault(request: Request, error: Exception) -> Response:
    """The answer to any other exception, which the guard logs."""
    return error_response(InternalError("internal error"))


def too_long(maximum: int, found: int) -> LimitExceeded:
    """The error for a body that is longer than any input of the tool can be."""
    return LimitExceeded("max_body_bytes", maximum, found, "bytes of body")


def max_body_bytes(limits: dict[str, int]) -> int:
    """The longest body that may hold an input within `limits`, whatever is escaped in it."""
    sizes = {
        name: size
        for name, size in limits.items()
        if re.fullmatch(r"max_\w+_bytes", name) and name != "max_output_bytes"
    }
    if not sizes:
        return DEFAULT_BODY
    return ESCAPED * sizes.get("max_input_bytes", sum(sizes.values())) + BODY_MARGIN


def check_content_type(headers: Headers) -> None:
    """Raise UnsupportedMediaType unless the body is declared as JSON in UTF-8, as it is."""
    declared = headers.get("content-type", "")
    kind, _, parameters = declared.lower().partition(";")
    charset = re.search(r'charset\s*=\s*"?([\w.-]+)', parameters)
    if kind.strip() != JSON or not (charset is None or charset[1] in ("utf-8", "utf8")):
        raise UnsupportedMediaType(
            f"the body must be declared as {JSON}, in UTF-8", content_type=declared[:100]
        )
    coding = headers.get("content-encoding", "identity").strip().lower()
    if coding != "identity":
        raise UnsupportedMediaType("the body must not be compressed", content_encoding=coding[:100])


def tool_of(request: Request) -> Tool:
    """The tool that the address names; UnknownTool or UnknownVersion."""
    return get_tool(request.path_params["id"], request.path_params["version"])


def entry(contract: dict[str, Any]) -> dict[str, Any]:
    """A contract in a list: enough to choose by."""
    address = f"/v1/tools/{contract['id']}/versions/{contract['version']}"
    kept = {
        name: contract[name] for name in ("id", "version", "description", "supported_operations")
    }
    return {**kept, "contract_url": address, "execute_url": f"{address}/execute"}


async def list_tools(request: Request) -> Response:
    """The tools, or those that `?query=` finds."""
    query = request.query_params.get("query", "")
    if len(query) > MAX_QUERY:
        raise LimitExceeded("max_query_chars", MAX_QUERY, len(query), "characters of query")
    found = search(query) if query.strip() else contracts()
    return cached(request, orjson.dumps({"tools": [entry(contract) for contract in found]}))


async def show_tool(request: Request) -> Response:
    """A tool with its versions, oldest first."""
    newest = get_tool(request.path_params["id"]).contract
    versions = [entry(tool.contract.data) for tool in all_tools()[newest.id].values()]
    body = {
        "id": newest.id,
        "description": newest.data["description"],
        "latest": newest.version,
        "versions": versions,
    }
    return cached(request, orjson.dumps(body))


async def show_contract(request: Request) -> Response:
    """A contract, byte for byte as it is stored."""
    return cached(request, (tool_of(request).folder / "contract.json").read_bytes())


async def show_openapi(request: Request) -> Response:
    """The description of this API for programs."""
    return cached(request, orjson.dumps(openapi(contracts())))


async def show_llms_txt(request: Request) -> Response:
    """The description of this server for language models."""
    return cached(request, llms_txt(contracts()).encode(), "text/plain; charset=utf-8")
