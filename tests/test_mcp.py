"""The MCP door: its tools, the files they may touch, the wire, and processes that end."""

import asyncio
import json
import os
import select
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema_rs
import orjson
import pytest

pytest.importorskip("mcp", reason="needs the extra [mcp]")

from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters

import spanwise
from spanwise.doors.mcp.named_tool import MAX_TEXT_BYTES
from spanwise.doors.mcp.roots import MAX_FILE_BYTES, Roots
from spanwise.doors.mcp.tools import ALL, call, tools
from spanwise.doors.work import answer_of
from spanwise.errors import InvalidInput, LimitExceeded, SpanwiseError, UnreadableSource
from tests.asgi import ask
from tests.services import service
from tests.shared_data import ROOT

COMMAND = [sys.executable, "-c", "from spanwise.doors.cli import main; main()", "mcp"]
GUIDE = "Hi.\n\n# Guide\n\nText 😀.\n\n## Install\n\nRun.\n\n## Use\n\nIt.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inside = tmp_path / "docs"
    inside.mkdir()
    (inside / "guide.md").write_text(GUIDE, encoding="utf-8")
    (tmp_path / "secret.md").write_text("# Secret\n")
    (tmp_path / "docs-too").mkdir()
    (tmp_path / "docs-too" / "near.md").write_text("# Near\n")
    return inside


@pytest.fixture
def notebook(folder: Path) -> str:
    """The name of a document that has to be converted."""
    cells = [
        {"cell_type": "markdown", "source": source} for source in ("# Tea", "## Black\n\nBoil.")
    ]
    (folder / "tea.ipynb").write_text(json.dumps({"cells": cells}), encoding="utf-8")
    return "tea.ipynb"


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def checked(name: str, arguments: dict[str, Any], roots: Roots | None = None) -> Any:
    """What a tool gives, which its output schema allows."""
    result = call(name, arguments, roots)
    jsonschema_rs.validate(tools(True)[name].output, result)
    return result


# What the tools give


def test_documents_are_converted(folder: Path, notebook: str) -> None:
    roots = Roots([str(folder)])
    chunks = checked("chunk_markdown", {"path": notebook}, roots)["chunks"]
    assert [chunk["heading_path"] for chunk in chunks] == [["Tea", "Black"]]
    assert chunks[0]["regions"] == [{"cell": 2, "start_line": 1, "end_line": 3}]
    assert chunks[0]["pages"] is None
    outline = checked("outline_markdown", {"path": notebook}, roots)
    assert [one["title"] for one in outline["headings"]] == ["Tea", "Black"]
    section = checked("get_section", {"path": notebook, "heading": "Black"}, roots)
    assert section["text"].strip() == "## Black\n\nBoil."
    saved = checked("save_chunks_jsonl", {"path": notebook}, roots)
    lines = (folder / "tea.chunks.jsonl").read_bytes().splitlines()
    assert saved["chunks"] == len(lines) == 1
    assert json.loads(lines[0]) == chunks[0]


def test_chunks_are_those_of_the_library(folder: Path) -> None:
    roots = Roots([str(folder)])
    rows = spanwise.chunk_markdown(GUIDE, source="guide.md", prefix_path=True)
    found = checked("chunk_markdown", {"path": "guide.md", "prefix_path": True}, roots)
    assert found == {
        "source": "guide.md", "total": 4, "start": 1, "chunks": rows, "next_start": None
    }  # fmt: skip
    assert checked("chunk_markdown", {"text": GUIDE})["source"] == "text"
    spans = checked("chunk_markdown", {"text": GUIDE, "include_text": False, "unit": "utf16"})
    assert "text" not in spans["chunks"][0]
    assert spans["chunks"][1]["end"] == rows[1]["end"] + 1


