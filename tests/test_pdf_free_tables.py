"""Tables of PDF files that few rules or none tell: by numbers, names of fields, dots, captions."""

from tests.pdf_maker import Page
from tests.test_pdf_tables import LOREM, grid, put, rows


def test_dots_before_several_numbers_lead_to_cells_and_not_to_a_page() -> None:
    page = Page().lines(72, 50, LOREM)
    xs = (72, 250, 290, 330, 370, 410, 450, 490)
    put(page, 110, xs, ("Charged", "All", "Men", "Old", "Young", "Women", "Old", "Young"))
    names = ["Robbery", "Burglary", "Arson", "Fraud", "Gambling"]
    for at, name in enumerate(names):
        dots = " ." * (30 - len(name))
        amounts = [f"{at + 1},061", *(f"{at}{other}.3" for other in range(5))]
        put(page, 125 + 12 * at, xs, (name + dots, *amounts, "(X)" if at == 2 else "7.1"))
    found = rows(page)
    assert ["Robbery", "1,061", "00.3", "01.3", "02.3", "03.3", "04.3", "7.1"] in found
    assert ["Arson", "3,061", "20.3", "21.3", "22.3", "23.3", "24.3", "(X)"] in found


def test_numbers_tell_the_rows_of_labels_of_several_lines() -> None:
    page = Page().lines(72, 50, LOREM)
    xs = (76, 260, 340)
    grid(page, (72, 250, 330, 410), (100, 120, 240))
    put(page, 114, xs, ("Charged", "All", "Young"))
    put(page, 134, xs, ("Violence", "467.9", "69.1"))
    put(page, 146, xs, ("Murder and", "", ""))
    put(page, 158, xs, ("manslaughter", "10.0", "0.9"))
    put(page, 170, xs, ("Robbery", "102.1", "25.5"))
    put(page, 182, xs, ("Arson", "9.8", "4.3"))
    put(page, 194, xs, ("Fraud", "17.7", "(X)"))
    found = rows(page)
    assert found[1:] == [
        ["Violence", "467.9", "69.1"],
        ["Murder and manslaughter", "10.0", "0.9"],
        ["Robbery", "102.1", "25.5"],
        ["Arson", "9.8", "4.3"],
        ["Fraud", "17.7", "(X)"],
    ]


def test_two_columns_between_few_rules_have_a_row_for_each_number() -> None:
    page = Page().lines(72, 50, LOREM)
    grid(page, (72, 220, 300), (100, 116, 156, 184))
    put(page, 112, (76, 240), ("Articles", "28,009"))
    for at, (name, number) in enumerate(
        [("Clusters", "5,543"), ("Patterns", "643"), ("Types", "79")]
    ):
        put(page, 127 + 12 * at, (76, 240), (name, number))
    for at, (name, number) in enumerate([("Tables", "302"), ("Large tables", "101")]):
        put(page, 167 + 12 * at, (76, 240), (name, number))
    assert rows(page) == [
        ["Articles", "28,009"], ["Clusters", "5,543"], ["Patterns", "643"], ["Types", "79"],
        ["Tables", "302"], ["Large tables", "101"],
    ]  # fmt: skip


def test_the_caption_of_a_second_table_is_in_neither() -> None:
    page = Page().lines(72, 40, LOREM)
    page.text(180, 90, "Table 1. Water of the springs")
    xs = (80, 220, 330, 430)
    for y in (100, 118, 160):
        page.rule(72, y, 500, y)
    put(page, 112, xs, ("", "Mean", "Least", "Most"))
    put(page, 132, xs, ("Warmth", "24.2", "18.0", "32.0"))
    put(page, 148, xs, ("Hardness", "17.3", "16.2", "18.5"))
    page.text(160, 180, "Table 2. Leaves before and after they were in the water for some minutes")
    for y in (190, 208, 250):
        page.rule(72, y, 500, y)
    put(page, 202, xs, ("", "Before", "After", "Share"))
    put(page, 222, xs, ("Weight", "2.5", "9.1", "3.6"))
    put(page, 238, xs, ("Height", "1.4", "2.2", "1.6"))
    found = rows(page)
    assert ["Hardness", "17.3", "16.2", "18.5"] in found
    assert ["Weight", "2.5", "9.1", "3.6"] in found
    assert not any("Table 2" in cell for row in found for cell in row)


def test_abbreviations_and_what_they_mean_are_a_table() -> None:
    page = Page().text(72, 60, "Abbreviations", 14, "B")
    meant = {
        "LRM": "Linear Reference Method", "LRS": "Linear Reference System",
        "NHNC": "National Hydro Network of Canada, Level 1", "NID": "National Identifier",
        "NRC": "Natural Resources of Canada",
    }  # fmt: skip
    for at, (name, text) in enumerate(meant.items()):
        put(page, 90 + 20 * at, (72, 130), (name, text))
    assert rows(page) == [list(pair) for pair in meant.items()]


def test_names_of_fields_that_end_at_one_place_are_a_table() -> None:
    page = Page().text(72, 50, "A Request", 18)
    fields = [
        ("Date:", 22.8, "today"),
        ("Author:", 32.8, "Jane Leaf"),
        ("Contact:", 36.1, "by mail"),
        ("Status:", 32.2, "adopted"),
        ("Version:", 36.7, "of the second spring"),
    ]
    for at, (name, wide, value) in enumerate(fields):
        page.text(140 - wide, 90 + 15 * at, name).text(152, 90 + 15 * at, value)
    page.lines(72, 200, LOREM)
    assert rows(page) == [[name, value] for name, _, value in fields]


def test_a_cell_that_stands_out_over_the_rule_at_its_left_is_in_its_column() -> None:
    page = Page().lines(72, 40, LOREM)
    grid(page, (72, 150, 300), (100, 120, 140, 160))
    put(page, 114, (76, 154), ("Weight", "Use"))
    put(page, 134, (76, 147.7), ("two", "Wide words in the room"))
    put(page, 154, (76, 154), ("three", "for what it is"))
    assert rows(page) == [
        ["Weight", "Use"], ["two", "Wide words in the room"], ["three", "for what it is"]
    ]  # fmt: skip
