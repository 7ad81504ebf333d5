"""Headings of Word files in which no style says what a heading is."""

import pytest

from spanwise.formats import Settings
from spanwise.formats.docx import read
from tests.packages import level, num, p, r, style, word
from tests.test_growth import check_growth
from tests.test_word import cell, table

BOLD = "<w:b/>"
LARGE = '<w:b/><w:sz w:val="40"/>'
PROSE = p("Some text that goes on for a while, as text does, and ends with a full stop. " * 2)


def line(text: str, look: str = BOLD, more: str = "") -> str:
    return f"<w:p><w:pPr>{more}</w:pPr>{r(text, look)}</w:p>"


def headings(body: str, **parts: str) -> list[str]:
    text = read(word(body, **parts), Settings()).text
    return [one for one in text.split("\n") if one.startswith("#")]


def of(*lines: str) -> str:
    """Each line with text after it."""
    return "".join(one + PROSE for one in lines)


@pytest.mark.parametrize(
    "look",
    [
        BOLD,
        '<w:sz w:val="30"/>',
        '<w:u w:val="single"/>',
        '<w:rStyle w:val="Strong"/>',
        '<w:b w:val="1"/><w:i/>',
    ],
)
def test_lines_that_stand_out_are_headings(look: str) -> None:
    strong = '<w:style w:type="character" w:styleId="Strong"><w:rPr><w:b/></w:rPr></w:style>'
    assert headings(of(line("One", look), line("Two?", look)), styles=strong) == ["# One", "# Two?"]


def test_a_style_may_make_them_stand_out() -> None:
    big = (
        '<w:style w:type="paragraph" w:styleId="Big"><w:rPr><w:sz w:val="40"/></w:rPr></w:style>'
        '<w:style w:type="paragraph" w:styleId="Own"><w:basedOn w:val="Big"/></w:style>'
    )
    assert headings(of(p("One", "Own")), styles=big) == ["# One"]
    usual = '<w:docDefaults><w:rPrDefault><w:rPr><w:sz w:val="40"/></w:rPr></w:rPrDefault>'
    assert headings(of(p("One", "Own")), styles=f"{usual}</w:docDefaults>{big}") == []


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([line("A", '<w:sz w:val="40"/>'), line("B"), line("C", BOLD)], "# A|## B|## C"),
        ([line("B"), line("A", '<w:sz w:val="40"/><w:b/>')], "## B|# A"),
        ([line("B"), line("C", '<w:u w:val="single"/>')], "# B|## C"),
        ([line("Chapter 1"), line("A. B"), line("C")], "# Chapter 1|## A. B|# C"),
        ([line("FAQ"), line("Other")], "# FAQ|# Other"),
        # Of labels of several kinds those that come first are above.
        (
            [line("I. A"), line("II. B"), line("A. C"), line("1. D")],
            "# I. A|# II. B|## A. C|### 1. D",
        ),
        ([line("A. A"), line("B. B"), line("C. C"), line("V. D")], "# A. A|# B. B|# C. C|# V. D"),
        ([line("A"), line("1 B"), line("1.1 C"), line("2 D")], "# A|# 1 B|## 1.1 C|# 2 D"),
        ([line("ALL LARGE", ""), line("B", "")], "# ALL LARGE"),
        # What comes first and looks like nothing else is the title, and what is below it in that
        # look the subtitle.
        ([line("THE TITLE", "") + line("A"), line("B")], "# THE TITLE|## A|## B"),
        (
            [line("Title", LARGE) + line("Sub", LARGE), line("A"), line("B")],
            "# Title|## Sub|## A|## B",
        ),
        ([line("PART A LONG"), line("SHORT"), line("Aa")], "# PART A LONG|# SHORT|## Aa"),
        # Numbers that start again are those of what is between the others.
        (
            [line("Terms"), line("1. A"), line("2. B"), line("Law"), line("1. C")],
            "# Terms|## 1. A|## 2. B|# Law|## 1. C",
        ),
        ([line("POLICY ONE:"), line("B")], "# POLICY ONE:|## B"),
        # A line that follows one that looks alike at once is below it, wherever.
        ([line("A", LARGE) + line("B", LARGE), line("C")] * 2, "# A|## B|## C|# A|## B|## C"),
        # What is larger than the text may end as a sentence does.
        ([line("The end.", LARGE), line("Of it:", LARGE)], "# The end.|# Of it:"),
        # The look of the number does not matter.
        (
            [f"<w:p>{r('1 ')}{r('One', BOLD)}</w:p>", f"<w:p>{r('2 ')}{r('Two', BOLD)}</w:p>"],
            "# 1 One|# 2 Two",
        ),
    ],
)  # fmt: skip
def test_levels_are_those_of_the_looks_and_labels(lines: list[str], expected: str) -> None:
    assert headings(of(*lines)) == expected.split("|")


BULLETS = (
    f'<w:abstractNum w:abstractNumId="0">{level(0, "bullet", "x")}{level(1, "decimal", "%2.")}'
    '</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
)


