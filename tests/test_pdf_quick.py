"""Questions about lines of a PDF that are answered without matching are answered as by it."""

import re
import unicodedata
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise.formats.pdf import gaps, hyphens, looks, numbering, paragraphs
from spanwise.formats.pdf.outline import folded

PARTS: Final = (
    "chapter", "Part", "Kapitel", "bölüm", "ČÁST", "Appendix", "section", "twenty", "one", "the",
    " ", "  ", ".", "..", ". .", "…", "·", "· ", "_", "___", "1", "12", "3.4", "A", "IV", "(", ")",
    "[3]", "a", "x", "o", "•", "–", "-", "第", "章", "一", "、", "Ⅳ", "½", "é", "ß", "\u2003",
    "\x02", "§", "K", "ſ", ":", "”", '"', "字", "①", "가.", "İ", "ﬁ",
)  # fmt: skip
TEXTS: Final = st.lists(st.sampled_from(PARTS), min_size=1, max_size=9).map("".join)

_MAY_LEAD: Final = re.compile(r"\. ?\.|…|· ?·|__| \.")
_LEADERS: Final = re.compile(r"(?:\.\s?){4,}|…{2,}|(?:·\s?){5,}|_{6,}|\s\.(?:\s?\.)*\s\d{1,4}$")
_SENTENCE_END: Final = re.compile(r"[.!?:;。！？…][\"'”’)\]]*$")
_SPACE_AND_DIGIT: Final = re.compile(r" .*\d|\d.* ")
_WORDS: Final = re.compile(r"[^\W_]+")


def _end(found: re.Match[str] | None) -> int:
    return found.end() if found else 0


@given(TEXTS)
def test_what_dots_and_marks_tell(text: str) -> None:
    leads = _MAY_LEAD.search(text) is not None and _LEADERS.search(text) is not None
    assert numbering.has_leaders(text) == leads
    assert numbering.item_end(text) == _end(numbering._ITEM.match(text))
    assert numbering.bullet_end(text) == _end(numbering._BULLET.match(text))
    assert paragraphs._ends_sentence(text) == (_SENTENCE_END.search(text) is not None)
    likely = " " in text and gaps._LIKELY.search(text) is not None
    assert likely == (_SPACE_AND_DIGIT.search(text) is not None or ": " in text)


@given(TEXTS)
def test_what_letters_tell(text: str) -> None:
    assert folded(text) == "".join(_WORDS.findall(unicodedata.normalize("NFKC", text).casefold()))
    small = text.lower()
    assert set(hyphens._words_in(small)) == set(hyphens._WORD.findall(small))
    lower = sum(letter.islower() for letter in text)
    assert looks._has_few_small(text) == (lower < 0.1 * len(text))


@given(TEXTS)
def test_a_text_without_a_label_has_none(text: str) -> None:
    quick = numbering.heading_label(text)
    # Behind what is not of ASCII all kinds are tried; a label is at the start.
    if quick is None and text[:2].isascii():
        kinds = (
            numbering._WORD, numbering._DECIMAL, numbering._PARENTHESES, numbering._ROMAN,
            numbering._LETTER, numbering._SIGN, numbering._COUNTED, numbering._EAST,
        )  # fmt: skip
        found = [kind.pattern for kind in kinds if kind.match(text)]
        # A decimal number alone is none.
        whole = numbering._DECIMAL.match(text)
        assert not found or (whole is not None and whole.end() == len(text))


@pytest.mark.parametrize("text", ["Chapter 3 Things", "BÖLÜM 3 Şeyler", "2.1 Things", "(a) Things"])
def test_labels_are_found(text: str) -> None:
    assert numbering.heading_label(text) is not None
