"""The client: a tool run by a server, with the result and the errors it would have here."""

import urllib.error
import urllib.request
from http.client import HTTPException
from typing import Any, Final
from urllib.parse import quote, urlsplit

import orjson

from spanwise import __version__
from spanwise.contract import Result
from spanwise.errors import InvalidInput, SpanwiseError, Unreachable

SECONDS: Final = 60.0


def is_address(url: str) -> bool:
    """Whether a server can be at `url`."""
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # brackets without an end, a port that is no number
        return False


def execute_at(base_url: str, id: str, version: str, input: Any) -> Result:
    """The result of a tool, from the server at `base_url`; the errors of `execute`.

    Raises Unreachable where no answer comes, or one that is not of this service.
    """
    if not is_address(base_url):
        raise InvalidInput(f"not an http or https address: {base_url}", field="base_url")
    tool = f"/v1/tools/{quote(id, safe='')}/versions/{quote(version, safe='')}/execute"
    url = base_url.rstrip("/") + tool
    headers = {"Content-Type": "application/json", "User-Agent": f"spanwise/{__version__}"}
    try:
        request = urllib.request.Request(url, orjson.dumps(input), headers)
        with urllib.request.urlopen(request, timeout=SECONDS) as response:
            body = response.read()
    except urllib.error.HTTPError as error:
        with error:
            body = error.read()
    except (OSError, ValueError, HTTPException) as error:
        reason = getattr(error, "reason", error)
        raise Unreachable(f"no answer from {base_url}: {reason}", url=base_url) from None
    try:
        answer = orjson.loads(body)
        if "error" in answer:
            raise SpanwiseError.from_dict(answer["error"])
        result: Result = answer["result"]
    except (ValueError, TypeError, KeyError, AttributeError):
        raise Unreachable(f"{base_url} does not answer as spanwise does", url=base_url) from None
    return result
