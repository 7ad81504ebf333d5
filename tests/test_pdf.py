"""PDF: text in order, structure, places that prove themselves, bad files."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from spanwise import chunk_file, convert_file
from spanwise.document import Document
from spanwise.errors import LimitExceeded, UnreadableSource
from spanwise.formats import Settings, pdf
from spanwise.formats.pdf.notices import garbled
from spanwise.formats.pdf.pdfium import Pdf
from spanwise.formats.pdf.reading import read_pdf
from spanwise.markdown.chunking import pieces
from spanwise.markdown.options import ChunkOptions
from tests.pdf_maker import Page, made, of_text
from tests.shared_data import DATA, field_reports, needs_data, read_lines

LOREM = [
    "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do",
    "eiusmod tempor incididunt ut labore et dolore magna aliqua. Ut enim",
    "ad minim veniam, quis nostrud exercitation ullamco laboris nisi ut",
    "aliquip ex ea commodo consequat.",
]


def read(data: bytes, **settings: Any) -> Document:
    return pdf.read(data, Settings(**settings))


def text_of(*pages: Page, **more: Any) -> str:
    return read(made(pages, **more)).text


def headings(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.startswith("#")]


# -- field reports -------------------------------------------------------------------------------


def reports() -> Iterator[Any]:
    for report in field_reports("doc2md"):
        if "pdf_pages" in json.dumps(report["input"]):
            yield pytest.param(report, id=report["id"])


@pytest.mark.parametrize("report", list(reports()))
def test_field_reports(report: Any, tmp_path: Path) -> None:
    given = report["input"]
    rows = []
    for name, what in given.get("folder", {"a.pdf": given}).items():
        if name.endswith(".html"):
            pytest.importorskip("spanwise.formats.html")
        data = of_text(what["pdf_pages"]) if isinstance(what, dict) else what.encode()
        (tmp_path / name).write_bytes(data)
        rows.extend(chunk_file(tmp_path / name, source=name))
    for phrase, page in report["expect"]["text_page"]:
        (row,) = [row for row in rows if phrase in row["text"]]
        pages = row["pages"]
        if page is None:
            assert pages is None
        else:
            assert pages is not None
            assert pages["first"] <= page <= pages["last"]
    if "sources" in report["expect"]:
        assert [*dict.fromkeys(row["source"] for row in rows)] == report["expect"]["sources"]


# -- text ----------------------------------------------------------------------------------------


def test_lines_become_paragraphs() -> None:
    page = Page().lines(72, 72, LOREM).lines(72, 140, LOREM)
    assert text_of(page) == " ".join(LOREM) + "\n\n" + " ".join(LOREM) + "\n"


def test_an_indent_starts_a_paragraph() -> None:
    page = Page().lines(72, 72, LOREM).text(90, 120, "A new thought begins here, set in a bit,")
    page.lines(72, 132, LOREM)
    assert (
        text_of(page).split("\n\n")[1].startswith("A new thought begins here, set in a bit, Lorem")
    )


def test_hyphens_of_line_ends_are_taken_out_and_others_stay() -> None:
    page = Page().lines(72, 72, [
        "It was a remarkable and very wide arrange-",
        "ment of words, as a matter of fact a well-",
        "Known one that nobody had ever looked at.",
    ])  # fmt: skip
    document = read(made([page]))
    assert "wide arrangement of words" in document.text
    assert "a well-Known one" in document.text
    check_proof(made([page]), document)


def test_a_paragraph_goes_on_on_the_next_page() -> None:
    one = Page().lines(
        72, 600, [*LOREM[:3], "aliquip ex ea commodo consequat. Duis aute irure dolor and"]
    )
    two = Page().lines(72, 72, ["so on until it ends on this page.", *LOREM])
    document = read(made([one, two]))
    first = document.text.split("\n\n")[0]
    assert "irure dolor and so on until it ends" in first
    assert document.pages(0, len(first)) == {"first": 1, "last": 2, "labels": ["1", "2"]}
    assert document.pages(0, 20) == {"first": 1, "last": 1, "labels": ["1"]}


def test_columns_are_read_one_after_the_other_whatever_the_order_of_the_file() -> None:
    left = [f"left column line {number} with words that" for number in range(12)]
    right = [f"right column line {number} with words to" for number in range(12)]
    mixed = Page().text(72, 60, "A title over both of the columns", 16, "B")
    for number, (one, two) in enumerate(zip(left, right, strict=True)):
        mixed.text(72, 90 + 12 * number, one).text(320, 90 + 12 * number, two)
    turned = Page().lines(320, 90, right).lines(72, 90, left)
    turned.text(72, 60, "A title over both of the columns", 16, "B")
    for page in (mixed, turned):
        text = text_of(page)
        assert text.index("A title") < text.index("line 0") < text.index("left column line 11")
        assert text.index("left column line 11") < text.index("right column line 0")


def test_running_headers_and_page_numbers_are_left_out_unless_asked_for() -> None:
    pages = [
        Page().text(72, 40, "The Book of Tea").lines(72, 90, LOREM).text(300, 760, f"{number}")
        for number in range(7, 12)
    ]
    data = made(pages)
    assert "Book of Tea" not in read(data).text
    assert not any(f"\n{number}\n" in read(data).text for number in range(7, 12))
    kept = read(data, keep_furniture=True).text
    assert kept.count("The Book of Tea") == 5
    assert "\n11\n" in kept


def test_a_document_that_is_all_furniture_is_kept() -> None:
    assert text_of(*[Page().text(300, 760, str(number)) for number in (1, 2, 3)]) != ""


# -- headings ------------------------------------------------------------------------------------


def test_headings_are_told_by_their_look_and_levels_by_their_numbers() -> None:
    page = Page().text(72, 60, "On the Making of Tea", 20, "B")
    y = 100
    for heading in ("1 Water", "1.1 Springs", "1.2 Wells", "2 Leaves", "2.1 Green leaves"):
        # All are set alike: only their numbers tell how deep they are.
        page.text(72, y, heading, 12, "B").lines(72, y + 20, LOREM)
        y += 100
    assert headings(text_of(page)) == [
        "# On the Making of Tea", "## 1 Water", "### 1.1 Springs", "### 1.2 Wells", "## 2 Leaves",
        "### 2.1 Green leaves",
    ]  # fmt: skip


def test_levels_without_numbers_follow_size() -> None:
    page = Page()
    y = 72
    for size, heading in ((16, "Water"), (13, "Springs"), (13, "Wells"), (16, "Leaves")):
        page.text(72, y, heading, size, "B").lines(72, y + 20, LOREM)
        y += 100
    assert headings(text_of(page)) == ["# Water", "## Springs", "## Wells", "# Leaves"]


def test_bookmarks_tell_headings_and_their_levels_are_outvoted() -> None:
    pages = [
        Page()
        .text(72, 72, heading, 10, font)
        .lines(72, 90, [f"{heading} {line}" for line in LOREM])
        for heading, font in (("Water", "B"), ("Springs", "I"), ("Leaves", "B"))
    ]
    marks = [("Water", 0), ("Springs", 1), ("Leaves", 2)]
    assert headings(text_of(*pages)) == ["# Water", "# Leaves"]
    assert headings(text_of(*pages, bookmarks=marks)) == ["# Water", "# Springs", "# Leaves"]


def test_what_only_looks_like_a_heading() -> None:
    page = Page().lines(72, 72, LOREM).text(72, 140, "Figure 1: A pot of tea", 10, "B")
    page.text(72, 180, "kettle", 10, "B").lines(90, 192, LOREM)
    page.text(72, 260, "Note", 10, "B").lines(72, 280, LOREM)
    assert headings(text_of(page)) == []


def test_a_table_of_contents_holds_no_headings() -> None:
    contents = Page().text(72, 72, "Contents", 16, "B")
    for number in range(1, 9):
        contents.text(72, 100 + 20 * number, f"{number} Chapter of tea", 12, "B")
        contents.text(520, 100 + 20 * number, str(3 * number), 12, "B")
    body = Page().text(72, 72, "1 Chapter of tea", 12, "B").lines(72, 100, LOREM)
    assert headings(text_of(contents, body)) == ["# Contents", "# 1 Chapter of tea"]


# -- footnotes -----------------------------------------------------------------------------------


def noted(mark: str, note: str) -> Page:
    page = Page().lines(72, 72, LOREM).text(72, 140, "Tea is drunk hot", 10)
    page.text(144, 136, mark, 6).text(152, 140, "and cold.", 10)
    return page.text(72, 700, mark, 5).text(76, 703, note, 8)


def test_a_note_at_the_foot_of_a_page_is_one() -> None:
    data = made([noted("1", "Not by everyone.")])
    document = read(data)
    assert "Tea is drunk hot[^1] and cold.\n\n[^1]: Not by everyone.\n" in document.text
    start = document.text.index("Not by")
    ((left, top, _, _),) = document.regions(start, start + 3)[0]["boxes"]
    assert left > 75
    assert top > 690
    check_proof(data, document)


def test_notes_of_two_pages_with_one_mark_are_told_apart() -> None:
    data = made([noted("*", "Not by everyone."), noted("*", "In summer.")])
    document = read(data)
    assert "hot[^*-1] and" in document.text
    assert "\n[^*-2]: In summer.\n" in document.text
    check_proof(data, document)


def test_a_paragraph_goes_on_after_the_notes_of_its_page() -> None:
    one = Page().lines(
        72, 600, [*LOREM[:3], "aliquip ex ea commodo consequat. Duis aute irure dolor and"]
    )
    one.text(339, 632, "2", 6).text(72, 700, "2", 5).text(76, 703, "Not by everyone.", 8)
    two = Page().lines(72, 72, ["so on until it ends on this page.", *LOREM])
    text = text_of(one, two)
    assert "dolor and[^2] so on until" in text
    assert text.index("so on until") < text.index("[^2]: Not by everyone.")


def test_what_is_raised_without_a_note_is_none() -> None:
    page = Page().lines(72, 72, LOREM).text(72, 140, "Leaves of 3 cm", 10).text(138.6, 136, "2", 6)
    page.text(145, 140, "are small.", 10).text(72, 700, "2", 5).text(76, 703, "A note.", 8)
    assert "[^" not in text_of(page)
    above = noted("1", "Not by everyone.").lines(72, 730, LOREM[:2])
    assert "[^" not in text_of(above)


# -- lists and tables ----------------------------------------------------------------------------


def test_lists() -> None:
    page = Page().lines(72, 72, LOREM)
    page.text(80, 130, "\x95").text(92, 130, "green tea, which is not fermented at all")
    page.text(80, 144, "\x95").text(92, 144, "black tea")
    page.text(100, 158, "\x95").text(112, 158, "from India")
    page.text(72, 190, "1. Boil the water.").text(72, 204, "2. Wait.").text(72, 218, "3. Pour.")
    text = text_of(page)
    assert "- green tea, which is not fermented at all\n- black tea\n  - from India\n" in text
    assert "1. Boil the water.\n2. Wait.\n3. Pour.\n" in text


def test_bullets_that_are_drawn() -> None:
    page = Page().lines(72, 72, LOREM)
    for at, item in enumerate(("green tea", "black tea", "no tea")):
        page.dot(80, 137 + 14 * at).text(90, 140 + 14 * at, item)
    assert "- green tea\n- black tea\n- no tea\n" in text_of(page)


def test_rules_that_are_drawn_cell_by_cell_tell_columns() -> None:
    page = Page().lines(72, 72, LOREM)
    for y in (150, 170):
        page.rule(72, y, 110, y).rule(110, y, 150, y).rule(150, y, 200, y)
    for at, row in enumerate((("Kind", "Minutes", "Cost"), ("Green", "3", "1.5"))):
        for x, cell in zip((74, 112, 152), row, strict=True):
            page.text(x, 164 + 20 * at, cell)
    assert "| Kind | Minutes | Cost |\n| --- | --- | --- |\n| Green | 3 | 1.5 |\n" in text_of(page)


def test_rules_of_header_and_footer_make_no_table() -> None:
    page = (
        Page().text(72, 100, "1 Water", 14, "B").lines(72, 130, LOREM).text(72, 200, "And so on.")
    )
    for y in (80, 700):
        page.rule(72, y, 172, y).rule(172, y, 272, y).rule(272, y, 400, y)
    assert text_of(page) == f"# 1 Water\n\n{' '.join(LOREM)}\n\nAnd so on.\n"


def test_links_are_kept() -> None:
    data = made(
        [Page().text(72, 72, "See the site for more of it.")],
        links=[("https://example.org/a", 0, (92, 62, 127, 75))],
    )
    document = read(data)
    assert document.text == "See [the site](https://example.org/a) for more of it.\n"
    check_proof(data, document)


def test_a_ruled_table() -> None:
    page = Page().lines(72, 72, LOREM)
    rows = [["Tea", "Origin", "Minutes"], ["Sencha", "Japan", "2"], ["Assam", "India", "4"]]
    for y in range(150, 211, 20):
        page.rule(72, y, 372, y)
    for x in range(72, 373, 100):
        page.rule(x, 150, x, 210)
    for at, row in enumerate(rows):
        for column, cell in enumerate(row):
            page.text(76 + 100 * column, 164 + 20 * at, cell)
    assert "| Tea | Origin | Minutes |\n| --- | --- | --- |\n| Sencha | Japan | 2 |\n" in text_of(
        page
    )
    check_proof(made([page]), read(made([page])))


def test_a_table_without_rules() -> None:
    page = Page().lines(72, 72, LOREM)
    rows = [("Tea", "Cups", "Price"), ("Sencha", "12", "4.50"), ("Assam", "7", "3.25")]
    for at, row in enumerate([*rows, ("Keemun", "21", "11.00")]):
        for column, cell in enumerate(row):
            page.text(76 + 90 * column, 164 + 14 * at, cell)
    assert "| Sencha | 12 | 4.50 |\n| Assam | 7 | 3.25 |\n" in text_of(page)


def test_a_table_without_rules_right_below_a_paragraph() -> None:
    page = Page().lines(72, 72, LOREM)
    rows = [("Tea", "Taste"), ("Sencha from Uji", "grassy"), ("Assam", "malty and strong"),
            ("Keemun", "of smoke"), ("Ceylon", "bright")]  # fmt: skip
    for at, row in enumerate(rows):
        page.text(72, 120 + 12 * at, row[0]).text(156, 120 + 12 * at, row[1])
    assert "| Sencha from Uji | grassy |\n| Assam | malty and strong |\n" in text_of(page)


def test_a_title_over_all_columns_stays_whole() -> None:
    page = Page().lines(72, 72, LOREM).text(103, 150, "What tea costs now")
    for y in (138, 154, 214):
        page.rule(72, y, 220, y)
    rows = [("Tea", "Cups", "Price"), ("Sencha", "12", "4.50"), ("Assam", "7", "3.25")]
    for at, row in enumerate([*rows, ("Keemun", "21", "11.00")]):
        for column, cell in enumerate(row):
            page.text(76 + 56 * column, 164 + 14 * at, cell)
    assert "| What tea costs now |  |  |\n| --- | --- | --- |\n| Tea | Cups |" in text_of(page)


def test_a_column_of_running_text_between_three_rules() -> None:
    page = Page().lines(72, 72, LOREM)
    for y in (140, 160, 250):
        page.rule(72, y, 420, y)
    rows = [("Tea", "Kind", ["What it is like"]), ("Sencha", "green", LOREM[:2]),
            ("Assam", "black", LOREM[:3]), ("Earl Grey", "black", ["Scented."])]  # fmt: skip
    y = 154
    for tea, kind, lines in rows:
        page.text(74, y, tea).text(130, y, kind).lines(166, y, lines)
        y += 18 if tea == "Tea" else 12 * len(lines)
    assert f"| Sencha | green | {' '.join(LOREM[:2])} |\n| Assam | black |" in text_of(page)


def test_numbers_of_a_row_are_no_marks_of_what_follows() -> None:
    page = Page().lines(72, 72, LOREM)
    for at, row in enumerate(
        (("Tea", "Cups", "Price"), ("Sencha", "4.5", "31.25"), ("Assam", "3.1", "7.5"))
    ):
        for x, cell in zip((76, 130, 168), row, strict=True):
            page.text(x, 164 + 14 * at, cell)
    assert "| Sencha | 4.5 | 31.25 |" in text_of(page)


def test_a_table_over_both_columns_of_a_page() -> None:
    page = Page()
    rows = [("Tea", "Cups", "Price", "Since"), ("Sencha", "12", "3.25", "1738"),
            ("Assam", "7", "7.50", "1836"), ("Keemun", "9", "8.10", "1875")]  # fmt: skip
    for at, row in enumerate(rows):
        for x, cell in zip((90, 200, 330, 450), row, strict=True):
            page.text(x, 80 + 14 * at, cell)
    left = [f"left column line {number} with words that" for number in range(20)]
    right = [f"right column line {number} with words to" for number in range(20)]
    page.lines(72, 200, left).lines(320, 200, right)
    assert "| Sencha | 12 | 3.25 | 1738 |" in text_of(page)


def test_a_table_that_runs_up_its_page() -> None:
    page = Page().text(300, 760, "7").up(100, 700, "Table 1. What tea costs")
    rows = [("Tea", "Cups", "Price"), ("Sencha", "12", "4.50"), ("Assam", "7", "3.25")]
    for at, row in enumerate([*rows, ("Keemun", "21", "11.00")]):
        for column, cell in enumerate(row):
            page.up(130 + 14 * at, 700 - 90 * column, cell)
    data = made([Page().lines(72, 72, LOREM), page])
    document = read(data)
    assert "| Tea | Cups | Price |\n| --- | --- | --- |\n| Sencha | 12 | 4.50 |" in document.text
    start = document.text.index("11.00")
    ((left, top, right, bottom),) = document.regions(start, start + 5)[0]["boxes"]
    assert bottom - top > right - left
    assert 160 < left < 180
    check_proof(data, document)


def test_three_narrow_columns_with_a_list_are_no_table() -> None:
    words = " ".join(LOREM).split()
    page = Page().text(72, 50, "Water and tea", 14, "B")
    for column in range(2):
        page.lines(72 + 150 * column, 80, [" ".join(words[at : at + 4]) for at in range(0, 36, 4)])
    for at in range(3):
        page.text(372, 80 + 36 * at, "\x95").lines(384, 80 + 36 * at, ["of the leaves", "in a cup"])
    assert "|" not in text_of(page)


def test_columns_of_a_grid_are_read_each_for_itself() -> None:
    page = Page()
    for y in (60, 400):
        page.rule(60, y, 560, y)
    for x in (60, 310, 560):
        page.rule(x, 60, x, 400)
    page.rule(60, 80, 560, 80)
    for column in range(2):
        for at in range(5):
            page.lines(
                70 + 250 * column,
                100 + 56 * at + 5 * column,
                [f"column {column} {line[:36]}" for line in LOREM],
            )
    text = text_of(page)
    assert "|" not in text
    assert text.rindex("column 0") < text.index("column 1")


def test_code_keeps_its_lines() -> None:
    page = Page().lines(72, 72, LOREM)
    page.lines(72, 150, ["def steep(leaf):", "    return leaf - 1"], font="C").lines(72, 200, LOREM)
    assert "```\ndef steep(leaf):\n    return leaf - 1\n```" in text_of(page)


# -- places --------------------------------------------------------------------------------------


def check_proof(data: bytes, document: Document, chars: int = 200) -> None:
    """All chunks are found again under their regions."""
    for piece in pieces(document.text, ChunkOptions(max_chars=chars), None):
        own = document.own_text(piece.start, piece.end)
        regions = document.regions(piece.start, piece.end)
        again = pdf.reread(data, json.loads(json.dumps(regions)), Settings())
        assert "".join(again.split()) == "".join(own.split())


def test_boxes_are_cut_at_letters() -> None:
    document = read(
        made([Page().text(100, 72, "one two three", 10)], labels="<< /Nums [0 << /P (A-) >>] >>")
    )
    start = document.text.index("two")
    (region,) = document.regions(start, start + 3)
    assert (region["page"], region["label"]) == (1, "A-")
    ((left, top, right, bottom),) = region["boxes"]
    # Helvetica: "one " is 5.56 + 5.56 + 5.56 + 2.78 points wide at 10 points.
    assert 118 < left < 121 and 134 < right < 138
    assert 62 < top < 66 and 71 < bottom < 73
    assert document.pages(start, start + 3) == {"first": 1, "last": 1, "labels": ["A-"]}


def test_a_box_has_no_letters_of_others() -> None:
    page = Page().text(72, 72, "printed underneath").text(74, 73, "on top of it all")
    data = made([page])
    check_proof(data, read(data))


def test_a_file_is_opened_once_for_all_of_its_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    data = made([Page().lines(72, 72, LOREM)] * 3)
    document = read(data)
    opened: list[Pdf] = []

    def counted(*given: Any) -> Pdf:
        opened.append(Pdf(*given))
        return opened[-1]

    monkeypatch.setattr(pdf, "Pdf", counted)
    check_proof(data, document)
    assert len(opened) == 1


@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
def test_places_are_those_of_the_page_as_shown(rotate: int) -> None:
    page = Page(rotate=rotate).text(72, 72, "top left in the file", 10)
    data = made([page])
    document = read(data)
    ((left, top, right, bottom),) = document.regions(0, len(document.text))[0]["boxes"]
    wide = right - left > bottom - top
    assert wide is (rotate % 180 == 0)
    near_left, near_top = left < 100, top < 100
    assert (near_left, near_top) == {
        0: (True, True), 90: (False, True), 180: (False, False), 270: (True, False)
    }[rotate]  # fmt: skip
    check_proof(data, document)


@needs_data
@pytest.mark.parametrize(
    "name",
    [
        "docling__normal_4pages", "docling__right_to_left_01", "docling__2305.03393v1-pg9",
        "pdfjs__tracemonkey_a11y", "pdfjs__rotated", "sample-files__habibi-rotated",
        "unstructured__multi-column-2p", "pdfplumber__la-precinct-bulletin-2014-p1",
        "pdfjs__noembed-jis7", "pdfminersix__issue-1113-evil-xobjects",
    ],
)  # fmt: skip
def test_chunks_of_real_files_are_proved(name: str) -> None:
    data = (DATA / "documents" / "pdf" / f"{name}.pdf").read_bytes()
    check_proof(data, read(data), 600)


@needs_data
def test_right_to_left_text_is_in_logical_order_with_its_ligatures_mended() -> None:
    text = read((DATA / "documents" / "pdf" / "docling__right_to_left_01.pdf").read_bytes()).text
    for phrase in (
        "تحسين الإنتاجية وحل المشكلات من خلال البرمجة بلغة R وPython",
        "إجراء تحليلات معقدة",
    ):
        assert phrase in text


# -- what is wrong with a file -------------------------------------------------------------------


@needs_data
def test_passwords(tmp_path: Path) -> None:
    folder = DATA / "documents" / "pdf"
    for name, password in (
        ("pypdfium2__encrypted", "test_user"),
        ("pdfminersix__aes-256-r6", "usersecret"),
    ):
        with pytest.raises(UnreadableSource, match="needs a password"):
            read((folder / f"{name}.pdf").read_bytes())
        with pytest.raises(UnreadableSource, match="does not open it"):
            read((folder / f"{name}.pdf").read_bytes(), password="wrong")
        assert convert_file(folder / f"{name}.pdf", settings=Settings(password=password))["text"]


@pytest.mark.parametrize(
    "data", [b"", b"%PDF-1.7\n", b"%PDF-1.4 garbage" * 50, of_text(["a"])[:300]]
)
def test_what_is_no_pdf_is_an_error(data: bytes) -> None:
    with pytest.raises(UnreadableSource, match="PDF"):
        read(data)


def test_too_many_pages_are_a_limit() -> None:
    with pytest.raises(LimitExceeded) as caught:
        read(of_text(["a", "b", "c"]), max_pages=2)
    assert caught.value.details == {"limit": "max_pages", "maximum": 2, "found": 3}
    with pytest.raises(LimitExceeded, match="max_objects"):
        read(of_text(["many letters " * 20]), max_objects=50)


def test_pages_without_text_are_told_of() -> None:
    drawn = Page().rule(10, 10, 300, 300)
    assert read(made([drawn, Page().text(72, 72, "words")])).notices == [
        {"code": "needs_ocr", "page": 1, "message": "the page shows something, but has no text"}
    ]
    assert [one["code"] for one in read(made([Page(), Page()])).notices] == ["empty_page"] * 2
    assert read(made([Page(), Page().text(72, 72, "words")])).notices == []


@needs_data
def test_tags_tell_headings() -> None:
    data = (DATA / "documents" / "pdf" / "pdfjs__structure_simple.pdf").read_bytes()
    assert headings(read(data).text) == ["# Heading 1", "## Heading 2"]


@needs_data
def test_good_text_of_no_language_is_called_garbled() -> None:
    for record in read_lines(DATA / "plaintext" / "udhr.jsonl"):
        assert garbled(record["text"]) == "", record["name"]
    english = next(
        record["text"]
        for record in read_lines(DATA / "plaintext" / "udhr.jsonl")
        if record["code"] == "eng"
    )
    shifted = "".join(chr(ord(letter) + 1) if letter.isalpha() else letter for letter in english)
    assert garbled(shifted)


def test_two_runs_are_the_same() -> None:
    data = made([Page().text(72, 60, "Title", 20, "B").lines(72, 90, LOREM)] * 3)
    assert read(data).text == read(data).text
    assert read(data).segments == read(data).segments


def test_bookmarks_can_be_left_aside() -> None:
    page = Page().text(72, 72, "Water", 10, "I").lines(72, 90, LOREM)
    marks = [("Water", 0), ("x", 0), ("y", 0)]
    data = made([page], bookmarks=marks)
    assert headings(read_pdf(Pdf(data, None, 9), Settings(), "x", use_bookmarks=False).text) == []
    assert headings(read(data).text) == ["# Water"]
