"""Tables of PDF files: rows and columns told by rules, gaps and dots, or by none of them."""

from collections.abc import Sequence

from spanwise.document import Document
from spanwise.formats import Settings
from spanwise.formats.pdf import read
from tests.pdf_maker import Page, made
from tests.test_pdf import check_proof

LOREM = [
    "Water is heated until it is hot, and then poured over the leaves",
    "that lie in a pot or in a cup, where they stay for some minutes",
    "before they are taken out again, as they would make it bitter.",
]


def document_of(*pages: Page) -> Document:
    """The document of some pages, its chunks proved."""
    data = made(pages)
    document = read(data, Settings())
    check_proof(data, document)
    return document


def rows(*pages: Page) -> list[list[str]]:
    """The rows of all tables of some pages."""
    lines = [line for line in document_of(*pages).text.split("\n") if line.startswith("| ")]
    cells = [[cell.strip() for cell in line[1:-1].split("|")] for line in lines]
    return [row for row in cells if set("".join(row)) != {"-"}]


def put(page: Page, y: float, xs: Sequence[float], cells: Sequence[str], font: str = "F") -> None:
    """Put cells of a row at places."""
    for x, cell in zip(xs, cells, strict=True):
        if cell:
            page.text(x, y, cell, font=font)


def grid(page: Page, xs: Sequence[float], ys: Sequence[float]) -> None:
    """Draw all rules of a grid."""
    for x in xs:
        page.rule(x, ys[0], x, ys[-1])
    for y in ys:
        page.rule(xs[0], y, xs[-1], y)


def test_a_rule_between_two_words_parts_them_however_close_they_are() -> None:
    page = Page().lines(72, 50, LOREM)
    grid(page, (72, 150, 250), (100, 120, 140, 160))
    # One text object for each row, its cells no more than a space apart.
    page.text(125.8, 114, "Price Tea").text(123.6, 134, "12.50 Sencha").text(
        129.1, 154, "7.25 Assam"
    )
    assert rows(page) == [["Price", "Tea"], ["12.50", "Sencha"], ["7.25", "Assam"]]


def test_lists_of_several_columns_in_a_frame_are_tables_of_their_own() -> None:
    page = Page()
    grid(page, (60, 200, 330, 460), (60, 400))
    page.rule(60, 75, 460, 75)
    names = ("NORTH", "SOUTH", "EAST")
    for x, name in zip((63.0, 203.0, 333.0), names, strict=True):
        y = 90.0
        for part in range(7):
            page.text(x, y, f"{name} WARD NUMBER {part}")
            page.text(x, y + 11, "YES").text(x + 115, y + 11, f"{part}1")
            page.text(x, y + 22, "NO").text(x + 115, y + 22, f"{part}2")
            y += 33 + len(name)
    text = document_of(page).text
    assert "| SOUTH WARD NUMBER 3 |  |\n| YES | 31 |\n| NO | 32 |\n| SOUTH WARD NUMBER 4 |" in text
    assert text.rindex("NORTH") < text.index("SOUTH") < text.rindex("SOUTH") < text.index("EAST")


def test_rows_that_no_rule_parts_in_a_grid() -> None:
    page = Page().lines(72, 50, LOREM)
    grid(page, (72, 150, 230, 310), (100, 118, 190))
    for at, row in enumerate(
        (("Place", "Sun", "Rain"), ("Ash", "11", "930"), ("Birch", "12", "870"), ("Elm", "9", "21"))
    ):
        put(page, 113 + 18 * at, (76, 154, 234), row)
    assert rows(page)[1:] == [["Ash", "11", "930"], ["Birch", "12", "870"], ["Elm", "9", "21"]]


def test_cells_that_go_on_make_no_rows_where_no_rule_parts_them() -> None:
    page = Page().lines(72, 50, LOREM)
    grid(page, (72, 180, 330, 400), (100, 118, 190))
    put(page, 113, (76, 184, 334), ("Work", "Cost of it", "Sum"))
    put(page, 130, (76, 184, 334), ("Change of the wires", "Up to 79 hours at 85 each,", "6,715"))
    put(page, 140, (76, 184, 334), ("", "which is no small sum.", ""))
    put(page, 152, (76, 184, 334), ("Test of the sensor", "40 hours at 85 each, half a", "3,400"))
    put(page, 162, (76, 184, 334), ("", "week of work.", ""))
    assert rows(page)[1:] == [
        ["Change of the wires", "Up to 79 hours at 85 each, which is no small sum.", "6,715"],
        ["Test of the sensor", "40 hours at 85 each, half a week of work.", "3,400"],
    ]


