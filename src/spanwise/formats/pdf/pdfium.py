"""PDFium through its C interface: with `tags` the one module that calls it.

Coordinates that leave this module are PDF points from the top left corner of the page as it is
shown, that is after its crop box and its rotation; `y` grows downward. What costs is the number of
calls, so text comes a page at a time, and places by the text object or line.
"""

import ctypes
import weakref
from collections import OrderedDict
from collections.abc import Callable, Sequence
from math import hypot
from typing import Any, Final, NamedTuple

import pypdfium2.raw as raw
from mypy_extensions import mypyc_attr

from spanwise.errors import LimitExceeded, UnreadableSource
from spanwise.formats.pdf.tags import ARTIFACT, NOTHING, PageTags, Tag, is_artifact

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""

OPEN_PAGES: Final = 48
"""Pages that are kept open, because a place on them may be asked for again."""
PALE: Final = 0xF8
"""Each part of a colour is at least this for it to be taken for that of paper."""
WIDE: Final = 100.0
"""Points of a line or box whose colour is looked at: it may part what is above and below it."""
PATH_SEGMENTS: Final = 20_000
"""Points of the drawings of a page that are looked at."""
MOST_SHAPES: Final = 3000
"""Shapes of a page that are looked at; a page with more is one big drawing."""
HYPHEN: Final = "\x02"
"""What PDFium gives for a hyphen at the end of a line."""

_WRONG_PASSWORD: Final = 4
_BOOKMARKS: Final = 20_000
_DEPTH: Final = 12

_pointer = ctypes.c_void_p
_int = ctypes.c_int


