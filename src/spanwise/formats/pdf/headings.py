"""Headings: which paragraphs are headings.

What is told apart is not one paragraph but one look: a look that stands out from the body and is
used almost only for short paragraphs of their own is that of headings. See `levels` for how deep.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from spanwise.formats.pdf.contents import without_named
from spanwise.formats.pdf.front import (
    NAMED,
    Body,
    body_of,
    is_cover,
    title_of,
    without_banners,
    without_front_matter,
    without_inner_title,
)
from spanwise.formats.pdf.levels import set_levels
from spanwise.formats.pdf.lookalikes import (
    is_above_table,
    is_below_table,
    is_cell,
    is_term,
    with_evidence,
    without_strays,
)
from spanwise.formats.pdf.looks import Look, look_of
from spanwise.formats.pdf.numbering import heading_label, item_end
from spanwise.formats.pdf.outline import Matched
from spanwise.formats.pdf.paragraphs import Paragraph
from spanwise.formats.pdf.people import signatures
from spanwise.formats.pdf.standing import (
    is_lettered,
    looks_apart,
    looks_counted,
    shares_of,
    small_print,
)
from spanwise.formats.pdf.wording import (
    CALLOUT,
    LONGEST,
    MOST_LINES,
    SENTENCE,
    may_be,
    reads_well,
)
from spanwise.formats.pdf.wordless import wordless

ZEROS: Final = 3
"""Paragraphs that begin with a nought, from which on these are bullets that were read so."""
COUNTED: Final = 40
"""Letters of the longest Chinese heading that its number and its font tell."""
_OPEN: Final = "\"'“„«‹‘「『"
_CLOSED: Final = "\"'”“»›’」』"
QUOTED: Final = 5
"""Spaces in a sentence in large italics from which on it is no heading."""
RUN_ON: Final = 60
"""Characters from which on a line may be part of a sentence that is set in two ways."""


def mark_headings(
    paragraphs: list[Paragraph], run_ins: set[int], matched: Matched, slides: set[int] | None
) -> list[Paragraph]:
    """The paragraphs, with `kind` and `level` set where they are headings.

    `run_ins` are the `id` of those that are headings, cut from the text after them, and `slides`
    those of the titles of slides, where pages are some.
    """
    body = body_of(paragraphs)
    if slides is not None:
        _mark_slides(paragraphs, slides, body)
        return paragraphs
    looks = {id(one): look_of(one) for one in paragraphs if one.kind == "paragraph"}
    possible = {id(one) for one in paragraphs if id(one) in looks and may_be(one, body)}
    possible -= signatures(paragraphs)
    misread = _misread(paragraphs)
    shares = shares_of([one for one in paragraphs if id(one) not in misread], looks, possible, body)
    possible -= misread
    apart = looks_apart(paragraphs, looks, possible, shares, body)
    counted = looks_counted(paragraphs, looks, possible, body)
    small = small_print(paragraphs, body)
    sure = wordless(paragraphs, looks, body) | matched.depths.keys() | run_ins
    listed = _listed(paragraphs, looks)
    chosen: list[Paragraph] = []
    for at, one in enumerate(paragraphs):
        look = looks.get(id(one))
        if look is None:
            continue
        if id(one) in sure or (
            id(one) in possible
            and (
                (look in apart and reads_well(one.text))
                or (look in counted and is_lettered(one.text) and reads_well(one.text))
                or _stands_out(
                    one, look, body, shares[look.plain], small.get(one.page, 0.85 * body.size)
                )
                or _is_numbered(paragraphs, at, look, body)
            )
            and (
                not is_term(paragraphs, at, look, body)
                or (id(paragraphs[at + 1]) in possible and looks[id(paragraphs[at + 1])] in apart)
            )
            and (NAMED.match(one.text) is not None or not is_cell(paragraphs, at, looks))
            and (
                (look in apart and look.size > 1.1 * body.size)
                or not is_above_table(paragraphs, at, look)
            )
            and not is_below_table(paragraphs, at, look)
            and not _runs_on(paragraphs, at)
            and not (look in listed and _is_sentence_of_list(one))
        ):
            chosen.append(one)
    chosen = _joined(paragraphs, chosen, looks, matched, body)
    chosen = with_evidence(chosen, looks, sure, apart, body)
    chosen = without_strays(chosen, looks, sure, body)
    if chosen and chosen[0] is not paragraphs[0] and _opens_document(paragraphs, looks, body):
        chosen.insert(0, paragraphs[0])
    chosen = without_named(without_banners(paragraphs, chosen))
    cover = is_cover(paragraphs, body)
    title = title_of(paragraphs, chosen, looks, cover)
    chosen = without_front_matter(paragraphs, chosen, looks, title, matched, body, cover)
    chosen = without_inner_title(paragraphs, chosen, title, matched, body)
    for one in chosen:
        one.kind = "heading"
    set_levels(paragraphs, chosen, looks, matched, title, body.font)
    return paragraphs


def _misread(paragraphs: Sequence[Paragraph]) -> set[int]:
    """The `id` of items whose bullets a program took for noughts when it read a scan."""
    found = [id(one) for one in paragraphs if one.text.startswith(("0 ", "o ", "O "))]
    return set(found) if len(found) > ZEROS else set()


def _listed(paragraphs: Sequence[Paragraph], looks: dict[int, Look]) -> set[Look]:
    """The looks in which most of what has a number is a sentence of several lines: of a list."""
    long: Counter[Look] = Counter()
    short: Counter[Look] = Counter()
    for one in paragraphs:
        look = looks.get(id(one))
        if look is not None and item_end(one.text):
            is_long = len(one.lines) > 1 and one.text.endswith((".", ";", ","))
            (long if is_long else short)[look] += 1
    return {look for look, count in long.items() if count > 2 and count > short[look]}


def _is_sentence_of_list(one: Paragraph) -> bool:
    return item_end(one.text) > 0 and one.text.endswith((".", ";", ","))


def _runs_on(paragraphs: Sequence[Paragraph], at: int) -> bool:
    """Whether a long line is the begin of a sentence that goes on below it, in another look."""
    one = paragraphs[at]
    if at + 1 == len(paragraphs) or len(one.text) <= RUN_ON or not one.text[-1].isalnum():
        return False
    last, after = one.lines[-1], paragraphs[at + 1]
    first = after.lines[0]
    return (
        after.kind == "paragraph"
        and after.text[0].islower()
        and first.page == last.page
        and 0 < first.base - last.base < 1.5 * last.size
        and abs(first.left - last.left) < last.size
    )


def _opens_document(paragraphs: Sequence[Paragraph], looks: dict[int, Look], body: Body) -> bool:
    """Whether a document starts with a title in the middle that is no larger than the text."""
    one = paragraphs[0]
    look = looks.get(id(one))
    if look is None or not may_be(one, body) or SENTENCE.search(one.text):
        return False
    if (look.font == body.font and not look.marked and not look.capitals) or one.style.mono:
        return False
    texts = [other for other in paragraphs if other.page == 0 and len(other.lines) > 2]
    if not texts:
        return False
    left = min(line.left for other in texts for line in other.lines)
    right = max(line.right for other in texts for line in other.lines)
    return all(
        line.left > left + 2 * one.size
        and abs(line.left - left - (right - line.right)) < 2 * one.size
        for line in one.lines
    )


def _mark_slides(paragraphs: Sequence[Paragraph], slides: set[int], body: Body) -> None:
    """Set the titles of slides; that of the first is of the document, if little else is there."""
    cover = is_cover(paragraphs, body)
    for one in paragraphs:
        if id(one) in slides:
            one.kind = "heading"
            one.level = 2 if cover and one.page > 0 else 1


def _stands_out(one: Paragraph, look: Look, body: Body, share: float, least: float) -> bool:
    """Whether a paragraph is set otherwise than the text, and not smaller than `least`."""
    text = one.text
    label = heading_label(text)
    large = look.size >= 1.05 * body.size + 0.1
    deep = label is not None and label.kind == "decimal" and label.depth > 1
    if label is not None and label.kind == "counted" and _begins_otherwise(one, label.end, body):
        return True
    code = one.style.mono and not body.mono and look.size < 1.15 * body.size
    if share < 0.5 or (code and not deep):
        return False
    closed = SENTENCE.search(text) is not None
    if text.endswith(":") and look.marked and not body.bold and text.count(" ") < 5:
        closed = False
    numbered = label is not None and label.kind in ("decimal", "roman", "letter")
    if closed and (look.italic and text.count(" ") > QUOTED and label is None):
        return False  # words from the text, shown large
    if closed and not (
        (look.size > 1.25 * body.size and len(text) < 80)
        or (look.size > 1.5 * body.size and len(text) < 160)
        or (numbered and len(text) <= 60)
    ):
        return False
    if CALLOUT.match(text) and not large:
        return False
    start = label.end if label is not None else item_end(text)
    first = next((letter for letter in text[start:] if letter.isalpha()), "a")
    if large:
        return not (
            first.islower()
            and label is None
            and look.size < 1.3 * body.size
            and not NAMED.match(text)
        )
    if look.size < least or _is_quoted(text):
        return False
    if first.islower() and label is None:
        return False
    if look.underlined or (look.bold and not body.bold):
        return True
    if NAMED.match(text) and (look.capitals or look.font != body.font):
        return True
    return (
        look.font != body.font
        and look.size > 0.95 * body.size
        and share > 0.8
        and label is not None
        and label.kind == "decimal"
        and _is_of_one_font(one, label.end)
    )


def _is_quoted(text: str) -> bool:
    """Whether a text is in quotation marks: the words of someone, or an example."""
    return text[0] in _OPEN and text.rstrip(".")[-1] in _CLOSED


def _begins_otherwise(one: Paragraph, start: int, body: Body) -> bool:
    """Whether a short line as `一、` begins in another font than the text has.

    Of Chinese fonts hardly any says that it is bold.
    """
    first = one.lines[0].runs[0]
    return (
        len(one.lines) == 1
        and len(one.text) <= COUNTED
        and first.end - first.start > start + 1
        and first.style.font != body.font
        and first.size > 0.95 * body.size
        and SENTENCE.search(one.text) is None
    )


def _is_of_one_font(one: Paragraph, start: int) -> bool:
    """Whether the words after a number are of one font: a remark after them may have another."""
    words = [
        run
        for line in one.lines
        for run in line.runs
        if run.size > 0.8 * line.size
        and run.end - run.start > 1
        and run.end - one.lines[0].runs[0].start > start
    ]
    return len({run.style.font for run in words}) < 2


def _is_numbered(paragraphs: Sequence[Paragraph], at: int, look: Look, body: Body) -> bool:
    """Whether a short line starts with a number as `2.1`, and text without one follows."""
    one = paragraphs[at]
    label = heading_label(one.text)
    if label is None or label.kind != "decimal" or label.depth < 2 or at + 1 == len(paragraphs):
        return False
    if look.size < 0.93 * body.size or len(one.lines) > 2:
        return False
    words = one.text[label.end :]
    after = paragraphs[at + 1]
    named = one.style.mono and not after.style.mono
    if one.style.mono and not named:
        return False
    if not words or not (named or reads_well(words)):
        return False
    if not any(letter.isalpha() for letter in words[:3]):
        return False
    below = heading_label(after.text)
    return after.kind in ("paragraph", "item", "table", "code") and (
        below is None or below.kind != "decimal" or below.depth != label.depth
    )


def _joined(
    paragraphs: list[Paragraph],
    chosen: list[Paragraph],
    looks: dict[int, Look],
    matched: Matched,
    body: Body,
) -> list[Paragraph]:
    """The headings, the lines of large ones that stand far apart made one; also in `paragraphs`."""
    gone: set[int] = set()
    found: list[Paragraph] = []
    places = {id(one): at for at, one in enumerate(paragraphs)}
    place = -2
    for one in chosen:
        last = found[-1] if found else None
        if (
            last is not None
            and places[id(one)] == place + 1
            and looks[id(one)].rank == looks[id(last)].rank
            and one.size > 1.3 * body.size
            and id(one) not in matched.depths
            and heading_label(one.text) is None
            and one.page == last.page
            and len(last.lines) + len(one.lines) <= MOST_LINES
            and len(last.text) + len(one.text) < LONGEST
            and 0 < one.lines[0].base - last.lines[-1].base < 2.2 * one.size
        ):
            last.lines.extend(one.lines)
            last.text = f"{last.text} {one.text}"
            gone.add(id(one))
        else:
            found.append(one)
        place = places[id(one)]
    paragraphs[:] = [one for one in paragraphs if id(one) not in gone]
    return found
