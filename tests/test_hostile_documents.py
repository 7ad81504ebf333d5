"""Files made to do harm: a right answer or an error with a name, in time, and the next one is read.

The child process has its usual limits here: 10 seconds and a gigabyte.
"""

import time
import zlib
from collections.abc import Callable
from typing import Any

import pytest

from spanwise.errors import SpanwiseError
from spanwise.formats import Settings
from spanwise.formats.sandbox import chunked
from spanwise.formats.sniffing import media_type
from spanwise.markdown.options import ChunkOptions
from tests.packages import SPACES, p, relationships, word, zipped
from tests.pdf_maker import with_content
from tests.test_epub import book
from tests.test_odt import odt

SECONDS = 10


def package(document: str) -> bytes:
    rels = relationships(("r1", "officeDocument", "word/document.xml"))
    return zipped({"_rels/.rels": rels, "word/document.xml": document})


def body(content: str) -> str:
    return f"<w:document {SPACES}><w:body>{content}</w:body></w:document>"


def deflated(part: bytes, times: int) -> bytes:
    packer = zlib.compressobj(9)
    return b"".join([*(packer.compress(part) for _ in range(times)), packer.flush()])


ENTITIES = "<!DOCTYPE a [" + "".join(
    f'<!ENTITY e{n} "{f"&e{n - 1};" * 10 if n else "x" * 100}">' for n in range(9)
)
SPACE = b" " * (1 << 20)
SHOWN = b"BT /F 9 Tf (abc def) Tj ET "
FILES: list[tuple[str, Callable[[], bytes], str | None]] = [
    # name, file, limit or code of the error (None: it is read)
    ("bomb.docx", lambda: package(body(p(" " * (300 << 20)))), "max_ratio"),
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
    ("divs.html", lambda: b"<div>" * 100_000, "max_depth"),
    ("bold.html", lambda: b"<b>" * 200_000 + b"&amp;" * 500_000, "max_depth"),
    ("soup.html", lambda: b"".join(b"<p><font color=%d>x" % n for n in range(5000)), "max_depth"),
    ("staircase.html", lambda: b"<table>" + b"<tr><td rowspan=9999>x" * 9999, "max_objects"),
    ("picture.html", lambda: b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 100, "unreadable_source"),
    ("word.html", lambda: b"x" * 2_000_000, None),
    ("bomb.epub", lambda: book(("a.xhtml", "", "<p>" + " " * (300 << 20))), "max_ratio"),
    ("deep.odt", lambda: odt("<text:section>" * 1000 + "</text:section>" * 1000), "max_depth"),
    ("zeros.pdf", lambda: with_content(deflated(b"\0" * (1 << 20), 700)), "max_memory"),
    ("twice.pdf", lambda: with_content(zlib.compress(deflated(SPACE, 700)), 2), "max_memory"),
    ("text.pdf", lambda: with_content(deflated(SHOWN * 1000, 3000)), "max_memory"),
    ("pages.pdf", lambda: with_content(deflated(SHOWN * 1000, 1), 1, 4000), "max_objects"),
    ("paths.pdf", lambda: with_content(deflated(b"1 1 m 500 500 l S " * 1000, 1000)), None),
    ("brackets.pdf", lambda: with_content(deflated(b"[" * 100_000, 50)), None),
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
        assert expected in (error.code, error.details.get("limit"))
        assert error.message.startswith(name)
    answer, error = chunks_of(b"<p>next", "next.html")
    assert answer["chunks"] == 1


def chunks_of(data: bytes, name: str) -> tuple[dict[str, Any], SpanwiseError | None]:
    try:
        settings = Settings(max_seconds=SECONDS)
        answer, _ = chunked(data, name, media_type(data, name), ChunkOptions(), settings)
    except SpanwiseError as error:
        return {}, error
    return answer, None
