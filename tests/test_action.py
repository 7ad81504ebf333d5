"""What the GitHub Action does, told by GitHub's files and the log; without the runner."""

import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from spanwise import __version__
from spanwise.doors.cli import main
from spanwise.doors.cli.gating import ci
from spanwise.doors.workflow import SUMMARY_BYTES, code, command, escape_data, escape_property
from tests.shared_data import ROOT, field_reports
from tests.workflows import Step, decoded, read_log, read_tables

BIG = "# Big\n\n" + "word " * 100
SMALL = "# Small\n\nword\n"
ODD = [
    "docs/a,b:c.md",
    "docs/with space.md",
    "docs/two  spaces.md",
    "docs/50%.md",
    "docs/%0A%25.md",
    "docs/Größe 漢字 🍵.md",
    "docs/new\nline.md",
    "docs/return\rhere.md",
    "docs/pipe|`tick` \\|.md",
    "docs/::error::x.md",
    "docs/[slug].md",
    "docs/<b>&amp;*_~.md",
]


@pytest.mark.parametrize("case", field_reports("action"), ids=lambda case: case["id"])
def test_field_report(case: dict[str, Any], tmp_path: Path) -> None:
    step = Step(tmp_path, case["input"]["files"])
    inputs = {name.replace("-", "_"): value for name, value in case["input"]["inputs"].items()}
    assert step.run(**inputs) == 0
    warnings = step.log.named("warning")
    for name, value in case["expect"].items():
        if name == "annotation_file_property":
            assert f"::warning file={value},line=" in step.text
        elif name == "annotation_line":
            assert [each.properties["line"] for each in warnings] == [str(value)]
        elif name == "split_sections":
            assert step.outputs["split-sections"] == str(value)
        elif name == "summary_lists":
            (rows,) = (
                rows for title, rows in read_tables(step.summary).items() if "split" in title
            )
            assert [row[2] for row in rows[1:]] == value
        else:
            raise AssertionError(f"{name}: {case['why']}")


def test_odd_names(tmp_path: Path) -> None:
    step = Step(tmp_path, dict.fromkeys(ODD, BIG))
    assert step.run(files="docs/**/*.md", max_chars="200") == 0
    annotated = [each.properties["file"] for each in step.log.named("warning")]
    assert len(annotated) == 10
    assert set(annotated) < set(ODD)
    shown = sorted(re.sub("[\r\n]", " ", name) for name in ODD)
    tables = read_tables(step.summary)
    assert sorted(row[0] for row in tables["Chunks of each file"][1:]) == shown
    assert step.outputs["files"] == str(len(ODD))
    sources = {json.loads(line)["source"] for line in lines_of(step)}
    assert sources == set(ODD)
    names = {each.name for each in step.log.commands}
    assert names == {"warning", "group", "endgroup"}


@pytest.mark.parametrize("name", [name for name in ODD if "\n" not in name and "\r" not in name])
def test_an_odd_name_among_others(name: str, tmp_path: Path) -> None:
    step = Step(tmp_path, {name: BIG, "a.md": SMALL, "b.md": SMALL})
    assert step.run(files=f"a.md, b.md\n{name}\n", max_chars="200") == 0
    assert step.outputs["files"] == "3"
    assert [each.properties["file"] for each in step.log.named("warning")] == [name]
    step.run(files="**/*.md", exclude=name)
    assert step.outputs["files"] == "2"


def lines_of(step: Step) -> list[bytes]:
    path = Path(step.here, step.outputs["output"])
    return path.read_bytes().split(b"\n")[:-1]


def test_outputs_and_chunks(tmp_path: Path) -> None:
    files = {"docs/a.md": BIG, "docs/sub/b.md": SMALL, "README.md": SMALL, "docs/empty.md": ""}
    step = Step(tmp_path, dict(files))
    inputs = {"files": "docs/**/*.md", "max_chars": "300", "overlap_chars": "40"}
    assert step.run(**inputs, prefix_path="true", output="out/deep/all.jsonl") == 0
    assert step.outputs == {
        "files": "3",
        "chunks": str(len(lines_of(step))),
        "biggest-chunk": str(max(json.loads(line)["chars"] for line in lines_of(step))),
        "split-sections": "1",
        "output": "out/deep/all.jsonl",
    }
    options = ["--max-chars", "300", "--overlap-chars", "40", "--prefix-path"]
    done = CliRunner().invoke(main, ["chunk", str(step.here / "docs"), "-o", "-", *options])
    ours = [json.loads(line)["text"] for line in lines_of(step)]
    assert ours == [json.loads(line)["text"] for line in done.stdout.split("\n")[:-1]]
    (warning,) = step.log.named("warning")
    assert warning.message == (
        '"Big" has 507 characters and is split into 2 parts: a chunk holds 300 characters'
    )
    assert warning.properties == {"file": "docs/a.md", "line": "1", "title": "Section is split"}
    assert step.errors == ""


