"""The open leaf: the paragraph, code block or heading that lines are being added to.

At most one leaf is open, inside all open containers. What it is when it closes is recorded with the
lines it has (CommonMark 0.31.2, chapter 4).
"""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from spanwise.kernel.chars import (
    BACKSLASH,
    BACKTICK,
    COLON,
    CR,
    HASH,
    LEFT_BRACKET,
    LESS,
    LF,
    SPACE,
    TAB_STOP,
)
from spanwise.kernel.containers import Stack
from spanwise.kernel.cursor import Cursor
from spanwise.kernel.html_blocks import ends_html
from spanwise.kernel.leaves import (
    atx_text_end,
    closes_fence,
    setext_level,
    skip_blanks,
    skip_run,
    trim_blanks,
)
from spanwise.kernel.lines import count_endings
from spanwise.kernel.records import (
    ATX_HEADING,
    DEFINITIONS,
    FENCED_CODE,
    HTML_BLOCK,
    INDENTED_CODE,
    ITEM,
    LIST,
    NESTED,
    PARAGRAPH,
    QUOTE,
    SETEXT_HEADING,
    THEMATIC_BREAK,
    Blocks,
)
from spanwise.kernel.references import definitions_end

NO_LEAF: Final = -1
CODE_INDENT: Final = 4
_NEVER: Final = 1 << 40


