"""The action in act, the hook in pre-commit, and what linters say of both (make test-action)."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from spanwise import __version__
from tests.shared_data import ROOT

TOOLS = Path(sys.executable).parent
HERE = Path(__file__).with_name("github")
NODE_MODULES = TOOLS.parent / "node_modules"

pytestmark = pytest.mark.skipif(
    not (TOOLS / "act").exists(), reason="needs act and linters (make test-action)"
)

BIG = "# Big\n\n" + "word " * 100
TOO_BIG = "# Big\n\n" + "word " * 400
ODD = ["docs/a,b:c.md", "docs/50% off.md", "docs/ü 漢字.md", "docs/new\nline.md"]
IDENTITY = {
    "GIT_AUTHOR_NAME": "Test",
    "GIT_AUTHOR_EMAIL": "test@example.org",
    "GIT_COMMITTER_NAME": "Test",
    "GIT_COMMITTER_EMAIL": "test@example.org",
}


def call(
    *command: str | Path, cwd: Path = ROOT, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=os.environ | IDENTITY | (env or {}),
        capture_output=True,
        encoding="utf-8",
        timeout=900,
    )


def commit(folder: Path, message: str = "Files") -> str:
    """Commit all files in a folder, a repository from then on; the commit's name."""
    for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-qm", message]):
        done = call("git", *arguments, cwd=folder)
        assert done.returncode == 0, done.stderr
    return call("git", "rev-parse", "HEAD", cwd=folder).stdout.strip()


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """This project as a repository of its own, with what is not committed yet; its commit."""
    copy = tmp_path_factory.mktemp("project") / "spanwise"
    listed = call("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").stdout
    for name in listed.split("\0")[:-1]:
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, copy / name)
    return copy, commit(copy)


def readme_yaml(beginning: str) -> str:
    """The block of YAML in the README that begins so."""
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    (found,) = re.findall(rf"```yaml\n({beginning}.*?)```", page, flags=re.DOTALL)
    return str(found)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    for name in ODD:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(BIG, encoding="utf-8")
    (folder / "docs" / "latin.md").write_bytes(b"caf\xe9")
    (folder / ".github" / "workflows").mkdir(parents=True)
    return folder


# Linters, each of which finds a planted mistake


def lint_schema(kind: str, path: Path) -> subprocess.CompletedProcess[str]:
    return call(TOOLS / "check-jsonschema", "--builtin-schema", f"vendor.github-{kind}", path)


def lint_security(path: Path) -> subprocess.CompletedProcess[str]:
    return call(TOOLS / "zizmor", "--offline", "--pedantic", "--no-progress", path)


def lint_workflow(*paths: Path) -> subprocess.CompletedProcess[str]:
    return call("node", HERE / "lint.cjs", *paths, env={"NODE_PATH": str(NODE_MODULES)})


def test_the_action_is_clean(tmp_path: Path) -> None:
    action = ROOT / "action.yml"
    for done in (lint_schema("actions", action), lint_security(action), lint_security(HERE)):
        assert done.returncode == 0, done.stdout + done.stderr
    planted = tmp_path / "action.yml"
    text = action.read_text(encoding="utf-8")
    planted.write_text(text.replace("using: composite", "using: compost"), encoding="utf-8")
    assert lint_schema("actions", planted).returncode != 0
    script = """run: '"$BIN/spanwise" ci'"""
    assert script in text
    planted.write_text(text.replace(script, "run: echo ${{ inputs.files }}"), encoding="utf-8")
    assert "template-injection" in lint_security(planted).stdout


def test_scripts_are_clean(tmp_path: Path) -> None:
    yaml = pytest.importorskip("yaml")
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    scripts = [step["run"] for step in action["runs"]["steps"] if "run" in step]
    for number, script in enumerate(scripts):
        path = tmp_path / f"{number}.sh"
        path.write_text(f"#!/bin/bash\nset -eo pipefail\n{script}", encoding="utf-8")
        done = call(TOOLS / "shellcheck", path)
        assert done.returncode == 0, done.stdout
    path.write_text("#!/bin/bash\nrm $1\n")
    assert call(TOOLS / "shellcheck", path).returncode == 1


