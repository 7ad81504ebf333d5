"""The modes of the tree construction in tables (HTML standard, 13.2.6.4.9 to 13.2.6.4.15)."""

from typing import Final

from spanwise.formats.html.before_body import in_head
from spanwise.formats.html.body import in_body
from spanwise.formats.html.construction import Builder, is_blank, rest_of
from spanwise.formats.html.names import ROWS, TABLE_PARTS, TABLE_SCOPE
from spanwise.formats.html.nodes import Piece
from spanwise.formats.html.tokens import Declaration, End, EndOfFile, Remark, Start, Token

_TABLE_CONTEXT: Final = frozenset(("table", "template", "html"))
_BODY_CONTEXT: Final = ROWS | {"template", "html"}
_ROW_CONTEXT: Final = frozenset(("tr", "template", "html"))


def in_table(b: Builder, token: Token) -> None:
    """Take a token in a table, outside of its rows."""
    if isinstance(token, Piece):
        if b.is_current("table", "tbody", "template", "tfoot", "thead", "tr"):
            b.table_text = []
            b.original_mode = b.mode
            b.again("in table text", token)
            return
    elif isinstance(token, Remark):
        b.insert_comment(token.data)
        return
    elif isinstance(token, Declaration):
        return
    elif isinstance(token, Start):
        if _table_start(b, token):
            return
    elif isinstance(token, End):
        if token.name == "table":
            if b.in_scope("table", TABLE_SCOPE):
                b.pop_until("table")
                b.reset_mode()
            return
        if token.name in TABLE_PARTS or token.name in ("body", "html"):
            return
        if token.name == "template":
            in_head(b, token)
            return
    else:
        in_body(b, token)
        return
    _foster(b, token)


def _foster(b: Builder, token: Token) -> None:
    b.foster = True
    in_body(b, token)
    b.foster = False


def _table_start(b: Builder, token: Start) -> bool:
    name, attrs, _ = token
    if name == "caption":
        b.pop_to(_TABLE_CONTEXT)
        b.formatting.append(None)
        b.insert(name, attrs)
        b.mode = "in caption"
    elif name == "colgroup":
        b.pop_to(_TABLE_CONTEXT)
        b.insert(name, attrs)
        b.mode = "in column group"
    elif name == "col":
        b.pop_to(_TABLE_CONTEXT)
        b.insert("colgroup", {})
        b.again("in column group", token)
    elif name in ROWS:
        b.pop_to(_TABLE_CONTEXT)
        b.insert(name, attrs)
        b.mode = "in table body"
    elif name in ("td", "th", "tr"):
        b.pop_to(_TABLE_CONTEXT)
        b.insert("tbody", {})
        b.again("in table body", token)
    elif name == "table":
        if b.in_scope("table", TABLE_SCOPE):
            b.pop_until("table")
            b.reset_mode()
            b.process(token)
    elif name in ("style", "script", "template"):
        in_head(b, token)
    elif name == "input" and attrs.get("type", "").lower() == "hidden":
        b.insert_void(name, attrs)
    elif name == "form":
        if b.form is None and not b.has_open("template"):
            b.form = b.insert(name, attrs)
            b.open.pop()
    else:
        return False
    return True


def in_table_text(b: Builder, token: Token) -> None:
    """Take a token after text in a table."""
    if isinstance(token, Piece):
        if token.text != "\0":
            b.table_text.append(token)
        return
    if all(is_blank(piece.text) for piece in b.table_text):
        for piece in b.table_text:
            b.insert_text(piece)
    else:
        for piece in b.table_text:
            _foster(b, piece)
    b.again(b.original_mode, token)


def in_caption(b: Builder, token: Token) -> None:
    """Take a token in a caption."""
    ends = isinstance(token, End) and token.name in ("caption", "table")
    if ends or (isinstance(token, Start) and token.name in TABLE_PARTS):
        if b.in_scope("caption", TABLE_SCOPE):
            b.imply_ends()
            b.pop_until("caption")
            b.clear_formatting()
            b.mode = "in table"
            if not (isinstance(token, End) and token.name == "caption"):
                b.process(token)
    elif not (
        isinstance(token, End) and (token.name in TABLE_PARTS or token.name in ("body", "html"))
    ):
        in_body(b, token)


