"""The runs of a page: characters of one text object in a row, with their place and their style."""

import re
from typing import Final

from spanwise.formats.pdf.calls import argument
from spanwise.formats.pdf.characters import PageText
from spanwise.formats.pdf.fonts import Style, is_bold, is_italic, is_mono
from spanwise.formats.pdf.page import Box, PdfPage
from spanwise.formats.pdf.pdfium import LazyPage
from spanwise.formats.pdf.tags import NOTHING, PageTags

WIDE_GAP: Final = 1.45
"""A gap wider than this many times the font size is one between columns."""
DOUBLED: Final = 0.08
"""How far apart, by its size, the same text is printed twice to look bold."""
SMALLEST: Final = 0.2
"""Points of text that can be seen."""

_SPANS: Final = re.compile("[^\r\n\x02]+\x02?|\x02")


class Run:
    """Characters of one text object, `start` to before `end` of the text of the page."""

    __slots__ = ("across", "base", "box", "down", "end", "size", "start", "style", "tag")

    def __init__(
        self, start: int, end: int, box: Box, base: float, size: float, style: Style,
        across: float, down: float,
    ) -> None:  # fmt: skip
        """`across` and `down` are the direction of writing."""
        self.start = start
        self.end = end
        self.box = box
        self.base = base
        self.size = size
        self.style = style
        self.across = across
        self.down = down
        self.tag = NOTHING


def runs_of(page: PdfPage, text: PageText, tags: PageTags | None) -> list[list[Run]]:
    """The runs of each of PDFium's lines."""
    found: list[list[Run]] = []
    letters = text.text
    numbers = text.numbers
    styles: dict[tuple[int, float, int, int], Style] = {}
    seen: dict[str, Run] = {}
    right, bottom = page.width + 1, page.height + 1
    for match in _SPANS.finditer(letters):
        at, end = match.span()
        while end > at and letters[end - 1] == " ":
            end -= 1
        runs: list[Run] = []
        last_address = -1
        while at < end:
            if letters[at] == " ":
                at += 1
                continue
            number = at if numbers is None else numbers[at]
            address = page.text_object(number)
            if address == 0:
                at += 1
                continue
            page.text_objects.add(address)
            if last_address < 0:
                last_address = page.text_object(text.number(end - 1))
            stop = end
            if address != last_address:
                stop = _run_end(page, text, at, end, address)
            last = stop
            while letters[last - 1] == " ":
                last -= 1
            first, after = number, last
            if numbers is not None:
                first, after = min(numbers[at:last]), max(numbers[at:last]) + 1
            box = page.stretch_box(first, after)
            if box is not None and _is_seen(box, right, bottom):
                size, across, down, base = page.glyph(number)
                style = _style(page, address, size, styles)
                run = Run(at, last, box, base, size, style, across, down)
                if tags is not None:
                    run.tag = page.tag(address, tags)
                runs.extend(torn_apart(page, text, run) if down == 0.0 else [run])
            at = stop
        runs = [run for run in runs if not _is_repeated(run, seen, letters)]
        if runs:
            found.append(runs)
    return found


def _is_repeated(run: Run, seen: dict[str, Run], letters: str) -> bool:
    """Whether the same is printed at the same place before, to look bold or to have a shadow."""
    text = letters[run.start : run.end]
    if len(text) < 3:
        # Of letters that are objects of their own there are many, so each is known by its place.
        place = int(run.box[0])
        found = any(
            _is_over(run, seen.get(f"{text} {near}")) for near in (place, place - 1, place + 1)
        )
        seen[f"{text} {place}"] = run
        return found
    before = seen.get(text)
    seen[text] = run
    return _is_over(run, before)


def _is_over(run: Run, before: Run | None) -> bool:
    """Whether a run is at the place of another."""
    if before is None or abs(before.base - run.base) > DOUBLED * run.size:
        return False
    return all(
        abs(one - two) < DOUBLED * run.size for one, two in zip(before.box, run.box, strict=True)
    )


def _is_seen(box: Box, right: float, bottom: float) -> bool:
    """Whether a box is on the page, and not of text too small to be meant for reading."""
    if box[2] < -1 or box[3] < -1 or box[0] > right or box[1] > bottom:
        return False
    return box[2] - box[0] > SMALLEST or box[3] - box[1] > SMALLEST


def _run_end(page: PdfPage, text: PageText, start: int, end: int, address: int) -> int:
    """Where the characters of a text object end that starts at `start`, before the last of some."""
    number = text.number
    # The object of `low` is this one, that of `high` is not.
    low, high = start, end - 1
    space = text.text.find(" ", start + 1, high)
    if space > 0:
        # Where each word is an object of its own, PDFium puts in the space after it.
        if page.text_object(number(space)) == address:
            low = space
        elif page.text_object(number(space - 1)) == address:
            return space
        else:
            high = space - 1
    step = 8
    while low + step < high:
        at = low + step
        if page.text_object(number(at)) != address:
            high = at
            break
        low = at
        step *= 2
    while low + 1 < high:
        middle = (low + high) // 2
        if page.text_object(number(middle)) == address:
            low = middle
        else:
            high = middle
    return high


def _style(
    page: PdfPage, address: int, size: float, styles: dict[tuple[int, float, int, int], Style]
) -> Style:
    handle = argument(address)
    font = page.font(handle)
    colour = page.colour(handle)
    mode = page.render_mode(handle)
    key = (id(font), size, colour, mode)
    style = styles.get(key)
    if style is None:
        style = styles[key] = Style(
            font.name,
            round(size * 4) / 4,
            is_bold(font) or mode == 2,
            is_italic(font),
            is_mono(font),
            colour,
        )
    return style


def torn_apart(page: PdfPage | LazyPage, text: PageText, run: Run) -> list[Run]:
    """The parts of a run that has wide gaps inside, as a row of a table can be one text object."""
    letters = text.text
    if run.box[2] - run.box[0] <= (run.end - run.start) * 0.65 * run.size + run.size:
        return [run]
    if " " not in letters[run.start : run.end]:
        return [run]
    found: list[Run] = []
    start = run.start
    right = -1.0
    for at in range(run.start, run.end):
        if letters[at] == " ":
            continue
        box = page.char_box(text.number(at))
        if at > start and letters[at - 1] == " " and box[0] - right > WIDE_GAP * run.size:
            part = part_of(page, text, run, start, at)
            if part is not None:
                found.append(part)
            start = at
        right = max(right, box[2])
    part = part_of(page, text, run, start, run.end)
    if part is not None:
        found.append(part)
    return found


def part_of(page: PdfPage | LazyPage, text: PageText, run: Run, start: int, end: int) -> Run | None:
    """The characters of a run from `start` to before `end`, without spaces at the ends."""
    letters = text.text
    while start < end and letters[start] == " ":
        start += 1
    while start < end and letters[end - 1] == " ":
        end -= 1
    if start == end:
        return None
    box = box_of(page, text, start, end)
    if box is None:
        return None
    part = Run(start, end, box, run.base, run.size, run.style, run.across, run.down)
    part.tag = run.tag
    return part


def box_of(page: PdfPage | LazyPage, text: PageText, start: int, end: int) -> Box | None:
    """The box around characters of the text of a page; None where they have no place."""
    numbers = text.numbers
    if numbers is None:
        return page.stretch_box(start, end)
    among = numbers[start:end]
    return page.stretch_box(min(among), max(among) + 1)
