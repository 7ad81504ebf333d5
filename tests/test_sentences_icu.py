"""Sentence boundaries against ICU 78, which carries Unicode 17.0 too, on 100,000 random texts."""

import itertools
import random
from typing import Any

import pytest

from spanwise.kernel.sentences import sentence_class
from spanwise.text import sentence_boundaries

icu = pytest.importorskip("icu", reason="ICU 78 is not installed (icukit-pyicu)")

STRINGS = 100_000
CODE_POINTS = [code for code in range(0x110000) if not 0xD800 <= code < 0xE000]

pytestmark = pytest.mark.skipif(
    icu.UNICODE_VERSION != "17.0", reason=f"ICU has Unicode {icu.UNICODE_VERSION}, not 17.0"
)


def by_class() -> list[list[int]]:
    """The code points of each Sentence_Break class."""
    classes: dict[int, list[int]] = {}
    for code in CODE_POINTS:
        classes.setdefault(sentence_class(code), []).append(code)
    return list(classes.values())


def random_texts(seed: int, count: int) -> list[str]:
    """Texts of 1 to 24 code points: half of them all alike, half with every class alike."""
    source = random.Random(seed)
    classes = by_class()
    texts = []
    for number in range(count):
        size = source.randrange(1, 25)
        if number % 2:
            codes = source.choices(CODE_POINTS, k=size)
        else:
            codes = [source.choice(members) for members in source.choices(classes, k=size)]
        texts.append("".join(map(chr, codes)))
    return texts


def icu_boundaries(breaker: Any, text: str) -> list[int]:
    """What ICU says, in the UTF-16 units it counts in."""
    breaker.setText(icu.UnicodeString(text))
    return [breaker.first(), *breaker]


def test_random_texts_in_utf16() -> None:
    breaker = icu.BreakIterator.createSentenceInstance(icu.Locale.getRoot())
    found = 0
    for text in random_texts(17, STRINGS):
        expected = icu_boundaries(breaker, text)
        found += len(expected)
        assert sentence_boundaries(text, "utf16") == expected, ascii(text)
    assert found > 2 * STRINGS


def test_random_texts_in_code_points() -> None:
    """The same by another way: the slices that ICU's boundaries cut from UTF-16 are ours."""
    breaker = icu.BreakIterator.createSentenceInstance(icu.Locale.getRoot())
    for text in random_texts(29, STRINGS // 10):
        encoded = text.encode("utf-16-le")
        cuts = icu_boundaries(breaker, text)
        expected = [
            encoded[2 * start : 2 * end].decode("utf-16-le")
            for start, end in itertools.pairwise(cuts)
        ]
        ours = itertools.pairwise(sentence_boundaries(text))
        assert [text[start:end] for start, end in ours] == expected, ascii(text)


def test_long_texts_that_change_script() -> None:
    """Stretches of ASCII, Latin, Cyrillic and anything, long enough to change how we scan."""
    source = random.Random(31)
    scripts = [range(0x20, 0x7F), range(0x20, 0x180), range(0x400, 0x460), CODE_POINTS]
    breaker = icu.BreakIterator.createSentenceInstance(icu.Locale.getRoot())
    for _ in range(20):
        parts = []
        for _ in range(source.randrange(1, 12)):
            codes = source.choices(source.choice(scripts), k=source.randrange(1, 6000))
            parts.append("".join(map(chr, codes)).replace("z", ". "))
        text = "".join(parts)
        assert sentence_boundaries(text, "utf16") == icu_boundaries(breaker, text)
