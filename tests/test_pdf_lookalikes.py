"""PDF: what looks like a heading and is none, and headings that do not look like one."""

from spanwise.formats.pdf.counting import Counted, follows, trusted
from spanwise.formats.pdf.wordless import is_version
from tests.pdf_maker import Page
from tests.test_growth import check_growth
from tests.test_pdf_headings import LOREM, headings, sections, text_of

# -- numbers -------------------------------------------------------------------------------------


def test_numbers_go_on_in_the_last_place_or_one_before_it() -> None:
    assert follows(("1", "9"), ("1", "10"))
    assert follows(("1", "9"), ("2", "1"))
    assert follows(("A", "2"), ("B", "1"))
    assert follows(("7",), ("1",))
    assert not follows(("1", "9"), ("3", "1"))
    assert not follows(("191",), ("198",))
    assert not follows(("2",), ("2",))


def test_numbers_of_lines_and_amounts_do_not_count_sections() -> None:
    sections_of = [Counted((str(at),), 14, True) for at in range(1, 6)]
    lines = [Counted((at,), 8, False) for at in ("191", "198", "203", "204", "208")]
    deeper = [Counted(("1", str(at)), 12, True) for at in range(1, 6)]
    steps = [Counted((str(at),), 11, True) for at in range(1, 4)]
    assert trusted(sections_of + lines) == [True] * 5 + [False] * 5
    # Steps are set smaller than the sections that would be below them.
    assert trusted(sections_of + deeper + steps) == [True] * 10 + [False] * 3
    assert trusted([Counted((), 9, False)]) == [True]


def test_numbers_in_many_sizes_take_no_longer() -> None:
    """Each is not held against each."""

    def work(text: str) -> None:
        trusted([Counted((str(at), "1"), 9 + at / 4, at % 2 == 0) for at in range(len(text))])

    check_growth(work, lambda size: "x" * int(1000 * size))


def test_a_step_with_a_number_is_not_above_sections() -> None:
    pages = sections(
        ("1 Water", 16, "B"), ("1.1 Cold", 14, "B"), ("1.1.1 Ice", 12, "B"), ("Notes", 11, "B"),
        ("3. Stir it well", 11, "B"), ("1.1.2 Snow", 12, "B"), ("Notes", 11, "B"),
        ("2 Leaves", 16, "B"),
    )  # fmt: skip
    assert headings(*pages) == [
        "# 1 Water", "## 1.1 Cold", "### 1.1.1 Ice", "#### Notes", "#### 3. Stir it well",
        "### 1.1.2 Snow", "#### Notes", "# 2 Leaves",
    ]  # fmt: skip


def test_headings_with_letters_and_without_in_one_look_are_of_one_level() -> None:
    pages = sections(
        ("Preamble", 16, "B"), ("A. Name", 16, "B"), ("Where it is", 12, "B"),
        ("B. Members", 16, "B"), ("Who they are", 12, "B"), ("Signatures", 16, "B"),
    )  # fmt: skip
    assert headings(*pages) == [
        "# Preamble", "# A. Name", "## Where it is", "# B. Members", "## Who they are",
        "# Signatures",
    ]  # fmt: skip


def test_of_bold_lines_of_one_size_those_in_another_family_than_the_text_stand_out() -> None:
    pages = sections(
        ("Tea of the north", 11, "T"), ("Water", 11, "B"), ("Leaves", 11, "B"),
        ("Tea of the south", 11, "T"), ("Water", 11, "B"), ("Cups", 11, "B"),
    )  # fmt: skip
    assert headings(*pages) == [
        "# Tea of the north", "## Water", "## Leaves", "# Tea of the south", "## Water", "## Cups",
    ]  # fmt: skip


def test_a_name_in_another_font_may_stand_in_a_heading_but_not_end_it() -> None:
    pages = sections(("1 Water", 14, "B"), ("2 Leaves", 14, "B"))
    page = pages[0]
    page.text(72, 400, "2.1 On the use of", 10, "B").text(156, 400, "TEA", 10)
    page.text(180, 400, "in pots", 10, "B")
    page.lines(72, 420, LOREM)
    page.text(72, 500, "2.2 On pots.", 10, "B").text(140, 500, "Pour", 10).lines(72, 520, LOREM)
    assert headings(*pages) == ["# 1 Water", "# 2 Leaves", "## 2.1 On the use of TEA in pots"]


