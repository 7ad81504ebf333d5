"""The files of a data set: Parquet or JSON lines, whose rows are documents."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from spanwise.errors import InvalidInput, UnreadableSource
from spanwise.files import source_name, unreadable

SUFFIXES: Final = {
    ".parquet": "parquet",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".jsonl.gz": "jsonl",
    ".ndjson.gz": "jsonl",
    ".jsonl.zst": "jsonl",
    ".ndjson.zst": "jsonl",
}
"""Which files are taken for data, by what their names end with."""


class DataFile(NamedTuple):
    """One file of documents: its path as given, with forward slashes, and its whole path.

    Workers need not be in the folder that we are in.
    """

    name: str
    path: str
    format: str
    """`parquet` or `jsonl`."""
    size: int
    mtime_ns: int

    @property
    def packed(self) -> bool:
        """Whether the file as a whole is compressed, so that no part of it can be read alone."""
        return self.path.lower().endswith((".gz", ".zst"))


def data_format(path: str) -> str | None:
    """`parquet` or `jsonl` by the name of a file, or None."""
    name = path.lower()
    return next((kind for suffix, kind in SUFFIXES.items() if name.endswith(suffix)), None)


def find_data(path: str) -> list[DataFile]:
    """The files that `path` means, a file or a folder searched through all levels, by name.

    Names that start with a dot or an underscore are left out, as engines do. Raises
    UnreadableSource where there is nothing, InvalidInput for a file of another kind, and where
    Parquet and JSON lines lie in one folder.
    """
    given = Path(path)
    try:
        if not given.is_dir():
            kind = data_format(path)
            given.stat()
            if kind is None:
                raise InvalidInput(
                    f"{source_name(path)}: data is read from files called "
                    + ", ".join(f"*{suffix}" for suffix in SUFFIXES),
                    field="input",
                )
            return [_data_file(given, kind)]
        found = [_data_file(file, kind) for file, kind in _below(given)]
    except OSError as error:
        raise unreadable(path, error) from None
    if not found:
        raise UnreadableSource(f"no data in {source_name(path)}", source=source_name(path))
    if len({file.format for file in found}) > 1:
        raise InvalidInput(
            f"{source_name(path)} has both Parquet and JSON lines: name a folder with one of them",
            field="input",
        )
    return sorted(found)


def _below(folder: Path) -> Iterator[tuple[Path, str]]:
    for top, folders, names in os.walk(folder, onerror=_raise):
        folders[:] = [name for name in folders if not name.startswith((".", "_"))]
        for name in names:
            kind = data_format(name)
            if kind is not None and not name.startswith((".", "_")):
                yield Path(top, name), kind


def _raise(error: OSError) -> None:
    raise error


def _data_file(path: Path, kind: str) -> DataFile:
    status = path.stat()
    whole = os.path.abspath(path)  # noqa: PTH100 (links in it stay)
    return DataFile(source_name(path), whole, kind, status.st_size, status.st_mtime_ns)
