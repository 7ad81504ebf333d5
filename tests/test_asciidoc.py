"""AsciiDoc: blocks and inline markup, and where they stand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise.document import Document
from spanwise.errors import LimitExceeded
from spanwise.formats import Settings
from spanwise.formats.asciidoc import read, reread
from tests.test_growth import check_growth

SETTINGS = Settings()


def converted(source: str) -> Document:
    """The document, every stretch of which is found again in the source."""
    data = source.encode()
    document = read(data, SETTINGS)
    for start in range(0, len(document.text), 7):
        regions = document.regions(start, start + 9)
        own = document.own_text(start, start + 9)
        assert "".join(reread(data, regions, SETTINGS).split()) == "".join(own.split())
    return document


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "= A\nB C <b@c>\n:x: y\n\n{x}\n\n== D\n\n=== E ===\n",
            "# A\n\nB C <b@c>\n\ny\n\n## D\n\n### E\n",
        ),
        ("A bc\n====\n\nDef\n---\ng", "# A bc\n\n## Def\n\ng\n"),
        ("[discrete]\n== A\n", "## A\n"),
        ("a +\nb\n\nc", "a b\n\nc\n"),
        ("*a* _b_ `c *d*` e__f__g #h# +*i*+ \\*j* x^2^", "a b `c *d*` efg h *i* *j* x2\n"),
        (
            "https://a.b[c,window=_blank] link:d[e] mailto:f@g[h] <<i>> <<j,k>>",
            "[c](https://a.b) e [h](mailto:f@g) i k\n",
        ),
        ("a footnote:[b *c*]\n\n== D", "a [^1]\n\n[^1]: b c\n\n## D\n"),
        ("{nbsp}a {no} ((b)) (((c)))image:d.png[e]", "a {no} b\n"),
        ("* a\n** b\n* c\n\nd", "- a\n  - b\n- c\n\nd\n"),
        (
            ". a\n.. b\n. c\n+\nd\n+\n----\ne\n----\n. f",
            "1. a\n   1. b\n2. c\n\n   d\n\n   ```\n   e\n   ```\n\n3. f\n",
        ),
        ("* [x] a\n* [ ] b", "- [x] a\n- [ ] b\n"),
        ("a:: b\nc::\n  d", "a\n\nb\n\nc\n\nd\n"),
        ("NOTE: a\n\n[TIP]\n====\nb\n\n* c\n====", "Note: a\n\nTip: b\n\n- c\n"),
        ("[source,python]\n----\na <1>\n\n  b\n----\n<1> c", "```python\na\n\n  b\n```\n\n1. c\n"),
        ("```c\na\n```\n\n b\n  c", "```c\na\n```\n\n```\n b\n  c\n```\n"),
        ("____\na\n____\n\n[quote, b]\nc", "> a\n\n> c\n"),
        (
            "a\n// b\n\n////\nc\n////\n\nimage::d[]\nifdef::e[]\nf\nendif::[]\n++++\n<g>\n++++",
            "a\n\nf\n",
        ),
        (
            ".A\n|===\n|B |C\n\n|d|e\nf\n2+|g\\|h\n.2+|i|j\n|k\n|===",
            "A\n\n| B | C |\n| --- | --- |\n| d | e f |\n| g\\|h |  |\n| i | j |\n|  | k |\n",
        ),
        ('[cols="1,2"]\n|===\n|a|b|c|d\n|===', "| a | b |\n| --- | --- |\n| c | d |\n"),
        (
            '|===\n|A a|B\n\n|c\na|d\n\n[cols="2*"]\n!===\n!e !f\n2+!g\nh\n!===\n\ni\n|===\nj',
            "| A | B |\n| --- | --- |\n| c | d e f g h i |\n\nj\n",
        ),
        ("|===\n|a\n!===\n!b", "| a !b |\n| --- |\n"),
        (',===\na,"b,c"\n,===', "| a | b,c |\n| --- | --- |\n"),
    ],
)  # fmt: skip
def test_structure_is_kept(source: str, expected: str) -> None:
    assert converted(source).text == expected


def test_cells_that_repeat_count_to_the_limit() -> None:
    for table in ("|===\n1000*|a\n|===", "|===\na|b\n!===\n1000*!a\n!===\n|==="):
        with pytest.raises(LimitExceeded) as caught:
            read(table.encode(), Settings(max_objects=500))
        assert caught.value.details["limit"] == "max_objects"


def test_a_region_is_lines_and_a_span() -> None:
    source = "= T\n\nsome *text* here\nand more"
    document = converted(source)
    assert document.title == "T"
    start = document.text.index("text here")
    assert document.regions(start, start + 13) == [
        {"start_line": 3, "end_line": 3, "start": 11, "end": 15},
        {"start_line": 3, "end_line": 4, "start": 16, "end": 25},
    ]


MARKS = (
    "*␣ **␣ .␣ ..␣ 1.␣ a::␣ +⏎ ⏎ ⏎⏎ ==␣ =␣ ----⏎ ====⏎ |===⏎ | 2+| [NOTE]⏎ ____⏎ --⏎ // ` * _ {a} "
    ":a:␣b⏎ a ␣b https://c.d[ ] footnote:[ << >> \\ é \r⏎ ␣␣ ```⏎"
)
"""Pieces of sources; here ␣ is a blank and ⏎ a line feed."""
pieces = st.lists(
    st.sampled_from(MARKS.split(" ")).map(lambda mark: mark.replace("␣", " ").replace("⏎", "\n")),
    max_size=40,
).map("".join)


@given(pieces)
def test_each_stretch_is_found_again(source: str) -> None:
    converted(source)


@pytest.mark.parametrize(
    "part",
    (
        "*a␣ _a␣ `a␣ https://a footnote:[ <<a ((a␣ {a *␣a⏎ ␣␣ =␣a⏎ |===⏎|a⏎ |===⏎ ----⏎ a::⏎ [a]⏎ "
        "a⏎-⏎ [ \\ ␣+ ==␣a␣␣␣ +a␣"
    ).split(" "),
)
def test_reading_takes_time_as_the_source_grows(part: str) -> None:
    part = part.replace("␣", " ").replace("⏎", "\n")
    check_growth(
        lambda text: read(text.encode(), SETTINGS), lambda n: part * int(200 * n / len(part))
    )
