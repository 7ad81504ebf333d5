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


class Matched(NamedTuple):
    """The depth from 0 of each paragraph that a bookmark or a tag names, by `id`."""

    depths: dict[int, int]


def matched(bookmarks: Sequence[Bookmark], paragraphs: Sequence[Paragraph]) -> Matched:
    """Match bookmarks with paragraphs on their page, or the next, that say the same."""
    depths: dict[int, int] = {}
    if len(bookmarks) < LEAST:
        return Matched(_tagged(paragraphs))
    by_page: dict[int, list[Paragraph]] = {}
    for paragraph in paragraphs:
        if paragraph.kind != "table" and len(paragraph.text) < LONGEST:
            by_page.setdefault(paragraph.page, []).append(paragraph)
    for bookmark in bookmarks:
        wanted = folded(bookmark.title)
        bare = folded(_unlabelled(bookmark.title))
        if not wanted or bookmark.page < 0:
            continue
        for page in (bookmark.page, bookmark.page + 1, bookmark.page - 1):
            found = next(
                (
                    one
                    for one in by_page.get(page, ())
                    if id(one) not in depths and _same(one.text, wanted, bare)
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
    return "".join(_WORDS.findall(unicodedata.normalize("NFKC", text).casefold()))


def _unlabelled(text: str) -> str:
    label = heading_label(text)
    return text[label.end :] if label else text


def _same(text: str, wanted: str, bare: str) -> bool:
    said = folded(text)
    return (
        said == wanted
        or said == bare
        or (len(bare) > 2 and folded(_unlabelled(text)) in (wanted, bare))
    )
