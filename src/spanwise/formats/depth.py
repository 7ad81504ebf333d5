"""Room for reading what is nested as deep as the limit allows."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

FRAMES: Final = 6
"""Calls within calls that a reader makes for an element within another, at most."""
OTHER_FRAMES: Final = 1000


@contextmanager
def deep(max_depth: int) -> Iterator[None]:
    """Let functions call each other deep enough to walk a tree of this depth."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, max_depth * FRAMES + OTHER_FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
