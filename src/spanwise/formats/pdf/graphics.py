"""What is drawn on a page: the rules of tables, and figures whose labels are not headings."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Final, NamedTuple

from spanwise.formats.pdf.lines import Line
from spanwise.formats.pdf.page import Box
from spanwise.formats.pdf.shapes import Shape

MOST_DOTS: Final = 150
NEAR: Final = 5.0
"""Points between shapes of one figure."""

MOST_RULES: Final = 400
"""Rules of a page where they may be lines under words."""

_THIN: Final = 3.0
JOINT: Final = 1.0
"""Points between rules that are one."""


class Rule(NamedTuple):
    """A line along an axis: where it is, from where, to where."""

    at: float
    start: float
    end: float


EDGE: Final = 0.4
"""The share of the width of a page that something is as wide as to part what is above and below."""
LARGEST_DOT: Final = 7.0
SMALLEST_DOT: Final = 1.5
"""Points that a bullet which is drawn measures."""


class Graphics(NamedTuple):
    """The drawings of one page."""

    across: list[Rule]
    down: list[Rule]
    boxes: list[Box]
    figures: list[Box]
    images: list[Box]
    dots: list[Box]
    """Small and as wide as high: what may be bullets."""
    edges: list[Rule]
    """Wide rules, and upper and lower edges of wide boxes, as far as they are seen."""


def graphics_of(shapes: Sequence[Shape], width: float, height: float) -> Graphics:
    """Rules, filled boxes, figures and pictures."""
    across: list[Rule] = []
    down: list[Rule] = []
    boxes: list[Box] = []
    images: list[Box] = []
    dots: list[Box] = []
    parts: list[Box] = []
    edges: list[Rule] = []
    for shape in shapes:
        left, top, right, bottom = shape.box
        if right < 0 or bottom < 0 or left > width or top > height:
            continue
        if shape.kind == "image":
            images.append(shape.box)
            continue
        wide, high = right - left, bottom - top
        if wide > EDGE * width and not shape.pale and shape.kind in ("rule", "box"):
            edges.append(Rule(top, left, right))
            if high > _THIN:
                edges.append(Rule(bottom, left, right))
        if SMALLEST_DOT < wide < LARGEST_DOT and abs(wide - high) < 0.5:
            dots.append(shape.box)
        if high < _THIN and wide > 2 * high and wide > 4:
            across.append(Rule((top + bottom) / 2, left, right))
            if wide < 0.2 * width:
                parts.append(shape.box)
        elif wide < _THIN and high > 2 * wide and high > 4:
            down.append(Rule((left + right) / 2, top, bottom))
            if high < 0.2 * height:
                parts.append(shape.box)
        elif shape.kind == "box":
            # What is larger than the page is its ground: that of a web page over all its pages.
            if (wide < 0.95 * width or high < 0.5 * height) and wide < width and high < height:
                boxes.append(shape.box)
            if wide < 0.4 * width and high < 0.4 * height:
                parts.append(shape.box)
        elif wide < 0.95 * width or high < 0.95 * height:
            parts.append(shape.box)
    odd = [shape.box for shape in shapes if shape.kind == "path"]
    return Graphics(across, down, boxes, _figures(parts, odd), images, dots, edges)


def _figures(parts: list[Box], odd: list[Box]) -> list[Box]:
    """The boxes around shapes that are near each other, some of them not along the axes."""
    if len(odd) < 2:
        return []
    clusters: list[list[float]] = []
    for left, top, right, bottom in sorted(parts, key=lambda box: (box[1], box[0])):
        own = [left, top, right, bottom]
        at = 0
        while at < len(clusters):
            other = clusters[at]
            if (
                own[0] < other[2] + NEAR
                and other[0] < own[2] + NEAR
                and own[1] < other[3] + NEAR
                and other[1] < own[3] + NEAR
            ):
                own = [
                    min(own[0], other[0]), min(own[1], other[1]),
                    max(own[2], other[2]), max(own[3], other[3]),
                ]  # fmt: skip
                del clusters[at]
                at = 0
            else:
                at += 1
        clusters.append(own)
    return [
        (left, top, right, bottom)
        for left, top, right, bottom in clusters
        if bottom - top > 20
        and right - left > 20
        and sum(inside(box, (left, top, right, bottom)) for box in odd) >= 2
    ]


def inside(box: Box, other: Box) -> bool:
    """Whether the middle of a box is in another."""
    across, down = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return other[0] <= across <= other[2] and other[1] <= down <= other[3]


def is_framed(box: Box, graphics: Graphics, width: float) -> bool:
    """Whether rules are close around a box on all sides, as around a node of a flow chart."""
    left, top, right, bottom = box
    room = 2.5 * (bottom - top)
    above = [
        rule for rule in graphics.across
        if rule.start <= left + 1 and right - 1 <= rule.end and rule.end - rule.start < width
    ]  # fmt: skip
    beside = [rule for rule in graphics.down if rule.start <= top + 1 and bottom - 1 <= rule.end]
    return (
        any(top - room < rule.at < top + 1 for rule in above)
        and any(bottom - 1 < rule.at < bottom + room for rule in above)
        and any(left - 2 * room < rule.at < left + 1 for rule in beside)
        and any(right - 1 < rule.at < right + 2 * room for rule in beside)
    )


def mark_bullets(lines: Sequence[Line], dots: Sequence[Box]) -> None:
    """Tell lines that a dot is drawn before them."""
    if len(dots) > MOST_DOTS:
        return  # points of a plot
    for left, top, right, bottom in dots:
        middle = (top + bottom) / 2
        for line in lines:
            if (
                0 < line.left - right < 2.5 * line.size
                and line.top - 1 < middle < line.bottom + 1
                and right - left < 0.7 * line.size
            ):
                line.bullet = True
                break


def _in_one(across: Sequence[Rule]) -> list[Rule]:
    """The rules, those made one that go on where another ends, as if each word has its own."""
    found: list[Rule] = []
    last = 0
    for rule in sorted(across, key=lambda one: (round(2 * one.at), one.start)):
        height = round(2 * rule.at)
        if (
            found
            and height == last
            and rule.end - found[-1].end >= 0
            and (rule.start < found[-1].end + JOINT)
        ):
            found[-1] = Rule(found[-1].at, found[-1].start, rule.end)
        else:
            found.append(rule)
        last = height
    return found


def mark_underlined(lines: Sequence[Line], across: Sequence[Rule], linked: Sequence[int]) -> None:
    """Tell lines that a rule is drawn under all of their text.

    Those are left out that hold one of `linked`, the places where links start, in order.
    """
    if len(across) > MOST_RULES:
        return
    rules = sorted(rule for rule in _in_one(across) if rule.end - rule.start > 8)
    if not rules:
        return
    places = [rule.at for rule in rules]
    for line in lines:
        if line.turned or any(
            bisect_left(linked, run.start) < bisect_left(linked, run.end) for run in line.runs
        ):
            continue
        first = bisect_left(places, line.base)
        last = bisect_right(places, line.base + 0.3 * line.size)
        line.underlined = any(
            line.left - line.size < rule.start < line.left + 2 * line.size
            and rule.end > line.right - 0.5 * line.size
            and rule.end < line.right + line.size
            for rule in rules[first:last]
        )
