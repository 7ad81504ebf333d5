"""Where inline constructs end: labels, destinations, titles, autolinks and HTML tags.

CommonMark 0.31.2, 6.3 to 6.6. Each method takes where something begins and gives back its end, or
-1 when it is not that. All of them together are linear in the text: what was looked for in vain is
remembered.
"""

from typing import Final

from mypy_extensions import i64

from spanwise.kernel.chars import (
    BACKSLASH,
    DELETE,
    LEFT_BRACKET,
    LEFT_PAREN,
    LESS,
    LETTERS,
    RIGHT_BRACKET,
    RIGHT_PAREN,
    SPACE,
)

DIGITS: Final = "0123456789"
BLANKS: Final = " \t\n"
ASCII_PUNCTUATION: Final = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
TAG_NAME: Final = LETTERS + DIGITS + "-"
ATTRIBUTE_START: Final = LETTERS + "_:"
ATTRIBUTE_NAME: Final = ATTRIBUTE_START + DIGITS + ".-"
NOT_UNQUOTED: Final = BLANKS + "\"'=<>`"
SCHEME: Final = LETTERS + DIGITS + "+.-"
MAILBOX: Final = LETTERS + DIGITS + ".!#$%&'*+/=?^_`{|}~-"
HOST: Final = LETTERS + DIGITS + ".-"

MAX_LABEL: Final = 999
MAX_PARENTHESES: Final = 32
"""Depth of parentheses in a link destination; the specification asks for three at least (6.3)."""


