"""What a server can be told: one frozen record, filled from the command line."""

import os
from dataclasses import dataclass
from typing import Final

LOCAL_HOSTS: Final = ("localhost", "127.0.0.1", "[::1]")


def default_workers() -> int:
    """One worker for each core that this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of `spanwise serve`.

    workers: processes that work on documents; None for one a core. queue: requests that may wait.
    rate: requests a second that one client may make on the average, in bursts of twice as many;
        0 for no limit.
    hosts: names that the Host header may give, beside those of this machine; `*` is any.
    origins: web origins that may use /mcp from a browser. /v1 is open to all of them.
    proxies: addresses whose X-Forwarded-For is believed.
    mcp_only: serve nothing but /mcp, /healthz and /metrics.
    document: name and text that the playground begins with.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    workers: int | None = None
    queue: int = 64
    rate: float = 0.0
    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()
    header_seconds: float = 10.0
    body_seconds: float = 20.0
    drain_seconds: float = 1.0
    stop_seconds: int = 30
    max_connections: int = 1000
    max_bytes_in_flight: int = 256 << 20
    quiet: bool = False
    mcp_only: bool = False
    document: tuple[str, str] | None = None
