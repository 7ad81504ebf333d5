"""How headings of made PDFs fare, whose design is known: sizes, fonts, numbers, colours, places.

`python -m benchmarks.designs [SEED ...]` makes one document of random words for each design and
each seed (1 without), prints it with Chromium, without tags or bookmarks, and scores the headings
found. Names of designs as arguments choose among them; `-v` says what is wrong. What these teach
is what rules do on their own; documents that nobody made for this are another matter.
"""

import html
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.document_scores import Heading, Score, headings_of, score_headings
from spanwise.formats import Settings, reader
from spanwise.formats.sniffing import PDF

WORDS: Final = (
    "water spring well valley farm report office service member state local public order market "
    "price growth value level region study method result sample field model data case rule term "
    "party date notice right duty court plan budget staff cost year month share table figure"
).split()
SMALL: Final = "the of and to in for with on by as from is are was were that which this its".split()
ROMAN: Final = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")

Place = tuple[int, ...]
"""The numbers of a heading and of those above it."""


def _decimal(path: Place) -> str:
    return ".".join(map(str, path)) + (". " if len(path) == 1 else " ")


def _bare(path: Place) -> str:
    return ".".join(map(str, path)) + " "


def _outline(path: Place) -> str:
    number = path[-1]
    return f"{(ROMAN[number], chr(64 + number), str(number))[len(path) - 1]}. "


def _ieee(path: Place) -> str:
    return f"{path[-1]}) " if len(path) == 3 else _outline(path)


def _parts(path: Place) -> str:
    number = path[-1]
    names = (f"Part {ROMAN[number]} – ", f"Chapter {number}. ", f"Section {number}. ")
    return names[len(path) - 1]


def _articles(path: Place) -> str:
    return f"ARTICLE {ROMAN[path[-1]]} " if len(path) == 1 else f"Section {path[-1]}. "


def _signs(path: Place) -> str:
    return f"Teil {path[-1]} " if len(path) == 1 else f"§ {path[-1]} "


def _letters(path: Place) -> str:
    first = chr(64 + path[0])
    return f"{first}. " if len(path) == 1 else f"{first}.{'.'.join(map(str, path[1:]))} "


def _appendices(path: Place) -> str:
    first = chr(64 + path[0])
    return f"Appendix {first}: " if len(path) == 1 else f"{first}.{path[1]} "


def _steps(path: Place) -> str:
    return f"Step {path[-1]}: " if len(path) == 1 else ""


def _parentheses(path: Place) -> str:
    return f"{path[-1]}) " if len(path) == 1 else f"{chr(96 + path[-1])}) "


def _none(path: Place) -> str:
    return ""


@dataclass(frozen=True)
class Design:
    """How a document looks: the style of its text and that of each level of headings, as CSS."""

    text: str
    levels: Sequence[str]
    number: Callable[[Place], str] = _none
    capitals: Sequence[int] = ()
    """Levels in capitals, from 1."""
    hanging: bool = False
    """Whether numbers stand apart from the words."""
    long: bool = False
    """Whether many headings have several lines."""
    leads: bool = False
    """Whether paragraphs begin with bold words."""


