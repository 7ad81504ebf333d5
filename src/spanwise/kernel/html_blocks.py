"""HTML blocks: which of the seven kinds a line starts, and whether a line ends one (4.6)."""

from typing import Final

from mypy_extensions import i64

from spanwise.kernel.chars import (
    APOSTROPHE,
    BACKTICK,
    COLON,
    EQUALS,
    EXCLAMATION,
    FULL_STOP,
    GREATER,
    LESS,
    LETTER,
    NAME,
    QUESTION,
    QUOTATION,
    SLASH,
    UNDERSCORE,
    is_blank,
)
from spanwise.kernel.leaves import skip_blanks

RAW_TEXT_NAMES: Final = frozenset({"pre", "script", "style", "textarea"})
"""Tags of kind 1."""

BLOCK_NAMES: Final = frozenset(
    "address article aside base basefont blockquote body caption center col colgroup dd details "
    "dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 "
    "head header hr html iframe legend li link main menu menuitem nav noframes ol optgroup option "
    "p param search section summary table tbody td tfoot th thead title tr track ul".split()
)
"""Tags of kind 6."""

_LONGEST_NAME: Final = 10


def html_kind(text: str, start: i64, end: i64, interrupts: bool) -> i64:
    """Kind 1 to 7 of the HTML block that the line opens at its `<`, or 0.

    `interrupts`: a paragraph is open, which a block of kind 7 cannot interrupt.
    """
    i = start + 1
    if i == end:
        return 0
    code: i64 = ord(text[i])
    if code == EXCLAMATION:
        return _declaration_kind(text, i + 1, end)
    if code == QUESTION:
        return 3
    closing = code == SLASH
    if closing:
        i += 1
    name_end = _name_end(text, i, end)
    if name_end == i:
        return 0
    if name_end - i <= _LONGEST_NAME:
        name = text[i:name_end].lower()
        if name in RAW_TEXT_NAMES and not closing:
            return 1 if _ends_name(text, name_end, end) else 0
        if name in BLOCK_NAMES and _ends_block_name(text, name_end, end):
            return 6
    if interrupts:
        return 0
    if closing:
        tag_end = _closing_tag_end(text, name_end, end)
    else:
        tag_end = _open_tag_end(text, name_end, end)
    return 7 if tag_end >= 0 and skip_blanks(text, tag_end, end) == end else 0


def ends_html(text: str, start: i64, end: i64, kind: i64) -> bool:
    """Whether the line is the last one of a block of kind 1 to 5."""
    if kind == 1:
        return _has_raw_text_end(text, start, end)
    if kind == 2:
        return text.find("-->", start, end) >= 0
    if kind == 3:
        return text.find("?>", start, end) >= 0
    if kind == 4:
        return text.find(">", start, end) >= 0
    return text.find("]]>", start, end) >= 0


def _declaration_kind(text: str, start: i64, end: i64) -> i64:
    """Kind of the block that starts with `<!` before `start`."""
    if text.startswith("--", start, end):
        return 2
    if text.startswith("[CDATA[", start, end):
        return 5
    return 4 if start < end and _is_letter(ord(text[start])) else 0


def _has_raw_text_end(text: str, start: i64, end: i64) -> bool:
    i: i64 = text.find("</", start, end)
    while i >= 0:
        name_end = _name_end(text, i + 2, end)
        if (
            name_end < end
            and ord(text[name_end]) == GREATER
            and name_end - i - 2 <= _LONGEST_NAME
            and text[i + 2 : name_end].lower() in RAW_TEXT_NAMES
        ):
            return True
        i = text.find("</", i + 2, end)
    return False


def _is_letter(code: i64) -> bool:
    return code < 128 and LETTER[code] != 0


def _name_end(text: str, start: i64, end: i64) -> i64:
    """End of the tag name at `start`; `start` itself when there is none (6.6)."""
    if start >= end or not _is_letter(ord(text[start])):
        return start
    i = start + 1
    while i < end:
        code: i64 = ord(text[i])
        if code >= 128 or NAME[code] == 0:
            break
        i += 1
    return i


def _ends_name(text: str, i: i64, end: i64) -> bool:
    """Condition 1: the name is followed by a space, a tab, `>` or the end of the line."""
    return i == end or is_blank(ord(text[i])) or ord(text[i]) == GREATER


def _ends_block_name(text: str, i: i64, end: i64) -> bool:
    """Condition 6: as condition 1, or followed by `/>`."""
    if _ends_name(text, i, end):
        return True
    return ord(text[i]) == SLASH and i + 1 < end and ord(text[i + 1]) == GREATER


def _closing_tag_end(text: str, name_end: i64, end: i64) -> i64:
    i = skip_blanks(text, name_end, end)
    return i + 1 if i < end and ord(text[i]) == GREATER else -1


def _open_tag_end(text: str, name_end: i64, end: i64) -> i64:
    """End of the open tag whose name ends at `name_end`, or -1 when it is not complete (6.6)."""
    i = name_end
    while True:
        after = skip_blanks(text, i, end)
        if after == end:
            return -1
        code: i64 = ord(text[after])
        if code == GREATER:
            return after + 1
        if code == SLASH:
            return after + 2 if after + 1 < end and ord(text[after + 1]) == GREATER else -1
        if after == i or not _starts_attribute(code):
            return -1
        i = _attribute_end(text, after, end)
        if i < 0:
            return -1


def _starts_attribute(code: i64) -> bool:
    return _is_letter(code) or code == UNDERSCORE or code == COLON


def _attribute_end(text: str, start: i64, end: i64) -> i64:
    """End of the attribute at `start` with its value, if any; -1 when the value is broken (6.6)."""
    i = start + 1
    while i < end:
        code: i64 = ord(text[i])
        if code >= 128 or (
            NAME[code] == 0 and code != UNDERSCORE and code != FULL_STOP and code != COLON
        ):
            break
        i += 1
    equals = skip_blanks(text, i, end)
    if equals == end or ord(text[equals]) != EQUALS:
        return i
    value = skip_blanks(text, equals + 1, end)
    if value == end:
        return -1
    quote: i64 = ord(text[value])
    if quote == QUOTATION or quote == APOSTROPHE:
        found: i64 = text.find('"' if quote == QUOTATION else "'", value + 1, end)
        return found + 1 if found >= 0 else -1
    i = value
    while i < end and not _ends_unquoted(ord(text[i])):
        i += 1
    return i if i > value else -1


def _ends_unquoted(code: i64) -> bool:
    return (
        is_blank(code)
        or code == QUOTATION
        or code == APOSTROPHE
        or code == EQUALS
        or code == LESS
        or code == GREATER
        or code == BACKTICK
    )
