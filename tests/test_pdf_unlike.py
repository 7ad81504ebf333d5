"""PDF: kinds of documents that are unlike reports: forms, reference cards, scans, court papers."""

from spanwise.formats.pdf.characters import AFTER_LAM, LAM, is_read_so
from spanwise.formats.pdf.fonts import Style
from spanwise.formats.pdf.headings import mark_headings
from spanwise.formats.pdf.joining import with_marks
from spanwise.formats.pdf.lines import Line
from spanwise.formats.pdf.outline import Matched
from spanwise.formats.pdf.paragraphs import Paragraph
from spanwise.formats.pdf.runs import Run
from tests.pdf_maker import Page
from tests.test_pdf_headings import LOREM, headings, sections, text_of
from tests.test_pdf_order import are_in_order


def heads(*pages: Page, **more: object) -> list[str]:
    return headings(*pages, **more)


# -- columns -------------------------------------------------------------------------------------


def test_a_text_object_over_two_columns_is_cut_between_them() -> None:
    page = Page()
    left = [f"Alpha says in line {at + 10} what it has" for at in range(12)]
    right = [f"Beta says in line {at + 10} what it has" for at in range(12)]
    # From the top to the bottom, as printers want it; some rows are one object.
    for at in range(12):
        y = 100 + 12 * at
        if at % 4 == 1:
            page.text(72, y, left[at] + " " * 4 + right[at])
        else:
            page.text(72, y, left[at]).text(72 + width(left[at] + " " * 4), y + 5, right[at])
    assert are_in_order(text_of(page), "Alpha", "Beta")


def width(text: str) -> float:
    """How wide a text is in Helvetica of 10 points."""
    narrow = {" ": 2.78, "i": 2.22, "l": 2.22, "t": 2.78, "h": 5.56, "s": 5.0, "y": 5.0, "A": 6.67,
              "B": 6.67, "w": 7.22, "p": 5.56, "1": 5.56}  # fmt: skip
    return sum(narrow.get(letter, 5.56) for letter in text)


def test_tables_beside_each_other_are_columns_with_titles_of_their_own() -> None:
    page = Page()
    names = [["Water", "Leaves"], ["Pots", "Cups"]]
    for column, x in enumerate((60, 330)):
        for row, y in enumerate((100, 260)):
            page.text(x + 80, y - 8, names[column][row], 10, "B")
            for at in range(4):
                page.rule(x, y + 20 * at, x + 200, y + 20 * at)
                if at < 3:
                    page.text(x + 4, y + 14 + 20 * at, f"item {at}")
                    page.text(x + 110, y + 14 + 20 * at, f"what {names[column][row]} cost")
            page.rule(x + 100, y, x + 100, y + 60)
    assert heads(page) == ["# Water", "# Leaves", "# Pots", "# Cups"]


# -- levels --------------------------------------------------------------------------------------


def test_a_few_large_lines_use_up_no_levels() -> None:
    odd = [(f"Odd {size}", float(size), "B") for size in (30, 28, 26, 24, 22, 20)]
    many = [("Water", 16.0, "B"), ("Springs", 14.0, "B"), ("Wells", 12.0, "B")] * 4
    found = heads(*sections(*odd, *many))
    levels = {line.split()[1]: line.count("#") for line in found}
    assert levels["Water"] < levels["Springs"] < levels["Wells"] <= 6


def test_headings_that_are_set_in_are_below_those_in_italics_that_are_not() -> None:
    page = Page()
    y = 72
    for text, x, size, font in [
        ("All of Tea", 200, 20, "B"), ("Water", 72, 14, "B"), ("Springs", 72, 10, "J"),
        ("Cold", 110, 10, "B"), ("Hot", 110, 10, "B"), ("Wells", 72, 10, "J"),
    ]:  # fmt: skip
        page.text(x, y, text, size, font).lines(72, y + 20, LOREM)
        y += 95
    found = heads(page)
    levels = {line.lstrip("# "): line.count("#") for line in found}
    assert levels["Water"] < levels["Springs"] == levels["Wells"]
    assert levels["Cold"] == levels["Hot"] > levels["Springs"]


