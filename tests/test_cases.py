"""Every case of every tool, through every door; and the contracts themselves."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from spanwise.catalogue import Tool, all_tools
from tests.cases import Case, difference, read_cases
from tests.doors import DOORS, Door
from tests.shared_data import REFERENCE, field_reports, needs_data, read_json, reference_cases

TOOLS = [tool for versions in all_tools().values() for tool in versions.values()]
CONTRACT_SCHEMA = read_json(Path(__file__).with_name("contract_schema.json"))

REFERENCE_CASES = {
    "sections": "markdown-sections-chunk",
    "sentences": "text-sentences-chunk",
    "fences": "json-fence-extract",
}
"""Which tool each file of reference cases is about; all are for version 1.0.0."""


def name_of(tool: Tool) -> str:
    return f"{tool.contract.id} {tool.contract.version}"


def own_cases(tool: Tool) -> list[Case]:
    """The examples of the contract, then the cases of its cases.md."""
    data = tool.contract.data
    examples = [
        Case(data["id"], data["version"], f"example {number}", "", **example, exact=True)
        for number, example in enumerate(data["examples"], start=1)
    ]
    return examples + read_cases(tool.folder / "cases.md", data["id"], data["version"])


def given_cases() -> Iterator[Case]:
    """The reference cases and field reports for tools there are; none without the data."""
    for name, tool in REFERENCE_CASES.items():
        if "1.0.0" not in all_tools().get(tool, {}):
            continue
        for case in reference_cases(name):
            yield Case(
                tool,
                "1.0.0",
                case["name"],
                case.get("note", ""),
                case["input"],
                case.get("output"),
                case.get("error"),
                exact=True,
            )
        for case in field_reports(tool):
            yield Case(
                tool, "1.0.0", case["id"], case["why"], case["input"], case["expect"], exact=True
            )


OWN = [case for tool in TOOLS for case in own_cases(tool)]
GIVEN = list(given_cases()) or [Case("", "", "no data", "", {})]


def check(case: Case, door: Door) -> None:
    answer = door(case.tool, case.version, case.input)
    if case.error is not None:
        assert answer.get("error", {}).get("code") == case.error, f"{case.why}\n{answer}"
        return
    assert "result" in answer, f"{case.why}\n{answer}"
    fault = difference(case.output, answer["result"], case.exact)
    assert fault is None, f"{case.title}: {case.why}\n{fault}"
    schema = all_tools()[case.tool][case.version].contract.data["output_schema"]
    jsonschema_rs.validate(schema, answer["result"])


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
@pytest.mark.parametrize("case", OWN, ids=lambda case: case.label)
def test_case(case: Case, door: Door) -> None:
    check(case, door)


@needs_data
@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
@pytest.mark.parametrize("case", GIVEN, ids=lambda case: case.label)
def test_given_case(case: Case, door: Door) -> None:
    check(case, door)


@pytest.mark.parametrize("tool", TOOLS, ids=name_of)
def test_contract_is_well_formed(tool: Tool) -> None:
    data = tool.contract.data
    jsonschema_rs.validate(CONTRACT_SCHEMA, data)
    for name in ("input_schema", "output_schema"):
        jsonschema_rs.meta.validate(data[name])
        assert open_objects(data[name], name) == []
    for example in data["examples"]:
        jsonschema_rs.validate(data["input_schema"], example["input"])
        jsonschema_rs.validate(data["output_schema"], example["output"])
    assert data["execute_url"] == f"/v1/tools/{data['id']}/versions/{data['version']}/execute"
    assert tool.folder.name.startswith(data["id"].replace("-", "_"))


@pytest.mark.parametrize("tool", TOOLS, ids=name_of)
def test_prose_names_every_limit(tool: Tool) -> None:
    data = tool.contract.data
    prose = json.dumps([data["semantics"], data["input_schema"]])
    assert [name for name in data["limits"] if name not in prose] == []


@pytest.mark.parametrize("tool", TOOLS, ids=name_of)
def test_own_cases_tell_success_and_failure(tool: Tool) -> None:
    cases = read_cases(tool.folder / "cases.md", tool.contract.id, tool.contract.version)
    assert len({case.title for case in cases}) == len(cases)
    assert any(case.error for case in cases)
    assert any(case.output for case in cases)


def open_objects(schema: Any, where: str) -> list[str]:
    """Places in a schema where an object may have members that it does not name."""
    found = []
    if isinstance(schema, dict):
        kinds = schema.get("type", [])
        if "object" in ([kinds] if isinstance(kinds, str) else kinds) or "properties" in schema:
            found = [] if schema.get("additionalProperties") is False else [where]
        for name, inner in schema.items():
            found += open_objects(inner, f"{where}.{name}")
    elif isinstance(schema, list):
        for number, inner in enumerate(schema):
            found += open_objects(inner, f"{where}[{number}]")
    return found


def published(id: str, version: str) -> Path:
    return REFERENCE / f"contract-{id}-{version}.json"


def without_descriptions(value: Any) -> Any:
    """A schema without its prose."""
    if isinstance(value, dict):
        kept = {k: v for k, v in value.items() if k != "description" or not isinstance(v, str)}
        return {name: without_descriptions(inner) for name, inner in kept.items()}
    if isinstance(value, list):
        return [without_descriptions(inner) for inner in value]
    return value


@needs_data
@pytest.mark.parametrize(
    "tool",
    [tool for tool in TOOLS if published(tool.contract.id, tool.contract.version).is_file()],
    ids=name_of,
)
def test_contract_keeps_what_was_published(tool: Tool) -> None:
    ours = tool.contract.data
    theirs = read_json(published(ours["id"], ours["version"]))
    assert ours.keys() == theirs.keys()
    for name in ("id", "version", "limits", "pricing", "execute_url"):
        assert ours[name] == theirs[name], name
    for name in ("input_schema", "output_schema"):
        assert without_descriptions(ours[name]) == without_descriptions(theirs[name]), name


@needs_data
def test_published_examples_hold() -> None:
    for tool in TOOLS:
        path = published(tool.contract.id, tool.contract.version)
        for example in read_json(path)["examples"] if path.is_file() else []:
            assert tool.run(example["input"]) == example["output"]
