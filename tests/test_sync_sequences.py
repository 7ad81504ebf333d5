"""`spanwise sync` in long random sequences: runs that wait, fail, overlap, and stores half loaded.

Whatever happened before, after a run over the whole folder that ends well the chunks are those of
the sources, and a store that loads its delta holds just them.
"""

import json
import os
import random
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from spanwise.doors.cli import main
from spanwise.files import AtomicFile
from spanwise.store.manifest import Manifest
from tests.sync_world import (
    ALL,
    LONG_AGO,
    OUTPUTS,
    Delta,
    Store,
    by_id,
    chunks_now,
    documents,
    lines_of,
    write,
)

SEEDS = 200 if ALL else 6
STEPS = 60


class Failed(Exception):
    """What stops a run that is to be stopped."""


class Sequence:
    """One random life of a folder and its store."""

    def __init__(self, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
        self.chance = random.Random(seed)
        self.monkeypatch = monkeypatch
        self.store = Store()
        self.options: list[str] = []
        self.clock = LONG_AGO
        for number in range(8):
            self.write(Path(f"docs/{number % 3}/{number}.md"), self.text())

    def write(self, path: Path, text: str) -> None:
        """Write a file, at a time that no other one has."""
        write(path, text)
        self.clock += 1
        os.utime(path, (self.clock, self.clock))

    def text(self) -> str:
        chance = self.chance
        words = [f"# S{chance.randrange(4)}\n\nword {chance.randrange(3)}\n" for _ in range(4)]
        return "\n".join(words[: chance.randrange(5)])

    def change(self) -> None:
        """Edit, touch, remove, rename or add a document; some texts come again."""
        chance = self.chance
        files = documents()
        path = chance.choice(files)
        what = chance.randrange(5)
        if what == 0 and len(files) > 3:
            path.unlink()
        elif what == 1 and len(files) > 3:
            path.rename(path.with_name(f"{chance.randrange(100)}.md"))
        elif what == 2:
            path = Path(f"docs/{chance.randrange(3)}/{chance.randrange(20)}.md")
            self.write(path, self.text())
        elif what == 3:
            self.write(path, path.read_text(encoding="utf-8"))
        else:
            self.write(path, self.text())

    def run(self, paths: list[str], *more: str) -> dict[str, Any] | None:
        """Sync; what it says, or None where it failed."""
        arguments = ["sync", *paths, *OUTPUTS, *self.options, "--json", *more]
        done = CliRunner().invoke(main, arguments)
        said: dict[str, Any] = json.loads(done.stdout)
        if done.exit_code:
            assert said["error"]["message"].startswith(("Failed", "chunks.jsonl: the lines of"))
            return None
        return said

    def failing(self, paths: list[str]) -> None:
        """A run that stops at one of the last steps, as if killed there."""
        place = self.chance.choice(["settle", "place", "stage", "commit"])
        target: type[Any] = AtomicFile if place in ("settle", "place") else Manifest
        honest = getattr(target, place)
        left = self.chance.randrange(1, 3)

        def fails(*arguments: Any) -> Any:
            nonlocal left
            left -= 1
            if left == 0:
                raise Failed
            return honest(*arguments)

        with self.monkeypatch.context() as patched:
            patched.setattr(target, place, fails)
            said = self.run(paths)
        if said is None:
            self.load_some()
        else:  # it got by, and counts
            self.store.load(Delta())

    def load_some(self) -> None:
        """Load a part of the delta there is, in the order it has."""
        if Path("delta.jsonl").exists():
            delta = Delta()
            known = delta.summary["run"] != self.store.last
            if known and self.store.last in delta.summary["bases"]:
                delta.ops = delta.ops[: self.chance.randrange(len(delta.ops) + 1)]
                self.store.apply(delta)

    def damage(self) -> None:
        """Let the output be gone or another one."""
        path = Path("chunks.jsonl")
        if path.exists():
            if self.chance.random() < 0.5:
                path.unlink()
            else:
                path.write_bytes(path.read_bytes()[self.chance.randrange(2) :])

    def step(self) -> None:
        """One thing that happens."""
        chance = self.chance
        what = chance.random()
        if what < 0.45:
            self.change()
        elif what < 0.50:
            self.options = chance.choice([[], ["--unit", "utf8"], ["--prefix-path"]])
        elif what < 0.55:
            self.damage()
        elif what < 0.65:
            self.failing(chance.choice([["docs"], ["docs/1"]]))
        elif what < 0.70 and Path("docs/1").exists():
            self.run(["docs/1"], "--pending")
            self.load_some()
        elif what < 0.85:
            said = self.run(["docs"], "--pending")
            assert said is not None
            self.arrived(chance.random() < 0.5 and said["pending"], said["run"])
        else:
            said = self.run(["docs"])
            assert said is not None
            self.arrived(True, said["run"])

    def arrived(self, wholly: bool, run: str) -> None:
        """A run over the whole folder ended well: check it, and perhaps acknowledge it."""
        rows = chunks_now(documents(), **self.keywords())
        assert Path("chunks.jsonl").read_bytes() == lines_of(rows)
        assert Delta().summary["run"] == run
        if not wholly:
            self.load_some()
            return
        self.store.load(Delta())
        assert self.store.rows() == by_id(rows)
        assert CliRunner().invoke(main, ["ack", run]).exit_code == 0

    def keywords(self) -> dict[str, Any]:
        """The options as the library has them."""
        if not self.options:
            return {}
        return {"unit": "utf8"} if self.options[0] == "--unit" else {"prefix_path": True}


@pytest.mark.parametrize("seed", range(SEEDS))
def test_sequences(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    sequence = Sequence(seed, monkeypatch)
    for _ in range(STEPS):
        sequence.step()
    said = sequence.run(["docs"])
    assert said is not None
    sequence.arrived(True, said["run"])
