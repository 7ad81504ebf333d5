"""The public names of the package."""

import ast
import tomllib
from pathlib import Path

import pytest

import spanwise
from tests.shared_data import ROOT


def test_every_public_name_is_there() -> None:
    assert sorted(spanwise.__all__) == spanwise.__all__
    for name in spanwise.__all__:
        assert getattr(spanwise, name) is not None
    assert set(dir(spanwise)) == set(spanwise.__all__)
    with pytest.raises(AttributeError, match="no attribute 'chunks'"):
        spanwise.chunks  # noqa: B018


def test_type_checkers_see_the_same_names() -> None:
    tree = ast.parse(Path(str(spanwise.__file__)).read_text(encoding="utf-8"))
    homes = {
        (node.module, name.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("spanwise.")
        for name in node.names
    }
    assert homes == {(module, name) for name, module in spanwise._HOME.items()}


def test_the_version_is_that_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == spanwise.__version__


def test_the_example_of_the_package() -> None:
    rows = spanwise.chunk_markdown("# Tea\n\n## Green\n\nSteep.\n")
    assert [row["heading_path"] for row in rows] == [["Tea", "Green"]]
