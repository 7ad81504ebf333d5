"""The text itself, the title of a document, and what stands around it and is no heading."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from spanwise.formats.pdf.looks import Look
from spanwise.formats.pdf.numbering import bullet_end, heading_label, item_number
from spanwise.formats.pdf.outline import Matched
from spanwise.formats.pdf.paragraphs import Paragraph
from spanwise.formats.pdf.people import BYLINE

INNER: Final = 5
"""Pages after the first among which an inner title page is."""
SHORT: Final = 40
"""Characters that text has at least: a cell, an address and a name have fewer."""

MOST_LINES: Final = 60
"""Lines of the first page that may have the name and the volume of a journal."""

NAMED: Final = re.compile(
    r"(?:abstract|article info(?:rmation)?|summary|introduction|conclusions?|references|"
    r"bibliography|acknowledge?ments?|appendix|contents|table of contents|index|"
    r"glossary|preface|foreword|discussion|results|"
    r"methods|background|related work|keywords?|zusammenfassung|einleitung|inhalt(?:sverzeichnis)?|"
    r"literatur(?:verzeichnis)?|anhang|vorwort|résumé|introducci[óo]n|sommaire|bibliographie|"
    r"table des matières|resumo|resumen|introdução|sumário|referências|conclus(?:ão|iones|ión)|"
    r"referencias|índice|bibliograf[ií]a|riassunto|sommario|introduzione|conclusioni|indice|"
    r"samenvatting|inleiding|inhoud(?:sopgave)?|literatuur|sammanfattning|streszczenie|wstęp|"
    r"spis treści|abstrakt|úvod|obsah|литература|аннотация|введение|заключение|содержание|"
    r"摘\s*要|要\s*旨|目\s*[次录錄]|参考文献|參考文獻|はじめに|おわりに|초\s*록|요\s*약|목\s*차|참고\s*문헌)\W*$",
    re.IGNORECASE,
)
"""Headings that are known by their words."""
_MONTH: Final = (
    r"(?:jan(?:uary|uar|vier|eiro)?|feb(?:ruary|ruar)?|febbraio|febrero|fevereiro|février|"
    r"mar(?:ch|s|zo|ço)?|märz|apr(?:il|ile)?|abr(?:il)?|avril|mayo?|mai|maio|maggio|june?|juni|juin|"
    r"junio|junho|giugno|july?|juli|juillet|julio|julho|luglio|aug(?:ust)?|août|agosto|sept?|"
    r"sept(?:ember|embre|iembre)|settembre|setembro|oct(?:ober|obre|ubre)?|okt(?:ober)?|ottobre|"
    r"outubro|nov(?:ember|embre|iembre|embro)?|dec(?:ember)?|dez(?:ember|embro)?|déc(?:embre)?|"
    r"dic(?:iembre|embre)?|enero|gennaio|spring|summer|autumn|fall|winter|[^\W\d_\x00-\u02ff]{3,9})"
)
"""The name of a month, or a word of another script."""
_DATE: Final = re.compile(
    r"(?:\d{1,2}(?:st|nd|rd|th|er|\.)?(?: de)?(?: [^\W\d_]{3,9}\.?){0,2}|"
    rf"(?:[^\W\d_]{{3,9}}\.?,? )?{_MONTH}\.?),?(?: de)?"
    r"(?: \d{1,2}(?:st|nd|rd|th)?,?)? (?:\d{4}|['’]?\d\d)\b.{0,20}$"
    r"|(?:draft |revision )?v(?:ersion|er\.|\.)? ?\d+(?:\.\d+[a-z]?)*\b.{0,25}$",
    re.IGNORECASE,
)
"""A date with the name of its month, or the number of a version."""
_VOLUME: Final = re.compile(
    r"[\s,.:;]*(?:vol(?:\.|ume)?|n[or]\.|issue|bd\.)?\s*\d{1,4}\b.*\b(?:19|20)\d\d\b", re.IGNORECASE
)
"""The volume and the year of a journal after its name."""
_PEOPLE: Final = re.compile(r"[@,&∗†‡§]|\band\b|\d{4}")


class Body(NamedTuple):
    """How the text itself is set."""

    font: str
    size: float
    bold: bool
    mono: bool = False


def body_of(paragraphs: Sequence[Paragraph]) -> Body:
    """The style that most of the text is set in."""
    fonts: Counter[tuple[str, float, bool]] = Counter()
    mono: Counter[tuple[str, float, bool]] = Counter()
    long: set[tuple[str, float, bool]] = set()
    cells: Counter[tuple[str, float, bool]] = Counter()
    for paragraph in paragraphs:
        if paragraph.kind in ("table", "code", "contents"):
            for line in paragraph.lines if paragraph.kind == "table" else ():
                cells[line.style.font, line.style.size, line.style.bold] += len(line.text)
            continue
        usual = 1.0 if len(paragraph.lines) > 1 else 0.3
        for line in paragraph.lines:
            style = line.style
            # In a short document headings may have more letters than the text has.
            weight = 0.5 * usual if style.bold else usual
            letters = len(line.text) * (2 if line.text[:1] > "\u2e80" else 1)
            counts = mono if style.mono else fonts
            counts[style.font, style.size, style.bold] += int(letters * weight) + 1
            if usual == 1.0 or letters > SHORT:
                long.add((style.font, style.size, style.bold))
    # Names and code between the lines of text may be more than it.
    if fonts.total() < 0.25 * mono.total():
        fonts = mono
    if not fonts:
        return Body("", 10.0, False)
    font, size, bold = fonts.most_common(1)[0][0]
    if (font, size, bold) not in long:
        # Where there is hardly any text, titles may have more letters than it.
        others = [one for one, _ in fonts.most_common() if one in long and one[1] < size]
        font, size, bold = others[0] if others else (font, size, bold)
    if cells.total() > fonts.total():
        # Small print around tables is less than they are, and titles alone are no text.
        cell = cells.most_common(1)[0][0]
        if cell[1] > size or (font, size, bold) not in long:
            font, size, bold = cell
    return Body(font, size, bold, fonts is mono)


def is_cover(paragraphs: Sequence[Paragraph], body: Body) -> bool:
    """Whether the first page has nothing but a title and what belongs to it."""
    page = [one for one in paragraphs if one.page == 0]
    return (
        0 < len(page) < 30
        and paragraphs[-1].page > 1
        and not any(_is_running(one, body) or one.kind in ("table", "contents") for one in page)
        and not any(heading_label(one.text) for one in page)
        and sum(_is_sentence(one, body) for one in page) < 2
    )


def without_banners(
    paragraphs: Sequence[Paragraph], chosen: Sequence[Paragraph]
) -> list[Paragraph]:
    """The headings without the name of a journal: the first page has it with a volume, too."""
    lines = [one.text for one in paragraphs if one.page == 0 and len(one.lines) == 1][:MOST_LINES]
    return [
        one
        for one in chosen
        if one.page > 0
        or not any(
            len(line) > len(one.text) > 5
            and line.startswith(one.text)
            and _VOLUME.match(line, len(one.text))
            for line in lines
        )
    ]


def title_of(
    paragraphs: Sequence[Paragraph],
    chosen: list[Paragraph],
    looks: dict[int, Look],
    cover: bool,
) -> Paragraph | None:
    """The title of the document: a heading at its start, in a look of its own or on a cover."""
    if not chosen:
        return None
    page = chosen[0].page
    if page > 1:
        return None
    first = [one for one in chosen if one.page == page and _DATE.match(one.text) is None]
    if not first:
        return None
    largest = max(one.style.size for one in first)
    if cover and page == 0:
        one = next(one for one in first if one.style.size == largest)
        alike = sum(looks[id(other)] == looks[id(one)] for other in chosen if other.page > page)
        # On each page of some is a heading that looks so.
        if NAMED.match(one.text) is None and alike < 3:
            return one
    for one in first:
        if heading_label(one.text) is not None or NAMED.match(one.text):
            break
        if one.style.size == largest:
            if _is_unique(one, chosen, looks, one is paragraphs[0]):
                return one
            break
    one = first[0]
    named = heading_label(one.text) is not None or NAMED.match(one.text)
    return (
        one if one is paragraphs[0] and not named and _is_unique(one, chosen, looks, True) else None
    )


def _is_unique(
    one: Paragraph, chosen: Sequence[Paragraph], looks: dict[int, Look], first: bool
) -> bool:
    """Whether no heading with other words is set as this one.

    Others may, where it is the `first` of the document, if they have numbers or known names; and
    if all of them end with a colon, as those of a form do.
    """
    look = looks[id(one)]
    return all(
        other.text == one.text
        or (other.text.endswith(":") and not one.text.endswith(":"))
        or (other.page == one.page and _DATE.match(other.text) is not None)
        or (first and (_is_numbered(other) or NAMED.match(other.text) is not None))
        for other in chosen
        if looks[id(other)] == look
    )


def _is_numbered(one: Paragraph) -> bool:
    label = heading_label(one.text)
    return label is not None and label.kind in (
        "decimal",
        "roman",
        "chapter",
        "sign",
        "article",
        "note",
    )


def without_front_matter(
    paragraphs: Sequence[Paragraph],
    chosen: list[Paragraph],
    looks: dict[int, Look],
    title: Paragraph | None,
    matched: Matched,
    body: Body,
    cover: bool,
) -> list[Paragraph]:
    """The headings without those that only stand around the title: authors, dates, addresses."""
    if title is None:
        return chosen
    page = [one for one in paragraphs if one.page == title.page]
    cover = cover and title.page == 0
    end = len(page) if cover else _front_end(page, title, body)
    front = {id(one) for one in page[:end]}
    # Authors may be set as headings are, but then have no text below them.
    usual = {looks[id(one)] for one in chosen if id(one) not in front}
    dropped: set[int] = set()
    place = page.index(title)
    for at, one in enumerate(page[:end]):
        if one is title or id(one) in matched.depths or id(one) not in looks:
            continue
        look = looks[id(one)]
        after = page[at + 1] if at + 1 < len(page) else None
        if after is not None and at + 2 < len(page) and BYLINE.match(after.text):
            after = page[at + 2]
        starts = after is not None and (
            (
                look in usual
                and (
                    # Columns before the one with the title have headings, too.
                    _has_text(after, body)
                    or (at > place and looks.get(id(after)) in usual - {look})
                )
            )
            or (
                at > place
                and after.size < one.size
                and (
                    _is_running(after, body)
                    or _is_sentence(after, body)
                    or bullet_end(after.text) > 0
                    or after.lines[0].bullet
                    or (after.kind in ("table", "code") and not _is_address(after))
                    or (look.marked and (len(after.text) > 90 or after.text.endswith((".", ":"))))
                )
            )
        )
        people = (_PEOPLE.search(one.text) is not None and look not in usual) or _DATE.match(
            one.text
        ) is not None
        if cover or people or not starts:
            dropped.add(id(one))
    return [one for one in chosen if id(one) not in dropped]


def without_inner_title(
    paragraphs: Sequence[Paragraph],
    chosen: list[Paragraph],
    title: Paragraph | None,
    matched: Matched,
    body: Body,
) -> list[Paragraph]:
    """The headings without those of a second title page, which says again what the first does."""
    if title is None:
        return chosen
    said = _letters(title.text)
    dropped: set[int] = set()
    for number in range(title.page + 1, title.page + INNER):
        page = [one for one in paragraphs if one.page == number]
        large = max((one.size for one in page), default=0.0)
        for one in page:
            if one.size < max(large, 1.15 * body.size):
                continue
            own = _letters(one.text)
            if own and len(own) > 0.6 * len(said) and said.startswith(own):
                end = _front_end(page, one, body)
                dropped.update(id(other) for other in page[:end] if id(other) not in matched.depths)
                break
    return [one for one in chosen if id(one) not in dropped]


def _letters(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _front_end(page: Sequence[Paragraph], title: Paragraph, body: Body) -> int:
    """The place of the first paragraph of a page that is below what belongs to the title."""
    start = page.index(title) + 1
    for at in range(start, len(page)):
        one = page[at]
        if (
            _is_running(one, body)
            or _is_sentence(one, body)
            or _opens(one)
            or (one.kind in ("table", "code") and not _is_address(one))
            or bullet_end(one.text)
            or one.lines[0].bullet
        ):
            return at
    return len(page)


def _is_address(one: Paragraph) -> bool:
    """Whether a paragraph is the address of an author or a page, as a font for code has them."""
    return one.kind == "code" and len(one.text) < 160 and ("@" in one.text or "://" in one.text)


def _is_sentence(one: Paragraph, body: Body) -> bool:
    """Whether a short paragraph is text of the body: it ends as a sentence does."""
    return (
        one.style.font == body.font
        and abs(one.size - body.size) < 0.06 * body.size
        and len(one.text) > SHORT
        and one.text.endswith((".", "!", "?", ":", "。", "：", "…"))
        and "@" not in one.text
    )


def _has_text(one: Paragraph, body: Body) -> bool:
    """Whether a paragraph is text below a heading, be it short, and no address."""
    if _is_address(one):
        return False
    if one.kind in ("code", "table", "item") or one.lines[0].bullet or bullet_end(one.text):
        return True
    if item_number(one.text) == 1 and one.text.endswith("."):
        return True
    return (
        one.size < 1.05 * body.size + 0.1
        and not one.style.bold
        and len(one.text) > SHORT
        and "@" not in one.text
    )


def _is_running(one: Paragraph, body: Body) -> bool:
    """Whether a paragraph is one of the body."""
    return (
        len(one.lines) >= 3
        and one.kind == "paragraph"
        and one.size < 1.1 * body.size
        and len(one.text) > 40 * len(one.lines) * (0.5 if one.text[0] > "\u1100" else 1)
    )


def _opens(one: Paragraph) -> bool:
    """Whether a paragraph is a heading of the body by its words."""
    label = heading_label(one.text)
    if label is None or _DATE.match(one.text):
        return NAMED.match(one.text) is not None
    # A date starts with a number, too, and a name with a letter.
    return not one.text[label.end : label.end + 1].islower() and (
        label.kind not in ("letter", "roman") or label.key == ("I",)
    )
