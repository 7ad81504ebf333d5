"""Tables of GitHub Flavored Markdown: a header row over a delimiter row, then rows.

GFM 0.29, 4.10. To CommonMark a table is a paragraph, and so it is here: a table is asked for by the
lines of a paragraph.
"""

from mypy_extensions import i64

from spanwise.kernel.chars import BACKSLASH, COLON, HYPHEN, PIPE
from spanwise.kernel.leaves import skip_blanks, skip_run, trim_blanks


def is_table(text: str, header: i64, header_end: i64, delimiter: i64, delimiter_end: i64) -> bool:
    """Whether two lines are the header and delimiter row of a table: as many cells in both."""
    columns = delimiter_cells(text, delimiter, delimiter_end)
    return columns > 0 and columns == row_cells(text, header, header_end)


def delimiter_cells(text: str, start: i64, end: i64) -> i64:
    """Number of cells of the delimiter row `[start, end)`, or 0 when it is none.

    Cells are hyphens with a colon at either end or both. A single column needs a pipe, or the row
    would be a setext underline or a thematic break.
    """
    i = skip_blanks(text, start, end)
    pipes = False
    if i < end and ord(text[i]) == PIPE:
        pipes = True
        i += 1
    cells: i64 = 0
    while True:
        i = skip_blanks(text, i, end)
        if i == end:
            break
        if ord(text[i]) == COLON:
            i += 1
        after = skip_run(text, i, end, HYPHEN)
        if after == i:
            return 0
        if after < end and ord(text[after]) == COLON:
            after += 1
        cells += 1
        i = skip_blanks(text, after, end)
        if i == end:
            break
        if ord(text[i]) != PIPE:
            return 0
        pipes = True
        i += 1
    return (
        cells
        if pipes or (cells > 0 and ord(text[trim_blanks(text, start, end) - 1]) == COLON)
        else 0
    )


def row_cells(text: str, start: i64, end: i64) -> i64:
    """Number of cells of a table row: its pipes that no backslash escapes part them."""
    i = skip_blanks(text, start, end)
    last = trim_blanks(text, i, end)
    if i < last and ord(text[i]) == PIPE:
        i += 1
    cells: i64 = 1
    while i < last:
        code: i64 = ord(text[i])
        if code == BACKSLASH:
            i += 2
            continue
        if code == PIPE and i < last - 1:
            cells += 1
        i += 1
    return cells
