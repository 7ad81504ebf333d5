"""What is drawn on a page and is not text: straight lines, boxes, pictures and other forms."""

from typing import Any, Final, NamedTuple

import pypdfium2.raw as raw

from spanwise.formats.pdf.calls import (
    argument,
    at_float,
    at_word,
    count_segments,
    draw_mode,
    fill_colour,
    floats,
    form_count,
    form_object,
    object_bounds,
    object_matrix,
    object_type,
    page_object,
    path_segment,
    segment_point,
    segment_type,
    stroke_colour,
    words,
)
from spanwise.formats.pdf.page import OBJECT, Box, PdfPage
from spanwise.formats.pdf.pdfium import HEAVIEST

PALE: Final = 0xF8
"""Each part of a colour is at least this for it to be taken for that of paper."""
WIDE: Final = 100.0
"""Points of a line or box whose colour is looked at: it may part what is above and below it."""
PATH_SEGMENTS: Final = 20_000
"""Points of the drawings of a page that are looked at."""
MOST_SHAPES: Final = 3000
"""Shapes of a page that are looked at; a page with more is one big drawing."""

_DEEPEST: Final = 12

Matrix = tuple[float, float, float, float, float, float]

_TEXT: Final[int] = raw.FPDF_PAGEOBJ_TEXT
_PATH: Final[int] = raw.FPDF_PAGEOBJ_PATH
_IMAGE: Final[int] = raw.FPDF_PAGEOBJ_IMAGE
_SHADING: Final[int] = raw.FPDF_PAGEOBJ_SHADING
_FORM: Final[int] = raw.FPDF_PAGEOBJ_FORM
_MOVETO: Final[int] = raw.FPDF_SEGMENT_MOVETO
_LINETO: Final[int] = raw.FPDF_SEGMENT_LINETO


class Shape(NamedTuple):
    """Something drawn: a line, a filled box, a picture or another form, by its outer box."""

    box: Box
    kind: str
    """`rule`, `box`, `path` or `image`."""
    pale: bool = False
    """Whether it is as white as paper, or not there to be seen."""


def shapes_of(page: PdfPage) -> list[Shape]:
    """What is drawn on a page and is not text."""
    shapes = _Shapes(page)
    for number in range(page.object_count()):
        address: int = page_object(page.handle, number) or 0
        if address in page.text_objects:
            continue
        handle = argument(address)
        kind: int = object_type(handle)
        if kind == _TEXT:
            continue
        shapes.add(handle, kind, None, 0)
        if len(shapes.found) >= MOST_SHAPES:
            shapes.weight = HEAVIEST
            break
    page.weight += min(HEAVIEST, shapes.weight)
    return shapes.found[:MOST_SHAPES]


