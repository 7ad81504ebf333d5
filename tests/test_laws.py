"""Laws that hold of every text, tried on many with Hypothesis."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise.catalogue import execute
from spanwise.errors import LimitExceeded
from spanwise.kernel.blocks import scan
from spanwise.kernel.records import HEADINGS
from spanwise.markdown.sectioning import Section, sections
from tests.shared_data import markdown_files, needs_data
from tests.strategies import documents, texts

ENDING = re.compile(r"\r\n|\n|\r")


def line_of(text: str, position: int) -> int:
    """1 plus the number of line endings that end at or before a position, counted the slow way."""
    return 1 + sum(match.end() <= position for match in ENDING.finditer(text))


def check_spans(text: str, rows: list[Section]) -> None:
    """Exact slices that tile the text from the first section on; indexes in order."""
    assert [row["index"] for row in rows] == list(range(len(rows)))
    for row in rows:
        assert row["text"] == text[row["start"] : row["end"]]
        assert row["start"] < row["end"]
    assert all(one["end"] == two["start"] for one, two in pairwise(rows))
    if rows:
        assert rows[-1]["end"] == len(text)
        assert text[: rows[0]["start"]].strip(" \t\r\n") == ""
    else:
        assert text.strip(" \t\r\n") == ""


def check_lines(text: str, rows: list[Section]) -> None:
    ends = [match.end() for match in ENDING.finditer(text)]
    starts = {0, *ends}
    for row in rows:
        assert row["start"] in starts
        assert row["start_line"] == line_of(text, row["start"])
        assert row["end_line"] == line_of(text, row["end"] - 1)
        if row["heading"] is not None:
            first, last = row["heading_start_line"], row["heading_end_line"]
            assert first is not None
            assert last is not None
            assert row["start_line"] == first <= last <= row["end_line"]
            assert last > first or row["heading_kind"] == "atx"


def check_headings(rows: list[Section]) -> None:
    """Paths worked out again; a preamble only at the front; kinds and levels that go together."""
    open_headings: list[tuple[int, str]] = []
    for row in rows:
        if row["level"] == 0:
            assert row["index"] == 0
            assert row["heading"] is None
            assert row["heading_kind"] is None
            assert row["heading_start_line"] is None
            assert row["heading_end_line"] is None
            assert row["path"] == []
            continue
        assert row["heading"] is not None
        assert row["heading"] == row["heading"].strip(" \t")
        assert "\0" not in row["heading"]
        assert row["heading_kind"] == "atx" or row["level"] <= 2
        kept = [pair for pair in open_headings if pair[0] < row["level"]]
        open_headings = [*kept, (row["level"], row["heading"])]
        assert row["path"] == [heading for _, heading in open_headings]


@given(texts)
def test_sections_keep_the_laws(text: str) -> None:
    rows = sections(text)
    check_spans(text, rows)
    check_lines(text, rows)
    check_headings(rows)


@needs_data
@pytest.mark.parametrize("name", ["docs", "nasty", "huge"])
def test_real_files_keep_the_laws(name: str) -> None:
    for record in markdown_files(name):
        rows = sections(record["text"])
        check_spans(record["text"], rows)
        check_headings(rows)
        if len(record["text"]) * len(rows) < 1_000_000:
            check_lines(record["text"], rows)


@given(texts)
def test_tool_gives_the_same_rows(text: str) -> None:
    try:
        result = execute("markdown-sections-chunk", "1.0.0", {"markdown": text})
    except LimitExceeded as error:
        assert error.details["limit"] == "max_nesting_depth"
        return
    assert result["sections"] == sections(text)
    assert result["section_count"] == len(result["sections"])
    assert result["heading_count"] == sum(row["level"] > 0 for row in result["sections"])


def structure(text: str) -> list[tuple[object, ...]]:
    return [
        (row["level"], row["heading"], row["path"], row["start_line"], row["end_line"])
        for row in sections(text)
    ]


@given(documents(endings=["\n"]))
@pytest.mark.parametrize("ending", ["\r", "\r\n"])
def test_line_endings_do_not_matter(ending: str, text: str) -> None:
    """The same lines and headings whatever ends a line; only offsets and slices move."""
    other = text.replace("\n", ending)
    assert structure(other) == structure(text)
    check_spans(other, sections(other))
    assert block_facts(other) == block_facts(text)


def block_facts(text: str) -> list[tuple[int, ...]]:
    """Of every block: kind, lines, depth, parent, level, mark."""
    blocks = scan(text)
    return [
        (
            blocks.kind(block),
            blocks.first_line(block),
            blocks.last_line(block),
            blocks.depth(block),
            blocks.parent(block),
            blocks.level(block),
            blocks.mark(block),
        )
        for block in range(len(blocks))
    ]


@given(texts)
def test_blocks_are_in_order_and_inside_their_parents(text: str) -> None:
    blocks = scan(text)
    for block in range(len(blocks)):
        parent = blocks.parent(block)
        assert 0 <= blocks.start(block) <= blocks.end(block) <= len(text)
        assert blocks.first_line(block) == line_of(text, blocks.start(block))
        assert blocks.last_line(block) == line_of(text, blocks.end(block))
        assert -1 <= parent < block
        if parent >= 0:
            assert blocks.start(parent) <= blocks.start(block)
            assert blocks.end(block) <= blocks.end(parent)
        if block:
            assert blocks.start(block - 1) <= blocks.start(block)
        assert blocks.depth(block) <= blocks.max_depth


@given(texts)
def test_asking_for_headings_alone_gives_the_same_headings(text: str) -> None:
    every, alone = scan(text), scan(text, HEADINGS)
    wanted = [
        block
        for block in range(len(every))
        if every.depth(block) == 0 and HEADINGS >> every.kind(block) & 1
    ]
    assert len(alone) == len(wanted)
    for mine, other in enumerate(wanted):
        assert facts(alone, mine) == facts(every, other)
    assert alone.max_depth == every.max_depth


def facts(blocks: object, block: int) -> list[int]:
    names = ("kind", "start", "end", "first_line", "last_line", "level", "text_start", "text_end")
    return [getattr(blocks, name)(block) for name in names]


closed_off = documents(
    ["a", "# a", "===", "---", "", "[a]: b", "[a]:", "<!-- a -->", "<div>", "1."]
)
"""Texts without a leaf that could stay open over a blank line: no fences, no open comments."""


@given(closed_off, texts)
def test_what_comes_later_does_not_change_what_is_closed(text: str, more: str) -> None:
    """A heading after a blank line, in column 0, closes everything; sections before it stay."""
    before = f"{text}\n\n# cut\n"
    rows, longer = sections(before), sections(before + more)
    cut = len(rows) - 1
    assert rows[cut]["heading"] == "cut"
    assert longer[:cut] == rows[:cut]
    assert longer[cut]["start"] == rows[cut]["start"]


@given(closed_off, closed_off)
def test_sections_of_a_whole_are_the_sections_of_its_parts(one: str, two: str) -> None:
    """Cut at such a heading, each half alone has the sections that the whole has there."""
    one, two = one + "\n\n", "# cut\n" + two
    first, second, whole = sections(one), sections(two), sections(one + two)
    assert [row["text"] for row in whole] == [row["text"] for row in first + second]
    assert [row["heading"] for row in whole] == [row["heading"] for row in first + second]


@given(documents(), st.integers(0, 200))
def test_nul_is_read_as_a_replacement_character(text: str, place: int) -> None:
    """2.3: the same blocks with U+0000 as with U+FFFD; the slices keep what stands there."""
    nul, replaced = (f"{text[:place]}{char}{text[place:]}" for char in "\0\ufffd")
    assert block_facts(nul) == block_facts(replaced)
    assert structure(nul) == structure(replaced)
    assert "".join(row["text"] for row in sections(nul)) in nul


@given(documents(), st.sampled_from(["é", "語", "😀", "\u2028", "\x0c"]))
def test_characters_beyond_ascii_change_no_structure(text: str, character: str) -> None:
    """A letter may be any character: the scan treats all widths of strings alike."""
    plain = text.replace("<", "(")
    wide = plain.replace("a\n", f"{character}\n")
    assert block_facts(wide) == block_facts(plain)
