"""Arrow data in, chunks as Arrow data out: whole, or batch by batch."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, Unpack

from spanwise.arrow.building import SCHEMA, record_batches
from spanwise.arrow.columns import BATCH_LIMIT, Columns
from spanwise.arrow.needed import needed
from spanwise.errors import InvalidInput
from spanwise.markdown.options import ChunkOptions, Options
from spanwise.tokens import counter_of

pa = needed("pyarrow", "arrow", "Arrow data")

STREAM_BYTES: Final = 64 << 20
"""Bytes of strings that a batch of a stream ends at."""
_SLICE: Final = 256
"""Rows whose texts are taken out of Arrow's memory at a time."""


def without_mark(text: str) -> str:
    """The text without a byte order mark: that told the encoding of a file, and is not its text."""
    return text.removeprefix("\ufeff")


class BatchChunker:
    """Chunks tables whose rows are documents. Made once, it is called with each batch.

    It can be pickled, and called by several threads at once.
    """

    def __init__(
        self,
        *,
        text: str = "text",
        source: str = "source",
        carry: Sequence[str] = (),
        batch_bytes: int | None = None,
        **options: Unpack[Options],
    ) -> None:
        """Check everything that can be checked without data; see `chunk_batch`."""
        if isinstance(carry, str):
            raise InvalidInput("carry: a string, where a list of names belongs", field="carry")
        clashes = sorted(set(carry) & set(SCHEMA.names))
        if clashes:
            names = ", ".join(clashes)
            raise InvalidInput(
                f"carry: chunks have columns of their own called {names}; rename those of the "
                "input",
                field="carry",
                names=clashes,
            )
        if len(set(carry)) < len(carry):
            raise InvalidInput("carry: a column is named twice", field="carry")
        self.text = text
        self.source = source
        self.carry = tuple(carry)
        self.shown = {"text": text, "source": source}
        """What messages call these columns: their names, unless they were renamed on the way."""
        self.batch_bytes = batch_bytes
        self.options = ChunkOptions(**options)
        self.counter = counter_of(self.options.tokenizer)

    def schema(self, given: Any) -> Any:
        """The schema of the chunks of data with the schema `given`; InvalidInput if it lacks some.

        Chunks have the columns of `schema.TEXT_FIELDS`, then those carried.
        """
        given = pa.schema(given)
        for role, name in (("text", self.text), ("source", self.source)):
            kind = _field(given, role, name).type
            if not _is_text(kind):
                raise InvalidInput(
                    f"{role}: the column {self.shown[role]} is {kind}, not text", field=role
                )
        carried = [_plain(_field(given, "carry", name)) for name in self.carry]
        for field in carried:
            _check_repeatable(field)
        return pa.schema([*SCHEMA, *carried])

    def __call__(self, batch: Any) -> Any:
        """The chunks of all rows as one `pyarrow.RecordBatch`, or as a Table beyond 2 GiB."""
        reader = _reader(batch)
        schema = self.schema(reader.schema)
        columns = self._columns(BATCH_LIMIT)
        given = []
        row = 0
        for one in reader:
            self._add(columns, one, row, row)
            given.append(one.select(self.carry))
            row += len(one)
        table = pa.Table.from_batches(given, schema=given[0].schema) if given else None
        carried = self._carried(table) if table is not None else {}
        exact = self.counter is not None
        made: list[Any] = []
        for full in columns.take(True):
            made += record_batches(full, exact, schema, carried)
        return made[0] if len(made) == 1 else pa.Table.from_batches(made, schema)

    def stream(self, data: Any) -> "ChunkStream":
        """The chunks of all rows, made batch by batch as they are asked for."""
        return ChunkStream(self, data)

    def chunks_of(self, reader: Any) -> Iterator[Any]:
        """The chunks of what a reader reads, batch by batch; a batch without any is left out."""
        schema = self.schema(reader.schema)
        row = 0
        for one in reader:
            yield from self.chunks_in(self.documents(one, row), one, schema)
            row += len(one)

    def chunks_in(
        self, documents: Iterable[tuple[int, str, str]], given: Any, schema: Any
    ) -> Iterator[Any]:
        """The chunks of documents, as batches of `schema`.

        documents: what `documents` gives of the batch `given`, whose columns are carried.
        """
        columns = self._columns(STREAM_BYTES)
        exact = self.counter is not None
        carried = self._carried(given) if self.carry else {}
        for at, text, source in documents:
            columns.add(text, source, at)
            for full in columns.take(False):
                yield from record_batches(full, exact, schema, carried)
        for rest in columns.take(True):
            if rest.rows:
                yield from record_batches(rest, exact, schema, carried)

    def _carried(self, table: Any) -> dict[str, Any]:
        """The columns to carry, of a table or batch, with the types that they come out with."""
        found = {}
        for name in self.carry:
            column = table.column(name)
            view = pa.types.is_string_view(column.type)
            found[name] = column.cast(pa.string()) if view else column
        return found

    def _columns(self, usual: int) -> Columns:
        most = usual if self.batch_bytes is None else self.batch_bytes
        return Columns(self.options, self.counter, most)

    def documents(self, batch: Any, row: int = 0) -> Iterator[tuple[int, str, str]]:
        """Row in the batch, text without a byte order mark, and source, of each row with a text.

        `row` is the number that the first one has in the input, for errors.
        """
        texts = batch.column(self.text)
        sources = batch.column(self.source)
        for start in range(0, len(batch), _SLICE):
            pairs = zip(
                self._strings(texts.slice(start, _SLICE), "text", row + start),
                self._strings(sources.slice(start, _SLICE), "source", row + start),
                strict=True,
            )
            for at, (text, source) in enumerate(pairs, start):
                if text is None:
                    continue  # a document that is not there has no chunks
                if source is None:
                    raise InvalidInput(
                        f"source: {self.shown['source']} is null in row {row + at}",
                        field="source",
                        row=row + at,
                    )
                yield at, without_mark(text), source

    def _add(self, columns: Columns, batch: Any, parent: int, row: int) -> None:
        """Add the rows of a batch, the first of which is number `row` of the input."""
        for at, text, source in self.documents(batch, row):
            columns.add(text, source, parent + at)

    def _strings(self, column: Any, role: str, row: int) -> list[str | None]:
        try:
            found: list[str | None] = column.to_pylist()
        except UnicodeDecodeError:
            for at, one in enumerate(column):
                try:
                    one.as_py()
                except UnicodeDecodeError as error:
                    raise InvalidInput(
                        f"{role}: not UTF-8 in row {row + at}, at byte {error.start}",
                        field=role,
                        row=row + at,
                        byte=error.start,
                    ) from None
            raise
        return found


