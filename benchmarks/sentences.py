"""How fast sentences are found, against ICU, a Rust text splitter and a pure Python UAX #29.

    python -m venv bench-env
    bench-env/bin/pip install . -r benchmarks/sentence-peers.txt
    bench-env/bin/python -m benchmarks.sentences [--check]

See `benchmarks.floors` for how. The texts come from the shared test data (SPANWISE_TEST_DATA).
"""

from collections.abc import Iterator
from importlib import import_module
from itertools import pairwise

from benchmarks.floors import Floor, Run, Table, main, records
from spanwise.text import chunk_sentences, sentence_boundaries, sentences

TEXT_BYTES = 1_000_000
CHUNK_SIZE = 1500

FLOORS = {
    "compiled": [
        Floor("boundaries", "icu4py", 1.8),
        Floor("rows", "icu4py", 0.5),
        Floor("chunks", "text-splitter", 0.5),
    ],
    "interpreted": [Floor("boundaries", "uniseg", 100.0)],
}


def texts() -> dict[str, str]:
    """The Declaration of Human Rights, repeated to a megabyte; "mixed" is it in 60 languages.

    The English text has a few typographic hyphens, the ASCII text has plain ones.
    """
    flows = {record["code"]: record["flow"] for record in records("plaintext/udhr.jsonl")}
    chosen = {
        "ASCII": flows["eng"].replace("\u2010", "-"),
        "English": flows["eng"],
        "German": flows["deu_1996"],
        "Japanese": flows["jpn"],
        "mixed": "\n".join(flows.values()),
    }
    return {
        name: (text + "\n") * max(1, round(TEXT_BYTES / len(text.encode())))
        for name, text in chosen.items()
    }


def contestants() -> dict[str, Run]:
    """What is measured, by name."""
    breaker = import_module("icu4py.breakers").SentenceBreaker
    splitter = import_module("semantic_text_splitter").TextSplitter(CHUNK_SIZE)
    uniseg = import_module("uniseg.sentencebreak")
    return {
        "boundaries": sentence_boundaries,
        "rows": sentences,
        "rows, utf16": lambda text: sentences(text, "utf16"),
        "chunks": lambda text: chunk_sentences(text, CHUNK_SIZE),
        "icu4py": lambda text: list(breaker(text, "en").segments()),
        "icu4py, texts": lambda text: list(breaker(text, "en")),
        "text-splitter": splitter.chunk_indices,
        "uniseg": lambda text: list(uniseg.sentence_boundaries(text)),
    }


def tables() -> Iterator[Table]:
    """One table; what ICU finds must be what we find."""
    runs = contestants()
    given = texts()
    for name, text in given.items():
        if runs["icu4py"](text) != list(pairwise(sentence_boundaries(text, "utf16"))):
            raise SystemExit(f"icu4py finds other sentences in the {name} text")
    whole = {name: [text] for name, text in given.items()}
    yield Table("sentences", whole, runs, FLOORS, slow={"uniseg": 4_000})


if __name__ == "__main__":
    main("benchmarks.sentences", "Measure sentence segmentation.", tables)
