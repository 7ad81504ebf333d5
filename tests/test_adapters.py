"""The splitters for LangChain, LlamaIndex and Haystack, in the frameworks themselves.

Whatever comes out of a framework is compared with the rows of `chunk_markdown` and sliced from its
source. `make test-adapters` installs the frameworks.
"""

import asyncio
import pickle
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import pytest

pytest.importorskip("langchain_text_splitters", reason="needs LangChain (make test-adapters)")
pytest.importorskip("llama_index.core", reason="needs LlamaIndex (make test-adapters)")
pytest.importorskip("haystack", reason="needs Haystack (make test-adapters)")

from haystack import Document as HaystackDocument
from haystack import Pipeline
from haystack.components.retrievers import SentenceWindowRetriever
from haystack.components.writers import DocumentWriter
from haystack.document_stores.in_memory import InMemoryDocumentStore
from haystack.document_stores.types import DuplicatePolicy
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langchain_core.documents import Document as LangChainDocument
from llama_index.core import Document as LlamaIndexDocument
from llama_index.core.ingestion import IngestionPipeline
from llama_index.core.node_parser import MarkdownNodeParser
from llama_index.core.schema import MetadataMode, NodeRelationship, TextNode
from llama_index.core.vector_stores.utils import node_to_metadata_dict

import spanwise
from haystack_integrations.components.preprocessors.spanwise import SpanwiseDocumentSplitter
from spanwise.integrations import to_haystack, to_langchain, to_llama_index
from spanwise.integrations.chunker import OPTIONS
from spanwise.integrations.langchain import SpanwiseSectionTransformer, SpanwiseTextSplitter
from spanwise.integrations.llama_index import SpanwiseNodeParser
from spanwise.integrations.records import ROW_FIELDS
from spanwise.markdown.options import Options
from tests.shared_data import markdown_files, needs_data


class Given(NamedTuple):
    """What a framework made of one chunk."""

    id: str
    text: str
    metadata: dict[str, Any]
    start: int
    end: int


def through_langchain(text: str, source: str, options: Options) -> Iterator[Given]:
    document = LangChainDocument(text, metadata={"source": source, "author": "x"})
    for one in SpanwiseTextSplitter(**options).split_documents([document]):
        metadata = one.metadata
        yield Given(
            one.id, one.page_content, metadata, metadata["start_index"], metadata["end_index"]
        )


def through_llama_index(text: str, source: str, options: Options) -> Iterator[Given]:
    document = LlamaIndexDocument(text=text, metadata={"file_path": source, "author": "x"})
    for one in SpanwiseNodeParser(**options).get_nodes_from_documents([document]):
        yield Given(one.node_id, one.text, one.metadata, one.start_char_idx, one.end_char_idx)


def through_haystack(text: str, source: str, options: Options) -> Iterator[Given]:
    document = HaystackDocument(content=text, meta={"file_path": source, "author": "x"})
    for one in SpanwiseDocumentSplitter(**options).run(documents=[document])["documents"]:
        # Haystack has no name for the end of a span.
        start = one.meta["split_idx_start"]
        added = one.meta["prefix_chars"] + one.meta["suffix_chars"]
        yield Given(one.id, one.content, one.meta, start, start + len(one.content) - added)


Through = Callable[[str, str, Options], Iterator[Given]]
THROUGH: list[Through] = [through_langchain, through_llama_index, through_haystack]
every_framework = pytest.mark.parametrize("through", THROUGH)

SIZES: dict[str, Options] = {
    "default": {},
    "characters": {"max_chars": 300, "overlap_chars": 80, "prefix_path": True},
    "tokens": {"max_tokens": 120, "tokenizer": "cl100k_base", "overlap_tokens": 25},
}


def check(text: str, source: str, options: Options, through: Through) -> int:
    """Hold every chunk of a document to the law and to its row; how many there were."""
    rows = spanwise.chunk_markdown(text, source=source, **options)
    found = list(through(text, source, options))
    assert len(found) == len(rows)
    for row, got in zip(rows, found, strict=True):
        prefix, suffix = got.metadata["prefix_chars"], got.metadata["suffix_chars"]
        whole = row["text"][:prefix] + text[got.start : got.end]
        assert got.text == whole + row["text"][len(row["text"]) - suffix :]
        assert got.text[prefix : len(got.text) - suffix] == text[got.start : got.end]
        assert got.text == row["text"]
        assert got.id == row["chunk_id"]
        assert got.metadata["author"] == "x"
        for name in ROW_FIELDS:
            value = row.get(name)
            if through is through_llama_index and isinstance(value, list):
                value = (" > " if name == "heading_path" else "\n").join(value)
            assert got.metadata.get(name) == value
    return len(found)


