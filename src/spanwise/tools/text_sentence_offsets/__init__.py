"""The tool text-sentence-offsets 1.0.0."""
