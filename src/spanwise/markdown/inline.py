"""The text a reader sees of a heading: CommonMark 0.31.2 inline content (6) without its markup.

GitHub makes an anchor from the rendered heading, and our headings are raw. Code spans, escapes,
entities, HTML tags, autolinks, links, images and emphasis are read as the specification says, in
linear time. An image leaves nothing, as it has no text on the page.
"""

from typing import Final, final

from mypy_extensions import i64

from spanwise.kernel.anchors import is_punctuation
from spanwise.kernel.chars import (
    AMPERSAND,
    ASTERISK,
    BACKSLASH,
    BACKTICK,
    DELETE,
    EXCLAMATION,
    LEFT_BRACKET,
    LEFT_PAREN,
    LESS,
    LETTERS,
    LF,
    RIGHT_BRACKET,
    RIGHT_PAREN,
    SPACE,
    UNDERSCORE,
    is_blank,
)

MARKUP: Final = bytes([chr(code) in "\\`*_[]<&!\n" for code in range(128)])
"""1 at the characters without which a heading is its own text."""

BLANKS: Final = " \t\n"
WHITE_SPACE: Final = "\t\n\f\r \xa0\u1680\u202f\u205f\u3000" + "".join(
    [chr(code) for code in range(0x2000, 0x200B)]
)
"""Unicode white space (2.1)."""
ASCII_PUNCTUATION: Final = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"

DIGITS: Final = "0123456789"
HEX_DIGITS: Final = DIGITS + "abcdefABCDEF"
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
MAX_ENTITY: Final = 40
"""More than the length of the longest entity name of HTML 5."""


def visible_text(raw: str, labels: frozenset[str] = frozenset()) -> str:
    """The text of raw inline content; `labels` are the normalised labels of its document.

    A line ending stays one, without the blanks around it.
    """
    if is_plain(raw):
        return raw
    code = _one_code_span(raw)
    return _Inline(raw, labels).text() if code is None else code


def _one_code_span(raw: str) -> str | None:
    """The text of inline content with one code span and no other markup, which is common."""
    opened: i64 = raw.find("`")
    if opened < 0:
        return None
    closed: i64 = raw.find("`", opened + 1)
    # Not two backticks side by side, and no blank that goes.
    if closed <= opened + 1 or ord(raw[opened + 1]) == SPACE:
        return None
    before = raw[:opened]
    content = raw[opened + 1 : closed]
    after = raw[closed + 1 :]
    if not is_plain(before) or not is_plain(after) or "\n" in content:
        return None
    return before + content + after


def is_plain(raw: str) -> bool:
    """Whether raw inline content is its own text: nothing in it can be markup."""
    i: i64 = 0
    while i < len(raw):
        code: i64 = ord(raw[i])
        if code < 128 and MARKUP[code] != 0:
            return False
        i += 1
    return True


def normal_label(label: str) -> str:
    """A link label as labels are compared: case folded, white space collapsed (4.7)."""
    return " ".join(label.split()).casefold()


@final
class _Run:
    """A delimiter run (6.2): its piece, character, length now, length at first, flanking."""

    __slots__ = ("closes", "left", "mark", "opens", "piece", "size")

    def __init__(self, piece: i64, mark: str, size: i64, opens: bool, closes: bool) -> None:
        self.piece: i64 = piece
        self.mark = mark
        self.left: i64 = size
        self.size: i64 = size
        self.opens: bool = opens
        self.closes: bool = closes


@final
class _Bracket:
    """An open bracket: its piece, whether an image's, where its text starts, runs before it."""

    __slots__ = ("image", "piece", "runs", "text")

    def __init__(self, piece: i64, image: bool, text: i64, runs: i64) -> None:
        self.piece: i64 = piece
        self.image: bool = image
        self.text: i64 = text
        self.runs: i64 = runs


