"""Haystack: a splitter for Markdown whose offsets are true.

It lies in Haystack's namespace for integrations because pipelines load components from there
without being told to. Needs haystack-ai: `pip install 'spanwise[haystack]'`.
"""

from typing import Any, Self, Unpack

from spanwise.errors import InvalidInput
from spanwise.integrations.chunker import chunker_of, with_ids_of_their_own
from spanwise.integrations.records import haystack_fields
from spanwise.markdown.options import Options

try:
    from haystack import Document, component, default_from_dict, default_to_dict
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"{__name__} needs haystack-ai: pip install 'spanwise[haystack]'", name=error.name
    ) from error

__all__ = ["SpanwiseDocumentSplitter"]


@component
class SpanwiseDocumentSplitter:
    """Splits Markdown into chunks of a bounded size; takes all options of `chunk_markdown`.

    Each document it gives has the chunk's `chunk_id` as id, and in `meta` what the original
    carried, the fields of the row (`heading_path`, `start_line`, `end_line`, `start`, `end`,
    `prefix_chars`, `suffix_chars`, ...) and Haystack's `source_id`, `split_id` (from 0),
    `split_idx_start` (in code points) and `page_number` (from form feeds). `prefix_chars` and
    `suffix_chars` code points of the content were added before and after the original's.
    """

    def __init__(self, *, source_key: str | None = None, **options: Unpack[Options]) -> None:
        """Check the options; see `spanwise.chunk_markdown` for them.

        source_key: the metadata that names a document; by default `source`, then `file_path`, then
            the id of the document. Ids depend on it.
        Raises InvalidInput for an option that is none and for a tokenizer that cannot be loaded.
        """
        self.source_key = source_key
        self.options = options
        self._chunker = chunker_of(source_key, options)

    @component.output_types(documents=list[Document])
    def run(self, documents: list[Document]) -> dict[str, list[Document]]:
        """The chunks of all documents, in order, under `documents`.

        Raises InvalidInput for a document without text.
        """
        for document in documents:
            if document.content is None:
                raise InvalidInput(
                    f"documents: {document.id} has no text content", field="documents"
                )
        chunker = self._chunker
        texts = [document.content or "" for document in documents]
        found = with_ids_of_their_own(
            chunker.cut(text, chunker.source(text, document.meta, document.id))
            for text, document in zip(texts, documents, strict=True)
        )
        chunks: list[Document] = []
        for text, document, cuts in zip(texts, documents, found, strict=True):
            page, seen = document.meta.get("page_number", 1), 0
            for cut in cuts:
                fields = haystack_fields(cut, document.meta, document.id)
                if isinstance(page, int):
                    page += text.count("\f", seen, cut.start)
                    seen = cut.start
                    fields["meta"]["page_number"] = page
                chunks.append(Document(**fields))
        return {"documents": chunks}

    def to_dict(self) -> dict[str, Any]:
        """The component as a pipeline stores it."""
        stored: dict[str, Any] = default_to_dict(self, source_key=self.source_key, **self.options)
        return stored

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """The component that `to_dict` told of."""
        made: Self = default_from_dict(cls, data)
        return made
