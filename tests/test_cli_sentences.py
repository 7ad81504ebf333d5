"""`spanwise sentences`: what it prints, and that its spans fit the file."""

import json
from pathlib import Path

from click.testing import CliRunner

import spanwise
from spanwise.doors.cli import main

TEXT = "Mr. Smith left. 😀! He\r\nnever\u2028came back.  \n\n"


def test_lines_for_people(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(TEXT.encode())
    done = CliRunner().invoke(main, ["sentences", str(path)])
    assert done.exit_code == 0
    assert done.stdout.split("\n")[:4] == [
        "0\t4\t1\tMr. ",
        "4\t16\t1\tSmith left. ",
        "16\t19\t1\t😀! ",
        "19\t23\t1\tHe",
    ]
    starts = [int(line.split("\t")[0]) for line in done.stdout.split("\n")[:-1]]
    assert starts == spanwise.sentence_boundaries(TEXT)[:-1]


def test_json_from_stdin_in_bytes() -> None:
    arguments = ["sentences", "-", "--unit", "utf8", "--trim", "--suppressions", "en", "--json"]
    done = CliRunner().invoke(main, arguments, input=TEXT.encode())
    answer = json.loads(done.stdout)
    assert (answer["ok"], answer["source"], answer["count"]) == (True, "stdin", 5)
    for row in answer["sentences"]:
        assert TEXT.encode()[row["start"] : row["end"]].decode() == row["text"]
    assert answer["sentences"][0]["text"] == "Mr. Smith left."


def test_a_language_without_abbreviations() -> None:
    done = CliRunner().invoke(main, ["sentences", "-", "--suppressions", "xx"], input="A.")
    assert done.exit_code == 1
    assert "there is no list for 'xx' (there is de, en, es, fr, it, pt, ru)" in done.stderr