@needs_data
@every_framework
@pytest.mark.parametrize("size", SIZES)
def test_law_on_500_real_documents(through: Through, size: str) -> None:
    documents = list(islice(markdown_files("docs"), 0, 1500, 3))
    assert len(documents) == 500
    chunks = sum(
        check(record["text"], record["path"], SIZES[size], through) for record in documents
    )
    assert chunks > 5_000


REPEATS = [
    "# A\n\n", "## A\n\n", "same same same\n\n", "same same same ", "- same\n", "> same\n", "\n",
    "| a | b |\n| - | - |\n", "| same | same |\n", "```\n", "same = same\n", "\r\n", "\f", "é🍵 ",
]  # fmt: skip


@every_framework
@pytest.mark.parametrize("size", ["characters", "tokens"])
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(pieces=st.lists(st.tuples(st.sampled_from(REPEATS), st.integers(1, 60)), max_size=12))
def test_law_on_texts_full_of_repeats(
    through: Through, size: str, pieces: list[tuple[str, int]]
) -> None:
    check("".join(piece * times for piece, times in pieces), "a.md", SIZES[size], through)


@every_framework
@pytest.mark.parametrize("unit", ["utf16", "utf8"])
def test_offsets_in_another_unit(through: Through, unit: Any) -> None:
    check("# 🍵\n\n" + "é🍵 same. " * 100, "a.md", {"unit": unit, "max_chars": 200}, through)


@every_framework
def test_every_option_is_taken(through: Through) -> None:
    text = "---\na: b\n---\n\n# A\n\n<Box>\n## B\n</Box>\n\n# C\n\nc\n"
    for option in (
        {"front_matter": "drop"}, {"unit": "utf8"}, {"mdx": True}, {"max_chars": 200},
        {"max_tokens": 50, "tokenizer": "o200k_base"}, {"overlap_chars": 50}, {"min_chars": 100},
        {"max_tokens": 50, "tokenizer": "o200k_base", "overlap_tokens": 5}, {"prefix_path": True},
    ):  # fmt: skip
        assert set(option) <= set(OPTIONS)
        check(text, "a.md", option, through)  # type: ignore[arg-type]


TEXT = "# A\n\n" + "Same words. " * 60 + "\n\n## B\n\n\fNew page.\n"


# -- LangChain -----------------------------------------------------------------------------------


def test_langchain_create_documents_and_split_text() -> None:
    splitter = SpanwiseTextSplitter(max_chars=200)
    rows = spanwise.chunk_markdown(TEXT, max_chars=200)
    assert splitter.split_text(TEXT) == [row["text"] for row in rows]
    found = splitter.create_documents([TEXT, "# C\n\nc\n"], [{"source": "a.md"}, {}])
    assert [one.metadata["start_index"] for one in found[:-1]] == [row["start"] for row in rows]
    assert {one.metadata["source"] for one in found[:-1]} == {"a.md"}
    assert found[-1].metadata["source"].startswith("text-")
    assert splitter.create_documents([TEXT])[0].page_content == rows[0]["text"]
    with pytest.raises(spanwise.InvalidInput, match="metadatas: 1 for 2 texts"):
        splitter.create_documents(["a", "b"], [{}])
    with pytest.raises(spanwise.InvalidInput, match="length_function: no such option"):
        SpanwiseTextSplitter(length_function=len)  # type: ignore[call-arg]


def test_langchain_transformer_gives_whole_sections() -> None:
    transformer = SpanwiseSectionTransformer(prefix_path=True)
    documents = [LangChainDocument(TEXT, metadata={"source": "a.md"}, id="7")]
    found = transformer.transform_documents(documents)
    assert [one.metadata["heading_path"] for one in found] == [["A"], ["A", "B"]]
    for one in found:
        start, end = one.metadata["start_index"], one.metadata["end_index"]
        assert one.page_content[one.metadata["prefix_chars"] :] == TEXT[start:end]
    assert asyncio.run(transformer.atransform_documents(documents)) == found
    splitter = SpanwiseTextSplitter()
    assert asyncio.run(splitter.atransform_documents(documents)) == splitter.split_documents(
        documents
    )


# -- LlamaIndex ----------------------------------------------------------------------------------


