"""Spans: half-open `[start, end)` in one stated unit, and converting between the units."""

from typing import Final, Literal

from spanwise.errors import InvalidInput

Unit = Literal["code_point", "utf16", "utf8"]
"""What an offset counts: code points (Python's own), UTF-16 code units or UTF-8 bytes."""

UNITS: Final[tuple[Unit, ...]] = ("code_point", "utf16", "utf8")

_ENCODING: Final = {"utf16": "utf-16-le", "utf8": "utf-8"}
_WIDTH: Final = {"utf16": 2, "utf8": 1}


def size(text: str, unit: Unit = "code_point") -> int:
    """Length of `text` in `unit`. Lone surrogates raise UnicodeEncodeError outside code points."""
    if unit == "code_point" or text.isascii():
        return len(text)
    return len(text.encode(_ENCODING[unit])) // _WIDTH[unit]


def to_unit(text: str, offsets: list[int], unit: Unit) -> list[int]:
    """`offsets` (ascending code point offsets into `text`) counted in `unit`.

    Each stretch between two offsets is measured once, so the work is linear in the text.
    """
    if unit == "code_point" or text.isascii():
        return list(offsets)
    converted = []
    position = 0
    counted = 0
    for offset in offsets:
        if offset > position:
            counted += size(text[position:offset], unit)
            position = offset
        converted.append(counted)
    return converted


def from_unit(text: str, offsets: list[int], unit: Unit) -> list[int | None]:
    """Ascending `offsets` in `unit` as code point offsets into `text`.

    None stands for one inside a character or past the end. Linear in the text.
    """
    if unit == "code_point" or text.isascii():
        return [offset if offset <= len(text) else None for offset in offsets]
    encoding = _ENCODING[unit]
    encoded = text.encode(encoding)
    converted: list[int | None] = []
    position = 0
    counted = 0
    for offset in offsets:
        at = offset * _WIDTH[unit]
        try:
            characters = len(encoded[position:at].decode(encoding))
        except UnicodeDecodeError:
            converted.append(None)
            continue
        if at > len(encoded):
            converted.append(None)
            continue
        position = at
        counted += characters
        converted.append(counted)
    return converted


def check_unit(unit: str) -> None:
    """Raise InvalidInput when `unit` is none of the three."""
    if unit not in UNITS:
        raise InvalidInput(f"unit: {unit!r} is none of {', '.join(UNITS)}", field="unit")
