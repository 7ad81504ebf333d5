"""PDFium through its C interface; beside it only `calls`, `shapes` and `tags` know of it.

Coordinates that leave this module are PDF points from the top left corner of the page as it is
shown, that is after its crop box and its rotation; `y` grows downward. What costs is the number of
calls, so text comes a page at a time, and places by the text object or line.
"""

import ctypes
import weakref
from collections import OrderedDict
from collections.abc import Sequence
from math import hypot
from typing import Any, Final, NamedTuple

import pypdfium2.raw as raw
from mypy_extensions import mypyc_attr

from spanwise.errors import LimitExceeded, UnreadableSource
from spanwise.formats.pdf.calls import (
    action_type,
    argument,
    at_double,
    at_float,
    at_word,
    char_box,
    char_matrix,
    char_origin,
    count_rects,
    doubles,
    fill_colour,
    floats,
    font_flags,
    font_name,
    font_size,
    font_weight,
    get_rect,
    get_text,
    is_generated,
    link_action,
    map_error,
    marked_content,
    next_link,
    text_font,
    text_mode,
    text_object,
    unicode_of,
    words,
)
from spanwise.formats.pdf.tags import ARTIFACT, NOTHING, PageTags, Tag, is_artifact

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""

OPEN_PAGES: Final = 48
"""Pages that are kept open, because a place on them may be asked for again."""
OPEN_WEIGHT: Final = 1_000_000
"""More of them are kept open as long as they weigh no more than this together: some 100 MB."""
HEAVIEST: Final = OPEN_WEIGHT // OPEN_PAGES
"""The weight of a page of which not all was looked at."""
OBJECT: Final = 8
"""The weight of an object of a page; that of a character, and of a point of a drawing, is 1."""
HYPHEN: Final = "\x02"
"""What PDFium gives for a hyphen at the end of a line."""

_WRONG_PASSWORD: Final = 4
_BOOKMARKS: Final = 20_000
_DEPTH: Final = 12
_URI: Final[int] = raw.PDFACTION_URI
_pointer = ctypes.c_void_p
_left: Final = at_double[0]
_bottom: Final = at_double[1]
_right: Final = at_double[2]
_top: Final = at_double[3]

_name = ctypes.create_string_buffer(256)

_started = False


class Font(NamedTuple):
    """What a font says of itself; all of it may be made up."""

    name: str
    flags: int
    weight: int


class Bookmark(NamedTuple):
    """An entry of the outline: depth from 0, page from 0 or -1, place from the top or -1."""

    depth: int
    title: str
    page: int
    top: float


Glyph = tuple[float, float, float, float]
"""How a character is set: the height of its font as shown, the direction of writing to the right
and down as a vector of length 1, and where its base line is: from the top, or from the left where
it is written up or down the page."""


class Link(NamedTuple):
    """Where a web address is behind a place."""

    box: Box
    target: str


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
            address = ctypes.cast(entry, _pointer).value if entry else None
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


