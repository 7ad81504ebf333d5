"""reStructuredText: blocks and inline markup, and where they stand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise.document import Document
from spanwise.errors import UnreadableSource
from spanwise.formats import Settings
from spanwise.formats.rst import read, reread
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
        ("===\nA\n===\n\nB\n=\n\nC\n-\n\nD\n=\n", "# A\n\n## B\n\n### C\n\n## D\n"),
        ("a\nb\n\nc", "a b\n\nc\n"),
        ("``a*b`` *c* **d** :ref:`e <f>` :func:`~g.h` `i`_ \\*", "`a*b` c d e `g.h` i *\n"),
        ("`a <http://b.c>`_ d_\n\n.. _d: http://e.f", "[a](http://b.c) [d](http://e.f)\n"),
        ("|x| y\\ s\n\n.. |x| replace:: long", "long ys\n"),
        ("a [1]_ [#n]_\n\n.. [1] b\n   c\n.. [#n] d", "a [1] [1]\n\n[1] b c\n\n[1] d\n"),
        ("* a\n  b\n\n  c\n\n* d", "- a b\n\n  c\n\n- d\n"),
        ("* a\n\n  #. b\n  #. c\n\n* d", "- a\n  1. b\n  2. c\n- d\n"),
        ("(a) x\n(b) y", "- (a) x\n- (b) y\n"),
        ("A. Smith was\nhere", "A. Smith was here\n"),
        ("a::\n\n  b\n   c\n\nd", "a:\n\n```\nb\n c\n```\n\nd\n"),
        ("::\n\n  a", "```\na\n```\n"),
        ("a ::\n\n> b\n> c", "a\n\n```\n> b\n> c\n```\n"),
        (">>> 1\n1\n", "```python\n>>> 1\n1\n```\n"),
        (".. code-block:: c\n   :linenos:\n\n   a\n\n    b\n", "```c\na\n\n b\n```\n"),
        ("a\n\n   b\n\nc", "a\n\n> b\n\nc\n"),
        ("a\n\n  - b\n  - c\n\nd", "a\n\n- b\n- c\n\nd\n"),
        ("a\n  b\n\n  c", "a\n\nb\n\nc\n"),
        ("| a\n| b", "a b\n"),
        (":a: b\n:c: d\n   e", "a: b\n\nc: d e\n"),
        ("-a  b\n--cd=E, -f <G>  h\n    i\n\nj", "- `-a`: b\n- `--cd=E, -f <G>`: h i\n\nj\n"),
        ("-a\n  b\n\n/V  c", "- `-a`: b\n- `/V`: c\n"),
        ("- a\n\n  -b  c", "- a\n  - `-b`: c\n"),
        ("-a is no option", "-a is no option\n"),
        (".. note:: a\n   b\n\n   c", "Note: a b\n\nc\n"),
        (".. versionadded:: 3.1\n   a", "New in version 3.1\n\na\n"),
        (".. figure:: a.png\n   :alt: x\n\n   b", "b\n"),
        (".. function:: f(a)\n\n   b", "`f(a)`\n\nb\n"),
        (".. a comment\n   more\n\n.. toctree::\n\n   a\n\n.. image:: b\n\nc\n----\n", "# c\n"),
        ("a\n\n----\n\nb", "a\n\nb\n"),
    ],
)
def test_structure_is_kept(source: str, expected: str) -> None:
    assert converted(source).text == expected


GRID = """\
+-----+-----+---+
| A   | B   | C |
+=====+=====+===+
| d   | *e* | f |
|  d2 +-----+---+
|     | g       |
+-----+---------+
"""
SIMPLE = """\
===== ===
A     B
===== ===
a     b
      c
d e   f|g
===== ===
"""


def test_tables() -> None:
    assert converted(GRID).text == (
        "| A | B | C |\n| --- | --- | --- |\n| d d2 | e | f |\n|  | g |  |\n"
    )
    assert converted(SIMPLE + "\nx").text == (
        "| A | B |\n| --- | --- |\n| a | b c |\n| d e | f\\|g |\n\nx\n"
    )
    source = ".. list-table:: T\n\n   * - A\n     - B\n   * - c\n       d\n     -\n"
    assert converted(source).text == "T\n\n| A | B |\n| --- | --- |\n| c d |  |\n"
    source = '.. csv-table::\n   :header: A, "B"\n\n   "c, d", e\n'
    assert converted(source).text == "| A | B |\n| --- | --- |\n| c, d | e |\n"
    assert converted("+--+\n| a |\n+--+").text == "```\n+--+\n| a |\n+--+\n```\n"


@pytest.mark.parametrize(
    "source",
    [
        "======  ==  ==\nA       B   C\n======  ==  ==\n日本語  漢  d\n字      e   f\n"
        "======  ==  ==\n",
        "+------+--+--+\n|A     |B |C |\n+======+==+==+\n|日本語|漢|d |\n+------+--+--+\n"
        "|字    |e |f |\n+------+--+--+\n",
    ],
)
def test_wide_letters_take_two_columns(source: str) -> None:
    assert converted(source).text == (
        "| A | B | C |\n| --- | --- | --- |\n| 日本語 | 漢 | d |\n| 字 | e | f |\n"
    )


def test_a_region_is_lines_and_a_span() -> None:
    source = "\ufeffTitle\r\n=====\r\n\r\nsome *text* here\r\nand more"
    document = converted(source)
    assert document.title == "Title"
    start = document.text.index("text here")
    assert document.regions(start, start + 13) == [
        {"start_line": 4, "end_line": 4, "start": 22, "end": 26},
        {"start_line": 4, "end_line": 5, "start": 27, "end": 37},
    ]


MARKS = (
    "*␣ -␣ 1.␣ #.␣ ..␣ .. :: ␣␣␣ ␣␣ ⏎ ⏎⏎ ==== ---- a `` ` * ** _ | :x: [1]_ \\ +--+ ===␣=== "
    "note::␣ ␣b é \t \r⏎ list-table::⏎ >>>␣ <http://a.b>"
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
        "``a␣ *a␣ `a␣ a- |a␣ *␣a⏎ ␣␣ a⏎␣ ===␣===⏎a␣b⏎ +-+⏎ ..␣a⏎ [a]_␣ a⏎=⏎ :a:␣b⏎ \\ 1.␣a⏎ >>>␣a⏎ "
        "a::⏎⏎␣b⏎⏎"
    ).split(" "),
)
def test_reading_takes_time_as_the_source_grows(part: str) -> None:
    part = part.replace("␣", " ").replace("⏎", "\n")
    check_growth(
        lambda text: read(text.encode(), SETTINGS), lambda n: part * int(200 * n / len(part))
    )


def test_what_is_no_text_is_an_error() -> None:
    with pytest.raises(UnreadableSource, match="not UTF-8 at byte 0"):
        read(b"\xff", SETTINGS)
    with pytest.raises(UnreadableSource, match="not text"):
        read(bytes(range(32)) * 10, SETTINGS)