def test_bookmarks_tell_the_levels_of_headings_that_look_alike() -> None:
    names = ["Water", "Springs", "Wells", "Leaves", "Green", "Black"]
    pages = [
        Page().text(40, 60, name, 24, "B").text(40, 100, f"About {name}.", 12) for name in names
    ]
    marks = [(name, at, 0 if at % 3 == 0 else 1) for at, name in enumerate(names)]
    assert heads(*pages, bookmarks=marks) == [
        "# Water", "## Springs", "## Wells", "# Leaves", "## Green", "## Black"
    ]  # fmt: skip


def test_one_number_among_many_headings_with_bookmarks_tells_no_level() -> None:
    parts = [("Tea", 20.0, "B"), ("Water", 16.0, "B"), ("Springs", 12.0, "B"),
             ("1 cup", 12.0, "B"), ("Wells", 12.0, "B"), ("Leaves", 16.0, "B")]  # fmt: skip
    marks = [
        (text, 0, depth) for (text, _, _), depth in zip(parts, (0, 1, 2, 2, 2, 1), strict=True)
    ]
    assert heads(*sections(*parts), bookmarks=marks) == [
        "# Tea", "## Water", "### Springs", "### 1 cup", "### Wells", "## Leaves"
    ]  # fmt: skip


# -- what is no heading ---------------------------------------------------------------------------


def test_the_name_of_a_journal_with_its_volume_is_not_the_title() -> None:
    page = Page().text(200, 40, "Leaves of Tea 137 \\(2015\\) 1-5".replace("\\", ""), 8)
    page.text(200, 80, "Leaves of Tea", 16).text(72, 120, "How water is heated", 15)
    page.lines(72, 160, LOREM).text(72, 240, "1. Introduction", 10, "B").lines(72, 260, LOREM)
    assert heads(page) == ["# How water is heated", "## 1. Introduction"]


def test_a_version_beside_the_name_of_a_form_is_not_its_title() -> None:
    page = Page().text(72, 60, "Application for Tea", 12, "B").text(500, 60, "Version 02", 12.5)
    page.lines(72, 90, LOREM)
    assert heads(page) == ["# Application for Tea"]


def test_remarks_addresses_and_firms_are_no_headings() -> None:
    page = Page().text(72, 60, "Request", 16, "B").lines(72, 80, LOREM)
    for at, text in enumerate(
        ["(Fill in only where asked)", "P.O. Box 4444", "Janesville, WI 53547-4444"]
    ):
        page.text(72, 160 + 40 * at, text, 12, "B")
    page.text(72, 290, "Tea and Sons, LLC", 10, "B").lines(72, 320, LOREM)
    assert heads(page) == ["# Request"]


def test_a_sentence_that_goes_on_in_another_look_is_no_heading() -> None:
    page = Page().text(72, 60, "Request", 16, "B").lines(72, 80, LOREM)
    page.text(
        72, 160, "I say that all of what I have written above is true and that I know this", 12, "B"
    )
    page.text(72, 174, "makes me liable to a fine of some cups of tea.", 10, "I").lines(
        72, 220, LOREM
    )
    assert heads(page) == ["# Request"]


def test_sentences_of_a_numbered_list_are_no_headings() -> None:
    page = Page().lines(72, 60, LOREM, 8).lines(72, 120, LOREM, 8)
    y = 200
    for number in range(1, 6):
        if number == 3:
            page.text(72, y, "3. Water was cold.", 12, "T")
        else:
            first = f"{number}. The leaves were put into a pot that was far too small for"
            page.lines(72, y, [first, "all of them together with the water."], 12, "T")
        y += 50
    assert heads(page) == []


def test_bullets_that_were_read_as_noughts_make_no_headings() -> None:
    page = Page().text(72, 60, "Kettle", 20).lines(72, 90, LOREM)
    for at in range(5):
        page.text(72, 150 + 30 * at, f"0 Optional cup number {at + 2}", 14)
    page.lines(72, 320, LOREM)
    assert heads(page) == ["# Kettle"]


def test_letters_one_by_one_are_a_sample_of_a_font() -> None:
    page = Page().text(72, 60, "Letters", 16, "B").lines(72, 90, LOREM)
    page.text(72, 160, "a b c d e f g h i j k l m n fi ffi", 16).lines(72, 190, LOREM)
    assert heads(page) == ["# Letters"]


