"""Tags: what the structure tree of a tagged file says is a heading."""

import ctypes
from typing import Any, Final

import pypdfium2.raw as raw

MOST: Final = 20_000
"""Elements of a page that are looked at."""
DEEPEST: Final = 40

LEVELS: Final = {"Title": 1, "H": 1, "H1": 1, "H2": 2, "H3": 3, "H4": 4, "H5": 5, "H6": 6}


def heading_tags(page: Any) -> dict[int, int]:
    """The levels of headings by the numbers of their marked content; `page` is PDFium's."""
    tree = raw.FPDF_StructTree_GetForPage(page)
    if not tree:
        return {}
    found: dict[int, int] = {}
    left = [MOST]
    try:
        for at in range(raw.FPDF_StructTree_CountChildren(tree)):
            _walk(raw.FPDF_StructTree_GetChildAtIndex(tree, at), 0, 0, found, left)
    finally:
        raw.FPDF_StructTree_Close(tree)
    return found


def _walk(element: Any, level: int, depth: int, found: dict[int, int], left: list[int]) -> None:
    left[0] -= 1
    if not element or depth > DEEPEST or left[0] < 0:
        return
    level = LEVELS.get(_kind(element), level)
    if level:
        for at in range(max(0, raw.FPDF_StructElement_GetMarkedContentIdCount(element))):
            number = raw.FPDF_StructElement_GetMarkedContentIdAtIndex(element, at)
            if number >= 0:
                found[number] = level
    for at in range(raw.FPDF_StructElement_CountChildren(element)):
        _walk(raw.FPDF_StructElement_GetChildAtIndex(element, at), level, depth + 1, found, left)


def _kind(element: Any) -> str:
    size = raw.FPDF_StructElement_GetType(element, None, 0)
    if not 2 < size < 100:
        return ""
    buffer = ctypes.create_string_buffer(size)
    raw.FPDF_StructElement_GetType(element, buffer, size)
    return buffer.raw[: size - 2].decode("utf-16-le", "replace")
