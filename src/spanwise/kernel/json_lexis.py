"""The characters and words of almost-JSON: quotes, white space, literals, names, numbers."""

from typing import Final

from mypy_extensions import i64

from spanwise.kernel.json_candidates import word_end
from spanwise.kernel.json_syntax import json_value_end

DOUBLE_OPENERS: Final = "\u201c\u201d\u201e\u201f\u00ab\u00bb"
SINGLE_OPENERS: Final = "\u2018\u2019\u201a\u201b"
QUOTES: Final = "\"'" + DOUBLE_OPENERS + SINGLE_OPENERS
ODD_WHITE: Final = "\v\f\u0085\u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(
    map(chr, range(0x2000, 0x200C))
)
ELLIPSIS: Final = "\u2026"
NOT_IN_BARE_TEXT: Final = "{}[]():\\=;<>|&*`" + QUOTES
ENDS_BARE_TEXT: Final = ",\n\r" + NOT_IN_BARE_TEXT
HEX: Final = "0123456789abcdefABCDEF"
SHORT_ESCAPES: Final = {8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r"}
LITERALS: Final = {
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
LONGEST_LITERAL: Final = 9
NOT_NUMBERS: Final = ("NaN", "Infinity", "-Infinity", "+Infinity")


def bare_name_end(text: str, start: i64, end: i64) -> i64:
    """End of a name without quotes: letters, digits, `_`, `$`, and `-` or `.` between them."""
    i = bare_word_end(text, start, end)
    while i > start and i + 1 < end and text[i] in "-.":
        after = bare_word_end(text, i + 1, end)
        if after == i + 1:
            break
        i = after
    return i


def bare_word_end(text: str, start: i64, end: i64) -> i64:
    """End of the word at `start`, which holds neither quotes nor white space of any kind."""
    last = word_end(text, start, end)
    i = start
    while i < last:
        code: i64 = ord(text[i])
        if code > 127 and (text[i] in QUOTES or text[i] in ODD_WHITE or text[i] == ELLIPSIS):
            break
        i += 1
    return i


def quote_rule(opening: str) -> str:
    """The rule by which a quote that opens a string is changed; empty for a JSON one."""
    if opening == '"':
        return ""
    return "single_quotes" if opening == "'" else "typographic_quotes"


def closers_of(opening: str) -> str:
    """The characters that may end a string which `opening` began."""
    if opening == '"' or opening == "'":
        return opening
    if opening in DOUBLE_OPENERS:
        return '"' + DOUBLE_OPENERS
    return "'" + SINGLE_OPENERS


def usual_closer(opening: str) -> str:
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


def json_number(token: str) -> str:
    """The JSON number for a number in the manner of JavaScript or Python, or nothing."""
    sign = "-" if token[0] == "-" else ""
    digits = token[1:] if token[0] in "+-" else token
    if digits[:2] in ("0x", "0X") and len(digits) > 2 and not digits[2:].strip(HEX):
        return sign + str(int(digits[2:], 16))
    if digits.startswith("."):
        digits = "0" + digits
    whole, point, rest = digits.partition(".")
    if point and (not rest or rest[0] in "eE"):
        digits = whole + ".0" + rest
    written = sign + digits
    return written if json_value_end(written, 0, len(written)) == len(written) else ""
