"""Writes paragraphs as canonical Markdown, hyphens of line ends taken out."""

import itertools
import statistics
from bisect import bisect_right
from itertools import groupby

from spanwise.formats.pdf.characters import PageText
from spanwise.formats.pdf.hyphens import Hyphens, ends_in_hyphen
from spanwise.formats.pdf.lines import Line, has_space
from spanwise.formats.pdf.links import LinkSpan
from spanwise.formats.pdf.numbering import item_number
from spanwise.formats.pdf.page import HYPHEN
from spanwise.formats.pdf.paragraphs import Paragraph
from spanwise.formats.writer import Run, Writer, link


def joined_text(paragraph: Paragraph, hyphens: Hyphens) -> str:
    """The text of a paragraph on one line, as far as headings and the like need it."""
    parts: list[str] = []
    lines = paragraph.lines
    for at, line in enumerate(lines):
        text = line.text
        if at + 1 < len(lines):
            if ends_in_hyphen(line):
                parts.append(
                    text[:-1] if hyphens.goes(text, lines[at + 1].text) else text[:-1] + "-"
                )
                continue
            parts.append(text + " ")
        else:
            parts.append(text.replace(HYPHEN, "-"))
    return "".join(parts)


def write(
    paragraphs: list[Paragraph],
    texts: list[PageText],
    links: list[list[LinkSpan]],
    hyphens: Hyphens,
    marks: dict[int, str],
) -> Writer:
    """All paragraphs, written.

    `links` are those of each page, `marks` the ends of the labels of notes by the `id` of a run.
    """
    writer = Writer()
    spaced = _tells_spaces(paragraphs)
    for at, one in enumerate(paragraphs):
        if one.kind == "table":
            rows = [
                [runs_of(cell, texts, spaced, hyphens, marks) for cell in row] for row in one.rows
            ]
            writer.table(rows)
        elif one.kind == "code":
            writer.code(_code_runs(one.lines, texts))
        elif one.kind == "heading":
            writer.heading(one.level, runs_of(one.lines, texts, spaced, hyphens, marks))
        elif one.kind == "item":
            runs = _without(runs_of(one.lines, texts, spaced, hyphens, marks), one.label)
            runs = _linked(runs, links)
            number = item_number(one.text)
            writer.item(one.depth, "-" if number < 0 else f"{number}.", runs)
            if at + 1 == len(paragraphs) or paragraphs[at + 1].kind != "item":
                writer.end_list()
        elif one.kind == "note":
            runs = runs_of(one.lines, texts, spaced, hyphens, marks)
            # The mark is the label of the note.
            rest = runs[4:] if len(runs) > 3 and runs[3].text == " " else runs[3:]
            writer.paragraph([*runs[:2], runs[2]._replace(text=f"{runs[2].text}: "), *rest])
        else:
            writer.paragraph(_linked(runs_of(one.lines, texts, spaced, hyphens, marks), links))
    return writer


def _linked(runs: list[Run], links: list[list[LinkSpan]]) -> list[Run]:
    """The runs with what leads to a web address written as a link."""
    if not any(run.origin >= 0 and links[run.origin] for run in runs):
        return runs
    pieces: list[tuple[Run, str]] = []
    for run in runs:
        if run.origin < 0:
            pieces.append((run, ""))
            continue
        spans = links[run.origin]
        at, end = run.offset, run.offset + len(run.text)
        for span in spans[max(0, bisect_right(spans, (at, 0, "")) - 1) :]:
            if span.start >= end:
                break
            low, high = max(at, span.start), min(end, span.end)
            if low >= high:
                continue
            if at < low:
                pieces.append((_part(run, at, low), ""))
            pieces.append((_part(run, low, high), span.target))
            at = high
        if at < end:
            pieces.append((_part(run, at, end), ""))
    # A space between two words of a link belongs to it.
    for at in range(1, len(pieces) - 1):
        run, target = pieces[at]
        if not target and run.text == " " and pieces[at - 1][1] == pieces[at + 1][1]:
            pieces[at] = (run, pieces[at - 1][1])
    found: list[Run] = []
    for target, group in groupby(pieces, key=lambda piece: piece[1]):
        parts = [run for run, _ in group]
        text = "".join(run.text for run in parts)
        # An address that is printed need not be said twice.
        found.extend(link(parts, target) if target and target not in text else parts)
    return found


