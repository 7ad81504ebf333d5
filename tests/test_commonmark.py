"""Block structure against the specification's examples and against independent parsers."""

import re
from html.parser import HTMLParser
from itertools import zip_longest
from typing import Any

import pytest
from hypothesis import assume, given
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


EXAMPLES = examples() or [pytest.param("none", "", "", id="no data")]

UNDECIDED_BY_TOKENS = {
    "cmark-regression-13": "a byte order mark: cmark drops it; by READINGS G6 it is text",
    "cmark-regression-20": "only the class of the code element differs",
    "cmark-regression-23": "only noncharacters in text differ",
    "commonmark.js-regression-25": "only whether lists are tight differs",
    "commonmark.js-regression-28": "only the class of the code element differs",
    "commonmark.js-regression-30": "markdown-it-py finds no definition; the HTML decides",
    "commonmark.js-regression-32": "only comments inside a paragraph differ",
    "commonmark.js-regression-33": "markdown-it-py trims Unicode white space",
    "commonmark.js-regression-35": "only the alternative text of an image differs",
}
"""Examples whose HTML markdown-it-py does not give, so that its tokens prove nothing, and why.

None of them is one of the 652 of the specification. Where only something else than blocks
differs, the blocks are compared all the same.
"""

UNDECIDED_BY_HTML = {
    "spec-0.31.2-626": "`<!-->` opens a comment that swallows the rest for Python's HTML parser",
    "cmark-regression-13": "a byte order mark: cmark drops it; by READINGS G6 it is text",
}
"""Examples whose structure cannot be read off their HTML, and why.

Beside these, the examples with raw HTML blocks, whose tags cannot be told from rendered ones.
"""

DEFINITIONS_FIRST = "spec-0.31.2-215"
"""Its heading's paragraph begins with a definition, which by READINGS S3 belongs to the heading's
lines; markdown-it-py counts from the line after it."""

OWN_WAYS = {
    "markdown-it-py": {
        "definition-before.md": "as above, a heading's first line (S3)",
        "code_block_no_ending_newline.md": "no line ending after code at the end of the text",
        "nbsp_following_tables.md": "trims no-break spaces",
        "block-list-nested.md": "takes `    - 4` for code where a paragraph is open; lazy in 5.2",
        "superfences (failures).txt": "does not take four blanks and a fence for a lazy line (5.1)",
        "good.txt": "ends the paragraph at a definition, so that no lazy line follows (S5)",
        "00000001": "trims form feeds",
        "00000002": "trims form feeds",
        "default_style.md": "trims ideographic spaces",
        "additional-status-codes.md": "trims ideographic spaces",
    },
    "commonmark.py": {
        "list-item-prefix-alignment.md": "does not let `01.` interrupt a paragraph (5.2: number 1)",
        "default_style.md": "does not let `01.` interrupt a paragraph (5.2: number 1)",
    },
}
"""Real files, by name, that a parser reads in its own way, against the specification."""


@needs_data
@pytest.mark.parametrize(("label", "markdown", "html"), EXAMPLES)
def test_example_by_tokens(label: str, markdown: str, html: str) -> None:
    """markdown-it-py renders exactly the example's HTML, so its tokens are the expected blocks."""
    reason = UNDECIDED_BY_TOKENS.get(label)
    if reason is None:
        assert rendered(markdown) == html
    elif not reason.startswith("only"):
        return
    numbered = label != DEFINITIONS_FIRST
    mine, theirs = ours(markdown), markdown_it(markdown)
    assert lines_of(mine, numbered=numbered) == lines_of(theirs, numbered=numbered)


@needs_data
@pytest.mark.parametrize(("label", "markdown", "html"), EXAMPLES)
def test_example_by_html(label: str, markdown: str, html: str) -> None:
    """The blocks read off the example's HTML alone, where no raw HTML hides them."""
    mine = ours(markdown)
    if label not in UNDECIDED_BY_HTML and not any(block.kind == "html" for block in mine):
        assert lines_of(as_html(mine)) == lines_of(read_html(html))


def test_undecided_examples_are_few() -> None:
    assert not any(label.startswith("spec") for label in UNDECIDED_BY_TOKENS)
    assert len(UNDECIDED_BY_TOKENS) + len(UNDECIDED_BY_HTML) == 11


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


def without_lines(skeleton: Skeleton) -> Skeleton:
    """A skeleton as far as commonmark.py gives it.

    It has no lines and no raw info strings, and drops blanks on the blank lines of code in items.
    """
    kept = []
    for block in skeleton:
        facts, text = block.facts, block.text
        if block.kind == "code":
            facts, text = facts[:1], re.sub(r"^[ \t]+$", "", text, flags=re.MULTILINE)
        kept.append(Block(block.nesting, block.kind, facts, text))
    return kept


def first_difference(mine: list[str], theirs: list[str]) -> str | None:
    if mine == theirs:
        return None
    pairs = zip_longest(mine, theirs)
    return next(f"{one} | {other}" for one, other in pairs if one != other)


@needs_data
@pytest.mark.parametrize("name", ["docs", "nasty"])
def test_real_files_by_markdown_it(name: str) -> None:
    different = {
        record["path"]: first_difference(
            lines_of(ours(record["text"])), lines_of(markdown_it(record["text"]))
        )
        for record in markdown_files(name)
    }
    assert unexpected(different, OWN_WAYS["markdown-it-py"]) == {}


@needs_data
@pytest.mark.parametrize("name", ["docs", "nasty"])
def test_real_files_by_commonmark_py(name: str) -> None:
    different = {
        record["path"]: first_difference(
            lines_of(without_lines(ours(record["text"]))),
            lines_of(without_lines(commonmark_py(record["text"]))),
        )
        for record in markdown_files(name)
    }
    assert unexpected(different, OWN_WAYS["commonmark.py"]) == {}


def unexpected(different: dict[str, str | None], known: dict[str, str]) -> dict[str, str]:
    """What differs in the files that are not known to."""
    return {
        path: difference
        for path, difference in different.items()
        if difference is not None and path.rpartition("/")[2] not in known
    }


generated = st.one_of(documents(), soup("#>-*+`~=_<!/[]:()\"' \t\n\ra1.)?"))


@given(generated)
def test_generated_by_commonmark_py(markdown: str) -> None:
    mine, theirs = without_lines(ours(markdown)), without_lines(commonmark_py(markdown))
    assert lines_of(mine) == lines_of(theirs)


@given(generated)
def test_generated_by_markdown_it(markdown: str) -> None:
    """Where both parsers agree, markdown-it-py gives what the other has not: lines, info, blanks.

    Where they do not, markdown-it-py has been seen to be wrong: in lazy lines of four and more
    blanks, and after definitions.
    """
    theirs = markdown_it(markdown)
    assume(without_lines(theirs) == without_lines(commonmark_py(markdown)))
    numbered = "]:" not in markdown
    assert lines_of(ours(markdown), numbered=numbered) == lines_of(theirs, numbered=numbered)