def test_pages_put_together_are_the_whole() -> None:
    text = "".join(f"# Heading {n}\n\nText.\n\n" for n in range(25))
    for name, items in (("chunk_markdown", "chunks"), ("outline_markdown", "headings")):
        whole = checked(name, {"text": text})[items]
        found: list[Any] = []
        page: dict[str, Any] = {"next_start": 1}
        while page["next_start"] is not None:
            page = checked(name, {"text": text, "limit": 10, "start": page["next_start"]})
            found += page[items]
        assert found == whole
        assert len(whole) == 25
        assert checked(name, {"text": text, "start": 26})[items] == []


def test_a_page_is_not_endless() -> None:
    text = "".join(f"# {n}\n\n{'word ' * 50000}\n\n" for n in range(4))
    first = checked("chunk_markdown", {"text": text, "max_chars": 500000})
    assert (len(first["chunks"]), first["total"], first["next_start"]) == (3, 4, 4)


def test_outline_and_section(folder: Path) -> None:
    roots = Roots([str(folder)])
    headings = checked("outline_markdown", {"path": "guide.md"}, roots)
    assert headings["headings"] == spanwise.outline(GUIDE)
    assert headings["count"] == 3
    section = checked("get_section", {"path": "guide.md", "heading": "INSTALL"}, roots)
    assert section["text"] == "## Install\n\nRun."
    both = checked("get_section", {"text": GUIDE, "heading": "Install", "anchor": "use"})
    assert both["title"] == "Use"
    alone = {"text": GUIDE, "heading": "Guide", "include_subsections": False}
    assert checked("get_section", alone)["text"] == "# Guide\n\nText 😀."
    with pytest.raises(InvalidInput, match="Install") as caught:
        call("get_section", {"text": GUIDE, "heading": "Instal"}, None)
    assert caught.value.details["closest"] == ["Install"]
    with pytest.raises(LimitExceeded, match="max_page_bytes"):
        call("get_section", {"text": "# A\n\n" + "word " * 205000, "heading": "A"}, None)


def test_saved_chunks_are_the_lines_of_the_command(folder: Path) -> None:
    roots = Roots([str(folder)])
    done = checked("save_chunks_jsonl", {"path": "guide.md"}, roots)
    written = folder / "guide.chunks.jsonl"
    assert done["output_path"] == str(written)
    rows = [orjson.loads(line) for line in written.read_bytes().splitlines()]
    assert rows == spanwise.chunk_markdown(GUIDE, source="guide.md")
    assert done["bytes"] == written.stat().st_size
    assert done["chunks"] == 4
    again = {"path": str(folder / "guide.md"), "output_path": str(written), "max_chars": 300}
    assert checked("save_chunks_jsonl", again, roots)["chunks"] == 4
    assert names_in(folder) == ["guide.chunks.jsonl", "guide.md"]


def test_catalogue_tools() -> None:
    found = checked("search_tools", {"query": "sentence chunk"})
    assert "text-sentences-chunk" in [tool["id"] for tool in found["tools"]]
    assert checked("search_tools", {})["count"] == len(spanwise.contracts())
    assert checked("search_tools", {"limit": 1})["next_start"] == 2
    contract = checked("describe_tool", {"id": "markdown-sections-chunk"})
    assert contract in spanwise.contracts()
    one = {"id": contract["id"], "version": "1.0.0", "input": contract["examples"][0]["input"]}
    assert checked("execute", one) == {"result": contract["examples"][0]["output"]}


def test_pages_at_the_edges() -> None:
    text = "# A\n\n# B\n"
    for name, items in (("chunk_markdown", "chunks"), ("outline_markdown", "headings")):
        beyond = checked(name, {"text": text, "start": 1_000_000_000, "limit": 1000})
        assert (beyond[items], beyond["next_start"]) == ([], None)
        assert checked(name, {"text": text, "start": 2.0})["start"] == 2
        assert checked(name, {"text": "", "limit": 1})[items] == []
        limits: list[Any] = [{"limit": wrong} for wrong in (0, -1, 1.5, 10**30, True)]
        starts: list[Any] = [{"start": wrong} for wrong in (0, 10**30, None)]
        for wrong in [*limits, *starts]:
            with pytest.raises(InvalidInput, match="start" if wrong in starts else "limit"):
                call(name, {"text": text, **wrong}, None)


