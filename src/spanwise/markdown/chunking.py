"""Chunking: the pieces of a Markdown file that are handed out, as spans."""

from typing import Final, final

from mypy_extensions import i64

from spanwise.markdown.layout import FRONT_MATTER, SectionSpan, layout
from spanwise.markdown.options import ChunkOptions

KINDS: Final = ("front_matter", "preamble", "section")
"""Names of the kinds of `SectionSpan`, by number."""


@final
class Piece:
    """One chunk as a span of its source, with what is put before and after it.

    `part` of `parts` counts the pieces of one section. `section` has the kind, level, path and
    anchor.
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

    @property
    def kind(self) -> str:
        """`section`, `preamble` or `front_matter`."""
        return KINDS[self.section.kind]


def pieces(text: str, options: ChunkOptions) -> list[Piece]:
    """The pieces of a Markdown text, in order and without overlap.

    A heading without text of its own gets none while there are sections under it. `options.mdx`
    counts as false where it is None.
    """
    spans = layout(text, True, options.mdx is True)
    found: list[Piece] = []
    count: i64 = len(spans)
    keep_front_matter = options.front_matter == "chunk"
    i: i64 = 0
    while i < count:
        span = spans[i]
        i += 1
        if span.kind == FRONT_MATTER and not keep_front_matter:
            continue
        if span.is_bare() and i < count and spans[i].level > span.level:
            continue
        found.append(
            Piece(span, span.start, span.end, span.start_line, span.end_line, 1, 1, "", "")
        )
    return found
