"""Lists and code: which paragraphs are items, how deep, and which lines are set as code."""

from collections import Counter
from collections.abc import Sequence

from spanwise.formats.pdf.lines import Line
from spanwise.formats.pdf.numbering import bullet_end, heading_label, item_end, item_number
from spanwise.formats.pdf.paragraphs import Paragraph


def mark_items(paragraphs: Sequence[Paragraph]) -> None:
    """Set `kind`, `label` (letters of the mark) and `depth` of the items of lists."""
    tagged: set[tuple[int, int]] = set()
    for at, one in enumerate(paragraphs):
        if one.kind != "paragraph":
            continue
        end = bullet_end(one.text)
        tag = one.lines[0].runs[0].tag
        first = tag.item > 0 and (one.page, tag.item) not in tagged
        tagged.add((one.page, tag.item))
        if end == 0 and (_is_numbered(paragraphs, at) or (first and item_number(one.text) >= 0)):
            end = item_end(one.text)
        if end > 0 or first or one.lines[0].bullet:
            one.kind = "item"
            one.label = end
    lefts: list[float] = []
    for one in paragraphs:
        if one.kind != "item":
            if one.kind != "paragraph" or not lefts or one.lines[0].left < lefts[0] + one.size:
                lefts = []
            continue
        left, near = one.lines[0].left, 0.6 * one.size
        while lefts and left < lefts[-1] - near:
            lefts.pop()
        if not lefts or left > lefts[-1] + near:
            lefts.append(left)
        depth = one.lines[0].runs[0].tag.depth
        one.depth = depth - 1 if depth > 0 else len(lefts) - 1


def _is_numbered(paragraphs: Sequence[Paragraph], at: int) -> bool:
    """Whether the number of a paragraph is one more or less than that of one near it."""
    number = item_number(paragraphs[at].text)
    if number < 0:
        return False
    near = [*range(max(0, at - 6), at), *range(at + 1, min(len(paragraphs), at + 7))]
    return any(
        paragraphs[other].kind in ("paragraph", "item")
        and item_number(paragraphs[other].text) == number + (1 if other > at else -1)
        for other in near
    )


def is_code(lines: Sequence[Line]) -> bool:
    """Whether all that lines hold is in a font for code."""
    return all(run.style.mono for line in lines for run in line.runs if run.size > 0.6 * line.size)


def with_code(paragraphs: list[Paragraph]) -> list[Paragraph]:
    """The paragraphs, those of code that follow each other made one block."""
    letters = sum(len(one.text) for one in paragraphs)
    code = sum(len(one.text) for one in paragraphs if is_code(one.lines))
    if 2 * code > letters:
        return paragraphs  # the font of the document itself
    sizes = Counter(one.size for one in paragraphs for line in one.lines if is_code([line]))
    usual = sizes.most_common(1)[0][0] if sizes else 0.0
    found: list[Paragraph] = []
    for one in paragraphs:
        if (
            one.kind not in ("paragraph", "figure")
            or not is_code(one.lines)
            or _is_named(one, usual)
        ):
            found.append(one)
            continue
        last = found[-1] if found else None
        if last is not None and last.kind == "code" and _follows(last.lines[-1], one.lines[0]):
            last.lines.extend(one.lines)
        else:
            one.kind = "code"
            found.append(one)
    return found


def _is_named(one: Paragraph, usual: float) -> bool:
    """Whether a name in a font for code may be a heading: it is larger or has a number."""
    if len(one.lines) > 1:
        return False
    if one.size > 1.15 * usual:
        return True
    label = heading_label(one.text)
    return label is not None and label.kind == "decimal" and label.depth > 1


def _follows(one: Line, two: Line) -> bool:
    return one.page == two.page and 0 < two.base - one.base < 4 * two.size
