"""How fast token counters are on real Markdown: `python -m benchmarks.tokens`.

Counts pieces of about 512 tokens. Every counter gets every third of the corpus once, in turns, so
that caches are as warm as they are in a real run and never know the text. Processor time; a
package that is not installed is left out, one that counts differently from tiktoken says so.
"""

import importlib
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.shared_data import markdown_files
from tests.tiktoken_reference import tiktoken_count

from spanwise.tokens import ENCODINGS, estimate, load_tokenizer

PIECE = 2000
ROUNDS = 3

Count = Callable[[str], int]


def splintr(encoding: str) -> Count:
    encode = importlib.import_module("splintr").Tokenizer.from_pretrained(encoding).encode_ordinary
    return lambda text: len(encode(text))


def rs_bpe(encoding: str) -> Count:
    count: Count = getattr(importlib.import_module("rs_bpe.bpe").openai, encoding)().count
    return count


def bpe_openai(encoding: str) -> Count:
    encode = importlib.import_module("bpe_openai").get_encoding(encoding).encode_ordinary
    return lambda text: len(encode(text))


def toktok(encoding: str) -> Count:
    counts = importlib.import_module("toktok").batch_count
    return lambda text: int(counts([text], encoding, 1)[0])


def quicktok(encoding: str) -> Count:
    count: Count = importlib.import_module("quicktok").get_encoding(encoding).count
    return count


def counters(encoding: str) -> dict[str, tuple[Count, float]]:
    """Each counter that is installed, with the seconds it took to import and load."""
    loaders: dict[str, Callable[[str], Count]] = {
        "spanwise": lambda name: load_tokenizer(name).count,
        "splintr-rs": splintr,
        "rs-bpe": rs_bpe,
        "bpe-openai": bpe_openai,
        "toktok-rs, one text a call": toktok,
        "quicktok-v1": quicktok,
    }
    loaded = {}
    for name, load in loaders.items():
        start = time.process_time()
        try:
            count = load(encoding)
        except ImportError:
            continue
        count("Loaded at the first use, perhaps.")
        loaded[name] = (count, time.process_time() - start)
    return loaded


def main() -> None:
    texts = [record["text"] for record in markdown_files("docs") if "text" in record]
    pieces = [text[i : i + PIECE] for text in texts for i in range(0, len(text), PIECE)]
    rounds = [pieces[start::ROUNDS] for start in range(ROUNDS)]
    sizes = [sum(len(piece.encode()) for piece in part) / 1e6 for part in rounds]
    print(f"{sum(sizes):.1f} MB in pieces of {PIECE} characters; MB/s, median of {ROUNDS}")
    for encoding in ENCODINGS:
        with tempfile.TemporaryDirectory() as folder:
            reference = tiktoken_count(encoding, Path(folder))
        every = counters(encoding) | {"tiktoken": (reference, 0.0), "estimate": (estimate, 0.0)}
        speeds: dict[str, list[float]] = {name: [] for name in every}
        totals = dict.fromkeys(every, 0)
        for part, size in zip(rounds, sizes, strict=True):
            for name, (count, _) in every.items():
                start = time.process_time()
                total = sum(map(count, part))
                speeds[name].append(size / (time.process_time() - start))
                totals[name] += total
        for name, (_, loading) in every.items():
            off = totals[name] / totals["tiktoken"] - 1
            print(
                f"{encoding:12} {name:27} {statistics.median(speeds[name]):8.1f}"
                f"   loaded in {loading * 1000:4.0f} ms" + (f"   counts {off:+.1%}" if off else "")
            )


if __name__ == "__main__":
    main()