def test_the_worst_ten_are_annotated_and_all_are_listed(tmp_path: Path) -> None:
    sizes = [(number * 7) % 25 for number in range(25)]
    sections = [f"## S{size:02}\n\n{'word ' * (60 + size)}\n\n" for size in sizes]
    step = Step(
        tmp_path, {"a.md": "pre\n\n" + "".join(sections[:12]), "b.md": "".join(sections[12:])}
    )
    assert step.run(max_chars="200") == 0
    shown = [each.message.split('"')[1] for each in step.log.named("warning")]
    assert shown == [f"S{size:02}" for size in range(24, 14, -1)]
    rows = read_tables(step.summary)["Sections that are split: a chunk holds 200 characters"][1:]
    assert [row[2] for row in rows] == [f"S{size:02}" for size in sizes]
    text = {name: (step.here / name).read_text().split("\n") for name in ("a.md", "b.md")}
    assert all(text[row[0]][int(row[1]) - 1] == f"## {row[2]}" for row in rows)
    listed = [line for line in step.log.lines if " is split into " in line]
    assert [line.split('"')[1] for line in listed] == [f"S{size:02}" for size in sizes]


def test_with_a_token_limit_the_worst_has_most_tokens(tmp_path: Path) -> None:
    files = {"long.md": "# Long\n\n" + "word " * 300, "dense.md": "# Dense\n\n" + "漢字🍵 " * 150}
    step = Step(tmp_path, dict(files))
    assert step.run(max_tokens="60") == 0
    assert [each.properties["file"] for each in step.log.named("warning")] == [
        "dense.md",
        "long.md",
    ]
    assert "a chunk holds 60 tokens" in step.log.named("warning")[0].message
    assert all(json.loads(line)["tokens"] <= 60 for line in lines_of(step))
    assert all(json.loads(line)["tokens_exact"] for line in lines_of(step))
    assert step.run(max_tokens="60", max_chars="200") == 0
    assert "a chunk holds 200 characters and 60 tokens" in step.log.named("warning")[0].message


def test_text_under_no_heading_has_a_name(tmp_path: Path) -> None:
    text = f"---\n{'key: value' * 30}\n---\n\n{'word ' * 60}\n\n# {'Long heading ' * 20}\n\nword\n"
    step = Step(tmp_path, {"a.md": text})
    assert step.run(max_chars="200") == 0
    rows = next(rows for title, rows in read_tables(step.summary).items() if "split" in title)[1:]
    assert [row[2] for row in rows[:2]] == ["(front matter)", "(text before the first heading)"]
    assert len(rows[2][2]) == 100
    assert step.log.named("warning")[0].message.startswith("(front matter) has 308 characters")


def test_fail_on_split(tmp_path: Path) -> None:
    step = Step(tmp_path, {"a.md": BIG})
    assert step.run(max_chars="200", fail_on_split="true") == 1
    assert step.log.commands[0] == ("error", {}, "1 section too big for one chunk (fail-on-split)")
    assert step.outputs["split-sections"] == "1"
    assert len(lines_of(step)) == 3
    assert step.run(max_chars="600", fail_on_split="TRUE") == 0
    assert step.run(max_chars="200", fail_on_split="false") == 0
    assert step.run(max_chars="200", fail_on_split="perhaps") == 2
    assert "'perhaps' is not a valid boolean" in step.errors


def test_fail_on_empty(tmp_path: Path) -> None:
    step = Step(tmp_path, {"a.md": BIG})
    assert step.run(files="docs/**/*.md") == 1
    assert [each.message for each in step.log.commands] == [
        "no files match (fail-on-empty)",
        "nothing matches docs/**/*.md",
    ]
    assert step.run(files="docs/**/*.md", fail_on_empty="false") == 0
    assert [step.outputs[name] for name in ("files", "chunks", "biggest-chunk")] == ["0"] * 3
    assert lines_of(step) == []
    assert "nothing matches docs/" in step.summary


