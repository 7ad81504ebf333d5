"""`spanwise sync` where something is wrong: what is deleted, what is said, what state is left."""

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from spanwise.doors.cli import main
from spanwise.files import find_sources
from spanwise.markdown.options import ChunkOptions
from spanwise.rows import chunk_rows, json_lines
from spanwise.store.delta import chunk_id, delta, pack, unpack
from spanwise.store.locking import Lock
from spanwise.store.scanning import covers
from tests.sync_world import (
    ALL,
    OUTPUTS,
    Delta,
    Store,
    by_id,
    chunks_now,
    command,
    documents,
    edit,
    environment,
    held_in,
    lines_of,
    read_rows,
    spanwise_command,
    sync,
    write,
)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with three documents that were synced."""
    monkeypatch.chdir(tmp_path)
    fill()
    return tmp_path


def fill() -> None:
    for name in ("a", "b", "sub/c"):
        write(Path(f"docs/{name}.md"), f"# {name}\n\nwords\n\n## Two\n\nmore\n")
    sync()


def invoke(*arguments: str) -> Any:
    return CliRunner().invoke(main, list(arguments))


def said(*arguments: str, status: int = 0) -> dict[str, Any]:
    """What a sync of the paths says, in this process."""
    done = invoke("sync", *arguments, *OUTPUTS, "--json")
    assert done.exit_code == status, done.output
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def sources() -> list[str]:
    """The sources that the output has chunks of."""
    return sorted({row["source"] for row in read_rows()})


# What is deleted


def test_files_that_are_named_delete_nothing(here: Path) -> None:
    Path("docs/b.md").unlink()
    answer = said("docs/a.md")
    assert (answer["deletes"], answer["sources"]["outside"]) == (0, 2)
    assert sources() == ["docs/a.md", "docs/b.md", "docs/sub/c.md"]
    answer = said("docs/b.md", status=1)
    assert answer["error"]["message"] == "docs/b.md: no such file or directory"
    assert answer["deletes"] == 0


def test_a_folder_that_is_named_is_the_scope(here: Path) -> None:
    Path("docs/b.md").unlink()
    Path("docs/sub/c.md").unlink()
    answer = said("docs/sub")
    assert (answer["deletes"], answer["sources"]["removed"]) == (2, 1)
    assert sources() == ["docs/a.md", "docs/b.md"]
    said(".")
    assert sources() == ["docs/a.md"]


def test_a_folder_that_is_gone_deletes_nothing(here: Path) -> None:
    Path("docs").rename("elsewhere")
    answer = said("docs", status=1)
    assert answer["deletes"] == 0
    assert len(sources()) == 3


def test_a_folder_that_cannot_be_searched_deletes_nothing(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("docs/a.md").unlink()
    honest = os.scandir

    def refused(path: Any) -> Any:
        if str(path).endswith("sub"):
            raise PermissionError(13, "Permission denied")
        return honest(path)

    with monkeypatch.context() as patched:
        patched.setattr(os, "scandir", refused)
        answer = said("docs", status=1)
        assert "permission denied" in answer["error"]["message"]
        assert answer["deletes"] == 0
        # Another scope is complete for itself.
        assert said("docs", "docs/../docs/sub", status=1)["deletes"] == 0
    assert said("docs")["deletes"] == 2


def test_a_file_that_cannot_be_read_keeps_its_chunks(here: Path) -> None:
    before = read_rows()
    Path("docs/b.md").write_bytes(b"\xff\n")
    write(Path("docs/bad.md"), "x")
    Path("docs/bad.md").write_bytes(b"\xff\n")
    for _ in range(2):
        answer = said("docs", status=1)
        assert [error["message"] for error in answer["errors"]] == [
            "docs/b.md: not UTF-8 at byte 0 (0xff)",
            "docs/bad.md: not UTF-8 at byte 0 (0xff)",
        ]
        assert answer["sources"]["failed"] == 2
        assert read_rows() == before
    write(Path("docs/b.md"), "# b\n\nother\n")
    Path("docs/bad.md").unlink()
    assert said("docs")["upserts"] == 1


def test_a_link_loop_is_a_fault_of_its_folder(here: Path) -> None:
    Path("docs/loop.md").symlink_to("loop.md")
    found = find_sources(["docs"])
    assert found.scopes == []
    assert "docs/loop.md: " in found.faults[0].message


@pytest.mark.parametrize(
    ("scope", "source", "covered"),
    [
        ("docs/", "docs/a.md", True),
        ("docs/", "docs2/a.md", False),
        ("", "docs/a.md", True),
        ("", "../a.md", False),
        ("", "/abs/a.md", False),
        ("", "C:/a.md", False),
        ("../", "../a.md", True),
        ("../", "../../a.md", False),
        ("/", "/abs/a.md", True),
        ("/abs/", "/abs/x/a.md", True),
    ],
)
def test_what_a_scope_covers(scope: str, source: str, covered: bool) -> None:
    assert covers(scope, source) is covered


# Times


def test_a_file_that_was_just_written_is_looked_at_again(here: Path) -> None:
    """Its time may not change with its next change, as on a coarse clock."""
    path = Path("docs/a.md")
    path.write_bytes(path.read_bytes())
    status = path.stat()
    said("docs")
    path.write_bytes(path.read_bytes().replace(b"words", b"sword"))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert said("docs")["upserts"] == 1


def test_a_pass_without_changes_reads_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """50,000 sources in the long form: at most 3 seconds of processor time."""
    monkeypatch.chdir(tmp_path)
    count = 50_000 if ALL else 2_000
    for number in range(count):
        write(Path(f"docs/{number // 100}/{number}.md"), f"# {number}\n\nwords\n\n## Two\n\nx\n")
    assert sync()["read"] == count
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, "sync", "docs", *OUTPUTS],
        env=environment(), capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    opened, seconds = json.loads(done.stderr.splitlines()[-1])
    below = [path for path in opened if "/docs/" in f"/{path}" and not path.endswith(".gitignore")]
    assert below == []
    with capsys.disabled():
        print(f"\n{count} sources, no change: {seconds:.2f} s of processor time")
    assert seconds <= 3 or count < 50_000


WATCHED = """
import json, resource, sys
opened = []
sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == "open" else None)
from spanwise.doors.cli import main
try:
    main()
