"""One part: the chunks of some documents as one file, sorted, whole or not there at all."""

import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, NamedTuple

import orjson

from spanwise.arrow.batches import BatchChunker
from spanwise.arrow.needed import needed
from spanwise.arrow.parquet import ParquetFile, Writable
from spanwise.engines.job import Job, Part, Work
from spanwise.engines.sources import InOrder, Keep, check_names, names_kept
from spanwise.errors import InvalidInput
from spanwise.files import AtomicFile
from spanwise.rows import Chunk, chunk_rows, json_lines
from spanwise.tokens import counter_of

pc = needed("pyarrow.compute", "arrow", "a data set")

TEXT: Final = "text"
SOURCE: Final = "source"
"""The columns of documents on their way to a part, whatever they are called in the input.

The columns that are carried have their own names, which are none of these: chunks have them.
"""


class Texts(NamedTuple):
    """Some documents that have a text."""

    documents: list[tuple[int, str, str]]
    """The row of each in `carried`, its text and its source."""
    text_bytes: int
    """UTF-8 of the texts."""
    carried: Any = None
    """A `pyarrow.RecordBatch` with the columns to carry, if there are any."""


def texts_of(job: Job, reader: Any) -> Iterator[Texts]:
    """The documents of a `pyarrow.RecordBatchReader` of `text`, `source` and what is carried.

    Raises NoSource where one has none.
    """
    chunker = chunker_of(job)
    for batch in reader:
        texts = batch.column(TEXT)
        if batch.column(SOURCE).filter(texts.is_valid()).null_count:
            raise NoSource
        size = pc.sum(pc.binary_length(texts)).as_py() or 0
        yield Texts(list(chunker.documents(batch)), size, batch)


def write_part(work: Work, number: int, schema: Any, texts: Iterable[Texts]) -> Part:
    """Make the part of one task, and take note of it.

    schema: of `text`, `source` and what is carried.
    texts: the documents in the order of their sources.
    """
    path = work.part_path(number)
    in_order = InOrder()
    with names_kept(work.names_path(number)) as keep, AtomicFile(path) as file:

        def take(names: list[str]) -> None:
            in_order(names)
            keep(names)

        sums = write_chunks(work.job, schema, texts, file, take, in_order=True)
    return work.keep(Part(number, path.name, *sums, path.stat().st_size))


def write_chunks(
    job: Job, schema: Any, texts: Iterable[Texts], file: Writable, take: Keep, in_order: bool
) -> tuple[int, int, int]:
    """Write the chunks of documents; how many documents and chunks, and bytes of text.

    take: gets the sources of documents as they go by.
    in_order: they come in order.
    """
    documents = text_bytes = 0

    def counted() -> Iterator[Texts]:
        nonlocal documents, text_bytes
        for some in texts:
            take([source for _, _, source in some.documents])
            documents += len(some.documents)
            text_bytes += some.text_bytes
            yield some

    if job.format == "jsonl":
        chunks = _write_lines(job, schema, counted(), file)
    else:
        chunks = _write_parquet(job, schema, counted(), file, in_order)
    return documents, chunks, text_bytes


def write_all(job: Job, documents: Any, file: Writable) -> tuple[int, int]:
    """Write the chunks of all documents in any order; how many documents and chunks.

    InvalidInput at the end where two have one source.
    """
    with tempfile.TemporaryDirectory(prefix="spanwise-") as folder:
        names = Path(folder, "names")
        with names_kept(names) as keep:
            texts = texts_of(job, documents)
            found, chunks, _ = write_chunks(
                job, documents.schema, texts, file, keep, in_order=False
            )
        check_names(job, [names], folder)
    return found, chunks


def chunker_of(job: Job) -> BatchChunker:
    """What makes the chunks; InvalidInput where the names of columns to carry are not right."""
    chunker = BatchChunker(text=TEXT, source=SOURCE, carry=job.carry, **asdict(job.options))
    chunker.shown = {"text": job.text, "source": job.source or SOURCE}
    return chunker


class NoSource(Exception):
    """A document has a text, and its source is null; the engine knows which."""


def _write_parquet(
    job: Job, schema: Any, texts: Iterable[Texts], file: Writable, in_order: bool
) -> int:
    chunker = chunker_of(job)
    made = chunker.schema(schema)
    chunks = 0
    with ParquetFile(file, made, in_order) as out:
        for some in texts:
            for batch in chunker.chunks_in(some.documents, some.carried, made):
                chunks += batch.num_rows
                out.write([batch])
    return chunks


def _write_lines(job: Job, schema: Any, texts: Iterable[Texts], file: Writable) -> int:
    """Encoding dictionaries is faster than taking rows out of columns again.

    It is not slower than putting lines together from their members without them, either.
    """
    chunker_of(job).schema(schema)
    counter = counter_of(job.options.tokenizer)
    chunks = 0
    for some in texts:
        carried = some.carried.select(job.carry).to_pylist() if job.carry else []
        lines: list[bytes] = []
        for at, text, source in some.documents:
            rows = chunk_rows(text, source, job.options, counter)
            chunks += len(rows)
            if carried:
                lines += [_line(row, carried[at]) for row in rows]
            else:
                lines.append(json_lines(rows))
        file.write(b"".join(lines))
    return chunks


def _line(row: Chunk, extra: dict[str, Any]) -> bytes:
    try:
        return orjson.dumps({**row, **extra}, option=orjson.OPT_APPEND_NEWLINE)
    except orjson.JSONEncodeError as error:
        names = ", ".join(extra)
        raise InvalidInput(
            f"carry: {names}: no JSON can be made of it: {error}", field="carry"
        ) from None