def _function(name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
    """A function of PDFium that takes plain addresses; it does not let go of the lock of Python."""
    address = ctypes.cast(getattr(raw, name), _pointer).value
    assert address is not None
    made: Callable[..., Any] = ctypes.PYFUNCTYPE(result, *arguments)(address)
    return made


_text_object = _function("FPDFText_GetTextObject", _pointer, _pointer, _int)
_char_box = _function("FPDFText_GetCharBox", _int, _pointer, _int, *[_pointer] * 4)
_origin = _function("FPDFText_GetCharOrigin", _int, _pointer, _int, *[_pointer] * 2)
_matrix = _function("FPDFText_GetMatrix", _int, _pointer, _int, _pointer)
_font_size = _function("FPDFText_GetFontSize", ctypes.c_double, _pointer, _int)
_unicode = _function("FPDFText_GetUnicode", ctypes.c_uint, _pointer, _int)
_map_error = _function("FPDFText_HasUnicodeMapError", _int, _pointer, _int)
_generated = _function("FPDFText_IsGenerated", _int, _pointer, _int)
_colour = _function("FPDFPageObj_GetFillColor", _int, _pointer, *[_pointer] * 4)
_stroke = _function("FPDFPageObj_GetStrokeColor", _int, _pointer, *[_pointer] * 4)
_render_mode = _function("FPDFTextObj_GetTextRenderMode", _int, _pointer)
_marked = _function("FPDFPageObj_GetMarkedContentID", _int, _pointer)
_font = _function("FPDFTextObj_GetFont", _pointer, _pointer)
_font_name = _function(
    "FPDFFont_GetBaseFontName", ctypes.c_size_t, _pointer, _pointer, ctypes.c_size_t
)
_font_flags = _function("FPDFFont_GetFlags", _int, _pointer)
_font_weight = _function("FPDFFont_GetWeight", _int, _pointer)
_count_rects = _function("FPDFText_CountRects", _int, _pointer, _int, _int)
_rect = _function("FPDFText_GetRect", _int, _pointer, _int, *[_pointer] * 4)
_object = _function("FPDFPage_GetObject", _pointer, _pointer, _int)
_object_type = _function("FPDFPageObj_GetType", _int, _pointer)
_bounds = _function("FPDFPageObj_GetBounds", _int, _pointer, *[_pointer] * 4)
_object_matrix = _function("FPDFPageObj_GetMatrix", _int, _pointer, _pointer)
_form_count = _function("FPDFFormObj_CountObjects", _int, _pointer)
_form_object = _function("FPDFFormObj_GetObject", _pointer, _pointer, ctypes.c_ulong)
_segments = _function("FPDFPath_CountSegments", _int, _pointer)
_segment = _function("FPDFPath_GetPathSegment", _pointer, _pointer, _int)
_point = _function("FPDFPathSegment_GetPoint", _int, _pointer, _pointer, _pointer)
_segment_type = _function("FPDFPathSegment_GetType", _int, _pointer)
_draw_mode = _function("FPDFPath_GetDrawMode", _int, _pointer, _pointer, _pointer)

_doubles = (ctypes.c_double * 4)()
_at_double = ctypes.addressof(_doubles)
_floats = (ctypes.c_float * 6)()
_at_float = ctypes.addressof(_floats)
_words = (ctypes.c_uint * 4)()
_at_word = ctypes.addressof(_words)
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


class Shape(NamedTuple):
    """Something drawn: a line, a filled box, a picture or another form, by its outer box."""

    box: Box
    kind: str
    """`rule`, `box`, `path` or `image`."""
    pale: bool = False
    """Whether it is as white as paper, or not there to be seen."""


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
            _, oldest = self._pages.popitem(last=False)
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
        self._page: int = ctypes.cast(handle, _pointer).value or 0
        self._text: int = ctypes.cast(text, _pointer).value or 0
        self.count: int = max(0, raw.FPDFText_CountChars(text))
        self.rotation: int = raw.FPDFPage_GetRotation(handle) % 4
        self._box = self._bounding_box()
        left, bottom, right, top = self._box
        turned = self.rotation % 2 == 1
        self.width = top - bottom if turned else right - left
        self.height = right - left if turned else top - bottom
        self._fonts: dict[int, Font] = {}

    def _bounding_box(self) -> Box:
        bounds = raw.FS_RECTF()
        if raw.FPDF_GetPageBoundingBox(self._handle, bounds):
            return (bounds.left, bounds.bottom, bounds.right, bounds.top)
        return (0.0, 0.0, 612.0, 792.0)

    # -- characters ------------------------------------------------------------------------------

    def units(self) -> str:
        """The characters in one go, as far as PDFium gives them; surrogates are not joined."""
        if self.count == 0:
            return ""
        size = self.count * 2 + 2
        buffer = ctypes.create_string_buffer(size * 2)
        written = raw.FPDFText_GetText(
            self._text_handle,
            0,
            self.count,
            ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)),
        )
        return buffer.raw[: max(0, written - 1) * 2].decode("utf-16-le", "surrogatepass")

    def unicode(self, number: int) -> int:
        """The code point, or UTF-16 unit, of a character; 0 without one."""
        code: int = _unicode(self._text, number)
        return code

    def unmapped(self, number: int) -> bool:
        """Whether the file does not say which character this is."""
        return bool(_map_error(self._text, number) == 1)

    def generated(self, number: int) -> bool:
        """Whether PDFium put this character in: a space or a line ending."""
        return bool(_generated(self._text, number) == 1)

    def text_object(self, number: int) -> int:
        """The address of the text object of a character; 0 for one that PDFium put in."""
        return _text_object(self._text, number) or 0

    def char_box(self, number: int) -> Box:
        """The box of a character."""
        at = _at_double
        if not _char_box(self._text, number, at, at + 8, at + 24, at + 16):
            return (0.0, 0.0, 0.0, 0.0)
        return self.shown(_doubles[0], _doubles[2], _doubles[1], _doubles[3])

    def stretch_box(self, start: int, end: int) -> Box | None:
        """The box around the characters `start` to before `end`."""
        text = self._text
        count = _count_rects(text, start, end - start)
        if count <= 0:
            return None
        at = _at_double
        values = _doubles
        _rect(text, 0, at, at + 24, at + 16, at + 8)
        left, bottom, right, top = values
        for number in range(1, count):
            _rect(text, number, at, at + 24, at + 16, at + 8)
            if values[0] < left:
                left = values[0]
            if values[1] < bottom:
                bottom = values[1]
            if values[2] > right:
                right = values[2]
            if values[3] > top:
                top = values[3]
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
        _matrix(text, number, _at_float)
        a, b, c, d, _, _ = _floats
        _origin(text, number, _at_double, _at_double + 8)
        size = abs(_font_size(text, number)) * ((d if d > 0 else -d) if c == 0 else hypot(c, d))
        if b == 0.0 and a > 0.0 and self.rotation == 0:
            return (size, 1.0, 0.0, self._box[3] - _doubles[1])
        length = hypot(a, b) or 1.0
        across, up = a / length, b / length
        x, y, _, _ = _doubles
        left, top, _, _ = self.shown(x, y, x, y)
        for _ in range(self.rotation):
            across, up = up, -across
        return (size, across, -up, left if abs(up) > 0.9 else top)

    def font(self, text_object: int) -> Font:
        """The font of a text object."""
        address = _font(text_object) or 0
        font = self._fonts.get(address)
        if font is None:
            size = _font_name(address, _name, 256) if address else 0
            name = _name.raw[: min(size, 256)].split(b"\0")[0].decode("utf-8", "replace")
            if len(name) > 7 and name[6] == "+" and name[:6].isupper():
                name = name[7:]  # the mark of a subset
            flags = _font_flags(address) if address else 0
            weight = _font_weight(address) if address else 0
            font = self._fonts[address] = Font(name, flags, weight)
        return font

    def colour(self, text_object: int) -> int:
        """The colour of a text object as 0xRRGGBB."""
        at = _at_word
        if not _colour(text_object, at, at + 4, at + 8, at + 12):
            return 0
        return _words[0] << 16 | _words[1] << 8 | _words[2]

    def render_mode(self, text_object: int) -> int:
        """0 filled, 2 filled and stroked, 3 invisible, and so on."""
        mode: int = _render_mode(text_object)
        return mode

    def tags(self) -> PageTags:
        """What is tagged on the page of a tagged file."""
        return PageTags(self._handle)

    def tag(self, text_object: int, tags: PageTags) -> Tag:
        """The tag of a text object."""
        number: int = _marked(text_object)
        if number >= 0:
            return tags.marks.get(number, NOTHING)
        return ARTIFACT if is_artifact(ctypes.cast(text_object, raw.FPDF_PAGEOBJECT)) else NOTHING

    # -- drawings --------------------------------------------------------------------------------

    def object_count(self) -> int:
        """How many objects are on the page, not counting those within others."""
        return max(0, int(raw.FPDFPage_CountObjects(self._handle)))

    def annotation_count(self) -> int:
        """How many notes, stamps and the like are on the page."""
        return max(0, int(raw.FPDFPage_GetAnnotCount(self._handle)))

    def shapes(self) -> list[Shape]:
        """What is drawn on the page and is not text."""
        found: list[Shape] = []
        self._segments_left = PATH_SEGMENTS
        page = self._page
        for number in range(self.object_count()):
            address = _object(page, number)
            kind = _object_type(address)
            if kind == raw.FPDF_PAGEOBJ_TEXT:
                continue
            self._add_shape(found, address, kind, None, 0)
            if len(found) >= MOST_SHAPES:
                return found[:MOST_SHAPES]
        return found

    def _add_shape(
        self,
        found: list[Shape],
        address: int,
        kind: int,
        form: tuple[float, ...] | None,
        depth: int,
    ) -> None:
        if kind == raw.FPDF_PAGEOBJ_FORM:
            if depth < _DEPTH:
                _object_matrix(address, _at_float)
                inner = _combined(tuple(_floats), form)
                for number in range(_form_count(address)):
                    child = _form_object(address, number)
                    if child:
                        self._add_shape(found, child, _object_type(child), inner, depth + 1)
                    self._segments_left -= 1
                    if self._segments_left < 0:
                        return
            return
        at = _at_float
        if not _bounds(address, at, at + 4, at + 8, at + 12):
            return
        left, bottom, right, top = _floats[:4]
        if kind == raw.FPDF_PAGEOBJ_PATH:
            thin = right - left < 3 or top - bottom < 3
            pale = right - left > WIDE and self._is_pale(address)
            if not thin and self._segments_left > 0:
                count = _segments(address)
                self._segments_left -= count
                if count != 5 or not self._is_filled(address):
                    found.extend(self._lines_of(address, count, form, pale))
                    return
            name = "rule" if thin else "box"
            found.append(Shape(self._placed(left, bottom, right, top, form), name, pale))
            return
        if kind == raw.FPDF_PAGEOBJ_IMAGE:
            name = "image"
        elif kind == raw.FPDF_PAGEOBJ_SHADING:
            name = "path"
        else:
            return
        found.append(Shape(self._placed(left, bottom, right, top, form), name))

    def _is_pale(self, address: int) -> bool:
        """Whether a path cannot be seen on paper."""
        at = _at_word
        _draw_mode(address, at, at + 4)
        filled, stroked = _words[0] != 0, _words[1] != 0
        for colour in (*((_colour,) if filled else ()), *((_stroke,) if stroked else ())):
            if not colour(address, at, at + 4, at + 8, at + 12):
                return False
            if _words[3] > 0 and min(_words[0], _words[1], _words[2]) < PALE:
                return False
        return True

    def _is_filled(self, address: int) -> bool:
        _draw_mode(address, _at_word, _at_word + 4)
        return _words[0] != 0

    def _lines_of(
        self, address: int, count: int, form: tuple[float, ...] | None, pale: bool
    ) -> list[Shape]:
        """The straight lines along the axes of a path, and one shape for all else in it."""
        _object_matrix(address, _at_float)
        matrix = _combined(tuple(_floats), form)
        found: list[Shape] = []
        outer: list[float] = []
        last = first = (0.0, 0.0)
        odd = False
        for number in range(min(count, PATH_SEGMENTS)):
            segment = _segment(address, number)
            _point(segment, _at_float, _at_float + 4)
            here = _applied(matrix, _floats[0], _floats[1])
            outer.extend(here)
            kind = _segment_type(segment)
            if kind == raw.FPDF_SEGMENT_MOVETO:
                first = here
            elif kind == raw.FPDF_SEGMENT_LINETO:
                if abs(here[0] - last[0]) < 1 or abs(here[1] - last[1]) < 1:
                    found.append(Shape(self.shown(*_around(last, here)), "rule", pale))
                else:
                    odd = True
            else:
                odd = True
            last = here
        if count > 3 and first != last and not odd:
            along = abs(first[0] - last[0]) < 1 or abs(first[1] - last[1]) < 1
            if along:
                found.append(Shape(self.shown(*_around(last, first)), "rule", pale))
        if odd and outer:
            box = self.shown(min(outer[::2]), min(outer[1::2]), max(outer[::2]), max(outer[1::2]))
            return [Shape(box, "path")]
        return found

    def _placed(
        self, left: float, bottom: float, right: float, top: float, form: tuple[float, ...] | None
    ) -> Box:
        if form is not None:
            corners = [_applied(form, x, y) for x in (left, right) for y in (bottom, top)]
            left, right = min(x for x, _ in corners), max(x for x, _ in corners)
            bottom, top = min(y for _, y in corners), max(y for _, y in corners)
        return self.shown(left, bottom, right, top)

    def links(self, pdf: Pdf) -> list[Link]:
        """The web addresses that places on the page lead to."""
        found: list[Link] = []
        at = ctypes.c_int(0)
        link = raw.FPDF_LINK()
        while len(found) < 2000 and raw.FPDFLink_Enumerate(self._handle, at, link):
            action = raw.FPDFLink_GetAction(link)
            if not action or raw.FPDFAction_GetType(action) != raw.PDFACTION_URI:
                continue
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


def _combined(inner: tuple[float, ...], outer: tuple[float, ...] | None) -> tuple[float, ...]:
    """The matrix that applies `inner`, then `outer`."""
    if outer is None:
        return inner
    a, b, c, d, e, f = inner
    k, m, n, o, p, q = outer
    return (
        a * k + b * n,
        a * m + b * o,
        c * k + d * n,
        c * m + d * o,
        e * k + f * n + p,
        e * m + f * o + q,
    )


def _applied(matrix: tuple[float, ...], x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def _around(one: tuple[float, float], two: tuple[float, float]) -> Box:
    return (min(one[0], two[0]), min(one[1], two[1]), max(one[0], two[0]), max(one[1], two[1]))
