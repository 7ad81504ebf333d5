"""Numbers and bullets of lists and headings of an OpenDocument text."""

from dataclasses import dataclass

from spanwise.formats.docx.numbering import formatted
from spanwise.formats.xml import Element

_FORMATS = {"1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman"}
_FORMATS["I"] = "upperRoman"


@dataclass(slots=True)
class Level:
    """How one level of a list is numbered."""

    format: str = ""
    """`1`, `a`, `A`, `i` or `I`; empty for a bullet or nothing."""
    prefix: str = ""
    suffix: str = ""
    shown: int = 1
    """How many levels are printed."""
    start: int = 1


def levels(style: Element) -> dict[int, Level]:
    """The levels of a list style or of the outline, from 1."""
    found = {}
    for element in style.children:
        at = element.get("text:level")
        if not at.isdecimal():
            continue
        shown = element.get("text:display-levels", "1")
        start = element.get("text:start-value", "1")
        found[int(at)] = Level(
            element.get("style:num-format"),
            element.get("style:num-prefix"),
            element.get("style:num-suffix"),
            int(shown) if shown.isdecimal() else 1,
            int(start) if start.isdecimal() else 1,
        )
    return found


class Counter:
    """Counts the paragraphs of one list, or the headings."""

    def __init__(self, style: dict[int, Level]) -> None:
        """Nothing is counted yet."""
        self._style = style
        self._counts: dict[int, int] = {}

    def label(self, level: int, start: str = "") -> str:
        """What is printed before the next paragraph of a level; empty for a bullet."""
        here = self._style.get(level, Level())
        for deeper in [one for one in self._counts if one > level]:
            del self._counts[deeper]
        if start.isdecimal() and len(start) < 10:
            self._counts[level] = int(start)
        else:
            self._counts[level] = self._counts.get(level, here.start - 1) + 1
        if not here.format:
            return ""
        numbers = []
        for shown in range(max(1, level - here.shown + 1), level + 1):
            one = self._style.get(shown, Level())
            if one.format:
                count = self._counts.get(shown, one.start)
                numbers.append(formatted(count, _FORMATS.get(one.format, "decimal")))
        return here.prefix + ".".join(numbers) + here.suffix
