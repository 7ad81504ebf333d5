"""Outline and single sections: a map of a Markdown file, and one place on it."""

import difflib
from typing import TypedDict

from spanwise.errors import InvalidInput
from spanwise.markdown.inline import visible_text
from spanwise.markdown.layout import SECTION, SectionSpan, layout

MAX_CLOSEST = 5
"""Headings that an error names."""
MAX_COMPARED = 2000
"""Headings compared for likeness before an error is raised; each costs some microseconds."""


class Heading(TypedDict):
    """A heading and the text of its own, that of the sections under it left out.

    Lines and offsets (code points) count from the top of the file; `line` is the first line, and
    `end_line` the last that is not blank. `chars` is `end - start`.
    """

    level: int
    title: str
    path: list[str]
    anchor: str
    line: int
    end_line: int
    start: int
    end: int
    chars: int


class SectionText(TypedDict):
    """One section; `matches` says how many headings have the title that was asked for."""

    title: str
    heading_path: list[str]
    level: int
    anchor: str
    start_line: int
    end_line: int
    start: int
    end: int
    chars: int
    matches: int
    text: str


def outline(text: str, *, front_matter: bool = True, mdx: bool = False) -> list[Heading]:
    """The headings of a Markdown text in order; those inside quotes and lists are not listed."""
    return [
        {
            "level": span.level,
            "title": span.path[-1],
            "path": span.path,
            "anchor": span.anchor or "",
            "line": span.start_line,
            "end_line": span.end_line,
            "start": span.start,
            "end": span.end,
            "chars": span.end - span.start,
        }
        for span in layout(text, front_matter, mdx).spans
        if span.kind == SECTION
    ]


def get_section(
    text: str,
    *,
    heading: str | None = None,
    anchor: str | None = None,
    include_subsections: bool = True,
    front_matter: bool = True,
    mdx: bool = False,
) -> SectionText:
    """The section with that heading (whole title, in any case) or anchor (`#` before it allowed).

    Of several headings with one title the first is meant; its anchor names another. Raises
    InvalidInput when there is none, with the closest headings, and unless exactly one of `heading`
    and `anchor` is given.
    """
    if (heading is None) == (anchor is None):
        given = "neither" if heading is None else "both"
        raise InvalidInput(f"give either a heading or an anchor ({given} given)", field="heading")
    spans = [span for span in layout(text, front_matter, mdx).spans if span.kind == SECTION]
    if heading is not None:
        found = [i for i, span in enumerate(spans) if _has_title(span, heading)]
    else:
        wanted = (anchor or "").removeprefix("#")
        found = [i for i, span in enumerate(spans) if span.anchor == wanted]
    if not found:
        raise _nothing_found(spans, heading, anchor)
    first = found[0]
    span = last = spans[first]
    if include_subsections:
        for below in spans[first + 1 :]:
            if below.level <= span.level:
                break
            last = below
    return {
        "title": span.path[-1],
        "heading_path": span.path,
        "level": span.level,
        "anchor": span.anchor or "",
        "start_line": span.start_line,
        "end_line": last.end_line,
        "start": span.start,
        "end": last.end,
        "chars": last.end - span.start,
        "matches": len(found),
        "text": text[span.start : last.end],
    }


def _has_title(span: SectionSpan, wanted: str) -> bool:
    """Whether the heading is that, as written or as a reader sees it, in any case."""
    title = span.path[-1]
    key = wanted.strip().casefold()
    return title.casefold() == key or visible_text(title).casefold() == key


def _nothing_found(
    spans: list[SectionSpan], heading: str | None, anchor: str | None
) -> InvalidInput:
    """The error for a heading or anchor that is not there, with those most like it."""
    field = "anchor" if heading is None else "heading"
    wanted = (anchor if heading is None else heading) or ""
    names = [span.anchor or "" if heading is None else span.path[-1] for span in spans]
    closest = _closest(wanted, list(dict.fromkeys(names)))
    hint = f"; the closest: {', '.join(map(repr, closest))}" if closest else "; there is no heading"
    return InvalidInput(
        f"no section has the {field} {wanted!r}{hint}", field=field, wanted=wanted, closest=closest
    )


def _closest(wanted: str, names: list[str]) -> list[str]:
    """The names most like `wanted`; the first ones where none is."""
    key = wanted.strip().casefold()
    holding = [name for name in names if key and key in name.casefold()]
    folded = {name.casefold()[:100]: name for name in reversed(names[:MAX_COMPARED])}
    alike = difflib.get_close_matches(key[:100], folded, n=MAX_CLOSEST, cutoff=0.4)
    found = dict.fromkeys([*holding, *(folded[name] for name in alike)])
    return list(found or names)[:MAX_CLOSEST]
