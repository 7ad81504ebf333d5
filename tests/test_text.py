"""Paragraphs, delimited chunks and sentences joined at abbreviations."""

import re
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise.catalogue import execute, get_tool
from spanwise.errors import InvalidInput, SpanwiseError
from spanwise.kernel.abbreviation_tables import ABBREVIATIONS, VERSION
from spanwise.kernel.sentences import ends_paragraph
from spanwise.text import (
    Language,
    joined_boundaries,
    paragraphs,
    sentence_boundaries,
    sentences,
    split_delimiter,
)
from tests.shared_data import ROOT

lines = st.text(alphabet="a \t\r\n\u00a0\u2028\f", max_size=40)
abbreviated = st.lists(
    st.sampled_from(["Mr.", "z. B.", "v. Chr.", "Ende.", "OK.", "a", "B", " ", "\n", "(", "é", "3"])
).map("".join)


@given(lines)
def test_paragraphs_are_the_lines_that_are_not_blank(text: str) -> None:
    """An independent reading: the lines by a regular expression, grouped one after the other."""
    expected: list[list[int]] = []
    position = 0
    after_blank = True
    for number, found in enumerate(re.finditer(r"[^\r\n]*(\r\n|\r|\n|$)", text), start=1):
        if not found[0]:
            break
        end = found.end() - len(found[1])
        blank = not text[position:end].strip(" \t")
        if not blank and after_blank:
            expected.append([position, end, number, number])
        elif not blank:
            expected[-1][1] = end
            expected[-1][3] = number
        after_blank = blank
        position = found.end()
    rows = paragraphs(text)
    found_rows = [[row["start"], row["end"], row["start_line"], row["end_line"]] for row in rows]
    assert found_rows == expected
    assert all(row["text"] == text[row["start"] : row["end"]] for row in rows)
    assert [row["index"] for row in rows] == list(range(len(rows)))


@given(st.text(alphabet="ab\r\n"), st.text(alphabet="ab\r\n", min_size=1, max_size=2), st.data())
def test_delimited_chunks_are_those_of_str_split(text: str, delimiter: str, data: Any) -> None:
    most = data.draw(st.none() | st.integers(0, 5))
    rows = split_delimiter(text, delimiter, most)
    assert [row["text"] for row in rows] == text.split(delimiter, -1 if most is None else most)
    position = 0
    for row in rows:
        assert row["start"] == position
        assert text[row["start"] : row["end"]] == row["text"]
        before = text[: row["start"]]
        ended = len(re.findall(r"\r\n|\r|\n", before))
        if before.endswith("\r") and text[row["start"] : row["start"] + 1] == "\n":
            ended -= 1
        assert row["start_line"] == 1 + ended
        inside = len(re.findall(r"\r\n|\r|\n", row["text"][:-1]))
        if row["text"][-2:] == "\r\n":
            inside -= 1
        assert row["end_line"] == row["start_line"] + inside
        position = row["end"] + len(delimiter)
    assert position == len(text) + len(delimiter)


def test_delimiter_arguments() -> None:
    with pytest.raises(InvalidInput, match="delimiter: must not be empty"):
        split_delimiter("a", "")
    with pytest.raises(InvalidInput, match="max_splits: -1 is less than 0"):
        split_delimiter("a", "b", -1)
    assert len(split_delimiter("a,b", ",", 10**30)) == 2


@given(abbreviated, st.sampled_from(get_args(Language)))
def test_suppressions_only_join(text: str, language: Language) -> None:
    plain = sentence_boundaries(text)
    joined = joined_boundaries(text, plain, language)
    assert set(joined) <= set(plain)
    assert joined[:1] + joined[-1:] == plain[:1] + plain[-1:]
    for boundary in set(plain) - set(joined):
        assert not ends_paragraph(ord(text[boundary - 1]))
        word = text[:boundary].rstrip()
        assert any(
            word.endswith(abbreviation[: at or None])
            for abbreviation in ABBREVIATIONS[language]
            for at in [0, *(found.start() for found in re.finditer(" ", abbreviation))]
        )


@pytest.mark.parametrize("language", ABBREVIATIONS)
def test_every_abbreviation_joins(language: Language) -> None:
    """Each entry that can stand before a boundary keeps what follows it in the sentence."""
    for abbreviation in ABBREVIATIONS[language]:
        text = f"One {abbreviation} Two"
        if sentence_boundaries(text) != [0, len(text)]:
            rows = sentences(text, suppressions=language)
            assert [row["text"] for row in rows] == [text], abbreviation


