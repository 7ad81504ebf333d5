"""Reading chunks and deltas: whole or not at all, in batches, as they were when opened."""

import json
import os
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import spanwise
from spanwise import InvalidInput, UnreadableSource
from tests.sync_world import edit, read_rows, sync, write


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks of two documents, and the delta of an edit that has changes of all kinds."""
    monkeypatch.chdir(tmp_path)
    sections = "".join(f"## {number}\n\nText {number}.\n\n" for number in range(10))
    write(Path("docs/a.md"), f"# A\n\nFirst.\n\n{sections}")
    write(Path("docs/b.md"), "# B\n\nSecond.\n")
    sync()
    Path("delta.jsonl").rename("first.jsonl")
    edit(Path("docs/a.md"), lambda text: text.replace("First.", "Upserted.\n\nIt has more lines."))
    Path("docs/b.md").unlink()
    sync()


@pytest.mark.usefixtures("world")
def test_a_delta_in_batches() -> None:
    lines = [json.loads(line) for line in Path("delta.jsonl").read_text().splitlines()]
    with spanwise.read_delta("delta.jsonl") as delta:
        assert (delta.upserts, delta.deletes, delta.moves, delta.chunks) == (1, 2, 10, 11)
        for op in ("upsert", "delete", "move"):
            wanted = [line for line in lines if line["op"] == op]
            for size in (1, 3, 10, 1000):
                batches = list(delta.batches(op, size))
                assert [row | {"op": op} for batch in batches for row in batch] == wanted
                assert all(len(batch) == size for batch in batches[:-1])
                assert 1 <= len(batches[-1]) <= size
        # Two at once do not disturb each other.
        pairs = zip(delta.batches("move", 1), delta.batches("move", 1), strict=True)
        assert all(one == other for one, other in pairs)


@pytest.mark.usefixtures("world")
def test_what_a_delta_follows() -> None:
    with spanwise.read_delta("first.jsonl") as first, spanwise.read_delta("delta.jsonl") as second:
        assert first.bases == [None]
        assert [first.follows(run) for run in (None, first.run, second.run, "")] == [
            True, True, False, False,
        ]  # fmt: skip
        assert [second.follows(run) for run in (None, first.run, second.run)] == [
            False, True, True,
        ]  # fmt: skip
        second.check_count(11)
        with pytest.raises(InvalidInput, match="holds 12 chunks after run") as raised:
            second.check_count(12)
        assert raised.value.details == {"found": 12, "wanted": 11}


@pytest.mark.usefixtures("world")
def test_a_run_in_between_does_not_change_what_is_read() -> None:
    with spanwise.read_delta("delta.jsonl") as delta:
        os.replace("first.jsonl", "delta.jsonl")  # noqa: PTH105
        assert sum(len(batch) for batch in delta.batches("upsert")) == 1


@pytest.mark.usefixtures("world")
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: b"", "does not end in a summary"),
        (lambda data: data[:-1], "does not end in a summary"),
        (lambda data: data[: data.rindex(b"\n", 0, -1) + 1], "does not end in a summary"),
        (lambda data: data[data.index(b"\n") + 1 :], "its lines have the SHA-256"),
        (lambda data: data.replace(b"Upserted", b"Inserted"), "its lines have the SHA-256"),
    ],
)
def test_a_delta_that_is_not_whole(change: Any, message: str) -> None:
    data = Path("delta.jsonl").read_bytes()
    assert data.count(sha256(data[: data.rindex(b"\n", 0, -1) + 1]).hexdigest().encode()) == 1
    Path("delta.jsonl").write_bytes(change(data))
    with pytest.raises(InvalidInput, match=f"^delta.jsonl: .*{message}"):
        spanwise.read_delta("delta.jsonl")


@pytest.mark.usefixtures("world")
def test_chunks_in_batches() -> None:
    assert [len(batch) for batch in spanwise.read_chunks("chunks.jsonl", 4)] == [4, 4, 3]
    assert [row for batch in spanwise.read_chunks("chunks.jsonl") for row in batch] == read_rows()
    with Path("chunks.jsonl").open("a") as file:
        file.write('{"id": "a.md#')
    with pytest.raises(InvalidInput, match=r"chunks\.jsonl: a line is not JSON"):
        list(spanwise.read_chunks("chunks.jsonl"))


def test_files_that_are_not_there() -> None:
    with pytest.raises(UnreadableSource, match=r"none\.jsonl: no such file"):
        spanwise.read_delta("none.jsonl")
    with pytest.raises(UnreadableSource, match=r"none\.jsonl: no such file"):
        list(spanwise.read_chunks("none.jsonl"))