def test_small_labels_make_a_figure_of_the_words_among_them() -> None:
    page = Page().text(72, 60, "1 Water", 12, "B").lines(72, 80, LOREM)
    page.text(72, 160, "2 Leaves", 12, "B")
    for at in range(10):
        page.text(100 + 150 * (at % 3), 200 + 25 * at, f"label {at}", 5)
    page.text(250, 230, "Global Model", 14, "B").lines(72, 500, LOREM)
    assert heads(page) == ["# 1 Water", "# 2 Leaves"]


def test_a_heading_above_another_that_is_set_in_is_no_term() -> None:
    page = Page()
    y = 60
    for text in ("Water", "Leaves", "Milk"):
        page.text(72, y, text, 10, "B")
        page.text(86, y + 16, f"Of {text} we had", 10, "I").lines(86, y + 36, LOREM)
        y += 110
    found = [line.lstrip("# ") for line in heads(page)]
    assert found[::2] == ["Water", "Leaves", "Milk"]
    assert found[1::2] == ["Of Water we had", "Of Leaves we had", "Of Milk we had"]


# -- paragraphs ----------------------------------------------------------------------------------


def test_emphasis_that_ends_with_a_line_but_one_word_goes_on_in_the_paragraph() -> None:
    page = Page().text(72, 60, "Minimum amount of leaves decreased.", 10, "B").text(262, 60, "The")
    page.lines(
        72,
        72,
        ["quantity of leaves is now thirty grams for", "each of the pots, and less for cups."],
    )
    assert text_of(page) == (
        "Minimum amount of leaves decreased. The quantity of leaves is now thirty grams for each "
        "of the pots, and less for cups.\n"
    )


def test_a_lam_before_its_letter_in_one_glyph_is_left_as_it_is() -> None:
    for letter in AFTER_LAM:
        assert is_read_so([LAM, letter])
        assert not is_read_so([letter, LAM])
    assert not is_read_so(["\u0627", "\u0646"])


# -- furniture -----------------------------------------------------------------------------------


def test_the_number_of_a_page_is_none_of_the_text_whatever_stands_beside_it() -> None:
    page = Page().lines(72, 100, LOREM)
    page.text(72, 770, "Form 21-0966, printed in February", 8).text(500, 770, "Page 2 of 4", 8)
    text = text_of(page)
    assert "Page 2" not in text
    assert "Form 21-0966" in text


def test_a_running_title_that_a_larger_line_says_is_furniture() -> None:
    pages = []
    for at, name in enumerate(["Water", "Leaves", "Cups", "Pots"]):
        page = Page().text(40, 30, name, 9).text(40, 70, name, 18, "B").lines(40, 100 + at, LOREM)
        pages.append(page)
    assert text_of(*pages).count("Water") == 1
    assert heads(*pages) == ["# Water", "# Leaves", "# Cups", "# Pots"]


def test_a_footer_of_lines_at_hardly_the_same_height_is_one_row() -> None:
    pages = []
    for number in range(3):
        page = Page().lines(72, 100 + number, [f"Page of text number {number}", *LOREM])
        page.text(540, 765.5, f"Sheet {number + 1}", 8).text(40, 769.5, "FORM 293", 10, "B")
        page.text(250, 770, "NOT FOR SALE", 10, "B").text(40, 783, "NEVER VALID", 8)
        pages.append(page)
    text = text_of(*pages)
    assert "NOT FOR SALE" not in text
    assert "FORM 293" not in text
    assert "NEVER VALID" not in text


# -- what stands above columns ---------------------------------------------------------------------


def column_of_text(page: Page, x: float, y: float, name: str) -> None:
    """A column of text below a heading."""
    page.text(x, y, name, 11, "B")
    page.lines(x, y + 18, [f"{name} is what this line is of, as all others" for _ in range(8)])


def test_authors_beside_each_other_come_before_the_columns_below_them() -> None:
    page = Page().text(220, 60, "The Name of Tea", 20, "B")
    # Column after column, as the content of such pages may be.
    for at, (x, name) in enumerate(((90, "Jane Leaf"), (240, "John Water"), (420, "Ann Cup"))):
        y = 100 + 4 * at
        page.text(x, y, name, 12)
        page.lines(x, y + 14, ["The Tea Institute of Kent", "in the house beside it", "England"])
        if name != "John Water":
            column_of_text(page, 72 if x == 90 else 312, 220, "Abstract" if x == 90 else "Keywords")
    text = text_of(page)
    places = [text.index(name) for name in ("Jane", "John", "Ann", "Abstract", "Keywords")]
    assert places == sorted(places)


