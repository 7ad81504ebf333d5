"""Where a C compiler gives up, for want of memory or otherwise, what is built still works."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
KEPT = {"html": "nodes", "pdf": "numbering"}
FAILING = """\
#!/bin/sh
case "$*" in *-c*__native_spanwise*) echo "out of memory" >&2; exit 1 ;; esac
exec cc "$@"
"""


@pytest.mark.skipif(os.name != "posix" or not shutil.which("cc"), reason="no C compiler")
def test_a_library_that_does_not_build_takes_its_modules_with_it(tmp_path: Path) -> None:
    pytest.importorskip("mypyc")
    pytest.importorskip("setuptools")
    project = tmp_path / "project"
    leave = shutil.ignore_patterns("*.so", "*.egg-info", "__pycache__")
    shutil.copytree(ROOT / "src", project / "src", ignore=leave)
    for name, kept in KEPT.items():
        # One module of each reader of formats stands for all: making C of them takes long.
        for module in (project / "src/spanwise/formats" / name).glob("*.py"):
            if module.stem not in ("__init__", kept):
                module.unlink()
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE", "LICENSE-UNICODE"):
        shutil.copy(ROOT / name, project)
    compiler = tmp_path / "cc"
    compiler.write_text(FAILING, encoding="utf-8")
    compiler.chmod(0o755)
    options = ("--no-deps", "--no-build-isolation", "--disable-pip-version-check", "-w", tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", *map(str, options), str(project)],
        env=os.environ | {"CC": str(compiler)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
        packed.extractall(tmp_path / "installed")
    assert "spanwise/kernel/blocks.py" in names
    for name, kept in KEPT.items():
        assert f"spanwise/formats/{name}/{kept}.py" in names
    assert [name for name in names if name.endswith((".so", ".pyd"))] == []
    script = "import spanwise; print(len(spanwise.chunk_markdown('# A\\n\\nb\\n', source='a.md')))"
    run = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | {"PYTHONPATH": str(tmp_path / "installed")},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.stdout == "1\n", run.stderr
