"""Word to documents: what is printed, what is left out, and where it stands."""

from typing import Any

import pytest

from spanwise.document import Document
from spanwise.errors import LimitExceeded, UnreadableSource
from spanwise.formats import Settings
from spanwise.formats.docx import read, reread
from spanwise.formats.docx.numbering import formatted
from spanwise.markdown.options import ChunkOptions
from spanwise.rows import document_rows
from tests.packages import SPACES, diagram, level, num, p, r, relationships, style, word, zipped
from tests.shared_data import field_reports

SETTINGS = Settings(heading_numbers=True)
STYLES = (
    style("T", "Title")
    + style("H1", "heading 1")
    + style("berschrift2", "heading 2", '<w:outlineLvl w:val="1"/>', "H1")
    + style("Own", "My Heading", "", "berschrift2")
    + style("Code", "Source Code")
    + style("TOCHeading", "TOC Heading", '<w:outlineLvl w:val="9"/>', "H1")
)


def converted(body: str, **parts: str) -> Document:
    """The document of a body, every stretch of which is found again."""
    data = word(body, **{"styles": STYLES, **parts})
    document = read(data, SETTINGS)
    for row in document_rows(document, "a.docx", ChunkOptions()):
        own = document.own_text(row["start"], row["end"])
        again = reread(data, row["regions"], SETTINGS)
        assert "".join(again.split()) == "".join(own.split())
    return document


def text_of(body: str, **parts: str) -> str:
    return converted(body, **parts).text


def test_headings_have_the_levels_of_their_styles() -> None:
    body = (
        p("A", "H1") + p("B", "berschrift2") + p("C", "Own") + p("D", "TOCHeading") + p("E", "No")
    )
    assert text_of(body) == "# A\n\n## B\n\n## C\n\nD\n\nE\n"


def test_a_title_is_above_all_headings() -> None:
    document = converted(p("My\ntitle", "T") + p("A", "H1") + p("B", "Own"))
    assert document.text == "# My title\n\n## A\n\n### B\n"
    assert document.title == "My title"


def test_an_outline_level_of_a_paragraph_makes_it_a_heading_or_none() -> None:
    body = p("A", "", '<w:outlineLvl w:val="2"/>') + p("B", "H1", '<w:outlineLvl w:val="9"/>')
    assert text_of(body) == "### A\n\nB\n"


NUMBERING = (
    '<w:abstractNum w:abstractNumId="0">'
    + level(0, "decimal", "%1", '<w:pStyle w:val="H1"/>')
    + level(1, "decimal", "%1.%2", '<w:pStyle w:val="berschrift2"/>')
    + level(2, "lowerLetter", "(%3)")
    + level(3, "bullet", "\uf0b7")
    + '</w:abstractNum><w:abstractNum w:abstractNumId="1">'
    + level(0, "decimal", "%1.")
    + level(1, "upperRoman", "%1.%2)", "<w:isLgl/>")
    + "</w:abstractNum>"
    '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    '<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>'
    '<w:num w:numId="3"><w:abstractNumId w:val="1"/>'
    '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num>'
)


def test_headings_have_their_numbers_as_printed() -> None:
    body = (
        p("A", "H1", num(1))
        + p("B", "berschrift2", num(1, 1))
        + p("C", "berschrift2", num(1, 1))
        + p("D", "H1", num(1))
        + p("E", "berschrift2", num(1, 1))
        + p("F", "", num(1, 1))
    )
    assert text_of(body, numbering=NUMBERING) == (
        "# 1 A\n\n## 1.1 B\n\n## 1.2 C\n\n# 2 D\n\n## 2.1 E\n\n## 2.2 F\n"
    )
    without = read(word(body, styles=STYLES, numbering=NUMBERING), Settings())
    assert without.text == "# A\n\n## B\n\n## C\n\n# D\n\n## E\n\n## F\n"


