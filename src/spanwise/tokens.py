"""Tokens: how many a text has, by a tokenizer that works without a network, or as an estimate.

The libraries behind this come with the extra `tokens` and are imported when a tokenizer is loaded.
"""

import hashlib
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final

from spanwise.errors import InvalidInput

ENCODINGS: Final = ("cl100k_base", "o200k_base")
"""The encodings that can be loaded by name; their ranks lie in the installed wheel."""

BYTES_PER_TOKEN: Final = 4
"""What `estimate` takes a token to be."""

BYTES_PER_ID: Final = 4
"""Bytes of the number of one token in what `encode_flat` of splintr gives."""


def estimate(text: str) -> int:
    """About how many tokens `text` has: its UTF-8 bytes divided by 4, rounded up."""
    size = len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
    return -(-size // BYTES_PER_TOKEN)


class Tokenizer:
    """Counts tokens exactly; made by `load_tokenizer`, safe to share between threads.

    `name` says which tokenizer it is on any machine: an encoding's own name, or a file's name and
    the start of its SHA-256. A pickled tokenizer is loaded again from the same place.
    """

    __slots__ = ("_source", "count", "name")

    count: Callable[[str], int]
    """Number of tokens in a text, none added around it.

    Whatever looks like a special token counts as the ordinary text it is. A lone surrogate, which
    UTF-8 cannot hold, counts as U+FFFD.
    """

    def __init__(self, name: str, source: str, count: Callable[[str], int]) -> None:
        """`source` is what `load_tokenizer` was given."""
        self.name = name
        self.count = count
        self._source = source

    def __repr__(self) -> str:
        """The name, as a reader of a traceback wants it."""
        return f"<Tokenizer {self.name}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by name: a worker process loads its own."""
        return (_loaded_again, (self._source, self.name))


def counter_of(name: str | None) -> "Tokenizer | None":
    """The tokenizer of that name, as `load_tokenizer` gives it, or None without a name."""
    return None if name is None else load_tokenizer(name)


def load_tokenizer(name_or_path: str) -> Tokenizer:
    """The tokenizer of that name (see `ENCODINGS`), or of a Hugging Face `tokenizer.json` file.

    A file is read at every call, so load it once and keep it; nothing is ever fetched. InvalidInput
    says what is wrong: no such name or file, a file that is no tokenizer, or the extra missing.
    """
    if name_or_path in ENCODINGS:
        return _encoding(name_or_path)
    return _from_file(name_or_path)


def _loaded_again(source: str, name: str) -> Tokenizer:
    tokenizer = load_tokenizer(source)
    if tokenizer.name != name:
        raise InvalidInput(
            f"tokenizer file {source} changed while in use: it was {name}, now {tokenizer.name}",
            tokenizer=source,
        )
    return tokenizer


@cache
def _encoding(name: str) -> Tokenizer:
    try:
        from splintr import Tokenizer as Encodings
    except ImportError as error:
        raise _extra_missing(name, error) from error

    return Tokenizer(name, name, counting(Encodings.from_pretrained(name)))


def counting(encoding: Any) -> Callable[[str], int]:
    """What counts the tokens of a text by an encoding of splintr."""
    encode = encoding.encode_ordinary
    encode_flat = encoding.encode_flat

    def count(text: str) -> int:
        # `encode_flat` makes no list of the numbers, but takes special tokens for what they say.
        # All of them begin with "<|"; a single character is found many times faster than two.
        try:
            if "<" not in text or "<|" not in text:
                return len(encode_flat(text)) // BYTES_PER_ID
            return len(encode(text))
        except (UnicodeEncodeError, TypeError):
            return count(_mended(text))

    return count


def _from_file(path: str) -> Tokenizer:
    try:
        if not path or not Path(path).exists():
            raise InvalidInput(
                f"unknown tokenizer {path!r}: the names are {', '.join(ENCODINGS)}, "
                "and there is no such file",
                tokenizer=path,
                names=list(ENCODINGS),
            )
        content = Path(path).read_bytes()
    except OSError as error:
        raise InvalidInput(
            f"tokenizer file {path} cannot be read: {error.strerror}", tokenizer=path
        ) from error

    try:
        from tokenizers import Tokenizer as Model
    except ImportError as error:
        raise _extra_missing(path, error) from error

    try:
        model = Model.from_str(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise _no_tokenizer(path, f"not UTF-8 at byte {error.start}") from error
    except Exception as error:
        raise _no_tokenizer(path, _reason(content, error)) from error

    # A count is of the whole text as it stands, and the same every time.
    model.no_truncation()
    model.no_padding()
    model.encode_special_tokens = True
    if getattr(model.model, "dropout", None):
        model.model.dropout = None
    encode = model.encode_batch_fast  # For a single text, too: it leaves offsets out.

    name = f"{Path(path).name}@{hashlib.sha256(content).hexdigest()[:12]}"

    def count(text: str) -> int:
        try:
            return len(encode([text], add_special_tokens=False)[0])
        except (UnicodeEncodeError, TypeError):
            return count(_mended(text))

    return Tokenizer(name, path, count)


def _mended(text: str) -> str:
    """`text` with U+FFFD for lone surrogates; without any, the exception at hand goes on."""
    mended = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if mended == text:
        raise
    return mended


def _reason(content: bytes, error: Exception) -> str:
    """Why `content` (UTF-8) is no tokenizer: not JSON at all, or what the library says."""
    try:
        json.loads(content)
    except ValueError as not_json:
        return f"not JSON: {not_json}"
    return f"JSON, but not a Hugging Face tokenizer: {error}"


def _no_tokenizer(path: str, reason: str) -> InvalidInput:
    return InvalidInput(
        f"tokenizer file {path} is not a tokenizer.json: {reason}", tokenizer=path, reason=reason
    )


def _extra_missing(tokenizer: str, error: ImportError) -> InvalidInput:
    return InvalidInput(
        f"tokenizer {tokenizer!r} needs an extra: pip install 'spanwise[tokens]' ({error})",
        tokenizer=tokenizer,
        extra="tokens",
    )