class _Shapes:
    """Collects the shapes of a page."""

    def __init__(self, page: PdfPage) -> None:
        self._page = page
        self._segments_left = PATH_SEGMENTS
        self.found: list[Shape] = []
        self.weight = 0
        """Of the points of paths, and of what is in forms."""

    def add(
        self,
        handle: Any,
        kind: int,
        form: Matrix | None,
        depth: int,
    ) -> None:
        """Add what an object of some kind, given as an argument, draws within `depth` forms.

        `form` is the matrix of the one around it.
        """
        if kind == _FORM:
            if depth < _DEEPEST:
                inner = _matrix_of(handle)
                if form is not None:
                    inner = _combined(inner, form)
                for number in range(form_count(handle)):
                    address: int = form_object(handle, number) or 0
                    if address and address not in self._page.text_objects:
                        child = argument(address)
                        self.add(child, object_type(child), inner, depth + 1)
                    self.weight += OBJECT
                    self._segments_left -= 1
                    if self._segments_left < 0:
                        self.weight = HEAVIEST
                        return
            else:
                self.weight = HEAVIEST
            return
        if kind not in (_PATH, _IMAGE, _SHADING):
            return
        if not object_bounds(handle, at_float[0], at_float[1], at_float[2], at_float[3]):
            return
        left, bottom, right, top, _, _ = floats
        if kind == _PATH:
            thin = right - left < 3 or top - bottom < 3
            pale = right - left > WIDE and self._is_pale(handle)
            count: int = count_segments(handle)
            self.weight += count
            if not thin and self._segments_left > 0:
                self._segments_left -= count
                if count != 5 or not self._is_filled(handle):
                    self.found.extend(self._lines_of(handle, count, form, pale))
                    return
            name = "rule" if thin else "box"
            self.found.append(Shape(self._placed(left, bottom, right, top, form), name, pale))
            return
        name = "image" if kind == _IMAGE else "path"
        self.found.append(Shape(self._placed(left, bottom, right, top, form), name))

    def _is_pale(self, handle: Any) -> bool:
        """Whether a path cannot be seen on paper."""
        draw_mode(handle, at_word[0], at_word[1])
        filled, stroked = words[0] != 0, words[1] != 0
        for colour in (*((fill_colour,) if filled else ()), *((stroke_colour,) if stroked else ())):
            if not colour(handle, at_word[0], at_word[1], at_word[2], at_word[3]):
                return False
            if words[3] > 0 and min(words[0], words[1], words[2]) < PALE:
                return False
        return True

    def _is_filled(self, handle: Any) -> bool:
        draw_mode(handle, at_word[0], at_word[1])
        return words[0] != 0

    def _lines_of(self, handle: Any, count: int, form: Matrix | None, pale: bool) -> list[Shape]:
        """The straight lines along the axes of a path, or one shape where it has others."""
        matrix = _matrix_of(handle)
        if form is not None:
            matrix = _combined(matrix, form)
        found: list[Shape] = []
        last = first = (0.0, 0.0)
        left = bottom = right = top = 0.0
        odd = False
        for number in range(min(count, PATH_SEGMENTS)):
            segment = argument(path_segment(handle, number) or 0)
            segment_point(segment, at_float[0], at_float[1])
            here = _applied(matrix, floats[0], floats[1])
            x, y = here
            if number == 0:
                left = right = x
                bottom = top = y
            elif x < left:
                left = x
            elif x > right:
                right = x
            if y < bottom:
                bottom = y
            elif y > top:
                top = y
            if odd:
                continue  # only its box is told
            kind: int = segment_type(segment)
            if kind == _MOVETO:
                first = here
            elif kind == _LINETO and (abs(x - last[0]) < 1 or abs(y - last[1]) < 1):
                found.append(self._rule(last, here, pale))
            else:
                odd = True
            last = here
        if odd:
            return [Shape(self._page.shown(left, bottom, right, top), "path")]
        along = abs(first[0] - last[0]) < 1 or abs(first[1] - last[1]) < 1
        if count > 3 and first != last and along:
            found.append(self._rule(last, first, pale))
        return found

    def _rule(self, one: tuple[float, float], two: tuple[float, float], pale: bool) -> Shape:
        return Shape(self._page.shown(one[0], one[1], two[0], two[1]), "rule", pale)

    def _placed(
        self, left: float, bottom: float, right: float, top: float, form: Matrix | None
    ) -> Box:
        if form is not None:
            corners = [_applied(form, x, y) for x in (left, right) for y in (bottom, top)]
            left, right = min(x for x, _ in corners), max(x for x, _ in corners)
            bottom, top = min(y for _, y in corners), max(y for _, y in corners)
        return self._page.shown(left, bottom, right, top)


def _matrix_of(handle: Any) -> Matrix:
    object_matrix(handle, at_float[0])
    a, b, c, d, e, f = floats
    return (a, b, c, d, e, f)


def _combined(inner: Matrix, outer: Matrix) -> Matrix:
    """The matrix that applies `inner`, then `outer`."""
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


def _applied(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f
