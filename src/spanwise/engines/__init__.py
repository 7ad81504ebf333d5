"""Engines: chunks of whole data sets, made inside of what already reads and spreads them.

inputs    the files of a data set
planning  tasks: pieces of it that can be done again alone
job       what is asked for, and the folder in which the parts come together; see its docstring
parts     the file of one task
running   a whole job: tasks that are not done yet, then the manifest and the final name
duckdb    DuckDB, and its functions for SQL
ray       Ray Data: tasks on a cluster; chunks of a dataset
spark     Spark: tasks on a cluster; chunks of a frame

A module of `ENGINES` has one function:

    run(work: Work, tasks: Sequence[Task], jobs: int) -> Iterator[Part]

It does the tasks in any order, with at most `jobs` processes at work, and yields each part once
it is in its place. For that it reads the rows of the task (`Task.file`, from `start` to before
`end`), names the columns `text` and `source`, keeps those of `Job.carry`, sorts by source, and
calls `parts.write_part` wherever the task is being done: that chunks batch by batch, writes beside,
renames, and takes note. A part may be made twice, since it comes out the same and replaces itself
in one step; so lost workers and attempts need no care. An engine writes nothing under a final name
itself, and raises the first SpanwiseError of a task. What can be pickled: Job, Task, Part, and
Work.
"""

from typing import Final

ENGINES: Final = {name: f"spanwise.engines.{name}" for name in ("duckdb", "ray", "spark")}
"""The modules of the engines, by the names that `--engine` takes."""
