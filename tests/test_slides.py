"""Presentations: slides, their lists, tables and notes, and where they stand."""

import io
import re
import zipfile

import pytest

from spanwise.document import Document
from spanwise.errors import UnreadableSource
from spanwise.formats import Settings
from spanwise.formats.pptx import read, reread
from spanwise.formats.sniffing import media_type
from spanwise.markdown.options import ChunkOptions
from spanwise.rows import document_rows
from tests.packages import diagram, relationships, zipped

SETTINGS = Settings()
MAIN = "http://schemas.openxmlformats.org/"
SPACES = (
    f'xmlns:p="{MAIN}presentationml/2006/main" xmlns:a="{MAIN}drawingml/2006/main" '
    f'xmlns:r="{MAIN}officeDocument/2006/relationships" '
    f'xmlns:dgm="{MAIN}drawingml/2006/diagram" xmlns:c="{MAIN}drawingml/2006/chart"'
)


def par(text: str, properties: str = "") -> str:
    return f"<a:p>{properties}<a:r><a:t>{text}</a:t></a:r></a:p>"


def shape(kind: str, *paragraphs: str, more: str = "") -> str:
    placeholder = f'<p:ph type="{kind}"/>' if kind != "none" else ""
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="1" {more}/><p:nvPr>{placeholder}</p:nvPr></p:nvSpPr>'
        f"<p:txBody>{''.join(paragraphs)}</p:txBody></p:sp>"
    )


def tree(root: str, *shapes: str, more: str = "") -> str:
    inside = "".join(shapes)
    return f"<p:{root} {SPACES} {more}><p:cSld><p:spTree>{inside}</p:spTree></p:cSld></p:{root}>"


MASTER = (
    f"<p:sldMaster {SPACES}><p:cSld><p:spTree/></p:cSld><p:txStyles><p:bodyStyle>"
    '<a:lvl1pPr><a:buChar char="•"/></a:lvl1pPr><a:lvl2pPr><a:buChar char="•"/></a:lvl2pPr>'
    "</p:bodyStyle></p:txStyles></p:sldMaster>"
)


KINDS = (("notes", "notesSlide"), ("data", "diagramData"), ("chart", "chart"))


def deck(*slides: str, **parts: str) -> bytes:
    """A presentation; `notes1` are the notes of slide 1, `data1` is its diagram."""
    ids = "".join(f'<p:sldId id="{at}" r:id="s{at}"/>' for at in range(len(slides)))
    # The names of the parts say nothing about the order.
    names = {at: f"slides/slide{len(slides) - at}.xml" for at in range(len(slides))}
    files = {
        "_rels/.rels": relationships(("r1", "officeDocument", "ppt/presentation.xml")),
        "ppt/presentation.xml": (
            f"<p:presentation {SPACES}><p:sldIdLst>{ids}</p:sldIdLst></p:presentation>"
        ),
        "ppt/_rels/presentation.xml.rels": relationships(
            *[(f"s{at}", "slide", name) for at, name in names.items()]
        ),
        "ppt/slideLayouts/layout.xml": tree("sldLayout"),
        "ppt/slideLayouts/_rels/layout.xml.rels": relationships(
            ("m", "slideMaster", "../slideMasters/master.xml")
        ),
        "ppt/slideMasters/master.xml": MASTER,
    }
    for at, slide in enumerate(slides):
        files[f"ppt/{names[at]}"] = slide
        targets = [("l", "slideLayout", "../slideLayouts/layout.xml")]
        targets.append(("link", "hyperlink", "https://a.b"))
        for kind, folder in KINDS:
            key = f"{kind}{at + 1}"
            if key in parts:
                targets.append((kind, folder, f"../{folder}s/{key}.xml"))
                files[f"ppt/{folder}s/{key}.xml"] = parts[key]
        rels = names[at].replace("slides/", "slides/_rels/") + ".rels"
        files[f"ppt/{rels}"] = relationships(*targets)
    return zipped(files)


def converted(data: bytes) -> Document:
    assert media_type(data, "x").endswith("presentationml.presentation")
    document = read(data, SETTINGS)
    for start in range(0, len(document.text), 5):
        regions = document.regions(start, start + 9)
        own = document.own_text(start, start + 9)
        assert "".join(reread(data, regions, SETTINGS).split()) == "".join(own.split())
    return document


def test_slides_are_sections_with_pages() -> None:
    data = deck(
        tree("sld", shape("ctrTitle", par("Tea")), shape("subTitle", par("A talk"))),
        tree(
            "sld",
            shape("sldNum", par("2")),
            shape("", par("green"), par("sencha", '<a:pPr lvl="1"/>'), par("black")),
            shape("title", par("Kinds"), par("of tea")),
            shape("none", par("free text")),
        ),
        tree("sld", shape("none", par("no title"))),
        tree("sld", shape("title", par("Secret")), more='show="0"'),
        notes2=tree("notes", shape("body", par("say this")), shape("sldNum", par("2"))),
    )
    document = converted(data)
    assert document.text == (
        "# Tea\n\nA talk\n\n# Kinds of tea\n\n- green\n  - sencha\n- black\n\nfree text\n\n"
        "> say this\n\n# Slide 3\n\nno title\n"
    )
    assert document.title == "Tea"
    assert [notice["code"] for notice in document.notices] == ["left_out"]
    rows = document_rows(document, "a.pptx", ChunkOptions())
    assert [row["pages"] and row["pages"]["first"] for row in rows] == [1, 2, 3]
    start = document.text.index("ay th")
    assert document.regions(start, start + 5) == [
        {
            "slide": 2,
            "part": "ppt/notesSlides/notes2.xml",
            "paragraph": 1,
            "start": 1,
            "end": 6,
        }
    ]


