"""The block parser: one pass over a document, line by line, as CommonMark 0.31.2 lays down.

Each line first continues the open containers it can (5.1, 5.2), then opens new blocks, and what is
left is text: of a new paragraph, of the open one, or lazily of one whose containers the line did
not continue. Positions are offsets into the document throughout. `col` counts columns with tab
stops (2.2), so that a tab can be used up in part: `pos` stays on it while `col` moves on.
"""

from typing import Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from spanwise.kernel.chars import (
    ASTERISK,
    BACKSLASH,
    BACKTICK,
    COLON,
    CR,
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
    TAB_STOP,
    TILDE,
    UNDERSCORE,
)
from spanwise.kernel.containers import Stack, marker_length, marker_number
from spanwise.kernel.html_blocks import ends_html, html_kind
from spanwise.kernel.leaves import (
    atx_level,
    atx_text_end,
    closes_fence,
    fence_length,
    setext_level,
    skip_blanks,
    skip_run,
    thematic_break_fault,
    trim_blanks,
)
from spanwise.kernel.lines import LineEnds, after_ending, count_endings
from spanwise.kernel.mdx import esm_end, expression_end, starts_esm, tag_end
from spanwise.kernel.records import (
    ALL,
    ATX_HEADING,
    DEFINITIONS,
    FENCED_CODE,
    HTML_BLOCK,
    INDENTED_CODE,
    ITEM,
    LIST,
    MDX_BLOCK,
    NESTED,
    PARAGRAPH,
    QUOTE,
    SETEXT_HEADING,
    THEMATIC_BREAK,
    Blocks,
)
from spanwise.kernel.references import definitions_end

