"""Almost-JSON made JSON by a closed list of rules, each change an edit of the source.

One tolerant reading from left to right, on the grammar of RFC 8259: open arrays and objects stand
on a stack, nothing recurses and nothing is tried twice. Where the next step is not certain the
reading ends with a reason, and nothing is changed.
"""

from typing import Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from spanwise.kernel.chars import COLON, COMMA, LEFT_BRACE, LEFT_BRACKET, RIGHT_BRACE, RIGHT_BRACKET
from spanwise.kernel.json_candidates import Finder
from spanwise.kernel.json_lexis import QUOTES, bare_name_end
from spanwise.kernel.json_syntax import skip_white
from spanwise.kernel.json_tokens import IN_NAME, TokenReader

RULES: Final = (
    "bad_escape",
    "comment",
    "concatenated_values",
    "control_character",
    "cut_off_literal",
    "cut_off_member",
    "cut_off_number",
    "cut_off_string",
    "ellipsis",
    "extra_closing_bracket",
    "extra_comma",
    "fence",
    "literal",
    "missing_closing_bracket",
    "missing_comma",
    "missing_opening_bracket",
    "not_a_number",
    "number_form",
    "single_quotes",
    "text_after",
    "text_before",
    "trailing_comma",
    "typographic_quotes",
    "unescaped_quote",
    "unquoted_key",
    "unquoted_string",
    "white_space",
)
"""The names of all rules."""

REASONS: Final = (
    "mismatched_bracket",
    "no_value",
    "several_values",
    "unclear_number",
    "unclear_string",
    "unexpected_character",
)
"""The names of all reasons not to repair."""

# What the reading expects next.
_VALUE: Final = 0
_KEY: Final = 1
_AFTER: Final = 2


