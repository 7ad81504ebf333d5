"""Running headers and page numbers: what is one, and what of the text only looks like one."""

import pytest

from spanwise.formats import Settings
from spanwise.formats.pdf import read
from tests.pdf_maker import Page, made

LINES = [
    "The first of some lines that a page has, for it to have text,",
    "and the second, which ends where the page has no more to say.",
]


def text_of(*pages: Page) -> str:
    return read(made(pages), Settings()).text


def test_a_line_that_begins_with_a_small_number_is_no_page_number() -> None:
    page = Page().text(72, 40, "Reports of the stations").text(72, 70, "1.5 % more rain")
    page.text(320, 70, "2 % more snow")
    text = text_of(page.lines(72, 200, LINES))
    assert "1.5 % more rain" in text


def test_a_row_below_the_top_of_the_page_that_ends_in_its_number_stays() -> None:
    page = Page().text(72, 30, "Bulletin of the district").text(500, 30, "Serial A")
    page.text(72, 60, "327 forms").text(500, 60, "1")
    assert "327 forms" in text_of(page.lines(72, 200, LINES))


def test_a_row_at_the_top_with_the_number_of_the_page_is_a_header() -> None:
    page = Page().text(72, 30, "Journal of Rain").text(500, 30, "1").lines(72, 200, LINES)
    assert "Journal" not in text_of(page)


def test_lines_that_are_numbered_keep_the_one_beside_the_number_of_the_page() -> None:
    page = Page()
    for number in range(1, 26):
        page.text(60, 40 + number * 24, str(number), font="C")
        if number < 20:
            page.text(100, 40 + number * 24, f"What is said on line number {number}.", font="C")
    assert "What is said on line number 1." in text_of(page)


def test_sentences_that_pages_share_below_what_differs_are_no_headers() -> None:
    pages = [
        Page()
        .text(72, 30, f"Agreement, page {number}")
        .text(72, 70, f"{name} of the agreement", 14, "B")
        .text(72, 100, "This clause is the same in all of its parts.")
        .lines(72, 300, [f"{name} is what this page tells of,", "and nothing else is."])
        for number, name in enumerate(("Aim", "Term", "End"), 1)
    ]
    text = text_of(*pages)
    assert text.count("This clause is the same") == 3
    assert "Agreement, page" not in text


def test_a_copy_of_a_page_keeps_its_text() -> None:
    bill = [
        "Bill 7 of 2021",
        "To Berta in Bern",
        "One umbrella",
        "Two hats",
        "Sum 40",
        "Due in May",
    ]
    pages = [Page().text(400, 60, mark).lines(72, 40, bill) for mark in ("Original", "Copy")]
    assert text_of(*pages).count("Bill 7 of 2021") == 2


@pytest.mark.parametrize("count", [2, 4])
def test_a_footer_of_two_lines_is_left_out(count: int) -> None:
    words = ("rain", "wind", "snow", "fog")
    pages = [
        Page()
        .lines(
            72, 100, [f"Here is told what {word} does to the roofs", f"of a town where {word} is."]
        )
        .text(72, 750, "Offices of the weather, Main Street")
        .text(72, 765, "Printed on paper that was used before")
        for word in words[:count]
    ]
    text = text_of(*pages)
    assert "Offices" not in text and "Printed" not in text


def test_a_page_of_nothing_but_numbers_below_each_other() -> None:
    page = Page()
    for number in range(1, 21):
        page.text(72, 100 + number * 20, str(number))
    assert text_of(page).split()[-17:] == [str(number) for number in range(4, 21)]


def test_a_page_may_have_nothing_but_a_line_that_a_larger_one_says_too() -> None:
    page = Page().text(72, 60, "Water", 20).lines(72, 100, LINES)
    assert "Water" in text_of(page, Page().text(72, 90, "Water", 10))


def test_a_large_title_that_comes_again_on_the_second_page_is_there_once() -> None:
    pages = [
        Page().text(72, 50, "Form of the Wells", 16, "B").lines(72, 100 + 7 * at, LINES[at:])
        for at in range(2)
    ]
    text = text_of(*pages)
    assert text.startswith("# Form of the Wells\n") and text.count("Form of the Wells") == 1
