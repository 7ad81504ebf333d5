"""Headings and tables of the shared Word files against a second reading of their XML.

The second reading knows styles, outline levels and grids, and none of the code under test.
"""

import re
import unicodedata
import zipfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import Element, ParseError, fromstring

import pytest

from benchmarks.documents import folded, headings_of, rows_of
from spanwise.errors import SpanwiseError
from spanwise.formats import Settings
from spanwise.formats.docx import read
from tests.shared_data import DATA

FOLDER = DATA / "documents" / "docx"
FILES = sorted(FOLDER.glob("*.docx")) if FOLDER.is_dir() else []
UNSEEN = frozenset(("Fallback", "del", "moveFrom"))

pytestmark = pytest.mark.skipif(not FILES, reason=f"no shared Word files in {FOLDER}")


def local(name: str) -> str:
    return name.rpartition("}")[2]


def value(element: Element, name: str = "val") -> str:
    return next((said for key, said in element.attrib.items() if local(key) == name), "")


def child(element: Element | None, *names: str) -> Element | None:
    for name in names:
        if element is None:
            return None
        element = next((one for one in element if local(one.tag) == name), None)
    return element


def seen(element: Element, *names: str) -> Iterator[Element]:
    """The elements of these names that are seen, in order."""
    for one in element:
        if local(one.tag) in names:
            yield one
        if local(one.tag) not in UNSEEN:
            yield from seen(one, *names)


def text_of(element: Element) -> str:
    """The words of a paragraph or cell, without those of the text boxes in it."""
    parts = []
    for one in element:
        name = local(one.tag)
        if name == "t":
            parts.append(one.text or "")
        elif name in ("br", "tab", "p"):
            parts.append(" ")
        if name not in UNSEEN and name not in ("txbxContent", "pPr"):
            parts.append(text_of(one))
    return "".join(parts)


class Package:
    """One file: its document, and the levels of its styles."""

    def __init__(self, path: Path) -> None:
        with zipfile.ZipFile(path) as package:
            rels = fromstring(package.read("_rels/.rels"))
            main = next(
                value(one, "Target").lstrip("/")
                for one in rels
                if value(one, "Type").endswith("/officeDocument")
            )
            self.document = fromstring(package.read(main))
            folder = main.rpartition("/")[0]
            names = {name.lower(): name for name in package.namelist()}
            styles = names.get(f"{folder}/styles.xml".lstrip("/"))
            self.styles = fromstring(package.read(styles)) if styles else Element("none")
        self.by_id = {value(one, "styleId"): one for one in self.styles}
        self.default = next(
            (
                value(one, "styleId")
                for one in self.styles
                if value(one, "default") == "1" and value(one, "type") == "paragraph"
            ),
            "",
        )

    def level(self, style_id: str) -> int | None:
        """1 to 9 for the style of a heading, 0 for that of a title, else None."""
        seen_ids = set()
        while style_id in self.by_id and style_id not in seen_ids:
            seen_ids.add(style_id)
            style = self.by_id[style_id]
            name = value(child(style, "name") or Element("none")).lower()
            if name == "title" and len(seen_ids) == 1:
                return 0
            if (outline := child(style, "pPr", "outlineLvl")) is not None:
                return int(value(outline)) + 1 if int(value(outline)) < 9 else None
            if found := re.fullmatch("heading ([1-9])", name):
                return int(found[1])
            style_id = value(child(style, "basedOn") or Element("none"))
        return None

    def headings(self) -> list[tuple[int, str]]:
        found = []
        shift = 0
        for paragraph in seen(self.document, "p"):
            words = folded(text_of(paragraph))
            named = child(paragraph, "pPr", "pStyle")
            level = self.level(value(named) if named is not None else self.default)
            direct = child(paragraph, "pPr", "outlineLvl")
            if direct is not None and level != 0:
                level = int(value(direct)) + 1 if int(value(direct)) < 9 else None
            if level is None or not words:
                continue
            if level == 0:
                shift = 1
            found.append((min(6, level + shift) if level else 1, words))
        return found

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """The number of its table, and the cells that are not empty, of each row."""
        for number, table in enumerate(seen(self.document, "tbl")):
            for row in table:
                if local(row.tag) != "tr":
                    continue
                cells = []
                for cell in row:
                    merge = child(cell, "tcPr", "vMerge")
                    is_free = merge is None or value(merge) == "restart"
                    words = folded(text_of(cell)) if local(cell.tag) == "tc" and is_free else ""
                    cells.extend([words] if words else [])
                if cells:
                    yield number, cells


def packages() -> Iterator[tuple[Path, Package]]:
    for path in FILES:
        try:
            yield path, Package(path)
        except (zipfile.BadZipFile, ParseError, StopIteration, KeyError, NotImplementedError):
            continue  # these are files that nobody can read: see test_hostile_documents


# In these what stands in the cells of a form has the style of a heading, and no section below it.
LABELS = {"poi__form_footnotes.docx": {"attachphotohere", "forofficialuseonly"}}


def test_headings_are_those_of_the_xml() -> None:
    count = 0
    for path, package in packages():
        try:
            document = read(path.read_bytes(), Settings())
        except SpanwiseError:
            continue
        if b"altChunk" in path.read_bytes() or "altChunk" in str(
            {local(one.tag) for one in package.document.iter()}
        ):
            continue
        wanted = [
            one for one in package.headings() if one[1] not in LABELS.get(path.name, frozenset())
        ]
        found = [(one.level, folded(one.text)) for one in headings_of(document)]
        assert found == wanted, path.name
        count += len(wanted)
    assert count > 350
