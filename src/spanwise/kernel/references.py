"""Link reference definitions at the start of a paragraph (CommonMark 0.31.2, 4.7).

The paragraph comes as one string: its lines without leading blanks, joined by LF.
"""

from typing import Final

from mypy_extensions import i64

from spanwise.kernel.chars import (
    APOSTROPHE,
    BACKSLASH,
    COLON,
    DELETE,
    GREATER,
    LEFT_BRACKET,
    LEFT_PAREN,
    LESS,
    LF,
    QUOTATION,
    RIGHT_BRACKET,
    RIGHT_PAREN,
    SPACE,
    is_blank,
)
from spanwise.kernel.leaves import skip_blanks

_MAX_LABEL: Final = 999
"""A label has at most that many code points between its brackets."""


def definitions_end(paragraph: str) -> i64:
    """End of the definitions that `paragraph` starts with: a line start, its length, or 0."""
    size: i64 = len(paragraph)
    end: i64 = 0
    while end < size and ord(paragraph[end]) == LEFT_BRACKET:
        after = _definition_end(paragraph, end, size)
        if after < 0:
            break
        end = after
    return end


def definition_labels(paragraph: str) -> list[str]:
    """The raw labels of the definitions that `paragraph` starts with."""
    size: i64 = len(paragraph)
    end: i64 = 0
    labels = []
    while end < size and ord(paragraph[end]) == LEFT_BRACKET:
        after = _definition_end(paragraph, end, size)
        if after < 0:
            break
        labels.append(paragraph[end + 1 : _label_end(paragraph, end, size) - 1])
        end = after
    return labels


def _definition_end(text: str, start: i64, size: i64) -> i64:
    """Start of the line after the definition at `start`, or -1 when there is none."""
    label_end = _label_end(text, start, size)
    if label_end < 0 or label_end == size or ord(text[label_end]) != COLON:
        return -1
    destination = _skip_white_space(text, label_end + 1, size)
    if destination == size:
        return -1
    destination_end = _destination_end(text, destination, size)
    if destination_end < 0:
        return -1
    line_end = skip_blanks(text, destination_end, size)
    without_title: i64 = -1
    if line_end == size or ord(text[line_end]) == LF:
        without_title = min(line_end + 1, size)
    title = _skip_white_space(text, destination_end, size)
    if title == destination_end or title == size:
        return without_title
    title_end = _title_end(text, title, size)
    if title_end < 0:
        return without_title
    line_end = skip_blanks(text, title_end, size)
    if line_end == size or ord(text[line_end]) == LF:
        return min(line_end + 1, size)
    return without_title


def _skip_white_space(text: str, start: i64, size: i64) -> i64:
    """Past spaces and tabs with at most one line ending among them."""
    i = skip_blanks(text, start, size)
    if i < size and ord(text[i]) == LF:
        i = skip_blanks(text, i + 1, size)
    return i


def _escapes(text: str, i: i64, size: i64) -> bool:
    """Whether a backslash stands at `i` before ASCII punctuation, which it escapes (2.4)."""
    if ord(text[i]) != BACKSLASH or i + 1 >= size:
        return False
    code: i64 = ord(text[i + 1])
    return (
        (0x21 <= code <= 0x2F)
        or (0x3A <= code <= 0x40)
        or (0x5B <= code <= 0x60)
        or (0x7B <= code <= 0x7E)
    )


def _label_end(text: str, start: i64, size: i64) -> i64:
    """Past the `]` of the label that opens at `start`, or -1 when it is not a label (6.3)."""
    blank = True
    last = min(size, start + _MAX_LABEL + 2)
    i = start + 1
    while i < last:
        code: i64 = ord(text[i])
        if code == RIGHT_BRACKET:
            return -1 if blank else i + 1
        if code == LEFT_BRACKET:
            return -1
        if not is_blank(code) and code != LF:
            blank = False
        i += 2 if _escapes(text, i, size) else 1
    return -1


def _destination_end(text: str, start: i64, size: i64) -> i64:
    """End of the link destination at `start`, or -1 when there is none (6.3)."""
    if ord(text[start]) == LESS:
        return _bracketed_end(text, start, size)
    depth: i64 = 0
    i = start
    while i < size:
        code: i64 = ord(text[i])
        # U+0000 stands for U+FFFD (2.3), which is not a control character.
        if code == SPACE or code == DELETE or 0 < code < SPACE:
            break
        if code == LEFT_PAREN:
            depth += 1
        elif code == RIGHT_PAREN:
            if depth == 0:
                break
            depth -= 1
        i += 2 if _escapes(text, i, size) else 1
    return i if i > start and depth == 0 else -1


def _bracketed_end(text: str, start: i64, size: i64) -> i64:
    i = start + 1
    while i < size:
        code: i64 = ord(text[i])
        if code == GREATER:
            return i + 1
        if code == LESS or code == LF:
            return -1
        i += 2 if _escapes(text, i, size) else 1
    return -1


def _title_end(text: str, start: i64, size: i64) -> i64:
    """Past the closing delimiter of the link title at `start`, or -1 (6.3)."""
    closer: i64 = ord(text[start])
    if closer == LEFT_PAREN:
        closer = RIGHT_PAREN
    elif closer != QUOTATION and closer != APOSTROPHE:
        return -1
    i = start + 1
    while i < size:
        code: i64 = ord(text[i])
        if code == closer:
            return i + 1
        if code == LEFT_PAREN and closer == RIGHT_PAREN:
            return -1
        i += 2 if _escapes(text, i, size) else 1
    return -1
