"""The laws of chunks, checked with what others wrote: markdown-it-py reads, ICU finds clusters.

`faults` gives back in words where the chunks of a document break one.
"""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from itertools import pairwise
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

from spanwise import Chunk
from spanwise.markdown.options import ChunkOptions

_PARSER = MarkdownIt("commonmark", {"maxNesting": 100_000}).enable("table")
_PARSER.core.ruler.disable("inline")

BLANKS = " \t\r\n"
FENCE = re.compile(r"[ \t]*(```|~~~)")
DELIMITERS = re.compile(r"[-|: ]+")
ENDING = re.compile(r"\r\n|\n|\r")
CONTAINERS = ("list_item_open", "blockquote_open")
LINE = 1000
"""Rank of a boundary between lines of one block."""
LEAVES = ("fence", "code_block", "html_block", "table_open")


def parsed(text: str) -> list[Token]:
    """The block tokens of a text, tables included."""
    return _PARSER.parse(text)


def is_closed(fence: Token) -> bool:
    """Whether a fence has its closing line: one line more than the opening one and the code."""
    assert fence.map is not None
    code = fence.content
    lines = code.count("\n") + (code != "" and not code.endswith("\n"))
    return fence.map[1] - fence.map[0] == lines + 2


class Source(NamedTuple):
    """What the laws need to know of a document, found by markdown-it-py."""

    text: str
    first: int
    """Where the Markdown starts, after front matter."""
    starts: list[int]
    """Where each line starts, from `first` on."""
    tokens: list[Token]

    def offset(self, line: int) -> int:
        """Where a line starts, counted from 0; the end for the one after the last."""
        return self.starts[line] if line < len(self.starts) else len(self.text)

    def line(self, offset: int) -> int:
        """The line an offset is on, counted from 0."""
        return bisect_right(self.starts, offset) - 1


def source_of(text: str, first: int) -> Source:
    """Parse `text` from `first` on."""
    ends = [match.end() for match in ENDING.finditer(text, first)]
    return Source(text, first, [first, *ends], parsed(text[first:]))


def faults(
    text: str, rows: Sequence[Chunk], options: ChunkOptions, source: Source, mdx: bool = False
) -> Iterator[str]:
    """Where the rows of `text` (whose offsets are code points) break a law."""
    yield from span_faults(text, rows)
    yield from cover_faults(text, rows, options)
    yield from size_faults(rows, options)
    yield from path_faults(rows, options)
    if mdx:
        return
    tokens = [parsed(row["text"]) for row in rows]
    yield from fence_faults(rows, tokens)
    yield from code_faults(rows, tokens, source, options.max_tokens or options.size())
    yield from table_faults(rows, tokens, source, options)
    yield from heading_faults(rows, tokens, source, options)
    yield from crumb_faults(rows, source, options)
    yield from overlap_faults(text, rows, source, options)


def shown(row: Chunk) -> str:
    """A row as a fault names it."""
    return f"{row['id']} ({row['start']}:{row['end']})"


# -- spans ---------------------------------------------------------------------------------------


def span_faults(text: str, rows: Sequence[Chunk]) -> Iterator[str]:
    """Spans are exact and ascend; numbers add up."""
    for number, row in enumerate(rows, 1):
        whole = row["text"]
        if (
            whole[row["prefix_chars"] : len(whole) - row["suffix_chars"]]
            != (text[row["start"] : row["end"]])
        ):
            yield f"{shown(row)}: the span is not the text"
        # Code may have more blanks in a row than fit into a part.
        inner = text[row["start"] : row["end"]]
        if len(inner) < 50 and not inner.strip(BLANKS):
            yield f"{shown(row)}: nothing in it"
        if row["chars"] != len(whole) or row["index"] != number:
            yield f"{shown(row)}: chars or index wrong"
    for one, two in pairwise(rows):
        if two["start"] < one["end"]:
            yield f"{shown(two)}: starts before the one before it ends"
        same = two["part"] == one["part"] + 1 and two["parts"] == one["parts"]
        if not same and (one["part"] != one["parts"] or two["part"] != 1):
            yield f"{shown(two)}: part {two['part']} of {two['parts']} after {one['part']}"
    if rows and (rows[0]["part"] != 1 or rows[-1]["part"] != rows[-1]["parts"]):
        yield "parts are missing at an end"
    starts = [0, *(match.end() for match in ENDING.finditer(text))]
    for row in rows:
        lines = bisect_right(starts, row["start"]), bisect_right(starts, row["end"] - 1)
        if (row["start_line"], row["end_line"]) != lines:
            yield f"{shown(row)}: the lines are {lines}"


