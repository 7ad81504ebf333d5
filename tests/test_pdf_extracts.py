"""PDF: pages taken out of books and journals, brochures, notices, and fonts without names."""

import itertools

from spanwise.formats import Settings, pdf
from tests.pdf_maker import Page, of_drawn_fonts
from tests.test_pdf_headings import LOREM, headings, text_of
from tests.test_pdf_tables import grid, rows

SMALL = [
    "This notice tells who has made the book and who has not, where it is",
    "kept, and what may be done with it by those who have it in their hands,",
    "as far as the law of the country in which they are does not say more.",
    "It says nothing of those who have not, since they do not read it.",
]


# -- running titles ------------------------------------------------------------------------------


def test_a_page_taken_out_of_a_book_has_its_number_at_the_outer_edge() -> None:
    left = Page().text(72, 50, "16").text(200, 50, "Rain in the north", 12, "I")
    right = Page().text(200, 50, "Rain in the north", 12, "I").text(530, 50, "17")
    for page in (left, right):
        text = text_of(page.text(72, 90, "2 Springs", 12, "B").lines(72, 110, LOREM))
        assert "Rain" not in text
        assert text.startswith("# 2 Springs")


def test_a_low_number_far_before_a_title_is_that_of_a_section() -> None:
    page = Page().text(72, 50, "2", 12).text(140, 50, "Water of the wells", 12)
    assert "Water of the wells" in text_of(page.lines(72, 90, LOREM * 2))


def test_an_amount_at_the_top_is_no_number_of_a_page() -> None:
    page = Page().text(72, 50, "Sum of the rain").text(530, 50, "16").lines(72, 110, LOREM)
    assert "Sum of the rain" in text_of(page)


def test_a_title_that_changes_sides_runs_along() -> None:
    pages = []
    for at in range(3):
        name, article = ("Annals of Rain", "Brook et al.: On wells")
        if at == 1:
            name, article = article, name
        page = Page().text(72, 50 + 3 * (at % 2), name, 10, "B")
        if at > 0:
            page.text(400, 50 + 3 * (at % 2), article, 9, "B")
        part = ("Water", "Wells", "Leaves")[at]
        page.text(72, 120, f"{at + 1} {part}", 12, "B").lines(72, 140, LOREM)
        pages.append(page)
    text = text_of(*pages)
    assert "Annals" not in text
    assert "Brook" not in text
    assert len(headings(*pages)) == 3


def test_the_same_line_at_the_top_of_pages_with_text_close_below_stays() -> None:
    pages = [
        Page().text(72, 50, "Order of the day").text(400, 50, "For all")
        .lines(72, 62, [*LOREM, f"The end of {at}."]) for at in range(2)
    ]  # fmt: skip
    assert "Order of the day" in text_of(*pages)


# -- pages of their own --------------------------------------------------------------------------


def test_pages_in_small_print_have_headings_as_small() -> None:
    notice = Page().text(72, 72, "Authority", 8, "B").lines(72, 84, SMALL, 8)
    notice.text(72, 140, "How to Cite", 8, "B").lines(72, 152, SMALL, 8)
    text = Page().text(72, 72, "1 Water", 12, "B").lines(72, 90, LOREM * 8, 10)
    # A remark below the text of a page is no heading.
    text.text(72, 560, "Source of it", 8, "B").lines(72, 572, SMALL, 8)
    found = headings(notice, text, Page().lines(72, 72, LOREM * 10, 10))
    assert [line.lstrip("# ") for line in found] == ["Authority", "How to Cite", "1 Water"]


def test_a_second_title_page_has_no_headings() -> None:
    name = "The Rain in the North"
    cover = Page().text(150, 200, name, 26, "B").text(200, 240, "A report", 14)
    inner = Page().text(150, 200, name, 26, "B")
    for at, person in enumerate(["Ann Brook", "Bo Wells", "Cy Lake", "Di Ford"]):
        inner.text(200, 260 + 60 * at, person, 14).text(200, 280 + 60 * at, "House of Rain", 9, "I")
    pages = [
        Page().text(72, 72 + 90 * at, part, 14, "B").lines(72, 100 + 90 * at, LOREM * 6)
        for at, part in enumerate(("1 Water", "2 Wells"))
    ]
    assert headings(cover, inner, *pages) == [f"# {name}", "## 1 Water", "## 2 Wells"]