def test_workflows_are_clean(tmp_path: Path) -> None:
    shown = tmp_path / "readme.yml"
    shown.write_text(readme_yaml("name: Chunks"), encoding="utf-8")
    ours = [shown, HERE / "odd-names.yml"]
    done = lint_workflow(*ours)
    assert done.returncode == 0, done.stdout + done.stderr
    for path in ours:
        done = lint_schema("workflows", path)
        assert done.returncode == 0, done.stdout
    shown.write_text(readme_yaml("name: Chunks").replace("runs-on:", "run-on:"), encoding="utf-8")
    assert 'unexpected key "run-on"' in lint_workflow(shown).stdout
    assert lint_schema("workflows", shown).returncode != 0


# act


class Act:
    """One run of a workflow in act, on this machine without containers."""

    def __init__(self, repository: Path, project: Path, files: Path, workflow: str) -> None:
        """Commit the repository with the workflow, and run it; what it leaves is in `files`."""
        (repository / ".github" / "workflows" / "chunks.yml").write_text(workflow, "utf-8")
        commit(repository)
        files.mkdir()
        self.files = files
        stand_ins = [f"spanwise/spanwise@v{__version__}={project}"]
        for name, at in re.findall(
            r"uses: actions/([\w-]+)@(\w+)", (project / "action.yml").read_text()
        ):
            stand_ins.append(f"actions/{name}@{at}={HERE / name}")
        assert len(stand_ins) == 3
        done = call(
            TOOLS / "act",
            "push",
            *("--platform", "ubuntu-latest=-self-hosted", "--pull=false"),
            *("--action-cache-path", files.with_name("act")),
            *("--env", f"STAND_IN_FILES={files}"),
            *(part for each in stand_ins for part in ("--local-repository", each)),
            cwd=repository,
        )
        self.log = done.stdout + done.stderr
        self.status = done.returncode

    def warnings(self) -> set[str]:
        """The `file` of each warning, as written."""
        return set(re.findall(r"::warning file=(.*?),line=1,title=Section is split::", self.log))

    def read(self, name: str) -> Any:
        """A JSON file that it left."""
        return json.loads((self.files / name).read_text(encoding="utf-8"))


def test_the_workflow_of_the_readme(
    repository: Path, project: tuple[Path, str], tmp_path: Path
) -> None:
    (repository / "docs" / "latin.md").unlink()
    (repository / "docs" / "long.md").write_text(TOO_BIG)
    act = Act(repository, project[0], tmp_path / "files", readme_yaml("name: Chunks"))
    assert act.status == 0, act.log
    rows = [json.loads(line) for line in (act.files / "docs-chunks").read_bytes().splitlines()]
    assert {row["source"] for row in rows} == {*ODD, "docs/long.md"}
    assert "::set-output:: files=5" in act.log
    assert not (act.files / "python-version").exists()
    assert '"Big" has 2007 characters and is split into 2 parts' in act.log


def test_odd_names_in_lists(repository: Path, project: tuple[Path, str], tmp_path: Path) -> None:
    workflow = (HERE / "odd-names.yml").read_text(encoding="utf-8")
    act = Act(repository, project[0], tmp_path / "files", workflow)
    assert act.status == 0, act.log
    assert act.warnings() == {
        "docs/a%2Cb%3Ac.md",
        "docs/50%25 off.md",
        "docs/ü 漢字.md",
        "docs/new%0Aline.md",
    }
    strict = act.read("strict.json")
    assert (strict["outcome"], strict["conclusion"]) == ("failure", "success")
    assert strict["outputs"] == {
        "files": "4",
        "chunks": "12",
        "biggest-chunk": "199",
        "split-sections": "4",
        "output": "out/my chunks.jsonl",
    }
    assert "::error::4 sections too big for one chunk (fail-on-split)" in act.log
    rows = [json.loads(line) for line in (act.files / "odd").read_bytes().splitlines()]
    assert {row["source"] for row in rows} == set(ODD)
    assert (act.files / "python-version").read_text() == "3.12\n"
    tokens = act.read("tokens.json")
    rows = [json.loads(line) for line in (act.files / "chunks.jsonl").read_bytes().splitlines()]
    assert tokens["outcome"] == "success"
    assert tokens["outputs"]["chunks"] == str(len(rows))
    assert all(row["tokens_exact"] and row["tokens"] <= 100 for row in rows)
    assert all(row["text"].startswith("Big") for row in rows)