def cover_faults(text: str, rows: Sequence[Chunk], options: ChunkOptions) -> Iterator[str]:
    """Between spans nothing stands but blanks, headings without text, dropped front matter."""
    ends = [0, *(row["end"] for row in rows)]
    following: list[Chunk | None] = [*rows, None]
    for number, (end, row) in enumerate(zip(ends, following, strict=True)):
        gap = text[end : row["start"] if row else len(text)]
        if not gap.strip(BLANKS):
            continue
        if number == 0 and options.front_matter == "drop" and gap[:3] in ("---", "+++"):
            continue
        tokens = [token for token in parsed(gap) if token.level == 0 and token.nesting >= 0]
        levels = [int(token.tag[1]) for token in tokens if token.type == "heading_open"]
        ascending = all(one < two for one, two in pairwise(levels))
        below = row is not None and row["kind"] == "section"
        if len(levels) != len(tokens) or not ascending or not below:
            yield f"lost before {shown(row) if row else 'the end'}: {gap.strip()[:60]!r}"
        elif row is not None and not options.min_chars and row["heading_level"] <= levels[-1]:
            yield f"{shown(row)}: a heading without a chunk before it has nothing under it"


def size_faults(rows: Sequence[Chunk], options: ChunkOptions) -> Iterator[str]:
    """No chunk is over a limit."""
    for row in rows:
        if row["chars"] > options.size():
            yield f"{shown(row)}: {row['chars']} characters"
        if options.max_tokens is not None and row["tokens"] > options.max_tokens:
            yield f"{shown(row)}: {row['tokens']} tokens"


def path_faults(rows: Sequence[Chunk], options: ChunkOptions) -> Iterator[str]:
    """With prefix_path, a chunk begins with its path; outer headings may be left out."""
    if not options.prefix_path:
        return
    for row in rows:
        titles = [" ".join(title.split()) for title in row["heading_path"]]
        titles = [title for title in titles if title]
        if not titles:
            continue
        paths = [" > ".join(titles[first:]) + "\n\n" for first in range(len(titles))]
        most = options.size() // 2
        begins = [path for path in paths if row["text"].startswith(path)]
        if not begins and len(paths[-1]) <= most and options.max_tokens is None:
            yield f"{shown(row)}: does not begin with its path"
        if begins and begins[0] != paths[0] and options.max_tokens is None:
            longer = paths[paths.index(begins[0]) - 1]
            if len(longer) <= most:
                yield f"{shown(row)}: the path is shorter than it has to be"


# -- code and tables -----------------------------------------------------------------------------


def fence_faults(rows: Sequence[Chunk], tokens: Sequence[list[Token]]) -> Iterator[str]:
    """Read alone, every fence is closed."""
    for row, found in zip(rows, tokens, strict=True):
        lines = len(ENDING.findall(row["text"])) + 1
        for token in found if row["kind"] != "front_matter" else ():
            # One that ended with its list item was not closed in the source either.
            if token.type == "fence" and not is_closed(token) and token.map[1] >= lines:  # type: ignore[index]
                yield f"{shown(row)}: an open fence"


