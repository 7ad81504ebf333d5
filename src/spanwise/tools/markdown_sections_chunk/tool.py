"""markdown-sections-chunk: one section for each top-level heading."""

from spanwise.contract import Limits, Result
from spanwise.kernel.blocks import scan
from spanwise.kernel.records import HEADINGS
from spanwise.markdown.sectioning import section_rows


def run(limits: Limits, *, markdown: str) -> Result:
    """The sections of `markdown`, how many they are and how many have a heading."""
    blocks = scan(markdown, HEADINGS)
    limits.count("max_nesting_depth", blocks.max_depth, "nested block quotes and list items")
    sections = section_rows(markdown, blocks)
    limits.count("max_sections", len(sections), "sections")
    limits.output("max_output_bytes", sections)
    headings = sum(section["level"] > 0 for section in sections)
    return {"section_count": len(sections), "heading_count": headings, "sections": sections}
