"""A service in this process: its jobs are done at once, by the code that workers run."""

from typing import Any

from spanwise.doors.http.app import Service
from spanwise.doors.http.settings import Settings
from spanwise.doors.work import Answer, answer


class PoolHere:
    """A pool without processes."""

    size = 1
    busy = 0
    queued = 0
    restarts = 0

    async def run(self, target: str, body: bytes) -> Answer:
        return answer(target, body)

    async def start(self) -> None: ...

    async def stop(self) -> None: ...


def service(**settings: Any) -> Service:
    """A service with these settings, which logs nothing."""
    made = Service(Settings(quiet=True, **settings))
    made.pool = PoolHere()  # type: ignore[assignment]
    return made
