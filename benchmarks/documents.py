"""How well documents are converted: headings, parents, pages, tables, order, against the truth.

`python -m benchmarks.documents` prints a table for the documents of `documents-truth.json` (hand
annotations, see its note); `truth benchmarks/truth/pdf.json [FOLDER]`, or `fresh.json` or
`office.json` beside it, for those annotated here, where FOLDER has the files of packages. `oracle`
hides the bookmarks of every PDF with three or more and scores the headings found against them;
`proof` re-reads every chunk's regions; `speed` compares with the plain text of PDFium; `tables`
scores tables and reading order on annotations of our own. Arguments after these are files to take
instead of the shared ones; `-v` says what is wrong.
"""

import hashlib
import json
import re
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from tests.shared_data import CASES, DATA

from benchmarks.document_scores import (
    Heading,
    Score,
    folded_cell,
    headings_of,
    paired,
    rows_of,
    score,
    score_headings,
    score_order,
    score_rows,
)
from spanwise.document import Document
from spanwise.errors import SpanwiseError
from spanwise.formats import Settings, reader, rereader
from spanwise.formats.pdf.numbering import LABEL_WORDS
from spanwise.formats.sniffing import PDF, media_type

TRUTH: Final = Path(__file__).resolve().parent / "truth"
"""Annotations of our own."""
TABLES: Final = TRUTH / "tables.json"
"""Tables and reading order of shared documents."""

_NUMBER: Final = re.compile(
    rf"^(?:(?:{LABEL_WORDS})\s+)?(?:[A-Z]|\d+|[IVX]+|(?:twenty-?)?(?:one|two|three|four|five|"
    r"six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|"
    r"nineteen|twenty))(?:\.\d+)*[.:]?\s+",
    re.IGNORECASE,
)


# -- the truth -----------------------------------------------------------------------------------


def truth_table(paths: Sequence[Path], verbose: bool) -> None:
    """Print the scores on hand annotations.

    Of `paths` those of folders are where files are looked for that are not shared data.
    """
    folders = [DATA.parent, *[path for path in paths if path.is_dir()]]
    for path in [path for path in paths if not path.is_dir()] or [CASES / "documents-truth.json"]:
        documents = json.loads(path.read_text(encoding="utf-8"))["documents"]
        own = path.resolve().parent == TRUTH
        kinds: dict[str, list[Score]] = {}
        print(
            f"{'document':44} {'P':>5} {'R':>5} {'F1':>5} {'parent':>6} {'page':>5} "
            f"{'rows':>7} {'order':>7}"
        )
        for truth in documents:
            name = Path(truth["file"]).name
            place = _place(truth, [*folders, path.parent])
            if place is None:
                print(f"{name:44} not found: {truth.get('package', truth['file'])}")
                continue
            try:
                document = converted(place, Settings(password=truth.get("password")))
            except (SpanwiseError, ImportError) as error:
                print(f"{name:44} {error}")
                continue
            result, wrong = score(truth, document)
            kind = f"{truth['kind']} ({half(name)})" if own else truth["kind"]
            kinds.setdefault(kind, []).append(result)
            print(_row(name, [result]))
            if verbose:
                print(*wrong, sep="\n")
        for kind, results in kinds.items():
            print(_row(f"mean of {len(results)} {kind}", results))
            bare = [one for one in results if not one.wanted]
            if bare:
                print(f"  {len(bare)} without headings, {sum(one.found for one in bare)} found")


def _place(truth: dict[str, Any], folders: Sequence[Path]) -> Path | None:
    """Where the very file of an annotation is."""
    for folder in folders:
        for place in (folder / truth["file"], folder / Path(truth["file"]).name):
            if place.is_file() and (
                hashlib.sha256(place.read_bytes()).hexdigest() == truth["sha256"]
            ):
                return place
    return None


def half(name: str) -> str:
    """`dev` for the files that rules are tuned on, `hold` for those only measured; by the name."""
    return "hold" if hashlib.sha256(name.encode()).digest()[0] & 1 else "dev"


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
    """Print how headings found, with or without bookmarks, compare with the bookmarks.

    A second line leaves out what bookmarks do not tell: the title, headings deeper than all that
    have one, and the letters of an index where none is one.
    """
    from spanwise.formats.pdf.pdfium import Pdf
    from spanwise.formats.pdf.reading import read_pdf

    halves: dict[str, list[tuple[Score, Score]]] = {}
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
        pairs = set(paired(bare, own, {}).values())
        deepest = max((own[at].level for at in pairs), default=6)
        letters = any(len(one.text) == 1 for one in bare)
        told = sum(
            at in pairs
            or (
                one.level <= deepest
                and not (at == 0 and one.level == 1)
                and (letters or len(one.text) > 1)
            )
            for at, one in enumerate(own)
        )
        halves.setdefault(half(path.name), []).append((result, result._replace(found=told)))
        print(f"{_row(path.name, [result])} {len(marks)} bookmarks")
        if verbose:
            print(*wrong, sep="\n")
    for name, results in halves.items():
        for kind, at in (("all", 0), ("bookmark levels", 1)):
            chosen = [pair[at] for pair in results]
            print(_row(f"mean of {len(chosen)} {name}, {kind}", chosen))
        counted = [pair[0] for pair in results]
        print(_row(f"sum of {sum(one.wanted for one in counted)} bookmarks", [_sum(counted)]))


def _sum(scores: Sequence[Score]) -> Score:
    return Score(
        sum(one.wanted for one in scores),
        sum(one.found for one in scores),
        sum(one.right for one in scores),
        sum(one.parents for one in scores),
        sum(one.pages for one in scores),
        (0, 0),
        (0, 0),
    )


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
        truth_table([path for path, _ in files], verbose)
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
