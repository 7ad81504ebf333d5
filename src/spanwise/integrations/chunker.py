"""What the splitters for frameworks share: options, the name of a document, rows with spans."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from hashlib import sha256
from typing import Any, Final

from spanwise.errors import InvalidInput
from spanwise.integrations.records import Cut
from spanwise.markdown.options import ChunkOptions, Options
from spanwise.rows import ID_DIGITS, check_unicode, chunk_rows
from spanwise.spans import to_unit
from spanwise.tokens import Tokenizer, counter_of

SOURCE_KEYS: Final = ("source", "file_path")
"""Where loaders put the path of a document, in the order in which they are looked at."""

OPTIONS: Final = tuple(one.name for one in fields(ChunkOptions))
"""The options of `chunk_markdown`, all of which the splitters take."""


@dataclass(frozen=True, slots=True)
class Chunker:
    """Chunks the documents of a framework by one set of options; made by `chunker_of`."""

    source_key: str | None
    options: ChunkOptions
    counter: Tokenizer | None = field(compare=False)

    def source(self, text: str, metadata: Mapping[str, Any], document_id: str | None) -> str:
        """The name of a document, on which the ids of its chunks depend.

        That is a path in its metadata, or its id. One without either is named by its text, so that
        the chunks of two such documents have different ids.
        """
        for key in SOURCE_KEYS if self.source_key is None else (self.source_key,):
            value = metadata.get(key)
            if isinstance(value, os.PathLike):
                value = os.fspath(value)
            if value and isinstance(value, str):
                return value
        if document_id:
            return document_id
        check_unicode(text, "text")
        return f"text-{sha256(text.encode()).hexdigest()[:ID_DIGITS]}"

    def cut(self, text: str, source: str) -> list[Cut]:
        """The rows of a document, their offsets in the unit asked for, with code point spans."""
        options = replace(self.options, unit="code_point")
        rows = chunk_rows(text, source, options, self.counter)
        found = [Cut(row, row["start"], row["end"]) for row in rows]
        if self.options.unit != "code_point":
            shown = to_unit(
                text, [at for cut in found for at in (cut.start, cut.end)], self.options.unit
            )
            for number, row in enumerate(rows):
                row["start"], row["end"] = shown[2 * number : 2 * number + 2]
        return found


def chunker_of(source_key: str | None, options: Options) -> Chunker:
    """A chunker; `source_key` is the metadata that names a document, None stands for `SOURCE_KEYS`.

    Raises InvalidInput for an option there is not, a value that is none, and a tokenizer that
    cannot be loaded.
    """
    for name in options:
        if name not in OPTIONS:
            raise InvalidInput(
                f"{name}: no such option; there are {', '.join(OPTIONS)}", field=name
            )
    checked = ChunkOptions(**options)
    return Chunker(source_key, checked, counter_of(checked.tokenizer))


def with_ids_of_their_own(documents: Iterable[list[Cut]]) -> Iterable[list[Cut]]:
    """The same, where no `chunk_id` occurs twice.

    Documents of the same name, say the pages of one file, may hold equal chunks. The second and
    later get an id that is made of that of the first and their number.
    """
    seen: dict[str, int] = {}
    for found in documents:
        for cut in found:
            name = cut.row["chunk_id"]
            times = seen.get(name, 0)
            seen[name] = times + 1
            if times:
                cut.row["chunk_id"] = sha256(f"{name}#{times}".encode()).hexdigest()[:ID_DIGITS]
        yield found