finally:
    mine = resource.getrusage(resource.RUSAGE_SELF)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = mine.ru_utime + mine.ru_stime + children.ru_utime + children.ru_stime
    print(json.dumps([opened, used]), file=sys.stderr)
"""


def test_a_document_without_a_suffix_is_looked_into_once(here: Path) -> None:
    write(Path("docs/plain"), "%PDF-1.4\nnot really\n")
    asked = []

    def known(source: str, status: os.stat_result) -> bool:
        asked.append((source, status.st_size))
        return True

    found = find_sources(["docs"], known)
    assert asked == [("docs/plain", 20)]
    assert "docs/plain" in [file.source for file in found.files]


# Two runs at once


def test_two_runs_do_not_meet(here: Path) -> None:
    with Lock(Path(".spanwise/manifest.db.lock")):
        for arguments in (["sync", "docs", *OUTPUTS], ["ack", "x"]):
            done = spanwise_command(*arguments)
            assert done.returncode == 1
            assert done.stderr == (
                "error: .spanwise/manifest.db.lock: another run is at work "
                f"(process {os.getpid()})\n"
            )
        assert spanwise_command("status").returncode == 0
    assert sync()["read"] == 0


def test_the_lock_goes_with_the_process_not_with_its_workers(here: Path) -> None:
    for number in range(600):
        write(Path(f"docs/{number}.md"), "# x\n\n" + f"word {number} " * 4000)
    process = subprocess.Popen(command("sync", "docs", *OUTPUTS, "--jobs", "2"), env=environment())
    while not Path(".delta.jsonl.sync.tmp").exists() or not workers_of(process.pid):
        assert process.poll() is None
        time.sleep(0.005)
    process.kill()
    process.wait()
    with Lock(Path(".spanwise/manifest.db.lock")):
        pass


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no processes are forked")
def test_a_lock_that_a_worker_of_a_dead_process_still_holds(here: Path) -> None:
    """Killed before the worker has taken its first step, which is to let go of the lock."""
    fcntl = pytest.importorskip("fcntl")
    code = (
        "import os, sys, time; from pathlib import Path; from spanwise.store import locking; "
        "lock = locking.Lock(Path(sys.argv[1])).__enter__(); locking._held.clear(); "
        "time.sleep(0.3) if os.fork() == 0 else None; os._exit(0)"
    )
    path = Path(".spanwise/manifest.db.lock")
    subprocess.run([sys.executable, "-c", code, str(path)], env=environment(), check=True)
    with pytest.raises(BlockingIOError), path.open() as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    with Lock(path):
        pass


def workers_of(pid: int) -> str:
    found = Path(f"/proc/{pid}/task/{pid}/children")
    if not found.exists():
        pytest.skip("no /proc to see workers in")
    return found.read_text()


# Outputs and manifests


def test_a_manifest_has_one_output(here: Path) -> None:
    answer = invoke("sync", "docs", "-o", "other.jsonl", "--delta", "delta.jsonl", "--json")
    assert answer.exit_code == 1
    assert json.loads(answer.stdout)["error"]["message"] == (
        "out: .spanwise/manifest.db belongs to ../chunks.jsonl, not to ../other.jsonl: "
        "name another one with --manifest"
    )
    mine = ["--manifest", ".spanwise/other.db"]
    done = invoke("sync", "docs", "-o", "other.jsonl", "--delta", "other-delta.jsonl", *mine)
    assert done.exit_code == 0
    assert Path("other.jsonl").read_bytes() == Path("chunks.jsonl").read_bytes()


def test_all_of_it_can_be_moved(here: Path, tmp_path: Path) -> None:
    shutil.copytree(tmp_path, tmp_path / "moved" / "here", dirs_exist_ok=True,
                    ignore=shutil.ignore_patterns("moved"))  # fmt: skip
    os.chdir(tmp_path / "moved" / "here")
    assert said("docs")["read"] == 0


@pytest.mark.parametrize(
    ("out", "told", "message"),
    [
        ("docs/a.md", "delta.jsonl", "out: .* belongs to"),
        ("chunks.jsonl", "docs/a.md", "docs/a.md would replace the input docs/a.md"),
        ("chunks.jsonl", "chunks.jsonl", "have to be three files"),
        ("chunks.jsonl", ".spanwise/manifest.db", "have to be three files"),
        ("chunks.jsonl", "no/delta.jsonl", "cannot write .*no/delta.jsonl: no such file"),
        ("chunks.jsonl", "docs", "cannot write .*docs: is a directory"),
        ("-", "delta.jsonl", "reads and writes files"),
    ],
)
def test_outputs_that_cannot_be(here: Path, out: str, told: str, message: str) -> None:
    edit(Path("docs/a.md"), lambda text: text + "\n# New\n")
    before = everything()
    done = invoke("sync", "docs", "-o", out, "--delta", told)
    assert done.exit_code in (1, 2)
    assert re.search(message, done.stderr), done.stderr
    assert everything() == before


def everything() -> dict[str, bytes]:
    """All files with what is in them, but for the lock."""
    return {
        path.as_posix(): path.read_bytes()
        for path in Path().rglob("*")
        if path.is_file() and path.suffix != ".lock"
    }


def test_a_first_run_that_waited_and_one_that_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The output is there already, though nothing is committed yet."""
    monkeypatch.chdir(tmp_path)
    write(Path("docs/a.md"), "# A\n\nx\n")
    sync("--pending")
    whole = Path("chunks.jsonl").read_bytes()
    assert sync()["upserts"] == 1
    assert Path("chunks.jsonl").read_bytes() == whole == lines_of(chunks_now(documents()))


