"""Globs: what a list of patterns says, and which files it means."""

import glob
import os
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise.errors import InvalidInput
from spanwise.files import has_suffix
from spanwise.globs import matching_files, read_globs

NAMES = [
    "README.md",
    "LICENSE",
    "notes.rst",
    "docs/a.md",
    "docs/a,b:c.md",
    "docs/a b.md",
    "docs/Größe 漢字.md",
    "docs/[slug].md",
    "docs/{x}.md",
    "docs/star*.md",
    "docs/50%.md",
    "docs/picture.png",
    "docs/sub/deep.mdx",
    "docs/sub/er/deepest.md",
    "docs/.hidden.md",
    ".github/bug.md",
    "packages/one/docs/x.md",
    "packages/two/docs/y.txt",
    "packages/two/src/z.md",
]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in NAMES:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("# T\n", encoding="utf-8")
    return tmp_path


def found(patterns: str, exclude: str = "") -> list[str]:
    matches = matching_files(read_globs(patterns), read_globs(exclude))
    assert matches.faults == []
    return [file.source for file in matches.files]


def written(patterns: str) -> list[str]:
    return [each.written for each in read_globs(patterns)]


DOCS = sorted(name for name in NAMES if name.startswith("docs/") and "/." not in name)
DOCS_MD = [name for name in DOCS if name.endswith(".md")]


def by_parts(names: list[str]) -> list[str]:
    return sorted(names, key=lambda name: name.split("/"))


@pytest.mark.parametrize(
    ("patterns", "expected"),
    [
        ("*.md", ["README.md"]),
        ("./*.md", ["README.md"]),
        ("docs/**/*.md", DOCS_MD),
        ("docs/**/*.{md,mdx}", [*DOCS_MD, "docs/sub/deep.mdx"]),
        ("docs/**", [*DOCS_MD, "docs/sub/deep.mdx"]),
        ("docs", [*DOCS_MD, "docs/sub/deep.mdx"]),
        ("docs/", [*DOCS_MD, "docs/sub/deep.mdx"]),
        ("docs/*", [name for name in DOCS_MD if "sub" not in name]),
        ("docs/*.png", ["docs/picture.png"]),
        ("*.rst", ["notes.rst"]),
        ("*", ["README.md", "notes.rst"]),
        ("LICENSE", ["LICENSE"]),
        ("docs/?.md", ["docs/a.md"]),
        ("docs/[!a-z]*.md", ["docs/50%.md", "docs/Größe 漢字.md", "docs/[slug].md", "docs/{x}.md"]),
        ("packages/*/docs", ["packages/one/docs/x.md", "packages/two/docs/y.txt"]),
        ("**/docs/*.txt", ["packages/two/docs/y.txt"]),
        ("**/sub/**", ["docs/sub/deep.mdx", "docs/sub/er/deepest.md"]),
        ("docs/sub/**/**/**/*.md", ["docs/sub/er/deepest.md"]),
        (".github/**", [".github/bug.md"]),
        ("**/.hidden.md", ["docs/.hidden.md"]),
        (".*/*.md", [".github/bug.md"]),
        ("{README,missing}.md", ["README.md"]),
        ("docs/../README.md", ["README.md"]),
        ("missing.md", []),
        ("", []),
        (" \n,,\n ", []),
    ],
)
def test_what_a_pattern_means(here: Path, patterns: str, expected: list[str]) -> None:
    assert found(patterns) == by_parts(expected)


@pytest.mark.parametrize("name", [name for name in NAMES if "/" in name])
def test_every_name_can_be_named(here: Path, name: str) -> None:
    """As it is on a line of its own; and among others with backslashes, or by a wildcard."""
    assert found(name) == [name]
    assert found(f"README.md\n  {name}\r\nLICENSE") == by_parts(["README.md", name, "LICENSE"])
    escaped = "".join(f"\\{char}" if char in ",*?[]{}\\" else char for char in name)
    assert found(f"README.md, {escaped},LICENSE") == by_parts(["README.md", name, "LICENSE"])
    folder, _, last = name.rpartition("/")
    assert name in found(f"{folder}/{last.replace(',', '?')}, README.md")


def test_commas(here: Path) -> None:
    assert written("a.md, b.md,c.md\nd.md") == ["a.md", "b.md", "c.md", "d.md"]
    assert written("docs/a,b:c.md") == ["docs/a,b:c.md"]
    assert written("docs/a,b*.md") == ["docs/a", "b*.md"]
    assert written("x, docs/a,b:c.md ,y") == ["x", "docs/a,b:c.md", "y"]
    assert written("docs/a.md,b:c.md") == ["docs/a.md", "b:c.md"]
    assert found("README.md,docs/a,b:c.md, docs/a b.md") == [
        "README.md",
        "docs/a b.md",
        "docs/a,b:c.md",
    ]
    assert written("docs/[ab,]*.md, x") == ["docs/[ab,]*.md", "x"]
    assert written("docs/[ab, x") == ["docs/[ab", "x"]
    assert written("{a,b}, c{d") == ["{a,b}", "{a,b}", "c{d"]
    assert found("docs/a[,]b*.md, docs/a\\,b*.md") == ["docs/a,b:c.md"]
    assert found("docs/{a b,a\\,b:c}.md") == ["docs/a b.md", "docs/a,b:c.md"]
    assert found("docs/{[,]x,a{,\\,b:c}}.md") == ["docs/a,b:c.md", "docs/a.md"]