_NONE: Final = -1
_CODE_INDENT: Final = 4
_NEVER: Final = 1 << 40


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
class _Scanner:
    """The state of a scan: the line at hand, the open containers and the open leaf."""

    __slots__ = (
        "blocks",
        "break_fault",
        "code_indent",
        "col",
        "collected",
        "collected_ends",
        "collects",
        "count",
        "definitions",
        "empty_item",
        "ends",
        "has_cr",
        "indent",
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
        "line",
        "line_end",
        "line_start",
        "mdx",
        "next",
        "one_line_mdx",
        "partial",
        "pos",
        "size",
        "stack",
        "starts",
        "tabs",
        "tail_end",
        "tail_line",
        "text",
    )

    def __init__(self, text: str, kinds: i64, definitions: bool, mdx: bool) -> None:
        self.text = text
        self.size: i64 = len(text)
        self.ends = LineEnds(text)
        self.has_cr: bool = self.ends.has_cr
        self.kinds = kinds
        self.definitions = definitions
        self.mdx = mdx
        self.one_line_mdx: bool = False  # an MDX block ends on its first line or is none
        self.starts: bytes = STARTS_MDX_BLOCK if mdx else STARTS_BLOCK
        self.code_indent: i64 = _NEVER if mdx else _CODE_INDENT
        self.blocks = Blocks()
        self.stack = Stack()

        # The line at hand.
        self.line: i64 = 1
        self.line_start: i64 = 0
        self.line_end: i64 = 0
        self.pos: i64 = 0
        self.col: i64 = 0
        self.partial: bool = False  # the tab at `pos` is used up to `col`
        self.next: i64 = 0  # first character after the blanks at `pos`
        self.indent: i64 = 0  # columns from `pos` to `next`
        self.tabs: bool = False  # there is a tab among them
        self.break_fault: i64 = 0  # no thematic break starts before this

        # What closed last, for the end of the containers around it.
        self.tail_end: i64 = 0
        self.tail_line: i64 = 0
        self.empty_item: bool = False  # the innermost container is an item without a child

        # The open leaf; it is inside all open containers.
        self.leaf: i64 = _NONE
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
        texts: i64 = (1 << PARAGRAPH) | (1 << SETEXT_HEADING)
        self.keeps_inner: bool = kinds & NESTED != 0
        self.keeps_nested: bool = kinds & NESTED != 0 and kinds & texts != 0
        containers: i64 = (1 << QUOTE) | (1 << ITEM) | (1 << LIST)
        self.keeps_containers: bool = kinds & containers != 0

    # -- driving ---------------------------------------------------------------------------------

    def run(self) -> None:
        """Read every line, then close what is open."""
        text = self.text
        size = self.size
        starts = self.starts
        while self.line_start < size:
            if self.stack.depth == 0 and (self.leaf == _NONE or self.leaf == PARAGRAPH):
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
                    self.leaf = _NONE
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
        if self.leaf == _NONE:
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
            self.leaf == _NONE
            or self.leaf == PARAGRAPH
            or matched < depth
            or not self._continues_leaf()
        ):
            self._start_blocks(matched)

    # -- moving along the line -------------------------------------------------------------------

    def _find_next(self) -> None:
        """Measure the blanks at `pos`."""
        text = self.text
        end = self.line_end
        i = self.pos
        col = self.col
        tabs = False
        while i < end:
            code: i64 = ord(text[i])
            if code == SPACE:
                col += 1
            elif code == TAB:
                col += TAB_STOP - col % TAB_STOP
                tabs = True
            else:
                break
            i += 1
        self.next = i
        self.indent = col - self.col
        self.tabs = tabs

    def _consume(self, columns: i64) -> None:
        """Move over that many columns of the indentation; at most `indent`."""
        if columns == 0:
            return
        self.indent -= columns
        if not self.tabs:
            self.pos += columns
            self.col += columns
            return
        self.partial = False
        while columns > 0:
            width: i64 = 1
            if ord(self.text[self.pos]) == TAB:
                width = TAB_STOP - self.col % TAB_STOP
            if width > columns:
                self.col += columns
                self.partial = True
                return
            self.pos += 1
            self.col += width
            columns -= width

    def _pass_marker(self, length: i64) -> None:
        """Move over the indentation and a marker at `next`, then measure the blanks after it."""
        self.col += self.indent + length
        self.pos = self.next + length
        self.partial = False
        self._find_next()

    def _blank(self) -> bool:
        """Nothing but blanks is left of the line."""
        return self.next == self.line_end

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
        if self.next == self.line_end or self.indent > _CODE_INDENT:
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

    def _leave_list(self) -> None:
        """A block that is not an item ends the list at this depth and gives an item a child."""
        self.stack.list_mark[self.stack.depth] = 0
        self.empty_item = False

    def _unwind(self, matched: i64) -> None:
        """Close the open leaf and all containers after the first `matched`."""
        if self.leaf != _NONE:
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
            if self.leaf != _NONE or matched < self.stack.depth:
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

    # -- leaves ----------------------------------------------------------------------------------

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

    def _open_indented(self) -> None:
        self._open_leaf(INDENTED_CODE, self.next, self.line)
        self._consume(_CODE_INDENT)
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
                and _is_ending(ord(text[line_start - 1]))
            ):
                line_end = skip_blanks(text, run_end, size)
                if line_end == size or _is_ending(ord(text[line_end])):
                    self.line += count_endings(text, opened, line_start, has_cr)
                    self.line_end = line_end
                    self._take_line()
                    self._close_leaf(True)
                    return
            found = text.find(needle, run_end)
        self.line += count_endings(text, opened, size, has_cr)
        self.line_end = size
        if size > opened and _is_ending(ord(text[size - 1])):
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
        if end < 0 or (end < self.size and not _is_ending(ord(text[end]))):
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
            self._consume(min(self.indent, _CODE_INDENT))
            self._collect_rest()
            return True
        if self.indent < self.code_indent:
            return False
        self._consume(_CODE_INDENT)
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
        self.leaf = _NONE
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


def _is_ending(code: i64) -> bool:
    return code == LF or code == CR