def test_a_running_title_makes_no_second_title_page() -> None:
    name = "The Rain in the North"
    first = Page().text(150, 80, name, 22, "B").lines(72, 130, LOREM)
    second = Page().text(200, 72, name, 10, "I").text(72, 110, "Wells and Brooks", 14, "B")
    assert "## Wells and Brooks" in headings(first, second.lines(72, 130, LOREM))


def test_headings_that_each_page_has_are_no_title() -> None:
    pages = []
    for name in ("STARTERS", "MAINS", "SNACKS", "SWEETS"):
        page = Page().text(250, 150, name, 14, "B")
        for at in range(3):
            page.text(200, 200 + 40 * at, f"Soup of {name.lower()} in a bowl", 12)
        pages.append(page.text(250, 700, "@thehouse", 14, "B"))
    assert headings(*pages) == ["# STARTERS", "# MAINS", "# SNACKS", "# SWEETS"]


# -- looks ---------------------------------------------------------------------------------------


def test_underlined_lines_stand_out_where_all_is_bold() -> None:
    page = Page()
    for at, name in enumerate(("Provided by", "Our teams", "How we help")):
        y = 80 + 120 * at
        page.text(72, y, name, 12, "B").rule(72, y + 2, 75 + 6.1 * len(name), y + 2)
        page.lines(72, y + 20, LOREM, 12, "B")
    assert headings(page) == ["# Provided by", "# Our teams", "# How we help"]


def test_words_that_are_underlined_one_by_one_are_an_underlined_line() -> None:
    page = Page()
    for at, name in enumerate(("Some of this", "More of that", "Less of more")):
        y = 80 + 120 * at
        page.text(72, y, name, 10).lines(72, y + 14, LOREM)
        for start, end in ((72, 98), (98, 109), (109, 130)):
            page.rule(start, y + 2, end, y + 2)
    assert headings(page) == ["# Some of this", "# More of that", "# Less of more"]


def test_quotations_and_examples_are_no_headings() -> None:
    page = Page().text(72, 72, "1.2 Words", 12, "B").lines(72, 90, LOREM)
    page.text(150, 170, '"Two days ago it rained on the house"', 10, "B").lines(72, 190, LOREM)
    assert headings(page) == ["# 1.2 Words"]


def test_bold_lines_of_text_that_is_typewritten_are_headings() -> None:
    page = Page().lines(72, 60, LOREM[:3], 8, "C")
    xs, found = (72, 200, 330), []
    for at, name in enumerate(("NORTH", "SOUTH", "WEST")):
        y = 120 + 160 * at
        found.append(f"PROGRAM 0{at + 1} - {name}")
        page.text(72, y, found[-1], 8, "D").lines(72, y + 14, LOREM[:2], 8, "C")
        grid(page, xs, (y + 40, y + 54, y + 68, y + 82))
        for row in range(3):
            page.text(76, y + 50 + 14 * row, f"Name {row}", 8, "C")
            page.text(204, y + 50 + 14 * row, f"What {row}", 8, "C")
        page.text(72, y + 88, "Of 03 names", 8, "D")
    assert [line.lstrip("# ") for line in headings(page)] == found


def test_a_remark_in_bold_leaves_short_bold_lines_headings() -> None:
    page = Page()
    for at, name in enumerate(("Water", "Wells")):
        page.text(72, 80 + 250 * at, name, 10, "B").lines(72, 94 + 250 * at, LOREM)
        page.lines(90, 170 + 250 * at, LOREM, 10, "B").lines(72, 240 + 250 * at, LOREM)
    assert headings(page) == ["# Water", "# Wells"]


def test_fonts_without_names_are_told_apart_by_their_boxes() -> None:
    page = Page()
    for at, name in enumerate(("Water here", "Springs there", "Wells below")):
        page.text(72, 80 + 120 * at, name, 10, "Q")
        page.lines(72, 100 + 120 * at, [line.replace(",", "") for line in LOREM], 10, "P")
    text = pdf.read(of_drawn_fonts(page, {"P": -186, "Q": -174}), Settings()).text
    found = [line for line in text.split("\n") if line.startswith("#")]
    assert found == ["# Water here", "# Springs there", "# Wells below"]


