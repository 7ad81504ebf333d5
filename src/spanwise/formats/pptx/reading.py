"""Presentation to document: a slide after the other, shape by shape."""

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from spanwise.document import Document, Notice
from spanwise.errors import UnreadableSource
from spanwise.formats import Settings
from spanwise.formats.charts import write_chart
from spanwise.formats.docx.numbering import formatted
from spanwise.formats.drawings import TEXTS, drawn, points
from spanwise.formats.grids import Grid
from spanwise.formats.office import Office, Target, choice
from spanwise.formats.places import Texts
from spanwise.formats.writer import ADDED, Run, Writer, link, trimmed
from spanwise.formats.xml import Element

_TITLES: Final = frozenset(("title", "ctrTitle"))
_FURNITURE: Final = frozenset(("dt", "ftr", "hdr", "sldNum"))
_BODIES: Final = frozenset(("", "body", "obj"))
_NUMBERS: Final = {
    "arabic": "decimal",
    "alphaLc": "lowerLetter",
    "alphaUc": "upperLetter",
    "romanLc": "lowerRoman",
    "romanUc": "upperRoman",
}
_SCHEME: Final = re.compile(
    r"(arabic|alphaLc|alphaUc|romanLc|romanUc)(Period|ParenR|ParenBoth|Plain)"
)
_BULLETS: Final = frozenset(("a:buNone", "a:buChar", "a:buAutoNum", "a:buBlip"))


class _Slide(NamedTuple):
    number: int
    part: str
    root: Element
    targets: dict[str, Target]


class _Deck:
    """The slides of a presentation."""

    def __init__(self, office: Office) -> None:
        self.office = office
        self._part = self.office.main()
        self._root = self.office.tree(self._part)
        if self._root.name != "p:presentation":
            raise UnreadableSource(
                f"not a presentation: {self._part} begins with {self._root.name}"
            )

    def slides(self) -> Iterator[_Slide]:
        """The slides in their order; one that is named again, which none may be, stands once."""
        seen: set[str] = set()
        targets = self.office.targets(self._part)
        ids = self._root.first("p:sldIdLst")
        for number, entry in enumerate(ids.children if ids is not None else (), start=1):
            target = targets.get(entry.get("r:id"))
            part = target.name if target is not None else ""
            if part in self.office.package and part not in seen:
                seen.add(part)
                yield _Slide(number, part, self.office.tree(part), self.office.targets(part))


