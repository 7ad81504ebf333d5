"""The tool markdown-outline 1.0.0."""