def test_a_head_of_several_lines_is_one_row() -> None:
    page = Page().lines(72, 50, LOREM)
    grid(page, (72, 150, 230, 310), (100, 130, 150, 170))
    put(page, 112, (76, 154, 234), ("Place", "Hours", "Rain"))
    put(page, 124, (76, 154, 234), ("", "of sun", "in mm"))
    put(page, 144, (76, 154, 234), ("Ash", "11", "930"))
    put(page, 164, (76, 154, 234), ("Elm", "12", "870"))
    assert rows(page)[0] == ["Place", "Hours of sun", "Rain in mm"]


def test_columns_that_no_rule_parts_in_a_grid() -> None:
    page = Page().lines(72, 50, LOREM)
    ys = [100 + 18 * at for at in range(6)]
    grid(page, (72, 150, 290), ys)
    words = ("Sit dolor", "Amet elit", "Sed quia", "Non est", "Iam enim")
    for at, word in enumerate(words):
        # The last two cells are a little more than a space apart.
        put(page, 113 + 18 * at, (76, 154, 210), (word, f"Nemo {word[:3]}", word[::-1]))
    assert rows(page) == [[word, f"Nemo {word[:3]}", word[::-1]] for word in words]


def test_text_of_a_cell_is_not_parted_at_its_spaces() -> None:
    page = Page().lines(72, 50, LOREM)
    grid(page, (72, 150, 290), [100 + 18 * at for at in range(5)])
    for at, text in enumerate(("of the sun", "of the sea", "of the air", "of the ice")):
        put(page, 113 + 18 * at, (76, 154), (f"Part {at}", f"What is said {text}"))
    assert rows(page)[1] == ["Part 1", "What is said of the sea"]


def test_dots_that_lead_to_the_next_cell_are_left_out() -> None:
    page = Page().lines(72, 50, LOREM)
    for y in (100, 120, 190):
        page.rule(72, y, 500, y)
    put(page, 114, (76, 250, 400), ("Work", "Hours", "Cost"))
    for at, work in enumerate(("Wires changed", "Sensor tested", "Pump cleaned", "Roof painted")):
        dots = "." * (34 - len(work))
        page.text(76, 134 + 14 * at, f"{work} {dots}").text(250, 134 + 14 * at, f"{at} {'.' * 30}")
        page.text(400, 134 + 14 * at, f"{at * 7 % 4}.50")
    assert rows(page)[1:] == [
        ["Wires changed", "0", "0.50"],
        ["Sensor tested", "1", "3.50"],
        ["Pump cleaned", "2", "2.50"],
        ["Roof painted", "3", "1.50"],
    ]


def test_a_list_of_prices_with_dots_is_a_table_and_one_of_pages_is_not() -> None:
    things = ("Coffee", "Green tea", "Cake with plums", "Bread", "Lemonade")
    prices, contents = Page().text(72, 60, "What we have", 14, "B"), Page()
    contents.text(72, 60, "Contents", 14, "B")
    for at, thing in enumerate(things):
        dots = "." * (50 - len(thing))
        prices.text(72, 100 + 14 * at, f"{thing} {dots} {at + 2}.50")
        contents.text(72, 100 + 14 * at, f"{thing} {dots} {at + 2}")
    assert rows(prices) == [[thing, f"{at + 2}.50"] for at, thing in enumerate(things)]
    assert rows(contents) == []


def test_a_title_and_a_note_in_the_frame_of_a_table_are_no_rows() -> None:
    page = Page().lines(72, 40, LOREM)
    ys = (100, 120, 140, 160, 180)
    for y in (*ys, 200):
        page.rule(72, y, 310, y)
    page.rule(72, 100, 72, 200).rule(310, 100, 310, 200)
    page.rule(150, 120, 150, 180).rule(230, 120, 230, 180)
    page.text(76, 114, "What the stations saw").text(76, 194, "All in the year of 1990")
    for at, row in enumerate((("Place", "Sun", "Rain"), ("Ash", "11", "93"), ("Elm", "9", "21"))):
        put(page, 134 + 20 * at, (76, 154, 234), row)
    text = document_of(page).text
    assert rows(page) == [["Place", "Sun", "Rain"], ["Ash", "11", "93"], ["Elm", "9", "21"]]
    assert text.index("What the stations saw") < text.index("| Place")
    assert text.index("All in the year") > text.index("| Elm")


