"""Chunks: the laws on real and generated documents, and what single rules mean.

`make laws` (SPANWISE_LAWS=all) tries every real document; otherwise every sixteenth is tried.
"""

import functools
import gc
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise import Chunk, chunk_markdown
from spanwise.kernel.blocks import scan
from spanwise.kernel.records import FENCED_CODE, NESTED
from spanwise.markdown.options import ChunkOptions
from spanwise.rows import chunk_rows
from spanwise.spans import UNITS
from spanwise.tokens import counter_of
from tests.chunk_laws import (
    BLANKS,
    check,
    cluster_boundaries,
    cluster_faults,
    cover_faults,
    fence_faults,
    front_matter_size,
    parsed,
    size_faults,
    source_of,
    span_faults,
    table_facts,
)
from tests.shared_data import DATA, build, markdown_files, needs_data, pathological
from tests.strategies import LEAVES, documents

EVERY = os.environ.get("SPANWISE_LAWS") == "all"

LAWS: list[dict[str, Any]] = [
    {"max_chars": 200},
    {"max_chars": 500},
    {"max_chars": 1500},
    {"max_chars": 8000},
    {"max_tokens": 128, "tokenizer": "cl100k_base"},
    {"max_tokens": 512, "tokenizer": "cl100k_base"},
    {"max_chars": 200, "prefix_path": True},
    {"max_chars": 300, "overlap_chars": 60},
    {"max_chars": 1500, "min_chars": 400, "front_matter": "drop"},
    {"max_chars": 200, "prefix_path": True, "overlap_chars": 100, "min_chars": 100},
    {"max_tokens": 128, "tokenizer": "cl100k_base", "overlap_tokens": 20, "prefix_path": True},
]


@functools.cache
def real_documents() -> list[dict[str, Any]]:
    """Every real document, or every sixteenth of the smaller ones."""
    records = list(markdown_files())
    if EVERY:
        return records
    return [record for record in records if len(record["text"]) < 100_000][::16]


def named(options: dict[str, Any]) -> str:
    return ",".join(f"{name}={value}" for name, value in options.items() if name != "tokenizer")


@needs_data
@pytest.mark.parametrize("options", LAWS, ids=named)
def test_laws_on_real_documents(options: dict[str, Any]) -> None:
    pytest.importorskip("icu", reason="ICU is not installed (icukit-pyicu)")
    checked = ChunkOptions(**options)
    counter = counter_of(checked.tokenizer)
    found = []
    for record in real_documents():
        text, path = record["text"], record.get("path", "a.md")
        rows = chunk_rows(text, path, checked, counter)
        found += check(text, rows, checked, path.endswith(".mdx"))
    assert found == []


def sliced(text: str, row: Chunk, unit: str) -> str:
    if unit == "code_point":
        return text[row["start"] : row["end"]]
    if unit == "utf8":
        return text.encode()[row["start"] : row["end"]].decode()
    return text.encode("utf-16-le")[2 * row["start"] : 2 * row["end"]].decode("utf-16-le")


@needs_data
@pytest.mark.parametrize("unit", UNITS)
def test_spans_are_exact_in_every_unit(unit: Any) -> None:
    for record in real_documents():
        text = record["text"]
        if text.isascii() or len(text) > 300_000:
            continue
        for row in chunk_markdown(text, max_chars=200, unit=unit):
            inner = row["text"][row["prefix_chars"] : row["chars"] - row["suffix_chars"]]
            assert inner == sliced(text, row, unit)


@needs_data
def test_chunks_of_mdx_have_closed_fences_too() -> None:
    for record in real_documents():
        if not record.get("path", "").endswith(".mdx"):
            continue
        for row in chunk_markdown(record["text"], source="a.mdx", max_chars=200):
            blocks = scan(row["text"], (1 << FENCED_CODE) | NESTED, True, True)
            last = len(blocks) - 1
            ends = last >= 0 and blocks.end(last) >= len(row["text"].rstrip(BLANKS))
            assert row["kind"] == "front_matter" or not ends or blocks.closed(last), row["text"]


PROGRAM = """
import hashlib, json, sys
from spanwise import chunk_markdown
digest = hashlib.sha256()
for text in json.load(sys.stdin):
    for size in (200, 1500):
        rows = chunk_markdown(text, max_chars=size, prefix_path=True, min_chars=100)
        digest.update(json.dumps(rows).encode())
print(digest.hexdigest())
"""


