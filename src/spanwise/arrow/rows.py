"""Rows as JSON lines into tables, and back without a difference."""

from collections.abc import Iterable
from typing import Any, Final

import orjson

from spanwise.arrow.building import arrow_fields, pa
from spanwise.arrow.schema import DOCUMENT_FIELDS, TEXT_FIELDS

ROW_SCHEMA: Final = pa.schema(arrow_fields([*TEXT_FIELDS, *DOCUMENT_FIELDS]))
"""The schema of the chunks of files: texts and converted documents."""

_JSON: Final = [field.name for field in DOCUMENT_FIELDS if field.kind == "json"]
_OF_DOCUMENTS: Final = [field.name for field in DOCUMENT_FIELDS]
_FIRST: Final = DOCUMENT_FIELDS[0].name
"""Never null where a row is one of a document."""


def table_of(lines: bytes) -> Any:
    """A `pyarrow.Table` of `ROW_SCHEMA` of rows as JSON lines."""
    rows = [orjson.loads(line) for line in lines.splitlines()]
    for row in rows:
        if _FIRST in row:
            for name in _JSON:
                row[name] = orjson.dumps(row[name]).decode()
    columns = [pa.array([row.get(field.name) for row in rows], field.type) for field in ROW_SCHEMA]
    return pa.table(columns, schema=ROW_SCHEMA)


def lines_of(table: Any) -> bytes:
    """The JSON lines that `table_of` was given."""
    rows: Iterable[dict[str, Any]] = table.to_pylist()
    lines = []
    for row in rows:
        if row["headings"] is None:
            del row["headings"]
        if row[_FIRST] is None:
            for name in _OF_DOCUMENTS:
                del row[name]
        else:
            for name in _JSON:
                row[name] = orjson.loads(row[name])
        lines.append(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE))
    return b"".join(lines)
