"""Bookmarks, matched with the paragraphs they lead to; tags where there are none."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Final, NamedTuple

from spanwise.formats.pdf.numbering import heading_label
from spanwise.formats.pdf.paragraphs import Paragraph
from spanwise.formats.pdf.pdfium import Bookmark

LEAST: Final = 3
"""Bookmarks of a document that say something about it."""

LONGEST: Final = 300
"""Characters of a paragraph that can be one's heading."""

_WORDS: Final = re.compile(r"[^\W_]+")
_NO_WORDS: Final = {code: None for code in range(128) if not chr(code).isalnum()}


class Matched(NamedTuple):
    """The depth from 0 of each paragraph that a bookmark or a tag names, by `id`."""

    depths: dict[int, int]


def matched(bookmarks: Sequence[Bookmark], paragraphs: Sequence[Paragraph]) -> Matched:
    """Match bookmarks with paragraphs on their page, or the next, that say the same."""
    depths: dict[int, int] = {}
    if len(bookmarks) < LEAST:
        return Matched(_tagged(paragraphs))
    # Each with what it says, with and without its number.
    by_page: dict[int, list[tuple[Paragraph, str, str]]] = {}
    pages = {page for one in bookmarks for page in (one.page - 1, one.page, one.page + 1)}
    for one in paragraphs:
        if one.kind != "table" and len(one.text) < LONGEST and one.page in pages:
            said, bare = folded(one.text), _unlabelled(one.text)
            unlabelled = folded(bare) if bare != one.text else said
            by_page.setdefault(one.page, []).append((one, said, unlabelled))
    for bookmark in bookmarks:
        wanted = folded(bookmark.title)
        bare = folded(_unlabelled(bookmark.title))
        if not wanted or bookmark.page < 0:
            continue
        for page in (bookmark.page, bookmark.page + 1, bookmark.page - 1):
            found = next(
                (
                    paragraph
                    for paragraph, said, unlabelled in by_page.get(page, ())
                    if (said in (wanted, bare) or (len(bare) > 2 and unlabelled in (wanted, bare)))
                    and id(paragraph) not in depths
                ),
                None,
            )
            if found is not None:
                depths[id(found)] = bookmark.depth
                break
    return Matched(depths or _tagged(paragraphs))


def _tagged(paragraphs: Sequence[Paragraph]) -> dict[int, int]:
    """The depth of each paragraph that is tagged as a heading."""
    found = {}
    for one in paragraphs:
        level = one.lines[0].runs[0].tag.level
        if one.kind == "paragraph" and level > 0 and len(one.text) < LONGEST:
            found[id(one)] = level - 1
    return found


def folded(text: str) -> str:
    """Letters and digits only, in one case."""
    if text.isascii():
        return text.lower().translate(_NO_WORDS)
    return "".join(_WORDS.findall(unicodedata.normalize("NFKC", text).casefold()))


def _unlabelled(text: str) -> str:
    label = heading_label(text)
    return text[label.end :] if label else text
