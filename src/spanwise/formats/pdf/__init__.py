"""PDF: lines, paragraphs, headings, lists and tables, and where each stands on its page.

A region is `{"page", "label", "boxes"}`: see `places`.
"""

import gc
from collections.abc import Sequence
from functools import lru_cache

from spanwise.document import Document, Region
from spanwise.formats import Settings
from spanwise.formats.pdf.pdfium import Pdf
from spanwise.formats.pdf.places import Rereading
from spanwise.formats.pdf.reading import read_pdf

MEDIA_TYPE = "application/pdf"


def read(data: bytes, settings: Settings) -> Document:
    """The document of a PDF file."""
    pdf = Pdf(data, settings.password, settings.max_pages)
    # A page makes many small objects that all stay: looking for garbage among them takes a third
    # of the time and finds none.
    collects = gc.isenabled()
    gc.disable()
    try:
        return read_pdf(pdf, settings, MEDIA_TYPE)
    finally:
        if collects:
            gc.enable()


def reread(data: bytes, regions: Sequence[Region], settings: Settings) -> str:
    """The text in the boxes of `regions`."""
    return _opened(data, settings).text_under(regions)


@lru_cache(maxsize=1)  # the chunks of a file are asked for one after the other
def _opened(data: bytes, settings: Settings) -> Rereading:
    return Rereading(Pdf(data, settings.password, settings.max_pages))
