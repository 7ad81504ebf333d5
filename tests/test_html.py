"""HTML to documents: what is kept, what is left out, and where it stands."""

import html
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise.document import Document
from spanwise.errors import UnreadableSource
from spanwise.formats import Settings
from spanwise.formats.html import read, reread
from spanwise.formats.html.decoding import decoded, encoding_of
from spanwise.markdown.options import ChunkOptions
from spanwise.rows import document_rows
from tests.shared_data import field_reports
from tests.test_growth import check_growth

SETTINGS = Settings()


def converted(source: str, **options: Any) -> Document:
    return read(source.encode(), Settings(**options))


def text_of(source: str, **options: Any) -> str:
    return converted(source, **options).text


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<h1>A <i>b</i>\n c</h1><p>d<p>e", "# A b c\n\nd\n\ne\n"),
        ("<section><section><h2>A</h2></section></section>", "## A\n"),
        ("<div role=heading aria-level=3>A</div>", "### A\n"),
        ("<div role=heading><h1>A</h1><ul><li>b</ul></div>", "# A\n\n- b\n"),
        ("<div role=heading><div><span>A</span></div></div>", "## A\n"),
        ("<div role=heading>" + "<i>a</i>" * 60 + "</div>", "a" * 60 + "\n"),
        ("<h2>A <a href='#a'>¶</a></h2>", "## A\n"),
        ("a<br>b<br><br>c", "a b\n\nc\n"),
        ("a <b> b </b> c", "a b c\n"),
        ("<ul><li>a<ul><li>b</ul><li>c</ul>d", "- a\n  - b\n- c\n\nd\n"),
        ("<ol start=3><li>a<li value=7>b<li>c</ol>", "3. a\n7. b\n8. c\n"),
        ("<ul><li><p>a<p>b<li>c</ul>", "- a\n\n  b\n\n- c\n"),
        ("<ul><li>a<pre>b\n c</pre></ul>", "- a\n\n  ```\n  b\n   c\n  ```\n"),
        ("<ul><li><input type=checkbox checked>a</ul>", "- [x] a\n"),
        ("<ul><li>a<h2>b</h2>c<li>d</ul>", "a\n\n## b\n\nc\n\n- d\n"),
        ("<blockquote><p>a<p>b</blockquote>c", "> a\n\n> b\n\nc\n"),
        ("<blockquote><table><tr><th>a<tr><td>b</table></blockquote>", "| a |\n| --- |\n| b |\n"),
        (
            "<table><tr><td colspan=2><h2>A</h2><tr><td>b<td>c<tr><td colspan=2><h2>D</h2>"
            "<tr><td>e<td>f</table>",
            "## A\n\n| b | c |\n| --- | --- |\n\n## D\n\n| e | f |\n| --- | --- |\n",
        ),
        (
            "<table><tr><th colspan=2><h2>A</h2> b<tr><td>c<td>d</table>",
            "| A b |  |\n| --- | --- |\n| c | d |\n",
        ),
        ("<pre><code class='language-c'>\na &lt;\n\n b\n</code></pre>", "```c\na <\n\n b\n```\n"),
        ("<p>a <code>b `c</code>", "a ``b `c``\n"),
        ("<a href='https://a.b/c d'>e</a> <a href='/f'>g</a>", "[e](https://a.b/c%20d) g\n"),
        ("<dl><dt>a<dd>b</dl>", "a\n\nb\n"),
        ("<details><summary>a</summary>b</details>", "a\n\nb\n"),
        ("<p># a</p><p>1. b</p><p>- c</p>", "\\# a\n\n1\\. b\n\n\\- c\n"),
        ("H<sub>2</sub>O &eacute;&#x1F600;", "H2O é😀\n"),
        ("<pre class=python>a", "```python\na\n```\n"),
        ("<pre class='lang:ruby decode:true'>a", "```ruby\na\n```\n"),
        ("<pre class=wide>a", "```\na\n```\n"),
    ],
)
def test_structure_is_kept(source: str, expected: str) -> None:
    assert text_of(source) == expected


