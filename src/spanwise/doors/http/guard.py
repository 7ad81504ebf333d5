"""The guard: what happens to every request, whatever it is for.

Host and Origin are checked, the rate is kept, headers that every answer has are added, an exception
becomes an error, and one line is logged. No log line holds anything from a body, a query or a path:
only route templates and the names of tools there are.
"""

import os
import re
import sys
import time
from typing import Any, Final
from urllib.parse import urlsplit

import orjson
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from spanwise.doors.http.metrics import Metrics
from spanwise.doors.http.rates import Rates
from spanwise.doors.http.settings import LOCAL_HOSTS, Settings
from spanwise.doors.work import log_fault
from spanwise.errors import (
    HTTP_STATUS,
    ForbiddenOrigin,
    InternalError,
    SpanwiseError,
    UnknownHost,
)

JSON: Final = "application/json"

SECURITY_HEADERS: Final = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        b"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
]
CORS_HEADERS: Final = [
    (b"access-control-allow-origin", b"*"),
    (b"access-control-expose-headers", b"ETag, Retry-After, X-Request-Id"),
]
PREFLIGHT_HEADERS: Final = {
    "Access-Control-Allow-Methods": "GET, HEAD, POST",
    "Access-Control-Allow-Headers": "Content-Type, If-None-Match",
    "Access-Control-Max-Age": "86400",
}
UNLIMITED: Final = frozenset(("/healthz", "/metrics"))
"""What is not counted against a client's rate."""

PORT: Final = re.compile(r":\d+\Z")
TRACE: Final = re.compile(rb"[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}")


def error_response(error: SpanwiseError, close: bool = False) -> Response:
    """The answer that tells of an error; `close` ends the connection after it."""
    headers = {"Connection": "close"} if close else {}
    if "retry_after" in error.details:
        headers["Retry-After"] = str(error.details["retry_after"])
    if error.code == "method_not_allowed":
        headers["Allow"] = ", ".join(error.details["allowed"])
    body = orjson.dumps({"error": error.as_dict()})
    return Response(body, HTTP_STATUS.get(error.code, 500), headers, JSON)


def is_open(path: str) -> bool:
    """Whether pages of any origin may use what is at `path`."""
    return path.startswith("/v1/") or path == "/openapi.json"


class Guard:
    """The outermost part of the application."""

    def __init__(self, app: ASGIApp, settings: Settings, metrics: Metrics) -> None:
        """Guard `app`."""
        self.app = app
        self.metrics = metrics
        self.rates = Rates(settings.rate) if settings.rate > 0 else None
        bound = f"[{settings.host}]" if ":" in settings.host else settings.host
        self.hosts = {host.lower() for host in (*LOCAL_HOSTS, bound, *settings.hosts)}
        self.origins = {origin.lower() for origin in settings.origins}
        self.quiet = settings.quiet
        self.draining = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, whatever happens."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = time.perf_counter()
        request_id = os.urandom(8).hex()
        notes: dict[str, Any] = {"status": 0, "bytes_in": 0, "bytes_out": 0}
        scope["spanwise"] = notes
        path: str = scope["path"]
        shared = self._shared_headers(path, request_id)

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                notes["status"] = message["status"]
                message["headers"] = [*message.get("headers", ()), *shared]
            else:
                notes["bytes_out"] += len(message.get("body", b""))
            await send(message)

        try:
            await self._answer(scope, path, receive, sending)
        except Exception as error:
            if not isinstance(error, SpanwiseError):
                log_fault(error)
                error = InternalError("internal error")
            notes["code"] = error.code
            if not notes["status"]:
                await error_response(error)(scope, receive, sending)
        finally:
            self._note(scope, notes, request_id, time.perf_counter() - started)

    async def _answer(self, scope: Scope, path: str, receive: Receive, send: Send) -> None:
        if path == "/mcp":  # blanks around a value are no part of it (RFC 9110, 5.5)
            scope["headers"] = [(name, value.strip(b" \t")) for name, value in scope["headers"]]
        headers = dict(scope["headers"])
        host = headers.get(b"host", b"").decode("latin-1").lower()
        self._check_host(host)
        if not is_open(path):
            self._check_origin(headers.get(b"origin"), host)
        elif scope["method"] == "OPTIONS":
            await Response(b"", 204, PREFLIGHT_HEADERS)(scope, receive, send)
            return
        if self.rates is not None and path not in UNLIMITED:
            client = scope.get("client")
            self.rates.take(client[0] if client else "")
        await self.app(scope, receive, send)

    def _shared_headers(self, path: str, request_id: str) -> list[tuple[bytes, bytes]]:
        headers = [*SECURITY_HEADERS, (b"x-request-id", request_id.encode())]
        if is_open(path):
            headers += CORS_HEADERS
        if self.draining:
            headers.append((b"connection", b"close"))
        return headers

    def _check_host(self, host: str) -> None:
        if PORT.sub("", host) not in self.hosts and "*" not in self.hosts:
            raise UnknownHost("this server does not go by the name in the Host header")

    def _check_origin(self, given: bytes | None, host: str) -> None:
        """Pages of other origins must not reach what is not open; a page of our own may."""
        if given is None or "*" in self.origins:
            return
        origin = given.decode("latin-1").lower()
        if origin not in self.origins and urlsplit(origin).netloc != host:
            raise ForbiddenOrigin("this origin may not use this address; see --allow-origin")

    def _note(self, scope: Scope, notes: dict[str, Any], request_id: str, seconds: float) -> None:
        """Count the request and log it."""
        route = getattr(scope.get("route"), "path", "unmatched")
        code = notes.get("code", "")
        sizes = (notes["bytes_in"], notes["bytes_out"])
        self.metrics.count(route, scope["method"], notes["status"], code, seconds, sizes)
        if self.quiet:
            return
        line: dict[str, Any] = {
            "event": "request",
            "time": round(time.time(), 3),
            "id": request_id,
            "method": scope["method"] if len(scope["method"]) < 10 else "other",
            "route": route,
            "ms": round(seconds * 1000, 2),
            **notes,
        }
        trace = TRACE.fullmatch(dict(scope["headers"]).get(b"traceparent", b""))
        if trace is not None:
            line["trace"] = trace[1].decode()
        sys.stderr.write(orjson.dumps(line).decode() + "\n")