class Reader:
    """Reads one file."""

    def __init__(self, office: Office, settings: Settings) -> None:
        """The order of the slides is read first."""
        self._deck = _Deck(office)
        self._office = office
        self._settings = settings
        self._texts = Texts("slide")
        self._writer = Writer()
        self._notices: list[Notice] = []
        self._slide: _Slide
        self._part = ""
        self._targets: dict[str, Target] = {}
        self._numbers: dict[int, int] = {}
        self._styles: list[Element] = []
        """Layout and master of the slide."""
        self._masters: dict[str, Element] = {}
        self._title = ""

    def document(self, media_type: str) -> Document:
        """All that is in the file."""
        hidden = 0
        for slide in self._deck.slides():
            if slide.root.get("show", "1") in ("0", "false"):
                hidden += 1
            else:
                self._read(slide)
        if hidden:
            message = f"{hidden} hidden slides are left out"
            self._notices.append({"code": "left_out", "page": None, "message": message})
        title = self._office.title() or self._title
        document = self._writer.document(media_type, title, self._texts, self._notices)
        if not document.text:
            self._notices.append(
                {"code": "no_text", "page": None, "message": "there is no text in it"}
            )
        return document

    # -- slides ----------------------------------------------------------------------------------

    def _read(self, slide: _Slide) -> None:
        self._slide = slide
        self._styles = self._inherited(slide)
        self._go_to(slide.part, slide.root, slide.targets)
        shapes = list(_shapes(slide.root.find("p:cSld", "p:spTree")))
        title = next((shape for shape in shapes if _kind(shape) in _TITLES), None)
        runs = self._joined(title) if title is not None else []
        text = " ".join("".join(run.text for run in runs).split())
        rest = [shape for shape in shapes if shape is not title]
        notes = self._notes(slide)
        if text:
            self._title = self._title or text
            self._writer.heading(1, runs)
        elif any(_has_text(shape) for shape in rest) and slide.number > 1:
            self._writer.heading(1, [Run(f"Slide {slide.number}")])
        for shape in rest:
            self._shape(shape)
        if notes is not None:
            part, root = notes
            self._go_to(part, root, self._office.targets(part))
            with self._writer.quote():
                for shape in _shapes(root.find("p:cSld", "p:spTree")):
                    if _kind(shape) == "body":
                        for paragraph in _paragraphs(shape):
                            self._writer.paragraph(self._line(paragraph))

    def _inherited(self, slide: _Slide) -> list[Element]:
        found = []
        targets = slide.targets
        for kind in ("slideLayout", "slideMaster"):
            target = next((one for one in targets.values() if one.kind == kind), None)
            if target is None or target.name not in self._office.package:
                break
            if target.name not in self._masters:
                self._masters[target.name] = self._office.tree(target.name)
            found.append(self._masters[target.name])
            targets = self._office.targets(target.name)
        return found

    def _notes(self, slide: _Slide) -> tuple[str, Element] | None:
        for target in slide.targets.values():
            if target.kind == "notesSlide" and target.name in self._office.package:
                return target.name, self._office.tree(target.name)
        return None

    def _go_to(self, part: str, root: Element, targets: dict[str, Target]) -> None:
        """From here on paragraphs are those of another part."""
        self._part = part
        self._targets = targets
        paragraphs = (one for one in root.walk() if one.name in TEXTS)
        self._numbers = {id(one): number for number, one in enumerate(paragraphs, start=1)}

    # -- shapes ----------------------------------------------------------------------------------

    def _shape(self, shape: Element) -> None:
        kind = _kind(shape)
        if kind in _FURNITURE and not self._settings.keep_furniture:
            return
        if shape.name == "p:graphicFrame":
            self._graphic(shape)
            return
        counts: dict[int, int] = {}
        for paragraph in _paragraphs(shape):
            self._paragraph(shape, kind, paragraph, counts)
        self._writer.end_list()

    def _paragraph(
        self, shape: Element, kind: str | None, paragraph: Element, counts: dict[int, int]
    ) -> None:
        runs = self._line(paragraph)
        if not trimmed(runs):
            return
        properties = paragraph.first("a:pPr")
        said = properties.get("lvl", "0") if properties is not None else "0"
        level = int(said) if said.isdecimal() and len(said) == 1 else 0
        bullet = self._bullet(shape, kind, properties, level)
        for deeper in [one for one in counts if one > level]:
            del counts[deeper]
        if bullet is None or bullet.name == "a:buNone":
            counts.pop(level, None)
            if level == 0:
                self._writer.paragraph(runs)
            else:
                with self._writer.in_item():
                    self._writer.paragraph(runs)
            return
        marker = "-"
        if bullet.name == "a:buAutoNum":
            start = bullet.get("startAt", "1")
            first = int(start) if start.isdecimal() and len(start) < 6 else 1
            counts[level] = counts.get(level, first - 1) + 1
            label = _label(counts[level], bullet.get("type"))
            if re.fullmatch("[0-9]{1,9}[.)]", label):
                marker = label
            else:
                runs = [Run(label + " "), *runs]
        self._writer.item(level, marker, runs)

    def _bullet(
        self, shape: Element, kind: str | None, properties: Element | None, level: int
    ) -> Element | None:
        """What says whether a paragraph is an item, the closest first."""
        name = f"a:lvl{level + 1}pPr"
        places = [properties, shape.find("p:txBody", "a:lstStyle", name)]
        if kind is not None:
            for style in self._styles:
                for other in _shapes(style.find("p:cSld", "p:spTree")):
                    if _kind(other) == kind and _index(other) == _index(shape):
                        places.append(other.find("p:txBody", "a:lstStyle", name))
            if kind in _BODIES:
                places.extend(
                    style.find("p:txStyles", "p:bodyStyle", name) for style in self._styles
                )
        for place in places:
            for child in place.children if place is not None else ():
                if child.name in _BULLETS:
                    return child
        return None

    def _graphic(self, frame: Element) -> None:
        data = frame.find("a:graphic", "a:graphicData")
        for element in data.children if data is not None else ():
            if element.name == "a:tbl":
                self._table(element)
            elif element.name == "dgm:relIds":
                self._in_part(element.get("r:dm"), self._diagram)
            elif element.name == "c:chart":
                self._in_part(element.get("r:id"), self._chart)

    def _table(self, table: Element) -> None:
        grid = Grid(self._settings.max_objects)
        for row in table.children:
            if row.name != "a:tr":
                continue
            cells = []
            for cell in row.children:
                if cell.name == "a:tc":
                    # What a merged cell covers stands there as a cell of its own.
                    cells.append((self._joined(cell), 1, 1))
            grid.row(cells)
        rows = grid.rows()
        if rows:
            self._writer.table(rows)

    def _in_part(self, key: str, write: Callable[[Element], None]) -> None:
        """Write what is in a part of its own, as diagrams (SmartArt) and charts are."""
        target = self._targets.get(key)
        if target is None or target.external or target.name not in self._office.package:
            return
        before = self._part, self._targets, self._numbers
        root = self._office.tree(target.name)
        self._go_to(target.name, root, {})
        write(root)
        self._part, self._targets, self._numbers = before

    def _diagram(self, root: Element) -> None:
        for depth, paragraph in points(root):
            self._writer.item(depth, "-", self._line(paragraph))
        self._writer.end_list()

    def _chart(self, root: Element) -> None:
        write_chart(root, self._writer, self._line, self._settings.max_objects)

    # -- lines -----------------------------------------------------------------------------------

    def _joined(self, shape: Element) -> list[Run]:
        """The text of a shape or cell in one line."""
        runs: list[Run] = []
        for paragraph in _paragraphs(shape):
            line = [run for run in self._line(paragraph) if run.origin != ADDED]
            if trimmed(line):
                runs.extend([*([Run(" ")] if runs else []), *line])
        return runs

    def _line(self, paragraph: Element) -> list[Run]:
        found = list(drawn(paragraph))
        text = "".join(text for text, _ in found)
        if not text:
            return []
        place = {
            "slide": self._slide.number,
            "part": self._part,
            "paragraph": self._numbers[id(paragraph)],
        }
        origin = self._texts.add(place, text)
        runs: list[Run] = []
        offset = 0
        for text, key in found:
            run = Run(text, origin, offset)
            offset += len(text)
            target = self._targets.get(key)
            address = target.name if target is not None and target.external else ""
            runs.extend(link([run], address) if text.strip() else [run])
        return runs


