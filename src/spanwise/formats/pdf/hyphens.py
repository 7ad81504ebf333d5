"""Hyphens at the ends of lines: of the line break only, or of the word."""

import re
from collections.abc import Iterable
from typing import Final

from spanwise.formats.pdf.lines import Line
from spanwise.formats.pdf.page import HYPHEN

_LAST_WORD: Final = re.compile(r"[^\W\d_]+$")
_FIRST_WORD: Final = re.compile(r"[^\W\d_]+")
_WORD: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_APART: Final = "".join(
    chr(code) if chr(code).isalpha() or chr(code) == "-" else " " for code in range(128)
)
"""For `translate`: of ASCII what is in words, and a space for all else."""
_ENDS: Final = re.compile(rf"[^\W\d_][-{HYPHEN}\u00ad]$|[{HYPHEN}\u00ad]$")
_HYPHENS: Final = f"-{HYPHEN}\u00ad"


class Hyphens:
    """Decides by the other words of a document."""

    def __init__(self, pages: Iterable[Iterable[Line]]) -> None:
        """The words are not looked at before one is asked for."""
        self._pages = pages
        self._words: set[str] | None = None

    def goes(self, before: str, after: str) -> bool:
        """Whether the hyphen that ends `before` is only of the break."""
        last = _LAST_WORD.search(before[:-1])
        first = _FIRST_WORD.match(after)
        if last is None or first is None or not first.group()[0].islower():
            return False
        if len(last.group()) < 2:
            return False
        one, two = last.group().lower(), first.group().lower()
        if self._words is None:
            self._words = set()
            for lines in self._pages:
                self._words.update(_words_in("\n".join([line.text for line in lines]).lower()))
        if one + two in self._words:
            return True
        return f"{one}-{two}" not in self._words


def _words_in(text: str) -> list[str]:
    """The words of a text in lower case, those with a hyphen inside as one."""
    # Only what is more than letters is looked at, most of it by way of a table.
    found: list[str] = []
    plain: list[str] = []
    for part in text.split():
        if part.isalpha():
            found.append(part)
        elif part.isascii():
            plain.append(part)
        else:
            found += _WORD.findall(part)
    for part in " ".join(plain).translate(_APART).split():
        if "-" in part:
            found += _WORD.findall(part)
        else:
            found.append(part)
    return found


def ends_in_hyphen(line: Line) -> bool:
    """Whether a line ends in a hyphen after a letter."""
    return line.text[-1:] in _HYPHENS and _ENDS.search(line.text) is not None