def test_files_that_cannot_be_read_are_errors_and_the_others_are_done(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {f"bad{number:02}.md": b"caf\xe9" for number in range(12)}
    step = Step(tmp_path, files | {"good.md": BIG})
    assert step.run(max_chars="200", fail_on_split="true") == 1
    errors = step.log.named("error")
    assert len(errors) == 10
    assert "fail-on-split" in errors[0].message
    assert errors[1].message == "bad00.md: not UTF-8 at byte 3 (0xe9)"
    assert errors[1].properties == {"file": "bad00.md"}
    assert len(read_tables(step.summary)["What went wrong"]) == 13
    assert (step.outputs["files"], step.outputs["chunks"]) == ("1", "3")


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"max_chars": "100"}, "max_chars: 100 is less than 200"),
        ({"overlap_chars": "900"}, "overlap_chars: 900 is more than half of max_chars"),
        ({"max_tokens": "100", "tokenizer": "none"}, "unknown tokenizer 'none'"),
        ({"output": "a.md"}, "output: a.md is an input, too"),
        ({"output": "a.md/x.jsonl"}, "cannot write a.md/x.jsonl"),
        ({"files": "{a,b}" * 11}, "braces stand for more than 1000 patterns"),
    ],
)
def test_settings_that_cannot_be_followed(
    inputs: dict[str, str], message: str, tmp_path: Path
) -> None:
    step = Step(tmp_path, {"a.md": BIG})
    assert step.run(**inputs) == 1
    assert [each.name for each in step.log.commands] == ["error"]
    assert message in step.log.commands[0].message
    assert (step.here / "a.md").read_text() == BIG


def test_without_githubs_files_everything_is_printed(tmp_path: Path) -> None:
    step = Step(tmp_path, {"a.md": BIG})
    nowhere = {"GITHUB_OUTPUT": "", "GITHUB_STEP_SUMMARY": "", "GITHUB_ACTIONS": ""}
    assert step.run("--max-chars", "200", "-o", "all.jsonl", env=nowhere) == 0
    assert not step.output.exists()
    assert not step.summary_file.exists()
    assert "split-sections=1" in step.log.lines
    assert "output=all.jsonl" in step.log.lines
    assert "| `a.md` | 1 | `Big` | 507 | 3 |" in step.log.lines
    assert step.log.lines[-2] == (
        "Saved: all.jsonl (1 file, 3 chunks, biggest 199 characters, 1 section split)"
    )


def test_githubs_files_are_added_to(tmp_path: Path) -> None:
    step = Step(tmp_path, {"a.md": SMALL})
    step.output.write_text("before<<x\n1\nx\n")
    step.summary_file.write_text("# Before\n")
    assert step.run() == 0
    assert step.outputs["before"] == "1"
    assert step.outputs["chunks"] == "1"
    assert step.summary.startswith("# Before\n## Chunks\n")


def test_the_locale_does_not_matter(tmp_path: Path) -> None:
    step = Step(tmp_path, {"docs/Größe.md": "# Größe 漢字\n\n" + "wörd " * 100})
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    assert step.run(max_chars="200", env=plain) == 0
    assert step.log.named("warning")[0].properties["file"] == "docs/Größe.md"
    assert '"Größe 漢字" has' in step.log.named("warning")[0].message


@pytest.mark.skipif(sys.platform != "linux", reason="names are bytes on Linux only")
def test_bytes_that_are_not_utf8(tmp_path: Path) -> None:
    step = Step(tmp_path, {})
    with open(os.fsencode(step.here) + b"/caf\xe9.md", "w") as file:  # noqa: PTH123
        file.write(BIG)
    odd = os.fsdecode(b"none\xe9/*.md")
    assert step.run(max_chars="200", files=f"*.md, {odd}") == 0
    assert step.log.named("warning")[0].properties["file"] == "caf\\xe9.md"
    assert step.log.named("notice")[0].message == "nothing matches none\\udce9/*.md"
    assert step.outputs["files"] == "1"


def test_text_cannot_give_commands(tmp_path: Path) -> None:
    """Neither headings nor names are taken for commands, outputs or markup."""
    headings = ["::error::x", "%0A::error::y", "</table>|`a` | b", "x\n::stop-commands::z\n==="]
    texts = [f"## {heading}\n\n{'word ' * 100}\n\n" for heading in headings[:3]] * 5
    texts.append(f"{headings[3]}\n\n{'word ' * 100}\n")
    step = Step(tmp_path, {"a\n::error::name.md": "".join(texts)})
    assert step.run(max_chars="200", output="b\nchunks=9\n.jsonl") == 0
    assert {each.name for each in step.log.commands} == {"warning", "group", "endgroup"}
    assert step.outputs["chunks"] == "48"
    assert step.outputs["output"] == "b\nchunks=9\n.jsonl"
    rows = next(rows for title, rows in read_tables(step.summary).items() if "split" in title)[1:]
    assert rows[0][2] == "::error::x"
    assert rows[2][2] == "</table>|`a` | b"
    assert rows[15][2] == "x ::stop-commands::z"
    assert len(rows) == 16


