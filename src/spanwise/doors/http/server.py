"""Running the application: sockets, time-outs for slow clients, and stopping without a loss."""

import asyncio
import logging
import re
import socket
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import orjson
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from spanwise.doors.http.app import Service
from spanwise.doors.http.guard import JSON, SECURITY_HEADERS
from spanwise.doors.http.settings import Settings
from spanwise.errors import InvalidInput

try:
    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
except ImportError:  # httptools is optional
    HttpToolsProtocol = H11Protocol  # type: ignore[misc, assignment]

MAX_HEADER_BYTES: Final = 64 << 10
BACKLOG: Final = 2048
OFFER: Final = re.compile(rb"\r\nupgrade:[ \t]*h2c[ \t]*(?=\r\n|\Z)", re.IGNORECASE)
"""An offer to go on in HTTP/2, which Java's client makes unasked. A server may pass it over, but
the parser would end the request at it, before its body."""

log = logging.getLogger("spanwise")

if TYPE_CHECKING:
    Base = H11Protocol
else:
    Base = HttpToolsProtocol


class PatientProtocol(Base):
    """uvicorn's protocol, which waits for a request line and headers only so long.

    The clock runs from the opening of the connection, and after a response from the first byte of
    the next request; uvicorn itself ends connections that stay idle between requests.
    """

    header_seconds = 10.0
    max_connections = 1000
    header_timer: asyncio.TimerHandle | None = None

    header_bytes = 0

    def connection_made(self, transport: Any) -> None:
        """Start the clock, or hang up where there are too many connections."""
        super().connection_made(transport)
        if len(self.connections) > self.max_connections:
            transport.abort()
        else:
            self._wait_for_headers()

    def data_received(self, data: bytes) -> None:
        """Stop the clock when a request has begun; refuse headers without an end."""
        if self.header_bytes == 0 and b"h2c" in data[:4096]:
            head, end, body = data.partition(b"\r\n\r\n")
            data = OFFER.sub(b"", head) + end + body
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_waiting()
            return
        self.header_bytes += len(data)
        if self.header_bytes > MAX_HEADER_BYTES:
            self.transport.abort()
        elif self.header_timer is None:
            self._wait_for_headers()

    def send_400_response(self, msg: str) -> None:
        """Say in our words that this is no HTTP, and hang up."""
        error = InvalidInput("this is not a valid HTTP/1.1 request", field="")
        body = orjson.dumps({"error": error.as_dict()})
        headers = [
            (b"content-type", JSON.encode()),
            (b"content-length", b"%d" % len(body)),
            *SECURITY_HEADERS,
            (b"connection", b"close"),
        ]
        lines = b"".join(b"%b: %b\r\n" % header for header in headers)
        self.transport.write(b"HTTP/1.1 400 Bad Request\r\n" + lines + b"\r\n" + body)
        self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clock."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait_for_headers(self) -> None:
        self.header_timer = self.loop.call_later(self.header_seconds, self.transport.abort)

    def _stop_waiting(self) -> None:
        self.header_bytes = 0
        if self.header_timer is not None:
            self.header_timer.cancel()
            self.header_timer = None


class DrainingServer(uvicorn.Server):
    """uvicorn's server, which on SIGTERM first lets connections finish.

    No new connection is taken; those there are get an answer to what they have sent, with
    `Connection: close`. Closing idle ones at once would lose a request that is on its way.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        service: Service,
        ready: Callable[[str], None] | None = None,
    ) -> None:
        """For one service."""
        super().__init__(config)
        self.service = service
        self.ready = ready

    async def startup(self, sockets: Any = None) -> None:
        """Start, and say where."""
        await super().startup(sockets)
        if self.started:
            host, port = self.servers[0].sockets[0].getsockname()[:2]
            url = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
            log.info("running on %s", url)
            if self.ready is not None:
                self.ready(url)

    async def shutdown(self, sockets: Any = None) -> None:
        """Drain, then stop as uvicorn does."""
        for server in self.servers:
            server.close()  # first: whoever is told to hang up now must not get in line again
        self.service.guard.draining = True
        deadline = asyncio.get_running_loop().time() + self.service.settings.drain_seconds
        while self.server_state.connections and asyncio.get_running_loop().time() < deadline:
            await asyncio.sleep(0.02)
        await super().shutdown(sockets)


def config_of(service: Service) -> uvicorn.Config:
    """uvicorn's configuration for our settings."""
    settings = service.settings
    protocol = type(
        "Protocol",
        (PatientProtocol,),
        {
            "header_seconds": settings.header_seconds,
            "max_connections": settings.max_connections,
        },
    )
    return uvicorn.Config(
        service,
        host=settings.host,
        port=settings.port,
        http=protocol,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
        timeout_keep_alive=5,
        timeout_graceful_shutdown=settings.stop_seconds,
        h11_max_incomplete_event_size=MAX_HEADER_BYTES,
    )


class JsonLines(logging.Formatter):
    """Log records of the libraries as JSON lines, like our own."""

    def format(self, record: logging.LogRecord) -> str:
        """One line; of an exception only its name, since its message may hold a text."""
        line = {"event": "log", "level": record.levelname, "logger": record.name}
        if record.exc_info and record.exc_info[0] is not None:
            line["exception"] = record.exc_info[0].__name__
        else:
            line["message"] = record.getMessage()
        return orjson.dumps(line).decode()


def set_up_logging(quiet: bool) -> None:
    """Everything that is logged goes to stderr."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=logging.WARNING if quiet else logging.INFO, handlers=[handler])
    logging.getLogger("mcp").setLevel(logging.ERROR)  # its warnings quote what clients sent


def serve(settings: Settings, ready: Callable[[str], None] | None = None) -> None:
    """Serve until SIGINT or SIGTERM; `ready` is told the address once there is one.

    Raises InvalidInput where it cannot listen on host and port.
    """
    host, port = settings.host, settings.port
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InvalidInput(
            f"cannot listen on {host}, port {port}: {reason}", field="port"
        ) from None
    set_up_logging(settings.quiet)
    service = Service(settings)
    DrainingServer(config_of(service), service, ready).run([listening])
