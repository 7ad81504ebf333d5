"""What the next run would find, without cutting or writing anything."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from spanwise.errors import SpanwiseError
from spanwise.store.manifest import Manifest, Run
from spanwise.store.runs import held_lines
from spanwise.store.scanning import hashes, scan


@dataclass(slots=True)
class Status:
    """The sources, by what would become of them, and the runs that nobody has acknowledged."""

    run: str | None
    """The last one that was committed."""
    waiting: Run | None
    output_as_left: bool
    """Whether the output is the file that the last run wrote."""
    new: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    recut: list[str] = field(default_factory=list)
    """The same as before, but to be cut with other options or by another version."""
    removed: list[str] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    unchanged: int = 0
    outside: int = 0
    """Known sources that the paths do not reach."""
    faults: list[SpanwiseError] = field(default_factory=list)


def status(manifest: Manifest, output: str, paths: Sequence[str], config: bytes) -> Status:
    """Compare the files that `paths` mean with what the manifest knows of them.

    Only files with another size or time are read, and those that were cut with another `config`.
    """
    held, as_left = held_lines(manifest, output)
    held.close()
    scanned = scan(paths, held.entries, config)
    found = Status(
        manifest.head.id if manifest.head is not None else None,
        manifest.open_runs[-1] if manifest.open_runs else None,
        as_left,
        faults=scanned.faults,
    )
    digests = hashes(scanned.files())
    for step in scanned.steps:
        entry = held.entries.get(step.source)
        if step.action == "remove":
            found.removed.append(step.source)
        elif step.outside:
            found.outside += 1
        elif step.action == "keep":
            found.unchanged += 1
        else:
            digest = next(digests)
            if not digest:
                found.unreadable.append(step.source)
            elif entry is None:
                found.new.append(step.source)
            elif digest != entry.sha256:
                found.changed.append(step.source)
            elif entry.config != config:
                found.recut.append(step.source)
            else:
                found.unchanged += 1
    return found