# -- headings without words ----------------------------------------------------------------------


def index(*letters: str, entry: str = "{}ssam and others, 12, 14") -> list[Page]:
    page = Page().text(72, 72, "1 Tea", 16, "B").lines(72, 96, LOREM)
    page.text(72, 200, "Index", 16, "B")
    for at, letter in enumerate(letters):
        page.text(100, 230 + 60 * at, letter, 10, "B")
        page.text(72, 244 + 60 * at, entry.format(letter), 10)
        page.text(72, 256 + 60 * at, entry.format(letter.lower()), 10)
    return [page]


def test_letters_of_an_index_are_headings_below_it() -> None:
    found = headings(*index("A", "B", "C", "D", "E"))
    assert found == ["# 1 Tea", "# Index", "## A", "## B", "## C", "## D", "## E"]


def test_the_columns_of_an_index_are_no_table() -> None:
    page = (
        Page().text(72, 72, "1 Tea", 16, "B").lines(72, 96, LOREM).text(72, 200, "Index", 16, "B")
    )
    for at, letters in enumerate(("ABC", "DEF", "GHI")):
        left = 72 + 170 * at
        for row, letter in enumerate(letters):
            y = 230 + 44 * row
            page.text(left + 50, y, letter, 10, "B")
            for below, word in enumerate(("ssam", "thens")):
                page.text(left, y + 12 + 11 * below, f"{letter.lower()}{word}")
                page.text(left + 90, y + 12 + 11 * below, "12, 14")
    assert "|" not in text_of(page)


def test_letters_over_something_else_are_none() -> None:
    assert headings(*index("A", "B", "C", "D", "E", entry="Cup number 7")) == ["# 1 Tea", "# Index"]
    assert headings(*index("E", "A", "D", "B", "C")) == ["# 1 Tea", "# Index"]


def test_versions_and_dates_of_a_history_are_headings() -> None:
    pages = sections(
        ("History", 16, "B"), ("[2007/11/11 v0.1]", 12, "B"), ("[2009/01/02 v0.2]", 12, "B"),
        ("1.0.1", 12, "B"),
    )  # fmt: skip
    assert headings(*pages) == [
        "# History", "## [2007/11/11 v0.1]", "## [2009/01/02 v0.2]", "## 1.0.1",
    ]  # fmt: skip


def test_a_version_has_nothing_but_a_date_beside_it() -> None:
    for text in (
        "1.58 (2022/10/26)",
        "v1.0.2 (2022-10-07)",
        "1.4 - March 2016",
        "1.4 March 3, 2016",
    ):
        assert is_version(text), text
    for text in ("2.2 On pots.", "1.2 Water", "1.4 of March", "Version", "2.5 cups of 2016 tea"):
        assert not is_version(text), text


def test_the_word_and_number_of_a_chapter_alone_are_a_heading() -> None:
    pages = sections(("General", 12, "B"), ("Chapter 1", 12, "B"), ("Chapter 2", 12, "B"))
    assert [line.lstrip("# ") for line in headings(*pages)] == ["General", "Chapter 1", "Chapter 2"]


# -- titles --------------------------------------------------------------------------------------


def test_the_title_is_the_large_line_below_a_small_one() -> None:
    page = Page().text(200, 72, "The package for", 12, "B").text(220, 100, "Teapots", 24, "B")
    page.text(240, 120, "v 0.13")
    for at, head in enumerate(("1 Water", "2 Leaves")):
        page.text(72, 180 + 100 * at, head, 14, "B").lines(72, 200 + 100 * at, LOREM)
    assert headings(page) == ["# Teapots", "## 1 Water", "## 2 Leaves"]


def test_dates_and_versions_below_a_title_are_no_headings() -> None:
    for line in ("17 February 1987", "February 2017", "October 7, 2022 v1.0.2", "Version v2.5k"):
        page = Page().text(200, 72, "Teapots", 24, "B").text(220, 100, "A. Cook", 12)
        page.text(220, 118, line, 12)
        page.text(72, 160, "1 Water", 14, "B").lines(72, 180, LOREM)
        page.text(72, 260, "2 Leaves", 14, "B").lines(72, 280, LOREM)
        assert headings(page) == ["# Teapots", "## 1 Water", "## 2 Leaves"]


