"""Tree to document: what is seen of a page, block by block."""

import re
from collections.abc import Mapping
from typing import Final

from spanwise.document import Document, Notice
from spanwise.formats import Settings
from spanwise.formats.depth import deep
from spanwise.formats.formulas import laid_out
from spanwise.formats.grids import Grid
from spanwise.formats.html.contents import Contents
from spanwise.formats.html.languages import language_of
from spanwise.formats.html.lines import GrowingLine
from spanwise.formats.html.names import MATHML_TEXT
from spanwise.formats.html.nodes import HTML, MATHML, Element, Node, Text
from spanwise.formats.html.parsing import Parsed
from spanwise.formats.html.places import SOURCE, Spans
from spanwise.formats.html.stylesheets import Sheets
from spanwise.formats.html.tables import cells_of, is_divider, is_layout, rows_of, span
from spanwise.formats.html.teasers import Teasers
from spanwise.formats.html.texts import all_text, own_text, says_something, size_of
from spanwise.formats.html.visible import Visible, elements, heading_level, is_page_break
from spanwise.formats.writer import ADDED, Run, Writer, code_span, link

_BLOCKS: Final = frozenset(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset "
    "figcaption figure footer form header hgroup hr html legend li listing main menu nav ol "
    "optgroup option p pre search section summary table tbody td tfoot th thead tr ul xmp".split()
)
_HEADINGS: Final = frozenset("h1 h2 h3 h4 h5 h6".split())
_CODE: Final = frozenset("code kbd samp tt".split())


def read_tree(parsed: Parsed, settings: Settings, media_type: str) -> Document:
    """The document of a parsed page; a notice tells of one without text."""
    writer = Writer()
    reader = PageReader(parsed, writer, settings)
    with deep(settings.max_depth):
        reader.read()
    notices: list[Notice] = flat_notices(parsed, settings.max_depth)
    document = writer.document(media_type, reader.title, reader.spans, notices)
    if not document.text:
        notices.append({"code": "no_text", "page": None, "message": "there is no text in it"})
    return document


def flat_notices(parsed: Parsed, max_depth: int) -> list[Notice]:
    """A notice where elements were nested too deep to be kept so, else none."""
    if not parsed.flattened:
        return []
    message = f"elements within more than {max_depth} others are read as if beside each other"
    return [{"code": "flattened", "page": None, "message": message}]


