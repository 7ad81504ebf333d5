"""The tool json-candidate-list 1.0.0."""
