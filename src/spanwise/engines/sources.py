"""No two documents of a data set have one source, which is part of the ids of their chunks.

Within a part sources come in order, so equal ones are neighbours. The others are compared at the
end: the names of each part are kept beside its record until then, and DuckDB looks for doubles
within the memory of the job.
"""

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from spanwise.arrow.building import pa
from spanwise.arrow.parquet import ParquetFile
from spanwise.engines.job import Job, Work
from spanwise.engines.planning import Task
from spanwise.errors import InvalidInput
from spanwise.files import AtomicFile

NAMES: Final = pa.schema([pa.field("source", pa.string(), False)])

Keep = Callable[[list[str]], None]
"""Takes names."""


class OneSource(Exception):
    """Two documents have the source `name`; the engine knows which."""

    def __init__(self, name: str) -> None:
        """For the name."""
        super().__init__(name)
        self.name = name


class InOrder:
    """Looks at names that come in order; raises OneSource where one comes twice."""

    def __init__(self) -> None:
        """Nothing was looked at yet."""
        self.last: str | None = None

    def __call__(self, names: list[str]) -> None:
        """Look at some more."""
        last = self.last
        for name in names:
            if name == last:
                raise OneSource(name)
            last = name
        self.last = last


@contextlib.contextmanager
def names_kept(path: Path) -> Iterator[Keep]:
    """Writes the names that it is given to a file, which is there at the end without exception."""
    with AtomicFile(path) as file, ParquetFile(file, NAMES) as made:
        yield lambda names: made.write([pa.record_batch([names], schema=NAMES)])


def check_parts(work: Work, tasks: Sequence[Task]) -> None:
    """Raise InvalidInput where documents in different parts have one source."""
    if len(tasks) > 1:
        inputs = {work.names_path(task.number): task.file.name for task in tasks}
        check_names(work.job, list(inputs), work.scratch, inputs)


def check_names(
    job: Job,
    paths: Sequence[Path],
    scratch: os.PathLike[str] | str,
    inputs: Mapping[Path, str] | None = None,
) -> None:
    """Raise InvalidInput where a name stands twice in files of names.

    `inputs` says which file of the data each is of.
    """
    from spanwise.engines.duckdb import connection, quoted

    if job.source is None:
        return  # made of files and rows
    files = ", ".join(quoted(str(path)) for path in paths)
    with connection(job.memory_mb, scratch) as con:
        found = con.execute(
            f"SELECT source, min(filename), max(filename) FROM read_parquet([{files}], "
            "filename = true) GROUP BY source HAVING count(*) > 1 ORDER BY source LIMIT 1"
        ).fetchone()
    if found is None:
        return
    name, *places = found
    where = " and ".join(dict.fromkeys(inputs[Path(place)] for place in places)) if inputs else ""
    raise InvalidInput(
        f"{where or job.source}: two documents have one source, {name}, which is part of the ids "
        "of chunks",
        field="source",
        source=name,
    )
