"""How well documents are converted: headings, parents, pages, tables, order, against the truth.

`python -m benchmarks.documents` prints a table for the documents of `documents-truth.json` (hand
annotations, see its note). `oracle` hides the bookmarks of every PDF with three or more and scores
the headings found against them; `proof` re-reads every chunk's regions; `speed` compares with the
plain text of PDFium; `tables` scores tables and reading order on annotations of our own. Arguments
after these are files to take instead of the shared ones.
"""

import difflib
import hashlib
import json
import re
import statistics
import sys
import time
import unicodedata
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.shared_data import CASES, DATA

from spanwise.document import Document
from spanwise.errors import SpanwiseError
from spanwise.formats import Settings, reader, rereader
from spanwise.formats.pdf.numbering import LABEL_WORDS
from spanwise.formats.sniffing import PDF, media_type

NEAR: Final = 0.9
"""How alike two headings are that are taken for the same, from 0 to 1."""

TABLES: Final = Path(__file__).parent / "truth" / "tables.json"
"""Tables and reading order of shared documents."""

_HEADING: Final = re.compile(r"^(#{1,6}) (.*)$", re.MULTILINE)
_ESCAPE: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_NUMBER: Final = re.compile(
    rf"^(?:(?:{LABEL_WORDS})\s+)?(?:[A-Z]|\d+|[IVX]+|(?:twenty-?)?(?:one|two|three|four|five|"
    r"six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|"
    r"nineteen|twenty))(?:\.\d+)*[.:]?\s+",
    re.IGNORECASE,
)
_CELL: Final = re.compile(r"(?<!\\)\|")
_MARKUP: Final = re.compile(r"[`*]|\[([^\]]*)\]\([^)]*\)")


class Heading(NamedTuple):
    """A heading that was found, or one of the truth."""

    level: int
    text: str
    page: int | None


