"""JSON syntax: where a value ends, or where and how the grammar of RFC 8259 stops it.

Nothing is converted and nothing recurses: open arrays and objects stand on a stack of integers, so
nesting is bounded by the text alone. Only space, tab, LF and CR are white space (section 2).
"""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from spanwise.kernel.chars import (
    BACKSLASH,
    COLON,
    COMMA,
    CR,
    FULL_STOP,
    HYPHEN,
    LEFT_BRACE,
    LEFT_BRACKET,
    LF,
    LOWER_E,
    LOWER_F,
    LOWER_N,
    LOWER_T,
    LOWER_U,
    NINE,
    PLUS,
    QUOTATION,
    SPACE,
    TAB,
    UPPER_E,
    ZERO,
)

UNEXPECTED_END: Final = 0
UNEXPECTED_CHARACTER: Final = 1
TRAILING_CONTENT: Final = 2
INVALID_ESCAPE: Final = 3
CONTROL_CHARACTER: Final = 4
INVALID_NUMBER: Final = 5
INVALID_LITERAL: Final = 6

VALID: Final = -1
"""What `json_fault` gives for a valid text."""

_CODE_BITS: Final = 3
_BIAS: Final = 1 << 60
"""Faults inside this module are below zero: `place << 3 | code` less this."""

_ESCAPED: Final = bytes(chr(code) in '"\\/bfnrt' for code in range(128))
"""1 at what a backslash may stand before, `u` left out."""
_HEX: Final = bytes(chr(code) in "0123456789abcdefABCDEF" for code in range(128))


def json_fault(text: str) -> i64:
    """VALID when `text` is one JSON value with white space around it; else where it is not.

    A fault is `offset << 3 | code`: the first offset where the grammar cannot go on, and one of the
    codes above. At the end of the text the code is UNEXPECTED_END.
    """
    size: i64 = len(text)
    end = json_value_end(text, 0, size)
    if end < 0:
        return fault_of(end)
    end = skip_white(text, end, size)
    return VALID if end == size else end << _CODE_BITS | TRAILING_CONTENT


def fault_of(end: i64) -> i64:
    """The fault, `offset << 3 | code`, that a negative end stands for."""
    return end + _BIAS


def fault_offset(fault: i64) -> i64:
    """The offset in a fault."""
    return fault >> _CODE_BITS


def fault_code(fault: i64) -> i64:
    """The code in a fault."""
    return fault & ((1 << _CODE_BITS) - 1)


def json_value_end(text: str, start: i64, size: i64) -> i64:
    """End of the value that stands in `[start, size)` after white space; below zero at a fault.

    What follows the value is not looked at. `fault_of` tells what a negative result says.
    """
    open_: vec[i64] = vec[i64]()  # what encloses the innermost open array or object
    depth: i64 = 0
    inside: i64 = 0  # the bracket that the innermost open array or object began with, or 0
    i = start
    while True:
        # A value (3).
        i = skip_white(text, i, size)
        if i == size:
            return _fault(i, UNEXPECTED_END)
        code: i64 = ord(text[i])
        if code == QUOTATION:
            i = _string_end(text, i + 1, size)
        elif code == LEFT_BRACE or code == LEFT_BRACKET:
            if depth == len(open_):
                open_ = append(open_, inside)
            else:
                open_[depth] = inside
            depth += 1
            inside = code
            i = skip_white(text, i + 1, size)
            if i == size:
                return _fault(i, UNEXPECTED_END)
            # The closing bracket is two code points after the opening one, for both kinds.
            if ord(text[i]) != code + 2:
                if code == LEFT_BRACKET:
                    continue
                i = _after_name(text, i, size)
                if i >= 0:
                    continue
                return i
            depth -= 1
            inside = open_[depth]
            i += 1
        elif code == HYPHEN or ZERO <= code <= NINE:
            i = _number_end(text, i, size)
        elif code == LOWER_T:
            i = _literal_end(text, i, size, "rue")
        elif code == LOWER_F:
            i = _literal_end(text, i, size, "alse")
        elif code == LOWER_N:
            i = _literal_end(text, i, size, "ull")
        else:
            return _fault(i, UNEXPECTED_CHARACTER)
        if i < 0:
            return i
        # What may follow a value: closing brackets, then a comma (4, 5).
        while True:
            if inside == 0:
                return i
            i = skip_white(text, i, size)
            if i == size:
                return _fault(i, UNEXPECTED_END)
            code = ord(text[i])
            if code == COMMA:
                i += 1
                if inside == LEFT_BRACE:
                    i = _after_name(text, skip_white(text, i, size), size)
                    if i < 0:
                        return i
                break
            if code != inside + 2:
                return _fault(i, UNEXPECTED_CHARACTER)
            depth -= 1
            inside = open_[depth]
            i += 1


