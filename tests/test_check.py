"""`spanwise check`: old chunks and sections that are too big, for hooks."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from spanwise.doors.cli import main

BIG = "# Big\n\n" + "word " * 100


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    for name in ("docs/a.md", "docs/b.md", "docs/Größe, 1.md"):
        Path(name).write_text(f"# {name}\n\nword\n", encoding="utf-8")
    return tmp_path


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def findings(*arguments: str) -> list[dict[str, Any]]:
    result = invoke("check", "--json", *arguments)
    answer = json.loads(result.stdout)
    assert result.exit_code == (0 if answer["ok"] else 1)
    assert answer["ok"] == (not answer["findings"] and not answer["errors"])
    return list(answer["findings"])


def statuses(*arguments: str) -> dict[str, str]:
    return {each["source"]: each["status"] for each in findings(*arguments)}


def test_all_is_well(here: Path) -> None:
    result = invoke("check", "docs")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "0 of 3 documents need a change\n"
    assert invoke("check", "docs", "--quiet").output == ""


def test_sections_over_the_limit(here: Path) -> None:
    text = f"# Top\n\n{BIG}\n\n## Small\n\nword\n\n## Big Größe\n\n{'wörd ' * 80}\n"
    Path("docs/b.md").write_text(text, encoding="utf-8")
    result = invoke("check", "docs", "--max-chars", "200")
    assert result.exit_code == 1
    assert result.stdout == (
        'docs/b.md:3: "Big" has 506 characters and is split into 3 parts: '
        "a chunk holds 200 characters\n"
        'docs/b.md:11: "Big Größe" has 413 characters and is split into 3 parts: '
        "a chunk holds 200 characters\n"
    )
    assert result.stderr == "1 of 3 documents need a change\n"
    assert invoke("check", "docs", "--max-chars", "200", "--allow-split").exit_code == 0
    assert invoke("check", "docs", "--max-chars", "600").exit_code == 0
    (first, _) = findings("docs", "--max-chars", "200", "--unit", "utf8")
    assert (first["line"], first["status"]) == (3, "split")
    assert "has 506 bytes" in first["message"]


def test_chunks_beside_a_document(here: Path) -> None:
    invoke("chunk", "docs/a.md", "--prefix-path")
    assert statuses("docs", "--prefix-path") == {}
    assert statuses("docs") == {"docs/a.md": "old"}
    with Path("docs/a.md").open("a") as file:
        file.write("more\n")
    assert statuses("docs", "--prefix-path") == {"docs/a.md": "old"}
    message = "docs/a.md: docs/a.chunks.jsonl does not hold its chunks as they are now\n"
    assert invoke("check", "docs/a.md", "docs/b.md").stdout == message
    assert statuses("docs/b.md") == {}
    invoke("chunk", "docs/a.md")
    assert statuses("docs") == {}


def test_chunks_of_all_in_one_file(here: Path) -> None:
    invoke("chunk", "docs", "-o", "all.jsonl")
    assert statuses("docs", "--chunks", "all.jsonl") == {}
    assert statuses("docs/b.md", "--chunks", "all.jsonl") == {}
    with Path("docs/b.md").open("a") as file:
        file.write("more\n")
    Path("docs/new.md").write_text("# New\n\nword\n")
    Path("docs/empty.md").write_text("\n")
    assert statuses("docs/a.md", "--chunks", "all.jsonl") == {}
    assert statuses("docs", "--chunks", "all.jsonl") == {
        "docs/b.md": "old",
        "docs/new.md": "missing",
    }
    Path("docs/a.md").unlink()
    assert statuses("docs/Größe, 1.md", "--chunks", "all.jsonl") == {"docs/a.md": "gone"}
    assert invoke("check", "docs", "--chunks", "all.jsonl").stdout == (
        "docs/b.md: all.jsonl does not hold its chunks as they are now\n"
        "docs/new.md: all.jsonl holds no chunks of it\n"
        "docs/a.md: not there, but all.jsonl holds chunks of it\n"
    )
    invoke("chunk", "docs", "-o", "all.jsonl")
    assert statuses("docs", "--chunks", "all.jsonl") == {}


def test_a_row_that_was_moved_or_repeated_is_old(here: Path) -> None:
    Path("docs/a.md").write_text("# A\n\nword\n\n# B\n\nword\n")
    invoke("chunk", "docs", "-o", "all.jsonl")
    lines = Path("all.jsonl").read_bytes().split(b"\n")[:-1]
    mine = [line for line in lines if b'"source":"docs/a.md"' in line]
    assert len(mine) == 2
    for changed in (
        [*lines, mine[0]],
        [*mine[::-1], *(line for line in lines if line not in mine)],
    ):
        Path("all.jsonl").write_bytes(b"\n".join(changed) + b"\n")
        assert statuses("docs", "--chunks", "all.jsonl") == {"docs/a.md": "old"}


def test_faults(here: Path) -> None:
    Path("docs/latin.md").write_bytes(b"caf\xe9")
    result = invoke("check", "docs")
    assert result.exit_code == 1
    assert "docs/latin.md: not UTF-8 at byte 3" in result.stderr
    assert invoke("check", "docs/a.md", "--chunks", "none.jsonl").exit_code == 1
    Path("odd.jsonl").write_text('{"source": "docs/a.md"}\n\n{"id": 1}\n')
    result = invoke("check", "docs/a.md", "--chunks", "odd.jsonl")
    assert (result.exit_code, result.stderr) == (1, "error: odd.jsonl, line 3: not a chunk row\n")
    assert invoke("check").exit_code == 2
    assert invoke("check", "docs", "--max-chars", "3").exit_code == 1