@needs_data
def test_runs_are_alike_whatever_the_hash_seed() -> None:
    texts = [record["text"] for record in real_documents()][:150]
    digests = set()
    for seed in ("0", "1", "4711"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            input=json.dumps(texts).encode(),
            env=environment,
            capture_output=True,
            check=True,
        )
        digests.add(done.stdout)
    assert len(digests) == 1


def with_section_near_the_top(text: str) -> str | None:
    """The text with a section put before its second one, at that one's level."""
    first = front_matter_size(chunk_markdown(text), text)
    source = source_of(text, first)
    headings = [t for t in source.tokens if t.type == "heading_open" and t.level == 0]
    if len(headings) < 3 or headings[1].map is None:
        return None
    at = source.offset(headings[1].map[0])
    mark = headings[1].tag[1]
    return f"{text[:at]}{'#' * int(mark)} A section put in\n\nIts text.\n\n{text[at:]}"


@needs_data
def test_ids_outlive_a_section_put_in_near_the_top() -> None:
    changed = total = files = 0
    for record in markdown_files("docs"):
        text = record["text"]
        longer = with_section_near_the_top(text)
        if longer is None:
            continue
        before = {row["chunk_id"] for row in chunk_markdown(text, source="a.md")}
        after = {row["chunk_id"] for row in chunk_markdown(longer, source="a.md")}
        changed += len(before - after)
        total += len(before)
        files += 1
        if files == 500:
            break
    assert files == 500
    assert changed <= total / 10
    print(f"{changed} of {total} ids changed")


# -- generated documents -------------------------------------------------------------------------

LONG = [
    *["word " * 30, "One sentence. Another one! A third? " * 6, "x" * 250, "👩‍👩‍👧‍👦🇩🇪" * 30],
    *[
        "| a | b |",
        "|---|---|",
        "| long cell " + "y " * 40 + "| c |",
        "a | b",
        "-|-",
        "漢字。" * 40,
    ],
    *["```py", "    code", "code_line = 1", "~~~ {.long info} " + "z" * 90, "<div>" + "q " * 60],
    *["---", "import x from 'y'", "{expression}", "<Tag>", "</Tag>", "\tx" * 20, "e\u0301" * 60],
]
long_documents = st.lists(
    documents(LEAVES + LONG * 3, ["\n"] * 9 + ["\r\n"], 40), min_size=1, max_size=3
).map("\n".join)
OPTIONS = st.fixed_dictionaries(
    {
        "max_chars": st.sampled_from([200, 211, 300, 500]),
        "overlap_chars": st.sampled_from([0, 0, 40, 100]),
        "prefix_path": st.booleans(),
        "min_chars": st.sampled_from([0, 0, 150]),
    }
)


def strict_faults(text: str, rows: Sequence[Chunk], options: ChunkOptions) -> list[str]:
    """What may not happen in any document at all."""
    found = [*span_faults(text, rows), *size_faults(rows, options)]
    found += cover_faults(text, rows, options)
    found += fence_faults(rows, [parsed(row["text"]) for row in rows])
    found += cluster_faults(text, rows, cluster_boundaries)
    return found


@given(long_documents, OPTIONS)
def test_laws_on_generated_documents(text: str, options: dict[str, Any]) -> None:
    pytest.importorskip("icu", reason="ICU is not installed (icukit-pyicu)")
    checked = ChunkOptions(**options)
    assert strict_faults(text, chunk_rows(text, "a.md", checked), checked) == []


@given(long_documents, OPTIONS)
def test_mdx_keeps_to_the_limits_and_loses_nothing(text: str, options: dict[str, Any]) -> None:
    checked = ChunkOptions(**options, mdx=True)
    rows = chunk_rows(text, "a.mdx", checked)
    assert [*span_faults(text, rows), *size_faults(rows, checked)] == []
    end = 0
    for row in rows:
        gap = text[end : row["start"]].strip(BLANKS)
        assert not gap or "#" in gap or "=" in gap or "-" in gap
        end = row["end"]


# -- hostile documents ---------------------------------------------------------------------------


def hostile() -> list[tuple[str, list[Any]]]:
    return list(pathological()) if DATA.is_dir() else []


