"""The tokens of almost-JSON: strings, numbers, literals and bare text, each made what JSON has."""

from typing import Final

from mypy_extensions import i64

from spanwise.kernel.chars import (
    APOSTROPHE,
    BACKSLASH,
    COLON,
    COMMA,
    CR,
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
    SPACE,
    ZERO,
)
from spanwise.kernel.json_lexis import (
    ENDS_BARE_TEXT,
    HEX,
    LITERALS,
    NOT_NUMBERS,
    ODD_WHITE,
    QUOTES,
    SHORT_ESCAPES,
    closers_of,
    json_number,
    quote_rule,
    usual_closer,
)
from spanwise.kernel.json_reading import FAR, Reading
from spanwise.kernel.json_syntax import (
    UNEXPECTED_END,
    fault_code,
    fault_of,
    json_value_end,
    skip_white,
)

AT_TOP: Final = 0
"""What encloses a string that is a value: nothing, or else the opening bracket."""
IN_NAME: Final = 1
"""In place of that, for a string that is a name."""


class TokenReader(Reading):
    """Reads one token at a place, and says where it ends."""

    # -- strings -----------------------------------------------------------------------------------

    def _string(self, start: i64, inside: i64) -> i64:
        """Read the string whose quote is at `start`; gives back the place after it.

        A quote ends it only if what follows may follow a string there. Others belong to the text:
        in pairs, on one line, before no colon or plus sign and not in names, or the reading is not
        certain.
        """
        text = self.text
        end = self.end
        opening = text[start]
        rule = quote_rule(opening)
        closing = closers_of(opening)
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
                escape = SHORT_ESCAPES.get(code)
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
                    if inside == IN_NAME or breaks or text[after] in ":+":
                        self._decline("unclear_string", start)
                        return i
                    quotes += 1
                    self._edit(i, i + 1, '\\"', "unescaped_quote")
            elif code == QUOTATION:
                self._edit(i, i + 1, '\\"', rule)
            i += 1
        if inside == IN_NAME:
            self.cut = True
        elif quotes > 0 or text[end - 1] in "}]" or inside == AT_TOP:
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
            while digits < self.end and digits < i + 2 + want and text[digits] in HEX:
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
        if inside == IN_NAME:
            return code == COLON or self._begins_comment(at)
        if self._begins_comment(at):
            return True
        if inside == AT_TOP:
            return False
        if code == RIGHT_BRACE or code == RIGHT_BRACKET:
            return True
        if code == COMMA:
            at = self._blank_end(at + 1)
            if at == end or text[at] in "}]," or text[at] in QUOTES or self._begins_comment(at):
                return True
            if self._ellipsis_end(at) > at:
                return True
            return self._name_ahead(at) if inside == LEFT_BRACE else self._begins_next(at, inside)
        if inside == LEFT_BRACE:
            return self._name_ahead(at)
        if text.find("\n", i, at) >= 0:
            return self._begins_next(at, inside) or self._ellipsis_end(at) > at
        if text[at] not in QUOTES:
            return False
        close: i64 = text.find(usual_closer(text[at]), at + 1, min(end, at + FAR))
        if close < 0:
            return False
        close = self._blank_end(close + 1)
        return close == end or text[close] in ",]" or text[close] in QUOTES

    # -- numbers, literals, bare text --------------------------------------------------------------

    def _scalar(self, i: i64, inside: i64) -> i64:
        """Read what is neither array nor object; gives back the place after it."""
        text = self.text
        end = self.end
        if text[i] in QUOTES:
            return self._string(i, inside)
        last = self._plain_number_end(i, inside)
        if last > i:
            return last
        last = i
        while last < end and text[last] not in ENDS_BARE_TEXT and not self._begins_comment(last):
            last += 1
        stop = last
        while last > i and (text[last - 1] in " \t" or text[last - 1] in ODD_WHITE):
            last -= 1
        token = text[i:last]
        if not token:
            self._decline("unexpected_character", i)
            return i
        literal = LITERALS.get(token)
        if literal is not None:
            if literal != token:
                self._edit(i, last, literal, "literal")
            return last
        if token in NOT_NUMBERS:
            self._edit(i, last, "null", "not_a_number")
            return last
        if token[0] in "+-.0123456789":
            return self._number(i, last, stop, token, inside)
        if last == end and len(token) > 1:
            for whole in (*LITERALS, *NOT_NUMBERS):
                if whole.startswith(token):
                    self._edit(i, last, LITERALS.get(whole, "null"), "cut_off_literal")
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
        written = json_number(token)
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
