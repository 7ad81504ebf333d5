"""Info strings of code fences: their text (CommonMark 0.31.2, 4.5) and the language in it."""

from typing import Final

from mypy_extensions import i64

from spanwise.kernel.chars import (
    AMPERSAND,
    BACKSLASH,
    DIGITS,
    HASH,
    LOWER_X,
    NO_BREAK_SPACE,
    SEMICOLON,
    SPACE,
    UPPER_X,
)

_HEX_DIGITS: Final = DIGITS + "abcdefABCDEF"
_PUNCTUATION: Final = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
_WHITE: Final = (
    "\t\n\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u202f\u205f\u3000"
)
"""Unicode white space (2.1): Zs, tab, line feed, form feed, carriage return."""

_REPLACEMENT: Final = "\ufffd"
_MAX_DECIMAL: Final = 7
_MAX_HEX: Final = 6


def decoded_info(raw: str) -> str:
    """`raw` with backslash escapes (2.4) and numeric character references (2.5) decoded.

    Named references stay as they are; U+0000 becomes U+FFFD (2.3).
    """
    if "\0" in raw:
        raw = raw.replace("\0", _REPLACEMENT)
    if "\\" not in raw and "&#" not in raw:
        return raw
    parts: list[str] = []
    size: i64 = len(raw)
    kept: i64 = 0
    i: i64 = 0
    while i + 1 < size:
        code: i64 = ord(raw[i])
        if code == BACKSLASH and raw[i + 1] in _PUNCTUATION:
            parts.append(raw[kept:i])
            kept = i + 1
            i += 2
            continue
        if code == AMPERSAND:
            end = _reference_end(raw, i, size)
            if end > i:
                parts.append(raw[kept:i])
                parts.append(_referred(raw[i + 2 : end - 1]))
                kept = end
                i = end
                continue
        i += 1
    parts.append(raw[kept:])
    return "".join(parts)


def info_language(info: str) -> str | None:
    """The first word of a decoded info string, or None where it has none."""
    size: i64 = len(info)
    i: i64 = 0
    while i < size:
        code: i64 = ord(info[i])
        if (code <= SPACE or code >= NO_BREAK_SPACE) and info[i] in _WHITE:
            break
        i += 1
    return info[:i] if i > 0 else None


def _reference_end(raw: str, start: i64, size: i64) -> i64:
    """End of the numeric character reference at `start`, or `start` when there is none (2.5)."""
    i = start + 2
    if i >= size or ord(raw[start + 1]) != HASH:
        return start
    digits = DIGITS
    most: i64 = _MAX_DECIMAL
    code: i64 = ord(raw[i])
    if code == LOWER_X or code == UPPER_X:
        digits = _HEX_DIGITS
        most = _MAX_HEX
        i += 1
    first = i
    while i < size and raw[i] in digits:
        i += 1
        if i - first > most:
            return start
    if i == first or i == size or ord(raw[i]) != SEMICOLON:
        return start
    return i + 1


def _referred(number: str) -> str:
    """The character that a reference means: U+FFFD for zero, surrogates and what is no code point.

    `number` has an `x` before hexadecimal digits.
    """
    code = int(number[1:], 16) if number[0] in "xX" else int(number)
    if code == 0 or 0xD800 <= code <= 0xDFFF or code > 0x10FFFF:
        return _REPLACEMENT
    return chr(code)
