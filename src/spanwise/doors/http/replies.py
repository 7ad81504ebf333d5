"""Replies that several routes give."""

import re
from hashlib import sha256
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from spanwise.doors.http.guard import JSON

MAX_QUERY: Final = 1000


def cached(request: Request, body: bytes, media_type: str = JSON) -> Response:
    """A body that changes only with the server, with a strong ETag; 304 where the client has it."""
    tag = f'"{sha256(body).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": "public, max-age=300"}
    known = request.headers.get("if-none-match", "").strip()
    if known == "*" or tag in re.split(r"\s*,\s*", known.replace("W/", "")):
        return Response(b"", 304, headers)
    return Response(body, 200, headers, media_type)
