"""A whole job: what is not done yet is done, then all of it gets its name."""

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from spanwise.engines import ENGINES
from spanwise.engines.job import Job, Part, Work
from spanwise.engines.parts import chunker_of
from spanwise.engines.planning import Task
from spanwise.engines.sources import check_parts
from spanwise.pipeline import available_cores

Watch = Callable[[Sequence[Task], Sequence[Part]], None]
"""Gets all tasks, and the parts there are: at the start, and whenever there is another."""


def run_job(
    job: Job,
    output: str,
    engine: str = "duckdb",
    jobs: int | None = None,
    watch: Watch = lambda tasks, parts: None,
) -> dict[str, Any]:
    """Make the data set `output`, a folder; its manifest.

    A job that was begun goes on where it was; one that is done is not done again. `jobs` is the
    number of processes, by default one for each core. Raises InvalidInput for columns and options
    that are not right, where two documents have one source, and where the folder is there already
    with something else; UnreadableSource, UnwritableOutput; Locked where another run is at work.
    """
    chunker_of(job)
    module = import_module(ENGINES[engine])
    with Work(job, output) as work:
        if work.finished is not None:
            return work.finished
        tasks = job.tasks()
        done = work.parts()
        parts = list(done.values())
        watch(tasks, parts)
        for part in module.run(
            work, [task for task in tasks if task.number not in done], jobs or available_cores()
        ):
            parts.append(part)
            watch(tasks, parts)
        check_parts(work, tasks)
        return work.publish(engine, tasks)
