"""Which files a path means, reading them, and writing in one step."""

import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from spanwise.errors import UnreadableSource, UnwritableOutput
from spanwise.files import AtomicFile, decode, find_files, read_text, source_name


def build(root: Path, files: dict[str, str]) -> None:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")


def found(*paths: str | Path) -> list[str]:
    files, faults = find_files([str(path) for path in paths])
    assert not faults
    return [file.source for file in files]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_folder_gives_its_markdown_in_order(here: Path) -> None:
    names = ["docs/b.md", "docs/a.MD", "docs/a/z.markdown", "docs/a-b.txt", "docs/x.mdx"]
    build(here, dict.fromkeys([*names, "docs/p.py", "docs/.hid.md", "docs/.h/x.md"], "x"))
    assert found("docs") == [
        "docs/a/z.markdown",
        "docs/a-b.txt",
        "docs/a.MD",
        "docs/b.md",
        "docs/x.mdx",
    ]


def test_a_named_file_is_always_read(here: Path) -> None:
    build(here, {".gitignore": "*.md\n", "a.md": "", "code.py": "", ".hidden.md": "", "c.md": ""})
    assert found("a.md", "code.py", ".hidden.md") == [".hidden.md", "a.md", "code.py"]
    assert found(".") == []


def test_overlapping_paths_give_a_file_once(here: Path) -> None:
    build(here, {"docs/a.md": "", "docs/sub/b.md": ""})
    assert found("docs/sub/b.md", "docs", "./docs/a.md", "docs/sub") == [
        "docs/a.md",
        "docs/sub/b.md",
    ]


def test_links(here: Path) -> None:
    build(here, {"docs/a.md": "", "other/b.md": ""})
    (here / "docs" / "loop").symlink_to(here / "docs")
    (here / "docs" / "same.md").symlink_to("a.md")
    (here / "docs" / "b.md").symlink_to(here / "other" / "b.md")
    (here / "docs" / "gone.md").symlink_to("nowhere.md")
    (here / "named").symlink_to("other")
    files, faults = find_files(["docs", "named"])
    assert not faults
    assert len(files) == 2
    assert {os.path.realpath(file.path) for file in files} == {
        str((here / "docs" / "a.md").resolve()),
        str((here / "other" / "b.md").resolve()),
    }


def test_what_is_not_there_is_reported(here: Path) -> None:
    build(here, {"a.md": ""})
    files, faults = find_files(["a.md", "no.md", "nul\0.md"])
    assert [file.source for file in files] == ["a.md"]
    assert [fault.message for fault in faults] == [
        "no.md: no such file or directory",
        "nul\0.md: a path cannot hold U+0000",
    ]
    assert faults[0].details == {"source": "no.md"}


IGNORES = {
    ".gitignore": "# note\n\nbuild/\n*.tmp.md\n/top.md\n!keep.tmp.md\ndeep/**/x.md\r\nend\\ \n",
    "docs/.gitignore": "*\n!*.md\n!*/\nsecret.md\n",
    "docs/sub/.gitignore": "!secret.md\n!docs/\n",
    "lone/.gitignore": "*.md\n",
    "lone/sub/.gitignore": "!inner/\n",
}


def test_ignore_files_like_git(here: Path) -> None:
    git = shutil.which("git")
    if git is None:
        pytest.skip("git is not installed")
    names = """
        a.md top.md sub/top.md x.tmp.md keep.tmp.md build/a.md sub/build/b.md build.md
        deep/x.md deep/a/b/x.md deep/a/y.md docs/a.md docs/b.txt docs/secret.md
        docs/sub/secret.md docs/sub/docs/c.md lone/a.md lone/sub/inner/a.md excluded.md
        sub/excluded.md ünï.md
    """.split()
    build(here, dict.fromkeys(names, "x") | IGNORES)
    subprocess.run([git, "init", "-q"], check=True)
    (here / ".git" / "info").mkdir(exist_ok=True)
    (here / ".git" / "info" / "exclude").write_text("excluded.md\n", encoding="utf-8")
    listing = ["ls-files", "-z", "--others", "--exclude-standard"]
    command = [git, "-c", "core.excludesFile=", *listing]
    listed = subprocess.run(command, check=True, capture_output=True).stdout.decode().split("\0")
    wanted = {name for name in listed if name.endswith((".md", ".txt"))}
    assert set(found(".")) == wanted
    assert "docs/sub/secret.md" in wanted
    assert found("docs") == sorted(name for name in wanted if name.startswith("docs/"))


