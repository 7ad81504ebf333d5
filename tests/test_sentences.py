"""Sentences: the official suite, the reference cases and what holds for every text."""

import itertools
import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise.catalogue import execute
from spanwise.errors import InvalidInput, SpanwiseError
from spanwise.kernel.sentences import boundaries
from spanwise.spans import UNITS, Unit, size
from spanwise.text import (
    chunk_sentences,
    ending_rules,
    sentence_boundaries,
    sentences,
)
from tests.shared_data import (
    DATA,
    build,
    field_reports,
    needs_data,
    pathological,
    read_lines,
    reference_cases,
)

TELLING = "aZ1.!?。\r\n\t ,)\"'\u0301\u00ad\u0085\u00a0\u2028…本ß😀\u06d4"
texts = st.text() | st.text(alphabet=TELLING, max_size=60)
units = st.sampled_from(UNITS)


def official_tests() -> Iterator[tuple[str, list[int]]]:
    """Text and boundaries, in code points, of each line of SentenceBreakTest.txt."""
    with (DATA / "unicode" / "SentenceBreakTest.txt").open(encoding="utf-8") as lines:
        for line in lines:
            text = ""
            expected = []
            for token in line.partition("#")[0].split():
                if token == "÷":
                    expected.append(len(text))
                elif token != "×":
                    text += chr(int(token, 16))
            if text:
                yield text, expected


def in_unit(text: str, offset: int, unit: Unit) -> int:
    """An offset in code points counted in `unit`, the slow and certain way."""
    if unit == "code_point":
        return offset
    if unit == "utf16":
        return sum(2 if ord(character) > 0xFFFF else 1 for character in text[:offset])
    return len(text[:offset].encode())


@needs_data
@pytest.mark.parametrize("unit", UNITS)
def test_official_suite(unit: Unit) -> None:
    count = 0
    for text, expected in official_tests():
        count += 1
        wanted = [in_unit(text, offset, unit) for offset in expected]
        assert sentence_boundaries(text, unit) == wanted, ascii(text)
    assert count == 512


@needs_data
def test_udhr_in_sixty_languages() -> None:
    records = {r["code"]: r for r in read_lines(DATA / "plaintext" / "udhr.jsonl")}
    compared = 0
    for record in read_lines(DATA / "plaintext" / "udhr-sentences.jsonl"):
        text = records[record["code"]][record["field"]]
        assert sentence_boundaries(text) == record["boundaries"], record["code"]
        compared += len(record["boundaries"]) - 1
    assert compared == 15686


@pytest.mark.parametrize("case", reference_cases("sentences"), ids=lambda case: case["name"])
def test_reference_cases(case: dict[str, Any]) -> None:
    if "error" in case:
        with pytest.raises(SpanwiseError) as caught:
            execute("text-sentences-chunk", "1.0.0", case["input"])
        assert caught.value.code == case["error"]
    else:
        assert execute("text-sentences-chunk", "1.0.0", case["input"]) == case["output"]


@pytest.mark.parametrize("case", field_reports("text-sentences-chunk"), ids=lambda case: case["id"])
def test_field_reports(case: dict[str, Any]) -> None:
    assert execute("text-sentences-chunk", "1.0.0", case["input"]) == case["expect"]


@given(texts, units)
def test_sentences_tile_the_text(text: str, unit: Unit) -> None:
    rows = sentences(text, unit)
    assert "".join(row["text"] for row in rows) == text
    ends = [0, *(row["end"] for row in rows)]
    assert [row["start"] for row in rows] == ends[:-1]
    assert ends[-1] == size(text, unit)
    assert sentence_boundaries(text, unit) == (ends if text else [])
    assert [row["index"] for row in rows] == list(range(len(rows)))


@given(texts, st.booleans())
def test_spans_are_exact_in_every_unit(text: str, trim: bool) -> None:
    by_unit = {unit: sentences(text, unit, trim) for unit in UNITS}
    utf16 = text.encode("utf-16-le")
    utf8 = text.encode()
    for point, wide, narrow in zip(*by_unit.values(), strict=True):
        assert text[point["start"] : point["end"]] == point["text"]
        assert utf16[2 * wide["start"] : 2 * wide["end"]].decode("utf-16-le") == point["text"]
        assert utf8[narrow["start"] : narrow["end"]].decode() == point["text"]


@given(texts)
def test_lines_count_endings(text: str) -> None:
    """`line(p)`, counted one by one."""

    def line(position: int) -> int:
        ended = 0
        for at, character in enumerate(text[:position]):
            if character == "\n" or (character == "\r" and text[at + 1 : at + 2] != "\n"):
                ended += 1
        return 1 + ended

    for row in sentences(text):
        assert row["start_line"] == line(row["start"])
        assert row["end_line"] == line(row["end"] - 1)


