"""Which lines of AsciiDoc begin what."""

import re
from typing import Final

SECTION: Final = re.compile(r"(={1,6}|#{1,6})[ \t]+(?=\S)")
ATTRIBUTE: Final = re.compile(r":(!?[\w][\w-]*!?):(?:[ \t]+|$)")
BLOCK_ATTRIBUTES: Final = re.compile(r"\[(?:\[[^\]]*\]|[^\[\]]*(?:\[[^\]]*\][^\[\]]*)*)\]")
DELIMITER: Final = re.compile(
    r"(-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|/{4,}|--|[|,:!]={3,}|```)([\w+#.-]*)"
)
COMMENT: Final = re.compile(r"//(?!/)|///$")
MACRO: Final = re.compile(r"(?:image|video|audio|toc|include|ifdef|ifndef|ifeval|endif)::")
BULLET: Final = re.compile(r"(\*{1,6}|-)[ \t]+(?:\[([ xX*])\][ \t]+)?(?=\S)")
NUMBER: Final = re.compile(r"(\.{1,6}|[0-9]{1,9}\.|[A-Za-z]\.|[ivxIVX]+\))[ \t]+(?=\S)")
CALLOUT: Final = re.compile(r"<(\d{1,3}|\.)>[ \t]+(?=\S)")
TERM: Final = re.compile(r"(?!//)(\S.*?)(:{2,4}|;;)(?:[ \t]+|$)")
ADMONITION: Final = re.compile(r"(NOTE|TIP|IMPORTANT|WARNING|CAUTION):[ \t]+")
UNDERLINES: Final = "=-~^+"
VERBATIM: Final = ("-", ".", "`")
NAMES: Final = frozenset(("NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"))


def opened_by(text: str) -> "re.Match[str] | None":
    """The delimiter that a line is, with the language after it, if it is one."""
    delimiter = DELIMITER.fullmatch(text)
    if delimiter and delimiter[2] and delimiter[1] != "```":
        return None
    return delimiter


def is_item(text: str) -> bool:
    """Whether a line begins an item of a list, or a description."""
    return any(one.match(text) for one in (BULLET, NUMBER, CALLOUT, TERM))


def interrupts(text: str) -> bool:
    """Whether a line ends the paragraph before it, wherever that is."""
    if text == "+" or any(one.match(text) for one in (COMMENT, MACRO)):
        return True
    return bool(BLOCK_ATTRIBUTES.fullmatch(text) or opened_by(text))


def underlined(text: str, under: str) -> int:
    """The level of a title with a line under it, 0 where it is none."""
    if len(under) < 3 or under.strip(under[0]) or under[0] not in UNDERLINES:
        return 0
    if abs(len(text) - len(under)) > 1 or not any(char.isalnum() for char in text):
        return 0
    return UNDERLINES.index(under[0]) + 1


def style_of(attributes: str) -> str:
    """The style that attributes name: what stands first, without options, roles and ids."""
    return re.split(r"[,%.#]", attributes, maxsplit=1)[0].strip()


def language_of(attributes: str) -> str:
    """The language of a block of code, by what stands above it."""
    parts = [part.strip() for part in attributes.split(",")]
    if len(parts) > 1 and parts[0].split("%")[0].split("#")[0] in ("source", "", "listing"):
        return parts[1] if re.fullmatch(r"[\w+#.-]+", parts[1]) else ""
    return ""