@pytest.mark.parametrize(
    "hidden",
    [
        "<script>x</script>",
        "<style>x</style>",
        "<template><p>x</template>",
        "<noscript>x</noscript>",
        "<p hidden>x",
        "<p aria-hidden=true>x",
        "<p style='color: red; DISPLAY : none'>x",
        "<p style='visibility:hidden'>x",
        "<span class='a sr-only'>x</span>",
        "<dialog>x</dialog>",
        "<select><option>x</select>",
        "<textarea>x</textarea>",
        "<svg><text>x</text></svg>",
        "<iframe>x</iframe>",
        "<!-- x -->",
    ],
)
def test_what_is_not_for_readers_is_left_out(hidden: str) -> None:
    document = converted(f"<p>a</p>{hidden}<p>b")
    assert document.text == "a\n\nb\n"
    for row in document_rows(document, "a", ChunkOptions()):
        assert "x" not in reread(f"<p>a</p>{hidden}<p>b".encode(), row["regions"], SETTINGS)


TABLE = """<table><caption>T</caption>
<thead><tr><th rowspan=2>A<th colspan=2>B</tr><tr><th>C<th>D</tr></thead>
<tfoot><tr><td>sum<td>1<td>2</tfoot>
<tbody><tr><td>e|f<br>g<td rowspan=2>h<td>i<tr><td>j<td>k<tr><td> <td> <td></tbody></table>"""


def test_cells_that_span_stand_once() -> None:
    assert text_of(TABLE) == (
        "T\n\n"
        "| A | B |  |\n| --- | --- | --- |\n|  | C | D |\n| e\\|f g | h | i |\n| j |  | k |\n"
        "| sum | 1 | 2 |\n"
    )


def test_a_table_that_only_arranges_is_none() -> None:
    assert text_of("<table><tr><td><h1>A</h1><p>b</table>") == "# A\n\nb\n"
    assert text_of("<table><tr><td>a<td><a href=/b>b</a></table>") == "a\n\nb\n"
    assert text_of("<table><tr><td>a<td><p>b</table>") == "a\n\nb\n"
    assert text_of("<table><tr><td>a:<td><b>b</b></table>") == "| a: | b |\n| --- | --- |\n"
    long = "word " * 100
    assert text_of(f"<table><tr><td>n<td><h1>A</h1>{long}<tr><td>a<td>b</table>").startswith(
        "n\n\n# A\n\nword"
    )


def test_a_row_that_only_reaches_down_has_no_line_of_its_own() -> None:
    rows = "<tr><th rowspan=3>2025</th></tr><tr><td>May<td>1</tr><tr><td>June<td>2</tr>"
    assert text_of(f"<table><tr><th>a<th>b<th>c</tr>{rows}</table>") == (
        "| a | b | c |\n| --- | --- | --- |\n| 2025 | May | 1 |\n|  | June | 2 |\n"
    )
    assert text_of("<table><tr><th rowspan=2>a<th rowspan=2>b</table>") == (
        "| a | b |\n| --- | --- |\n"
    )


def test_a_heading_with_prose_in_its_cell_is_that_of_a_section() -> None:
    prose = "A sentence. " * 9
    rows = f"<tr><td><h2>A</h2>{prose}<td><h2>B</h2>two<tr><td>c<td>d"
    assert text_of(f"<table>{rows}</table>") == (
        f"## A\n\n{prose.strip()}\n\n## B\n\ntwo\n\nc\n\nd\n"
    )
    rows = "<tr><td><h2>A</h2>one<td><h2>B</h2>two<tr><td>c<td>d"
    assert text_of(f"<table>{rows}</table>").startswith("| A one | B two |\n")


