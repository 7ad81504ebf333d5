"""Citations: quotes checked against their sources, and citation records that are the same.

A quote is right where the source says exactly that at its span, or, without a span, where the
source says it exactly once. What is compared may be folded when asked: white space, Unicode
normalisation, or both.
"""

import html
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal, NotRequired, TypedDict
from urllib.parse import unquote

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


# Records of the same work

KeyKind = Literal["doi", "year_author_title", "none"]

_DOI_START: Final = re.compile(
    r"(?:https?://)?(?:www\.)?(?:dx\.)?doi\.org/|doi:\s*|info:doi/", re.IGNORECASE
)
_DOI: Final = re.compile(r"10\.[0-9]{4,9}(?:\.[0-9]+)*/\S+")
_YEAR: Final = re.compile(r"(?<![0-9])[0-9]{4}(?![0-9])")
_TAG: Final = re.compile(r"</?[a-zA-Z][^<>]*>")
_LATEX_ACCENT: Final = re.compile(r"\\[`'^\"~=.]\s*|\\(?:[cdkrtuvbH])(?=[\s{])\s*|\\(?=[ij]\b)")
_LATEX_LETTER: Final = re.compile(r"\\(ss|ae|AE|oe|OE|aa|AA|o|O|l|L)(?![a-zA-Z])\s*")
_LATEX_COMMAND: Final = re.compile(r"\\[a-zA-Z]+\*?\s*")
_LETTERS: Final = str.maketrans(
    {"æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ł": "l", "þ": "th", "ð": "d", "ı": "i"}
)
_DIGRAPHS: Final = re.compile("ae|oe|ue|aa")
_ARTICLES: Final = frozenset(
    "a an the der die das ein eine le la les l un une el los las lo il i gli o os as de het".split()
)


class RecordGroup(TypedDict):
    """Records that are the same work by one key; a group of one has no duplicate."""

    key_kind: KeyKind
    key: str | None
    members: list[int]
    ids: list[str | None]


def dedupe_records(records: Sequence[Mapping[str, Any]]) -> list[RecordGroup]:
    """CSL-JSON records grouped by normalised DOI, or else by year, first author and title.

    Groups are in the order of their first members, members are indices into `records`, ascending. A
    record with neither key is a group of its own. Nothing is compared approximately.
    """
    groups: list[RecordGroup] = []
    known: dict[tuple[KeyKind, str], RecordGroup] = {}
    for index, record in enumerate(records):
        kind, key = record_key(record)
        group = known.get((kind, key)) if kind != "none" else None
        if group is None:
            group = {"key_kind": kind, "key": key or None, "members": [], "ids": []}
            groups.append(group)
            known[kind, key] = group
        identity = record.get("id")
        group["members"].append(index)
        group["ids"].append(None if identity is None else str(identity))
    return groups


def record_key(record: Mapping[str, Any]) -> tuple[KeyKind, str]:
    """The key of a CSL-JSON record and its kind; an empty key where it has none."""
    for name in ("DOI", "URL"):
        doi = _doi(record.get(name), name == "URL")
        if doi:
            return "doi", doi
    year = _year(record.get("issued"))
    author = folded_words(_first_author(record))
    title = folded_words(_text(record.get("title")), articles=True)
    if year and author and title:
        return "year_author_title", f"{year}|{author}|{title}"
    return "none", ""


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _doi(value: Any, only_links: bool) -> str:
    """The DOI in a field: lower case, without link, label, escapes and closing punctuation."""
    text = html.unescape(_text(value)).strip()
    rest = _DOI_START.sub("", text, count=1) if _DOI_START.match(text) else text
    if only_links and rest == text:
        return ""
    found = _DOI.match(unquote(rest))
    return found[0].casefold().rstrip(".,;/") if found else ""


def _year(issued: Any) -> str:
    """The year of a CSL date: of its date-parts, else the first four digits of its text."""
    if isinstance(issued, Mapping):
        parts = issued.get("date-parts")
        if isinstance(parts, list) and parts and isinstance(parts[0], list) and parts[0]:
            return _year(str(parts[0][0]))
        issued = next((issued[name] for name in ("raw", "literal") if name in issued), "")
    found = _YEAR.search(_text(issued))
    return found[0] if found else ""


def _first_author(record: Mapping[str, Any]) -> str:
    """Family name of the first author, particle included; or the name of an institution."""
    authors = record.get("author")
    if not isinstance(authors, list) or not authors or not isinstance(authors[0], Mapping):
        return ""
    name = authors[0]
    family = _text(name.get("family"))
    if family:
        return f"{_text(name.get('non-dropping-particle'))} {family}"
    return _text(name.get("literal")).partition(",")[0] or _text(name.get("given"))


def folded_words(text: str, articles: bool = False) -> str:
    """`text` as it is compared in a key: letters and digits alone, without accents, in one case.

    HTML tags and entities and LaTeX commands go, `&` is "and", umlauts and their transliterations
    are the bare vowel. With `articles` an article at the start goes, if words follow it.
    """
    text = _TAG.sub("", html.unescape(_TAG.sub("", text)))
    text = _LATEX_LETTER.sub(r"\1", text)
    text = _LATEX_COMMAND.sub("", _LATEX_ACCENT.sub("", text))
    text = text.replace("{", "").replace("}", "").replace("$", "").replace("&", " and ")
    text = text.replace("'", " ").replace("\u2019", " ")
    folded = unicodedata.normalize("NFKD", text).casefold().translate(_LETTERS)
    kept = "".join(one for one in folded if not unicodedata.combining(one))
    words = "".join(one if one.isalnum() else " " for one in kept).split()
    if articles and len(words) > 1 and words[0] in _ARTICLES:
        words = words[1:]
    return _DIGRAPHS.sub(lambda found: found[0][0], "".join(words))
