"""MCP as others see it: the official conformance suite, the Inspector's CLI, and tdqs.

`python tests/conformance/check.py NODE NODE_MODULES TDQS`: a Node of version 22 or later, a folder
with `@modelcontextprotocol/conformance` and `inspector`, and the command of tdqs. Exit status 1 at
the first thing that is not as it should be.

The suite runs twice at each revision: against the real server, where the scenarios that need what
it does not have are named in the yaml files beside this one (to pass one is a failure, too),
and against fixtures.py, where every scenario that counts must pass.
"""

import contextlib
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SPANWISE = [sys.executable, "-c", "from spanwise.doors.cli import main; main()"]
REVISIONS = ("2026-07-28", "2025-11-25")
CALLS: dict[str, dict[str, Any]] = {
    "chunk_markdown": {"text": "# Tea\n\nSteep.\n"},
    "outline_markdown": {"text": "# Tea\n"},
    "get_section": {"text": "# Tea\n", "heading": "tea"},
    "search_tools": {"query": "sentence"},
    "describe_tool": {"id": "text-sentences-split"},
    "execute": {"id": "text-sentences-split", "version": "1.0.0", "input": {"text": "A. B."}},
}


def run(*command: Any, fails: bool = False, cwd: Path | None = None) -> str:
    """Output of a command; ends the program unless it succeeds (or `fails`, as expected)."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=cwd)
    if (done.returncode != 0) != fails:
        print(done.stdout[-4000:], done.stderr[-4000:], f"{command} gave {done.returncode}")
        sys.exit(1)
    return done.stdout


def inspector(node: Path, modules: Path, *how: str) -> None:
    """List and call every tool with the Inspector; and see an error as one."""
    package = modules / "@modelcontextprotocol" / "inspector"
    binary = json.loads((package / "package.json").read_text())["bin"]
    script = binary if isinstance(binary, str) else next(iter(binary.values()))
    start = (node, package / script, "--cli", *how, "--format", "json")
    listed = json.loads(run(*start, "--method", "tools/list"))
    tools = [tool["name"] for tool in listed.get("tools", listed.get("result", {}).get("tools"))]
    for name in tools:
        call = (*start, "--method", "tools/call", "--tool-name", name, "--tool-args-json")
        arguments = CALLS.get(name, {"path": "guide.md"})
        run(*call, json.dumps(arguments))
        run(*call, json.dumps({"no_such": 1}), fails=True)
    print(f"inspector {how[0][:30]}: {len(tools)} tools listed and called: {', '.join(tools)}")


@contextlib.contextmanager
def serving(*command: str) -> Iterator[str]:
    """The address at which the MCP server that a command starts is found."""
    with tempfile.TemporaryFile("w+") as log:
        server = subprocess.Popen(command, stderr=log)
        try:
            url = None
            while url is None and server.poll() is None:
                time.sleep(0.1)
                log.seek(0)
                url = re.search(r"running on (http://[\d.:]+)", log.read())
            assert url is not None, "the server did not start"
            yield f"{url[1]}/mcp"
        finally:
            server.terminate()
            server.wait(60)


def conformance(node: Path, modules: Path, url: str, what: str, real: bool) -> None:
    """Run the suite at each revision; only a `real` server may fail what is named."""
    package = modules / "@modelcontextprotocol" / "conformance"
    for revision in REVISIONS:
        expected = HERE / f"expected-failures-{revision}.yaml"
        may_fail = ("--expected-failures", expected) if real else ()
        with tempfile.TemporaryDirectory() as folder:
            told = run(
                node, package / "dist" / "index.js", "server", "--url", url,
                "--requirements", revision, *may_fail, cwd=Path(folder),
            )  # fmt: skip
        listed = (package / "requirements" / f"{revision}.yaml").read_text()
        server = listed.partition("\nserver:\n")[2].partition("\n\n")[0]
        count = set(re.findall(r"^  - (\S+)", server, re.MULTILINE))
        passed = set(re.findall(r"^✓ ([\w.-]+): [1-9]", told, re.MULTILINE))
        print(
            f"conformance {revision}, {what}: {len(passed & count)} of the {len(count)} scenarios "
            f"that count pass, and {len(passed - count)} others"
        )


def main(node: Path, modules: Path, tdqs: Path) -> None:
    """All checks."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "guide.md").write_text("# Tea\n")
        script = Path(folder) / "server"
        quoted = f'"{SPANWISE[0]}" -c "{SPANWISE[2]}" mcp --root "{folder}"'
        script.write_text(f"#!/bin/sh\nexec {quoted}\n")
        script.chmod(0o755)
        run(tdqs, "lint", "--command", script, "--fail-on", "warning")
        inspector(node, modules, str(script))
    with serving(*SPANWISE, "serve", "--port", "0", "--workers", "1") as url:
        run(tdqs, "lint", "--url", url, "--fail-on", "warning")
        print("tdqs lint: no warning over stdio and HTTP")
        inspector(node, modules, url)
        conformance(node, modules, url, "the real server", True)
    with serving(sys.executable, str(HERE / "fixtures.py")) as url:
        conformance(node, modules, url, "with fixtures", False)


if __name__ == "__main__":
    main(*(Path(given).absolute() for given in sys.argv[1:]))
