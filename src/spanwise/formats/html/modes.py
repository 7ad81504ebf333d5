"""The modes by their names, and those of templates, framesets and the end (13.2.6.4)."""

from typing import Final

from spanwise.formats.html.before_body import (
    HEAD_NAMES,
    after_head,
    before_head,
    before_html,
    in_head,
    in_head_noscript,
    initial,
    text,
)
from spanwise.formats.html.body import in_body
from spanwise.formats.html.construction import Builder, Mode, is_blank
from spanwise.formats.html.nodes import Piece
from spanwise.formats.html.table_modes import (
    in_caption,
    in_cell,
    in_column_group,
    in_row,
    in_table,
    in_table_body,
    in_table_text,
)
from spanwise.formats.html.tokens import Declaration, End, EndOfFile, Remark, Start, Token

_TEMPLATE_MODES: Final = {
    "caption": "in table",
    "colgroup": "in table",
    "tbody": "in table",
    "tfoot": "in table",
    "thead": "in table",
    "col": "in column group",
    "tr": "in table body",
    "td": "in row",
    "th": "in row",
}


def _in_template(b: Builder, token: Token) -> None:
    if isinstance(token, Piece | Remark | Declaration):
        in_body(b, token)
    elif isinstance(token, Start):
        name = token.name
        if name in HEAD_NAMES:
            in_head(b, token)
            return
        mode = _TEMPLATE_MODES.get(name, "in body")
        b.template_modes[-1] = mode
        b.again(mode, token)
    elif isinstance(token, End):
        if token.name == "template":
            in_head(b, token)
    elif b.has_open("template"):
        b.pop_until("template")
        b.clear_formatting()
        b.template_modes.pop()
        b.reset_mode()
        b.process(token)


def _after_body(b: Builder, token: Token) -> None:
    if isinstance(token, Piece) and is_blank(token.text):
        in_body(b, token)
    elif isinstance(token, Remark):
        b.insert_comment(token.data, b.open[0])
    elif isinstance(token, Start) and token.name == "html":
        in_body(b, token)
    elif isinstance(token, End) and token.name == "html":
        if b.context is None:
            b.mode = "after after body"
    elif not isinstance(token, Declaration | EndOfFile):
        b.again("in body", token)


def _after_after_body(b: Builder, token: Token) -> None:
    if isinstance(token, Remark):
        b.insert_comment(token.data, b.tree)
    elif (isinstance(token, Piece) and is_blank(token.text)) or (
        isinstance(token, Start) and token.name == "html"
    ):
        in_body(b, token)
    elif not isinstance(token, Declaration | EndOfFile):
        b.again("in body", token)


def _in_frameset(b: Builder, token: Token) -> None:
    if isinstance(token, Piece):
        _insert_blanks(b, token)
    elif isinstance(token, Remark):
        b.insert_comment(token.data)
    elif isinstance(token, Start):
        if token.name == "html":
            in_body(b, token)
        elif token.name == "frameset":
            b.insert("frameset", token.attrs)
        elif token.name == "frame":
            b.insert_void("frame", token.attrs)
        elif token.name == "noframes":
            in_head(b, token)
    elif isinstance(token, End) and token.name == "frameset" and len(b.open) > 1:
        b.open.pop()
        if b.context is None and not b.is_current("frameset"):
            b.mode = "after frameset"


def _after_frameset(b: Builder, token: Token) -> None:
    if isinstance(token, Piece):
        _insert_blanks(b, token)
    elif isinstance(token, Remark):
        b.insert_comment(token.data)
    elif isinstance(token, Start) and token.name == "html":
        in_body(b, token)
    elif isinstance(token, Start) and token.name == "noframes":
        in_head(b, token)
    elif isinstance(token, End) and token.name == "html":
        b.mode = "after after frameset"


def _after_after_frameset(b: Builder, token: Token) -> None:
    if isinstance(token, Remark):
        b.insert_comment(token.data, b.tree)
    elif (isinstance(token, Piece) and is_blank(token.text)) or (
        isinstance(token, Start) and token.name == "html"
    ):
        in_body(b, token)
    elif isinstance(token, Start) and token.name == "noframes":
        in_head(b, token)


def _insert_blanks(b: Builder, piece: Piece) -> None:
    """Of text between frames only the white space stays."""
    for at, char in enumerate(piece.text):
        if is_blank(char):
            b.insert_text(Piece(char, piece.start + at, piece.start + at + 1))


MODES: Final[dict[str, Mode]] = {
    "initial": initial,
    "before html": before_html,
    "before head": before_head,
    "in head": in_head,
    "in head noscript": in_head_noscript,
    "after head": after_head,
    "in body": in_body,
    "text": text,
    "in table": in_table,
    "in table text": in_table_text,
    "in caption": in_caption,
    "in column group": in_column_group,
    "in table body": in_table_body,
    "in row": in_row,
    "in cell": in_cell,
    "in template": _in_template,
    "after body": _after_body,
    "in frameset": _in_frameset,
    "after frameset": _after_frameset,
    "after after body": _after_after_body,
    "after after frameset": _after_after_frameset,
}
