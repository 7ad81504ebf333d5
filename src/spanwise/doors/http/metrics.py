"""Counters of a server in Prometheus' text format; labels are route templates, never addresses."""

from bisect import bisect_left
from collections import Counter
from typing import Final

BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
METHODS: Final = frozenset(("GET", "HEAD", "POST", "OPTIONS", "DELETE"))


class Metrics:
    """Requests by route, method and status; errors by code; how long requests took."""

    def __init__(self) -> None:
        """Begin at zero."""
        self.requests: Counter[tuple[str, str, int]] = Counter()
        self.errors: Counter[str] = Counter()
        self.seconds: dict[str, list[int]] = {}
        self.sums: dict[str, float] = {}
        self.bytes_in = 0
        self.bytes_out = 0

    def count(
        self,
        route: str,
        method: str,
        status: int,
        code: str,
        seconds: float,
        sizes: tuple[int, int],
    ) -> None:
        """Take in one request; `sizes` are the bytes that came and went."""
        self.requests[route, method if method in METHODS else "other", status] += 1
        if code:
            self.errors[code] += 1
        counts = self.seconds.get(route)
        if counts is None:
            counts = self.seconds[route] = [0] * (len(BUCKETS) + 1)
        counts[bisect_left(BUCKETS, seconds)] += 1
        self.sums[route] = self.sums.get(route, 0.0) + seconds
        self.bytes_in += sizes[0]
        self.bytes_out += sizes[1]

    def text(self, gauges: dict[str, int]) -> str:
        """All of it; `gauges` are numbers of the moment."""
        lines = ["# TYPE spanwise_requests_total counter"]
        for (route, method, status), count in sorted(self.requests.items()):
            labels = f'route="{route}",method="{method}",status="{status}"'
            lines.append(f"spanwise_requests_total{{{labels}}} {count}")
        lines.append("# TYPE spanwise_errors_total counter")
        for code, count in sorted(self.errors.items()):
            lines.append(f'spanwise_errors_total{{code="{code}"}} {count}')
        lines.append("# TYPE spanwise_request_seconds histogram")
        for route, counts in sorted(self.seconds.items()):
            total = 0
            for bound, count in zip((*BUCKETS, "+Inf"), counts, strict=True):
                total += count
                lines.append(
                    f'spanwise_request_seconds_bucket{{route="{route}",le="{bound}"}} {total}'
                )
            lines.append(f'spanwise_request_seconds_sum{{route="{route}"}} {self.sums[route]:.6f}')
            lines.append(f'spanwise_request_seconds_count{{route="{route}"}} {total}')
        for name, value in (("in", self.bytes_in), ("out", self.bytes_out)):
            lines.append(f"# TYPE spanwise_bytes_{name}_total counter")
            lines.append(f"spanwise_bytes_{name}_total {value}")
        for name, value in gauges.items():
            lines.append(f"# TYPE spanwise_{name} gauge")
            lines.append(f"spanwise_{name} {value}")
        return "\n".join(lines) + "\n"