def test_an_address_in_a_font_for_code_does_not_end_what_belongs_to_the_title() -> None:
    page = Page().text(150, 72, "Teapots", 24, "B").text(220, 100, "Christian Kanne", 12, "B")
    page.text(190, 114, "https://example.org/teapots", 12, "C")
    page.text(220, 140, "October 7, 2022", 12, "B")
    page.text(72, 200, "Water", 12, "B").lines(72, 220, LOREM)
    page.text(72, 300, "Leaves", 12, "B").lines(72, 320, LOREM)
    assert headings(page) == ["# Teapots", "## Water", "## Leaves"]


def test_a_title_in_the_middle_need_not_be_larger_than_the_text() -> None:
    page = Page().text(168, 72, "THE KEEPING OF TEA")
    page.text(72, 110, "B.1. Water", 10, "B").lines(72, 130, LOREM)
    page.text(72, 210, "B.2. Leaves", 10, "B").lines(72, 230, LOREM)
    assert headings(page)[0] == "# THE KEEPING OF TEA"
    # At the margin it may be the name of a sender.
    page = Page().text(72, 72, "THE KEEPING OF TEA")
    page.text(72, 110, "B.1. Water", 10, "B").lines(72, 130, LOREM)
    page.text(72, 210, "B.2. Leaves", 10, "B").lines(72, 230, LOREM)
    assert headings(page)[0] == "# B.1. Water"


def test_a_title_set_as_sections_are_is_above_those_with_numbers() -> None:
    page = Page().text(72, 72, "Multilingual tea", 11, "B").text(92, 100, "Harald Kanne")
    for at, head in enumerate(("1 Introduction", "2 Leaves", "References")):
        page.text(72, 140 + 100 * at, head, 11, "B").lines(72, 160 + 100 * at, LOREM)
    assert headings(page) == [
        "# Multilingual tea", "## 1 Introduction", "## 2 Leaves", "## References",
    ]  # fmt: skip


def test_a_long_title_may_end_in_a_full_stop() -> None:
    cover = Page().lines(
        100, 300, ["Report on the density of tea in pots", "that conserve their norm in",
        "the usual plane way of it all."], 20,
    )  # fmt: skip
    cover.text(220, 420, "Ann Cook", 14).text(220, 460, "January 2, 2022", 14)
    more = sections(*((f"{at} Water", 14, "B") for at in range(1, 9)))
    assert headings(cover, *more)[0] == (
        "# Report on the density of tea in pots that conserve their norm in the usual plane way "
        "of it all."
    )


def test_an_entry_of_contents_in_two_lines_is_no_heading() -> None:
    page = Page().text(72, 72, "Contents", 16, "B")
    for at, entry in enumerate(("1 Water", "2 Leaves", "3 Cups", "4 Pots", "5 Spoons")):
        page.text(72, 110 + 14 * at, entry).text(180, 110 + 14 * at, ". . . . . . . . . . . . 4")
    page.text(72, 200, "Appendix A Useful other", 14, "B")
    page.text(88, 217, "programs", 14, "B").text(156, 217, ". . . . . . . . . . . . . . . 9", 14)
    more = sections(("1 Water", 16, "B"), ("2 Leaves", 16, "B"))
    assert headings(page, *more) == ["# Contents", "# 1 Water", "# 2 Leaves"]


def test_large_titles_of_short_lines_are_not_the_text() -> None:
    pages = []
    for name in ("Sample styles of tea", "Names of large pots", "Fonts of small cups"):
        page = Page().text(72, 72, name, 28)
        pages.append(page.lines(72, 100, ["12 12", "12 12"], 12).text(72, 160, "14", 14))
    assert headings(*pages) == [
        "# Sample styles of tea", "# Names of large pots", "# Fonts of small cups",
    ]  # fmt: skip
    # But small print is not it, either.
    page = Page().text(72, 72, "Invoice 7", 14)
    for at, line in enumerate(("Paid", "To be paid", "Total", "in words", "one hundred and two")):
        page.text(72, 120 + 30 * at, line, 8)
    page.lines(72, 400, ["Name of the person who may", "send this invoice to others"], 6)
    assert headings(page) == ["# Invoice 7"]


