"""Labels at the start of a line: numbers of headings and items, bullets, captions."""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from spanwise.formats.labels import WORDS

_BULLET: Final = re.compile(
    r"(?:[•‣⁃◦∙●○■□▪▫◆◇▶►▸➢➤✓✔✗❖·∗⚫⬤\uf000-\uf0ff\ue000-\ue0ff]\s*|[-–—*\ufffd]\s+|o\s+(?=[A-Z]))(?=\S)"
)
_WORDS: Final = {**WORDS, "note": "note"}
"""Those of all formats, and that of the notes to the accounts of a firm."""
LABEL_WORDS: Final = "|".join(_WORDS.values())
NAMED_KINDS: Final = frozenset(_WORDS)
_KINDS: Final = {
    re.compile(rf"(?:{words})$", re.IGNORECASE): kind for kind, words in _WORDS.items()
}
NUMBER_WORDS: Final = (
    r"(?:twenty-?|thirty-?)?(?:one|two|three|four|five|six|seven|eight|nine)|ten|eleven|twelve|"
    r"thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty"
)
_STARTS: Final = frozenset(word[:2] for word in LABEL_WORDS.split("|"))
_WORD: Final = re.compile(
    rf"({LABEL_WORDS})\s+([A-Z]|\d{{1,3}}|[IVXLC]{{1,6}}|{NUMBER_WORDS})\b(?!\.\d)\s*[.:–—-]?\s*",
    re.IGNORECASE,
)
_DECIMAL: Final = re.compile(
    rf"(?:(?:{LABEL_WORDS})\s+)?"
    r"([A-Z](?=\.\d)|\d{1,3})((?:\.\d{1,3}){0,6})(\.(?!\d)|\)|:)?(?:\s+|(?=[^\x00-\u02ff]))",
    re.IGNORECASE,
)
_ROMAN: Final = re.compile(r"([IVXLC]{1,6})\.\s+|([Ⅰ-Ⅻ])[.．]?\s*(?=\S)")
_ROMAN_AFTER: Final = {"IV": "V", "IX": "X", "XLIX": "L", "XCIX": "C"}
_LETTER: Final = re.compile(r"([A-Z])[.)]\s+")
_SIGN: Final = re.compile(r"§\s*(\d{1,4}[a-z]?(?:\.\d{1,4})*)\.?\s+", re.IGNORECASE)
_PARENTHESES: Final = re.compile(r"\((\d{1,2}|[a-z]|[ivx]{1,5}|[A-Z])\)\s*")
_COUNTED: Final = re.compile(
    r"([一二三四五六七八九十]{1,3})、\s*|[（(]([一二三四五六七八九十]{1,3})[）)]\s*"
)
_EAST: Final = re.compile(
    r"第\s*([0-9一二三四五六七八九十百]{1,4})\s*([章節节条條部編编])\s*|제\s*(\d{1,3})\s*([장절조항편])\s*"
)
_ITEM: Final = re.compile(
    r"(?:\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)]\s+|\((?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})\)\s*|\[\d{1,3}\]\s+"
    r"|[①-⑳㉠-㉻]\s*|[가-하]\.\s+)(?=\S)"
)
_ORDERED: Final = re.compile(r"\(?(\d{1,3})[.)]\s+(?=\S)")
_CAPTION: Final = re.compile(
    r"[\[(<【]?\s*(?:fig(?:ure|\.|s\.)?|table|tab\.|listing|algorithm|exhibit|chart|plate|scheme|abbildung|abb\.|"
    r"tabelle|tableau|figura|tabla|example|box|equation|표|그림|図|表|图)(?:\s*[A-Z]?\.?\d+|\s+(?:[IVX]+|[A-Z])\b)",
    re.IGNORECASE,
)


_DOTS: Final = re.compile(r"\.\s?\.\s?\.\s?\.")
_POINTS: Final = re.compile(r"(?:·\s?){5}")
_DOTS_TO_NUMBER: Final = re.compile(r"\s\.(?:\s?\.)*\s\d{1,4}$")


