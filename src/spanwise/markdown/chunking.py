"""Chunking: the pieces of a Markdown file that are handed out, as spans."""

from typing import Final, Protocol, final

from mypy_extensions import i64

from spanwise.kernel.lines import count_endings
from spanwise.kernel.records import ALL, FENCED_CODE, Blocks
from spanwise.kernel.token_weights import UNITS, Reach
from spanwise.markdown.cutting import Cutter
from spanwise.markdown.layout import FRONT_MATTER, SECTION, SectionSpan, layout
from spanwise.markdown.options import ChunkOptions
from spanwise.markdown.parts import Budget, Part
from spanwise.markdown.units import Opener, Room

KINDS: Final = ("front_matter", "preamble", "section")
"""Names of the kinds of `SectionSpan`, by number."""

MOST_CHARS_PER_TOKEN: Final = 6
"""How much text is tried first as an overlap of so many tokens."""

PATH_SEPARATOR: Final = " > "

FAR_OVER: Final = 17
"""Sixteenths of the size from which on a section is cut without being counted."""


class Counter(Protocol):
    """Counts the tokens of a text exactly."""

    def count(self, text: str) -> int:
        """Number of tokens of `text`."""


@final
class Piece:
    """One chunk as a span of its source, with what is put before and after it.

    `part` of `parts` counts the pieces of one section. `section` has the kind, level, path and
    anchor; `joined` are the sections whose text is in the piece, where it is more than that one.
    `tokens` is -1 where they were not counted. `taken` are the starts and ends of what of the
    prefix stands in the source, too.
    """

    def __init__(
        self,
        section: SectionSpan,
        start: i64,
        end: i64,
        start_line: i64,
        end_line: i64,
        part: i64,
        parts: i64,
        prefix: str,
        suffix: str,
        tokens: i64,
        path: list[str],
        joined: list[SectionSpan] | None,
        taken: list[int] | None = None,
    ) -> None:
        """Take the facts as they are."""
        self.section = section
        self.start: i64 = start
        self.end: i64 = end
        self.start_line: i64 = start_line
        self.end_line: i64 = end_line
        self.part: i64 = part
        self.parts: i64 = parts
        self.prefix = prefix
        self.suffix = suffix
        self.tokens: i64 = tokens
        self.path = path
        self.joined = joined
        self.taken = taken

    @property
    def kind(self) -> str:
        """`section`, `preamble` or `front_matter`."""
        return KINDS[self.section.kind]


def pieces(text: str, options: ChunkOptions, counter: Counter | None = None) -> list[Piece]:
    """The pieces of a Markdown text, in order and without overlap of their spans.

    A heading without text of its own gets none while there are sections under it. `options.mdx`
    None is as False. `counter` counts the tokens that `options.max_tokens` limits.
    """
    return _Chunker(text, options, counter).run()


@final
class _TokenRoom(Room):
    """Measures texts by their tokens."""

    def __init__(self, most: i64, counter: Counter) -> None:
        super().__init__(most)
        self.counter = counter

    def holds(self, text: str) -> bool:
        """Whether `text` has no more tokens than there is room for."""
        return self.counter.count(text) <= self.most


