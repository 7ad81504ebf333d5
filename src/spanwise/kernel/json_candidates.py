"""JSON values that stand in text: where they begin and end, and whether they are valid.

Brackets are matched once, by scans that know nothing of JSON but its strings. Where a value breaks
is found once as well: what is open inside a value that breaks at some place breaks there too. A
text is gone through by two scans at most, whatever its brackets: quotation marks put them in
opposite phases, one in a string where the other is not, and a backslash outside a string ends one.
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
    DIGITS,
    HYPHEN,
    LEFT_BRACE,
    LEFT_BRACKET,
    LETTERS,
    NINE,
    QUOTATION,
    RIGHT_BRACE,
    RIGHT_BRACKET,
    SLASH,
    ZERO,
)
from spanwise.kernel.json_syntax import (
    UNEXPECTED_END,
    VALID,
    fault_code,
    fault_of,
    fault_offset,
    json_value_end,
    skip_white,
)

FIELDS: Final = 3
"""Numbers for each candidate: start, end and fault."""

_OPEN: Final = -1
_UNKNOWN: Final = -2
_TYPOGRAPHIC: Final = "\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u00ab\u00bb"
_WORD: Final = bytes(chr(code) in LETTERS + DIGITS + "_$" for code in range(128))
_LITERALS: Final = frozenset(
    ("true", "false", "null", "True", "False", "None", "NaN", "Infinity", "undefined")
)


def json_candidates(text: str, start: i64, end: i64) -> vec[i64]:
    """The candidates in `[start, end)`: start, end and fault of each, one after the other.

    The fault is VALID or counts from the candidate's start, see `kernel.json_syntax`. A bracket
    begins a candidate where a JSON value does, or where one that does not parse has a closing
    bracket and begins as JSON or its relatives do (see `Finder.looks_like`), or where all the rest
    of the stretch is the beginning of a value.
    """
    while end > start and text[end - 1] in " \t\r\n":
        end -= 1
    finder = Finder(text, end)
    found: vec[i64] = vec[i64]()
    at = finder.next_bracket(start)
    while at < end:
        close = finder.close_of(at)
        fault = finder.fault_at(at, close)
        if fault < 0 or (
            finder.looks_like(at) and (close > 0 or fault_code(fault) == UNEXPECTED_END)
        ):
            if close < 0:
                close = end
            found = append(found, at)
            found = append(found, close)
            found = append(found, fault)
            at = finder.next_bracket(close)
        else:
            at = finder.next_bracket(at + 1)
    return found


@final
class Finder:
    """Finds the candidates of one stretch of text; asked for ascending positions."""

    def __init__(self, text: str, end: i64) -> None:
        """For `text` up to `end`; nothing is looked at yet."""
        self.text = text
        self.end = end
        self.next_brace: i64 = -1
        self.next_square: i64 = -1
        self.close: dict[int, int] = {}  # opening bracket: end of what it opens, or _OPEN
        self.scan: dict[int, int] = {}  # opening bracket: number of the scan that met it
        self.scans: i64 = 0
        # Of each scan, where the last value that was looked at in it breaks, and how.
        self.broken: vec[i64] = vec[i64]()
        self.broken_code: vec[i64] = vec[i64]()
        # A row of opening brackets with nothing between them, and what stands after it.
        self.row_end: i64 = -1
        self.row_looks: bool = False

    def next_bracket(self, start: i64) -> i64:
        """Position of the next opening bracket, or the end."""
        if self.next_brace < start:
            self.next_brace = self.text.find("{", start, self.end)
            if self.next_brace < 0:
                self.next_brace = self.end
        if self.next_square < start:
            self.next_square = self.text.find("[", start, self.end)
            if self.next_square < 0:
                self.next_square = self.end
        return min(self.next_brace, self.next_square)

    def close_of(self, at: i64) -> i64:
        """End of what the bracket at `at` opens, its closing bracket included; or below zero."""
        close: i64 = self.close.get(at, _UNKNOWN)
        if close == _UNKNOWN:
            self._match(at)
            close = self.close[at]
        return close

    def _match(self, start: i64) -> None:
        """Match brackets from `start` on until its own is closed.

        Strings in double quotes are skipped. A closing bracket closes the nearest open one of its
        kind; those between stay open. Without one, and at a backslash, matching ends.
        """
        text = self.text
        end = self.end
        number = self.scans
        self.scans += 1
        self.broken = append(self.broken, -1)
        self.broken_code = append(self.broken_code, 0)
        stack: vec[i64] = vec[i64]()
        depth: i64 = 0
        i = start
        while i < end:
            code: i64 = ord(text[i])
            if code == QUOTATION:
                i = _string_end(text, i + 1, end)
                continue
            if code == LEFT_BRACE or code == LEFT_BRACKET:
                if depth == len(stack):
                    stack = append(stack, i)
                else:
                    stack[depth] = i
                depth += 1
                self.close[i] = _OPEN
                self.scan[i] = number
            elif code == RIGHT_BRACE or code == RIGHT_BRACKET:
                depth -= 1
                while depth >= 0 and ord(text[stack[depth]]) != code - 2:
                    depth -= 1
                if depth < 0:
                    return
                self.close[stack[depth]] = i + 1
                if depth == 0:
                    return
            elif code == BACKSLASH:
                return
            i += 1

    def fault_at(self, at: i64, close: i64) -> i64:
        """VALID, or the fault of the value at `at`, counted from there.

        `close` is what `close_of` gave. Without a closing bracket the rest of the text is read.
        """
        scan: i64 = self.scan[at]
        if at >= self.broken[scan]:
            end = json_value_end(self.text, at, close if close > 0 else self.end)
            if end >= 0:
                return VALID
            fault = fault_of(end)
            self.broken[scan] = fault_offset(fault)
            self.broken_code[scan] = fault_code(fault)
        elif 0 < close <= self.broken[scan]:
            return VALID
        return (self.broken[scan] - at) << 3 | self.broken_code[scan]

    def looks_like(self, at: i64) -> bool:
        """Whether what the bracket at `at` opens begins like JSON, or like what is nearly JSON.

        `{` is followed by a quote, a comment, its closing bracket or a word and a colon; `[` by a
        quote, a comment, its closing bracket, a number or literal and then a comma, a closing
        bracket or the end, or by a bracket that looks like JSON itself.
        """
        if at <= self.row_end:
            return self.row_looks
        text = self.text
        end = self.end
        i = at
        self.row_looks = False
        while ord(text[i]) == LEFT_BRACKET:
            i = skip_white(text, i + 1, end)
            if i == end:
                return False
            if ord(text[i]) != LEFT_BRACKET and ord(text[i]) != LEFT_BRACE:
                break
            self.row_end = i
        self.row_looks = self._begins_member(i) if ord(text[i]) == LEFT_BRACE else self._begins(i)
        return self.row_looks

    def _begins_member(self, brace: i64) -> bool:
        text = self.text
        i = skip_white(text, brace + 1, self.end)
        if i == self.end:
            return False
        if self._begins_quoted(i) or ord(text[i]) == RIGHT_BRACE:
            return True
        after = word_end(text, i, self.end)
        if after == i:
            return False
        after = skip_white(text, after, self.end)
        return after < self.end and ord(text[after]) == COLON

    def _begins(self, i: i64) -> bool:
        """Whether an element of an array may begin at `i`, which is no bracket."""
        text = self.text
        code: i64 = ord(text[i])
        if self._begins_quoted(i) or code == RIGHT_BRACKET:
            return True
        if code == HYPHEN or ZERO <= code <= NINE:
            after = json_value_end(text, i, self.end)
            if after < 0:  # a number that was cut off, or that is not quite JSON's
                after = i + 1
                while after < self.end and text[after] in "0123456789.eE":
                    after += 1
        else:
            after = word_end(text, i, self.end)
            if text[i:after] not in _LITERALS:
                return False
        after = skip_white(text, after, self.end)
        if after == self.end:
            return True
        code = ord(text[after])
        return code == COMMA or code == RIGHT_BRACKET

    def _begins_quoted(self, i: i64) -> bool:
        """Whether a quote or a comment begins at `i`."""
        code: i64 = ord(self.text[i])
        if code == SLASH:
            following: i64 = ord(self.text[i + 1]) if i + 1 < self.end else 0
            return following == SLASH or following == ASTERISK
        return code == QUOTATION or code == APOSTROPHE or self.text[i] in _TYPOGRAPHIC


def _string_end(text: str, start: i64, end: i64) -> i64:
    """Position after the quotation mark that ends a string, or `end`; a backslash escapes."""
    i = start
    while i < end:
        code: i64 = ord(text[i])
        if code == QUOTATION:
            return i + 1
        i += 2 if code == BACKSLASH else 1
    return end


def word_end(text: str, start: i64, end: i64) -> i64:
    """End of the letters, digits, `_` and `$` at `start`; beyond ASCII all are letters."""
    i = start
    while i < end:
        code: i64 = ord(text[i])
        if code < 128 and not _WORD[code]:
            break
        i += 1
    return i