def test_abbreviations_are_words() -> None:
    def count(text: str) -> int:
        return len(sentences(text, suppressions="en"))

    assert count("(Mr. Smith)") == 1
    assert count("xMr. Smith") == count("3Mr. Smith") == count("e\u0301Mr. Smith") == 2
    assert count("mr. Smith") == 2
    assert count("a,Mr. Smith") == 1
    with pytest.raises(InvalidInput, match="there is no list for 'ja'"):
        sentences("A.", suppressions="ja")  # type: ignore[arg-type]


def test_the_contract_knows_every_language() -> None:
    schema = get_tool("text-sentences-split").contract.data
    languages = schema["input_schema"]["properties"]["suppressions"]["enum"]
    assert languages == list(get_args(Language)) == list(ABBREVIATIONS)
    known = schema["output_schema"]["properties"]
    assert known["suppressions"]["enum"] == [*languages, None]
    assert known["suppressions_version"]["enum"] == [VERSION, None]


@pytest.mark.parametrize(
    ("tool", "limit", "input"),
    [
        ("text-sentences-split", "max_text_bytes", {"text": "a" * 262145}),
        ("text-sentences-split", "max_sentences", {"text": "!\n" * 65537}),
        ("text-sentences-split", "max_output_bytes", {"text": "!\n" * 65536}),
        ("text-sentence-offsets", "max_text_bytes", {"text": "é" * 131073}),
        ("text-sentence-offsets", "max_sentences", {"text": "\n" * 65537}),
        ("text-paragraphs-split", "max_text_bytes", {"text": "\n" * 262145}),
        ("text-paragraphs-split", "max_paragraphs", {"text": "a\n\n" * 65537}),
        ("text-paragraphs-split", "max_output_bytes", {"text": "a\n\n" * 65536}),
        ("text-delimiter-chunk", "max_text_bytes", {"text": "a" * 262145, "delimiter": "b"}),
        ("text-delimiter-chunk", "max_delimiter_bytes", {"text": "a", "delimiter": "é" * 513}),
        ("text-delimiter-chunk", "max_chunks", {"text": "," * 65536, "delimiter": ","}),
        ("text-delimiter-chunk", "max_output_bytes", {"text": "," * 65535, "delimiter": ","}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_limits_are_named(tool: str, limit: str, input: dict[str, Any]) -> None:
    with pytest.raises(SpanwiseError) as caught:
        execute(tool, "1.0.0", input)
    assert caught.value.code == "limit_exceeded"
    assert caught.value.details["limit"] == limit


GROWING: dict[str, tuple[str, Callable[[str], object]]] = {
    "paragraphs": ("a\n\n", paragraphs),
    "one long paragraph": ("a\n", paragraphs),
    "blank lines": (" \t\r\n", paragraphs),
    "many LF, no CR to find": ("\n", paragraphs),
    "delimiters": (",", lambda text: split_delimiter(text, ",")),
    "nearly delimiters": ("-", lambda text: split_delimiter(text, "-" * 500 + "+")),
    "abbreviations": ("Mr. A. ", lambda text: sentences(text, suppressions="en")),
    "parts of abbreviations": ("n. u. ", lambda text: sentences(text, suppressions="de")),
    "trimmed white space": ("a.   \n \u3000", lambda text: sentences(text, trim=True)),
    "false stops": ("本" + "a" * 60, sentences),
    "a stop after each change of script": ("本" * 40 + "a" * 3000 + ". B", sentences),
}


@pytest.mark.parametrize("name", GROWING)
def test_growth_is_linear(name: str) -> None:
    """Four times the text takes about four times as long; eight allows for a noisy machine."""
    unit, run = GROWING[name]

    def seconds(size: int) -> float:
        text = unit * (size // len(unit))
        best = float("inf")
        for _ in range(3):
            started = time.process_time()
            run(text)
            best = min(best, time.process_time() - started)
        return best

    small, middle, large = seconds(40_000), seconds(80_000), seconds(160_000)
    assert large < 8 * small + 0.02, (small, middle, large)
    assert large < 4 * middle + 0.02, (small, middle, large)


def test_tables_are_as_generated() -> None:
    script = ROOT / "scripts" / "make_sentence_tables.py"
    done = subprocess.run(
        [sys.executable, str(script), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("it is what its source gives") + done.stdout.count("checksum") == 2
