"""Runs that are over: which one wrote the output there is, and committing the one that waits."""

from pathlib import Path

from spanwise.errors import InvalidInput, UnreadableSource
from spanwise.files import source_name
from spanwise.store.locking import Lock
from spanwise.store.manifest import Manifest
from spanwise.store.outputs import Held, held_at


def acknowledge(path: Path, run: str) -> str:
    """Commit the open run with this id; says what was done.

    Done again, it changes nothing. InvalidInput where no such run is waiting.
    """
    if not path.exists():
        raise UnreadableSource(f"{source_name(path)}: no such file", source=source_name(path))
    with Lock(Path(f"{path}.lock")), Manifest(path) as manifest:
        if manifest.head is not None and manifest.head.id == run:
            return "was acknowledged before"
        waiting = manifest.open_runs[-1] if manifest.open_runs else None
        if waiting is None or waiting.id != run:
            last = "none is" if waiting is None else f"{waiting.id} is"
            raise InvalidInput(f"run: {run} is not waiting, {last}", field="run")
        if not waiting.placed:
            raise InvalidInput(
                f"run: {run} was not finished; sync again before its delta is loaded", field="run"
            )
        manifest.commit(waiting)
        return "acknowledged"


def held_lines(manifest: Manifest, output: str) -> tuple[Held, bool]:
    """The output there is, after the run that wrote it, and whether it is as that run left it."""
    candidates = [*reversed(manifest.open_runs), manifest.head]
    found = held_at(output, {}).status()
    for run in candidates:
        if run is not None and (run.output_size, run.output_mtime_ns) == found:
            held = held_at(output, manifest.view(run))
            if held.is_whole():
                return held, True
    # A copy has another time, as after a checkout; then every line is looked at.
    sized = [run for run in candidates if run is not None and run.output_size == found[0]]
    run = sized[0] if sized else manifest.head
    return held_at(output, manifest.view(run)), False
