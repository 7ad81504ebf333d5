"""markdown-outline: the headings of a document, each with what is needed to find its text."""

from spanwise.contract import Limits, Result
from spanwise.kernel.blocks import scan
from spanwise.kernel.records import HEADINGS
from spanwise.markdown.front_matter import front_matter_end
from spanwise.markdown.outlining import outline


def run(limits: Limits, *, markdown: str, front_matter: bool = True, mdx: bool = False) -> Result:
    """The headings of `markdown` and how many they are."""
    start = front_matter_end(markdown) if front_matter else 0
    depth = scan(markdown, HEADINGS, True, mdx, start).max_depth
    limits.count("max_nesting_depth", depth, "nested block quotes and list items")
    headings = outline(markdown, front_matter=front_matter, mdx=mdx)
    limits.count("max_headings", len(headings), "headings")
    limits.output("max_output_bytes", headings)
    return {"count": len(headings), "headings": headings}
