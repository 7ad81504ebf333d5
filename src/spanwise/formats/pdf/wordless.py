"""Headings without words: the letters of an index, the versions and dates of a history."""

import itertools
import re
from collections.abc import Sequence
from typing import Final

from spanwise.formats.pdf.front import Body
from spanwise.formats.pdf.looks import Look
from spanwise.formats.pdf.paragraphs import Paragraph

LEAST_LETTERS: Final = 4
"""Letters that an index has at least."""
LEAST_VERSIONS: Final = 2

_VERSION: Final = re.compile(
    r"[\[(]?(?:v(?:ersion)?[. ]*)?\d{1,4}(?:[./-]\d{1,4}){1,3}[a-z]?\d{0,2}(?=[\s,:;)\]]|$)",
    re.IGNORECASE,
)
"""A version or a date in numbers."""
_PART: Final = re.compile(r"v?\d[\d./-]*(?:[a-z]\d{0,2}|st|nd|rd|th)?", re.IGNORECASE)
_BETWEEN: Final = re.compile(r"[\s,:;()\[\]–—]+|(?<=\s)-(?=\s)")
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_NUMBER: Final = re.compile(r"[\d.]+")
_MOST: Final = 60
"""Characters of the heading of a version."""
_NO_LETTER: Final = re.compile(r"[\W\d_]+")


def is_version(text: str) -> bool:
    """Whether a text is the number of a version or a date in numbers, and no more than a date."""
    found = _VERSION.match(text)
    if found is None:
        return False
    parts = [part for part in _BETWEEN.split(text[found.end() :]) if part]
    words = [part for part in parts if _PART.fullmatch(part) is None]
    # One may be a month, beside its year.
    return not words or (
        len(words) == 1
        and words[0].strip(".").isalpha()
        and len(words[0]) < 10
        and any(map(_YEAR.fullmatch, parts))
    )


def wordless(paragraphs: Sequence[Paragraph], looks: dict[int, Look], body: Body) -> set[int]:
    """The `id` of paragraphs that are headings though their text does not read like one."""
    letters: dict[Look, list[int]] = {}
    versions: dict[Look, list[int]] = {}
    for at, one in enumerate(paragraphs[:-1]):
        look = looks.get(id(one))
        if look is None or len(one.lines) > 1 or len(one.text) > _MOST or one.lines[0].turned:
            continue
        if not (look.marked or look.size > 1.05 * body.size + 0.1) or (look.marked and body.bold):
            continue
        if look.size < 0.85 * body.size:
            continue  # the numbers beside a plot
        if len(one.text) == 1 and one.text.isalpha():
            letters.setdefault(look.plain, []).append(at)
        elif is_version(one.text) and (look.marked or not _NUMBER.fullmatch(one.text)):
            after = looks.get(id(paragraphs[at + 1]))
            if (after is None or after.plain != look.plain) and not _has_beside(paragraphs, at):
                versions.setdefault(look, []).append(at)
    found: set[int] = set()
    for places in letters.values():
        if len(places) >= LEAST_LETTERS and _is_index(paragraphs, places):
            found.update(id(paragraphs[at]) for at in places)
    for places in versions.values():
        if len(places) >= LEAST_VERSIONS:
            found.update(id(paragraphs[at]) for at in places)
    return found


def _has_beside(paragraphs: Sequence[Paragraph], at: int) -> bool:
    """Whether something else is in a row with a paragraph."""
    one = paragraphs[at]
    return any(
        other is not one
        and other.page == one.page
        and abs(other.lines[0].base - one.lines[0].base) < 0.35 * one.size
        for other in paragraphs[max(0, at - 3) : at + 4]
    )


def _is_index(paragraphs: Sequence[Paragraph], places: Sequence[int]) -> bool:
    """Whether letters go up, and what is below most of them begins with them."""
    texts = [paragraphs[at].text.casefold() for at in places]
    up = sum(one < two for one, two in itertools.pairwise(texts))
    below = [_NO_LETTER.sub("", paragraphs[at + 1].text[:20]).casefold() for at in places]
    begun = sum(two.startswith(one) for one, two in zip(texts, below, strict=True))
    return up >= 0.7 * (len(texts) - 1) and begun >= 0.6 * len(texts)