def test_an_error_may_quote_any_number() -> None:
    told = answer_of(lambda: fail(InvalidInput("too big", found=10**30, field="\ud800")))
    assert json.loads(told.body)["error"]["details"]["found"] == 10**30


def fail(error: SpanwiseError) -> bytes:
    raise error


@pytest.mark.parametrize(
    ("name", "arguments", "code"),
    [
        ("chunk_markdown", {}, "invalid_input"),
        ("chunk_markdown", {"text": "", "overlap_chars": 10**30}, "invalid_input"),
        ("chunk_markdown", {"text": "", "path": "x"}, "invalid_input"),
        ("chunk_markdown", {"text": "", "max_chars": 1}, "invalid_input"),
        ("chunk_markdown", {"text": "", "overlap_chars": 800}, "invalid_input"),
        ("chunk_markdown", {"text": "", "max_tokens": 100}, "invalid_input"),
        ("chunk_markdown", {"text": "", "tokenizer": "/etc/passwd"}, "invalid_input"),
        ("chunk_markdown", {"text": "", "colour": 1}, "invalid_input"),
        ("chunk_markdown", {"text": "\ud800"}, "invalid_input"),
        ("chunk_markdown", {"text": "a" * (MAX_TEXT_BYTES + 1)}, "limit_exceeded"),
        ("get_section", {"text": "# A"}, "invalid_input"),
        ("execute", {"id": "no-such", "version": "1.0.0", "input": {}}, "unknown_tool"),
        ("execute", {"id": "text-sentences-chunk", "version": "0", "input": {}}, "unknown_version"),
        ("execute", {"id": "text-sentences-chunk", "version": "1.0.0"}, "invalid_input"),
        ("describe_tool", {"id": "no-such"}, "unknown_tool"),
    ],
)
def test_errors(name: str, arguments: dict[str, Any], code: str) -> None:
    with pytest.raises(SpanwiseError) as caught:
        call(name, arguments, Roots(["."]))
    assert caught.value.code == code


# Files


def test_over_http_there_are_no_files() -> None:
    assert "save_chunks_jsonl" not in tools(False)
    for name, tool in tools(False).items():
        assert "path" not in tool.input_schema(False)["properties"], name
        assert "folders" not in tool.described(False), name
    with pytest.raises(InvalidInput, match="path"):
        call("chunk_markdown", {"path": "README.md", "text": ""}, None)
    with pytest.raises(KeyError):
        call("save_chunks_jsonl", {"path": "README.md"}, None)


def link(folder: Path) -> str:
    (folder / "link.md").symlink_to(folder / "guide.md")
    return "link.md"


def link_out(folder: Path) -> str:
    (folder / "out.md").symlink_to(folder.parent / "secret.md")
    return "out.md"


def linked_folder(folder: Path) -> str:
    (folder / "sub").symlink_to(folder.parent)
    return "sub/secret.md"


def fifo(folder: Path) -> str:
    os.mkfifo(folder / "fifo.md")
    return "fifo.md"


def a_socket(folder: Path) -> str:
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(folder / "s.md"))
    return "s.md"


def too_big(folder: Path) -> str:
    with (folder / "big.md").open("wb") as file:
        file.truncate(MAX_FILE_BYTES + 1)
    return "big.md"


