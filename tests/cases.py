"""Cases of the tools: reading each `cases.md`, and comparing what came out with what matters.

A cases.md is a list of cases, each a `# title`, a paragraph that says why, the input in a block
that opens with four backticks and `input`, and either a block of `json` (the output that matters)
or a block of `error` (the code). Text before the first title introduces the page.
"""

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

FENCE = "````"


class Case(NamedTuple):
    """One call of a tool and what it must give: part of an output, or an error code."""

    tool: str
    version: str
    title: str
    why: str
    input: Any
    output: dict[str, Any] | None = None
    error: str | None = None
    exact: bool = False

    @property
    def label(self) -> str:
        """A short name for test reports."""
        return f"{self.tool}: {re.sub(r'[^ -~]', '?', self.title)}"


def read_cases(path: Path, tool: str, version: str) -> list[Case]:
    """The cases in a cases.md; ValueError names the case that is not one."""
    cases = []
    for title, body in _titled(path.read_text(encoding="utf-8")):
        words, blocks = _blocks(body)
        why = " ".join(words.split())
        if not why or sorted(blocks) not in (["input", "json"], ["error", "input"]):
            raise ValueError(
                f"{path}: case {title!r} needs a why, one input block and one json or error block"
            )
        cases.append(
            Case(
                tool,
                version,
                title,
                why,
                json.loads(blocks["input"]),
                output=json.loads(blocks["json"]) if "json" in blocks else None,
                error=blocks["error"].strip() if "error" in blocks else None,
            )
        )
    return cases


def _titled(page: str) -> list[tuple[str, str]]:
    """Title and body of each `# title` outside blocks."""
    found: list[tuple[str, list[str]]] = []
    inside = False
    for line in page.split("\n"):
        if line.startswith(FENCE):
            inside = not inside
        if not inside and line.startswith("# "):
            found.append((line[2:].strip(), []))
        elif found:
            found[-1][1].append(line)
    return [(title, "\n".join(lines)) for title, lines in found]


def _blocks(body: str) -> tuple[str, dict[str, str]]:
    """The words outside blocks, and the blocks by their info string."""
    words = re.sub(rf"^{FENCE}.*?^{FENCE}$", "", body, flags=re.MULTILINE | re.DOTALL)
    blocks = re.findall(rf"^{FENCE}(\w+)\n(.*?)^{FENCE}$", body, flags=re.MULTILINE | re.DOTALL)
    if len(dict(blocks)) != len(blocks):
        raise ValueError(f"a block is there twice in: {body[:80]!r}")
    return words, dict(blocks)


def difference(expected: Any, found: Any, exact: bool = False, where: str = "output") -> str | None:
    """Where `found` is not what `expected` asks for, in words; None when it is.

    An object asks for the members it names (all of them when `exact`), an array for its length and
    each item. `{"one_of": [...]}` is met by any of its values.
    """
    if isinstance(expected, dict) and list(expected) == ["one_of"]:
        if any(difference(value, found, exact) is None for value in expected["one_of"]):
            return None
        return f"{where}: {found!r} is none of {expected['one_of']!r}"
    if isinstance(expected, dict) and isinstance(found, dict):
        missing = [name for name in expected if name not in found]
        extra = [name for name in found if name not in expected] if exact else []
        if missing or extra:
            return f"{where}: missing {missing}, unexpected {extra}"
        pairs = [(f"{where}.{name}", value, found[name]) for name, value in expected.items()]
    elif isinstance(expected, list) and isinstance(found, list):
        if len(expected) != len(found):
            return f"{where}: {len(found)} items, expected {len(expected)}: {found!r}"
        pairs = [(f"{where}[{i}]", expected[i], found[i]) for i in range(len(found))]
    elif type(expected) is type(found) and expected == found:
        return None
    else:
        return f"{where}: {found!r}, expected {expected!r}"
    inner = (difference(value, other, exact, place) for place, value, other in pairs)
    return next((fault for fault in inner if fault is not None), None)
