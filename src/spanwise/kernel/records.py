"""Blocks: what a scan finds, as one flat array of integers, a row of columns for each block."""

from typing import Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

# Kinds of block, in the order of CommonMark 0.31.2, chapters 4 and 5.
THEMATIC_BREAK: Final = 0
ATX_HEADING: Final = 1
SETEXT_HEADING: Final = 2
INDENTED_CODE: Final = 3
FENCED_CODE: Final = 4
HTML_BLOCK: Final = 5
DEFINITIONS: Final = 6
PARAGRAPH: Final = 7
QUOTE: Final = 8
ITEM: Final = 9
LIST: Final = 10

NESTED: Final = 1 << 11
"""Bit for `scan`: blocks inside containers, too."""
ALL: Final = (1 << 12) - 1
"""Bits of every kind, nested ones included."""
HEADINGS: Final = (1 << ATX_HEADING) | (1 << SETEXT_HEADING)
"""Bits of the headings that are children of the document."""

# Columns of a row.
_KIND: Final = 0
_START: Final = 1
_END: Final = 2
_FIRST_LINE: Final = 3
_LAST_LINE: Final = 4
_DEPTH: Final = 5
_PARENT: Final = 6
_LEVEL: Final = 7
_MARK: Final = 8
_TEXT_START: Final = 9
_TEXT_END: Final = 10
_INDENT: Final = 11
_CLOSED: Final = 12
_LINES_AT: Final = 13
_LINE_COUNT: Final = 14
COLUMNS: Final = 15


@final
class Blocks:
    """The blocks of one document in document order, each before the blocks inside it.

    Offsets are code points, lines are 1-based, `-1` stands for "none". A block is asked for by its
    number, 0 to `len(blocks) - 1`.
    """

    def __init__(self) -> None:
        """No blocks yet."""
        self.rows: vec[i64] = vec[i64]()
        self.content: vec[i64] = vec[i64]()
        self.max_depth: i64 = 0

    def __len__(self) -> int:
        """Number of blocks."""
        return len(self.rows) // COLUMNS

    def kind(self, block: i64) -> i64:
        """One of the constants above."""
        return self.rows[block * COLUMNS + _KIND]

    def start(self, block: i64) -> i64:
        """Offset of the block's first non-blank character: its marker, fence or text.

        A setext heading starts with its paragraph, link reference definitions included.
        """
        return self.rows[block * COLUMNS + _START]

    def end(self, block: i64) -> i64:
        """End of the last line that belongs to the block, its line ending left out."""
        return self.rows[block * COLUMNS + _END]

    def first_line(self, block: i64) -> i64:
        """Line of `start`."""
        return self.rows[block * COLUMNS + _FIRST_LINE]

    def last_line(self, block: i64) -> i64:
        """Line that `end` closes."""
        return self.rows[block * COLUMNS + _LAST_LINE]

    def depth(self, block: i64) -> i64:
        """Number of block quotes and list items around the block."""
        return self.rows[block * COLUMNS + _DEPTH]

    def parent(self, block: i64) -> i64:
        """The block this one is a child of (item: its list), or -1 at the top.

        Only containers that were asked for are parents.
        """
        return self.rows[block * COLUMNS + _PARENT]

    def level(self, block: i64) -> i64:
        """Heading: 1 to 6. Fence: length of the opening run. HTML block: its kind, 1 to 7 (4.6).

        List and item: number of an ordered one, -1 for bullets.
        """
        return self.rows[block * COLUMNS + _LEVEL]

    def mark(self, block: i64) -> i64:
        """Code point that makes the block: fence, bullet, `.` or `)` of an ordered list, `#`, `=`.

        0 where nothing does.
        """
        return self.rows[block * COLUMNS + _MARK]

    def text_start(self, block: i64) -> i64:
        """Start of the text a tool shows.

        ATX heading: its raw content. Setext heading: its first line after link reference
        definitions. Fence: its info string. Other leaves: the same as `start`.
        """
        return self.rows[block * COLUMNS + _TEXT_START]

    def text_end(self, block: i64) -> i64:
        """End of that text; for a setext heading the end of the last line before the underline."""
        return self.rows[block * COLUMNS + _TEXT_END]

    def indent(self, block: i64) -> i64:
        """Columns of the block's own indentation inside its container, 0 to 3 (4.5).

        Item: columns from its parent's content to its own (5.2).
        """
        return self.rows[block * COLUMNS + _INDENT]

    def closed(self, block: i64) -> bool:
        """Whether a fence has its closing line."""
        return self.rows[block * COLUMNS + _CLOSED] != 0

    def lines_at(self, block: i64) -> i64:
        """Where in `content` the block's lines stand, or -1 when they are whole source lines.

        An entry is `offset << 2 | pad`: the line's content starts at `offset`, after `pad` spaces
        that a partly used tab leaves (2.2).
        """
        return self.rows[block * COLUMNS + _LINES_AT]

    def line_count(self, block: i64) -> i64:
        """Number of entries in `content` that belong to the block."""
        return self.rows[block * COLUMNS + _LINE_COUNT]

    def add(
        self,
        kind: i64,
        start: i64,
        end: i64,
        first_line: i64,
        last_line: i64,
        depth: i64,
        parent: i64,
        level: i64,
        mark: i64,
        text_start: i64,
        text_end: i64,
        indent: i64,
        closed: i64,
        lines_at: i64,
        line_count: i64,
    ) -> i64:
        """Append a block, columns in order; gives back its number."""
        rows = self.rows
        block = len(rows) // COLUMNS
        rows = append(rows, kind)
        rows = append(rows, start)
        rows = append(rows, end)
        rows = append(rows, first_line)
        rows = append(rows, last_line)
        rows = append(rows, depth)
        rows = append(rows, parent)
        rows = append(rows, level)
        rows = append(rows, mark)
        rows = append(rows, text_start)
        rows = append(rows, text_end)
        rows = append(rows, indent)
        rows = append(rows, closed)
        rows = append(rows, lines_at)
        rows = append(rows, line_count)
        self.rows = rows
        return block

    def set_end(self, block: i64, end: i64, last_line: i64) -> None:
        """Say where a container ended, once it has."""
        self.rows[block * COLUMNS + _END] = end
        self.rows[block * COLUMNS + _LAST_LINE] = last_line
