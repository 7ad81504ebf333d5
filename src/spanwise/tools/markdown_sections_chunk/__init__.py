"""The tool markdown-sections-chunk 1.0.0."""