def code_faults(
    rows: Sequence[Chunk], tokens: Sequence[list[Token]], source: Source, limit: int
) -> Iterator[str]:
    """The code in the parts of a cut fence, put together, is the code of the fence."""
    starts = [row["start"] for row in rows]
    tops = {place for place, rank in ranks(source).items() if rank == 0}
    for fence in source.tokens:
        if fence.type != "fence" or fence.map is None:
            continue
        begin, end = (source.offset(line) for line in fence.map)
        parts = range(max(0, bisect_right(starts, begin) - 1), bisect_left(starts, end))
        touched = [i for i in parts if rows[i]["end"] > begin]
        opening = source.offset(fence.map[0] + 1) - begin
        if len(touched) < 2 or 2 * (opening + rows[touched[0]]["prefix_chars"]) > limit:
            continue
        code = ""
        for i in touched:
            whole = rows[i]["start"] >= begin or rows[i]["start"] in tops
            code += "".join(fences_within(rows[i], tokens[i], begin, end, whole))
        if squeezed(code) != squeezed(fence.content):
            place = f"{begin}:{end}, in {len(touched)} parts from {shown(rows[touched[0]])}"
            yield f"{place}: the parts hold other code than the fence"


def fences_within(
    row: Chunk, tokens: list[Token], begin: int, end: int, whole: bool
) -> Iterator[str]:
    """The code that a row, read alone, has where its source has the fence `[begin, end)`.

    Unless `whole`, the row starts inside a list item, say, so that the fence may not be one without
    what comes before: then the lines between the fences are taken as they stand.
    """
    text = row["text"]
    shift = row["prefix_chars"] - row["start"]
    low, high = max(begin, row["start"]) + shift, min(end, row["end"]) + shift
    starts = [0, *(match.end() for match in ENDING.finditer(text))]
    found = False
    for token in tokens:
        if token.type == "fence" and token.map is not None:
            first = starts[token.map[0]]
            last = starts[token.map[1]] if token.map[1] < len(starts) else len(text)
            if first < high and last > low:
                found = True
                yield token.content
    if not found and not whole:
        yield "\n".join(line for line in text[low:high].split("\n") if not FENCE.match(line))


def squeezed(text: str) -> str:
    """What is compared: a part has an ending after a line that was cut, and may be indented."""
    return "".join(text.split())


def table_facts(tokens: Sequence[Token]) -> Iterator[tuple[int, int, int, list[str], int]]:
    """First line, line after, first body line, header cells and row count of each table."""
    for i, token in enumerate(tokens):
        if token.type != "table_open":
            continue
        assert token.map is not None
        header: list[str] = []
        inside = False
        rows = 0
        for later in tokens[i + 1 :]:
            if later.type == "table_close":
                break
            inside = inside or later.type == "thead_open"
            if later.type == "thead_close":
                inside = False
            if later.type == "inline" and inside:
                header.append(later.content)
            rows += later.type == "tr_open" and not inside
        yield token.map[0], token.map[1], token.map[0] + 2, header, rows


def path_of(row: Chunk) -> str:
    """The heading path as a text begins with it."""
    return " > ".join(row["heading_path"])


def table_faults(
    rows: Sequence[Chunk], tokens: Sequence[list[Token]], source: Source, options: ChunkOptions
) -> Iterator[str]:
    """A part of a cut table is a table with the same header and just its own rows."""
    starts = [row["start"] for row in rows]
    for first, after, body, header, _ in table_facts(source.tokens):
        begin, end = source.offset(first), source.offset(after)
        low = max(0, bisect_right(starts, begin) - 1)
        high = bisect_left(starts, end)
        parts = [i for i in range(low, high) if rows[i]["end"] > source.offset(body) < end]
        if len(parts) < 2:
            continue
        # Only as much as half of the size is repeated.
        repeated = (
            source.offset(body)
            - begin
            + (len(path_of(rows[parts[0]])) if options.prefix_path else 0)
        )
        guess = options.size() if options.max_tokens is None else options.max_tokens
        for i in parts:
            start = max(rows[i]["start"], begin)
            if 2 * (repeated + 40) > guess:
                continue
            lines = len(
                ENDING.findall(
                    source.text, max(start, source.offset(body)), min(rows[i]["end"], end)
                )
            )
            if rows[i]["start"] < source.offset(body) and rows[i]["start"] > begin:
                continue  # the header row itself had to be cut
            tables = [facts for facts in table_facts(tokens[i]) if facts[3] == header]
            if not tables:
                yield f"{shown(rows[i])}: not a table with the header {header}"
            elif not any(facts[4] in (lines, lines + 1) for facts in tables):
                counts = [facts[4] for facts in tables]
                yield f"{shown(rows[i])}: {counts} rows instead of {lines} or {lines + 1}"


