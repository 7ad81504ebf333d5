"""Books: the documents of the spine in order, and where their text stands."""

import io
import zipfile

import pytest

from spanwise.document import Document
from spanwise.errors import UnreadableSource
from spanwise.formats import Settings
from spanwise.formats.epub import read, reread
from spanwise.formats.sniffing import media_type
from tests.packages import zipped

SETTINGS = Settings()


def book(*documents: tuple[str, str, str], ncx: str | None = None, **parts: str) -> bytes:
    """A book of documents: name, properties, body; `ncx` is the navigation of older books."""
    items = "".join(
        f'<item id="i{number}" href="{name}" properties="{properties}" '
        'media-type="application/xhtml+xml"/>'
        for number, (name, properties, _) in enumerate(documents)
    )
    if ncx is not None:
        items += '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
        parts["OPS__toc.ncx"] = ncx
    spine = "".join(f'<itemref idref="i{number}"/>' for number in range(len(documents)))
    return zipped(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": (
                '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
                '<rootfile full-path="OPS/book.opf"/></rootfiles></container>'
            ),
            "OPS/book.opf": (
                '<!DOCTYPE package PUBLIC "+//ISBN 0//DTD" "http://example.org/a.dtd">'
                '<package xmlns="http://www.idpf.org/2007/opf" '
                'xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>The Book'
                f"</dc:title></metadata><manifest>{items}</manifest><spine>{spine}</spine></package>"
            ),
        }
        | {
            f"OPS/{name}": (
                "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><head><title/>"
                f"<script src='a.js'/></head><body>{body}</body></html>"
            )
            for name, _, body in documents
        }
        | {name.replace("__", "/"): text for name, text in parts.items()}
    )


BOOK = book(
    ("nav.xhtml", "nav", "<nav><ol><li>Contents</li></ol></nav>"),
    ("two.xhtml", "", "<h1 id='c'>One &amp; only</h1><p>a <i/>b</p><aside>note</aside>"),
    ("a%20b.xhtml", "", "<section id='s'><h2>Two</h2><p>c<![CDATA[ & d]]></p></section>"),
    **{"OPS__a b.xhtml": "<html><body><section id='s'><h2>Two</h2><p>c<b> d</b></p></section>"},
)


def converted(data: bytes) -> Document:
    assert media_type(data, "x") == "application/epub+zip"
    document = read(data, SETTINGS)
    for start in range(0, len(document.text), 5):
        regions = document.regions(start, start + 9)
        own = document.own_text(start, start + 9)
        assert "".join(reread(data, regions, SETTINGS).split()) == "".join(own.split())
    return document


def test_a_book_is_read_in_the_order_of_its_spine() -> None:
    document = converted(BOOK)
    assert document.title == "The Book"
    assert document.text == "# One & only\n\na b\n\nnote\n\n## Two\n\nc d\n"
    with zipfile.ZipFile(io.BytesIO(BOOK)) as package:
        found = [
            (
                region["part"],
                region["element"],
                package.read(region["part"]).decode()[region["start"] : region["end"]],
            )
            for region in document.regions(0, len(document.text))
        ]
    assert found == [
        ("OPS/two.xhtml", "c", "One &amp; only"),
        ("OPS/two.xhtml", None, "a <i/>b</p><aside>note"),
        ("OPS/a b.xhtml", "s", "Two</h2><p>c<b> d"),
    ]


def test_the_navigation_is_kept_when_asked_for() -> None:
    assert "Contents" in read(BOOK, Settings(boilerplate=True)).text


def test_pages_of_the_printed_book() -> None:
    document = converted(
        book(
            ("a.xhtml", "", "<p>cover</p><span epub:type='pagebreak' title='xi'/><p>one</p>"),
            ("b.xhtml", "", "<p>two <i role='doc-pagebreak'>12</i>three</p>"),
        )
    )
    assert document.text == "cover\n\none\n\ntwo three\n"
    at = document.text.index
    assert document.pages(0, at("one")) is None
    assert document.pages(at("one"), at("two")) == {"first": 1, "last": 1, "labels": ["xi"]}
    assert document.pages(at("two"), at("three")) == {"first": 1, "last": 1, "labels": ["xi"]}
    assert document.pages(0, len(document.text)) == {"first": 1, "last": 2, "labels": ["xi", "12"]}
    assert converted(book(("a.xhtml", "", "<p>a</p>"))).pages(0, 1) is None


def toc(*lines: str) -> str:
    """A table of contents: an address on each line, two blanks for each list it is in further."""
    out = "<ol>"
    depth = 0
    for number, line in enumerate(lines):
        here = (len(line) - len(line.lstrip())) // 2
        if here > depth:
            out += "<ol>" * (here - depth)
        elif number:
            out += "</li>" + "</ol></li>" * (depth - here)
        depth = here
        name = line.strip()
        out += f'<li><a href="{name}">{name}</a>' if "." in name else f"<li><span>{name}</span>"
    return f'<nav epub:type="toc">{out}</li>{"</ol></li>" * depth}</ol></nav>'


def chapters(*lines: str) -> bytes:
    """A book whose table of contents has these lines; each document has its name as a heading."""
    names = dict.fromkeys(line.strip().partition("#")[0] for line in lines if "." in line)
    return book(
        ("nav.xhtml", "nav", toc(*lines)),
        *((name, "", f"<h1>{name}</h1><h2>{name} 2</h2>") for name in names),
    )


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("a.x", "b.x"), "1 2 1 2"),
        (("a.x", "  b.x", "    c.x", "d.x"), "1 2 2 3 3 4 1 2"),
        (("a.x", "  Part", "    b.x"), "1 2 2 3"),
        # What is below something without a heading of its own does not belong to what was before.
        (("a.x", "Part", "  b.x"), "1 2 1 2"),
        (("a.x", "  a.x#i", "    a.x#j", "  b.x"), "1 2 2 3"),
        (("a.x", "  b.x", "a.x"), "1 2 2 3"),
    ],
)
def test_the_table_of_contents_tells_what_is_below_what(lines: list[str], expected: str) -> None:
    document = converted(chapters(*lines))
    hashes = [line.index(" ") for line in document.text.split("\n") if line]
    assert " ".join(map(str, hashes)) == expected