def test_initials_after_a_number_are_a_heading() -> None:
    page = Page().text(72, 72, "3.2 Water", 10, "B").lines(72, 90, LOREM)
    page.text(72, 160, "3.3 H.E.S.S.", 10, "B").lines(72, 178, LOREM)
    assert headings(page) == ["# 3.2 Water", "# 3.3 H.E.S.S."]


def test_a_title_is_above_labels_that_look_alike_and_end_with_colons() -> None:
    page = Page().text(72, 72, "March 3, 2009", 12, "B")
    page.text(72, 100, "More Rain for the Wells of the North", 12, "B")
    for at, name in enumerate(("Objective:", "Asked for by:", "Due Date:")):
        page.text(72, 140 + 90 * at, name, 12, "B").lines(72, 155 + 90 * at, LOREM, 12)
    assert headings(page) == [
        "# More Rain for the Wells of the North",
        "## Objective:",
        "## Asked for by:",
        "## Due Date:",
    ]


# -- drawings ------------------------------------------------------------------------------------


def test_an_ornament_behind_the_text_leaves_it_its_headings() -> None:
    page = Page()
    for at in range(4):
        y = 40 + 150 * at
        page.content.append(f"60 {792 - y} m 200 {700 - y} 400 {700 - y} 560 {642 - y} c S")
    page.text(72, 100, "Water", 16, "B").lines(72, 120, LOREM * 2)
    page.text(72, 300, "Wells", 16, "B").lines(72, 320, LOREM * 2)
    assert headings(page) == ["# Water", "# Wells"]


def test_grounds_behind_words_are_no_cells() -> None:
    page, xs = Page(), (72, 180, 400)
    # They are as high as the rows, so that their edges touch the rules.
    for x, y, wide in ((232, 82, 26), (310, 82, 20), (186, 97, 26)):
        page.content.append(f"0.8 g {x} {792 - y - 12} {wide} 12 re f 0 g")
    grid(page, xs, (80, 95, 110, 125))
    page.text(76, 91, "first").text(186, 91, "what the").text(233, 91, "code", 10, "C")
    page.text(262, 91, "says, and").text(311, 91, "ifs", 10, "C").text(335, 91, "too")
    page.text(76, 106, "second").text(187, 106, "else", 10, "C").text(216, 106, "nothing more")
    page.text(76, 121, "third").text(186, 121, "nothing at all")
    assert rows(page) == [
        ["first", "what the code says, and ifs too"],
        ["second", "else nothing more"],
        ["third", "nothing at all"],
    ]


def test_rows_that_end_with_their_rank_are_no_contents() -> None:
    page, xs = Page(), (72, 130, 280, 360, 440, 500)
    grid(page, xs, [100 + 16 * at for at in range(7)])
    names = ["ann", "bo", "cy", "di", "ed", "fay"]
    wanted = [[f"a{at}7", name, f"{80 - at}.5", f"{70 + at}.2", str(at + 1)]
              for at, name in enumerate(names)]  # fmt: skip
    for at, row in enumerate(wanted):
        for x, cell in zip(xs, row, strict=False):
            page.text(x + 4, 112 + 16 * at, cell)
    assert rows(page) == wanted


def test_notes_to_accounts_have_letters() -> None:
    page = Page().text(72, 72, "NOTES TO STATEMENTS", 10, "B").text(72, 100, "NOTE A", 10, "B")
    page.text(72, 114, "Rules of the house", 10, "B").lines(72, 128, LOREM * 3)
    assert headings(page)[0] == "# NOTES TO STATEMENTS"
    assert all(line.startswith("##") for line in headings(page)[1:])


def test_a_title_that_ends_with_a_year_is_no_date() -> None:
    page = Page().text(72, 60, "Summary of it", 13, "B")
    page.text(320, 60, "Marketing Report 2024", 18, "B")
    for at, name in enumerate(("Water", "Wells", "Leaves")):
        page.text(72, 120 + 100 * at, name, 11, "B").lines(72, 140 + 100 * at, LOREM)
    found = headings(page)
    assert "# Marketing Report 2024" in found
    assert found[-3:] == ["## Water", "## Wells", "## Leaves"]


