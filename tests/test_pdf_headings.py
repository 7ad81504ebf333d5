"""PDF: which lines are headings, and how deep they are."""

from typing import Any

import pytest

from spanwise.formats import Settings, pdf
from spanwise.formats.pdf.fonts import Style
from spanwise.formats.pdf.lines import Line, is_uniform
from spanwise.formats.pdf.looks import Look, look_of
from spanwise.formats.pdf.paragraphs import Paragraph
from spanwise.formats.pdf.runs import Run
from tests.pdf_maker import Page, made

LOREM = [
    "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do",
    "eiusmod tempor incididunt ut labore et dolore magna aliqua. Ut enim",
    "ad minim veniam, quis nostrud exercitation ullamco laboris nisi ut",
    "aliquip ex ea commodo consequat.",
]


def text_of(*pages: Page, **more: Any) -> str:
    return pdf.read(made(pages, **more), Settings()).text


def headings(*pages: Page, **more: Any) -> list[str]:
    return [line for line in text_of(*pages, **more).split("\n") if line.startswith("#")]


def sections(*heads: tuple[str, float, str], title: str = "") -> list[Page]:
    """Pages of headings with text below each; a heading is a text, its size and its font."""
    pages = []
    for at in range(0, len(heads), 6):
        page = Page()
        y = 72
        if title and at == 0:
            page.text(150, y, title, 22, "B")
            y += 60
        for text, size, font in heads[at : at + 6]:
            page.text(72, y, text, size, font).lines(72, y + 22, LOREM)
            y += 100
        pages.append(page)
    return pages


# -- tables of contents --------------------------------------------------------------------------


def test_contents_in_a_column_leave_the_column_beside_them_alone() -> None:
    page = Page().text(72, 72, "Contents", 14, "B")
    names = ["Water", "Springs", "Wells", "Leaves", "Green leaves"]
    for at, name in enumerate(names):
        page.text(72, 100 + 12 * at, f"{at + 1} {name} . . . . . . . . .")
        page.text(210, 100 + 12 * at, str(at + 2))
    # A chapter has no dots, and one that is too long for a line goes on below.
    page.text(72, 160, "6 Pots that are larger than any", 10, "B").text(80, 172, "cup", 10, "B")
    page.text(210, 172, "8", 10, "B")
    page.text(72, 184, "6.1 Glazed pots . . . . . . . . .").text(210, 184, "9")
    page.lines(320, 100, ["the other column has words on", "the same lines as the contents"])
    text = text_of(page)
    assert "the other column has words on the same lines as the contents" in text
    assert "1 Water . . . . . . . . . 2\n" in text
    assert headings(page) == ["# Contents"]


def test_contents_whose_numbers_follow_the_words() -> None:
    page = Page()
    page.content.append("4 Tc")
    page.text(72, 72, "CONTENTS", 11)
    page.content.append("0 Tc")
    names = ["Water", "Springs and rivers", "Wells", "Leaves that are green", "Pots"]
    for at, name in enumerate(names, 1):
        page.text(72, 90 + 12 * at, f"{at}.1 {name}").text(
            120 + 5 * len(name), 90 + 12 * at, str(at)
        )
    text = text_of(
        page, *sections(*[(f"{at}.1 {name}", 12.0, "B") for at, name in enumerate(names, 1)])
    )
    assert "CONTENTS\n" in text
    assert text.count("# 2.1 Springs and rivers") == 1
    assert "\n2.1 Springs and rivers 2\n" in text


# -- looks ---------------------------------------------------------------------------------------


def test_underlined_and_small_capital_lines_are_headings() -> None:
    page = Page()
    y = 72
    for head in ("General rule", "Exceptions"):
        page.text(72, y, head).rule(72, y + 2, 72 + 5.1 * len(head), y + 2)
        page.lines(72, y + 20, LOREM)
        y += 100
    for head in ("Closing words", "Signatures"):
        # What is set in small capitals is capitals in two sizes.
        first, second = head.upper()[0], head.upper()[1:]
        page.text(72, y, first, 13).text(82, y, second, 10).lines(72, y + 20, LOREM)
        y += 100
    assert headings(page) == [
        "## General rule", "## Exceptions", "# CLOSING WORDS", "# SIGNATURES",
    ]  # fmt: skip


def test_a_link_that_is_underlined_is_no_heading() -> None:
    page = Page().lines(72, 72, LOREM).text(72, 150, "The rules of tea").rule(72, 152, 147, 152)
    page.lines(72, 180, LOREM)
    link = ("https://example.org/a", 0, (70.0, 140.0, 150.0, 154.0))
    assert headings(page) == ["# The rules of tea"]
    assert headings(page, links=[link]) == []


def test_a_centred_title_of_three_lines_is_one() -> None:
    page = Page().text(100, 72, "The making of tea in the mountains", 18, "B")
    page.text(125, 94, "and what has become of it since", 18, "B").text(
        205, 116, "those days", 18, "B"
    )
    page.lines(72, 150, LOREM)
    assert headings(page) == [
        "# The making of tea in the mountains and what has become of it since those days"
    ]


