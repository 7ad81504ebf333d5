"""A PDF file that PDFium has opened: its pages, their labels, its title and its bookmarks.

Beside this module only `calls`, `page`, `shapes` and `tags` know of PDFium.
"""

import ctypes
import weakref
from collections import OrderedDict
from typing import Any, Final, NamedTuple

import pypdfium2.raw as raw
from mypy_extensions import mypyc_attr

from spanwise.errors import LimitExceeded, UnreadableSource
from spanwise.formats.pdf.page import Box, PdfPage

OPEN_PAGES: Final = 48
"""Pages that are kept open, because a place on them may be asked for again."""
OPEN_WEIGHT: Final = 1_000_000
"""More of them are kept open as long as they weigh no more than this together: some 100 MB."""
HEAVIEST: Final = OPEN_WEIGHT // OPEN_PAGES
"""The weight of a page of which not all was looked at."""

_WRONG_PASSWORD: Final = 4
_BOOKMARKS: Final = 20_000
_DEPTH: Final = 12

_started = False


class Bookmark(NamedTuple):
    """An entry of the outline: depth from 0, page from 0 or -1, place from the top or -1."""

    depth: int
    title: str
    page: int
    top: float


@mypyc_attr(native_class=False)  # no other class can be told of its end
class Pdf:
    """An opened PDF file."""

    def __init__(self, data: bytes, password: str | None, max_pages: int) -> None:
        """Open it; UnreadableSource or LimitExceeded where that cannot be done."""
        _start()
        self._data = data  # PDFium reads from it as long as the file is open
        secret = None if password is None else password.encode("utf-8")
        handle = raw.FPDF_LoadMemDocument64(data, len(data), secret)
        if not handle and password and not password.isascii():
            # Before revision 5 a password is Latin-1.
            handle = raw.FPDF_LoadMemDocument64(
                data, len(data), password.encode("latin-1", "replace")
            )
        if not handle:
            raise UnreadableSource(_why(raw.FPDF_GetLastError(), password))
        self.handle = handle
        self.page_count: int = raw.FPDF_GetPageCount(handle)
        self.is_tagged: bool = bool(raw.FPDFCatalog_IsTagged(handle))
        self._pages: OrderedDict[int, PdfPage] = OrderedDict()
        # Also at the end of the program, before the modules that closing needs are gone.
        self.close = weakref.finalize(self, _closed, handle, self._pages)
        if self.page_count > max_pages:
            self.close()
            raise LimitExceeded("max_pages", max_pages, self.page_count, "pages")
        if self.page_count == 0:
            self.close()
            raise UnreadableSource("a PDF without pages, or too damaged to find them")

    def page(self, number: int) -> "PdfPage | None":
        """Page `number` from 0, or None where PDFium cannot load it."""
        page = self._pages.get(number)
        if page is not None:
            self._pages.move_to_end(number)
            return page
        handle = raw.FPDF_LoadPage(self.handle, number)
        if not handle:
            return None
        text = raw.FPDFText_LoadPage(handle)
        if not text:
            raw.FPDF_ClosePage(handle)
            return None
        page = PdfPage(handle, text)
        self._pages[number] = page
        if len(self._pages) > OPEN_PAGES:
            weight = sum([page.weight for page in self._pages.values()])
            while weight > OPEN_WEIGHT and len(self._pages) > OPEN_PAGES:
                _, oldest = self._pages.popitem(last=False)
                weight -= oldest.weight
                oldest.close()
        return page

    def label(self, number: int) -> str:
        """What is said to be printed on page `number` from 0; the number from 1 without that."""
        size = raw.FPDF_GetPageLabel(self.handle, number, None, 0)
        if 2 < size < 200:
            buffer = ctypes.create_string_buffer(size)
            raw.FPDF_GetPageLabel(self.handle, number, buffer, size)
            said = _utf16(buffer.raw[: size - 2]).strip()
            if said:
                return said
        return str(number + 1)

    def title(self) -> str:
        """The title in the description of the file, on one line."""
        size = raw.FPDF_GetMetaText(self.handle, b"Title", None, 0)
        if not 2 < size < 4000:
            return ""
        buffer = ctypes.create_string_buffer(size)
        raw.FPDF_GetMetaText(self.handle, b"Title", buffer, size)
        return " ".join(_utf16(buffer.raw[: size - 2]).split())

    def bookmarks(self) -> list[Bookmark]:
        """The outline, in order."""
        found: list[Bookmark] = []
        seen: set[int] = set()
        entry = raw.FPDFBookmark_GetFirstChild(self.handle, None)
        above: list[Any] = []
        while len(found) < _BOOKMARKS:
            address = ctypes.cast(entry, ctypes.c_void_p).value if entry else None
            if address is None or address in seen:
                if not above:
                    break
                entry = raw.FPDFBookmark_GetNextSibling(self.handle, above.pop())
                continue
            seen.add(address)
            found.append(self._bookmark(entry, len(above)))
            child = raw.FPDFBookmark_GetFirstChild(self.handle, entry)
            if child and len(above) < _DEPTH:
                above.append(entry)
                entry = child
            else:
                entry = raw.FPDFBookmark_GetNextSibling(self.handle, entry)
        return found

    def _bookmark(self, entry: Any, depth: int) -> Bookmark:
        size = raw.FPDFBookmark_GetTitle(entry, None, 0)
        title = ""
        if 2 < size < 4000:
            buffer = ctypes.create_string_buffer(size)
            raw.FPDFBookmark_GetTitle(entry, buffer, size)
            title = " ".join(_utf16(buffer.raw[: size - 2]).replace("\0", "").split())
        place = raw.FPDFBookmark_GetDest(self.handle, entry)
        if not place:
            action = raw.FPDFBookmark_GetAction(entry)
            place = raw.FPDFAction_GetDest(self.handle, action) if action else None
        if not place:
            return Bookmark(depth, title, -1, -1.0)
        page = raw.FPDFDest_GetDestPageIndex(self.handle, place)
        flags = [ctypes.c_int() for _ in range(3)]
        numbers = [ctypes.c_float() for _ in range(3)]
        known = raw.FPDFDest_GetLocationInPage(place, *flags, *numbers)
        top = numbers[1].value if known and flags[1].value else -1.0
        return Bookmark(depth, title, page if 0 <= page < self.page_count else -1, top)


