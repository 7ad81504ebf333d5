"""Blocks: what a scan finds, as one flat array of integers, a row of columns for each block."""

from typing import Final, final

from librt.vecs import extend, vec
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

MDX_BLOCK: Final = 8
"""Level of an HTML_BLOCK that is MDX: a tag, an expression, `import` or `export`."""

# Columns of a row; some hold two numbers, the first above the second's bits.
_SHAPE: Final = 0  # mark, indent, closed, kind
_START: Final = 1
_END: Final = 2
_LINES: Final = 3  # first line, last line
_PLACE: Final = 4  # parent + 1, depth
_LEVEL: Final = 5
_TEXT_START: Final = 6
_TEXT_END: Final = 7
_CONTENT: Final = 8  # lines_at + 1, line count
_COLUMNS: Final = 9

_HALF: Final = 32
_LOW: Final = (1 << _HALF) - 1
_KIND_BITS: Final = 0xFF
_CLOSED_BIT: Final = 8
_INDENT_BIT: Final = 9
_INDENT_BITS: Final = 0x7FFFFF
_MARK_BIT: Final = 32


@final
class Blocks:
    """The blocks of one document in document order, each before the blocks inside it.

    Offsets are code points, lines are 1-based, `-1` stands for "none". A block is asked for by its
    number, 0 to `count - 1`. `max_depth` is the deepest nesting of containers, recorded or not;
    `line_count` is the number of lines, and `has_cr` says whether a CR is in the text.
    """

    def __init__(self) -> None:
        """No blocks yet."""
        self.count: i64 = 0
        self.max_depth: i64 = 0
        self.line_count: i64 = 0
        self.has_cr: bool = False
        self.rows: vec[i64] = vec[i64]([0] * (_COLUMNS * 8))
        self.content: vec[i64] = vec[i64]()

    def __len__(self) -> int:
        """Number of blocks."""
        return self.count

    def kind(self, block: i64) -> i64:
        """One of the constants above."""
        return self.rows[block * _COLUMNS + _SHAPE] & _KIND_BITS

    def start(self, block: i64) -> i64:
        """Offset of the block's first non-blank character: its marker, fence or text.

        A setext heading starts with its paragraph, link reference definitions included.
        """
        return self.rows[block * _COLUMNS + _START]

    def end(self, block: i64) -> i64:
        """End of the last line that belongs to the block, its line ending left out."""
        return self.rows[block * _COLUMNS + _END]

    def first_line(self, block: i64) -> i64:
        """Line of `start`."""
        return self.rows[block * _COLUMNS + _LINES] >> _HALF

    def last_line(self, block: i64) -> i64:
        """Line that `end` closes."""
        return self.rows[block * _COLUMNS + _LINES] & _LOW

    def depth(self, block: i64) -> i64:
        """Number of block quotes and list items around the block."""
        return self.rows[block * _COLUMNS + _PLACE] & _LOW

    def parent(self, block: i64) -> i64:
        """The block this one is a child of (item: its list), or -1 at the top.

        Only containers that were asked for are parents.
        """
        return (self.rows[block * _COLUMNS + _PLACE] >> _HALF) - 1

    def level(self, block: i64) -> i64:
        """Heading: 1 to 6. Fence: length of the opening run. HTML block: 1 to 7 (4.6) or MDX_BLOCK.

        List and item: number of an ordered one, -1 for bullets.
        """
        return self.rows[block * _COLUMNS + _LEVEL]

    def mark(self, block: i64) -> i64:
        """Code point that makes the block: fence, bullet, `.` or `)` of an ordered list, `#`, `=`.

        0 where nothing does.
        """
        return self.rows[block * _COLUMNS + _SHAPE] >> _MARK_BIT

    def text_start(self, block: i64) -> i64:
        """Start of the text a tool shows.

        ATX heading: its raw content. Setext heading: its first line after link reference
        definitions. Fence: its info string. Other leaves: the same as `start`.
        """
        return self.rows[block * _COLUMNS + _TEXT_START]

    def text_end(self, block: i64) -> i64:
        """End of that text; for a setext heading the end of the last line before the underline."""
        return self.rows[block * _COLUMNS + _TEXT_END]

    def indent(self, block: i64) -> i64:
        """Columns of the block's own indentation inside its container, 0 to 3 (4.5).

        Item: columns from its parent's content to its own (5.2).
        """
        return (self.rows[block * _COLUMNS + _SHAPE] >> _INDENT_BIT) & _INDENT_BITS

    def closed(self, block: i64) -> bool:
        """Whether a fence has its closing line."""
        return (self.rows[block * _COLUMNS + _SHAPE] >> _CLOSED_BIT) & 1 != 0

    def lines_at(self, block: i64) -> i64:
        """Where in `content` the block's lines stand, or -1 when they are whole source lines.

        An entry is `offset << 2 | pad`: the line's content starts at `offset`, after `pad` spaces
        that a partly used tab leaves (2.2).
        """
        return (self.rows[block * _COLUMNS + _CONTENT] >> _HALF) - 1

    def content_count(self, block: i64) -> i64:
        """Number of entries in `content` that belong to the block."""
        return self.rows[block * _COLUMNS + _CONTENT] & _LOW

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
        """Append a block; gives back its number."""
        block = self.count
        at = block * _COLUMNS
        if at == len(self.rows):
            self.rows = extend(self.rows, self.rows)
        rows = self.rows
        rows[at + _SHAPE] = (
            (mark << _MARK_BIT) | (indent << _INDENT_BIT) | closed << _CLOSED_BIT | kind
        )
        rows[at + _START] = start
        rows[at + _END] = end
        rows[at + _LINES] = (first_line << _HALF) | last_line
        rows[at + _PLACE] = ((parent + 1) << _HALF) | depth
        rows[at + _LEVEL] = level
        rows[at + _TEXT_START] = text_start
        rows[at + _TEXT_END] = text_end
        rows[at + _CONTENT] = ((lines_at + 1) << _HALF) | line_count
        self.count = block + 1
        return block

    def set_end(self, block: i64, end: i64, last_line: i64) -> None:
        """Say where a container ended, once it has."""
        at = block * _COLUMNS
        self.rows[at + _END] = end
        self.rows[at + _LINES] = (self.rows[at + _LINES] & ~_LOW) | last_line