def test_a_head_over_several_columns_is_a_row_of_its_own() -> None:
    page = Page().lines(72, 40, LOREM)
    for y in (100, 130, 150, 170):
        page.rule(72, y, 360, y)
    for x in (72, 140, 250, 360):
        page.rule(x, 100, x, 170)
    page.rule(195, 115, 195, 170).rule(305, 115, 305, 170)
    put(page, 112, (180, 290), ("Sun", "Rain"))
    put(page, 126, (76, 144, 199, 254, 309), ("Place", "July", "May", "July", "May"))
    put(page, 144, (76, 144, 199, 254, 309), ("Ash", "11", "12", "93", "87"))
    put(page, 164, (76, 144, 199, 254, 309), ("Elm", "9", "8", "20", "21"))
    assert rows(page) == [
        ["Place", "Sun", "", "Rain", ""],
        ["", "July", "May", "July", "May"],
        ["Ash", "11", "12", "93", "87"],
        ["Elm", "9", "8", "20", "21"],
    ]


def test_a_grid_that_is_open_at_the_end_of_its_page() -> None:
    page = Page().lines(72, 500, LOREM)
    page.rule(72, 600, 310, 600).rule(72, 625, 310, 625)
    for x in (150, 230):
        page.rule(x, 600, x, 670)
    put(page, 614, (76, 154), ("Work", "Hours"))
    page.text(234, 610, "Cost in").text(234, 620, "dollars")
    put(page, 636, (76, 154, 234), ("Wires", "1", "85"))
    put(page, 650, (76, 154, 234), ("Installation", "2", "170"))
    put(page, 660, (86,), ("of a pump.",))
    assert rows(page) == [
        ["Work", "Hours", "Cost in dollars"],
        ["Wires", "1", "85"],
        ["Installation of a pump.", "2", "170"],
    ]


def test_a_head_and_one_row_that_stand_at_the_same_places() -> None:
    page = Page().lines(72, 40, LOREM)
    put(page, 120, (72, 160, 250, 330), ("Start", "End", "Shows", "Gross amount"))
    put(page, 134, (72, 160, 250, 330), ("12/20/24", "12/31/24", "48", "$12,500.00"))
    assert rows(page) == [
        ["Start", "End", "Shows", "Gross amount"],
        ["12/20/24", "12/31/24", "48", "$12,500.00"],
    ]


def test_a_remark_below_a_cell_that_is_wider_than_it_belongs_to_it() -> None:
    page = Page().lines(72, 40, LOREM)
    xs = (72, 100, 230, 300, 370)
    put(page, 120, xs, ("Ln", "Title", "Format", "Shows", "Total"))
    for at, title in enumerate(("Holiday", "Winter", "New Year")):
        put(page, 134 + 34 * at, xs, (str(at + 1), title, "Large", f"{at}2", "$3,000"))
        page.text(100, 148 + 34 * at, f"(Running time: 14{at} min); for the season", 8)
    assert rows(page)[2] == [
        "2", "Winter (Running time: 141 min); for the season", "Large", "12", "$3,000",
    ]  # fmt: skip


def test_a_column_of_colons_makes_no_table() -> None:
    page = Page().lines(72, 40, LOREM)
    names = ("Michael Miller,", "Warden,", "Petitioner", "v.", "Alexander Smith.")
    for at, name in enumerate(names):
        page.text(72, 120 + 24 * at, name).text(300, 120 + 24 * at, ":")
    page.text(330, 192, "No. 07-1315")
    assert rows(page) == []


