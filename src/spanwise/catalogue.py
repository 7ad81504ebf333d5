"""The catalogue: every tool there is, found by its folder, and `execute`, the way to run one.

A folder of `spanwise/tools` with a contract.json and a tool.py is a tool; nothing else lists it.
"""

import difflib
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from spanwise import tools
from spanwise.contract import Contract, Result
from spanwise.errors import UnknownTool, UnknownVersion


class Tool:
    """One version of one tool: its contract and the module that runs it, loaded when needed."""

    def __init__(self, folder: Path) -> None:
        """Read the contract in `folder`."""
        self.folder = folder
        self.contract = Contract.load(folder / "contract.json")

    def run(self, input: Any) -> Result:
        """Check `input` against the contract, then run the tool."""
        checked = self.contract.check(input)
        module = import_module(f"{tools.__name__}.{self.folder.name}.tool")
        result: Result = module.run(self.contract.limits, **checked)
        return result


def version_key(version: str) -> tuple[int, ...]:
    """Sorts versions as numbers: 1.10.0 after 1.9.0."""
    return tuple(int(part) for part in version.split("."))


@cache
def all_tools() -> dict[str, dict[str, Tool]]:
    """Every tool by id, then by version, oldest first."""
    found: dict[str, dict[str, Tool]] = {}
    for folder in sorted(Path(tools.__path__[0]).iterdir()):
        if (folder / "contract.json").is_file():
            tool = Tool(folder)
            found.setdefault(tool.contract.id, {})[tool.contract.version] = tool
    return {
        tool_id: dict(sorted(versions.items(), key=lambda item: version_key(item[0])))
        for tool_id, versions in sorted(found.items())
    }


def get_tool(id: str, version: str | None = None) -> Tool:
    """The tool with that id and version (the newest when None); UnknownTool, UnknownVersion."""
    versions = all_tools().get(id)
    if versions is None:
        name = shortened(id)
        close = difflib.get_close_matches(name, all_tools(), n=3, cutoff=0.4)
        hint = f"; did you mean {', '.join(close)}?" if close else ""
        raise UnknownTool(f"there is no tool {name!r}{hint}", id=name, closest=close)
    if version is None:
        return next(reversed(versions.values()))
    if version not in versions:
        version = shortened(version)
        have = ", ".join(versions)
        raise UnknownVersion(
            f"{id} has no version {version!r} (there is {have})",
            id=id,
            version=version,
            versions=list(versions),
        )
    return versions[version]


def shortened(name: str) -> str:
    """A name that there is not, as far as an error should quote it."""
    return name if len(name) <= 100 else f"{name[:100]}…"


def contracts() -> list[dict[str, Any]]:
    """The contracts of all tools as published, by id, then version."""
    return [tool.contract.data for versions in all_tools().values() for tool in versions.values()]


def search(query: str) -> list[dict[str, Any]]:
    """Contracts whose id, description or supported operations hold every word of `query`.

    First those with more of the words in the id, then those with more in the description; of
    equals, by id, then version.
    """
    words = query.casefold().split()

    def found(contract: dict[str, Any]) -> bool:
        parts = [contract["id"], contract["description"], *contract["supported_operations"]]
        haystack = " ".join(parts).casefold()
        return all(word in haystack for word in words)

    def rank(contract: dict[str, Any]) -> tuple[int, int]:
        name, description = contract["id"], contract["description"].casefold()
        return -sum(word in name for word in words), -sum(word in description for word in words)

    return sorted(filter(found, contracts()), key=rank)


def execute(id: str, version: str, input: Any) -> Result:
    """Run a tool on an input object; the result as plain JSON values.

    Raises a SpanwiseError: UnknownTool, UnknownVersion, InvalidInput or LimitExceeded.
    """
    return get_tool(id, version).run(input)
