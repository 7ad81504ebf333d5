"""The tool text-paragraphs-split 1.0.0."""
