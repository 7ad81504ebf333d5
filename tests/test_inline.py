"""The visible text of a heading, against an independent parser and hostile input."""

import json
import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from spanwise.kernel.anchors import slug
from spanwise.markdown.inline import normal_label, visible_text
from tests.shared_data import DATA, needs_data

PARSER = MarkdownIt("commonmark")

INLINE_SECTIONS = {
    "Autolinks",
    "Backslash escapes",
    "Code spans",
    "Emphasis and strong emphasis",
    "Entity and numeric character references",
    "Hard line breaks",
    "Images",
    "Inlines",
    "Links",
    "Raw HTML",
    "Soft line breaks",
    "Textual content",
}

BITS = [
    *["a", "b", " ", "é", "—", "\n", '"', "'", "\\", "<", ">", "!"],
    *["_", "__", "*", "**", "`", "``", "[", "]", "](u)", "(", ")", "!["],
    *["<a>", "</b>", '<a b="', "<http://x.y>", "&amp;", "&#35;", "<!-- c -->"],
]


def parsed_text(text: str) -> str:
    """What markdown-it makes of inline content, images left out."""
    texts = {"text", "text_special", "code_inline"}
    children = PARSER.parseInline(text)[0].children or []
    return "".join(
        child.content if child.type in texts else "\n" if child.type.endswith("break") else ""
        for child in children
    )


@needs_data
def test_examples_of_the_specification() -> None:
    examples = json.loads((DATA / "commonmark" / "spec-0.31.2.json").read_text(encoding="utf-8"))
    compared = 0
    for example in examples:
        text = example["markdown"].strip("\n")
        blocks = "\n\n" in text or "\t" in text or re.search(r"^\s*\[.*\]:", text, re.M)
        if example["section"] not in INLINE_SECTIONS or blocks:
            continue
        compared += 1
        assert visible_text(text) == parsed_text(text), example["example"]
    assert compared > 250


@settings(max_examples=500, deadline=None)
@given(st.lists(st.sampled_from(BITS), max_size=14).map("".join).map(str.strip))
def test_like_an_independent_parser(text: str) -> None:
    if "\\ \n" in text:
        return  # markdown-it keeps the blank between a backslash and the line ending
    assert visible_text(text) == parsed_text(text)


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("foo *bar*", "foo-bar"),
        ("`code_here` and __init__", "code_here-and-init"),
        ("snake_case_name", "snake_case_name"),
        ("_all of it_", "all-of-it"),
        ("The [docs](https://example.org/a_b 'T') page", "the-docs-page"),
        ("![logo](logo.png) Name", "-name"),
        ("Q &amp; A &copy; &unknown;", "q--a--unknown"),
        (r"escaped \_underscore\_", "escaped-_underscore_"),
        ('<a id="x"></a>Title', "title"),
        ("array[i][j]", "arrayij"),
        ("[1.0.0] - 2024-01-01", "100---2024-01-01"),
        ("first  \n  second", "firstsecond"),
    ],
)
def test_anchor_of_a_raw_heading(heading: str, expected: str) -> None:
    assert slug(visible_text(heading)) == expected


def test_a_full_reference_needs_its_definition() -> None:
    labels = frozenset([normal_label("The\n Label"), "pic"])
    assert visible_text("[text][the label]", labels) == "text"
    assert visible_text("[text][other]", labels) == "[text][other]"
    assert visible_text("![alt][pic] after", labels) == " after"
    assert visible_text("[a ![b][pic] c](d)", labels) == "a  c"


HOSTILE = [
    "*a _b ",
    "[",
    "](",
    "[a](",
    "![",
    "![a](",
    "`a``b```c",
    '<a b="',
    "<a b='\"' c",
    "<!--",
    "<?",
    "<![CDATA[",
    '[a](b "',
    "[a](<b",
    "*_",
    "_*a",
    "**a *b ",
    "a_",
    "&",
    "&#",
    "\\",
    "<a:",
    "[a][b",
    "[]",
    "<a ",
]


@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_headings_cost_linear_time(unit: str) -> None:
    def seconds(count: int) -> float:
        text = unit * (count // len(unit))
        start = time.process_time()
        visible_text(text, frozenset(["b"]))
        return time.process_time() - start

    small = min(seconds(10_000) for _ in range(3))
    assert min(seconds(40_000) for _ in range(2)) < 4 * small * 2.5 + 0.01
