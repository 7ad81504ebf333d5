"""Leaf blocks that show on one line: thematic breaks, headings, the edges of fences.

Everywhere `start` is past the line's indentation and `end` is before its line ending.
"""

from mypy_extensions import i64

from spanwise.kernel.chars import BACKTICK, EQUALS, HASH, HYPHEN, SPACE, TAB, is_blank


def skip_blanks(text: str, start: i64, end: i64) -> i64:
    """First position from `start` on that is not a space or tab, or `end`."""
    i = start
    while i < end:
        code: i64 = ord(text[i])
        if code != SPACE and code != TAB:
            break
        i += 1
    return i


def skip_run(text: str, start: i64, end: i64, code: i64) -> i64:
    """First position from `start` on that does not hold `code`, or `end`."""
    i = start
    while i < end and ord(text[i]) == code:
        i += 1
    return i


def trim_blanks(text: str, start: i64, end: i64) -> i64:
    """End of `[start, end)` without the spaces and tabs it ends with."""
    i = end
    while i > start:
        code: i64 = ord(text[i - 1])
        if code != SPACE and code != TAB:
            break
        i -= 1
    return i


def thematic_break_fault(text: str, start: i64, end: i64) -> i64:
    """-1 when the line is a thematic break, else where it stops being one (4.1).

    The character at `start` is `*`, `-` or `_`. No thematic break starts between `start` and the
    position given back either, so that a line is not looked through again for each of its markers.
    """
    mark: i64 = ord(text[start])
    marks: i64 = 0
    i = start
    while i < end:
        code: i64 = ord(text[i])
        if code == mark:
            marks += 1
        elif code != SPACE and code != TAB:
            return i
        i += 1
    return -1 if marks >= 3 else end


def atx_level(text: str, start: i64, end: i64) -> i64:
    """Level 1 to 6 of the ATX heading that opens at `start`, or 0 when there is none (4.2)."""
    i = skip_run(text, start, end, HASH)
    level = i - start
    if level > 6:
        return 0
    return level if i == end or is_blank(ord(text[i])) else 0


def atx_text_end(text: str, start: i64, end: i64) -> i64:
    """End of an ATX heading's raw content that begins at `start`: no closing sequence (4.2)."""
    if end > start and ord(text[end - 1]) > HASH:
        return end  # neither a blank nor a closing sequence
    last = trim_blanks(text, start, end)
    i = last
    while i > start and ord(text[i - 1]) == HASH:
        i -= 1
    if i == last:
        return last
    if i == start:
        return start
    return trim_blanks(text, start, i) if is_blank(ord(text[i - 1])) else last


def setext_level(text: str, start: i64, end: i64) -> i64:
    """Level of the setext heading that this line underlines: 1 for `=`, 2 for `-`, else 0 (4.3)."""
    mark: i64 = ord(text[start])
    if mark != EQUALS and mark != HYPHEN:
        return 0
    if skip_blanks(text, skip_run(text, start, end, mark), end) != end:
        return 0
    return 1 if mark == EQUALS else 2


def fence_length(text: str, start: i64, end: i64) -> i64:
    """Length of the opening fence at `start`, or 0 when it opens none (4.5)."""
    mark: i64 = ord(text[start])
    i = skip_run(text, start, end, mark)
    if i - start < 3:
        return 0
    if mark == BACKTICK and text.find("`", i, end) >= 0:
        return 0
    return i - start


def closes_fence(text: str, start: i64, end: i64, mark: i64, length: i64) -> bool:
    """Whether the line closes a fence of `length` times `mark` (4.5)."""
    i = skip_run(text, start, end, mark)
    return i - start >= length and skip_blanks(text, i, end) == end
