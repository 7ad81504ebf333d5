"""Every error that spanwise raises on purpose, and what its code means at the doors.

SpanwiseError            anything below; has .code, .message, .details
├── InvalidInput         the input breaks the contract
├── LimitExceeded        a named limit was passed; details: limit, maximum, found
├── UnknownTool          no tool has that id
├── UnknownVersion       the tool has no such version
├── UnreadableSource     a file cannot be read as text
├── UnwritableOutput     a file cannot be written
├── Locked               another run is at work on the same files
├── InternalError        a fault of spanwise itself, told without its particulars
├── Unreachable          the server that was to answer cannot be reached
└── Refused              a door turned the call away before a tool saw it
    ├── NotFound  MethodNotAllowed  UnsupportedMediaType  UnknownHost  ForbiddenOrigin
    └── RequestTimeout  RateLimited  Overloaded
"""

from typing import Any, Final

HTTP_STATUS: Final = {
    "invalid_input": 400,
    "unreadable_source": 400,
    "unwritable_output": 500,
    "locked": 409,
    "unknown_tool": 404,
    "unknown_version": 404,
    "limit_exceeded": 413,
    "internal_error": 500,
    "unreachable": 502,
    "not_found": 404,
    "method_not_allowed": 405,
    "unsupported_media_type": 415,
    "unknown_host": 421,
    "forbidden_origin": 403,
    "request_timeout": 408,
    "rate_limited": 429,
    "overloaded": 503,
}
"""The HTTP status of each error code."""

EXIT_STATUS: Final = {
    "invalid_input": 1,
    "unreadable_source": 1,
    "unwritable_output": 1,
    "locked": 1,
    "unknown_tool": 2,
    "unknown_version": 2,
    "limit_exceeded": 1,
    "internal_error": 1,
    "unreachable": 1,
    "not_found": 2,
    "method_not_allowed": 2,
    "unsupported_media_type": 2,
    "unknown_host": 2,
    "forbidden_origin": 2,
    "request_timeout": 1,
    "rate_limited": 1,
    "overloaded": 1,
}
"""The exit status of the command line for each error code: 1 the input, 2 the call itself."""


class SpanwiseError(Exception):
    """A call that cannot be answered: `code` for programs, `message` for people, `details`."""

    code = "internal_error"

    def __init__(self, message: str, **details: Any) -> None:
        """Keep `message` (names field, limit and number) and the details a program can use."""
        super().__init__(message)
        self.message = message
        self.details: dict[str, Any] = details

    def as_dict(self) -> dict[str, Any]:
        """The error as every door shows it: code, message, details."""
        return {"code": self.code, "message": self.message, "details": self.details}

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle with the details, so that an error survives the way back from a worker."""
        return (_rebuilt, (type(self), self.message, self.details))

    @staticmethod
    def from_dict(data: dict[str, Any]) -> "SpanwiseError":
        """The error that `as_dict` told of, as far as a caller needs it."""
        error = SpanwiseError(str(data.get("message", "")))
        error.code = str(data.get("code", error.code))
        error.details = dict(data.get("details") or {})
        return error


def _rebuilt(kind: type[SpanwiseError], message: str, details: dict[str, Any]) -> SpanwiseError:
    return kind(message, **details)


class InvalidInput(SpanwiseError):
    """The input does not fit the contract; details name the field where one is at fault."""

    code = "invalid_input"


class LimitExceeded(SpanwiseError):
    """A named limit was passed; details: `limit` (its name), `maximum` and `found`."""

    code = "limit_exceeded"

    def __init__(self, limit: str, maximum: int, found: int, what: str) -> None:
        """`what` was counted: it came to `found`, and `limit` allows `maximum`."""
        super().__init__(
            f"{what}: {found} is more than {limit} allows ({maximum})",
            limit=limit,
            maximum=maximum,
            found=found,
        )
        self.what = what

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by the four arguments."""
        details = self.details
        return (type(self), (details["limit"], details["maximum"], details["found"], self.what))


class UnknownTool(SpanwiseError):
    """No tool has the id; details hold the id and the closest ones there are."""

    code = "unknown_tool"


class UnknownVersion(SpanwiseError):
    """The tool has no such version; details list the versions there are."""

    code = "unknown_version"


class UnreadableSource(SpanwiseError):
    """A file is missing, cannot be opened or is not UTF-8; details: source and, for bytes, byte."""

    code = "unreadable_source"


class UnwritableOutput(SpanwiseError):
    """A file cannot be written; details: output."""

    code = "unwritable_output"


class Locked(SpanwiseError):
    """Another run is at work on the same files; details: lock, and process where it is known."""

    code = "locked"


class InternalError(SpanwiseError):
    """A fault of spanwise itself; what it was is logged where it happened, and not told."""


class Unreachable(SpanwiseError):
    """No answer, or none that makes sense, came from the server; details: url."""

    code = "unreachable"


class Refused(SpanwiseError):
    """A door turned the call away before a tool saw it."""


class NotFound(Refused):
    """There is nothing at this address."""

    code = "not_found"


class MethodNotAllowed(Refused):
    """The address does not take this method; details: allowed."""

    code = "method_not_allowed"


class UnsupportedMediaType(Refused):
    """The body is not declared to be plain JSON; details: content_type or content_encoding."""

    code = "unsupported_media_type"


class UnknownHost(Refused):
    """The Host header names a host that the server does not go by."""

    code = "unknown_host"


class ForbiddenOrigin(Refused):
    """The request comes from a web page of another origin."""

    code = "forbidden_origin"


class RequestTimeout(Refused):
    """The request took too long to arrive; details: seconds."""

    code = "request_timeout"


class RateLimited(Refused):
    """The client has made more requests than it may; details: retry_after, in seconds."""

    code = "rate_limited"


class Overloaded(Refused):
    """All workers are busy and the queue is full; details: retry_after, in seconds."""

    code = "overloaded"
