"""Word to document: the blocks of the body one after the other."""

import re
from collections.abc import Iterator
from typing import Final

from spanwise.document import Document
from spanwise.errors import UnreadableSource
from spanwise.formats import Settings
from spanwise.formats.charts import write_chart
from spanwise.formats.docx.embedded import MAX_EMBEDDED, Output
from spanwise.formats.docx.lines import Lines
from spanwise.formats.docx.looks import Look, Looks
from spanwise.formats.docx.numbering import Label, Numbering
from spanwise.formats.docx.prominence import prominent
from spanwise.formats.docx.styles import Styles
from spanwise.formats.docx.tables import (
    cells_of,
    columns_of,
    gap,
    is_continued,
    is_deleted,
    is_layout,
    rows_of,
)
from spanwise.formats.drawings import TEXTS, points
from spanwise.formats.grids import Grid
from spanwise.formats.office import SPACES, Office, choice
from spanwise.formats.sniffing import DOCX, HTML, media_type
from spanwise.formats.writer import ADDED, Run
from spanwise.formats.xml import Element, Limits, elements

KIND: Final = "Word document"
BLOCKS: Final = frozenset(("w:p", "w:tbl", "w:sdt", "w:altChunk", "mc:AlternateContent"))
"""What a body is made of; whatever is around these does not matter."""
_CODE_SIGNS: Final = re.compile(r"[{}();=<>\[\]|$#`]|^\s{2,}\S")
"""What prose that is set in type of a fixed width has less of than code."""


class Reader:
    """Reads one file."""

    def __init__(
        self, office: Office, settings: Settings, output: Output | None = None, outer: str = ""
    ) -> None:
        """Styles and numbering are read first.

        A file that is embedded goes where the `output` of the other is; `outer` is its part there.
        """
        self.office = office
        self.part = office.main()
        targets = office.targets(self.part)
        self._styles = Styles(office.tree_of(targets, "styles"))
        numbering = Numbering(office.tree_of(targets, "numbering"), self._styles)
        self._looks = Looks(self._styles, numbering)
        self._settings = settings
        self._outer = outer
        self._output = output or Output()
        self._writer = self._output.writer
        self._lines = Lines(
            office, self.part, self._styles, self._output.texts, self._output.counts, outer
        )
        self._numbers: dict[int, int] = {}
        """The number of each paragraph of the block that is read, by its identity."""
        self._title: str | None = None
        self._shift = 0
        """By how much a title has pushed the headings down."""
        self._prominent: dict[int, int] = {}
        """The levels of paragraphs that look like headings, where nothing says what is one."""
        self._code: list[list[Run]] = []
        """Lines that are code, if anything in them looks like it."""
        self._is_code_style = False
        self._begun: list[Run] = []
        """What the next paragraph begins with: a big letter, or one whose end is deleted."""

    def document(self, own_type: str) -> Document:
        """All that is in the file, which is of the media type `own_type`."""
        self.read()
        output = self._output
        title = self._title or self.office.title()
        document = self._writer.document(own_type, title, output.places, output.notices)
        if not document.text:
            output.notices.append(
                {"code": "no_text", "page": None, "message": "there is no text in it"}
            )
        return document

    def read(self) -> None:
        """Write all that is in the file."""
        data = self.office.package.read(self.part)
        if not self._outer:
            # What is read twice counts to the limits once.
            blocks = self._body(data, Limits(self._settings))
            self._prominent = prominent(blocks, self._looks, self._styles)
        for block in self._numbered(data):
            self._block(block)
        self._end_code()
        self._writer.paragraph(self._begun)
        self._lines.notes.write(self._writer)

    def _body(self, data: bytes, limits: Limits) -> Iterator[Element]:
        """The outermost blocks."""
        return elements(data, SPACES, limits, self.part, BLOCKS, "w:document")

    def _numbered(self, data: bytes) -> Iterator[Element]:
        """The outermost blocks; meanwhile the numbers of their paragraphs are known."""
        count = 0
        for block in self._body(data, self.office.limits):
            self._numbers.clear()
            for element in block.walk():
                if element.name == "w:p":
                    count += 1
                    self._numbers[id(element)] = count
                elif element.name == "a:t":
                    self._output.leave_out("the text of a drawing is not read")
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
        """A document within the document: HTML and Word are read, others are told of."""
        self._end_code()
        self._lines.notes.write(self._writer)
        output = self._output
        target = self._lines.target(chunk.get("r:id"), self.part)
        part = target.name if target is not None and not target.external else ""
        kind = ""
        if part in self.office.package and output.embedded < MAX_EMBEDDED:
            output.embedded += 1
            data = self.office.package.read(part)
            kind = media_type(data, part)
        if kind == HTML:
            output.places.write(self._lines.place(part), data, self._writer, self._settings)
        elif kind == DOCX and not self._outer:
            try:
                office = Office(data, self._settings, KIND, self.office)
                reader = Reader(office, self._settings, output, part)
                reader._shift = self._shift
                reader.read()
            except UnreadableSource as error:
                # What could be read of it is written already.
                output.leave_out(f"an embedded document cannot be read, or not whole: {error}")
        else:
            output.leave_out(
                f"a document that is embedded as a part of the text is not read: {part}"
            )

    def _paragraph(self, paragraph: Element) -> None:
        count = self._numbers[id(paragraph)]
        runs, boxes = self._lines.of(paragraph, self.part, count)
        runs = self._begun + runs
        self._begun = []
        if _is_begun(paragraph):
            self._begun = runs
            self._boxes(boxes)
            return
        look = self._looks.of(paragraph)
        if count in self._prominent:
            look = look._replace(outline=self._prominent[count])
        if self._looks.is_code(paragraph, look):
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
            if box.name == "dgm:relIds":
                self._diagram(box)
            elif box.name == "c:chart":
                self._chart(box)
            else:
                self._blocks(box)

    def _diagram(self, box: Element) -> None:
        drawing = self._drawing(box.get("r:dm"), "a diagram")
        if drawing is not None:
            self._writer.end_list()
            for depth, paragraph in points(drawing.root):
                self._writer.item(depth, "-", drawing.line(paragraph))
            self._writer.end_list()

    def _chart(self, box: Element) -> None:
        drawing = self._drawing(box.get("r:id"), "a chart")
        if drawing is not None:
            maximum = self._settings.max_objects
            write_chart(drawing.root, self._writer, drawing.line, maximum)

    def _drawing(self, key: str, what: str) -> "_Drawing | None":
        """What a part of its own holds; a notice where there is none."""
        target = self._lines.target(key, self.part)
        if target is None or target.external or target.name not in self.office.package:
            self._output.leave_out(f"the text of {what} is not there")
            return None
        self._end_code()
        return _Drawing(self.office.tree(target.name), target.name, self._lines)

    def _heading(self, runs: list[Run], look: Look) -> None:
        text = " ".join("".join(run.text for run in runs).split())
        if not text:
            return
        self._lines.notes.write(self._writer)
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
        rows = rows_of(table)
        cells = [cells_of(row) for row in rows]
        if is_layout(cells, self._looks.is_heading):
            for row_cells in cells:
                for cell in row_cells:
                    self._blocks(cell)
            return
        grid = Grid(self._settings.max_objects)
        for row, row_cells in zip(rows, cells, strict=True):
            columns = gap(row)
            before: list[tuple[list[Run], int, int]] = [([], columns, 1)] if columns else []
            grid.row([*before, *[self._cell(cell) for cell in row_cells]])
        lines = grid.rows()
        if lines:
            self._writer.table(lines)

    def _cell(self, cell: Element) -> tuple[list[Run], int, int]:
        """The text of a cell in one line, and how many columns and rows it takes."""
        runs: list[Run] = []
        self._flatten(cell, runs)
        return [] if is_continued(cell) else runs, columns_of(cell), 1

    def _flatten(self, parent: Element, runs: list[Run]) -> None:
        for element in parent.children:
            if element.name == "w:p":
                look = self._looks.of(element)
                line, boxes = self._lines.of(
                    element, self.part, self._numbers[id(element)], plain=True
                )
                if any(run.text.strip() for run in line):
                    runs.extend([*([Run(" ")] if runs else []), *_printed(look.label), *line])
                for box in boxes:
                    self._flatten_box(box, runs)
            elif element.name == "mc:AlternateContent":
                chosen = choice(element)
                if chosen is not None:
                    self._flatten(chosen, runs)
            elif element.name == "w:altChunk":
                self._output.leave_out("a document that is embedded in a table is not read")
            elif element.name == "w:tr" and is_deleted(element):
                continue
            elif element.name.startswith("w:") and element.name not in ("w:sdtPr", "w:tcPr"):
                self._flatten(element, runs)

    def _flatten_box(self, box: Element, runs: list[Run]) -> None:
        if box.name == "w:txbxContent":
            self._flatten(box, runs)
            return
        key = box.get("r:dm" if box.name == "dgm:relIds" else "r:id")
        drawing = self._drawing(key, "a diagram" if box.name == "dgm:relIds" else "a chart")
        if drawing is None:
            return
        for paragraph in drawing.paragraphs():
            line = drawing.line(paragraph)
            runs.extend([*([Run(" ")] if runs and line else []), *line])


