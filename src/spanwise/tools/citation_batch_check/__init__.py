"""The tool citation-batch-check 1.0.0."""