def test_numbers_of_lists_are_counted_as_word_counts() -> None:
    body = (
        p("a", "", num(2))
        + p("b", "", num(2))
        + p("c", "", num(2, 1))
        + p("between")
        + p("d", "", num(2))
        + p("e", "", num(3))
        + p("f", "", num(3))
        + p("g", "", num(1, 2))
        + p("h", "", num(1, 3))
        + p("i", "", num(0))
    )
    assert text_of(body, numbering=NUMBERING) == (
        "1. a\n2. b\n   - 2.1) c\n\nbetween\n\n3. d\n7. e\n8. f\n   - (a) g\n     - h\n\ni\n"
    )


@pytest.mark.parametrize(
    ("value", "name", "expected"),
    [
        (27, "lowerLetter", "aa"),
        (53, "upperLetter", "AAA"),
        (1994, "lowerRoman", "mcmxciv"),
        (4, "upperRoman", "IV"),
        (11, "ordinal", "11th"),
        (22, "ordinal", "22nd"),
        (7, "decimalZero", "07"),
        (7, "none", ""),
        (7, "thaiCounting", "7"),
    ],
)
def test_numbers_in_the_formats_of_word(value: int, name: str, expected: str) -> None:
    assert formatted(value, name) == expected


@pytest.mark.parametrize(
    "inside",
    [
        "<w:ins>{}</w:ins>",
        "<w:moveTo>{}</w:moveTo>",
        '<w:smartTag w:element="x">{}</w:smartTag>',
        "<w:sdt><w:sdtPr><w:alias/></w:sdtPr><w:sdtContent>{}</w:sdtContent></w:sdt>",
        "<w:dir>{}</w:dir>",
        "<w:bdo>{}</w:bdo>",
        "<w:customXml>{}</w:customXml>",
        '<w:fldSimple w:instr="DATE">{}</w:fldSimple>',
        "<mc:AlternateContent><mc:Choice>{}</mc:Choice><mc:Fallback><w:r><w:t>no</w:t></w:r>"
        "</mc:Fallback></mc:AlternateContent>",
    ],
)
def test_text_in_wrappers_is_kept(inside: str) -> None:
    assert text_of(f"<w:p>{r('a ')}{inside.format(r('b'))}{r(' c')}</w:p>") == "a b c\n"


@pytest.mark.parametrize(
    "left_out",
    [
        "<w:del><w:r><w:delText>x</w:delText></w:r></w:del>",
        "<w:moveFrom><w:r><w:t>x</w:t></w:r></w:moveFrom>",
        "<w:r><w:commentReference/></w:r>",
        "<w:r><w:rPr><w:vanish/></w:rPr><w:t>x</w:t></w:r>",
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>x</w:instrText></w:r>'
        '<w:r><w:t>x</w:t></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>'
        '<w:r><w:fldChar w:fldCharType="end"/></w:r>',
        '<w:r><w:br w:type="page"/></w:r>',
    ],
)
def test_what_is_not_printed_is_left_out(left_out: str) -> None:
    assert text_of(f"<w:p>{r('a')}{left_out}{r('b')}</w:p>") == "ab\n"


def test_a_style_hides_a_paragraph_unless_a_run_says_otherwise() -> None:
    hidden = '<w:style w:type="paragraph" w:styleId="Hid"><w:name w:val="Hid"/>'
    styles = f"{STYLES}{hidden}<w:rPr><w:vanish/></w:rPr></w:style>"
    assert text_of(p("a") + p("x", "Hid") + p("b"), styles=styles) == "a\n\nb\n"
    shown = f'<w:p><w:pPr><w:pStyle w:val="Hid"/></w:pPr>{r("b", NOT_HIDDEN)}{r("x")}</w:p>'
    assert text_of(p("a") + shown, styles=styles) == "a\n\nb\n"


ONE_LEVEL = f'<w:abstractNum w:abstractNumId="5">{level(0, "decimal", "%1.")}</w:abstractNum>'
NOT_HIDDEN = '<w:vanish w:val="0"/>'
DELETED = '<w:rPr><w:del w:id="1"/></w:rPr>'


