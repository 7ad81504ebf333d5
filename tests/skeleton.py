"""The block skeleton of a Markdown text, as spanwise sees it; `oracles.py` has what others see.

A skeleton is a list of blocks in document order, each with its nesting, so that two of them can be
compared line by line. Definitions are left out: they make no block of their own in HTML.
"""

import re
from typing import Any, NamedTuple

from spanwise.kernel import records
from spanwise.kernel.blocks import scan
from spanwise.kernel.content import block_content, block_lines, heading_text

REPLACEMENT = "\ufffd"


class Block(NamedTuple):
    """One block: how deep it is nested (lists counted), its kind, what tells it from others."""

    nesting: int
    kind: str
    facts: tuple[Any, ...] = ()
    text: str = ""
    lines: tuple[int, int] | None = None

    def __str__(self) -> str:
        """One line, indented by nesting."""
        facts = " ".join(map(str, self.facts))
        return f"{'  ' * min(self.nesting, 40)}{self.kind} {facts} {self.text!r} {self.lines}"


Skeleton = list[Block]


def lines_of(skeleton: Skeleton, *, numbered: bool = True) -> list[str]:
    """The skeleton as text, with line numbers or without, for comparing and reading."""
    return [str(block if numbered else block._replace(lines=None)) for block in skeleton]


def plain(lines: str) -> str:
    """Text of a heading or paragraph without the blanks each line begins with, trimmed."""
    return re.sub(r"^[ \t]+", "", lines, flags=re.MULTILINE).strip(" \t\n")


def ours(source: str) -> Skeleton:
    """The skeleton from spanwise's own scan."""
    blocks = scan(source)
    skeleton: Skeleton = []
    nesting: dict[int, int] = {-1: -1}
    for block in range(len(blocks)):
        kind = blocks.kind(block)
        nesting[block] = nesting[blocks.parent(block)] + 1
        if kind == records.DEFINITIONS:
            continue
        skeleton.append(_our_block(source, blocks, block, nesting[block]))
    return skeleton


def _our_block(source: str, blocks: records.Blocks, block: int, nesting: int) -> Block:
    kind = blocks.kind(block)
    lines = (blocks.first_line(block), blocks.last_line(block))
    if kind in (records.ATX_HEADING, records.SETEXT_HEADING):
        title = heading_text(source, blocks, block)
        return Block(nesting, "heading", (blocks.level(block),), title, lines)
    if kind == records.FENCED_CODE:
        info = source[blocks.text_start(block) : blocks.text_end(block)]
        facts = ("fenced", info.replace("\0", REPLACEMENT))
        return Block(nesting, "code", facts, block_content(source, blocks, block), lines)
    if kind == records.INDENTED_CODE:
        code = block_content(source, blocks, block)
        return Block(nesting, "code", ("indented",), code, lines)
    if kind == records.HTML_BLOCK:
        html = block_content(source, blocks, block)
        return Block(nesting, "html", (), html.strip("\n"), lines)
    if kind == records.PARAGRAPH:
        text = "\n".join(block_lines(source, blocks, block)).replace("\0", REPLACEMENT)
        return Block(nesting, "paragraph", (), text.rstrip(" \t"), lines)
    if kind == records.LIST:
        return Block(nesting, "list", (chr(blocks.mark(block)), blocks.level(block)))
    names = {records.QUOTE: "quote", records.ITEM: "item", records.THEMATIC_BREAK: "rule"}
    own = lines if kind == records.THEMATIC_BREAK else None
    return Block(nesting, names[kind], (), "", own)
