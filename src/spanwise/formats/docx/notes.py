"""Footnotes and endnotes: a mark in the text, and the note before the next heading."""

from collections.abc import Callable
from typing import Final

from spanwise.formats.office import SPACES, Office, Target
from spanwise.formats.writer import Run, Writer, trimmed
from spanwise.formats.xml import Element, elements

_PARTS: Final = {"footnote": "footnotes", "endnote": "endnotes"}
"""The kinds of notes, and of the relationships that lead to the parts that hold them."""
_NOTE: Final = frozenset(("w:footnote", "w:endnote", "w:p"))

Line = Callable[[Element, str, int], tuple[list[Run], list[Element]]]
Counts = dict[str, int]
"""How many notes of each kind there are so far."""


class Notes:
    """The notes of one file, numbered as they are referred to."""

    def __init__(
        self, office: Office, targets: dict[str, Target], line: Line, counts: Counts
    ) -> None:
        """`line` makes the runs of a paragraph; the notes count on from `counts`."""
        self._office = office
        self._targets = targets
        self._line = line
        self._parts: dict[str, str] = {}
        self._notes: dict[tuple[str, str], list[tuple[Element, int]]] = {}
        self._labels: dict[tuple[str, str], str] = {}
        self._waiting: list[tuple[str, str]] = []
        self._counts = counts

    def mark(self, note: tuple[str, str]) -> str:
        """What stands in the text for a note, given by its kind and id."""
        label = self._labels.get(note)
        if label is None:
            kind = note[0]
            self._counts[kind] = self._counts.get(kind, 0) + 1
            label = f"[^{'e' if kind == 'endnote' else ''}{self._counts[kind]}]"
            self._labels[note] = label
            self._waiting.append(note)
        return label

    def write(self, writer: Writer) -> None:
        """Write the notes that were referred to since."""
        while self._waiting:
            waiting = self._waiting
            self._waiting = []
            for note in waiting:
                kind = note[0]
                runs = []
                for paragraph, number in self._paragraphs(note):
                    line, _ = self._line(paragraph, self._parts[kind], number)
                    line = trimmed(line)
                    if line:
                        runs.extend([Run(" "), *line])
                if runs:
                    runs[0] = Run(self._labels[note] + ": ")
                    writer.paragraph(runs)

    def _paragraphs(self, note: tuple[str, str]) -> list[tuple[Element, int]]:
        kind = note[0]
        if kind not in self._parts:
            self._parts[kind] = self._read(kind)
        return self._notes.get(note, [])

    def _read(self, kind: str) -> str:
        """Read all notes of a kind; the name of the part they are in."""
        part = ""
        for target in self._targets.values():
            if target.kind == _PARTS[kind] and not target.external:
                part = target.name
        if not part or part not in self._office.package:
            return ""
        count = 0
        data = self._office.package.read(part)
        for note in elements(data, SPACES, self._office.limits, part, _NOTE):
            paragraphs = []
            for element in note.walk():
                if element.name == "w:p":
                    count += 1
                    paragraphs.append((element, count))
            if note.get("w:type", "normal") == "normal":
                self._notes[kind, note.get("w:id")] = paragraphs
        return part
