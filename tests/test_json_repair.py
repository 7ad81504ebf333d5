"""Repairs: edits give the output, which is JSON; known damage is undone; or nothing is done."""

import ast
import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise.catalogue import execute, get_tool
from spanwise.errors import LimitExceeded
from spanwise.json_text import apply_edits, check_json, json_fences, repair_json
from spanwise.kernel.json_repair import REASONS, RULES
from tests.shared_data import DATA, needs_data, read_lines
from tests.test_growth import check_growth
from tests.test_json_candidates import HOSTILE

PIECES = [
    *["{", "}", "[", "]", '"', '"', "'", '"a"', '"a":', "'b'", "a:", ",", ",", ":", "\\", '\\"'],
    *[" ", "\n", "\t", "\u00a0", "1", "-", "1.", ".5", "01", "0x1F", "true", "tru", "None", "NaN"],
    *[
        "x",
        "b c",
        "{}",
        "[1]",
        '{"a": 1}',
        "“",
        "”",
        "«a»",
        "// c\n",
        "/* c */",
        "/*",
        "# c",
        "...",
    ],
    *[
        "# c",
        "...",
        "…",
        "é",
        "😀",
        "\\u12",
        "\\x41",
        "\x01",
        ";",
        "```json\n",
        "```\n",
        "(",
        "\ufeff",
    ],
]
texts = st.lists(st.sampled_from(PIECES), max_size=16).map("".join)
words = st.text(st.sampled_from("abc xyzé😀.!?-"), max_size=8)
numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
scalars = st.none() | st.booleans() | numbers | words
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=4)
)
roots = st.lists(values, max_size=4) | st.dictionaries(words, values, max_size=4)


@given(texts)
def test_edits_give_an_output_that_is_json(text: str) -> None:
    repair = repair_json(text)
    valid = check_json(text) is None
    assert (repair["status"] == "valid") == valid
    assert (repair["reason"] is None) == (repair["status"] != "declined")
    if repair["reason"] is not None:
        assert repair["output"] is None and not repair["edits"]
        assert repair["reason"]["code"] in REASONS
        assert 0 <= repair["reason"]["offset"] <= len(text)
        return
    assert repair["output"] is not None
    assert (repair["output"] == text) == valid
    assert bool(repair["edits"]) == (not valid)
    assert check_json(repair["output"]) is None
    assert apply_edits(text, repair["edits"]) == repair["output"]
    position = 0
    for edit in repair["edits"]:
        assert position <= edit["start"] <= edit["end"] <= len(text)
        assert edit["end"] > edit["start"] or edit["replacement"]
        assert edit["rule"] in RULES
        position = edit["end"]
    again = repair_json(repair["output"])
    assert again["status"] == "valid"


