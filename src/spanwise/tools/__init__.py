"""One folder for each tool: contract.json, tool.py, cases.md."""
