"""`spanwise sync`: after every kind of change, exactly the delta that two full lists give."""

import json
import os
import shutil
from collections import Counter
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

import spanwise
from spanwise import Section
from spanwise.formats import Settings
from spanwise.formats.sniffing import DOCX
from spanwise.markdown.options import ChunkOptions
from spanwise.store.scanning import config_id
from tests.shared_data import DATA, needs_data
from tests.sync_world import (
    ALL,
    LONG_AGO,
    Delta,
    Row,
    Store,
    by_id,
    chunks_now,
    documents,
    edit,
    lines_of,
    read_rows,
    spanwise_command,
    sync,
    write,
    write_documents,
)

pytestmark = needs_data


@pytest.fixture(scope="module")
def synced(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Real documents that were synced once, with the output that a full run gives."""
    folder = tmp_path_factory.mktemp("synced")
    before = Path.cwd()
    os.chdir(folder)
    try:
        write_documents(Path("docs"))
        said = sync()
        assert said["sources"]["added"] == len(documents()) == (2775 if ALL else 150)
        assert lines_of(chunks_now(documents())) == Path("chunks.jsonl").read_bytes()
    finally:
        os.chdir(before)
    return folder


@pytest.fixture
def world(synced: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> "World":
    """A copy of it, and a store that has loaded the first delta."""
    shutil.copytree(synced, tmp_path / "world", dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path / "world")
    return World()


class World:
    """The folder at hand, and what was in it."""

    def __init__(self) -> None:
        self.store = Store()
        assert self.store.load(Delta())
        self.rows = by_id(read_rows())
        assert self.store.rows() == self.rows

    def follow(self, changed: list[Path], *arguments: str, **options: Any) -> Delta:
        """Sync, and compare all that comes of it with two full lists of rows.

        `changed` are the files that are not as they were, also those that are gone.
        """
        names = {path.as_posix() for path in changed}
        there = [path for path in changed if path.exists()]
        kept = [row for row in self.rows.values() if row["source"] not in names]
        now = kept + chunks_now(there, **options)
        now.sort(key=lambda row: (row["source"].split("/"), row["index"]))
        new = by_id(now)
        said = sync(*arguments)
        assert Path("chunks.jsonl").read_bytes() == lines_of(now)
        delta = Delta()
        assert_delta(delta, self.rows, new)
        assert said["count"] == len(new)
        assert delta.summary["unchanged"] == len(new) - said["upserts"] - said["moves"]
        self.store.load(delta)
        assert self.store.rows() == new
        self.store.apply(delta)
        assert self.store.rows() == new
        again = sync(*arguments)
        assert (again["upserts"], again["deletes"], again["moves"]) == (0, 0, 0)
        assert again["run"] == said["run"]
        self.rows = new
        return delta


def assert_delta(delta: Delta, old: dict[str, Row], new: dict[str, Row]) -> None:
    """The delta holds what differs between two lists of rows, each thing once."""
    assert by_id(delta.named("upsert")) == {key: new[key] for key in new.keys() - old.keys()}
    deletes = by_id(delta.named("delete"))
    assert deletes.keys() == old.keys() - new.keys()
    for key, line in deletes.items():
        assert (line["doc_id"], line["source"]) == (old[key]["doc_id"], old[key]["source"])
    moved = {key: new[key] for key in old.keys() & new.keys() if old[key] != new[key]}
    assert by_id(delta.named("move")) == {
        key: {name: value for name, value in row.items() if name != "text"}
        for key, row in moved.items()
    }
    assert all(old[key]["text"] == row["text"] for key, row in moved.items())
    assert_order(delta)


def assert_order(delta: Delta) -> None:
    """Sources in the order of their names; deletes, upserts and moves of each in that order."""
    order = [(line["source"].split("/"), "dum".index(line["op"][0])) for line in delta.ops]
    assert order == sorted(order)


def reasons(delta: Delta) -> set[str]:
    return {line["reason"] for line in delta.named("delete")}


def second_section(text: str) -> Section | None:
    """The second section with a heading, or None."""
    found = [section for section in spanwise.sections(text) if section["level"]]
    return found[1] if len(found) > 1 else None


def with_a_section(text: str) -> str:
    """The text with a small section near its top, on the level of the one that follows it."""
    section = second_section(text)
    if section is None:
        return text + "\n\n# A new section\n\nIt has a few words.\n"
    new = "#" * section["level"] + " A new section\n\nIt has a few words.\n\n"
    return text[: section["start"]] + new + text[section["start"] :]


def test_an_inserted_section_changes_few_ids(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    """The share is that of real documentation; fixtures of parsers are hardly longer than this."""
    files = documents()
    for path in files:
        edit(path, with_a_section)
    delta = world.follow(files)
    counted = [row for row in world.rows.values() if not row["source"].startswith("docs/nasty")]
    fresh = [row for row in delta.named("upsert") if not row["source"].startswith("docs/nasty")]
    share = len(fresh) / len(counted)
    moved = len(delta.named("move")) / len(world.rows)
    with capsys.disabled():
        print(f"\ninserted: {share:.1%} of {len(counted)} ids are new, {moved:.0%} of all moved")
    assert share <= 0.10
    assert reasons(delta) <= {"changed"}


def test_an_edit_changes_its_chunk(world: World) -> None:
    files = [path for path in documents() if path.read_bytes().strip()][::3]
    for path in files:
        edit(path, lambda text: text.rstrip() + " and one more word\n")
    delta = world.follow(files)
    assert reasons(delta) == {"changed"}
    assert len(delta.named("upsert")) < 2 * len(files)


def test_a_renamed_section_takes_those_below_it_along(world: World) -> None:
    files = []
    for path in documents():
        text = path.read_bytes().decode()
        section = second_section(text)
        if section and text.startswith("## ", section["start"]):
            write(path, text[: section["start"]] + "## Renamed " + text[section["start"] + 3 :])
            files.append(path)
    assert files
    delta = world.follow(files)
    assert reasons(delta) == {"changed"}
    assert all(any("Renamed" in part for part in row["heading_path"]) or row["part"] != 1
               for row in delta.named("upsert") if row["kind"] == "section")  # fmt: skip


def test_touching_changes_nothing(world: World) -> None:
    for path in documents():
        os.utime(path, (LONG_AGO + 99, LONG_AGO + 99))
    before = Path("chunks.jsonl").stat()
    assert Delta().summary["run"] == world.follow([]).summary["run"]
    assert Path("chunks.jsonl").stat() == before
    assert sync()["read"] == 0


def test_other_offsets_are_moves(world: World) -> None:
    delta = world.follow(documents(), "--unit", "utf8", unit="utf8")
    assert {line["op"] for line in delta.ops} == {"move"}


def test_other_options_that_come_to_the_same_are_no_change(world: World) -> None:
    run = Delta().summary["run"]
    assert sync("--max-chars", "1500")["read"] == 0
    said = sync("--max-chars", "1500", "--overlap-tokens", "0", "--mdx")
    assert said["read"] == len(documents())
    before = said["run"]
    said = sync("--mdx", "--tokenizer", "cl100k_base")
    assert (said["upserts"], said["deletes"]) == (0, 0)
    assert said["moves"] > 0
    assert before != run


def test_another_size_keeps_the_chunks_that_come_out_the_same(world: World) -> None:
    delta = world.follow(documents(), "--max-chars", "700", max_chars=700)
    assert reasons(delta) == {"config"}
    assert 0 < delta.summary["unchanged"] < len(world.rows)
    assert sync("--max-chars", "700")["read"] == 0


def test_other_choices_of_converting_cut_again(world: World) -> None:
    for option in ("--heading-numbers", "--keep-furniture", "--boilerplate=keep"):
        assert sync(option)["read"] == len(documents())
        assert sync(option)["read"] == 0


def test_what_decides_a_conversion_is_all_but_the_limits_and_the_password() -> None:
    names = {field.name for field in fields(Settings) if not field.name.startswith("max_")}
    assert set(Settings().choices()) == names - {"password"}


def test_another_release_of_a_converter_is_another_configuration(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def config() -> bytes:
        return config_id(ChunkOptions(), None, Settings(), "1")

    before = config()
    assert config() == before
    monkeypatch.setattr("importlib.metadata.version", lambda name: "99")
    assert config() != before


def test_removed_files(world: World) -> None:
    gone = documents()[::5]
    for path in gone:
        path.unlink()
    delta = world.follow(gone)
    assert reasons(delta) == {"source_removed"}
    assert not delta.named("upsert")
    assert not delta.named("move")
    assert delta.summary["sources"]["removed"] == len(gone)


def test_moved_files_are_other_sources_with_the_same_texts(world: World) -> None:
    moved = documents()[::7]
    changed = list(moved)
    old = world.rows
    for path in moved:
        target = Path("docs") / "elsewhere" / path.name
        target.parent.mkdir(exist_ok=True)
        path.rename(target)
        changed.append(target)
    delta = world.follow(changed)
    assert reasons(delta) == {"source_removed"}
    gone = {line["chunk_id"] for line in delta.named("delete")}
    before = Counter(row["text_sha"] for key, row in old.items() if key in gone)
    assert before == Counter(row["text_sha"] for row in delta.named("upsert"))


def test_all_at_once(world: World) -> None:
    files = documents()
    for number, path in enumerate(files):
        if number % 4 == 0:
            edit(path, with_a_section)
        elif number % 4 == 1:
            path.unlink()
        elif number % 8 == 2:
            path.rename(path.with_name(f"renamed-{path.name}"))
    write(Path("docs/new.md"), "# New\n\nwords\n")
    write(Path("docs/empty.md"), "")
    world.follow(sorted({*files, *documents()}))


def test_files_of_other_formats(world: World) -> None:
    cells = [{"cell_type": "markdown", "metadata": {}, "source": ["# Title\n", "\n", "words"]}]
    book = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}
    path = Path("docs/book.ipynb")
    write(path, json.dumps(book))
    delta = world.follow([path])
    assert [row["media_type"] for row in delta.named("upsert")] == ["application/x-ipynb+json"]
    cells.append({"cell_type": "markdown", "metadata": {}, "source": ["## More\n", "\n", "x"]})
    edit(path, lambda _: json.dumps(book))
    delta = world.follow([path])
    assert len(delta.named("upsert")) == 1


def test_word_files_and_web_pages(world: World) -> None:
    found = DATA / "documents"
    new = []
    for name in ("docling__docx_code_blocks.docx", "docling__docx_checkboxes.docx"):
        new.append(Path("docs") / name)
        shutil.copy(found / "docx" / name, new[-1])
    new.append(Path("docs/page.html"))
    shutil.copy(found / "html" / "docling__example_01.html", new[-1])
    for path in new:
        os.utime(path, (LONG_AGO, LONG_AGO))
    types = {row["media_type"] for row in world.follow(new).named("upsert")}
    assert types == {"text/html", DOCX}
    assert sync()["read"] == 0

    # One becomes another, one gets a paragraph, one cannot be read any more and stays.
    before = {row["chunk_id"] for row in world.rows.values() if row["source"] == str(new[1])}
    shutil.copy(new[0], new[1])
    edit(new[2], lambda text: text.replace("<body>", "<body><p>A paragraph that is new.</p>", 1))
    assert world.follow(new[1:]).summary["sources"]["changed"] == 2
    new[0].write_bytes(new[0].read_bytes()[:2000])
    said = sync(status=1)
    assert (said["deletes"], said["sources"]["failed"]) == (0, 1)
    assert before.isdisjoint(by_id(read_rows()))


def test_pending_runs_are_told_again_until_they_are_acknowledged(world: World) -> None:
    base = Delta().summary["run"]
    files = documents()[:4]
    edit(files[0], with_a_section)
    first = sync("--pending")
    told = Path("delta.jsonl").read_bytes()
    assert first["pending"]
    assert Delta().summary["bases"] == [base]
    assert sync("--pending")["run"] == first["run"]
    assert sync("--pending")["read"] == 0
    assert Path("delta.jsonl").read_bytes() == told

    # Half of it gets into the store. Then the new section goes again, and others come.
    half = Delta()
    half.ops = half.ops[: len(half.ops) // 2 + 1]
    world.store.apply(half)
    edit(files[0], lambda text: text.replace("A new section", "Another section"))
    edit(files[1], with_a_section)
    files[2].unlink()
    second = sync("--pending")
    assert Delta().summary["bases"] == [base, first["run"]]
    world.store.load(Delta())
    expected = by_id(chunks_now(documents()))
    assert world.store.rows() == expected
    assert by_id(read_rows()) == expected

    done = spanwise_command("ack", first["run"])
    assert done.returncode == 1
    assert f"is not waiting, {second['run']} is" in done.stderr
    for _ in range(2):
        assert spanwise_command("ack", second["run"]).returncode == 0
    assert sync()["run"] == second["run"]
    assert Delta().summary["bases"] == [second["run"]]


def test_what_was_taken_back_before_it_was_acknowledged_is_deleted(world: World) -> None:
    path = documents()[0]
    text = path.read_bytes().decode()
    edit(path, with_a_section)
    write(Path("docs/passing.md"), "# Passing\n\nx\n")
    sync("--pending")
    world.store.apply(Delta())
    write(path, text)
    Path("docs/passing.md").unlink()
    sync("--pending")
    delta = Delta()
    assert {line["source"] for line in delta.named("delete")} == {
        path.as_posix(), "docs/passing.md"
    }  # fmt: skip
    world.store.load(delta)
    assert world.store.rows() == world.rows


def test_verify_reads_everything(world: World) -> None:
    """A change that neither size nor time shows, in a source and in the output."""
    path = next(path for path in documents() if b"e" in path.read_bytes())
    status = path.stat()
    write(path, path.read_bytes().decode().replace("e", "o", 1))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert sync()["read"] == 0
    said = sync("--verify")
    assert said["read"] == len(documents())
    assert said["upserts"] >= 1

    status = Path("chunks.jsonl").stat()
    whole = Path("chunks.jsonl").read_bytes()
    Path("chunks.jsonl").write_bytes(whole.replace(b'"kind"', b'"mind"', 1))
    os.utime("chunks.jsonl", ns=(status.st_atime_ns, status.st_mtime_ns))
    edit(documents()[-1], with_a_section)
    said = sync(status=1)
    assert "--verify cuts what is damaged again" in said["error"]["message"]
    said = sync("--verify")
    assert Path("chunks.jsonl").read_bytes() == lines_of(chunks_now(documents()))


@pytest.mark.parametrize("damage", ["gone", "cut", "more", "copied"])
def test_an_output_that_others_changed_is_made_again(world: World, damage: str) -> None:
    run = Delta().summary["run"]
    whole = Path("chunks.jsonl").read_bytes()
    path = Path("chunks.jsonl")
    if damage == "gone":
        path.unlink()
    elif damage == "cut":
        path.write_bytes(whole[: len(whole) // 2])
    elif damage == "more":
        path.write_bytes(b"{}\n" + whole)
    else:
        path.write_bytes(whole)
        os.utime(path, (LONG_AGO, LONG_AGO))
    said = sync()
    assert (said["run"], said["upserts"], said["deletes"], said["moves"]) == (run, 0, 0, 0)
    assert path.read_bytes() == whole
    assert (said["read"] == 0) == (damage == "copied")
    assert sync()["read"] == 0


def test_status_tells_without_doing(world: World) -> None:
    files = documents()
    edit(files[0], with_a_section)
    files[1].unlink()
    os.utime(files[2], (LONG_AGO + 5, LONG_AGO + 5))
    write(Path("docs/new.md"), "# New\n")
    before = Path("chunks.jsonl").read_bytes(), Path(".spanwise/manifest.db").read_bytes()
    done = spanwise_command("status")
    assert done.returncode == 0, done.stderr
    assert sorted(line.split() for line in done.stdout.splitlines()) == [
        ["changed", files[0].as_posix()],
        ["new", "docs/new.md"],
        ["removed", files[1].as_posix()],
    ]
    assert done.stderr == f"{len(files) - 2} unchanged\n"
    assert before == (
        Path("chunks.jsonl").read_bytes(), Path(".spanwise/manifest.db").read_bytes()
    )  # fmt: skip
    run = sync("--pending")["run"]
    said = json.loads(spanwise_command("status", "--json").stdout)
    assert said["waiting"] == {"run": run, "finished": True}
    assert said["new"] == said["changed"] == said["removed"] == []
