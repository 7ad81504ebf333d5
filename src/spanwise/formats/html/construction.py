"""What the tree construction keeps between tokens, and how it goes from mode to mode.

HTML standard, 13.2.4 and 13.2.6. The rules themselves are in `before_body`, `body`, `table_modes`,
`modes` and `foreign`.
"""

import re
from collections.abc import Callable
from typing import Final

from spanwise.formats.html.formatting import Formatter
from spanwise.formats.html.nodes import HTML, Element, Piece
from spanwise.formats.html.tokens import RAWTEXT, RCDATA, Declaration, Remark, Token, Tokens

_BLANK: Final = re.compile(r"[\t\n\f\r ]*")

Mode = Callable[["Builder", Token], None]


class Builder(Formatter):
    """The state of the tree construction."""

    def __init__(
        self,
        source: str,
        modes: dict[str, Mode],
        foreign: Callable[["Builder", Token], bool],
        max_depth: int,
        max_objects: int,
        xml: bool = False,
    ) -> None:
        """At the start of a document."""
        super().__init__(max_depth, max_objects)
        self.tokens = Tokens(source, self.in_foreign, xml)
        self.mode = "initial"
        self.original_mode = ""
        self.template_modes: list[str] = []
        self.head: Element | None = None
        self.form: Element | None = None
        self.frameset_ok = True
        self.quirks = False
        self.scripting = False
        self.skip_newline = False
        self.table_text: list[Piece] = []
        self._modes = modes
        self._foreign = foreign

    def run(self) -> None:
        """Take all tokens."""
        for token in self.tokens:
            if self.skip_newline:
                self.skip_newline = False
                if isinstance(token, Piece) and token.text[0] == "\n":
                    if len(token.text) == 1:
                        continue
                    token = Piece(token.text[1:], token.start + 1, token.end)
            self.process(token)

    def process(self, token: Token) -> None:
        """Take one token by the rules of the mode, or those of foreign content."""
        if not self._foreign(self, token):
            self._modes[self.mode](self, token)

    def use(self, mode: str, token: Token) -> None:
        """Take one token by the rules of another mode."""
        self._modes[mode](self, token)

    def again(self, mode: str, token: Token) -> None:
        """Go to another mode and take the token there."""
        self.mode = mode
        self.process(token)

    def insert_raw(self, name: str, attrs: dict[str, str], state: int) -> None:
        """Put an element into the tree whose content is text only."""
        self.insert(name, attrs)
        self.tokens.state = state
        self.tokens.last_start = name
        self.original_mode = self.mode
        self.mode = "text"

    def reset_mode(self) -> None:
        """The mode that fits the elements that are open."""
        for at in range(len(self.open) - 1, -1, -1):
            node = self.open[at]
            last = at == 0
            if last and self.context is not None:
                node = self.context
            name = node.name if node.namespace == HTML else ""
            if name == "template":
                self.mode = self.template_modes[-1]
            elif name == "html":
                self.mode = "before head" if self.head is None else "after head"
            elif name in _MODE_OF and not (last and name in ("td", "th", "head")):
                self.mode = _MODE_OF[name]
            elif last:
                self.mode = "in body"
            else:
                continue
            return


_MODE_OF: Final = {
    "td": "in cell",
    "th": "in cell",
    "tr": "in row",
    "tbody": "in table body",
    "thead": "in table body",
    "tfoot": "in table body",
    "caption": "in caption",
    "colgroup": "in column group",
    "table": "in table",
    "head": "in head",
    "body": "in body",
    "frameset": "in frameset",
}


def rest_of(b: Builder, token: Token) -> Token | None:
    """What is left of a token of which white space at the start, or a comment, is in the tree now.

    None where nothing is.
    """
    if isinstance(token, Piece):
        blank, text = parted(token)
        if blank:
            b.insert_text(blank)
        return text
    if isinstance(token, Remark):
        b.insert_comment(token.data)
        return None
    return None if isinstance(token, Declaration) else token


def parted(piece: Piece) -> tuple[Piece | None, Piece | None]:
    """The white space that a text begins with, and the rest."""
    text, start, end = piece
    found = _BLANK.match(text)
    assert found is not None
    at = found.end()
    if at == 0:
        return None, piece
    if at == len(text):
        return piece, None
    return Piece(text[:at], start, start + at), Piece(text[at:], start + at, end)


def is_blank(text: str) -> bool:
    """Whether a text is white space only."""
    return _BLANK.fullmatch(text) is not None


RAW_STATES: Final = {
    "title": RCDATA,
    "textarea": RCDATA,
    "style": RAWTEXT,
    "xmp": RAWTEXT,
    "iframe": RAWTEXT,
    "noembed": RAWTEXT,
    "noframes": RAWTEXT,
}
"""How the content of elements without markup is read; `script` and `noscript` apart."""