def test_letters_in_italics_count_sections_though_italics_are_in_the_text() -> None:
    letters = ["A. From Springs", "B. From Wells", "C. From Brooks", "D. From Lakes"]
    parts = ["I. WATER", *letters, "II. LEAVES", "A. Green Ones", "III. POTS"]
    page, y = Page(), 60
    for part in parts:
        page.text(72, y, part, 10, "F" if part.isupper() else "I").lines(72, y + 14, LOREM)
        y += 80
    words = [f"The words of it that are in italics, {at}, go on and on." for at in range(9)]
    more = Page().lines(72, 60, words, 10, "I").lines(72, 200, LOREM)
    levels = {line.lstrip("# "): line.index(" ") for line in headings(page, more)}
    assert list(levels) == parts
    assert len({levels[part] for part in (*letters, "A. Green Ones")}) == 1
    assert levels["I. WATER"] == levels["II. LEAVES"] < levels["A. Green Ones"]


def test_letters_whose_edges_are_drawn_too_are_bold() -> None:
    page = Page().lines(72, 60, LOREM, 10)
    for at, name in enumerate(("Water", "Wells")):
        page.content.append("2 Tr")
        page.text(72, 140 + 180 * at, name, 10)
        # So are titles of tables, which are as long.
        page.text(72, 220 + 180 * at, f"Table {at + 1}: what each of the houses of it has", 10)
        page.content.append("0 Tr")
        page.lines(72, 155 + 180 * at, LOREM, 10)
    assert [line.lstrip("# ") for line in headings(page)] == ["Water", "Wells"]


def test_small_numbers_beside_a_plot_are_no_versions() -> None:
    page = Page().text(72, 60, "Water", 14, "B").lines(72, 80, LOREM)
    for at, number in enumerate(("200.0", "100.0", "0.0")):
        page.text(60, 200 + 60 * at, number, 5, "B")
    assert headings(page.lines(72, 400, LOREM)) == ["# Water"]


def test_rows_between_stripes_have_the_same_cells() -> None:
    page, edges = Page().lines(72, 40, LOREM[:2]), (72, 180, 225, 290, 330)
    wanted = [["Sort", "Count", "Sum", "Good"]]
    wanted += [[f"Sort of tea in house {at}", f"{at + 31} of 3", f"{at + 41}.5", "yes"]
               for at in range(5)]  # fmt: skip
    for at, row in enumerate(wanted):
        y = 100 + 14 * at
        for left, right in itertools.pairwise(edges):
            # All rows of the last column have a ground.
            if at % 2 or (at > 0 and right == edges[-1]):
                page.content.append(f"0.9 g {left} {792 - y - 14} {right - left} 14 re f 0 g")
        for x, cell in zip(edges, row, strict=False):
            page.text(x + 3, y + 10, cell, 9)
    assert rows(page.lines(72, 220, LOREM)) == wanted


def test_sections_of_a_form_are_of_one_level_however_they_are_set() -> None:
    page = Page().text(200, 50, "Asking for Rain in Writing", 16, "B")
    parts = [("SECTION 1: WATER", "B"), ("SECTION 2: Wells (if there are some)", "B"),
             ("SECTION 3: LEAVES", "B"), ("SECTION 5: Pots and more of it", "J")]  # fmt: skip
    for at, (part, font) in enumerate(parts):
        page.text(72, 110 + 100 * at, part, 11, font).lines(72, 130 + 100 * at, LOREM)
    # What the form asks is set as its title is.
    page.text(200, 86, "DO NOT WRITE BELOW", 16, "B")
    wanted = ["# Asking for Rain in Writing", *(f"## {part}" for part, _ in parts)]
    assert headings(page) == wanted


def test_the_name_below_a_letter_is_no_heading() -> None:
    page = Page().text(72, 50, "Opening Letter", 18, "B").lines(72, 90, LOREM)
    page.text(72, 160, "More of It", 10, "B").lines(72, 174, LOREM)
    page.text(72, 240, "With gratitude,").text(72, 254, "Ann Brook", 10, "B")
    page.text(72, 268, "Head of Wells, House of Rain")
    assert headings(page) == ["# Opening Letter", "## More of It"]