@pytest.mark.parametrize("max_chars", [200, 1500])
@pytest.mark.parametrize(("name", "parts"), hostile(), ids=lambda x: str(x)[:40])
def test_hostile_documents(name: str, parts: list[Any], max_chars: int) -> None:
    """Within the size, nothing lost, in linear time."""

    def measured(factor: float, runs: int) -> tuple[int, float, list[Chunk], str]:
        text = build(parts, factor)
        times = []
        gc.collect()
        gc.disable()  # a full collection goes through all that the tests before have left
        try:
            for _ in range(runs):
                start = time.process_time()
                rows = chunk_markdown(text, max_chars=max_chars)
                times.append(time.process_time() - start)
        finally:
            gc.enable()
        return len(text), min(times), rows, text

    small, little, _, _ = measured(0.05, 3)
    large, much, rows, text = measured(0.2, 2)
    options = ChunkOptions(max_chars=max_chars)
    assert [*span_faults(text, rows), *size_faults(rows, options)][:3] == []
    assert much < little * (large / small) * 4 + 0.05


def test_a_long_line_costs_linear_time() -> None:
    def seconds(text: str) -> float:
        start = time.process_time()
        rows = chunk_markdown(text)
        spent = time.process_time() - start
        assert "".join(row["text"] for row in rows).replace(" ", "") == text.replace(" ", "")
        return spent

    for unit in ("x", "word ", "A sentence. ", "漢", "e\u0301"):
        small = min(seconds(unit * (250_000 // len(unit))) for _ in range(2))
        assert seconds(unit * (1_000_000 // len(unit))) < 12 * small + 0.1
    megabyte = seconds("A sentence of words. " * 50_000)
    assert seconds("A sentence of words. " * 200_000) < 12 * megabyte


# -- single rules --------------------------------------------------------------------------------


def texts_of(text: str, **options: Any) -> list[str]:
    rows = chunk_markdown(text, **({"max_chars": 200} | options))
    checked = ChunkOptions(**({"max_chars": 200} | options))
    assert check(text, rows, checked, bool(options.get("mdx"))) == []
    return [row["text"] for row in rows]


def code_of(texts: list[str]) -> str:
    return "".join(t.content for text in texts for t in parsed(text) if t.type == "fence")


CODE = [f"line_{number:02} = compute({number})" for number in range(30)]


@pytest.mark.parametrize(
    ("before", "margin", "opening", "closing"),
    [
        ("", "", "```python", "```"),
        ("", "", "~~~~ {.py #id}", "~~~~"),
        ("", "  ", '```python title="a b"', "```"),
        ("> quoted\n>\n", "> ", "```python", "```"),
        ("- item\n\n", "  ", "```python", "```"),
        ("10. item\n\n", "    ", "```python", "```"),
        ("- a\n  - b\n    - c\n\n", "      ", "~~~ py", "~~~"),
        ("> - item\n>\n", ">   ", "````md", "````"),
        ("- > - deep\n  >\n", "  >   ", "```python", "```"),
        ("1. a\n\n\t- b\n\n", "\t  ", "```python", "```"),
    ],
)
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_a_cut_fence_is_whole_in_every_part(
    before: str, margin: str, opening: str, closing: str, ending: str
) -> None:
    text = before + "".join(f"{margin}{line}\n" for line in [opening, *CODE, closing])
    found = texts_of(text.replace("\n", ending))
    assert len(found) > 3
    fences = [[t for t in parsed(part) if t.type == "fence"] for part in found]
    assert [len(several) for several in fences[1:]] == [1] * (len(found) - 1)
    info = opening.strip("`~ ")
    assert {several[0].info.strip() for several in fences[1:]} == {info}
    assert {several[0].markup for several in fences[1:]} == {closing}
    code = [line for line in code_of(found).split("\n") if line]
    assert code == CODE


def test_an_open_fence_is_closed_in_every_part() -> None:
    found = texts_of("# A\n\n```py\n" + "\n".join(CODE))
    assert [line for line in code_of(found).split("\n") if line] == CODE
    assert all(part.endswith("\n```") for part in found)


def test_blank_lines_in_code_are_kept() -> None:
    lines = [line for number in range(30) for line in (f"line {number}", *([""] * (number % 4)))]
    found = texts_of("```\n" + "\n".join(lines) + "\n```\n")
    assert code_of(found).split("\n")[:-1] == lines


def test_a_long_line_of_code_is_cut_between_words_inside_its_list() -> None:
    line = " ".join(f"argument_{number}" for number in range(60))
    found = texts_of(f"1. Run:\n\n    ```sh\n    {line}\n    ```\n")
    assert code_of(found).split() == line.split()
    assert all("\n    argument" in part for part in found[1:])


def test_code_is_not_cut_at_all_where_it_fits() -> None:
    code = "```\n" + "\n".join(CODE[:6]) + "\n```"
    found = texts_of(f"# A\n\n{'Some text here. ' * 5}\n\n{code}\n\nAfter.\n")
    assert sum(code in part for part in found) == 1


ROWS = [f"| cell {number} | value {number} |" for number in range(30)]


@pytest.mark.parametrize(
    ("before", "margin"),
    [
        ("", ""),
        ("", "   "),
        ("Right above it.\n", ""),
        ("- item\n\n", "  "),
        ("100. item\n\n", "     "),
        ("> quoted\n>\n", "> "),
        ("- > deep\n  >\n", "  > "),
    ],
)
def test_a_cut_table_repeats_its_header(before: str, margin: str) -> None:
    lines = ["| Name | Worth |", "|:-----|------:|", *ROWS]
    found = texts_of(before + "".join(f"{margin}{line}\n" for line in lines))
    tables = [list(table_facts(parsed(part))) for part in found]
    assert all(len(several) == 1 for several in tables[1:])
    assert all(several[0][3] == ["Name", "Worth"] for several in tables if several)
    assert sum(several[0][4] for several in tables if several) == len(ROWS)


@pytest.mark.parametrize("header", ["a | b\n---|---", "| a | b |\n|-|-|", "`x\\|y` | b\n:-- | --:"])
def test_tables_without_outer_pipes_and_with_escaped_ones(header: str) -> None:
    rows = "".join(f"code\\|{number} | some words for row {number}\n" for number in range(20))
    found = texts_of(f"{header}\n{rows}")
    assert len(found) > 3
    assert all(part.startswith(header) for part in found)


def test_a_table_row_that_is_too_long_stays_a_row() -> None:
    rows = "".join(f"| {number} | {'A sentence in a cell. ' * 15}|\n" for number in range(3))
    found = texts_of(f"| n | text |\n|---|------|\n{rows}")
    assert all(part.startswith("| n | text |\n|---|------|\n") for part in found)
    assert all(list(table_facts(parsed(part))) for part in found)


def test_a_huge_table_header_is_not_repeated() -> None:
    header = "| " + " | ".join(f"column {number}" for number in range(40)) + " |"
    text = f"{header}\n|{'---|' * 40}\n" + f"|{' x |' * 40}\n" * 5
    rows = chunk_markdown(text, max_chars=200)
    assert max(row["chars"] for row in rows) <= 200
    assert sum(row["text"].count("column 7 ") for row in rows) == 1


def test_html_blocks_that_hold_fences() -> None:
    inner = "".join(f"<p>line {number} of the block</p>\n" for number in range(20))
    texts_of(f"<div>\n```\n{inner}```\n</div>\n\nAfter.\n")
    texts_of(f"<!--\n~~~\n{inner}\n\n~~~~\n-->\n\nAfter.\n")


def test_list_items_stay_whole_and_with_their_children() -> None:
    item = "- item {0} with some words\n  - child of {0}\n  - other child of {0}\n"
    found = texts_of("".join(item.format(number) for number in range(10)))
    assert all(part.startswith("- item") for part in found)
    assert all(part.split("\n")[-1].startswith("  - other child") for part in found)


def test_a_deeply_nested_list_is_cut() -> None:
    text = "".join("  " * depth + f"- level {depth} with some words\n" for depth in range(60))
    rows = chunk_markdown(text, max_chars=200)
    assert max(row["chars"] for row in rows) <= 200
    assert [row["text"].split() for row in rows] != []
    joined = " ".join(row["text"][row["prefix_chars"] :] for row in rows)
    assert joined.split() == text.split()


def test_sentences_stay_whole() -> None:
    sentence = "This is sentence number {} of the paragraph."
    found = texts_of("# A\n\n" + " ".join(map(sentence.format, range(20))))
    assert all(part.endswith("paragraph.") for part in found)


def test_words_stay_whole_and_clusters_too() -> None:
    found = texts_of(" ".join(f"word{number}" for number in range(100)))
    assert " ".join(found).split() == [f"word{number}" for number in range(100)]
    family = "👩‍👩‍👧‍👦"
    assert set("".join(texts_of(family * 100)).split(family)) == {""}


def test_no_crumbs_at_the_end() -> None:
    paragraph = "x" * 90
    found = texts_of(f"{paragraph}\n\n{paragraph}\n\nlast\n")
    assert len(found[-1]) > 25
    found = texts_of("A sentence of words here. " * 8 + "End.")
    assert len(found[-1]) > 25


def test_overlap_is_whole_words_of_the_part_before() -> None:
    words = [f"word{number:03}" for number in range(200)]
    found = texts_of(" ".join(words), overlap_chars=50)
    for one, two in pairwise(found):
        last = one.split()[-1]
        assert last in two.split()
        assert set(two.split()) <= set(words)


def test_overlap_keeps_out_of_code_and_tables() -> None:
    text = "\n".join(["```", *CODE, "```", "", "| a |", "|---|", *(["| row |"] * 40), "", "end"])
    rows = chunk_markdown(text, max_chars=200, overlap_chars=100)
    for row in rows:
        prefix = row["text"][: row["prefix_chars"]]
        assert prefix in ("", "```\n", "| a |\n|---|\n")


def test_small_sections_are_joined_under_their_parent() -> None:
    text = f"# A\n\n{'a ' * 30}\n\n## B\n\nb\n\n## C\n\nc\n\n### D\n\nd\n\n# E\n\n{'e ' * 30}\n"
    rows = chunk_markdown(text, min_chars=40)
    assert [(row["heading_path"], row.get("headings")) for row in rows] == [
        (["A"], None),
        (["A"], ["B", "C", "D"]),
        (["E"], None),
    ]
    assert rows[1]["text"] == "## B\n\nb\n\n## C\n\nc\n\n### D\n\nd"


def test_paths_longer_than_half_of_the_size_lose_their_outer_headings() -> None:
    text = f"# {'Outer ' * 20}\n\n## Inner\n\n{'words ' * 60}\n"
    found = texts_of(text, prefix_path=True)
    assert all(part.startswith("Inner\n\n") for part in found)


# -- MDX -----------------------------------------------------------------------------------------

MDX = """import Tabs from '@site/Tabs'
export const meta = {
  title: '# not a heading',

  list: [1, 2],
}

# Guide

<Tabs>
  <Tab>

## In a tab

    indented text, no code

  </Tab>
</Tabs>

{/* # a comment

   # still */}

<div>
# Also a heading
</div>
"""


def test_mdx_reads_headings_between_tags_and_skips_expressions() -> None:
    rows = chunk_markdown(MDX, source="guide.mdx")
    assert [row["heading_path"] for row in rows] == [
        [],
        ["Guide"],
        ["Guide", "In a tab"],
        ["Also a heading"],
    ]
    assert rows[0]["text"].startswith("import Tabs")
    assert rows[0]["end_line"] == 6
    assert chunk_markdown(MDX, source="guide.md", mdx=True) != chunk_markdown(
        MDX, source="guide.md"
    )
    assert chunk_markdown(MDX, source="g.mdx", mdx=False) == chunk_markdown(
        MDX, source="g.mdx", mdx=False
    )


def test_mdx_cuts_indented_text_as_text() -> None:
    text = "<Tab>\n\n" + "    An indented sentence of text. " * 20 + "\n\n</Tab>\n"
    rows = chunk_markdown(text, source="a.mdx", max_chars=200)
    assert all(row["prefix_chars"] == row["suffix_chars"] == 0 for row in rows)
    assert max(row["chars"] for row in rows) <= 200


@needs_data
def test_what_is_freed_harms_nothing_else() -> None:
    """A debug allocator finds writes outside of what was allocated, in the compiled build."""
    program = """
from spanwise.markdown.chunking import pieces
from spanwise.markdown.options import ChunkOptions
from tests.shared_data import markdown_files

texts = [one["text"] for one in markdown_files("nasty") if one["path"].endswith("good.txt")]
assert texts
for text in texts:
    for _ in range(2):
        assert pieces(text, ChunkOptions(max_chars=300))
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONMALLOC": "debug"},
        cwd=Path(__file__).parents[1],
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode(errors="replace")[-2000:]
