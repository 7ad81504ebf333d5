"""Paragraphs of plain text: runs of lines that are not blank (CommonMark 0.31.2, 2.1)."""

from mypy_extensions import i64

from spanwise.kernel.chars import is_blank
from spanwise.kernel.lines import LineEnds, after_ending


def paragraph_spans(text: str) -> list[int]:
    """Start, end, first line and last line of each paragraph, four integers apiece.

    A paragraph starts where its first line does and ends before its last line's ending.
    """
    found: list[int] = []
    ends = LineEnds(text)
    end: i64 = 0
    first_line: i64 = 0  # of the paragraph that is open, 0 when none is
    line: i64 = 0
    position: i64 = 0
    while position < ends.size:
        line += 1
        line_end = ends.at(position)
        content = position
        while content < line_end and is_blank(ord(text[content])):
            content += 1
        if content < line_end:
            if first_line == 0:
                first_line = line
                found.append(position)
            end = line_end
        elif first_line > 0:
            found += [end, first_line, line - 1]
            first_line = 0
        position = after_ending(text, line_end, ends.size)
    if first_line > 0:
        found += [end, first_line, line]
    return found
