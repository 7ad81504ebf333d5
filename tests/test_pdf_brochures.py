"""PDF: brochures, with titles in white on grounds and a large title over one of the columns."""

from tests.pdf_maker import Page
from tests.test_pdf_headings import LOREM, headings, text_of
from tests.test_pdf_order import are_in_order
from tests.test_pdf_tables import rows

PARTS = {
    "ENGINE": [("Model", "Y 4TN"), ("Fuel", "Diesel"), ("Cooling", "Water")],
    "DRIVE": [("Force", "11 lb"), ("Grade", "35 in a hundred")],
    "HYDRAULICS": [("Flow", "15 gpm"), ("Pressure", "31 psi")],
    "CAPACITIES": [("Tank", "31 gal"), ("Oil", "3 gal"), ("Radiator", "2 gal")],
}
WHERE = {
    "ENGINE": (60, 200),
    "DRIVE": (60, 290),
    "HYDRAULICS": (320, 290),
    "CAPACITIES": (320, 200),
}


def brochure() -> Page:
    """Two columns with titles on grounds, two of them beside each other, and tables below."""
    page = Page()
    for name, (x, y) in WHERE.items():
        page.content.append(f"0.9 0.5 0.1 rg {x} {792 - y - 5} 220 16 re f 1 1 1 rg")
        page.text(x + 4, y, name, 9, "J")
        page.content.append("0 0 0 rg")
        for at, (key, value) in enumerate(PARTS[name]):
            page.text(x + 4, y + 18 + 14 * at, key, 8).text(x + 130, y + 18 + 14 * at, value, 8)
            page.rule(x, y + 22 + 14 * at, x + 220, y + 22 + 14 * at)
    return page


def test_titles_on_grounds_part_the_tables_below_them() -> None:
    page = brochure()
    found = [line.lstrip("# ") for line in headings(page)]
    assert sorted(found) == sorted(PARTS)
    have = rows(page)
    assert all([*pair] in have for pairs in PARTS.values() for pair in pairs)


def test_heads_of_two_tables_on_grounds_are_no_titles() -> None:
    page = Page().lines(72, 60, LOREM)
    for top in (140, 300):
        page.content.append(f"0 0 0.5 rg 72 {792 - top - 15} 300 16 re f 1 1 1 rg")
        for x, head in ((76, "Name"), (180, "Colour"), (280, "Taste")):
            page.text(x, top + 11, head, 9, "F")
        page.content.append("0 0 0 rg")
        for at in range(4):
            for x, cell in ((76, f"tea {at}"), (180, f"green {at}"), (280, f"good {at}")):
                page.text(x, top + 28 + 14 * at, cell, 9)
            page.rule(72, top + 32 + 14 * at, 372, top + 32 + 14 * at)
    assert rows(page).count(["tea 3", "green 3", "good 3"]) == 2
    assert headings(page) == []


def test_the_title_above_the_last_column_is_the_first_thing() -> None:
    page = brochure().text(440, 80, "CX57C", 34, "J").text(460, 100, "SMALL DIGGER", 8, "J")
    found = headings(page)
    assert found[0] == "# CX57C"
    assert {line.lstrip("# ") for line in found if line.startswith("## ")} == set(PARTS)
    assert are_in_order(text_of(page), "CX57C", "SMALL DIGGER", "ENGINE", "Diesel", "CAPACITIES")


def test_two_titles_beside_each_other_stay_with_their_columns() -> None:
    page = Page()
    for x, name in ((60, "Water for all"), (320, "Leaves for all")):
        page.text(x, 80, name, 20, "B")
        for at in range(3):
            page.lines(x, 120 + 70 * at, [f"{name[:5]} {line[:36]}" for line in LOREM])
    assert are_in_order(
        text_of(page), "Water for all", "Water ad minim", "Leaves for all", "Leave ad"
    )


def test_a_shade_drawn_in_strips_parts_no_columns() -> None:
    page = Page()
    for at in range(12):
        page.content.append(f"0.{90 - at} 0.9 1 rg 20 {792 - 60 * (at + 1)} 570 60 re f 0 g")
    # By their heights, as some programs print them.
    for at in range(4):
        for x, name in ((60, "Alpha"), (320, "Beta")):
            page.lines(x, 60 + 90 * at, [f"{name} {line[:34]}" for line in LOREM])
    text = text_of(page)
    assert text.rindex("Alpha") < text.index("Beta")
