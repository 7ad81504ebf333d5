"""Makes small PDF files, as tests want them: text at places, lines, bookmarks, page labels."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

FONTS: Final = {
    "F": "Helvetica", "B": "Helvetica-Bold", "I": "Helvetica-Oblique", "C": "Courier",
    "T": "Times-Bold", "J": "Helvetica-BoldOblique", "D": "Courier-Bold",
}  # fmt: skip
WIDTH: Final = 612
HEIGHT: Final = 792


@dataclass
class Page:
    """What is on a page, in the order of its content."""

    content: list[str] = field(default_factory=list)
    rotate: int = 0
    width: int = WIDTH
    height: int = HEIGHT

    def text(self, x: float, y: float, text: str, size: float = 10, font: str = "F") -> "Page":
        """Put text with its base line `y` points from the top."""
        safe = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
        self.content.append(f"BT /{font} {size} Tf 1 0 0 1 {x} {self.height - y} Tm ({safe}) Tj ET")
        return self

    def lines(
        self, x: float, y: float, lines: Sequence[str], size: float = 10, font: str = "F"
    ) -> "Page":
        """Put lines below each other, 1.2 times their size apart."""
        for at, line in enumerate(lines):
            self.text(x, y + at * 1.2 * size, line, size, font)
        return self

    def up(self, x: float, y: float, text: str, size: float = 10, font: str = "F") -> "Page":
        """Put text that runs up the page from a place."""
        self.content.append(f"BT /{font} {size} Tf 0 1 -1 0 {x} {HEIGHT - y} Tm ({text}) Tj ET")
        return self

    def rule(self, x: float, y: float, to_x: float, to_y: float) -> "Page":
        """Draw a line."""
        self.content.append(f"{x} {self.height - y} m {to_x} {self.height - to_y} l S")
        return self

    def dot(self, x: float, y: float, size: float = 3) -> "Page":
        """Draw a small square with its middle at a place."""
        self.content.append(f"{x - size / 2} {self.height - y - size / 2} {size} {size} re f")
        return self


def made(
    pages: Sequence[Page],
    bookmarks: Sequence[tuple[str, int] | tuple[str, int, int]] = (),
    labels: str = "",
    title: str = "",
    links: Sequence[tuple[str, int, tuple[float, float, float, float]]] = (),
) -> bytes:
    """A PDF file. Bookmarks are titles with a page from 0 and a depth; `labels` is a dictionary.

    Links are addresses, each with a page from 0 and a box from the top left corner.
    """
    objects: list[bytes] = []

    def add(body: str) -> int:
        objects.append(body.encode("latin-1"))
        return len(objects)

    fonts = ""
    for key, name in FONTS.items():
        font = f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>"
        fonts += f"/{key} {add(font)} 0 R "
    notes: dict[int, str] = {}
    for target, number, (left, top, right, bottom) in links:
        high = pages[number].height
        note = add(
            "<< /Type /Annot /Subtype /Link "
            f"/Rect [{left} {high - bottom} {right} {high - top}] "
            f"/A << /S /URI /URI ({target}) >> >>"
        )
        notes[number] = f"{notes.get(number, '')}{note} 0 R "
    # The number of an object is known before the object is: the tree follows the pages.
    tree = len(objects) + 2 * len(pages) + 1
    kids = []
    for number, page in enumerate(pages):
        stream = "\n".join(page.content)
        content = add(f"<< /Length {len(stream.encode('latin-1'))} >>\nstream\n{stream}\nendstream")
        kids.append(
            add(
                f"<< /Type /Page /Parent {tree} 0 R /MediaBox [0 0 {page.width} {page.height}] "
                f"/Rotate {page.rotate} /Contents {content} 0 R /Annots [{notes.get(number, '')}] "
                f"/Resources << /Font << {fonts} >> >> >>"
            )
        )
    listed = " ".join(f"{kid} 0 R" for kid in kids)
    assert add(f"<< /Type /Pages /Kids [{listed}] /Count {len(kids)} >>") == tree
    outline = f"/Outlines {_outline(add, len(objects), bookmarks, kids)} 0 R" if bookmarks else ""
    info = add(f"<< /Title ({title}) >>")
    numbers = f"/PageLabels {labels}" if labels else ""
    catalog = add(f"<< /Type /Catalog /Pages {tree} 0 R {outline} {numbers} >>")
    return _file(objects, f"/Root {catalog} 0 R /Info {info} 0 R")


def of_drawn_fonts(page: Page, fonts: dict[str, int]) -> bytes:
    """A file of one page whose fonts are drawings without names: how deep the g of each is.

    They have letters, spaces and full stops, all half as wide as they are high (Type 3 fonts, ISO
    32000-1, 9.6.5).
    """
    codes = [*range(65, 91), *range(97, 123)]
    names = {32: "space", 46: "period", **{code: chr(code) for code in codes}}
    differences = " ".join(f"{code} /{name}" for code, name in names.items())
    widths = " ".join("500" for _ in range(32, 123))
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>", ""]
    listed = ""

    def stream(body: str) -> int:
        objects.append(f"<< /Length {len(body)} >>\nstream\n{body}\nendstream")
        return len(objects)

    glyph = stream("500 0 0 0 500 600 d1 0 0 400 500 re f")
    for key, depth in fonts.items():
        deep = stream(f"500 0 0 {depth} 500 600 d1 0 0 400 500 re f")
        drawn = " ".join(f"/{name} {deep if name == 'g' else glyph} 0 R" for name in names.values())
        objects.append(
            "<< /Type /Font /Subtype /Type3 /FontBBox [0 -200 500 700] "
            f"/FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 32 /LastChar 122 /Widths [{widths}] "
            f"/Encoding << /Type /Encoding /Differences [{differences}] >> "
            f"/CharProcs << {drawn} >> /Resources << >> >>"
        )
        listed += f"/{key} {len(objects)} 0 R "
    content = stream("\n".join(page.content))
    objects[2] = (
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {page.width} {page.height}] "
        f"/Contents {content} 0 R /Resources << /Font << {listed} >> >> >>"
    )
    return _file([one.encode("latin-1") for one in objects], "/Root 1 0 R")


def _outline(
    add: Callable[[str], int],
    count: int,
    bookmarks: Sequence[tuple[str, int] | tuple[str, int, int]],
    kids: Sequence[int],
) -> int:
    """Put the bookmarks after `count` objects; the number of their root."""
    depths = [one[2] if len(one) > 2 else 0 for one in bookmarks]
    first, root = count + 1, count + len(bookmarks) + 1
    below: dict[int, list[int]] = {}
    open_at: list[int] = []
    for at, depth in enumerate(depths):
        del open_at[depth:]
        below.setdefault(open_at[-1] if open_at else -1, []).append(at)
        open_at.append(at)
    parents = {at: parent for parent, children in below.items() for at in children}

    def ends(of: int) -> str:
        children = below.get(of, [])
        if not children:
            return ""
        return (
            f"/First {first + children[0]} 0 R /Last {first + children[-1]} 0 R "
            f"/Count {len(children)}"
        )

    for at, one in enumerate(bookmarks):
        parent = parents[at]
        later = [other for other in below[parent] if other > at]
        after = f"/Next {first + later[0]} 0 R" if later else ""
        above = root if parent < 0 else first + parent
        add(
            f"<< /Title ({one[0]}) /Parent {above} 0 R {after} {ends(at)} "
            f"/Dest [{kids[one[1]]} 0 R /Fit] >>"
        )
    return add(f"<< {ends(-1)} >>")


def with_content(packed: bytes, times: int = 1, pages: int = 1) -> bytes:
    """A PDF file with a content that is deflated, so many times; all pages are the same one."""
    filters = b" ".join([b"/FlateDecode"] * times)
    kids = b" ".join([b"5 0 R"] * pages)
    return _file(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, pages),
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            b"<< /Length %d /Filter [%s] >>\nstream\n%s\nendstream"
            % (len(packed), filters, packed),
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %d %d] /Contents 4 0 R "
            b"/Resources << /Font << /F 3 0 R >> >> >>" % (WIDTH, HEIGHT),
        ],
        "/Root 1 0 R",
    )


def _file(objects: Sequence[bytes], trailer: str) -> bytes:
    out = bytearray(b"%PDF-1.7\n")
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    for place in places:
        out += b"%010d 00000 n \n" % place
    out += b"trailer\n<< /Size %d %s >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1, trailer.encode(), start,
    )  # fmt: skip
    return bytes(out)


def of_text(pages: Sequence[str]) -> bytes:
    """A PDF file of pages of plain text, wrapped to the page."""
    from textwrap import wrap

    return made(
        [
            Page().lines(72, 72, [part for line in text.split("\n") for part in wrap(line, 90)])
            for text in pages
        ]
    )
