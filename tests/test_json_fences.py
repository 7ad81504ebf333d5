"""The JSON check against the published suite and other parsers, and the fences of real replies."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from spanwise.catalogue import execute
from spanwise.errors import InvalidInput, LimitExceeded
from spanwise.json_text import CODES, SELECTS, check_json, json_fences
from spanwise.kernel.blocks import scan
from spanwise.kernel.info_strings import decoded_info, info_language
from spanwise.kernel.json_syntax import fault_of, json_value_end
from tests.shared_data import DATA, build, needs_data, pathological, raw_bytes, read_lines
from tests.strategies import CONTAINERS
from tests.test_growth import check_growth

TOOL = ("json-fence-extract", "1.0.0")
PIECES = [
    *['"', '"a"', '"a":', "{", "}", "[", "]", ",", ":", "{}", "[]", " ", "\n", "\t", "\r", "\x00"],
    *["0", "1", "-", "-0", "0.5", "1e5", "1E-", "+", ".", "01", "true", "fals", "null", "nul", "N"],
    *["\\", '\\"', "\\n", "\\u", "\\u00", "\\u00e9", "\\ud800", "\\x", "é", "😀", "\x7f", "\u2028"],
]
almost_json = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)
numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def suite() -> list[dict[str, Any]]:
    """The files of the suite that must be accepted or rejected."""
    if not DATA.is_dir():
        return []
    records = read_lines(DATA / "json" / "jsontestsuite.jsonl")
    return [record for record in records if record["expect"] in ("accept", "reject")]


@needs_data
def test_verdicts_are_those_of_the_published_suite() -> None:
    tried = 0
    for record in suite():
        try:
            text = raw_bytes(record).decode()
        except UnicodeDecodeError:
            assert record["expect"] == "reject", record["name"]
            continue
        error = check_json(text)
        assert (error is None) == (record["expect"] == "accept"), record["name"]
        if error is not None and error["code"] == "unexpected_end":
            assert error["offset"] == len(text)
        tried += 1
    assert (tried, len(suite())) == (271, 283)


def loads(text: str) -> bool:
    """Whether Python's own parser takes `text`; its three additions to JSON are refused."""
    try:
        json.loads(
            text, parse_constant=lambda name: json.loads("]"), parse_int=len, parse_float=len
        )
    except ValueError:
        return False
    return True


@given(almost_json)
@example("1.2.3")
@example("[1,2")
def test_verdicts_are_those_of_another_parser(text: str) -> None:
    assert (check_json(text) is None) == loads(text)


@given(almost_json)
def test_the_offset_is_the_first_that_cannot_be_saved(text: str) -> None:
    """What stands before the offset can be gone on with; what includes it cannot."""
    error = check_json(text)
    if error is None or error["code"] == "trailing_content":
        return
    before = check_json(text[: error["offset"]])
    assert before is None or before == {"code": "unexpected_end", "offset": error["offset"]}
    if error["code"] != "unexpected_end":
        for more in ("", "a", '"', "0", "]", "}"):
            assert check_json(text[: error["offset"] + 1] + more) == error


@given(values)
def test_what_parsers_write_is_valid(value: Any) -> None:
    for text in (json.dumps(value), json.dumps(value, ensure_ascii=False, indent=1)):
        assert check_json(text) is None
        assert json_value_end(text, 0, len(text)) == len(text)


@given(almost_json, almost_json)
def test_a_value_is_read_inside_a_text(before: str, text: str) -> None:
    alone = json_value_end(text, 0, len(text))
    within = json_value_end(before + text + '"', len(before), len(before) + len(text))
    moved = len(before)
    if alone < 0:
        alone = fault_of(alone)
        within = fault_of(within)
        moved <<= 3
    assert within == alone + moved