def test_the_first_heading_below_a_title_is_not_one_of_its_authors() -> None:
    pages = sections(
        ("How do I boil water?", 10, "B"), ("How long does tea take?", 10, "B"),
        ("Who drinks it?", 10, "B"), title="Questions about tea",
    )  # fmt: skip
    assert headings(*pages)[1] == "## How do I boil water?"


def test_headings_of_a_page_with_short_texts_are_not_front_matter() -> None:
    page = (
        Page()
        .text(72, 72, "Security", 24, "B")
        .text(72, 100, "There are many ways to do it, and all are here.")
    )
    for at, head in enumerate(("In a hurry?", "Tokens", "Examples")):
        page.text(72, 150 + 80 * at, head, 16)
        page.text(72, 176 + 80 * at, f"What is said of {head.lower()} is not long at all.")
    assert headings(page) == ["# Security", "## In a hurry?", "## Tokens", "## Examples"]


def test_authors_and_dates_are_front_matter() -> None:
    page = Page().text(150, 72, "On Tea", 22, "B").text(180, 100, "A. Drinker and B. Cook", 13, "B")
    page.text(200, 118, "3 september 1989", 13, "B").text(190, 136, "University of Pots", 11, "I")
    page.text(72, 180, "1 Water", 13, "B").lines(72, 200, LOREM)
    page.text(72, 280, "2 Leaves", 13, "B").lines(72, 300, LOREM)
    assert headings(page) == ["# On Tea", "## 1 Water", "## 2 Leaves"]


def test_a_name_in_a_font_for_code_can_be_a_heading() -> None:
    page = Page()
    for at, name in enumerate(("allowNumber", "allowBoolean", "allowAny")):
        page.text(72, 72 + 110 * at, name, 14, "C").lines(72, 94 + 110 * at, LOREM)
        page.lines(72, 152 + 110 * at, ["call(it)", "call(that)"], 10, "C")
    assert headings(page) == ["# allowNumber", "# allowBoolean", "# allowAny"]


def test_capitals_of_any_script_are_told_from_small_letters() -> None:
    assert look("Работа с FastAPI, HTTP и CSS").capitals is False
    assert look("РАБОТА С HTTP").capitals is True


def look(text: str) -> Look:
    style = Style("Font", 10.0, True, False, False, 0)
    line = Line(0, Run(0, len(text), (0.0, 0.0, 9.0, 9.0), 9.0, 10.0, style, 1.0, 0.0))
    paragraph = Paragraph([line])
    paragraph.text = text
    return look_of(paragraph)


def test_bold_words_of_another_script_do_not_part_a_line() -> None:
    latin = Style("Sans-Bold", 10.0, True, False, False, 0)
    han = Style("SimHei", 10.0, False, False, False, 0)

    def line_of(first: Style, second: Style, text: str) -> Line:
        line = Line(0, Run(0, 4, (0.0, 0.0, 9.0, 9.0), 9.0, 10.0, first, 1.0, 0.0))
        line.add(Run(4, 8, (10.0, 0.0, 19.0, 9.0), 9.0, 10.0, second, 1.0, 0.0))
        line.text, line.style = text, second
        return line

    assert is_uniform(line_of(latin, han, "Unix\u73af\u5883\u53d8\u91cf"))
    assert not is_uniform(line_of(latin, han, "Unix ways"))
    assert not is_uniform(line_of(latin, han, "\u73af\u5883\u53d8\u91cf\u4e00\u4e8c\u4e09\u56db"))


def test_sections_counted_anew_are_below_their_chapters() -> None:
    pages = sections(
        ("Chapter 1 Water", 16, "B"), ("1 Springs", 13, "B"), ("1.1 Cold ones", 12, "B"),
        ("Chapter 2 Leaves", 16, "B"), ("1 Green leaves", 13, "B"),
    )  # fmt: skip
    assert headings(*pages) == [
        "# Chapter 1 Water", "## 1 Springs", "### 1.1 Cold ones", "# Chapter 2 Leaves",
        "## 1 Green leaves",
    ]  # fmt: skip


def test_a_numbered_name_is_a_heading_and_an_entry_of_references_is_none() -> None:
    page = Page().text(72, 72, "3.2.1 <latex>", 10, "B").lines(72, 92, LOREM)
    page.text(72, 172, "3.2.2 latex.ltx", 10, "C").lines(72, 192, LOREM)
    page.text(72, 272, "[12] Writer, The Tea Book", 12, "B").lines(72, 292, LOREM)
    assert headings(page) == ["# 3.2.1 <latex>", "# 3.2.2 latex.ltx"]


