"""The numbers and bullets that Word prints before paragraphs, counted as Word counts them.

Office Open XML, 17.9: a paragraph names an instance (`num`) of a definition (`abstractNum`); the
instances of one definition count on from each other, unless they say where they start.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

from spanwise.formats.docx.styles import Styles, number
from spanwise.formats.xml import Element

LEVELS: Final = 9


class Label(NamedTuple):
    """What stands before a paragraph."""

    text: str
    """As printed; empty for a bullet."""
    level: int
    is_bullet: bool
    """Without text and without a bullet it only stands where items do."""


@dataclass(slots=True)
class _Level:
    start: int = 1
    format: str = "decimal"
    text: str = ""
    style: str = ""
    is_legal: bool = False
    restart: int = -1
    """The level whose paragraphs let this one start again, from 1; -1 any above, 0 none."""


class Numbering:
    """Counts the paragraphs of a document."""

    def __init__(self, root: Element | None, styles: Styles) -> None:
        """`root` is that of the part with numbering, where there is one."""
        self._definitions: dict[str, dict[int, _Level]] = {}
        self._links: dict[str, str] = {}
        self._instances: dict[str, str] = {}
        self._overrides: dict[str, dict[int, _Level]] = {}
        self._starts: dict[tuple[str, int], int] = {}
        self._counts: dict[str, list[int | None]] = {}
        self._used: set[tuple[str, int]] = set()
        self._styles = styles
        for element in root.children if root is not None else ():
            if element.name == "w:abstractNum":
                key = element.get("w:abstractNumId")
                self._definitions[key] = _levels(element)
                link = element.first("w:numStyleLink")
                if link is not None:
                    self._links[key] = link.get("w:val")
            elif element.name == "w:num":
                self._add(element)

    def _add(self, element: Element) -> None:
        key = element.get("w:numId")
        definition = element.first("w:abstractNumId")
        self._instances[key] = definition.get("w:val") if definition is not None else ""
        for override in element.children:
            if override.name == "w:lvlOverride":
                self._overrides.setdefault(key, {}).update(_levels(override))
                start = override.first("w:startOverride")
                level = override.get("w:ilvl")
                if start is not None and level.isdecimal():
                    self._starts[key, int(level[:2])] = number(start)

    def level_of(self, num_id: str, style_id: str) -> int:
        """The level of an instance that belongs to a style; 0 where none does."""
        for level, one in self._levels(num_id).items():
            if one.style == style_id:
                return level
        return 0

    def style_of(self, num_id: str, level: int) -> str:
        """The style that belongs to a level of an instance; empty where none does."""
        one = self._levels(num_id).get(level)
        return one.style if one else ""

    def is_bullet(self, num_id: str, level: int) -> bool:
        """Whether a level of an instance has bullets."""
        one = self._levels(num_id).get(level)
        return one is not None and one.format == "bullet"

    def sample(self, num_id: str, level: int) -> str:
        """What is printed before a paragraph where all counts are 2; empty for bullets and none."""
        levels = self._levels(num_id)
        here = levels.get(level)
        if here is None or here.format == "bullet":
            return ""
        counts: list[int | None] = [2] * LEVELS
        return self._printed(levels, counts, here)

    def label(self, num_id: str, level: int) -> Label | None:
        """What stands before the next paragraph of this instance; None where nothing does."""
        levels = self._levels(num_id)
        here = levels.get(level)
        if here is None:
            return None
        counts = self._counts.setdefault(self._definition(num_id), [None] * LEVELS)
        before = counts[level]
        start = self._starts.get((num_id, level))
        if start is not None and (num_id, level) not in self._used:
            counts[level] = start
        else:
            counts[level] = here.start if before is None else before + 1
        self._used.add((num_id, level))
        for deeper in range(level + 1, LEVELS):
            one = levels.get(deeper)
            restart = one.restart if one else -1
            if restart < 0 or 0 < level + 1 <= restart:
                counts[deeper] = None
        if here.format == "bullet":
            return Label("", level, bool(here.text.strip()))
        return Label(self._printed(levels, counts, here), level, False)

    def _printed(self, levels: dict[int, _Level], counts: list[int | None], here: _Level) -> str:
        def value(match: "re.Match[str]") -> str:
            level = int(match[1]) - 1
            one = levels.get(level, here)
            count = counts[level]
            style = one.format if not here.is_legal or one.format == "none" else "decimal"
            return formatted(one.start if count is None else count, style)

        return re.sub(r"%([1-9])", value, here.text).strip()

    def _definition(self, num_id: str) -> str:
        key = self._instances.get(num_id, "")
        seen = set()
        while key in self._links and key not in seen:
            seen.add(key)
            linked = self._styles.of(self._links[key]).num_id
            key = self._instances.get(linked or "", key)
        return key

    def _levels(self, num_id: str) -> dict[int, _Level]:
        if num_id == "0":
            return {}
        levels = self._definitions.get(self._definition(num_id), {})
        overrides = self._overrides.get(num_id)
        return levels | overrides if overrides else levels


def _levels(element: Element) -> dict[int, _Level]:
    found = {}
    for child in element.children:
        at = child.get("w:ilvl")
        if child.name != "w:lvl" or not at.isdecimal() or int(at[:2]) >= LEVELS:
            continue
        level = _Level()
        for part in child.children:
            if part.name == "w:start":
                level.start = number(part)
            elif part.name == "w:numFmt":
                level.format = part.get("w:val")
            elif part.name == "w:lvlText":
                level.text = part.get("w:val")
            elif part.name == "w:pStyle":
                level.style = part.get("w:val")
            elif part.name == "w:isLgl":
                level.is_legal = part.get("w:val", "1") not in ("0", "false")
            elif part.name == "w:lvlRestart":
                level.restart = number(part)
            elif part.name.endswith("AlternateContent"):
                formats = [one for one in part.walk() if one.name == "w:numFmt"]
                if formats:
                    level.format = formats[-1].get("w:val")
        found[int(at)] = level
    return found


def formatted(value: int, style: str) -> str:
    """A number as a format of Word writes it; in digits where the format is not known here."""
    written = _FORMATS.get(style)
    return written(value) if written else str(value)


def _letters(value: int) -> str:
    """a, b ... z, aa, bb ... (as Word does, not as spreadsheets do)."""
    if value < 1:
        return str(value)
    return chr(ord("a") + (value - 1) % 26) * min(30, (value - 1) // 26 + 1)


def _roman(value: int) -> str:
    if not 0 < value < 4000:
        return str(value)
    parts = []
    for size, letters in _ROMAN:
        times, value = divmod(value, size)
        parts.append(letters * times)
    return "".join(parts)


def _ordinal(value: int) -> str:
    last = value % 10 if value % 100 not in (11, 12, 13) else 0
    return f"{value}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(last, 'th') }"


_ROMAN: Final = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"),
    (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_FORMATS: Final[dict[str, Callable[[int], str]]] = {
    "lowerLetter": _letters,
    "upperLetter": lambda value: _letters(value).upper(),
    "lowerRoman": _roman,
    "upperRoman": lambda value: _roman(value).upper(),
    "ordinal": _ordinal,
    "decimalZero": lambda value: f"{value:02d}",
    "none": lambda value: "",
}