class Score(NamedTuple):
    """Counts of one document."""

    wanted: int
    found: int
    right: int
    parents: int
    pages: int
    rows: tuple[int, int]
    pairs: tuple[int, int]

    @property
    def precision(self) -> float:
        return self.right / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        return self.right / self.wanted if self.wanted else 1.0

    @property
    def f1(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


# -- headings ------------------------------------------------------------------------------------


def folded(text: str) -> str:
    """Letters and digits of a text, in one case."""
    text = unicodedata.normalize("NFKC", text).casefold()
    return "".join(letter for letter in text if letter.isalnum())


def plain(markdown: str) -> str:
    """A line of Markdown without its marks."""
    return _ESCAPE.sub(r"\1", _MARKUP.sub(r"\1", markdown))


def headings_of(document: Document) -> list[Heading]:
    """The headings of the canonical text that are outside of code."""
    found = []
    text = document.text
    fenced = [match.span() for match in re.finditer(r"^(`{3,})[^`\n]*\n.*?^\1$", text, re.M | re.S)]
    for match in _HEADING.finditer(text):
        if any(start <= match.start() < end for start, end in fenced):
            continue
        pages = document.pages(match.start(2), match.end(2))
        found.append(Heading(len(match[1]), plain(match[2]), pages["first"] if pages else None))
    return found


def alike(one: str, two: str) -> bool:
    """Whether two folded headings are the same but for a letter here and there."""
    if one == two:
        return True
    if not one or not two or abs(len(one) - len(two)) > 0.2 * max(len(one), len(two)):
        return False
    return difflib.SequenceMatcher(None, one, two, autojunk=False).ratio() >= NEAR


def paired(
    wanted: Sequence[Heading], found: Sequence[Heading], alt: dict[str, list[str]]
) -> dict[int, int]:
    """For each heading of the truth that was found the place of the one found."""
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    keys = [folded(heading.text) for heading in found]
    for strict in (True, False):
        for number, heading in enumerate(wanted):
            if number in pairs:
                continue
            names = [folded(name) for name in (heading.text, *alt.get(heading.text, ()))]
            fits = [
                at
                for at, key in enumerate(keys)
                if at not in taken
                and (key in names if strict else any(alike(key, n) for n in names))
            ]
            if fits:
                # Of several with that text the one on its page, else the first.
                best = min(fits, key=lambda at: (found[at].page != heading.page, at))
                pairs[number] = best
                taken.add(best)
    return pairs


def parents(headings: Sequence[Heading]) -> list[int]:
    """The place of the heading above each, -1 without one."""
    above: list[int] = []
    result = []
    for at, heading in enumerate(headings):
        while above and headings[above[-1]].level >= heading.level:
            above.pop()
        result.append(above[-1] if above else -1)
        above.append(at)
    return result


def score_headings(
    wanted: Sequence[Heading],
    found: Sequence[Heading],
    optional: Sequence[str] = (),
    alt: dict[str, list[str]] | None = None,
) -> tuple[int, int, int, int, list[str]]:
    """How many were found, right, under the right parent, on the right page; and what is wrong.

    The parent of a heading that was found is the nearest above it that is in the truth: one that is
    not counts as a false heading already.
    """
    pairs = paired(wanted, found, alt or {})
    back = {at: number for number, at in pairs.items()}
    free = {folded(text) for text in optional}
    false = [
        heading
        for at, heading in enumerate(found)
        if at not in back and folded(heading.text) not in free
    ]
    true_parents = parents(wanted)
    own_parents = parents(found)
    under = on_page = 0
    wrong = [f"  false   {heading.level} p{heading.page} {heading.text}" for heading in false]
    for number, heading in enumerate(wanted):
        if number not in pairs:
            wrong.append(f"  missed  {heading.level} p{heading.page} {heading.text}")
            continue
        at = own_parents[pairs[number]]
        while at >= 0 and at not in back:
            at = own_parents[at]
        if (back[at] if at >= 0 else -1) == true_parents[number]:
            under += 1
        else:
            named = found[at].text if at >= 0 else "nothing"
            wrong.append(f"  parent  {heading.level} p{heading.page} {heading.text} <- {named}")
        if heading.page is None or heading.page == found[pairs[number]].page:
            on_page += 1
    return len(pairs) + len(false), len(pairs), under, on_page, wrong


# -- tables and order ----------------------------------------------------------------------------


def rows_of(document: Document) -> list[list[str]]:
    """The rows of cells of all tables, delimiter rows left out."""
    found = []
    for line in document.text.split("\n"):
        if line.startswith("|") and line.endswith("|"):
            cells = [_cell(cell) for cell in _CELL.split(line)[1:-1]]
            if not all(re.fullmatch(r":?-+:?", cell) for cell in cells):
                found.append(cells)
    return found


def _cell(text: str) -> str:
    return " ".join(plain(text).split())


def score_rows(tables: Sequence[Any], document: Document) -> tuple[int, int, list[str]]:
    """How many rows are exactly those of the truth, and how many there are."""
    have = [[folded_cell(cell) for cell in row] for row in rows_of(document)]
    right = total = 0
    wrong = []
    for table in tables:
        for row in table["rows"]:
            total += 1
            wanted = [folded_cell(str(cell)) for cell in row]
            if wanted in have:
                right += 1
            else:
                wrong.append(f"  row     {row}")
    return right, total, wrong


def folded_cell(text: str) -> str:
    """The text of a cell without white space."""
    return "".join(unicodedata.normalize("NFKC", text).split())


def score_order(order: dict[str, list[str]], document: Document) -> tuple[int, int, list[str]]:
    """How many pairs of snippets of a page stand in the order of the truth."""
    spaceless = [(at, letter) for at, letter in enumerate(plain_text(document)) if letter.isalnum()]
    text = "".join(letter.casefold() for _, letter in spaceless)
    right = total = 0
    wrong = []
    for page, snippets in order.items():
        places = [text.find(folded(snippet)) for snippet in snippets]
        for i in range(len(places)):
            if places[i] < 0:
                wrong.append(f"  lost    p{page} {snippets[i]}")
            for j in range(i + 1, len(places)):
                total += 1
                if 0 <= places[i] < places[j]:
                    right += 1
                elif places[i] >= 0 and places[j] >= 0:
                    wrong.append(f"  order   p{page} {snippets[i]} / {snippets[j]}")
    return right, total, wrong


def plain_text(document: Document) -> str:
    """The text as one string in one normal form."""
    return unicodedata.normalize("NFKC", plain(document.text))


# -- the truth -----------------------------------------------------------------------------------


def score(truth: dict[str, Any], document: Document) -> tuple[Score, list[str]]:
    """The score of one document, and what is wrong with it."""
    wanted = [Heading(one["level"], one["text"], one.get("page")) for one in truth["headings"]]
    found, right, under, on_page, wrong = score_headings(
        wanted, headings_of(document), truth.get("optional", ()), truth.get("alt")
    )
    rows, all_rows, wrong_rows = score_rows(truth.get("tables", ()), document)
    pairs, all_pairs, wrong_pairs = score_order(truth.get("order") or {}, document)
    result = Score(len(wanted), found, right, under, on_page, (rows, all_rows), (pairs, all_pairs))
    return result, wrong + wrong_rows + wrong_pairs


def truth_table(paths: Sequence[Path], verbose: bool) -> None:
    """Print the scores on hand annotations."""
    for path in paths:
        documents = json.loads(path.read_text(encoding="utf-8"))["documents"]
        kinds: dict[str, list[Score]] = {}
        print(
            f"{'document':44} {'P':>5} {'R':>5} {'F1':>5} {'parent':>6} {'page':>5} "
            f"{'rows':>7} {'order':>7}"
        )
        for truth in documents:
            name = truth["file"]
            place = DATA.parent / name if (DATA.parent / name).is_file() else path.parent / name
            try:
                document = converted(place)
            except (SpanwiseError, ImportError) as error:
                print(f"{Path(name).name:44} {error}")
                continue
            result, wrong = score(truth, document)
            kinds.setdefault(truth["kind"], []).append(result)
            print(_row(Path(name).name, [result]))
            if verbose:
                print(*wrong, sep="\n")
        for kind, results in kinds.items():
            print(_row(f"mean of {len(results)} {kind}", results))


def _row(name: str, results: Sequence[Score]) -> str:
    headed = [one for one in results if one.wanted] or list(results)
    mean = statistics.mean
    rows = [sum(one.rows[at] for one in results) for at in (0, 1)]
    pairs = [sum(one.pairs[at] for one in results) for at in (0, 1)]
    return (
        f"{name[:44]:44} {mean(one.precision for one in headed):5.2f} "
        f"{mean(one.recall for one in headed):5.2f} {mean(one.f1 for one in headed):5.2f} "
        f"{mean(one.parents / one.wanted if one.wanted else 1 for one in headed):6.2f} "
        f"{mean(one.pages / one.right if one.right else 1 for one in headed):5.2f} "
        f"{_share(*rows):>7} {_share(*pairs):>7}"
    )


def _share(part: int, whole: int) -> str:
    return f"{part}/{whole}" if whole else "-"


def converted(path: Path, settings: Settings | None = None) -> Document:
    """The document of a file, read in this process."""
    data = path.read_bytes()
    return reader(media_type(data, path.name))(data, settings or Settings())


# -- tables of our own ---------------------------------------------------------------------------


def is_held(name: str) -> bool:
    """Whether a document is for checking only, not for tuning."""
    return hashlib.sha256(name.encode()).digest()[0] % 5 < 2


def tables_table(verbose: bool, held: bool) -> None:
    """Print how many rows are exact, how many are no row of the truth, and how many pairs in order.

    What is wrong is printed with `verbose`, for documents to check with only if `held`.
    """
    documents = json.loads(TABLES.read_text(encoding="utf-8"))["documents"]
    print(f"{'document':56} {'rows':>9} {'false':>6} {'order':>10}")
    for kind in ("dev", "hold"):
        sums = [0, 0, 0, 0, 0]
        for truth in documents:
            name = Path(truth["file"]).name
            if is_held(name) != (kind == "hold"):
                continue
            place = DATA.parent / truth["file"]
            if hashlib.sha256(place.read_bytes()).hexdigest() != truth["sha256"]:
                print(f"{name[:56]:56} another version of the file")
                continue
            document = converted(place)
            rows, all_rows, wrong = score_rows(truth["tables"], document)
            pairs, all_pairs, disorder = score_order(truth["order"], document)
            wanted = [
                [folded_cell(cell) for cell in row]
                for table in truth["tables"]
                for row in table["rows"]
            ]
            false = [
                row
                for row in rows_of(document)
                if truth["complete"] and [folded_cell(cell) for cell in row] not in wanted
            ]
            counts = (rows, all_rows, len(false), pairs, all_pairs)
            sums = [one + two for one, two in zip(sums, counts, strict=True)]
            print(_table_row(name, counts))
            if verbose and (kind == "dev" or held):
                print(*wrong, *(f"  false   {row}" for row in false), *disorder, sep="\n")
        print(_table_row(f"all of {kind}", sums))


def _table_row(name: str, counts: Sequence[int]) -> str:
    rows, all_rows, false, pairs, all_pairs = counts
    return (
        f"{name[:56]:56} {_share(rows, all_rows):>9} {false or '-':>6} "
        f"{_share(pairs, all_pairs):>10}"
    )


# -- bookmarks, proof, speed ---------------------------------------------------------------------


def pdf_files() -> list[tuple[Path, str | None]]:
    """All shared PDF files with their passwords."""
    found = []
    for line in (DATA / "documents" / "manifest.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if record["file"].endswith(".pdf"):
            found.append((DATA / "documents" / record["file"], record.get("password")))
    return found


def oracle(files: Sequence[tuple[Path, str | None]], verbose: bool, hidden: bool = True) -> None:
    """Print how headings found, with or without bookmarks, compare with the bookmarks."""
    from spanwise.formats.pdf.pdfium import Pdf
    from spanwise.formats.pdf.reading import read_pdf

    results = []
    for path, password in files:
        try:
            pdf = Pdf(path.read_bytes(), password, 5000)
        except SpanwiseError:
            continue
        marks = [
            Heading(mark.depth + 1, mark.title, mark.page + 1)
            for mark in pdf.bookmarks()
            if mark.title and mark.page >= 0
        ]
        if len(marks) < 3:
            continue
        document = read_pdf(pdf, Settings(password=password), PDF, use_bookmarks=not hidden)
        # Bookmarks tend to leave out the numbers that are printed, so they do not count here.
        bare = [mark._replace(text=_bare(mark.text)) for mark in marks]
        own = [one._replace(text=_bare(one.text)) for one in headings_of(document)]
        found, right, under, on_page, wrong = score_headings(bare, own)
        result = Score(len(marks), found, right, under, on_page, (0, 0), (0, 0))
        results.append(result)
        print(f"{_row(path.name, [result])} {len(marks)} bookmarks")
        if verbose:
            print(*wrong, sep="\n")
    print(_row(f"mean of {len(results)}", results))
    whole = Score(
        sum(one.wanted for one in results),
        sum(one.found for one in results),
        sum(one.right for one in results),
        sum(one.parents for one in results),
        sum(one.pages for one in results),
        (0, 0),
        (0, 0),
    )
    print(_row(f"all {whole.wanted} bookmarks", [whole]))


def _bare(title: str) -> str:
    return _NUMBER.sub("", title) or title


def proof(files: Sequence[tuple[Path, str | None]], verbose: bool) -> int:
    """Print how many chunks can be read again under their regions; the number that cannot."""
    from spanwise.markdown.chunking import pieces
    from spanwise.markdown.options import ChunkOptions

    options = ChunkOptions(max_chars=1500)
    chunks = failed = unread = exact = flagged = 0
    for path, password in files:
        settings = Settings(password=password)
        data = path.read_bytes()
        kind = media_type(data, path.name)
        try:
            document = reader(kind)(data, settings)
        except SpanwiseError as error:
            unread += 1
            if verbose:
                print(f"{path.name}: {error.message}")
            continue
        again = rereader(kind)
        told = {notice["page"] for notice in document.notices}
        for piece in pieces(document.text, options, None):
            chunks += 1
            own = document.own_text(piece.start, piece.end)
            regions = document.regions(piece.start, piece.end)
            text = again(data, regions, settings)
            if own.split() == text.split():
                exact += 1
            if "".join(own.split()) == "".join(text.split()):
                continue
            pages = document.pages(piece.start, piece.end)
            if pages and any(page in told for page in range(pages["first"], pages["last"] + 1)):
                flagged += 1
                continue
            failed += 1
            if verbose:
                print(f"{path.name} {piece.start}: {_difference(own, text)}")
    print(
        f"{len(files)} files, {unread} with an error; {chunks} chunks, {failed} not proved, "
        f"{flagged} not proved on pages with a notice; {exact} with the same words"
    )
    return failed


def _difference(own: str, text: str) -> str:
    one, two = "".join(own.split()), "".join(text.split())
    at = next(
        (i for i, (a, b) in enumerate(zip(one, two, strict=False)) if a != b),
        min(len(one), len(two)),
    )
    return f"{one[max(0, at - 20) : at + 30]!r} / {two[max(0, at - 20) : at + 30]!r}"


def speed(files: Sequence[tuple[Path, str | None]]) -> None:
    """Print the time of reading PDF files in units of that of their plain text."""
    own = theirs = 0.0
    for path, password in files:
        data = path.read_bytes()
        settings = Settings(password=password)
        try:
            document = reader(PDF)(data, settings)
        except SpanwiseError:
            continue
        del document
        mine = _fastest(lambda data=data, settings=settings: reader(PDF)(data, settings))  # type: ignore[misc]
        plain_time = _fastest(lambda data=data, password=password: _plain(data, password))  # type: ignore[misc]
        own += mine
        theirs += plain_time
        if plain_time > 0.05:
            print(f"{path.name:44} {mine:.3f} s / {plain_time:.3f} s = {mine / plain_time:.2f}")
    print(f"{'all':44} {own:.3f} s / {theirs:.3f} s = {own / theirs:.2f}")


def _fastest(work: Callable[[], object]) -> float:
    times = []
    for _ in range(3):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def _plain(data: bytes, password: str | None) -> int:
    import pypdfium2

    document = pypdfium2.PdfDocument(data, password=password)
    size = 0
    for number in range(len(document)):
        try:
            page = document[number]
        except pypdfium2.PdfiumError:
            continue
        text = page.get_textpage()
        size += len(text.get_text_range())
        text.close()
        page.close()
    document.close()
    return size


def main() -> None:
    """Print what the arguments ask for."""
    arguments = sys.argv[1:]
    verbose = "-v" in arguments
    words = [word for word in arguments if not word.startswith("-")]
    known = ("truth", "oracle", "proof", "speed", "tables")
    what = words.pop(0) if words and words[0] in known else "truth"
    files: list[tuple[Path, str | None]] = [(Path(word), None) for word in words]
    if what == "truth":
        truth_table([path for path, _ in files] or [CASES / "documents-truth.json"], verbose)
    elif what == "oracle":
        oracle(files or pdf_files(), verbose, "--shown" not in arguments)
    elif what == "proof":
        sys.exit(1 if proof(files or pdf_files(), verbose) else 0)
    elif what == "tables":
        tables_table(verbose, "--hold" in arguments)
    else:
        speed(files or pdf_files())


if __name__ == "__main__":
    main()
