"""The modes of the tree construction other than "in body" (HTML standard, 13.2.6.4)."""

from typing import Final

from spanwise.formats.html.body import in_body
from spanwise.formats.html.construction import RAW_STATES, Builder, Mode, is_blank, parted
from spanwise.formats.html.names import (
    ROWS,
    TABLE_PARTS,
    TABLE_SCOPE,
    THOROUGHLY_IMPLIED_END,
    is_quirky,
)
from spanwise.formats.html.nodes import Doctype, Piece
from spanwise.formats.html.tokens import (
    RAWTEXT,
    SCRIPT,
    Declaration,
    End,
    EndOfFile,
    Remark,
    Start,
    Token,
)

# -- up to the body ------------------------------------------------------------------------------


def _initial(b: Builder, token: Token) -> None:
    rest = _without_blank(token)
    if rest is None:
        return
    if isinstance(token, Remark):
        b.insert_comment(token.data, b.tree)
    elif isinstance(token, Declaration):
        name, public, system, force_quirks = token
        b.tree.append(Doctype(name, public, system))
        b.quirks = force_quirks or is_quirky(name, public, system)
        b.mode = "before html"
    else:
        b.quirks = True
        b.again("before html", rest)


def _before_html(b: Builder, token: Token) -> None:
    rest = _without_blank(token)
    if rest is None or isinstance(token, Declaration):
        return
    if isinstance(token, Remark):
        b.insert_comment(token.data, b.tree)
        return
    if isinstance(token, End) and token.name not in ("head", "body", "html", "br"):
        return
    given = isinstance(token, Start) and token.name == "html"
    html = b.new("html", token.attrs if given and isinstance(token, Start) else {})
    b.tree.append(html)
    b.push(html)
    b.mode = "before head"
    if not given:
        b.process(rest)


def _before_head(b: Builder, token: Token) -> None:
    rest = _without_blank(token)
    if rest is None or isinstance(token, Declaration):
        return
    if isinstance(token, Remark):
        b.insert_comment(token.data)
    elif isinstance(token, Start) and token.name == "html":
        in_body(b, token)
    elif isinstance(token, Start) and token.name == "head":
        b.head = b.insert("head", token.attrs)
        b.mode = "in head"
    elif not isinstance(token, End) or token.name in ("head", "body", "html", "br"):
        b.head = b.insert("head", {})
        b.again("in head", rest)


def _in_head(b: Builder, token: Token) -> None:
    rest: Token = token
    if isinstance(token, Piece):
        blank, text = parted(token)
        if blank:
            b.insert_text(blank)
        if text is None:
            return
        rest = text
    elif isinstance(token, Remark):
        b.insert_comment(token.data)
        return
    elif isinstance(token, Declaration):
        return
    elif isinstance(token, Start):
        if token.name == "html":
            in_body(b, token)
            return
        if token.name == "head" or _head_start(b, token):
            return
    elif isinstance(token, End):
        if token.name == "head":
            b.open.pop()
            b.mode = "after head"
            return
        if token.name == "template":
            _end_template(b)
            return
        if token.name not in ("body", "html", "br"):
            return
    b.open.pop()
    b.again("after head", rest)


def _head_start(b: Builder, token: Start) -> bool:
    """Take a start tag that belongs into the head; False for another."""
    name = token.name
    if name in ("base", "basefont", "bgsound", "link", "meta"):
        b.insert_void(name, token.attrs)
    elif name == "noscript" and not b.scripting:
        b.insert(name, token.attrs)
        b.mode = "in head noscript"
    elif name in ("title", "style", "noframes", "noscript"):
        b.insert_raw(name, token.attrs, RAW_STATES.get(name, RAWTEXT))
    elif name == "script":
        b.insert_raw(name, token.attrs, SCRIPT)
    elif name == "template":
        b.insert(name, token.attrs)
        b.formatting.append(None)
        b.frameset_ok = False
        b.mode = "in template"
        b.template_modes.append("in template")
    else:
        return False
    return True


def _end_template(b: Builder) -> None:
    if not b.has_open("template"):
        return
    b.imply_ends(names=THOROUGHLY_IMPLIED_END)
    b.pop_until("template")
    b.clear_formatting()
    b.template_modes.pop()
    b.reset_mode()


def _in_head_noscript(b: Builder, token: Token) -> None:
    if isinstance(token, Declaration):
        return
    if isinstance(token, Start) and token.name == "html":
        in_body(b, token)
    elif isinstance(token, End) and token.name == "noscript":
        b.open.pop()
        b.mode = "in head"
    elif (
        isinstance(token, Remark)
        or (isinstance(token, Piece) and is_blank(token.text))
        or (
            isinstance(token, Start)
            and token.name in ("basefont", "bgsound", "link", "meta", "noframes", "style")
        )
    ):
        _in_head(b, token)
    elif (isinstance(token, End) and token.name != "br") or (
        isinstance(token, Start) and token.name in ("head", "noscript")
    ):
        return
    else:
        b.open.pop()
        b.again("in head", token)