def test_a_paragraph_whose_end_is_deleted_goes_on_in_the_next() -> None:
    assert text_of(p("a ", "", DELETED) + p("b") + p("c")) == "a b\n\nc\n"
    assert text_of(p("a ", "", DELETED) + p("B", "H1")) == "# a B\n"
    assert text_of(p("a", "", DELETED)) == "a\n"
    items = p("", "", num(2) + DELETED) + p("one", "", num(2))
    numbering = f"{ONE_LEVEL}<w:num w:numId='2'><w:abstractNumId w:val='5'/></w:num>"
    assert text_of(items, numbering=numbering) == "1. one\n"


def holding(body: str, *parts: tuple[str, str, str | bytes]) -> bytes:
    """A Word file with parts it leads to: a name below `word`, a kind, what is in it.

    The ids of the relationships are `r0`, `r1` ...
    """
    targets = [(f"r{at}", kind, name) for at, (name, kind, _) in enumerate(parts)]
    inside = f"<w:styles {SPACES}>{STYLES}</w:styles>"
    return zipped(
        {
            "_rels/.rels": relationships(("r1", "officeDocument", "word/document.xml")),
            "word/document.xml": f"<w:document {SPACES}><w:body>{body}</w:body></w:document>",
            "word/styles.xml": inside,
            "word/_rels/document.xml.rels": relationships(
                *targets, ("styles", "styles", "styles.xml")
            ),
        }
        | {f"word/{name}": content for name, _, content in parts}
    )


EMBEDS = '<w:altChunk r:id="r0"/>'


def test_a_page_that_is_embedded_is_read() -> None:
    page = "<html><h2>T</h2><p id=x>one &amp; <b>two</b>"
    data = holding(p("a") + EMBEDS + p("b"), ("page.htm", "aFChunk", page))
    document = read(data, SETTINGS)
    assert document.text == "a\n\n## T\n\none & two\n\nb\n"
    regions = document.regions(0, len(document.text))
    assert {region["part"] for region in regions[1:-1]} == {"word/page.htm"}
    assert reread(data, regions, SETTINGS).split() == ["a", "T", "one", "&", "two", "b"]


def test_a_file_that_is_embedded_is_read_with_its_own_styles() -> None:
    own = style("H1", "heading 3") + style("N", "Own")
    notes = f'<w:footnote w:id="1">{p("inner note")}</w:footnote>'
    mark = '<w:r><w:footnoteReference w:id="1"/></w:r>'
    body = p("A", "H1") + f"<w:p>{r('in')}{mark}</w:p>" + p("of", "N", num(2))
    inner = word(body, styles=own, numbering=NUMBERING, footnotes=notes)
    note = f'<w:footnote w:id="1">{p("outer")}</w:footnote>'
    data = holding(
        p("T", "T") + f"<w:p>{r('out')}{mark}</w:p>" + EMBEDS + p("B", "H1"),
        ("in.docx", "aFChunk", inner),
        ("footnotes.xml", "footnotes", f"<w:footnotes {SPACES}>{note}</w:footnotes>"),
    )
    document = read(data, SETTINGS)
    assert document.text == (
        "# T\n\nout[^1]\n\n[^1]: outer\n\n#### A\n\nin[^2]\n\n1. of\n\n[^2]: inner note\n\n## B\n"
    )
    start = document.text.index("nner note")
    regions = document.regions(start, start + 4)
    assert regions == [
        {
            "part": "word/in.docx",
            "inner": "word/footnotes.xml",
            "paragraph": 1,
            "id": None,
            "start": 1,
            "end": 5,
        }
    ]
    assert reread(data, regions, SETTINGS) == "nner"
    for row in document_rows(document, "a.docx", ChunkOptions()):
        own_text = document.own_text(row["start"], row["end"])
        assert reread(data, row["regions"], SETTINGS).split() == own_text.split()


