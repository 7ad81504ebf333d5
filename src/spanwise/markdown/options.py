"""What can be asked of chunking: one frozen record for the library, the commands and the tools."""

from dataclasses import dataclass
from typing import Final, Literal, get_args

from spanwise.errors import InvalidInput
from spanwise.spans import UNITS, Unit

FrontMatter = Literal["chunk", "drop"]

FRONT_MATTER: Final[tuple[FrontMatter, ...]] = get_args(FrontMatter)


@dataclass(frozen=True, slots=True)
class ChunkOptions:
    """The options of `chunk_markdown`; InvalidInput for a value that is not one.

    front_matter: make a chunk of it or leave it out.
    unit: what `start` and `end` count.
    mdx: read MDX where it differs from Markdown; None: where the source's name ends with .mdx.
    """

    front_matter: FrontMatter = "chunk"
    unit: Unit = "code_point"
    mdx: bool | None = None

    def __post_init__(self) -> None:
        """Check every value."""
        _check_choice("front_matter", self.front_matter, FRONT_MATTER)
        _check_choice("unit", self.unit, UNITS)


def is_mdx(source: str) -> bool:
    """Whether a document is MDX by its name."""
    return source.lower().endswith(".mdx")


def _check_choice(field: str, value: object, choices: tuple[str, ...]) -> None:
    if value not in choices:
        names = ", ".join(choices)
        raise InvalidInput(f"{field}: {value!r} is none of {names}", field=field)
