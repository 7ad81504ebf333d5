"""PDF: what papers have: authors beside each other, headings that run in, summaries in bold."""

import pytest

from tests.pdf_maker import Page
from tests.test_pdf_headings import LOREM, headings, text_of
from tests.test_pdf_nesting import levels

COLUMN = [
    "The text of a column that is not so wide as the page is,",
    "and has some more lines than this one, one below the",
    "other one.",
]


def two_columns(page: Page, y: float, left: str, right: str) -> Page:
    for x, head in ((60, left), (318, right)):
        page.text(x, y, head, 11, "B")
        for at in range(4):
            page.lines(x, y + 20 + at * 50, COLUMN)
    return page


@pytest.mark.parametrize("places", [(148, 406), (200, 350)], ids=["of the columns", "of the page"])
def test_two_authors_above_two_columns_come_first(places: tuple[int, int]) -> None:
    """Each in the middle of a column, or both together in the middle of the page."""
    page = Page().text(170, 60, "The Name of Tea in Kent", 24, "B")
    # As files have them: column after column.
    for x, left, names, head in (
        (60, places[0], ("Jane Leaf", "Institute of Tea"), "Abstract"),
        (318, places[1], ("John Water", "Spring Ltd."), "Wells"),
    ):
        page.text(left + 8, 100, names[0], 12).text(left, 114, names[1])
        page.text(x, 150, head, 11, "B")
        for at in range(4):
            page.lines(x, 170 + at * 50, COLUMN)
    text = text_of(page)
    found = [text.index(name) for name in ("Jane", "John", "Abstract", "Wells")]
    assert found == sorted(found)
    assert headings(page) == ["# The Name of Tea in Kent", "## Abstract", "## Wells"]


def test_headings_at_the_top_of_two_columns_stay_in_them() -> None:
    page = Page().text(180, 60, "The Name of Tea", 24, "B")
    text = text_of(two_columns(page, 110, "Abstract", "Wells"))
    assert text.index("Abstract") < text.index("other one") < text.index("Wells")


def test_headings_with_numbers_that_run_in_are_cut_from_the_text() -> None:
    page = Page()
    y = 72
    for number, name in (("2.1", "Springs"), ("2.2", "Wells"), ("2.3", "Rivers")):
        page.text(72, y, f"{number}. {name}.", 10, "B")
        page.text(
            72 + 6 * len(f"{number}. {name}.") + 4, y, "Water comes from below, as is known to"
        )
        page.lines(72, y + 12, LOREM)
        y += 80
    assert headings(page) == ["# 2.1. Springs.", "# 2.2. Wells.", "# 2.3. Rivers."]
    assert "\n\nWater comes from below, as is known to Lorem ipsum" in text_of(page)
    # One alone is a remark, and what is set as the text is one, too.
    one = Page().text(72, 72, "2.1. Springs.", 10, "B").text(140, 72, "Water comes from below, as")
    assert headings(one.lines(72, 84, LOREM)) == []


def test_sections_in_capitals_are_above_their_parts_in_bold() -> None:
    page = Page()
    y = 72
    for text, font in (
        ("1. WATER IN KENT", "F"), ("1.1. Springs", "B"), ("1.2. Wells", "B"),
        ("2. LEAVES IN KENT", "F"), ("2.1. Green ones", "B"), ("3. POTS IN KENT", "F"),
    ):  # fmt: skip
        page.text(72, y, text, 10, font).lines(72, y + 22, LOREM)
        y += 100
    assert levels(headings(page)) == "122121"


def test_keywords_in_bold_are_no_heading() -> None:
    page = Page().text(72, 60, "Tea", 20, "B").text(72, 90, "Keywords: water, wells", 10, "B")
    page.text(72, 120, "Leaves", 10, "B").lines(72, 142, LOREM)
    page.text(72, 220, "Pots", 10, "B").lines(72, 242, LOREM)
    assert headings(page) == ["# Tea", "## Leaves", "## Pots"]


def test_a_summary_in_bold_leaves_headings_in_bold_what_they_are() -> None:
    page = Page().text(72, 60, "Tea", 20, "B").lines(72, 90, LOREM, 10, "B")
    y = 220
    for head in ("Water", "Leaves", "Pots"):
        page.text(72, y, head, 10, "B").lines(72, y + 22, LOREM)
        y += 100
    assert headings(page) == ["# Tea", "## Water", "## Leaves", "## Pots"]


def test_a_letter_right_below_a_roman_number_in_another_font_begins_a_heading() -> None:
    page = Page()
    y = 72
    for roman in ("I", "II", "III"):
        page.text(170, y, f"{roman}. WATER AND WELLS").text(
            72, y + 14, f"A. Springs of {roman}", 10, "I"
        )
        page.lines(72, y + 36, LOREM)
        y += 120
    found = headings(page)
    assert [line.lstrip("# ") for line in found[:2]] == ["I. WATER AND WELLS", "A. Springs of I"]
    assert levels(found) == "121212"