def not_utf8(folder: Path) -> str:
    (folder / "latin.md").write_bytes(b"caf\xe9")
    return "latin.md"


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("~/guide.md", "unreadable_source"),
        ("../secret.md", "invalid_input"),
        ("a/../../secret.md", "invalid_input"),
        ("../docs-too/near.md", "invalid_input"),
        ("/etc/passwd", "invalid_input"),
        ("/dev/zero", "invalid_input"),
        ("", "invalid_input"),
        (".", "invalid_input"),
        ("guide.md\0.txt", "invalid_input"),
        ("\0", "invalid_input"),
        ("guide.md/x", "unreadable_source"),
        ("missing.md", "unreadable_source"),
        ("x" * 5000, "unreadable_source"),
        (link, "invalid_input"),
        (link_out, "invalid_input"),
        (linked_folder, "invalid_input"),
        ("folder.md", "unreadable_source"),
        (fifo, "unreadable_source"),
        (a_socket, "unreadable_source"),
        (too_big, "limit_exceeded"),
        (not_utf8, "unreadable_source"),
        (lambda folder: str(folder), "invalid_input"),
        (lambda folder: str(folder.parent / "secret.md"), "invalid_input"),
    ],
)
def test_files_that_are_refused(folder: Path, path: str | Callable[[Path], str], code: str) -> None:
    (folder / "folder.md").mkdir()
    given = path if isinstance(path, str) else path(folder)
    roots = Roots([str(folder)])
    for name in ("chunk_markdown", "save_chunks_jsonl"):
        with pytest.raises(SpanwiseError) as caught:
            call(name, {"path": given}, roots)
        assert caught.value.code == code
        assert "Secret" not in str(caught.value.as_dict())


def test_a_folder_that_turns_into_a_link_leads_nowhere_else(folder: Path) -> None:
    """What is read must have been below the root when it was opened, whatever happens meanwhile."""
    (folder / "sub").mkdir()
    (folder / "sub" / "secret.md").write_text("# Inside\n")
    (folder / "to-outside").symlink_to(folder.parent)
    stop = threading.Event()

    def swap() -> None:
        while not stop.is_set():
            (folder / "sub").rename(folder / "away")
            (folder / "to-outside").rename(folder / "sub")
            (folder / "sub").rename(folder / "to-outside")
            (folder / "away").rename(folder / "sub")

    swapping = threading.Thread(target=swap)
    swapping.start()
    roots = Roots([str(folder)])
    seen: Counter[str] = Counter()
    try:
        while len(seen) < 2 or seen.total() < 2000:
            try:
                seen[roots.read("sub/secret.md")[1]] += 1
            except (InvalidInput, UnreadableSource) as error:
                seen[error.code] += 1
    finally:
        stop.set()
        swapping.join()
    assert set(seen) <= {"# Inside\n", "invalid_input", "unreadable_source"}


def test_an_empty_file_has_no_chunks(folder: Path) -> None:
    (folder / "empty.md").write_bytes(b"")
    roots = Roots([str(folder)])
    assert checked("chunk_markdown", {"path": "empty.md"}, roots)["chunks"] == []
    assert checked("outline_markdown", {"path": "empty.md"}, roots)["count"] == 0
    assert checked("save_chunks_jsonl", {"path": "empty.md"}, roots)["bytes"] == 0


def test_lines_may_go_to_a_file_named_as_the_input_is(folder: Path) -> None:
    (folder / "notes.jsonl").write_text("# Notes\n")
    (folder / "out").mkdir()
    roots = Roots([str(folder)])
    given = {"path": "notes.jsonl", "output_path": "out/notes.jsonl"}
    assert checked("save_chunks_jsonl", given, roots)["chunks"] == 1
    for same in ("notes.jsonl", "out/../notes.jsonl", str(folder / "notes.jsonl")):
        with pytest.raises(InvalidInput, match="is the input"):
            call("save_chunks_jsonl", {**given, "output_path": same}, roots)


def test_devices_below_a_root_are_refused() -> None:
    for path in ("/dev/zero", "/dev/null", "/dev/stdin"):
        with pytest.raises((UnreadableSource, InvalidInput)):
            Roots(["/dev"]).read(path)


