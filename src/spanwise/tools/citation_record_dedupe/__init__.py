"""The tool citation-record-dedupe 1.0.0."""