def test_a_paragraph_that_begins_in_bold_is_one_paragraph() -> None:
    page = (
        Page()
        .text(72, 72, "Black tea:", 10, "B")
        .text(126, 72, "Introduced in 1964, this one goes")
    )
    page.lines(72, 84, ["on with the same words as all the others do, and ends", "here."])
    assert text_of(page) == (
        "Black tea: Introduced in 1964, this one goes on with the same words as all the others do, "
        "and ends here.\n"
    )


# -- slides --------------------------------------------------------------------------------------


def slide(title: str, *points: str) -> Page:
    page = Page(width=720, height=405).text(40, 50, title, 28)
    for at, point in enumerate(points):
        page.text(60, 120 + 40 * at, f"\x95 {point}", 20, "B" if at else "F")
    return page.text(40, 395, "Tea Club", 9)


def test_titles_of_slides_are_headings_and_nothing_else_of_them_is() -> None:
    cover = (
        Page(width=720, height=405)
        .text(200, 180, "All of Tea", 40)
        .text(240, 240, "The Tea Club", 20)
    )
    deck = [
        cover, slide("Water", "cold", "hot"), slide("Leaves", "green"),
        slide("Leaves", "green", "black"), slide("Questions?"),
    ]  # fmt: skip
    assert headings(*deck) == [
        "# All of Tea", "## Water", "## Leaves", "## Leaves", "## Questions?"
    ]  # fmt: skip


# -- numbers -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("label", "joined"),
    [
        ("Kapitel 1", True), ("CHAPTER ONE", True), ("Ap\xeandice B", True), ("Teil II", True),
        ("Tea 1", False),
    ],
)  # fmt: skip
def test_a_number_above_its_title_is_part_of_it(label: str, joined: bool) -> None:
    page = Page().text(72, 72, label, 16, "B").text(72, 110, "Of water", 20, "B")
    page.lines(72, 150, LOREM)
    assert (f"{label} Of water" in text_of(page)) is joined


def test_parts_are_above_sections_whose_numbers_go_on() -> None:
    big, small = (16, "B"), (13, "B")
    pages = sections(
        ("Guide", *big), ("1 Water", *small), ("2 Pots", *small), ("2.1 Clay", *small),
        ("Reference", *big), ("3 Leaves", *small), ("4 Cups", *small),
        title="The Book of Tea",
    )  # fmt: skip
    assert headings(*pages) == [
        "# The Book of Tea", "## Guide", "### 1 Water", "### 2 Pots", "#### 2.1 Clay",
        "## Reference", "### 3 Leaves", "### 4 Cups",
    ]  # fmt: skip


def test_numbers_that_begin_anew_in_one_look_are_below_the_others() -> None:
    look = (12, "B")
    pages = sections(
        ("PART I - DEFINITIONS", *look), ("1. Water", *look), ("2. Pots", *look),
        ("PART II - DUTIES", *look), ("3. Leaves", *look), ("3.1 Green", *look),
    )  # fmt: skip
    assert headings(*pages) == [
        "# PART I - DEFINITIONS", "## 1. Water", "## 2. Pots",
        "# PART II - DUTIES", "## 3. Leaves", "### 3.1 Green",
    ]  # fmt: skip


def test_romans_letters_and_numbers_nest_in_the_order_they_come() -> None:
    look = (12, "B")
    pages = sections(
        ("I. Water", *look), ("A. Springs", *look), ("B. Wells", *look),
        ("II. Leaves", *look), ("A. Green", *look),
    )  # fmt: skip
    assert headings(*pages) == [
        "# I. Water", "## A. Springs", "## B. Wells", "# II. Leaves", "## A. Green",
    ]  # fmt: skip


def test_sizes_that_hardly_differ_are_of_one_level() -> None:
    pages = sections(("Water", 14, "B"), ("Leaves", 13.75, "B"), ("Cups", 14, "B"))
    assert headings(*pages) == ["# Water", "# Leaves", "# Cups"]


# -- what is none --------------------------------------------------------------------------------


def test_heads_of_columns_in_a_row_are_no_headings() -> None:
    page = Page().lines(72, 72, LOREM)
    for x, head in ((72, "Leaf"), (180, "Minutes"), (300, "Origin")):
        page.text(x, 150, head, 10, "B").text(x, 164, f"some {head}")
    page.text(72, 200, "Water", 10, "B").lines(72, 220, LOREM)
    assert headings(page) == ["# Water"]


def test_the_numbers_of_lines_in_a_draft_are_no_numbers_of_headings() -> None:
    pages = []
    for number, names in enumerate((("Water", "Leaves"), ("Cups", "Pots"))):
        page = Page()
        lines = ["Before it", names[0], *LOREM, *LOREM, names[1], *LOREM, *LOREM]
        for at, line in enumerate(lines):
            y = 72 + 20 * at
            look = (12.0, "B") if line in names else (10.0, "F")
            page.text(50, y, str(at + 1 + 19 * number), 6).text(72, y, line, *look)
        pages.append(page)
    assert headings(*pages) == ["# Water", "# Leaves", "# Cups", "# Pots"]
    assert "\n7" not in text_of(*pages)