class InlineSyntax:
    """The inline text of one heading, and what was looked for in it in vain."""

    def __init__(self, raw: str) -> None:
        """Nothing is looked for yet."""
        self.raw = raw
        self.length: i64 = len(raw)
        # Where an attribute was looked for in vain: two scans that meet there end alike.
        self.no_tag: set[int] = set()
        # From where on there is no such closing text.
        self.absent: dict[str, int] = {}

    def _at(self, i: i64) -> i64:
        """The code point at `i`, or -1 outside."""
        return ord(self.raw[i]) if i < self.length else -1

    def _find(self, closing: str, start: i64) -> i64:
        """Where `closing` comes next, or -1; what is missing is looked for once."""
        missing: i64 = self.absent.get(closing, self.length)
        if start >= missing:
            return -1
        found: i64 = self.raw.find(closing, start)
        if found < 0:
            self.absent[closing] = start
        return found

    def _escapes(self, i: i64) -> bool:
        """Whether a backslash stands at `i` before ASCII punctuation."""
        return (
            ord(self.raw[i]) == BACKSLASH
            and i + 1 < self.length
            and self.raw[i + 1] in ASCII_PUNCTUATION
        )

    def _blanks(self, i: i64) -> i64:
        while i < self.length and self.raw[i] in BLANKS:
            i += 1
        return i

    def _span(self, i: i64, characters: str) -> i64:
        """Where the `characters` from `i` on end."""
        while i < self.length and self.raw[i] in characters:
            i += 1
        return i

    def _after(self, closing: str, start: i64) -> i64:
        found = self._find(closing, start)
        return found + len(closing) if found >= 0 else -1

    # Links (6.3)

    def _label_end(self, start: i64) -> i64:
        """The bracket that closes a label, or -1 (4.7; at most 999 characters)."""
        i = start
        stop = min(self.length, start + MAX_LABEL + 1)
        while i < stop:
            code = self._at(i)
            if code == RIGHT_BRACKET:
                return i
            if code == LEFT_BRACKET:
                return -1
            i += 2 if code == BACKSLASH else 1
        return -1

    def _destination(self, i: i64) -> i64:
        """End of `destination "title")` that starts at `i`, or -1 (6.3)."""
        i = self._blanks(i)
        if self._at(i) == LESS:
            i += 1
            while i < self.length and self.raw[i] not in "<>\n":
                i += 2 if self._escapes(i) else 1
            if i >= self.length or self.raw[i] != ">":
                return -1
            i += 1
        else:
            depth: i64 = 0
            while i < self.length:
                code = self._at(i)
                if code <= SPACE or code == DELETE or (code == RIGHT_PAREN and depth == 0):
                    break
                if code == LEFT_PAREN:
                    depth += 1
                    if depth > MAX_PARENTHESES:
                        return -1
                elif code == RIGHT_PAREN:
                    depth -= 1
                i += 2 if self._escapes(i) else 1
            if depth:
                return -1
        end = self._blanks(i)
        if end > i and end < self.length and self.raw[end] in "\"'(":
            end = self._title(end)
            if end < 0:
                return -1
            end = self._blanks(end)
        return end + 1 if self._at(end) == RIGHT_PAREN else -1

    def _title(self, start: i64) -> i64:
        """End of the title that opens at `start`, or -1."""
        opening = self.raw[start]
        closing = ")" if opening == "(" else opening
        if self._find(closing, start + 1) < 0:
            return -1
        i = start + 1
        while i < self.length:
            character = self.raw[i]
            if character == closing:
                return i + 1
            if character == "(" and opening == "(":
                return -1
            i += 2 if character == "\\" else 1
        return -1

    # Autolinks and raw HTML (6.5, 6.6)

    def _autolink(self, start: i64) -> i64:
        """The `>` of an absolute URI or e-mail address that starts at `start`, or -1."""
        i = self._span(start, SCHEME)
        if self._at(i) == 0x3A and 2 <= i - start <= 32 and self.raw[start] in LETTERS:
            while i < self.length and ord(self.raw[i]) > SPACE and self.raw[i] not in "<>":
                i += 1
            return i if i < self.length and self.raw[i] == ">" else -1
        i = self._span(start, MAILBOX)
        if i == start or self._at(i) != 0x40:
            return -1
        end = self._span(i + 1, HOST)
        return end if end > i + 1 and end < self.length and self.raw[end] == ">" else -1

    def _html(self, start: i64) -> i64:
        """End of the tag, comment, instruction, declaration or CDATA after `<`, or -1."""
        raw = self.raw
        if raw.startswith("!--", start):
            if raw.startswith(">", start + 3):
                return start + 4
            if raw.startswith("->", start + 3):
                return start + 5
            return self._after("-->", start + 3)
        if raw.startswith("?", start):
            return self._after("?>", start + 1)
        if raw.startswith("![CDATA[", start):
            return self._after("]]>", start + 8)
        if raw.startswith("!", start):
            following = start + 1 < self.length and raw[start + 1] in LETTERS
            return self._after(">", start + 1) if following else -1
        if raw.startswith("/", start):
            i = self._span(start + 1, TAG_NAME)
            if i == start + 1 or raw[start + 1] not in LETTERS:
                return -1
            i = self._blanks(i)
            return i + 1 if raw.startswith(">", i) else -1
        if start >= self.length or raw[start] not in LETTERS:
            return -1
        return self._attributes(self._span(start, TAG_NAME))

    def _attributes(self, i: i64) -> i64:
        """End of an open tag whose name ends at `i`, or -1."""
        passed = []
        end: i64 = -1
        while True:
            if i in self.no_tag:
                break
            passed.append(i)
            name = self._blanks(i)
            if self.raw.startswith(">", name):
                end = name + 1
                break
            if self.raw.startswith("/>", name):
                end = name + 2
                break
            if name == i or name >= self.length or self.raw[name] not in ATTRIBUTE_START:
                break
            i = self._value(self._span(name, ATTRIBUTE_NAME))
            if i < 0:
                break
        if end < 0:
            self.no_tag.update(passed)
        return end

    def _value(self, i: i64) -> i64:
        """End of the `= value` that may follow an attribute's name, or -1 where it is broken."""
        equals = self._blanks(i)
        if not self.raw.startswith("=", equals):
            return i
        start = self._blanks(equals + 1)
        if start >= self.length:
            return -1
        quote = self.raw[start]
        if quote == '"' or quote == "'":
            return self._after(quote, start + 1)
        end = start
        while end < self.length and self.raw[end] not in NOT_UNQUOTED:
            end += 1
        return end if end > start else -1