# pre-commit


@pytest.fixture(scope="module")
def hooks(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment for pre-commit: a cache of its own, hooks installed without compiling."""
    return {"PRE_COMMIT_HOME": str(tmp_path_factory.mktemp("hooks")), "SPANWISE_PURE": "1"}


def test_the_manifest_is_valid(tmp_path: Path) -> None:
    manifest = ROOT / ".pre-commit-hooks.yaml"
    assert call(TOOLS / "pre-commit", "validate-manifest", manifest).returncode == 0
    planted = tmp_path / "hooks.yaml"
    planted.write_text(manifest.read_text().replace("entry:", "entrance:"))
    assert call(TOOLS / "pre-commit", "validate-manifest", planted).returncode == 1


def test_try_repo(repository: Path, project: tuple[Path, str], hooks: dict[str, str]) -> None:
    (repository / "docs" / "latin.md").unlink()
    (repository / "notes.txt").write_text("word " * 1000)
    commit(repository)

    def tried() -> subprocess.CompletedProcess[str]:
        call("git", "add", "-A", cwd=repository)
        arguments = ["try-repo", str(project[0]), "spanwise-check", "--all-files"]
        return call(TOOLS / "pre-commit", *arguments, cwd=repository, env=hooks)

    done = tried()
    assert (done.returncode, "Passed" in done.stdout) == (0, True), done.stdout + done.stderr
    (repository / "docs" / "ü 漢字.md").write_text(TOO_BIG)
    done = tried()
    assert done.returncode == 1
    assert 'docs/ü 漢字.md:1: "Big" has 2007 characters and is split into 2 parts' in done.stdout
    assert "notes.txt" not in done.stdout
    (repository / "docs" / "ü 漢字.md").write_text("# Short\n")
    (repository / "docs" / "ü 漢字.chunks.jsonl").write_text("{}\n")
    done = tried()
    assert done.returncode == 1
    assert "ü 漢字.chunks.jsonl does not hold its chunks as they are now" in done.stdout


def test_the_hook_of_the_readme(
    repository: Path, project: tuple[Path, str], hooks: dict[str, str]
) -> None:
    (repository / "docs" / "latin.md").unlink()
    (repository / "other.md").write_text(TOO_BIG)
    shown = readme_yaml("repos:")
    config = re.sub(r"repo: \S+", f"repo: {project[0]}", shown).replace(
        f"v{__version__}", project[1]
    )
    assert config.count(str(project[0])) == config.count(project[1]) == 1
    (repository / ".pre-commit-config.yaml").write_text(config)

    def ran() -> subprocess.CompletedProcess[str]:
        call("git", "add", "-A", cwd=repository)
        return call(TOOLS / "pre-commit", "run", "--all-files", cwd=repository, env=hooks)

    chunk: list[str | Path] = [TOOLS / "spanwise", "chunk", "docs"]
    commit(repository)
    assert "docs.chunks.jsonl: no such file" in ran().stdout
    assert call(*chunk, cwd=repository).returncode == 0
    assert ran().returncode == 0
    (repository / ODD[0]).write_text("# Changed\n\nword\n")
    done = ran()
    assert done.returncode == 1
    assert f"{ODD[0]}: docs.chunks.jsonl does not hold its chunks as they are now" in done.stdout
    assert call(*chunk, cwd=repository).returncode == 0
    assert ran().returncode == 0
