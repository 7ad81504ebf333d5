"""Footnotes: raised marks in the text, and the notes at the foot of the page that they lead to.

Only where both are on one page is a mark taken for one; an exponent has no note. A note stays where
it is read, after the text of its page or column, and no paragraph is joined to it.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from spanwise.formats.pdf.characters import PageText
from spanwise.formats.pdf.lines import Line
from spanwise.formats.pdf.paragraphs import Paragraph
from spanwise.formats.pdf.runs import Run

RAISED: Final = 0.15
"""How far above the base line of its text a mark stands at least, by the size of the text."""
SMALLER: Final = 0.85
"""The size of a mark by that of its text is this at most."""
LARGER: Final = 0.3
"""Points that running text is larger than notes."""

_MARK: Final = re.compile(r"\d{1,3}|[*†‡§¶‖]{1,3}")
_POWER: Final = re.compile(r"(?:\b[a-zA-Zµ]{1,2}|[\d)\]])$")
"""What an exponent stands after: a unit, a variable, a number, a bracket."""


def begins_note(line: Line, letters: str) -> bool:
    """Whether a line begins with a raised mark, and goes on after it."""
    return len(line.runs) > 1 and _is_mark(line, line.runs[0], letters)


def mark_notes(paragraphs: Sequence[Paragraph], texts: Sequence[PageText]) -> dict[int, str]:
    """Set the kind of notes; for the `id` of each run that is a mark what its label ends in.

    A mark that more than one page has is told apart by the page.
    """
    pages: dict[int, list[Paragraph]] = {}
    for one in paragraphs:
        pages.setdefault(one.page, []).append(one)
    found: list[tuple[str, int, list[Run]]] = []
    for page, members in pages.items():
        letters = texts[page].text
        notes: dict[str, Paragraph] = {}
        for one in members:
            if (
                one.kind == "paragraph"
                and begins_note(one.lines[0], letters)
                and _is_at_foot(one, members)
            ):
                run = one.lines[0].runs[0]
                notes.setdefault(letters[run.start : run.end], one)
        if not notes:
            continue
        marks: dict[str, list[Run]] = {}
        for one in members:
            size = one.lines[0].size
            for run in _marks(one, letters):
                mark = letters[run.start : run.end]
                note = notes.get(mark)
                if note is not None and note is not one and note.lines[0].size < size - LARGER:
                    marks.setdefault(mark, []).append(run)
        for mark, runs in marks.items():
            notes[mark].kind = "note"
            found.append((mark, page, [*runs, notes[mark].lines[0].runs[0]]))
    often: dict[str, int] = {}
    for mark, _, _ in found:
        often[mark] = often.get(mark, 0) + 1
    return {
        id(run): f"-{page + 1}" if often[mark] > 1 else ""
        for mark, page, runs in found
        for run in runs
    }


def _is_at_foot(note: Paragraph, members: Sequence[Paragraph]) -> bool:
    """Whether nothing larger is below a note in its column."""
    left, right = note.lines[0].left, max(line.right for line in note.lines)
    return not any(
        line.top > note.lines[-1].top
        and line.left < right
        and left < line.right
        and line.size > note.lines[0].size + LARGER
        for one in members
        for line in one.lines
        if line.page == note.page
    )


def _marks(one: Paragraph, letters: str) -> Iterator[Run]:
    """The raised marks within a paragraph or a table."""
    rows = [cell for row in one.rows for cell in row] or [one.lines]
    for line in (line for cell in rows for line in cell):
        for before, run in zip(line.runs, line.runs[1:], strict=False):
            if _is_mark(line, run, letters):
                text = letters[max(before.start, before.end - 4) : before.end]
                if not letters[run.start].isdecimal() or not _POWER.search(text):
                    yield run


def _is_mark(line: Line, run: Run, letters: str) -> bool:
    return (
        run.size < SMALLER * line.size
        and run.base < line.base - RAISED * line.size
        and not line.turned
        and _MARK.fullmatch(letters[run.start : run.end]) is not None
    )