@given(texts)
def test_trim_leaves_out_white_space_only(text: str) -> None:
    white = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000"
    white += "".join(map(chr, range(0x2000, 0x200B)))
    whole = {row["index"]: row for row in sentences(text)}
    trimmed = {row["index"]: row for row in sentences(text, trim=True)}
    for index, row in whole.items():
        wanted = row["text"].strip(white)
        assert (index in trimmed) == bool(wanted)
        if wanted:
            assert trimmed[index]["text"] == wanted
            assert row["start"] <= trimmed[index]["start"] < trimmed[index]["end"] <= row["end"]


@given(texts, texts, texts)
def test_a_stretch_is_a_text_of_its_own(before: str, text: str, after: str) -> None:
    found = boundaries(before + text + after, len(before), len(before) + len(text))
    assert found == [len(before) + offset for offset in sentence_boundaries(text)]


@given(texts)
def test_every_sentence_ends_by_a_rule(text: str) -> None:
    found = sentence_boundaries(text)
    rules = ending_rules(text, found)
    assert len(rules) == max(len(found) - 1, 0)
    for end, rule in zip(found[1:], rules, strict=True):
        separated = text[end - 1] in "\r\n\x85\u2028\u2029"
        assert rule == ("SB2" if end == len(text) else "SB4" if separated else "SB11")


@given(texts, st.integers(1, 40), units, st.integers(0, 16))
def test_chunks_are_the_greedy_ones(text: str, max_size: int, unit: Unit, overlap: int) -> None:
    """Every rule of the contract, checked on the result by looking at all other choices."""
    cuts = sentence_boundaries(text)
    offsets = sentence_boundaries(text, unit)
    chunks = chunk_sentences(text, max_size, unit, overlap)
    covered = 0
    before: range = range(0)
    for chunk in chunks:
        first = chunk["first_sentence"]
        after = first + chunk["sentence_count"]
        assert first <= covered < after
        assert chunk["text"] == text[cuts[first] : cuts[after]]
        assert (chunk["start"], chunk["end"]) == (offsets[first], offsets[after])
        assert chunk["size"] == chunk["end"] - chunk["start"] == size(chunk["text"], unit)
        assert chunk["oversized"] == (chunk["size"] > max_size)
        if chunk["oversized"]:
            assert (first, after) == (covered, covered + 1)
        fitting = [
            repeated
            for repeated in range(min(overlap, len(before)) + 1)
            if offsets[covered + 1] - offsets[covered - repeated] <= max_size
        ]
        assert covered - first == max(fitting, default=0)
        more = after + 1 < len(offsets) and offsets[after + 1] - offsets[first] <= max_size
        assert not more
        before = range(first, after)
        covered = after
    assert covered == max(len(cuts) - 1, 0)


def test_an_empty_text_has_no_boundaries() -> None:
    assert sentence_boundaries("") == []
    assert sentences("") == []
    assert chunk_sentences("", 1) == []


def test_lone_surrogates() -> None:
    """They count as a code point and have no other size."""
    assert sentence_boundaries("A\ud800. B") == [0, 4, 5]
    with pytest.raises(UnicodeEncodeError):
        sentence_boundaries("A\ud800. B", "utf8")


def test_wrong_arguments() -> None:
    with pytest.raises(InvalidInput, match="'utf-8' is none of code_point, utf16, utf8"):
        sentence_boundaries("A.", "utf-8")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="max_size: 0 is less than 1"):
        chunk_sentences("A.", 0)
    with pytest.raises(InvalidInput, match="overlap: -1 is less than 0"):
        chunk_sentences("A.", 5, overlap=-1)


@pytest.mark.parametrize(
    ("limit", "text"),
    [
        ("max_text_bytes", "é" * 131073),
        ("max_sentences", "!\n" * 65537),
        ("max_output_bytes", '"\n' * 65536),
    ],
)
def test_limits_are_named(limit: str, text: str) -> None:
    with pytest.raises(SpanwiseError) as caught:
        execute("text-sentences-chunk", "1.0.0", {"text": text, "max_size": 1})
    assert caught.value.code == "limit_exceeded"
    assert caught.value.details["limit"] == limit


HOSTILE = dict(pathological("sentences")) if DATA.is_dir() else {}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_inputs_are_linear(name: str) -> None:
    """Four times the text takes about four times as long; eight allows for a noisy machine."""

    def seconds(factor: float) -> float:
        text = build(HOSTILE[name], factor)
        best = float("inf")
        for _ in range(3):
            started = time.process_time()
            chunk_sentences(text, 1000, overlap=16)
            best = min(best, time.process_time() - started)
        return best

    small, middle, large = seconds(0.125), seconds(0.25), seconds(0.5)
    assert large < 8 * small + 0.05, (small, middle, large)
    assert large < 4 * middle + 0.05, (small, middle, large)


def test_calls_are_independent() -> None:
    """The same text gives the same bytes whatever was asked before."""
    asked = ["Mr. A. B.", "日本。語", "z. B. Foo", "", "x" * 5000 + ". Y"]
    for first, second in itertools.permutations(asked, 2):
        once = json.dumps([sentences(second), chunk_sentences(second, 4)])
        sentences(first, suppressions="de")
        assert json.dumps([sentences(second), chunk_sentences(second, 4)]) == once