def _after_head(b: Builder, token: Token) -> None:
    rest: Token = token
    if isinstance(token, Piece):
        blank, text = parted(token)
        if blank:
            b.insert_text(blank)
        if text is None:
            return
        rest = text
    elif isinstance(token, Remark):
        b.insert_comment(token.data)
        return
    elif isinstance(token, Declaration):
        return
    elif isinstance(token, Start):
        if token.name == "html":
            in_body(b, token)
            return
        if token.name == "body":
            b.insert("body", token.attrs)
            b.frameset_ok = False
            b.mode = "in body"
            return
        if token.name == "frameset":
            b.insert("frameset", token.attrs)
            b.mode = "in frameset"
            return
        if token.name == "head":
            return
        if token.name in _HEAD_NAMES:
            assert b.head is not None
            b.push(b.head)
            _in_head(b, token)
            b.open.remove(b.head)
            return
    elif isinstance(token, End):
        if token.name == "template":
            _in_head(b, token)
            return
        if token.name not in ("body", "html", "br"):
            return
    b.insert("body", {})
    b.again("in body", rest)


def _text(b: Builder, token: Token) -> None:
    if isinstance(token, Piece):
        b.insert_text(token)
        return
    b.open.pop()
    b.mode = b.original_mode
    if isinstance(token, EndOfFile):
        b.process(token)


# -- tables --------------------------------------------------------------------------------------


def _in_table(b: Builder, token: Token) -> None:
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
            _in_head(b, token)
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
        _in_head(b, token)
    elif name == "input" and attrs.get("type", "").lower() == "hidden":
        b.insert_void(name, attrs)
    elif name == "form":
        if b.form is None and not b.has_open("template"):
            b.form = b.insert(name, attrs)
            b.open.pop()
    else:
        return False
    return True


def _in_table_text(b: Builder, token: Token) -> None:
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


def _in_caption(b: Builder, token: Token) -> None:
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


def _in_column_group(b: Builder, token: Token) -> None:
    rest: Token = token
    if isinstance(token, Piece):
        blank, text = parted(token)
        if blank:
            b.insert_text(blank)
        if text is None:
            return
        rest = text
    elif isinstance(token, Remark):
        b.insert_comment(token.data)
        return
    elif isinstance(token, Declaration):
        return
    elif isinstance(token, Start):
        if token.name == "html":
            in_body(b, token)
            return
        if token.name == "col":
            b.insert_void("col", token.attrs)
            return
        if token.name == "template":
            _in_head(b, token)
            return
    elif isinstance(token, End):
        if token.name == "col":
            return
        if token.name == "template":
            _in_head(b, token)
            return
    else:
        in_body(b, token)
        return
    if b.is_current("colgroup"):
        b.open.pop()
        b.mode = "in table"
        if not (isinstance(token, End) and token.name == "colgroup"):
            b.process(rest)


def _in_table_body(b: Builder, token: Token) -> None:
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
    _in_table(b, token)


def _in_row(b: Builder, token: Token) -> None:
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
        _in_table(b, token)
        return
    if b.in_scope("tr", TABLE_SCOPE):
        b.pop_to(_ROW_CONTEXT)
        b.open.pop()
        b.mode = "in table body"
        if not (isinstance(token, End) and token.name == "tr"):
            b.process(token)


def _in_cell(b: Builder, token: Token) -> None:
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


# -- templates, framesets, the end ---------------------------------------------------------------


def _in_template(b: Builder, token: Token) -> None:
    if isinstance(token, Piece | Remark | Declaration):
        in_body(b, token)
    elif isinstance(token, Start):
        name = token.name
        if name in _HEAD_NAMES:
            _in_head(b, token)
            return
        mode = _TEMPLATE_MODES.get(name, "in body")
        b.template_modes[-1] = mode
        b.again(mode, token)
    elif isinstance(token, End):
        if token.name == "template":
            _in_head(b, token)
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
            _in_head(b, token)
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
        _in_head(b, token)
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
        _in_head(b, token)


def _insert_blanks(b: Builder, piece: Piece) -> None:
    """Of text between frames only the white space stays."""
    for at, char in enumerate(piece.text):
        if is_blank(char):
            b.insert_text(Piece(char, piece.start + at, piece.start + at + 1))


def _without_blank(token: Token) -> Token | None:
    """The token without white space at its start; None where nothing is left."""
    return parted(token)[1] if isinstance(token, Piece) else token


_HEAD_NAMES: Final = frozenset(
    "base basefont bgsound link meta noframes script style template title".split()
)
_TABLE_CONTEXT: Final = frozenset(("table", "template", "html"))
_BODY_CONTEXT: Final = ROWS | {"template", "html"}
_ROW_CONTEXT: Final = frozenset(("tr", "template", "html"))
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

MODES: Final[dict[str, Mode]] = {
    "initial": _initial,
    "before html": _before_html,
    "before head": _before_head,
    "in head": _in_head,
    "in head noscript": _in_head_noscript,
    "after head": _after_head,
    "in body": in_body,
    "text": _text,
    "in table": _in_table,
    "in table text": _in_table_text,
    "in caption": _in_caption,
    "in column group": _in_column_group,
    "in table body": _in_table_body,
    "in row": _in_row,
    "in cell": _in_cell,
    "in template": _in_template,
    "after body": _after_body,
    "in frameset": _in_frameset,
    "after frameset": _after_frameset,
    "after after body": _after_after_body,
    "after after frameset": _after_after_frameset,
}
