"""GitHub's anchors: what a heading is called in a link, unique within its document."""

from typing import Final, final

from mypy_extensions import i64

from spanwise.kernel.anchor_tables import BLOCK_OF, KEPT, PUNCTUATION
from spanwise.kernel.chars import DIGITS, LETTERS

SPACE: Final = 0x20
ASCII_KEPT: Final = bytes(chr(code) in LETTERS + DIGITS + "_- " for code in range(128))
ASCII_DROPPED: Final = bytes(code for code in range(128) if not ASCII_KEPT[code])
ASCII_SLUG: Final = bytes(range(256)).lower().replace(b" ", b"-")


def is_kept(code: i64) -> bool:
    """Whether an anchor keeps the character: a letter, mark, decimal digit, connector or `-`.

    The space counts too, as it becomes a hyphen.
    """
    if code < 128:
        return ASCII_KEPT[code] != 0
    block: i64 = BLOCK_OF[code >> 8]
    return KEPT[block << 5 | (code & 255) >> 3] >> (code & 7) & 1 != 0


def is_punctuation(code: i64) -> bool:
    """Whether the character is a Unicode punctuation character (CommonMark 0.31.2, 2.1)."""
    block: i64 = BLOCK_OF[code >> 8]
    return PUNCTUATION[block << 5 | (code & 255) >> 3] >> (code & 7) & 1 != 0


def slug(heading: str) -> str:
    """The anchor of a heading that is the only one of its name.

    Characters that are not kept go, the others are lower-cased each by itself (so a final sigma is
    an ordinary one, as in Ruby) and each space becomes a hyphen. Nothing is trimmed or merged. Only
    characters of Unicode 14.0.0 are kept, whose lower case no later version may change, so every
    Python gives the same.
    """
    if heading.isascii():
        return heading.encode("ascii").translate(ASCII_SLUG, ASCII_DROPPED).decode("ascii")
    length: i64 = len(heading)
    i: i64 = 0
    while i < length and is_kept(ord(heading[i])):
        i += 1
    text = heading if i == length else _kept(heading, i)
    # `str.lower` looks around itself at one character only, the sigma.
    return text.replace("Σ", "σ").lower().replace(" ", "-")


def _kept(text: str, i: i64) -> str:
    """The kept characters of `text`, of which the first at fault is at `i`."""
    length: i64 = len(text)
    parts = [text[:i]]
    start = i
    while i < length:
        if not is_kept(ord(text[i])):
            if start < i:
                parts.append(text[start:i])
            start = i + 1
        i += 1
    parts.append(text[start:])
    return "".join(parts)


@final
class Anchors:
    """The anchors given out in one document: ask for each heading's in document order."""

    def __init__(self) -> None:
        """Nothing given out yet."""
        self._last: dict[str, int] = {}

    def anchor(self, heading: str) -> str:
        """The anchor of the next heading, given as the text a reader sees.

        A repeated one gets the first of `-1`, `-2`, … that makes it new. The count goes on from the
        last one given to the same name, and every name passed over has been given out, so all
        headings together cost linear time.
        """
        name = slug(heading)
        last = self._last.get(name)
        if last is None:
            self._last[name] = 0
            return name
        unique = name
        while unique in self._last:
            last += 1
            unique = f"{name}-{last}"
        self._last[name] = last
        self._last[unique] = 0
        return unique
