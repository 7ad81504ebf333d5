"""Reading what `spanwise sync` wrote, batch by batch: what a loader of a store begins with."""

from collections.abc import Iterator
from hashlib import sha256
from itertools import islice
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Final, Literal

import orjson

from spanwise.errors import InvalidInput
from spanwise.files import source_name, unreadable

Op = Literal["upsert", "delete", "move"]
OPS: Final[tuple[Op, ...]] = ("upsert", "delete", "move")

_OPENING: Final[dict[Op, bytes]] = {op: b'{"op":"%s",' % op.encode() for op in OPS}
_SUMMARY: Final = b'{"op":"summary",'


class Delta:
    """What one run changed: a file that was read once and found whole.

    It is a context, and keeps the file open, so that a run that puts another one in its place does
    not change what is read.
    """

    run: str
    """The id of the run: what a store remembers when all of it is loaded."""
    bases: list[str | None]
    """The runs that a store may be at before; None for a store that is empty."""
    upserts: int
    deletes: int
    moves: int
    """How many lines there are of each."""
    chunks: int
    """How many chunks there are after it."""

    def __init__(self, path: str | PathLike[str]) -> None:
        """Open and check it; see `read_delta`."""
        self.name = source_name(path)
        self._file = _opened(path)
        try:
            summary = self._checked()
        except BaseException:
            self._file.close()
            raise
        self.run = summary["run"]
        self.bases = summary["bases"]
        self.upserts = summary["upserts"]
        self.deletes = summary["deletes"]
        self.moves = summary["moves"]
        self.chunks = self.upserts + self.moves + summary["unchanged"]

    def _checked(self) -> dict[str, Any]:
        """The summary; InvalidInput where it is missing or tells of other lines."""
        digest = sha256()
        last = b""
        for line in self._file:
            digest.update(last)
            last = line
        if not (last.startswith(_SUMMARY) and last.endswith(b"\n")):
            raise InvalidInput(f"{self.name}: no delta, or cut off: it does not end in a summary")
        summary: dict[str, Any] = orjson.loads(last)
        if summary["sha256"] != digest.hexdigest():
            raise InvalidInput(
                f"{self.name}: its lines have the SHA-256 {digest.hexdigest()}, "
                f"the summary says {summary['sha256']}"
            )
        return summary

    def follows(self, run: str | None) -> bool:
        """Whether a store at this run (None: an empty one) is brought up to date by it.

        That is so at each of its bases, and after it, since to load it again changes nothing.
        """
        return run == self.run or run in self.bases

    def batches(self, op: Op, size: int = 1000) -> Iterator[list[dict[str, Any]]]:
        """The lines of one kind in their order, without `op`: lists of `size`, the last shorter.

        `upsert` gives rows; `delete` chunk_id, doc_id, source and reason; `move` rows without text.
        """
        opening = _OPENING[op]
        at = 0
        while True:
            self._file.seek(at)  # another iterator may have moved it
            lines = iter(self._file.readline, b"")
            batch = list(islice((line for line in lines if line.startswith(opening)), size))
            at = self._file.tell()
            if not batch:
                return
            rows = map(orjson.loads, batch)
            yield [{key: value for key, value in row.items() if key != "op"} for row in rows]

    def check_count(self, held: int) -> None:
        """Raise InvalidInput where a store holds another number of chunks than it should now."""
        if held != self.chunks:
            raise InvalidInput(
                f"{self.name}: the store holds {held} chunks after run {self.run}, which has "
                f"{self.chunks}; load all chunks again",
                found=held,
                wanted=self.chunks,
            )

    def __enter__(self) -> "Delta":
        """Itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the file."""
        self._file.close()


def read_delta(path: str | PathLike[str]) -> Delta:
    """The delta that `spanwise sync` wrote, checked by its summary; for a `with` statement.

    Raises UnreadableSource, and InvalidInput for a file that is no delta or not a whole one.
    """
    return Delta(path)


def read_chunks(path: str | PathLike[str], size: int = 1000) -> Iterator[list[dict[str, Any]]]:
    """The rows of a JSONL file of chunks, in their order: lists of `size`, the last shorter.

    Raises UnreadableSource, and InvalidInput for a line that is not JSON.
    """
    with _opened(path) as file:
        while lines := list(islice(file, size)):
            try:
                yield [orjson.loads(line) for line in lines]
            except orjson.JSONDecodeError as error:
                name = source_name(path)
                raise InvalidInput(f"{name}: a line is not JSON: {error}") from None


def _opened(path: str | PathLike[str]) -> BinaryIO:
    try:
        return Path(path).open("rb")
    except OSError as error:
        raise unreadable(path, error) from None