# -- where cuts are ------------------------------------------------------------------------------


def heading_faults(
    rows: Sequence[Chunk], tokens: Sequence[list[Token]], source: Source, options: ChunkOptions
) -> Iterator[str]:
    """No part ends with a heading while its section goes on, unless a word would have to be cut."""
    ends = {
        source.offset(token.map[1])
        for token in source.tokens
        if token.type == "heading_open" and token.map is not None
    }
    for number, (row, found) in enumerate(zip(rows, tokens, strict=True)):
        if row["part"] == row["parts"] or not found:
            continue
        # Read from the middle of a paragraph on, a line may be a heading that is none.
        below = source.offset(source.line(row["end"]) + 1)
        if below not in ends or source.text[row["end"] : below].strip(BLANKS):
            continue
        following = rows[number + 1]
        last = found[-1]
        if last.type == "heading_close" and last.level == 0 and row["suffix_chars"] == 0:
            if "]: " in row["text"] and 2 * row["chars"] >= options.size():
                continue  # with definitions under it
            after = following["text"][following["prefix_chars"] :]
            lines = after.split("\n", 3)
            if len(lines) > 2 and DELIMITERS.fullmatch(lines[1]):
                cells = lines[2].split(maxsplit=2)
                after = "".join([lines[0], lines[1], *cells[:2]]).replace(" ", "_")
            words = after.split(maxsplit=2)
            if FENCE.match(after):
                words = [f"{lines[0]}{lines[1]}{lines[0]}"]
            room = (options.max_tokens or options.size()) - row["chars"]
            if tokens[number + 1][0].type == "heading_open":
                continue  # both are inside a list or quote
            if max(map(len, words[:2])) + 10 < room and not any(
                map(unicodedata.combining, following["text"])
            ):
                yield f"{shown(row)}: ends with a heading"


def ranks(source: Source) -> dict[int, int]:
    """Where the document may be cut, and how well: by depth between blocks, then between lines."""
    found: dict[int, int] = {}
    for token in source.tokens:
        if token.map is None or token.nesting < 0 or token.type in ("inline", "tbody_open"):
            continue
        if token.type == "paragraph_open" and token.hidden:
            continue
        rank = token.level
        if token.type in ("tr_open", "th_open", "thead_open", "td_open"):
            continue
        start = source.offset(token.map[0])
        found[start] = min(found.get(start, LINE), rank)
        if token.type in LEAVES:
            for line in range(token.map[0] + 1, token.map[1]):
                start = source.offset(line)
                found[start] = min(found.get(start, LINE), LINE)
    return found


def crumb_faults(rows: Sequence[Chunk], source: Source, options: ChunkOptions) -> Iterator[str]:
    """No tiny last part where moving its beginning to an earlier, equally good place avoids it.

    The place is one before which an eighth of the size is left for the part before, too.
    """
    limit = options.size()
    if options.max_tokens is not None or options.overlap_chars:
        return
    places: dict[int, int] = {}
    # What follows a heading stays with it.
    after_headings = set()
    headed = False
    for token in source.tokens:
        headed = headed or token.type == "heading_close"
        if headed and token.map is not None:
            after_headings.add(source.offset(token.map[0]))
            headed = token.nesting == 1 and token.type != "paragraph_open"
    for before, last in pairwise(rows):
        if last["part"] == 1 or last["part"] != last["parts"]:
            continue
        if last["chars"] - last["prefix_chars"] >= limit // 8 or before["chars"] < limit // 2:
            continue
        places = places or ranks(source)
        rank = places.get(last["start"])
        if rank is None or last["prefix_chars"] or before["suffix_chars"]:
            continue
        for place in sorted(places):
            if not before["start"] < place < last["start"] or places[place] > rank:
                continue
            if rank == LINE or place in after_headings:
                continue
            room = last["end"] - place
            if limit // 8 <= room <= limit and place - before["start"] >= limit // 8:
                yield f"{shown(last)}: a crumb, though {place} (rank {places[place]}) is a boundary"
                break


