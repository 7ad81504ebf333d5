"""The pipeline: the same bytes for any number of workers, and errors that name their file."""

import os
import signal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spanwise import pipeline
from spanwise.files import SourceFile, find_files
from spanwise.markdown.options import ChunkOptions
from spanwise.pipeline import FileResult, file_results

OPTIONS = ChunkOptions()


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[SourceFile]:
    """Forty files, three of which cannot be read."""
    monkeypatch.chdir(tmp_path)
    for number in range(40):
        name = tmp_path / f"{number:02}.md"
        if number in (7, 20):
            name.write_bytes(b"# not UTF-8 \xff\n")
        else:
            sections = [f"# Section {i} of {number}\n\ntext 漢\n" for i in range(number)]
            name.write_text("".join(sections), encoding="utf-8")
    found, faults = find_files(["."])
    assert not faults
    (tmp_path / "30.md").unlink()
    return found


def summary(results: list[FileResult]) -> list[tuple[str, bytes, int, int, str | None]]:
    return [
        (r.source, r.lines, r.chunks, r.biggest, r.error.message if r.error else None)
        for r in results
    ]


def test_results_do_not_depend_on_the_number_of_workers(files: list[SourceFile]) -> None:
    alone = summary(list(file_results(files, OPTIONS, jobs=1)))
    assert [result[0] for result in alone] == [file.source for file in files]
    assert {result[4] for result in alone} == {
        None,
        "07.md: not UTF-8 at byte 12 (0xff)",
        "20.md: not UTF-8 at byte 12 (0xff)",
        "30.md: no such file or directory",
    }
    for jobs in (2, 3, 8, 64):
        assert summary(list(file_results(files, OPTIONS, jobs=jobs))) == alone


def test_small_inputs_start_no_workers(
    files: list[SourceFile], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("spanwise.workers.Workers", None)
    assert len(list(file_results(files, OPTIONS))) == 40


def test_a_worker_that_dies_is_an_error_of_its_file(
    files: list[SourceFile], monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = pipeline.file_result

    def killed(file: SourceFile, **how: Any) -> FileResult:
        if file.source == "25.md":
            os.kill(os.getpid(), signal.SIGKILL)
        return honest(file, **how)

    alone = summary(list(file_results(files, OPTIONS, jobs=1)))
    monkeypatch.setattr(pipeline, "file_result", killed)
    # Only forked workers have the change; threads of other tests would have them spawned.
    monkeypatch.setattr("threading.active_count", lambda: 1)
    results = list(file_results(files, OPTIONS, jobs=2))
    message = "25.md: the worker process died (signal 9, as when memory runs out)"
    assert results[25].error is not None
    assert results[25].error.message == message
    others = [result for result in summary(results) if result[0] != "25.md"]
    assert others == [result for result in alone if result[0] != "25.md"]


def test_every_worker_dying_is_no_hang(
    files: list[SourceFile], monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(file: SourceFile, **how: Any) -> FileResult:
        os._exit(3)

    monkeypatch.setattr(pipeline, "file_result", killed)
    monkeypatch.setattr("threading.active_count", lambda: 1)
    results = list(file_results(files[:6], OPTIONS, jobs=3))
    assert [result.source for result in results] == [file.source for file in files[:6]]
    assert all("exit status 3" in str(result.error) for result in results)


def test_workers_end_when_the_results_are_not_wanted_any_more(files: list[SourceFile]) -> None:
    import multiprocessing

    results = file_results(files, OPTIONS, jobs=2)
    next(results)
    results.close()  # type: ignore[attr-defined]
    assert not multiprocessing.active_children()


def test_spawned_workers_give_the_same(
    files: list[SourceFile], monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = summary(list(file_results(files, OPTIONS, jobs=1)))
    monkeypatch.setattr("spanwise.workers.sys.platform", "other")
    assert summary(list(file_results(files, OPTIONS, jobs=2))) == alone


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, 3 << 20), max_size=60), st.integers(1, 9))
def test_batches_hold_every_file_in_order(sizes: list[int], jobs: int) -> None:
    files = [SourceFile((str(i),), str(i), str(i), size) for i, size in enumerate(sizes)]
    batches = list(pipeline._batches(files, jobs))
    assert [file for batch in batches for file in batch] == files
    assert all(sum(file.size for file in batch[:-1]) < pipeline.BATCH_BYTES for batch in batches)