@given(almost_json)
def test_offsets_in_other_units(text: str) -> None:
    error = check_json(text)
    if error is None:
        return
    head = text[: error["offset"]]
    assert check_json(text, "utf16") == {**error, "offset": len(head.encode("utf-16-le")) // 2}
    assert check_json(text, "utf8") == {**error, "offset": len(head.encode())}


@pytest.mark.parametrize(
    ("text", "code", "offset"),
    [
        ("01", "invalid_number", 1),
        ("-", "unexpected_end", 1),
        ("-\n", "invalid_number", 1),
        ("1.\n", "invalid_number", 2),
        ("2.e3", "invalid_number", 2),
        ("1e+", "unexpected_end", 3),
        ("0x1", "trailing_content", 1),
        ("[0x1]", "unexpected_character", 2),
        ("1a", "trailing_content", 1),
        ("nulll", "trailing_content", 4),
        ("tru", "unexpected_end", 3),
        ("tru\n", "invalid_literal", 3),
        ("+1", "unexpected_character", 0),
        (".5", "unexpected_character", 0),
        ('"\\\n"', "invalid_escape", 2),
        ('"\\u12\x01', "invalid_escape", 5),
        ('"\\u12', "unexpected_end", 5),
        ('"a\n', "control_character_in_string", 2),
        ("{1:2}", "unexpected_character", 1),
        ('{"a" 1}', "unexpected_character", 5),
        ('{"a":1,}', "unexpected_character", 7),
        ('{"a":1]', "unexpected_character", 6),
        ("[}", "unexpected_character", 1),
        ("[1 2]", "unexpected_character", 3),
        ("\u00a01", "unexpected_character", 0),
        ("", "unexpected_end", 0),
    ],
)
def test_codes_and_offsets(text: str, code: str, offset: int) -> None:
    assert check_json(text) == {"code": code, "offset": offset}


@pytest.mark.parametrize("text", ["\x7f", "\u2028", "\\ud800", "\\u0000", "9" * 5000, "é😀"])
def test_strings_hold_what_the_grammar_allows(text: str) -> None:
    assert check_json(f'"{text}"') is None


def test_depth_is_bounded_by_nothing() -> None:
    deep = 60_000
    assert check_json("[" * deep) == {"code": "unexpected_end", "offset": deep}
    assert check_json("[" * deep + "]" * deep) is None
    assert check_json('{"a":[' * deep + "1" + "]}" * deep) is None
    assert check_json("[" * deep + "}") == {"code": "unexpected_character", "offset": deep}
    row = execute(*TOOL, {"markdown": "```json\n" + "[" * deep})["fences"][0]
    assert row["json_error"] == {"code": "unexpected_end", "offset": deep + 1}


@needs_data
def test_fences_of_real_replies() -> None:
    """Lines, nesting, length, content and verdict of every reference fence.

    The references decode named character references in info strings, which the contract leaves. In
    a list item they drop all blanks of a blank line, where the contract takes the indentation only.
    """
    references = {one["sha256"]: one for one in read_lines(DATA / "replies" / "fences.jsonl")}
    found = 0
    blanks_differ = 0
    for record in read_lines(DATA / "replies" / "replies.jsonl"):
        reference = references[record["sha256"]]
        rows = json_fences(record["reply"], "all")
        assert len(rows) == reference["fence_count"]
        for row, expected in zip(rows, reference["fences"], strict=True):
            content = expected.pop("content")
            if row["content"] != content:
                assert row["container_depth"] > 0
                assert without_blanks(row["content"]) == without_blanks(content)
                blanks_differ += 1
            if "&" in expected["info"] or "&" in row["info"]:
                expected.pop("info")
            assert {name: value for name, value in row.items() if name in expected} == expected
            found += 1
    assert (found, blanks_differ) == (3511, 2)


def without_blanks(content: str) -> list[str]:
    """The lines, blank ones empty."""
    return [line if line.strip(" \t") else "" for line in content.split("\n")]


lines_of_fences = st.lists(
    st.tuples(
        st.lists(st.sampled_from(CONTAINERS), max_size=2).map("".join),
        st.sampled_from(["", " ", "   ", "    ", "\t"]),
        st.sampled_from(["```json", "```", "~~~", "````", "``` &#97;", "[1]", "{", "", "a", "<b>"]),
        st.sampled_from(["\n", "\n", "\r\n", "\r", ""]),
    ).map("".join),
    max_size=8,
).map("".join)


@given(lines_of_fences)
def test_rows_hold_together(text: str) -> None:
    rows = json_fences(text, "all")
    assert [row["index"] for row in rows] == list(range(len(rows)))
    for select in SELECTS[:2]:
        kept = [
            row
            for row in rows
            if row["json_tagged"] or (select != "json" and row["language"] is None)
        ]
        assert json_fences(text, select) == kept
    for row in rows:
        assert row["json_error"] == check_json(row["content"])
        source = text[row["start"] : row["end"]]
        assert source.startswith(row["fence_char"] * row["fence_length"])
        if row["closed"]:
            assert source.rstrip(" \t").endswith(row["fence_char"] * row["fence_length"])
        assert "\r" not in row["content"] and (row["content"] + "\n").endswith("\n")
    wide = json_fences("😀\n\n" + text, "all", "utf16")
    assert [row["start"] for row in wide] == [row["start"] + 4 for row in rows]


def test_definitions_are_paragraph_text() -> None:
    text = "[a]: /u\n===\n<b>\n```\nx\n```\n"
    assert json_fences(text, "all") == []
    assert len(scan(text)) != len(scan(text, definitions=False))


@pytest.mark.parametrize(
    ("raw", "info"),
    [
        ("\\`\\a\\\\b", "`\\a\\b"),
        ("&#0;&#xD800;&#1114112;&#x10FFFF;&#128;", "\ufffd\ufffd\ufffd\U0010ffff\x80"),
        ("&#12345678;&#x1234567;&#;&#x;&#12", "&#12345678;&#x1234567;&#;&#x;&#12"),
        ("&#0000074;&#X4a;&amp;", "JJ&amp;"),
        ("\\&#74;\\", "&#74;\\"),
        ("&&#74;&", "&J&"),
        ("\0&#\0", "\ufffd&#\ufffd"),
        ("&#74", "&#74"),
        ("\\", "\\"),
    ],
)
def test_info_strings(raw: str, info: str) -> None:
    assert decoded_info(raw) == info


def test_language_ends_at_unicode_white_space() -> None:
    for white in "\t\n\f\r \u00a0\u1680\u2000\u200a\u202f\u205f\u3000":
        assert info_language(f"a{white}b") == "a"
        assert info_language(white + "b") is None
    for other in "\v\u0085\u2028\u2029\u200b\ufeff":
        assert info_language(f"a{other}b") == f"a{other}b"
    assert info_language("") is None


@pytest.mark.parametrize(
    ("limit", "markdown", "maximum", "found"),
    [
        ("max_markdown_bytes", "é" * 65_537, 131_072, 131_074),
        ("max_container_depth", "> " * 65 + "a", 64, 65),
        ("max_fences", "```\n```\n" * 513, 512, 513),
        ("max_container_depth", "```\n```\n" * 513 + "> " * 65, 64, 65),
        ("max_markdown_bytes", "> " * 65_537, 131_072, 131_074),
    ],
)
def test_limits(limit: str, markdown: str, maximum: int, found: int) -> None:
    with pytest.raises(LimitExceeded) as caught:
        execute(*TOOL, {"markdown": markdown})
    assert caught.value.details == {"limit": limit, "maximum": maximum, "found": found}


def test_limits_themselves_are_allowed() -> None:
    assert execute(*TOOL, {"markdown": "~~~\n~~~\n" * 512})["fence_count"] == 512
    assert execute(*TOOL, {"markdown": "> " * 64 + "```"})["fences"][0]["container_depth"] == 64
    assert execute(*TOOL, {"markdown": "a" * 131_072}) == {"fences": [], "fence_count": 0}


def test_the_first_fault_decides() -> None:
    for given_input, error in (
        ({"markdown": "\ud800" + "a" * 200_000, "x": 1}, InvalidInput),
        ({"markdown": "a" * 200_000, "select": "none"}, LimitExceeded),
        ({"markdown": "> " * 65, "select": "none"}, InvalidInput),
        ({"markdown": None}, InvalidInput),
        ({"markdown": "a", "select": None}, InvalidInput),
    ):
        with pytest.raises(error):
            execute(*TOOL, given_input)
    with pytest.raises(InvalidInput, match="select: 'none' is none of"):
        json_fences("", "none")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="unit: 'bytes' is none of"):
        check_json("", "bytes")  # type: ignore[arg-type]


