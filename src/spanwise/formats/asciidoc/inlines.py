"""Inline markup of AsciiDoc: text without its marks, code, links, notes and attributes."""

import re
from collections.abc import Callable
from typing import Final

from spanwise.formats.lines import SOURCE, runs_of
from spanwise.formats.writer import Run, code_span, link

Span = tuple[int, int]

# What is quoted by one mark stands between what is no word; two marks may stand anywhere.
_MARKUP: Final = re.compile(
    r"(?P<escaped>\\(?=[*_`#^~+<{\[:|]|https?:))"
    r"|(?P<hidden>\(\(\([^()\n]{0,500}\)\)\)|\[\[[^\]\n]{1,200}\]\]|(?:image|anchor|icon):[^\s:\[]{0,500}"
    r"\[[^\]\n]{0,500}\])"
    r"|footnote:(?P<note_id>[\w-]{0,99})\[(?P<note>[^\]]{0,2000})\]"
    r"|(?:pass|stem|latexmath|asciimath|kbd|btn):[a-z,]{0,20}\[(?P<plain>[^\]]{0,2000})\]"
    r"|(?P<address>(?:https?|ftp|mailto|link|irc)(?:://|:(?=[^\s\[]))[^\s\[\]<>]{1,1500})"
    r"\[(?P<link>[^\]]{0,1000})\]"
    r"|(?:xref|menu):(?P<target>[^\s\[]{1,300})\[(?P<reference>[^\]]{0,500})\]"
    r"|<<(?P<cross>[^<>,\n]{1,300})(?:,(?P<cross_text>[^<>]{1,300}))?>>"
    r"|\(\((?P<index>[^()\n]{1,200})\)\)"
    r"|\{(?P<attribute>[\w-]{1,99})\}"
    r"|(?:\[[^\]\n]{1,99}\])?(?:"
    r"``(?P<code2>[^`\n](?:[^`]|`(?!`)){0,1000})``"
    r"|(?<![\w`\"'])`(?P<code>[^\s`](?:[^`\n]|\n(?!\n)){0,1000})`(?!(?!footnote:)[\w`])"
    r"|\*\*(?P<strong2>[^*\n](?:[^*]|\*(?!\*)){0,1000})\*\*"
    r"|__(?P<emphasis2>[^_\n](?:[^_]|_(?!_)){0,1000})__"
    r"|##(?P<marked2>[^#\n](?:[^#]|#(?!#)){0,1000})##"
    r"|(?<![\w*])\*(?P<strong>[^\s*](?:[^*]{0,1000}[^\s*])?)\*(?!(?!footnote:)[\w*])"
    r"|(?<![\w_])_(?P<emphasis>[^\s_](?:[^_]{0,1000}[^\s_])?)_(?!(?!footnote:)[\w_])"
    r"|(?<![\w#])#(?P<marked>[^\s#](?:[^#]{0,1000}[^\s#])?)#(?![\w#])"
    r"|\+\+(?P<pass2>[^+\n]{1,500})\+\+"
    r"|(?<![\w+])\+(?P<pass>[^\s+](?:[^+\n]{0,500}[^\s+])?)\+(?![\w+])"
    r"|\^(?P<raised>[^\s^]{1,200})\^"
    r"|~(?P<lowered>[^\s~]{1,200})~"
    r")"
    r"|(?P<break>[ \t]\+)(?=[ \t]*(?:[\r\n]|\Z))"
)
_NESTED: Final = ("strong2", "emphasis2", "marked2", "strong", "emphasis", "marked")
_NESTED_MORE: Final = (*_NESTED, "raised", "lowered", "index", "cross_text", "reference")
_SIGNS: Final = {
    "nbsp": "\u00a0", "zwsp": "\u200b", "wj": "\u2060", "apos": "'", "quot": '"', "lsquo": "‘",
    "rsquo": "’", "ldquo": "“", "rdquo": "”", "deg": "°", "plus": "+", "brvbar": "¦", "vbar": "|",
    "amp": "&", "lt": "<", "gt": ">", "startsb": "[", "endsb": "]", "caret": "^", "asterisk": "*",
    "tilde": "~", "backslash": "\\", "backtick": "`", "two-colons": "::", "two-semicolons": ";;",
    "cpp": "C++", "pp": "++", "empty": "", "blank": "", "sp": " ",
}  # fmt: skip
_MAX_DEPTH: Final = 8


class Inlines:
    """Reads inline markup of one source."""

    def __init__(self, source: str) -> None:
        """No attribute is defined yet."""
        self._source = source
        self.attributes: dict[str, Span] = {}
        """For each name the span of its value."""
        self.note: Callable[[Span], str] = lambda span: ""
        """What stands in the text for a note, given the span of its text."""

    def runs(self, start: int, end: int, *, plain: bool = False, depth: int = 0) -> list[Run]:
        """The runs of a span; `plain` without marks of our own."""
        source = self._source
        runs: list[Run] = []
        at = start
        for match in _MARKUP.finditer(source, start, end):
            if match.start() < at:
                continue
            runs.extend(runs_of(source, at, match.start()))
            at = match.end()
            if match["escaped"] is not None:
                # The sign after the backslash is text.
                runs.append(Run(source[at], SOURCE, at))
                at += 1
                continue
            runs.extend(self._meant(match, plain, depth))
        runs.extend(runs_of(source, at, end))
        return runs

    def _meant(self, match: "re.Match[str]", plain: bool, depth: int) -> list[Run]:
        source = self._source
        for group in ("code2", "code"):
            if match[group] is not None:
                start, end = match.span(group)
                if source[start] == source[end - 1] == "+" and end - start > 2:
                    start, end = start + 1, end - 1
                inside = runs_of(source, start, end)
                return inside if plain else code_span(inside)
        for group in ("plain", "pass2", "pass"):
            if match[group] is not None:
                return runs_of(source, *match.span(group))
        for group in _NESTED_MORE:
            if match[group]:
                if depth >= _MAX_DEPTH:
                    return runs_of(source, *match.span(group))
                return self.runs(*match.span(group), plain=plain, depth=depth + 1)
        if match["address"] is not None:
            return self._link(match, plain, depth)
        if match["note"] is not None:
            return [Run(self.note(match.span("note")))] if match["note"] else []
        if match["attribute"] is not None:
            return self._attribute(match)
        for group in ("cross", "target"):
            if match[group] is not None:
                start, end = match.span(group)
                return runs_of(source, start + (source[start] == "#"), end)
        return []  # what is hidden, or a line break

    def _link(self, match: "re.Match[str]", plain: bool, depth: int) -> list[Run]:
        source = self._source
        address = match["address"].removeprefix("link:")
        start, end = match.span("link")
        # Options come after a comma; a caret at the end opens another window.
        cut = re.search(r",\s*\w+=|\^?\s*\Z", source[start:end])
        assert cut is not None
        end = start + cut.start()
        if not source[start:end].strip():
            start, end = match.span("address")
            start += len(match["address"]) - len(address)
            return runs_of(source, start, end)
        inside = self.runs(start, end, plain=True, depth=depth + 1)
        return inside if plain else link(inside, address)

    def _attribute(self, match: "re.Match[str]") -> list[Run]:
        name = match["attribute"].lower()
        if name in self.attributes:
            return runs_of(self._source, *self.attributes[name])
        if name in _SIGNS:
            return [Run(_SIGNS[name])]
        return runs_of(self._source, *match.span())