def nodes_of(document: LlamaIndexDocument, **options: Any) -> list[TextNode]:
    return list(SpanwiseNodeParser(**options).get_nodes_from_documents([document]))


def test_llama_index_relationships_and_what_is_shown() -> None:
    document = LlamaIndexDocument(
        text=TEXT,
        id_="guide",
        metadata={"author": "Kakuzo", "kind": "secret", "password": "p"},
        excluded_embed_metadata_keys=["kind", "password"],
        excluded_llm_metadata_keys=["kind", "password"],
        metadata_template="{key} = {value}",
    )
    nodes = nodes_of(document, max_chars=200)
    assert len(nodes) > 3
    for number, node in enumerate(nodes):
        assert node.ref_doc_id == "guide"
        previous, following = node.prev_node, node.next_node
        assert (previous and previous.node_id) == (nodes[number - 1].node_id if number else None)
        assert (following and following.node_id) == (
            nodes[number + 1].node_id if number + 1 < len(nodes) else None
        )
        assert node.get_content(MetadataMode.EMBED) == f"author = Kakuzo\n\n{node.text}".strip()
        seen = node.get_metadata_str(MetadataMode.LLM).split("\n")
        assert seen == [
            "author = Kakuzo", "source = guide", f"heading_path = {node.metadata['heading_path']}",
            f"start_line = {node.metadata['start_line']}",
            f"end_line = {node.metadata['end_line']}",
        ]  # fmt: skip
        node_to_metadata_dict(node, flat_metadata=True)


def test_llama_index_switches_of_the_base_class() -> None:
    document = LlamaIndexDocument(text=TEXT, metadata={"author": "Kakuzo"})
    for node in nodes_of(document, max_chars=200, include_metadata=False):
        assert "author" not in node.metadata
        assert node.metadata["start_line"] >= 1
    for node in nodes_of(document, max_chars=200, include_prev_next_rel=False):
        assert set(node.relationships) == {NodeRelationship.SOURCE}
    named = nodes_of(document, max_chars=200, id_func=lambda i, doc: f"{doc.id_}-{i}")
    assert [node.node_id for node in named] == [f"{document.id_}-{i}" for i in range(len(named))]
    with pytest.raises(ValueError, match="max_char"):
        SpanwiseNodeParser(max_char=300)
    with pytest.raises(spanwise.InvalidInput, match="max_tokens: needs a tokenizer"):
        SpanwiseNodeParser.from_defaults(max_tokens=300)


def test_llama_index_fields_are_the_options() -> None:
    fields = set(SpanwiseNodeParser.model_fields) - set(MarkdownNodeParser.model_fields)
    assert fields == {*OPTIONS, "source_key"}


def test_llama_index_pipeline_knows_what_changed() -> None:
    """Unchanged documents are passed over; an edit leaves the ids of other chunks alone."""
    parser = SpanwiseNodeParser(max_chars=200)
    again = pickle.loads(pickle.dumps(parser))
    first = IngestionPipeline(transformations=[parser])
    document = LlamaIndexDocument(text=TEXT, id_="a.md")
    before = first.run(documents=[document])
    assert first.run(documents=[document]) == before
    assert [n.node_id for n in again([document])] == [n.node_id for n in before]
    edited = LlamaIndexDocument(text="# New\n\nFirst.\n\n" + TEXT, id_="a.md")
    after = first.run(documents=[edited])
    assert [n.node_id for n in after[1:]] == [n.node_id for n in before]
    assert after[1].start_char_idx == before[0].start_char_idx + len("# New\n\nFirst.\n\n")
    assert [n.node_id for n in asyncio.run(parser.acall([document]))] == [n.node_id for n in before]


def test_llama_index_behind_another_parser() -> None:
    """Offsets count in the node that was split; the source is still the document."""
    document = LlamaIndexDocument(text=TEXT + TEXT, id_="a.md")
    sections = MarkdownNodeParser().get_nodes_from_documents([document])
    nodes = SpanwiseNodeParser(max_chars=200)(sections)
    assert {node.ref_doc_id for node in nodes} == {"a.md"}
    assert len({node.node_id for node in nodes}) == len(nodes)
    assert all(node.next_node for node in nodes[:-1])


# -- Haystack ------------------------------------------------------------------------------------


