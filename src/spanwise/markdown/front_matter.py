"""Front matter: the block of YAML or TOML that many tools put at the very top of a file.

CommonMark knows nothing of it, so only the commands and functions that work on files look for it.
"""

from typing import Final

from mypy_extensions import i64

from spanwise.kernel.lines import LineEnds, after_ending

BLANKS: Final = " \t"


def front_matter_end(text: str) -> int:
    """Start of the line after the front matter, or 0 when there is none.

    The first line is `---` (YAML, closed by `---` or `...`) or `+++` (TOML, closed by `+++`);
    blanks may follow it. Without a closing line there is no front matter. Nor is there when the
    line after the opening one is blank: then `---` is a thematic break, as for Pandoc.
    """
    yaml = text.startswith("---")
    if not yaml and not text.startswith("+++"):
        return 0
    ends = LineEnds(text)
    first: i64 = ends.at(0)
    if text[3:first].strip(BLANKS):
        return 0
    start = after_ending(text, first, ends.size)
    number: i64 = 0
    while start < ends.size:
        end = ends.at(start)
        after = after_ending(text, end, ends.size)
        if _closes(text, start, end, yaml):
            return after
        if number == 0 and not text[start:end].strip(BLANKS):
            return 0
        start = after
        number += 1
    return 0


def _closes(text: str, start: i64, end: i64, yaml: bool) -> bool:
    """Whether the line `[start, end)` closes front matter."""
    if yaml:
        closing = text.startswith("---", start) or text.startswith("...", start)
    else:
        closing = text.startswith("+++", start)
    return closing and not text[start + 3 : end].strip(BLANKS)
