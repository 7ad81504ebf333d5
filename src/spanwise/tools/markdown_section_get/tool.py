"""markdown-section-get: one section, found by its heading or anchor."""

from typing import Any

from spanwise.contract import Limits, Result
from spanwise.kernel.blocks import scan
from spanwise.kernel.records import HEADINGS
from spanwise.markdown.front_matter import front_matter_end
from spanwise.markdown.outlining import get_section


def run(
    limits: Limits, *, markdown: str, front_matter: bool = True, mdx: bool = False, **wanted: Any
) -> Result:
    """The section that `heading` or `anchor` names."""
    start = front_matter_end(markdown) if front_matter else 0
    depth = scan(markdown, HEADINGS, True, mdx, start).max_depth
    limits.count("max_nesting_depth", depth, "nested block quotes and list items")
    return dict(get_section(markdown, front_matter=front_matter, mdx=mdx, **wanted))