@given(texts)
def test_edits_in_other_units(text: str) -> None:
    repair = repair_json(text)
    wide = repair_json(text, "utf16")
    assert wide["output"] == repair["output"]
    units = [len(text[:at].encode("utf-16-le")) // 2 for at in range(len(text) + 1)]
    for edit, other in zip(repair["edits"], wide["edits"], strict=True):
        assert (units[edit["start"]], units[edit["end"]]) == (other["start"], other["end"])


def value_of(text: str) -> Any:
    output = repair_json(text)["output"]
    assert output is not None, (text, repair_json(text)["reason"])
    return json.loads(output)


@given(roots)
def test_known_damage_is_undone(value: Any) -> None:
    """Changes that keep the meaning clear are undone, whatever the value."""
    plain = json.dumps(value, ensure_ascii=False, indent=1)
    compact = json.dumps(value)
    for damaged in (
        re.sub(r"([^\[{\s])(\s*)([\]}])", r"\1,\2\3", plain),
        re.sub(r"\n", " // so \" it ' is\n", plain),
        re.sub(r",\n", "\n", plain),
        f"/* a */ {compact} # b",
        f"Here you are.\n\n{compact}",
        f"```json\n{plain}\n```",
        f"Text\n\n~~~\n{plain}\n~~~\nmore",
        f"\ufeff{compact}",
        plain.replace("\n", "\u00a0\n"),
    ):
        assert value_of(damaged) == value
    assert value_of(f"{plain}\n{compact}") == [value, value]


@given(roots)
def test_python_literals_are_json(value: Any) -> None:
    """What Python's repr writes, without the words that its own quoting rules make ambiguous."""
    written = repr(value)
    assert ast.literal_eval(written) == value
    assert value_of(written) == value


def is_part(part: Any, whole: Any) -> bool:
    """Whether a value that was cut off agrees with the whole: nothing in it is new."""
    if isinstance(part, dict) and isinstance(whole, dict):
        return all(name in whole and is_part(item, whole[name]) for name, item in part.items())
    if isinstance(part, list) and isinstance(whole, list):
        pairs = zip(part, whole, strict=False)
        return len(part) <= len(whole) and all(is_part(one, other) for one, other in pairs)
    if isinstance(part, str) and isinstance(whole, str):
        return whole.startswith(part)
    if isinstance(part, bool) or part is None:
        return part is whole
    # A number that was cut may be any number: 1 of 10, 1e1 of 1e10.
    return isinstance(whole, (int, float)) and not isinstance(whole, bool)


@given(roots, st.booleans(), st.data())
def test_a_reply_that_was_cut_off(value: Any, escaped: bool, data: st.DataObject) -> None:
    """At any place: what is handed out agrees with the whole value as far as it goes."""
    whole = json.dumps(value, ensure_ascii=escaped)
    cut = whole[: data.draw(st.integers(1, len(whole)))]
    repair = repair_json(cut)
    if repair["output"] is None:
        # A lone letter of a literal is not certain; nor is half of a surrogate pair an error.
        assert repair["reason"] is not None
        assert cut[-1] in "tfn", (cut, repair["reason"])
        return
    found = json.loads(repair["output"])
    if escaped and found != value:
        return  # the cut may fall between the two escapes of one character
    assert is_part(found, value), (cut, repair["output"])


@pytest.mark.parametrize(
    ("text", "output"),
    [
        ("{a: 1, b-c: 2, $d.e: 3, 1: 4}", '{"a": 1, "b-c": 2, "$d.e": 3, "1": 4}'),
        ("{“a”: „b“, «c»: ‘it’s’}", '{"a": "b", "c": "it’s"}'),
        ('["a" "b"]', '["a" ,"b"]'),
        ('["a"\n"b"]', '["a"\n,"b"]'),
        ("[1 2 true]", "[1 ,2 ,true]"),
        ("[Hello, 9.3/10, 10 mm]", '["Hello", "9.3/10", "10 mm"]'),
        ('{"a": [1, 2}', '{"a": [1, 2]}'),
        ('{"a": 1}}', '{"a": 1}'),
        ('{"a": 1},', '{"a": 1}'),
        ('{"a": 1, ...}', '{"a": 1 }'),
        ("[1, …]", "[1 ]"),
        ('{ ... "a": 1, ..., }', '{  "a": 1  }'),
        ("[-.5, 5.e3, -0x10]", "[-0.5, 5.0e3, -16]"),
        ('["a\\', '["a"]'),
        ('["a\\u00', '["a"]'),
        ("[1, -", "[1 ]"),
        ("[1, 2.", "[1, 2]"),
        ("[1e", "[1]"),
        ('{"a": -', "{}"),
        ('{"a": Tr', '{"a": true}'),
        ("[Na", "[null]"),
        ("'abc'", '"abc"'),
        ("True", "true"),
        ("{", "{}"),
        ('{"a": 1 /* open', '{"a": 1 }'),
        ('{"a": "b\\\nc"}', '{"a": "b\\\\\\nc"}'),
        ('data = {"a": 1};', '{"a": 1}'),
        ('{"s": "5" x 7" pipe"}', '{"s": "5\\" x 7\\" pipe"}'),
        ('"a": 1,\n"b": {"c": 2}', '{"a": 1,\n"b": {"c": 2}}'),
    ],
)
def test_outputs(text: str, output: str) -> None:
    assert repair_json(text)["output"] == output


@pytest.mark.parametrize(
    ("text", "reason", "offset"),
    [
        ("", "no_value", 0),
        ("hello", "no_value", 0),
        ('{"a": "b" : 1}', "unclear_string", 6),
        ('{"a": "x", "b": "y}', "unclear_string", 16),
        ('{"t": "He said "no", "yes" and left", "b": 1}', "unclear_string", 6),
        ('["a": "b", "c": "d"]', "unclear_string", 1),
        ('{"a" "b"}', "unclear_string", 1),
        ('{"a": }', "unexpected_character", 6),
        ('{"a": 1],"b":2}', "mismatched_bracket", 7),
        ('{"a": Hello, world}', "unexpected_character", 18),
        ('{"a": 10 + (2 * 3)}', "unexpected_character", 11),
        ('{"a": 007}', "unclear_number", 6),
        ('{"a": 2023-10-27}', "unclear_number", 6),
        ("[[n", "unexpected_character", 2),
        ('{"a": hello', "unexpected_character", 6),
        ('{"a": 1,155}', "unexpected_character", 11),
        ('{"a": "x" + "y"}', "unclear_string", 6),
        ('{"a": 1} and [2]', "several_values", 13),
        ('```json\n{"a": 1}\n```\n```json\n{"b": 2}\n```', "several_values", 21),
        ('{ ... }, "a": {"b": 1}', "unexpected_character", 7),
    ],
)
def test_reasons(text: str, reason: str, offset: int) -> None:
    repair = repair_json(text)
    assert repair["reason"] == {"code": reason, "offset": offset}
    assert repair["status"] == "declined"


@needs_data
def test_every_invalid_reply_is_repaired_or_declined() -> None:
    """The shares are those that docs/json-repair.md reports."""
    statuses = []
    for record in read_lines(DATA / "replies" / "replies.jsonl"):
        for fence in json_fences(record["reply"], "json"):
            repair = repair_json(fence["content"])
            if fence["json_valid"]:
                assert repair["status"] == "valid"
                continue
            statuses.append(repair["status"])
            if repair["output"] is not None:
                assert apply_edits(fence["content"], repair["edits"]) == repair["output"]
                json.loads(repair["output"])
    assert len(statuses) == 180
    assert statuses.count("repaired") == 159
    assert statuses.count("declined") == 21


REPEATED = {
    **HOSTILE,
    "quotes": '"',
    "single quotes": "'",
    "names that never end": '{"a": "b" “',
    "quotes before names": '"a" \'b ',
    "strings in a row": '"a" ',
    "comments in strings": '"/* ',
    "comments": "/* */ ",
    "words": "a b, ",
    "colons": "a: ",
    "dots": "... ",
    "commas": ",",
    "numbers": "1 ",
    "escapes": "\\",
    "literals": "None ",
    "lines": '"a"\n',
    "spaces after quotes": '" ' + " " * 100,
    "values": '{"a": 1}\n',
    "fences": "```json\n1,\n```\n",
}


@pytest.mark.parametrize("name", REPEATED)
@pytest.mark.parametrize("opening", ["", '{"a": ["', "['", "x {'a': "])
def test_hostile_inputs_take_linear_time(name: str, opening: str) -> None:
    unit = REPEATED[name]
    check_growth(repair_json, lambda size: opening + unit * int(size * 1000 / len(unit)))


@pytest.mark.parametrize("unit", ["[", '{"a":', "{'a':[", "[[", "]"])
def test_depth_is_bounded_by_nothing(unit: str) -> None:
    repair = repair_json(unit * 60_000)
    if repair["output"] is not None:
        assert check_json(repair["output"]) is None
    else:
        assert unit == "]"


@pytest.mark.parametrize(
    ("limit", "text"),
    [
        ("max_text_bytes", "é" * 131_073),
        ("max_edits", "[" + "1 " * 70_000 + "]"),
        ("max_output_bytes", "[" + "1,," * 65_000 + "]"),
    ],
)
def test_limits_are_named(limit: str, text: str) -> None:
    with pytest.raises(LimitExceeded) as caught:
        execute("json-candidate-repair", "1.0.0", {"text": text})
    assert caught.value.details["limit"] == limit


def test_rules_and_reasons_are_those_of_the_contract() -> None:
    schema = get_tool("json-candidate-repair").contract.data
    output = schema["output_schema"]["properties"]
    assert output["edits"]["items"]["properties"]["rule"]["enum"] == list(RULES)
    assert output["reason"]["properties"]["code"]["enum"] == list(REASONS)
    prose = " ".join(schema["semantics"])
    assert [name for name in (*RULES, *REASONS) if name not in prose] == []
