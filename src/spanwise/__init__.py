"""Cut documents into pieces that can be cited, checked and built again.

>>> import spanwise
>>> [row["heading_path"] for row in spanwise.chunk_markdown("# Tea\\n\\n## Green\\n\\nSteep.\\n")]
[['Tea', 'Green']]

Each name is loaded when it is first used, so that importing the package costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spanwise.catalogue import contracts, execute, search
    from spanwise.citations import (
        CheckedCitation,
        Citation,
        RecordGroup,
        check_citations,
        dedupe_records,
    )
    from spanwise.errors import (
        InvalidInput,
        LimitExceeded,
        SpanwiseError,
        UnknownTool,
        UnknownVersion,
        UnreadableSource,
        UnwritableOutput,
    )
    from spanwise.json_text import (
        JsonCandidate,
        JsonEdit,
        JsonError,
        JsonFence,
        JsonRepair,
        apply_edits,
        check_json,
        json_candidates,
        json_fences,
        repair_json,
    )
    from spanwise.library import Conversion, chunk_file, chunk_markdown, convert_file
    from spanwise.markdown.outlining import Heading, SectionText, get_section, outline
    from spanwise.markdown.sectioning import Section, sections
    from spanwise.rows import Chunk
    from spanwise.store.reading import Delta, read_chunks, read_delta
    from spanwise.text import (
        DelimitedChunk,
        Paragraph,
        Sentence,
        SentenceChunk,
        chunk_sentences,
        paragraphs,
        sentence_boundaries,
        sentences,
        split_delimiter,
    )

__version__ = "0.1.0"

_HOMES = {
    "spanwise.catalogue": ["contracts", "execute", "search"],
    "spanwise.citations": [
        "CheckedCitation",
        "Citation",
        "RecordGroup",
        "check_citations",
        "dedupe_records",
    ],
    "spanwise.errors": [
        "InvalidInput",
        "LimitExceeded",
        "SpanwiseError",
        "UnknownTool",
        "UnknownVersion",
        "UnreadableSource",
        "UnwritableOutput",
    ],
    "spanwise.json_text": [
        "JsonCandidate",
        "JsonEdit",
        "JsonError",
        "JsonFence",
        "JsonRepair",
        "apply_edits",
        "check_json",
        "json_candidates",
        "json_fences",
        "repair_json",
    ],
    "spanwise.library": ["Conversion", "chunk_file", "chunk_markdown", "convert_file"],
    "spanwise.markdown.outlining": ["Heading", "SectionText", "get_section", "outline"],
    "spanwise.markdown.sectioning": ["Section", "sections"],
    "spanwise.rows": ["Chunk"],
    "spanwise.store.reading": ["Delta", "read_chunks", "read_delta"],
    "spanwise.text": [
        "DelimitedChunk",
        "Paragraph",
        "Sentence",
        "SentenceChunk",
        "chunk_sentences",
        "paragraphs",
        "sentence_boundaries",
        "sentences",
        "split_delimiter",
    ],
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "CheckedCitation",
    "Chunk",
    "Citation",
    "Conversion",
    "DelimitedChunk",
    "Delta",
    "Heading",
    "InvalidInput",
    "JsonCandidate",
    "JsonEdit",
    "JsonError",
    "JsonFence",
    "JsonRepair",
    "LimitExceeded",
    "Paragraph",
    "RecordGroup",
    "Section",
    "SectionText",
    "Sentence",
    "SentenceChunk",
    "SpanwiseError",
    "UnknownTool",
    "UnknownVersion",
    "UnreadableSource",
    "UnwritableOutput",
    "__version__",
    "apply_edits",
    "check_citations",
    "check_json",
    "chunk_file",
    "chunk_markdown",
    "chunk_sentences",
    "contracts",
    "convert_file",
    "dedupe_records",
    "execute",
    "get_section",
    "json_candidates",
    "json_fences",
    "outline",
    "paragraphs",
    "read_chunks",
    "read_delta",
    "repair_json",
    "search",
    "sections",
    "sentence_boundaries",
    "sentences",
    "split_delimiter",
]


def __getattr__(name: str) -> Any:
    """Load a public name from the module it lives in (PEP 562)."""
    module = _HOME.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(module), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names."""
    return __all__
