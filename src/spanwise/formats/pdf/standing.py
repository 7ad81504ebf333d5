"""Looks of headings: how much of what is set so stands alone, and which are none of the text."""

import itertools
from collections import Counter
from collections.abc import Sequence, Set
from typing import Final

from spanwise.formats.pdf.front import Body
from spanwise.formats.pdf.lines import is_uniform
from spanwise.formats.pdf.looks import Look, look_of_style
from spanwise.formats.pdf.numbering import bullet_end, heading_label, is_caption, item_end
from spanwise.formats.pdf.paragraphs import Paragraph
from spanwise.formats.pdf.wording import LEAD, WORD, reads_well

SMALLER: Final = 0.87
"""The least size of headings in another font than the text, by the size of that."""
SUMMARIES: Final = 3
"""Headings set as one paragraph of text is, from which on that is a summary."""
STACKED: Final = 3
"""Paragraphs below a heading of which one is text, where headings follow each other."""
SMALL: Final = 300
"""Characters that text in small print has on a page where it is all there is."""
_VALUES: Final = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
ANEW: Final = 3
"""Numbers that show how headings are counted, at least."""


def shares_of(
    paragraphs: Sequence[Paragraph], looks: dict[int, Look], possible: set[int], body: Body
) -> dict[Look, float]:
    """For each look how much of what is set so stands in short paragraphs of its own.

    One paragraph of text that is set as several headings are, as a summary in bold, does not count.
    """
    alone: Counter[Look] = Counter()
    running: Counter[Look] = Counter()
    short: Counter[Look] = Counter()
    long: Counter[Look] = Counter()
    summary: Counter[Look] = Counter()
    for one in paragraphs:
        look = looks.get(id(one))
        if look is None:
            continue
        if id(one) in possible and not (
            # A sentence of several lines is text.
            len(one.lines) > 1 and one.text.endswith(".") and one.size <= 1.05 * body.size + 0.1
        ):
            alone[look.plain] += len(one.text)
            short[look.plain] += 1
        elif _is_remark(one, look, body) or (len(one.lines) < 3 and is_caption(one.text)):
            pass
        elif LEAD.match(one.text):
            continue
        elif is_uniform(one.lines[0]) and not bullet_end(one.text) and WORD.search(one.text):
            size = sum(len(line.text) for line in one.lines if line.style == one.lines[0].style)
            running[look.plain] += size
            long[look.plain] += 1
            summary[look.plain] = size
        elif len(one.lines) > 2:
            # Text that is larger than most, below words that are bold.
            for line in one.lines:
                style = line.style
                if style.size > 1.05 * body.size + 0.1 and is_uniform(line):
                    running[look_of_style(style)] += len(line.text)
    for look, count in long.items():
        if count == 1 and short[look] >= SUMMARIES and look.font != body.font:
            running[look] -= summary[look]
    return {
        look: alone[look] / ((alone[look] + running[look]) or 1)
        for look in {look.plain for look in looks.values()}
    }


def small_print(paragraphs: Sequence[Paragraph], body: Body) -> dict[int, float]:
    """The size of the text on pages that have nothing but small print, as notices at a start are.

    Headings may be as small as that there.
    """
    sizes: dict[int, Counter[float]] = {}
    usual: set[int] = set()
    for one in paragraphs:
        if one.kind == "paragraph" and len(one.lines) > 1:
            if one.size > 0.93 * body.size:
                usual.add(one.page)
            sizes.setdefault(one.page, Counter())[one.size] += len(one.text)
    found = {}
    for page, counts in sizes.items():
        size, count = counts.most_common(1)[0]
        if page not in usual and count > SMALL and size > 0.6 * body.size:
            found[page] = 0.95 * size
    return found


def _is_remark(one: Paragraph, look: Look, body: Body) -> bool:
    """Whether a paragraph is bold from start to end and has no number: it tells of no others."""
    return (
        look.bold
        and not body.bold
        and len(one.lines) > 2
        and item_end(one.text) == 0
        and heading_label(one.text) is None
        and all(map(is_uniform, one.lines))
    )


