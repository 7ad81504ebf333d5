"""Scores of converted documents: headings, parents, pages, rows of tables, order."""

import difflib
import re
import unicodedata
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from spanwise.document import Document

NEAR: Final = 0.9
"""How alike two headings are that are taken for the same, from 0 to 1."""

_HEADING: Final = re.compile(r"^(#{1,6}) (.*)$", re.MULTILINE)
_ESCAPE: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
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
    """The rows of cells of all tables, those in lists too, delimiter rows left out."""
    found = []
    for line in map(str.lstrip, document.text.split("\n")):
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


def score(truth: dict[str, Any], document: Document) -> tuple[Score, list[str]]:
    """The score of one document, and what is wrong with it."""
    wanted = [Heading(one["level"], one["text"], one.get("page")) for one in truth["headings"]]
    own = headings_of(document)
    if "scored_pages" in truth:
        last = truth["scored_pages"]
        own = [one for one in own if one.page is not None and one.page <= last]
    found, right, under, on_page, wrong = score_headings(
        wanted, own, truth.get("optional", ()), truth.get("alt")
    )
    rows, all_rows, wrong_rows = score_rows(truth.get("tables", ()), document)
    pairs, all_pairs, wrong_pairs = score_order(truth.get("order") or {}, document)
    result = Score(len(wanted), found, right, under, on_page, (rows, all_rows), (pairs, all_pairs))
    return result, wrong + wrong_rows + wrong_pairs