class LeafScanner(Cursor):
    """A cursor with the open leaf, the containers around it and the blocks found so far."""

    __slots__ = (
        "blocks",
        "code_indent",
        "collected",
        "collected_ends",
        "collects",
        "count",
        "definitions",
        "empty_item",
        "keeps_containers",
        "keeps_inner",
        "keeps_nested",
        "kinds",
        "leaf",
        "leaf_defined",
        "leaf_end",
        "leaf_first",
        "leaf_indent",
        "leaf_last",
        "leaf_level",
        "leaf_mark",
        "leaf_start",
        "leaf_text_end",
        "leaf_text_start",
        "stack",
        "tail_end",
        "tail_line",
    )

    def __init__(self, text: str, kinds: i64, definitions: bool, mdx: bool) -> None:
        """Nothing is open; the arguments are those of `blocks.scan`."""
        super().__init__(text)
        self.kinds = kinds
        self.definitions = definitions
        self.code_indent: i64 = _NEVER if mdx else CODE_INDENT
        self.blocks = Blocks()
        self.stack = Stack()
        texts: i64 = (1 << PARAGRAPH) | (1 << SETEXT_HEADING)
        self.keeps_inner: bool = kinds & NESTED != 0
        self.keeps_nested: bool = kinds & NESTED != 0 and kinds & texts != 0
        containers: i64 = (1 << QUOTE) | (1 << ITEM) | (1 << LIST)
        self.keeps_containers: bool = kinds & containers != 0

        # What closed last, for the end of the containers around it.
        self.tail_end: i64 = 0
        self.tail_line: i64 = 0
        self.empty_item: bool = False  # the innermost container is an item without a child

        # The open leaf; it is inside all open containers.
        self.leaf: i64 = NO_LEAF
        self.leaf_start: i64 = 0
        self.leaf_end: i64 = 0
        self.leaf_first: i64 = 0
        self.leaf_last: i64 = 0
        self.leaf_level: i64 = 0
        self.leaf_mark: i64 = 0
        self.leaf_text_start: i64 = 0
        self.leaf_text_end: i64 = 0
        self.leaf_indent: i64 = 0
        self.leaf_defined: i64 = 0  # lines of a setext heading that are definitions
        # Content of its lines, as entries of Blocks.content, where they are not whole source lines
        # or may be definitions; of a paragraph also where each line ends.
        self.collects: bool = False
        self.count: i64 = 0
        self.collected: vec[i64] = vec[i64]()
        self.collected_ends: vec[i64] = vec[i64]()

    def _leave_list(self) -> None:
        """A block that is not an item ends the list at this depth and gives an item a child."""
        self.stack.list_mark[self.stack.depth] = 0
        self.empty_item = False

    # -- leaves of one line ----------------------------------------------------------------------

    def _take_thematic_break(self) -> None:
        self._leave_list()
        self._record_line(THEMATIC_BREAK, 0, ord(self.text[self.next]), self.next, self.next)

    def _take_atx(self, level: i64) -> None:
        text = self.text
        self.stack.list_mark[self.stack.depth] = 0
        self.empty_item = False
        content = skip_blanks(text, self.next + level, self.line_end)
        content_end = atx_text_end(text, content, self.line_end)
        self._record_line(ATX_HEADING, level, HASH, content, content_end)

    # -- lines of the open leaf ------------------------------------------------------------------

    def _open_leaf(self, kind: i64, start: i64, line: i64) -> None:
        """Open a leaf that starts at `start`; what else its kind has is set by the caller."""
        self.stack.list_mark[self.stack.depth] = 0
        self.empty_item = False
        self.leaf = kind
        self.leaf_start = start
        self.leaf_first = line
        self.collects = False

    def _collect_from_here(self) -> None:
        self.collects = True
        self.count = 0

    def _collect(self, entry: i64, end: i64) -> None:
        """Keep where a line's content starts, as in Blocks.content, and where it ends."""
        if self.count == len(self.collected):
            self.collected = append(self.collected, entry)
            self.collected_ends = append(self.collected_ends, end)
        else:
            self.collected[self.count] = entry
            self.collected_ends[self.count] = end
        self.count += 1

    def _collect_rest(self) -> None:
        """Keep what is left of a code or HTML line: from `pos` on, a used tab as spaces."""
        entry = self.pos << 2
        if self.partial:
            entry = ((self.pos + 1) << 2) | (TAB_STOP - self.col % TAB_STOP)
        self._collect(entry, self.line_end)

    def _take_line(self) -> None:
        """The line belongs to the open leaf."""
        self.leaf_end = self.line_end
        self.leaf_last = self.line

    def _open_paragraph(self) -> None:
        start = self.next
        self._open_leaf(PARAGRAPH, start, self.line)
        if (self.keeps_nested and self.stack.depth > 0) or ord(self.text[start]) == LEFT_BRACKET:
            self._collect_from_here()
            self._collect(start << 2, self.line_end)
        self.leaf_end = self.line_end
        self.leaf_last = self.line

    def _continue_paragraph(self) -> None:
        if self.collects:
            self._collect(self.next << 2, self.line_end)
        self._take_line()

    def _take_setext(self) -> bool:
        """Make the open paragraph a heading, if the line underlines it and it has text (4.3)."""
        level = setext_level(self.text, self.next, self.line_end)
        if level == 0:
            return False
        self.leaf_text_start = self.leaf_start
        self.leaf_defined = 0
        if self.collects:
            defined = self._definition_lines()
            if defined == self.count:
                return False
            self.leaf_text_start = self.collected[defined] >> 2
            self.leaf_defined = defined
        self.leaf = SETEXT_HEADING
        self.leaf_level = level
        self.leaf_mark = ord(self.text[self.next])
        self.leaf_indent = 0
        self.leaf_text_end = self.leaf_end
        self.leaf_end = self.line_end
        self.leaf_last = self.line
        self._close_leaf(False)
        return True

    def _open_indented(self) -> None:
        self._open_leaf(INDENTED_CODE, self.next, self.line)
        self._consume(CODE_INDENT)
        self._collect_from_here()
        self._collect_rest()
        self._take_line()

    def _open_fence(self, length: i64) -> None:
        text = self.text
        start = self.next
        self._open_leaf(FENCED_CODE, start, self.line)
        self.leaf_level = length
        self.leaf_mark = ord(text[start])
        self.leaf_indent = self.indent
        self.leaf_text_start = start + length
        self.leaf_text_end = self.line_end
        self._take_line()
        if self.stack.depth > 0:
            self._collect_from_here()
        else:
            self._hop_to_fence_end(length)

    def _hop_to_fence_end(self, length: i64) -> None:
        """Go to the closing line of a fence outside containers, or to the end of the text."""
        text = self.text
        size = self.size
        has_cr = self.has_cr
        mark = self.leaf_mark
        opened = self.line_end
        needle = "`" if mark == BACKTICK else "~"
        found: i64 = text.find(needle, opened)
        while found >= 0:
            line_start = found
            while line_start > opened and ord(text[line_start - 1]) == SPACE:
                line_start -= 1
            run_end = skip_run(text, found, size, mark)
            if (
                run_end - found >= length
                and found - line_start < self.code_indent
                and is_ending(ord(text[line_start - 1]))
            ):
                line_end = skip_blanks(text, run_end, size)
                if line_end == size or is_ending(ord(text[line_end])):
                    self.line += count_endings(text, opened, line_start, has_cr)
                    self.line_end = line_end
                    self._take_line()
                    self._close_leaf(True)
                    return
            found = text.find(needle, run_end)
        self.line += count_endings(text, opened, size, has_cr)
        self.line_end = size
        if size > opened and is_ending(ord(text[size - 1])):
            self.line -= 1
            self.leaf_end = size - 1
            if self.leaf_end > opened and text.endswith("\r\n"):
                self.leaf_end -= 1
        else:
            self.leaf_end = size
        self.leaf_last = self.line

    def _open_html(self, kind: i64) -> None:
        self._open_leaf(HTML_BLOCK, self.next, self.line)
        self.leaf_level = kind
        self.leaf_mark = LESS
        self.leaf_indent = self.indent
        if self.stack.depth > 0:
            self._collect_from_here()
            self._collect_rest()
        self._take_line()
        if kind <= 5 and ends_html(self.text, self.next, self.line_end, kind):
            self._close_leaf(True)

    def _continues_leaf(self) -> bool:
        """Give the line to the open code or HTML block; False when it is not part of one."""
        kind = self.leaf
        if kind == FENCED_CODE:
            self._continue_fence()
            return True
        if kind == INDENTED_CODE:
            return self._continue_indented()
        if kind == HTML_BLOCK:
            return self._continue_html()
        return False

    def _continue_fence(self) -> None:
        if (
            self.indent < self.code_indent
            and self.next < self.line_end
            and closes_fence(self.text, self.next, self.line_end, self.leaf_mark, self.leaf_level)
        ):
            self._take_line()
            self._close_leaf(True)
            return
        self._consume(min(self.indent, self.leaf_indent))
        self._collect_rest()
        self._take_line()

    def _continue_indented(self) -> bool:
        if self._blank():
            # Belongs to the block only if more code follows: kept, but the block does not end here.
            self._consume(min(self.indent, CODE_INDENT))
            self._collect_rest()
            return True
        if self.indent < self.code_indent:
            return False
        self._consume(CODE_INDENT)
        self._collect_rest()
        self._take_line()
        return True

    def _continue_html(self) -> bool:
        kind = self.leaf_level
        if kind >= 6 and self._blank():
            return False
        if self.collects:
            self._collect_rest()
        self._take_line()
        if kind <= 5 and ends_html(self.text, self.pos, self.line_end, kind):
            self._close_leaf(True)
        return True

    def _definition_lines(self) -> i64:
        """Number of lines of the open paragraph that are link reference definitions."""
        text = self.text
        start = self.collected[0] >> 2
        if not self.definitions or ord(text[start]) != LEFT_BRACKET:
            return 0
        # A first `]` that is neither escaped nor followed by a colon spares building the paragraph.
        close: i64 = text.find("]", start, self.leaf_end)
        if close < 0:
            return 0
        colon = close + 1 < self.leaf_end and ord(text[close + 1]) == COLON
        if not colon and ord(text[close - 1]) != BACKSLASH:
            return 0
        lines = [text[(self.collected[i] >> 2) : self.collected_ends[i]] for i in range(self.count)]
        paragraph = "\n".join(lines)
        end = definitions_end(paragraph)
        if end == len(paragraph):
            return self.count
        return paragraph.count("\n", 0, end)

    def _close_leaf(self, closed: bool) -> None:
        """Record the open leaf."""
        kind = self.leaf
        self.leaf = NO_LEAF
        self.tail_end = self.leaf_end
        self.tail_line = self.leaf_last
        start = self.leaf_start
        first = self.leaf_first
        dropped: i64 = 0
        if kind == SETEXT_HEADING:
            dropped = self.leaf_defined
        elif kind == PARAGRAPH and self.collects:
            dropped = self._definition_lines()
            if dropped > 0:
                self._record_definitions(dropped)
                if dropped == self.count:
                    return
                start = self.collected[dropped] >> 2
                first += dropped
        if not self._wanted(kind):
            return
        lines_at: i64 = -1
        count: i64 = 0
        if self.collects and (self.stack.depth > 0 or kind == INDENTED_CODE):
            lines_at = len(self.blocks.content)
            count = self._keep_lines(kind, dropped)
        level: i64 = 0
        mark: i64 = 0
        indent: i64 = 0
        text_start = start
        text_end = self.leaf_end
        if kind == FENCED_CODE or kind == SETEXT_HEADING or kind == HTML_BLOCK:
            level = self.leaf_level
            mark = self.leaf_mark
            indent = self.leaf_indent
        if kind == SETEXT_HEADING:
            text_start = self.leaf_text_start
            text_end = self.leaf_text_end
        elif kind == FENCED_CODE:
            text_start = skip_blanks(self.text, self.leaf_text_start, self.leaf_text_end)
            text_end = trim_blanks(self.text, text_start, self.leaf_text_end)
        self.blocks.add(
            kind,
            start,
            self.leaf_end,
            first,
            self.leaf_last,
            self.stack.depth,
            self.stack.parent(),
            level,
            mark,
            text_start,
            text_end,
            indent,
            1 if closed else 0,
            lines_at,
            count,
        )

    def _keep_lines(self, kind: i64, dropped: i64) -> i64:
        """Copy the collected lines to the blocks' content; gives back how many."""
        content = self.blocks.content
        collected = self.collected
        last = self.count
        if kind == INDENTED_CODE:
            last = self.leaf_last - self.leaf_first + 1
        i = dropped
        while i < last:
            content = append(content, collected[i])
            i += 1
        self.blocks.content = content
        return last - dropped

    # -- recording -------------------------------------------------------------------------------

    def _wanted(self, kind: i64) -> bool:
        return self.kinds & (1 << kind) != 0 and (self.stack.depth == 0 or self.keeps_inner)

    def _record_definitions(self, lines: i64) -> None:
        if not self._wanted(DEFINITIONS):
            return
        start = self.leaf_start
        end = self.collected_ends[lines - 1]
        last = self.leaf_first + lines - 1
        depth = self.stack.depth
        parent = self.stack.parent()
        self.blocks.add(
            DEFINITIONS,
            start,
            end,
            self.leaf_first,
            last,
            depth,
            parent,
            0,
            0,
            start,
            end,
            0,
            0,
            -1,
            0,
        )

    def _record_line(self, kind: i64, level: i64, mark: i64, text: i64, text_end: i64) -> None:
        """A leaf that is this line alone."""
        end = self.line_end
        line = self.line
        self.tail_end = end
        self.tail_line = line
        if self._wanted(kind):
            start = self.next
            depth = self.stack.depth
            parent = self.stack.parent() if depth > 0 else -1
            self.blocks.add(
                kind, start, end, line, line, depth, parent, level, mark, text, text_end,
                self.indent, 0, -1, 0,
            )  # fmt: skip

    def _record_container(
        self, kind: i64, parent: i64, level: i64, mark: i64, indent: i64, start: i64
    ) -> i64:
        """A container that opens on this line; its end is set when it closes."""
        if not self._wanted(kind):
            return -1
        end = self.line_end
        line = self.line
        depth = self.stack.depth
        return self.blocks.add(
            kind, start, end, line, line, depth, parent, level, mark, start, end, indent, 0, -1, 0
        )


def is_ending(code: i64) -> bool:
    """Whether a character ends a line."""
    return code == LF or code == CR
