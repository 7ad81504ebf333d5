"""Diagrams (SmartArt) as trees, of which no text is lost."""

from itertools import pairwise

import pytest

from spanwise.formats import Settings
from spanwise.formats.drawings import drawn, points
from spanwise.formats.office import SPACES
from spanwise.formats.xml import Element, Limits, tree
from tests.packages import diagram

NAMES = "one two three"


def model(source: str) -> Element:
    return tree(source.encode(), SPACES, Limits(Settings()), "data.xml")


def listed(root: Element) -> str:
    return " ".join(
        "." * depth + "".join(text for text, _ in drawn(paragraph))
        for depth, paragraph in points(root)
    )


@pytest.mark.parametrize(
    ("joins", "expected"),
    [
        ("", "one two three"),
        ("one-two two-three", "one .two ..three"),
        ("three-one", "two three .one"),  # the order is that of the tree
        ("one-three one-two", "one .three .two"),  # by the places among the children
        ("one-one", "two three one"),  # in itself
        ("one-two two-one", "three one .two"),  # in a ring, below nothing
        ("one-two three-two", "one .two three"),  # below two
        ("nobody-one one-nobody", "two three one"),
    ],
)
def test_a_diagram_is_the_tree_of_its_points(joins: str, expected: str) -> None:
    assert listed(model(diagram(NAMES, joins))) == expected


def test_text_that_is_in_no_point_is_kept() -> None:
    main = "http://schemas.openxmlformats.org/drawingml/2006"
    loose = "<dgm:t><a:p><a:r><a:t>loose</a:t></a:r></a:p></dgm:t>"
    source = (
        f'<dgm:dataModel xmlns:dgm="{main}/diagram" xmlns:a="{main}/main">{loose}</dgm:dataModel>'
    )
    assert listed(model(source)) == "loose"


def test_a_deep_diagram_is_read_in_one_go() -> None:
    names = [f"n{at}" for at in range(20_000)]
    joins = " ".join(f"{one}-{two}" for one, two in pairwise(names))
    depths = [depth for depth, _ in points(model(diagram(" ".join(names), joins)))]
    assert depths == list(range(20_000))
