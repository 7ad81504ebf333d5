"""Libraries that an extra brings, and the error where one is missing."""

from importlib import import_module
from typing import Any

from spanwise.errors import InvalidInput


def needed(module: str, extra: str, what: str) -> Any:
    """The module; InvalidInput where it is not installed: `what` needs the extra that brings it."""
    try:
        return import_module(module)
    except ImportError as error:
        raise InvalidInput(
            f"{what} needs an extra: pip install 'spanwise[{extra}]' ({error})", extra=extra
        ) from error