INNER_FILE = holding(p("x") + EMBEDS, ("y.docx", "aFChunk", word(p("y"))))
INNER_PAGE = holding(p("x") + EMBEDS, ("y.htm", "aFChunk", "<html><p>y"))


@pytest.mark.parametrize(
    ("embedded", "text", "told"),
    [
        (b"PK", "a\n\nb\n", "no ZIP package"),
        (word(p("x") + "<w:p>"), "a\n\nb\n", "word/document.xml: not well-formed"),
        (word(p("x"), styles="<"), "a\n\nb\n", "word/styles.xml: not well-formed"),
        (INNER_FILE, "a\n\nx\n\nb\n", "is not read: word/y.docx"),
        (INNER_PAGE, "a\n\nx\n\ny\n\nb\n", None),
    ],
    ids=["no package", "broken off", "broken styles", "deeper", "a page in it"],
)
def test_what_is_embedded_and_cannot_be_read_is_told(
    embedded: bytes, text: str, told: str | None
) -> None:
    document = read(holding(p("a") + EMBEDS + p("b"), ("in.docx", "aFChunk", embedded)), SETTINGS)
    assert document.text == text
    messages = [notice["message"] for notice in document.notices if notice["code"] == "left_out"]
    assert len(messages) == (told is not None)
    assert told is None or told in messages[0]


def test_what_is_embedded_counts_to_the_limits() -> None:
    inner = word(p("x") * 40)
    data = holding(EMBEDS * 30, ("in.docx", "aFChunk", inner))
    assert read(data, SETTINGS).text.count("x") == 1200
    for settings in (Settings(max_objects=3000), Settings(max_unpacked=60_000)):
        with pytest.raises(LimitExceeded):
            read(data, settings)
    assert read(data, Settings(max_objects=30_000, max_unpacked=600_000)).text


def test_no_more_is_embedded_than_five_hundred_times() -> None:
    data = holding(EMBEDS * 501, ("in.htm", "aFChunk", "<html><p>x"))
    document = read(data, SETTINGS)
    assert document.text.count("x") == 500
    assert [notice["code"] for notice in document.notices] == ["left_out"]


def drawing(content: str) -> str:
    return f"<w:r><w:drawing><a:graphic {DRAWN}>{content}</a:graphic></w:drawing></w:r>"


DRAWN = " ".join(
    f'xmlns:{prefix}="http://schemas.openxmlformats.org/drawingml/2006/{name}"'
    for prefix, name in (("a", "main"), ("dgm", "diagram"), ("c", "chart"))
)
DIAGRAM = drawing('<dgm:relIds r:dm="r0"/>')
CHART = drawing('<c:chart r:id="r1"/>')
PARTS = (
    ("data.xml", "diagramData", diagram("one two three", "one-three")),
    (
        "chart.xml",
        "chart",
        f"<c:chartSpace {DRAWN}><c:chart><c:title><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:title>"
        "<c:ser><c:tx><c:v>2024</c:v></c:tx>"
        '<c:cat><c:pt idx="0"><c:v>North</c:v></c:pt></c:cat>'
        '<c:val><c:pt idx="0"><c:v>7</c:v></c:pt></c:val></c:ser></c:chart></c:chartSpace>',
    ),
)


def test_diagrams_and_charts_are_read() -> None:
    data = holding(f"<w:p>{r('a')}{DIAGRAM}{CHART}</w:p>" + p("b"), *PARTS)
    document = read(data, SETTINGS)
    assert document.text == (
        "a\n\n- one\n  - three\n- two\n\nSales\n\n|  | 2024 |\n| --- | --- |\n| North | 7 |\n\nb\n"
    )
    assert document.notices == []
    regions = document.regions(0, len(document.text))
    assert {"part": "word/data.xml", "paragraph": 3, "id": None, "start": 0, "end": 5} in regions
    words = "a one three two Sales 2024 North 7 b".split()
    assert reread(data, regions, SETTINGS).split() == words


