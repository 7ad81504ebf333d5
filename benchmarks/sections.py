"""Sections and the bare block scan, compiled and interpreted, beside other Markdown parsers."""

import platform
from collections.abc import Callable
from importlib import import_module
from typing import Any

from benchmarks import md4c
from benchmarks.corpus import documents, size_of
from benchmarks.harness import Contender, measure, measure_growth, save, table

Pass = Callable[[], object]


def corpus() -> list[str]:
    return documents()[1]


def each(function: Callable[[Any], object], inputs: list[Any]) -> Pass:
    """One pass: the function on every input, each result dropped when the next is there."""

    def run() -> None:
        for given in inputs:
            function(given)

    return run


def sections(texts: list[str]) -> Pass:
    return each(import_module("spanwise.markdown.sectioning").sections, texts)


def scan(texts: list[str]) -> Pass:
    return each(import_module("spanwise.kernel.blocks").scan, texts)


def scan_headings(texts: list[str]) -> Pass:
    scan = import_module("spanwise.kernel.blocks").scan
    headings = import_module("spanwise.kernel.records").HEADINGS
    return each(lambda text: scan(text, headings), texts)


def count(texts: list[str]) -> Pass:
    return each(lambda data: data.count(b"\n"), [text.encode() for text in texts])


def split_lines(texts: list[str]) -> Pass:
    return each(str.splitlines, texts)


def langchain(texts: list[str]) -> Pass:
    splitters = import_module("langchain_text_splitters")
    levels = [("#" * level, str(level)) for level in range(1, 7)]
    splitter = splitters.MarkdownHeaderTextSplitter(levels, strip_headers=False)
    return each(splitter.split_text, texts)


def pyromark(texts: list[str]) -> Pass:
    events = import_module("pyromark").events_with_range

    def consume(text: str) -> None:
        for _ in events(text):
            pass

    return each(consume, texts)


def markdown_it(texts: list[str]) -> Pass:
    return each(import_module("markdown_it").MarkdownIt("commonmark").parse, texts)


def cmarkgfm(texts: list[str]) -> Pass:
    module = import_module("cmarkgfm")
    options = import_module("cmarkgfm.cmark").Options.CMARK_OPT_SOURCEPOS
    return each(lambda text: module.markdown_to_html(text, options=options), texts)


def build(name: str, environment: str, prepare: Callable[[list[str]], Pass]) -> Contender:
    return Contender(f"{name}, {environment}", environment, prepare)


OURS = [
    build(name, environment, prepare)
    for environment in ("compiled", "interpreted")
    for name, prepare in (
        ("sections", sections),
        ("scan of all blocks", scan),
        ("scan of headings", scan_headings),
    )
]
PEERS = [
    Contender("md4c, full parse", "compiled", md4c.prepare),
    Contender("bytes.count of line feeds", "compiled", count),
    Contender("str.splitlines", "compiled", split_lines),
    Contender("pyromark events", "peers", pyromark),
    Contender("cmarkgfm to HTML with lines", "peers", cmarkgfm),
    Contender("LangChain header splitter", "peers", langchain, rounds=3),
    Contender("markdown-it-py, full parse", "peers", markdown_it, rounds=2),
]
CONTENDERS = OURS + PEERS
GROWING = [
    one for one in CONTENDERS if one.environment == "compiled" or one.name.startswith("pyromark")
]
SIZES = [500_000 * factor for factor in (1, 2, 4, 8)]


def main() -> None:
    what, texts = documents()
    size = size_of(texts)
    print(f"{what}, {size / 1e6:.1f} MB of UTF-8; processor time, medians of rounds in turn\n")
    measured = measure("benchmarks.sections", CONTENDERS)
    print(table(measured, size, "sections, compiled"))
    rates = {one.name: size / one.median / 1e6 for one in measured if one.seconds}
    print_aims(rates)
    growth = measure_growth("benchmarks.sections", GROWING, SIZES)
    print_growth(growth)
    path = save(
        "sections",
        {
            "corpus": what,
            "bytes": size,
            "python": platform.python_version(),
            "machine": platform.platform(),
            "seconds": {one.name: one.seconds for one in measured},
            "missing": {one.name: one.missing for one in measured if one.missing},
            "megabytes_per_second": rates,
            "growth_sizes": SIZES,
            "growth_seconds": growth,
        },
    )
    print(f"\nsaved as {path.relative_to(path.parents[2])}")


def print_aims(rates: dict[str, float]) -> None:
    """The ratios that the project aims at, beside what this run saw."""
    fastest = max(rates.get(one.name, 0.0) for one in PEERS if one.environment == "peers")
    aims = [
        ("sections, compiled", 5.0, "the fastest Python-callable peer", fastest),
        ("sections, compiled", 1.0, "md4c, full parse", rates.get("md4c, full parse")),
        ("scan of all blocks, compiled", 2.0, "md4c, full parse", rates.get("md4c, full parse")),
        ("scan of headings, compiled", 2.0, "md4c, full parse", rates.get("md4c, full parse")),
        (
            "sections, interpreted",
            3.0,
            "LangChain header splitter",
            rates.get("LangChain header splitter"),
        ),
    ]
    print()
    for name, aim, other, rate in aims:
        if rate and name in rates:
            print(f"{name}: {rates[name] / rate:.2f} times {other} (aim: {aim:g})")


def print_growth(growth: dict[str, list[float]]) -> None:
    """Million code points a second for one text in documents of a size: level if time is linear."""
    width = max(map(len, growth))
    print("\nThe same text in documents of growing size, million code points a second at")
    print(" " * width + "".join(f"{size / 1e6:9.1f}M" for size in SIZES))
    for name, times in growth.items():
        rates = (max(SIZES) / seconds / 1e6 for seconds in times)
        print(f"{name:{width}}" + "".join(f"{rate:10.1f}" for rate in rates))


if __name__ == "__main__":
    main()
