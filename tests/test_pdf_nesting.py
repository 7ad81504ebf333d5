"""PDF: how deep headings are that differ by little: letters, colours, where they stand."""

from spanwise.formats import Settings, pdf
from tests.pdf_maker import Page, made
from tests.test_pdf_headings import LOREM, headings, sections, text_of


def levels(found: list[str]) -> str:
    return "".join(str(line.index(" ")) for line in found)


def test_letters_that_are_roman_numbers_too_go_on_from_the_letters_before_them() -> None:
    letters = [(f"{letter}. Water of wells", 14.0, "B") for letter in "ABCDEFGHIJ"]
    assert levels(headings(*sections(*letters, title="On wells"))) == "1" + "2" * 10
    mixed = [
        (f"{number}. Water of wells", 14.0, "B")
        for number in ("I", "A", "B", "C", "D", "II", "A", "B", "C", "III", "A", "IV", "V", "A")
    ]
    assert levels(headings(*sections(*mixed, title="On wells"))) == "123333233323223"


def test_what_begins_anew_more_seldom_is_around_the_rest() -> None:
    names = "I. A. 1. 2. B. 1. 2. II. A. 1. 2. B. 1. III. A. 1. 2. B. 1. 2.".split()
    words = "Water Leaves Pots Cups Wells Springs Herbs".split()
    heads = [(f"{name} {words[at % 7]}", 11.0, "B") for at, name in enumerate(names)]
    found = headings(*sections(*heads))
    assert levels(found) == "12332331233231233233"


def test_levels_that_bookmarks_tell_stay_apart_beside_rarer_looks() -> None:
    odd = [(f"Odd {size}", float(size), "B") for size in (30, 28, 26, 24, 22)]
    many = [("Water", 16.0, "B"), ("Springs", 14.0, "B"), ("Wells", 12.0, "B")] * 4
    pages = sections(*odd, *many)
    marks = [
        (text, (len(odd) + at) // 6, ("Water", "Springs", "Wells").index(text))
        for at, (text, _, _) in enumerate(many)
    ]
    found = {line.split()[1]: line.index(" ") for line in headings(*pages, bookmarks=marks)}
    assert found["Water"] + 1 == found["Springs"] == found["Wells"] - 1


def coloured(*heads: tuple[str, str]) -> list[Page]:
    """Pages of headings in colours, each with text below it unless that is left out by a star."""
    page = Page()
    pages = [page]
    y = 72
    for text, colour in heads:
        if y > 650:
            page, y = Page(), 72
            pages.append(page)
        page.content.append(f"{colour} rg")
        page.text(72, y, text.rstrip("*"), 12, "B")
        page.content.append("0 g")
        y += 22
        if not text.endswith("*"):
            page.lines(72, y, LOREM)
            y += 78
    return pages


def test_a_colour_that_comes_below_another_again_and_again_is_deeper() -> None:
    red, blue = ".8 0 0", "0 .3 .8"
    found = headings(
        *coloured(
            ("Water", red), ("Springs", blue), ("Wells", blue), ("Leaves", red), ("Tea", blue),
            ("Herbs", blue), ("Pots", red), ("Cups", blue),
        )
    )  # fmt: skip
    assert levels(found) == "12212212"


def test_a_colour_right_below_another_is_deeper_and_two_by_turns_are_alike() -> None:
    red, blue, white = ".8 0 0", "0 .3 .8", "1 1 1"
    stacked = [("Water*", red), ("Springs", blue), ("Leaves", red), ("Tea", blue)]
    assert levels(headings(*coloured(*stacked))) == "1212"
    turns = [("Water", red), ("Leaves", blue), ("Pots", red), ("Cups", blue)]
    assert levels(headings(*coloured(*turns))) == "1111"
    bands = [("Water", white), ("Leaves", white), ("Pots", blue), ("Cups", white), ("Jugs", blue)]
    assert levels(headings(*coloured(*bands))) == "11212"


def test_headings_in_the_middle_are_above_those_at_the_edge_of_the_column() -> None:
    page = Page()
    y = 72
    for text, middle in (("Water", True), ("Springs", False), ("Leaves", True), ("Tea", False)):
        # The lines below are some 300 points wide.
        page.text(211 if middle else 72, y, text, 10, "B").lines(72, y + 22, LOREM)
        y += 100
    assert levels(headings(page)) == "1212"


def test_small_capitals_are_capitals_though_the_file_has_small_letters() -> None:
    page = Page()
    y = 72
    for word in ("Water", "Leaves", "Pots"):
        page.text(72, y, word[0], 13).text(81, y, word[1:], 10).lines(72, y + 20, LOREM)
        y += 100
    assert headings(page) == ["# Water", "# Leaves", "# Pots"]


def test_words_with_gaps_between_their_letters_are_words() -> None:
    page = Page()
    y = 72
    for words in ("ORDER OF WATER", "PARTY OF LEAVES", "WELLS AND SPRINGS"):
        page.content.append("4 Tc")
        page.text(72, y, words, 11)
        page.content.append("0 Tc")
        page.lines(72, y + 20, LOREM)
        y += 100
    # Names of one letter each are none.
    page.text(72, y, "Take x y a b z and k as they are in the text above, and b of q.")
    text = pdf.read(made([page]), Settings()).text
    assert "ORDER OF WATER\n" in text and "PARTY OF LEAVES\n" in text
    assert "WELLS AND SPRINGS\n" in text
    assert "Take x y a b z and k as they are" in text


def test_lettered_headings_right_below_a_chapter_that_is_set_alike() -> None:
    page = Page()
    page.text(72, 72, "CHAPTER 1 - WATER", 10, "T").text(72, 84, "A. PURPOSE", 10, "T")
    page.lines(72, 106, LOREM)
    page.text(72, 180, "B. ROLE OF WELLS", 10, "T").lines(72, 202, LOREM)
    page.text(72, 280, "C. DUTIES OF SPRINGS", 10, "T").lines(72, 302, LOREM)
    assert headings(page) == [
        "# CHAPTER 1 - WATER", "## A. PURPOSE", "## B. ROLE OF WELLS", "## C. DUTIES OF SPRINGS",
    ]  # fmt: skip


def test_entries_of_contents_without_dots_or_numbers_are_no_headings() -> None:
    page = Page().text(72, 72, "Table of Contents", 14, "B")
    names = ["Chapter 1 - Water", "Chapter 2 - Leaves", "Chapter 3 - Pots"]
    for at, name in enumerate(names):
        page.text(72, 100 + 40 * at, name, 10, "B")
        page.lines(84, 112 + 40 * at, ["Springs and wells", "What is below them"])
    heads = [(name, 14.0, "B") for name in names]
    found = headings(page, *sections(*heads))
    assert found == ["# Table of Contents", *(f"# {name}" for name in names)]
    assert text_of(page, *sections(*heads)).count("Chapter 2 - Leaves") == 2
