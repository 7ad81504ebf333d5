"""The block skeleton of a Markdown text, as spanwise sees it; `oracles.py` has what others see.

A skeleton is a list of blocks in document order, each with its nesting, so that two of them can be
compared line by line. Definitions are left out: they make no block of their own in HTML.
"""

import re
from typing import Any, NamedTuple

from spanwise.kernel import records
from spanwise.kernel.blocks import scan
from spanwise.kernel.content import block_content

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


def heading_text(lines: str) -> str:
    """Raw heading text from the content of its lines (contract: each without leading blanks)."""
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
    raw = source[blocks.text_start(block) : blocks.text_end(block)].replace("\0", REPLACEMENT)
    if kind == records.ATX_HEADING:
        return Block(nesting, "heading", (blocks.level(block),), raw, lines)
    if kind == records.SETEXT_HEADING:
        text = heading_text(content(source, blocks, block))
        return Block(nesting, "heading", (blocks.level(block),), text, lines)
    if kind == records.FENCED_CODE:
        facts = ("fenced", raw)
        return Block(nesting, "code", facts, content(source, blocks, block), lines)
    if kind == records.INDENTED_CODE:
        return Block(nesting, "code", ("indented",), content(source, blocks, block), lines)
    if kind == records.HTML_BLOCK:
        return Block(nesting, "html", (), content(source, blocks, block).rstrip(" \t\n"), lines)
    if kind == records.PARAGRAPH:
        text = heading_text(content(source, blocks, block))
        return Block(nesting, "paragraph", (), text, lines)
    if kind == records.LIST:
        mark = chr(blocks.mark(block))
        return Block(nesting, "list", (mark, blocks.level(block)))
    names = {records.QUOTE: "quote", records.ITEM: "item", records.THEMATIC_BREAK: "rule"}
    own = lines if kind == records.THEMATIC_BREAK else None
    return Block(nesting, names[kind], (), "", own)


def content(source: str, blocks: records.Blocks, block: int) -> str:
    """The text of a block's lines without container markers, LF after each."""
    return block_content(source, blocks, block).replace("\0", REPLACEMENT)
