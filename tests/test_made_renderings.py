"""One Markdown source, rendered seven ways, gives back one structure.

PDF by LaTeX, LibreOffice and Chromium, Word, HTML, EPUB and OpenDocument: the same headings under
the same parents, lists, tables and order of text as in the source. What is not installed is
skipped (Debian packages `pandoc`, `texlive-latex-recommended`, `libreoffice-writer`, `chromium`).
"""

import re
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from spanwise.document import Document
from spanwise.formats import Settings, reader
from spanwise.formats.sniffing import media_type

PANDOC: Final = "pandoc"
LIBREOFFICE: Final = "soffice"
CHROMIUM: Final = "chromium"
LATEX: Final = "pdflatex"
TITLE: Final = "The Tea Book"

SOURCE: Final = """\
# Introduction

Tea is *old* and **good**, and it is drunk all over the world by people of all ages. A pot of it
takes a few minutes; see [the site](https://example.org/a) for more, or use `steep()` now.

## History

It came by ship, in this order:

1. From the east coast
2. By way of the cape
    - with the monsoon
    - against the wind
3. To the harbours of the north

Later it was grown elsewhere, too, and the ships grew faster from one year to the next.

### The Fast Ships

Speed was everything. A clipper could make the whole way in less than a hundred days.

## Kinds

| Kind   | Minutes | Cost |
|--------|---------|------|
| Green  | 3       | 1.50 |
| Black  | 5       | 2.25 |
| Oolong | 4       | 3.75 |

What they have in common:

- the leaf of one plant
- hot water

# Making It

Pour the water over the leaves and wait. A program for it:

```
def steep(minutes):
    return minutes * 2
```

## Mistakes

> Never let it boil
> for long.

Some let it stand too long. It is bitter then, and nothing can be done about it any more.

# Last Words

That is all there is to say, with thanks to all who helped.
"""


class Structure(NamedTuple):
    """What of a document has to come back."""

    headings: list[tuple[str, str]]
    """Each heading and the one it stands under, empty for none."""
    items: list[tuple[int, str]]
    """How deep each item of a list is, and its marker with its text."""
    rows: list[list[str]]


def structure(text: str) -> Structure:
    """The structure of Markdown, but for the title of the document, which not all have."""
    headings: list[tuple[str, str]] = []
    items = []
    rows = []
    above: list[tuple[int, str]] = []
    fenced = False
    for line in text.split("\n"):
        fenced ^= line.strip().startswith("```")
        heading = re.match(r"(#{1,6}) (.*)", line)
        item = re.match(r"( *)([-*]|\d+\.) +(.*)", line)
        if fenced:
            continue
        if heading and heading[2] != TITLE:
            level = len(heading[1])
            while above and above[-1][0] >= level:
                above.pop()
            headings.append((heading[2], above[-1][1] if above else ""))
            above.append((level, heading[2]))
        elif item:
            items.append((int(bool(item[1])), f"{item[2]} {item[3]}"))
        elif line.startswith("|") and not re.fullmatch(r"[|: -]+", line):
            rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return Structure(headings, items, rows)


def words(text: str) -> list[str]:
    """The words of a text that are said by letters, in their order, links and title left out."""
    text = re.sub(r"\]\([^)]*\)", "", text)
    found = re.findall(r"[A-Za-z]+", text)
    return found[3:] if found[:3] == TITLE.split() else found


# -- renderings ----------------------------------------------------------------------------------


def run(*command: str, folder: Path) -> None:
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=240)


def by_pandoc(name: str) -> Callable[[Path], Path]:
    def render(folder: Path) -> Path:
        title = ("--standalone", "--metadata", f"title={TITLE}")
        run(PANDOC, *title, "source.md", "-o", name, folder=folder)
        return folder / name

    return render


def by_latex(folder: Path) -> Path:
    margins = ("-V", "geometry:margin=25mm", "--pdf-engine", LATEX)
    run(PANDOC, *margins, "--metadata", f"title={TITLE}", "source.md", "-o", "a.pdf", folder=folder)
    return folder / "a.pdf"


def by_libreoffice(folder: Path) -> Path:
    by_pandoc("a.docx")(folder)
    own = f"-env:UserInstallation=file://{folder}/profile"
    run(LIBREOFFICE, own, "--headless", "--convert-to", "pdf", "a.docx", folder=folder)
    return folder / "a.pdf"


def by_chromium(folder: Path) -> Path:
    by_pandoc("a.html")(folder)
    printing = ("--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer")
    run(CHROMIUM, *printing, "--print-to-pdf=a.pdf", "a.html", folder=folder)
    return folder / "a.pdf"


RENDERINGS: Final[dict[str, tuple[Callable[[Path], Path], tuple[str, ...]]]] = {
    "latex.pdf": (by_latex, (PANDOC, LATEX)),
    "libreoffice.pdf": (by_libreoffice, (PANDOC, LIBREOFFICE)),
    "chromium.pdf": (by_chromium, (PANDOC, CHROMIUM)),
    "docx": (by_pandoc("a.docx"), (PANDOC,)),
    "html": (by_pandoc("a.html"), (PANDOC,)),
    "epub": (by_pandoc("a.epub"), (PANDOC,)),
    "odt": (by_pandoc("a.odt"), (PANDOC,)),
}
"""For each rendering what makes it, and the programs that this takes."""


@cache
def made(name: str, folder: Path) -> Document:
    render, programs = RENDERINGS[name]
    missing = [program for program in programs if shutil.which(program) is None]
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)}")
    folder.mkdir()
    (folder / "source.md").write_text(SOURCE, encoding="utf-8")
    path = render(folder)
    data = path.read_bytes()
    return reader(media_type(data, path.name))(data, Settings())


@pytest.fixture(scope="module", params=RENDERINGS)
def document(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Document:
    name = str(request.param)
    return made(name, tmp_path_factory.getbasetemp() / f"made-{name}")


def test_headings_stand_under_the_same_parents(document: Document) -> None:
    assert structure(document.text).headings == structure(SOURCE).headings


def test_lists_are_nested_and_marked_as_they_were(document: Document) -> None:
    assert structure(document.text).items == structure(SOURCE).items


def test_tables_have_the_same_rows(document: Document) -> None:
    assert structure(document.text).rows == structure(SOURCE).rows


def test_all_words_are_there_in_order(document: Document) -> None:
    assert words(document.text) == words(SOURCE)


def test_code_is_code(document: Document) -> None:
    assert re.search(
        r"^```\ndef steep\(minutes\):\n +return minutes \* 2\n```$", document.text, re.M
    )
