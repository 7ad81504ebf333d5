"""Word to document: the blocks of the body one after the other."""

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Final, NamedTuple

from spanwise.document import Document, Notice
from spanwise.formats import Settings
from spanwise.formats.docx.embedded import Places
from spanwise.formats.docx.inlines import choice, inlines
from spanwise.formats.docx.notes import Notes
from spanwise.formats.docx.numbering import Label, Numbering
from spanwise.formats.docx.styles import BODY_TEXT, Style, Styles, number
from spanwise.formats.grids import MAX_CELL, MAX_UNDER_HEADING, Grid
from spanwise.formats.office import SPACES, Office, Target
from spanwise.formats.places import Texts
from spanwise.formats.sniffing import HTML, media_type
from spanwise.formats.writer import ADDED, Run, Writer, code_span, link
from spanwise.formats.xml import Element, elements

BLOCKS: Final = frozenset(("w:p", "w:tbl", "w:sdt", "w:altChunk", "mc:AlternateContent"))
"""What a body is made of; whatever is around these does not matter."""


_CODE_SIGNS: Final = re.compile(r"[{}();=<>\[\]|$#`]|^\s{2,}\S")
"""What prose that is set in type of a fixed width has less of than code."""


_UNREAD: Final = {"dgm:relIds": "a diagram", "c:chart": "a chart", "a:t": "a drawing"}
"""What in a drawing has text that is not read."""


