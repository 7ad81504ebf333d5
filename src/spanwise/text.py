"""Plain text: sentences by UAX #29, paragraphs by blank lines, pieces between delimiters.

Every function carries its spans over from one scan; rows are plain dictionaries. Offsets count
code points unless a unit is asked for. In the units `utf16` and `utf8` a lone surrogate in the
text raises UnicodeEncodeError, a ValueError: it has no encoding to count.
"""

from typing import Final, Literal, TypedDict

from spanwise.errors import InvalidInput
from spanwise.kernel.abbreviation_tables import ABBREVIATIONS, VERSION
from spanwise.kernel.lines import line_numbers
from spanwise.kernel.paragraphs import paragraph_spans
from spanwise.kernel.sentence_tables import EXTEND, LOWER, NUMERIC, OTHER_LETTER
from spanwise.kernel.sentences import (
    boundaries,
    ends_paragraph,
    sentence_class,
    trimmed_end,
    trimmed_start,
)
from spanwise.spans import Unit, check_unit, to_unit

DATA_VERSION: Final = "unicode-17.0.0"
"""The Unicode version that decides where sentences end, as the contracts name it."""

SUPPRESSIONS_VERSION: Final = VERSION
"""The CLDR release that the abbreviation lists come from."""

Language = Literal["de", "en", "es", "fr", "it", "pt", "ru"]
"""A language that CLDR lists abbreviations for."""

Rule = Literal["SB2", "SB4", "SB11"]
"""Why a sentence ends: at the end of the text, after a paragraph separator, after a terminator."""


class Sentence(TypedDict):
    """One sentence: its number among all sentences, exact text, span and lines."""

    index: int
    text: str
    start: int
    end: int
    start_line: int
    end_line: int


_SENTENCE: Final[Sentence] = {
    "index": 0,
    "text": "",
    "start": 0,
    "end": 0,
    "start_line": 1,
    "end_line": 1,
}
"""A row to copy: filling the copy of a dict of full size is faster than growing a new one."""


class SentenceChunk(TypedDict):
    """Whole sentences in a row, at most `max_size` together unless `oversized`."""

    text: str
    start: int
    end: int
    size: int
    first_sentence: int
    sentence_count: int
    oversized: bool


class Paragraph(TypedDict):
    """Lines without a blank one among them; `end` is before the last line's ending."""

    index: int
    text: str
    start: int
    end: int
    start_line: int
    end_line: int


class DelimitedChunk(TypedDict):
    """What stands between two delimiters; may be empty."""

    index: int
    text: str
    start: int
    end: int
    start_line: int
    end_line: int


def sentence_boundaries(text: str, unit: Unit = "code_point") -> list[int]:
    """Offsets of the sentence boundaries of `text`, its start and end included, in `unit`.

    The default boundaries of UAX #29, revision 47, with Unicode 17.0.0: they come after "Mr." as
    after any other full stop that a capital follows, since no rule knows abbreviations. An empty
    text has none. Raises InvalidInput for an unknown unit.
    """
    check_unit(unit)
    found = boundaries(text, 0, len(text))
    return to_unit(text, found, unit)


def sentences(
    text: str,
    unit: Unit = "code_point",
    trim: bool = False,
    suppressions: Language | None = None,
) -> list[Sentence]:
    """The sentences of `text` as rows, in order.

    They tile the text. With `trim`, white space at the edges is left out of each span, and a
    sentence of white space alone is left out whole, its index with it. With `suppressions`,
    sentences are joined where a listed abbreviation of that language parts them, see
    `joined_boundaries`. Raises InvalidInput for an unknown unit or language.
    """
    check_unit(unit)
    found = boundaries(text, 0, len(text))
    if suppressions is not None:
        found = joined_boundaries(text, found, suppressions)
    return sentence_rows(text, found, unit, trim)