def in_column_group(b: Builder, token: Token) -> None:
    """Take a token in a `colgroup`."""
    rest = rest_of(b, token)
    if rest is None:
        return
    if isinstance(rest, Start):
        if rest.name == "html":
            in_body(b, rest)
            return
        if rest.name == "col":
            b.insert_void("col", rest.attrs)
            return
        if rest.name == "template":
            in_head(b, rest)
            return
    elif isinstance(rest, End):
        if rest.name == "col":
            return
        if rest.name == "template":
            in_head(b, rest)
            return
    elif isinstance(rest, EndOfFile):
        in_body(b, rest)
        return
    if b.is_current("colgroup"):
        b.open.pop()
        b.mode = "in table"
        if not (isinstance(rest, End) and rest.name == "colgroup"):
            b.process(rest)


def in_table_body(b: Builder, token: Token) -> None:
    """Take a token among rows."""
    if isinstance(token, Start):
        if token.name == "tr":
            b.pop_to(_BODY_CONTEXT)
            b.insert("tr", token.attrs)
            b.mode = "in row"
            return
        if token.name in ("td", "th"):
            b.pop_to(_BODY_CONTEXT)
            b.insert("tr", {})
            b.again("in row", token)
            return
    elif isinstance(token, End):
        if token.name in ROWS:
            if b.in_scope(token.name, TABLE_SCOPE):
                b.pop_to(_BODY_CONTEXT)
                b.open.pop()
                b.mode = "in table"
            return
        if token.name in TABLE_PARTS or token.name in ("body", "html"):
            return
    if (
        isinstance(token, Start)
        and token.name in ("caption", "col", "colgroup", "tbody", "tfoot", "thead")
    ) or (isinstance(token, End) and token.name == "table"):
        if b.any_in_scope(ROWS, TABLE_SCOPE):
            b.pop_to(_BODY_CONTEXT)
            b.open.pop()
            b.again("in table", token)
        return
    in_table(b, token)


def in_row(b: Builder, token: Token) -> None:
    """Take a token in a row."""
    if isinstance(token, Start) and token.name in ("td", "th"):
        b.pop_to(_ROW_CONTEXT)
        b.insert(token.name, token.attrs)
        b.mode = "in cell"
        b.formatting.append(None)
        return
    ends = False
    if isinstance(token, End):
        if token.name in ROWS:
            if not b.in_scope(token.name, TABLE_SCOPE):
                return
            ends = True
        elif token.name in ("tr", "table"):
            ends = True
        elif token.name in TABLE_PARTS or token.name in ("body", "html"):
            return
    elif isinstance(token, Start):
        ends = token.name in ("caption", "col", "colgroup", "tbody", "tfoot", "thead", "tr")
    if not ends:
        in_table(b, token)
        return
    if b.in_scope("tr", TABLE_SCOPE):
        b.pop_to(_ROW_CONTEXT)
        b.open.pop()
        b.mode = "in table body"
        if not (isinstance(token, End) and token.name == "tr"):
            b.process(token)


def in_cell(b: Builder, token: Token) -> None:
    """Take a token in a cell."""
    if isinstance(token, End):
        if token.name in ("td", "th"):
            if b.in_scope(token.name, TABLE_SCOPE):
                b.imply_ends()
                b.pop_until(token.name)
                b.clear_formatting()
                b.mode = "in row"
            return
        if token.name in ("body", "caption", "col", "colgroup", "html"):
            return
        if token.name in ("table", "tbody", "tfoot", "thead", "tr"):
            if b.in_scope(token.name, TABLE_SCOPE):
                _close_cell(b)
                b.process(token)
            return
    elif isinstance(token, Start) and token.name in TABLE_PARTS:
        if b.any_in_scope(("td", "th"), TABLE_SCOPE):
            _close_cell(b)
            b.process(token)
        return
    in_body(b, token)


def _close_cell(b: Builder) -> None:
    b.imply_ends()
    b.pop_until("td", "th")
    b.clear_formatting()
    b.mode = "in row"
