"""The reference pages of the docs, made from contracts, docstrings, commands and the action.

`pages()` gives them as Markdown by their path; nothing of them is written by hand or committed.
"""

import ast
import inspect
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import yaml

import spanwise
from spanwise.doors.cli import main
from spanwise.errors import EXIT_STATUS, HTTP_STATUS

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
SPLITTERS = {
    "LangChain": "spanwise.integrations.langchain",
    "LlamaIndex": "spanwise.integrations.llama_index",
    "Haystack": "haystack_integrations.components.preprocessors.spanwise",
}
ROWS = "spanwise.integrations.records"

Definition = ast.FunctionDef | ast.ClassDef


def pages() -> dict[str, str]:
    """Path and Markdown of each page."""
    made = {
        "reference/tools/index.md": tool_list(),
        "reference/python.md": python_page(),
        "reference/integrations.md": integrations_page(),
        "reference/command-line.md": command_line_page(),
        "reference/errors.md": errors_page(),
        "reference/action.md": action_page(),
    }
    for contract in spanwise.contracts():
        name = f"reference/tools/{contract['id']}-{contract['version']}.md"
        made[name] = tool_page(contract)
    return made


# -- tools ---------------------------------------------------------------------------------------


def tool_list() -> str:
    """All tools with what they do."""
    rows = [
        f"| [`{one['id']}`]({one['id']}-{one['version']}.md) | {one['version']} "
        f"| {plain(one['description'])} |"
        for one in spanwise.contracts()
    ]
    return "\n".join(
        [
            "# Tools\n",
            "A tool is one operation with a contract: what it does and does not do, limits, "
            "schemas and examples. The same contract holds in Python (`spanwise.execute`), on the "
            "command line (`spanwise run`), over HTTP and over MCP.\n",
            "| tool | version | what it does |",
            "| --- | --- | --- |",
            *rows,
        ]
    )


def tool_page(contract: dict[str, Any]) -> str:
    """A contract for people."""
    example = contract["examples"][0]
    limits = [f"| `{name}` | {value:,} |" for name, value in contract["limits"].items()]
    call = f"{contract['id']} {contract['version']}"
    return "\n".join(
        [
            f"# {contract['id']}\n",
            f"Version {contract['version']}. {contract['description']}\n",
            *_bullets("Supported", contract["supported_operations"]),
            *_bullets("Not supported", contract["unsupported_operations"]),
            *_bullets("Behaviour", contract["semantics"]),
            "## Input\n",
            *properties(contract["input_schema"]),
            "\n## Output\n",
            *properties(contract["output_schema"]),
            "\n## Limits\n",
            "| limit | at most |",
            "| --- | --- |",
            *limits,
            "\n## Example\n",
            f"As `call.json` for `spanwise run {call} --input call.json`, or as the body of a POST "
            f"to `{contract['execute_url']}`:\n",
            *_json(example["input"]),
            "The result:\n",
            *_json(example["output"]),
        ]
    )


def _bullets(title: str, items: list[str]) -> Iterator[str]:
    yield f"## {title}\n"
    yield from (f"- {plain(item)}" for item in items)
    yield ""


def _json(value: Any) -> Iterator[str]:
    yield "````json"
    yield json.dumps(value, indent=2, ensure_ascii=False)
    yield "````\n"


def plain(text: str) -> str:
    """Text of a contract, in which nothing is markup."""
    return re.sub(r"([\\`*_<>\[\]#|{}])", r"\\\1", text)


def properties(schema: dict[str, Any], indent: str = "") -> Iterator[str]:
    """The fields of an object as a list, those of its members below them."""
    required = schema.get("required", [])
    for name, field in schema.get("properties", {}).items():
        need = "" if name in required else ", optional"
        described = f" {plain(field['description'])}" if "description" in field else ""
        yield f"{indent}- `{name}` ({kind(field)}{need}){':' if described else ''}{described}"
        inner = field.get("items", field)
        if isinstance(inner, dict) and "properties" in inner:
            yield from properties(inner, indent + "    ")


def kind(field: dict[str, Any]) -> str:
    """The type of a field in a few words."""
    if "enum" in field:
        return "one of " + ", ".join(f"`{json.dumps(value)}`" for value in field["enum"])
    if "const" in field:
        return f"`{json.dumps(field['const'])}`"
    if "$ref" in field:
        return f"a `{field['$ref'].rpartition('/')[2]}`"
    for several in ("oneOf", "anyOf"):
        if several in field:
            return " or ".join(kind(one) for one in field[several])
    types = field.get("type", "any value")
    said = " or ".join(types) if isinstance(types, list) else types
    if said == "array" and "items" in field:
        return f"array of {kind(field['items'])}"
    low, high = field.get("minimum"), field.get("maximum")
    if low is not None and high is not None:
        return f"{said} from {low:,} to {high:,}"
    return said if low is None else f"{said} from {low:,}"


