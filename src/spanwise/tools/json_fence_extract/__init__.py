"""The tool json-fence-extract 1.0.0."""
