"""JSON values in text: what is listed, that nothing valid is missed, and linear time."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise.catalogue import execute
from spanwise.errors import InvalidInput, LimitExceeded
from spanwise.json_text import check_json, json_candidates, json_fences
from spanwise.kernel.json_syntax import json_value_end
from tests.shared_data import DATA, build, needs_data, pathological, read_lines
from tests.test_growth import check_growth

PIECES = [
    *["{", "}", "[", "]", '"', '"', "'", '"a"', '"a":', "a:", ",", ":", "\\", '\\"', " ", "\n"],
    *["1", "true", "None", "x", "{}", "[1]", '{"a": 1}', "{{ a }}", "\\frac{a}", "“", "//", "é"],
    *["```\n", "~~~\n", "> ", "- "],
]
texts = st.lists(st.sampled_from(PIECES), max_size=24).map("".join)


def value_end(text: str, start: int) -> int:
    """End of the valid object or array at `start`, or below zero."""
    return json_value_end(text, start, len(text))


@given(texts, st.booleans())
def test_rows_hold_together(text: str, include_fences: bool) -> None:
    rows = json_candidates(text, include_fences)
    position = 0
    for index, row in enumerate(rows):
        assert row["index"] == index
        assert position <= row["start"] < row["end"]
        position = row["end"]
        assert row["text"] == text[row["start"] : row["end"]]
        assert row["json_error"] == check_json(row["text"])
        assert row["json_valid"] == (row["json_error"] is None)
        assert row["text"][0] == {"object": "{", "array": "["}[row["kind"]]
        assert row["text"][-1] in "]}" or row["json_error"] == {
            "code": "unexpected_end",
            "offset": len(row["text"]),
        }
    for kind in ("object", "array"):
        kept = [row["start"] for row in rows if row["kind"] == kind]
        chosen = json_candidates(text, include_fences, kind)
        assert [row["start"] for row in chosen] == kept
    units = json_candidates(text, include_fences, unit="utf8")
    assert [len(text[: row["start"]].encode()) for row in rows] == [row["start"] for row in units]


@given(texts)
def test_no_valid_value_is_missed(text: str) -> None:
    """Tried at every bracket, which takes quadratic time: outside of rows none begins a value."""
    if json_fences(text, "all"):
        return
    rows = json_candidates(text)
    covered = {at for row in rows for at in range(row["start"], row["end"])}
    for at, character in enumerate(text):
        if character in "{[" and at not in covered:
            assert value_end(text, at) < 0
    for row in rows:
        if row["json_valid"]:
            assert value_end(text, row["start"]) == row["end"]


@given(texts, st.sampled_from(['{"a": [1, {}]}', "[]", '[["]"]]', '{"\\"": "}"}']))
def test_a_value_after_a_full_stop_is_found(text: str, value: str) -> None:
    """Words and a line end before a value, whatever they are without brackets and quotes."""
    words = "".join(character for character in text if character not in "{}[]\"'`~")
    rows = json_candidates(f"{words}.\n\n{value} {words}")
    if rows:  # none where the value is in a code block that the words opened
        assert value in [row["text"] for row in rows]


@needs_data
def test_replies_of_bare_json() -> None:
    """What the data says is JSON without a fence is found whole."""
    found = 0
    for record in read_lines(DATA / "replies" / "replies.jsonl"):
        reply = record["reply"].strip()
        if reply[:1] in ("{", "[") and check_json(reply) is None:
            rows = json_candidates(record["reply"])
            assert [row["text"] for row in rows] == [reply]
            found += 1
    assert found >= 17


@needs_data
def test_valid_fences_are_candidates_too() -> None:
    for record in read_lines(DATA / "replies" / "replies.jsonl"):
        fences = json_fences(record["reply"], "json")
        rows = json_candidates(record["reply"], include_fences=True)
        found = [(row["fence"], row["text"]) for row in rows]
        for fence in fences:
            content = fence["content"].strip()
            if fence["json_valid"] and content[0] in "{[" and content in record["reply"]:
                assert (fence["index"], content) in found


HOSTILE: dict[str, str] = {
    "braces": "{",
    "closing brackets": "]}",
    "rows of brackets": "[[{",
    "open objects": '{"a":',
    "open objects, single quotes": "{'a':",
    "latex": "\\frac{a}{b}",
    "templates": "{{ x }} ",
    "brackets in strings": '["[\\"[" ',
    "opposite phases": '"[ ',
    "opposite phases in arrays": '["[ ',
    "strings between brackets": '["[","',
    "escaped quotes": '[\\"[',
    "escaped quotes in a string": '\\"[',
    "broken after a value": '[{"a":1},x',
    "mixed brackets": '{"[": ["}',
    "empty arrays": "[]",
    "white space": "[ \n ",
    "numbers without end": "[1",
    "closed too late": "[[x]",
    "code": "if (a[0]) { b = {}; } else { c: [d] }\n",
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("ending", ["", "x", "]" * 50, '"', "\\"])
def test_hostile_inputs_take_linear_time(name: str, ending: str) -> None:
    unit = HOSTILE[name]
    check_growth(json_candidates, lambda size: unit * int(size * 1000 / len(unit)) + ending)


@pytest.mark.parametrize("inner", ["x", "{", '"', '{"a":'])
def test_nesting_that_breaks_takes_linear_time(inner: str) -> None:
    def nested(size: float) -> str:
        depth = int(size * 500)
        return "[" * depth + inner + "]" * depth

    check_growth(json_candidates, nested)


@needs_data
@pytest.mark.parametrize(("name", "parts"), list(pathological("json")) if DATA.is_dir() else [])
def test_published_inputs_take_linear_time(name: str, parts: list[Any]) -> None:
    thousand = 1000 / len(build(parts))
    check_growth(
        lambda text: json_candidates(text, True), lambda size: build(parts, size * thousand)
    )


@pytest.mark.parametrize(
    ("limit", "text"),
    [
        ("max_text_bytes", "é" * 131_073),
        ("max_candidates", "[]" * 4097),
        ("max_output_bytes", '["' + "\x01" * 262_000 + '"]'),
    ],
)
def test_limits_are_named(limit: str, text: str) -> None:
    with pytest.raises(LimitExceeded) as caught:
        execute("json-candidate-list", "1.0.0", {"text": text})
    assert caught.value.details["limit"] == limit


def test_arguments() -> None:
    with pytest.raises(InvalidInput, match="kind: 'number' is none of any, object, array"):
        json_candidates("", kind="number")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="unit"):
        json_candidates("", unit="byte")  # type: ignore[arg-type]