def _part(run: Run, start: int, end: int) -> Run:
    """The characters `start` to before `end` of the origin of a run."""
    text = run.text[start - run.offset : end - run.offset]
    return run._replace(text=text, offset=start)


def _without(runs: list[Run], letters: int) -> list[Run]:
    """The runs without their first letters."""
    found = []
    for run in runs:
        cut = min(letters, len(run.text))
        letters -= cut
        if cut < len(run.text):
            found.append(run._replace(text=run.text[cut:], offset=run.offset + cut))
    return found


def runs_of(
    lines: list[Line],
    texts: list[PageText],
    spaced: bool,
    hyphens: Hyphens,
    marks: dict[int, str],
) -> list[Run]:
    """The characters of lines as one line of text.

    `spaced` says that Korean lines tell by a space at their end whether a word ends there.
    """
    found: list[Run] = []
    for at, line in enumerate(lines):
        letters = texts[line.page].text
        after = lines[at + 1] if at + 1 < len(lines) else None
        before = None
        for run in line.runs:
            if before is not None and has_space(before, run, letters):
                found.append(Run(" "))
            piece = Run(letters[run.start : run.end], line.page, run.start)
            if id(run) in marks:
                found += [Run("[^"), piece, Run(f"{marks[id(run)]}]")]
            else:
                found.append(piece)
            before = run
        if after is None:
            continue
        if not ends_in_hyphen(line):
            if not _joins(line, after, spaced):
                found.append(Run(" "))
            continue
        last = found[-1]
        found[-1] = last._replace(text=last.text[:-1])
        if not hyphens.goes(line.text, after.text):
            found.append(Run("-", last.origin, last.offset + len(last.text) - 1))
    return [
        run._replace(text=run.text.replace(HYPHEN, "-")) if HYPHEN in run.text else run
        for run in found
    ]


def _code_runs(lines: list[Line], texts: list[PageText]) -> list[Run]:
    """The characters of lines of code, set in as they are on the page."""
    found: list[Run] = []
    edge = min(line.left for line in lines)
    widths = [(line.right - line.left) / len(line.text) for line in lines if len(line.text) > 3]
    width = max(1.0, statistics.median(widths) if widths else 0.6 * lines[0].size)
    steps = [two.base - one.base for one, two in itertools.pairwise(lines)]
    pitch = min((step for step in steps if step > 0.8 * lines[0].size), default=lines[0].size)
    for at, line in enumerate(lines):
        letters = texts[line.page].text
        if at > 0:
            step = line.base - lines[at - 1].base
            if step < 0.3 * line.size and line.page == lines[at - 1].page:
                gap = line.left - lines[at - 1].right
                found.append(Run(" " * max(1, round(gap / width))))
            else:
                blank = step > 1.6 * pitch and line.page == lines[at - 1].page
                found.append(Run("\n\n" if blank else "\n"))
                found.append(Run(" " * min(80, round((line.left - edge) / width))))
        else:
            found.append(Run(" " * min(80, round((line.left - edge) / width))))
        before = None
        for run in line.runs:
            if before is not None and has_space(before, run, letters):
                gap = run.box[0] - before.box[2]
                found.append(Run(" " * max(1, min(80, round(gap / width)))))
            text = letters[run.start : run.end].replace(HYPHEN, "-")
            found.append(Run(text, line.page, run.start))
            before = run
    return [run for run in found if run.text]


def _tells_spaces(paragraphs: list[Paragraph]) -> bool:
    """Whether some Korean lines end in a space, and some do not."""
    ends = [
        line.spaced
        for one in paragraphs
        for line in one.lines[:-1]
        if "\uac00" <= line.text[-1:] <= "\ud7a3"
    ]
    return len(ends) > 10 and 0.1 * len(ends) < sum(ends) < 0.9 * len(ends)


def _joins(line: Line, after: Line, spaced: bool) -> bool:
    """Whether two lines are joined without a space, as in Chinese and Japanese."""
    last, first = line.text[-1:], after.text[:1]
    if spaced and "\uac00" <= first <= "\ud7a3" and last > "\u1100":
        return not line.spaced
    return _is_unspaced(last) and _is_unspaced(first)


def _is_unspaced(letter: str) -> bool:
    return (
        "\u2e80" <= letter <= "\ua4cf"
        or "\uf900" <= letter <= "\ufaff"
        or "\uff00" <= letter <= "\uffef"
    )
