"""Which lines of reStructuredText begin what."""

import re
from collections.abc import Sequence
from typing import Final

from spanwise.formats.lines import Line
from spanwise.formats.rst.inlines import Names

ADORNMENT: Final = re.compile(r"([!-/:-@\[-`{-~])\1*")
BULLET: Final = re.compile(r"([-*+•‣⁃])(?:[ \t]+|$)")
ENUMERATOR: Final = re.compile(
    r"(\(?)([0-9]{1,9}|[A-Za-z]|[ivxlcdm]{1,9}|[IVXLCDM]{1,9}|#)([.)])(?:[ \t]+|$)"
)
FIELD: Final = re.compile(r":((?:\\.|[^\\:]|:(?! |$))+):(?:[ \t]+|$)")
OPTION_VALUE: Final = r"(?:<[^>]*>|[A-Za-z][\w-]*)"
ONE_OPTION: Final = rf"(?:-\w(?: ?{OPTION_VALUE})?|(?:--|/)[\w-]+(?:[ =]{OPTION_VALUE})?)"
OPTION: Final = re.compile(rf"({ONE_OPTION}(?:, {ONE_OPTION})*)(?:[ ]{{2,}}|$)")
EXPLICIT: Final = re.compile(r"\.\.(?:[ \t]+|$)")
DIRECTIVE: Final = re.compile(r"([A-Za-z0-9]+(?:[-_+:.][A-Za-z0-9]+)*)[ ]?::(?:[ \t]+|$)")
SUBSTITUTION: Final = re.compile(r"\|([^|]+)\|[ \t]+([\w-]+)::[ \t]*")
TARGET: Final = re.compile(r"_(?:`([^`]+)`|((?:\\.|[^\\:])+)):(?:[ \t]+|$)")
NOTE: Final = re.compile(r"(\[(?:[0-9]+|#[\w.-]*|\*|[\w.-]+)\])(?:[ \t]+|$)")
LINE_BLOCK: Final = re.compile(r"\|(?:[ \t]+|$)")


def define(names: Names, source: str, lines: Sequence[Line]) -> None:
    """Note the targets and substitutions that a document defines."""
    for line in lines:
        if not line.text.startswith(".. "):
            continue
        at = line.text_start + 3
        at += len(source[at : line.text_end]) - len(source[at : line.text_end].lstrip())
        target = TARGET.match(source, at, line.text_end)
        if target:
            name = " ".join((target[1] or target[2]).split()).casefold()
            names.links[name] = source[target.end() : line.text_end].strip()
        substitution = SUBSTITUTION.match(source, at, line.text_end)
        if substitution and substitution[2] == "replace":
            span = substitution.end(), line.text_end
            names.substitutions[substitution[1].casefold()] = span
