"""A contract: the promise of one tool, as data, and the checks that hold a call to it.

Faults are looked for in a fixed order, so that a call with several gets the same answer at every
door: lone surrogates, byte limits, schema; then, while the tool runs, nesting, counts and output
size. A limit called `max_<field>_bytes` bounds that field, `max_input_bytes` all text of the input
together: the name is the rule, no tool has to ask for it.
"""

from functools import cached_property
from pathlib import Path
from typing import Any

import orjson

from spanwise.errors import InvalidInput, LimitExceeded

Result = dict[str, Any]
"""What a tool gives back: plain JSON values."""


def read_input(data: bytes | memoryview) -> Any:
    """The JSON value that an input is; InvalidInput where the bytes are none."""
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError as error:
        try:
            bytes(data).decode(errors="surrogatepass")
        except UnicodeDecodeError as place:
            message = f"the input is not UTF-8 (at byte {place.start})"
            raise InvalidInput(message, field="", byte=place.start) from None
        fault = "holds a lone surrogate" if "surrogate" in str(error) else "is not JSON"
        raise InvalidInput(f"the input {fault}: {error}", field="", offset=error.pos) from None


class Limits:
    """The named limits of a contract; each check raises LimitExceeded with the name and numbers."""

    def __init__(self, limits: dict[str, int]) -> None:
        """Keep the contract's limits by name."""
        self._limits = limits

    def __getitem__(self, name: str) -> int:
        """The number behind a limit's name; KeyError for a name the contract does not have."""
        return self._limits[name]

    def count(self, name: str, found: int, what: str) -> None:
        """Raise when `found` of `what` is more than the limit."""
        if found > self._limits[name]:
            raise LimitExceeded(name, self._limits[name], found, what)

    def bytes(self, name: str, text: str) -> None:
        """Raise when the UTF-8 form of `text` is longer than the limit."""
        self.count(name, utf8_size(text), "UTF-8 bytes")

    def output(self, name: str, value: Any) -> None:
        """Raise when `value`, as compact JSON with non-ASCII left as it is, is too long."""
        self.count(name, len(orjson.dumps(value)), "bytes of JSON output")


def utf8_size(text: str) -> int:
    """Length of `text` in UTF-8 bytes; UnicodeEncodeError at a lone surrogate."""
    return len(text) if text.isascii() else len(text.encode())


class Contract:
    """One contract.json: its data as published, and the checks on an input."""

    def __init__(self, data: dict[str, Any]) -> None:
        """Take a contract's JSON as it stands."""
        self.data = data
        self.id: str = data["id"]
        self.version: str = data["version"]
        self.limits = Limits(data["limits"])

    @classmethod
    def load(cls, path: Path) -> "Contract":
        """Read a contract.json."""
        return cls(orjson.loads(path.read_bytes()))

    @cached_property
    def _validator(self) -> Any:
        import jsonschema_rs  # takes longer to import than the rest of the package

        return jsonschema_rs.Draft202012Validator(self.data["input_schema"])

    def check(self, input: Any) -> dict[str, Any]:
        """The input ready for the tool: within byte limits and schema, integers as `int`.

        Raises InvalidInput or LimitExceeded, in the order given at the top of this file.
        """
        if not isinstance(input, dict):
            raise InvalidInput(f"the input must be an object, not {json_type(input)}", field="")
        self._check_bytes(input)
        self._check_schema(input)
        return _with_integers(self.data["input_schema"], input)  # type: ignore[no-any-return]

    def _check_bytes(self, input: dict[str, Any]) -> None:
        sizes = {str(field): _text_bytes(str(field), value) for field, value in input.items()}
        limits = self.data["limits"]
        for field, found in sizes.items():
            name = f"max_{field}_bytes"
            if name in limits and found > limits[name]:
                raise LimitExceeded(name, limits[name], found, f"UTF-8 bytes of {field}")
        if "max_input_bytes" in limits:
            self.limits.count("max_input_bytes", sum(sizes.values()), "UTF-8 bytes of input")

    def _check_schema(self, input: dict[str, Any]) -> None:
        if self._validator.is_valid(input):
            return
        error = min(self._validator.iter_errors(input), key=lambda e: list(map(str, _path(e))))
        path = _path(error)
        field = ".".join(map(str, path))
        message = f"{field}: {error.message}" if field else error.message
        raise InvalidInput(_shortened(message), field=field)


def json_type(value: Any) -> str:
    """The JSON name of a value's type, for messages."""
    names = {str: "a string", bool: "a boolean", int: "an integer", float: "a number"}
    names |= {list: "an array", dict: "an object", type(None): "null"}
    return names.get(type(value), type(value).__name__)


def _path(error: Any) -> list[Any]:
    return list(error.instance_path)


def _shortened(message: str) -> str:
    """A message that may quote the whole input, cut to what a person reads."""
    return message if len(message) <= 300 else f"{message[:200]} … {message[-80:]}"


def _text_bytes(field: str, value: Any) -> int:
    """UTF-8 bytes of all strings in a JSON value, keys included; InvalidInput at a surrogate."""
    total = 0
    waiting = [value, field]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            try:
                total += utf8_size(item)
            except UnicodeEncodeError as error:
                raise InvalidInput(
                    f"{field}: lone surrogate at code point {error.start}",
                    field=field,
                    offset=error.start,
                ) from None
        elif isinstance(item, list):
            waiting.extend(item)
        elif isinstance(item, dict):
            waiting.extend(item.keys())
            waiting.extend(item.values())
    return total - len(field.encode())


def _with_integers(schema: Any, value: Any) -> Any:
    """`value` with each whole float where the schema asks for an integer turned into an `int`.

    JSON Schema counts 5.0 as an integer; tools should not have to. Recurses with the schema, whose
    depth is ours, never with the input.
    """
    if isinstance(value, float) and schema.get("type") == "integer":
        return int(value)
    if isinstance(value, dict) and "properties" in schema:
        inner = schema["properties"]
        return {k: _with_integers(inner[k], v) if k in inner else v for k, v in value.items()}
    if isinstance(value, list) and "items" in schema:
        return [_with_integers(schema["items"], v) for v in value]
    return value
