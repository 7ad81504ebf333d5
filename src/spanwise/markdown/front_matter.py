"""Front matter: the block of YAML or TOML that many tools put at the very top of a file.

CommonMark knows nothing of it, so only the commands and functions that work on files look for it.
"""

from typing import Final

from mypy_extensions import i64

from spanwise.kernel.lines import after_ending

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
    size: i64 = len(text)
    start: i64 = 0
    lf: i64 = -1
    number: i64 = 0
    while start < size:
        if lf < start:
            lf = text.find("\n", start)
            if lf < 0:
                lf = size
        cr: i64 = text.find("\r", start, lf)
        end = cr if cr >= 0 else lf
        after = after_ending(text, end, size)
        if number == 0 and text[3:end].strip(BLANKS):
            return 0
        if number > 0 and _closes(text, start, end, yaml):
            return after
        if number == 1 and not text[start:end].strip(BLANKS):
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
