"""The tree construction against the html5lib tests, and the places of all text in the source."""

import contextlib
import html
import re
import tarfile
from collections.abc import Iterator
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise.errors import LimitExceeded
from spanwise.formats.html.nodes import Comment, Doctype, Element, Node, Text
from spanwise.formats.html.parsing import Parsed, parse, parse_fragment
from tests.shared_data import DATA, needs_data
from tests.test_growth import check_growth

SUITE = DATA / "documents" / "html5lib-tree-construction.tar.gz"
SCRIPTED = "scripted/"
"""Tests in which a script changes the page while it is read; no script is run here."""


PARTS = re.compile(
    r"(?:^|\n)(#errors|#new-errors|#document-fragment|#script-off|#script-on|#document)(?=\n|$)"
)


@cache
def suite() -> dict[str, str]:
    """The .dat files by name."""
    with tarfile.open(SUITE) as archive:
        return {
            member.name.removeprefix("tree-construction/"): read.read().decode()
            for member in archive
            if member.name.endswith(".dat") and (read := archive.extractfile(member))
        }


def cases(text: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The source of each test of a file, and its other parts by their marks."""
    for block in re.split(r"(?:^|\n\n)#data\n", "\n\n" + text)[1:]:
        parts = PARTS.split(block)
        found: dict[str, str] = {}
        for name, part in zip(parts[1::2], parts[2::2], strict=True):
            found.setdefault(name, part.strip("\n"))
        yield parts[0], found


def dumped(parsed: Parsed) -> str:
    """A tree as the suite writes it."""
    lines: list[str] = []

    def add(node: Node, depth: int) -> None:
        indent = "| " + "  " * depth
        if isinstance(node, Doctype):
            ids = ""
            if node.public is not None or node.system is not None:
                ids = f' "{node.public or ""}" "{node.system or ""}"'
            lines.append(f"{indent}<!DOCTYPE {node.name}{ids}>")
        elif isinstance(node, Comment):
            lines.append(f"{indent}<!-- {node.data} -->")
        elif isinstance(node, Text):
            text = "".join(parsed.pieces[piece].text for piece in node.pieces)
            lines.append(f'{indent}"{text}"')
        elif isinstance(node, Element):
            space = "" if node.namespace == "html" else node.namespace + " "
            lines.append(f"{indent}<{space}{node.name}>")
            lines.extend(
                f'{indent}  {name}="{value}"' for name, value in sorted(node.attrs.items())
            )
            if node.content is not None:
                lines.append(f"{indent}  content")
                for child in node.content.children:
                    add(child, depth + 2)
            for child in node.children:
                add(child, depth + 1)

    for child in parsed.tree.children:
        add(child, 0)
    return "\n".join(lines)


def parsed(source: str, parts: dict[str, str], scripting: bool) -> Parsed:
    if "#document-fragment" not in parts:
        return parse(source, scripting=scripting)
    space, _, name = parts["#document-fragment"].rpartition(" ")
    return parse_fragment(source, Element(name, {}, space or "html"), scripting=scripting)


@needs_data
def test_the_trees_are_those_of_the_suite() -> None:
    count = 0
    for name, text in suite().items():
        if name.startswith(SCRIPTED):
            continue
        for source, parts in cases(text):
            modes = [True, False]
            if "#script-on" in parts or "#script-off" in parts:
                modes = ["#script-on" in parts]
            for scripting in modes:
                got = dumped(parsed(source, parts, scripting))
                assert got == parts["#document"], (name, source, scripting)
            count += 1
    assert count == 1792


@needs_data
def test_all_text_of_the_suite_stands_where_it_is_said_to() -> None:
    for name, text in suite().items():
        for source, _ in cases(text):
            check_pieces(source, name)


markup = st.lists(
    st.sampled_from(
        "<p> </p> <b> </b> <i> <table> <tr> <td> </table> <a> </a> <li> <ul> </ul> <pre> </pre> "
        "<svg> </svg> <select> <option> <script> </script> <title> </title> <template> "
        "<textarea> <plaintext> <!-- --> <!doctype&nbsp;html> <br> &amp; &notin; &#x41; &amp &x; "
        "<![CDATA[ ]]> <math> <mi> <nobr> <h1> </h1> < > & text".split()
    )
    | st.sampled_from(["\n", "\r\n", "\r", "\0", " ", "é", "𝄞"]),
    max_size=40,
).map("".join)


@given(markup)
def test_any_text_stands_where_it_is_said_to(source: str) -> None:
    check_pieces(source, "")


def check_pieces(source: str, name: str) -> None:
    """Pieces ascend; each is what stands in the source, or what that stands for."""
    end = 0
    for piece in parse(source).pieces:
        assert piece.start >= end, (name, source, piece)
        end = piece.end
        there = source[piece.start : piece.end]
        if there != piece.text and there not in ("\r", "\r\n", "\0"):
            assert there.startswith("&"), (name, source, piece)
            # Python leaves out what is no character.
            assert html.unescape(there) in (piece.text, ""), (name, source, piece)


@pytest.mark.parametrize("source", ["<table><tr><td>" * 100, "<svg>" + "<g>" * 300])
def test_what_is_nested_too_deep_passes_a_limit(source: str) -> None:
    with pytest.raises(LimitExceeded) as caught:
        parse(source)
    assert caught.value.details["limit"] == "max_depth"
    assert caught.value.details["maximum"] == 256


def depth_of(parsed: Parsed) -> int:
    deepest = 0
    rest: list[tuple[Node, int]] = [(parsed.tree, 0)]
    while rest:
        node, depth = rest.pop()
        deepest = max(deepest, depth)
        rest.extend((child, depth + 1) for child in node.children)
    return deepest


@pytest.mark.parametrize(
    "source",
    ["<div>a" * 300, "<b>a" * 300, "<b><div>a" * 300, "<ul><li>a" * 300, "<i1>a" * 300 + "</i1>"],
)
def test_plain_elements_that_are_nested_too_deep_are_beside_each_other(source: str) -> None:
    found = parse(source)
    assert found.flattened
    assert len(found.pieces) == 300
    assert depth_of(found) <= 256
    assert not parse(source[: len(source) // 3]).flattened


def test_what_follows_flattened_elements_is_where_it_belongs() -> None:
    inner = "<span>" * 400 + "x" + "</span>" * 400
    found = parse(f"<main>{inner}<h1>a</h1></main><p>b")
    (html,) = (node for node in found.tree.children if isinstance(node, Element))
    body = html.children[-1]
    assert [node.name for node in body.children if isinstance(node, Element)] == ["main", "p"]
    assert isinstance(body.children[0].children[-1], Element)
    assert body.children[0].children[-1].name == "h1"


def test_too_many_elements_pass_a_limit() -> None:
    with pytest.raises(LimitExceeded) as caught:
        parse("<br>" * 200, max_objects=100)
    assert caught.value.details == {"limit": "max_objects", "maximum": 100, "found": 101}


HOSTILE = {
    "tags": "<p>a",
    "references": "&amp;&notit;&#1114112;",
    "open ends": "</",
    "signs": "<",
    "attributes": "<a b=c d='e' f>",
    "comments": "<!-- - -- -->",
    "misnested": "<b><p></b></p>",
    "misnested with a class": "<p><b class=c><i>a</p>",
    "tables": "<table><tr><td>x</table>",
    "text in tables": "<table>a<tr>b</table>",
    "scripts": "<script><!--<script></script>--></script>",
    "quotes": "<a b=\"'",
    "doctypes": "<!doctype html public '>",
    "sections of raw text": "<title>a</title><svg><![CDATA[</svg>]]></svg>",
    "selects": "<select><option><selectedcontent>a</select>",
    "formatting": "<a><b><i><u>x</a>",
}


@pytest.mark.parametrize("part", HOSTILE.values(), ids=HOSTILE)
def test_reading_takes_time_as_the_source_grows(part: str) -> None:
    check_growth(tried, lambda n: part * int(1000 * n / len(part)))


def tried(source: str) -> None:
    with contextlib.suppress(LimitExceeded):
        parse(source)
