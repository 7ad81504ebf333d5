"""One Markdown source made into documents by pandoc: its structure comes back from each.

Skipped where pandoc is not installed (Debian package `pandoc`).
"""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from spanwise.document import Document
from spanwise.formats import Settings, reader
from spanwise.formats.sniffing import media_type

PANDOC = shutil.which("pandoc")
pytestmark = pytest.mark.skipif(PANDOC is None, reason="pandoc is not installed")

SOURCE = """\
# Introduction

Tea is *old* and **good**[^n]. See [the site](https://example.org/a). Use `steep()` now.

[^n]: A note on tea.

## History

1. First
2. Second
    - nested a
    - nested b
3. Third

And then:

- x
- y

```python
def steep(minutes):

    return minutes * 2
```

### Deeper

> A quote of
> two lines.

# Data

| Kind  | Minutes | Cost |
|-------|---------|------|
| Green | 3       | 1.5  |
| Black | 5       | a b  |

## Last heading

The end, with 漢字 and ﷽.
"""
ORDER = (
    "Introduction", "old and good", "History", "First", "Second", "nested a", "nested b", "Third",
    "And then:", "x", "y", "def steep(minutes):", "return minutes * 2", "Deeper",
    "A quote of two lines.", "Data", "Kind", "Green", "Last heading", "The end, with 漢字 and ﷽.",
)  # fmt: skip


@pytest.fixture(params=["docx", "odt", "epub", "html", "rst", "asciidoc"])
def document(request: pytest.FixtureRequest, tmp_path: Path) -> Document:
    source = tmp_path / "a.md"
    source.write_text(SOURCE, encoding="utf-8")
    made = tmp_path / f"made.{request.param}"
    assert PANDOC is not None
    title = ["--standalone", "--metadata", "title=The Tea Book"]
    subprocess.run([PANDOC, *title, str(source), "-o", str(made)], check=True, capture_output=True)
    data = made.read_bytes()
    return reader(media_type(data, made.name))(data, Settings())


def test_headings_have_their_levels(document: Document) -> None:
    found = re.findall(r"^(#+) (.*)$", document.text, re.MULTILINE)
    if found[0][1] == "The Tea Book":
        found = found[1:]
    top = len(found[0][0])
    assert [(len(marks) - top + 1, text) for marks, text in found] == [
        (1, "Introduction"),
        (2, "History"),
        (3, "Deeper"),
        (1, "Data"),
        (2, "Last heading"),
    ]
    assert document.title == "The Tea Book"


def test_tables_lists_and_code_come_back(document: Document) -> None:
    text = document.text
    table = (
        "| Kind | Minutes | Cost |\n| --- | --- | --- |\n| Green | 3 | 1.5 |\n| Black | 5 | a b |"
    )
    assert table in text
    assert "1. First\n2. Second\n   - nested a\n   - nested b\n3. Third\n" in text
    assert re.search(r"^- x\n- y$", text, re.MULTILINE)
    assert "\ndef steep(minutes):\n\n    return minutes * 2\n```" in text
    assert "[the site](https://example.org/a)" in text
    assert "`steep()`" in text
    assert text.count("A note on tea.") == 1


def test_text_is_in_order(document: Document) -> None:
    at = 0
    for snippet in ORDER:
        found = document.text.find(snippet, at)
        assert found >= 0, snippet
        at = found + len(snippet)
