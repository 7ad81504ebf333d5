"""Character references: what `&amp;` and its like stand for.

HTML standard, 13.2.5.72 to 13.2.5.80. The names are those of the standard's table, which Python
has.
"""

import re
from html.entities import html5 as _names
from typing import Final

_LONGEST: Final = max(len(name) for name in _names)
_NAME: Final = re.compile(r"[0-9A-Za-z]+;?")
_NUMBER: Final = re.compile(r"#(?:[xX]([0-9a-fA-F]+)|([0-9]+));?")
_C1: Final = dict(
    zip(
        [*range(0x80, 0xA0)],
        "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ",
        strict=True,
    )
)
"""What numbers mean that windows-1252 has and Unicode has not."""


def reference(
    text: str, at: int, end: int, *, in_attribute: bool = False
) -> tuple[str, int] | None:
    """What the reference that opens with the `&` at `at` stands for, and where it ends.

    None where there is none: the `&` then is text.
    """
    at += 1
    number = _NUMBER.match(text, at, end)
    if number:
        return _character(number), number.end()
    name = _NAME.match(text, at, min(end, at + _LONGEST))
    if name is None:
        return None
    word = name.group()
    for size in range(len(word), 1, -1):
        found = _names.get(word[:size])
        if found is None:
            continue
        after = at + size
        if in_attribute and not word[:size].endswith(";") and after < end:
            following = text[after]
            if following == "=" or (following.isascii() and following.isalnum()):
                return None
        return found, after
    return None


def unescaped(text: str) -> str:
    """The value of an attribute, its references resolved."""
    at = text.find("&")
    if at < 0:
        return text
    parts = []
    start = 0
    while at >= 0:
        found = reference(text, at, len(text), in_attribute=True)
        if found is None:
            at = text.find("&", at + 1)
            continue
        parts.append(text[start:at])
        parts.append(found[0])
        start = found[1]
        at = text.find("&", start)
    parts.append(text[start:])
    return "".join(parts)


def _character(number: "re.Match[str]") -> str:
    digits, base = (number[1], 16) if number[1] else (number[2], 10)
    digits = digits.lstrip("0")
    if len(digits) > 8:
        return "\ufffd"
    code = int(digits or "0", base)
    if code == 0 or code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    return _C1.get(code) or chr(code)
