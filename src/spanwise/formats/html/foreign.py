"""SVG and MathML within HTML (HTML standard, 13.2.6.5)."""

from spanwise.formats.html.construction import Builder, is_blank
from spanwise.formats.html.names import (
    BREAKS_OUT,
    FOREIGN_ATTRIBUTES,
    MATHML_TEXT,
    SVG_ATTRIBUTES,
    SVG_NAMES,
    SVG_SPECIAL,
)
from spanwise.formats.html.nodes import HTML, MATHML, SVG, Element, Piece
from spanwise.formats.html.tokens import End, EndOfFile, Remark, Start, Token


def in_foreign(b: Builder, token: Token) -> bool:
    """Take a token by the rules of foreign content, where they are the ones; False elsewhere."""
    node = b.adjusted()
    if node is None or node.namespace == HTML or _is_html(node, token):
        return False
    if isinstance(token, Piece):
        if token.text == "\0":
            token = token._replace(text="\ufffd")
        elif not is_blank(token.text):
            b.frameset_ok = False
        b.insert_text(token)
    elif isinstance(token, Remark):
        b.insert_comment(token.data)
    elif isinstance(token, Start):
        if token.name in BREAKS_OUT or (
            token.name == "font" and not {"color", "face", "size"}.isdisjoint(token.attrs)
        ):
            _break_out(b, token)
        else:
            insert_foreign(b, token, node.namespace)
    elif isinstance(token, End):
        _end(b, token)
    return True


def insert_foreign(b: Builder, token: Start, namespace: str) -> None:
    """Put an element of SVG or MathML into the tree."""
    name = token.name
    attrs = token.attrs
    if namespace == SVG:
        name = SVG_NAMES.get(name, name)
        attrs = {SVG_ATTRIBUTES.get(key, key): value for key, value in attrs.items()}
    else:
        attrs = {
            "definitionURL" if key == "definitionurl" else key: value
            for key, value in attrs.items()
        }
    attrs = {FOREIGN_ATTRIBUTES.get(key, key): value for key, value in attrs.items()}
    b.insert(name, attrs, namespace)
    if token.self_closing:
        b.open.pop()


def _is_html(node: Element, token: Token) -> bool:
    """Whether a token within `node` is for the rules of HTML all the same."""
    if isinstance(token, EndOfFile):
        return True
    if not isinstance(token, Start | Piece):
        return False
    is_start = isinstance(token, Start)
    if node.namespace == MATHML:
        if node.name in MATHML_TEXT:
            return not (isinstance(token, Start) and token.name in ("mglyph", "malignmark"))
        if node.name == "annotation-xml":
            if isinstance(token, Start) and token.name == "svg":
                return True
            said = node.attrs.get("encoding", "").lower()
            return said in ("text/html", "application/xhtml+xml")
        return False
    return node.name in SVG_SPECIAL and (is_start or isinstance(token, Piece))


def _is_text_point(node: Element) -> bool:
    """Whether HTML may stand in `node`."""
    if node.namespace == MATHML:
        return node.name in MATHML_TEXT or (
            node.name == "annotation-xml"
            and node.attrs.get("encoding", "").lower() in ("text/html", "application/xhtml+xml")
        )
    return node.namespace == SVG and node.name in SVG_SPECIAL


def _break_out(b: Builder, token: Start | End) -> None:
    while b.current.namespace != HTML and not _is_text_point(b.current):
        b.open.pop()
    b.use(b.mode, token)


def _end(b: Builder, token: End) -> None:
    if token.name in ("br", "p"):
        _break_out(b, token)
        return
    for at in range(len(b.open) - 1, 0, -1):
        node = b.open[at]
        if node.namespace == HTML:
            b.use(b.mode, token)
            return
        if node.name.lower() == token.name:
            del b.open[at:]
            return