SERIF: Final = "font:11pt Liberation Serif"
SANS: Final = "font:10pt Liberation Sans"
BOLD: Final = "font-weight:bold"
MIDDLE: Final = "text-align:center"
ITALIC: Final = "font-style:italic"
DESIGNS: Final = {
    "sizes": Design(
        SANS, [f"font-size:18pt;{BOLD}", f"font-size:14pt;{BOLD}", f"font-size:11.5pt;{BOLD}"]
    ),
    "thin": Design(
        "font:11pt Carlito",
        [
            "font-size:20pt;color:#2f5496",
            "font-size:16pt;color:#2f5496",
            "font-size:12pt;color:#1f3763",
        ],
    ),
    "numbers": Design(
        "font:11pt Carlito",
        [
            "font-size:16pt;color:#2f5496",
            "font-size:13pt;color:#2f5496",
            "font-size:12pt;color:#1f3763",
        ],
        _decimal,
    ),
    "apa": Design(f"{SERIF};line-height:2", [f"{MIDDLE};{BOLD}", BOLD, f"{BOLD};{ITALIC}"]),
    "ieee": Design(
        "font:10pt Liberation Serif;column-count:2",
        [f"{MIDDLE};font-variant:small-caps", ITALIC, ITALIC],
        _ieee,
    ),
    "acm": Design("font:9pt Liberation Serif;column-count:2", [BOLD, BOLD, ITALIC], _bare, (1,)),
    "outline": Design(SERIF, [BOLD, BOLD, BOLD], _outline),
    "outline in styles": Design(SERIF, [f"{BOLD};{MIDDLE}", BOLD, ITALIC], _outline, (1,)),
    "parts": Design(SANS, [BOLD, BOLD, BOLD], _parts),
    "bylaws": Design(SERIF, [f"{BOLD};{MIDDLE}", BOLD], _articles, (1,)),
    "law": Design(SERIF, [f"{BOLD};font-size:13pt;{MIDDLE}", BOLD], _signs),
    "letters": Design(SANS, [f"{BOLD};font-size:14pt", f"{BOLD};font-size:12pt", BOLD], _letters),
    "letters alone": Design(SANS, [f"{BOLD};font-size:12pt"], _letters),
    "appendices": Design(SANS, [f"{BOLD};font-size:14pt", f"{BOLD};font-size:12pt"], _appendices),
    "capitals": Design(SERIF, [BOLD, BOLD, ITALIC], capitals=(1,)),
    "light capitals": Design(SERIF, ["", "text-decoration:underline", ITALIC], capitals=(1,)),
    "underlined": Design(
        SERIF, [f"{BOLD};text-decoration:underline", "text-decoration:underline", ITALIC]
    ),
    "colours": Design(SANS, [f"color:#c00;{BOLD}", f"color:#06c;{BOLD}"]),
    "small": Design(
        SANS,
        [
            f"font-size:15pt;{BOLD}",
            BOLD,
            f"font-size:9pt;{BOLD};text-transform:uppercase;letter-spacing:1px",
        ],
    ),
    "spread": Design(SANS, ["font-size:11pt;text-transform:uppercase;letter-spacing:3px", BOLD]),
    "steps": Design(SANS, [f"font-size:13pt;{BOLD}", BOLD], _steps),
    "parentheses": Design(SERIF, [BOLD, f"{ITALIC};{BOLD}"], _parentheses),
    "bands": Design(
        SANS, [f"background:#234;color:white;{BOLD};padding:3px", f"{BOLD};color:#234"]
    ),
    "rules": Design(
        SANS,
        [
            f"font-size:13pt;{BOLD};border-bottom:1px solid black",
            f"{BOLD};border-bottom:1px dotted gray",
        ],
        _decimal,
    ),
    "hanging": Design(SERIF, [BOLD, BOLD], _decimal, hanging=True),
    "at the right": Design(
        SANS, ["font-size:16pt;text-align:right", f"font-size:12pt;{BOLD}"], _bare
    ),
    "small capitals": Design(
        SERIF, ["font-variant:small-caps;font-size:13pt", "font-variant:small-caps", ITALIC]
    ),
    "leads": Design(SANS, [f"font-size:14pt;{BOLD}", BOLD], leads=True),
    "italics": Design(
        SERIF, [f"font-size:15pt;{ITALIC}", f"font-size:12pt;{ITALIC}", ITALIC], _decimal
    ),
    "three columns": Design(
        "font:8pt Liberation Sans;column-count:3", [f"font-size:12pt;{BOLD}", BOLD]
    ),
    "typescript": Design("font:12pt Liberation Serif;line-height:2", [MIDDLE, BOLD], capitals=(1,)),
    "monospaced": Design("font:9pt Liberation Mono", [f"{BOLD};font-size:12pt", BOLD], _bare),
    "long": Design(
        f"{SANS};column-count:2",
        [f"font-size:14pt;{BOLD}", f"font-size:11pt;{BOLD}"],
        _decimal,
        long=True,
    ),
}


