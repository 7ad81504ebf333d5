"""Functions of PDFium that are called often, and the places they write to.

A call by way of ctypes costs more than most of these functions do, and half of that is looking at
what is handed over: so no argument has a declared type. A handle, or the address of a place, is
made an argument once (`argument`) and used for many calls; other arguments are `int` in C, or the
function is told of their types. The places are arrays, since taking numbers out of those of ctypes
takes longer than the call.
"""

import ctypes
from array import array
from collections.abc import Callable
from typing import Any, Final

import pypdfium2.raw as raw

_pointer = ctypes.c_void_p
_int = ctypes.c_int


def _function(name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
    """A function of PDFium by its name; it does not let go of the lock of Python.

    `arguments` are the types of all of them, or none.
    """
    address = ctypes.cast(getattr(raw, name), _pointer).value
    assert address is not None
    made: Callable[..., Any] = ctypes.PYFUNCTYPE(result, *arguments)(address)
    return made


argument: Callable[[int], Any] = _pointer.from_param
"""An address as these functions take it."""

text_object: Final = _function("FPDFText_GetTextObject", _pointer)
get_text: Final = _function("FPDFText_GetText", _int)
char_box: Final = _function("FPDFText_GetCharBox", _int)
char_origin: Final = _function("FPDFText_GetCharOrigin", _int)
char_matrix: Final = _function("FPDFText_GetMatrix", _int)
font_size: Final = _function("FPDFText_GetFontSize", ctypes.c_double)
unicode_of: Final = _function("FPDFText_GetUnicode", ctypes.c_uint)
map_error: Final = _function("FPDFText_HasUnicodeMapError", _int)
is_generated: Final = _function("FPDFText_IsGenerated", _int)
count_rects: Final = _function("FPDFText_CountRects", _int)
get_rect: Final = _function("FPDFText_GetRect", _int)
fill_colour: Final = _function("FPDFPageObj_GetFillColor", _int)
stroke_colour: Final = _function("FPDFPageObj_GetStrokeColor", _int)
text_mode: Final = _function("FPDFTextObj_GetTextRenderMode", _int)
marked_content: Final = _function("FPDFPageObj_GetMarkedContentID", _int)
text_font: Final = _function("FPDFTextObj_GetFont", _pointer)
font_name: Final = _function(
    "FPDFFont_GetBaseFontName", ctypes.c_size_t, _pointer, _pointer, ctypes.c_size_t
)
font_flags: Final = _function("FPDFFont_GetFlags", _int)
font_weight: Final = _function("FPDFFont_GetWeight", _int)
font_ascent: Final = _function("FPDFFont_GetAscent", _int, _pointer, ctypes.c_float, _pointer)
font_descent: Final = _function("FPDFFont_GetDescent", _int, _pointer, ctypes.c_float, _pointer)
page_object: Final = _function("FPDFPage_GetObject", _pointer)
object_type: Final = _function("FPDFPageObj_GetType", _int)
object_bounds: Final = _function("FPDFPageObj_GetBounds", _int)
object_matrix: Final = _function("FPDFPageObj_GetMatrix", _int)
form_count: Final = _function("FPDFFormObj_CountObjects", _int)
form_object: Final = _function("FPDFFormObj_GetObject", _pointer, _pointer, ctypes.c_ulong)
count_segments: Final = _function("FPDFPath_CountSegments", _int)
path_segment: Final = _function("FPDFPath_GetPathSegment", _pointer)
segment_point: Final = _function("FPDFPathSegment_GetPoint", _int)
segment_type: Final = _function("FPDFPathSegment_GetType", _int)
element_type: Final = _function("FPDF_StructElement_GetType", ctypes.c_ulong)
count_children: Final = _function("FPDF_StructElement_CountChildren", _int)
child_content: Final = _function("FPDF_StructElement_GetChildMarkedContentID", _int)
child_element: Final = _function("FPDF_StructElement_GetChildAtIndex", _pointer)
count_attributes: Final = _function("FPDF_StructElement_GetAttributeCount", _int)
attribute_at: Final = _function("FPDF_StructElement_GetAttributeAtIndex", _pointer)
next_link: Final = _function("FPDFLink_Enumerate", _int)
link_action: Final = _function("FPDFLink_GetAction", _pointer)
action_type: Final = _function("FPDFAction_GetType", ctypes.c_ulong)
draw_mode: Final = _function("FPDFPath_GetDrawMode", _int)

doubles: Final = array("d", bytes(4 * 8))
floats: Final = array("f", bytes(6 * 4))
words: Final = array("I", bytes(4 * 4))


def _places(values: "array[Any]") -> list[Any]:
    """The place of each value, as an argument."""
    start, count = values.buffer_info()
    return [argument(start + at * values.itemsize) for at in range(count)]


at_double: Final = _places(doubles)
at_float: Final = _places(floats)
at_word: Final = _places(words)