def test_cells_in_the_middle_of_rows_of_several_lines() -> None:
    page = Page().lines(72, 40, LOREM)
    xs = (72, 150, 230, 420)
    put(page, 110, xs, ("Tree", "Height", "What is said of it", "Year"))
    words = ("grows by the sea", "is cut in winter and in spring", "is old", "has no leaves in May")
    for at, word in enumerate(words):
        y = 140 + 40 * at
        put(page, y, xs, ("", f"1{at} m", "", f"190{at}"))
        page.lines(72, y - 6, ["Tree of", f"kind {at}"])
        page.lines(
            230, y - 12, ["Among all that are known this one", word, f"and so on until {at}."]
        )
    assert rows(page)[2] == [
        "Tree of kind 1",
        "11 m",
        "Among all that are known this one is cut in winter and in spring and so on until 1.",
        "1901",
    ]


def test_wrapped_dates_make_no_rows() -> None:
    page = Page().lines(72, 40, LOREM)
    xs = (72, 120, 200, 280)
    put(page, 110, xs, ("Day", "Sum", "Kind", "Share"))
    for at in range(4):
        put(page, 130 + 34 * at, xs, (f"202{at}-", f"{at}7,100", "Oak", "5.1 ±"))
        put(page, 142 + 34 * at, (72, 280), ("11-24", "0.2"))
    assert rows(page)[1:] == [
        [f"202{at}- 11-24", f"{at}7,100", "Oak", "5.1 ± 0.2"] for at in range(4)
    ]


def test_rows_close_to_each_other_below_a_head_with_room_stay_rows() -> None:
    page = Page().lines(72, 40, LOREM)
    put(page, 104, (72, 150, 230), ("Tree", "Kind", "Place"))
    for at, tree in enumerate(("Oak", "Elm", "Fir", "Yew", "Ash")):
        put(page, 124 + 12 * at, (72, 150, 230), (tree, f"Kind {tree}", f"At the {tree} hill"))
    assert rows(page)[2] == ["Elm", "Kind Elm", "At the Elm hill"]
    assert len(rows(page)) == 6


def test_groups_of_rows_between_rules() -> None:
    page = Page().lines(72, 40, LOREM)
    for y in (100, 118, 158, 198, 238):
        page.rule(72, y, 330, y)
    put(page, 113, (76, 160, 250), ("Model", "Run", "Score"))
    for at, name in enumerate(("First", "Second", "Third")):
        for run in range(3):
            cells = (name if run == 0 else "", f"Run {run}", f"0.{at}{run}")
            put(page, 130 + 40 * at + 12 * run, (76, 160, 250), cells)
    assert rows(page)[4:7] == [
        ["Second", "Run 0", "0.10"], ["", "Run 1", "0.11"], ["", "Run 2", "0.12"],
    ]  # fmt: skip


def test_heads_over_groups_of_columns_that_rules_below_them_tell() -> None:
    page = Page().lines(72, 40, LOREM)
    for y in (100, 134, 190):
        page.rule(72, y, 400, y)
    page.rule(150, 116, 255, 116).rule(270, 116, 400, 116)
    page.text(190, 112, "Summer").text(315, 112, "Winter")
    put(page, 129, (76, 154, 220, 274, 350), ("Place", "Sun", "Rain", "Sun", "Snow"))
    for at, place in enumerate(("Ash", "Elm", "Oak")):
        put(page, 150 + 14 * at, (76, 154, 220, 274, 350), (place, f"1{at}", "93", "8", "21"))
    assert rows(page)[:3] == [
        ["", "Summer", "", "Winter", ""],
        ["Place", "Sun", "Rain", "Sun", "Snow"],
        ["Ash", "10", "93", "8", "21"],
    ]


def test_a_head_in_the_middle_of_two_columns_is_in_the_first_of_them() -> None:
    page = Page().lines(72, 40, LOREM)
    page.text(176, 112, "Summer").text(316, 112, "Winter")
    put(page, 129, (76, 154, 220, 294, 360), ("Place", "Sun", "Rain", "Sun", "Snow"))
    for at, place in enumerate(("Ash", "Elm", "Oak", "Yew")):
        put(page, 146 + 14 * at, (76, 154, 220, 294, 360), (place, f"1{at}", "93", "8", "21"))
    assert rows(page)[0] == ["", "Summer", "", "Winter", ""]


