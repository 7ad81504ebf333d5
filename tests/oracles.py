"""Block skeletons from two independent parsers.

markdown-it-py is for CommonMark 0.31.2 and gives lines too. Where it goes its own way: it trims
Unicode white space (2.1 knows only spaces and tabs), keeps the indentation of later setext lines,
and ends the paragraph at each link reference definition.

commonmark.py follows the parsing appendix line by line, paragraphs of definitions included, but
0.29 of it; `_follow_0_31` brings what decides about blocks to 0.31.2.
"""

import re
from importlib import import_module
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from tests.skeleton import REPLACEMENT, Block, Skeleton, plain

# Patched below, which its types would forbid.
commonmark: Any = import_module("commonmark")
blocks: Any = import_module("commonmark.blocks")
inlines: Any = import_module("commonmark.inlines")

_MARKDOWN_IT = MarkdownIt("commonmark", {"maxNesting": 100_000, "xhtmlOut": True})
_BLOCKS_ONLY = MarkdownIt("commonmark", {"maxNesting": 100_000})
_BLOCKS_ONLY.core.ruler.disable("inline")


def rendered(source: str) -> str:
    """HTML by markdown-it-py."""
    html = str(_MARKDOWN_IT.render(source))
    return html.replace("<blockquote></blockquote>", "<blockquote>\n</blockquote>")


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
        return Block(nesting, kind, facts, plain(following[0].content), lines)
    if kind == "fence":
        return Block(nesting, "code", ("fenced", token.info.strip(" \t")), token.content, lines)
    if kind == "code_block":
        return Block(nesting, "code", ("indented",), token.content, lines)
    if kind == "html_block":
        return Block(nesting, "html", (), token.content.strip("\n"), lines)
    if kind == "ordered_list":
        return Block(nesting, "list", (token.markup, int(token.attrs.get("start", 1))))
    if kind == "bullet_list":
        return Block(nesting, "list", (token.markup, -1))
    names = {"blockquote": "quote", "list_item": "item", "hr": "rule"}
    return Block(nesting, names[kind], (), "", lines if kind == "hr" else None)


def commonmark_py(source: str) -> Skeleton:
    """The skeleton from commonmark.py, without lines. A CR at the very end is none to it."""
    source = source.replace("\r\n", "\n").replace("\r", "\n")
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
        return Block(nesting, "heading", (node.level,), plain(text))
    if node.t == "paragraph":
        return Block(nesting, "paragraph", (), plain(text))
    if node.t == "code_block":
        if node.is_fenced:
            return Block(nesting, "code", ("fenced",), node.literal)
        code = re.sub(
            r"(\n[ \t]*)+$", "\n", node.literal
        )  # 4.4: blank lines after it are not in it
        return Block(nesting, "code", ("indented",), code)
    if node.t == "html_block":
        return Block(nesting, "html", (), node.literal.strip("\n"))
    if node.t == "list":
        data = node.list_data
        ordered = data["type"] == "ordered"
        mark = data["delimiter"] if ordered else data["bullet_char"]
        return Block(nesting, "list", (mark, data["start"] if ordered else -1))
    return Block(
        nesting, {"block_quote": "quote", "item": "item", "thematic_break": "rule"}[node.t]
    )


def _html_block(parser: Any, container: Any = None) -> int:
    """4.6 as in the appendix: kind 7 does not break into a paragraph, a lazy line's included."""
    line = parser.current_line[parser.next_nonspace :]
    if parser.indented or not line.startswith("<"):
        return 0
    lazy = not parser.all_closed and not parser.blank and parser.tip.t == "paragraph"
    last = 6 if container.t == "paragraph" or lazy else 7
    for kind in range(1, last + 1):
        if blocks.reHtmlBlockOpen[kind].search(line):
            parser.close_unmatched_blocks()
            parser.add_child("html_block", parser.offset).html_block_type = kind
            return 2
    return 0


_their_destination = inlines.InlineParser.parseLinkDestination


def _destination(parser: Any) -> Any:
    """6.3: parentheses in a destination without angle brackets are balanced."""
    start = parser.pos
    found = _their_destination(parser)
    bare = re.sub(r"\\.", "", parser.subject[start : parser.pos])
    if not bare.startswith("<") and bare.count("(") != bare.count(")"):
        parser.pos = start
        return None
    return found


def _follow_0_31() -> None:
    opens, closes = blocks.reHtmlBlockOpen, blocks.reHtmlBlockClose
    opens[1] = re.compile(r"^<(?:script|pre|textarea|style)(?:[ \t]|>|$)", re.IGNORECASE)
    closes[1] = re.compile(r"</(?:script|pre|textarea|style)>", re.IGNORECASE)
    opens[4] = re.compile(r"^<![A-Za-z]")
    names = opens[6].pattern.replace("section|source|", "search|section|")
    names = names.replace("h1|", "h[1-6]|").replace(r"\s", r"[ \t]")
    opens[6] = re.compile(names, re.IGNORECASE)
    name, blank = r"[A-Za-z][A-Za-z0-9-]*", r"[ \t]"
    value = r"""(?:[^"'=<>`\x00-\x20]+|'[^']*'|"[^"]*")"""
    attribute = rf"(?:{blank}+[a-zA-Z_:][a-zA-Z0-9:._-]*(?:{blank}*={blank}*{value})?)"
    opens[7] = re.compile(rf"^(?:<{name}{attribute}*{blank}*/?>|</{name}{blank}*>){blank}*$")
    blocks.reClosingCodeFence = re.compile(r"^(?:`{3,}|~{3,})(?=[ \t]*$)")
    blocks.BlockStarts.html_block = staticmethod(_html_block)
    # 4.7: tabs separate as spaces do, any escape in a label, titles end at their first bare quote.
    inlines.reSpnl = re.compile(r"^[ \t]*(?:\n[ \t]*)?")
    inlines.reSpaceAtEndOfLine = re.compile(r"^[ \t]*(?:\n|$)")
    inlines.reLinkLabel = re.compile(r"^\[(?:[^\\\[\]]|\\.){0,1000}\]", re.DOTALL)
    inlines.reLinkTitle = re.compile(
        r"""^(?:"(?:\\.|[^\\"])*"|'(?:\\.|[^\\'])*'|\((?:\\.|[^\\()])*\))""", re.DOTALL
    )
    inlines.InlineParser.parseLinkDestination = _destination


_follow_0_31()
