"""The README's examples do what it says there."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from tests.shared_data import PACKAGE, ROOT
from tests.test_docs import blocks_of, check_extras

PAGE = (ROOT / "README.md").read_text(encoding="utf-8")
SERVER = "http://127.0.0.1:8000"


def test_python_example() -> None:
    example = re.search(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    assert example is not None
    shown = [line[2:] for line in example[1].splitlines() if line.startswith("# ")]
    with redirect_stdout(StringIO()) as printed:
        scope: dict[str, object] = {}
        exec(example[1], scope)
    assert printed.getvalue().splitlines() == shown
    result = scope["result"]
    assert isinstance(result, dict)
    assert result["section_count"] == 2


def commands() -> Iterator[str]:
    """The commands of all shell examples."""
    for block in blocks_of(PAGE):
        assert block.language in ("sh", "python", "yaml"), block
        if block.language == "sh":
            for line in block.text.replace("\\\n", "").splitlines():
                yield line.partition("  #")[0].strip()


COMMANDS = list(commands())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with what the examples name."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# A\n")
    (tmp_path / "guide.md").write_text("# Guide\n\n## Install\n\nRun.\n")
    (tmp_path / "notes.txt").write_text("One. Two.\n")
    (tmp_path / "call.json").write_text('{"markdown": "# Tea\\n"}')
    for command in ("spanwise chunk guide.md -q", "spanwise chunk docs -o all.jsonl -q"):
        check_command(command, tmp_path)
    return tmp_path


def check_command(command: str, folder: Path) -> str:
    """0 or 1: done, or something is wrong with the documents. 2 would be a command there is not."""
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env={**os.environ, "PATH": programs, "PYTHONPATH": PACKAGE},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode in (0, 1), f"{command}\n{done.stderr}"
    assert "Traceback" not in done.stderr
    return done.stdout


@pytest.mark.parametrize("command", [one for one in COMMANDS if SERVER not in one])
def test_command(command: str, folder: Path) -> None:
    program, name = command.split()[:2]
    if program == "make":
        makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
        assert re.search(rf"^{name}:", makefile, flags=re.MULTILINE)
    elif program == "pip":
        check_extras(command)
    elif name == "mcp":
        pytest.importorskip("mcp", reason="needs the extra [mcp]")
        check_command(command, folder)
    elif name in ("serve", "play"):
        check_command(f"{command} --help", folder)  # they wait; test_serve.py runs them
    else:
        check_command(command, folder)


@pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl")
def test_commands_for_a_server(folder: Path) -> None:
    pytest.importorskip("uvicorn", reason="needs the extra [serve]")
    from tests.test_serve import Running

    asked = [command for command in COMMANDS if SERVER in command]
    assert asked
    with Running(workers=1) as running:
        for command in asked:
            answer = check_command(
                command.replace(SERVER, f"http://127.0.0.1:{running.port}"), folder
            )
            assert "Tea" in answer


def test_links_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]+)", PAGE)
    assert links
    assert [one for one in links if "://" not in one and not (ROOT / one).exists()] == []
