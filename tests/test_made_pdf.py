"""One Markdown source made into PDF by pandoc and Chromium, with tags and without.

Skipped where one of them is not installed (Debian packages `pandoc` and `chromium`).
"""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from spanwise.document import Document
from spanwise.formats import Settings, pdf

PANDOC = shutil.which("pandoc")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(
    PANDOC is None or CHROMIUM is None, reason="pandoc or chromium is not installed"
)

SOURCE = """\
# Introduction

Tea is *old* and **good**. See [the site](https://example.org/a). Use `steep()` now.

## History

1. First
2. Second
    - nested a
    - nested b
3. Third

## Data

| Kind  | Minutes | Cost |
|-------|---------|------|
| Green | 3       | 1.5  |
| Black | 5       | a b  |

And then:

- x
- y

### Deeper

> A quote of
> two lines.

```
def steep(minutes):
    return minutes * 2
```

# Last heading

The end.
"""
ORDER = (
    "Introduction", "old and good", "History", "First", "Second", "nested a", "nested b", "Third",
    "Data", "Kind", "Green", "Black", "And then:", "x", "y", "Deeper", "A quote of two lines.",
    "def steep(minutes):", "return minutes * 2", "Last heading", "The end.",
)  # fmt: skip


@pytest.fixture(scope="module", params=["tagged", "untagged"])
def document(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Document:
    folder: Path = tmp_path_factory.mktemp("made")
    (folder / "a.md").write_text(SOURCE, encoding="utf-8")
    assert PANDOC is not None
    assert CHROMIUM is not None
    page = [PANDOC, "--standalone", "--metadata", "title=The Tea Book", "a.md", "-o", "a.html"]
    subprocess.run(page, cwd=folder, check=True, capture_output=True)
    printing = ["--headless", "--no-sandbox", "--disable-gpu", "--print-to-pdf=a.pdf"]
    if request.param == "untagged":
        printing.append("--disable-pdf-tagging")
    subprocess.run(
        [CHROMIUM, *printing, "a.html"], cwd=folder, check=True, capture_output=True, timeout=120
    )
    return pdf.read((folder / "a.pdf").read_bytes(), Settings())


def test_headings_have_their_levels(document: Document) -> None:
    found = re.findall(r"^(#+) (.*)$", document.text, re.MULTILINE)
    assert [(len(marks), text) for marks, text in found] == [
        (1, "The Tea Book"),
        (1, "Introduction"),
        (2, "History"),
        (2, "Data"),
        (3, "Deeper"),
        (1, "Last heading"),
    ]


def test_tables_lists_and_code_come_back(document: Document) -> None:
    text = document.text
    rows = (
        "| Kind | Minutes | Cost |\n| --- | --- | --- |\n| Green | 3 | 1.5 |\n| Black | 5 | a b |"
    )
    assert rows in text
    assert "1. First\n2. Second\n   - nested a\n   - nested b\n3. Third\n" in text
    assert "\n- x\n- y\n" in text
    assert "```\ndef steep(minutes):\n    return minutes * 2\n```" in text
    assert "[the site](https://example.org/a)" in text


def test_text_is_in_order_and_nothing_of_the_page_is_in_it(document: Document) -> None:
    at = 0
    for snippet in ORDER:
        found = document.text.find(snippet, at)
        assert found >= 0, snippet
        at = found + len(snippet)
    assert "a.html" not in document.text
