"""A tolerant reading of JSON: its edits, what may stand between tokens, and looking ahead."""

from typing import Final

from mypy_extensions import i64

from spanwise.kernel.chars import (
    ASTERISK,
    COLON,
    FULL_STOP,
    HASH,
    HYPHEN,
    LEFT_BRACE,
    LEFT_BRACKET,
    NINE,
    SLASH,
    ZERO,
)
from spanwise.kernel.json_lexis import (
    ELLIPSIS,
    LITERALS,
    LONGEST_LITERAL,
    ODD_WHITE,
    QUOTES,
    bare_name_end,
    bare_word_end,
    usual_closer,
)
from spanwise.kernel.json_syntax import skip_white

FAR: Final = 500
"""How far a string may reach that is looked for ahead; a bound keeps all work linear."""


class Reading:
    """Reading `[start, end)` of a text, with the edits that make it JSON.

    Edits are four lists of the same length, not yet in order; no two overlap. `reason` is empty
    unless the reading was declined.
    """

    def __init__(self, text: str, end: i64) -> None:
        """Nothing is read yet."""
        self.text = text
        self.end = end
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.replacements: list[str] = []
        self.rules: list[str] = []
        self.reason = ""
        self.place: i64 = -1
        self.cut: bool = False  # the text ends inside a name or a number that says nothing yet

    def _edit(self, start: i64, end: i64, replacement: str, rule: str) -> None:
        self.starts.append(start)
        self.ends.append(end)
        self.replacements.append(replacement)
        self.rules.append(rule)

    def declined(self) -> bool:
        """Whether the reading is not certain; `reason` and `place` say why and where."""
        return self.place >= 0

    def _decline(self, reason: str, place: i64) -> i64:
        if self.place < 0:
            self.reason = reason
            self.place = place
        return -1

    # -- between tokens ----------------------------------------------------------------------------

    def _skip(self, i: i64) -> i64:
        """First position from `i` on with neither white space nor a comment, which goes."""
        text = self.text
        end = self.end
        while True:
            i = skip_white(text, i, end)
            if i >= end:
                return end
            if text[i] in ODD_WHITE:
                self._edit(i, i + 1, " ", "white_space")
                i += 1
            elif self._begins_comment(i):
                after = self._comment_end(i)
                self._edit(i, after, "", "comment")
                i = after
            else:
                return i

    def _blank_end(self, i: i64) -> i64:
        """First position from `i` on without white space of any kind; nothing is changed."""
        while True:
            i = skip_white(self.text, i, self.end)
            if i >= self.end or self.text[i] not in ODD_WHITE:
                return i
            i += 1

    def _begins_comment(self, i: i64) -> bool:
        code: i64 = ord(self.text[i])
        if code == HASH:
            return i == 0 or self.text[i - 1] in " \t\r\n,[{:"
        if code != SLASH or i + 1 >= self.end:
            return False
        code = ord(self.text[i + 1])
        return code == SLASH or code == ASTERISK

    def _comment_end(self, i: i64) -> i64:
        text = self.text
        if ord(text[i]) == SLASH and ord(text[i + 1]) == ASTERISK:
            close: i64 = text.find("*/", i + 2, self.end)
            return close + 2 if close >= 0 else self.end
        while i < self.end and text[i] not in "\r\n":
            i += 1
        return i

    def _ellipsis_end(self, i: i64) -> i64:
        """End of the dots at `i` that stand for what was left out, or `i`."""
        text = self.text
        if text[i] == ELLIPSIS:
            return i + 1
        if ord(text[i]) != FULL_STOP or i + 2 >= self.end:
            return i
        return i + 3 if text[i : i + 3] == "..." else i

    # -- looking ahead -----------------------------------------------------------------------------

    def _names_member(self, i: i64) -> bool:
        """Whether a name and a colon stand at `i`, as in an object without its braces."""
        text = self.text
        if text[i] not in QUOTES:
            return False
        close: i64 = text.find(usual_closer(text[i]), i + 1, min(self.end, i + FAR))
        if close < 0:
            return False
        after = self._blank_end(close + 1)
        return after < self.end and ord(text[after]) == COLON

    def _name_ahead(self, i: i64) -> bool:
        """Whether a name and a colon stand at `i`."""
        text = self.text
        if text[i] in QUOTES:
            return self._names_member(i)
        after = bare_name_end(text, i, self.end)
        if after == i:
            return False
        after = self._blank_end(after)
        return after < self.end and ord(text[after]) == COLON

    def _begins_next(self, i: i64, inside: i64) -> bool:
        """Whether a member or element begins at `i`, so that only the comma is missing."""
        text = self.text
        if inside == LEFT_BRACE:
            return self._name_ahead(i)
        if inside == 0:
            return False
        code: i64 = ord(text[i])
        if text[i] in QUOTES or code == LEFT_BRACE or code == LEFT_BRACKET:
            return True
        if code == HYPHEN or ZERO <= code <= NINE:
            return True
        after = bare_word_end(text, i, self.end)
        word = text[i:after]
        if after == self.end and after - i < LONGEST_LITERAL:
            return any(whole.startswith(word) for whole in LITERALS)
        return word in LITERALS
