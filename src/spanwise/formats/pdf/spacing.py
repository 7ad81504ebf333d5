"""Words that are set with wide gaps between their letters, which PDFium takes for spaces."""

import re
from typing import Final

from spanwise.formats.pdf.page import PdfPage

LEAST: Final = 4
"""Letters by themselves that a line has at least, if its words are spread."""
WIDER: Final = 1.6
"""How many times the gap between letters that between words is, at least."""
WIDEST: Final = 0.6
"""The widest gap between letters of a word, by their height."""

NARROW: Final = 0.4
"""The widest gap between letters of a word that stands alone, by their height."""
FAR: Final = 3.0
"""By their height, too: what is further apart, or elsewhere, stands beside each other by chance."""

_SINGLE: Final = re.compile(r" \w \w ")
_ENDING: Final = re.compile(r"[\r\n\x02]|$")


def spaces_within_words(page: PdfPage, text: str, numbers: list[int] | None) -> list[int]:
    """Where spaces of the text of a page are within words; it ascends."""
    found: list[int] = []
    end = 0
    while (match := _SINGLE.search(text, end)) is not None:
        at = match.start()
        start = max(text.rfind("\n", end, at), text.rfind("\x02", end, at), end - 1) + 1
        ending = _ENDING.search(text, at)
        assert ending is not None  # the end of the text is one
        end = ending.start()
        line = text[start:end]
        if _is_spread(line.split()):
            found.extend(_within(page, start, line, numbers))
    return found


def _is_spread(tokens: list[str]) -> bool:
    """Whether most words of a line are of one letter, which are no list of all letters."""
    single = [token for token in tokens if len(token) == 1]
    letters = "".join(tokens)
    return (
        len(single) >= LEAST
        and 2 * len(single) >= len(tokens)
        and max(map(len, tokens)) <= 3
        # Of Chinese each letter is a word; and other alphabets are shown one by one.
        and 5 * len(letters.encode("ascii", "ignore")) >= 4 * len(letters)
        and 5 * sum(map(str.isalpha, letters)) >= 4 * len(letters)
        and sorted(single) != single
    )


def _within(page: PdfPage, start: int, line: str, numbers: list[int] | None) -> list[int]:
    """Those of one line."""
    put_in: list[tuple[int, float, float]] = []
    written = 0
    for at, letter in enumerate(line):
        if letter != " ":
            continue
        place = start + at
        number = place if numbers is None else numbers[place]
        if not page.generated(number):
            written += 1
            continue
        if at == 0 or at + 1 == len(line):
            continue
        before = page.char_box(number - 1)
        after = page.char_box(number + 1)
        gap, height = after[0] - before[2], min(after[3] - after[1], before[3] - before[1])
        if 0 < gap < FAR * height:
            put_in.append((place, gap, height))
    if not put_in or written > len(put_in):
        return []
    gaps = sorted(gap for _, gap, _ in put_in)
    height = max(height for _, _, height in put_in)
    usual = gaps[len(gaps) // 2]
    if usual > WIDEST * height:
        return []
    wide = [gap for gap in gaps if gap >= WIDER * usual]
    if (
        not written
        and not wide
        and not (
            # One word; names of one letter each stand further apart.
            line.isupper() and len(gaps) >= LEAST and gaps[-1] < NARROW * height
        )
    ):
        return []
    return [place for place, gap, _ in put_in if gap < WIDER * usual]