@final
class _TokenBudget(Budget):
    """Limits tokens: foretells them by weights, and counts each part once it stands."""

    def __init__(
        self, text: str, max_chars: int, max_tokens: int, overlap_tokens: int, counter: Counter
    ) -> None:
        super().__init__(max_chars)
        self.text = text
        self.overlap_tokens: i64 = overlap_tokens
        self.max_tokens: i64 = max_tokens
        self.counter = counter
        # What the last texts weighed, and how many tokens that were.
        self.weighed: i64 = 1000 * UNITS
        self.counted: i64 = 1000
        # The last stretch that was weighed.
        self.start: i64 = -1
        self.size: i64 = 0
        self.weight: i64 = 0

    def guess(self, start: i64, path: str) -> int:
        """How far the tokens reach by what was counted so far."""
        room = self.max_tokens - (self.counter.count(path) if path else 0)
        most = max(1, room) * self.weighed * 31 // (self.counted * 32)
        if start != self.start or self.weight < most:
            self._weigh(start, len(self.text), most)
        size = self.size if self.weight <= most else self.size * most // self.weight
        return min(self.max_chars, max(1, size) + len(path))

    def _weigh(self, start: i64, end: i64, most: i64) -> None:
        found = Reach(self.text, start, end, most)
        self.start = start
        self.size = found.end - start
        self.weight = found.weight

    def room(self, path: str) -> Room:
        """Half of the tokens that a part has beside `path`."""
        taken = self.counter.count(path) if path else 0
        return _TokenRoom((self.max_tokens - taken) // 2, self.counter)

    def is_far_over(self, start: i64, end: i64) -> bool:
        """Whether `[start, end)` is so big that counting all of it would be a waste."""
        if end - start <= 2 * self.max_tokens:
            return False
        self._weigh(start, end, self.max_tokens * self.weighed * FAR_OVER // (self.counted * 16))
        return self.size < end - start

    def may_be_one(self, parts: list[Part]) -> bool:
        """Whether the parts of a section have so few tokens together that it may not need them."""
        tokens: i64 = 0
        for part in parts:
            tokens += part.tokens
        return tokens <= self.max_tokens + self.max_tokens // 32

    def count(self, alone: str) -> i64:
        """Number of tokens, which is also learnt from."""
        tokens: i64 = self.counter.count(alone)
        size: i64 = len(alone)
        if 2 * size >= self.size > 0:
            # As far as it was weighed. Recent text counts more: languages and code differ within a
            # document.
            self.weighed = self.weighed * 3 // 4 + self.weight * size // self.size
            self.counted = max(1, self.counted * 3 // 4 + tokens)
            self.start = -1
            self.size = 0
        return tokens

    def repeats(self, words: str) -> int:
        """All of them within `overlap_tokens`, else a share in proportion."""
        size = len(words)
        if self.overlap_tokens == 0:
            return size
        tokens: i64 = self.counter.count(words)
        if tokens <= self.overlap_tokens:
            return size
        return min(size - 1, size * self.overlap_tokens // tokens)

    def grow(self, part: Part, limit: int) -> int:
        """Up to four times as many, where far fewer tokens than foretold came out."""
        size = part.size()
        if 2 * size < limit or 8 * part.tokens >= 5 * self.max_tokens:
            return 0
        more = size * self.max_tokens * 7 // (max(1, part.tokens) * 8)
        return min(self.max_chars, more, 4 * limit)

    def shrink(self, source: str, part: Part, limit: int) -> int:
        """Fewer characters in the proportion that the tokens are too many."""
        part.tokens = self.count(part.text(source))
        if part.tokens > self.max_tokens:
            # What is added stays as it is.
            added = len(part.prefix) + len(part.suffix)
            size = max(1, min(part.size(), limit) - added)
            return added + max(1, size * self.max_tokens * 31 // (part.tokens * 32))
        return super().shrink(source, part, limit)


@final
class _Chunker:
    """Makes the pieces of one document."""

    def __init__(self, text: str, options: ChunkOptions, counter: Counter | None) -> None:
        self.text = text
        self.options = options
        self.mdx: bool = options.mdx is True
        found = layout(text, True, self.mdx, ALL)
        self.blocks: Blocks = found.blocks
        self.has_cr: bool = found.blocks.has_cr
        self.spans = found.spans
        self.max_chars: i64 = options.size()
        self.tokens: _TokenBudget | None = None
        overlap: i64 = options.overlap_chars
        budget = Budget(options.size())
        if counter is not None and options.max_tokens is not None:
            self.tokens = _TokenBudget(
                text, options.size(), options.max_tokens, options.overlap_tokens, counter
            )
            budget = self.tokens
            overlap = max(overlap, options.overlap_tokens * MOST_CHARS_PER_TOKEN)
        opener = Opener(text, self.blocks, budget.room(""))
        self.opener = opener
        self.cutter = Cutter(opener, budget, overlap, self.mdx)
        self.found: list[Piece] = []
        # Where lines have been counted to.
        self.seen: i64 = 0
        self.line: i64 = 1

    def run(self) -> list[Piece]:
        """All pieces, in order."""
        spans = self.spans
        count: i64 = len(spans)
        keep_front_matter = self.options.front_matter == "chunk"
        min_chars: i64 = self.options.min_chars
        i: i64 = 0
        while i < count:
            span = spans[i]
            if span.kind == FRONT_MATTER:
                i += 1
                if keep_front_matter:
                    self._add(span)
                continue
            if min_chars > 0 and span.kind == SECTION and span.end - span.start < min_chars:
                after = self._joinable(i, min_chars)
                if after > i + 1:
                    self._add_joined(i, after)
                    i = after
                    continue
            i += 1
            if span.is_bare() and i < count and spans[i].level > span.level:
                continue
            self._add(span)
        return self.found

    def _add(self, span: SectionSpan) -> None:
        """The pieces of one section: one, or the parts it has to be cut into."""
        path = self._path(span.path)
        budget = self.tokens
        if budget is None or not budget.is_far_over(span.start, span.end):
            if not self._whole(span, path):
                self._add_parts(span, self._parts(span, path))
            return
        parts = self._parts(span, path)
        # What was foretold may be wrong.
        if not budget.may_be_one(parts) or not self._whole(span, path):
            self._add_parts(span, parts)

    def _whole(self, span: SectionSpan, path: str) -> bool:
        """Add the section as one piece if it fits."""
        suffix = self._closing(span)
        if len(path) + span.end - span.start + len(suffix) > self.max_chars:
            return False
        tokens: i64 = -1
        budget = self.tokens
        if budget is not None:
            tokens = budget.count(path + self.text[span.start : span.end] + suffix)
            if tokens > budget.max_tokens:
                return False
        self.found.append(
            Piece(
                span, span.start, span.end, span.start_line, span.end_line, 1, 1, path, suffix,
                tokens, span.path, None,
            )
        )  # fmt: skip
        return True

    def _parts(self, span: SectionSpan, path: str) -> list[Part]:
        return self.cutter.cut(span.start, span.end, span.first_block, span.after_block, path)

    def _add_parts(self, span: SectionSpan, parts: list[Part]) -> None:
        count: i64 = len(parts)
        self.seen = span.start
        self.line = span.start_line
        for number, part in enumerate(parts, 1):
            first = self._line_of(part.start)
            last = self._line_of(max(part.start, part.end - 1))
            self.found.append(
                Piece(
                    span, part.start, part.end, first, last, number, count, part.prefix,
                    part.suffix, part.tokens, span.path, None,
                    part.taken() if part.prefix else None,
                )
            )  # fmt: skip

    def _line_of(self, position: i64) -> i64:
        """Line of a position; positions are asked for in ascending order."""
        if position > self.seen:
            self.line += count_endings(self.text, self.seen, position, self.has_cr)
            self.seen = position
        return self.line

    def _closing(self, span: SectionSpan) -> str:
        """What closes a fence that is open at the end of the section."""
        last = span.after_block - 1
        if last < span.first_block:
            return ""
        blocks = self.blocks
        if blocks.kind(last) != FENCED_CODE or blocks.closed(last) or span.kind == FRONT_MATTER:
            return ""
        return self.opener.fence_closing(last)

    def _path(self, path: list[str]) -> str:
        """What a chunk begins with under `--prefix-path`.

        Outer headings are left out while the path would take more than half of the size, and all of
        it where the innermost heading alone would.
        """
        if not self.options.prefix_path or not path:
            return ""
        most = self.max_chars // 2
        budget = self.tokens
        room = budget.room("") if budget is not None else Room(most)
        titles = [" ".join(title.split()) for title in path]
        titles = [title for title in titles if title]
        while titles:
            shown = PATH_SEPARATOR.join(titles)
            if len(shown) + 2 <= most and room.holds(shown):
                return shown + "\n\n"
            titles = titles[1:]
        return ""

    # -- joining small sections ------------------------------------------------------------------

    def _joinable(self, first: i64, min_chars: i64) -> i64:
        """The section after those that are joined with number `first`: just after it for none.

        Neighbours are joined while they stand under one parent, until they hold `min_chars`, and
        never beyond the size.
        """
        spans = self.spans
        parent = len(spans[first].path) - 1
        above = spans[first].path[:parent]
        start = spans[first].start
        after = first + 1
        while after < len(spans):
            if spans[after - 1].end - start >= min_chars:
                break
            span = spans[after]
            if span.path[:parent] != above or len(span.path) <= parent:
                break
            path = self._path(self._common(first, after + 1))
            size = len(path) + span.end - start + len(self._closing(span))
            if size > self.max_chars:
                break
            budget = self.tokens
            if budget is not None:
                alone = path + self.text[start : span.end]
                if budget.is_far_over(start, span.end) or budget.count(alone) > budget.max_tokens:
                    break
            after += 1
        return after

    def _common(self, first: i64, after: i64) -> list[str]:
        """The path that the sections `first` to before `after` have in common."""
        common = self.spans[first].path
        for span in self.spans[first + 1 : after]:
            path = span.path
            depth = 0
            while depth < min(len(common), len(path)) and common[depth] == path[depth]:
                depth += 1
            common = common[:depth]
        return common

    def _add_joined(self, first: i64, after: i64) -> None:
        joined = self.spans[first:after]
        head = joined[0]
        last = joined[-1]
        path = self._common(first, after)
        prefix = self._path(path)
        suffix = self._closing(last)
        tokens: i64 = -1
        if self.tokens is not None:
            tokens = self.tokens.count(prefix + self.text[head.start : last.end] + suffix)
        self.found.append(
            Piece(
                head, head.start, last.end, head.start_line, last.end_line, 1, 1, prefix, suffix,
                tokens, path, joined,
            )
        )  # fmt: skip
