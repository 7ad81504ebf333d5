"""Which short texts can be headings by their words, whatever their look."""

import re
from string import ascii_letters
from typing import Final

from spanwise.formats.pdf.front import Body
from spanwise.formats.pdf.lines import is_uniform
from spanwise.formats.pdf.numbering import (
    NAMED_KINDS,
    Label,
    bullet_end,
    has_leaders,
    heading_label,
    is_caption,
)
from spanwise.formats.pdf.paragraphs import Paragraph
from spanwise.formats.pdf.people import BYLINE

LONGEST: Final = 220
"""Characters of the longest heading."""
MOST_LINES: Final = 4
_ASCII_LETTERS: Final = ascii_letters.encode()
_OTHER_LETTER: Final = re.compile(r"[^\W\d_\x00-\x7f]")
WORD: Final = re.compile("[^\\W\\d_]{3}|[\u1100-\uffef]{2}")
SENTENCE: Final = re.compile(r"[.;,。；，、:：]$")
CALLOUT: Final = re.compile(
    r"(?:notes?|warnings?|cautions?|important|tips?|examples?|hints?|attention|danger|remarks?|e-?mail|"
    r"see also|achtung|hinweis|attention|astuce|avertissement)\b[^a-z]*$",
    re.IGNORECASE,
)
_ASIDE: Final = re.compile(r"\[\d{1,3}\]\s|\([^()]*\d[^()]*\)$")
"""An entry of a list of references, or a date in parentheses."""
_EXAMPLE: Final = re.compile(r"example", re.IGNORECASE)
_SPREAD: Final = re.compile("(?<=[\u2e80-\uffef])[ \u3000]+(?=[\u2e80-\uffef])")
"""Spaces between the letters of a Chinese or Japanese title, which is spread by them."""
_GLYPHS: Final = re.compile(r"(?:\S{1,2} ){8}")
"""Letters one by one, as a sample of a font shows them."""
_COMPANY: Final = re.compile(
    r",? (?:LLC|LLP|L\.L\.C\.|L\.L\.P\.|P\.C\.|Inc\.?|Ltd\.?|GmbH)$", re.IGNORECASE
)
"""The name of a firm, as below a signature."""
_ADDRESS: Final = re.compile(r"\bP\.? ?O\.? Box \d|\b[A-Z]{2},? \d{5}(?:-\s?\d{4})?$")
"""A postal address as the United States have them."""
_NUMBERED: Final = re.compile(r"[0-9A-Za-z]{1,3}\)\s")
"""A number with one parenthesis after it."""
_MODEL: Final = re.compile(r"[A-Z]{1,4}[ -]?\d{1,4}[A-Z]{0,3}")
"""The name of a machine, as `CX57C`."""
_INITIALS: Final = re.compile(r"(?:[A-Z]\.?){2,6}")
"""Initials as `A.B.C.` or `EU`."""
_ASKED: Final = re.compile(
    r"do not write|please (?:print|type|complete|sign)\b|"
    r"(?:for )?(?:internal|official|office) use\b",
    re.IGNORECASE,
)
"""What a form asks of those who fill it in."""
LEAD: Final = re.compile(
    r"(?:abstract|key ?words|index terms|summary|zusammenfassung|schlüsselwörter|résumé|"
    r"mots[- ]clés|resumen|palabras clave|resumo|palavras-chave)\s*[—–:]\s*\S",
    re.IGNORECASE,
)
"""A name on one line with what it is the name of."""
_REMARK: Final = re.compile(r"\([^()]*\)")


def may_be(one: Paragraph, body: Body) -> bool:
    """Whether a paragraph could be a heading by its text alone."""
    text = one.text
    if one.kind != "paragraph" or len(one.lines) > MOST_LINES or len(text) > LONGEST:
        return False
    label = heading_label(text)
    words = text[label.end :] if label is not None else text
    if not words and label is not None and label.kind in NAMED_KINDS:
        words = text  # as `Chapter 1`
    words = _SPREAD.sub("", words)
    letters = _letters_in(words)
    named = _is_initials(label, words) or (
        one.size > 2 * body.size and _MODEL.fullmatch(words) is not None
    )
    if (WORD.search(words) is None and not named) or letters < 0.4 * len(words.replace(" ", "")):
        return False
    if one.lines[0].runs[0].size < 0.75 * one.lines[0].size:
        return False  # a raised mark, as before the address of an author
    if (
        "://" in text
        or _ASIDE.match(text)
        or LEAD.match(text)
        or (is_caption(text) and not (_EXAMPLE.match(text) and one.size > 1.05 * body.size + 0.1))
        or has_leaders(text)
        or bullet_end(text)
        or text[0] == "@"
        or _ASKED.match(text)
        or _REMARK.fullmatch(text)
        or (text[0] < "\u2e80" and _GLYPHS.match(text))
        or _ADDRESS.search(text)
        or (_COMPANY.search(text) and one.size < 1.15 * body.size)
        or one.lines[0].turned
        or one.lines[0].bullet
    ):
        return False
    return one.size > 1.05 * body.size + 0.1 or _is_whole(one)


def _is_initials(label: Label | None, words: str) -> bool:
    """Whether a number as `2.3` stands before initials."""
    return (
        label is not None
        and label.kind == "decimal"
        and label.depth > 1
        and _INITIALS.fullmatch(words) is not None
    )


def _letters_in(text: str) -> int:
    """How many letters there are."""
    data = text.encode("ascii", "ignore")
    count = len(data) - len(data.translate(None, _ASCII_LETTERS))
    return count if text.isascii() else count + len(_OTHER_LETTER.findall(text))


def _is_whole(one: Paragraph) -> bool:
    """Whether a paragraph is set alike from its start, or from the end of its number, on."""
    first = one.lines[0]
    if all(is_uniform(line) for line in one.lines):
        return True
    label = heading_label(one.text)
    if label is None:
        return False
    if label.kind == "decimal" and label.depth > 1 and len(one.lines) == 1:
        # A name in another font may be in it, as that of a program.
        bold = sum(run.end - run.start for run in first.runs if run.style.bold)
        ends = first.runs[0].style.bold and first.runs[-1].style.bold
        if ends and bold >= 0.6 * len(one.text):
            return True
    words = [run for run in first.runs[1:] if run.size > 0.8 * first.size and not run.style.mono]
    return first.runs[0].end - first.runs[0].start <= label.end and (
        len({run.style.bold for run in words}) == 1 and all(map(is_uniform, one.lines[1:]))
    )


def reads_well(text: str) -> bool:
    """Whether a short text can be a heading though it is not larger than the body."""
    first = text[0]
    return (
        len(text) <= 90
        and SENTENCE.search(text) is None
        and CALLOUT.match(text) is None
        and BYLINE.match(text) is None
        and ((first.isalnum() and not first.islower()) or first > "\u1100")
        and text.count("(") == text.count(")") - (_NUMBERED.match(text) is not None)
    )
