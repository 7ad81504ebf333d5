"""Paragraphs of Word as runs of text, each of which tells where it stands."""

from itertools import groupby

from spanwise.document import Region
from spanwise.formats.docx.inlines import inlines
from spanwise.formats.docx.notes import Counts, Notes
from spanwise.formats.docx.styles import Styles
from spanwise.formats.drawings import drawn
from spanwise.formats.office import Office, Target
from spanwise.formats.places import Texts
from spanwise.formats.writer import ADDED, Run, code_span, link
from spanwise.formats.xml import Element


class Lines:
    """Makes the runs of the paragraphs of one file, that of the notes in them included."""

    def __init__(
        self, office: Office, part: str, styles: Styles, texts: Texts, counts: Counts, outer: str
    ) -> None:
        """`part` is that of the document, `outer` what it is embedded in, if it is."""
        self._office = office
        self._styles = styles
        self._texts = texts
        self._outer = outer
        self._targets: dict[str, dict[str, Target]] = {part: office.targets(part)}
        self.notes = Notes(office, self._targets[part], self.of, counts)

    def place(self, part: str) -> Region:
        """What the regions of a part begin with."""
        return {"part": self._outer, "inner": part} if self._outer else {"part": part}

    def target(self, key: str, part: str) -> Target | None:
        """Where a relationship of a part leads."""
        if part not in self._targets:
            self._targets[part] = self._office.targets(part)
        return self._targets[part].get(key)

    def of(
        self, paragraph: Element, part: str, count: int, *, plain: bool = False
    ) -> tuple[list[Run], list[Element]]:
        """The runs of the paragraph `count` of a part, and the drawings with text in it.

        `plain` leaves out the marks of code and links.
        """
        found = list(inlines(paragraph, self._styles))
        text = "".join(inline.text for inline in found)
        origin = ADDED
        if text:
            key = paragraph.attrs.get("w14:paraId")
            origin = self._texts.add({**self.place(part), "paragraph": count, "id": key}, text)
        is_all_code = all(one.is_code for one in found if one.text.strip())
        runs: list[Run] = []
        offset = 0
        for (is_code, address), group in groupby(found, lambda one: (one.is_code, one.link)):
            alike = []
            for inline in group:
                if inline.note is not None:
                    alike.append(Run(self.notes.mark(inline.note)))
                elif inline.text:
                    alike.append(Run(inline.text, origin, offset))
                    offset += len(inline.text)
            if not plain and any(run.text.strip() for run in alike):
                if is_code and not is_all_code and not self._styles.is_monospaced:
                    alike = code_span(alike)
                if address:
                    alike = link(alike, self._address(address, part))
            runs.extend(alike)
        return runs, [inline.box for inline in found if inline.box is not None]

    def drawn(self, paragraph: Element, part: str, count: int) -> list[Run]:
        """The runs of the paragraph `count` of a part that is a drawing."""
        text = "".join(text for text, _ in drawn(paragraph))
        if not text:
            return []
        place = {**self.place(part), "paragraph": count, "id": None}
        return [self._texts.run(place, text)]

    def _address(self, said: str, part: str) -> str:
        if said.startswith("="):
            return said[1:]
        target = self.target(said, part)
        return target.name if target is not None and target.external else ""
