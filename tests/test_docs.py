"""Every example in docs/ is run, and what it prints is what the page says.

A page is one test, in an empty folder, its blocks in their order:

- a block with `title="tea.md"` is a file, which is written; one of examples/ is shown whole, and
  is there from the beginning;
- other `python` blocks share their names; what they print stands in the `output` block after them;
- `console` blocks are commands after `$ `, each with what it prints. A line `...` stands for any
  number of lines. `pip install` is not run, but the extras it names have to exist;
- `json`, `toml` and, where PyYAML is installed, `yaml` have to be that.

`SPANWISE_DOCS=write` writes what was printed, and the examples, into the pages. A page whose
imports are not installed is skipped; with `SPANWISE_DOCS=all`, as in `make test-adapters`, it
fails, but for those of stores and engines, which `make test-stores` and `test-engines` run.
"""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import redirect_stdout
from importlib import import_module
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from markdown_it import MarkdownIt

from tests.postgres_cluster import cluster, installation
from tests.shared_data import PACKAGE, ROOT

DOCS = ROOT / "docs"
MODE = os.environ.get("SPANWISE_DOCS", "")
PAGES = sorted(
    path.relative_to(DOCS).as_posix()
    for path in DOCS.rglob("*.md")
    if path.parent.name != "decisions"
)
LANGUAGES = {"console", "json", "markdown", "output", "python", "text", "toml", "yaml"}
TITLE = re.compile(r'title="([^"]+)"')
EXTRA = re.compile(r"spanwise\[([a-z,-]+)\]")


class Block(NamedTuple):
    """A fenced block: its language and title, its text, its first line and the one after it."""

    language: str
    title: str | None
    text: str
    first: int
    after: int


def blocks_of(page: str) -> list[Block]:
    """The fenced blocks of a page."""
    found = []
    for token in MarkdownIt("commonmark").parse(page):
        if token.type == "fence":
            assert token.map is not None
            title = TITLE.search(token.info)
            language = token.info.split(" ")[0]
            lines = token.map[0] + 1, token.map[1] - 1
            found.append(Block(language, title and title[1], token.content, *lines))
    return found


def imported(blocks: list[Block]) -> Iterator[str]:
    """The packages that the Python of a page imports, besides its own files."""
    own = {block.title.removesuffix(".py") for block in blocks if block.title}
    for block in blocks:
        if block.language == "python":
            for node in ast.walk(ast.parse(block.text)):
                names: list[str] = []
                if isinstance(node, ast.Import):
                    names = [name.name for name in node.names]
                elif isinstance(node, ast.ImportFrom):
                    names = [str(node.module)]
                yield from {name.partition(".")[0] for name in names} - own


def example(block: Block) -> Path | None:
    """The file of examples/ that a block shows."""
    found = sorted((ROOT / "examples").rglob(block.title)) if block.title else []
    return found[0] if found else None


