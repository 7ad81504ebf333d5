"""OpenDocument text to document: the blocks of the body one after the other."""

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Final

from spanwise.document import Document, Notice
from spanwise.errors import UnreadableSource
from spanwise.formats import Settings
from spanwise.formats.archive import Package
from spanwise.formats.grids import MAX_CELL, Grid
from spanwise.formats.odt.formulas import Formulas
from spanwise.formats.odt.inlines import inlines
from spanwise.formats.odt.lists import Counter, Level, levels
from spanwise.formats.odt.spaces import SPACES
from spanwise.formats.places import Texts
from spanwise.formats.writer import ADDED, Run, Writer, code_span, link, trimmed
from spanwise.formats.xml import Element, Limits, elements, tree

PART: Final = "content.xml"
PARAGRAPHS: Final = ("text:p", "text:h")
BLOCKS: Final = frozenset(
    (*PARAGRAPHS, "text:list", "table:table", "text:tracked-changes", "draw:frame")
)
_STYLES: Final = frozenset(("style:style", "text:list-style", "text:outline-style"))
_CODE: Final = re.compile(r"preformatted text|source ?(?:code|text)|teletype|verbatim", re.I)
_MAX_COLUMNS: Final = 1000


class Reader:
    """Reads one file."""

    def __init__(self, package: Package, settings: Settings) -> None:
        """Styles are read first."""
        self._package = package
        self._limits = Limits(settings)
        self._formulas = Formulas(package, self._limits)
        self._max_cells = settings.max_objects
        self._heading_numbers = settings.heading_numbers
        self._texts = Texts()
        self._writer = Writer()
        self._numbers: dict[int, int] = {}
        self._common: set[str] = set()
        """Styles that have a name for people."""
        self._parents: dict[str, str] = {}
        self._list_styles: dict[str, dict[int, Level]] = {}
        self._outline = Counter({})
        self._counters: dict[str, Counter] = {}
        """The counter of the last list of each style."""
        self._lists: list[Counter] = []
        self._labels: list[str | None] = []
        """For each list item that is open its label, None once that is written."""
        self._code: list[list[Run]] = []
        self._notes: list[tuple[str, list[Run]]] = []
        self._note_counts = {"footnote": 0, "endnote": 0}
        self._shift = 0
        self._title = ""
        if "META-INF/manifest.xml" in package:
            walk = self._tree("META-INF/manifest.xml").walk()
            if any(one.name == "manifest:encryption-data" for one in walk):
                raise UnreadableSource("the document is encrypted", reason="encrypted")
        for part in ("styles.xml", PART):
            if part in package:
                self._read_styles(part)

    def document(self, media_type: str) -> Document:
        """All that is in the file."""
        count = 0
        data = self._package.read(PART)
        for block in elements(data, SPACES, self._limits, PART, BLOCKS, "office:document-content"):
            self._numbers.clear()
            for element in block.walk():
                if element.name in PARAGRAPHS:
                    count += 1
                    self._numbers[id(element)] = count
            self._block(block)
        self._end_code()
        self._write_notes()
        notices: list[Notice] = []
        title = self._title or self._meta_title()
        document = self._writer.document(media_type, title, self._texts, notices)
        if not document.text:
            notices.append({"code": "no_text", "page": None, "message": "there is no text in it"})
        return document

    # -- styles ----------------------------------------------------------------------------------

    def _tree(self, part: str) -> Element:
        return tree(self._package.read(part), SPACES, self._limits, part, doctype=True)

    def _meta_title(self) -> str:
        if "meta.xml" not in self._package:
            return ""
        title = next((one for one in self._tree("meta.xml").walk() if one.name == "dc:title"), None)
        return " ".join(title.all_text().split()) if title is not None else ""

    def _read_styles(self, part: str) -> None:
        for style in elements(self._package.read(part), SPACES, self._limits, part, _STYLES):
            name = style.get("style:name")
            if style.name == "text:list-style":
                self._list_styles[name] = levels(style)
            elif style.name == "text:outline-style":
                self._outline = Counter(levels(style))
            else:
                self._parents[name] = style.get("style:parent-style-name")
                if part != PART:
                    self._common.add(name)

    def _style(self, name: str) -> str:
        """The name, for people, of the style that an automatic one stands for."""
        seen = set()
        while name not in self._common and name in self._parents and name not in seen:
            seen.add(name)
            name = self._parents[name]
        return name.replace("_20_", " ").replace("_", " ")

    def _is_code(self, name: str) -> bool:
        return _CODE.fullmatch(self._style(name)) is not None

    # -- blocks ----------------------------------------------------------------------------------

    def _block(self, element: Element) -> None:
        name = element.name
        if name in PARAGRAPHS:
            self._paragraph(element)
        elif name == "text:list":
            self._list(element)
        elif name == "table:table":
            self._end_code()
            self._table(element)
        elif name not in ("text:tracked-changes", "office:annotation"):
            for child in element.children:
                self._block(child)

    def _paragraph(self, paragraph: Element) -> None:
        style = self._style(paragraph.get("text:style-name"))
        runs, boxes = self._line(paragraph)
        own = [run for run in runs if run.origin != ADDED]
        if self._is_code(paragraph.get("text:style-name")) and not self._labels:
            if own or self._code:
                self._code.append(own)
        else:
            self._end_code()
            if paragraph.name == "text:h" or style == "Title":
                self._heading(paragraph, own, style)
            elif trimmed(runs):
                self._text(runs)
        for box in boxes:
            for child in box.children:
                self._block(child)

    def _heading(self, heading: Element, runs: list[Run], style: str) -> None:
        text = " ".join("".join(run.text for run in runs).split())
        if not text:
            return
        self._write_notes()
        if style == "Title":
            self._title = self._title or text
            self._shift = 1
            self._writer.heading(1, runs)
            return
        said = heading.get("text:outline-level", "1")
        level = int(said) if said.isdecimal() and len(said) < 3 else 1
        label = ""
        if self._labels:
            label = self._labels[-1] or ""
            self._labels[-1] = None
        elif heading.get("text:is-list-header") != "true":
            label = self._outline.label(level, heading.get("text:start-value"))
        if label and self._heading_numbers:
            runs = [Run(label + " "), *runs]
        self._writer.heading(level + self._shift, runs)

    def _text(self, runs: list[Run]) -> None:
        if not self._labels:
            self._writer.paragraph(runs)
            return
        label = self._labels[-1]
        if label is None:
            with self._writer.in_item():
                self._writer.paragraph(runs)
            return
        self._labels[-1] = None
        if re.fullmatch("[0-9]{1,9}[.)]", label):
            self._writer.item(len(self._labels) - 1, label, runs)
        else:
            label_run = [Run(label + " ")] if label else []
            self._writer.item(len(self._labels) - 1, "-", [*label_run, *runs])

    def _list(self, element: Element) -> None:
        self._end_code()
        name = element.get("text:style-name")
        if self._lists and not name:
            counter = self._lists[-1]
        else:
            goes_on = element.get("text:continue-numbering") == "true"
            counter = Counter(self._list_styles.get(name, {}))
            if (goes_on or element.get("text:continue-list")) and name in self._counters:
                counter = self._counters[name]
            self._counters[name] = counter
        self._lists.append(counter)
        for item in element.children:
            label: str | None = None
            if item.name == "text:list-item":
                if _begins_with_text(item):
                    label = counter.label(len(self._lists), item.get("text:start-value"))
            elif item.name != "text:list-header":
                continue
            self._labels.append(label)
            for child in item.children:
                self._block(child)
            self._labels.pop()
        self._lists.pop()
        if not self._lists:
            self._writer.end_list()

    def _end_code(self) -> None:
        lines = self._code
        self._code = []
        while lines and not any(run.text.strip() for run in lines[-1]):
            lines.pop()
        if lines:
            self._writer.code([run for line in lines for run in [*line, Run("\n")]])

    # -- tables ----------------------------------------------------------------------------------

    def _table(self, table: Element) -> None:
        rows = list(_rows(table))
        cells = [[cell for cell in row.children if cell.name in _CELLS] for row in rows]
        if _is_layout(cells):
            for row_cells in cells:
                for cell in row_cells:
                    self._block(cell)
            return
        grid = Grid(self._max_cells)
        for row_cells in cells:
            line = []
            for cell in row_cells:
                runs: list[Run] = []
                self._flatten(cell, runs)
                # What a merged cell covers stands there as a cell of its own.
                line.append((runs, _times(cell), 1))
            grid.row(line)
        lines = grid.rows()
        if lines:
            with self._writer.in_item():
                self._writer.table(lines)

    def _flatten(self, parent: Element, runs: list[Run]) -> None:
        for element in parent.children:
            if element.name in PARAGRAPHS:
                line, boxes = self._line(element, plain=True)
                if trimmed(line):
                    runs.extend([*([Run(" ")] if runs else []), *line])
                for box in boxes:
                    self._flatten(box, runs)
            elif element.name != "office:annotation":
                self._flatten(element, runs)

    # -- lines -----------------------------------------------------------------------------------

    def _line(self, paragraph: Element, plain: bool = False) -> tuple[list[Run], list[Element]]:
        found = list(inlines(paragraph, self._formulas))
        text = "".join(inline.text for inline in found)
        place = {
            "part": PART,
            "paragraph": self._numbers[id(paragraph)],
            "id": paragraph.attrs.get("xml:id"),
        }
        origin = self._texts.add(place, text) if text else ADDED
        runs: list[Run] = []
        offset = 0
        for (style, address), group in groupby(found, lambda one: (one.style, one.link)):
            alike = []
            for inline in group:
                if inline.note is not None:
                    alike.append(Run(self._mark(inline.note)))
                elif inline.text:
                    alike.append(Run(inline.text, origin, offset))
                    offset += len(inline.text)
            if not plain and any(run.text.strip() for run in alike):
                if style and self._is_code(style):
                    alike = code_span(alike)
                if address:
                    alike = link(alike, address)
            runs.extend(alike)
        return runs, [inline.box for inline in found if inline.box is not None]

    def _mark(self, note: Element) -> str:
        kind = note.get("text:note-class", "footnote")
        self._note_counts[kind] = count = self._note_counts.get(kind, 0) + 1
        mark = f"[^{'e' if kind == 'endnote' else ''}{count}]"
        body = note.first("text:note-body")
        if body is not None:
            line: list[Run] = []
            for paragraph in body.walk():
                if paragraph.name in PARAGRAPHS:
                    runs = trimmed(self._line(paragraph)[0])
                    line.extend([Run(" "), *runs] if runs else [])
            if line:
                self._notes.append((mark, line))
        return mark

    def _write_notes(self) -> None:
        notes = self._notes
        self._notes = []
        for mark, line in notes:
            self._writer.paragraph([Run(mark + ": "), *line[1:]])


_CELLS: Final = ("table:table-cell", "table:covered-table-cell")


def _begins_with_text(item: Element) -> bool:
    """Whether an item has a label of its own, and is not only there for a list in it."""
    return bool(item.children) and item.children[0].name != "text:list"


def _rows(parent: Element) -> Iterator[Element]:
    for child in parent.children:
        if child.name == "table:table-row":
            yield child
        elif child.name in (
            "table:table-header-rows",
            "table:table-rows",
            "table:table-row-group",
        ):
            yield from _rows(child)


def _times(cell: Element) -> int:
    said = cell.get("table:number-columns-repeated", "1")
    return min(int(said), _MAX_COLUMNS) if said.isdecimal() and len(said) < 8 else 1


def _is_layout(cells: list[list[Element]]) -> bool:
    """Whether a table only arranges what is on the page."""
    if sum(map(len, cells)) == 1:
        return True
    is_column = all(len(row) == 1 for row in cells)
    for row in cells:
        for cell in row:
            if sum(len(one.text) + len(one.tail) for one in cell.walk()) > MAX_CELL and (
                is_column or any(one.name in ("text:h", "table:table") for one in cell.walk())
            ):
                return True
    return False