def sentence_rows(text: str, found: list[int], unit: Unit, trim: bool) -> list[Sentence]:
    """The rows for the boundaries `found` of the whole `text`, which are code point offsets.

    A sentence is on one line: whatever ends a line is a paragraph separator too, and ends it.
    """
    starts = found[:-1]
    ends = found[1:]
    if trim:
        ends = [trimmed_end(text, start, ends[i]) for i, start in enumerate(starts)]
        starts = [trimmed_start(text, start, ends[i]) for i, start in enumerate(starts)]
        unit_starts = to_unit(text, starts, unit)
        unit_ends = to_unit(text, ends, unit)
    else:
        counted = to_unit(text, found, unit)
        unit_starts = counted[:-1]
        unit_ends = counted[1:]
    rows: list[Sentence] = []
    line = 1
    for index in range(len(starts)):
        start = starts[index]
        end = ends[index]
        if start < end:
            row = _SENTENCE.copy()
            row["index"] = index
            row["text"] = text[start:end]
            row["start"] = unit_starts[index]
            row["end"] = unit_ends[index]
            row["start_line"] = line
            row["end_line"] = line
            rows.append(row)
        if text[found[index + 1] - 1] in "\r\n":
            line += 1
    return rows


def ending_rules(text: str, found: list[int]) -> list[Rule]:
    """For each sentence between the boundaries `found`, the first rule that ends it.

    Code point offsets. The end of the text comes first, so the last sentence has SB2 whatever it
    ends in: a text that goes on may go on with that sentence.
    """
    rules: list[Rule] = []
    for end in found[1:]:
        if end == len(text):
            rules.append("SB2")
        else:
            rules.append("SB4" if ends_paragraph(ord(text[end - 1])) else "SB11")
    return rules


def chunk_sentences(
    text: str, max_size: int, unit: Unit = "code_point", overlap: int = 0
) -> list[SentenceChunk]:
    """Whole sentences packed into chunks of at most `max_size` in `unit`, first come first served.

    A chunk repeats up to `overlap` sentences of the one before, as many as fit together with one
    new sentence. A sentence larger than `max_size` is a chunk of its own, `oversized`. Raises
    InvalidInput for an unknown unit, a `max_size` below 1 or a negative `overlap`.
    """
    check_unit(unit)
    if max_size < 1:
        raise InvalidInput(f"max_size: {max_size} is less than 1", field="max_size")
    if overlap < 0:
        raise InvalidInput(f"overlap: {overlap} is less than 0", field="overlap")
    return chunk_rows(text, boundaries(text, 0, len(text)), max_size, unit, overlap)


def chunk_rows(
    text: str, found: list[int], max_size: int, unit: Unit, overlap: int
) -> list[SentenceChunk]:
    """The chunks of the sentences between the boundaries `found`, which are code point offsets."""
    counted = to_unit(text, found, unit)
    rows: list[SentenceChunk] = []
    count = len(found) - 1
    before = 0  # first sentence of the chunk before
    new = 0  # first sentence not yet in a chunk
    while new < count:
        first = new
        while (
            new - first < overlap
            and first > before
            and counted[new + 1] - counted[first - 1] <= max_size
        ):
            first -= 1
        start = counted[first]
        new += 1
        while new < count and counted[new + 1] - start <= max_size:
            new += 1
        end = counted[new]
        rows.append(
            {
                "text": text[found[first] : found[new]],
                "start": start,
                "end": end,
                "size": end - start,
                "first_sentence": first,
                "sentence_count": new - first,
                "oversized": end - start > max_size,
            }
        )
        before = first
    return rows


def joined_boundaries(text: str, found: list[int], language: Language) -> list[int]:
    """The boundaries `found` without those that one of CLDR's abbreviations makes.

    A boundary goes when the text before it, white space left out, ends in an abbreviation listed
    for `language`, or in the first words of one that goes on after it. The abbreviation has to
    match in case, and to start the sentence or follow something that is neither letter, digit nor
    mark. The ends of paragraphs stay. Raises InvalidInput for a language without a list.
    """
    heads = _heads(language)
    longest = max(len(head) for head in heads)
    kept = found[:1]
    for boundary in found[1:-1]:
        end = trimmed_end(text, kept[-1], boundary)
        if ends_paragraph(ord(text[boundary - 1])) or not _parts_abbreviation(
            text, kept[-1], end, heads, longest
        ):
            kept.append(boundary)
    return kept + found[1:][-1:]


