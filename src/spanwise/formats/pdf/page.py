"""A page through PDFium's C interface: its characters, objects and links, with their places.

Coordinates that leave this module are PDF points from the top left corner of the page as it is
shown, that is after its crop box and its rotation; `y` grows downward. What costs is the number of
calls, so text comes a page at a time, and places by the text object or line.
"""

import ctypes
from collections.abc import Sequence
from math import hypot
from typing import Any, Final, NamedTuple

import pypdfium2.raw as raw

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
    font_ascent,
    font_descent,
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
Glyph = tuple[float, float, float, float]
"""How a character is set: the height of its font as shown, the direction of writing to the right
and down as a vector of length 1, and where its base line is: from the top, or from the left where
it is written up or down the page."""
HYPHEN: Final = "\x02"
"""What PDFium gives for a hyphen at the end of a line."""
OBJECT: Final = 8
"""The weight of an object of a page; that of a character, and of a point of a drawing, is 1."""

_URI: Final[int] = raw.PDFACTION_URI
_left: Final = at_double[0]
_bottom: Final = at_double[1]
_right: Final = at_double[2]
_top: Final = at_double[3]

_name = ctypes.create_string_buffer(256)


class Font(NamedTuple):
    """What a font says of itself; all of it may be made up."""

    name: str
    flags: int
    weight: int


def _measures(address: int) -> str:
    """What stands for the name of a font without one: how high and how deep its letters are.

    Fonts whose glyphs are drawings (ISO 32000-1, 9.6.5) have no name, and this is all that tells
    the bold one from the one of the text.
    """
    font_ascent(argument(address), 1000.0, at_float[0])
    font_descent(argument(address), 1000.0, at_float[1])
    return f"?{round(floats[0])}/{round(floats[1])}"


class Link(NamedTuple):
    """Where a web address is behind a place."""

    box: Box
    target: str


class PdfPage:
    """A loaded page with its characters, which are numbered as PDFium does."""

    def __init__(self, handle: Any, text: Any) -> None:
        """Both have been loaded."""
        self._handle = handle
        self._text_handle = text
        # As arguments, for the calls that are made often.
        self.handle = argument(ctypes.cast(handle, ctypes.c_void_p).value or 0)
        self._text = argument(ctypes.cast(text, ctypes.c_void_p).value or 0)
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
            if address and not name:
                name = _measures(address)
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

    def links(self, file: Any) -> list[Link]:
        """The web addresses that places on the page lead to; `file` is the handle of its file."""
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
            size = raw.FPDFAction_GetURIPath(file, action, None, 0)
            rect = raw.FS_RECTF()
            if not 1 < size < 4000 or not raw.FPDFLink_GetAnnotRect(link, rect):
                continue
            buffer = ctypes.create_string_buffer(size)
            raw.FPDFAction_GetURIPath(file, action, buffer, size)
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