def overlap_faults(
    text: str, rows: Sequence[Chunk], source: Source, options: ChunkOptions
) -> Iterator[str]:
    """What is repeated ends the part before, in whole words, and is text in both."""
    most = options.overlap_chars
    if not most or options.prefix_path:
        return
    leaves = [
        (source.offset(token.map[0]), source.offset(token.map[1]))
        for token in source.tokens
        if token.type in LEAVES and token.map is not None
    ]
    first = [start for start, _ in leaves]

    def inside(offset: int) -> bool:
        at = bisect_right(first, offset) - 1
        return at >= 0 and leaves[at][0] < offset < leaves[at][1]

    for before, row in pairwise(rows):
        size = row["prefix_chars"]
        repeated = row["text"][:size]
        if not size:
            continue
        if row["part"] == 1:
            yield f"{shown(row)}: repeats from another section"
        if inside(row["start"]) or inside(before["end"]):
            continue  # a header or fence, of which other laws are
        start = row["start"] - size
        if text[start : row["start"]] != repeated:
            if not repeated.endswith("\n"):
                yield f"{shown(row)}: what comes before it is not what was before"
            continue
        if size > most:
            yield f"{shown(row)}: repeats {size} characters"
        if start < before["start"] or start >= before["end"]:
            yield f"{shown(row)}: repeats more than the part before"
        if start > before["start"] and not (text[start - 1].isspace() or text[start - 1] == ">"):
            yield f"{shown(row)}: repeats a part of a word"
        if inside(start):
            yield f"{shown(row)}: repeats code or a table"


def cluster_faults(
    text: str, rows: Sequence[Chunk], boundaries: Callable[[str], set[int]]
) -> Iterator[str]:
    """No span begins or ends inside a grapheme cluster, unless that is of 32 characters or more."""
    if text.isascii():
        return
    found = sorted(boundaries(text))
    for row in rows:
        for offset in (row["start"], row["end"]):
            at = bisect_left(found, offset)
            if found[at] != offset and found[at] - found[at - 1] < 32:
                yield f"{shown(row)}: a cluster is cut at {offset}"


def cluster_boundaries(text: str) -> set[int]:
    """Boundaries between grapheme clusters in code points, by ICU."""
    icu: Any = import_module("icu")
    breaker = icu.BreakIterator.createCharacterInstance(icu.Locale("en"))
    breaker.setText(text)
    units = [0, *breaker]
    if len(text.encode("utf-16-le")) == 2 * len(text):
        return set(units)
    found = set()
    wanted = set(units)
    unit = 0
    for place, character in enumerate(text):
        if unit in wanted:
            found.add(place)
        unit += 2 if ord(character) > 0xFFFF else 1
    return found | {len(text)}


def front_matter_size(rows: Sequence[Chunk], text: str) -> int:
    """Where Markdown starts: after the line that the front matter ends on."""
    if not rows or rows[0]["kind"] != "front_matter":
        return 0
    last = max((row["end"] for row in rows if row["kind"] == "front_matter"), default=0)
    match = ENDING.search(text, last)
    return match.end() if match else len(text)


def check(text: str, rows: Sequence[Chunk], options: ChunkOptions, mdx: bool = False) -> list[str]:
    """All faults of a document's rows."""
    source = source_of(text, front_matter_size(rows, text))
    found: list[Any] = list(faults(text, rows, options, source, mdx))
    found += cluster_faults(text, rows, cluster_boundaries)
    return found
