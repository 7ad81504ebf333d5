"""One part: the chunks of some documents as one file, sorted, whole or not there at all."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, Final

import orjson

from spanwise.arrow.batches import BatchChunker
from spanwise.arrow.needed import needed
from spanwise.arrow.parquet import ParquetFile, Writable
from spanwise.engines.job import Job, Part, Work
from spanwise.errors import InvalidInput
from spanwise.files import AtomicFile
from spanwise.rows import Chunk, chunk_rows
from spanwise.tokens import counter_of

pc = needed("pyarrow.compute", "arrow", "a data set")

TEXT: Final = "text"
SOURCE: Final = "source"
"""The columns of documents on their way to a part, whatever they are called in the input.

The columns that are carried have their own names, which are none of these: chunks have them.
"""


def write_part(work: Work, number: int, documents: Any) -> Part:
    """Make the part of one task, and take note of it.

    documents: a `pyarrow.RecordBatchReader` of `text`, `source` and the columns to carry, in the
        order of `source`.
    """
    path = work.part_path(number)
    with AtomicFile(path) as file:
        sums = write_chunks(work.job, documents, file)
    return work.keep(Part(number, path.name, *sums, path.stat().st_size))


def write_chunks(
    job: Job, documents: Any, file: Writable, in_order: bool = True
) -> tuple[int, int, int]:
    """Write the chunks of documents; how many documents and chunks, and bytes of text.

    in_order: the documents come by their sources.
    """
    counted = _Counted(documents)
    if job.format == "jsonl":
        chunks = _write_lines(job, counted, file)
    else:
        chunks = _write_parquet(job, counted, file, in_order)
    return counted.documents, chunks, counted.text_bytes


def chunker_of(job: Job) -> BatchChunker:
    """What makes the chunks; InvalidInput where the names of columns to carry are not right."""
    return BatchChunker(text=TEXT, source=SOURCE, carry=job.carry, **asdict(job.options))


class NoSource(Exception):
    """A document has a text, and its source is null; the engine knows which."""


class _Counted:
    """A reader that counts what it reads."""

    def __init__(self, reader: Any) -> None:
        self.reader = reader
        self.schema: Any = reader.schema
        self.documents = 0
        self.text_bytes = 0

    def __iter__(self) -> Iterator[Any]:
        for batch in self.reader:
            texts = batch.column(TEXT)
            if batch.column(SOURCE).null_count and len(
                texts.filter(batch.column(SOURCE).is_null()).drop_null()
            ):
                raise NoSource
            self.documents += len(texts) - texts.null_count
            self.text_bytes += pc.sum(pc.binary_length(texts)).as_py() or 0
            yield batch


def _write_parquet(job: Job, documents: _Counted, file: Writable, in_order: bool) -> int:
    chunker = chunker_of(job)
    chunks = 0
    with ParquetFile(file, chunker.schema(documents.schema), in_order) as made:
        for batch in chunker.chunks_of(documents):
            chunks += batch.num_rows
            made.write([batch])
    return chunks


def _write_lines(job: Job, documents: _Counted, file: Writable) -> int:
    """Encoding dictionaries is faster than taking rows out of columns again."""
    chunker_of(job).schema(documents.schema)
    counter = counter_of(job.options.tokenizer)
    chunks = 0
    for batch in documents:
        columns = [batch.column(name).to_pylist() for name in (TEXT, SOURCE, *job.carry)]
        lines = []
        for text, source, *more in zip(*columns, strict=True):
            if text is None:
                continue
            extra = dict(zip(job.carry, more, strict=True))
            for row in chunk_rows(text, source, job.options, counter):
                lines.append(_line(row, extra))
        chunks += len(lines)
        file.write(b"".join(lines))
    return chunks


def _line(row: Chunk, extra: dict[str, Any]) -> bytes:
    try:
        return orjson.dumps({**row, **extra} if extra else row, option=orjson.OPT_APPEND_NEWLINE)
    except orjson.JSONEncodeError as error:
        names = ", ".join(extra)
        raise InvalidInput(
            f"carry: {names}: no JSON can be made of it: {error}", field="carry"
        ) from None