def test_what_is_nested_too_deep_is_read_with_a_notice() -> None:
    document = converted("<div>" * 300 + "<p>a</p>b" + "</div>" * 300 + "<h1>T</h1>")
    assert document.text == "a\n\nb\n\n# T\n"
    assert [notice["code"] for notice in document.notices] == ["flattened"]
    text = text_of("<ul><li>x" * 300)
    assert text.count("- x\n") == 300
    assert max(len(line) for line in text.split("\n")) < 70


SHEET = """<style>/* .b{display:none} */ .x, #y { color: red; display : none !important }
p.z{visibility:hidden} .t{display:none} .t.on{display:block} .a .b{display:none} body{display:none}
@media print { .c { display: none } } .x{display:block} .d:hover{display:none}</style>"""


@pytest.mark.parametrize(
    ("attributes", "seen"),
    [
        ("class=x", False),
        ("id=y", False),
        ("class='w z'", False),
        ("class=t", False),
        ("class='t on'", True),
        ("class=b", True),
        ("class=c", True),
        ("class=d", True),
    ],
)
def test_simple_rules_of_style_sheets_hide(attributes: str, seen: bool) -> None:
    assert text_of(f"{SHEET}<p>a<p {attributes}>b") == ("a\n\nb\n" if seen else "a\n")
    other = SHEET.replace("<style>", "<style media=print>")
    assert text_of(f"{other}<p>a<p {attributes}>b") == "a\n\nb\n"


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("<mfrac><mn>1</mn><mn>2</mn></mfrac>", "1/2"),
        ("<mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><mi>b</mi></mfrac>", "(a+1)/b"),
        ("<mfrac linethickness=0><mi>n</mi><mi>k</mi></mfrac>", "n¦k"),
        ("<msup>\n<mi>x</mi>\n<mrow><mo>-</mo><mn>2</mn></mrow>\n</msup>", "x^(-2)"),
        ("<msup><mfrac><mi>a</mi><mi>b</mi></mfrac><mn>2</mn></msup>", "(a/b)^2"),
        ("<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>", "x_i^2"),
        ("<msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt>", "√(x+1)"),
        ("<mroot><mi>x</mi><mn>3</mn></mroot>", "3√x"),
        ("<mfenced open='['><mi>x</mi><mi>y</mi></mfenced>", "[x, y)"),
        ("<mtable><mtr><mi>a</mi><mi>b</mi></mtr><mtr><mi>c</mi></mtr></mtable>", "a b c"),
        ("<semantics><mi>x</mi><annotation>y</annotation></semantics>", "x"),
    ],
)
def test_formulas_are_one_line(formula: str, expected: str) -> None:
    document = converted(f"<p>is <math>{formula}</math> so")
    assert document.text == f"is {expected} so\n"
    # What is put between is not in the source.
    assert "/" not in document.own_text(0, len(document.text))


def test_a_formula_is_seen_whose_picture_is_not() -> None:
    inner = "<math><mi>x</mi></math></span><img aria-hidden=true alt=x>"
    source = f"<p>a <span class='mwe-math-mathml-a11y' style='display: none;'>{inner} b"
    assert text_of(source) == "a x b\n"


PAGE = """<body><header><ul><li>home</ul></header><nav>menu</nav>
<main><article id=a><header>by me<ul><li>share</ul></header><h1>T</h1><p id=p>text
<footer>note</footer></article></main><aside>more</aside><footer>legal</footer>"""


def test_what_is_around_the_content_is_left_out_unless_asked_for() -> None:
    assert text_of(PAGE) == "by me\n\n# T\n\ntext\n\nnote\n"
    kept = text_of(PAGE, boilerplate=True)
    assert all(word in kept for word in ("home", "menu", "share", "more", "legal"))
    assert text_of("<nav>menu</nav><p>a<div role=navigation>x</div><footer>b</footer>") == "a\n"
    assert text_of("<main></main><p>drawn by a script") == "drawn by a script\n"
    assert text_of("<p>one two<p>three<article>a</article>") == "one two\n\nthree\n\na\n"
    links = "<h2>See also</h2>" + "<p><a href=/b>A page with a long name</a>" * 2
    assert text_of(f"<article>a<aside>{links}</aside></article>") == "a\n"
    note = "<a href=/b>b</a> A note of some length with two <a href=/c>links</a>"
    assert "A note" in text_of(f"<article>a<aside>{note}</aside></article>")
    assert "See also" in text_of(f"<article>a<aside>{links}</aside></article>", boilerplate=True)


