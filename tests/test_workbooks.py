"""Workbooks: sheets as tables, numbers as shown, and ranges of cells."""

import io
import re
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise.document import Document
from spanwise.errors import LimitExceeded
from spanwise.formats import Settings
from spanwise.formats.number_formats import BUILT_IN, shown
from spanwise.formats.sniffing import media_type
from spanwise.formats.xlsx import cell_name, column_number, read, reread
from spanwise.markdown.options import ChunkOptions
from spanwise.rows import document_rows
from tests.packages import relationships, zipped

SETTINGS = Settings()
MAIN = "http://schemas.openxmlformats.org/"
SPACES = f'xmlns="{MAIN}spreadsheetml/2006/main" xmlns:r="{MAIN}officeDocument/2006/relationships"'


def c(name: str, value: str, kind: str = "str", style: int = 0) -> str:
    return f'<c r="{name}" t="{kind}" s="{style}"><v>{value}</v></c>'


def row(number: int, *cells: str) -> str:
    return f'<row r="{number}">{"".join(cells)}</row>'


def workbook(hidden: tuple[str, ...] = (), **sheets: str) -> bytes:
    names = list(sheets)
    entries = "".join(
        f'<sheet name="{name}" r:id="s{at}" state="{"hidden" if name in hidden else "visible"}"/>'
        for at, name in enumerate(names)
    )
    return zipped(
        {
            "_rels/.rels": relationships(("r1", "officeDocument", "xl/workbook.xml")),
            "xl/workbook.xml": f"<workbook {SPACES}><sheets>{entries}</sheets></workbook>",
            "xl/_rels/workbook.xml.rels": relationships(
                *[(f"s{at}", "worksheet", f"sheet{at}.xml") for at in range(len(names))],
                ("str", "sharedStrings", "strings.xml"),
                ("sty", "styles", "styles.xml"),
            ),
            "xl/strings.xml": (
                f"<sst {SPACES}><si><t>plain</t></si><si><r><t>ri</t></r><r><t>ch</t></r>"
                "<rPh><t>x</t></rPh></si></sst>"
            ),
            "xl/styles.xml": (
                f"<styleSheet {SPACES}><numFmts>"
                '<numFmt numFmtId="170" formatCode="0.0&quot; kg&quot;"/></numFmts><cellXfs>'
                '<xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/></cellXfs></styleSheet>'
            ),
        }
        | {
            f"xl/sheet{at}.xml": f"<worksheet {SPACES}><sheetData>{rows}</sheetData></worksheet>"
            for at, rows in enumerate(sheets.values())
        }
    )


def converted(data: bytes) -> Document:
    assert media_type(data, "x").endswith("spreadsheetml.sheet")
    document = read(data, SETTINGS)
    for start in range(0, len(document.text), 5):
        for size in (9, 40):
            regions = document.regions(start, start + size)
            own = document.own_text(start, start + size)
            assert "".join(reread(data, regions, SETTINGS).split()) == "".join(own.split())
    return document


BOOK = workbook(
    ("Hidden",),
    Sales=(
        row(1, c("A1", "Sales of tea"))
        + row(2, c("A2", "Kind"), c("B2", "Date"), c("D2", "Weight"))
        + row(3, c("A3", "0", "s"), c("B3", "45382", "n", 1), c("D3", "2.25", "n", 2))
        + row(4, c("A4", "1", "s"), c("B4", "45383", "n", 1), c("D4", "-1", "n", 2))
        + row(7, c("B7", "alone"))
        + row(9, c("C9", "1", "b"), c("D9", "#N/A", "e"))
    ),
    Hidden=row(1, c("A1", "secret")),
    Empty="",
    Other=row(1, '<c t="inlineStr"><is><t>in | line</t></is></c>'),
)


