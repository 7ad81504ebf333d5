"""The lines of a page: stretches of its text in a row, with their place and their style.

PDFium's own lines come in the order of the content stream. They are cut where a gap is wider than
one between words, as between columns, and joined where a raised mark has torn them apart.
"""

from typing import NamedTuple

from spanwise.formats.pdf.characters import PageText, has_right_to_left, is_right_to_left, page_text
from spanwise.formats.pdf.fonts import Style
from spanwise.formats.pdf.page import Box, PdfPage
from spanwise.formats.pdf.pdfium import LazyPage
from spanwise.formats.pdf.runs import WIDE_GAP, Run, box_of, part_of, runs_of


class Line:
    """Runs in a row."""

    __slots__ = (
        "base", "bottom", "bullet", "capitals", "left", "page", "right", "rtl", "runs", "size",
        "spaced", "style", "text", "top", "turned", "underlined", "words",
    )  # fmt: skip

    def __init__(self, page: int, run: Run) -> None:
        """A line of one run."""
        self.page = page
        self.runs = [run]
        self.left, self.top, self.right, self.bottom = run.box
        self.base = run.base
        self.size = run.size
        self.style = run.style
        self.text = ""
        self.rtl = False
        self.spaced = False
        self.capitals = False
        self.bullet = False
        self.underlined = False
        self.words: list[tuple[float, float]] | None = None
        self.turned = run.down != 0.0 or run.across < 0.0

    @property
    def height(self) -> float:
        """From the top of its box to the bottom."""
        return self.bottom - self.top

    def add(self, run: Run) -> None:
        """Put a run at the end."""
        left, top, right, bottom = run.box
        self.left = min(self.left, left)
        self.top = min(self.top, top)
        self.right = max(self.right, right)
        self.bottom = max(self.bottom, bottom)
        self.runs.append(run)
        self.words = None


class PageLines(NamedTuple):
    """What is written on a page."""

    text: PageText
    lines: list[Line]
    columns: dict[int, int]
    """How many columns each tagged table has."""


def line_box(line: Line) -> Box:
    """The box of a line."""
    return (line.left, line.top, line.right, line.bottom)


def page_lines(page: PdfPage, number: int, is_tagged: bool = False) -> PageLines:
    """The lines of a page in the order of its content."""
    text = page_text(page)
    tags = page.tags() if is_tagged else None
    runs = runs_of(page, text, tags)
    lines = _lines(runs, text, number)
    before: Line | None = None
    for line in lines:
        settle(line, text.text)
        if line.text.isupper():
            _settle_capitals(line, before, text.text)
        elif len(line.runs) > 1 and line.text[0].isupper():
            _settle_small_capitals(line, text.text)
        before = line
    return PageLines(text, lines, tags.columns if tags is not None else {})


def _lines(spans: list[list[Run]], text: PageText, page: int) -> list[Line]:
    lines: list[Line] = []
    letters = text.text
    may_turn = text.numbers is not None and has_right_to_left(letters)
    for runs in spans:
        rtl = may_turn and is_right_to_left(letters[runs[0].start : runs[-1].end])
        for place, run in enumerate(runs):
            last = lines[-1] if lines else None
            if last is not None and (
                _continues(last, run, rtl) and not _counts(last, run, letters)
                if place > 0
                else _torn(last, run, rtl)
            ):
                last.add(run)
            else:
                lines.append(Line(page, run))
                lines[-1].rtl = rtl
    return lines


def _continues(line: Line, run: Run, rtl: bool) -> bool:
    """Whether a run of the same of PDFium's lines goes on with ours."""
    before = line.runs[-1]
    if run.across != before.across or run.down != before.down or _is_other_cell(before, run):
        return False
    if line.turned:
        return True
    size = max(run.size, before.size)
    # What is raised or lowered in a line is smaller than it; else it is half a line away.
    alike = abs(run.size - line.size) < 0.05 * line.size
    if abs(run.base - line.base) > (0.45 if alike else 0.8) * max(size, line.size):
        return False
    gap = run.box[0] - before.box[2]
    if rtl:
        gap = max(run.box[0] - line.right, line.left - run.box[2])
        return gap < WIDE_GAP * size
    return -size < gap < WIDE_GAP * size


def _counts(line: Line, run: Run, letters: str) -> bool:
    """Whether a line is only the number of the line that a run begins, as drafts have them."""
    first = line.runs[0]
    return (
        len(line.runs) == 1
        and first.size < 0.75 * run.size
        and abs(first.base - run.base) < 0.1 * run.size
        and run.box[0] - first.box[2] > 0.5 * run.size
        and letters[first.start : first.end].isdecimal()
    )


def _torn(line: Line, run: Run, rtl: bool) -> bool:
    """Whether a run that starts one of PDFium's lines belongs to our last one."""
    before = line.runs[-1]
    if line.turned or run.down != 0.0 or run.across < 0 or _is_other_cell(before, run):
        return False
    left, top, right, bottom = run.box
    shared = min(line.bottom, bottom) - max(line.top, top)
    if shared < 0.5 * min(line.bottom - line.top, bottom - top):
        return False
    size = max(run.size, before.size)
    if run.size > 0.85 * line.size and abs(run.base - line.base) > 0.2 * size:
        return False
    gap = line.left - right if rtl else left - before.box[2]
    return -0.3 * size < gap < 0.9 * size


def _is_other_cell(before: Run, run: Run) -> bool:
    one, two = before.tag, run.tag
    return one is not two and (one.table, one.row, one.column) != (two.table, two.row, two.column)


