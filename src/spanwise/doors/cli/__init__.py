"""The command line: results to stdout, everything else to stderr, no traceback for users.

Exit status: 0 done; 1 the input or a check failed; 2 the command was not understood. `group` names
the commands; each is loaded from its own file when it is called, so that none pays for another.
"""

from spanwise.doors.cli.group import main

__all__ = ["main"]
