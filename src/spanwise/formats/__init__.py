"""Formats: what turns the bytes of a file into a Document, one module each.

A reader is a function `read(data, settings) -> Document` that raises SpanwiseError for what it
cannot read, and `reread(data, regions, settings) -> str`, which takes the text at regions out of
the original anew, without the Document, so that chunks can be proved. Readers run in a child
process (see `sandbox`), which holds the limits on time and memory; a reader holds those on what is
in its file.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final, NamedTuple

from spanwise.document import Document, Region
from spanwise.errors import UnreadableSource

MARKDOWN: Final = "text/markdown"


@dataclass(frozen=True, slots=True)
class Settings:
    """What can be asked of a conversion, and the limits of one."""

    password: str | None = None
    """For an encrypted PDF."""
    keep_furniture: bool = False
    """Keep running headers, footers and page numbers (PDF)."""
    boilerplate: bool = False
    """Keep navigation and what else is around the content (HTML)."""
    heading_numbers: bool = False
    """Begin headings with the numbers that are not in their text but computed (Word, ODT)."""
    max_seconds: int = 10
    max_memory: int = 1 << 30
    max_unpacked: int = 256 << 20
    """Decompressed bytes of all that is in one file."""
    max_ratio: int = 200
    """Decompressed to compressed bytes of one part that is larger than a megabyte."""
    max_depth: int = 256
    """Elements within elements."""
    max_pages: int = 5000
    max_objects: int = 2_000_000
    """Elements, cells or objects on pages."""

    def choices(self) -> dict[str, bool]:
        """What decides what a document becomes, by the names of the fields.

        The limits and the password only decide whether it can be read.
        """
        return {
            "keep_furniture": self.keep_furniture,
            "boilerplate": self.boilerplate,
            "heading_numbers": self.heading_numbers,
        }


class Format(NamedTuple):
    """One format: its media type, the module that reads it, the names it goes by."""

    media_type: str
    module: str
    suffixes: tuple[str, ...]


FORMATS: Final = (
    Format("application/x-ipynb+json", "notebook", (".ipynb",)),
    Format("text/html", "html", (".html", ".htm", ".xhtml")),
    Format(
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "docx",
        (".docx", ".docm", ".dotx"),
    ),
    Format(
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "pptx",
        (".pptx", ".pptm", ".ppsx"),
    ),
    Format(
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "xlsx",
        (".xlsx", ".xlsm"),
    ),
    Format("application/epub+zip", "epub", (".epub",)),
    Format("application/vnd.oasis.opendocument.text", "odt", (".odt", ".ott")),
    Format("text/x-rst", "rst", (".rst", ".rest")),
    Format("text/asciidoc", "asciidoc", (".adoc", ".asciidoc", ".asc")),
    Format("application/pdf", "pdf", (".pdf",)),
)
"""All formats that are converted. Markdown and plain text are read as they are."""

LIBRARIES: Final = ("pypdfium2",)
"""What readers use that is not ours and may come out with other text in another release."""

BY_TYPE: Final = {one.media_type: one for one in FORMATS}
BY_SUFFIX: Final = {suffix: one for one in FORMATS for suffix in one.suffixes}


def reader(media_type: str) -> Callable[[bytes, Settings], Document]:
    """The function that reads a format; UnreadableSource where its extra is not installed."""
    found: Callable[[bytes, Settings], Document] = _module(media_type).read
    return found


def rereader(media_type: str) -> Callable[[bytes, Sequence[Region], Settings], str]:
    """The function that takes the text at regions out of an original."""
    found: Callable[[bytes, Sequence[Region], Settings], str] = _module(media_type).reread
    return found


def converter_versions() -> dict[str, str]:
    """The libraries of others that convert, as far as they are installed, and their versions."""
    from importlib.metadata import PackageNotFoundError, version

    found = {}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _module(media_type: str) -> Any:
    one = BY_TYPE.get(media_type)
    if one is None:
        raise UnreadableSource(f"{media_type} is a format that is not read")
    try:
        return import_module(f"spanwise.formats.{one.module}")
    except ImportError as error:
        raise UnreadableSource(
            f"{media_type} needs an extra: pip install 'spanwise[{one.module}]' ({error})",
            extra=one.module,
        ) from error
