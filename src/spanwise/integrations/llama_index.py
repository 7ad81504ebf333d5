"""LlamaIndex: a node parser whose `start_char_idx` and `end_char_idx` are true.

Needs llama-index-core: `pip install 'spanwise[llama-index]'`.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Self

from spanwise.integrations.chunker import Chunker, chunker_of, with_ids_of_their_own
from spanwise.integrations.records import llama_index_fields
from spanwise.markdown.options import FrontMatter, Options
from spanwise.spans import Unit

try:
    from llama_index.core.bridge.pydantic import ConfigDict, Field, PrivateAttr
    from llama_index.core.node_parser import NodeParser
    from llama_index.core.node_parser.node_utils import default_id_func
    from llama_index.core.schema import BaseNode, MetadataMode, NodeRelationship, TextNode
    from llama_index.core.utils import get_tqdm_iterable
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"{__name__} needs llama-index-core: pip install 'spanwise[llama-index]'", name=error.name
    ) from error

__all__ = ["SpanwiseNodeParser"]


class SpanwiseNodeParser(NodeParser):
    """Splits Markdown into nodes of a bounded size; takes all options of `chunk_markdown`.

    For each node `document.text[start_char_idx:end_char_idx]` is the text without what was added
    before and after it (`prefix_chars` and `suffix_chars` in the metadata say how much). Offsets
    count in the text of the node that was split, so give it documents, not nodes of another parser.
    `id_` is the chunk's `chunk_id`, unless an `id_func` is given. Source, previous and next node
    are set. The metadata has what the document carried and the fields of the row, flat; none of
    ours is embedded, and a language model sees `source`, `heading_path`, `start_line` and
    `end_line`.
    """

    # An option that is spelled wrong would be passed over without a word.
    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")

    source_key: str | None = Field(
        default=None,
        description="Metadata that names a document: by default source, file_path, then its id.",
    )
    front_matter: FrontMatter = Field(default="chunk", description="Chunk it, or drop it.")
    unit: Unit = Field(default="code_point", description="What start and end count.")
    mdx: bool | None = Field(default=None, description="Read MDX; by default for .mdx names.")
    max_chars: int | None = Field(default=None, description="Code points of the biggest chunk.")
    max_tokens: int | None = Field(default=None, description="Tokens of the biggest chunk.")
    tokenizer: str | None = Field(default=None, description="An encoding or a tokenizer.json.")
    overlap_chars: int = Field(default=0, description="Code points that a part may repeat.")
    overlap_tokens: int = Field(default=0, description="Tokens that a part may repeat.")
    prefix_path: bool = Field(default=False, description="Begin a chunk with its heading path.")
    min_chars: int = Field(default=0, description="Join sections until they hold that many.")

    _chunker: Chunker = PrivateAttr()

    @classmethod
    def class_name(cls) -> str:
        """The name that LlamaIndex stores."""
        return "SpanwiseNodeParser"

    def model_post_init(self, context: Any, /) -> None:
        """Check the options; InvalidInput for a value that is none."""
        super().model_post_init(context)
        options: Options = {
            "front_matter": self.front_matter,
            "unit": self.unit,
            "mdx": self.mdx,
            "max_chars": self.max_chars,
            "max_tokens": self.max_tokens,
            "tokenizer": self.tokenizer,
            "overlap_chars": self.overlap_chars,
            "overlap_tokens": self.overlap_tokens,
            "prefix_path": self.prefix_path,
            "min_chars": self.min_chars,
        }
        self._chunker = chunker_of(self.source_key, options)

    @classmethod
    def from_defaults(cls, **fields: Any) -> Self:
        """The same as the constructor, under the name that LlamaIndex's own parsers have."""
        return cls(**fields)

    def _parse_nodes(
        self, nodes: Sequence[BaseNode], show_progress: bool = False, **kwargs: Any
    ) -> list[BaseNode]:
        """The nodes of all documents, in order."""
        found: list[BaseNode] = []
        all_cuts = with_ids_of_their_own(
            self._chunker.cut(text, self._chunker.source(text, node.metadata, node.node_id))
            for node in nodes
            for text in [node.get_content(metadata_mode=MetadataMode.NONE)]
        )
        progress = get_tqdm_iterable(nodes, show_progress, "Parsing nodes")
        for node, cuts in zip(progress, all_cuts, strict=True):
            source = node.source_node or node.as_related_node_info()
            given = node.metadata if self.include_metadata else {}
            hidden = (node.excluded_embed_metadata_keys, node.excluded_llm_metadata_keys)
            for number, fields in enumerate(llama_index_fields(cuts, given, hidden)):
                arguments = {**fields, "relationships": {NodeRelationship.SOURCE: source}}
                # Release 0.14.0 leaves it None.
                if self.id_func not in (None, default_id_func):
                    arguments["id_"] = self.id_func(number, node)
                arguments |= _templates(node)
                found.append(TextNode(**arguments))
        if self.include_prev_next_rel:
            _link(found)
        return found

    def _postprocess_parsed_nodes(
        self, nodes: list[BaseNode], parent_doc_map: dict[str, Any]
    ) -> list[BaseNode]:
        """The nodes as they are: the base class would look for their text and lose the spans."""
        return nodes


def _templates(node: BaseNode) -> dict[str, Any]:
    """How the document wants its text and metadata to be put together."""
    names = ("metadata_template", "metadata_separator", "text_template")
    return {name: getattr(node, name) for name in names if hasattr(node, name)}


def _link(nodes: list[BaseNode]) -> None:
    """Tell neighbours from the same source of each other."""
    for one, two in pairwise(nodes):
        if one.ref_doc_id == two.ref_doc_id:
            one.relationships[NodeRelationship.NEXT] = two.as_related_node_info()
            two.relationships[NodeRelationship.PREVIOUS] = one.as_related_node_info()
