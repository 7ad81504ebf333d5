"""Spark: documents of a frame of yours, or a whole job whose tasks are spread over a cluster.

Every node needs spanwise, and sees the same files. Without a session (`spark-submit`, or one made
before) one is started on this machine and stopped again; for that Java 17 or later is needed.
"""

import os
import pickle
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Final, Unpack

from spanwise.arrow.needed import needed
from spanwise.arrow.schema import TEXT_FIELDS, Kind
from spanwise.engines.job import Part, Work
from spanwise.engines.planning import Task, gave_up
from spanwise.errors import InvalidInput, SpanwiseError
from spanwise.markdown.options import Options

sql = needed("pyspark.sql", "spark", "the engine spark")
errors = needed("pyspark.errors", "spark", "the engine spark")
types = needed("pyspark.sql.types", "spark", "the engine spark")
pa = needed("pyarrow", "spark", "the engine spark")

ATTEMPTS: Final = 4
"""How often a task is tried in a session that is started here; the default of clusters."""
_LOOK_SECONDS: Final = 0.5
_TYPES: Final[dict[Kind, Callable[[], Any]]] = {
    "string": types.StringType,
    "strings": lambda: types.ArrayType(types.StringType()),
    "int32": types.IntegerType,
    "int64": types.LongType,
    "bool": types.BooleanType,
    "json": types.StringType,
}


def chunk_frame(
    frame: Any,
    *,
    text: str = "text",
    source: str = "source",
    carry: Sequence[str] = (),
    **options: Unpack[Options],
) -> Any:
    """A `DataFrame` of the chunks of one whose rows are documents.

    text, source: the columns with the texts of the documents and with their names.
    carry: columns that every chunk gets from its document.
    options: those of `spanwise.chunk_markdown`.

    Nothing is computed before the frame is used, and rows come in no order: sort by
    (source, index) where that matters. Raises InvalidInput for options and columns that are not
    right.
    """
    from spanwise.arrow import BatchChunker

    chunker = BatchChunker(text=text, source=source, carry=carry, **options)
    names = list(dict.fromkeys([text, source, *carry]))
    missing = [name for name in names if name not in frame.columns]
    if missing:
        raise InvalidInput(
            f"no column called {missing[0]}, among {', '.join(frame.columns)}", name=missing[0]
        )
    fields = [types.StructField(one.name, _TYPES[one.kind](), True) for one in TEXT_FIELDS]
    schema = types.StructType([*fields, *(frame.schema[name] for name in carry)])
    return frame.select(*map(_quoted, names)).mapInArrow(partial(_chunks, chunker=chunker), schema)


def _quoted(name: str) -> str:
    """A name in which a dot is a dot."""
    return "`" + name.replace("`", "``") + "`"


def _chunks(batches: Iterable[Any], chunker: Any) -> Iterator[Any]:
    for batch in batches:
        made = chunker(batch)
        yield from made.to_batches() if isinstance(made, pa.Table) else [made]


def run(work: Work, tasks: Sequence[Task], jobs: int) -> Iterator[Part]:
    """Do the tasks, in a session started here `jobs` at a time; each part when it is in its place.

    Spark does a task again where its worker is lost.
    """
    if not tasks:
        return
    session, started = _session(jobs)
    try:
        # A partition each: what is lost and done again is one task.
        numbers = session.range(0, len(tasks), 1, len(tasks))
        do = partial(_answers, work=work, tasks=list(tasks), types=_types(work))
        answers = numbers.mapInArrow(do, "answer binary")
        yield from _watched(answers, work, tasks)
    finally:
        if started:
            session.stop()


def _watched(answers: Any, work: Work, tasks: Sequence[Task]) -> Iterator[Part]:
    """The parts as they come, while a thread waits for all answers of one job of Spark."""
    collected: list[Any] = []
    failed: list[Exception] = []

    def collect() -> None:
        try:
            collected.extend(answers.collect())
        except Exception as error:
            failed.append(error)

    waiting = threading.Thread(target=collect, daemon=True)
    waiting.start()
    wanted = {task.number for task in tasks}
    told: set[int] = set()
    while True:
        waiting.join(_LOOK_SECONDS)
        over = not waiting.is_alive()  # before looking, so that the last parts are seen
        if failed:
            raise gave_up("Spark", failed[0], tasks) from None
        for row in collected if over else []:
            answer: Part | SpanwiseError = pickle.loads(row["answer"])
            if isinstance(answer, SpanwiseError):
                raise answer
        parts = work.parts()
        yield from (parts[number] for number in sorted(parts.keys() & wanted - told))
        told |= parts.keys()
        if over:
            return


def _session(jobs: int) -> tuple[Any, bool]:
    """The session there is, or a new one; whether it is new."""
    active = sql.SparkSession.getActiveSession()
    if active is not None:
        return active, False
    settings = {"spark.ui.showConsoleProgress": "false", "spark.log.level": "ERROR"}
    if "PYSPARK_GATEWAY_PORT" not in os.environ:  # of spark-submit, which knows the cluster
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        settings |= {
            "spark.master": f"local[{jobs},{ATTEMPTS}]",
            "spark.ui.enabled": "false",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
        }
    try:
        return sql.SparkSession.builder.appName("spanwise").config(map=settings).getOrCreate(), True
    except errors.PySparkRuntimeError as error:
        raise InvalidInput(
            f"the engine spark needs Java 17 or later, at JAVA_HOME or in PATH ({error})",
            extra="spark",
        ) from None


def _types(work: Work) -> dict[str, str]:
    from spanwise.engines.duckdb import json_types

    return json_types(work.job)


def _answers(
    batches: Iterable[Any], work: Work, tasks: list[Task], types: dict[str, str]
) -> Iterator[Any]:
    """What came of some tasks: pickled parts, or errors."""
    from spanwise.engines.duckdb import do_task

    for batch in batches:
        for number in batch.column("id").to_pylist():
            answer = pickle.dumps(do_task(tasks[number], work, types))
            yield pa.record_batch({"answer": pa.array([answer], pa.binary())})
