"""Where front matter ends, and when there is none."""

import time

import pytest

from spanwise.markdown.front_matter import front_matter_end


@pytest.mark.parametrize(
    "front",
    [
        "---\ntitle: x\n---\n",
        "---\r\ntitle: x\r\n---\r\n",
        "---\rtitle: x\r---\r",
        "---  \ntitle: x\n---\t\n",
        "---\ntitle: x\n...\n",
        "---\n---\n",
        "---\na: |\n\n  --- not here\n\n---\n",
        "+++\ntitle = 'x'\n+++\n",
    ],
)
def test_front_matter_ends_after_its_closing_line(front: str) -> None:
    assert front_matter_end(front + "# H\n") == len(front)
    assert front_matter_end(front.rstrip()) == len(front.rstrip())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "---",
        "---\n\n# Intro\n\ntext\n",  # never closed
        "---\n\n# Intro\n\n---\n\ntext\n",  # two thematic breaks
        "\n---\na: b\n---\n",  # not at the very top
        " ---\na: b\n---\n",
        "----\na: b\n----\n",
        "--- x\na: b\n---\n",
        "---\na: b\n ---\n",
        "---\na: b\n----\n",
        "+++\na = 1\n---\n",
        "---\na: b\n+++\n",
        "+++\na = 1\n...\n",
        "\ufeff---\na: b\n---\n",  # a byte order mark is the file's, and gone when it was read
    ],
)
def test_no_front_matter(text: str) -> None:
    assert front_matter_end(text) == 0


def test_unclosed_front_matter_costs_linear_time() -> None:
    def seconds(lines: int) -> float:
        text = "---\n" + "key: value\r" * lines
        start = time.process_time()
        assert front_matter_end(text) == 0
        return time.process_time() - start

    small = min(seconds(20_000) for _ in range(3))
    assert min(seconds(80_000) for _ in range(2)) < 4 * small * 2.5 + 0.01
