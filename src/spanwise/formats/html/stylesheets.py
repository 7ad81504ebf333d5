"""What the style sheets of a page hide, as far as their rules are simple.

A rule counts when its selector names one element by its tag, classes and id (`p.note`, `#menu`);
those with relations, states or attributes do not, nor does what stands in a rule such as `@media`.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from spanwise.formats.html.nodes import Element

_COMMENT: Final = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_BRACE: Final = re.compile(r"[{}]")
_SELECTOR: Final = re.compile(r"([A-Za-z][\w-]*|\*?)((?:[.#][A-Za-z_-][\w-]*)*)")
_PART: Final = re.compile(r"([.#])([\w-]+)")
_DECLARED: Final = re.compile(
    r"(?:^|;)\s*(display|visibility)\s*:\s*([a-z-]+)\s*(!\s*important)?", re.IGNORECASE
)
_HIDING: Final = frozenset(("none", "hidden", "collapse"))
_WHOLE: Final = frozenset(("html", "body", "main", "article"))
"""Pages hide these until a script has run."""


class _Rule(NamedTuple):
    tag: str
    parts: frozenset[str]
    """Classes with a full stop, ids with a number sign."""
    property: str
    hides: bool
    rank: tuple[bool, int, int, int, int]
    """By which of two rules that disagree the greater one counts."""


class Sheets:
    """The rules of all style sheets of a page that show or hide."""

    def __init__(self, sheets: Iterable[str]) -> None:
        """The texts of the sheets, in their order."""
        self._rules: dict[str, list[_Rule]] = {}
        """By a class, an id or else the tag that an element has to have."""
        count = 0
        for sheet in sheets:
            for selector, body in _blocks(_COMMENT.sub(" ", sheet)):
                for name, value, important in _DECLARED.findall(body):
                    count += 1
                    for one in selector.split(","):
                        self._add(one.strip(), name.lower(), value.lower(), bool(important), count)

    def _add(self, selector: str, name: str, value: str, important: bool, count: int) -> None:
        found = _SELECTOR.fullmatch(selector)
        if found is None or not selector:
            return
        tag = found[1].lower().strip("*")
        parts = frozenset("".join(part) for part in _PART.findall(found[2]))
        if tag in _WHOLE or not (tag or parts):
            return
        ids = sum(part[0] == "#" for part in parts)
        rank = (important, ids, len(parts) - ids, int(bool(tag)), count)
        rule = _Rule(tag, parts, name, value in _HIDING, rank)
        self._rules.setdefault(min(parts, default=tag), []).append(rule)

    def hide(self, element: Element) -> bool:
        """Whether an element is hidden by them."""
        if not self._rules:
            return False
        attrs = element.attrs
        own = {f".{name}" for name in attrs.get("class", "").split()}
        if "id" in attrs:
            own.add(f"#{attrs['id']}")
        best: dict[str, _Rule] = {}
        for key in (element.name, *own):
            for rule in self._rules.get(key, ()):
                if rule.tag not in ("", element.name) or not rule.parts <= own:
                    continue
                if rule.property not in best or rule.rank > best[rule.property].rank:
                    best[rule.property] = rule
        return any(rule.hides for rule in best.values())


def _blocks(sheet: str) -> Iterator[tuple[str, str]]:
    """Selector and body of each rule that stands in no other."""
    depth = start = opened = 0
    for brace in _BRACE.finditer(sheet):
        if brace.group() == "{":
            if depth == 0:
                opened = brace.start()
            depth += 1
        elif depth > 0:
            depth -= 1
            if depth == 0:
                selector = sheet[start:opened].rpartition(";")[2].strip()
                if not selector.startswith("@"):
                    yield selector, sheet[opened + 1 : brace.start()]
                start = brace.end()
