"""The columns of the chunk row: one list for the Arrow door, Parquet files and engines.

Named and ordered as the keys of `rows.Chunk`. What is nested deeper than a list of strings is JSON
in a string, so that every store takes it. A key that a row does not have is null.
"""

from typing import Final, Literal, NamedTuple

Kind = Literal["string", "strings", "int32", "int64", "bool", "json"]


class Field(NamedTuple):
    """A column: `strings` is a list of strings, `json` a string with JSON in it."""

    name: str
    kind: Kind
    nullable: bool = False


TEXT_FIELDS: Final = (
    Field("id", "string"),
    Field("chunk_id", "string"),
    Field("doc_id", "string"),
    Field("text_sha", "string"),
    Field("source", "string"),
    Field("index", "int32"),
    Field("kind", "string"),
    Field("heading_path", "strings"),
    Field("heading_level", "int32"),
    Field("anchor", "string", True),
    Field("start_line", "int32"),
    Field("end_line", "int32"),
    Field("start", "int64"),
    Field("end", "int64"),
    Field("part", "int32"),
    Field("parts", "int32"),
    Field("chars", "int32"),
    Field("tokens", "int32"),
    Field("tokens_exact", "bool"),
    Field("prefix_chars", "int32"),
    Field("suffix_chars", "int32"),
    Field("text", "string"),
    Field("headings", "strings", True),
)
"""What a text has, Markdown or plain."""

DOCUMENT_FIELDS: Final = (
    Field("media_type", "string", True),
    Field("title", "string", True),
    Field("pages", "json", True),
    Field("regions", "json", True),
    Field("prefix_regions", "json", True),
)
"""What a converted document has besides."""
