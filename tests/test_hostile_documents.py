"""Files made to do harm: a right answer or an error with a name, in time, and the next one is read.

The child process has its usual limits here: 10 seconds and a gigabyte.
"""

import time
import zlib
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from spanwise.errors import SpanwiseError
from spanwise.formats import Settings
from spanwise.formats.sandbox import chunked
from spanwise.formats.sniffing import media_type
from spanwise.markdown.options import ChunkOptions
from tests.hostile import MEMORY, SECONDS, SILENT, UNPLANNED, mutations, tried
from tests.packages import (
    SPACES,
    diagram,
    level,
    num,
    p,
    r,
    relationships,
    style,
    word,
    zipped,
)
from tests.pdf_maker import with_content
from tests.test_epub import NCX, OLD, PAGES, book, toc
from tests.test_odt import h, items, odt
from tests.test_odt import p as odt_p
from tests.test_slides import FRAME, deck, par, shape, tree
from tests.test_word import CHART, DIAGRAM, EMBEDS, PARTS, holding
from tests.test_workbooks import c, row, workbook


def package(document: str) -> bytes:
    rels = relationships(("r1", "officeDocument", "word/document.xml"))
    return zipped({"_rels/.rels": rels, "word/document.xml": document})


def body(content: str) -> str:
    return f"<w:document {SPACES}><w:body>{content}</w:body></w:document>"


@cache
def blanks() -> bytes:
    """100 MiB of blanks in one paragraph."""
    return package(body(p(" " * (100 << 20))))


def nested(times: int) -> bytes:
    """A Word file in a Word file, and so on."""
    data = word(p("innermost"))
    for _ in range(times):
        data = holding(p("a") + EMBEDS, ("in.docx", "aFChunk", data))
    return data


def ring() -> bytes:
    """Slides whose diagram is a ring of many points."""
    names = [f"n{at}" for at in range(20_000)]
    joins = " ".join(f"{one}-{two}" for one, two in zip(names, [*names[1:], "n0"], strict=True))
    return deck(tree("sld", FRAME), data1=diagram(" ".join(names), joins))


def deflated(part: bytes, times: int) -> bytes:
    """A part many times, packed. It is packed once: blocks that end in a flush can be repeated."""
    packer = zlib.compressobj(9)
    head = packer.compress(b"") + packer.flush(zlib.Z_FULL_FLUSH)
    block = packer.compress(part) + packer.flush(zlib.Z_FULL_FLUSH)
    sum_of_all = 1
    for _ in range(times):
        sum_of_all = zlib.adler32(part, sum_of_all)
    end = zlib.compressobj(9, wbits=-15).flush()
    return head + block * times + end + sum_of_all.to_bytes(4, "big")


