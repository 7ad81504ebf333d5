"""Joins what was parted: paragraphs by pages and columns, numbers from their titles by gaps."""

import re
from typing import Final

from spanwise.formats.pdf.hyphens import Hyphens, ends_in_hyphen
from spanwise.formats.pdf.lines import Line
from spanwise.formats.pdf.numbering import (
    LABEL_WORDS,
    NUMBER_WORDS,
    bullet_end,
    is_caption,
    item_end,
)
from spanwise.formats.pdf.page import HYPHEN
from spanwise.formats.pdf.paragraphs import Paragraph
from spanwise.formats.pdf.writing import joined_text

FURTHEST: Final = 8
"""Paragraphs, as notes and captions, that may stand between the halves of one."""

_MARK: Final = re.compile(
    r"(?:[•‣⁃◦∙●○■□▪▫◆◇▶►➢➤✓✔✗❖·∗⚫⬤*–—-]|[\ue000-\uf8ff\ufffd]|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})[.)]"
    r"|\[\d{1,3}\]|[A-Z]?\d{0,2}(?:\.\d{1,2}){1,4}\.?)$"
)
_ICONS: Final = re.compile(r"fontawesome|materialicons|glyphicons|academicons", re.IGNORECASE)
"""Fonts whose letters are pictures, and say nothing."""
_SYMBOLS: Final = re.compile(
    rf"wingd|webd|dingb|typographicsymbol|monotypesorts|{_ICONS.pattern}", re.IGNORECASE
)
"""Fonts that have signs where others have letters."""
_PLAIN_MARK: Final = re.compile(r"(?:\d{1,2}|[A-Z]|[IVX]{1,4})$")
_LONE_WORD: Final = re.compile(LABEL_WORDS, re.IGNORECASE)
_NUMBER_WORD: Final = re.compile(rf"\d{{1,3}}|[A-Z]|[IVXLC]{{1,6}}|{NUMBER_WORDS}", re.IGNORECASE)
_LONE_LABEL: Final = re.compile(
    rf"(?:{LABEL_WORDS})\s+(?:{_NUMBER_WORD.pattern})\.?|第\s*[0-9一二三四五六七八九十百]{{1,4}}\s*[章部編编]|"
    r"제\s*\d{1,3}\s*[장편부]",
    re.IGNORECASE,
)
_OPEN_END: Final = re.compile(r"[^\s.!?:;。！？…\"”»)\]]$|[,(\-–—]$")


def with_marks(lines: list[Line], numbers: set[int]) -> list[Line]:
    """The lines, marks of items and numbers of headings put before the text to their right.

    `numbers` are the `id` of those that only count the lines of the page.
    """
    found: list[Line] = []
    for line in lines:
        _drop_icon(line)
        last = found[-1] if found else None
        before = found[-2] if len(found) > 1 else None
        if last is not None and _is_symbol_of(last, line):
            found[-1] = line
            line.bullet = _ICONS.search(last.style.font) is None
        elif (
            last is not None
            and id(last) not in numbers
            and _is_mark_of(last, line)
            and not (before is not None and _is_cell_after(before, last))
        ):
            for run in line.runs:
                last.add(run)
            last.text = f"{last.text} {line.text}"
            last.size = max(last.size, line.size)
            last.style = line.style
            last.base = line.base
        else:
            found.append(line)
    return found


def _drop_icon(line: Line) -> None:
    """Take a picture that is a letter of a font away from the begin of a line."""
    first = line.runs[0]
    text = line.text
    if (
        len(line.runs) < 2
        or first.end - first.start > 1
        or line.turned
        or line.rtl
        or _ICONS.search(first.style.font) is None
        or _ICONS.search(line.runs[1].style.font) is not None
    ):
        return
    del line.runs[0]
    line.text = text[1:].lstrip()
    line.left = min(run.box[0] for run in line.runs)
    line.top = min(run.box[1] for run in line.runs)
    line.bottom = max(run.box[3] for run in line.runs)


def _is_symbol_of(mark: Line, line: Line) -> bool:
    """Whether one letter of a font for symbols is the bullet before a line, whatever it says."""
    return (
        len(mark.text) == 1
        and _SYMBOLS.search(mark.style.font) is not None
        and not mark.turned
        and not line.turned
        and abs(mark.base - line.base) < 0.4 * line.size
        and 0 <= line.left - mark.right < 5 * line.size
        and any(letter.isalpha() for letter in line.text)
        and mark.runs[0].tag.column < 0
    )


