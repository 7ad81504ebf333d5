"""The tool json-candidate-repair 1.0.0."""
