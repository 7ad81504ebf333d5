"""The block parser: one pass over a document, line by line, as CommonMark 0.31.2 lays down.

Each line first continues the open containers it can (5.1, 5.2), then opens new blocks, and what is
left is text: of a new paragraph, of the open one, or lazily of one whose containers the line did
not continue."""

from typing import final

from mypy_extensions import i64

from spanwise.kernel.chars import (
    ASTERISK,
    BACKTICK,
    EQUALS,
    GREATER,
    HASH,
    HYPHEN,
    LEFT_BRACE,
    LEFT_BRACKET,
    LESS,
    LF,
    LOWER_A,
    SPACE,
    STARTS_BLOCK,
    STARTS_MDX_BLOCK,
    TAB,
    TILDE,
    UNDERSCORE,
)
from spanwise.kernel.containers import marker_length, marker_number
from spanwise.kernel.html_blocks import html_kind
from spanwise.kernel.leaf_scanner import CODE_INDENT, NO_LEAF, LeafScanner, is_ending
from spanwise.kernel.leaves import atx_level, fence_length, skip_blanks, thematic_break_fault
from spanwise.kernel.lines import after_ending, count_endings
from spanwise.kernel.mdx import esm_end, expression_end, starts_esm, tag_end
from spanwise.kernel.records import (
    ALL,
    HTML_BLOCK,
    ITEM,
    LIST,
    MDX_BLOCK,
    PARAGRAPH,
    QUOTE,
    Blocks,
)


def scan(
    text: str,
    kinds: i64 = ALL,
    definitions: bool = True,
    mdx: bool = False,
    start: i64 = 0,
    line: i64 = 1,
) -> Blocks:
    """The blocks of `text` that are of the given kinds (bits of `records`), in document order.

    Without the bit NESTED only children of the document are recorded. `definitions=False` reads
    link reference definitions as paragraph text. `mdx=True` reads MDX where it differs: no
    indented code, no HTML blocks but those of `kernel.mdx`. Reading begins at `start`, the start of
    line number `line`. Linear in the text, whatever its nesting.
    """
    scanner = _Scanner(text, kinds, definitions, mdx)
    scanner.line_start = start
    scanner.line = line
    scanner.run()
    return scanner.blocks