@pytest.mark.parametrize(
    ("output", "code"),
    [
        ("../out.jsonl", "invalid_input"),
        ("/tmp/out.jsonl", "invalid_input"),
        ("out.txt", "invalid_input"),
        ("out\0.jsonl", "invalid_input"),
        ("guide.md", "invalid_input"),
        ("missing/out.jsonl", "unwritable_output"),
        ("guide.md/out.jsonl", "unwritable_output"),
        ("linked/out.jsonl", "invalid_input"),
        ("x" * 300 + ".jsonl", "unwritable_output"),
        ("link.jsonl", "unwritable_output"),
        ("fifo.jsonl", "unwritable_output"),
        ("folder.jsonl", "unwritable_output"),
    ],
)
def test_outputs_that_are_refused(folder: Path, output: str, code: str) -> None:
    (folder / "link.jsonl").symlink_to(folder.parent / "secret.md")
    (folder / "linked").symlink_to(folder.parent / "docs-too")
    os.mkfifo(folder / "fifo.jsonl")
    (folder / "folder.jsonl").mkdir()
    before = names_in(folder)
    with pytest.raises(SpanwiseError) as caught:
        call("save_chunks_jsonl", {"path": "guide.md", "output_path": output}, Roots([str(folder)]))
    assert caught.value.code == code
    assert names_in(folder) == before
    assert names_in(folder.parent / "docs-too") == ["near.md"]
    assert (folder.parent / "secret.md").read_text() == "# Secret\n"


def test_a_root_may_itself_be_reached_by_a_link(folder: Path) -> None:
    alias = folder.parent / "alias"
    alias.symlink_to(folder)
    for path in ("guide.md", str(alias / "guide.md"), str(folder / "guide.md")):
        assert Roots([str(alias)]).read(path)[1] == GUIDE
    with pytest.raises(InvalidInput):
        Roots([str(folder / "guide.md")])


def test_several_roots(folder: Path) -> None:
    roots = Roots([str(folder), str(folder.parent / "docs-too")])
    assert roots.read(str(folder.parent / "docs-too" / "near.md"))[1] == "# Near\n"


# Descriptions


@pytest.mark.parametrize("local", [True, False])
@pytest.mark.parametrize("tool", ALL, ids=lambda tool: tool.name)
def test_every_tool_is_described(tool: Any, local: bool) -> None:
    schema = tool.input_schema(local)
    jsonschema_rs.meta.validate(schema)
    jsonschema_rs.meta.validate(tool.output)
    for name, taken in schema["properties"].items():
        assert taken.get("description"), name
    words = tool.described(local).split()
    assert 60 <= len(words) <= 190
    for part in ("Use ", "Not "):
        assert part in tool.described(local)
    others = [other.name for other in ALL if other is not tool]
    assert any(other in tool.described(local) for other in others)


# The wire


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_real_client_over_stdio(mode: Any, folder: Path) -> None:
    async def talk() -> None:
        server = StdioServerParameters(
            command=COMMAND[0], args=[*COMMAND[1:], "--root", str(folder)]
        )
        async with Client(server, mode=mode) as client:
            listed = (await client.list_tools()).tools
            assert [tool.name for tool in listed] == [tool.name for tool in ALL]
            for tool in listed:
                assert tool.output_schema
                assert tool.annotations is not None
                assert tool.annotations.read_only_hint == (tool.name != "save_chunks_jsonl")
            told = await client.call_tool("chunk_markdown", {"path": "guide.md"})
            assert told.structured_content == json.loads(told.content[0].text)  # type: ignore[union-attr]
            wrong = await client.call_tool("chunk_markdown", {"path": "/etc/passwd"})
            assert wrong.is_error
            error = json.loads(wrong.content[0].text)["error"]  # type: ignore[union-attr]
            assert sorted(error) == ["code", "details", "message"]

    asyncio.run(talk())