def test_an_ignored_folder_that_is_named_is_read(here: Path) -> None:
    (here / ".git").mkdir()
    build(here, {".gitignore": "build/\nno.md\n", "build/a.md": "", "build/no.md": ""})
    assert found(".") == []
    assert found("build") == ["build/a.md"]


def test_the_ignore_files_of_a_linked_work_tree(here: Path) -> None:
    build(here, {"repo/.git/info/exclude": "no.md\n", "repo/.git/worktrees/w/commondir": "../..\n"})
    build(here, {"w/.git": f"gitdir: {here}/repo/.git/worktrees/w\n", "w/a.md": "", "w/no.md": ""})
    assert found("w") == ["w/a.md"]


@pytest.mark.parametrize(
    ("path", "name"),
    [("./a//b.md", "a/b.md"), ("a/../b.md", "b.md"), ("/x/y.md", "/x/y.md"), ("n\udcff", r"n\xff")],
)
def test_names(path: str, name: str) -> None:
    assert source_name(path) == name


def test_text_is_read_as_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"\xef\xbb\xbf# Quay\r\n\xe6\xbc\xa2\rx\n\xef\xbb\xbf")
    assert read_text(path) == "# Quay\r\n漢\rx\n\ufeff"


def test_bytes_that_are_not_utf8_are_named() -> None:
    with pytest.raises(UnreadableSource, match=r"a\.md: not UTF-8 at byte 4 \(0xff\)") as caught:
        decode(b"\xef\xbb\xbfa\xff", "a.md")
    assert caught.value.details == {"source": "a.md", "byte": 4}
    with pytest.raises(UnreadableSource, match="byte 1"):
        decode(b"a\xed\xa0\x80", "surrogate.md")


def test_an_unreadable_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableSource, match="is a directory"):
        read_text(tmp_path)


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text("before", encoding="utf-8")
    path.chmod(0o640)
    with pytest.raises(ZeroDivisionError), AtomicFile(path) as file:
        file.write(b"half")
        raise ZeroDivisionError
    assert path.read_text(encoding="utf-8") == "before"
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.jsonl"]
    with AtomicFile(path) as file:
        file.write(b"after")
        assert path.read_text(encoding="utf-8") == "before"
    assert path.read_text(encoding="utf-8") == "after"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.jsonl"]


def test_a_new_file_has_the_usual_permissions(tmp_path: Path) -> None:
    usual = tmp_path / "usual"
    usual.touch()
    with AtomicFile(tmp_path / "new") as file:
        file.write(b"x")
    assert (tmp_path / "new").stat().st_mode == usual.stat().st_mode


def test_a_link_goes_on_pointing_to_the_file(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("before", encoding="utf-8")
    (tmp_path / "link").symlink_to("real")
    with AtomicFile(tmp_path / "link") as file:
        file.write(b"after")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text(encoding="utf-8") == "after"


def test_a_device_is_written_directly() -> None:
    with AtomicFile(os.devnull) as file:
        file.write(b"x")
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)


def test_an_output_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnwritableOutput, match=r"cannot write .*no/out.jsonl: no such file"):
        AtomicFile(tmp_path / "no" / "out.jsonl").__enter__()
    with pytest.raises(UnwritableOutput, match="is a directory"):
        AtomicFile(tmp_path).__enter__()
