"""The text of a page, each character of it tied to one of PDFium's.

PDFium gives UTF-16 units, so pairs are joined; it leaves the letters of an Arabic ligature in the
order of the eye, so they are turned; and what cannot stand in a line of text is replaced. All of it
is done here, for reading and for reading again alike, so that both see the same characters.
"""

import re
from collections.abc import Sequence
from typing import Final

from spanwise.formats.pdf.page import HYPHEN, PdfPage
from spanwise.formats.pdf.spacing import spaces_within_words

LIGATURES: Final = {
    "\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl",
    "\ufb05": "st", "\ufb06": "st",
}  # fmt: skip

STRETCH: Final = 64
"""Characters that are asked for together where not all of a page can be."""

_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")
_RIGHT_TO_LEFT: Final = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_NEEDS_CARE: Final = re.compile(
    r"[\ud800-\udfff\u0590-\u08ff\ufb00-\ufdff\ufe70-\ufefc\x0b\x0c\x0e-\x1f]|\r(?!\n)"
)
CONTROLS: Final = {
    "\x0b": "ff", "\x0c": "fi", "\r": "fl", "\x0e": "ffi", "\x0f": "ffl", "\x10": "“", "\x11": "”",
    "\x15": "–", "\x16": "—", "\x1b": "ff", "\x1c": "fi", "\x1d": "fl", "\x1e": "ffi",
    "\x1f": "ffl",
}  # fmt: skip
"""What the fonts of TeX have at these places, old and new, where a file does not say more."""

_UNPRINTABLE: Final = re.compile("[\x00\x01\x03-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ufeff\uffff]")
_BLANKS: Final = re.compile("[\t\x0b\x0c\x1c-\x1f\x85\u2028\u2029\u00a0]")


LAM: Final = "\u0644"
AFTER_LAM: Final = "\u0622\u0623\u0625\u0627\u062c\u062d\u062e\u0645\u0647\u0649\u064a"
"""Letters that are one glyph with a lam before them in many fonts."""


class PageText:
    """The characters of a page: `text`, and where each is with PDFium."""

    __slots__ = ("numbers", "text")

    def __init__(self, text: str, numbers: list[int] | None) -> None:
        """`numbers` are those of the characters with PDFium.

        They are None where both count alike; then no letter is written from the right.
        """
        self.text = text
        self.numbers = numbers

    def number(self, at: int) -> int:
        """PDFium's number of the character `text[at]`."""
        return at if self.numbers is None else self.numbers[at]


def page_text(page: PdfPage) -> PageText:
    """The text of a page. Line endings are CR LF, and HYPHEN where a line ends in one."""
    found = _text(page)
    spaces = spaces_within_words(page, found.text, found.numbers)
    if not spaces:
        return found
    gone = set(spaces)
    kept = [at for at in range(len(found.text)) if at not in gone]
    return PageText("".join([found.text[at] for at in kept]), [found.number(at) for at in kept])


def _text(page: PdfPage) -> PageText:
    units = page.units(0, page.count)
    plain = units.replace("\r\n", "").replace("\ufffe", "")
    if len(units) == page.count and plain.isascii() and plain.isprintable():
        return PageText(units.replace("\ufffe", HYPHEN), None)
    if len(units) == page.count and not _NEEDS_CARE.search(units):
        return PageText(_printable(units.replace("\ufffe", HYPHEN)), None)
    text: list[str] = []
    numbers: list[int] = []
    high = 0
    for number, code in enumerate(_codes(page)):
        if 0xD800 <= code < 0xDC00:
            high = code
            continue
        if 0xDC00 <= code < 0xE000:
            code = 0x10000 + ((high - 0xD800) << 10) + code - 0xDC00 if high else 0xFFFD
        high = 0
        if code == 0 or code > 0x10FFFF:
            left, top, right, bottom = page.char_box(number)
            if right - left < 0.5 or bottom - top < 0.5:
                continue
            code = 0xFFFD  # a glyph is shown, and the file does not say what it is
        if code == 0xFFFE:
            code = 2
        letter = chr(code)
        for part in LIGATURES.get(letter, letter):
            text.append(part)
            numbers.append(number)
    text, numbers = _mended(text, numbers)
    _turn_ligatures(page, text, numbers)
    return PageText(_printable("".join(text)), numbers)