def skip_white(text: str, start: i64, end: i64) -> i64:
    """First position from `start` on that holds no white space (2), or `end`."""
    i = start
    if i >= end:
        return end
    code: i64 = ord(text[i])
    while code == SPACE or code == LF or code == CR or code == TAB:
        i += 1
        if i >= end:
            return end
        code = ord(text[i])
    return i


def _fault(place: i64, code: i64) -> i64:
    return (place << _CODE_BITS | code) - _BIAS


def _after_name(text: str, start: i64, size: i64) -> i64:
    """Position after the colon of the member whose name starts at `start` (4); or a fault."""
    if start == size:
        return _fault(start, UNEXPECTED_END)
    if ord(text[start]) != QUOTATION:
        return _fault(start, UNEXPECTED_CHARACTER)
    i = _string_end(text, start + 1, size)
    if i < 0:
        return i
    i = skip_white(text, i, size)
    if i == size:
        return _fault(i, UNEXPECTED_END)
    if ord(text[i]) != COLON:
        return _fault(i, UNEXPECTED_CHARACTER)
    return i + 1


def _string_end(text: str, start: i64, size: i64) -> i64:
    """Position after the quotation mark that ends the string whose text starts at `start` (7)."""
    i = start
    while True:
        if i >= size:
            return _fault(size, UNEXPECTED_END)
        code: i64 = ord(text[i])
        while code != QUOTATION and code != BACKSLASH and code >= SPACE:
            i += 1
            if i >= size:
                return _fault(size, UNEXPECTED_END)
            code = ord(text[i])
        if code == QUOTATION:
            return i + 1
        if code != BACKSLASH:
            return _fault(i, CONTROL_CHARACTER)
        i += 1
        if i == size:
            return _fault(i, UNEXPECTED_END)
        code = ord(text[i])
        if code < 128 and _ESCAPED[code]:
            i += 1
            continue
        if code != LOWER_U:
            return _fault(i, INVALID_ESCAPE)
        last = i + 4
        while i < last:
            i += 1
            if i == size:
                return _fault(i, UNEXPECTED_END)
            code = ord(text[i])
            if code >= 128 or not _HEX[code]:
                return _fault(i, INVALID_ESCAPE)
        i += 1


def _number_end(text: str, start: i64, size: i64) -> i64:
    """End of the number that starts at `start` with a hyphen or a digit (6); or a fault."""
    i = start
    if ord(text[i]) == HYPHEN:
        i += 1
    first = i
    i = _digits_end(text, i, size)
    if i < 0:
        return i
    if i > first + 1 and ord(text[first]) == ZERO:
        return _fault(first + 1, INVALID_NUMBER)
    if i >= size:
        return i
    code: i64 = ord(text[i])
    if code == FULL_STOP:
        i = _digits_end(text, i + 1, size)
        if i < 0 or i >= size:
            return i
        code = ord(text[i])
    if code == LOWER_E or code == UPPER_E:
        i += 1
        if i < size:
            code = ord(text[i])
            if code == PLUS or code == HYPHEN:
                i += 1
        i = _digits_end(text, i, size)
    return i


def _digits_end(text: str, start: i64, size: i64) -> i64:
    """End of the digits at `start`, of which there must be one; or a fault."""
    if start >= size:
        return _fault(start, UNEXPECTED_END)
    i = start
    code: i64 = ord(text[i])
    while ZERO <= code <= NINE:
        i += 1
        if i >= size:
            return i
        code = ord(text[i])
    return i if i > start else _fault(i, INVALID_NUMBER)


def _literal_end(text: str, start: i64, size: i64, rest: str) -> i64:
    """End of the literal that starts at `start` and goes on with `rest` (3); or a fault."""
    i = start + 1
    for letter in rest:
        if i == size:
            return _fault(i, UNEXPECTED_END)
        if ord(text[i]) != ord(letter):
            return _fault(i, INVALID_LITERAL)
        i += 1
    return i
