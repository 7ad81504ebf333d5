"""The tool markdown-chunk 1.0.0."""