def test_diagrams_and_charts_in_cells_are_one_line() -> None:
    row = cell(f"<w:p>{DIAGRAM}</w:p>") + cell(f"<w:p>{CHART}</w:p>")
    document = read(holding(table(cell(p("a")) + cell(p("b")), row), *PARTS), SETTINGS)
    assert document.text.endswith("| one three two | Sales 2024 North 7 |\n")


def test_a_diagram_that_is_not_there_is_told() -> None:
    document = read(holding(f"<w:p>{r('a')}{DIAGRAM}</w:p>"), SETTINGS)
    assert document.text == "a\n"
    assert [notice["code"] for notice in document.notices] == ["left_out"]


def test_a_heading_with_prose_in_its_cell_is_that_of_a_section() -> None:
    prose = "A sentence. " * 8 + "The end."
    rows = [cell(p("A", "H1") + p(prose)) + cell(p("two")), cell(p("c")) + cell(p("d"))]
    assert text_of(table(*rows)) == f"# A\n\n{prose}\n\ntwo\n\nc\n\nd\n"
    rows = [cell(p("A", "H1") + p("one")) + cell(p("B", "H1")), cell(p("c")) + cell(p("d"))]
    assert text_of(table(*rows)) == "| A one | B |\n| --- | --- |\n| c | d |\n"


def test_a_table_with_nothing_beside_a_heading_or_only_text_below_it_arranges() -> None:
    alone = table(cell(p("\u00a0")) + cell(p("A", "H1") + p("b")))
    assert text_of(alone) == "# A\n\nb\n"
    column = [cell(p("A", "H1")) + cell(p("")), cell(p("b")) + cell(p(""))]
    assert text_of(table(*column)) == "# A\n\nb\n"
    prose = "Some text that only has its place here. " * 3 + "The end."
    assert text_of(table(cell(p("")) + cell(p(prose)))) == f"{prose}\n"
    data = [cell(p("a")) + cell(p("")), cell(p("b")) + cell(p(""))]
    assert text_of(table(*data)) == "| a |\n| --- |\n| b |\n"


def test_blocks_in_content_controls_are_kept() -> None:
    body = f"<w:sdt><w:sdtContent>{p('A', 'H1')}{p('b')}</w:sdtContent></w:sdt>"
    assert text_of(body) == "# A\n\nb\n"


def test_links_and_code_and_signs() -> None:
    mono = '<w:rFonts w:ascii="Consolas"/>'
    body = (
        f'<w:p>{r("see ")}<w:hyperlink r:id="link">{r("here")}</w:hyperlink>'
        f'{r(" or ")}<w:r><w:fldChar w:fldCharType="begin"/></w:r>'
        '<w:r><w:instrText> HYPERLINK "https://d.e" </w:instrText></w:r>'
        f'<w:r><w:fldChar w:fldCharType="separate"/></w:r>{r("there")}'
        '<w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>'
        f"<w:p>{r('call ')}{r('f()', mono)}<w:r><w:tab/><w:noBreakHyphen/>"
        '<w:sym w:font="Wingdings" w:char="F0FC"/></w:r></w:p>'
    )
    assert text_of(body) == "see [here](https://a.b/c) or [there](https://d.e)\n\ncall `f()` ‑✓\n"


def test_lines_of_code_are_one_block() -> None:
    body = p("def f():", "Code") + p("", "Code") + p("    pass", "Code") + p("a")
    assert text_of(body) == "```\ndef f():\n\n    pass\n```\n\na\n"


def test_prose_in_type_of_a_fixed_width_is_prose() -> None:
    mono = '<w:rFonts w:ascii="Courier New"/>'
    assert text_of(f"<w:p>{r('A memo.', mono)}</w:p>") == "A memo.\n"
    assert text_of(f"<w:p>{r('x = 1;', mono)}</w:p>") == "```\nx = 1;\n```\n"


