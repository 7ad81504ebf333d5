"""LangChain: a text splitter and a document transformer whose offsets are true.

Needs langchain-text-splitters: `pip install 'spanwise[langchain]'`.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Unpack

from spanwise.errors import InvalidInput
from spanwise.integrations.chunker import Chunker, chunker_of, with_ids_of_their_own
from spanwise.integrations.records import langchain_fields
from spanwise.markdown.options import UNLIMITED, FrontMatter, Options
from spanwise.spans import Unit

try:
    from langchain_core.documents import BaseDocumentTransformer, Document
    from langchain_text_splitters import TextSplitter
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"{__name__} needs langchain-text-splitters: pip install 'spanwise[langchain]'",
        name=error.name,
    ) from error

__all__ = ["SpanwiseSectionTransformer", "SpanwiseTextSplitter"]


class SpanwiseTextSplitter(TextSplitter):
    """Splits Markdown into chunks of a bounded size; takes all options of `chunk_markdown`.

    Each document it gives has the chunk's `chunk_id` as id, its text as `page_content`, and in the
    metadata what the original carried, the fields of the row (`heading_path`, `start_line`,
    `end_line`, `start`, `end`, `prefix_chars`, `suffix_chars`, ...), and `start_index` and
    `end_index` in code points: `original.page_content[start_index:end_index]` is the text without
    what was added before and after it.
    """

    def __init__(self, *, source_key: str | None = None, **options: Unpack[Options]) -> None:
        """Check the options; see `spanwise.chunk_markdown` for them.

        source_key: the metadata that names a document; by default `source`, then `file_path`, then
            the id of the document. Ids depend on it.
        Raises InvalidInput for an option that is none and for a tokenizer that cannot be loaded.
        """
        self._chunker = chunker_of(source_key, options)
        checked = self._chunker.options
        counter = self._chunker.counter
        tokens = checked.max_tokens
        super().__init__(
            chunk_size=checked.size() if tokens is None else tokens,
            chunk_overlap=checked.overlap_chars if tokens is None else checked.overlap_tokens,
            length_function=len if tokens is None or counter is None else counter.count,
            add_start_index=True,
            strip_whitespace=False,
        )

    def split_text(self, text: str) -> list[str]:
        """The texts of the chunks."""
        return [cut.row["text"] for cut in self._chunker.cut(text, "text")]

    def create_documents(
        self, texts: list[str], metadatas: list[dict[Any, Any]] | None = None
    ) -> list[Document]:
        """The chunks of each text as documents, which carry the metadata of their text too."""
        given = metadatas or [{}] * len(texts)
        if len(given) != len(texts):
            raise InvalidInput(f"metadatas: {len(given)} for {len(texts)} texts", field="metadatas")
        return split(
            self._chunker, ((text, own, None) for text, own in zip(texts, given, strict=True))
        )

    def split_documents(self, documents: Iterable[Document]) -> list[Document]:
        """The chunks of each document as documents, which carry its metadata too."""
        return split(self._chunker, map(_parts, documents))


class SpanwiseSectionTransformer(BaseDocumentTransformer):
    """Turns each Markdown document into its sections, whatever their size.

    A section is a heading and what stands under it up to the next one. The documents are like those
    of `SpanwiseTextSplitter`; use that one where sections have to fit a size.
    """

    def __init__(
        self,
        *,
        source_key: str | None = None,
        front_matter: FrontMatter = "chunk",
        unit: Unit = "code_point",
        mdx: bool | None = None,
        prefix_path: bool = False,
    ) -> None:
        """See `SpanwiseTextSplitter`."""
        self._chunker = chunker_of(
            source_key,
            {
                "front_matter": front_matter,
                "unit": unit,
                "mdx": mdx,
                "prefix_path": prefix_path,
                "max_chars": UNLIMITED,
            },
        )

    def transform_documents(
        self, documents: Sequence[Document], **kwargs: Any
    ) -> Sequence[Document]:
        """The sections of each document as documents, which carry its metadata too."""
        return split(self._chunker, map(_parts, documents))


def split(
    chunker: Chunker, documents: Iterable[tuple[str, dict[Any, Any], str | None]]
) -> list[Document]:
    """The chunks of documents given as text, metadata and id."""
    given = list(documents)
    found = with_ids_of_their_own(
        chunker.cut(text, chunker.source(text, metadata, name)) for text, metadata, name in given
    )
    return [
        Document(**langchain_fields(cut, metadata))
        for (_, metadata, _), chunks in zip(given, found, strict=True)
        for cut in chunks
    ]


def _parts(document: Document) -> tuple[str, dict[Any, Any], str | None]:
    return document.page_content, document.metadata, document.id