@pytest.mark.parametrize(
    ("source", "is_kept"),
    [
        ("<div><h1>T</h1></div><main><h2>A</h2>b</main>", True),
        ("<article><header><h1>T</h1></header><div role=main><h2>A</h2>b</div></article>", True),
        ("<div><h1>T</h1></div><main><p><h1>b</h1>A</main>", False),
        ("<header><h1>T</h1></header><main><h2>A</h2>b</main>", False),
        ("<h1><a href=/>T</a></h1><main><h2>A</h2>b</main>", False),
        ("<h1 hidden>T</h1><main><h2>A</h2>b</main>", False),
        ("<h1>T</h1><h1>T</h1><main><h2>A</h2>b</main>", False),
        ("<main><h2>A</h2>b</main><h1>T</h1>", False),
    ],
)
def test_the_heading_of_the_page_may_stand_before_the_content(source: str, is_kept: bool) -> None:
    text = text_of(source)
    assert text.startswith("# T\n\n## A") if is_kept else "T" not in text


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<article><h1>A</h1>b<a href=/c><h3>C</h3></a></article>", "# A\n\nb\n\nC\n"),
        (
            "<article><h1>A</h1>b<article><h2><a href=/c>C</a></h2></article></article>",
            "# A\n\nb\n\nC\n",
        ),
        ("<article><h1>A</h1>b<h2><a href=/c>C</a></h2></article>", "# A\n\nb\n\n## C\n"),
        ("<article><h1>A</h1>b<a href=#c><h2>C</h2></a></article>", "# A\n\nb\n\n## C\n"),
        ("<article><article><h2><a href=/c>C</a></h2>d</article></article>", "## C\n\nd\n"),
        (
            "<article><a href=/c><h2>C</h2></a>d<a href=/e><h2>E</h2></a></article>",
            "## C\n\nd\n\n## E\n",
        ),
    ],
)
def test_headings_of_what_to_read_next_are_none(source: str, expected: str) -> None:
    assert text_of(source) == expected


def test_asked_for_all_headings_are_kept() -> None:
    source = "<article><h1>A</h1>b<a href=/c><h3>C</h3></a></article>"
    assert "### C" in text_of(source, boilerplate=True)


def test_regions_are_spans_of_the_source() -> None:
    source = "<h1 id=top>A &amp; B</h1>\r\n<div id=d><p>one <b>two</b>\r\n three<p id=q>four</div>"
    document = converted(source)
    (row,) = document_rows(document, "a.html", ChunkOptions())
    assert [
        (region["element"], source[region["start"] : region["end"]]) for region in row["regions"]
    ] == [
        ("top", "A &amp; B"),
        ("d", "one <b>two</b>\r\n three"),
        ("q", "four"),
    ]
    assert reread(source.encode(), row["regions"], SETTINGS).split() == (
        "A & B one two three four".split()
    )
    start = document.text.index("wo")
    (region,) = document.regions(start, start + 6)
    assert source[region["start"] : region["end"]] == "wo</b>\r\n thr"


parts = st.lists(
    st.sampled_from(
        "<p> <b> </b> <i> </i> <table><tr><td> <td> </table> <ul><li> </ul> <pre> </pre> <h2> "
        "</h2> <code> </code> <a href=http://a.b> </a> <script>var x</script> <br> &amp; &notin; "
        "<p hidden> <span id=s> </span> <blockquote> </blockquote> <nav> </nav> one two | # - 1. "
        "`".split(" ")
    )
    | st.sampled_from(["\n", "\r\n", " ", "é"]),
    max_size=40,
).map("".join)