@pytest.mark.parametrize("name", PAGES)
def test_page(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    page = (DOCS / name).read_text(encoding="utf-8")
    blocks = blocks_of(page)
    assert {block.language for block in blocks} <= LANGUAGES
    missing = sorted({module for module in imported(blocks) if not find_spec(module)})
    about = name.partition("/")[0]
    target = f"test-{about}" if about in ("stores", "engines") else "test-adapters"
    if missing and (target != "test-adapters" or MODE != "all"):
        pytest.skip(f"{name} needs {', '.join(missing)} (make {target})")
    if name == "engines/spark.md" and not shutil.which("java"):
        pytest.skip(f"{name} needs Java")
    monkeypatch.chdir(tmp_path)
    programs = [str(Path(sys.executable).parent), os.environ["PATH"]]
    monkeypatch.setenv("PATH", os.pathsep.join(programs))
    monkeypatch.setenv("PYTHONPATH", PACKAGE)
    for name_of_ci in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_WORKSPACE"):
        monkeypatch.delenv(name_of_ci, raising=False)
    if name == "stores/postgresql.md":
        connect(request, monkeypatch)
    said: dict[int, str] = {}
    for number, block in enumerate(blocks):
        shown = example(block)
        if shown is not None:  # there from the beginning: a page shows it at its end
            said[number] = shown.read_text(encoding="utf-8")
            (tmp_path / shown.name).write_text(said[number], encoding="utf-8")
    scope: dict[str, Any] = {"__name__": "__main__"}
    for number, block in enumerate(blocks):
        following = blocks[number + 1] if number + 1 < len(blocks) else None
        if block.title is not None:
            if number not in said:
                path = tmp_path / block.title
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(block.text, encoding="utf-8")
        elif block.language == "python":
            printed = run_python(block, scope, name)
            if following is not None and following.language == "output":
                said[number + 1] = printed
            else:
                assert printed == "", f"{name}:{block.first}: an output block has to follow"
        elif block.language == "console":
            said[number] = "".join(transcript(block, name))
        elif block.language == "json":
            json.loads(block.text)
        elif block.language == "yaml" and find_spec("yaml"):
            import_module("yaml").safe_load(block.text)
        elif block.language == "toml":
            tomllib.loads(block.text)
        elif block.language == "output":
            assert number in said, f"{name}:{block.first}: output of what?"
    if MODE == "write":
        write(DOCS / name, page, blocks, said)
        return
    for number, printed in said.items():
        where = f"{name}:{blocks[number].first}"
        assert fits(blocks[number].text, printed), f"{where}\n{printed}"


@pytest.fixture
def postgres() -> Iterator[str]:
    """A cluster while a page needs it."""
    if installation() is None:
        pytest.skip("needs PostgreSQL with pgvector (make test-stores)")
    with cluster() as address:
        yield address


def connect(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the programs of a page find a database."""
    for part in request.getfixturevalue("postgres").split():
        key, value = part.split("=")
        names = {"host": "PGHOST", "user": "PGUSER", "dbname": "PGDATABASE"}
        monkeypatch.setenv(names[key], value)


def run_python(block: Block, scope: dict[str, Any], name: str) -> str:
    """What a block prints."""
    code = compile("\n" * block.first + block.text, name, "exec")
    with redirect_stdout(StringIO()) as printed:
        exec(code, scope)
    return printed.getvalue()


def transcript(block: Block, name: str) -> Iterator[str]:
    """The commands of a block, each with what it prints."""
    for line in block.text.splitlines():
        if not line.startswith("$ "):
            continue
        yield f"{line}\n"
        command = line[2:]
        if command.startswith("pip install "):
            check_extras(command)
            continue
        done = subprocess.run(
            command,
            shell=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=120,
        )
        printed = done.stdout.decode()
        assert done.returncode == 0, f"{name}: {command}\n{printed}"
        yield printed if printed.endswith("\n") or not printed else printed + "\n"


def check_extras(command: str) -> None:
    """The extras that a command names are ones that the package has."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    known = set(project["optional-dependencies"])
    named = EXTRA.search(command)
    assert named is None or set(named[1].split(",")) <= known, command


def fits(expected: str, printed: str) -> bool:
    """Whether the output is what the page says, `...` standing for any lines."""
    parts = [re.escape(part) for part in re.split(r"^\.\.\.\n", expected, flags=re.MULTILINE)]
    return re.fullmatch(r"(?:.*\n)*?".join(parts), printed) is not None


def write(path: Path, page: str, blocks: list[Block], said: dict[int, str]) -> None:
    """Put what was printed into a page, where it says something else."""
    lines = page.splitlines(keepends=True)
    for number in sorted(said, reverse=True):
        block = blocks[number]
        if not fits(block.text, said[number]):
            lines[block.first : block.after] = [said[number]]
    path.write_text("".join(lines), encoding="utf-8")


def test_every_page_is_in_the_navigation() -> None:
    configuration = (DOCS / "zensical.toml").read_text(encoding="utf-8")
    named = set(re.findall(r'"([^"]+\.md)"', configuration))
    written = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    assert written <= named
    assert all(name.startswith("reference/") for name in named - written)


def test_the_workflow_gives_inputs_that_the_action_has() -> None:
    page = (DOCS / "guides" / "ci.md").read_text(encoding="utf-8")
    given = re.search(r"spanwise@v[\d.]+\n +with:\n((?: {10}.*\n)+)", page)
    assert given is not None
    action = (ROOT / "action.yml").read_text(encoding="utf-8")
    inputs = set(re.findall(r"^  ([a-z-]+):$", action.partition("outputs:")[0], re.MULTILINE))
    assert set(re.findall(r"^ +([a-z-]+):", given[1], re.MULTILINE)) <= inputs
