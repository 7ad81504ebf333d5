"""`spanwise chunk`: every size option, and bad input, which leaves nothing written."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from spanwise import chunk_file
from spanwise.doors.cli import main

GUIDE = "---\nt: 1\n---\n\n# Guide\n\n" + "A sentence of the guide. " * 40 + "\n\n## End\n\nLast.\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("guide.md").write_text(GUIDE, encoding="utf-8")
    return tmp_path


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["chunk", *arguments])


def rows_of(done: Result) -> list[dict[str, Any]]:
    assert done.exit_code == 0, done.output
    return [json.loads(line) for line in done.stdout.split("\n") if line]


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ([], {}),
        (["--max-chars", "300"], {"max_chars": 300}),
        (["--max-chars", "300", "--overlap-chars", "60"], {"max_chars": 300, "overlap_chars": 60}),
        (["--max-tokens", "64", "--tokenizer", "cl100k_base"],
         {"max_tokens": 64, "tokenizer": "cl100k_base"}),
        (["--max-tokens", "64", "--tokenizer", "o200k_base", "--overlap-tokens", "10"],
         {"max_tokens": 64, "tokenizer": "o200k_base", "overlap_tokens": 10}),
        (["--prefix-path", "--max-chars", "250"], {"prefix_path": True, "max_chars": 250}),
        (["--min-chars", "500"], {"min_chars": 500}),
        (["--front-matter", "drop"], {"front_matter": "drop"}),
        (["--unit", "utf8"], {"unit": "utf8"}),
        (["--mdx"], {"mdx": True}),
    ],
)  # fmt: skip
def test_options_mean_what_they_mean_in_the_library(
    here: Path, arguments: list[str], options: dict[str, Any]
) -> None:
    found = rows_of(invoke("guide.md", "-o", "-", *arguments))
    assert found == [dict(row) for row in chunk_file("guide.md", **options)]


def test_tokens_are_exact_through_workers(here: Path) -> None:
    folder = here / "docs"
    folder.mkdir()
    for number in range(6):
        (folder / f"{number}.md").write_text(GUIDE.replace("guide", f"g{number}") * 20)
    limit = ["--max-tokens", "512", "--tokenizer", "cl100k_base", "-o", "-"]
    alone = invoke("docs", *limit, "--jobs", "1")
    assert invoke("docs", *limit, "--jobs", "2").stdout_bytes == alone.stdout_bytes
    rows = rows_of(alone)
    assert len(rows) > 60
    assert all(row["tokens"] <= 512 and row["tokens_exact"] for row in rows)


def test_a_local_tokenizer_counts(here: Path) -> None:
    tokenizers = pytest.importorskip("tokenizers")
    model = tokenizers.models.WordLevel({"[UNK]": 0}, unk_token="[UNK]")
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    tokenizer.save("words.json")
    limit = ["--max-tokens", "50", "--tokenizer", "words.json", "-o", "-"]
    for jobs in ("1", "2"):
        rows = rows_of(invoke("guide.md", *limit, "--jobs", jobs))
        assert [row["tokens"] for row in rows] == [len(row["text"].split()) for row in rows]
        assert max(row["tokens"] for row in rows) <= 50


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["--max-chars", "199"], 1, "max_chars: 199 is less than 200"),
        (["--max-chars", "many"], 2, "is not a valid integer"),
        (["--max-tokens", "49", "--tokenizer", "cl100k_base"], 1, "max_tokens: 49 is less than 50"),
        (["--max-tokens", "512"], 1, "needs a tokenizer"),
        (["--overlap-chars", "751"], 1, "overlap_chars: 751 is more than half of max_chars (1500)"),
        (["--overlap-chars", "-1"], 1, "overlap_chars: -1 is less than 0"),
        (["--overlap-tokens", "5"], 1, "overlap_tokens: needs max_tokens"),
        (["--max-tokens", "64", "--tokenizer", "cl100k_base", "--overlap-tokens", "33"], 1, "half"),
        (["--min-chars", "2000"], 1, "min_chars: 2000 is more than max_chars (1500)"),
        (["--max-tokens", "64", "--tokenizer", "gpt9"], 1, "unknown tokenizer 'gpt9'"),
        (["--max-tokens", "64", "--tokenizer", "guide.md"], 1, "is not a tokenizer.json"),
        (["--unit", "bytes"], 2, "is not one of"),
        (["--front-matter", "keep"], 2, "is not one of"),
    ],
)
def test_bad_input_writes_nothing(
    here: Path, arguments: list[str], status: int, message: str
) -> None:
    done = invoke("guide.md", *arguments)
    assert done.exit_code == status, done.output
    assert message in done.stderr
    assert done.stdout == ""
    assert [path.name for path in here.iterdir()] == ["guide.md"]
    told = invoke("guide.md", "--json", *arguments)
    assert told.exit_code == status
    assert json.loads(told.stdout)["ok"] is False
    assert [path.name for path in here.iterdir()] == ["guide.md"]


def test_check_writes_nothing_and_tells(here: Path) -> None:
    assert invoke("guide.md", "--check").exit_code == 1
    assert not Path("guide.chunks.jsonl").exists()
    assert invoke("guide.md", "--quiet").output == ""
    before = Path("guide.chunks.jsonl").read_bytes()
    assert invoke("guide.md", "--check").exit_code == 0
    assert invoke("guide.md", "--check", "--max-chars", "400").exit_code == 1
    assert Path("guide.chunks.jsonl").read_bytes() == before