class PdfPage:
    """A loaded page with its characters, which are numbered as PDFium does."""

    def __init__(self, handle: Any, text: Any) -> None:
        """Both have been loaded."""
        self._handle = handle
        self._text_handle = text
        # As arguments, for the calls that are made often.
        self.handle = argument(ctypes.cast(handle, _pointer).value or 0)
        self._text = argument(ctypes.cast(text, _pointer).value or 0)
        self.count: int = max(0, raw.FPDFText_CountChars(text))
        self.rotation: int = raw.FPDFPage_GetRotation(handle) % 4
        self._box = self._bounding_box()
        left, bottom, right, top = self._box
        turned = self.rotation % 2 == 1
        self.width = top - bottom if turned else right - left
        self.height = right - left if turned else top - bottom
        self._fonts: dict[int, Font] = {}
        self.text_objects: set[int] = set()
        """The addresses of those that have been seen."""
        self.weight = self.count + OBJECT * self.object_count()

    def _bounding_box(self) -> Box:
        bounds = raw.FS_RECTF()
        if raw.FPDF_GetPageBoundingBox(self._handle, bounds):
            return (bounds.left, bounds.bottom, bounds.right, bounds.top)
        return (0.0, 0.0, 612.0, 792.0)

    # -- characters ------------------------------------------------------------------------------

    def units(self, start: int, end: int) -> str:
        """The characters in one go, as far as PDFium gives them; surrogates are not joined."""
        count = end - start
        if count == 0:
            return ""
        # Some are two units.
        buffer = ctypes.create_string_buffer(4 * count + 4)
        written = get_text(self._text, start, count, buffer)
        return buffer.raw[: max(0, written - 1) * 2].decode("utf-16-le", "surrogatepass")

    def unicode(self, number: int) -> int:
        """The code point, or UTF-16 unit, of a character; 0 without one."""
        code: int = unicode_of(self._text, number)
        return code

    def unmapped(self, number: int) -> bool:
        """Whether the file does not say which character this is."""
        return bool(map_error(self._text, number) == 1)

    def generated(self, number: int) -> bool:
        """Whether PDFium put this character in: a space or a line ending."""
        return bool(is_generated(self._text, number) == 1)

    def text_object(self, number: int) -> int:
        """The address of the text object of a character; 0 for one that PDFium put in."""
        address: int = text_object(self._text, number) or 0
        return address

    def char_box(self, number: int) -> Box:
        """The box of a character."""
        if not char_box(self._text, number, _left, _right, _bottom, _top):
            return (0.0, 0.0, 0.0, 0.0)
        left, bottom, right, top = doubles
        return self.shown(left, bottom, right, top)

    def stretch_box(self, start: int, end: int) -> Box | None:
        """The box around the characters `start` to before `end`."""
        text = self._text
        count: int = count_rects(text, start, end - start)
        if count <= 0:
            return None
        get_rect(text, 0, _left, _top, _right, _bottom)
        left: float
        bottom: float
        right: float
        top: float
        left, bottom, right, top = doubles
        for number in range(1, count):
            get_rect(text, number, _left, _top, _right, _bottom)
            left = min(left, doubles[0])
            bottom = min(bottom, doubles[1])
            right = max(right, doubles[2])
            top = max(top, doubles[3])
        if left >= right or bottom >= top:
            # Where glyphs have no outlines here, rectangles are left out.
            return union([self.char_box(at) for at in range(start, end)])
        if self.rotation == 0:
            page_left, _, _, page_top = self._box
            return (left - page_left, page_top - top, right - page_left, page_top - bottom)
        return self.shown(left, bottom, right, top)

    def glyph(self, number: int) -> Glyph:
        """How a character is set."""
        text = self._text
        char_matrix(text, number, at_float[0])
        a: float
        b: float
        c: float
        d: float
        a, b, c, d, _, _ = floats
        char_origin(text, number, at_double[0], at_double[1])
        points: float = font_size(text, number)
        size = abs(points) * (abs(d) if c == 0.0 else hypot(c, d))
        if b == 0.0 and a > 0.0 and self.rotation == 0:
            return (size, 1.0, 0.0, self._box[3] - doubles[1])
        length = hypot(a, b) or 1.0
        across, up = a / length, b / length
        x, y, _, _ = doubles
        left, top, _, _ = self.shown(x, y, x, y)
        for _ in range(self.rotation):
            across, up = up, -across
        return (size, across, -up, left if abs(up) > 0.9 else top)

    def font(self, handle: Any) -> Font:
        """The font of a text object, `handle` being its address as an argument."""
        address: int = text_font(handle) or 0
        font = self._fonts.get(address)
        if font is None:
            size = font_name(address, _name, 256) if address else 0
            name = _name.raw[: min(size, 256)].split(b"\0")[0].decode("utf-8", "replace")
            if len(name) > 7 and name[6] == "+" and name[:6].isupper():
                name = name[7:]  # the mark of a subset
            flags = font_flags(argument(address)) if address else 0
            weight = font_weight(argument(address)) if address else 0
            font = self._fonts[address] = Font(name, flags, weight)
        return font

    def colour(self, handle: Any) -> int:
        """The colour of a text object, by its address as an argument, as 0xRRGGBB."""
        if not fill_colour(handle, at_word[0], at_word[1], at_word[2], at_word[3]):
            return 0
        return words[0] << 16 | words[1] << 8 | words[2]

    def render_mode(self, handle: Any) -> int:
        """0 filled, 2 filled and stroked, 3 invisible, and so on."""
        mode: int = text_mode(handle)
        return mode

    def tags(self) -> PageTags:
        """What is tagged on the page of a tagged file."""
        return PageTags(self._handle)

    def tag(self, address: int, tags: PageTags) -> Tag:
        """The tag of a text object."""
        number: int = marked_content(argument(address))
        if number >= 0:
            return tags.marks.get(number, NOTHING)
        return ARTIFACT if is_artifact(ctypes.cast(address, raw.FPDF_PAGEOBJECT)) else NOTHING

    # -- objects ---------------------------------------------------------------------------------

    def object_count(self) -> int:
        """How many objects are on the page, not counting those within others."""
        return max(0, int(raw.FPDFPage_CountObjects(self._handle)))

    def annotation_count(self) -> int:
        """How many notes, stamps and the like are on the page."""
        return max(0, int(raw.FPDFPage_GetAnnotCount(self._handle)))

    def links(self, pdf: Pdf) -> list[Link]:
        """The web addresses that places on the page lead to."""
        found: list[Link] = []
        at = ctypes.byref(ctypes.c_int(0))
        link = raw.FPDF_LINK()
        place = ctypes.byref(link)
        while len(found) < 2000 and next_link(self.handle, at, place):
            address = link_action(link)
            # Most lead to a place in the file.
            if not address or action_type(argument(address)) != _URI:
                continue
            action = ctypes.cast(address, raw.FPDF_ACTION)
            size = raw.FPDFAction_GetURIPath(pdf.handle, action, None, 0)
            rect = raw.FS_RECTF()
            if not 1 < size < 4000 or not raw.FPDFLink_GetAnnotRect(link, rect):
                continue
            buffer = ctypes.create_string_buffer(size)
            raw.FPDFAction_GetURIPath(pdf.handle, action, buffer, size)
            target = buffer.raw[: size - 1].decode("utf-8", "replace")
            for box in self._link_boxes(link, rect):
                found.append(Link(box, target))
        return found

    def _link_boxes(self, link: Any, rect: Any) -> list[Box]:
        """The boxes of a link, one for each line where it says so."""
        found: list[Box] = []
        points = raw.FS_QUADPOINTSF()
        for at in range(min(50, max(0, raw.FPDFLink_CountQuadPoints(link)))):
            if raw.FPDFLink_GetQuadPoints(link, at, points):
                xs = (points.x1, points.x2, points.x3, points.x4)
                ys = (points.y1, points.y2, points.y3, points.y4)
                found.append(self.shown(min(xs), min(ys), max(xs), max(ys)))
        return found or [self.shown(rect.left, rect.bottom, rect.right, rect.top)]

    # -- places ----------------------------------------------------------------------------------

    def shown(self, left: float, bottom: float, right: float, top: float) -> Box:
        """A box in the space of the file as one on the page that is shown."""
        page_left, page_bottom, page_right, page_top = self._box
        if left > right:
            left, right = right, left
        if bottom > top:
            bottom, top = top, bottom
        if self.rotation == 0:
            return (left - page_left, page_top - top, right - page_left, page_top - bottom)
        if self.rotation == 1:
            return (bottom - page_bottom, left - page_left, top - page_bottom, right - page_left)
        if self.rotation == 2:
            return (page_right - right, bottom - page_bottom, page_right - left, top - page_bottom)
        return (page_top - top, page_right - right, page_top - bottom, page_right - left)

    def close(self) -> None:
        """Let go of the page."""
        if self._handle:
            raw.FPDFText_ClosePage(self._text_handle)
            raw.FPDF_ClosePage(self._handle)
            self._handle = None


def union(boxes: Sequence[Box]) -> Box:
    """The box around boxes."""
    return (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    )


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