class _Drawing:
    """A part that holds a diagram or a chart."""

    def __init__(self, root: Element, part: str, lines: Lines) -> None:
        self.root = root
        self._part = part
        self._lines = lines
        found = (one for one in root.walk() if one.name in TEXTS)
        self._numbers = {id(one): number for number, one in enumerate(found, start=1)}

    def paragraphs(self) -> Iterator[Element]:
        """All its paragraphs, a diagram's in the order of its points."""
        if self.root.name == "dgm:dataModel":
            return (paragraph for _, paragraph in points(self.root))
        return (one for one in self.root.walk() if one.name in TEXTS)

    def line(self, paragraph: Element) -> list[Run]:
        """The runs of one of its paragraphs."""
        return self._lines.drawn(paragraph, self._part, self._numbers[id(paragraph)])


def _own(runs: list[Run]) -> list[Run]:
    """The runs without marks of our own."""
    return [run for run in runs if run.origin != ADDED]


def _printed(label: Label | None) -> list[Run]:
    return [Run(label.text + " ")] if label is not None and label.text else []


def _is_begun(paragraph: Element) -> bool:
    """Whether the next paragraph goes on with this: a big letter, or the mark is deleted."""
    frame = paragraph.find("w:pPr", "w:framePr")
    if frame is not None and frame.get("w:dropCap") in ("drop", "margin"):
        return True
    mark = paragraph.find("w:pPr", "w:rPr")
    return mark is not None and any(
        mark.first(name) is not None for name in ("w:del", "w:moveFrom")
    )
