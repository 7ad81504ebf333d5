"""The text of a block with everything around it taken off."""

from mypy_extensions import i64

from spanwise.kernel.chars import SPACE, is_blank
from spanwise.kernel.lines import LineEnds, after_ending
from spanwise.kernel.records import (
    FENCED_CODE,
    HTML_BLOCK,
    PARAGRAPH,
    SETEXT_HEADING,
    Blocks,
)


def block_lines(text: str, blocks: Blocks, block: i64) -> list[str]:
    """The block's lines without container markers, indentation that is not content, or ending.

    Fenced code: the lines between the fences. Paragraph, setext heading: leading blanks gone, link
    reference definitions left out. A partly used tab shows as the spaces that are left of it (2.2).
    """
    if blocks.lines_at(block) >= 0:
        return _kept_lines(text, blocks, block)
    kind = blocks.kind(block)
    if kind == FENCED_CODE:
        return _fenced_lines(text, blocks, block)
    start = blocks.text_start(block)
    if kind == HTML_BLOCK:
        # An HTML block keeps its indentation (example 184).
        while start > 0 and is_blank(ord(text[start - 1])):
            start -= 1
    lines = _source_lines(text, start, blocks.text_end(block))
    if kind == PARAGRAPH or kind == SETEXT_HEADING:
        return [line.lstrip(" \t") for line in lines]
    return lines


def block_content(text: str, blocks: Blocks, block: i64) -> str:
    """Code or HTML of the block: its lines, each followed by LF; U+0000 becomes U+FFFD (2.3)."""
    content = _fence_slice(text, blocks, block)
    if not content:
        content = "".join([line + "\n" for line in block_lines(text, blocks, block)])
    return content.replace("\0", "\ufffd") if "\0" in content else content


def heading_text(text: str, blocks: Blocks, block: i64) -> str:
    """Raw content of a heading: setext lines joined by LF; U+0000 becomes U+FFFD (2.3)."""
    if blocks.kind(block) == SETEXT_HEADING:
        content = "\n".join(block_lines(text, blocks, block)).strip(" \t")
    else:
        content = text[blocks.text_start(block) : blocks.text_end(block)]
    return content.replace("\0", "\ufffd") if "\0" in content else content


def _source_lines(text: str, start: i64, end: i64) -> list[str]:
    """The lines of `[start, end)`, endings left out."""
    part = text[start:end]
    ends = LineEnds(part)
    lines: list[str] = []
    position: i64 = 0
    while True:
        ending = ends.at(position)
        lines.append(part[position:ending])
        if ending == ends.size:
            return lines
        position = after_ending(part, ending, ends.size)


def _fence_slice(text: str, blocks: Blocks, block: i64) -> str:
    """The code of a fence that is a slice of the source; empty where it has to be put together.

    That is a fence outside containers, not indented, whose lines end at LF.
    """
    if blocks.kind(block) != FENCED_CODE or blocks.lines_at(block) >= 0 or blocks.indent(block) > 0:
        return ""
    start: i64 = blocks.text_end(block)
    end: i64 = blocks.end(block)
    start = text.find("\n", start, end)
    if start < 0 or text.find("\r", blocks.text_end(block), end) >= 0:
        return ""
    if not blocks.closed(block):
        return text[start + 1 : end] + "\n"
    last: i64 = text.rfind("\n", start, end)
    return text[start + 1 : last + 1]


def _fenced_lines(text: str, blocks: Blocks, block: i64) -> list[str]:
    """Lines of a fence outside containers: whole lines less the fence's own indentation."""
    lines = _source_lines(text, blocks.start(block), blocks.end(block))[1:]
    if blocks.closed(block):
        lines.pop()
    indent = blocks.indent(block)
    return [_less_indent(line, indent) for line in lines] if indent > 0 else lines


def _less_indent(line: str, columns: i64) -> str:
    """`line` without up to that many columns of blanks; columns are fewer than a tab stop."""
    i: i64 = 0
    size: i64 = len(line)
    while i < size and i < columns and ord(line[i]) == SPACE:
        i += 1
    if i < columns and i < size and line[i] == "\t":
        # The tab reaches column 4; what the fence's indentation leaves of it are spaces.
        return " " * (4 - columns) + line[i + 1 :]
    return line[i:]


def _kept_lines(text: str, blocks: Blocks, block: i64) -> list[str]:
    """Lines whose content the scan has noted."""
    lines: list[str] = []
    content = blocks.content
    last = blocks.lines_at(block) + blocks.content_count(block)
    block_end: i64 = blocks.end(block)
    next_lf: i64 = -1
    next_cr: i64 = -1
    if text.find("\r", blocks.start(block), block_end) < 0:
        next_cr = block_end
    i = blocks.lines_at(block)
    while i < last:
        entry: i64 = content[i]
        start = entry >> 2
        # Both are remembered: where one is rare, looking for it from every line is quadratic.
        if next_lf < start:
            next_lf = _found(text.find("\n", start, block_end), block_end)
        if next_cr < start:
            next_cr = _found(text.find("\r", start, block_end), block_end)
        line = text[start : min(next_lf, next_cr)]
        if entry & 3:
            line = " " * (entry & 3) + line
        lines.append(line)
        i += 1
    return lines


def _found(place: i64, end: i64) -> i64:
    return place if place >= 0 else end