def test_haystack_pipeline_is_stored_and_loaded() -> None:
    """Without telling Haystack to trust the module: it is in the namespace that it trusts."""
    options: Options = {"max_tokens": 60, "tokenizer": "cl100k_base", "prefix_path": True}
    pipeline = Pipeline()
    pipeline.add_component("split", SpanwiseDocumentSplitter(source_key="url", **options))
    loaded = Pipeline.loads(pipeline.dumps())
    splitter = loaded.get_component("split")
    assert splitter.to_dict() == {
        "type": "haystack_integrations.components.preprocessors.spanwise.SpanwiseDocumentSplitter",
        "init_parameters": {"source_key": "url", **options},
    }
    document = HaystackDocument(content=TEXT, meta={"url": "https://tea.example/a.md"})
    result = loaded.run({"split": {"documents": [document]}})["split"]["documents"]
    assert result == pipeline.run({"split": {"documents": [document]}})["split"]["documents"]
    assert {one.meta["source"] for one in result} == {"https://tea.example/a.md"}
    assert {one.meta["source_id"] for one in result} == {document.id}
    with pytest.raises(spanwise.InvalidInput, match="split_length: no such option"):
        SpanwiseDocumentSplitter(split_length=7)  # type: ignore[call-arg]


def test_haystack_pages_and_documents_without_text() -> None:
    splitter = SpanwiseDocumentSplitter(max_chars=200)
    documents = [
        HaystackDocument(content=TEXT + "\f\n# C\n\nc\n", meta={"page_number": 5}),
        HaystackDocument(content="# D\n\nd\n", meta={"page_number": "v"}),
        HaystackDocument(content=""),
    ]
    found = splitter.run(documents=documents)["documents"]
    pages = {one.meta["heading_path"][-1]: one.meta["page_number"] for one in found}
    assert pages == {"A": 5, "B": 5, "C": 7, "D": "v"}
    with pytest.raises(spanwise.InvalidInput, match=r"documents: \w+ has no text content"):
        splitter.run(documents=[HaystackDocument(meta={"image": "a.png"})])


def test_haystack_window_around_a_chunk_is_the_source() -> None:
    """Haystack's own retriever puts neighbours together by `source_id` and `split_id`."""
    store = InMemoryDocumentStore()
    text = "".join(f"# Part {n}\n\nText {n}.\n\n" for n in range(9))
    chunks = SpanwiseDocumentSplitter().run(documents=[HaystackDocument(content=text)])
    store.write_documents(chunks["documents"])
    window = SentenceWindowRetriever(store, window_size=1)
    found = window.run(retrieved_documents=[chunks["documents"][4]])
    assert [one.meta["split_id"] for one in found["context_documents"]] == [3, 4, 5]


def test_haystack_writes_again_without_doubles() -> None:
    store = InMemoryDocumentStore()
    pipeline = Pipeline()
    pipeline.add_component("split", SpanwiseDocumentSplitter(max_chars=200))
    pipeline.add_component("write", DocumentWriter(store, policy=DuplicatePolicy.OVERWRITE))
    pipeline.connect("split.documents", "write.documents")
    for _ in range(2):
        document = HaystackDocument(content=TEXT, meta={"file_path": "a.md"})
        pipeline.run({"split": {"documents": [document]}})
        assert store.count_documents() == len(spanwise.chunk_markdown(TEXT, max_chars=200))


# -- rows that are there already -----------------------------------------------------------------


def test_rows_become_documents_of_each_framework(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text(TEXT)
    rows = spanwise.chunk_file(path, max_chars=200, prefix_path=True)
    langchain = [LangChainDocument(**fields) for fields in to_langchain(rows)]
    llama_index = [TextNode(**fields) for fields in to_llama_index(rows)]
    haystack = [HaystackDocument(**fields) for fields in to_haystack(rows)]
    ids = [row["chunk_id"] for row in rows]
    assert ids == [one.id for one in langchain]
    assert ids == [one.node_id for one in llama_index]
    assert ids == [one.id for one in haystack]
    assert [row["text"] for row in rows] == [one.page_content for one in langchain]
    assert [row["text"] for row in rows] == [one.text for one in llama_index]
    assert [row["text"] for row in rows] == [one.content for one in haystack]
    assert [row["start"] for row in rows] == [one.start_char_idx for one in llama_index]
    assert {one.ref_doc_id for one in llama_index} == {rows[0]["doc_id"]}
    assert [node.next_node.node_id for node in llama_index[:-1]] == ids[1:]
    assert [node.prev_node.node_id for node in llama_index[1:]] == ids[:-1]
