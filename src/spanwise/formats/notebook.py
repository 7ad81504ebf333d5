"""Jupyter notebooks (nbformat 4): Markdown cells as they are, code cells fenced, outputs left out.

A region is `{"cell", "start_line", "end_line"}`: the cell from 1, and lines within its source.
"""

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from spanwise.document import Document, Notice, Pages, Region, Stretch
from spanwise.errors import UnreadableSource
from spanwise.formats import Settings
from spanwise.formats.writer import Run, Writer

MEDIA_TYPE = "application/x-ipynb+json"


class Cells:
    """The sources of the cells, by number from 0."""

    def __init__(self, sources: list[str]) -> None:
        """As they stand in the notebook."""
        self.sources = sources

    def regions(self, stretches: Sequence[Stretch]) -> list[Region]:
        """Cell and lines of each stretch; those of one cell are one."""
        found: list[Region] = []
        for origin, start, end in stretches:
            source = self.sources[origin]
            first = 1 + source.count("\n", 0, start)
            last = 1 + source.count("\n", 0, max(start, end - 1))
            if found and found[-1]["cell"] == origin + 1:
                found[-1]["end_line"] = last
            else:
                found.append({"cell": origin + 1, "start_line": first, "end_line": last})
        return found

    def pages(self, stretches: Sequence[Stretch]) -> Pages | None:
        """A notebook has none."""
        return None


def read(data: bytes, settings: Settings) -> Document:
    """The document of a notebook."""
    notebook = _loaded(data)
    sources = _sources(notebook)
    language = _language(notebook)
    writer = Writer()
    for number, cell in enumerate(notebook["cells"]):
        runs = [Run(sources[number], number, 0)]
        kind = cell.get("cell_type") if isinstance(cell, dict) else None
        if kind == "markdown":
            writer.markdown(runs)
        elif kind == "code" and sources[number].strip():
            writer.code(runs, language)
        elif kind == "raw" and sources[number].strip():
            writer.code(runs)
    notices: list[Notice] = []
    document = writer.document(MEDIA_TYPE, "", Cells(sources), notices)
    if not document.text:
        notices.append({"code": "no_text", "page": None, "message": "there is no text in it"})
    return document


def reread(data: bytes, regions: Sequence[Region], settings: Settings) -> str:
    """The lines of the cells at `regions`."""
    sources = _sources_of(data)
    found = []
    for region in regions:
        lines = sources[region["cell"] - 1].split("\n")
        found.append("\n".join(lines[region["start_line"] - 1 : region["end_line"]]))
    return "\n".join(found)


@lru_cache(maxsize=1)  # the chunks of a file are asked for one after the other
def _sources_of(data: bytes) -> list[str]:
    return _sources(_loaded(data))


def _loaded(data: bytes) -> dict[str, Any]:
    try:
        notebook = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise UnreadableSource(f"not a notebook: {error}") from None
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        raise UnreadableSource("not a notebook: it has no list of cells (nbformat 4)")
    return notebook


def _sources(notebook: dict[str, Any]) -> list[str]:
    sources = []
    for cell in notebook["cells"]:
        source = cell.get("source", "") if isinstance(cell, dict) else ""
        if isinstance(source, list):
            source = "".join(line for line in source if isinstance(line, str))
        sources.append(source if isinstance(source, str) else "")
    return sources


def _language(notebook: dict[str, Any]) -> str:
    metadata = notebook.get("metadata")
    info = metadata.get("language_info") if isinstance(metadata, dict) else None
    name = info.get("name") if isinstance(info, dict) else None
    return name if isinstance(name, str) and name.isalnum() else ""
