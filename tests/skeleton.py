"""The block skeleton of a Markdown text: what spanwise sees, and what other parsers see.

A skeleton is a list of blocks in document order, each with its nesting, so that two of them can be
compared line by line. Definitions are left out: they make no block of their own in HTML.
"""

import re
from typing import Any, NamedTuple

import commonmark
import commonmark.blocks
from markdown_it import MarkdownIt
from markdown_it.token import Token

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


# --- spanwise -----------------------------------------------------------------------------------


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
        return Block(nesting, "html", (), content(source, blocks, block), lines)
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


# --- markdown-it-py -------------------------------------------------------------------------------

_MARKDOWN_IT = MarkdownIt("commonmark", {"maxNesting": 100_000, "xhtmlOut": True})
_BLOCKS_ONLY = MarkdownIt("commonmark", {"maxNesting": 100_000})
_BLOCKS_ONLY.core.ruler.disable("inline")


def rendered(source: str) -> str:
    """HTML by markdown-it-py."""
    return str(_MARKDOWN_IT.render(source))


def markdown_it(source: str) -> Skeleton:
    """The skeleton from markdown-it-py's tokens."""
    skeleton: Skeleton = []
    nesting = 0
    tokens = _BLOCKS_ONLY.parse(source)
    for index, token in enumerate(tokens):
        if token.nesting < 0:
            nesting -= 1
        elif token.type != "inline":
            skeleton.append(_token_block(token, tokens[index + 1 : index + 2], nesting))
            nesting += token.nesting
    return skeleton


def _token_block(token: Token, following: list[Token], nesting: int) -> Block:
    assert token.map is not None
    lines = (token.map[0] + 1, token.map[1])
    kind = token.type.removesuffix("_open")
    if kind in ("heading", "paragraph"):
        facts = (int(token.tag[1:]),) if kind == "heading" else ()
        return Block(nesting, kind, facts, heading_text(following[0].content), lines)
    if kind == "fence":
        return Block(nesting, "code", ("fenced", token.info.strip(" \t")), token.content, lines)
    if kind == "code_block":
        return Block(nesting, "code", ("indented",), token.content, lines)
    if kind == "html_block":
        return Block(nesting, "html", (), token.content, lines)
    if kind == "ordered_list":
        return Block(nesting, "list", (token.markup, int(token.attrs.get("start", 1))))
    if kind == "bullet_list":
        return Block(nesting, "list", (token.markup, -1))
    names = {"blockquote": "quote", "list_item": "item", "hr": "rule"}
    return Block(nesting, names[kind], (), "", lines if kind == "hr" else None)


# --- commonmark.py ----------------------------------------------------------------------------------


def commonmark_py(source: str) -> Skeleton:
    """The skeleton from commonmark.py, which follows the parsing appendix line by line.

    It is of 0.29; what 0.30 and 0.31 changed about HTML blocks is patched below.
    """
    parser = commonmark.Parser()
    parser.process_inlines = lambda document: None
    skeleton: Skeleton = []
    nesting = -1
    for node, entering in parser.parse(source).walker():
        if not node.is_container() or node.t in ("paragraph", "heading"):
            if entering:
                skeleton.append(_node_block(node, nesting))
        elif entering:
            if node.t != "document":
                skeleton.append(_node_block(node, nesting))
            nesting += 1
        else:
            nesting -= 1
    return skeleton


def _node_block(node: Any, nesting: int) -> Block:
    text = (node.string_content or "").replace("\0", REPLACEMENT)
    if node.t == "heading":
        return Block(nesting, "heading", (node.level,), heading_text(text))
    if node.t == "paragraph":
        return Block(nesting, "paragraph", (), heading_text(text))
    if node.t == "code_block":
        facts = ("fenced",) if node.is_fenced else ("indented",)
        return Block(nesting, "code", facts, node.literal)
    if node.t == "html_block":
        return Block(nesting, "html", (), node.literal)
    if node.t == "list":
        data = node.list_data
        ordered = data["type"] == "ordered"
        mark = {"period": ".", "paren": ")"}[data["delimiter"]] if ordered else data["bullet_char"]
        return Block(nesting, "list", (mark, data["start"] if ordered else -1))
    return Block(nesting, {"block_quote": "quote", "item": "item", "thematic_break": "rule"}[node.t])
