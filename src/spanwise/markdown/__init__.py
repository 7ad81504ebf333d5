"""Markdown: sections, outline and chunks over the one block parser of the kernel."""
