"""Quotes against sources: exact, folded, moved; and `spanwise verify` over chunk rows."""

import json
import unicodedata
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from spanwise.catalogue import execute
from spanwise.citations import check_citations, exact_places
from spanwise.doors.cli import main
from spanwise.errors import InvalidInput, LimitExceeded
from spanwise.spans import UNITS, Unit, from_unit, to_unit
from tests.test_growth import check_growth

LETTERS = "ab é e\u0301\n\t\u00a0ﬁ😀각\u1100\u1161\u11a8"
texts = st.text(st.sampled_from(LETTERS), max_size=24)
units = st.sampled_from(UNITS)


@given(texts, units, st.data())
def test_a_slice_is_a_right_citation(text: str, unit: Unit, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    if start == end:
        return
    span = to_unit(text, [start, end], unit)
    row = check_citations(
        {"s": text},
        [{"source": "s", "quote": text[start:end], "start": span[0], "end": span[1]}],
        unit,
    )[0]
    assert row["ok"] and row["status"] == "exact"
    assert [row["start"], row["end"]] == span
    assert row["found"] == text[start:end]


@given(texts, units)
def test_offsets_come_back_from_every_unit(text: str, unit: Unit) -> None:
    offsets = list(range(len(text) + 1))
    counted = to_unit(text, offsets, unit)
    assert from_unit(text, counted, unit) == offsets
    every = from_unit(text, list(range(counted[-1] + 3)), unit)
    assert [place for place in every if place is not None] == offsets


@given(texts, st.text(st.sampled_from(LETTERS), min_size=1, max_size=3))
def test_anchors_are_counted(text: str, quote: str) -> None:
    count = sum(text.startswith(quote, at) for at in range(len(text)))
    row = check_citations({"s": text}, [{"source": "s", "quote": quote}])[0]
    assert row["occurrences"] == min(count, 2)
    assert row["status"] == ("not_found", "exact", "ambiguous")[min(count, 2)]
    assert len(exact_places(text, quote)) == min(count, 2)


@given(texts, texts, st.sampled_from(["NFC", "NFKC"]), st.booleans())
def test_folding_finds_another_spelling(
    before: str, quote: str, form: str, white_space: bool
) -> None:
    """A quote in another normal form, its white space doubled, is found where it stands."""
    plain = "x" + quote.strip() + "y"
    other = unicodedata.normalize("NFD", plain)
    if white_space:
        other = "".join(one * 2 if one.isspace() else one for one in other)
    text = f"{before}|{other}|"
    row = check_citations(
        {"s": text},
        [
            {
                "source": "s",
                "quote": plain,
                "normalization": form,  # type: ignore[typeddict-item]
                "white_space": white_space,
            }
        ],
    )[0]
    assert row["ok"], (text, plain, row)
    assert row["found"] == other


def test_a_moved_span_is_named_in_its_unit() -> None:
    row = check_citations(
        {"s": "😀😀 tea"}, [{"source": "s", "quote": "tea", "start": 0, "end": 3}], "utf16"
    )[0]
    assert (row["status"], row["start"], row["end"], row["found"]) == ("moved", 5, 8, None)
    with pytest.raises(InvalidInput, match=r"citations\.0"):
        check_citations({}, [{"source": "s", "quote": "a", "start": 3, "end": 2}])


@pytest.mark.parametrize(
    ("limit", "sources", "citations"),
    [
        ("max_sources", 257, 0),
        ("max_citations", 1, 1025),
    ],
)
def test_limits_are_named(limit: str, sources: int, citations: int) -> None:
    given_input = {
        "sources": [{"id": str(number), "text": "a"} for number in range(sources)],
        "citations": [{"source": "0", "quote": "a"}] * citations,
    }
    with pytest.raises(LimitExceeded) as caught:
        execute("citation-batch-check", "1.0.0", given_input)
    assert caught.value.details["limit"] == limit


def test_text_is_limited_in_all() -> None:
    """Strings and member names, `id` and `text` here, count."""
    sources = [{"id": "a", "text": "a" * 1_048_569}]
    given_input = {"sources": sources, "citations": []}
    assert execute("citation-batch-check", "1.0.0", given_input)["ok"]
    sources[0]["text"] += "a"
    with pytest.raises(LimitExceeded, match="max_input_bytes"):
        execute("citation-batch-check", "1.0.0", given_input)


# spanwise verify

GUIDE = (
    "# Tea\n\nGreen is mild.\n\n## Black\n\nBlack tea is strong. 😀 Really.\n\n```sh\nboil\n```\n"
)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


@pytest.fixture
def chunks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("guide.md").write_text(GUIDE, encoding="utf-8")
    assert run("chunk", "guide.md", "-o", "all.jsonl", "--prefix-path").exit_code == 0
    return tmp_path


def test_chunks_that_hold(chunks: Path) -> None:
    done = run("verify", "all.jsonl")
    assert (done.exit_code, done.stdout) == (0, "")
    assert "2 of 2 chunks hold" in done.stderr
    Path("deeper").mkdir()
    Path("guide.md").rename("deeper/guide.md")
    assert run("verify", "all.jsonl", "--root", "deeper").exit_code == 0
    told = json.loads(run("verify", "all.jsonl", "--json").stdout)
    assert [one["status"] for one in told["findings"]] == ["lost", "lost"]
    assert told["ok"] is False and told["count"] == 2


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_rows_of_every_unit_and_cut_hold(chunks: Path, unit: str, newline: str) -> None:
    text = (GUIDE + "é😀 word " * 200 + "\n\n" + "| a | b |\n|---|---|\n" + "| é | c |\n" * 99) * 2
    Path("guide.md").write_text("\ufeff" + text, encoding="utf-8", newline=newline)
    options = ["--unit", unit, "--max-chars", "300", "--overlap-chars", "40", "--prefix-path"]
    assert run("chunk", "guide.md", "-o", "all.jsonl", *options).exit_code == 0
    done = run("verify", "all.jsonl", "--unit", unit)
    assert (done.exit_code, done.stdout) == (0, ""), done.stdout[:300]


def test_chunks_that_moved_changed_or_lost_their_source(chunks: Path) -> None:
    Path("guide.md").write_text("New first line.\n\n" + GUIDE, encoding="utf-8")
    done = run("verify", "all.jsonl")
    assert done.exit_code == 1
    lines = done.stdout.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("guide.md#1: moved: at 17-")
    assert "lines 3-" in lines[0]
    Path("guide.md").write_text(GUIDE.replace("mild", "wild"), encoding="utf-8")
    done = run("verify", "all.jsonl")
    assert done.stdout.startswith("guide.md#1: changed: not at")
    assert len(done.stdout.splitlines()) == 1
    Path("guide.md").unlink()
    assert (
        "guide.md#2: lost its source: guide.md: no such file" in run("verify", "all.jsonl").stdout
    )


def test_rows_that_contradict_themselves(chunks: Path) -> None:
    rows = [json.loads(line) for line in Path("all.jsonl").read_text(encoding="utf-8").splitlines()]
    for change, message in (
        ({"start_line": 2}, "moved"),
        ({"text_sha": "0" * 32}, "text_sha is that of another text"),
        ({"prefix_chars": 9999}, "leave no text"),
        ({"end": rows[0]["end"] - 1}, "moved"),
    ):
        Path("all.jsonl").write_text(json.dumps(rows[0] | change) + "\n", encoding="utf-8")
        done = run("verify", "all.jsonl")
        assert done.exit_code == 1
        assert message in done.stdout
    for line in ("{", "[]", '{"id": 1}', json.dumps(rows[0] | {"start": True})):
        Path("all.jsonl").write_text("\n" + line, encoding="utf-8")
        done = run("verify", "all.jsonl")
        assert done.exit_code == 1
        assert done.stderr.startswith("error: all.jsonl, line 2: no")


@pytest.mark.parametrize("unit", ["a", "e\u0301", " ", "\ufdfa", "a b", "\u1100\u1161"])
def test_folded_search_takes_linear_time(unit: str) -> None:
    def search(text: str) -> None:
        quote = text[: len(text) // 3] + "x"
        check_citations(
            {"s": text},
            [{"source": "s", "quote": quote, "white_space": True, "normalization": "NFKC"}],
        )

    check_growth(search, lambda size: unit * int(size * 1000 / len(unit)))