class Label(NamedTuple):
    """The number before a heading."""

    kind: str
    """Numbers of one kind go on from each other: `decimal`, `chapter`, `roman`, `letter` ..."""
    depth: int
    """How many numbers there are, as 2 in `3.1`."""
    end: int
    """Where what follows it starts."""
    key: tuple[str, ...]
    """Its parts, as `("3", "1")`."""


def heading_label(text: str) -> Label | None:
    """The number that a heading starts with, or None."""
    if text[:2].isascii() and not _may_have_label(text):
        return None
    found = _EAST.match(text)
    if found:
        return Label("east-" + (found[2] or found[4]), 1, found.end(), (found[1] or found[3],))
    found = _COUNTED.match(text)
    if found:
        return Label(
            "counted" if found[1] else "counted-in", 1, found.end(), (found[1] or found[2],)
        )
    found = _WORD.match(text)
    if found:
        kind = next(kind for words, kind in _KINDS.items() if words.match(found[1]))
        return Label(kind, 1, found.end(), (found[2],))
    found = _DECIMAL.match(text)
    if found and (found.end() < len(text)):
        parts = (found[1], *[part for part in found[2].split(".") if part])
        kind = "parentheses" if len(parts) == 1 and found[3] == ")" else "decimal"
        return Label(kind, len(parts), found.end(), parts)
    found = _SIGN.match(text)
    if found:
        return Label("sign", 1, found.end(), (found[1],))
    found = _PARENTHESES.match(text)
    if found:
        return Label("parentheses", 1, found.end(), (found[1],))
    found = _ROMAN.match(text)
    if found:
        return Label("roman", 1, found.end(), (found[1] or found[2],))
    found = _LETTER.match(text)
    if found:
        return Label("letter", 1, found.end(), (found[1],))
    return None


def labels_of(texts: Iterable[str]) -> list[Label | None]:
    """The numbers that headings start with, where `C.` after `B.` is a letter and no hundred."""
    found: list[Label | None] = []
    letter = roman = ""
    for text in texts:
        label = heading_label(text)
        if label is not None and label.kind == "roman":
            key = label.key[0]
            if (
                len(key) == 1
                and letter
                and ord(key) == ord(letter) + 1
                and key != _ROMAN_AFTER.get(roman)
            ):
                label = label._replace(kind="letter")
            else:
                roman = key
        if label is not None and label.kind == "letter":
            letter = label.key[0]
        found.append(label)
    return found


def _may_have_label(text: str) -> bool:
    """Whether a text whose first two characters are of ASCII may start with a label.

    Most do not, and finding that out by trying all kinds takes long.
    """
    first = text[:1]
    if first.isalpha():
        # The stop is that after a letter or a Roman number of up to six.
        return "." in text[1:7] or text[1:2] == ")" or text[:2].lower() in _STARTS
    return first.isdecimal() or first == "("


def bullet_end(text: str) -> int:
    """Where the text after a bullet starts; 0 without a bullet."""
    first = text[:1]
    if first.isalnum() and first != "o":
        return 0  # quicker than to try
    found = _BULLET.match(text)
    return found.end() if found else 0


def item_end(text: str) -> int:
    """Where the text after the number of an item starts; 0 without one."""
    first = text[:1]
    if first.isascii() and first.isalpha() and "." not in text[1:6] and ")" not in text[1:6]:
        return 0  # quicker than to try
    found = _ITEM.match(text)
    return found.end() if found else 0


def item_number(text: str) -> int:
    """The number that an item starts with, as in `3. `; -1 without one."""
    found = _ORDERED.match(text)
    return int(found[1]) if found else -1


def is_caption(text: str) -> bool:
    """Whether a paragraph names a figure or a table."""
    return _CAPTION.match(text) is not None


def has_leaders(text: str) -> bool:
    """Whether there are dots that lead to a page number, as in a table of contents."""
    # Most lines have none, and looking for them is quicker than matching.
    if not (
        ".." in text
        or " ." in text
        or "__" in text
        or (not text.isascii() and ("…" in text or "··" in text or "· ·" in text))
    ):
        return False
    return (
        (text.count(".") > 3 and _DOTS.search(text) is not None)
        or (text[-1:].isdecimal() and _DOTS_TO_NUMBER.search(text) is not None)
        or "______" in text
        or "……" in text
        or (text.count("·") > 4 and _POINTS.search(text) is not None)
    )