@final
class Repair(TokenReader):
    """The edits that make `[start, end)` of a text JSON; `reason` is empty when there are some."""

    def __init__(self, text: str, start: i64, end: i64) -> None:
        """Read the text; `end` may have white space before it."""
        while end > start and text[end - 1] in " \t\r\n":
            end -= 1
        super().__init__(text, end)
        self.stack: vec[i64] = vec[i64]()  # opening brackets, the innermost at depth - 1
        self.depth: i64 = 0
        self.braces: i64 = 0
        self.squares: i64 = 0
        self.comma: i64 = -1  # a comma before which nothing but white space has come yet
        self.member: i64 = -1  # where the member begins whose value is awaited
        self.member_comma: i64 = -1
        self.member_edits: i64 = 0
        self._read(start)

    # -- the whole text ----------------------------------------------------------------------------

    def _read(self, start: i64) -> None:
        text = self.text
        i = self._first_value(start)
        if i < 0:
            return
        first = i
        roots: i64 = 0
        while True:
            bracket = i < self.end and text[i] in "{["
            i = self._root(i)
            if self.declined():
                return
            roots += 1
            after = i
            i = self._skip(i)
            if i >= self.end:
                break
            comma: i64 = -1
            if ord(text[i]) == COMMA:
                comma = i
                i = self._skip(i + 1)
                if i >= self.end:
                    self._edit(comma, comma + 1, "", "trailing_comma")
                    break
            if bracket and text[i] in "{[":
                if comma < 0:
                    self._edit(i, i, ",", "concatenated_values")
                continue
            if comma >= 0:
                self._decline("unexpected_character", comma)
            else:
                self._leave_out_rest(i)
            if self.declined():
                return
            break
        if roots > 1:
            self._edit(first, first, "[", "concatenated_values")
            self._edit(after, after, "]", "concatenated_values")

    def _first_value(self, start: i64) -> i64:
        """Where the value begins, text before it left out; or -1."""
        text = self.text
        i = self._skip(start)
        if i >= self.end:
            return self._decline("no_value", self.end)
        if text[i] in "{[" or text[i] in QUOTES or self._ellipsis_end(i) > i:
            return i
        at = looks_like_json(text, i, self.end)
        if at < 0:
            return i
        self._edit(i, at, "", "text_before")
        return at

    def _leave_out_rest(self, i: i64) -> None:
        """What follows the value goes: closing brackets too many, a semicolon, or text."""
        text = self.text
        rest = text[i : self.end]
        if not rest.strip("}] \t\r\n"):
            for at in range(i, self.end):
                if text[at] in "}]":
                    self._edit(at, at + 1, "", "extra_closing_bracket")
            return
        if text[i] in ":}]" or text[i] in QUOTES:
            self._decline("unexpected_character", i)
            return
        other = looks_like_json(text, i, self.end)
        if other >= 0:
            self._decline("several_values", other)
            return
        self._edit(i, self.end, "", "text_after")

    # -- one value ---------------------------------------------------------------------------------

    def _root(self, start: i64) -> i64:
        """Read the value at `start`; gives back its end."""
        text = self.text
        state: i64 = _VALUE
        i = start
        if text[i] not in "{[" and self._names_member(i):
            self._edit(i, i, "{", "missing_opening_bracket")
            self._push(LEFT_BRACE)
            state = _KEY
        while True:
            i = self._skip(i)
            if i >= self.end:
                self._finish(state)
                return self.end
            code: i64 = ord(text[i])
            inside = self._inside()
            if state == _AFTER:
                if code == COMMA:
                    self.comma = i
                    i += 1
                    state = _KEY if inside == LEFT_BRACE else _VALUE
                    continue
                if code != RIGHT_BRACE and code != RIGHT_BRACKET:
                    ellipsis = self._ellipsis_end(i)
                    if ellipsis > i:
                        self._edit(i, ellipsis, "", "ellipsis")
                        i = ellipsis
                        continue
                    if not self._begins_next(i, inside):
                        self._decline("unexpected_character", i)
                        return i
                    self._edit(i, i, ",", "missing_comma")
                    state = _KEY if inside == LEFT_BRACE else _VALUE
                    continue
            if code == RIGHT_BRACE or code == RIGHT_BRACKET:
                i = self._close(i, code, inside, state)
                if self.declined() or self.depth == 0:
                    return i
                state = _AFTER
                continue
            if state == _KEY or (state == _VALUE and inside == LEFT_BRACKET):
                if code == COMMA:
                    self._edit(i, i + 1, "", "extra_comma")
                    i += 1
                    continue
                ellipsis = self._ellipsis_end(i)
                if ellipsis > i:
                    self._edit(i, ellipsis, "", "ellipsis")
                    i = ellipsis
                    continue
            if state == _KEY:
                i = self._name(i)
                state = _VALUE
            elif code == LEFT_BRACE or code == LEFT_BRACKET:
                self._push(code)
                self.comma = -1
                self.member = -1
                state = _KEY if code == LEFT_BRACE else _VALUE
                i += 1
            else:
                i = self._scalar(i, inside)
                if not self.cut:
                    self.member = -1
                    self.comma = -1
                    state = _AFTER
                    if self.depth == 0:
                        return i
            if self.declined():
                return i
            if self.cut:
                self._finish(state)
                return self.end

    def _inside(self) -> i64:
        """The bracket of the innermost open array or object, or 0."""
        return self.stack[self.depth - 1] if self.depth > 0 else 0

    def _push(self, bracket: i64) -> None:
        if self.depth == len(self.stack):
            self.stack = append(self.stack, bracket)
        else:
            self.stack[self.depth] = bracket
        self.depth += 1
        if bracket == LEFT_BRACE:
            self.braces += 1
        else:
            self.squares += 1

    def _pop(self) -> None:
        self.depth -= 1
        if self.stack[self.depth] == LEFT_BRACE:
            self.braces -= 1
        else:
            self.squares -= 1

    def _close(self, i: i64, code: i64, inside: i64, state: i64) -> i64:
        """Take the closing bracket at `i`, the one that is missing before it first."""
        if inside == 0 or (state == _VALUE and inside == LEFT_BRACE):
            self._decline("unexpected_character", i)
            return i
        if code - 2 != inside:
            others = self.braces if code == RIGHT_BRACE else self.squares
            if others == 0:
                self._decline("mismatched_bracket", i)
                return i
        if self.comma >= 0:
            self._edit(self.comma, self.comma + 1, "", "trailing_comma")
            self.comma = -1
        if code - 2 != inside:
            self._edit(i, i, chr(inside + 2), "missing_closing_bracket")
        else:
            i += 1
        self._pop()
        return i

    def _finish(self, state: i64) -> None:
        """The text has ended: take away what says nothing, and close what is open."""
        if self.depth == 0:
            self._decline("no_value", self.end)
            return
        if self._inside() == LEFT_BRACE and (state == _VALUE or self.cut):
            while len(self.starts) > self.member_edits:
                self.starts.pop()
                self.ends.pop()
                self.replacements.pop()
                self.rules.pop()
            self._edit(self.member, self.end, "", "cut_off_member")
            self.comma = self.member_comma
        if self.comma >= 0:
            self._edit(self.comma, self.comma + 1, "", "trailing_comma")
            self.comma = -1
        closing: list[str] = []
        while self.depth > 0:
            closing.append(chr(self._inside() + 2))
            self._pop()
        self._edit(self.end, self.end, "".join(closing), "missing_closing_bracket")

    def _name(self, i: i64) -> i64:
        """Read a name and its colon; gives back the place after it."""
        text = self.text
        self.member = i
        self.member_comma = self.comma
        self.member_edits = len(self.starts)
        self.comma = -1
        if text[i] in QUOTES:
            after = self._string(i, IN_NAME)
        else:
            after = bare_name_end(text, i, self.end)
            if after == self.end:
                self.cut = True
            else:
                place = skip_white(text, after, self.end)
                if after == i or (place < self.end and ord(text[place]) != COLON):
                    self._decline("unexpected_character", after if after == i else place)
                self._edit(i, i, '"', "unquoted_key")
                self._edit(after, after, '"', "unquoted_key")
        if self.declined() or self.cut:
            return after
        after = self._skip(after)
        if after >= self.end:
            self.cut = True
            return after
        if ord(text[after]) != COLON:
            self._decline("unexpected_character", after)
            return after
        return after + 1


def looks_like_json(text: str, start: i64, end: i64) -> i64:
    """Place of the first bracket in `[start, end)` that begins like JSON, or -1."""
    finder = Finder(text, end)
    at = finder.next_bracket(start)
    while at < end:
        if finder.looks_like(at):
            return at
        at = finder.next_bracket(at + 1)
    return -1
