"""Hostile inputs: twice the text takes about twice the time, and nothing breaks."""

import time
from collections.abc import Callable
from typing import Any

import pytest

from spanwise.catalogue import execute
from spanwise.errors import LimitExceeded
from spanwise.kernel.blocks import scan
from spanwise.markdown.sectioning import sections
from tests.shared_data import DATA, build, needs_data, pathological

FLOOR = 0.01
"""Seconds of processor time under which a measurement says nothing."""
GROWTH = 1.8
"""How much longer a character may take in a text four times as long; quadratic would be 4."""
LARGEST = 4_000_000
"""Characters of the largest text tried."""

INPUTS: list[tuple[str, list[Any]]] = list(pathological()) if DATA.is_dir() else []
NAMES = [name for name, _ in INPUTS]

OWN: list[tuple[str, Callable[[int], str]]] = [
    ("deep quotes", lambda n: "> " * n + "a\n"),
    ("deep lists", lambda n: "- " * n + "a\n"),
    ("deep quotes, lazy lines", lambda n: "> " * n + "a\n" + "b\n" * n),
    ("deep quotes, blank lines", lambda n: "> " * n + "a\n" + "\n" * n),
    ("deep quotes again and again", lambda n: ("> " * 300 + "a\n") * (n // 300 + 1)),
    ("deep lists, then shallow lines", lambda n: "- " * n + "a\n" + "  b\n" * n),
    ("quotes around a fence", lambda n: "> " * (n // 100) + "```\n" + ("> " * 50 + "a\n") * 99),
    ("definitions in a paragraph", lambda n: "[a]: b\n" * n + "c\n===\n"),
    ("definitions that fail late", lambda n: ("[a]: b 'c\n" * 50 + "\n") * (n // 50)),
    ("labels of many lines", lambda n: "[" + "a\n" * n),
    ("open title", lambda n: "[a]: b '\n" + "c\n" * n),
    ("comment openers", lambda n: "<!--\n\n" * n),
    ("open tags of kind 7", lambda n: "<a " + "b='c' " * n + "\n"),
    ("spaces in an item", lambda n: "- a\n" + " " * n + "b\n"),
    ("tabs in an item", lambda n: "-\t" * (n // 2) + "a\n"),
    ("long ordered marker", lambda n: "1" * n + ". a\n"),
    ("hyphens that are no break", lambda n: "- " * n + "b\n"),
    ("many rows of hyphens", lambda n: ("-" * 99 + " a\n") * (n // 100)),
    ("backticks that open nothing", lambda n: ("`" * 99 + " `\n") * (n // 100)),
    ("mixed line endings", lambda n: "a\r\nb\rc\n" * n),
    ("CR only, with headings", lambda n: "# a\r" * n),
    ("one late LF", lambda n: "a\r" * n + "\n"),
    ("one late CR", lambda n: "a\n" * n + "\r"),
]


def seconds(work: Callable[[str], object], text: str, rounds: int) -> float:
    """The least processor time of a few runs."""
    times = []
    for _ in range(rounds):
        before = time.process_time()
        work(text)
        times.append(time.process_time() - before)
    return min(times)


def check_growth(work: Callable[[str], object], make: Callable[[float], str]) -> None:
    """Time per character does not grow from a text to one four times as long.

    `make` gives a text of about so many thousand characters. The first is taken so large that its
    time can be measured; an input too quick for that at its largest has nothing to hide. What
    seems to grow is measured again, more often, since others use this machine too; and then at
    sizes four times as large, since results that no longer fit a cache cost more just once, while
    more work for each character costs more every time.
    """
    scale = 1.0
    while seconds(work, make(scale), 1) < FLOOR:
        scale *= 2
        if scale * 4000 > LARGEST:
            break
    seen = []
    for start, rounds in ((scale, 2), (scale, 6), (scale * 4, 2), (scale * 4, 6)):
        texts = [make(start * factor) for factor in (1, 2, 4)]
        rates = [seconds(work, text, rounds) / len(text) for text in texts]
        if max(rates[1:]) <= rates[0] * GROWTH:
            return
        seen.append([round(rate * 1e9, 1) for rate in rates])
    raise AssertionError(f"nanoseconds a character at n, 2n, 4n: {seen}")


@needs_data
@pytest.mark.parametrize(("name", "parts"), INPUTS, ids=NAMES)
def test_published_inputs_take_linear_time(name: str, parts: list[Any]) -> None:
    if len(build(parts, 2)) < 1.5 * len(build(parts)):
        return  # nothing in it is repeated
    thousand = 1000 / len(build(parts))
    for work in (sections, scan):
        check_growth(work, lambda size: build(parts, size * thousand))


@pytest.mark.parametrize(("name", "make"), OWN, ids=[name for name, _ in OWN])
def test_own_inputs_take_linear_time(name: str, make: Callable[[int], str]) -> None:
    thousand = 1000 * 10_000 / len(make(10_000))
    check_growth(scan, lambda size: make(int(size * thousand)))


@needs_data
@pytest.mark.parametrize(("name", "parts"), INPUTS, ids=NAMES)
def test_published_inputs_end_in_a_result_or_a_limit(name: str, parts: list[Any]) -> None:
    text = build(parts)
    rows = sections(text)
    assert "".join(row["text"] for row in rows) == text[rows[0]["start"] if rows else len(text) :]
    for factor in (1.0, 0.05):
        try:
            result = execute("markdown-sections-chunk", "1.0.0", {"markdown": build(parts, factor)})
        except LimitExceeded as error:
            assert error.details["found"] > error.details["maximum"]
        else:
            assert result["section_count"] == len(result["sections"])


@pytest.mark.parametrize("depth", [64, 65, 1000, 25_000, 100_000])
@pytest.mark.parametrize("marker", [">", "> ", "- ", "1. ", "> - "])
def test_deep_nesting_ends_in_a_limit(marker: str, depth: int) -> None:
    containers = depth * marker.count("-") + depth * marker.count(">") + depth * marker.count("1")
    text = marker * depth + "a\n"
    blocks = scan(text)
    assert blocks.max_depth == containers
    assert [row["text"] for row in sections(text)] == [text]
    if len(text) > 262_144:
        limit, maximum, found = "max_input_bytes", 262_144, len(text)
    else:
        limit, maximum, found = "max_nesting_depth", 64, containers
    if found <= maximum:
        result = execute("markdown-sections-chunk", "1.0.0", {"markdown": text})
        assert result["section_count"] == 1
        return
    with pytest.raises(LimitExceeded) as caught:
        execute("markdown-sections-chunk", "1.0.0", {"markdown": text})
    assert caught.value.details == {"limit": limit, "maximum": maximum, "found": found}


@pytest.mark.parametrize(
    ("limit", "text"),
    [
        ("max_input_bytes", "é" * 131_073),
        ("max_sections", "#\n" * 4097),
        ("max_output_bytes", "".join(f"# {'a' * 60}{number}\n" for number in range(3500))),
        ("max_output_bytes", "\x01" * 200_000),
    ],
)
def test_each_limit_is_named_with_its_numbers(limit: str, text: str) -> None:
    with pytest.raises(LimitExceeded) as caught:
        execute("markdown-sections-chunk", "1.0.0", {"markdown": text})
    details = caught.value.details
    assert details["limit"] == limit
    assert details["found"] > details["maximum"]
    for part in (limit, str(details["maximum"]), str(details["found"])):
        assert part in caught.value.message


@pytest.mark.parametrize("text", ["a" * 262_144, "é" * 131_072, "#\n" * 4096])
def test_a_limit_itself_is_allowed(text: str) -> None:
    result = execute("markdown-sections-chunk", "1.0.0", {"markdown": text})
    assert result["section_count"] == max(1, text.count("#"))
