"""Almost-JSON made JSON by a closed list of rules, each change an edit of the source.

One tolerant reading from left to right, on the grammar of RFC 8259: open arrays and objects stand
on a stack, nothing recurses and nothing is tried twice. Where the next step is not certain the
reading ends with a reason, and nothing is changed.
"""

from typing import Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from spanwise.kernel.chars import (
    APOSTROPHE,
    ASTERISK,
    BACKSLASH,
    COLON,
    COMMA,
    CR,
    FULL_STOP,
    HASH,
    HYPHEN,
    LEFT_BRACE,
    LEFT_BRACKET,
    LF,
    LOWER_U,
    LOWER_X,
    NINE,
    QUOTATION,
    RIGHT_BRACE,
    RIGHT_BRACKET,
    SLASH,
    SPACE,
    ZERO,
)
from spanwise.kernel.json_candidates import Finder, word_end
from spanwise.kernel.json_syntax import (
    UNEXPECTED_END,
    fault_code,
    fault_of,
    json_value_end,
    skip_white,
)

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

# What a string is; for values, what encloses it.
_TOP: Final = 0
_NAME: Final = 1

_FAR: Final = 500
"""How far a string may reach that is looked for ahead; a bound keeps all work linear."""

_DOUBLE_OPENERS: Final = "\u201c\u201d\u201e\u201f\u00ab\u00bb"
_SINGLE_OPENERS: Final = "\u2018\u2019\u201a\u201b"
_QUOTES: Final = "\"'" + _DOUBLE_OPENERS + _SINGLE_OPENERS
_ODD_WHITE: Final = "\v\f\u0085\u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(
    map(chr, range(0x2000, 0x200C))
)
_ELLIPSIS: Final = "\u2026"
_NOT_IN_BARE_TEXT: Final = "{}[]():\\=;<>|&*`" + _QUOTES
_ENDS_BARE_TEXT: Final = ",\n\r" + _NOT_IN_BARE_TEXT
_HEX: Final = "0123456789abcdefABCDEF"
_SHORT_ESCAPES: Final = {8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r"}
_LITERALS: Final = {
    "true": "true",
    "false": "false",
    "null": "null",
    "True": "true",
    "False": "false",
    "None": "null",
    "undefined": "null",
    "TRUE": "true",
    "FALSE": "false",
    "NULL": "null",
}
_LONGEST_LITERAL: Final = 9
_NOT_NUMBERS: Final = ("NaN", "Infinity", "-Infinity", "+Infinity")


@final
class Repair:
    """The edits that make `[start, end)` of a text JSON; `reason` is empty when there are some.

    Edits are four lists of the same length, not yet in order; no two overlap.
    """

    def __init__(self, text: str, start: i64, end: i64) -> None:
        """Read the text; `end` may have white space before it."""
        while end > start and text[end - 1] in " \t\r\n":
            end -= 1
        self.text = text
        self.end = end
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.replacements: list[str] = []
        self.rules: list[str] = []
        self.reason = ""
        self.place: i64 = -1
        self.stack: vec[i64] = vec[i64]()  # opening brackets, the innermost at depth - 1
        self.depth: i64 = 0
        self.braces: i64 = 0
        self.squares: i64 = 0
        self.comma: i64 = -1  # a comma before which nothing but white space has come yet
        self.member: i64 = -1  # where the member begins whose value is awaited
        self.member_comma: i64 = -1
        self.member_edits: i64 = 0
        self.cut: bool = False  # the text ends inside a name or a number that says nothing yet
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
        if text[i] in "{[" or text[i] in _QUOTES or self._ellipsis_end(i) > i:
            return i
        at = looks_like_json(text, i, self.end)
        if at < 0:
            return i
        self._edit(i, at, "", "text_before")
        return at

    def _names_member(self, i: i64) -> bool:
        """Whether a name and a colon stand at `i`, as in an object without its braces."""
        text = self.text
        if text[i] not in _QUOTES:
            return False
        close: i64 = text.find(_closing(text[i]), i + 1, min(self.end, i + _FAR))
        if close < 0:
            return False
        after = self._blank_end(close + 1)
        return after < self.end and ord(text[after]) == COLON

    def _leave_out_rest(self, i: i64) -> None:
        """What follows the value goes: closing brackets too many, a semicolon, or text."""
        text = self.text
        rest = text[i : self.end]
        if not rest.strip("}] \t\r\n"):
            for at in range(i, self.end):
                if text[at] in "}]":
                    self._edit(at, at + 1, "", "extra_closing_bracket")
            return
        if text[i] in ":}]" or text[i] in _QUOTES:
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

    def _begins_next(self, i: i64, inside: i64) -> bool:
        """Whether a member or element begins at `i`, so that only the comma is missing."""
        text = self.text
        if inside == LEFT_BRACE:
            return self._name_ahead(i)
        if inside == 0:
            return False
        code: i64 = ord(text[i])
        if text[i] in _QUOTES or code == LEFT_BRACE or code == LEFT_BRACKET:
            return True
        if code == HYPHEN or ZERO <= code <= NINE:
            return True
        after = _word_end(text, i, self.end)
        word = text[i:after]
        if after == self.end and after - i < _LONGEST_LITERAL:
            return any(whole.startswith(word) for whole in _LITERALS)
        return word in _LITERALS

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

    # -- names and strings -------------------------------------------------------------------------

    def _name(self, i: i64) -> i64:
        """Read a name and its colon; gives back the place after it."""
        text = self.text
        self.member = i
        self.member_comma = self.comma
        self.member_edits = len(self.starts)
        self.comma = -1
        if text[i] in _QUOTES:
            after = self._string(i, _NAME)
        else:
            after = _bare_name_end(text, i, self.end)
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

    def _string(self, start: i64, inside: i64) -> i64:
        """Read the string whose quote is at `start`; gives back the place after it.

        A quote ends it only if what follows may follow a string there. Others belong to the text:
        in pairs, on one line, before no colon or plus sign and not in names, or the reading is not
        certain.
        """
        text = self.text
        end = self.end
        opening = text[start]
        rule = _quote_rule(opening)
        closing = _closers(opening)
        if rule:
            self._edit(start, start + 1, '"', rule)
        quotes: i64 = 0
        breaks = False
        i = start + 1
        while i < end:
            code: i64 = ord(text[i])
            if code == BACKSLASH:
                i = self._escape(i)
                continue
            if code < SPACE:
                escape = _SHORT_ESCAPES.get(code)
                self._edit(i, i + 1, escape or f"\\u{code:04x}", "control_character")
                breaks = breaks or code == LF or code == CR
            elif (code == QUOTATION or code == APOSTROPHE or code > 127) and text[i] in closing:
                if self._may_end(i + 1, inside):
                    if quotes % 2 or (quotes > 0 and breaks):
                        self._decline("unclear_string", start)
                    if rule:
                        self._edit(i, i + 1, '"', rule)
                    return i + 1
                if code == QUOTATION:
                    after = skip_white(text, i + 1, end)
                    if inside == _NAME or breaks or text[after] in ":+":
                        self._decline("unclear_string", start)
                        return i
                    quotes += 1
                    self._edit(i, i + 1, '\\"', "unescaped_quote")
            elif code == QUOTATION:
                self._edit(i, i + 1, '\\"', rule)
            i += 1
        if inside == _NAME:
            self.cut = True
        elif quotes > 0 or text[end - 1] in "}]" or inside == _TOP:
            self._decline("unclear_string", start)
        else:
            self._edit(end, end, '"', "cut_off_string")
        return end

    def _escape(self, i: i64) -> i64:
        """Read the backslash at `i` and what it stands before; gives back the place after it."""
        text = self.text
        if i + 1 >= self.end:
            self._edit(i, self.end, "", "cut_off_string")
            return self.end
        code: i64 = ord(text[i + 1])
        if text[i + 1] in '"\\/bfnrt':
            return i + 2
        if code == APOSTROPHE:
            self._edit(i, i + 1, "", "bad_escape")
            return i + 2
        if code == LOWER_U or code == LOWER_X:
            want: i64 = 4 if code == LOWER_U else 2
            digits = i + 2
            while digits < self.end and digits < i + 2 + want and text[digits] in _HEX:
                digits += 1
            if digits == i + 2 + want:
                if code == LOWER_X:
                    self._edit(i + 1, i + 2, "u00", "bad_escape")
                return digits
            if digits == self.end:
                self._edit(i, self.end, "", "cut_off_string")
                return self.end
        self._edit(i, i, "\\", "bad_escape")
        return i + 1 if code < SPACE else i + 2

    def _may_end(self, i: i64, inside: i64) -> bool:
        """Whether what stands at `i`, after a quote, may follow a string."""
        text = self.text
        end = self.end
        at = self._blank_end(i)
        if at == end:
            return True
        code: i64 = ord(text[at])
        if inside == _NAME:
            return code == COLON or self._begins_comment(at)
        if self._begins_comment(at):
            return True
        if inside == _TOP:
            return False
        if code == RIGHT_BRACE or code == RIGHT_BRACKET:
            return True
        if code == COMMA:
            at = self._blank_end(at + 1)
            if at == end or text[at] in "}]," or text[at] in _QUOTES or self._begins_comment(at):
                return True
            if self._ellipsis_end(at) > at:
                return True
            return self._name_ahead(at) if inside == LEFT_BRACE else self._begins_next(at, inside)
        if inside == LEFT_BRACE:
            return self._name_ahead(at)
        if text.find("\n", i, at) >= 0:
            return self._begins_next(at, inside) or self._ellipsis_end(at) > at
        if text[at] not in _QUOTES:
            return False
        close: i64 = text.find(_closing(text[at]), at + 1, min(end, at + _FAR))
        if close < 0:
            return False
        close = self._blank_end(close + 1)
        return close == end or text[close] in ",]" or text[close] in _QUOTES

    def _name_ahead(self, i: i64) -> bool:
        """Whether a name and a colon stand at `i`."""
        text = self.text
        if text[i] in _QUOTES:
            return self._names_member(i)
        after = _bare_name_end(text, i, self.end)
        if after == i:
            return False
        after = self._blank_end(after)
        return after < self.end and ord(text[after]) == COLON

    # -- numbers, literals, bare text --------------------------------------------------------------

    def _scalar(self, i: i64, inside: i64) -> i64:
        """Read what is neither array nor object; gives back the place after it."""
        text = self.text
        end = self.end
        if text[i] in _QUOTES:
            return self._string(i, inside)
        last = self._plain_number_end(i, inside)
        if last > i:
            return last
        last = i
        while last < end and text[last] not in _ENDS_BARE_TEXT and not self._begins_comment(last):
            last += 1
        stop = last
        while last > i and (text[last - 1] in " \t" or text[last - 1] in _ODD_WHITE):
            last -= 1
        token = text[i:last]
        if not token:
            self._decline("unexpected_character", i)
            return i
        literal = _LITERALS.get(token)
        if literal is not None:
            if literal != token:
                self._edit(i, last, literal, "literal")
            return last
        if token in _NOT_NUMBERS:
            self._edit(i, last, "null", "not_a_number")
            return last
        if token[0] in "+-.0123456789":
            return self._number(i, last, stop, token, inside)
        if last == end and len(token) > 1:
            for whole in (*_LITERALS, *_NOT_NUMBERS):
                if whole.startswith(token):
                    self._edit(i, last, _LITERALS.get(whole, "null"), "cut_off_literal")
                    return last
        return self._bare_text(i, last, stop, inside)

    def _plain_number_end(self, i: i64, inside: i64) -> i64:
        """End of the JSON number at `i` where something follows that may; else `i`."""
        code: i64 = ord(self.text[i])
        if code != HYPHEN and not ZERO <= code <= NINE:
            return i
        last = json_value_end(self.text, i, self.end)
        if last < 0:
            return i
        after = self._blank_end(last)
        if after == self.end or self.text[after] in ",}]" or self._begins_comment(after):
            return last
        return last if after > last and self._begins_next(after, inside) else i

    def _number(self, i: i64, last: i64, stop: i64, token: str, inside: i64) -> i64:
        value_end = json_value_end(self.text, i, last)
        if value_end == last:
            return last
        if value_end < 0 and last == self.end and fault_code(fault_of(value_end)) == UNEXPECTED_END:
            whole = last
            while whole > i and self.text[whole - 1] not in "0123456789":
                whole -= 1
            if whole > i:
                self._edit(whole, last, "", "cut_off_number")
                return last
            if inside == LEFT_BRACKET:
                self._edit(i, last, "", "cut_off_number")
            self.cut = True
            return last
        written = _rewritten(token)
        if written:
            self._edit(i, last, written, "number_form")
            return last
        if not token.strip("+-.0123456789_eE"):
            self._decline("unclear_number", i)
            return i
        return self._bare_text(i, last, stop, inside)

    def _bare_text(self, i: i64, last: i64, stop: i64, inside: i64) -> i64:
        """Quote the text `[i, last)`, if what ends it may stand after a value."""
        text = self.text
        if inside == 0 or text[i] in "+-./,":
            self._decline("unexpected_character" if inside else "no_value", i)
            return i
        if stop < self.end and text[stop] not in ",}]\n\r" and not self._begins_comment(stop):
            self._decline("unexpected_character", stop)
            return i
        if stop == self.end:
            self._decline("unexpected_character", i)  # cut off: it may be any word
            return i
        for at in range(i, last):
            if ord(text[at]) < SPACE:
                self._decline("unexpected_character", at)
                return i
        self._edit(i, i, '"', "unquoted_string")
        self._edit(last, last, '"', "unquoted_string")
        return last

    # -- between tokens ----------------------------------------------------------------------------

    def _skip(self, i: i64) -> i64:
        """First position from `i` on with neither white space nor a comment, which goes."""
        text = self.text
        end = self.end
        while True:
            i = skip_white(text, i, end)
            if i >= end:
                return end
            if text[i] in _ODD_WHITE:
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
            if i >= self.end or self.text[i] not in _ODD_WHITE:
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
        if text[i] == _ELLIPSIS:
            return i + 1
        if ord(text[i]) != FULL_STOP or i + 2 >= self.end:
            return i
        return i + 3 if text[i : i + 3] == "..." else i

    # -- results -----------------------------------------------------------------------------------

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


def looks_like_json(text: str, start: i64, end: i64) -> i64:
    """Place of the first bracket in `[start, end)` that begins like JSON, or -1."""
    finder = Finder(text, end)
    at = finder.next_bracket(start)
    while at < end:
        if finder.looks_like(at):
            return at
        at = finder.next_bracket(at + 1)
    return -1


def _bare_name_end(text: str, start: i64, end: i64) -> i64:
    """End of a name without quotes: letters, digits, `_`, `$`, and `-` or `.` between them."""
    i = _word_end(text, start, end)
    while i > start and i + 1 < end and text[i] in "-.":
        after = _word_end(text, i + 1, end)
        if after == i + 1:
            break
        i = after
    return i


def _word_end(text: str, start: i64, end: i64) -> i64:
    """End of the word at `start`, which holds neither quotes nor white space of any kind."""
    last = word_end(text, start, end)
    i = start
    while i < last:
        code: i64 = ord(text[i])
        if code > 127 and (text[i] in _QUOTES or text[i] in _ODD_WHITE or text[i] == _ELLIPSIS):
            break
        i += 1
    return i


def _quote_rule(opening: str) -> str:
    if opening == '"':
        return ""
    return "single_quotes" if opening == "'" else "typographic_quotes"


def _closers(opening: str) -> str:
    """The characters that may end a string which `opening` began."""
    if opening == '"' or opening == "'":
        return opening
    if opening in _DOUBLE_OPENERS:
        return '"' + _DOUBLE_OPENERS
    return "'" + _SINGLE_OPENERS


def _closing(opening: str) -> str:
    """The character that usually ends a string which `opening` began."""
    if opening == "\u201c" or opening == "\u201f":
        return "\u201d"
    if opening == "\u201e":
        return "\u201c"
    if opening == "\u00ab":
        return "\u00bb"
    if opening in "\u2018\u201a\u201b":
        return "\u2019"
    return opening


def _rewritten(token: str) -> str:
    """The JSON number for a number in the manner of JavaScript or Python, or nothing."""
    sign = "-" if token[0] == "-" else ""
    digits = token[1:] if token[0] in "+-" else token
    if digits[:2] in ("0x", "0X") and len(digits) > 2 and not digits[2:].strip(_HEX):
        return sign + str(int(digits[2:], 16))
    if digits.startswith("."):
        digits = "0" + digits
    whole, point, rest = digits.partition(".")
    if point and (not rest or rest[0] in "eE"):
        digits = whole + ".0" + rest
    written = sign + digits
    return written if json_value_end(written, 0, len(written)) == len(written) else ""