def settle(line: Line, letters: str) -> None:
    """Set what depends on all runs of a line."""
    end = line.runs[-1].end
    line.spaced = letters[end : end + 1] == " "
    if len(line.runs) == 1:
        line.text = letters[line.runs[0].start : end]
        return
    parts: list[str] = []
    weights: dict[Style, int] = {}
    before: Run | None = None
    best = 0
    for run in line.runs:
        if before is not None and has_space(before, run, letters):
            parts.append(" ")
        parts.append(letters[run.start : run.end])
        wide = 2 if letters[run.start] > "\u2e80" else 1
        weight = weights[run.style] = weights.get(run.style, 0) + wide * (run.end - run.start)
        if weight > best:
            best = weight
            line.style = run.style
            line.size = run.size
            line.base = run.base
        before = run
    line.text = "".join(parts)


def _settle_capitals(line: Line, before: Line | None, letters: str) -> None:
    """Small capitals are as large as the capitals before them, which may be on the line above."""
    words = [run for run in line.runs if any(map(str.isalpha, letters[run.start : run.end]))]
    large = max(words or line.runs, key=lambda run: run.size)
    size, style = large.size, large.style
    if (
        before is not None
        and before.text.isupper()
        and before.size > size
        and any(run.size == size for run in before.runs)
    ):
        size, style = before.size, before.style
    small = [run for run in line.runs if run.size < 0.9 * size]
    if small and all(
        run.style.font == style.font
        and run.size > 0.65 * size
        and abs(run.base - line.base) < 0.1 * size
        for run in small
    ):
        line.style = style
        line.size = size


def _settle_small_capitals(line: Line, letters: str) -> None:
    """Letters that are small in the text may be shown as capitals of a smaller size.

    Then all that are small in the text are so, in the same font on the same base line.
    """
    large = max(line.runs, key=lambda run: run.size)
    least, most = 0.65 * large.size, 0.9 * large.size
    smaller = 0
    for run in line.runs:
        text = letters[run.start : run.end]
        if run.style.font != large.style.font or abs(run.base - large.base) > 0.1 * large.size:
            return
        if run.size > most:
            if run.size < large.size or text.upper() != text:
                return
        elif run.size < least or text.lower() != text:
            return
        else:
            smaller += run.end - run.start
    if smaller > 1:
        line.style = large.style
        line.size = large.size
        line.capitals = True


def has_space(one: Run, two: Run, letters: str) -> bool:
    """Whether there is a space between two runs of a line that follow each other."""
    between = letters[one.end : two.start] or letters[two.end : one.start]
    if between and between.strip(" ") == "":
        return True
    if one.end == two.start:
        return False
    gap = max(two.box[0] - one.box[2], one.box[0] - two.box[2])
    return gap > 0.18 * max(one.size, two.size)


def split_line(
    page: PdfPage | LazyPage, text: PageText, line: Line, cuts: list[float]
) -> list[Line]:
    """The pieces of a line between the places `cuts`, which ascend."""
    letters = text.text
    pieces: list[list[Run]] = [[] for _ in range(len(cuts) + 1)]
    for run in line.runs:
        first = sum(cut <= run.box[0] + 0.5 for cut in cuts)
        last = sum(cut <= run.box[2] - 0.5 for cut in cuts)
        if first >= last:
            middle = (run.box[0] + run.box[2]) / 2
            pieces[sum(cut <= middle for cut in cuts)].append(run)
            continue
        start = run.start
        home = -1
        for at in range(run.start, run.end):
            if letters[at] == " ":
                continue
            box = page.char_box(text.number(at))
            middle = (box[0] + box[2]) / 2
            place = sum(cut <= middle for cut in cuts)
            if home >= 0 and place != home:
                part = part_of(page, text, run, start, at)
                if part is not None:
                    pieces[home].append(part)
                start = at
            home = place
        part = part_of(page, text, run, start, run.end)
        if part is not None and home >= 0:
            pieces[home].append(part)
    found: list[Line] = []
    for runs in pieces:
        if runs:
            piece = Line(line.page, runs[0])
            for run in runs[1:]:
                piece.add(run)
            piece.rtl = line.rtl
            settle(piece, letters)
            found.append(piece)
    return found


def words_of(page: PdfPage | LazyPage, text: PageText, line: Line) -> list[tuple[float, float]]:
    """Where each word of a line starts and ends; the line keeps it."""
    if line.words is not None:
        return line.words
    letters = text.text
    found: list[tuple[float, float]] = []
    for run in line.runs:
        start = run.start
        for at in range(run.start, run.end + 1):
            if at == run.end or letters[at] == " ":
                if start == run.start and at == run.end:
                    found.append((run.box[0], run.box[2]))
                elif start < at:
                    box = box_of(page, text, start, at)
                    if box is not None:
                        found.append((box[0], box[2]))
                start = at + 1
    line.words = found
    return found


def is_uniform(line: Line) -> bool:
    """Whether all words of a line are set alike, as far as bold and size go."""
    style = line.style
    others = [
        run
        for run in line.runs
        if run.style.bold != style.bold and run.size > 0.8 * line.size and not run.style.mono
    ]
    if not others:
        return True
    if any(letter > "\u2e80" for letter in line.text):
        # Bold fonts of Chinese seldom call themselves so, while the Latin ones between them do.
        scripts = _scripts(line)
        main = next((scripts[id(run)] for run in line.runs if run.style == style), True)
        others = [run for run in others if scripts[id(run)] == main]
    return sum(run.end - run.start for run in others) <= 0.1 * len(line.text)


def _scripts(line: Line) -> dict[int, bool]:
    """For each run of a line, by `id`, whether it is Chinese, Japanese or Korean."""
    found = {}
    at = 0
    for run in line.runs:
        while line.text[at : at + 1] == " ":
            at += 1
        end = at + run.end - run.start
        found[id(run)] = any(letter > "\u2e80" for letter in line.text[at:end])
        at = end
    return found