DEEP_NCX = NCX.replace("<navPoint/>", "<navPoint>" * 9999 + "</navPoint>" * 9999)
ENTITIES = "<!DOCTYPE a [" + "".join(
    f'<!ENTITY e{n} "{f"&e{n - 1};" * 10 if n else "x" * 100}">' for n in range(9)
)
SPACE = b" " * (1 << 20)
OBJECTS = "max_objects max_seconds"
"""Two million of them take six seconds, and more on a busy machine."""
LETTERS = "max_memory max_seconds"
"""So do as many letters as fill the memory."""
SHOWN = b"BT /F 9 Tf (abc def) Tj ET "
FILES: list[tuple[str, Callable[[], bytes], str | None]] = [
    # name, file, limits or code of the error (None: it is read)
    ("bomb.docx", lambda: blanks(), "max_ratio"),
    ("tables.docx", lambda: word("<w:tbl><w:tr><w:tc>" * 20_000), "max_depth"),
    ("entities.docx", lambda: package(ENTITIES + "]>" + body(p("&e8;"))), "unreadable_source"),
    (
        "external.docx",
        lambda: package('<!DOCTYPE a [<!ENTITY x SYSTEM "/etc/passwd">]>' + body(p("&x;"))),
        "unreadable_source",
    ),
    ("cut.docx", lambda: word(p("a") * 5000)[:-100], "unreadable_source"),
    ("random.docx", lambda: bytes(range(256)) * 500, "unreadable_source"),
    ("encrypted.docx", lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" * 500, "unreadable_source"),
    ("page.docx", lambda: b"just a text", "unreadable_source"),
    ("divs.html", lambda: b"<div>" * 100_000 + b"x", None),
    ("bold.html", lambda: b"<b>" * 200_000 + b"&amp;" * 50_000, None),
    ("soup.html", lambda: b"".join(b"<p><font color=%d>x" % n for n in range(1000)), None),
    ("tables.html", lambda: b"<table><tr><td>x" * 100_000, "max_depth"),
    ("staircase.html", lambda: b"<table>" + b"<tr><td rowspan=9999>x" * 9999, "max_objects"),
    ("picture.html", lambda: b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 100, "unreadable_source"),
    ("word.html", lambda: b"x" * 2_000_000, None),
    ("bomb.epub", lambda: book(("a.xhtml", "", "<p>" + " " * (100 << 20))), "max_ratio"),
    ("deep.odt", lambda: odt("<text:section>" * 1000 + "</text:section>" * 1000), "max_depth"),
    ("zeros.pdf", lambda: with_content(deflated(b"\0" * (1 << 20), 700)), "max_memory"),
    ("twice.pdf", lambda: with_content(zlib.compress(deflated(SPACE, 700)), 2), "max_memory"),
    ("text.pdf", lambda: with_content(deflated(SHOWN * 1000, 3000)), LETTERS),
    ("pages.pdf", lambda: with_content(deflated(SHOWN * 1000, 1), 1, 4000), OBJECTS),
    ("paths.pdf", lambda: with_content(deflated(b"1 1 m 500 500 l S " * 1000, 1000)), None),
    ("brackets.pdf", lambda: with_content(deflated(b"[" * 100_000, 50)), None),
    ("embeds.docx", lambda: holding(EMBEDS * 20_000, ("in.docx", "aFChunk", report())), None),
    ("within.docx", lambda: nested(200), None),
    ("bombs.docx", lambda: holding(EMBEDS, ("in.docx", "aFChunk", blanks())), "max_ratio"),
    ("diagrams.docx", lambda: holding(f"<w:p>{DIAGRAM * 3000}</w:p>", *PARTS), None),
    ("ring.pptx", ring, None),
    ("toc.epub", lambda: book(("n.x", "nav", "<nav epub:type='toc'>" + "<ol><li>" * 50_000)), None),
    ("ncx.epub", lambda: book(*OLD, ncx=DEEP_NCX), "max_depth"),
    ("pages.odt", lambda: odt("<text:p>x</text:p>" * 2000), None),
]  # fmt: skip


@pytest.mark.parametrize(("name", "make", "expected"), FILES, ids=[name for name, _, _ in FILES])
def test_harm_is_not_done(name: str, make: Callable[[], bytes], expected: str | None) -> None:
    data = make()
    start = time.monotonic()
    answer, error = chunks_of(data, name)
    assert time.monotonic() - start < SECONDS
    if expected is None:
        assert answer["chunks"] > 0 or answer["notices"]
    else:
        assert error is not None
        assert {error.code, error.details.get("limit")} & set(expected.split())
        assert error.message.startswith(name)
    answer, error = chunks_of(b"<p>next", "next.html")
    assert answer["chunks"] == 1


# -- broken forms of whole files -------------------------------------------------------------------


def report() -> bytes:
    """A Word file with most of what one can have."""
    cells = "".join(
        f'<w:tc><w:tcPr><w:gridSpan w:val="{n}"/><w:vMerge/></w:tcPr>{p("c")}</w:tc>'
        for n in (1, 2)
    )
    field = (
        '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> HYPERLINK "a:b" '
        '</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>'
        f'{r("x")}<w:r><w:fldChar w:fldCharType="end"/></w:r>'
        '<w:r><w:footnoteReference w:id="1"/></w:r></w:p>'
    )
    body = (
        p("Title", "T") + p("A", "H1", num(1)) + p("one", "", num(1, 1)) + field
        + f"<w:tbl><w:tr>{cells}</w:tr><w:tr>{cells}</w:tr></w:tbl>"
        + f"<w:sdt><w:sdtPr/><w:sdtContent>{p('s')}</w:sdtContent></w:sdt>"
        + "<w:p><m:oMath><m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den/></m:f></m:oMath></w:p>"
    )  # fmt: skip
    levels = level(0, "decimal", "%1.") + level(1, "lowerRoman", "%1.%2)")
    return word(
        body,
        styles=style("T", "Title") + style("H1", "heading 1") + style("H2", "heading 2", "", "H1"),
        numbering=(
            f'<w:abstractNum w:abstractNumId="0">{levels}</w:abstractNum>'
            '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
        ),
        footnotes=f'<w:footnote w:id="1">{p("note")}</w:footnote>',
    )


def embedding() -> bytes:
    """A Word file with a page and another one in it, and with drawings."""
    body = p("a") + EMBEDS.replace("r0", "r2") + f"<w:p>{DIAGRAM}{CHART}</w:p>"
    page = ("page.htm", "aFChunk", "<html><h1>b</h1><table><tr><td>c<td>d</table>")
    inner = ("in.docx", "aFChunk", report())
    return holding(body + EMBEDS.replace("r0", "r3"), *PARTS, page, inner)


def slides() -> bytes:
    return deck(
        tree("sld", shape("title", par("A")), shape("body", par("b"), par("c"))),
        tree("sld", shape("title", par("D")), shape("none", par("e"))),
        notes1=tree("notes", shape("body", par("said"))),
    )


def letter() -> bytes:
    cell = (
        '<table:table-cell table:number-columns-spanned="2"><text:p>c</text:p></table:table-cell>'
    )
    table = f"<table:table><table:table-row>{cell}{cell}</table:table-row></table:table>"
    return odt(
        h("A", 1) + odt_p("b", "P1") + h("C", 2) + items("L1", odt_p("d"), odt_p("e")) + table
    )


def guided() -> bytes:
    nav = toc("a.xhtml", "  b.xhtml#i", "  Part") + PAGES.replace("a.x", "a.xhtml")
    return book(
        ("n.xhtml", "nav", nav),
        ("a.xhtml", "", "<h1>A</h1><p id='two'>b</p>"),
        ("b.xhtml", "", "<h1 id='i'>B</h1><span epub:type='pagebreak' title='7'/><p>c</p>"),
    )


NOTEBOOK = b"""{"nbformat": 4, "nbformat_minor": 5, "metadata": {"language_info":
{"name": "python"}}, "cells": [{"cell_type": "markdown", "source": ["# A\\n", "b"], "metadata": {}},
{"cell_type": "code", "source": "x = 1", "outputs":
[{"output_type": "stream", "text": ["1"]}]}]}"""
PAGE = b"""<!doctype html><html><head><title>t</title><style>.x{display:none}</style></head><body>
<main id=m><h1>A</h1><p class="x">h<p>b <a href="http://c.d">e</a><ul><li>f<ol><li>g</ol></ul>
<table><tr><th colspan="2" rowspan="2">h<td>i<tr><td>j</table><pre><code class="language-py">k
</code></pre><math><mfrac><mi>l</mi><mi>m</mi></mfrac></math><svg><title>n</title></svg></main>"""
MARKED = b"""T\n=\n\n.. _a:\n\n* b\n\n  * c\n\n.. code:: py\n\n   d\n\n+---+---+\n| e | f |
+---+---+\n\nG\n-\n\n:h: i\n\n-o  an option\n"""
ASCII = b"""= T\n\n== A\n\n* b\n** c\n\n[source,py]\n----\nd\n----\n\n|===\n|e |f\n2+|g\n|===\n"""
SOURCES: list[tuple[str, Callable[[], bytes]]] = [
    ("report.docx", report),
    ("embedding.docx", embedding),
    ("slides.pptx", slides),
    ("book.xlsx", lambda: workbook(One=row(1, c("A1", "a"), c("B1", "2", "n", 1)) + row(2))),
    ("book.epub", guided),
    ("old.epub", lambda: book(*OLD, ncx=NCX)),
    ("letter.odt", letter),
    ("notes.ipynb", lambda: NOTEBOOK),
    ("page.html", lambda: PAGE),
    ("text.rst", lambda: MARKED),
    ("text.adoc", lambda: ASCII),
]  # fmt: skip


@pytest.mark.parametrize(("name", "make"), SOURCES, ids=[name for name, _ in SOURCES])
def test_a_broken_file_is_read_or_says_what_is_wrong(name: str, make: Callable[[], bytes]) -> None:
    """The long form is `make hostile`."""
    data = make()
    assert tried(data, name).what == "read"
    for broken in mutations(data, 30, seed=8):
        outcome = tried(broken, name)
        assert outcome.what not in (SILENT, UNPLANNED), (outcome.message, broken[:2000])
        assert outcome.seconds < SECONDS
        assert outcome.peak < MEMORY


def chunks_of(data: bytes, name: str) -> tuple[dict[str, Any], SpanwiseError | None]:
    try:
        settings = Settings(max_seconds=SECONDS)
        answer, _ = chunked(data, name, media_type(data, name), ChunkOptions(), settings)
    except SpanwiseError as error:
        return {}, error
    return answer, None
