"""What can be asked of chunking: one frozen record for the library, the commands and the tools."""

from dataclasses import dataclass
from typing import Final, Literal, TypedDict, get_args

from spanwise.errors import InvalidInput
from spanwise.spans import UNITS, Unit

FrontMatter = Literal["chunk", "drop"]

DEFAULT_MAX_CHARS: Final = 1500
UNLIMITED: Final = 1 << 40

FRONT_MATTER: Final[tuple[FrontMatter, ...]] = get_args(FrontMatter)


MIN_MAX_CHARS: Final = 200
MIN_MAX_TOKENS: Final = 50
"""The smallest sizes that can be asked for."""


@dataclass(frozen=True, slots=True)
class ChunkOptions:
    """The options of `chunk_markdown`; InvalidInput for a value that is not one.

    front_matter: make a chunk of it or leave it out.
    unit: what `start` and `end` count.
    mdx: read MDX where it differs from Markdown; None: where the source's name ends with .mdx.
    max_chars: code points of the biggest chunk, 1500 unless max_tokens is given.
    max_tokens: tokens of the biggest chunk, counted with `tokenizer`.
    tokenizer: name of an encoding, or path of a tokenizer.json.
    overlap_chars, overlap_tokens: how much of the end of a part the next part may repeat.
    prefix_path: begin each chunk with its heading path.
    min_chars: join neighbouring sections until they hold that many code points; 0 never does.
    """

    front_matter: FrontMatter = "chunk"
    unit: Unit = "code_point"
    mdx: bool | None = None
    max_chars: int | None = None
    max_tokens: int | None = None
    tokenizer: str | None = None
    overlap_chars: int = 0
    overlap_tokens: int = 0
    prefix_path: bool = False
    min_chars: int = 0

    def __post_init__(self) -> None:
        """Check every value."""
        _check_choice("front_matter", self.front_matter, FRONT_MATTER)
        _check_choice("unit", self.unit, UNITS)
        if self.max_chars is not None:
            _check_size("max_chars", self.max_chars, MIN_MAX_CHARS)
        if self.max_tokens is not None:
            _check_size("max_tokens", self.max_tokens, MIN_MAX_TOKENS)
            if self.tokenizer is None:
                raise InvalidInput(
                    "max_tokens: needs a tokenizer, such as cl100k_base", field="tokenizer"
                )
        _check_size("overlap_chars", self.overlap_chars, 0)
        _check_size("overlap_tokens", self.overlap_tokens, 0)
        _check_size("min_chars", self.min_chars, 0)
        self._check_overlap()
        if self.max_tokens is None and self.min_chars > self.size():
            raise InvalidInput(
                f"min_chars: {self.min_chars} is more than max_chars ({self.size()})",
                field="min_chars",
                maximum=self.size(),
                found=self.min_chars,
            )

    def size(self) -> int:
        """The most code points a chunk may have; without a limit on them, more than any has."""
        if self.max_chars is not None:
            return self.max_chars
        return DEFAULT_MAX_CHARS if self.max_tokens is None else UNLIMITED

    def _check_overlap(self) -> None:
        if self.overlap_chars and self.overlap_tokens:
            raise InvalidInput(
                "overlap_tokens: give overlap_chars or overlap_tokens, not both",
                field="overlap_tokens",
            )
        if self.overlap_tokens and self.max_tokens is None:
            raise InvalidInput("overlap_tokens: needs max_tokens", field="overlap_tokens")
        if self.overlap_tokens and self.max_tokens is not None:
            _check_half("overlap_tokens", self.overlap_tokens, "max_tokens", self.max_tokens)
        if self.overlap_chars:
            _check_half("overlap_chars", self.overlap_chars, "max_chars", self.size())


class Options(TypedDict, total=False):
    """The options of `chunk_markdown` and `chunk_file`, by name; see `ChunkOptions`."""

    front_matter: FrontMatter
    unit: Unit
    mdx: bool | None
    max_chars: int | None
    max_tokens: int | None
    tokenizer: str | None
    overlap_chars: int
    overlap_tokens: int
    prefix_path: bool
    min_chars: int


def is_mdx(source: str) -> bool:
    """Whether a document is MDX by its name."""
    return source.lower().endswith(".mdx")


def _check_choice(field: str, value: object, choices: tuple[str, ...]) -> None:
    if value not in choices:
        names = ", ".join(choices)
        raise InvalidInput(f"{field}: {value!r} is none of {names}", field=field)


def _check_size(field: str, value: object, least: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool):
        raise InvalidInput(f"{field}: {value!r} is not an integer", field=field)
    if value < least:
        raise InvalidInput(
            f"{field}: {value} is less than {least}, the smallest there is",
            field=field,
            minimum=least,
            found=value,
        )


def _check_half(field: str, value: int, limit: str, size: int) -> None:
    if value > size // 2:
        raise InvalidInput(
            f"{field}: {value} is more than half of {limit} ({size})",
            field=field,
            maximum=size // 2,
            found=value,
        )
