"""The MCP door: a few named tools for Markdown, and three for the whole catalogue.

named_tool: what such a tool is. markdown_tools, catalogue_tools: those there are, and tools: all of
them, without the SDK. roots: the only files they may touch. server: the same over the SDK's
low-level server, over stdio or as part of an HTTP application.
"""
