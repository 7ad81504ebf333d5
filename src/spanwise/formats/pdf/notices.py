"""What a reader should know of a page: that it needs OCR, or that its text is not what it shows."""

import re
import unicodedata
from collections.abc import Sequence
from string import ascii_lowercase
from typing import Final

from spanwise.document import Notice
from spanwise.formats.pdf.characters import PageText
from spanwise.formats.pdf.graphics import Graphics
from spanwise.formats.pdf.lines import Line
from spanwise.formats.pdf.page import PdfPage

PICTURE: Final = 0.6
"""The share of a page that a picture of it covers at least."""
FEW: Final = 40
"""Letters of a page that is a picture otherwise, as a stamp on it has them."""
SAMPLE: Final = 40
"""Spaces of a page that are looked at."""

# Counted first, as it takes much less time than to look at what is around.
_NO_LETTER: Final = re.compile(r"[\ufffd\ue000-\uf8ff]")
_ODD: Final = re.compile(r"[\ufffd\ue000-\uf8ff\u2700-\u27bf]")
_SYMBOL: Final = re.compile(r"[\u2700-\u27bf]")
_UNKNOWN: Final = re.compile(r"(?<=\S)[\ufffd\ue000-\uf8ff]|[\ufffd\ue000-\uf8ff](?=\S)")
_SYMBOLS: Final = re.compile(r"(?<=[^\W\d_])[\u2700-\u27bf]|[\u2700-\u27bf](?=[^\W\d_])")
COMMON: Final = "eainotrs"
_COMMON: Final = COMMON.encode()
_LATIN: Final = ascii_lowercase.encode()
LEAST_LATIN: Final = 400
LEAST_COMMON: Final = 0.42
"""The share of `COMMON` among the letters of any language that is written in Latin ones."""


def page_notice(
    page: PdfPage, number: int, text: PageText, lines: Sequence[Line], drawings: Graphics
) -> Notice | None:
    """What is to be said of a page, if anything."""
    letters = sum(len(line.text) for line in lines)
    area = page.width * page.height or 1.0
    pictured = sum(
        (min(right, page.width) - max(left, 0.0)) * (min(bottom, page.height) - max(top, 0.0))
        for left, top, right, bottom in drawings.images
        if right > left and bottom > top
    )
    if letters == 0:
        if drawings.images or drawings.boxes or drawings.figures or page.object_count() > 0:
            return _notice("needs_ocr", number, "the page shows something, but has no text")
        if page.annotation_count() > 0:
            return _notice("needs_ocr", number, "the page has annotations, but no text")
        return _notice("empty_page", number, "the page is empty")
    if letters < FEW and pictured > PICTURE * area:
        return _notice("needs_ocr", number, "most of the page is a picture")
    why = garbled(text.text)
    if not why and _hidden_letters(page, text):
        why = "letters are given as spaces"
    if why:
        return _notice("garbled_text", number, f"the text is not what the page shows: {why}")
    return None


def garbled(text: str) -> str:
    """Why a text cannot be what is to be read; empty for good text of any script."""
    letters = len(text) - text.count(" ")
    if not text.isascii() and _ODD.search(text):
        unknown = len(_NO_LETTER.findall(text))
        unknown = len(_UNKNOWN.findall(text)) if unknown > 4 else 0
        if unknown > 4 and unknown > 0.05 * letters:
            return "characters without a meaning"
        symbols = len(_SYMBOL.findall(text))
        symbols = len(_SYMBOLS.findall(text)) if symbols > 20 else 0
        if symbols > 20 and symbols > 0.1 * letters:
            return "letters are given as symbols"
    if len(text) < LEAST_LATIN:
        return ""
    latin, common = _counted(text)
    if not text.isascii():
        # Without its accents each of the others may be one more, and common ones are no fewer.
        if common >= LEAST_COMMON * (latin + len(text) - len(text.encode("ascii", "ignore"))):
            return ""
        latin, common = _counted(unicodedata.normalize("NFD", text))
    if latin < LEAST_LATIN or latin < 0.5 * letters:
        return ""
    if common < LEAST_COMMON * latin:
        return "letters no language has in such numbers"
    return ""


def _counted(text: str) -> tuple[int, int]:
    """How many letters of ASCII there are, and how many of the common ones."""
    data = text.encode("ascii", "ignore").lower()
    return len(data) - len(data.translate(None, _LATIN)), len(data) - len(
        data.translate(None, _COMMON)
    )


def _hidden_letters(page: PdfPage, text: PageText) -> bool:
    """Whether spaces have an outline: their font says of letters that they are spaces."""
    letters = text.text
    places = {letters.find(" ", at * len(letters) // SAMPLE) for at in range(SAMPLE)}
    places.discard(-1)
    if len(places) < 5:
        return False
    inked = 0
    for at in places:
        left, top, right, bottom = page.char_box(text.number(at))
        inked += bottom - top > 1.5 and right - left > 0.5
    return inked > 2 and inked > 0.08 * len(places)


def _notice(code: str, number: int, message: str) -> Notice:
    return {"code": code, "page": number + 1, "message": message}
