"""The modes of the tree construction up to the body (HTML standard, 13.2.6.4.1 to 13.2.6.4.8)."""

from typing import Final

from spanwise.formats.html.body import in_body
from spanwise.formats.html.construction import RAW_STATES, Builder, is_blank, parted, rest_of
from spanwise.formats.html.names import THOROUGHLY_IMPLIED_END, is_quirky
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

HEAD_NAMES: Final = frozenset(
    "base basefont bgsound link meta noframes script style template title".split()
)


def initial(b: Builder, token: Token) -> None:
    """Take a token before the document type."""
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


def before_html(b: Builder, token: Token) -> None:
    """Take a token before the root."""
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


def before_head(b: Builder, token: Token) -> None:
    """Take a token before the head."""
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


def in_head(b: Builder, token: Token) -> None:
    """Take a token in the head."""
    rest = rest_of(b, token)
    if rest is None:
        return
    if isinstance(rest, Start):
        if rest.name == "html":
            in_body(b, rest)
            return
        if rest.name == "head" or _head_start(b, rest):
            return
    elif isinstance(rest, End):
        if rest.name == "head":
            b.open.pop()
            b.mode = "after head"
            return
        if rest.name == "template":
            _end_template(b)
            return
        if rest.name not in ("body", "html", "br"):
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


def in_head_noscript(b: Builder, token: Token) -> None:
    """Take a token in a `noscript` of the head."""
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
        in_head(b, token)
    elif (isinstance(token, End) and token.name != "br") or (
        isinstance(token, Start) and token.name in ("head", "noscript")
    ):
        return
    else:
        b.open.pop()
        b.again("in head", token)


def after_head(b: Builder, token: Token) -> None:
    """Take a token between head and body."""
    rest = rest_of(b, token)
    if rest is None:
        return
    if isinstance(rest, Start):
        if rest.name == "html":
            in_body(b, rest)
            return
        if rest.name == "body":
            b.insert("body", rest.attrs)
            b.frameset_ok = False
            b.mode = "in body"
            return
        if rest.name == "frameset":
            b.insert("frameset", rest.attrs)
            b.mode = "in frameset"
            return
        if rest.name == "head":
            return
        if rest.name in HEAD_NAMES:
            assert b.head is not None
            b.push(b.head)
            in_head(b, rest)
            b.open.remove(b.head)
            return
    elif isinstance(rest, End):
        if rest.name == "template":
            in_head(b, rest)
            return
        if rest.name not in ("body", "html", "br"):
            return
    b.insert("body", {})
    b.again("in body", rest)


def text(b: Builder, token: Token) -> None:
    """Take a token of an element that holds nothing but text."""
    if isinstance(token, Piece):
        b.insert_text(token)
        return
    b.open.pop()
    b.mode = b.original_mode
    if isinstance(token, EndOfFile):
        b.process(token)


def _without_blank(token: Token) -> Token | None:
    """The token without white space at its start; None where nothing is left."""
    return parted(token)[1] if isinstance(token, Piece) else token
