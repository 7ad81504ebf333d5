"""Block structure against the specification's examples and against independent parsers."""

from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracles import commonmark_py, markdown_it, rendered
from tests.shared_data import DATA, markdown_files, needs_data, read_json
from tests.skeleton import Block, Skeleton, lines_of, ours
from tests.strategies import documents, soup

SUITES = ("spec-0.31.2", "cmark-regression", "commonmark.js-regression")


def examples() -> list[Any]:
    """Every example of the suites, named by suite and number; none without the data."""
    found = []
    for suite in SUITES:
        path = DATA / "commonmark" / f"{suite}.json"
        for example in read_json(path) if path.is_file() else []:
            label = f"{suite}-{example['example']}"
            found.append(pytest.param(label, example["markdown"], example["html"], id=label))
    return found


EXAMPLES = examples()

UNDECIDED_BY_TOKENS: dict[str, str] = {}
"""Examples whose HTML markdown-it-py does not give, so that its tokens prove nothing, and why."""

UNDECIDED_BY_HTML: dict[str, str] = {}
"""Examples whose structure cannot be read off their HTML, and why."""


@needs_data
@pytest.mark.parametrize(("label", "markdown", "html"), EXAMPLES)
def test_example_by_tokens(label: str, markdown: str, html: str) -> None:
    """markdown-it-py renders exactly the example's HTML, so its tokens are the expected blocks."""
    agrees = rendered(markdown) == html
    assert agrees != (label in UNDECIDED_BY_TOKENS)
    if agrees:
        assert lines_of(ours(markdown)) == lines_of(markdown_it(markdown))


@needs_data
@pytest.mark.parametrize(("label", "markdown", "html"), EXAMPLES)
def test_example_by_html(label: str, markdown: str, html: str) -> None:
    """The blocks read off the example's HTML alone, where no raw HTML hides them."""
    mine = ours(markdown)
    raw_html = any(block.kind == "html" for block in mine)
    assert raw_html == (label in UNDECIDED_BY_HTML or raw_html)
    if not raw_html and label not in UNDECIDED_BY_HTML:
        assert [str(block) for block in as_html(mine)] == [str(b) for b in read_html(html)]


def as_html(skeleton: Skeleton) -> Skeleton:
    """What of a skeleton shows in HTML: no marks, no lines, no text of headings and paragraphs."""
    shown = []
    for block in skeleton:
        facts, text = block.facts, ""
        if block.kind == "list":
            facts = (block.facts[1],)
        elif block.kind == "code":
            facts, text = (), block.text
        shown.append(Block(block.nesting, block.kind, facts, text))
    return shown


class _Reader(HTMLParser):
    """Collects a skeleton from HTML; text straight in a list item is a paragraph (tight lists)."""

    BLOCKS = frozenset("h1 h2 h3 h4 h5 h6 p pre blockquote ul ol li hr".split())

    def __init__(self) -> None:
        super().__init__()
        self.skeleton: Skeleton = []
        self.open: list[str] = []
        self.loose_text = False

    def add(self, kind: str, *facts: Any) -> None:
        self.loose_text = False
        self.skeleton.append(Block(len(self.open), kind, facts))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.BLOCKS:
            self.inline()
            return
        if tag == "hr":
            self.add("rule")
            return
        if tag[0] == "h":
            self.add("heading", int(tag[1]))
        elif tag == "ol":
            self.add("list", int(dict(attrs).get("start") or 1))
        elif tag == "ul":
            self.add("list", -1)
        else:
            kinds = {"p": "paragraph", "pre": "code", "blockquote": "quote", "li": "item"}
            self.add(kinds[tag])
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.BLOCKS and tag != "hr":
            self.loose_text = False
            self.open.pop()

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "pre":
            last = self.skeleton[-1]
            self.skeleton[-1] = last._replace(text=last.text + data)
        elif data.strip("\n"):
            self.inline()

    def inline(self) -> None:
        """Something inline: in a list item that has no paragraph open, one begins."""
        if self.open and self.open[-1] == "li" and not self.loose_text:
            self.add("paragraph")
            self.loose_text = True


def read_html(html: str) -> Skeleton:
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.skeleton


@needs_data
@pytest.mark.parametrize("name", ["docs", "nasty"])
def test_real_files_by_markdown_it(name: str) -> None:
    different = []
    for record in markdown_files(name):
        mine, theirs = lines_of(ours(record["text"])), lines_of(markdown_it(record["text"]))
        if mine != theirs:
            first = next(i for i, pair in enumerate(zip(mine, theirs)) if pair[0] != pair[1])
            different.append((record["project"], record["path"], mine[first], theirs[first]))
    assert different == []


@given(documents())
def test_generated_by_markdown_it(markdown: str) -> None:
    assert lines_of(ours(markdown)) == lines_of(markdown_it(markdown))


@given(st.one_of(documents(), soup("#>-*+`~=_<!/[]:()\"' \t\n\ra1.)?")))
def test_generated_by_commonmark_py(markdown: str) -> None:
    mine = [block._replace(lines=None, facts=block.facts[:1]) for block in ours(markdown)]
    assert lines_of(mine) == lines_of(commonmark_py(markdown))
