"""`spanwise sync` killed at any moment: nothing half under a final name, nothing lost or doubled.

After each kill the chunks are those of before or after, the delta is whole, and the manifest
explains the chunks that are there. A store that loads every delta it sees, also those of killed
runs, and one that loads after success only and says so, both end up with just the rows of the
sources. The chunks are JSON lines or Parquet.
"""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from spanwise.store.delta import unpack
from spanwise.store.manifest import Manifest
from spanwise.store.outputs import Held
from spanwise.store.runs import held_lines
from tests.sync_world import (
    ALL,
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

MOMENTS = 200 if ALL else 12
JSONL = Path("chunks.jsonl")
PARQUET = Path("chunks.parquet")

pytestmark = pytest.mark.skipif(os.name != "posix", reason="kills with SIGKILL")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(params=[JSONL, PARQUET], ids=["jsonl", "parquet"])
def out(request: pytest.FixtureRequest, here: Path) -> Path:
    """Where the chunks go."""
    path: Path = request.param
    if path == PARQUET:
        pytest.importorskip("pyarrow")
    return path


def outputs(out: Path) -> list[str]:
    return ["-o", str(out), "--delta", "delta.jsonl"]


def final(out: Path) -> set[str]:
    """What is there after a run that ended well."""
    return {"docs", out.name, "delta.jsonl", ".spanwise"}


def make_documents(chance: random.Random) -> None:
    for number in range(40):
        write(Path(f"docs/{number % 7}/{number:02}.md"), text_of(chance))


def text_of(chance: random.Random) -> str:
    sections = [f"# S{i}\n\n" + "word " * chance.randrange(200) for i in range(chance.randrange(8))]
    return "\n\n".join(sections)


def change(chance: random.Random) -> None:
    """Edit, remove and add some documents."""
    for path in chance.sample(documents(), 6):
        if chance.random() < 0.3 and len(documents()) > 20:
            path.unlink()
        else:
            edit(path, lambda text: f"# New {chance.random()}\n\nx\n\n{text}")
    for _ in range(chance.randrange(4)):
        write(Path(f"docs/{chance.randrange(9)}/{chance.random()}.md"), text_of(chance))


def killed(chance: random.Random, usual: float, *arguments: str) -> bool:
    """Start a command and kill it at some moment; whether it was still at work.

    Every other time that is soon after it began to write, since the rest takes longest.
    """
    before = signs()
    process = subprocess.Popen(
        command(*arguments), env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    started = time.monotonic()
    if chance.random() < 0.5:
        while process.poll() is None and signs() == before:
            time.sleep(0.0005)
        time.sleep(chance.uniform(0, 0.05))
    else:
        time.sleep(max(0, started + usual * chance.uniform(0.2, 1.05) - time.monotonic()))
    process.kill()
    return process.wait() == -signal.SIGKILL


def signs() -> list[int]:
    """What is other as soon as a command has begun to write."""
    paths = map(Path, (".delta.jsonl.sync.tmp", ".spanwise/manifest.db-journal"))
    return [path.stat().st_mtime_ns if path.exists() else 0 for path in paths]


def assert_whole(out: Path, states: list[bytes | None]) -> None:
    """What is under a final name is whole, the chunks are one of `states`, and it fits together."""
    temporary = {f".{out.name}.sync.tmp", ".delta.jsonl.sync.tmp"}
    assert {path.name for path in Path().iterdir()} <= final(out) | temporary
    found = held_in(out) if out.exists() else None
    assert found in states
    if Path("delta.jsonl").exists():
        Delta()
    manifest_path = Path(".spanwise/manifest.db")
    if not manifest_path.exists():
        assert found is None
        return
    with Manifest(manifest_path) as manifest:
        held, as_left = held_lines(manifest, str(out))
        if found is None:
            assert manifest.head is None
            return
        assert as_left
        assert_explained(manifest, held, out)


def assert_explained(manifest: Manifest, held: Held, out: Path) -> None:
    """The manifest knows each line that is there, and the id of each chunk."""
    held.check()
    held.close()
    assert not held.broken
    ids = [
        one.hex() for source in held.starts for one in unpack(manifest.packed(held.entries[source]))
    ]
    assert ids == [row["chunk_id"] for row in read_rows(out)]


def assert_done(store: Store, out: Path) -> None:
    """A run that ended well: everything is what the sources say, and nothing else is there."""
    expected = chunks_now(documents())
    assert held_in(out) == lines_of(expected)
    assert_whole(out, [lines_of(expected)])
    assert {path.name for path in Path().iterdir()} == final(out)
    assert store.rows() == by_id(expected)


@pytest.mark.parametrize("mode", ["every delta", "pending"])
def test_kills_at_random_moments(out: Path, mode: str, capsys: pytest.CaptureFixture[str]) -> None:
    chance = random.Random(mode)
    pending = ["--pending"] if mode == "pending" else []
    # A process that writes Parquet takes longer.
    moments = MOMENTS if ALL or out == JSONL else MOMENTS // 2
    make_documents(chance)
    started = time.monotonic()
    sync(*outputs(out))
    usual = time.monotonic() - started
    store = Store()
    store.load(Delta())
    kills = 0
    left_open = 0
    good: bytes | None = held_in(out)
    while kills < moments:
        if chance.random() < 0.1:  # also the first run of all
            for path in (*Path(".spanwise").iterdir(), out, Path("delta.jsonl")):
                path.unlink()
            store, good = Store(), None
        states = [good]
        for _ in range(chance.choice((1, 1, 2, 3))):
            change(chance)
            states.append(lines_of(chunks_now(documents())))
            jobs = ["--jobs", chance.choice("12")]
            kills += killed(chance, usual, "sync", "docs", *outputs(out), *pending, *jobs)
            assert_whole(out, states)
            left_open += open_run()
            if mode == "every delta" and Path("delta.jsonl").exists():
                store.load(Delta())
        said = sync(*outputs(out), *pending)
        store.load(Delta())
        if mode == "pending" and said["pending"]:
            kills += killed(chance, usual, "ack", said["run"])
            done = spanwise_command("ack", said["run"])
            assert done.returncode == 0, done.stderr
        assert_done(store, out)
        good = states[-1]
    with capsys.disabled():
        print(f"\n{mode}, {out}: {kills} kills, {left_open} of them left a run open")


def open_run() -> bool:
    path = Path(".spanwise/manifest.db")
    if not path.exists():
        return False
    with Manifest(path) as manifest:
        return bool(manifest.open_runs)


STEPS = """
import os, signal, sys
from spanwise.doors.cli import main
left = int(sys.argv.pop(1))
calls = {"write", "flush", "fsync", "replace", "unlink", "execute", "executemany", "mkdir"}

def profile(frame, event, function):
    global left
    if event != "c_call" or function.__name__ not in calls:
        return
    left -= "/spanwise/" in frame.f_code.co_filename
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)

sys.setprofile(profile)
main()
"""


def test_kills_before_every_write(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each call that writes, names or removes something is once the one that is not reached."""
    chance = random.Random(1)
    write(Path("docs/a.md"), "# A\n\nx\n\n# B\n\ny\n")
    write(Path("docs/b.md"), "# C\n\nx\n")
    store = Store()
    good: bytes | None = None
    step = 0
    while True:
        step += 1 if ALL else 3 if out == JSONL else 13
        edit(Path("docs/a.md"), lambda text: f"# New {chance.random()}\n\nx\n\n{text[-200:]}")
        other = Path(f"docs/{step}.md")
        write(other, f"# {step}\n\nx\n")
        first = lines_of(chunks_now(documents()))
        done = subprocess.run(
            [sys.executable, "-c", STEPS, str(step), "sync", "docs", *outputs(out)],
            env=environment(), capture_output=True, text=True,
        )  # fmt: skip
        if done.returncode == 0:
            break
        assert done.returncode == -signal.SIGKILL, done.stderr
        assert_whole(out, [good, first])
        if Path("delta.jsonl").exists():
            store.load(Delta())
        other.unlink()
        sync(*outputs(out))
        store.load(Delta())
        assert_done(store, out)
        good = lines_of(chunks_now(documents()))
    with capsys.disabled():
        print(f"\n{out}: {step} calls that write")
    assert step > 40
