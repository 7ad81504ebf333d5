"""GitHub's anchor rule: recorded answers, uniqueness, and linear cost."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise.kernel.anchor_tables import UNICODE_VERSION
from spanwise.kernel.anchors import Anchors, slug
from tests.shared_data import DATA, needs_data, read_json


@needs_data
def test_recorded_anchors_of_github() -> None:
    anchors = Anchors()
    cases = read_json(DATA / "markdown" / "github-anchors.json")
    assert len(cases) == 78
    wrong = [case["name"] for case in cases if anchors.anchor(case["input"]) != case["expected"]]
    assert not wrong


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("Getting Started", "getting-started"),
        ("a  b", "a--b"),
        ("C++ & C#", "c--c"),
        ("ΟΔΟΣ", "οδοσ"),  # no final sigma: Ruby lower-cases character by character
        ("İ", "i̇"),
        ("tab\there\nthere", "tabherethere"),
        ("Ⓐ circled", "ⓐ-circled"),
        ("½ ² no numbers but Ⅻ", "--no-numbers-but-ⅻ"),
        ("new in 16: \ua7cb\U00010d50", "new-in-16-"),
        ("", ""),
    ],
)
def test_slug(heading: str, expected: str) -> None:
    assert slug(heading) == expected


def test_the_tables_name_their_unicode_version() -> None:
    assert UNICODE_VERSION == "14.0.0"


@given(
    st.lists(st.sampled_from(["a", "A", "a-1", "a 1", "a-1-1", "b", "", "-1", "!"]), max_size=40)
)
def test_anchors_of_one_document_differ(headings: list[str]) -> None:
    anchors = Anchors()
    given_out = [anchors.anchor(heading) for heading in headings]
    assert len(set(given_out)) == len(given_out)
    assert all(anchor.startswith(slug(h)) for anchor, h in zip(given_out, headings, strict=True))


@given(st.text(max_size=60))
def test_a_slug_is_its_own_slug(heading: str) -> None:
    once = slug(heading)
    assert slug(once) == once
    assert " " not in once


def seconds_for(count: int) -> float:
    anchors = Anchors()
    start = time.process_time()
    for number in range(count):
        anchors.anchor("Same" if number % 2 else f"Same-{number}")
    return time.process_time() - start


def test_equal_headings_cost_linear_time() -> None:
    small = min(seconds_for(10_000) for _ in range(3))
    assert min(seconds_for(80_000) for _ in range(2)) < 8 * small * 2.5
