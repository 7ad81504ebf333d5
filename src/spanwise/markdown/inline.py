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
    EXCLAMATION,
    LEFT_BRACKET,
    LEFT_PAREN,
    LESS,
    LF,
    RIGHT_BRACKET,
    SPACE,
    UNDERSCORE,
    is_blank,
)
from spanwise.markdown.inline_syntax import DIGITS, MAX_LABEL, InlineSyntax

MARKUP: Final = bytes([chr(code) in "\\`*_[]<&!\n" for code in range(128)])
"""1 at the characters without which a heading is its own text."""

WHITE_SPACE: Final = "\t\n\f\r \xa0\u1680\u202f\u205f\u3000" + "".join(
    [chr(code) for code in range(0x2000, 0x200B)]
)
"""Unicode white space (2.1)."""

HEX_DIGITS: Final = DIGITS + "abcdefABCDEF"

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
class _Inline(InlineSyntax):
    """One pass over one heading, from the left, `plain` being where unread plain text starts."""

    def __init__(self, raw: str, labels: frozenset[str]) -> None:
        super().__init__(raw)
        self.labels = labels
        self.plain: i64 = 0
        self.pieces: list[str] = []
        self.runs: list[_Run] = []
        self.brackets: list[_Bracket] = []
        self.inactive: i64 = 0
        # Positions of the runs of backticks by length, last one first.
        self.backticks: dict[int, list[int]] = {}

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

    def _flush(self, i: i64) -> None:
        if self.plain < i:
            self.pieces.append(self.raw[self.plain : i])

    def _put(self, start: i64, end: i64, text: str) -> i64:
        """Let `text` stand for what lies between `start` and `end`; where to go on."""
        self._flush(start)
        self.pieces.append(text)
        self.plain = end
        return end

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

    # Autolinks and raw HTML (6.5, 6.6)

    def _angle(self, i: i64) -> i64:
        end = self._autolink(i + 1)
        if end >= 0:
            return self._put(i, end + 1, self.raw[i + 1 : end])
        end = self._html(i + 1)
        return self._put(i, end, "") if end >= 0 else i


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
