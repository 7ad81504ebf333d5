"""The tool text-sentences-chunk 1.0.0."""