@final
class _Scanner(LeafScanner):
    """The whole state of a scan."""

    __slots__ = ("break_fault", "mdx", "one_line_mdx", "starts")

    def __init__(self, text: str, kinds: i64, definitions: bool, mdx: bool) -> None:
        super().__init__(text, kinds, definitions, mdx)
        self.mdx = mdx
        self.one_line_mdx: bool = False  # an MDX block ends on its first line or is none
        self.starts: bytes = STARTS_MDX_BLOCK if mdx else STARTS_BLOCK
        self.break_fault: i64 = 0  # no thematic break starts before this

    # -- driving ---------------------------------------------------------------------------------

    def run(self) -> None:
        """Read every line, then close what is open."""
        text = self.text
        size = self.size
        starts = self.starts
        while self.line_start < size:
            if self.stack.depth == 0 and (self.leaf == NO_LEAF or self.leaf == PARAGRAPH):
                code: i64 = ord(text[self.line_start])
                if code == LF or code >= 128 or starts[code] == 0:
                    self._read_plain()
                    continue
            self._read_line()
            if self.has_cr:
                self.line_start = after_ending(text, self.line_end, size)
            else:
                self.line_start = self.line_end + 1
            self.line += 1
        self._unwind(0)
        self.blocks.line_count = self.line - 1
        self.blocks.has_cr = self.has_cr

    def _read_plain(self) -> None:
        """Take lines outside containers that are empty or can only be paragraph text.

        Stops before the first line that may be something else; the last paragraph stays open.
        """
        text = self.text
        size = self.size
        starts = self.starts
        simple = not self.has_cr
        keeps = self.kinds & (1 << PARAGRAPH) != 0
        is_open = self.leaf == PARAGRAPH
        collects = is_open and self.collects
        first = self.leaf_start
        first_line = self.leaf_first
        end = self.leaf_end
        start = self.line_start
        line = self.line
        code: i64 = ord(text[start])
        while True:
            if code == LF:
                if is_open:
                    if keeps or collects:
                        self._set_paragraph(first, first_line, end, line - 1)
                        self._close_leaf(False)
                        collects = False
                    self.leaf = NO_LEAF
                    is_open = False
                start += 1
                line += 1
                if start < size:
                    code = ord(text[start])
            else:
                if not is_open:
                    self.stack.list_mark[0] = 0
                    is_open = True
                    first = start
                    first_line = line
                while True:
                    end = text.find("\n", start) if simple else self.ends.at(start)
                    if end < 0:
                        end = size
                    if collects:
                        self._collect(start << 2, end)
                    start = end + 1 if simple else after_ending(text, end, size)
                    line += 1
                    if start >= size:
                        break
                    code = ord(text[start])
                    if code < 128 and starts[code] != 0:
                        break
            if start >= size or (code != LF and code < 128 and starts[code] != 0):
                break
        if is_open:
            self._set_paragraph(first, first_line, end, line - 1)
        self.line_start = start
        self.line = line

    def _set_paragraph(self, first: i64, first_line: i64, end: i64, last_line: i64) -> None:
        """Make the open leaf a paragraph of plain lines, if it is not one already."""
        if self.leaf == NO_LEAF:
            self._open_leaf(PARAGRAPH, first, first_line)
        self.leaf_end = end
        self.leaf_last = last_line

    def _read_line(self) -> None:
        """Take one line through containers, block starts and text."""
        start = self.line_start
        if self.has_cr:
            self.line_end = self.ends.at(start)
        else:
            end: i64 = self.text.find("\n", start)
            self.line_end = end if end >= 0 else self.size
        self.pos = start
        self.col = 0
        self.partial = False
        code: i64 = ord(self.text[start])
        if code == SPACE or code == TAB:
            self._find_next()
        else:
            self.next = start
            self.indent = 0
            self.tabs = False
        depth = self.stack.depth
        matched = self._match_containers() if depth > 0 else 0
        if (
            self.leaf == NO_LEAF
            or self.leaf == PARAGRAPH
            or matched < depth
            or not self._continues_leaf()
        ):
            self._start_blocks(matched)

    # -- containers ------------------------------------------------------------------------------

    def _match_containers(self) -> i64:
        """Move over the markers and indentation of the containers that the line continues.

        Gives back how many they are.
        """
        stack = self.stack
        depth = stack.depth
        quotes: i64 = 0
        i: i64 = 0
        while i < depth:
            offset = stack.offset[i]
            if offset == 0:
                if self._blank() or self.indent >= self.code_indent:
                    break
                if ord(self.text[self.next]) != GREATER:
                    break
                self._pass_quote()
                quotes += 1
                i += 1
            elif self._blank():
                if self.empty_item and i == depth - 1:
                    break
                if self.indent >= offset:
                    self._consume(offset)
                    i += 1
                    continue
                # With no blanks left, all items up to the next quote go on (5.2).
                self._consume(self.indent)
                i = stack.quote_at[quotes] if quotes < stack.quotes else depth
                if self.empty_item and i == depth:
                    i -= 1
                break
            elif self.indent >= offset:
                self._consume(offset)
                i += 1
            else:
                break
        if quotes > 0 and self._blank():
            owner = stack.quote_at[quotes - 1]
            stack.end[owner] = self.line_end
            stack.last_line[owner] = self.line
        return i

    def _pass_quote(self) -> None:
        """Move over `>` and the blank that may belong to it (5.1)."""
        self._pass_marker(1)
        if self.indent > 0:
            self._consume(1)

    def _open_quote(self) -> None:
        self._leave_list()
        block: i64 = -1
        if self.keeps_containers:
            parent = self.stack.parent()
            block = self._record_container(QUOTE, parent, 0, GREATER, self.indent, self.next)
        self._pass_quote()
        self._push(0, block)

    def _open_item(self, length: i64) -> None:
        """Open a list item whose marker of `length` is at `next`, in a new list if need be."""
        start = self.next
        indent = self.indent
        offset = indent + length
        self._pass_marker(length)
        if self.next == self.line_end or self.indent > CODE_INDENT:
            # Starts with a blank line or with indented code: one column is the marker's.
            offset += 1
            if self.indent > 0:
                self._consume(1)
        else:
            offset += self.indent
            self._consume(self.indent)
        block: i64 = -1
        mark: i64 = ord(self.text[start + length - 1])
        stack = self.stack
        if self.keeps_containers:
            block = self._record_item(start, length, mark, indent, offset)
        stack.list_mark[stack.depth] = mark
        self._push(offset, block)
        self.empty_item = self.next == self.line_end

    def _record_item(self, start: i64, length: i64, mark: i64, indent: i64, offset: i64) -> i64:
        """Record an item, before it the list that it starts, if it does not go on with one."""
        stack = self.stack
        depth = stack.depth
        number = marker_number(self.text, start, start + length)
        if stack.list_mark[depth] != mark:
            stack.list_block[depth] = self._record_container(
                LIST, stack.parent(), number, mark, indent, start
            )
        parent = stack.list_block[depth]
        if parent < 0:
            parent = stack.parent()
        return self._record_container(ITEM, parent, number, mark, offset, start)

    def _push(self, offset: i64, block: i64) -> None:
        self.stack.push(offset, block, self.line_end, self.line)
        self.empty_item = False
        if self.stack.depth > self.blocks.max_depth:
            self.blocks.max_depth = self.stack.depth

    def _unwind(self, matched: i64) -> None:
        """Close the open leaf and all containers after the first `matched`."""
        if self.leaf != NO_LEAF:
            self._close_leaf(False)
        stack = self.stack
        while stack.depth > matched:
            self.empty_item = False
            depth = stack.depth - 1
            if stack.end[depth] > self.tail_end:
                self.tail_end = stack.end[depth]
                self.tail_line = stack.last_line[depth]
            block = stack.block[depth]
            if block >= 0:
                self.blocks.set_end(block, self.tail_end, self.tail_line)
            is_item = stack.offset[depth] > 0
            stack.pop()
            if is_item and stack.list_block[depth] >= 0:
                self.blocks.set_end(stack.list_block[depth], self.tail_end, self.tail_line)

    # -- block starts ----------------------------------------------------------------------------

    def _start_blocks(self, matched: i64) -> None:
        """Open the blocks that start on the line, then take what is left as text."""
        text = self.text
        paragraph = self.leaf == PARAGRAPH
        while self.next < self.line_end:
            start = self.next
            end = self.line_end
            if self.indent >= self.code_indent:
                if paragraph:
                    break
                self._unwind(matched)
                self._open_indented()
                return
            code: i64 = ord(text[start])
            if code >= 128 or self.starts[code] == 0 or code == LEFT_BRACKET:
                break
            if code == GREATER:
                self._unwind(matched)
                self._open_quote()
            elif code == HASH:
                level = atx_level(text, start, end)
                if level == 0:
                    break
                self._unwind(matched)
                self._take_atx(level)
                return
            elif code == BACKTICK or code == TILDE:
                length = fence_length(text, start, end)
                if length == 0:
                    break
                self._unwind(matched)
                self._open_fence(length)
                return
            elif self.mdx and (code == LESS or code == LEFT_BRACE or code >= LOWER_A):
                if paragraph or not self._takes_mdx(code):
                    break
                return
            elif code == LESS:
                kind = html_kind(text, start, end, paragraph)
                if kind == 0:
                    break
                self._unwind(matched)
                self._open_html(kind)
                return
            else:
                interrupts = paragraph and matched == self.stack.depth
                if interrupts and (code == EQUALS or code == HYPHEN) and self._take_setext():
                    return
                if (
                    code == HYPHEN or code == ASTERISK or code == UNDERSCORE
                ) and self._is_thematic_break():
                    self._unwind(matched)
                    self._take_thematic_break()
                    return
                length = marker_length(text, start, end, interrupts)
                if length == 0:
                    break
                self._unwind(matched)
                self._open_item(length)
            matched = self.stack.depth
            paragraph = False
        if self.next == self.line_end:
            self._unwind(matched)
        elif paragraph:
            self._continue_paragraph()
        else:
            if self.leaf != NO_LEAF or matched < self.stack.depth:
                self._unwind(matched)
            self._open_paragraph()

    def _is_thematic_break(self) -> bool:
        if self.next < self.break_fault:
            return False
        fault = thematic_break_fault(self.text, self.next, self.line_end)
        if fault < 0:
            return True
        self.break_fault = fault
        return False

    def _takes_mdx(self, code: i64) -> bool:
        """Take the MDX block at `next` whole, if it is one and nothing but blanks follow it."""
        text = self.text
        start = self.next
        nested = self.stack.depth > 0
        size = self.line_end if self.one_line_mdx or nested else self.size
        if code == LESS:
            end = tag_end(text, start, size)
        elif code == LEFT_BRACE:
            end = expression_end(text, start, size)
        elif nested or self.indent > 0 or not starts_esm(text, start, self.line_end):
            return False
        else:
            end = esm_end(text, start, size)
        seen = size if end < 0 else end
        if end >= 0:
            end = skip_blanks(text, end, self.size)
        if end < 0 or (end < self.size and not is_ending(ord(text[end]))):
            if seen > self.line_end:
                # Lines looked at in vain are not looked at again, which could become quadratic.
                self.one_line_mdx = True
            return False
        self._unwind(self.stack.depth)
        self._open_leaf(HTML_BLOCK, start, self.line)
        self.leaf_level = MDX_BLOCK
        self.leaf_mark = code
        self.leaf_indent = self.indent
        if nested:
            self._collect_from_here()
            self._collect_rest()
        self.line += count_endings(text, self.line_end, end, self.has_cr)
        self.line_end = end
        self._take_line()
        self._close_leaf(True)
        return True
