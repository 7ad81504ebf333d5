"""Tags: what the structure tree of a tagged file says of its headings, lists and tables."""

import ctypes
from typing import Any, Final, NamedTuple

import pypdfium2.raw as raw

from spanwise.formats.pdf.calls import (
    argument,
    attribute_at,
    child_content,
    child_element,
    count_attributes,
    count_children,
    element_type,
)

_buffer = ctypes.create_string_buffer(100)
_size = ctypes.c_ulong(100)

MOST: Final = 20_000
"""Elements of a page that are looked at."""
DEEPEST: Final = 40
WIDEST: Final = 200
"""Columns that a cell may span."""

LEVELS: Final = {"Title": 1, "H": 1, "H1": 1, "H2": 2, "H3": 3, "H4": 4, "H5": 5, "H6": 6}


class Tag(NamedTuple):
    """What a stretch of marked content is: 0 and -1 stand for nothing."""

    level: int = 0
    """Of a heading, from 1."""
    item: int = 0
    """The number of the list item, from 1 on each page."""
    depth: int = 0
    """How many lists the item is in."""
    table: int = 0
    """The number of the table, from 1 on each page."""
    row: int = -1
    column: int = -1


NOTHING: Final = Tag()
ARTIFACT: Final = Tag(depth=-1)
"""What belongs to the page and not to the text, as a running header."""


class PageTags:
    """The tags of a page by the numbers of its marked content."""

    def __init__(self, page: Any) -> None:
        """Walk the structure tree of `page`, which is PDFium's."""
        self.marks: dict[int, Tag] = {}
        self.columns: dict[int, int] = {}
        """How many columns each table has."""
        self._left = MOST
        self._items = 0
        self._tables = 0
        # Where the next cell of each table goes, and what cells of rows above reach down to.
        self._rows: dict[int, int] = {}
        self._next: dict[int, int] = {}
        self._taken: dict[int, set[tuple[int, int]]] = {}
        tree = raw.FPDF_StructTree_GetForPage(page)
        if not tree:
            return
        try:
            for at in range(raw.FPDF_StructTree_CountChildren(tree)):
                child = raw.FPDF_StructTree_GetChildAtIndex(tree, at)
                self._walk(ctypes.cast(child, ctypes.c_void_p).value or 0, NOTHING, 0)
        finally:
            raw.FPDF_StructTree_Close(tree)

    def _walk(self, address: int, tag: Tag, nesting: int) -> None:
        """Walk what is in the element at an address."""
        self._left -= 1
        if not address or nesting > DEEPEST or self._left < 0:
            return
        element = argument(address)
        tag = self._inside(element, _kind(element), tag)
        for at in range(count_children(element)):
            # Only this gives the content that is on this page: numbers are anew on each.
            number: int = child_content(element, at)
            if number >= 0:
                self.marks[number] = tag
            else:
                self._walk(child_element(element, at) or 0, tag, nesting + 1)

    def _inside(self, element: Any, kind: str, tag: Tag) -> Tag:
        """The tag of what is in an element of some kind."""
        if kind in LEVELS:
            return tag._replace(level=LEVELS[kind])
        if kind == "L":
            return tag._replace(depth=tag.depth + 1)
        if kind == "LI":
            self._items += 1
            return tag._replace(item=self._items)
        if kind == "Table":
            self._tables += 1
            self._rows[self._tables] = -1
            self._taken[self._tables] = set()
            return Tag(table=self._tables)
        if kind == "TR" and tag.table:
            self._rows[tag.table] += 1
            self._next[tag.table] = 0
            return tag._replace(row=self._rows[tag.table])
        if kind in ("TH", "TD") and tag.row >= 0:
            return tag._replace(column=self._place(element, tag))
        return tag

    def _place(self, element: Any, tag: Tag) -> int:
        """The column of a cell; those it spans are taken."""
        taken = self._taken[tag.table]
        column = self._next[tag.table]
        while (tag.row, column) in taken:
            column += 1
        wide, high = _spans(element)
        for row in range(tag.row, tag.row + high):
            taken.update((row, column + step) for step in range(wide))
        self._next[tag.table] = column + wide
        self.columns[tag.table] = max(self.columns.get(tag.table, 0), column + wide)
        return column


def _kind(element: Any) -> str:
    size: int = element_type(element, _buffer, _size)
    if not 2 < size < 100:
        return ""
    return _buffer.raw[: size - 2].decode("utf-16-le", "replace")


def _spans(element: Any) -> tuple[int, int]:
    """How many columns and rows a cell is over."""
    spans = [1, 1]
    for at in range(max(0, count_attributes(element))):
        address = attribute_at(element, at)
        if not address:
            continue
        attribute = ctypes.cast(address, raw.FPDF_STRUCTELEMENT_ATTR)
        for place, name in enumerate((b"ColSpan", b"RowSpan")):
            value = raw.FPDF_StructElement_Attr_GetValue(attribute, name)
            number = ctypes.c_float()
            if value and raw.FPDF_StructElement_Attr_GetNumberValue(value, number):
                spans[place] = max(1, min(WIDEST, int(number.value)))
    return spans[0], spans[1]


def is_artifact(text_object: Any) -> bool:
    """Whether a text object, which is PDFium's, is marked as no part of the text."""
    name = (ctypes.c_ushort * 32)()
    size = ctypes.c_ulong()
    for at in range(max(0, raw.FPDFPageObj_CountMarks(text_object))):
        mark = raw.FPDFPageObj_GetMark(text_object, at)
        if mark and raw.FPDFPageObjMark_GetName(mark, name, ctypes.sizeof(name), size):
            said = bytes(name)[: max(0, size.value - 2)].decode("utf-16-le", "replace")
            if said == "Artifact":
                return True
    return False