class Reader:
    """Reads one file."""

    def __init__(self, office: Office, settings: Settings) -> None:
        """Styles and numbering are read first."""
        self.office = office
        self.part = office.main()
        targets = office.targets(self.part)
        self.styles = Styles(office.tree_of(targets, "styles"))
        self._numbering = Numbering(office.tree_of(targets, "numbering"), self.styles)
        self._targets: dict[str, dict[str, Target]] = {self.part: targets}
        self._settings = settings
        self._texts = Texts()
        self._places = Places(self._texts)
        self._writer = Writer()
        self._notes = Notes(office, targets, self.line)
        self._numbers: dict[int, int] = {}
        """The number of each paragraph of the block that is read, by its identity."""
        self._title: str | None = None
        self._shift = 0
        """By how much a title has pushed the headings down."""
        self._code: list[list[Run]] = []
        """Lines that are code, if anything in them looks like it."""
        self._is_code_style = False
        self._begun: list[Run] = []
        """What the next paragraph begins with: a big letter, or one whose end is deleted."""
        self._notices: list[Notice] = []

    def document(self, own_type: str) -> Document:
        """All that is in the file, which is of the media type `own_type`."""
        for block in self.numbered(self.part):
            self._block(block)
        self._end_code()
        self._writer.paragraph(self._begun)
        self._notes.write(self._writer)
        title = self._title or self.office.title()
        document = self._writer.document(own_type, title, self._places, self._notices)
        if not document.text:
            self._notices.append(
                {"code": "no_text", "page": None, "message": "there is no text in it"}
            )
        return document

    def numbered(self, part: str) -> Iterator[Element]:
        """The outermost blocks of a part; meanwhile the numbers of their paragraphs are known."""
        count = 0
        data = self.office.package.read(part)
        for block in elements(data, SPACES, self.office.limits, part, BLOCKS, "w:document"):
            self._numbers.clear()
            for element in block.walk():
                if element.name == "w:p":
                    count += 1
                    self._numbers[id(element)] = count
                elif element.name in _UNREAD:
                    self._leave_out(f"the text of {_UNREAD[element.name]} is not read")
            yield block

    # -- blocks ----------------------------------------------------------------------------------

    def _blocks(self, parent: Element) -> None:
        for child in parent.children:
            self._block(child)

    def _block(self, element: Element) -> None:
        name = element.name
        if name == "w:p":
            self._paragraph(element)
        elif name == "w:tbl":
            self._end_code()
            self._table(element)
        elif name == "mc:AlternateContent":
            chosen = choice(element)
            if chosen is not None:
                self._blocks(chosen)
        elif name == "w:altChunk":
            self._embedded(element)
        elif name.startswith("w:") and name not in ("w:sdtPr", "w:del", "w:moveFrom"):
            self._blocks(element)

    def _embedded(self, chunk: Element) -> None:
        """A document within the document: a page of HTML is read, others are told of."""
        self._end_code()
        target = self._targets[self.part].get(chunk.get("r:id"))
        part = target.name if target is not None and not target.external else ""
        if part in self.office.package:
            data = self.office.package.read(part)
            if media_type(data, part) == HTML:
                self._places.write(part, data, self._writer, self._settings)
                return
        self._leave_out(f"a document that is embedded as a part of the text is not read: {part}")

    def _leave_out(self, message: str) -> None:
        notice: Notice = {"code": "left_out", "page": None, "message": message}
        if notice not in self._notices:
            self._notices.append(notice)

    def _paragraph(self, paragraph: Element) -> None:
        runs, boxes = self.line(paragraph, self.part, self._numbers[id(paragraph)])
        runs = self._begun + runs
        self._begun = []
        if _is_begun(paragraph):
            self._begun = runs
            self._boxes(boxes)
            return
        look = self._look(paragraph)
        if self._is_code(paragraph, look):
            own = _own(runs)
            if own or self._code:
                self._code.append(own)
                self._is_code_style |= look.style.is_code
        else:
            self._end_code()
            if look.style.is_title or look.outline is not None:
                self._heading(_own(runs), look)
            elif look.label is not None and any(run.text.strip() for run in runs):
                self._item(runs, look.label)
            else:
                self._writer.paragraph(runs)
        self._boxes(boxes)

    def _boxes(self, boxes: list[Element]) -> None:
        for box in boxes:
            self._blocks(box)

    def _heading(self, runs: list[Run], look: "_Look") -> None:
        text = " ".join("".join(run.text for run in runs).split())
        if not text:
            return
        self._notes.write(self._writer)
        if look.style.is_title:
            self._title = self._title or text
            self._shift = 1
            self._writer.heading(1, runs)
            return
        if self._settings.heading_numbers and look.label is not None and look.label.text:
            runs = [Run(look.label.text + " "), *runs]
        self._writer.heading((look.outline or 0) + 1 + self._shift, runs)

    def _item(self, runs: list[Run], label: Label) -> None:
        if not label.text and not label.is_bullet:
            with self._writer.in_item():
                self._writer.paragraph(runs)
            return
        if re.fullmatch("[0-9]{1,9}[.)]", label.text):
            self._writer.item(label.level, label.text, runs)
        else:
            self._writer.item(label.level, "-", [*_printed(label), *runs])

    def _end_code(self) -> None:
        lines = self._code
        is_code = self._is_code_style or any(
            _CODE_SIGNS.search(run.text) for line in lines for run in line
        )
        self._code = []
        self._is_code_style = False
        while lines and not any(run.text.strip() for run in lines[-1]):
            lines.pop()
        if lines and is_code:
            self._writer.code([run for line in lines for run in [*line, Run("\n")]])
        elif lines:
            for line in lines:
                self._writer.paragraph(line)

    # -- tables ----------------------------------------------------------------------------------

    def _table(self, table: Element) -> None:
        rows = [row for row in _parts(table, "w:tr") if not _is_deleted(row)]
        cells = [list(_parts(row, "w:tc")) for row in rows]
        if self._is_layout(table, cells):
            for row_cells in cells:
                for cell in row_cells:
                    self._blocks(cell)
            return
        grid = Grid(self._settings.max_objects)
        for row, row_cells in zip(rows, cells, strict=True):
            grid.row([*_gap(row), *[self._cell(cell) for cell in row_cells]])
        lines = grid.rows()
        if lines:
            self._writer.table(lines)

    def _is_layout(self, table: Element, cells: list[list[Element]]) -> bool:
        """Whether a table only arranges what is on the page."""
        if sum(map(len, cells)) == 1:
            return True
        is_column = all(len(row) == 1 for row in cells)
        for row in cells:
            for cell in row:
                size = _size(cell)
                headings = [
                    _size(part)
                    for part in cell.walk()
                    if part.name == "w:p" and self._is_heading(part)
                ]
                if 0 < sum(headings) < size - MAX_UNDER_HEADING:
                    return True  # a section
                if size > MAX_CELL and (
                    is_column or headings or any(part.name == "w:tbl" for part in cell.walk())
                ):
                    return True
        return False

    def _cell(self, cell: Element) -> tuple[list[Run], int, int]:
        """The text of a cell in one line, and how many columns and rows it takes."""
        properties = cell.first("w:tcPr")
        columns = 1
        is_continued = False
        if properties is not None:
            span = properties.first("w:gridSpan")
            columns = min(max(1, number(span)), 1000) if span is not None else 1
            for name in ("w:vMerge", "w:hMerge"):
                merge = properties.first(name)
                is_continued |= merge is not None and merge.get("w:val") != "restart"
        runs: list[Run] = []
        self._flatten(cell, runs)
        return [] if is_continued else runs, columns, 1

    def _flatten(self, parent: Element, runs: list[Run]) -> None:
        for element in parent.children:
            if element.name == "w:p":
                look = self._look(element)
                line, boxes = self.line(element, self.part, self._numbers[id(element)], plain=True)
                if any(run.text.strip() for run in line):
                    runs.extend([*([Run(" ")] if runs else []), *_printed(look.label), *line])
                for box in boxes:
                    self._flatten(box, runs)
            elif element.name == "mc:AlternateContent":
                chosen = choice(element)
                if chosen is not None:
                    self._flatten(chosen, runs)
            elif element.name == "w:tr" and _is_deleted(element):
                continue
            elif element.name.startswith("w:") and element.name not in ("w:sdtPr", "w:tcPr"):
                self._flatten(element, runs)

    # -- what a paragraph is ---------------------------------------------------------------------

    def _look(self, paragraph: Element) -> "_Look":
        """What a paragraph is; it is counted, so this is asked once of each, in order."""
        properties = paragraph.first("w:pPr")
        style_id = self._style_id(paragraph)
        style = self.styles.of(style_id)
        num_id, level = style.num_id, style.num_level
        if num_id and level is None:
            level = self._numbering.level_of(num_id, style_id)
        numbering = properties.first("w:numPr") if properties is not None else None
        if numbering is not None:
            said_id = numbering.first("w:numId")
            said_level = numbering.first("w:ilvl")
            if said_id is not None:
                num_id = said_id.get("w:val")
            if said_level is not None:
                level = number(said_level)
        label = None
        outline = self._outline(paragraph)
        if num_id:
            level = min(8, level or 0)
            label = self._numbering.label(num_id, level)
            if outline is None and numbering is not None and style_id == self.styles.default:
                # What is numbered as the headings are is one, though nobody gave it the style.
                linked = self._numbering.style_of(num_id, level)
                outline = self.styles.of(linked).outline if linked else None
        if outline is not None and outline >= BODY_TEXT:
            outline = None
        return _Look(style, outline, label)

    def _style_id(self, paragraph: Element) -> str:
        named = paragraph.find("w:pPr", "w:pStyle")
        return named.get("w:val") if named is not None else self.styles.default

    def _outline(self, paragraph: Element) -> int | None:
        direct = paragraph.find("w:pPr", "w:outlineLvl")
        return number(direct) if direct is not None else self._style(paragraph).outline

    def _style(self, paragraph: Element) -> Style:
        return self.styles.of(self._style_id(paragraph))

    def _is_heading(self, paragraph: Element) -> bool:
        outline = self._outline(paragraph)
        return outline is not None and outline < BODY_TEXT

    def _is_code(self, paragraph: Element, look: "_Look") -> bool:
        """Whether a paragraph is a line of code: by its style, or a fixed width all along."""
        if look.outline is not None or look.label is not None or self.styles.is_monospaced:
            return False
        if look.style.is_code or look.style.is_monospaced:
            return True
        texts = [one for one in inlines(paragraph, self.styles) if one.text.strip()]
        return bool(texts) and all(one.is_code for one in texts)

    def line(
        self, paragraph: Element, part: str, count: int, *, plain: bool = False
    ) -> tuple[list[Run], list[Element]]:
        """The runs of the paragraph `count` of a part, and the text boxes in it.

        `plain` leaves out the marks of code and links.
        """
        found = list(inlines(paragraph, self.styles))
        text = "".join(inline.text for inline in found)
        place = {"part": part, "paragraph": count, "id": paragraph.attrs.get("w14:paraId")}
        origin = self._texts.add(place, text) if text else ADDED
        is_all_code = all(one.is_code for one in found if one.text.strip())
        runs: list[Run] = []
        offset = 0
        for (is_code, address), group in groupby(found, lambda one: (one.is_code, one.link)):
            alike = []
            for inline in group:
                if inline.note is not None:
                    alike.append(Run(self._notes.mark(inline.note)))
                elif inline.text:
                    alike.append(Run(inline.text, origin, offset))
                    offset += len(inline.text)
            if not plain and any(run.text.strip() for run in alike):
                if is_code and not is_all_code and not self.styles.is_monospaced:
                    alike = code_span(alike)
                if address:
                    alike = link(alike, self._address(address, part))
            runs.extend(alike)
        return runs, [inline.box for inline in found if inline.box is not None]

    def _address(self, said: str, part: str) -> str:
        if said.startswith("="):
            return said[1:]
        if part not in self._targets:
            self._targets[part] = self.office.targets(part)
        target = self._targets[part].get(said)
        return target.name if target is not None and target.external else ""


