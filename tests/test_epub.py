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


def book(*documents: tuple[str, str, str], **parts: str) -> bytes:
    """A book of documents: name, properties, body."""
    items = "".join(
        f'<item id="i{number}" href="{name}" properties="{properties}" '
        'media-type="application/xhtml+xml"/>'
        for number, (name, properties, _) in enumerate(documents)
    )
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


def test_sections_of_plain_text_are_text() -> None:
    document = converted(book(("a.xhtml", "", "<p>c<![CDATA[ & <d>]]></p>")))
    assert document.text == "c & <d>\n"


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
