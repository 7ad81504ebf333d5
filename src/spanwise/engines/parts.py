"""One part: the chunks of some documents as one file, sorted, whole or not there at all."""

import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import orjson

from spanwise.arrow.batches import BatchChunker
from spanwise.arrow.needed import needed
from spanwise.arrow.parquet import ParquetFile, Writable
from spanwise.engines.job import Job, Part, Work
from spanwise.engines.sources import InOrder, Keep, check_names, names_kept
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
    in_order = InOrder()
    with names_kept(work.names_path(number)) as keep, AtomicFile(path) as file:

        def take(names: Any) -> None:
            in_order(names)
            keep(names)

        sums = write_chunks(work.job, documents, file, take, in_order=True)
    return work.keep(Part(number, path.name, *sums, path.stat().st_size))


def write_chunks(
    job: Job, documents: Any, file: Writable, take: Keep, in_order: bool
) -> tuple[int, int, int]:
    """Write the chunks of documents; how many documents and chunks, and bytes of text.

    take: gets the sources of documents as they go by.
    in_order: they come in order.
    """
    counted = _Counted(documents, take)
    if job.format == "jsonl":
        chunks = _write_lines(job, counted, file)
    else:
        chunks = _write_parquet(job, counted, file, in_order)
    return counted.documents, chunks, counted.text_bytes


def write_all(job: Job, documents: Any, file: Writable) -> tuple[int, int]:
    """Write the chunks of all documents in any order; how many documents and chunks.

    InvalidInput at the end where two have one source.
    """
    with tempfile.TemporaryDirectory(prefix="spanwise-") as folder:
        names = Path(folder, "names")
        with names_kept(names) as keep:
            found, chunks, _ = write_chunks(job, documents, file, keep, in_order=False)
        check_names(job, [names], folder)
    return found, chunks


def chunker_of(job: Job) -> BatchChunker:
    """What makes the chunks; InvalidInput where the names of columns to carry are not right."""
    chunker = BatchChunker(text=TEXT, source=SOURCE, carry=job.carry, **asdict(job.options))
    chunker.shown = {"text": job.text, "source": job.source or SOURCE}
    return chunker


class NoSource(Exception):
    """A document has a text, and its source is null; the engine knows which."""


class _Counted:
    """A reader that counts what it reads, and tells the sources."""

    def __init__(self, reader: Any, take: Keep) -> None:
        self.reader = reader
        self.take = take
        self.schema: Any = reader.schema
        self.documents = 0
        self.text_bytes = 0

    def __iter__(self) -> Iterator[Any]:
        for batch in self.reader:
            texts = batch.column(TEXT)
            sources = batch.column(SOURCE).filter(texts.is_valid())
            if sources.null_count:
                raise NoSource
            self.take(sources)
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
    """Encoding dictionaries is faster than taking rows out of columns again.

    It is not slower than putting lines together from their members without them, either.
    """
    chunker = chunker_of(job)
    chunker.schema(documents.schema)
    counter = counter_of(job.options.tokenizer)
    chunks = 0
    for batch in documents:
        carried = batch.select(job.carry).to_pylist() if job.carry else []
        lines: list[bytes] = []
        for at, text, source in chunker.documents(batch):
            extra = carried[at] if carried else {}
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