def test_a_picture_over_both_columns_parts_what_is_above_from_what_is_below() -> None:
    page = Page()
    column_of_text(page, 72, 400, "Abstract")
    column_of_text(page, 312, 400, "Keywords")
    page.lines(312, 80, [f"Beta says what line {at} is of, and more" for at in range(6)])
    page.lines(72, 80, [f"Alpha says what line {at} is of, and more" for at in range(6)])
    image = "BI /W 1 /H 1 /CS /G /BPC 8 ID \x80 EI"
    page.content.append(f"q 490 0 0 150 62 450 cm {image} Q")
    text = text_of(page)
    places = [text.index(name) for name in ("Alpha", "Beta", "Abstract", "Keywords")]
    assert places == sorted(places)


def test_headings_with_numbers_right_below_each_other_are_two() -> None:
    page = Page().text(72, 60, "3 Test of parts", 12, "B")
    page.text(72, 76, "3.1 Test of sections (the second)", 10, "B")
    page.text(72, 88, "3.1.1 Test of sections (the third)", 10, "B")
    page.lines(
        72, 106, ["This is an example of the use and", "abuse of all that has a number and"] * 3
    )
    assert heads(page) == [
        "# 3 Test of parts",
        "## 3.1 Test of sections (the second)",
        "### 3.1.1 Test of sections (the third)",
    ]


def test_the_title_of_a_section_beside_that_of_the_document_is_furniture() -> None:
    pages = []
    for number in range(8):
        page = Page().text(400, 40, "All of tea", 10)
        if number % 2:
            page.text(72, 40, ["", "Pots", "", "Cups", "", "Water", "", "Milk"][number], 10, "I")
        page.lines(72, 80 + number, [f"{number} pages of text are above this one", *LOREM])
        pages.append(page)
    text = text_of(*pages)
    assert not any(word in text for word in ("Pots", "Cups", "Water", "Milk", "All of tea"))


# -- numbers and bookmarks -------------------------------------------------------------------------


def handbook() -> list[tuple[str, float, str]]:
    """Headings of chapters, parts with letters and parts of these with numbers, all anew."""
    found: list[tuple[str, float, str]] = []
    for chapter in ("Water", "Leaves", "Pots"):
        found.append((f"CHAPTER {len(found) // 7 + 1} - {chapter.upper()}", 14.0, "B"))
        for letter in "AB":
            found.append((f"{letter}. Of {chapter} in part {letter}", 13.0, "B"))
            found += [(f"{number}. {chapter} number {number}", 12.0, "B") for number in (1, 2)]
    return found


def levels_of(found: list[str]) -> dict[str, set[int]]:
    """The levels of headings by the kind of their number."""
    levels: dict[str, set[int]] = {}
    for line in found:
        text = line.lstrip("# ")
        kind = text[0] if text[1] != "." else ("a" if text[0].isalpha() else "1")
        levels.setdefault(kind, set()).add(line.count("#"))
    return levels


def test_numbers_that_begin_anew_below_larger_headings_are_below_them() -> None:
    assert levels_of(heads(*sections(*handbook()))) == {"C": {1}, "a": {2}, "1": {3}}