@pytest.mark.parametrize(
    "body",
    [
        of(line("A sentence.")),
        of(line("A label:")),
        of(line("* An item"), line("- Another")),
        PROSE + of(line("Bold once")),
        of(line("Result = 1.52")),
        of(line("lower case")),
        of(line("12 / 7")),
        of(line("word " * 16)),
        of(line("w" * 101)),
        of(p("Plain")),
        of(line("Smaller than text", '<w:b/><w:sz w:val="12"/>')),
        of(line("An item", BOLD, num(1))),
        of(f"<w:p>{r('Bold', BOLD)}{r(' and plain')}</w:p>"),
        PROSE + line("With nothing after it"),
        of(line("An") + line("Address") + line("In") + line("Lines")),
        line("Much") + p("little") + line("Many") + p("few"),
        of(table(cell(line("In")) + cell(line("Cells")))),
        of(line("")),
        of(p("A", "", '<w:outlineLvl w:val="1"/>'), line("B")).replace("<w:b/>", BOLD),
    ],
)
def test_what_is_no_heading(body: str) -> None:
    assert headings(body, numbering=BULLETS) in ([], ["## A"])


@pytest.mark.parametrize("said", [p("Said", "H"), p("Said", "T"), table(cell(p("Said", "H")) * 2)])
def test_where_a_style_says_what_a_heading_is_looks_do_not_count(said: str) -> None:
    styles = style("H", "heading 2") + style("T", "Title")
    assert "B" not in "".join(headings(of(said, line("B")), styles=styles))
    text = p("Text that has the style by mistake. " * 9, "H")
    assert headings(of(text, line("B"), line("C")), styles=styles) == ["# B", "# C"]
    empty = p("", "H")
    assert headings(of(empty, line("B"), line("C")), styles=styles) == ["# B", "# C"]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("Article 1", "Article 2", "Article 3"), 3),
        (("Artigo Primeiro", "Artigo Segundo", "Artigo Décimo Terceiro"), 3),
        (("Section 1", "Section 2"), 0),
        (("Part of the thing", "Part of the rest", "Part of another"), 0),
    ],
)
def test_lines_that_only_name_a_part_are_headings(names: tuple[str, ...], expected: int) -> None:
    found = headings(of(line("CHAPTER ONE"), *(p(name) for name in names)))
    assert found == ["# CHAPTER ONE", *(f"## {name}" for name in names[:expected])]


def test_labels_that_are_computed_tell_levels_too() -> None:
    lists = "".join(
        f'<w:abstractNum w:abstractNumId="{n}">{level(0, kind, "%1.")}</w:abstractNum>'
        for n, kind in ((1, "upperRoman"), (2, "upperLetter"), (3, "decimal"))
    ) + "".join(
        f'<w:num w:numId="{n}"><w:abstractNumId w:val="{n if n < 4 else 3}"/></w:num>'
        for n in (1, 2, 3, 4)
    )
    body = of(line("A", BOLD, num(1)), line("B", BOLD, num(1)), line("C", BOLD, num(2)))
    assert headings(body, numbering=lists) == ["# A", "# B", "## C"]
    two_lists = of(line("A"), line("B", BOLD, num(3)), line("C"), line("D", BOLD, num(4)))
    assert headings(two_lists, numbering=lists) == ["# A", "## B", "# C", "## D"]
    one_list = of(line("A"), line("B", BOLD, num(3)), line("C"), line("D", BOLD, num(3)))
    assert headings(one_list, numbering=lists) == ["# A", "# B", "# C", "# D"]


def test_a_style_that_is_named_for_something_else_makes_none() -> None:
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="{name[0]}"><w:name w:val="{name}"/>'
        "<w:rPr><w:b/></w:rPr></w:style>"
        for name in ("Definition Term", "Lead")
    )
    assert headings(of(p("One", "D"), p("Two", "L"), p("Three", "L")), styles=styles) == [
        "# Two",
        "# Three",
    ]


def test_what_only_arranges_or_controls_the_page_holds_some() -> None:
    column = table(cell(of(line("A"), line("B"))))
    control = f"<w:sdt><w:sdtContent>{of(line('C'))}</w:sdtContent></w:sdt>"
    choice = f"<mc:AlternateContent><mc:Choice>{of(line('D'))}</mc:Choice></mc:AlternateContent>"
    assert headings(column + control + choice + of(line("E"))) == [
        "# A",
        "# B",
        "# C",
        "# D",
        "# E",
    ]


def test_a_numbered_line_may_be_one() -> None:
    body = of(line("A", BOLD, num(1, 1)), line("B", BOLD, num(1, 1)))
    assert headings(body, numbering=BULLETS) == ["# A", "# B"]


@pytest.mark.parametrize("part", [line("Abc"), line("Abc") + p("d"), of(line("A. B"))])
def test_reading_takes_time_as_the_file_grows(part: str) -> None:
    check_growth(
        lambda body: read(word(body), Settings()), lambda n: part * int(500 * n / len(part))
    )