def _heads(language: str) -> dict[str, list[str]]:
    """What may stand before a boundary, each with what has to come next to make an abbreviation.

    An abbreviation of several words, such as "v. Chr.", has a head for each of its spaces too.
    """
    if language not in ABBREVIATIONS:
        known = ", ".join(ABBREVIATIONS)
        raise InvalidInput(
            f"suppressions: there is no list for {language!r} (there is {known})",
            field="suppressions",
        )
    heads: dict[str, list[str]] = {}
    for abbreviation in ABBREVIATIONS[language]:
        words = abbreviation.split(" ")
        for count in range(1, len(words) + 1):
            head = " ".join(words[:count])
            heads.setdefault(head, []).append(abbreviation[len(head) :])
    return heads


def _parts_abbreviation(
    text: str, start: int, end: int, heads: dict[str, list[str]], longest: int
) -> bool:
    """Whether a head ends at `end` and the text goes on as it asks; looks back to `longest`."""
    for at in range(max(start, end - longest), end):
        rests = heads.get(text[at:end])
        if rests is not None and (at == start or not _is_word(ord(text[at - 1]))):
            for rest in rests:
                if text.startswith(rest, end):
                    return True
    return False


def _is_word(code: int) -> bool:
    """A letter, a digit or a mark that belongs to one."""
    kind = sentence_class(code)
    return kind in (EXTEND, NUMERIC) or OTHER_LETTER <= kind <= LOWER


def paragraphs(text: str) -> list[Paragraph]:
    """The paragraphs of `text` as rows: runs of lines between blank ones.

    Lines end at LF, CR or CRLF; a line of spaces and tabs is blank (CommonMark 0.31.2, 2.1). A
    paragraph is the exact text from the start of its first line to the end of its last, indents
    and trailing spaces included, the last line ending left out.
    """
    spans = paragraph_spans(text)
    rows: list[Paragraph] = []
    for index in range(len(spans) // 4):
        at = 4 * index
        start = spans[at]
        end = spans[at + 1]
        rows.append(
            {
                "index": index,
                "text": text[start:end],
                "start": start,
                "end": end,
                "start_line": spans[at + 2],
                "end_line": spans[at + 3],
            }
        )
    return rows


def split_delimiter(
    text: str, delimiter: str, max_splits: int | None = None
) -> list[DelimitedChunk]:
    """What `text.split(delimiter, max_splits)` gives, as rows: joined by the delimiter, the text.

    Delimiters are taken from the left, without overlap, `max_splits` of them at most, and belong
    to no row; rows may be empty. The line of an empty one is that of its offset. Raises
    InvalidInput for an empty delimiter or a negative `max_splits`.
    """
    if not delimiter:
        raise InvalidInput("delimiter: must not be empty", field="delimiter")
    if max_splits is not None and max_splits < 0:
        raise InvalidInput(f"max_splits: {max_splits} is less than 0", field="max_splits")
    most = len(text) if max_splits is None else min(max_splits, len(text))
    pieces = text.split(delimiter, most)
    lasts: list[int] = []
    start = 0
    for piece in pieces:
        end = start + len(piece)
        lasts.append(start)
        lasts.append(end - 1 if end > start else start)
        start = end + len(delimiter)
    lines = line_numbers(text, lasts)
    rows: list[DelimitedChunk] = []
    for index in range(len(pieces)):
        piece = pieces[index]
        start = lasts[2 * index]
        rows.append(
            {
                "index": index,
                "text": piece,
                "start": start,
                "end": start + len(piece),
                "start_line": lines[2 * index],
                "end_line": lines[2 * index + 1],
            }
        )
    return rows
