"""Chunk rows as keyword arguments for the documents of frameworks, none of which is imported.

The metadata is that of the document, then `ROW_FIELDS` of the row, then the names that the
framework itself uses for such things. Where the document has one of these names with another value,
ours stands under the name and the document's is kept as `document_<name>`: nothing is lost, and a
citation always reads our numbers.

For every document, with `n` the length of its text,
`text[prefix_chars : n - suffix_chars] == source[start:end]`, the source being the Markdown that
was cut; `pages` and `regions` say where that stood in a PDF, say.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from typing import Any, Final, NamedTuple, TypedDict

from spanwise.markdown.chunking import PATH_SEPARATOR
from spanwise.rows import Chunk

ROW_FIELDS: Final = (
    "chunk_id", "doc_id", "text_sha", "source", "index", "kind", "heading_path", "heading_level",
    "anchor", "start_line", "end_line", "start", "end", "part", "parts", "tokens", "tokens_exact",
    "prefix_chars", "suffix_chars", "headings", "media_type", "title", "pages", "regions",
    "prefix_regions",
)  # fmt: skip
"""What the metadata has of a row, as far as the row has it and it is not None."""

CITED: Final = ("source", "title", "pages", "heading_path", "start_line", "end_line")
"""What LlamaIndex shows to a language model; it needs no more to cite."""

KEPT_PREFIX: Final = "document_"
"""What comes before the name of a document's own metadata where one of ours is called the same."""


class LangChainFields(TypedDict):
    """Keyword arguments of `langchain_core.documents.Document`."""

    id: str
    page_content: str
    metadata: dict[str, Any]


class LlamaIndexFields(TypedDict):
    """Keyword arguments of `llama_index.core.schema.TextNode`."""

    id_: str
    text: str
    start_char_idx: int
    end_char_idx: int
    metadata: dict[str, Any]
    excluded_embed_metadata_keys: list[str]
    excluded_llm_metadata_keys: list[str]
    relationships: dict[str, Any]


class HaystackFields(TypedDict):
    """Keyword arguments of `haystack.Document`."""

    id: str
    content: str
    meta: dict[str, Any]


class Cut(NamedTuple):
    """A row, and its span in code points, which is what frameworks count."""

    row: Chunk
    start: int
    end: int


def to_langchain(
    rows: Iterable[Chunk], metadata: Mapping[str, Any] | None = None
) -> list[LangChainFields]:
    """Keyword arguments of LangChain documents: `Document(**fields)` for each.

    `id` is the row's `chunk_id`. LangChain's own name in the metadata is `start_index`, and
    `end_index` goes with it. rows: with offsets in code points, the default. metadata: what each
    document carries besides.
    """
    return [langchain_fields(cut, metadata or {}) for cut in cuts(rows)]


def to_llama_index(
    rows: Iterable[Chunk], metadata: Mapping[str, Any] | None = None
) -> list[LlamaIndexFields]:
    """Keyword arguments of LlamaIndex nodes: `TextNode(**fields)` for each.

    `id_` is the row's `chunk_id`; source, previous and next node are set, the source being the
    row's `doc_id`. The metadata is flat, as LlamaIndex wants it: `heading_path` is one string with
    ` > ` between, `pages` is `3` or `3-4`, `regions` is JSON. Ours is not embedded, and a language
    model sees `CITED` of it. rows: with offsets in code points, the default. metadata: what each
    node carries besides.
    """
    return llama_index_fields(list(cuts(rows)), metadata or {})


def to_haystack(
    rows: Iterable[Chunk], metadata: Mapping[str, Any] | None = None
) -> list[HaystackFields]:
    """Keyword arguments of Haystack documents: `Document(**fields)` for each.

    `id` is the row's `chunk_id`. Haystack's own names in the metadata are `source_id` (the row's
    `doc_id`), `split_id` (from 0) and `split_idx_start`. rows: with offsets in code points, the
    default. metadata: what each document carries besides.
    """
    return [haystack_fields(cut, metadata or {}, cut.row["doc_id"]) for cut in cuts(rows)]


def cuts(rows: Iterable[Chunk]) -> Iterable[Cut]:
    """Rows whose offsets are code points."""
    return (Cut(row, row["start"], row["end"]) for row in rows)