def looks_apart(
    paragraphs: Sequence[Paragraph],
    looks: dict[int, Look],
    possible: set[int],
    shares: dict[Look, float],
    body: Body,
) -> set[Look]:
    """Looks at the size of the body that still are those of headings.

    The names of fonts may say nothing, so a font counts as one for headings when it is used almost
    only for short lines of their own, with room above and text of the body below.
    """
    members: dict[Look, list[int]] = {}
    for at, one in enumerate(paragraphs):
        look = looks.get(id(one))
        if look is None or id(one) not in possible or (one.style.mono and not body.mono):
            continue
        other = look.font != body.font or look.marked != body.bold
        if (SMALLER if other else 0.93) * body.size <= look.size and (other or look.capitals):
            members.setdefault(look, []).append(at)
    found: set[Look] = set()
    for look, places in members.items():
        other = look.font != body.font or look.marked != body.bold
        small = look.size < 0.93 * body.size
        if len(places) < 3 or (other and shares[look.plain] < (0.95 if small else 0.85)):
            continue
        good = sum(_opens_text(paragraphs, at, looks, members.keys(), body) for at in places)
        if good >= (0.8 if small else 0.7) * len(places):
            found.add(look)
    return found


def looks_counted(
    paragraphs: Sequence[Paragraph],
    looks: dict[int, Look],
    possible: set[int],
    body: Body,
) -> set[Look]:
    """Looks of headings that have letters or Roman numbers, as `A. Water` in italics.

    In that look there may be other words in the text, but what begins with such a number stands
    alone, and the numbers begin with the first one and go on from each other.
    """
    members: dict[Look, list[int]] = {}
    for at, one in enumerate(paragraphs):
        look = looks.get(id(one))
        if look is None or look.font == body.font or look.size < 0.93 * body.size:
            continue
        if is_lettered(one.text):
            members.setdefault(look, []).append(at)
    found: set[Look] = set()
    for look, places in members.items():
        if len(places) < ANEW or any(id(paragraphs[at]) not in possible for at in places):
            continue
        keys = [_key(paragraphs[at].text) for at in places]
        # `C.` may be a hundred.
        values = [_letter(key) if "A" in keys else _roman(key) for key in keys]
        steps = sum(two in (1, one + 1) for one, two in itertools.pairwise([0, *values]))
        good = sum(_opens_text(paragraphs, at, looks, members.keys(), body) for at in places)
        if steps >= 0.8 * len(keys) and good >= 0.7 * len(places):
            found.add(look)
    return found


def is_lettered(text: str) -> bool:
    """Whether a text begins with a letter or a Roman number as a number."""
    label = heading_label(text)
    return label is not None and label.kind in ("letter", "roman")


def _key(text: str) -> str:
    label = heading_label(text)
    return label.key[0] if label is not None else ""


def _letter(key: str) -> int:
    return ord(key) - ord("A") + 1 if len(key) == 1 else 0


def _roman(key: str) -> int:
    values = [_VALUES.get(letter, 0) for letter in key]
    return sum(-one if one < two else one for one, two in itertools.pairwise([*values, 0]))


def _opens_text(
    paragraphs: Sequence[Paragraph],
    at: int,
    looks: dict[int, Look],
    others: Set[Look],
    body: Body,
) -> bool:
    """Whether a paragraph reads like a heading, and text comes below it.

    Between them may be headings below this one, of other looks that may be those of headings.
    """
    one = paragraphs[at]
    look = looks[id(one)]
    if not reads_well(one.text) or at + 1 == len(paragraphs):
        return False
    if at > 0 and not _is_other_heading(paragraphs[at - 1], one, looks, others, numbered=True):
        last = paragraphs[at - 1].lines[-1]
        step = one.lines[0].base - last.base
        if last.page == one.page and 0 < step < 1.3 * one.size:
            return False
    for after in paragraphs[at + 1 : at + 1 + STACKED]:
        if after.kind in ("table", "code", "item"):
            return True
        below = looks.get(id(after))
        if below is None:
            return False
        if below != look and (len(after.lines) > 1 or below.font == body.font):
            return True
        if not _is_other_heading(after, one, looks, others):
            return False
    return False


def _is_other_heading(
    other: Paragraph,
    one: Paragraph,
    looks: dict[int, Look],
    others: Set[Look],
    numbered: bool = False,
) -> bool:
    """Whether what is next to a heading may be one of another level, by its look or number.

    By its look alone only where `numbered` is not asked for.
    """
    look = looks.get(id(other))
    if look not in others or len(other.lines) > 1:
        return False
    label, mine = heading_label(other.text), heading_label(one.text)
    if look != looks[id(one)]:
        return label is not None or mine is not None or not numbered
    return label is not None and mine is not None and label.kind != mine.kind