def _is_mark_of(mark: Line, line: Line) -> bool:
    if mark.turned or line.turned or line.rtl or abs(mark.base - line.base) > 0.4 * line.size:
        return False
    gap = line.left - mark.right
    # The number of a clause may stand far out in the margin.
    widest = 9 if mark.style.bold and line.style.bold and mark.text.endswith(".") else 5
    if not 0 <= gap < widest * line.size:
        return False
    if _MARK.match(mark.text):
        # A number before a number is a cell.
        return not mark.text[-1:].isdecimal() or any(letter.isalpha() for letter in line.text)
    return (
        _PLAIN_MARK.match(mark.text) is not None
        and line.style.bold
        and (mark.style.bold or mark.size > line.size)
        and len(line.text) > 3
        and any(letter.isalpha() for letter in line.text[:3])
    )


def _is_cell_after(before: Line, mark: Line) -> bool:
    """Whether what looks like a mark comes after a line that it stands beside, as in a table."""
    return (
        abs(before.base - mark.base) < 0.4 * mark.size and mark.left >= before.right
    ) or mark.runs[0].tag.column >= 0


def joined_over(paragraphs: list[Paragraph], hyphens: Hyphens) -> list[Paragraph]:
    """The paragraphs, those that go on in the next column or on the next page made one."""
    gone: set[int] = set()
    for at, one in enumerate(paragraphs):
        if id(one) in gone or one.kind not in ("paragraph", "note") or not _is_open(one):
            continue
        for other in paragraphs[at + 1 : at + 1 + FURTHEST]:
            # Notes, captions and tables may stand between, but no text of the same look.
            if other.kind != "paragraph" or not _is_like(one, other):
                continue
            if _is_moved(one, other) and _is_rest(one, other):
                one.lines.extend(other.lines)
                one.text = joined_text(one, hyphens)
                gone.add(id(other))
            break
    return [paragraph for paragraph in paragraphs if id(paragraph) not in gone]


def _is_open(one: Paragraph) -> bool:
    """Whether the last line of a paragraph is full, and no sentence ends there."""
    last = one.lines[-1]
    if len(last.text) < 15 or one.edge - last.right > 0.35 * (one.edge - last.left):
        return False
    return last.text.endswith(HYPHEN) or _OPEN_END.match(one.text[-1:]) is not None


def _is_moved(one: Paragraph, other: Paragraph) -> bool:
    """Whether the second starts another column or page than the first ends in."""
    last, first = one.lines[-1], other.lines[0]
    return first.page == last.page + 1 or (
        first.page == last.page and first.top < last.top - last.size
    )


def _is_like(one: Paragraph, other: Paragraph) -> bool:
    last, first = one.lines[-1], other.lines[0]
    return abs(last.size - first.size) < 0.3 and last.style.bold == first.style.bold


def _is_rest(one: Paragraph, other: Paragraph) -> bool:
    text = other.text
    if not _is_like(one, other) or one.lines[-1].style.mono != other.lines[0].style.mono:
        return False
    if is_caption(text) or bullet_end(text) or item_end(text) or not text:
        return False
    if ends_in_hyphen(one.lines[-1]):
        return True
    first = text[0]
    full = one.edge - one.lines[-1].right < 3 * one.size
    return first.islower() or (full and first > "\u2e80")


def with_labels(paragraphs: list[Paragraph]) -> list[Paragraph]:
    """The paragraphs, a number that stands above its heading made one with it."""
    found: list[Paragraph] = []
    for one in paragraphs:
        last = found[-1] if found else None
        if last is not None and _is_label_of(last, one):
            last.lead = len(last.lines)
            last.lines.extend(one.lines)
            last.text = f"{last.text} {one.text}"
        else:
            found.append(one)
    return found


def _is_label_of(label: Paragraph, one: Paragraph) -> bool:
    if label.kind != "paragraph" or one.kind != "paragraph" or label.page != one.page:
        return False
    if len(label.text) > 24 or len(one.text) > 200 or len(one.lines) > 4:
        return False
    if (
        one.lines[0].top < label.lines[-1].top - 2
        or one.lines[0].top - label.lines[-1].bottom > 8 * one.size
    ):
        return False
    if _LONE_WORD.fullmatch(label.text):
        return _NUMBER_WORD.fullmatch(one.text) is not None
    return (
        _LONE_LABEL.fullmatch(label.text) is not None
        and one.size >= 12
        and (one.style.bold or one.size >= 16)
    )
