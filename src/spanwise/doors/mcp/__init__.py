"""The MCP door: a few named tools for Markdown, and three for the whole catalogue.

tools: what the tools are and do, without the SDK. roots: the only files they may touch. server: the
same over the SDK's low-level server, over stdio or as part of an HTTP application.
"""
