"""The command line: through click's runner, and through real processes where those matter."""

import ast
import importlib
import json
import os
import pkgutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from spanwise import __version__, chunk_file, contracts, execute
from spanwise.doors import cli
from spanwise.doors.cli import main
from spanwise.doors.cli.group import COMMANDS
from spanwise.doors.cli.work import Progress
from spanwise.pipeline import FileResult
from tests.shared_data import (
    PACKAGE,
    field_reports,
    markdown_files,
    needs_data,
    reference_cases,
)

GUIDE = """\
---
title: Garden
---

# Garden Guide

## Tools

You need a spade.

## Planting

### Tomatoes

After the last frost 🍅.
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "guide.md").write_text(GUIDE, encoding="utf-8")
    (tmp_path / "docs" / "sub").mkdir(parents=True)
    (tmp_path / "docs" / "a.md").write_text("# A\n\ntext\n", encoding="utf-8")
    (tmp_path / "docs" / "sub" / "b.md").write_text("# B\n\ntext\n", encoding="utf-8")
    return tmp_path


def invoke(*arguments: str, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, list(arguments), input=stdin)


def process(
    *arguments: str, env: dict[str, str] | None = None, **options: Any
) -> subprocess.CompletedProcess[bytes]:
    """Run the program for real."""
    environment = os.environ | {"PYTHONPATH": PACKAGE} | (env or {})
    return subprocess.run(
        [sys.executable, "-c", "from spanwise.doors.cli import main; main()", *arguments],
        env=environment,
        capture_output=True,
        timeout=60,
        **options,
    )


def rows_in(data: bytes | str) -> list[dict[str, Any]]:
    lines = data.encode() if isinstance(data, str) else data
    return [json.loads(line) for line in lines.split(b"\n") if line]


# chunk


def test_chunks_go_beside_the_file(here: Path) -> None:
    result = invoke("chunk", "guide.md")
    assert result.exit_code == 0
    assert result.stdout == ""
    assert result.stderr == "Saved: guide.chunks.jsonl (3 chunks, biggest 37 chars)\n"
    rows = rows_in((here / "guide.chunks.jsonl").read_bytes())
    assert rows == chunk_file("guide.md")
    assert [row["id"] for row in rows] == ["guide.md#1", "guide.md#2", "guide.md#3"]


def test_a_folder_and_its_default_output(here: Path) -> None:
    assert invoke("chunk", "docs").exit_code == 0
    rows = rows_in((here / "docs.chunks.jsonl").read_bytes())
    assert [row["source"] for row in rows] == ["docs/a.md", "docs/sub/b.md"]
    assert invoke("chunk", ".").exit_code == 0
    assert (here / f"{here.name}.chunks.jsonl").is_file()


def test_several_paths_need_an_output(here: Path) -> None:
    result = invoke("chunk", "guide.md", "docs")
    assert result.exit_code == 2
    assert "Several paths need -o FILE" in result.stderr
    result = invoke("chunk", "guide.md", "docs", "docs/a.md", "-o", "all.jsonl", "--quiet")
    assert (result.exit_code, result.stderr) == (0, "")
    rows = rows_in((here / "all.jsonl").read_bytes())
    assert [row["id"] for row in rows] == [
        "docs/a.md#1",
        "docs/sub/b.md#1",
        "guide.md#1",
        "guide.md#2",
        "guide.md#3",
    ]


def test_stdin_and_stdout(here: Path) -> None:
    result = invoke("chunk", "-", stdin=GUIDE)
    assert rows_in(result.stdout)[0]["source"] == "stdin"
    named = invoke("chunk", "-", "--stdin-filename", "guide.md", stdin=GUIDE)
    assert named.stdout == invoke("chunk", "guide.md", "-o", "-").stdout
    assert named.stderr == ""


def test_options_reach_the_rows(here: Path) -> None:
    rows = rows_in(invoke("chunk", "guide.md", "-o", "-", "--front-matter", "drop").stdout)
    assert [row["kind"] for row in rows] == ["section", "section"]
    utf8 = rows_in(invoke("chunk", "guide.md", "-o", "-", "--unit", "utf8").stdout)
    last = utf8[-1]
    assert GUIDE.encode()[last["start"] : last["end"]].decode() == last["text"]
    assert invoke("chunk", "guide.md", "--unit", "bytes").exit_code == 2


def test_sizes(here: Path) -> None:
    (here / "long.md").write_text("# H\n\n" + "Some words. " * 100, encoding="utf-8")
    options = ["--max-chars", "300", "--overlap-chars", "40", "--prefix-path"]
    rows = rows_in(invoke("chunk", "long.md", "-o", "-", *options).stdout)
    assert len(rows) > 3
    assert max(row["chars"] for row in rows) <= 300
    assert all(row["text"].startswith("H") for row in rows)
    expected = chunk_file("long.md", max_chars=300, overlap_chars=40, prefix_path=True)
    assert rows == expected
    joined = rows_in(invoke("chunk", "docs/a.md", "-o", "-", "--min-chars", "200").stdout)
    assert joined == chunk_file("docs/a.md", min_chars=200)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--max-chars", "10"], "max_chars: 10 is less than 200"),
        (["--overlap-chars", "751"], "overlap_chars: 751 is more than half of max_chars (1500)"),
        (["--max-tokens", "100"], "max_tokens: needs a tokenizer"),
        (["--min-chars", "1501"], "min_chars: 1501 is more than max_chars (1500)"),
    ],
)
def test_sizes_out_of_range_write_nothing(here: Path, options: list[str], message: str) -> None:
    result = invoke("chunk", "guide.md", *options)
    assert result.exit_code == 1
    assert message in result.stderr
    assert not list(here.glob("*.jsonl"))


def test_one_bad_file_among_many(here: Path) -> None:
    (here / "docs" / "bad.md").write_bytes(b"# caf\xe9\n")
    result = invoke("chunk", "docs", "nowhere", "-o", "all.jsonl")
    assert result.exit_code == 1
    assert "error: nowhere: no such file or directory\n" in result.stderr
    assert "error: docs/bad.md: not UTF-8 at byte 5 (0xe9)\n" in result.stderr
    assert "Saved: all.jsonl (2 chunks, biggest 9 chars)" in result.stderr
    assert len(rows_in((here / "all.jsonl").read_bytes())) == 2


def test_nothing_is_written_when_nothing_could_be_read(here: Path) -> None:
    (here / "guide.md").write_bytes(b"\xff")
    (here / "all.jsonl").write_text("before", encoding="utf-8")
    assert invoke("chunk", "guide.md", "-o", "all.jsonl").exit_code == 1
    assert (here / "all.jsonl").read_text(encoding="utf-8") == "before"
    (here / "empty").mkdir()
    result = invoke("chunk", "empty")
    assert (result.exit_code, result.stderr) == (1, "error: no documents in empty\n")


def test_the_output_may_not_replace_an_input(here: Path) -> None:
    result = invoke("chunk", "guide.md", "-o", "./guide.md")
    assert result.exit_code == 2
    assert "would replace the input guide.md" in result.stderr
    assert (here / "guide.md").read_text(encoding="utf-8") == GUIDE


def test_an_output_that_cannot_be_written(here: Path) -> None:
    result = invoke("chunk", "guide.md", "-o", "no/all.jsonl")
    assert result.exit_code == 1
    assert result.stderr.startswith("error: cannot write ")
    assert "Traceback" not in result.stderr


def test_check_says_whether_the_output_would_differ(here: Path) -> None:
    assert invoke("chunk", "guide.md", "--check").exit_code == 1
    assert not (here / "guide.chunks.jsonl").exists()
    invoke("chunk", "guide.md")
    result = invoke("chunk", "guide.md", "--check")
    assert (result.exit_code, result.stderr) == (0, "Unchanged: guide.chunks.jsonl\n")
    output = here / "guide.chunks.jsonl"
    for changed in (output.read_bytes()[:-1], output.read_bytes() + b"\n", b""):
        output.write_bytes(changed)
        result = invoke("chunk", "guide.md", "--check")
        assert (result.exit_code, result.stderr) == (1, "Would change: guide.chunks.jsonl\n")
        assert output.read_bytes() == changed
    assert invoke("chunk", "guide.md", "-o", "-", "--check").exit_code == 2
    assert json.loads(invoke("chunk", "guide.md", "--check", "--json").stdout)["changed"] is True


def test_json_prints_one_object(here: Path) -> None:
    (here / "docs" / "bad.md").write_bytes(b"\xff")
    result = invoke("chunk", "guide.md", "docs", "--json")
    found = json.loads(result.stdout)
    assert (result.exit_code, result.stderr, found["ok"]) == (1, "", False)
    assert [row["id"] for row in found["chunks"]][-1] == "guide.md#3"
    assert (found["files"], found["count"], found["biggest_chunk_chars"]) == (3, 5, 37)
    assert found["error"]["code"] == "unreadable_source"
    assert found["error"]["details"] == {"source": "docs/bad.md", "byte": 0}
    assert not list(here.glob("*.jsonl"))
    saved = json.loads(invoke("chunk", "guide.md", "--json", "-o", "x.jsonl").stdout)
    assert saved == {
        "ok": True,
        "files": 1,
        "count": 3,
        "bytes": (here / "x.jsonl").stat().st_size,
        "biggest_chunk_chars": 37,
        "errors": [],
        "output": "x.jsonl",
    }


def test_json_errors(here: Path) -> None:
    for arguments, code, status in (
        (["chunk", "no.md", "--json"], "unreadable_source", 1),
        (["chunk", "guide.md", "--json", "--unit", "x"], "usage", 2),
        (["section", "guide.md", "--heading", "x", "--json"], "invalid_input", 1),
        (["section", "guide.md", "--json"], "usage", 2),
        (["outline", "no.md", "--json"], "unreadable_source", 1),
        (["tools", "no-tool", "--json"], "unknown_tool", 2),
        (["run", "markdown-sections-chunk", "9", "--input", "-", "--json"], "unknown_version", 2),
    ):
        result = invoke(*arguments)
        found = json.loads(result.stdout)
        assert (found["ok"], found["error"]["code"], result.exit_code) == (False, code, status)


def test_mdx_by_name_or_by_option(here: Path) -> None:
    mdx = "<Tabs>\n# In a component\n</Tabs>\n"
    (here / "page.mdx").write_text(mdx, encoding="utf-8")
    (here / "page.md").write_text(mdx, encoding="utf-8")
    assert invoke("outline", "page.md").stdout == ""
    listed = invoke("outline", "page.mdx").stdout
    assert listed.startswith("In a component [line 2, #in-a-component, ")
    assert invoke("outline", "page.md", "--mdx").stdout == listed
    by_name = rows_in(invoke("chunk", "page.mdx", "-o", "-").stdout)
    by_option = rows_in(invoke("chunk", "page.md", "-o", "-", "--mdx").stdout)
    assert [row["heading_path"] for row in by_name] == [[], ["In a component"]]
    assert [row["text"] for row in by_option] == [row["text"] for row in by_name]
    assert invoke("section", "page.mdx", "--anchor", "in-a-component").exit_code == 0


# outline and section


def test_outline_is_a_tree(here: Path) -> None:
    result = invoke("outline", "guide.md")
    assert result.stdout.split("\n") == [
        "Garden Guide [line 5, #garden-guide, 14 chars]",
        "  Tools [line 7, #tools, 27 chars]",
        "  Planting [line 11, #planting, 11 chars]",
        "    Tomatoes [line 13, #tomatoes, 37 chars]",
        "",
    ]
    assert invoke("outline", "docs").stdout.startswith("docs/a.md\nA [line 1, #a, 9 chars]\n")


def test_outline_as_json(here: Path) -> None:
    found = json.loads(invoke("outline", "guide.md", "docs", "--json").stdout)
    assert [file["source"] for file in found["files"]] == ["docs/a.md", "docs/sub/b.md", "guide.md"]
    assert [file["count"] for file in found["files"]] == [1, 1, 4]
    assert found["files"][2]["headings"][3]["path"] == ["Garden Guide", "Planting", "Tomatoes"]


def test_outline_of_a_setext_heading_of_two_lines_is_one_line(here: Path) -> None:
    result = invoke("outline", "-", stdin="One\ntwo\n===\n")
    assert result.stdout == "One two [line 1, #onetwo, 11 chars]\n"


def test_section(here: Path) -> None:
    assert invoke("section", "guide.md", "--heading", "tools").stdout == (
        "## Tools\n\nYou need a spade.\n"
    )
    whole = invoke("section", "guide.md", "--anchor", "planting").stdout
    assert whole.startswith("## Planting\n\n### Tomatoes")
    alone = invoke("section", "guide.md", "--anchor", "planting", "--no-subsections").stdout
    assert alone == "## Planting\n"
    found = json.loads(invoke("section", "guide.md", "--anchor", "tools", "--json").stdout)
    assert (found["ok"], found["start_line"], found["matches"]) == (True, 7, 1)
    missing = invoke("section", "guide.md", "--heading", "Tool")
    assert missing.exit_code == 1
    assert missing.stderr.startswith(
        "error: no section has the heading 'Tool'; the closest: 'Tools'"
    )


# tools and run


def test_tools_and_contracts() -> None:
    listed = invoke("tools").stdout
    assert all(f"{contract['id']} {contract['version']}\n" in listed for contract in contracts())
    assert json.loads(invoke("tools", "--json").stdout) == {"ok": True, "tools": contracts()}
    contract = json.loads(invoke("tools", "markdown-sections-chunk").stdout)
    assert contract == contracts()[[c["id"] for c in contracts()].index("markdown-sections-chunk")]
    unknown = invoke("tools", "markdown-section-chunk")
    assert unknown.exit_code == 2
    assert "did you mean markdown-sections-chunk" in unknown.stderr


RUN = ["run", "markdown-sections-chunk", "1.0.0", "--input"]


def test_run(here: Path) -> None:
    given = {"markdown": "# A 漢\n"}
    (here / "input.json").write_text(json.dumps(given), encoding="utf-8")
    expected = execute("markdown-sections-chunk", "1.0.0", given)
    assert json.loads(invoke(*RUN, "input.json").stdout) == expected
    assert json.loads(invoke(*RUN, "-", stdin=json.dumps(given)).stdout) == expected
    wrapped = json.loads(invoke(*RUN, "input.json", "--json").stdout)
    assert wrapped == {"ok": True, "result": expected}


@pytest.mark.parametrize(
    ("given", "code", "message"),
    [
        (b'{"markdown": "\\udfff"}', "invalid_input", "holds a lone surrogate"),
        (b'{"markdown": "\xed\xa0\x80"}', "invalid_input", "lone surrogate"),
        (b'{"markdown": "a"', "invalid_input", "is not JSON"),
        (b'{"markdown": NaN}', "invalid_input", "is not JSON"),
        (b"[" * 3000, "invalid_input", "is not JSON"),
        (b"", "invalid_input", "is not JSON"),
        (b'{"text": "a"}', "invalid_input", "'text' was unexpected"),
        (b'{"markdown": "%b"}' % (b"a" * 262145), "limit_exceeded", "max_input_bytes"),
    ],
)
def test_run_refuses_bad_input(given: bytes, code: str, message: str) -> None:
    result = invoke(*RUN, "-", stdin=given)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("error: ")
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    error = json.loads(invoke(*RUN, "-", "--json", stdin=given).stdout)["error"]
    assert error["code"] == code


@pytest.mark.parametrize("case", reference_cases("sections"), ids=lambda case: case["name"])
def test_reference_cases_through_the_command_line(case: dict[str, Any]) -> None:
    result = invoke(*RUN, "-", "--json", stdin=json.dumps(case["input"]))
    found = json.loads(result.stdout)
    if "error" in case:
        assert found["error"]["code"] == case["error"]
    else:
        assert found["result"] == case["output"]


# Progress


class Terminal:
    """A stderr that says it is a terminal and keeps what is written to it."""

    def __init__(self) -> None:
        self.written = ""

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.written += text
        return len(text)

    def flush(self) -> None:
        pass


@pytest.mark.parametrize(
    ("delay", "quiet", "expected"),
    [(0.0, False, "\r1 of 2 files\r\x1b[K"), (60.0, False, ""), (0.0, True, "")],
)
def test_progress_on_a_terminal_after_a_moment(
    monkeypatch: pytest.MonkeyPatch, delay: float, quiet: bool, expected: str
) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(Progress, "DELAY", delay)
    monkeypatch.setattr(Progress, "PAUSE", 60.0)
    results = [FileResult("a.md"), FileResult("b.md")]
    assert list(Progress(2, quiet).over(iter(results))) == results
    assert terminal.written == expected


# Real processes


@pytest.mark.parametrize("case", field_reports("cli"), ids=lambda case: case["id"])
def test_field_reports(case: dict[str, Any], tmp_path: Path) -> None:
    given = case["input"]
    for name, text in given.get("files", {}).items():
        (tmp_path / name).write_bytes(text.encode())
    for name, digits in given.get("files_bytes_hex", {}).items():
        (tmp_path / name).write_bytes(bytes.fromhex(digits))
    result = process("chunk", *given["argv"], env=given.get("env"), cwd=tmp_path)
    expected = case["expect"]
    assert result.returncode == expected["exit_code"]
    rows = rows_in(result.stdout)
    assert [row["heading_path"] for row in rows] == expected["heading_paths"]
    if "first_start_line" in expected:
        assert rows[0]["start_line"] == expected["first_start_line"]


def test_other_locales_change_nothing(here: Path) -> None:
    (here / "漢.md").write_text("# Naïve — ☞\n", encoding="utf-8")
    environments: list[dict[str, str]] = [
        {"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONUTF8": "1", "LC_ALL": "C.UTF-8"},
        {"PYTHONIOENCODING": "latin-1", "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo"},
    ]
    commands = (["chunk", ".", "-o", "-"], ["outline", "漢.md"], ["tools"], ["chunk", "漢.md"])
    for command in commands:
        results = [process(*command, env=env, cwd=here) for env in environments]
        assert {result.returncode for result in results} == {0}
        assert len({result.stdout for result in results}) == 1


def test_version_says_how_the_kernel_runs() -> None:
    from spanwise.kernel import blocks

    build = "interpreted" if str(blocks.__file__).endswith(".py") else "compiled"
    assert process("--version").stdout.decode() == f"spanwise {__version__} ({build})\n"


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_goes_away_is_no_fault(here: Path, unbuffered: str) -> None:
    (here / "big.md").write_text("# H\n\ntext\n\n" * 20_000, encoding="utf-8")
    code = "from spanwise.doors.cli import main; main()"
    program = subprocess.Popen(
        [sys.executable, "-c", code, "chunk", "big.md", "-o", "-"],
        env=os.environ | {"PYTHONPATH": PACKAGE, "PYTHONUNBUFFERED": unbuffered},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert program.stdout is not None
    assert program.stderr is not None
    program.stdout.read(10)
    program.stdout.close()
    assert program.wait(30) == 141
    assert program.stderr.read() == b""
    program.stderr.close()


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_an_interrupt_ends_quietly_and_leaves_nothing(here: Path) -> None:
    (here / "many").mkdir()
    first = here / "many" / "first.md"
    first.write_text("# H\n\ntext\n\n" * 300_000, encoding="utf-8")
    for number in range(60):  # seconds of work, however late the signal is on a busy machine
        (here / "many" / f"{number}.md").hardlink_to(first)
    # Whoever runs tests in the background may ignore the signal, and programs inherit that.
    heard = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    code = f"{heard}; from spanwise.doors.cli import main; main()"
    program = subprocess.Popen(
        [sys.executable, "-c", code, "chunk", "many", "--jobs", "2"],
        env=os.environ | {"PYTHONPATH": PACKAGE},
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    deadline = time.monotonic() + 20
    while not list(here.glob(".many*.tmp")) and time.monotonic() < deadline:
        time.sleep(0.01)
    os.killpg(program.pid, signal.SIGINT)
    _, errors = program.communicate(timeout=30)
    assert program.returncode == 130
    assert errors.decode().strip() == "interrupted"
    assert not list(here.glob("*many*.jsonl"))
    assert not list(here.glob(".many*"))


def test_importing_loads_nothing_heavy() -> None:
    loaded = "import sys, spanwise; print([m for m in sys.modules if m.split('.')[0] in %r])"
    heavy = {"click", "jsonschema_rs", "pathspec", "orjson", "starlette", "mcp", "pydantic"}
    assert process_output(loaded % (heavy,)) == "[]"


def test_help_loads_nothing_heavy() -> None:
    call = "from spanwise.doors.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass"
    heavy = {"jsonschema_rs", "pathspec", "orjson", "multiprocessing", "starlette", "mcp"}
    code = f"{call}\nimport sys; print([m for m in sys.modules if m.split('.')[0] in {heavy!r}])"
    assert process_output(code).endswith("[]")


def process_output(code: str) -> str:
    environment = os.environ | {"PYTHONPATH": PACKAGE}
    result = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, check=True
    )
    return result.stdout.decode().strip()


def test_every_command_teaches_by_example() -> None:
    assert COMMANDS
    for name in COMMANDS:
        command = main.get_command(click.Context(main), name)
        assert command is not None
        text = invoke(name, "--help").stdout
        assert f"spanwise {name}" in text
        assert command.get_short_help_str(80)
        assert text.isascii()


def test_every_command_is_reached() -> None:
    found: dict[str | None, str] = {}
    for module in pkgutil.iter_modules(cli.__path__):
        content = vars(importlib.import_module(f"{cli.__name__}.{module.name}"))
        commands = (value for value in content.values() if isinstance(value, click.Command))
        found |= {command.name: module.name for command in commands if command is not main}
    assert found == COMMANDS
    assert "Did you mean 'outline'?" in invoke("outlines").stderr
    assert invoke("group").exit_code == 2


def test_a_command_loads_no_other(here: Path) -> None:
    call = (
        "from spanwise.doors.cli import main\n"
        "try: main(['chunk', 'guide.md', '-q'])\n"
        "except SystemExit: pass"
    )
    package = f"{cli.__name__}."
    shown = f"import sys; print([m for m in sys.modules if m.startswith({package!r})])"
    loaded = set(ast.literal_eval(process_output(f"{call}\n{shown}")))
    assert package + "chunking" in loaded
    others = {package + module for module in COMMANDS.values()} - {package + "chunking"}
    assert loaded & others == set()


@needs_data
def test_real_documents_with_any_number_of_workers(tmp_path: Path) -> None:
    for number, record in enumerate(markdown_files("docs")):
        (tmp_path / f"{number:04}.md").write_bytes(record["text"].encode())
    outputs = []
    for jobs in ("1", "3"):
        result = process("chunk", str(tmp_path), "-o", "-", "--jobs", jobs, "-q")
        assert (result.returncode, result.stderr) == (0, b"")
        outputs.append(result.stdout)
    assert outputs[0] == outputs[1]
    assert outputs[0].count(b"\n") > 15_000
