"""Paragraphs of plain text: runs of lines that are not blank (CommonMark 0.31.2, 2.1)."""

from mypy_extensions import i64

from spanwise.kernel.chars import CR, LF, is_blank


def paragraph_spans(text: str) -> list[int]:
    """Start, end, first line and last line of each paragraph, four integers apiece.

    A paragraph starts where its first line does and ends before its last line's ending.
    """
    found: list[int] = []
    length: i64 = len(text)
    start: i64 = -1
    end: i64 = 0
    first_line: i64 = 0
    line: i64 = 0
    feed: i64 = -1
    carriage_return: i64 = -1
    i: i64 = 0
    while i < length:
        line += 1
        if feed < i:
            feed = _find(text, "\n", i, length)
        if carriage_return < i:
            carriage_return = _find(text, "\r", i, length)
        line_end = feed if feed < carriage_return else carriage_return
        content = i
        while content < line_end and is_blank(ord(text[content])):
            content += 1
        if content < line_end:
            if start < 0:
                start = i
                first_line = line
            end = line_end
        elif start >= 0:
            _add(found, start, end, first_line, line - 1)
            start = -1
        i = line_end + 1
        if i < length and ord(text[line_end]) == CR and ord(text[i]) == LF:
            i += 1
    if start >= 0:
        _add(found, start, end, first_line, line)
    return found


def _add(found: list[int], start: i64, end: i64, first_line: i64, last_line: i64) -> None:
    found.append(start)
    found.append(end)
    found.append(first_line)
    found.append(last_line)


def _find(text: str, character: str, start: i64, end: i64) -> i64:
    """Where `character` next is, or `end`."""
    at: i64 = text.find(character, start, end)
    return end if at < 0 else at
