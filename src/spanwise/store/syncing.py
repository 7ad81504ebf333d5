"""One run: sources that changed are cut again, the output follows, and a delta tells what is new.

The order of things, so that a run can end at any moment:

1. Take the lock, read the manifest, and find out which run wrote the output there is.
2. Write the new output and the delta beside their places, and bring them to the disk.
3. Write to the manifest what this run changes, as a run that is still open.
4. Put the output in its place, then the delta.
5. Commit: the manifest's head is this run. With `pending` that is left to `runs.acknowledge`.

What ends before 5 is an open run: nobody may have loaded its delta, or somebody may. So the next
delta starts from the last committed state and takes back whatever open runs may have brought.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from spanwise.document import Notice
from spanwise.errors import InvalidInput, SpanwiseError, UnreadableSource
from spanwise.files import source_name
from spanwise.formats import Settings
from spanwise.markdown.chunking import Counter
from spanwise.markdown.options import ChunkOptions
from spanwise.pipeline import FileResult, file_results
from spanwise.store.delta import Reason, change_lines, delta, pack, unpack
from spanwise.store.locking import Lock
from spanwise.store.manifest import Entry, Manifest, Run, chunk_count, make_folder
from spanwise.store.outputs import delta_at, output_at
from spanwise.store.runs import held_lines
from spanwise.store.scanning import Scan, Step, scan, trusted_time

RUN_DIGITS: Final = 16

Results = Iterator[FileResult]
Watch = Callable[[int, Results], Results]


@dataclass(frozen=True, slots=True)
class Call:
    """What is asked of a run."""

    paths: tuple[str, ...]
    output: str
    delta: str
    manifest: Path
    options: ChunkOptions
    settings: Settings
    config: bytes
    """See `scanning.config_id`."""
    told: dict[str, Any]
    """How it was called, kept for `status`."""
    counter: Counter | None = None
    jobs: int | None = None
    verify: bool = False
    pending: bool = False
    bulk_index: str | None = None
    """What a delta for bulk loading names in each action."""


@dataclass(slots=True)
class Report:
    """What a run did."""

    run: str = ""
    base: str | None = None
    pending: bool = False
    upserts: int = 0
    deletes: int = 0
    moves: int = 0
    chunks: int = 0
    """All there are now."""
    sources: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(
            ("added", "changed", "removed", "unchanged", "outside", "failed"), 0
        )
    )
    read: int = 0
    faults: list[SpanwiseError] = field(default_factory=list)
    notices: list[tuple[str, Notice]] = field(default_factory=list)


def sync(call: Call, watch: Watch = lambda _, results: results) -> Report:
    """Bring the output in step with the sources, and write what that changed to the delta.

    `watch` gets the number of files to be read and the results, and passes them on. Faults of
    single sources are in the report; their rows stay what they were. Raises Locked,
    UnwritableOutput or UnreadableSource, and then the state before holds.
    """
    make_folder(call.manifest)
    with (
        Lock(Path(f"{call.manifest}.lock")),
        Manifest(call.manifest, create=True) as manifest,
        ExitStack() as stack,
    ):
        check_output(manifest, call.output)
        work = _Run(call, manifest, stack)
        work.go(watch)
        work.finish()
        return work.report


def check_output(manifest: Manifest, output: str) -> None:
    """Raise InvalidInput where the manifest is that of another output."""
    name = relative(output, manifest.path)
    if manifest.output not in ("", name):
        raise InvalidInput(
            f"out: {manifest.name} belongs to {manifest.output}, not to {name}: "
            "name another one with --manifest",
            field="out",
            found=name,
        )
    if Path(output).exists() and not Path(output).is_file():
        raise InvalidInput(f"out: {source_name(output)} is not a file", field="out")


def relative(output: str, manifest: Path) -> str:
    """The output as seen from the folder of the manifest, so that both can move together."""
    folder = manifest.resolve().parent
    try:
        return source_name(os.path.relpath(Path(output).resolve(), folder))
    except ValueError:  # another drive
        return source_name(Path(output).resolve())


class _Run:
    """The state of one run on its way."""

    def __init__(self, call: Call, manifest: Manifest, stack: ExitStack) -> None:
        self.call = call
        self.manifest = manifest
        self.report = Report()
        self.base = manifest.entries
        self.doubts = manifest.overlays
        self.doubtful: set[str] = set().union(*self.doubts.values())
        self.held, self.as_left = held_lines(manifest, call.output)
        stack.callback(self.held.close)
        if call.verify or not self.as_left:
            self.held.check()
            self.as_left = not self.held.broken and self.held.is_whole()
        self.output = output_at(call.output)
        stack.callback(self.output.abandon)
        self.delta = delta_at(call.delta, call.bulk_index)
        stack.callback(self.delta.abandon)
        self.rows: list[tuple[Entry, bytes]] = []
        self.touched: list[Entry] = []
        self.passed: list[str] = []
        """Sources whose lines are already where they have to be, as long as nothing was written."""

    def go(self, watch: Watch) -> None:
        """Look at every source in the order of the names, and write output and delta."""
        call = self.call
        scanned = scan(call.paths, self.held.entries, call.config, call.verify, self.held.broken)
        self.report.faults += scanned.faults
        self._check(scanned)
        self.delta.begin()
        if not self.as_left:
            self.output.begin()
        files = scanned.files()
        self.report.read = len(files)
        results = watch(
            len(files), file_results(files, call.options, call.jobs, call.counter, call.settings)
        )
        for step in self._all_steps(scanned):
            result = next(results) if step.action == "read" else None
            self._one(step, result, scanned.started_ns)
        for _ in results:  # lets the workers end
            raise AssertionError("more results than files")

    def _check(self, scanned: Scan) -> None:
        """Raise where there is nothing to do, or where an input would be replaced."""
        if self.manifest.head is None and not scanned.steps:
            if scanned.faults:
                raise scanned.faults[0]
            where = ", ".join(self.call.paths)
            raise UnreadableSource(f"no documents in {where}", source=where)
        written = [self.call.output, self.call.delta, str(self.call.manifest)]
        if len({os.path.realpath(name) for name in written}) < len(written):
            raise InvalidInput(
                "delta: out, delta and manifest have to be three files", field="delta"
            )
        for path in map(Path, written):
            size = path.stat().st_size if path.exists() else -1
            for step in scanned.steps:
                if step.file and step.file.size == size and path.samefile(step.file.path):
                    raise InvalidInput(
                        f"{source_name(path)} would replace the input {step.source}", field="out"
                    )

    def _all_steps(self, scanned: Scan) -> list[Step]:
        """The steps, and those for sources that only other states of a store have."""
        named = {step.source for step in scanned.steps}
        others = (self.base.keys() | self.doubtful) - named
        if not others:
            return scanned.steps
        steps = scanned.steps + [Step(source, "remove") for source in others]
        return sorted(steps, key=lambda step: step.source.split("/"))

    def _one(self, step: Step, result: FileResult | None, started_ns: int) -> None:
        source = step.source
        before = self.held.entries.get(source)
        entry = before
        lines: bytes | None = None
        if step.action == "remove":
            entry = None
        elif result is not None and result.error is not None:
            self.report.faults.append(result.error)
            self.report.sources["failed"] += 1
        elif result is not None and step.file is not None:
            self.report.notices += [(source, notice) for notice in result.notices]
            stamp = trusted_time(step.file, started_ns)
            if result.same:
                assert before is not None
                entry = before._replace(size=step.file.size, mtime_ns=stamp)
            else:
                lines = result.lines
                entry = Entry(
                    source, 0, False, step.file.size, stamp, result.sha256, self.call.config,
                    len(lines), sha256(lines).digest(), result.chunks,
                )  # fmt: skip
        if entry is not None and lines is None and source in self.held.broken:
            raise UnreadableSource(
                f"{self.held.name}: the lines of {source} are not as the last run left them, and "
                "it is not there to be cut again",
                source=self.held.name,
            )
        self._write(source, before, entry, lines)
        self._tell(source, before, entry, lines)
        self._count(step, result, entry)

    def _write(
        self, source: str, before: Entry | None, entry: Entry | None, lines: bytes | None
    ) -> None:
        """Let the output go on; nothing is written as long as it would be what is there."""
        if not self.output.begun:
            if _same_lines(before, entry):
                self.passed.append(source)
                return
            self.output.begin()
            for one in self.passed:
                self._copy(one)
        if lines is not None:
            self.output.rows(lines)
        elif entry is not None:
            self._copy(source)

    def _copy(self, source: str) -> None:
        if source in self.held.entries:
            self.output.copy(self.held, source)

    def _tell(
        self, source: str, before: Entry | None, entry: Entry | None, lines: bytes | None
    ) -> None:
        """Write the delta of one source, and keep what the manifest is to know of it."""
        base = self.base.get(source)
        if _same_lines(base, entry) and source not in self.doubtful:
            self._touch(base, entry)
            return
        states = [unpack(self.manifest.packed(base)) if base else {}]
        for overlay in self.doubts.values():
            other = overlay.get(source)
            if other is not None:
                states.append({} if other.gone else unpack(self.manifest.packed(other)))
        if entry is not None and lines is None:
            lines = self.held.lines(source)
        rows = lines.splitlines() if lines else []
        packed = pack(rows)
        changes = delta(states, unpack(packed))
        old = dict.fromkeys(one for state in states for one in state)
        reason: Reason = "changed"
        if entry is None:
            reason = "source_removed"
        elif base is not None and base.sha256 == entry.sha256:
            reason = "config"
        told = change_lines(source, changes, old, rows, reason)
        if told:
            self.delta.rows(b"".join(told))
        self.report.upserts += len(changes.upserts)
        self.report.deletes += len(changes.deletes)
        self.report.moves += len(changes.moves)
        if _same_lines(base, entry):
            self._touch(base, entry)
        elif entry is not None:
            assert entry.chunks == chunk_count(packed)
            self.rows.append((entry, packed))
        elif base is not None:
            self.rows.append((base._replace(gone=True, lines_size=0, chunks=0), b""))

    def _touch(self, base: Entry | None, entry: Entry | None) -> None:
        """Keep what is new about the file of a source whose rows are the old ones."""
        if base is not None and entry is not None and entry is not base:
            entry = entry._replace(run=base.run)
            if entry != base:
                self.touched.append(entry)

    def _count(self, step: Step, result: FileResult | None, entry: Entry | None) -> None:
        sources = self.report.sources
        if entry is not None:
            self.report.chunks += entry.chunks
        base = self.base.get(step.source)
        if result is not None and result.error is not None:
            return
        if step.outside:
            sources["outside"] += 1
        elif entry is None:
            sources["removed"] += base is not None
        elif base is None:
            sources["added"] += 1
        else:
            sources["unchanged" if _same_lines(base, entry) else "changed"] += 1

    def finish(self) -> None:
        """Bring everything to the disk and into its place, the manifest last."""
        manifest, report = self.manifest, self.report
        head = manifest.head
        report.base = head.id if head is not None else None
        body = self.delta.hash.hexdigest()
        told = report.upserts + report.deletes + report.moves
        changed = bool(told or self.rows or head is None)
        if changed:
            report.run = sha256(f"{report.base or ''}\n{body}".encode()).hexdigest()[:RUN_DIGITS]
        else:
            assert head is not None
            report.run = head.id
        report.pending = self.call.pending and changed
        self.delta.summarise(self._summary())
        self.delta.settle()
        status = self.output.settle() if self.output.begun else None
        found = self.held.status() if status is None else (status.st_size, status.st_mtime_ns)
        about = relative(self.call.output, manifest.path), self.call.told
        if changed:
            run = Run(self._number(), report.run, False, *found)
            rows = ((entry._replace(run=run.number), packed) for entry, packed in self.rows)
            manifest.stage(run, rows, self.touched, *about)
            self._place()
            if self.call.pending:
                manifest.place(run)
            else:
                manifest.commit(run)
            return
        assert head is not None
        self._place()
        run = head._replace(output_size=found[0], output_mtime_ns=found[1])
        if self.touched or run != head or about != (manifest.output, manifest.call):
            manifest.touch(run, self.touched, *about)

    def _place(self) -> None:
        self.held.close()  # Windows does not replace an open file
        if self.output.begun:
            self.output.commit()
        self.delta.commit()

    def _number(self) -> int:
        """A number above those of all runs there are."""
        runs = [*self.manifest.open_runs, self.manifest.head]
        return 1 + max([run.number for run in runs if run is not None], default=0)

    def _summary(self) -> dict[str, Any]:
        report = self.report
        others = [one.id for one in self.manifest.open_runs if one.id != report.run]
        return {
            "run": report.run,
            "bases": [report.base, *others],
            "upserts": report.upserts,
            "deletes": report.deletes,
            "moves": report.moves,
            "unchanged": report.chunks - report.upserts - report.moves,
            "sources": report.sources,
        }


def _same_lines(one: Entry | None, other: Entry | None) -> bool:
    """Whether two states of a source have the same rows; a source that is not there has none."""
    if one is None or other is None:
        return one is other
    return one.lines_sha256 == other.lines_sha256