# -- Python --------------------------------------------------------------------------------------


def python_page() -> str:
    """All public names of the package."""
    found = [(name, definition(spanwise._HOME[name], name)) for name in sorted(spanwise._HOME)]
    functions = [one for name, one in found if isinstance(one, ast.FunctionDef)]
    classes = [one for name, one in found if isinstance(one, ast.ClassDef)]
    rows = [one for one in classes if _is_typed_dict(one)]
    errors = [one for one in classes if one not in rows]
    return "\n".join(
        [
            "# Python\n",
            "All names are those of `import spanwise`. Rows are plain dictionaries.\n",
            "## Functions\n",
            *(function(one) for one in functions),
            "## Options\n",
            "What `chunk_markdown`, `chunk_file` and the splitters for frameworks take.\n",
            *described(_doc(definition("spanwise.markdown.options", "ChunkOptions"))),
            "\n## Rows\n",
            *(typed_dict(one) for one in rows),
            "## Errors\n",
            "See [Errors](errors.md).\n",
            *(f"- `{one.name}`: {_doc(one)}" for one in errors),
        ]
    )


def definition(module: str, name: str) -> Definition:
    """The syntax tree of a function or class."""
    path = SOURCE.joinpath(*module.split("."))
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name:
            return node
    raise LookupError(f"{module} has no {name}")


def _doc(node: Definition) -> str:
    text = ast.get_docstring(node)
    if not text:
        raise LookupError(f"{node.name} has no docstring")
    return text


def _is_typed_dict(node: ast.ClassDef) -> bool:
    return any(ast.unparse(base) == "TypedDict" for base in node.bases)


def function(node: ast.FunctionDef, level: str = "###") -> str:
    """A function: its signature and its docstring."""
    return "\n".join([f"{level} {node.name}\n", *signature(node), *described(_doc(node)), ""])


def signature(node: ast.FunctionDef) -> Iterator[str]:
    """The signature, an argument a line where it is long."""
    result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    arguments = list(_arguments(node.args))
    line = f"{node.name}({', '.join(arguments)}){result}"
    if len(line) > 88:
        line = f"{node.name}(\n    " + ",\n    ".join(arguments) + f",\n){result}"
    yield "```py"
    yield line
    yield "```\n"


def _arguments(arguments: ast.arguments) -> Iterator[str]:
    missing = len(arguments.args) - len(arguments.defaults)
    for number, one in enumerate(arguments.args):
        default = arguments.defaults[number - missing] if number >= missing else None
        yield _argument(one, default)
    if arguments.kwonlyargs:
        yield "*"
    for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield _argument(one, default)
    if arguments.kwarg:
        yield f"**{ast.unparse(arguments.kwarg)}"


def _argument(one: ast.arg, default: ast.expr | None) -> str:
    return ast.unparse(one) + (f" = {ast.unparse(default)}" if default is not None else "")


ITEM = re.compile(r"(?P<names>[a-z_]+(?:, [a-z_]+)*): (?P<text>.*)")


def described(docstring: str) -> Iterator[str]:
    """A docstring as Markdown: `name: what it is` becomes an item of a list."""
    listed = False
    for line in inspect.cleandoc(docstring).split("\n"):
        item = ITEM.fullmatch(line)
        if item:
            if not listed:
                yield ""
            listed = True
            names = ", ".join(f"`{name}`" for name in item["names"].split(", "))
            yield f"- {names}: {item['text']}"
        else:
            if listed and not line.startswith("    "):
                listed = False
                yield ""
            yield line
    yield ""


def typed_dict(node: ast.ClassDef) -> str:
    """The fields of a row with their types and what is said of them."""
    lines = [f"### {node.name}\n", _doc(node), "", "| field | type | |", "| --- | --- | --- |"]
    body = node.body[1:]
    for number, one in enumerate(body):
        if not isinstance(one, ast.AnnAssign):
            continue
        following = body[number + 1] if number + 1 < len(body) else None
        said = ""
        if isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant):
            said = " ".join(str(following.value.value).split())
        shown = ast.unparse(one.annotation).replace("|", "\\|")
        lines.append(f"| `{ast.unparse(one.target)}` | `{shown}` | {said} |")
    return "\n".join([*lines, ""])


