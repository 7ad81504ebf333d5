"""MDX: where blocks of ESM, expressions and JSX tags end.

MDX 3 reads `import` and `export` up to a blank line, `{…}` up to its own brace and a tag up to its
`>`. JavaScript is not parsed here: strings, template literals and comments are stepped over and
brackets are counted, which tells where a block ends in all but contrived files.
"""

from mypy_extensions import i64

from spanwise.kernel.chars import (
    APOSTROPHE,
    ASTERISK,
    BACKSLASH,
    BACKTICK,
    CR,
    GREATER,
    LEFT_BRACE,
    LEFT_BRACKET,
    LEFT_PAREN,
    LETTER,
    LF,
    QUOTATION,
    RIGHT_BRACE,
    RIGHT_BRACKET,
    RIGHT_PAREN,
    SLASH,
    is_blank,
)
from spanwise.kernel.leaves import skip_blanks


def starts_esm(text: str, start: i64, end: i64) -> bool:
    """Whether the line is an `import` or `export`."""
    if not text.startswith("import", start, end) and not text.startswith("export", start, end):
        return False
    i = start + 6
    return i < end and (is_blank(ord(text[i])) or ord(text[i]) == LEFT_BRACE)


def esm_end(text: str, start: i64, size: i64) -> i64:
    """End of the last line before the blank line that ends the ESM block at `start`, or -1.

    A blank line inside brackets does not end it; -1 when the brackets never close.
    """
    depth: i64 = 0
    i = start
    while i < size:
        code: i64 = ord(text[i])
        if code == LF or code == CR:
            after = i + 1
            if code == CR and after < size and ord(text[after]) == LF:
                after += 1
            blank = skip_blanks(text, after, size)
            if depth <= 0 and (blank == size or ord(text[blank]) == LF or ord(text[blank]) == CR):
                return i
            i = after
            continue
        if _opens(code):
            depth += 1
        elif _closes(code):
            depth -= 1
        i = _step(text, i, size)
    return size if depth <= 0 else -1


def expression_end(text: str, start: i64, size: i64) -> i64:
    """Past the brace that closes the one at `start`, or -1."""
    depth: i64 = 0
    i = start
    while i < size:
        code: i64 = ord(text[i])
        if _opens(code):
            depth += 1
        elif _closes(code):
            depth -= 1
            if depth == 0:
                return i + 1
        i = _step(text, i, size)
    return -1


def tag_end(text: str, start: i64, size: i64) -> i64:
    """Past the `>` of the JSX tag that opens at `start`, or -1 when it is none or not closed.

    A blank line ends the search.
    """
    i = start + 1
    if i < size and ord(text[i]) == SLASH:
        i += 1
    if i == size or not (_is_letter(ord(text[i])) or ord(text[i]) == GREATER):
        return -1
    while i < size:
        code: i64 = ord(text[i])
        if code == GREATER:
            return i + 1
        if code == LEFT_BRACE:
            i = expression_end(text, i, size)
        elif code == QUOTATION or code == APOSTROPHE:
            i = text.find('"' if code == QUOTATION else "'", i + 1, size) + 1
            if i == 0:
                return -1
        elif code == LF and i + 1 < size and ord(text[i + 1]) == LF:
            return -1
        else:
            i += 1
        if i < 0:
            return -1
    return -1


def _is_letter(code: i64) -> bool:
    return code < 128 and LETTER[code] != 0


def _opens(code: i64) -> bool:
    return code == LEFT_BRACE or code == LEFT_BRACKET or code == LEFT_PAREN


def _closes(code: i64) -> bool:
    return code == RIGHT_BRACE or code == RIGHT_BRACKET or code == RIGHT_PAREN


def _step(text: str, i: i64, size: i64) -> i64:
    """Past the character at `i`, or past the string, template or comment that starts there."""
    code: i64 = ord(text[i])
    if code == QUOTATION or code == APOSTROPHE:
        return _string_end(text, i, size, code)
    if code == BACKTICK:
        end = _template_end(text, i + 1, size)
        return end if end > 0 else i + 1
    if code == SLASH and i + 1 < size:
        following: i64 = ord(text[i + 1])
        if following == ASTERISK:
            close: i64 = text.find("*/", i + 2, size)
            return close + 2 if close >= 0 else i + 2
        if following == SLASH and (i == 0 or _ends_token(ord(text[i - 1]))):
            end = i
            while end < size and ord(text[end]) != LF and ord(text[end]) != CR:
                end += 1
            return end
    return i + 1


def _ends_token(code: i64) -> bool:
    return is_blank(code) or code == LF or code == CR or code == LEFT_BRACE


def _string_end(text: str, start: i64, size: i64, quote: i64) -> i64:
    """Past the string at `start`; past its quote alone when it is not closed on the line."""
    i = start + 1
    while i < size:
        code: i64 = ord(text[i])
        if code == quote:
            return i + 1
        if code == LF or code == CR:
            break
        i += 2 if code == BACKSLASH else 1
    return start + 1


def _template_end(text: str, start: i64, size: i64) -> i64:
    """Past the backtick that closes a template literal, 0 when none does."""
    close: i64 = text.find("`", start, size)
    while close > start and ord(text[close - 1]) == BACKSLASH:
        close = text.find("`", close + 1, size)
    return close + 1
