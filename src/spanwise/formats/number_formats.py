"""How a spreadsheet shows a number: the formats that are common, the number itself for the rest."""

import re
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from functools import lru_cache
from typing import Final, NamedTuple

BUILT_IN: Final = {
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 14: "yyyy-mm-dd",
    15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm",
    21: "h:mm:ss", 22: "yyyy-mm-dd h:mm", 37: "#,##0", 38: "#,##0", 39: "#,##0.00",
    40: "#,##0.00", 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss",
}  # fmt: skip
"""The formats that have a number and are not written in the file."""

_LITERAL: Final = re.compile(r'"([^"]*)"|\\(.)|\[\$([^\]-]*)[^\]]*\]|\[[^\]]*\]|_.|\*.')
_NUMBER: Final = re.compile(r"[#0?,]*[#0?](?:\.[0#?]+)?,*|\.[0#?]+")
_DAY_ZERO: Final = datetime(1899, 12, 30)
_1904_DAYS: Final = 1462
_LARGEST: Final = Decimal("1e308")
_LAST_DAY: Final = 2_958_466


class _Format(NamedTuple):
    kind: str
    """`general`, `date`, `time`, `both` or `number`."""
    before: str = ""
    after: str = ""
    decimals: int = 0
    grouped: bool = False
    percent: bool = False


def shown(value: str, code: str, is_1904: bool = False) -> str:
    """The number in `value` as a cell with the format `code` shows it.

    Dates are written as `2024-03-31`, times as `14:05:00`, whatever their format.
    """
    try:
        number = Decimal(value)
    except InvalidOperation:
        return value
    if not number.is_finite() or abs(number) > _LARGEST:
        return value
    how = _parsed(code)
    if how.kind in ("date", "time", "both"):
        return _moment(number, how.kind, is_1904) or value
    if how.kind == "general":
        return _general(value, number)
    if how.percent:
        number *= 100
    if abs(number) >= 10**30:
        return _general(value, number)
    rounded = abs(number).quantize(Decimal(1).scaleb(-how.decimals), ROUND_HALF_UP)
    digits = f"{rounded:,f}" if how.grouped else f"{rounded:f}"
    sign = "-" if number < 0 and rounded else ""
    return f"{sign}{how.before}{digits}{how.after}"


def _general(value: str, number: Decimal) -> str:
    if len(value) < 16 and "e" not in value.lower():
        return value
    return f"{float(number):.15g}"


@lru_cache(maxsize=4096)
def _parsed(code: str) -> _Format:
    literals: list[str] = []

    def literal(match: "re.Match[str]") -> str:
        literals.append(match[1] or match[2] or match[3] or "")
        return "\0"

    first = code.split(";")[0]
    bare = _LITERAL.sub(literal, first)
    if re.search(r"\[[hms]+\]", code, re.IGNORECASE):
        return (
            _Format("general") if "#" in bare or "0" in bare.replace("00", "") else _Format("time")
        )
    letters = bare.lower().replace("am/pm", "").replace("general", "")
    if re.search(r"[ymdhs]", letters) and not re.search(r"[#?]", letters):
        has_day = "y" in letters or "d" in letters or re.search(r"m{3}", letters)
        has_time = "h" in letters or "s" in letters
        return _Format("both" if has_day and has_time else "date" if has_day else "time")
    number = _NUMBER.search(bare)
    if number is None or "e+" in letters or "/" in letters or "@" in bare:
        return _Format("general")
    pattern = number.group()
    if pattern.endswith(","):
        return _Format("general")  # shown in thousands
    names = iter(literals)

    def plain(text: str) -> str:
        return "".join(next(names) if char == "\0" else char for char in text)

    before = plain(bare[: number.start()])
    after = plain(bare[number.end() :])
    whole, _, fraction = pattern.partition(".")
    return _Format("number", before, after, len(fraction), "," in whole, "%" in bare)


def _moment(number: Decimal, kind: str, is_1904: bool) -> str:
    days = number + (_1904_DAYS if is_1904 else 0)
    if not 0 <= days < _LAST_DAY:
        return ""
    seconds = int((days * 86400).quantize(Decimal(1), ROUND_HALF_UP))
    if kind == "time":
        hours, rest = divmod(seconds, 3600)
        return f"{hours:02d}:{rest // 60:02d}:{rest % 60:02d}"
    # Day 60 is 29 February 1900, which there was not; days before it are one later.
    moment = _DAY_ZERO + timedelta(days=1 if days < 60 else 0, seconds=seconds)
    return f"{moment:%Y-%m-%d}" if kind == "date" else f"{moment:%Y-%m-%d %H:%M:%S}"
