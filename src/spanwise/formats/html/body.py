"""The mode "in body": most of the rules there are (HTML standard, 13.2.6.4.7)."""

from collections.abc import Callable
from typing import Final

from spanwise.formats.html.construction import Builder, is_blank
from spanwise.formats.html.names import (
    BUTTON_SCOPE,
    CLOSES_P,
    ENDS_BLOCK,
    FORMATTING,
    HEADINGS,
    IN_HEAD,
    LIST_SCOPE,
    TABLE_PARTS,
)
from spanwise.formats.html.nodes import HTML, MATHML, SVG, Piece
from spanwise.formats.html.open_elements import is_special
from spanwise.formats.html.tokens import (
    PLAINTEXT,
    RAWTEXT,
    RCDATA,
    Declaration,
    End,
    Remark,
    Start,
    Token,
)


def in_body(b: Builder, token: Token) -> None:
    """Take a token in the body."""
    if isinstance(token, Piece):
        if token.text != "\0":
            b.reconstruct()
            b.insert_text(token)
            if b.frameset_ok and not is_blank(token.text):
                b.frameset_ok = False
    elif isinstance(token, Start):
        (_STARTS.get(token.name) or _other_start)(b, token)
    elif isinstance(token, End):
        if not (b.flattened and b.ends_flattened(token.name)):
            (_ENDS.get(token.name) or _other_end)(b, token)
    elif isinstance(token, Remark):
        b.insert_comment(token.data)
    elif not isinstance(token, Declaration) and b.template_modes:
        b.use("in template", token)


# -- start tags ----------------------------------------------------------------------------------


def _other_start(b: Builder, token: Start) -> None:
    b.reconstruct()
    b.insert(token.name, token.attrs)


def _html(b: Builder, token: Start) -> None:
    if not b.has_open("template"):
        b.open[0].attrs = token.attrs | b.open[0].attrs


def _in_head(b: Builder, token: Token) -> None:
    b.use("in head", token)


def _body(b: Builder, token: Start) -> None:
    if len(b.open) < 2 or b.open[1].name != "body" or b.has_open("template"):
        return
    b.frameset_ok = False
    b.open[1].attrs = token.attrs | b.open[1].attrs


def _frameset(b: Builder, token: Start) -> None:
    if len(b.open) < 2 or b.open[1].name != "body" or not b.frameset_ok:
        return
    b.open[1].detach()
    del b.open[1:]
    b.insert(token.name, token.attrs)
    b.mode = "in frameset"


def _block(b: Builder, token: Start) -> None:
    b.close_p()
    b.insert(token.name, token.attrs)


def _heading(b: Builder, token: Start) -> None:
    b.close_p()
    if b.is_current(*HEADINGS):
        b.open.pop()
    b.insert(token.name, token.attrs)


def _pre(b: Builder, token: Start) -> None:
    _block(b, token)
    b.skip_newline = True
    b.frameset_ok = False


def _form(b: Builder, token: Start) -> None:
    in_template = b.has_open("template")
    if b.form is not None and not in_template:
        return
    b.close_p()
    form = b.insert(token.name, token.attrs)
    if not in_template:
        b.form = form


def _item(b: Builder, token: Start) -> None:
    """`li`, `dd` or `dt`: the one before ends."""
    b.frameset_ok = False
    names = ("li",) if token.name == "li" else ("dd", "dt")
    for node in reversed(b.open):
        if node.namespace == HTML and node.name in names:
            b.imply_ends(node.name)
            b.pop_until(node.name)
            break
        if is_special(node) and node.name not in ("address", "div", "p"):
            break
    _block(b, token)


def _plaintext(b: Builder, token: Start) -> None:
    _block(b, token)
    b.tokens.state = PLAINTEXT


def _button(b: Builder, token: Start) -> None:
    if b.in_scope("button"):
        b.imply_ends()
        b.pop_until("button")
    b.reconstruct()
    b.insert(token.name, token.attrs)
    b.frameset_ok = False


def _a(b: Builder, token: Start) -> None:
    before = b.noted("a")
    if before is not None:
        b.adopt("a")
        if before in b.formatting:
            b.formatting.remove(before)
        if before in b.open:
            b.open.remove(before)
    _formatting(b, token)


def _formatting(b: Builder, token: Start) -> None:
    b.reconstruct()
    b.insert_formatting(token.name, token.attrs)


def _nobr(b: Builder, token: Start) -> None:
    b.reconstruct()
    if b.in_scope("nobr"):
        _end_formatting(b, End("nobr"))
        b.reconstruct()
    b.insert_formatting(token.name, token.attrs)


def _object(b: Builder, token: Start) -> None:
    b.reconstruct()
    b.insert(token.name, token.attrs)
    b.formatting.append(None)
    b.frameset_ok = False


def _table(b: Builder, token: Start) -> None:
    if not b.quirks:
        b.close_p()
    b.insert(token.name, token.attrs)
    b.frameset_ok = False
    b.mode = "in table"


def _void(b: Builder, token: Start) -> None:
    b.reconstruct()
    b.insert_void(token.name, token.attrs)
    b.frameset_ok = False


def _input(b: Builder, token: Start) -> None:
    if b.context is not None and b.context.name == "select":
        return
    if b.in_scope("select"):
        b.pop_until("select")
    b.reconstruct()
    b.insert_void(token.name, token.attrs)
    if token.attrs.get("type", "").lower() != "hidden":
        b.frameset_ok = False


def _param(b: Builder, token: Start) -> None:
    b.insert_void(token.name, token.attrs)


def _hr(b: Builder, token: Start) -> None:
    b.close_p()
    if b.in_scope("select"):
        b.imply_ends()
    b.insert_void(token.name, token.attrs)
    b.frameset_ok = False