@final
class _Inline:
    """One pass over one heading, from the left, `plain` being where unread plain text starts."""

    def __init__(self, raw: str, labels: frozenset[str]) -> None:
        self.raw = raw
        self.labels = labels
        self.length: i64 = len(raw)
        self.plain: i64 = 0
        self.pieces: list[str] = []
        self.runs: list[_Run] = []
        self.brackets: list[_Bracket] = []
        self.inactive: i64 = 0
        # Positions of the runs of backticks by length, last one first.
        self.backticks: dict[int, list[int]] = {}
        # Where an attribute was looked for in vain: two scans that meet there end alike.
        self.no_tag: set[int] = set()
        # From where on there is no such closing text.
        self.absent: dict[str, int] = {}

    def text(self) -> str:
        """The visible text."""
        i: i64 = 0
        while i < self.length:
            code: i64 = ord(self.raw[i])
            end: i64 = i
            if code == BACKSLASH:
                end = self._escape(i)
            elif code == BACKTICK:
                end = self._code(i)
            elif code == ASTERISK or code == UNDERSCORE:
                end = self._run(i, code)
            elif code == LEFT_BRACKET:
                end = self._open(i, i + 1)
            elif code == EXCLAMATION:
                if self._at(i + 1) == LEFT_BRACKET:
                    end = self._open(i, i + 2)
            elif code == RIGHT_BRACKET:
                end = self._close(i)
            elif code == LESS:
                end = self._angle(i)
            elif code == AMPERSAND:
                end = self._entity(i)
            elif code == LF:
                end = self._line_ending(i)
            i = end if end > i else i + 1
        self._flush(self.length)
        self._emphasis(0)
        return "".join(self.pieces)

    def _at(self, i: i64) -> i64:
        """The code point at `i`, or -1 outside."""
        return ord(self.raw[i]) if i < self.length else -1

    def _flush(self, i: i64) -> None:
        if self.plain < i:
            self.pieces.append(self.raw[self.plain : i])

    def _put(self, start: i64, end: i64, text: str) -> i64:
        """Let `text` stand for what lies between `start` and `end`; where to go on."""
        self._flush(start)
        self.pieces.append(text)
        self.plain = end
        return end

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

    def _escape(self, i: i64) -> i64:
        """A backslash before ASCII punctuation or a line ending goes (2.4, 6.7)."""
        if self._escapes(i):
            return self._put(i, i + 2, self.raw[i + 1])
        return self._put(i, i + 1, "") if self._at(i + 1) == LF else i

    def _code(self, i: i64) -> i64:
        """A code span shows its content (6.1); a run without its like is text."""
        start = i
        while self._at(start) == BACKTICK:
            start += 1
        if not self.backticks:
            self._find_backticks()
        runs = self.backticks.get(start - i)
        while runs and runs[-1] < start:
            runs.pop()
        if not runs:
            return self._put(i, start, self.raw[i:start])
        end: i64 = runs[-1]
        content = self.raw[start:end].replace("\n", " ")
        if content.startswith(" ") and content.endswith(" ") and content.strip(" "):
            content = content[1:-1]
        return self._put(i, end + start - i, content)

    def _find_backticks(self) -> None:
        end: i64 = self.length
        while end > 0:
            if ord(self.raw[end - 1]) != BACKTICK:
                end -= 1
                continue
            start = end
            while start > 0 and ord(self.raw[start - 1]) == BACKTICK:
                start -= 1
            self.backticks.setdefault(end - start, []).append(start)
            end = start

    def _line_ending(self, i: i64) -> i64:
        """A line ending without the blanks on either side (6.8)."""
        before = i
        while before > self.plain and is_blank(ord(self.raw[before - 1])):
            before -= 1
        after = i + 1
        while after < self.length and is_blank(ord(self.raw[after])):
            after += 1
        return self._put(before, after, "\n")

    def _entity(self, i: i64) -> i64:
        """An entity or numeric character reference becomes its character (2.5)."""
        end: i64 = self.raw.find(";", i + 1, i + MAX_ENTITY)
        if end < 0:
            return i
        name = self.raw[i + 1 : end]
        character = _character(name)
        return self._put(i, end + 1, character) if character else i

    # Emphasis (6.2)

    def _run(self, i: i64, code: i64) -> i64:
        end = i
        while self._at(end) == code:
            end += 1
        before = self.raw[i - 1] if i > 0 else " "
        after = self.raw[end] if end < self.length else " "
        blank_before = before in WHITE_SPACE
        blank_after = after in WHITE_SPACE
        mark_before = is_punctuation(ord(before))
        mark_after = is_punctuation(ord(after))
        left = not blank_after and (not mark_after or blank_before or mark_before)
        right = not blank_before and (not mark_before or blank_after or mark_after)
        opens = left
        closes = right
        if code == UNDERSCORE:
            opens = left and (not right or mark_before)
            closes = right and (not left or mark_after)
        self._put(i, end, self.raw[i:end])
        self.runs.append(_Run(len(self.pieces) - 1, self.raw[i], end - i, opens, closes))
        return end

    def _emphasis(self, bottom: i64) -> None:
        """Take the delimiters that pair up away, from run `bottom` on, and forget the runs.

        The specification's procedure. `floor` keeps, for each kind of closer, the run below which
        no opener fits, which makes the search linear.
        """
        runs = self.runs
        if len(runs) <= bottom:
            return
        openers: list[int] = []
        floor: dict[str, int] = {}
        at: i64 = bottom
        while at < len(runs):
            run = runs[at]
            if run.closes:
                kind = f"{run.mark}{run.opens}{run.size % 3}"
                while run.left > 0:
                    below: i64 = len(openers) - 1
                    lowest: i64 = floor.get(kind, -1)
                    while below >= 0 and openers[below] > lowest:
                        if _fits(runs[openers[below]], run):
                            break
                        below -= 1
                    if below < 0 or openers[below] <= lowest:
                        floor[kind] = openers[-1] if openers else -1
                        break
                    opener = runs[openers[below]]
                    used = 2 if opener.left >= 2 and run.left >= 2 else 1
                    opener.left -= used
                    run.left -= used
                    del openers[below + 1 :]
                    if opener.left == 0:
                        openers.pop()
            if run.opens and run.left > 0:
                openers.append(at)
            at += 1
        for run in runs[bottom:]:
            self.pieces[run.piece] = run.mark * run.left
        del runs[bottom:]

    # Links and images (6.3, 6.4)

    def _open(self, i: i64, text: i64) -> i64:
        self._put(i, text, self.raw[i:text])
        bracket = _Bracket(len(self.pieces) - 1, text - i == 2, text, len(self.runs))
        self.brackets.append(bracket)
        return text

    def _close(self, i: i64) -> i64:
        if not self.brackets:
            return i
        bracket = self.brackets.pop()
        if not bracket.image and len(self.brackets) < self.inactive:
            self.inactive = len(self.brackets)
            return i
        end = self._link_end(bracket.text, i)
        if end < 0:
            return i
        self._flush(i)
        self.plain = end
        if bracket.image:
            del self.pieces[bracket.piece :]
            del self.runs[bracket.runs :]
            return end
        self._emphasis(bracket.runs)
        self.pieces[bracket.piece] = ""
        # Links do not hold links: what is open around this one opens none any more.
        self.inactive = len(self.brackets)
        return end

    def _link_end(self, text: i64, i: i64) -> i64:
        """End of the link or image whose text lies from `text` to the bracket at `i`, or -1."""
        following = self._at(i + 1)
        if following == LEFT_PAREN:
            end = self._destination(i + 2)
            if end >= 0:
                return end
        if not self.labels:
            return -1
        if following == LEFT_BRACKET:
            close = self._label_end(i + 2)
            if close > i + 2:
                return close + 1 if self._defined(i + 2, close) else -1
            if close == i + 2:
                return close + 1 if self._defined(text, i) else -1
        return i + 1 if self._defined(text, i) else -1

    def _defined(self, start: i64, end: i64) -> bool:
        if end - start > MAX_LABEL:
            return False
        return normal_label(self.raw[start:end]) in self.labels

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

    def _blanks(self, i: i64) -> i64:
        while i < self.length and self.raw[i] in BLANKS:
            i += 1
        return i

    # Autolinks and raw HTML (6.5, 6.6)

    def _angle(self, i: i64) -> i64:
        end = self._autolink(i + 1)
        if end >= 0:
            return self._put(i, end + 1, self.raw[i + 1 : end])
        end = self._html(i + 1)
        return self._put(i, end, "") if end >= 0 else i

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

    def _span(self, i: i64, characters: str) -> i64:
        """Where the `characters` from `i` on end."""
        while i < self.length and self.raw[i] in characters:
            i += 1
        return i

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

    def _after(self, closing: str, start: i64) -> i64:
        found = self._find(closing, start)
        return found + len(closing) if found >= 0 else -1

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


def _character(name: str) -> str:
    """What `&name;` stands for, or nothing when that is not a reference (2.5)."""
    if name.startswith("#"):
        digits = name[1:]
        base = 10
        if digits[:1] in ("x", "X"):
            digits = digits[1:]
            base = 16
        allowed = HEX_DIGITS if base == 16 else DIGITS
        if not digits or len(digits) > (6 if base == 16 else 7):
            return ""
        for digit in digits:
            if digit not in allowed:
                return ""
        code = int(digits, base)
        if code == 0 or code > 0x10FFFF or 0xD800 <= code < 0xE000:
            return "\ufffd"
        return chr(code)
    from html.entities import html5  # only where a heading has an entity

    return html5.get(name + ";", "")


def _fits(opener: _Run, closer: _Run) -> bool:
    """Whether the two runs pair up: rules 9 and 10 of 6.2."""
    if opener.mark != closer.mark:
        return False
    if not opener.closes and not closer.opens:
        return True
    first = opener.size
    second = closer.size
    return (first + second) % 3 != 0 or (first % 3 == 0 and second % 3 == 0)
