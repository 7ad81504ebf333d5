"""Calling an ASGI application within the process, without a socket or a client library."""

import asyncio
from typing import Any, NamedTuple

import orjson


class Reply(NamedTuple):
    """What an application answered; header names are in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return orjson.loads(self.body)


def request(
    app: Any,
    method: str,
    target: str,
    body: bytes | list[bytes] = b"",
    headers: dict[str, str] | None = None,
    client: str = "127.0.0.1",
) -> Reply:
    """One request; a list is a body that arrives in parts."""
    return asyncio.run(ask(app, method, target, body, headers, client))


async def ask(
    app: Any,
    method: str,
    target: str,
    body: bytes | list[bytes] = b"",
    headers: dict[str, str] | None = None,
    client: str = "127.0.0.1",
    receive: Any = None,
) -> Reply:
    """One request, within an event loop; `receive` stands for the rest of the connection."""
    path, _, query = target.partition("?")
    parts = [body] if isinstance(body, bytes) else list(body)
    given = {"host": "127.0.0.1:8000", **(headers or {})}
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.lower().encode(), value.encode()) for name, value in given.items()],
        "client": (client, 50000),
        "server": ("127.0.0.1", 8000),
        "state": {},
    }
    sent: list[Any] = []

    async def receive_parts() -> dict[str, Any]:
        if not parts:
            return {"type": "http.disconnect"}
        part = parts.pop(0)
        return {"type": "http.request", "body": part, "more_body": bool(parts)}

    async def send(message: Any) -> None:
        sent.append(message)

    await app(scope, receive or receive_parts, send)
    start = sent[0]
    found = {name.decode().lower(): value.decode() for name, value in start["headers"]}
    return Reply(start["status"], found, b"".join(m.get("body", b"") for m in sent[1:]))


def post(app: Any, target: str, body: bytes, **headers: str) -> Reply:
    """A POST of JSON."""
    given = {"content-type": "application/json", **headers}
    return request(app, "POST", target, body, given)