def test_small_print_around_a_table_is_not_the_text() -> None:
    page = Page().text(72, 72, "Invoice 7", 14)
    for y in range(100, 261, 40):
        page.rule(72, y, 540, y)
    for x in (72, 300, 540):
        page.rule(x, 100, x, 260)
    for at, row in enumerate(("What was sold", "Tea of the north", "Large pots", "Some cups")):
        page.text(80, 124 + 40 * at, row, 8).text(310, 124 + 40 * at, f"{row}, at a price", 8)
    page.text(400, 320, "To be paid", 8)
    page.lines(72, 400, ["Name of the person who may", "send this invoice to others"], 6)
    assert headings(page) == ["# Invoice 7"]


# -- words that only look like headings ----------------------------------------------------------


def test_words_of_an_example_in_a_font_of_their_own_are_none() -> None:
    names = "Water Leaves Cups Pots Spoons Milk Sugar Lemons Kettles Shelves Tables Chairs".split()
    heads = [(f"{at} {name}", 14.0, "B") for at, name in enumerate(names, 1)]
    pages = sections(*heads)
    pages.append(Page().text(72, 300, "BIG SAMPLE", 60, "T").lines(72, 400, LOREM))
    assert headings(*pages) == [f"# {text}" for text, _, _ in heads]


def test_a_plain_title_in_the_middle_of_a_table_is_none() -> None:
    pages = sections(("1 Costs", 14, "B"), ("2 Work", 14, "B"))
    page = pages[0]
    page.text(265, 400, "WHAT IT COSTS", 12)
    for y in (420, 440, 460, 480):
        page.rule(72, y, 540, y)
    for x in (72, 230, 390, 540):
        page.rule(x, 420, x, 480)
    for at, row in enumerate(
        (("Action", "Cost", "Parts"), ("Wire", "$ 5", "2"), ("Pot", "$ 9", "1"))
    ):
        for x, cell in zip((80, 240, 400), row, strict=True):
            page.text(x, 434 + 20 * at, cell)
    assert headings(*pages) == ["# 1 Costs", "# 2 Work"]
    assert "| Action | Cost | Parts |" in text_of(*pages)


def test_small_capitals_before_a_large_colon_are_small() -> None:
    page = Page()
    for at, head in enumerate(("Water", "Leaves")):
        page.text(72, 72 + 100 * at, head, 10, "B").lines(72, 90 + 100 * at, LOREM)
    page.text(72, 272, "SUMMARY", 8.5, "B").text(116, 272, ":", 10, "B").lines(72, 290, LOREM)
    assert headings(page) == ["# Water", "# Leaves", "## SUMMARY:"]


# -- the tops of pages ---------------------------------------------------------------------------


def test_an_amount_at_the_top_is_no_page_number() -> None:
    page = Page().text(72, 60, "1.5% of tea", 16, "B").text(330, 60, "2% of pots", 16, "B")
    page.lines(72, 110, LOREM)
    assert "1.5% of tea" in text_of(page)
    assert "2% of pots" in text_of(page)


def test_a_header_with_two_sides_and_a_page_number_is_left_out() -> None:
    page = Page()
    rows = ("Call for pots", "Section 43"), ("Society", "Instructions"), ("House", "Page 1 of 8")
    for at, (left, right) in enumerate(rows):
        # A letter of this font is 6.6 points wide.
        page.text(72, 50 + 16 * at, left, 11, "C")
        page.text(540 - 6.6 * len(right), 50 + 16 * at, right, 11, "C")
    page.text(72, 150, "1. INTENT", 11, "B").lines(72, 170, LOREM)
    text = text_of(page)
    assert headings(page) == ["# 1. INTENT"]
    assert "House" not in text


def test_a_title_above_a_table_that_is_all_there_is_is_larger_than_its_cells() -> None:
    page = Page().text(200, 50, "Checks of All Regions", size=15)
    xs = (72, 160, 240, 320)
    for x in (*xs, 400):
        page.rule(x - 4, 112, x - 4, 208)
    for row, name in enumerate("North East South West Center Coast Hills Isles".split()):
        for x, cell in zip(xs, (name, f"{row}12", f"3{row}4", f"{row}7"), strict=True):
            page.text(x, 121 + 12 * row, cell, size=6)
    for y in range(112, 212, 12):
        page.rule(68, y, 396, y)
    assert headings(page) == ["# Checks of All Regions"]