def test_a_document_without_a_heading_has_nothing_below() -> None:
    nav = toc("picture.x", "  a.x", "b.x", "  c.x")
    document = converted(
        book(
            ("nav.xhtml", "nav", nav),
            ("picture.x", "", "<p>i</p>"),
            ("a.x", "", "<h1>A</h1>"),
            ("b.x", "", "<h2>B</h2>"),
            ("c.x", "", "<h2>C</h2>"),
        )
    )
    assert document.text == "i\n\n# A\n\n## B\n\n### C\n"


PAGES = (
    '<nav role="doc-pagelist"><ol><li><a href="a.x">1</a></li><li><a href="a.x#two">ii</a></li>'
    '<li><a href="b.x#three">3</a></li><li><a href="b.x#gone">4</a></li></ol></nav>'
)


def test_the_list_of_pages_tells_where_they_begin() -> None:
    document = converted(
        book(
            ("nav.xhtml", "nav", PAGES),
            ("a.x", "", "<p>one</p><div id='two'><p>two</p></div>"),
            (
                "b.x",
                "",
                "<p>still <a name='three'/>three</p><hr role='doc-pagebreak' title='5'/>end",
            ),
        )
    )
    assert document.text == "one\n\ntwo\n\nstill three\n\nend\n"

    def labels(word: str) -> list[str]:
        start = document.text.index(word)
        pages = document.pages(start, start + len(word))
        assert pages is not None
        return pages["labels"]

    assert [labels(word) for word in ("one", "two", "still", "three", "end")] == [
        ["1"], ["ii"], ["ii"], ["3"], ["5"],
    ]  # fmt: skip


def test_a_page_that_is_said_twice_is_one() -> None:
    nav = '<nav epub:type="page-list"><ol><li><a href="a.x#p">7</a></li></ol></nav>'
    body = "<p>a <span id='p' epub:type='pagebreak' title='seven'/>b</p>"
    document = converted(book(("nav.xhtml", "nav", nav), ("a.x", "", body)))
    assert document.pages(0, len(document.text)) == {"first": 1, "last": 1, "labels": ["7"]}


NCX = (
    '<?xml version="1.0"?><!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://a.b/c.dtd">'
    '<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap><navPoint><navLabel><text>A</text>'
    '</navLabel><content src="a.x"/><navPoint><content src="b.x#i"/></navPoint></navPoint>'
    "<navPoint/></navMap><pageList><pageTarget><navLabel><text> 9 </text></navLabel>"
    '<content src="b.x"/></pageTarget></pageList></ncx>'
)
OLD = (("a.x", "", "<h1>A</h1>"), ("b.x", "", "<h1>B</h1>"))


def test_the_navigation_of_older_books() -> None:
    document = converted(book(*OLD, ncx=NCX))
    assert document.text == "# A\n\n## B\n"
    pages = document.pages(0, len(document.text))
    assert pages == {"first": 1, "last": 1, "labels": ["9"]}


@pytest.mark.parametrize("broken", ["", "<ncx", "<!DOCTYPE a [<!ENTITY b 'c'>]><ncx/>", "\0"])
def test_a_broken_navigation_is_told_and_the_rest_is_read(broken: str) -> None:
    document = converted(book(*OLD, ncx=broken))
    assert document.text == "# A\n\n# B\n"
    assert [notice["code"] for notice in document.notices] == ["left_out"]


def test_rings_in_the_navigation_end() -> None:
    assert converted(chapters("a.x", "  b.x", "b.x", "  a.x")).text.startswith("# a.x\n")


def test_a_document_that_is_named_again_stands_once() -> None:
    data = book(("a.x", "", "<p>a</p>"), ("b.x", "", "<p>b</p>"))
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    parts["OPS/book.opf"] = parts["OPS/book.opf"].replace(
        b"</spine>", b'<itemref idref="i0"/>' * 2000 + b"</spine>"
    )
    assert converted(zipped(parts)).text == "a\n\nb\n"


def test_sections_of_plain_text_are_text() -> None:
    document = converted(book(("a.xhtml", "", "<p>c<![CDATA[ & <d>]]></p>")))
    assert document.text == "c & <d>\n"


def test_a_media_type_that_cannot_be_unpacked_is_none() -> None:
    data = zipped({"mimetype": "application/epub+zip"})
    start = data.index(b"mimetype") + len("mimetype")
    for broken in range(256):
        torn = data[:start] + bytes([broken]) * 12 + data[start + 12 :]
        assert media_type(torn, "a.epub") == "application/epub+zip"  # as the name says


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (zipped({"mimetype": "application/epub+zip"}), "container.xml"),
        (
            book(
                ("a.xhtml", "", "x"),
                **{
                    "META-INF__encryption.xml": (
                        '<encryption xmlns:enc="http://www.w3.org/2001/04/xmlenc#">'
                        '<enc:CipherReference URI="OPS/a.xhtml"/></encryption>'
                    )
                },
            ),
            "encrypted",
        ),
    ],
)
def test_what_cannot_be_read_says_why(data: bytes, message: str) -> None:
    with pytest.raises(UnreadableSource, match=message):
        read(data, SETTINGS)