class ChunkStream:
    """Chunks made batch by batch, for whoever reads Arrow streams.

    The input is read when the first batch is asked for, and opened again for readers after that.
    """

    def __init__(self, chunker: BatchChunker, data: Any) -> None:
        """Check the columns of `data`."""
        self.chunker = chunker
        self.data = data
        self.first = _reader(data)
        self.schema = chunker.schema(self.first.schema)

    def __arrow_c_schema__(self) -> Any:
        """The schema of the chunks, as a capsule."""
        return self.schema.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """A stream of chunks, as a capsule."""
        return self.reader().__arrow_c_stream__(requested_schema)

    def reader(self) -> Any:
        """A `pyarrow.RecordBatchReader` of the chunks."""
        return pa.RecordBatchReader.from_batches(self.schema, self._batches())

    def _batches(self) -> Iterator[Any]:
        # Nothing is read before somebody asks for rows: some ask for a stream to see its schema.
        reader = self.first or _reader(self.data)
        self.first = None
        yield from self.chunker.chunks_of(reader)


def chunk_batch(
    batch: Any,
    *,
    text: str = "text",
    source: str = "source",
    carry: Sequence[str] = (),
    **options: Unpack[Options],
) -> Any:
    """The chunks of a table whose rows are documents, as a `pyarrow.RecordBatch`.

    batch: whatever has `__arrow_c_array__` or `__arrow_c_stream__`: tables, batches and readers of
        pyarrow, Polars, DuckDB, arro3, nanoarrow and others.
    text, source: the columns with the Markdown and with the name of each document. Any kind of
        string column will do, dictionaries too. A row without text has no chunks. A byte order
        mark at the start of a text is no part of it, as in a file; offsets count after it.
    carry: columns of the input that each chunk gets from its document.
    options: see `chunk_markdown`.

    The rows are those of `chunk_markdown`, in the order of the input; the columns those of
    `spanwise.arrow.SCHEMA`, then those carried. Strings have 32-bit offsets; where the strings
    of all rows go beyond 2 GiB, what comes back is a `pyarrow.Table` of several batches.
    Raises InvalidInput for data, columns and options that are not right, and without the extra
    `arrow`; LimitExceeded for a single chunk beyond 2 GiB.
    """
    return BatchChunker(text=text, source=source, carry=carry, **options)(batch)


def chunk_stream(
    data: Any,
    *,
    text: str = "text",
    source: str = "source",
    carry: Sequence[str] = (),
    **options: Unpack[Options],
) -> ChunkStream:
    """As `chunk_batch`, but lazily: what comes back has `__arrow_c_stream__`.

    Each batch of the input becomes one or more of chunks when they are asked for, so memory holds
    one batch. It can be read as often as `data` can. Errors in the data come up on the way.
    """
    return BatchChunker(text=text, source=source, carry=carry, **options).stream(data)


def _reader(data: Any) -> Any:
    """A reader of record batches."""
    if hasattr(data, "__arrow_c_stream__"):
        return pa.RecordBatchReader.from_stream(data)
    if hasattr(data, "__arrow_c_array__"):
        return pa.RecordBatchReader.from_batches(*_single(data))
    raise InvalidInput(
        f"batch: {type(data).__name__} has neither __arrow_c_array__ nor __arrow_c_stream__",
        field="batch",
    )


def _single(data: Any) -> tuple[Any, list[Any]]:
    batch = pa.record_batch(data)
    return batch.schema, [batch]


def _field(schema: Any, role: str, name: str) -> Any:
    """The field of one column."""
    found = schema.get_all_field_indices(name)
    if len(found) != 1:
        there = ", ".join(schema.names)
        wrong = "no column" if not found else f"{len(found)} columns"
        raise InvalidInput(f"{role}: {wrong} called {name}, among {there}", field=role, name=name)
    return schema.field(found[0])


def _is_text(kind: Any) -> bool:
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return bool(
        pa.types.is_string(kind)
        or pa.types.is_large_string(kind)
        or pa.types.is_string_view(kind)
        or pa.types.is_null(kind)
    )


def _plain(field: Any) -> Any:
    """A carried column as it comes out: views become strings, since few take them."""
    if pa.types.is_string_view(field.type):
        return field.with_type(pa.string())
    return field


def _check_repeatable(field: Any) -> None:
    """Raise InvalidInput for a type whose values pyarrow cannot repeat."""
    try:
        pa.nulls(0, field.type).take(pa.array([], pa.int64()))
    except pa.ArrowNotImplementedError:
        raise InvalidInput(
            f"carry: {field.name} is {field.type}, which cannot be carried", field="carry"
        ) from None
