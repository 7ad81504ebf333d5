"""In which order the blocks of a page are read."""

from spanwise.formats import Settings
from spanwise.formats.pdf import read
from spanwise.formats.pdf.blocks import Block
from spanwise.formats.pdf.fonts import Style
from spanwise.formats.pdf.lines import Line
from spanwise.formats.pdf.order import in_order
from spanwise.formats.pdf.runs import Run
from tests.pdf_maker import Page, made

PLAIN = Style("Helvetica", 10.0, bold=False, italic=False, mono=False, colour=0)


def text_of(page: Page) -> str:
    return read(made([page]), Settings()).text


def column(name: str, count: int = 6) -> list[str]:
    """Lines of a column whose words are its own."""
    return [f"{name} is what line {at} is made of, and more" for at in range(count)]


def are_in_order(text: str, *names: str) -> bool:
    """Whether the first and the last line of each column stand in the order of the names."""
    places = [at for name in names for at in (text.index(name), text.rindex(name))]
    return places == sorted(places)


def test_what_is_drawn_over_both_columns_parts_them() -> None:
    page = Page().lines(320, 300, column("Delta")).lines(72, 300, column("Gamma"))
    page.lines(320, 100, column("Beta")).lines(72, 100, column("Alpha"))
    assert are_in_order(text_of(page), "Alpha", "Gamma", "Beta", "Delta")
    page.rule(70, 240, 540, 240)
    assert are_in_order(text_of(page), "Alpha", "Beta", "Gamma", "Delta")


def test_a_box_behind_both_columns_is_read_for_itself() -> None:
    page = Page()
    page.content.append("0.9 g 60 380 500 150 re f 0 g")
    page.lines(320, 300, column("Delta")).lines(72, 300, column("Gamma"))
    page.lines(320, 100, column("Beta")).lines(72, 100, column("Alpha"))
    assert are_in_order(text_of(page), "Alpha", "Beta", "Gamma", "Delta")


def test_what_is_as_white_as_paper_parts_nothing() -> None:
    page = Page()
    page.content.append("1 G 70 552 m 540 552 l S 0 G 1 g 60 380 500 150 re f 0 g")
    page.lines(320, 300, column("Delta")).lines(72, 300, column("Gamma"))
    page.lines(320, 100, column("Beta")).lines(72, 100, column("Alpha"))
    assert are_in_order(text_of(page), "Alpha", "Gamma", "Beta", "Delta")


def test_the_title_of_a_table_below_columns_comes_after_them() -> None:
    page = Page()
    for at, name in enumerate(("Alpha", "Beta", "Gamma")):
        words = [f"{name} is what line {line} is made of, and" for line in range(6)]
        page.lines(72 + 160 * at, 100, words, 8)
    page.text(250, 163, "What it costs", 8)
    for y in (176, 196, 236):
        page.rule(72, y, 500, y)
    for at, row in enumerate((("Work", "Hours", "Cost"), ("Wires", "1", "85"), ("Pump", "2", "9"))):
        for x, cell in zip((76, 290, 450), row, strict=True):
            page.text(x, 190 + 18 * at, cell)
    assert are_in_order(text_of(page), "Alpha", "Beta", "Gamma", "What it costs", "| Wires")


def test_a_number_far_from_its_title_comes_before_it() -> None:
    page = Page().lines(72, 40, ["Offer of the builders", "of the town", "to the house"], font="B")
    page.lines(400, 40, ["Section 43", "What is asked for", "Part 1 of 8"], font="B")
    page.rule(72, 90, 540, 90)
    page.text(72, 120, "1.", font="B").text(150, 120, "Aim", font="B")
    page.lines(150, 150, column("Alpha"))
    text = text_of(page)
    assert text.index("Offer") < text.index("Section 43") < text.index("1") < text.index("Aim")


def block(left: float, top: float, right_to_left: bool) -> Block:
    """A block of five lines, 200 points wide."""
    lines = []
    for at in range(5):
        y = top + 12 * at
        line = Line(0, Run(0, 30, (left, y, left + 200, y + 10), y + 8, 10.0, PLAIN, 1.0, 0.0))
        line.text = "a line of text that fills it all"
        line.rtl = right_to_left
        lines.append(line)
    return Block(lines)


def test_columns_of_right_to_left_text_begin_at_the_right() -> None:
    for right_to_left in (False, True):
        left, right = block(72, 100, right_to_left), block(320, 100, right_to_left)
        wanted = [right, left] if right_to_left else [left, right]
        assert in_order([left, right]) == wanted
        assert in_order([right, left]) == wanted