@given(parts)
def test_each_stretch_is_found_again_in_the_source(source: str) -> None:
    document = converted(source)
    for start in range(0, len(document.text), 7):
        regions = document.regions(start, start + 7)
        own = document.own_text(start, start + 7)
        assert "".join(reread(source.encode(), regions, SETTINGS).split()) == "".join(own.split())
        # Once more, without the parser: tags taken out, references resolved.
        plain = "".join(
            html.unescape(
                re.sub(r"<script>.*?</script>|<[^>]*>", "", source[r["start"] : r["end"]])
            )
            for r in regions
        )
        assert "".join(plain.split()) == "".join(own.split())


# -- encodings -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "codec"),
    [
        ("<p>é".encode(), "utf-8"),
        ("<p>é".encode("latin-1"), "cp1252"),
        (b"<meta charset=iso-8859-1><p>\x93", "cp1252"),
        (b"<meta http-equiv=x content='text/html; charset=Shift_JIS'>", "cp932"),
        (b"<?xml version='1.0' encoding='koi8-r'?><p>", "koi8-r"),
        (b"<meta charset=utf-16><p>a", "utf-8"),
        (b"<!-- <meta charset=koi8-r> --><p>a", "utf-8"),
        (b"<meta charset=rot13><p>a", "utf-8"),
        ("\ufeff<p>é".encode("utf-16-le"), "utf-16-le"),
        (b"\xef\xbb\xbf<meta charset=koi8-r>", "utf-8"),
    ],
)
def test_the_encoding_is_found_as_browsers_find_it(data: bytes, codec: str) -> None:
    assert encoding_of(data) == codec


def test_a_byte_order_mark_does_not_count() -> None:
    data = "\ufeff<p id=p>é".encode("utf-16-le")
    assert decoded(data) == "<p id=p>é"
    document = read(data, SETTINGS)
    assert document.regions(0, 1) == [{"start": 8, "end": 9, "element": "p"}]


def test_what_is_no_text_is_an_error() -> None:
    with pytest.raises(UnreadableSource, match="not text"):
        read(bytes(range(256)) * 10, SETTINGS)


def test_a_page_without_text_says_so() -> None:
    document = converted("<script>draw()</script>")
    assert document.text == ""
    assert [notice["code"] for notice in document.notices] == ["no_text"]


# -- field reports -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "case",
    [case for case in field_reports("doc2md") if "html" in case["input"]],
    ids=lambda case: str(case["id"]),
)
def test_field_reports(case: dict[str, Any]) -> None:
    document = converted(case["input"]["html"])
    rows = document_rows(document, "page.html", ChunkOptions())
    expect = case["expect"]
    for text in expect["text_somewhere"]:
        assert any(text in row["text"] for row in rows)
    for text in expect["text_nowhere"]:
        assert not any(text in row["text"] for row in rows)
    for text, path in expect["path_only"]:
        found = [row["heading_path"] for row in rows if text in row["text"]]
        assert found
        assert all(one == path for one in found)


def test_a_page_has_no_pages_and_its_title() -> None:
    document = converted("<title> T &amp;\n t </title><h1>B</h1><p>no pages here</p>")
    (row,) = document_rows(document, "b.html", ChunkOptions())
    assert row["pages"] is None
    assert row["title"] == "T & t"
    assert row["heading_path"] == ["B"]


PARTS = {
    "headings by their role": "<div role=heading>a",
    "asides": "<aside><a href=/b>c</a>",
    "articles": "<article><h2><a href=/b>c</a></h2>",
    "links around headings": "<a href=/b><h2>c</h2></a>",
    "dividers": "<tr><td colspan=2><h2>a</h2><tr><td>a<td>b",
    "quotes": "<blockquote><table><tr><td>x<td>y</table>",
}


@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
def test_pages_take_time_as_they_grow(part: str) -> None:
    start = "<article><h1>a</h1><table>" if part.startswith("<tr>") else "<article><h1>a</h1>"
    check_growth(lambda page: text_of(start + page), lambda n: part * int(300 * n / len(part)))
