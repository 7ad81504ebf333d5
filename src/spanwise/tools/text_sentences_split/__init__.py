"""The tool text-sentences-split 1.0.0."""