def test_the_same_changes_again_after_others(here: Path) -> None:
    """A run that comes back is the one that waits, though another was told in between."""
    before = Path("docs/a.md").read_bytes().decode()
    edit(Path("docs/a.md"), lambda text: text + "\n# New\n\nx\n")
    after = Path("docs/a.md").read_bytes().decode()
    first = said("docs", "--pending")["run"]
    write(Path("docs/a.md"), before)
    assert said("docs", "--pending")["run"] != first
    write(Path("docs/a.md"), after)
    assert said("docs", "--pending")["run"] == first
    assert invoke("ack", first).exit_code == 0
    assert said("docs")["upserts"] == 0
    assert Delta().summary["bases"] == [first]


def test_nothing_to_sync(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("empty").mkdir()
    done = invoke("sync", "empty", *OUTPUTS)
    assert (done.exit_code, done.stderr) == (1, "error: no documents in empty\n")
    done = invoke("sync", "no", *OUTPUTS)
    assert (done.exit_code, done.stderr) == (1, "error: no: no such file or directory\n")
    assert not Path("chunks.jsonl").exists()
    done = invoke("status")
    assert done.exit_code == 1
    assert "nothing was synced yet" in done.stderr
    assert invoke("ack", "x", "--manifest", "no.db").exit_code == 1


def test_a_manifest_that_is_none(here: Path) -> None:
    chunks = Path("chunks.jsonl").read_bytes()
    path = Path(".spanwise/manifest.db")
    path.write_bytes(b"not a database at all" * 300)
    for arguments in (["sync", "docs", *OUTPUTS], ["status"], ["ack", "x"]):
        done = invoke(*arguments)
        assert done.exit_code == 1
        assert done.stderr == "error: cannot read .spanwise/manifest.db: file is not a database\n"
    path.unlink()
    other = sqlite3.connect(path)
    other.execute("PRAGMA user_version = 99")
    other.close()
    done = invoke("sync", "docs", *OUTPUTS)
    assert "not a manifest that this version reads (format 99, not 1)" in done.stderr
    assert Path("chunks.jsonl").read_bytes() == chunks
    path.unlink()
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE mine (x)")
    other.close()
    assert "(format 0, not 1)" in invoke("sync", "docs", *OUTPUTS).stderr
    path.unlink()
    assert said("docs")["upserts"] == 6  # a new store, as far as anybody knows
    assert Path("chunks.jsonl").read_bytes() == chunks


def test_chunks_that_are_lost_and_out_of_reach(here: Path) -> None:
    Path("chunks.jsonl").unlink()
    answer = said("docs/a.md", status=1)
    assert "the lines of docs/b.md are not as the last run left them" in answer["error"]["message"]
    assert not Path("chunks.jsonl").exists()
    said("docs")
    assert len(sources()) == 3


# A disk that is full, a folder that is read-only


def assert_old_state_then_finish(
    done: "subprocess.CompletedProcess[str]", old: bytes, store: Store
) -> None:
    """A run that failed left the old chunks; when there is room, the next one does it all."""
    assert done.returncode == 1
    assert done.stderr.startswith("error: cannot write "), done.stderr
    assert Path("chunks.jsonl").read_bytes() == old
    assert Delta().summary["run"] == store.last
    assert not list(Path().glob(".*.tmp"))


def finish(store: Store) -> None:
    sync()
    store.load(Delta())
    expected = chunks_now(documents())
    assert Path("chunks.jsonl").read_bytes() == lines_of(expected)
    assert store.rows() == by_id(expected)


def grow() -> None:
    """Changes that make every file grow."""
    for number in range(30):
        write(Path(f"docs/new/{number}.md"), f"# {number}\n\nwords\n" * 20)
    edit(Path("docs/a.md"), lambda text: f"# First\n\nx\n\n{text}")


@pytest.mark.parametrize("limit", [0, 100, 4096, 16384, 40000, 100_000])
def test_files_that_may_not_grow(here: Path, limit: int) -> None:
    pytest.importorskip("resource")
    store = Store()
    store.load(Delta())
    old = Path("chunks.jsonl").read_bytes()
    grow()
    code = (
        "import resource, sys; limit = int(sys.argv.pop(1)); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)); "
        "from spanwise.doors.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(limit), "sync", "docs", *OUTPUTS],
        env=environment(), capture_output=True, text=True,
    )  # fmt: skip
    assert_old_state_then_finish(done, old, store)
    finish(store)


@pytest.fixture
def small_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A disk of 2 MB, where this process may mount one, that holds what was synced."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(place)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("this process may not mount a file system")
    try:
        monkeypatch.chdir(place)
        fill()
        yield place
    finally:
        os.chdir(tmp_path)
        subprocess.run(["umount", str(place)], check=True)


def test_a_full_disk(small_disk: Path) -> None:
    """With every amount of room from none to enough."""
    store = Store()
    store.load(Delta())
    old = Path("chunks.jsonl").read_bytes()
    grow()
    room = 0
    failures = 0
    while True:
        Path("ballast").touch()
        free = os.statvfs(".").f_bavail * os.statvfs(".").f_frsize
        Path("ballast").write_bytes(bytes(free - room))
        done = spanwise_command("sync", "docs", *OUTPUTS)
        if done.returncode == 0:
            break
        assert_old_state_then_finish(done, old, store)
        failures += 1
        Path("ballast").unlink()
        room += 4096 if ALL else 20480
    Path("ballast").unlink()
    assert failures > 5
    store.load(Delta())
    finish(store)


def test_a_full_disk_with_parquet(small_disk: Path) -> None:
    """The same, where chunks go from one Parquet file to another."""
    pytest.importorskip("pyarrow")
    outputs = ("-o", "c.parquet", "--delta", "d.jsonl", "--manifest", "m/manifest.db")
    sync(*outputs)
    old = Path("c.parquet").read_bytes(), Path("d.jsonl").read_bytes()
    names = {path.name for path in Path().iterdir()}
    grow()
    room = failures = 0
    while True:
        free = os.statvfs(".").f_bavail * os.statvfs(".").f_frsize
        Path("ballast").write_bytes(bytes(free - room))
        done = spanwise_command("sync", "docs", *outputs)
        Path("ballast").unlink()
        if done.returncode == 0:
            break
        assert done.returncode == 1
        assert done.stderr.startswith("error: cannot write "), done.stderr
        assert (Path("c.parquet").read_bytes(), Path("d.jsonl").read_bytes()) == old
        assert {path.name for path in Path().iterdir()} == names
        failures += 1
        room += 4096 if ALL else 20480
    assert failures > 3
    assert held_in(Path("c.parquet")) == lines_of(chunks_now(documents()))


def test_a_folder_that_is_read_only_with_parquet(small_disk: Path) -> None:
    pytest.importorskip("pyarrow")
    outputs = ("-o", "p/c.parquet", "--delta", "p/d.jsonl", "--manifest", "p/manifest.db")
    Path("p").mkdir()
    sync(*outputs)
    old = Path("p/c.parquet").read_bytes(), Path("p/d.jsonl").read_bytes()
    grow()
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    done = spanwise_command("sync", "docs", *outputs)
    assert done.returncode == 1
    assert re.match(r"error: cannot write .*: read-only file system", done.stderr), done.stderr
    assert (Path("p/c.parquet").read_bytes(), Path("p/d.jsonl").read_bytes()) == old
    subprocess.run(["mount", "-o", "remount,rw", str(small_disk)], check=True)
    sync(*outputs)
    assert held_in(Path("p/c.parquet")) == lines_of(chunks_now(documents()))


def test_a_folder_that_is_read_only(small_disk: Path) -> None:
    store = Store()
    store.load(Delta())
    old = Path("chunks.jsonl").read_bytes()
    grow()
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    done = spanwise_command("sync", "docs", *OUTPUTS)
    assert "read-only file system" in done.stderr
    assert_old_state_then_finish(done, old, store)
    status = spanwise_command("status")
    assert status.returncode == 0, status.stderr
    assert len(status.stdout.splitlines()) == 31
    subprocess.run(["mount", "-o", "remount,rw", str(small_disk)], check=True)
    finish(store)


# The set operation

states = st.dictionaries(
    st.binary(min_size=1, max_size=1), st.integers(0, 2).map(lambda n: b"%d" % n)
)


@given(st.lists(states, min_size=1, max_size=4), states, st.randoms(use_true_random=False))
def test_a_delta_is_right_for_every_mixture(
    before: list[dict[bytes, bytes]], new: dict[bytes, bytes], chance: Any
) -> None:
    """Whatever part of earlier deltas a store has loaded, this one brings it to `new`."""
    changes = delta(before, new)
    held = {}
    for key in set().union(*before):
        value = chance.choice(before).get(key)
        if value is not None:
            held[key] = value
    for _ in range(2):
        for key in changes.deletes:
            held.pop(key, None)
        for key in changes.moves:
            assert key in held
            held[key] = new[key]
        for key in changes.upserts:
            held[key] = new[key]
        assert held == new
    shuffled = list(new.items())
    chance.shuffle(shuffled)
    assert delta(list(reversed(before)), dict(shuffled)) == changes
    if len(before) == 1:
        assert changes.upserts == new.keys() - before[0].keys()


@given(st.text(st.characters(exclude_categories=["Cs"])), st.text(min_size=1, max_size=20))
def test_ids_are_found_in_lines(text: str, name: str) -> None:
    hostile = f'{name}","chunk_id":"'.encode("utf-8", "replace").decode()
    rows = chunk_rows(f"# {text}\n\n{text}", hostile, ChunkOptions())
    lines = json_lines(rows).splitlines()
    assert [chunk_id(line).hex() for line in lines] == [row["chunk_id"] for row in rows]
    assert [key.hex() for key in unpack(pack(lines))] == [row["chunk_id"] for row in rows]
