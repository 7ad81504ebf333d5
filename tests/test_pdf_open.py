"""Which pages of a PDF stay open: those that weigh little, and of the others the last ones."""

from typing import Final

import pytest

from spanwise.formats import Settings
from spanwise.formats.pdf import read
from spanwise.formats.pdf.pdfium import HEAVIEST, OPEN_PAGES, Pdf
from spanwise.formats.pdf.shapes import shapes_of
from tests.pdf_maker import Page, made

PAGES: Final = OPEN_PAGES + 12


def open_after(page: Page) -> int:
    """How many pages of as many like `page` are open after all were looked at."""
    pdf = Pdf(made([page] * PAGES), None, 1000)
    for number in range(PAGES):
        loaded = pdf.page(number)
        assert loaded is not None
        shapes_of(loaded)
    return len(pdf._pages)


def test_light_pages_stay_open() -> None:
    assert open_after(Page().text(72, 72, "A line.").rule(72, 80, 200, 80)) == PAGES


@pytest.mark.parametrize("kind", ["text", "points"])
def test_heavy_pages_do_not(kind: str) -> None:
    page = Page()
    if kind == "text":
        page.lines(72, 72, ["word " * 100] * (HEAVIEST // 500 + 1), 1)
    else:
        page.content.append(f"72 72 m {'80 90 l 70 60 l ' * HEAVIEST} S")
    assert open_after(page) == OPEN_PAGES


def test_what_pages_that_were_closed_hold_is_read_again() -> None:
    heavy = f"72 72 m {'80 90 l 70 60 l ' * HEAVIEST} S"
    pages = []
    for number in range(PAGES):
        page = Page()
        page.content.append(heavy)
        # Places of words in a table are asked for when all pages have been looked at.
        for row, name in enumerate(("Height", "Width", "Depth", "Weight")):
            page.text(100, 300 + 14 * row, f"{name} {number}").text(250, 300 + 14 * row, f"{row}.5")
        pages.append(page)
    text = read(made(pages), Settings()).text
    assert all(f"| Depth {number} | 2.5 |" in text for number in range(PAGES))