class _Look(NamedTuple):
    style: Style
    outline: int | None
    """The level as a heading, from 0; None for other text."""
    label: Label | None


def _own(runs: list[Run]) -> list[Run]:
    """The runs without marks of our own."""
    return [run for run in runs if run.origin != ADDED]


def _printed(label: Label | None) -> list[Run]:
    return [Run(label.text + " ")] if label is not None and label.text else []


def _size(element: Element) -> int:
    """How many characters of text are in an element."""
    return sum(len(part.text) for part in element.walk() if part.name == "w:t")


def _is_begun(paragraph: Element) -> bool:
    """Whether the next paragraph goes on with this: a big letter, or the mark is deleted."""
    frame = paragraph.find("w:pPr", "w:framePr")
    if frame is not None and frame.get("w:dropCap") in ("drop", "margin"):
        return True
    mark = paragraph.find("w:pPr", "w:rPr")
    return mark is not None and any(
        mark.first(name) is not None for name in ("w:del", "w:moveFrom")
    )


def _is_deleted(row: Element) -> bool:
    return row.find("w:trPr", "w:del") is not None


def _gap(row: Element) -> list[tuple[list[Run], int, int]]:
    """The columns that a row leaves empty before its first cell."""
    before = row.find("w:trPr", "w:gridBefore")
    return [([], min(number(before), 1000), 1)] if before is not None else []


def _parts(parent: Element, name: str) -> Iterator[Element]:
    """The rows of a table or cells of a row, also those in content controls and the like."""
    for child in parent.children:
        if child.name == name:
            yield child
        elif child.name.startswith("w:") and child.name not in ("w:tr", "w:tc", "w:p", "w:tbl"):
            yield from _parts(child, name)
