"""Record batches out of columns, and the schema that they have."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from spanwise.arrow.columns import Batch
from spanwise.arrow.needed import needed
from spanwise.arrow.schema import TEXT_FIELDS, Field
from spanwise.errors import LimitExceeded

pa = needed("pyarrow", "arrow", "Arrow data")

TYPES: Final = {
    "string": pa.string(),
    "json": pa.string(),
    "strings": pa.list_(pa.string()),
    "int32": pa.int32(),
    "int64": pa.int64(),
    "bool": pa.bool_(),
}


def arrow_fields(fields: Iterable[Field]) -> list[Any]:
    """The columns as Arrow fields."""
    return [pa.field(field.name, TYPES[field.kind], field.nullable) for field in fields]


SCHEMA: Final = pa.schema(arrow_fields(TEXT_FIELDS))
"""The schema of the chunks of texts."""


def record_batches(
    batch: Batch, exact: bool, schema: Any, carried: dict[str, Any]
) -> Iterator[Any]:
    """The rows as record batches of `schema`: one, unless a carried column gets too big.

    `carried` are the columns of the input, whose rows are repeated by the `parents` of the batch.
    """
    buffers = {name: [pa.py_buffer(one) for one in some] for name, some in batch.buffers().items()}
    rows = batch.rows
    buffers["tokens_exact"] = [pa.py_buffer((b"\xff" if exact else b"\0") * (-(-rows // 8)))]
    columns = [_array(field, rows, buffers) for field in TEXT_FIELDS]
    if not carried:
        yield pa.RecordBatch.from_arrays(columns, schema=schema)
        return
    parents = pa.Array.from_buffers(pa.int64(), rows, [None, *buffers["parents"]])
    yield from _with_carried(columns, parents, schema, carried)


def _with_carried(
    columns: list[Any], parents: Any, schema: Any, carried: dict[str, Any]
) -> Iterator[Any]:
    """In halves where the repeated values go beyond what 32-bit offsets reach."""
    try:
        taken = [_one_chunk(column.take(parents)) for column in carried.values()]
    except pa.ArrowInvalid:
        half = len(parents) // 2
        if half == 0:
            names = ", ".join(carried)
            raise LimitExceeded("max_batch_bytes", (1 << 31) - 1, 1 << 31, f"{names}") from None
        for low, high in ((0, half), (half, len(parents))):
            some = [column.slice(low, high - low) for column in columns]
            yield from _with_carried(some, parents.slice(low, high - low), schema, carried)
        return
    yield pa.RecordBatch.from_arrays([*columns, *taken], schema=schema)


def _one_chunk(column: Any) -> Any:
    if not isinstance(column, pa.ChunkedArray):
        return column
    return column.chunk(0) if column.num_chunks == 1 else pa.concat_arrays(column.chunks)


def _array(field: Field, rows: int, buffers: dict[str, list[Any]]) -> Any:
    """The column of one field."""
    found = buffers[field.name]
    kind = TYPES[field.kind]
    valid = None
    if field.nullable:
        valid = _bitmap(rows, buffers[f"has_{field.name}"][0])
    if field.kind != "strings":
        return pa.Array.from_buffers(kind, rows, [valid, *found])
    offsets, item_offsets, items = found
    count = item_offsets.size // 4 - 1
    values = pa.Array.from_buffers(pa.string(), count, [None, item_offsets, items])
    return pa.Array.from_buffers(kind, rows, [valid, offsets], children=[values])


def _bitmap(rows: int, flags: Any) -> Any:
    """A byte for each row as a bit for each row."""
    return pa.Array.from_buffers(pa.uint8(), rows, [None, flags]).cast(pa.bool_()).buffers()[1]
