"""PDF: what offices print: letters, invoices, newsletters, reports whose chapters begin pages."""

from tests.pdf_maker import Page
from tests.test_pdf_headings import LOREM, headings, text_of


def test_who_signs_a_letter_is_no_heading() -> None:
    page = Page().text(72, 60, "Water for the valley", 16, "B").lines(72, 90, LOREM * 2)
    page.text(72, 220, "Yours sincerely,").text(72, 260, "Bob Sample", 10, "B")
    page.text(72, 280, "Keeper of the wells")
    assert headings(page) == ["# Water for the valley"]


def test_who_wrote_an_article_is_no_heading_and_leaves_its_title_one() -> None:
    page = Page().text(72, 60, "The Wells Herald", 24, "B")
    y = 100
    for title in ("Water is back", "Leaves are late", "Pots are dear"):
        page.text(72, y, title, 14, "B").text(72, y + 14, "By Jane Leaf", 10, "I")
        page.lines(72, y + 34, LOREM * 2)
        y += 160
    assert headings(page) == [
        "# The Wells Herald", "## Water is back", "## Leaves are late", "## Pots are dear",
    ]  # fmt: skip


def test_the_number_of_a_chapter_at_the_top_of_its_page_stays() -> None:
    pages = [
        Page()
        .text(72, 60, f"Chapter {at}", 14)
        .text(72, 84, title, 20, "B")
        .lines(72, 120, LOREM * 4)
        for at, title in enumerate(("Water", "Leaves", "Pots", "Cups"), 1)
    ]
    assert headings(*pages) == [
        "# Chapter 1 Water", "# Chapter 2 Leaves", "# Chapter 3 Pots", "# Chapter 4 Cups",
    ]  # fmt: skip


def test_titles_whose_numbers_go_up_with_the_pages_stay() -> None:
    pages = [
        Page().text(72, 60, f"{at} {title}", 16, "B").lines(72, 100, LOREM * 4)
        for at, title in enumerate(("Water", "Leaves", "Pots", "Cups", "Jugs"), 1)
    ]
    assert headings(*pages) == ["# 1 Water", "# 2 Leaves", "# 3 Pots", "# 4 Cups", "# 5 Jugs"]


def test_a_sentence_shown_large_in_italics_is_no_heading() -> None:
    page = Page().text(72, 60, "Tea", 20, "B").lines(72, 90, LOREM)
    page.text(72, 170, "The water of the valley is what makes the tea.", 14, "I")
    page.lines(72, 200, LOREM).text(72, 280, "Pots", 14, "B").lines(72, 300, LOREM)
    assert headings(page) == ["# Tea", "## Pots"]


def test_a_title_above_a_line_that_begins_with_a_name_in_bold() -> None:
    page = Page().text(72, 60, "Rule on wells in the valley", 10, "B")
    page.text(72, 72, "AGENCY:", 10, "B").text(122, 72, "The keepers of wells.")
    page.lines(72, 100, LOREM * 2)
    assert "Rule on wells in the valley\n\nAGENCY: The keepers of wells." in text_of(page)


def test_cells_with_rules_below_them_have_a_bold_head_and_end_where_text_begins() -> None:
    page = Page().text(72, 60, "Invoice", 20, "B")
    places = (72, 220, 320, 420, 520)
    for x, name in zip(places, ("Name", "Count", "Price", "Sum"), strict=False):
        page.text(x, 100, name, 10, "B")
    for at, row in enumerate((("Tea", "1", "69.00", "69.00"), ("Pot", "2", "3.50", "7.00"))):
        y = 116 + 16 * at
        for x, end, cell in zip(places, places[1:], row, strict=False):
            page.text(x, y, cell).rule(x, y + 4, end, y + 4)
    page.text(
        72,
        148,
        "Please pay within a month from now, and thank you for all your orders of this tea.",
    )
    text = text_of(page)
    assert (
        "| Name | Count | Price | Sum |\n| --- | --- | --- | --- |\n"
        "| Tea | 1 | 69.00 | 69.00 |\n| Pot | 2 | 3.50 | 7.00 |\n\nPlease pay within a month"
    ) in text
    assert headings(page) == ["# Invoice"]