def test_formulas_are_in_one_line() -> None:
    fraction = (
        '<m:f><m:fPr><m:type m:val="noBar"/></m:fPr><m:num><m:r><m:t>n</m:t></m:r></m:num>'
        "<m:den><m:r><m:t>k</m:t></m:r></m:den></m:f><m:r><m:t>,</m:t></m:r>"
        "<m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f>"
    )
    power = (
        "<m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup>"
    )
    assert text_of(f"<w:p><m:oMath>{fraction}{power}</m:oMath></w:p>") == "n¦k,(a+b)/2x^2\n"


def cell(content: str, properties: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{content}</w:tc>"


def table(*rows: str) -> str:
    return "<w:tbl>" + "".join(f"<w:tr>{row}</w:tr>" for row in rows) + "</w:tbl>"


def test_merged_cells_stand_once() -> None:
    body = table(
        cell(p("A"), '<w:gridSpan w:val="2"/>') + cell(p("B")),
        cell(p("c"), '<w:vMerge w:val="restart"/>') + cell(p("d") + p("e|f")) + cell(p("g")),
        cell(p(""), "<w:vMerge/>") + cell(p("h")) + cell(p("i")),
        '<w:trPr><w:gridBefore w:val="1"/></w:trPr>' + cell(p("j")) + cell(p("k")),
        "<w:trPr><w:del/></w:trPr>" + cell(p("x")),
    )
    assert text_of(body) == (
        "| A |  | B |\n| --- | --- | --- |\n| c | d e\\|f | g |\n|  | h | i |\n|  | j | k |\n"
    )


def test_tables_in_tables_and_tables_that_only_arrange() -> None:
    inner = table(cell(p("b")) + cell(p("c")))
    assert text_of(table(cell(p("a")) + cell(inner))) == "| a | b c |\n| --- | --- |\n"
    assert text_of(table(cell(p("A", "H1") + p("b")))) == "# A\n\nb\n"
    long = p("word " * 100)
    assert text_of(table(cell(p("a")), cell(long))).startswith("a\n\nword word")


NOTES = (
    '<w:footnote w:type="separator" w:id="0"><w:p/></w:footnote>'
    f'<w:footnote w:id="2">{p(" One.")}{p("More.")}</w:footnote>'
    f'<w:footnote w:id="3">{p("Two.")}</w:footnote>'
)


def test_notes_stand_before_the_next_heading() -> None:
    def mark(kind: str, key: int) -> str:
        return f'<w:r><w:{kind}Reference w:id="{key}"/></w:r>'

    body = (
        f"<w:p>{r('a')}{mark('footnote', 2)}{r(' b')}</w:p>"
        + p("c")
        + p("D", "H1")
        + f"<w:p>{r('e')}{mark('footnote', 3)}{mark('endnote', 1)}</w:p>"
    )
    document = converted(
        body, footnotes=NOTES, endnotes=f'<w:endnote w:id="1">{p("End.")}</w:endnote>'
    )
    assert document.text == (
        "a[^1] b\n\nc\n\n[^1]: One. More.\n\n# D\n\ne[^2][^e1]\n\n[^2]: Two.\n\n[^e1]: End.\n"
    )
    start = document.text.index("Two.")
    assert document.regions(start, start + 3) == [
        {"part": "word/footnotes.xml", "paragraph": 4, "id": None, "start": 0, "end": 3}
    ]


def test_text_boxes_follow_what_they_are_anchored_in_and_stand_once() -> None:
    box = f"<w:txbxContent>{p('in the box')}</w:txbxContent>"
    body = (
        f"<w:p>{r('a')}<w:r><mc:AlternateContent><mc:Choice><w:drawing>{box}</w:drawing></mc:Choice>"
        f"<mc:Fallback><w:pict>{box}</w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>"
    ) + p("b")
    document = converted(body)
    assert document.text == "a\n\nin the box\n\nb\n"
    assert [region["paragraph"] for region in document.regions(0, 20)] == [1, 2, 4]


def test_a_region_is_a_paragraph_and_characters_in_it() -> None:
    body = p("one") + f'<w:p w14:paraId="0A1B2C3D">{r("two ")}{r("three")}</w:p>'
    document = converted(body)
    start = document.text.index("wo th")
    assert document.regions(start, start + 5) == [
        {"part": "word/document.xml", "paragraph": 2, "id": "0A1B2C3D", "start": 1, "end": 6}
    ]


# -- what is no Word document --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "no ZIP package"),
        (b"PK\x03\x04 broken", "no ZIP package"),
        (word(p("a"))[:-40], "no ZIP package"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(2000), "encrypted"),
        (zipped({"a.txt": "b"}), "no part of it says"),
        (word("<w:p>"), "not well-formed"),
        (
            zipped(
                {
                    "_rels/.rels": relationships(("r1", "officeDocument", "a.xml")),
                    "a.xml": "<other/>",
                }
            ),
            "begins with other",
        ),
        (
            zipped({"_rels/.rels": relationships(("r1", "officeDocument", "a.xml"))}),
            "there is no a.xml",
        ),
    ],
)
def test_what_cannot_be_read_says_why(data: bytes, message: str) -> None:
    with pytest.raises(UnreadableSource, match=message):
        read(data, SETTINGS)