def test_bookmarks_that_agree_with_looks_tell_levels_more_than_numbers_do() -> None:
    parts = handbook()
    # All of one size: only bookmarks tell.
    alike = [(text, 12.0, font) for text, _, font in parts]
    depths = {14.0: 0, 13.0: 1, 12.0: 2}
    marks = [(text, at // 6, depths[size]) for at, (text, size, _) in enumerate(parts)]
    assert levels_of(heads(*sections(*alike), bookmarks=marks)) == {"C": {1}, "a": {2}, "1": {3}}


def test_a_heading_above_a_list_is_no_term_and_no_front_matter() -> None:
    page = Page().text(72, 60, "Policy of the house", 18, "B")
    page.text(72, 84, "Who it is for", 12, "B")
    page.lines(84, 98, ["\x95 All who drink tea", "\x95 All who make it"], 8)
    page.text(72, 140, "What it is about", 10, "B")
    page.lines(90, 153, ["1) Water that is hot", "2) Leaves that are dry"])
    page.lines(72, 220, LOREM)
    assert [line.lstrip("# ") for line in heads(page)] == [
        "Policy of the house", "Who it is for", "What it is about"
    ]  # fmt: skip


def test_letters_that_are_printed_twice_one_by_one_are_there_once() -> None:
    page = Page()
    for _ in range(2):
        for at, letter in enumerate("WLK 100860"):
            if letter != " ":
                page.text(72 + 6.2 * at, 200, letter, 9)
        page.text(400, 200, "Page 1 of 4").lines(72, 60, LOREM)
    assert text_of(page).count("0") == 3


def line_of(*parts: tuple[str, str], left: float = 72.0, y: float = 100.0) -> Line:
    """A line of parts that are a text and its font, 6 points for each letter."""
    made: Line | None = None
    at = 0
    for text, font in parts:
        style = Style(font, 12.0, bold=False, italic=False, mono=False, colour=0)
        box = (left + 6 * at, y, left + 6 * (at + len(text)), y + 12)
        run = Run(at, at + len(text), box, y + 10, 12.0, style, 1.0, 0.0)
        at += len(text) + 1
        if made is None:
            made = Line(0, run)
        else:
            made.add(run)
    assert made is not None
    made.text = " ".join(text for text, _ in parts)
    made.style = made.runs[-1].style
    return made


def test_one_letter_of_a_font_for_symbols_is_a_bullet() -> None:
    for font, marked in (("ABC+WPTypographicSymbols", True), ("Helvetica", False)):
        mark = line_of(("!", font), left=145)
        text = line_of(("they are made to be drunk", "Times"), left=180)
        found = with_marks([mark, text], set())
        assert (found == [text]) is marked
        assert text.bullet is marked


def test_a_picture_from_a_font_is_no_letter_before_a_title() -> None:
    for font, dropped in (("FontAwesome5Free-Solid", True), ("Helvetica", False)):
        (found,) = with_marks([line_of(("j", font), ("Works", "Times"))], set())
        assert found.text == ("Works" if dropped else "j Works")
        assert found.left == (84.0 if dropped else 72.0)
        assert not found.bullet
    mark, text = line_of(("j", "FontAwesome"), left=60), line_of(("Works", "Times"), left=80)
    assert with_marks([mark, text], set()) == [text]
    assert not text.bullet


def test_chinese_numbers_in_another_font_begin_a_heading() -> None:
    def paragraph(*parts: tuple[str, str], y: float, lines: int = 1) -> Paragraph:
        made = Paragraph([line_of(*parts, y=y + 14 * at) for at in range(lines)])
        made.text = "".join(line.text for line in made.lines)
        return made

    for font, found in (("SourceHanSans", "heading"), ("SourceHanSerif", "paragraph")):
        body = "\u9009\u62e9\u9898\u7684\u7b54\u6848\u5199\u5728\u8868\u4e2d" * 3
        page = []
        for at, number in enumerate("\u4e00\u4e8c\u4e09"):
            title = (f"{number}\u3001\u586b\u7a7a\u9898", font)
            page.append(
                paragraph(title, ("\u5171\u516d\u9898", "SourceHanSerif"), y=100 + 150 * at)
            )
            page.append(paragraph((body, "SourceHanSerif"), y=130 + 150 * at, lines=5))
        mark_headings(page, set(), Matched({}), None)
        assert [one.kind for one in page[::2]] == [found] * 3


def test_the_title_of_slides_that_build_up_is_no_furniture() -> None:
    pages = []
    for count in range(1, 6):
        page = Page(width=720, height=405).text(40, 50, "Of water", 28)
        page.text(500, 395, "Tea Club", 9)
        for at in range(count):
            page.text(60, 120 + 40 * at, f"\x95 point number {at}", 18)
        pages.append(page)
    assert [line.lstrip("# ") for line in heads(*pages)] == ["Of water"] * 5
    assert "Tea Club" not in text_of(*pages)
