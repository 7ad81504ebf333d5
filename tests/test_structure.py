"""Headings and fences of 2,775 real files, as cmark and commonmark.js see them."""

import hashlib
import re
from collections.abc import Iterator
from typing import Any

import pytest
from markdown_it.common.utils import unescapeAll

from spanwise.kernel import records
from spanwise.kernel.blocks import scan
from spanwise.kernel.content import block_content
from spanwise.markdown.sectioning import sections
from tests.shared_data import DATA, markdown_files, needs_data, read_lines

SETS = {"docs": 1716, "huge": 24, "nasty": 1035}


def references() -> dict[str, dict[str, Any]]:
    """What the reference parsers saw, by the hash of the file."""
    return {
        record["sha256"]: record for record in read_lines(DATA / "markdown" / "structure.jsonl.xz")
    }


def expected_headings(reference: dict[str, Any]) -> list[list[int]]:
    """Level, first and last line. Where a byte order mark parts the two parsers, commonmark.js's.

    It takes the mark for text, as READINGS G6 does; cmark drops it.
    """
    if reference["headings_agree"]:
        return list(reference["headings"])
    return list(reference["headings_commonmarkjs"])


def seen_headings(blocks: records.Blocks) -> list[list[int]]:
    kinds = (records.ATX_HEADING, records.SETEXT_HEADING)
    return [
        [blocks.level(block), blocks.first_line(block), blocks.last_line(block)]
        for block in range(len(blocks))
        if blocks.kind(block) in kinds and blocks.depth(block) == 0
    ]


def seen_fences(text: str, blocks: records.Blocks, expected: list[Any]) -> Iterator[list[Any]]:
    """First and last line, containers around, info string and the hash of the content.

    commonmark.js takes all blanks off the blank lines of code in list items, where by READINGS F17
    (cmark and markdown-it-py too) only the item's indentation goes. Where that alone parts the
    hashes, the expected one stands for ours.
    """
    hashes = {fence[-1] for fence in expected}
    for block in range(len(blocks)):
        if blocks.kind(block) == records.FENCED_CODE:
            info = text[blocks.text_start(block) : blocks.text_end(block)].replace("\0", "\ufffd")
            content = block_content(text, blocks, block)
            stripped = sha256(re.sub(r"^[ \t]+$", "", content, flags=re.MULTILINE))
            nested = blocks.depth(block) > 0
            yield [
                blocks.first_line(block),
                blocks.last_line(block),
                blocks.depth(block),
                unescapeAll(info),
                stripped if nested and stripped in hashes else sha256(content),
            ]


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@needs_data
@pytest.mark.parametrize("name", SETS)
def test_headings_and_fences(name: str) -> None:
    reference = references()
    different = []
    count = 0
    for record in markdown_files(name):
        text, expected = record["text"], reference[record["sha256"]]
        blocks = scan(text)
        nested = sum(
            blocks.kind(block) in (records.ATX_HEADING, records.SETEXT_HEADING)
            and blocks.depth(block) > 0
            for block in range(len(blocks))
        )
        checks = {
            "headings": (seen_headings(blocks), expected_headings(expected)),
            "sections": (section_headings(text), expected_headings(expected)),
            "nested": (nested, expected["nested_headings"]),
            "fences": (
                list(seen_fences(text, blocks, expected["fences"])),
                expected["fences"],
            ),
        }
        if not expected["headings_agree"]:
            del checks["nested"]
        different += [
            (record["path"], what, fault)
            for what, (mine, theirs) in checks.items()
            if (fault := first_fault(mine, theirs)) is not None
        ]
        count += 1
    assert different == []
    assert count == SETS[name]


def section_headings(text: str) -> list[list[int]]:
    """The same from the rows of `sections`."""
    return [
        [row["level"], row["heading_start_line"], row["heading_end_line"]]
        for row in sections(text)
        if row["heading_start_line"] is not None and row["heading_end_line"] is not None
    ]


def first_fault(mine: Any, theirs: Any) -> Any:
    """The first place where two lists differ, or None."""
    if mine == theirs:
        return None
    if not isinstance(mine, list) or len(mine) != len(theirs):
        return (f"{mine!r:.200}", f"{theirs!r:.200}")
    return next(pair for pair in zip(mine, theirs, strict=True) if pair[0] != pair[1])