class Maker:
    """Makes a document in a design, of random words, and knows its headings."""

    def __init__(self, name: str, seed: int) -> None:
        """The same for the same name and seed."""
        self.headings: list[Heading] = []
        self._design = DESIGNS[name]
        self._random = random.Random(f"{name} {seed}")
        self._parts: list[str] = []
        self._below = 1
        if self._random.random() < 0.7:
            self._below = 2
            self._title()
        for number in range(1, self._random.randint(3, 6) + 1):
            self._section((number,))

    def page(self) -> str:
        """The document in HTML."""
        size = self._random.choice(["A4", "Letter"])
        aligned = self._random.choice(["left", "justify"])
        style = (
            f"@page{{size:{size};margin:22mm}}body{{{self._design.text};text-align:{aligned}}}"
            "p{margin:0 0 6pt}"
        )
        body = "\n".join(self._parts)
        return f"<!doctype html><meta charset=utf-8><style>{style}</style><body>{body}"

    def _title(self) -> None:
        title = self._name(6)
        self.headings.append(Heading(1, title, None))
        self._parts.append(
            f'<div style="font-size:24pt;{BOLD};{MIDDLE};margin:0 0 20pt;column-span:all;'
            f'line-height:1.2">{title}</div>'
        )
        if self._random.random() < 0.5:
            self._parts.append(
                f'<div style="{MIDDLE};margin-bottom:14pt;column-span:all">Ann Example and Bob '
                "Sample<br>3 May 2021</div>"
            )

    def _section(self, path: Place) -> None:
        depth = len(path)
        design = self._design
        name = self._name(self._random.randint(9, 14) if design.long else 0)
        if depth in design.capitals:
            name = name.upper()
        number = design.number(path)
        self.headings.append(Heading(depth + self._below - 1, number + name, None))
        said = html.escape(number + name)
        if design.hanging:
            said = f'<span style="display:inline-block;width:36pt">{number}</span>{name}'
        self._parts.append(
            f'<div style="{design.levels[depth - 1]};margin:{14 - 2 * depth}pt 0 5pt;'
            f'break-after:avoid">{said}</div>'
        )
        if depth == len(design.levels) or self._random.random() > 0.75:
            self._text()
            return
        if self._random.random() < 0.5:
            self._text()
        for below in range(1, self._random.randint(2, 4) + 1):
            self._section((*path, below))

    def _text(self) -> None:
        for _ in range(self._random.randint(1, 3)):
            chance = self._random.random()
            if chance < 0.18:
                kind = "ul" if chance < 0.12 else "ol"
                items = "".join(
                    f"<li>{self._sentence()}</li>" for _ in range(self._random.randint(2, 5))
                )
                self._parts.append(f"<{kind}>{items}</{kind}>")
                continue
            text = " ".join(self._sentence() for _ in range(self._random.randint(2, 6)))
            if self._design.leads and self._random.random() < 0.5:
                text = f"<b>{self._name(2)}.</b> {text}"
            self._parts.append(f"<p>{text}</p>")

    def _name(self, count: int = 0) -> str:
        count = count or self._random.randint(2, 5)
        return " ".join(self._random.choice(WORDS).capitalize() for _ in range(count))

    def _sentence(self) -> str:
        words = [
            self._random.choice(WORDS if self._random.random() < 0.6 else SMALL)
            for _ in range(self._random.randint(5, 22))
        ]
        return f"{' '.join(words).capitalize()}."


def printed(page: str, folder: Path) -> bytes:
    """A page of HTML as the PDF that Chromium prints."""
    source, made = folder / "page.html", folder / "page.pdf"
    source.write_text(page, encoding="utf-8")
    subprocess.run(
        [
            "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-pdf-tagging",
            "--no-pdf-header-footer", f"--print-to-pdf={made}", str(source),
        ],
        check=True,
        capture_output=True,
        timeout=120,
    )  # fmt: skip
    return made.read_bytes()


def main() -> None:
    """Print the scores of the designs that the arguments name."""
    words = [word for word in sys.argv[1:] if not word.startswith("-")]
    seeds = [int(word) for word in words if word.isdecimal()] or [1]
    names = [word for word in words if not word.isdecimal()] or list(DESIGNS)
    if unknown := [name for name in names if name not in DESIGNS]:
        sys.exit(f"no such design: {', '.join(unknown)}; there are {', '.join(DESIGNS)}")
    if shutil.which("chromium") is None:
        sys.exit("chromium is not installed (the Debian package `chromium`)")
    print(f"{'design':24} seed  headings     P     R    F1 parent")
    scores: list[tuple[float, float]] = []
    for name in names:
        for seed in seeds:
            made = Maker(name, seed)
            with tempfile.TemporaryDirectory() as folder:
                data = printed(made.page(), Path(folder))
            found = headings_of(reader(PDF)(data, Settings()))
            count, right, under, pages, wrong = score_headings(made.headings, found)
            wanted = len(made.headings)
            one = Score(wanted, count, right, under, pages, (0, 0), (0, 0))
            scores.append((one.f1, under / wanted))
            print(
                f"{name:24} {seed:4} {wanted:9} {one.precision:5.2f} {one.recall:5.2f} "
                f"{one.f1:5.2f} {under / wanted:6.2f}"
            )
            if "-v" in sys.argv:
                print("\n".join(wrong))
    f1 = statistics.mean(one for one, _ in scores)
    parent = statistics.mean(one for _, one in scores)
    print(f"mean of {len(scores)}: F1 {f1:.3f}, parent {parent:.3f}")


if __name__ == "__main__":
    main()
