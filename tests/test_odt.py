"""OpenDocument texts: what is printed, and where it stands."""

import pytest

from spanwise.document import Document
from spanwise.errors import UnreadableSource
from spanwise.formats import Settings
from spanwise.formats.odt import read, reread
from spanwise.formats.sniffing import media_type
from tests.packages import zipped

SETTINGS = Settings(heading_numbers=True)
SPACES = (
    " ".join(
        f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for prefix, name in (
            ("office", "office"),
            ("text", "text"),
            ("table", "table"),
            ("style", "style"),
            ("draw", "drawing"),
        )
    )
    + ' xmlns:xlink="http://www.w3.org/1999/xlink"'
)
STYLES = (
    '<style:style style:name="Title"/><style:style style:name="Preformatted_20_Text"/>'
    '<style:style style:name="Source_20_Text"/>'
    '<text:outline-style><text:outline-level-style text:level="1" style:num-format="1"/>'
    '<text:outline-level-style text:level="2" style:num-format="1" style:num-suffix="."'
    ' text:display-levels="2"/></text:outline-style>'
)
AUTOMATIC = (
    '<style:style style:name="P1" style:parent-style-name="Title"/>'
    '<style:style style:name="P2" style:parent-style-name="Preformatted_20_Text"/>'
    '<text:list-style style:name="L1"><text:list-level-style-number text:level="1"'
    ' style:num-format="1" style:num-suffix="."/><text:list-level-style-number text:level="2"'
    ' style:num-format="a" style:num-prefix="(" style:num-suffix=")"/></text:list-style>'
    '<text:list-style style:name="L2"><text:list-level-style-bullet text:level="1"/>'
    "</text:list-style>"
)


def odt(body: str, **parts: str) -> bytes:
    """A text; `Object1` and the like are what is in a part of its own."""
    objects = {f"{name}/content.xml": content for name, content in parts.items()}
    return zipped(
        objects
        | {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "styles.xml": f"<office:document-styles {SPACES}>{STYLES}</office:document-styles>",
            "content.xml": (
                f"<office:document-content {SPACES}><office:automatic-styles>{AUTOMATIC}"
                f"</office:automatic-styles><office:body><office:text>{body}</office:text>"
                "</office:body></office:document-content>"
            ),
        }
    )


def converted(body: str, **parts: str) -> Document:
    data = odt(body, **parts)
    assert media_type(data, "x") == "application/vnd.oasis.opendocument.text"
    document = read(data, SETTINGS)
    for start in range(0, len(document.text), 5):
        regions = document.regions(start, start + 9)
        own = document.own_text(start, start + 9)
        assert "".join(reread(data, regions, SETTINGS).split()) == "".join(own.split())
    return document


def p(text: str, style: str = "") -> str:
    return f'<text:p text:style-name="{style}">{text}</text:p>'


def h(text: str, level: int) -> str:
    return f'<text:h text:outline-level="{level}">{text}</text:h>'


def items(style: str, *contents: str, more: str = "") -> str:
    inside = "".join(f"<text:list-item>{content}</text:list-item>" for content in contents)
    return f'<text:list text:style-name="{style}" {more}>{inside}</text:list>'


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (p("A", "P1") + h("B", 1) + h("C", 2), "# A\n\n## 1 B\n\n### 1.1. C\n"),
        (
            p(" a\n  <text:span>b </text:span> c<text:s text:c='3'/>d<text:line-break/>e"),
            "a b c   d e\n",
        ),
        (
            items("L1", p("a"), p("b") + items("", p("c")), p("d"))
            + p("e")
            + items("L1", p("f"), more='text:continue-numbering="true"'),
            "1. a\n2. b\n   - (a) c\n3. d\n\ne\n\n4. f\n",
        ),
        (items("L2", p("a") + p("b"), p("c")), "- a\n\n  b\n\n- c\n"),
        (
            p("x = 1", "P2") + p("", "P2") + p("<text:s/>y", "P2") + p("z"),
            "```\nx = 1\n\n y\n```\n\nz\n",
        ),
        (
            p('<text:a xlink:href="https://a.b">c</text:a> '
              '<text:span text:style-name="Source_20_Text">d</text:span>'),
            "[c](https://a.b) `d`\n",
        ),
        (
            p('a<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation>'
              f"<text:note-body>{p('one')}{p('two')}</text:note-body></text:note> b") + h("C", 1),
            "a[^1] b\n\n[^1]: one two\n\n# 1 C\n",
        ),
        (
            f"<text:tracked-changes>{p('gone')}</text:tracked-changes>"
            + p("a<office:annotation>x</office:annotation>"),
            "a\n",
        ),
        (
            p(f"a<draw:frame><draw:text-box>{p('boxed')}</draw:text-box></draw:frame>"),
            "a\n\nboxed\n",
        ),
        (f"<text:section>{p('a')}</text:section>", "a\n"),
    ],
)  # fmt: skip
def test_structure_is_kept(body: str, expected: str) -> None:
    assert converted(body).text == expected


MATH = 'xmlns="http://www.w3.org/1998/Math/MathML"'


def test_formulas_are_in_one_line() -> None:
    fraction = "<mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><mi>b</mi></mfrac>"
    formula = f"<math {MATH}><semantics>{fraction}<annotation>x</annotation></semantics></math>"
    frame = '<draw:frame><draw:object xlink:href="{}"/><draw:image/></draw:frame>'
    body = p(f"is {frame.format('./Object1')} so") + p(f"no {frame.format('./Object2')}sheet")
    other = f"<office:document-content {SPACES}><text:p>x</text:p></office:document-content>"
    document = converted(body, Object1=formula, Object2=other)
    assert document.text == "is (a+1)/b so\n\nno sheet\n"
    inside = f"<draw:object><math {MATH}><msup><mi>x</mi><mn>2</mn></msup></math></draw:object>"
    assert converted(p(f"is {inside}")).text == "is x^2\n"


def test_tables_with_merged_cells() -> None:
    def cell(content: str, more: str = "", name: str = "table-cell") -> str:
        return f"<table:{name} {more}>{content}</table:{name}>"

    row = "<table:table-row>{}</table:table-row>"
    covered = cell("", "", "covered-table-cell")
    body = (
        "<table:table><table:table-header-rows>"
        + row.format(cell(p("A"), 'table:number-columns-spanned="2"') + covered + cell(p("B")))
        + "</table:table-header-rows>"
        + row.format(cell(p("c") + p("d")) + cell(p("e")) + cell(p("f")))
        + row.format(cell("", 'table:number-columns-repeated="2"') + cell(p("g")))
        + "</table:table>"
    )
    assert converted(body).text == (
        "| A |  | B |\n| --- | --- | --- |\n| c d | e | f |\n|  |  | g |\n"
    )


def test_a_region_is_a_paragraph_and_characters_in_it() -> None:
    document = converted(p("one") + '<text:p xml:id="q">two three</text:p>')
    start = document.text.index("wo th")
    assert document.regions(start, start + 5) == [
        {"part": "content.xml", "paragraph": 2, "id": "q", "start": 1, "end": 6}
    ]


def test_an_encrypted_document_says_so() -> None:
    manifest = (
        '<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
        "<m:file-entry><m:encryption-data/></m:file-entry></m:manifest>"
    )
    data = zipped({"META-INF/manifest.xml": manifest, "content.xml": "junk"})
    with pytest.raises(UnreadableSource, match="encrypted"):
        read(data, SETTINGS)
