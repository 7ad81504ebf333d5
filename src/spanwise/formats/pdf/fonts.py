"""What a font says of how its text looks, and how text is set with it."""

import re
from functools import lru_cache
from typing import Final, NamedTuple

from spanwise.formats.pdf.page import Font

_BOLD: Final = re.compile(
    r"bold|black|heavy|demi|-bd|[a-z]Bd(?:[-,]|$)|cmb|cmssb|cmssdc|sf(?:b[xil]|sx|rb|xc)\d|ec(?:b[xil]|sx|rb|xc)\d|"
    r"-medi(?:ital|obli)?$|\.b$|lin(?:libertine|biolinum)[a-z]?[bz]i?$",
    re.IGNORECASE,
)
_ITALIC: Final = re.compile(
    r"ital|obli|slant|-it$|cmti|sf[ts]i\d|ec[ts]i\d|sfbi|ecbi|cmbxti|cmsl|sfs[lo]\d", re.IGNORECASE
)
_MONO: Final = re.compile(
    r"cour|mono|monaco|nimbusmon|cmtt|sftt|ectt|typewriter|consol|menlo|cursor|[tl]tt\d{0,2}$|xb?tt\d{0,2}$",
    re.IGNORECASE,
)


class Style(NamedTuple):
    """How text is set, as far as it tells headings from paragraphs."""

    font: str
    size: float
    bold: bool
    italic: bool
    mono: bool
    colour: int


@lru_cache(maxsize=256)  # the same ones are on page after page
def is_bold(font: Font) -> bool:
    """Whether a font calls itself bold."""
    return (
        _BOLD.search(font.name) is not None
        or font.flags & 1 << 18 != 0
        or (
            # Other weights are guessed from how wide stems are, and may be of any font.
            font.weight in (700, 800, 900)
        )
    )


@lru_cache(maxsize=256)
def is_italic(font: Font) -> bool:
    """Whether a font calls itself italic or slanted."""
    return _ITALIC.search(font.name) is not None or font.flags & 64 != 0


@lru_cache(maxsize=256)
def is_mono(font: Font) -> bool:
    """Whether a font calls itself one whose letters are equally wide."""
    return _MONO.search(font.name) is not None or font.flags & 1 != 0