def _image(b: Builder, token: Start) -> None:
    b.process(token._replace(name="img"))


def _textarea(b: Builder, token: Start) -> None:
    b.insert_raw(token.name, token.attrs, RCDATA)
    b.skip_newline = True
    b.frameset_ok = False


def _xmp(b: Builder, token: Start) -> None:
    b.close_p()
    b.reconstruct()
    b.frameset_ok = False
    b.insert_raw(token.name, token.attrs, RAWTEXT)


def _iframe(b: Builder, token: Start) -> None:
    b.frameset_ok = False
    b.insert_raw(token.name, token.attrs, RAWTEXT)


def _noembed(b: Builder, token: Start) -> None:
    b.insert_raw(token.name, token.attrs, RAWTEXT)


def _noscript(b: Builder, token: Start) -> None:
    if b.scripting:
        _noembed(b, token)
    else:
        _other_start(b, token)


def _select(b: Builder, token: Start) -> None:
    if b.context is not None and b.context.name == "select":
        return
    if b.in_scope("select"):
        b.pop_until("select")
        return
    b.reconstruct()
    b.insert(token.name, token.attrs)
    b.frameset_ok = False


def _option(b: Builder, token: Start) -> None:
    if b.in_scope("select"):
        b.imply_ends("optgroup" if token.name == "option" else "")
    elif b.is_current("option"):
        b.open.pop()
    b.reconstruct()
    b.insert(token.name, token.attrs)


def _ruby_base(b: Builder, token: Start) -> None:
    if b.in_scope("ruby"):
        b.imply_ends("rtc" if token.name in ("rp", "rt") else "")
    b.insert(token.name, token.attrs)


def _foreign(b: Builder, token: Start) -> None:
    from spanwise.formats.html.foreign import insert_foreign

    b.reconstruct()
    insert_foreign(b, token, MATHML if token.name == "math" else SVG)


def _ignored(b: Builder, token: Token) -> None:
    """A part of a table outside of one."""


# -- end tags ------------------------------------------------------------------------------------


def _other_end(b: Builder, token: End) -> None:
    for node in reversed(b.open):
        if node.namespace == HTML and node.name == token.name:
            b.imply_ends(token.name)
            while b.open.pop() is not node:
                pass
            return
        if is_special(node):
            return


def _end_body(b: Builder, token: End) -> None:
    if b.in_scope("body"):
        b.mode = "after body"


def _end_html(b: Builder, token: End) -> None:
    if b.in_scope("body"):
        b.again("after body", token)


def _end_block(b: Builder, token: End) -> None:
    if b.in_scope(token.name):
        b.imply_ends()
        b.pop_until(token.name)


def _end_form(b: Builder, token: End) -> None:
    if b.has_open("template"):
        _end_block(b, token)
        return
    form = b.form
    b.form = None
    if form is not None and b.in_scope(form):
        b.imply_ends()
        b.open.remove(form)


def _end_p(b: Builder, token: End) -> None:
    if not b.in_scope("p", BUTTON_SCOPE):
        b.insert("p", {})
    b.close_p()


def _end_li(b: Builder, token: End) -> None:
    if b.in_scope("li", LIST_SCOPE):
        b.imply_ends("li")
        b.pop_until("li")


def _end_dd(b: Builder, token: End) -> None:
    if b.in_scope(token.name):
        b.imply_ends(token.name)
        b.pop_until(token.name)


def _end_heading(b: Builder, token: End) -> None:
    if b.any_in_scope(HEADINGS):
        b.imply_ends()
        b.pop_until(*HEADINGS)


def _end_formatting(b: Builder, token: End) -> None:
    if not b.adopt(token.name):
        _other_end(b, token)


def _end_object(b: Builder, token: End) -> None:
    if b.in_scope(token.name):
        b.imply_ends()
        b.pop_until(token.name)
        b.clear_formatting()


def _end_br(b: Builder, token: End) -> None:
    _void(b, Start("br", {}, False))


_STARTS: Final[dict[str, Callable[[Builder, Start], None]]] = {
    "html": _html,
    "body": _body,
    "frameset": _frameset,
    "form": _form,
    "plaintext": _plaintext,
    "button": _button,
    "a": _a,
    "nobr": _nobr,
    "table": _table,
    "input": _input,
    "hr": _hr,
    "image": _image,
    "textarea": _textarea,
    "xmp": _xmp,
    "iframe": _iframe,
    "noembed": _noembed,
    "noscript": _noscript,
    "select": _select,
    "math": _foreign,
    "svg": _foreign,
}
for _names, _start in (
    (IN_HEAD, _in_head),
    (CLOSES_P, _block),
    (HEADINGS, _heading),
    (("pre", "listing"), _pre),
    (("li", "dd", "dt"), _item),
    (FORMATTING - {"a", "nobr"}, _formatting),
    (("applet", "marquee", "object"), _object),
    (("area", "br", "embed", "img", "keygen", "wbr"), _void),
    (("param", "source", "track"), _param),
    (("option", "optgroup"), _option),
    (("rb", "rtc", "rp", "rt"), _ruby_base),
    (TABLE_PARTS | {"frame", "head"}, _ignored),
):
    for _name in _names:
        _STARTS[_name] = _start

_ENDS: Final[dict[str, Callable[[Builder, End], None]]] = {
    "template": _in_head,
    "body": _end_body,
    "html": _end_html,
    "form": _end_form,
    "p": _end_p,
    "li": _end_li,
    "dd": _end_dd,
    "dt": _end_dd,
    "br": _end_br,
}
for _group, _end in (
    (ENDS_BLOCK, _end_block),
    (HEADINGS, _end_heading),
    (FORMATTING, _end_formatting),
    (("applet", "marquee", "object"), _end_object),
):
    for _name in _group:
        _ENDS[_name] = _end
