"""The layout of a Markdown file: front matter, preamble and sections, with their exact spans."""

from typing import Final, final

from mypy_extensions import i64

from spanwise.kernel.anchors import Anchors
from spanwise.kernel.blocks import scan
from spanwise.kernel.chars import CR, LF, SPACE, TAB
from spanwise.kernel.content import block_lines, heading_text
from spanwise.kernel.lines import count_endings
from spanwise.kernel.records import (
    ATX_HEADING,
    DEFINITIONS,
    HEADINGS,
    NESTED,
    SETEXT_HEADING,
    Blocks,
)
from spanwise.kernel.references import definition_labels
from spanwise.markdown.front_matter import front_matter_end
from spanwise.markdown.inline import is_plain, normal_label, visible_text

FRONT_MATTER: Final = 0
PREAMBLE: Final = 1
SECTION: Final = 2


@final
class SectionSpan:
    """Front matter, the text before the first heading, or a heading with the text of its own.

    The span holds whole lines, the blank ones at either edge and the last line ending left out.
    Offsets are code points and lines are 1-based, both counted from the top of the file.
    """

    def __init__(
        self,
        kind: i64,
        start: i64,
        end: i64,
        start_line: i64,
        end_line: i64,
        heading_end: i64,
        level: i64,
        path: list[str],
        anchor: str | None,
        first_block: i64,
        after_block: i64,
    ) -> None:
        """Take the facts as they are; `path` ends with the section's own heading.

        The blocks of the section are `first_block` to before `after_block`.
        """
        self.kind: i64 = kind
        self.start: i64 = start
        self.end: i64 = end
        self.start_line: i64 = start_line
        self.end_line: i64 = end_line
        self.heading_end: i64 = heading_end
        self.level: i64 = level
        self.path = path
        self.anchor = anchor
        self.first_block: i64 = first_block
        self.after_block: i64 = after_block

    def is_bare(self) -> bool:
        """Whether nothing but the heading stands in the section."""
        return self.kind == SECTION and self.end <= self.heading_end


@final
class Layout:
    """The blocks of a Markdown file, and the spans it is made of, in order."""

    def __init__(self, blocks: Blocks, spans: list[SectionSpan]) -> None:
        """Take both as they are."""
        self.blocks = blocks
        self.spans = spans


def layout(
    text: str, front_matter: bool = True, mdx: bool = False, kinds: i64 = HEADINGS | NESTED
) -> Layout:
    """What `text` is made of; `front_matter=False` reads its top as Markdown.

    A heading inside a quote or list makes no section. It takes part in the numbering of anchors,
    as it does on GitHub. `mdx` reads MDX where it differs from Markdown. Blocks are of `kinds`,
    among which must be all headings.
    """
    spans: list[SectionSpan] = []
    size: i64 = len(text)
    top: i64 = front_matter_end(text) if front_matter else 0
    line: i64 = 1
    if top > 0:
        has_cr = text.find("\r", 0, top) >= 0
        end = _trimmed(text, 0, top)
        last = 1 + count_endings(text, 0, end, has_cr)
        spans.append(SectionSpan(FRONT_MATTER, 0, end, 1, last, end, 0, [], None, 0, 0))
        line += count_endings(text, 0, top, has_cr)
    blocks = scan(text, kinds, True, mdx, top, line)
    has_cr = blocks.has_cr
    count = blocks.count
    block = _next_heading(blocks, 0, count)
    section = _next_section(blocks, block, count)
    start = _line_start(text, blocks.start(section)) if section < count else size
    _add_preamble(spans, text, top, start, line, has_cr, section)

    labels: frozenset[str] | None = None
    anchors = Anchors()
    path: list[str] = []
    levels: list[int] = []
    while block < count:
        heading = heading_text(text, blocks, block)
        visible = heading
        if not is_plain(heading):
            if labels is None and ("][" in heading or "![" in heading):
                labels = _labels(text, mdx, top)
            visible = visible_text(heading, labels or frozenset())
        anchor = anchors.anchor(visible)
        following = _next_heading(blocks, block + 1, count)
        if block < section:
            block = following
            continue
        level = blocks.level(block)
        while levels and levels[-1] >= level:
            levels.pop()
            path.pop()
        levels.append(level)
        path.append(heading)
        section = _next_section(blocks, following, count)
        first = blocks.first_line(block)
        if section < count:
            after = _line_start(text, blocks.start(section))
            end = _trimmed(text, start, after)
            last = blocks.first_line(section) - count_endings(text, end, after, has_cr)
        else:
            after = size
            end = _trimmed(text, start, after)
            last = first + count_endings(text, start, end, has_cr)
        heading_end = blocks.end(block)
        spans.append(
            SectionSpan(
                SECTION,
                start,
                end,
                first,
                last,
                heading_end,
                level,
                path[:],
                anchor,
                block,
                section,
            )
        )
        start = after
        block = following
    return Layout(blocks, spans)


def _next_heading(blocks: Blocks, block: i64, count: i64) -> i64:
    """The first heading from `block` on, at any depth, or `count`."""
    while block < count:
        kind = blocks.kind(block)
        if kind == ATX_HEADING or kind == SETEXT_HEADING:
            break
        block += 1
    return block


def _next_section(blocks: Blocks, block: i64, count: i64) -> i64:
    """The first heading from `block` on that is a child of the document, or `count`."""
    block = _next_heading(blocks, block, count)
    while block < count and blocks.depth(block) > 0:
        block = _next_heading(blocks, block + 1, count)
    return block


def _add_preamble(
    spans: list[SectionSpan],
    text: str,
    start: i64,
    end: i64,
    line: i64,
    has_cr: bool,
    after_block: i64,
) -> None:
    """Add the text before the first heading unless it is blank."""
    end = _trimmed(text, start, end)
    if end == start:
        return
    first = start
    while True:
        # The first line that is not blank; `_trimmed` says there is one.
        i = first
        while ord(text[i]) == SPACE or ord(text[i]) == TAB:
            i += 1
        if ord(text[i]) != LF and ord(text[i]) != CR:
            break
        first = i + 1
    line += count_endings(text, start, first, has_cr)
    last = line + count_endings(text, first, end, has_cr)
    spans.append(SectionSpan(PREAMBLE, first, end, line, last, first, 0, [], None, 0, after_block))


def _line_start(text: str, start: i64) -> i64:
    """Start of the line of a block that is indented by at most three spaces."""
    while start > 0 and ord(text[start - 1]) == SPACE:
        start -= 1
    return start


def _trimmed(text: str, start: i64, end: i64) -> i64:
    """End of the last line of `[start, end)` that is not blank, its line ending left out."""
    last = end
    while last > start and _is_space(ord(text[last - 1])):
        last -= 1
    if last > start:
        while last < end and (ord(text[last]) == SPACE or ord(text[last]) == TAB):
            last += 1
    return last


def _is_space(code: i64) -> bool:
    return code == SPACE or code == TAB or code == LF or code == CR


def _labels(text: str, mdx: bool, start: i64) -> frozenset[str]:
    """The normalised labels of all link reference definitions from `start` on."""
    blocks = scan(text, 1 << DEFINITIONS | NESTED, True, mdx, start)
    labels = []
    block: i64 = 0
    while block < len(blocks):
        lines = [line.lstrip(" \t") for line in block_lines(text, blocks, block)]
        paragraph = "\n".join(lines)
        for label in definition_labels(paragraph):
            labels.append(normal_label(label))
        block += 1
    return frozenset(labels)
