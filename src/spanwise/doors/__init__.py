"""Ways to call spanwise: command line, HTTP, MCP, GitHub Action."""
