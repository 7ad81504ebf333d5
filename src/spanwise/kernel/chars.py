"""Code points that block structure turns on, as integers, and tables of them."""

from typing import Final

TAB: Final = 0x09
LF: Final = 0x0A
CR: Final = 0x0D
SPACE: Final = 0x20
EXCLAMATION: Final = 0x21
QUOTATION: Final = 0x22
HASH: Final = 0x23
AMPERSAND: Final = 0x26
APOSTROPHE: Final = 0x27
LEFT_PAREN: Final = 0x28
RIGHT_PAREN: Final = 0x29
ASTERISK: Final = 0x2A
PLUS: Final = 0x2B
COMMA: Final = 0x2C
HYPHEN: Final = 0x2D
FULL_STOP: Final = 0x2E
SLASH: Final = 0x2F
ZERO: Final = 0x30
ONE: Final = 0x31
NINE: Final = 0x39
COLON: Final = 0x3A
SEMICOLON: Final = 0x3B
LESS: Final = 0x3C
EQUALS: Final = 0x3D
GREATER: Final = 0x3E
QUESTION: Final = 0x3F
UPPER_E: Final = 0x45
UPPER_X: Final = 0x58
LEFT_BRACKET: Final = 0x5B
BACKSLASH: Final = 0x5C
RIGHT_BRACKET: Final = 0x5D
UNDERSCORE: Final = 0x5F
BACKTICK: Final = 0x60
LOWER_A: Final = 0x61
LOWER_E: Final = 0x65
LOWER_F: Final = 0x66
LOWER_N: Final = 0x6E
LOWER_T: Final = 0x74
LOWER_U: Final = 0x75
LOWER_X: Final = 0x78
LEFT_BRACE: Final = 0x7B
PIPE: Final = 0x7C
RIGHT_BRACE: Final = 0x7D
TILDE: Final = 0x7E
DELETE: Final = 0x7F
NO_BREAK_SPACE: Final = 0xA0

TAB_STOP: Final = 4
"""Columns from one tab stop to the next (CommonMark 0.31.2, 2.2)."""


def _table(characters: str) -> bytes:
    return bytes(chr(code) in characters for code in range(128))


LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
DIGITS: Final = "0123456789"

LETTER: Final = _table(LETTERS)
"""1 at each ASCII letter."""

NAME: Final = _table(LETTERS + DIGITS + "-")
"""1 at what an HTML tag name holds after its first letter (6.6)."""

_STARTS: Final = "\t\n\r #>-+*_=`~<[" + DIGITS

STARTS_BLOCK: Final = _table(_STARTS)
"""1 where a line beginning with this may be anything but plain paragraph text."""

STARTS_MDX_BLOCK: Final = _table(_STARTS + "{ie")
"""The same for MDX: also expressions, `import` and `export`."""


def is_blank(code: int) -> bool:
    """A space or a tab (2.1)."""
    return code == SPACE or code == TAB
