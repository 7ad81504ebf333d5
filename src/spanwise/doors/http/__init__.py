"""The HTTP door: the catalogue as a service, the pages for people, and MCP beside them.

app: the routes. guard: what happens to every request, whatever it is for. pool and worker: the
processes that do all the work on documents. server: sockets, time-outs, stopping without a loss.
"""