def test_a_document_type_is_not_read() -> None:
    bomb = '<!DOCTYPE a [<!ENTITY b "' + "c" * 1000 + '">]>' + "<a>" + "&b;" * 1000 + "</a>"
    external = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'
    for part in (bomb, external):
        data = zipped(
            {
                "_rels/.rels": relationships(("r1", "officeDocument", "a.xml")),
                "a.xml": part,
            }
        )
        with pytest.raises(UnreadableSource, match="document type"):
            read(data, SETTINGS)


@pytest.mark.parametrize(
    ("data", "limit"),
    [
        (word(p(" " * (64 << 20))), "max_ratio"),
        (word("<w:tbl><w:tr><w:tc>" * 20_000), "max_depth"),
        (word(p("a") * 1000), "max_objects"),
        (word(p("a") * 1000), "max_unpacked"),
    ],
    ids=["bomb", "nested tables", "elements", "unpacked"],
)
def test_limits_are_named(data: bytes, limit: str) -> None:
    settings = {
        "max_objects": Settings(max_objects=999),
        "max_unpacked": Settings(max_unpacked=999),
    }
    with pytest.raises(LimitExceeded) as caught:
        read(data, settings.get(limit, SETTINGS))
    assert caught.value.details["limit"] == limit
    assert caught.value.details["found"] > caught.value.details["maximum"]


def test_a_document_without_text_says_so() -> None:
    document = converted(p(""))
    assert document.text == ""
    assert [notice["code"] for notice in document.notices] == ["no_text"]


# -- field reports -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "case",
    [case for case in field_reports("doc2md") if "docx" in case["input"]],
    ids=lambda case: str(case["id"]),
)
def test_field_reports(case: dict[str, Any]) -> None:
    body = ""
    for block in case["input"]["docx"]:
        if "table" in block:
            rows = ["".join(cell(p(text)) for text in row) for row in block["table"]]
            body += table(*rows)
        elif "heading" in block:
            body += p(block["text"], "", f'<w:outlineLvl w:val="{block["heading"] - 1}"/>')
        else:
            body += p(block["text"])
    document = converted(body)
    rows_found = document_rows(document, "a.docx", ChunkOptions())
    for text in case["expect"]["text_somewhere"]:
        assert document.text.count(text) == 1
    for text, path in case["expect"]["path_only"]:
        found = [row["heading_path"] for row in rows_found if text in row["text"]]
        assert found
        assert all(one == path for one in found)
