"""Outline and single sections: field reports, spans, and errors that help."""

from typing import Any

import pytest

from spanwise import InvalidInput, get_section, outline
from tests.shared_data import field_reports, markdown_files, needs_data


@pytest.mark.parametrize("case", field_reports("outline"), ids=lambda case: case["id"])
def test_outline_field_reports(case: dict[str, Any]) -> None:
    headings = outline(case["input"]["text"])
    expected = case["expect"]
    assert len(headings) == expected["count"]
    for heading, wanted in zip(headings, expected["headings"], strict=True):
        assert {key: dict(heading)[key] for key in wanted} == wanted


@pytest.mark.parametrize("case", field_reports("get-section"), ids=lambda case: case["id"])
def test_get_section_field_reports(case: dict[str, Any]) -> None:
    arguments = dict(case["input"])
    found = get_section(arguments.pop("text"), **arguments)
    expected = dict(case["expect"])
    assert all(part in found["text"] for part in expected.pop("text_contains", []))
    assert not any(part in found["text"] for part in expected.pop("text_excludes", []))
    assert {key: dict(found)[key] for key in expected} == expected


GUIDE = "---\nt: x\n---\n\n# Guide\n\nIntro.\n\n## *Set* up\n\n\nSteps.  \n\n## Use\n\n# End\n"


def test_lines_and_offsets_count_from_the_top_of_the_file() -> None:
    headings = outline(GUIDE)
    assert [(h["title"], h["line"], h["end_line"]) for h in headings] == [
        ("Guide", 5, 7),
        ("*Set* up", 9, 12),
        ("Use", 14, 14),
        ("End", 16, 16),
    ]
    assert GUIDE[headings[1]["start"] : headings[1]["end"]] == "## *Set* up\n\n\nSteps.  "
    assert headings[1]["path"] == ["Guide", "*Set* up"]
    assert headings[1]["anchor"] == "set-up"


def test_front_matter_may_be_read_as_markdown() -> None:
    headings = outline("---\na: b\n---\n# H\n", front_matter=False)
    assert [(h["level"], h["title"], h["line"]) for h in headings] == [(2, "a: b", 2), (1, "H", 4)]


def test_a_heading_in_a_quote_is_not_listed_but_counts_for_anchors() -> None:
    headings = outline("# Same\n\n> # Same\n\n- # Same\n\n# Same\n")
    assert [(h["line"], h["anchor"]) for h in headings] == [(1, "same"), (7, "same-3")]


def test_definitions_decide_about_references_in_headings() -> None:
    defined = outline("# [One][two]\n\n[two]: /u\n")
    assert defined[0]["anchor"] == "one"
    assert outline("# [One][two]\n")[0]["anchor"] == "onetwo"


def test_a_section_with_and_without_those_under_it() -> None:
    assert get_section(GUIDE, heading="guide")["end_line"] == 14
    assert get_section(GUIDE, heading="guide", include_subsections=False)["end_line"] == 7
    found = get_section(GUIDE, anchor="#set-up")
    assert found["text"] == GUIDE[found["start"] : found["end"]]
    assert found["chars"] == len(found["text"])


def test_a_heading_is_found_as_written_and_as_read() -> None:
    assert get_section(GUIDE, heading="*Set* up")["start_line"] == 9
    assert get_section(GUIDE, heading=" SET UP ")["start_line"] == 9


def test_errors_list_the_closest_headings() -> None:
    with pytest.raises(InvalidInput, match=r"no section has the heading 'Gide'.*'Guide'") as caught:
        get_section(GUIDE, heading="Gide")
    assert caught.value.details["closest"][0] == "Guide"
    with pytest.raises(InvalidInput, match="the closest: 'set-up'"):
        get_section(GUIDE, anchor="setup")
    with pytest.raises(InvalidInput, match="there is no heading"):
        get_section("text\n", heading="x")


@pytest.mark.parametrize("given", [{}, {"heading": "Use", "anchor": "use"}])
def test_exactly_one_of_heading_and_anchor(given: dict[str, str]) -> None:
    with pytest.raises(InvalidInput, match="either a heading or an anchor"):
        get_section(GUIDE, **given)  # type: ignore[arg-type]


@needs_data
def test_spans_of_real_documents() -> None:
    for record in markdown_files():
        text = record["text"]
        headings = outline(text)
        position = 0
        for heading in headings:
            assert position <= heading["start"] < heading["end"] <= len(text)
            assert heading["line"] <= heading["end_line"]
            own = text[heading["start"] : heading["end"]]
            assert own.rstrip(" \t\r\n")
            assert len(heading["anchor"]) == len(heading["anchor"].replace(" ", ""))
            position = heading["end"]
        assert len({heading["anchor"] for heading in headings}) == len(headings)