def hostile() -> Iterator[tuple[str, list[Any]]]:
    yield from pathological("json") if DATA.is_dir() else ()
    yield "spaces", [["[" + " " * 9, 5000]]
    yield "open brackets", [["[{", 1], ['"a":[', 20000]]
    yield "fences in quotes", [["> ```json\n> [1]\n> ```\n\n", 2000]]
    yield "references", [["```" + "&#74;&#", 1], ["&#x", 20000]]
    yield "escapes that end nowhere", [["```json\n", 1], ['["\\u00', 20000]]


HOSTILE = list(hostile())


@pytest.mark.parametrize(("name", "parts"), HOSTILE, ids=[name for name, _ in HOSTILE])
def test_hostile_inputs_take_linear_time(name: str, parts: list[Any]) -> None:
    thousand = 1000 / len(build(parts))
    for work in (lambda text: json_fences(text, "all"), check_json):
        check_growth(work, lambda size: build(parts, size * thousand))


@needs_data
@pytest.mark.parametrize(("name", "parts"), HOSTILE, ids=[name for name, _ in HOSTILE])
def test_hostile_inputs_end_in_a_result_or_a_limit(name: str, parts: list[Any]) -> None:
    try:
        result = execute(*TOOL, {"markdown": build(parts), "select": "all"})
    except LimitExceeded as error:
        assert error.details["found"] > error.details["maximum"]
    else:
        assert result["fence_count"] == len(result["fences"])


def test_codes_are_those_of_the_contract() -> None:
    from spanwise.catalogue import get_tool

    row = get_tool(*TOOL).contract.data["output_schema"]["properties"]["fences"]["items"]
    assert row["properties"]["json_error"]["properties"]["code"]["enum"] == list(CODES)