def langchain_fields(cut: Cut, given: Mapping[str, Any]) -> LangChainFields:
    """One LangChain document of a document with the metadata `given`."""
    mine = row_metadata(cut.row)
    mine |= {"start_index": cut.start, "end_index": cut.end}
    metadata, _ = merged(mine, given)
    return {"id": cut.row["chunk_id"], "page_content": cut.row["text"], "metadata": metadata}


def llama_index_fields(
    found: Sequence[Cut],
    given: Mapping[str, Any],
    hidden: tuple[Sequence[str], Sequence[str]] = ((), ()),
) -> list[LlamaIndexFields]:
    """The LlamaIndex nodes of rows in their order.

    `hidden` are the names in `given` that the document keeps from embeddings and from models.
    """
    nodes: list[LlamaIndexFields] = []
    for cut in found:
        row = cut.row
        mine = flat(row_metadata(row))
        metadata, moved = merged(mine, given)
        # What the document had and showed, it goes on showing.
        ours = [name for name in mine if name in moved or name not in given]
        from_embedding, from_model = ([moved.get(name, name) for name in names] for names in hidden)
        nodes.append(
            {
                "id_": row["chunk_id"],
                "text": row["text"],
                "start_char_idx": cut.start,
                "end_char_idx": cut.end,
                "metadata": metadata,
                "excluded_embed_metadata_keys": from_embedding + ours,
                "excluded_llm_metadata_keys": [
                    *from_model,
                    *(name for name in ours if name not in CITED),
                ],
                "relationships": {_SOURCE: _related(row["doc_id"], _DOCUMENT)},
            }
        )
    for before, after, one, two in zip(nodes, nodes[1:], found, found[1:], strict=False):
        if one.row["doc_id"] == two.row["doc_id"]:
            before["relationships"][_NEXT] = _related(after["id_"], _TEXT)
            after["relationships"][_PREVIOUS] = _related(before["id_"], _TEXT)
    return nodes


_SOURCE, _PREVIOUS, _NEXT = "1", "2", "3"
_TEXT, _DOCUMENT = "1", "4"
"""Values of LlamaIndex's NodeRelationship and ObjectType, as its stored nodes have them."""


def _related(node: str, kind: str) -> dict[str, str]:
    return {"node_id": node, "node_type": kind}


def haystack_fields(cut: Cut, given: Mapping[str, Any], source_id: str) -> HaystackFields:
    """One Haystack document of the document `source_id` with the metadata `given`."""
    mine = row_metadata(cut.row)
    mine |= {
        "source_id": source_id,
        "split_id": cut.row["index"] - 1,
        "split_idx_start": cut.start,
    }
    metadata, _ = merged(mine, given)
    return {"id": cut.row["chunk_id"], "content": cut.row["text"], "meta": metadata}


def row_metadata(row: Chunk) -> dict[str, Any]:
    """`ROW_FIELDS` of a row; None, which many stores refuse, is left out."""
    found: dict[str, Any] = {}
    for name in ROW_FIELDS:
        value = row.get(name)
        if value is not None:
            found[name] = deepcopy(value)
    return found


def flat(metadata: dict[str, Any]) -> dict[str, Any]:
    """The same in strings and numbers."""
    found = metadata.copy()
    for name, value in metadata.items():
        if name == "heading_path":
            found[name] = PATH_SEPARATOR.join(value)
        elif name == "headings":
            found[name] = "\n".join(value)
        elif name == "pages":
            first, last = value["first"], value["last"]
            found[name] = str(first) if first == last else f"{first}-{last}"
        elif isinstance(value, list):
            found[name] = json.dumps(value, ensure_ascii=False)
    return found


def merged(
    mine: Mapping[str, Any], given: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, str]]:
    """The metadata `given` with `mine`, and under which name each that had to move now stands."""
    metadata = deepcopy(dict(given))
    moved: dict[str, str] = {}
    for name, value in mine.items():
        if name in metadata and metadata[name] != value:
            free = KEPT_PREFIX + name
            while free in metadata or free in mine:
                free = KEPT_PREFIX + free
            metadata[free] = metadata.pop(name)
            moved[name] = free
        metadata[name] = value
    return metadata, moved
