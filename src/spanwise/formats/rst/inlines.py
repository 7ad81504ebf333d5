"""Inline markup of reStructuredText: text without its marks, code and links.

docutils' specification, "Inline Markup": a start mark stands after white space or punctuation and
before text, an end mark after text and before white space or punctuation.
"""

import re
from typing import Final

from spanwise.formats.lines import SOURCE, runs_of
from spanwise.formats.writer import Run, code_span, link

_BEFORE: Final = r"(?<![^\s'\"(\[{<\-/:‘“’«¡¿–—])"
_AFTER: Final = r"(?![^\s'\")\]}>\-/:.,;!?\\’”»–—])"
_MARKUP: Final = re.compile(
    rf"(?P<escape>\\(?:\s|.))"
    rf"|{_BEFORE}(?:"
    rf"``(?P<literal>(?=\S)[^\0]{{0,2000}}?\S)``{_AFTER}"
    rf"|(?::(?P<role>[\w.+:-]+):)?_?`(?P<quoted>(?=[^\s`])(?:\\.|[^`\\])+?)`"
    rf"(?::(?P<role_after>[\w.+:-]+):|(?P<reference>__?))?{_AFTER}"
    rf"|\*\*(?P<strong>(?=[^\s*])(?:\\.|[^\\*]|\*(?!\*))*?\S)\*\*{_AFTER}"
    rf"|\*(?P<emphasis>(?=[^\s*])(?:\\.|[^\\*])*?)(?<!\s)\*{_AFTER}"
    rf"|\|(?P<substitution>(?=[^\s|])[^|\n]*?)(?<!\s)\|(?:__?)?{_AFTER}"
    rf"|(?P<note>\[(?:[0-9]+|\#[\w.-]*|\*|[\w.-]+)\])_{_AFTER}"
    rf"|(?P<word>[A-Za-z0-9]+(?:[-._+:][A-Za-z0-9]+){{0,20}})__?{_AFTER}"
    r")"
)
_TARGET: Final = re.compile(r"\s*<([^<>]+)>\s*\Z")
_PLAIN_ROLES: Final = frozenset(
    "ref doc any term numref abbr guilabel menuselection dfn emphasis strong sub sup subscript "
    "superscript title title-reference t eq math rfc pep token keyword download".split()
)


class Names:
    """What the explicit markup of a document defines."""

    def __init__(self, source: str) -> None:
        """Nothing is defined yet."""
        self.source = source
        self.links: dict[str, str] = {}
        self.substitutions: dict[str, tuple[int, int]] = {}
        """For each name the span of its text."""
        self._notes: dict[str, int] = {}

    def note(self, name: str) -> str:
        """The number of a note that is counted by itself, as `[#]` or `[#name]`."""
        key = name if name != "[#]" else f"[#]{len(self._notes)}"
        return f"[{self._notes.setdefault(key, len(self._notes) + 1)}]"


def inline(names: Names, start: int, end: int, *, plain: bool = False) -> list[Run]:
    """The runs of a span of the source; `plain` without marks of our own."""
    source = names.source
    runs: list[Run] = []
    at = start
    for match in _MARKUP.finditer(source, start, end):
        if match.start() < at:
            continue
        runs.extend(runs_of(source, at, match.start()))
        runs.extend(_meant(names, match, plain))
        at = match.end()
    runs.extend(runs_of(source, at, end))
    return runs


def _meant(names: Names, match: "re.Match[str]", plain: bool) -> list[Run]:
    """What one piece of markup stands for."""
    source = names.source
    kind = match.lastgroup
    if match["escape"] is not None:
        escaped = match["escape"][1]
        return [] if escaped.isspace() else [Run(escaped, SOURCE, match.start() + 1)]
    if match["literal"] is not None:
        runs = runs_of(source, *match.span("literal"))
        return runs if plain else code_span(runs)
    if match["quoted"] is not None:
        return _interpreted(names, match, plain)
    for group in ("strong", "emphasis"):
        if match[group] is not None:
            return _unescaped(source, *match.span(group))
    if match["substitution"] is not None:
        span = names.substitutions.get(match["substitution"].casefold())
        return runs_of(source, *(span or match.span("substitution")))
    if match["note"] is not None:
        if match["note"].startswith("[#"):
            return [Run(names.note(match["note"]))]
        return [Run(match["note"], SOURCE, match.start("note"))]
    assert kind == "word"
    runs = runs_of(source, *match.span("word"))
    return runs if plain else link(runs, names.links.get(match["word"].casefold(), ""))


def _interpreted(names: Names, match: "re.Match[str]", plain: bool) -> list[Run]:
    """Text in backquotes: a link, or what a role makes of it."""
    source = names.source
    start, end = match.span("quoted")
    role = match["role"] or match["role_after"]
    target = _TARGET.search(match["quoted"])
    address = ""
    if target is not None and target.start() > 0:
        address = target[1]
        end = start + target.start()
    elif target is not None:
        address = target[1]
        start, end = start + target.start(1), start + target.end(1)
    elif role is not None and source[start] in "!~":
        start += 1
    runs = _unescaped(source, start, end)
    if plain:
        return runs
    if role is None:
        if not address:
            address = names.links.get(" ".join(match["quoted"].split()).casefold(), "")
        return link(runs, address) if match["reference"] else runs
    if role.rpartition(":")[2] in _PLAIN_ROLES or target is not None:
        return runs
    return code_span(runs)


def _unescaped(source: str, start: int, end: int) -> list[Run]:
    runs: list[Run] = []
    at = start
    for match in re.finditer(r"\\(?:\s|(?=.))", source[start:end]):
        runs.extend(runs_of(source, at, start + match.start()))
        at = start + match.end()
    return runs + runs_of(source, at, end)
