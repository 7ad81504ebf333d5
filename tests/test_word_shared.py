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

from spanwise.errors import SpanwiseError
from spanwise.formats import Settings
from spanwise.formats.docx import read
from tests.shared_data import DATA

FOLDER = DATA / "documents" / "docx"
FILES = sorted(FOLDER.glob("*.docx")) if FOLDER.is_dir() else []
UNSEEN = frozenset(("Fallback", "del", "moveFrom"))

pytestmark = pytest.mark.skipif(not FILES, reason=f"no shared Word files in {FOLDER}")


_LINE = re.compile(r"(#{1,6}) (.*)|\| (.*) \|")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_BAR = re.compile(r"(?<!\\)\|")


def folded(text: str) -> str:
    """Letters and digits of a text, in one case."""
    text = unicodedata.normalize("NFKC", text).casefold()
    return "".join(letter for letter in text if letter.isalnum())


def converted(path: Path) -> tuple[list[tuple[int, str]], list[list[str]]]:
    """Headings, and the cells that are not empty of each row, in the Markdown of a file."""
    headings: list[tuple[int, str]] = []
    rows: list[list[str]] = []
    fenced = False
    for line in read(path.read_bytes(), Settings()).text.split("\n"):
        found = _LINE.fullmatch(_LINK.sub(r"\1", line))
        if line.startswith("```"):
            fenced = not fenced
        elif found and not fenced:
            hashes, title, cells = found.groups()
            if hashes:
                headings.append((len(hashes), folded(title)))
            elif not re.fullmatch("[-| ]*", cells):
                parts = [folded(cell) for cell in _BAR.split(cells)]
                rows.append([part for part in parts if part])
    return headings, rows


def local(name: str) -> str:
    return name.rpartition("}")[2]


def value(element: Element | None, name: str = "val") -> str:
    if element is None:
        return ""
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


def has(element: Element, *names: str) -> bool:
    return next(seen(element, *names), None) is not None


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
            name = value(child(style, "name")).lower()
            if name == "title" and len(seen_ids) == 1:
                return 0
            if (outline := child(style, "pPr", "outlineLvl")) is not None:
                return int(value(outline)) + 1 if int(value(outline)) < 9 else None
            if found := re.fullmatch("heading ([1-9])", name):
                return int(found[1])
            style_id = value(child(style, "basedOn"))
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

    def tables(self) -> Iterator[list[list[str]]]:
        """For each table of data the cells of its rows that are not empty."""
        nested: set[Element] = set()
        for table in seen(self.document, "tbl"):
            nested.update(seen(table, "tbl"))
            if table in nested:
                continue
            rows = []
            cells = list(seen(table, "tc"))
            if len(cells) == 1 or any(len(text_of(cell)) > 400 for cell in cells):
                continue  # this may only arrange what is on the page
            if has(table, "tbl", "numPr", "footnoteReference", "endnoteReference"):
                continue  # it is not of text alone
            for row in seen(table, "tr"):
                own = []
                for cell in seen(row, "tc"):
                    merge = child(cell, "tcPr", "vMerge")
                    if merge is None or value(merge) == "restart":
                        own.append(folded(text_of(cell)))
                rows.append([words for words in own if words])
            yield [row for row in rows if row]


# What stands in the cells of forms has the style of headings, and no section below it.
LABELS = {"attachphotohere", "forofficialuseonly"}
UNREAD = (zipfile.BadZipFile, ParseError, StopIteration, KeyError, NotImplementedError)


def compared() -> Iterator[tuple[str, Package, list[tuple[int, str]], list[list[str]]]]:
    for path in FILES:
        try:
            package = Package(path)
            headings, rows = converted(path)
        except (SpanwiseError, *UNREAD):
            continue  # what nobody can read is for test_hostile_documents
        if not has(package.document, "altChunk"):
            yield path.name, package, headings, rows


def test_headings_and_tables_are_those_of_the_xml() -> None:
    headings = tables = 0
    for name, package, found, rows in compared():
        wanted = [one for one in package.headings() if one[1] not in LABELS]
        # Where nothing says what a heading is, the look of the lines decides.
        assert found == wanted or not wanted, name
        headings += len(wanted)
        for table in package.tables():
            assert all(row in rows for row in table), (name, table)
            tables += 1
    assert headings > 350
    assert tables > 30
