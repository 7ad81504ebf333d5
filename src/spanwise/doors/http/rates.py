"""Token buckets: how often each client may call."""

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable
from math import ceil
from typing import Final

from spanwise.errors import RateLimited

MAX_CLIENTS: Final = 10_000
"""Clients remembered; the one that was away longest is forgotten, which gives it a full bucket."""


class Rates:
    """A bucket for each client: `rate` tokens flow in each second, at most `2 * rate` are kept."""

    def __init__(self, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin with full buckets."""
        self.rate = rate
        self.size = max(1.0, 2 * rate)
        self.clock = clock
        self.buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, address: str) -> None:
        """Take a token for the client at `address`; RateLimited where none is left."""
        client = client_of(address)
        now = self.clock()
        tokens, then = self.buckets.pop(client, (self.size, now))
        tokens = min(self.size, tokens + (now - then) * self.rate)
        allowed = tokens >= 1
        self.buckets[client] = (tokens - 1 if allowed else tokens, now)
        if len(self.buckets) > MAX_CLIENTS:
            self.buckets.popitem(last=False)
        if not allowed:
            wait = ceil((1 - tokens) / self.rate)
            raise RateLimited(
                f"more than {self.rate:g} requests a second; try again in {wait} s",
                retry_after=wait,
            )


def client_of(address: str) -> str:
    """Who is behind an address: an IPv4 address, or the /64 network of an IPv6 one."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return address
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.IPv6Network((parsed, 64), strict=False))
