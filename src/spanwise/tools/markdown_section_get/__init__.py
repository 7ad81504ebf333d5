"""The tool markdown-section-get 1.0.0."""