def _shapes(parent: Element | None) -> Iterator[Element]:
    """The shapes of a slide, those of groups included, hidden ones not."""
    for child in parent.children if parent is not None else ():
        if child.name == "mc:AlternateContent":
            yield from _shapes(choice(child))
        elif child.name == "p:grpSp":
            if not _is_hidden(child):
                yield from _shapes(child)
        elif child.name in ("p:sp", "p:graphicFrame", "p:cxnSp") and not _is_hidden(child):
            yield child


def _properties(shape: Element) -> Element | None:
    return next((child for child in shape.children if child.name.startswith("p:nv")), None)


def _is_hidden(shape: Element) -> bool:
    properties = _properties(shape)
    said = properties.first("p:cNvPr") if properties is not None else None
    return said is not None and said.get("hidden") in ("1", "true")


def _placeholder(shape: Element) -> Element | None:
    properties = _properties(shape)
    return properties.find("p:nvPr", "p:ph") if properties is not None else None


def _kind(shape: Element) -> str | None:
    """The type of a placeholder; None for a shape that is none."""
    placeholder = _placeholder(shape)
    return placeholder.get("type") if placeholder is not None else None


def _index(shape: Element) -> str:
    placeholder = _placeholder(shape)
    return placeholder.get("idx") if placeholder is not None else ""


def _paragraphs(shape: Element) -> Iterator[Element]:
    for body in shape.children:
        if body.name in ("p:txBody", "a:txBody"):
            for child in body.children:
                if child.name == "a:p":
                    yield child


def _has_text(shape: Element) -> bool:
    kind = _kind(shape)
    if kind in _FURNITURE:
        return False
    return any(
        one.name == "c:chart" or (one.name == "a:t" and one.text.strip()) for one in shape.walk()
    )


def _label(count: int, scheme: str) -> str:
    found = _SCHEME.fullmatch(scheme)
    if found is None:
        return f"{count}."
    number = formatted(count, _NUMBERS[found[1]])
    if found[2] == "ParenBoth":
        return f"({number})"
    return number + {"Period": ".", "ParenR": ")", "Plain": ""}[found[2]]
