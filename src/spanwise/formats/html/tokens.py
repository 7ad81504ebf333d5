"""Source to tokens: tags, text, comments (HTML standard, 13.2.5).

States are not stepped through one character at a time; regular expressions take the same stretches.
Each text token knows where it stands in the source.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from spanwise.formats.html.nodes import Piece
from spanwise.formats.html.references import reference, unescaped

VOID: Final = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source "
    "track wbr".split()
)
"""Elements that never have content."""

DATA: Final = 0
RCDATA: Final = 1
RAWTEXT: Final = 2
SCRIPT: Final = 3
PLAINTEXT: Final = 4


class Start(NamedTuple):
    """A start tag."""

    name: str
    attrs: dict[str, str]
    self_closing: bool


class End(NamedTuple):
    """An end tag."""

    name: str


class Remark(NamedTuple):
    """A comment, or what counts as one."""

    data: str


class Declaration(NamedTuple):
    """A document type."""

    name: str
    public: str | None
    system: str | None
    force_quirks: bool


class EndOfFile(NamedTuple):
    """The end of the source."""


Token = Start | End | Remark | Declaration | EndOfFile | Piece

_WS: Final = "\t\n\f\r "
_TEXT: Final = re.compile(r"(?:[^<&\r\0]+|<(?![A-Za-z/!?])|&(?![0-9A-Za-z#]))+")
"""Text, with signs in it that begin nothing."""
_NAME: Final = re.compile(rf"[^{_WS}/>]+")
_BETWEEN: Final = re.compile(rf"(?:[{_WS}]|/(?!>))*")
_ATTRIBUTE: Final = re.compile(rf"[^{_WS}/>][^{_WS}/>=]*")
_EQUALS: Final = re.compile(rf"[{_WS}]*=[{_WS}]*")
_UNQUOTED: Final = re.compile(rf"[^{_WS}>]*")
_COMMENT_END: Final = re.compile(r"--!?>")
_SCRIPT_MARK: Final = re.compile(rf"<!--|</?script(?=[{_WS}/>])", re.IGNORECASE)
_ESCAPED_MARK: Final = re.compile(rf"-->|</?script(?=[{_WS}/>])", re.IGNORECASE)
_DOCTYPE_NAME: Final = re.compile(rf"[{_WS}]*([^{_WS}>]*)[{_WS}]*")
_DOCTYPE_ID: Final = re.compile(rf"[{_WS}]*([\"'])")


class Tokens:
    """The tokens of a source; the tree that is built from them may change `state` in between."""

    def __init__(self, source: str, in_foreign: Callable[[], bool], xml: bool = False) -> None:
        """`in_foreign` says whether a CDATA section may stand where the tree is now.

        With `xml` it may anywhere, and a tag can end itself, as `<title/>` does in XHTML.
        """
        self.source = source
        self.state = DATA
        self.last_start = ""
        """The name of the last start tag: what ends RCDATA and raw text."""
        self._in_foreign = in_foreign
        self._xml = xml
        self._at = 0

    def __iter__(self) -> Iterator[Token]:
        """All of them; the end of the file is the last."""
        source = self.source
        size = len(source)
        while self._at < size:
            if self.state == DATA:
                yield from self._data()
            elif self.state == PLAINTEXT:
                yield from self._plain(self._at, size)
                self._at = size
            else:
                yield from self._until_end_tag()
        yield EndOfFile()

    # -- text ------------------------------------------------------------------------------------

    def _data(self) -> Iterator[Token]:
        source = self.source
        at = self._at
        first = source[at]
        found = _TEXT.match(source, at)
        if found is not None:
            self._at = found.end()
            yield Piece(found.group(), at, self._at)
        elif first == "<":
            token = self._markup(at)
            if isinstance(token, Cdata):
                after = self._at
                yield from self._plain(token.start, token.end)
                self._at = after
            elif token is not None and not isinstance(token, str):
                yield token
                if self._xml and isinstance(token, Start) and token.self_closing:
                    # The tree may have taken it for the start of raw text.
                    self.state = DATA
                    if token.name not in VOID and not self._in_foreign():
                        yield End(token.name)
            if token is not None:
                return
            self._at = at + 1
            yield Piece("<", at, at + 1)
        elif first == "&":
            yield self._reference(at, len(source))
        elif first == "\r":
            yield self._line_ending(at)
        else:
            self._at = at + 1
            yield Piece("\0", at, at + 1)

    def _reference(self, at: int, end: int) -> Piece:
        found = reference(self.source, at, end)
        if found is None:
            self._at = at + 1
            return Piece("&", at, at + 1)
        self._at = found[1]
        return Piece(found[0], at, found[1])

    def _line_ending(self, at: int) -> Piece:
        self._at = at + (2 if self.source.startswith("\r\n", at) else 1)
        return Piece("\n", at, self._at)

    def _plain(self, at: int, end: int, references: bool = False) -> Iterator[Piece]:
        """The text up to `end`, in which no tag is."""
        source = self.source
        self._at = at
        while self._at < end:
            at = self._at
            first = source[at]
            if first == "&" and references:
                yield self._reference(at, end)
            elif first == "\r":
                yield self._line_ending(at)
            elif first == "\0":
                self._at = at + 1
                yield Piece("\ufffd", at, at + 1)
            else:
                stops = [source.find(mark, at + 1, end) for mark in "&\r\0"]
                if not references:
                    stops[0] = -1
                self._at = min([stop for stop in stops if stop >= 0], default=end)
                yield Piece(source[at : self._at], at, self._at)

    def _until_end_tag(self) -> Iterator[Token]:
        at = self._at
        if not self.last_start:
            end = len(self.source)  # a fragment, which nothing in it can end
        elif self.state == SCRIPT:
            end = self._script_end(at)
        else:
            end = self._end_tag(at)
        references = self.state == RCDATA
        yield from self._plain(at, end, references)
        self._at = end
        if end < len(self.source):
            self.state = DATA

    def _end_tag(self, at: int) -> int:
        pattern = re.compile(rf"</{re.escape(self.last_start)}(?=[{_WS}/>])", re.IGNORECASE)
        found = pattern.search(self.source, at)
        return found.start() if found else len(self.source)

    def _script_end(self, at: int) -> int:
        """Where the end tag of a script is: a `<!--` with a `<script` in it hides some."""
        pattern = _SCRIPT_MARK
        nested = False
        while found := pattern.search(self.source, at):
            mark = found.group().lower()
            at = found.end()
            if mark == "<!--":
                pattern = _ESCAPED_MARK
                at -= 2  # the dashes may be those of the end
            elif mark == "-->":
                pattern = _SCRIPT_MARK
                nested = False
            elif mark == "<script":
                nested = pattern is _ESCAPED_MARK
            elif nested:
                nested = False
            else:
                return found.start()
        return len(self.source)

    # -- markup ----------------------------------------------------------------------------------

    def _markup(self, at: int) -> "Token | Cdata | str | None":
        """The token at a `<`; None where it is text, a string where there is nothing to tell."""
        source = self.source
        following = source[at + 1 : at + 2]
        if following.isascii() and following.isalpha():
            return self._tag(at + 1, end_tag=False)
        if following == "/":
            third = source[at + 2 : at + 3]
            if third.isascii() and third.isalpha():
                return self._tag(at + 2, end_tag=True)
            if third == ">":
                self._at = at + 3
                return "</>"
            return self._bogus(at + 2) if third else None
        if following == "!":
            return self._declared(at + 2)
        if following == "?":
            return self._bogus(at + 1)
        return None

    def _tag(self, at: int, end_tag: bool) -> Token | str:
        source = self.source
        found = _NAME.match(source, at)
        assert found is not None
        name = _lower(found.group()).replace("\0", "\ufffd")
        at = found.end()
        attrs: dict[str, str] = {}
        self_closing = False
        while True:
            at = _BETWEEN.match(source, at).end()  # type: ignore[union-attr]
            closing = source[at : at + 1]
            if closing == ">":
                at += 1
                break
            if closing == "/":
                self_closing = True
                at += 2
                break
            found = _ATTRIBUTE.match(source, at)
            if found is None:
                self._at = len(source)
                return "a tag without an end"
            key = _lower(found.group()).replace("\0", "\ufffd")
            at = found.end()
            value = ""
            equals = _EQUALS.match(source, at)
            if equals:
                at = equals.end()
                quote = source[at : at + 1]
                if quote and quote in "\"'":
                    close = source.find(quote, at + 1)
                    if close < 0:
                        self._at = len(source)
                        return "a tag without an end"
                    value = source[at + 1 : close]
                    at = close + 1
                else:
                    bare = _UNQUOTED.match(source, at)
                    assert bare is not None
                    value = bare.group()
                    at = bare.end()
            if key not in attrs:
                attrs[key] = _value(value)
        self._at = at
        if end_tag:
            return End(name)
        self.last_start = name
        return Start(name, attrs, self_closing)

    def _declared(self, at: int) -> "Token | Cdata":
        """What follows `<!`."""
        source = self.source
        if source.startswith("--", at):
            return self._comment(at + 2)
        if source[at : at + 7].lower() == "doctype":
            return self._doctype(at + 7)
        if source.startswith("[CDATA[", at) and (self._xml or self._in_foreign()):
            end = source.find("]]>", at + 7)
            # Text like any other, but that nothing in it is markup.
            self._at = len(source) if end < 0 else end + 3
            return Cdata(at + 7, len(source) if end < 0 else end)
        return self._bogus(at)

    def _bogus(self, at: int) -> Remark:
        end = self.source.find(">", at)
        self._at = len(self.source) if end < 0 else end + 1
        return Remark(_value(self.source[at : len(self.source) if end < 0 else end], plain=True))

    def _comment(self, at: int) -> Remark:
        source = self.source
        for short in (">", "->"):
            if source.startswith(short, at):
                self._at = at + len(short)
                return Remark("")
        found = _COMMENT_END.search(source, at)
        if found:
            self._at = found.end()
            return Remark(_value(source[at : found.start()], plain=True))
        self._at = len(source)
        rest = source[at:]
        for open_end in ("--!", "--", "-"):
            if rest.endswith(open_end):
                rest = rest[: -len(open_end)]
                break
        return Remark(_value(rest, plain=True))

    def _doctype(self, at: int) -> Declaration:
        source = self.source
        close = source.find(">", at)
        end = len(source) if close < 0 else close
        found = _DOCTYPE_NAME.match(source, at, end)
        assert found is not None
        name = _lower(_value(found[1], plain=True))
        at = found.end()
        public = system = None
        quirks = not name
        word = source[at : min(end, at + 6)].lower()
        if name and word in ("public", "system"):
            at += 6
            ids: list[str] = []
            for _ in range(2 if word == "public" else 1):
                opening = _DOCTYPE_ID.match(source, at, end)
                if opening is None:
                    break
                closing = source.find(opening[1], opening.end(), end)
                if closing < 0:
                    ids.append(_value(source[opening.end() : end], plain=True))
                    at = end
                    quirks = True
                    break
                ids.append(_value(source[opening.end() : closing], plain=True))
                at = closing + 1
            if not ids:
                quirks = True
            if word == "public":
                public, system = [*ids, None, None][:2]
                if len(ids) == 1 and source[at:end].strip(_WS):
                    quirks = True
            elif ids:
                system = ids[0]
        elif at < end:
            quirks = True
        if close < 0:
            quirks = True
        self._at = end if close < 0 else close + 1
        return Declaration(name, public, system, quirks)


class Cdata(NamedTuple):
    """A CDATA section: text from `start` to before `end`."""

    start: int
    end: int


def _value(text: str, plain: bool = False) -> str:
    """An attribute's value or a comment's text as the tree has it."""
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text if plain else unescaped(text)


_ASCII_LOWER: Final = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}


def _lower(text: str) -> str:
    return text.lower() if text.isascii() else text.translate(_ASCII_LOWER)