def test_mcp_over_http() -> None:
    """Both eras, by hand: a call, a wrong call, bad JSON, a foreign page, another host."""
    app = service()
    base = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
    old = {**base, "mcp-protocol-version": "2025-06-18"}
    new = {**base, "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call",
           "mcp-name": "outline_markdown"}  # fmt: skip
    params: dict[str, Any] = {"name": "outline_markdown", "arguments": {"text": "# Tea\n"}}
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }

    async def send(headers: dict[str, str], **changed: Any) -> Any:
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params, **changed}
        return await ask(app, "POST", "/mcp", orjson.dumps(message), headers)

    async def talk() -> None:
        async with app.mcp.session_manager.run():
            for headers, extra in ((old, {}), (new, {"_meta": meta})):
                reply = await send(headers, params={**params, **extra})
                found = reply.json["result"]["structuredContent"]
                assert found["headings"][0]["title"] == "Tea"
                wrong = {**params, "arguments": {"path": "/etc/passwd"}, **extra}
                reply = await send(headers, params=wrong)
                assert reply.json["result"]["isError"] is True
                assert '"invalid_input"' in reply.json["result"]["content"][0]["text"]
                none = {**params, "name": "save_chunks_jsonl", **extra}
                named = {**headers, **({"mcp-name": "save_chunks_jsonl"} if extra else {})}
                reply = await send(named, params=none)
                assert reply.json["error"]["code"] == -32602
            for body in (b"[" * 50000, b'{"a": "\\ud800', b"\xff"):
                reply = await ask(app, "POST", "/mcp", body, old)
                assert reply.status == 400
                assert reply.json["error"]["code"] == -32700
            for headers, status in (
                ({**old, "origin": "https://evil.example"}, 403),
                ({**old, "host": "evil.example"}, 421),
                ({**old, "content-length": "99999999"}, 413),
            ):
                assert (await send(headers)).status == status

    asyncio.run(talk())


# Processes


def started() -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT
    )


HELLO = (
    b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",'
    b'"capabilities":{},"clientInfo":{"name":"x","version":"1"}}}\n'
)
PING = b'{"jsonrpc":"2.0","id":9,"method":"ping"}\n'


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"\n\n\n",
        b"garbage\n\xff\xfe\0\n",
        b"[" * 100000 + b"\n",
        b'{"jsonrpc":"2.0","id":2,"method":"no/such"}\n',
        b'{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":7}}\n',
        b'{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"execute","arguments":'
        b'{"id":"\\ud800","version":"1","input":{}}}}\n',
        b'{"jsonrpc":"2.0","id":5,"meth',
    ],
)
def test_nonsense_on_stdin_leaves_nothing_behind(sent: bytes) -> None:
    process = started()
    assert process.stdin is not None
    assert process.stdout is not None
    ended = b"" if sent.endswith(b"\n") or not sent else b"\n"
    process.stdin.write(HELLO + sent + ended + PING)
    process.stdin.flush()
    answer: dict[str, Any] = {}
    while answer.get("id") != 9:
        answer = json.loads(process.stdout.readline())
        assert answer["jsonrpc"] == "2.0"
    assert answer["result"] == {}
    out, err = process.communicate(sent, timeout=30)
    assert process.returncode == 0
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in out.splitlines())
    assert b"Traceback" not in err


def test_a_closed_stdout_ends_the_server_though_stdin_stays_open() -> None:
    process = started()
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(HELLO)
    process.stdin.flush()
    assert select.select([process.stdout], [], [], 30)[0]
    process.stdout.close()
    deadline = time.monotonic() + 30
    while process.poll() is None and time.monotonic() < deadline:
        try:
            process.stdin.write(PING)
            process.stdin.flush()
        except BrokenPipeError:
            break
        time.sleep(0.05)
    process.stdin.close()
    assert process.wait(10) in (0, 141)
    assert process.stderr is not None
    assert b"Traceback" not in process.stderr.read()
    process.stderr.close()


def test_nothing_but_the_protocol_goes_to_stdout() -> None:
    process = started()
    call_ = {"name": "outline_markdown", "arguments": {"path": "README.md", "limit": 1}}
    message = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call_}
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(HELLO + orjson.dumps(message) + b"\n")
    process.stdin.flush()
    lines = [json.loads(process.stdout.readline()) for _ in range(2)]
    assert [line["id"] for line in lines] == [1, 2]
    out, _ = process.communicate(timeout=30)
    assert out == b""


def test_the_manifest_is_about_this_release() -> None:
    manifest = json.loads((ROOT / "server.json").read_text())
    assert manifest["version"] == spanwise.__version__
    package = manifest["packages"][0]
    assert (package["identifier"], package["version"]) == ("spanwise", spanwise.__version__)
    assert f"mcp-name: {manifest['name']}" in (ROOT / "README.md").read_text()