class PageReader:
    """Writes one page; its origins are those of `spans`, from `first_origin` on."""

    def __init__(
        self,
        parsed: Parsed,
        writer: Writer,
        settings: Settings,
        *,
        everything: bool = False,
        first_origin: int = 0,
        below: int = 0,
        pages: Mapping[str, str] | None = None,
    ) -> None:
        """`everything` keeps what is around the content, as the option `boilerplate` does.

        The headings are below the level `below`. `pages` are the ids at which pages of print begin,
        with what is printed on those; an empty id is the beginning.
        """
        self.spans = Spans(parsed.pieces)
        self.title = ""
        self.level = 0
        """The highest level of the headings that are written; 0 without any."""
        self._below = below
        self._shift = 0
        """By how much the headings are pushed down."""
        self._pages: Mapping[str, str] = pages if pages is not None else {}
        self._tree = parsed.tree
        self._pieces = parsed.pieces
        self._writer = writer
        sheets = [
            own_text(one, parsed.pieces)
            for one in elements(parsed.tree)
            if one.name == "style"
            and one.attrs.get("media", "all").lower() in ("", "all", "screen")
        ]
        self._visible = Visible(everything or settings.boilerplate, Sheets(sheets), parsed.pieces)
        self._max_cells = settings.max_objects
        self._first_origin = first_origin
        self._line = GrowingLine()
        self._flushes = 0
        self._in_line = 0
        """More than 0 where blocks are no blocks: in a heading or a cell."""
        self._element: str | None = None
        self._next_piece = 0
        self._markers: list[str] = []
        """For each list that is open the marker of its item."""
        self._marker: str | None = None
        """The marker of an item of which nothing is written yet."""
        self._contents = Contents([], heading_level)
        self._teasers = Teasers() if not (everything or settings.boilerplate) else None

    def read(self) -> None:
        """Write what is seen of the page."""
        html = next((node for node in self._tree.children if isinstance(node, Element)), None)
        for child in html.children if html is not None else ():
            if isinstance(child, Element) and child.name == "head":
                title = next((one for one in elements(child) if one.name == "title"), None)
                self.title = (
                    " ".join(own_text(title, self._pieces).split()) if title is not None else ""
                )
            elif isinstance(child, Element) and child.name == "body":
                roots = self._visible.root(child)
                self._survey(roots)
                for root in roots:
                    self._root(root)

    def _survey(self, roots: list[Element]) -> None:
        """Know the levels of headings before any is written."""
        self._contents = Contents(roots, self._level)
        highest = self._contents.highest
        self._shift = max(0, self._below + 1 - highest)
        self.level = min(6, highest + self._shift) if highest else 0

    def _level(self, element: Element) -> int:
        """The level of a heading of this page, else 0."""
        level = heading_level(element)
        return level if not level or not self._teasers or not self._teasers.has(element) else 0

    def _root(self, root: Element) -> None:
        self._element = None
        node: Node | None = root
        while isinstance(node, Element) and self._element is None:
            self._element = node.attrs.get("id") or None
            node = node.parent
        self._turn_page("")
        if "id" in root.attrs:
            self._turn_page(root.attrs["id"])
        if heading_level(root):
            self._one(root)
        else:
            self._children(root)
        self._flush()

    # -- nodes -----------------------------------------------------------------------------------

    def _children(self, node: Node) -> None:
        for child in node.children:
            if isinstance(child, Text):
                for piece in child.pieces:
                    self._text(piece)
            elif isinstance(child, Element) and not self._visible.leaves_out(child):
                if child.attrs:
                    key = child.attrs.get("id") or child.attrs.get("name") or ""
                    is_turned = key != "" and self._turn_page(key)
                    if is_page_break(child):
                        if not is_turned:
                            self._page_break(child)
                        continue
                before = self._element
                self._element = child.attrs.get("id") or before
                self._one(child)
                self._element = before

    def _page_break(self, element: Element) -> None:
        attrs = element.attrs
        label = attrs.get("title") or attrs.get("aria-label") or self._all_text(element)
        self.spans.breaks.append((self._next_piece, " ".join(label.split()).rstrip(".")))

    def _turn_page(self, key: str) -> bool:
        """Whether a page begins at an id, as the list of pages says; noted if so."""
        label = self._pages.get(key)
        if label is None:
            return False
        self.spans.breaks.append((self._next_piece, label))
        return True

    def _one(self, element: Element) -> None:
        name = element.name if element.namespace == HTML else ""
        level = self._level(element) if element.namespace == HTML else 0
        if level and not self._in_line:
            self._heading(element, level)
        elif name in _BLOCKS or name in _HEADINGS or level:
            self._flush()
            self._block(element, name)
            self._flush()
        elif name == "br":
            self._break()
        elif name in _CODE and not self._in_line and not self._line.pre:
            self._marked(element, "")
        elif name == "a" and not self._line.pre:
            address = element.attrs.get("href", "").strip()
            if address.startswith("#") and not says_something(element, self._pieces):
                return  # a sign that leads here or back
            if address.startswith("#") and _is_raised(element):
                self._note_mark(element)
            elif not self._in_line:
                self._marked(element, address)
            else:
                self._children(element)
        elif name == "input":
            if element.attrs.get("type", "").lower() == "checkbox" and self._marker:
                self._line.add("[x]" if "checked" in element.attrs else "[ ]")
                self._line.blank()
        elif element.namespace == MATHML and element.name not in MATHML_TEXT:
            inside = [child for child in element.children if isinstance(child, Element)]
            for part in laid_out(element.name, element.attrs, inside, _name, self._all_text):
                if isinstance(part, str):
                    self._line.add(part)
                else:
                    self._one(part)
        else:
            self._children(element)

    def _block(self, element: Element, name: str) -> None:
        if self._in_line or self._line.pre:
            self._children(element)
        elif name in ("ul", "ol", "menu", "dir"):
            self._list(element)
        elif name == "li":
            self._item(element)
        elif name in ("pre", "listing", "xmp"):
            self._code(element)
        elif name == "table":
            self._table(element)
        elif name == "blockquote" and not self._markers and self._is_quote(element):
            with self._writer.quote():
                self._children(element)
                self._flush()
        else:
            self._children(element)

    def _is_quote(self, element: Element) -> bool:
        return (
            element not in self._contents.with_heading and element not in self._contents.with_table
        )

    # -- blocks ----------------------------------------------------------------------------------

    def _heading(self, element: Element, level: int) -> None:
        self._flush()
        self._writer.end_list()
        self._writer.heading(level + self._shift, self._collected(element))

    def _list(self, element: Element) -> None:
        before = self._marker
        self._marker = None
        first = element.attrs.get("start", "")
        number = int(first) if first.isdecimal() and len(first) < 9 else 1
        self._markers.append(f"{number}." if element.name == "ol" else "-")
        self._children(element)
        self._flush()
        self._markers.pop()
        self._marker = before
        if not self._markers:
            self._writer.end_list()

    def _item(self, element: Element) -> None:
        if element in self._contents.with_heading:
            self._children(element)
            return
        outer = self._markers
        if not outer:
            self._markers = ["-"]
        marker = self._markers[-1]
        value = element.attrs.get("value", "")
        if marker != "-":
            if value.isdecimal() and len(value) < 9:
                marker = f"{value}."
            self._markers[-1] = f"{min(int(marker[:-1]) + 1, 999_999_999)}."
        self._marker = marker
        self._children(element)
        self._flush()
        self._marker = None
        self._markers = outer

    def _code(self, element: Element) -> None:
        runs = self._collected(element, pre=True)
        text = "".join(run.text for run in runs)
        if not text.strip():
            return
        blank_lines = len(text) - len(text.lstrip("\n"))
        while blank_lines:
            cut = min(blank_lines, len(runs[0].text))
            blank_lines -= cut
            runs[0] = runs[0]._replace(text=runs[0].text[cut:], offset=runs[0].offset + cut)
            if not runs[0].text:
                del runs[0]
        while not runs[-1].text.strip():
            runs.pop()
        runs[-1] = runs[-1]._replace(text=runs[-1].text.rstrip())
        with self._writer.in_item():
            self._writer.code(runs, language_of(element))

    def _table(self, element: Element) -> None:
        if is_layout(element, self._size):
            self._children(element)
            return
        grid = Grid(self._max_cells)
        for child in element.children:
            if isinstance(child, Element) and child.name == "caption":
                self._children(child)
                self._flush()
        for row in rows_of(element):
            if self._visible.leaves_out(row):
                continue
            cells = [cell for cell in cells_of(row) if not self._visible.leaves_out(cell)]
            if is_divider(cells, self._size):
                self._end_table(grid)
                grid = Grid(self._max_cells)
                self._children(cells[0])
                self._flush()
                continue
            grid.row(
                [
                    (self._collected(cell), span(cell, "colspan"), span(cell, "rowspan"))
                    for cell in cells
                ]
            )
        self._end_table(grid)

    def _end_table(self, grid: Grid) -> None:
        rows = grid.rows()
        if rows:
            with self._writer.in_item():
                self._writer.table(rows)

    # -- lines -----------------------------------------------------------------------------------

    def _collected(self, element: Element, pre: bool = False) -> list[Run]:
        """The text of an element as one line, or as it stands."""
        self._flush()
        before = self._element
        self._element = element.attrs.get("id") or before
        self._in_line += 1
        self._line.pre = pre
        self._children(element)
        self._line.pre = False
        self._in_line -= 1
        self._element = before
        return self._line.taken()

    def _flush(self) -> None:
        """Here a block begins or ends."""
        if self._in_line:
            if not self._line.pre:
                self._line.blank()
            return
        self._flushes += 1
        line = self._line.taken()
        if not line:
            return
        if self._marker is not None:
            self._writer.item(len(self._markers) - 1, self._marker, line)
            self._marker = None
        elif self._markers:
            with self._writer.in_item():
                self._writer.paragraph(line)
        else:
            self._writer.paragraph(line)

    def _break(self) -> None:
        line = self._line
        if line.pre:
            line.add("\n")
            return
        line.breaks += 1
        if line.breaks == 2 and not self._in_line:
            self._flush()
        else:
            line.blank()

    def _marked(self, element: Element, address: str) -> None:
        """Code or a link within a line."""
        line = self._line
        if line.runs:
            line.settle()
        at = len(line.runs)
        flushes = self._flushes
        self._children(element)
        runs = line.runs[at:]
        if flushes != self._flushes or not any(run.origin != ADDED for run in runs):
            return
        line.runs[at:] = code_span(runs) if element.name != "a" else link(runs, address)

    def _note_mark(self, element: Element) -> None:
        """A link to a note, in brackets so that its number is not one with the word before."""
        runs = self._line.runs
        at = len(runs)
        self._children(element)
        text = "".join(run.text for run in runs[at:])
        if runs is self._line.runs and re.fullmatch(r"[^\W_]{1,5}|[*†‡§]{1,3}", text):
            runs[at:] = [Run("[^"), *runs[at:], Run("]")]

    # -- text ------------------------------------------------------------------------------------

    def _text(self, number: int) -> None:
        text, start, end = self._pieces[number]
        self._next_piece = number + 1
        self.spans.elements[number] = self._element
        origin = self._first_origin + SOURCE
        offset = start
        if end - start != len(text):
            origin += number + 1
            offset = 0
        self._line.text(text, origin, offset)

    def _all_text(self, element: Element) -> str:
        return all_text(element, self._pieces)

    def _size(self, element: Element) -> int:
        return size_of(element, self._pieces)


def _name(element: Element) -> str:
    return element.name


def _is_raised(link: Element) -> bool:
    """Whether a link is, or holds, a superscript."""
    inside = [child for child in link.children if isinstance(child, Element)]
    around = link.parent
    return (isinstance(around, Element) and around.name == "sup") or (
        len(inside) == 1 and inside[0].name == "sup"
    )