def test_rows_that_are_written_at_once_with_little_room_between_cells() -> None:
    page = Page().lines(72, 40, LOREM)
    for at in range(4):
        # Each row is one text object, its words moved apart by less than the size of the font.
        show = f"[(Tree {at} by the lake) -900 (4{at},12{at}) -900 (2{at}.8%) -900 (so far)] TJ"
        page.content.append(f"BT /F 10 Tf 1 0 0 1 72 {650 - 14 * at} Tm {show} ET")
    assert rows(page)[1] == ["Tree 1 by the lake", "41,121", "21.8%", "so far"]


def test_tables_beside_each_other_in_two_columns_of_a_page() -> None:
    page = Page()
    for x in (72, 320):
        page.lines(x, 60, [f"{x} {line[:36]}" for line in LOREM * 2])
    for x, step in ((72, 17), (320, 14)):
        for at in range(5):
            put(page, 160 + step * at, (x, x + 90, x + 160), (f"Tree {x}", f"{at}1", f"{at}.5"))
    page.lines(72, 260, LOREM[:2], 8)
    assert ["Tree 72", "31", "3.5"] in rows(page)
    assert ["Tree 320", "31", "3.5"] in rows(page)


def test_more_columns_than_a_table_has_make_none() -> None:
    for count in (80, 300):
        page = Page(width=30 * count + 40)
        for at in range(3):
            for column in range(count):
                page.text(20 + 30 * column, 60 + 20 * at, f"{column % 9}.{at}", 8)
        text = read(made([page]), Settings()).text
        assert (text.count("|") > 3 * count) is (count == 80)


def test_cells_half_a_line_apart_are_no_line() -> None:
    page = Page().lines(72, 40, LOREM)
    for at in range(4):
        page.text(72, 140 + 26 * at, f"Tree {at}").text(150, 134 + 26 * at, f"201{at}-01-")
        # Written one after the other, with less room between them than between columns.
        page.text(179, 146 + 26 * at, "14").text(202, 140 + 26 * at, f"2{at},648")
    assert rows(page)[1] == ["Tree 1", "2011-01- 14", "21,648"]


def test_the_ground_of_a_long_web_page_is_no_frame_around_its_tables() -> None:
    page = Page()
    for x, y, wide, high in ((30, -700, 540, 9000), (36, -690, 528, 8900)):
        page.content.append(f"0.97 g {x} {page.height - y - high} {wide} {high} re f 0 g")
    page.text(72, 60, "Above", size=14, font="B")
    grid(page, (72, 300, 568), (80, 100, 120))
    put(page, 94, (80, 310), ("one", "ein"))
    put(page, 114, (80, 310), ("two", "zwei"))
    page.text(72, 160, "Below", size=14, font="B")
    grid(page, (72, 300, 540), (180, 200, 220))
    put(page, 194, (80, 310), ("three", "drei"))
    put(page, 214, (80, 310), ("four", "vier"))
    lines = [line for line in document_of(page).text.split("\n") if line and "---" not in line]
    one, two = ["| one | ein |", "| two | zwei |"], ["| three | drei |", "| four | vier |"]
    assert lines == ["# Above", *one, "# Below", *two]


def test_what_is_left_between_tables_is_none() -> None:
    page = Page()
    for y in (60, 150, 240, 330):
        page.rule(72, y, 540, y)
    for at, y in enumerate((80, 170, 260)):
        page.text(80, y, f"Class {'ABC'[at]}", font="B")
        grid(page, (72, 300, 540), (y + 10, y + 30, y + 50))
        put(page, y + 24, (80, 310), (f"one {at}", "ein"))
        put(page, y + 44, (80, 310), (f"two {at}", "zwei"))
    page.text(310, 260, "of all")
    page.text(310, 170, "of most")
    assert rows(page) == [
        row for at in range(3) for row in ([f"one {at}", "ein"], [f"two {at}", "zwei"])
    ]


def test_frames_around_titles_are_no_rules_of_a_table() -> None:
    page = Page()
    for at, y in enumerate((60, 160, 260)):
        for height in (y, y + 18):
            page.rule(72, height, 340, height)
        for x in (72, 340):
            page.rule(x, y, x, y + 18)
        page.text(76, y + 12, f"Chapter {at + 1}", font="B")
        for row in (36, 66):
            page.text(90, y + row, f"p. {at}{row}").lines(260, y + row, ["It says too", "much."])
    text = document_of(page).text
    assert "It says too much." in text
    assert not rows(page)
