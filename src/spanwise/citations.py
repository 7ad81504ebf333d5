"""Citations: quotes checked against their sources, and citation records that are the same.

A quote is right where the source says exactly that at its span, or, without a span, where the
source says it exactly once. What is compared may be folded when asked: white space, Unicode
normalisation, or both.
"""

import unicodedata
from collections.abc import Iterable, Mapping
from typing import Final, Literal, NotRequired, TypedDict

from spanwise.errors import InvalidInput
from spanwise.spans import Unit, check_unit, from_unit, to_unit

Normalization = Literal["NFC", "NFKC"]

Form = Literal["NFC", "NFKC", ""]
"""The same for functions inside, empty for none."""

Span = tuple[int, int]
"""Start and end in code points."""

Status = Literal["exact", "folded", "moved", "ambiguous", "not_found", "unknown_source"]
"""What became of a citation; the first two are right."""

_COMPOSED_STARTERS: Final = frozenset(
    chr(code)
    for first, last in (
        (0x1161, 0x1175),
        (0x11A8, 0x11C2),
        *((code, code) for code in (0x9BE, 0x9D7, 0xB3E, 0xB56, 0xB57, 0xBBE, 0xBD7, 0xCC2)),
        *((code, code) for code in (0xCD5, 0xCD6, 0xD3E, 0xD57, 0xDCF, 0xDDF, 0x102E, 0x1B35)),
        *((code, code) for code in (0x11127, 0x1133E, 0x11357, 0x114B0, 0x114BA, 0x114BD)),
        *((code, code) for code in (0x115AF, 0x11930)),
    )
    for code in range(first, last + 1)
)
"""Characters of combining class 0 that compose with the one before them."""


_TRIES: Final = 1000
"""Places looked at for one quote; all but two are inside characters that fold to several."""


class Citation(TypedDict):
    """A quote and where it is said to stand: at a span, or wherever it stands once."""

    source: str
    quote: str
    start: NotRequired[int]
    end: NotRequired[int]
    prefix: NotRequired[str]
    suffix: NotRequired[str]
    white_space: NotRequired[bool]
    normalization: NotRequired[Normalization | None]


class CheckedCitation(TypedDict):
    """What became of one citation."""

    index: int
    source: str
    status: Status
    ok: bool
    start: int | None
    end: int | None
    found: str | None
    occurrences: int


def check_citations(
    sources: Mapping[str, str],
    citations: Iterable[Citation],
    unit: Unit = "code_point",
    stop_at_failure: bool = False,
) -> list[CheckedCitation]:
    """Each citation checked against the text of its source, in order.

    `start` and `end` count `unit`. With `stop_at_failure` the first wrong one is the last row.
    Raises InvalidInput for an unknown unit and for a span that ends before it starts.
    """
    check_unit(unit)
    folded: dict[tuple[str, bool, str], Folded] = {}
    rows: list[CheckedCitation] = []
    for index, citation in enumerate(citations):
        start, end = citation.get("start"), citation.get("end")
        if (start is None) != (end is None) or (
            start is not None and end is not None and end < start
        ):
            raise InvalidInput(
                f"citations.{index}: start and end must come together, start first",
                field=f"citations.{index}",
            )
        row = _checked(index, citation, sources.get(citation["source"]), unit, folded)
        rows.append(row)
        if stop_at_failure and not row["ok"]:
            break
    return rows


class Folded:
    """A text with white space or normal forms made equal, and where each character came from."""

    def __init__(self, text: str, white_space: bool, normalization: Form) -> None:
        """Fold `text`; the ends of a span are kept as code point offsets into it."""
        parts: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        position = 0
        while position < len(text):
            last = position + 1
            if white_space and text[position].isspace():
                while last < len(text) and text[last].isspace():
                    last += 1
                part = " "
            elif normalization:
                while last < len(text) and _joins(text[last]):
                    last += 1
                part = unicodedata.normalize(normalization, text[position:last])
                if white_space:
                    part = "".join(" " if one.isspace() else one for one in part)
            else:
                part = text[position]
            parts.append(part)
            self.starts.extend([position] * len(part))
            self.ends.extend([last] * len(part))
            position = last
        self.text = "".join(parts)

    def places(self, quote: "Folded", first: int, last: int) -> list[Span]:
        """Spans of the text where `quote` stands, `[first, last)` of it cited; two at most."""
        found: list[Span] = []
        at = self.text.find(quote.text) if quote.text else -1
        tries = 0
        while at >= 0 and len(found) < 2 and tries < _TRIES:
            tries += 1
            span = self.starts[at + first], self.ends[at + last - 1]
            if self._is_whole(at + first, at + last) and span not in found:
                found.append(span)
            at = self.text.find(quote.text, at + 1)
        return found

    def _is_whole(self, first: int, last: int) -> bool:
        """Whether `[first, last)` holds no part of a character that folding made several."""
        before = first == 0 or self.starts[first - 1] != self.starts[first]
        return before and (last == len(self.text) or self.ends[last] != self.ends[last - 1])