@pytest.mark.parametrize(
    ("shapes", "expected"),
    [
        (
            shape(
                "none",
                par("a", '<a:pPr><a:buAutoNum type="arabicPeriod" startAt="3"/></a:pPr>'),
                par("b", '<a:pPr><a:buAutoNum type="arabicPeriod" startAt="3"/></a:pPr>'),
                par("c", '<a:pPr lvl="1"><a:buAutoNum type="alphaLcParenBoth"/></a:pPr>'),
            ),
            "3. a\n4. b\n   - (a) c\n",
        ),
        (shape("body", par("a", "<a:pPr><a:buNone/></a:pPr>")), "a\n"),
        (shape("none", par("x"), more='hidden="1"') + shape("none", par("a")), "a\n"),
        (f"<p:grpSp>{shape('none', par('a'))}</p:grpSp>", "a\n"),
        (
            shape(
                "none",
                '<a:p><a:r><a:rPr><a:hlinkClick r:id="link"/></a:rPr><a:t>a</a:t></a:r><a:br/>'
                "<a:fld><a:t>b</a:t></a:fld></a:p>",
            ),
            "[a](https://a.b) b\n",
        ),
        (
            "<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tr>"
            f'<a:tc gridSpan="2"><a:txBody>{par("A")}{par("B")}</a:txBody></a:tc>'
            '<a:tc hMerge="1"><a:txBody><a:p/></a:txBody></a:tc></a:tr>'
            f"<a:tr><a:tc><a:txBody>{par('c')}</a:txBody></a:tc>"
            f"<a:tc><a:txBody>{par('d')}</a:txBody></a:tc></a:tr>"
            "</a:tbl></a:graphicData></a:graphic></p:graphicFrame>",
            "| A B |  |\n| --- | --- |\n| c | d |\n",
        ),
    ],
)
def test_shapes(shapes: str, expected: str) -> None:
    assert converted(deck(tree("sld", shapes))).text == expected


FRAME = (
    '<p:graphicFrame><a:graphic><a:graphicData><dgm:relIds r:dm="data"/></a:graphicData>'
    "</a:graphic></p:graphicFrame>"
)


def test_a_slide_that_is_named_again_stands_once() -> None:
    data = deck(tree("sld", shape("none", par("x"))), tree("sld", shape("none", par("y"))))
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    name = "ppt/presentation.xml"
    first = re.compile(rb"<p:sldId [^>]*/>")
    parts[name] = first.sub(lambda found: found[0] * 2000, parts[name])
    assert read(zipped(parts), SETTINGS).text.count("x") == 1


def test_diagrams_are_lists() -> None:
    data = diagram("one two three four", "one-three two-four")
    document = converted(deck(tree("sld", FRAME, shape("none", par("z"))), data1=data))
    assert document.text == "- one\n  - three\n- two\n  - four\n\nz\n"


def values(name: str, *points: str) -> str:
    found = [f'<c:pt idx="{at}"><c:v>{one}</c:v></c:pt>' for at, one in enumerate(points) if one]
    return f"<c:{name}><c:cache>{''.join(found)}</c:cache></c:{name}>"


def test_charts_are_tables_of_their_data() -> None:
    frame = (
        '<p:graphicFrame><a:graphic><a:graphicData><c:chart r:id="chart"/></a:graphicData>'
        "</a:graphic></p:graphicFrame>"
    )
    years = values("cat", "2024", "2025")
    series = [
        f"<c:ser>{values('tx', 'North')}{years}{values('val', '1', '2.5')}</c:ser>",
        f"<c:ser>{values('tx', 'South')}{years}{values('val', '', '3')}</c:ser>",
    ]
    title = f"<c:title><c:tx><c:rich>{par('Sales')}</c:rich></c:tx></c:title>"
    chart = f"<c:chart>{title}<c:plotArea>{''.join(series)}</c:plotArea></c:chart>"
    root = f"<c:chartSpace {SPACES}>{chart}</c:chartSpace>"
    document = converted(
        deck(tree("sld", shape("title", par("A"))), tree("sld", frame), chart2=root)
    )
    assert document.text == (
        "# A\n\n# Slide 2\n\nSales\n\n"
        "|  | North | South |\n| --- | --- | --- |\n| 2024 | 1 |  |\n| 2025 | 2.5 | 3 |\n"
    )
    assert document.pages(len("# A\n\n# Slide 2\n\n"), len(document.text)) == {
        "first": 2, "last": 2, "labels": ["2"],
    }  # fmt: skip


def test_another_kind_of_package_is_an_error() -> None:
    data = zipped(
        {
            "_rels/.rels": relationships(("r1", "officeDocument", "ppt/a.xml")),
            "ppt/a.xml": "<a/>",
        }
    )
    with pytest.raises(UnreadableSource, match="not a presentation"):
        read(data, SETTINGS)