def test_exclude(here: Path) -> None:
    everything = found("**/*.md")
    assert found("**/*.md", "docs") == [name for name in everything if name not in DOCS]
    assert found("**/*.md", "docs/") == found("**/*.md", "docs")
    assert found("**/*.md", "**/docs") == ["README.md", "packages/two/src/z.md"]
    assert found("docs/**/*.md", "docs/*") == ["docs/sub/er/deepest.md"]
    assert found("docs/**/*.md", "docs/*/") == [name for name in DOCS_MD if "sub" not in name]
    assert "docs/a,b:c.md" not in found("docs/**/*.md", "docs/a,b:c.md")
    assert len(found("docs/**/*.md", "docs/a,b:c.md")) == len(DOCS_MD) - 1
    assert found("*.md", f"{here}/README.md") == []
    assert found(f"{here}/*.md", "README.md") == []
    assert found("*.md", "README.md/x") == ["README.md"]
    assert found("docs/a.md", "**") == []


def test_absolute_patterns_and_duplicates(here: Path) -> None:
    assert found(f"{here}/docs/?.md") == [f"{here}/docs/a.md"]
    assert found("docs/a.md\ndocs/*.md\ndocs") == found("docs")


def test_ignored_files_are_left_out_unless_named(here: Path) -> None:
    (here / ".git").mkdir()
    (here / ".git" / "x.md").write_text("# X\n")
    (here / ".gitignore").write_text("packages/\n*.mdx\n")
    assert found("**/*.md") == [name for name in by_parts(NAMES) if name in {"README.md", *DOCS_MD}]
    assert found("packages/one/docs/x.md") == ["packages/one/docs/x.md"]
    assert found("docs/**/*.mdx") == []
    assert found("**/.*/**") == [".github/bug.md"]


def test_idle_patterns_are_told(here: Path) -> None:
    patterns = read_globs("README.md\nnone/**\n{missing,README}.md\n{a,b}.none, x")
    assert matching_files(patterns).unmatched == ["none/**", "{a,b}.none", "x"]
    assert matching_files(patterns, read_globs("README.md")).unmatched == [
        "none/**",
        "{a,b}.none",
        "x",
    ]


def test_unreadable_places_are_faults(here: Path) -> None:
    matches = matching_files(read_globs("a\0b/*.md, README.md/x/*.md"))
    assert [fault.code for fault in matches.faults] == ["unreadable_source"] * 2


def test_braces_have_a_limit() -> None:
    with pytest.raises(InvalidInput, match="braces stand for more than 1000 patterns"):
        read_globs("{a,b}" * 10)
    with pytest.raises(InvalidInput, match="braces are more than 16 deep"):
        read_globs("{a," * 20 + "}" * 20)
    assert len(read_globs("{a,b}" * 9)) == 512


def test_a_hostile_pattern_takes_no_longer() -> None:
    """A backtracking matcher would still be at work tomorrow."""
    (pattern,) = read_globs("*a" * 60 + "/" + "**/" * 60 + "*b" * 60)
    before = time.process_time()
    assert pattern.reach(["a" * 250] + ["b" * 20] * 50 + ["b" * 250 + "c"]) == 0
    assert pattern.reach(["a" * 250] + ["b" * 20] * 50 + ["b" * 250]) == 2
    for opened in ("[", "{", "[!", "{["):
        read_globs(opened * 20_000)
    assert time.process_time() - before < 2


PARTS = st.sampled_from(
    ["a", "b", "*", "**", "?", "[ab]", "*.md", "a*", "[!a]", ".x", ".*", "x.md"]
)


@given(st.lists(PARTS, min_size=1, max_size=5).map("/".join))
def test_as_python_globs(tree: Path, pattern: str) -> None:
    """Without braces, escapes and folders that stand for files, it is what Python's glob finds."""
    theirs = {
        os.path.normpath(name)
        for name in glob.glob(pattern, root_dir=tree, recursive=True)  # noqa: PTH207
        if (tree / name).is_file()
    }
    last = pattern.rpartition("/")[2]
    if last in ("*", "**", "?", "a*", ".*"):
        theirs = {name for name in theirs if has_suffix(name)}
    before = Path.cwd()
    os.chdir(tree)
    try:
        (each,) = read_globs(pattern)
        ours = {file.source for file in matching_files([each]).files}
        if each.folders:
            ours = {name for name in ours if name in theirs}
    finally:
        os.chdir(before)
    assert ours == theirs


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    top = tmp_path_factory.mktemp("tree")
    for folder in ("", "a/", "b/", ".x/", "a/b/", "a/a/", "a/.x/", "b/a/b/"):
        (top / folder).mkdir(parents=True, exist_ok=True)
        for name in ("x.md", ".y.md", "c", "a.md", "a.png"):
            (top / folder / name).write_text("")
    return top