def _joins(character: str) -> bool:
    return unicodedata.combining(character) > 0 or character in _COMPOSED_STARTERS


def fold(text: str, white_space: bool, normalization: Form) -> str:
    """`text` as it is compared: white space runs one space and none at the ends; normalised."""
    if normalization:
        text = unicodedata.normalize(normalization, text)
    return " ".join(text.split()) if white_space else text


def _checked(
    index: int,
    citation: Citation,
    text: str | None,
    unit: Unit,
    cache: dict[tuple[str, bool, str], Folded],
) -> CheckedCitation:
    row: CheckedCitation = {
        "index": index,
        "source": citation["source"],
        "status": "unknown_source",
        "ok": False,
        "start": None,
        "end": None,
        "found": None,
        "occurrences": 0,
    }
    if text is None:
        return row
    quote = citation["quote"]
    white_space = citation.get("white_space", False)
    normalization: Form = citation.get("normalization") or ""
    folds = white_space or normalization != ""
    if "start" in citation:
        start, end = from_unit(text, [citation["start"], citation["end"]], unit)
        if start is not None and end is not None:
            found = row["found"] = text[start:end]
            if found == quote:
                return _placed(row, "exact", citation["start"], citation["end"])
            wanted = fold(quote, white_space, normalization)
            if folds and fold(found, white_space, normalization) == wanted:
                return _placed(row, "folded", citation["start"], citation["end"])
    before, after = citation.get("prefix", ""), citation.get("suffix", "")
    places = exact_places(text, quote, before, after)
    exact = bool(places)
    if not places and folds:
        key = citation["source"], white_space, normalization
        if key not in cache:
            cache[key] = Folded(text, white_space, normalization)
        places = _folded_places(cache[key], quote, before, after, white_space, normalization)
    row["occurrences"] = len(places)
    if len(places) != 1:
        row["status"] = "ambiguous" if places else "not_found"
        return row
    shown = to_unit(text, list(places[0]), unit)
    if "start" not in citation:
        row["found"] = text[places[0][0] : places[0][1]]
        return _placed(row, "exact" if exact else "folded", shown[0], shown[1])
    return _placed(row, "moved", shown[0], shown[1])


def _placed(row: CheckedCitation, status: Status, start: int, end: int) -> CheckedCitation:
    row["status"] = status
    row["ok"] = status != "moved"
    row["start"] = start
    row["end"] = end
    row["occurrences"] = max(row["occurrences"], 1)
    return row


def exact_places(text: str, quote: str, prefix: str = "", suffix: str = "") -> list[Span]:
    """Spans of `quote` in `text` between that context, two at most; they may overlap."""
    found: list[Span] = []
    needle = prefix + quote + suffix
    at = text.find(needle) if quote else -1
    while at >= 0 and len(found) < 2:
        start = at + len(prefix)
        found.append((start, start + len(quote)))
        at = text.find(needle, at + 1)
    return found


def _folded_places(
    source: Folded, quote: str, prefix: str, suffix: str, white_space: bool, normalization: Form
) -> list[Span]:
    """Spans where the quote stands when both are folded; two at most."""
    if white_space:
        # White space at the outer ends is no part of what is looked for.
        whole = prefix + quote + suffix
        lead = len(quote) - len(quote.lstrip())
        trail = len(quote) - len(quote.rstrip())
        start = len(prefix) + lead
        end = len(prefix) + len(quote) - trail
        whole_start = len(whole) - len(whole.lstrip())
        whole = whole.strip()
        start -= whole_start
        end -= whole_start
    else:
        whole = prefix + quote + suffix
        start = len(prefix)
        end = start + len(quote)
    if end <= start:
        return []
    needle = Folded(whole, white_space, normalization)
    inside = [at for at in range(len(needle.text)) if start <= needle.starts[at] < end]
    if not inside:
        return []
    return source.places(needle, inside[0], inside[-1] + 1)