class LazyPage:
    """A page that is loaded when a place on it is first asked for."""

    def __init__(self, pdf: Pdf, number: int) -> None:
        """Page `number` from 0, which can be loaded."""
        self._pdf = pdf
        self._number = number
        self._page: PdfPage | None = None

    def _loaded(self) -> "PdfPage":
        if self._page is None:
            self._page = self._pdf.page(self._number)
            if self._page is None:
                raise UnreadableSource(f"page {self._number + 1} cannot be loaded again")
        return self._page

    def char_box(self, number: int) -> Box:
        """See PdfPage."""
        return self._loaded().char_box(number)

    def stretch_box(self, start: int, end: int) -> Box | None:
        """See PdfPage."""
        return self._loaded().stretch_box(start, end)


def _closed(handle: Any, pages: "OrderedDict[int, PdfPage]") -> None:
    for page in pages.values():
        page.close()
    pages.clear()
    raw.FPDF_CloseDocument(handle)


def _start() -> None:
    global _started
    if not _started:
        raw.FPDF_InitLibraryWithConfig(raw.FPDF_LIBRARY_CONFIG(version=2))
        _started = True


def _why(code: int, password: str | None) -> str:
    if code == _WRONG_PASSWORD:
        if password is None:
            return "an encrypted PDF: it needs a password"
        return "an encrypted PDF: the password does not open it"
    if code == 5:
        return "an encrypted PDF, in a way that cannot be read"
    return "not a PDF that can be read: it is damaged, cut off or something else"


def _utf16(data: bytes) -> str:
    return data.decode("utf-16-le", "replace")
