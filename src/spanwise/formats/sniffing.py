"""Which format a file has, by what is in it; its name only decides between kinds of text."""

import io
import re
from pathlib import PurePosixPath
from typing import Final

from spanwise.formats import BY_SUFFIX, MARKDOWN

HEAD: Final = 4096
"""Bytes at the start of a file that are looked at."""

PDF: Final = "application/pdf"
HTML: Final = "text/html"
DOCX: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
PPTX: Final = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
ODT: Final = "application/vnd.oasis.opendocument.text"
EPUB: Final = "application/epub+zip"
NOTEBOOK: Final = "application/x-ipynb+json"

OFFICE: Final = {"word/": DOCX, "ppt/": PPTX, "xl/": XLSX}
"""The folder that is in a package of Office Open XML, and what that makes it."""

_HTML: Final = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b",
    re.IGNORECASE | re.DOTALL,
)
_MARKDOWN: Final = (".md", ".markdown", ".mdx")
"""Names that are believed where the file does not begin like a document: HTML is Markdown, too."""
_BOMS: Final = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


def media_type(data: bytes, name: str) -> str:
    """The media type of a file: one of those above or of `FORMATS`, or Markdown for other text.

    What is in the file goes before what it is called: a PDF called `notes.md` is a PDF. A file
    whose name says HTML, reStructuredText and so on is believed where nothing in it says otherwise.
    """
    if name.endswith(_MARKDOWN) and not data.startswith((b"%PDF-", b"PK\x03\x04")):
        return MARKDOWN  # at once, since folders are full of these
    head = data[:HEAD]
    if b"%PDF-" in head[:1024]:
        return PDF
    if head.startswith(b"PK\x03\x04"):
        found = _package(data)
        if found:
            return found
    suffix = PurePosixPath(name).suffix.lower()
    if suffix in BY_SUFFIX:
        return BY_SUFFIX[suffix].media_type
    for mark in _BOMS:
        head = head.removeprefix(mark)
    # UTF-16 is text with every other byte zero.
    if _HTML.match(head.replace(b"\0", b"")) and suffix not in _MARKDOWN:
        return HTML
    return MARKDOWN


def is_document(head: bytes) -> bool:
    """Whether the first bytes are those of a format that a name need not tell."""
    return b"%PDF-" in head[:1024] or head.startswith(b"PK\x03\x04")


def _package(data: bytes) -> str:
    """The media type of a ZIP file that is a document, else the empty string."""
    import zipfile  # takes a while to import
    import zlib

    faults = (zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, RuntimeError)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            names = package.namelist()
            if "mimetype" in names and package.getinfo("mimetype").file_size < 200:
                said = package.read("mimetype").decode("ascii", "replace").strip()
                if said in (ODT, EPUB):
                    return said
    except faults:  # NotImplementedError is a RuntimeError
        return ""
    for folder, found in OFFICE.items():
        if any(name.startswith(folder) for name in names):
            return found
    return ""
