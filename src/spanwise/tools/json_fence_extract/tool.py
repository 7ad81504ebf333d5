"""json-fence-extract: the fenced code blocks of a Markdown text, each checked for JSON."""

from spanwise.contract import Limits, Result
from spanwise.json_text import FENCES, Select, fence_rows
from spanwise.kernel.blocks import scan


def run(limits: Limits, *, markdown: str, select: Select = "json_or_untagged") -> Result:
    """The fences of `markdown` that `select` asks for, and how many there are in all."""
    blocks = scan(markdown, FENCES, definitions=False)
    limits.count("max_container_depth", blocks.max_depth, "nested block quotes and list items")
    limits.count("max_fences", len(blocks), "fenced code blocks")
    return {
        "fences": fence_rows(markdown, blocks, select, "utf16"),
        "fence_count": len(blocks),
    }
