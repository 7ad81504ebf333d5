"""Fits the weights of `spanwise.kernel.token_weights`: prints the table, and how close it comes.

Needs the extra `tokens`, NumPy, SciPy and the test data: `python scripts/fit_token_weights.py`.
Real documents are cut into pieces of 1500 characters, whose tokens are counted exactly by two
encodings; the weights of the 64 pairs of kinds are their non-negative least squares, relative to
each count, and the mean of both encodings is taken. Every fourth document is left out and shows how
well the rest foretells it.
"""

import numpy as np
from scipy.optimize import nnls
from tests.shared_data import markdown_files

from spanwise.kernel.token_weights import BREAK, KINDS, UNITS, kind_of
from spanwise.tokens import ENCODINGS, load_tokenizer

PIECE = 1500
LEAST = 300
HELD_OUT = 4
PULL = 0.02
"""How much a weight is drawn to `USUAL`, which decides where a pair hardly occurs."""
USUAL = 0.3


def pairs(text: str) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """How often each pair of kinds occurs in `text`."""
    kinds = np.array([BREAK, *(kind_of(ord(char)) for char in text)])
    counted = np.bincount(kinds[:-1] * KINDS + kinds[1:], minlength=KINDS * KINDS)
    return counted.astype(np.float64)


def main() -> None:
    pieces = [
        (number % HELD_OUT != 1, text[start : start + PIECE])
        for number, text in enumerate(record["text"] for record in markdown_files("docs"))
        for start in range(0, len(text), PIECE)
        if len(text) - start > LEAST
    ]
    fitted = np.array([kept for kept, _ in pieces])
    found = np.array([pairs(text) for _, text in pieces])
    weights = []
    counts = []
    for name in ENCODINGS:
        count = load_tokenizer(name).count
        tokens = np.array([float(count(text)) for _, text in pieces])
        counts.append(tokens)
        pull = np.eye(KINDS * KINDS) * PULL
        left = np.vstack([found[fitted] / tokens[fitted, None], pull])
        right = np.concatenate([np.ones(fitted.sum()), np.full(KINDS * KINDS, USUAL * PULL)])
        weights.append(nnls(left, right)[0])
    mean = np.mean(weights, axis=0)
    print(np.rint(mean * UNITS).astype(int).reshape(KINDS, KINDS))
    lengths = np.array([float(len(text)) for _, text in pieces])
    for name, tokens in zip(ENCODINGS, counts, strict=True):
        for what, foretold in (("weights", found @ mean), ("characters", lengths)):
            ratio = (tokens / foretold)[~fitted]
            spread = np.percentile(ratio / np.median(ratio), [5, 25, 75, 95])
            print(f"{name} by {what}: 5, 25, 75, 95 % of pieces below", spread.round(3))


if __name__ == "__main__":
    main()