def integrations_page() -> str:
    """What there is for frameworks."""
    lines = [
        "# Frameworks\n",
        "How to use them is told in [Frameworks](../guides/frameworks.md). The options are those "
        "of [`chunk_markdown`](python.md#options).\n",
    ]
    for framework, module in SPLITTERS.items():
        lines.append(f"## {framework}\n")
        lines.append(f"`{module}`\n")
        tree = ast.parse(SOURCE.joinpath(*module.split(".")).with_suffix(".py").read_text())
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                lines += [f"### {node.name}\n", *described(_doc(node))]
                lines += _constructor(node)
    lines += ["## Rows that are there already\n", "`spanwise.integrations`\n"]
    for name in ("to_langchain", "to_llama_index", "to_haystack"):
        node = definition(ROWS, name)
        assert isinstance(node, ast.FunctionDef)
        lines.append(function(node))
    module_doc = ast.get_docstring(ast.parse((SOURCE / f"{ROWS.replace('.', '/')}.py").read_text()))
    return "\n".join([*lines, "### What is in the metadata\n", *described(module_doc or "")])


def _constructor(node: ast.ClassDef) -> Iterator[str]:
    """The arguments of a class, or its fields where it is a model."""
    for one in node.body:
        if isinstance(one, ast.FunctionDef) and one.name == "__init__":
            one.args.args.pop(0)
            one.name, one.returns = node.name, None
            yield from signature(one)
            yield from described(_doc(one))
        elif isinstance(one, ast.AnnAssign) and isinstance(one.value, ast.Call):
            said = {word.arg: word.value for word in one.value.keywords}
            if "description" in said:
                default, about = (ast.unparse(said[name]) for name in ("default", "description"))
                name = ast.unparse(one.target)
                yield f"- `{name}` (default {default}): {ast.literal_eval(about)}"
    yield ""


# -- command line and errors ---------------------------------------------------------------------


def command_line_page() -> str:
    """The help of every command."""
    lines = [
        "# Command line\n",
        "Results go to stdout or to the file named with `-o`, everything else to stderr. Exit "
        "status: 0 done, 1 the input or a check failed, 2 the command was not understood.\n",
    ]
    group = click.Context(main, info_name="spanwise", max_content_width=88, terminal_width=88)
    for name in main.list_commands(group):
        command = main.get_command(group, name)
        assert command is not None
        context = click.Context(
            command, info_name=name, parent=group, max_content_width=88, terminal_width=88
        )
        lines += [f"## spanwise {name}\n", "```text", command.get_help(context), "```\n"]
    return "\n".join(lines)


def _code(text: str | None) -> str:
    return f"`{text}`" if text else ""


def action_page() -> str:
    """The inputs and outputs of the GitHub Action."""
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    inputs = [
        f"| `{name}` | {_code(one.get('default'))} | {plain(one['description'])} |"
        for name, one in action["inputs"].items()
    ]
    outputs = [
        f"| `{name}` | {plain(one['description'])} |" for name, one in action["outputs"].items()
    ]
    return "\n".join(
        [
            "# GitHub Action\n",
            f"{action['description']}\n",
            "## Inputs\n",
            "| input | default | |",
            "| --- | --- | --- |",
            *inputs,
            "\n## Outputs\n",
            "| output | |",
            "| --- | --- |",
            *outputs,
        ]
    )


def errors_page() -> str:
    """The codes, and what they mean at each door."""
    tree = ast.parse((SOURCE / "spanwise" / "errors.py").read_text(encoding="utf-8"))
    said: dict[str, str] = {}
    for node in tree.body:
        if not isinstance(node, ast.ClassDef):
            continue
        for line in node.body:
            if isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == "code":
                code = ast.literal_eval(line.value)
                said.setdefault(code, f"`{node.name}`: {_doc(node)}")
    said["internal_error"] = (
        f"`InternalError`: {_doc(definition('spanwise.errors', 'InternalError'))}"
    )
    rows = [
        f"| `{code}` | {HTTP_STATUS[code]} | {EXIT_STATUS[code]} | {said[code]} |"
        for code in HTTP_STATUS
    ]
    return "\n".join(
        [
            "# Errors\n",
            "A call that breaks its contract raises a `spanwise.SpanwiseError` with `code`, "
            "`message` and `details`; over HTTP and MCP the same three come as JSON. What is odd "
            "about a document is no error but part of the result.\n",
            "| code | HTTP | exit | |",
            "| --- | --- | --- | --- |",
            *rows,
        ]
    )
