"""Ray Data: documents of a dataset of yours, or a whole job whose tasks are spread over a cluster.

Every node needs spanwise, and sees the same files. Without a cluster (RAY_ADDRESS, or `ray.init`
called before) one is started on this machine and stopped again.
"""

import logging
import os
import pickle
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final, Unpack

from spanwise.arrow.needed import needed
from spanwise.engines.job import Part, Work
from spanwise.engines.planning import Task, gave_up
from spanwise.errors import SpanwiseError
from spanwise.markdown.options import Options

# Nothing is reported to anybody, unless it was asked for.
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
ray = needed("ray", "ray", "the engine ray")
needed("ray.data", "ray", "the engine ray")
pa = needed("pyarrow", "ray", "the engine ray")

BATCH_ROWS: Final = 256
"""Documents that are handed over at a time: a few megabytes."""


def chunk_dataset(
    dataset: Any,
    *,
    text: str = "text",
    source: str = "source",
    carry: Sequence[str] = (),
    batch_size: int = BATCH_ROWS,
    **options: Unpack[Options],
) -> Any:
    """A `ray.data.Dataset` of the chunks of one whose rows are documents.

    text, source: the columns with the texts of the documents and with their names.
    carry: columns that every chunk gets from its document.
    options: those of `spanwise.chunk_markdown`.

    Nothing is computed before the dataset is used, and rows come in no order: sort by
    (source, index) where that matters. Raises InvalidInput for options that are not right.
    """
    from spanwise.arrow import BatchChunker

    chunker = BatchChunker(text=text, source=source, carry=carry, **options)
    return dataset.map_batches(
        partial(_chunks, chunker=chunker),
        batch_size=batch_size,
        batch_format="pyarrow",
        zero_copy_batch=True,
    )


def _chunks(documents: Any, chunker: Any) -> Any:
    made = chunker(documents)
    return made if isinstance(made, pa.Table) else pa.Table.from_batches([made])


def run(work: Work, tasks: Sequence[Task], jobs: int) -> Iterator[Part]:
    """Do the tasks, `jobs` at a time; each part as soon as it is in its place.

    Ray does a task again where its worker is lost.
    """
    if not tasks:
        return
    started = not ray.is_initialized()
    if started:
        _start(jobs)
    try:
        numbers = ray.data.range(len(tasks), override_num_blocks=len(tasks))
        answers = numbers.map_batches(
            partial(_answers, work=work, tasks=list(tasks), types=_types(work)),
            batch_size=1,
            batch_format="pyarrow",
            compute=ray.data.TaskPoolStrategy(size=min(jobs, len(tasks))),
        )
        for row in answers.iter_rows():
            answer: Part | SpanwiseError = pickle.loads(row["answer"])
            if isinstance(answer, SpanwiseError):
                raise answer
            yield answer
    except ray.exceptions.RayError as error:
        raise gave_up("Ray", error, tasks) from None
    finally:
        if started:
            ray.shutdown()


def _start(jobs: int) -> None:
    if "RAY_ADDRESS" in os.environ:
        ray.init(logging_level="ERROR")
    else:
        # Whoever reaches Ray's ports can run programs: they are for this machine alone.
        ray.init(
            num_cpus=jobs,
            _node_ip_address="127.0.0.1",
            include_dashboard=False,
            log_to_driver=False,
            logging_level="ERROR",
        )
    # The command has its own progress, and Ray says so much only of others.
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    ray.data.DataContext.get_current().enable_progress_bars = False


def _types(work: Work) -> dict[str, str]:
    from spanwise.engines.duckdb import json_types

    return json_types(work.job)


def _answers(numbers: Any, work: Work, tasks: list[Task], types: dict[str, str]) -> Any:
    """What came of some tasks: pickled parts, or errors."""
    from spanwise.engines.duckdb import do_task

    answers = [do_task(tasks[number], work, types) for number in numbers.column("id").to_pylist()]
    return pa.table({"answer": [pickle.dumps(answer) for answer in answers]})