def test_sheets_are_sections_and_ranges_are_tables() -> None:
    document = converted(BOOK)
    assert document.text == (
        "# Sales\n\nSales of tea\n\n"
        "| Kind | Date | Weight |\n| --- | --- | --- |\n"
        "| plain | 2024-03-31 | 2.3 kg |\n| rich | 2024-04-01 | -1.0 kg |\n\n"
        "alone\n\n| TRUE | #N/A |\n| --- | --- |\n\n# Other\n\nin | line\n"
    )
    assert [notice["code"] for notice in document.notices] == ["left_out"]
    first, second = document_rows(document, "a.xlsx", ChunkOptions())
    assert first["regions"] == [
        {"sheet": "Sales", "cells": None, "start": 0, "end": 5},
        {"sheet": "Sales", "cells": "A1:D4"},
        {"sheet": "Sales", "cells": "B7"},
        {"sheet": "Sales", "cells": "C9:D9"},
    ]
    assert second["heading_path"] == ["Other"]
    assert second["pages"] is None
    start = document.text.index("ate |")
    assert document.regions(start, start + 12) == [
        {"sheet": "Sales", "cells": "B2", "start": 1, "end": 4},
        {"sheet": "Sales", "cells": "D2"},
    ]


@pytest.mark.parametrize(
    ("value", "code", "expected"),
    [
        ("0.1", "", "0.1"),
        ("0.30000000000000004", "General", "0.3"),
        ("1E-3", "General", "0.001"),
        ("1234.5", "#,##0.00", "1,234.50"),
        ("-1234.5", '"$"#,##0_);[Red]\\("$"#,##0\\)', "-$1,235"),
        ("0.256", "0.0%", "25.6%"),
        ("2", '0 "pcs"', "2 pcs"),
        ("5", "[$€-407]0.00", "€5.00"),
        ("1", BUILT_IN[14], "1900-01-01"),
        ("61", "d/m/yyyy", "1900-03-01"),
        ("45382.75", "yyyy\\-mm\\-dd hh:mm", "2024-03-31 18:00:00"),
        ("0.5", "h:mm AM/PM", "12:00:00"),
        ("1.5", "[h]:mm:ss", "36:00:00"),
        ("-5", "yyyy-mm-dd", "-5"),
        ("0.5", "# ?/?", "0.5"),
        ("1234567", "0.0,", "1234567"),
        ("12", "@", "12"),
        ("abc", "0.00", "abc"),
        ("1E+400", "0.00", "1E+400"),
    ],
)
def test_numbers_are_as_shown(value: str, code: str, expected: str) -> None:
    assert shown(value, code) == expected


def test_days_may_be_counted_from_1904() -> None:
    assert shown("0", "yyyy-mm-dd", True) == "1904-01-01"


@given(st.text(st.sampled_from('0#?.,%"\\[]@ymdhs;/E+- $_*a'), max_size=20), st.floats())
def test_any_format_shows_something(code: str, number: float) -> None:
    assert shown(repr(number), code)


@given(st.integers(1, 16384), st.integers(1, 1048576))
def test_names_of_cells(column: int, number: int) -> None:
    name = cell_name(column, number)
    assert column_number(name.rstrip("0123456789")) == column
    assert name.endswith(str(number))


def test_a_sheet_with_cells_far_apart_is_small() -> None:
    data = workbook(A=row(1, c("A1", "a"), c("XFD1", "b")) + row(1048576, c("A1048576", "c")))
    assert converted(data).text == "# A\n\n| a | b |\n| --- | --- |\n\nc\n"


def test_too_many_cells_pass_a_limit() -> None:
    rows = "".join(
        row(at, c(cell_name(at, at), "a"), c("XFD" + str(at), "b")) for at in range(1, 300)
    )
    with pytest.raises(LimitExceeded) as caught:
        read(workbook(A=rows), Settings(max_objects=3000))
    assert caught.value.details["limit"] == "max_objects"


def test_a_sheet_that_is_named_again_stands_once() -> None:
    data = workbook(One=row(1, c("A1", "x")), Two=row(1, c("A1", "y")))
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    name = "xl/workbook.xml"
    sheet = re.compile(rb"<sheet [^>]*/>")
    parts[name] = sheet.sub(lambda found: found[0] * 2000, parts[name])
    text = read(zipped(parts), SETTINGS).text
    assert (text.count("x"), text.count("y")) == (1, 1)