def _codes(page: PdfPage) -> list[int]:
    """The code point, or UTF-16 unit, of each character.

    They are asked for in stretches, and one by one where those are not as long as they should be,
    since PDFium leaves out some controls. Where one at either end is left out, it fills up with
    what comes next.
    """
    found: list[int] = []
    for start in range(0, page.count, STRETCH):
        end = min(start + STRETCH, page.count)
        units = page.units(start, end).replace("\ufffe", HYPHEN)
        if (
            len(units) == end - start
            and ord(units[0]) == page.unicode(start)
            and ord(units[-1]) == page.unicode(end - 1)
            and not _SURROGATE.search(units)
        ):
            found.extend(map(ord, units))
        else:
            found.extend([page.unicode(number) for number in range(start, end)])
    return found


def has_right_to_left(text: str) -> bool:
    """Whether there is a letter that is written from the right."""
    return _RIGHT_TO_LEFT.search(text) is not None


def is_right_to_left(text: str) -> bool:
    """Whether the letters of a line are mostly of a script that is written from the right."""
    if text.isascii():
        return False
    return 2 * len(_RIGHT_TO_LEFT.findall(text)) > sum(letter.isalpha() for letter in text)


def _printable(text: str) -> str:
    if text.replace("\r\n", "").replace(HYPHEN, "").isprintable():
        return text  # quicker than looking for each of them
    text = _UNPRINTABLE.sub("\ufffd", text)
    return _BLANKS.sub(" ", text)


def _mended(text: list[str], numbers: list[int]) -> tuple[list[str], list[int]]:
    """The text with controls within words made the ligatures that they stand for."""
    if not any(letter in CONTROLS for letter in text):
        return text, numbers
    found: list[str] = []
    places: list[int] = []
    for at, letter in enumerate(text):
        before = text[at - 1] if at > 0 else ""
        after = text[at + 1] if at + 1 < len(text) else ""
        mended = letter
        if letter in CONTROLS and after != "\n":
            meant = CONTROLS[letter]
            alone = before in "\r\n" and after in "\r\n"
            if _is_letter(before) or _is_letter(after) or not (meant.isalpha() or alone):
                mended = meant
        for part in mended:
            found.append(part)
            places.append(numbers[at])
    return found, places


def _is_letter(letter: str) -> bool:
    return letter.isalpha() and letter < "\u0250"


def is_read_so(letters: Sequence[str]) -> bool:
    """Whether letters of one glyph stand in the order in which they are read.

    PDFium turns none where glyphs are written from the right to the left. That is told by a lam
    before a letter which fonts have one glyph with it for, and none the other way round.
    """
    return letters[0] == LAM and letters[1] in AFTER_LAM


def _turn_ligatures(page: PdfPage, text: list[str], numbers: list[int]) -> None:
    """Turn the letters that share one glyph: PDFium turned them with the rest of their line."""
    if not has_right_to_left("".join(text)):
        return
    start = 0
    while start < len(text):
        if not _RIGHT_TO_LEFT.match(text[start]):
            start += 1
            continue
        box = page.char_box(numbers[start])
        end = start + 1
        while (
            end < len(text)
            and _RIGHT_TO_LEFT.match(text[end])
            and page.char_box(numbers[end]) == box
        ):
            end += 1
        if end - start > 1 and not is_read_so(text[start:end]):
            text[start:end] = text[start:end][::-1]
            numbers[start:end] = numbers[start:end][::-1]
        start = end
