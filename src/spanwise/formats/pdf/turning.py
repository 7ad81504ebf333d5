"""Pages whose text is written up or down the page, as a wide table is: read as if turned upright.

Only for finding out what belongs together: places stay those of the page as it is shown.
"""

from collections.abc import Sequence
from typing import Final

from spanwise.formats.pdf.characters import PageText
from spanwise.formats.pdf.graphics import Graphics, Rule
from spanwise.formats.pdf.lines import Line, settle
from spanwise.formats.pdf.page import Box
from spanwise.formats.pdf.pdfium import LazyPage, Pdf
from spanwise.formats.pdf.runs import WIDE_GAP, Run, torn_apart

SHARE: Final = 0.6
"""The share of the letters of a page that are written one way if it is to be turned."""


class Turn:
    """A quarter turn of a page that makes text upright which runs up it, or down."""

    def __init__(self, is_up: bool, width: float, height: float) -> None:
        """The size is that of the page as it is shown."""
        self.is_up = is_up
        self.width = width
        self.height = height

    def box(self, box: Box) -> Box:
        """Where a box is after the turn."""
        left, top, right, bottom = box
        if self.is_up:
            return (self.height - bottom, left, self.height - top, right)
        return (top, self.width - right, bottom, self.width - left)

    def graphics(self, graphics: Graphics) -> Graphics:
        """The drawings of the page after the turn."""
        return Graphics(
            [self._rule(rule, down=True) for rule in graphics.down],
            [self._rule(rule, down=False) for rule in graphics.across],
            self._boxes(graphics.boxes),
            self._boxes(graphics.figures),
            self._boxes(graphics.images),
            self._boxes(graphics.dots),
            [],
        )

    def _boxes(self, boxes: Sequence[Box]) -> list[Box]:
        return [self.box(box) for box in boxes]

    def _rule(self, rule: Rule, down: bool) -> Rule:
        at, start, end = rule
        if down:
            left, top, right, bottom = self.box((at, start, at, end))
            return Rule(top, left, right)
        left, top, right, bottom = self.box((start, at, end, at))
        return Rule(left, top, bottom)

    def lines(self, page: "TurnedPage", text: PageText, lines: Sequence[Line]) -> list[Line]:
        """The lines of the page after the turn; those that were upright are not so now."""
        found: list[Line] = []
        for line in lines:
            before: Run | None = None
            for run in line.runs:
                run.box = self.box(run.box)
                way = (-run.down, run.across) if self.is_up else (run.down, -run.across)
                run.across, run.down = (1.0, 0.0) if way[0] > 0.99 else way
                if line.turned and not self.is_up:
                    run.base = self.width - run.base
                for part in torn_apart(page, text, run) if run.down == 0.0 else [run]:
                    if before is not None and _goes_on(before, part):
                        found[-1].add(part)
                    else:
                        found.append(Line(line.page, part))
                        found[-1].bullet = line.bullet
                    before = part
        for line in found:
            settle(line, text.text)
        return found


class TurnedPage(LazyPage):
    """A page that tells places as they are after a turn."""

    def __init__(self, pdf: Pdf, number: int, turn: Turn) -> None:
        """Page `number` from 0, which can be loaded."""
        super().__init__(pdf, number)
        self._turn = turn

    def char_box(self, number: int) -> Box:
        """See PdfPage."""
        return self._turn.box(super().char_box(number))

    def stretch_box(self, start: int, end: int) -> Box | None:
        """See PdfPage."""
        box = super().stretch_box(start, end)
        return None if box is None else self._turn.box(box)


def turn_of(lines: Sequence[Line], width: float, height: float) -> Turn | None:
    """The turn that makes most of a page upright; None where it is so already."""
    up = down = letters = 0
    for line in lines:
        count = len(line.text)
        letters += count
        way = line.runs[0].down
        if way < -0.9:
            up += count
        elif way > 0.9:
            down += count
    if max(up, down) <= SHARE * letters:
        return None
    return Turn(up > down, width, height)


def _goes_on(before: Run, run: Run) -> bool:
    size = max(before.size, run.size)
    return (
        before.down == run.down
        and abs(run.base - before.base) < 0.8 * size
        and -size < run.box[0] - before.box[2] < WIDE_GAP * size
    )
