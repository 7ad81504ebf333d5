"""The checksum that a generated file carries, so that an edit by hand shows without its source."""

import hashlib
import re

_SEAL = re.compile(r"^# sha256 of the rest: ([0-9a-f]{64})\n")


def sealed(text: str) -> str:
    """`text` under a first line that holds its SHA-256."""
    return f"# sha256 of the rest: {hashlib.sha256(text.encode()).hexdigest()}\n{text}"


def seal_holds(written: str) -> bool:
    """Whether a sealed text is as it was generated."""
    found = _SEAL.match(written)
    return bool(found) and sealed(written[found.end() :]) == written
