"""The tool text-delimiter-chunk 1.0.0."""
