"""Chunks for Elasticsearch and OpenSearch: what their `_bulk` takes, an action and a row a line.

The `_id` is the `chunk_id`. A delete has no second line; a move updates everything but the text.
There is no line for a summary: `spanwise sync` says which run it was.
"""

from typing import Any, Final

import orjson

from spanwise.store.delta import chunk_id
from spanwise.store.outputs import TAG, DeltaLines, JsonLines

_UPSERT: Final = b'{"op":"upsert",'


class Actions:
    """Makes lines for `_bulk`."""

    def __init__(self, index: str | None) -> None:
        """`index` is where the chunks go; None leaves that to the address of the request."""
        self.target = {} if index is None else {"_index": index}

    def put(self, row: bytes) -> bytes:
        """Put a row in its place, whether it is there or not."""
        return self._line("index", chunk_id(row).hex()) + row

    def change(self, line: bytes) -> bytes:
        """What a line of a delta tells to do."""
        if line.startswith(_UPSERT):
            return self.put(b"{" + line.removeprefix(_UPSERT))
        told = orjson.loads(line)
        if told.pop("op") == "delete":
            return self._line("delete", told["chunk_id"])
        doc = orjson.dumps({"doc": told}, option=orjson.OPT_APPEND_NEWLINE)
        return self._line("update", told["chunk_id"]) + doc

    def _line(self, action: str, one: str) -> bytes:
        told = {action: self.target | {"_id": one}}
        return orjson.dumps(told, option=orjson.OPT_APPEND_NEWLINE)


class BulkRows(JsonLines):
    """All chunks, for an index that has none."""

    def __init__(self, path: str, tag: str | None = TAG, index: str | None = None) -> None:
        """Nothing is opened yet."""
        super().__init__(path, tag)
        self.actions = Actions(index)

    def rows(self, lines: bytes) -> None:
        """Write them, an action before each."""
        self.file.write(b"".join(map(self.actions.put, lines.splitlines(keepends=True))))


class BulkDelta(DeltaLines):
    """Changes, which may be sent again: that changes nothing."""

    def __init__(self, path: str, index: str | None = None) -> None:
        """Nothing is opened yet."""
        super().__init__(path)
        self.actions = Actions(index)

    def rows(self, lines: bytes) -> None:
        """Write what lines of a delta tell; the hash is that of these lines."""
        self.hash.update(lines)
        self.file.write(b"".join(map(self.actions.change, lines.splitlines(keepends=True))))

    def summarise(self, summary: dict[str, Any]) -> None:
        """Nothing: not a line that `_bulk` would take."""