def test_a_summary_stays_below_the_limit(tmp_path: Path) -> None:
    """GitHub shows nothing of a bigger one; what is left out is said, and is in the log."""
    sections = [f"## S{number:03}\n\n{'word ' * 60}\n\n" for number in range(100)]
    step = Step(tmp_path, {"a.md": "".join(sections)})
    for room, some in ((2000, True), (700, False), (100, False)):
        step.summary_file.write_bytes(b"\n" * (SUMMARY_BYTES - room))
        assert step.run(max_chars="200") == 0
        assert SUMMARY_BYTES - room < step.summary_file.stat().st_size <= SUMMARY_BYTES
        assert ("S000" in step.summary) == some
        assert ("for which there is no room here" in step.summary) == (room > 100)
        assert sum(" is split into " in line for line in step.log.lines) == 100
        if some:
            listed = len(re.findall(r"`S\d+`", step.summary))
            left = re.search(r"^and (\d+) more, for which", step.summary, flags=re.MULTILINE)
            assert left is not None
            assert listed + int(left[1]) == 100


@given(st.text())
def test_commands_are_read_as_they_were_meant(text: str) -> None:
    written = command("warning", text, file=text, line=3)
    assert "\n" not in written
    assert "\r" not in written
    if "::" not in text:
        (found,) = read_log(written).commands
        assert found == (
            "warning",
            {"file": text, "line": "3"} if text else {"file": "", "line": "3"},
            text,
        )
    assert decoded(escape_data(text)) == text
    assert decoded(escape_property(text), ":,") == text


def test_escapes_are_githubs() -> None:
    """In data `%`, CR and LF; in properties `:` and `,` too; `%` first."""
    assert escape_data("a%b\r\n:,") == "a%25b%0D%0A:,"
    assert escape_property("docs/a,b:c.md") == "docs/a%2Cb%3Ac.md"
    assert escape_property("%2C") == "%252C"


@given(st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1))
def test_a_cell_holds_any_text(text: str) -> None:
    tables = read_tables(f"### T\n\n| a | b |\n| --- | --- |\n| {code(text)} | x |\n")
    (cells,) = tables["T"][1:]
    assert cells[1:] == ["x"]
    assert cells[0].strip(" ") == text.strip(" ")


# What the action says about itself


def metadata() -> dict[str, Any]:
    yaml = pytest.importorskip("yaml", reason="needs PyYAML")
    loaded = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    assert isinstance(loaded, dict)
    return loaded


def test_inputs_are_options_with_the_same_defaults() -> None:
    action = metadata()
    variables = {option.name: str(option.envvar) for option in ci.params}
    step = next(step for step in action["runs"]["steps"] if step.get("id") == "chunks")
    passed = {name: value for name, value in step["env"].items() if name.startswith("INPUT_")}
    assert set(passed) == set(variables.values())
    for option, default in ci.make_context("ci", []).params.items():
        name = option.replace("_", "-")
        assert f"inputs.{name}" in passed[variables[option]]
        if name != "tokenizer":  # which `ci` takes only beside --max-tokens
            shown = "" if default is None else str(default)
            shown = shown.lower() if isinstance(default, bool) else shown
            assert action["inputs"][name]["default"] == shown
    own = {"artifact-name", "python-version"}
    assert {name.replace("-", "_") for name in set(action["inputs"]) - own} == set(variables)


def test_every_output_is_set(tmp_path: Path) -> None:
    step = Step(tmp_path, {"a.md": SMALL})
    step.run()
    values = {f"${{{{ steps.chunks.outputs.{name} }}}}" for name in step.outputs}
    assert {output["value"] for output in metadata()["outputs"].values()} == values
    assert set(step.outputs) == set(metadata()["outputs"])


def test_scripts_hold_no_expressions() -> None:
    """Inputs come by the environment: in a script's text they would be run."""
    scripts = [step["run"] for step in metadata()["runs"]["steps"] if "run" in step]
    assert len(scripts) == 2
    assert all("${{" not in script for script in scripts)


def test_the_readme_shows_the_action_as_it_is() -> None:
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    owner, name = json.loads((ROOT / "server.json").read_text())["name"].split("/")
    assert f"uses: {owner.rpartition('.')[2]}/{name}@v{__version__}" in page
    action = metadata()
    for each in [*action["inputs"], *action["outputs"]]:
        assert f"`{each}`" in page, each
