"""The HTTP door: addresses, errors, headers and limits, all derived from the catalogue."""

import asyncio
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

import spanwise
from spanwise import tools
from spanwise.catalogue import all_tools
from spanwise.doors.cli import main

pytest.importorskip("starlette", reason="needs the extra [serve]")

from spanwise.doors.http.app import max_body_bytes
from spanwise.doors.http.rates import MAX_CLIENTS, Rates
from spanwise.doors.mcp.tools import call
from spanwise.errors import RateLimited
from tests.asgi import ask, post, request
from tests.services import service

APP = service()
SECTIONS = "/v1/tools/markdown-sections-chunk/versions/1.0.0"
EXECUTE = f"{SECTIONS}/execute"


def test_the_documented_call_gives_the_documented_answer() -> None:
    body = (
        rb'{"markdown":"Intro line\n\n# Guide\nText.\n\nSetup\n-----\n```\n# not a heading\n```\n"}'
    )
    reply = post(APP, EXECUTE, body)
    contract = all_tools()["markdown-sections-chunk"]["1.0.0"].contract.data
    assert (reply.status, reply.json) == (200, {"result": contract["examples"][0]["output"]})


def test_list_search_and_contract() -> None:
    listed = request(APP, "GET", "/v1/tools").json["tools"]
    assert [(t["id"], t["version"]) for t in listed] == [
        (c["id"], c["version"]) for c in spanwise.contracts()
    ]
    found = request(APP, "GET", "/v1/tools?query=Heading%20markdown").json["tools"]
    assert "markdown-sections-chunk" in [tool["id"] for tool in found]
    for none in ("zebra", "markdown%20zebra", "%FF", "%00", ".*", "%F0%9F%98%80"):
        assert request(APP, "GET", f"/v1/tools?query={none}").json == {"tools": []}
    for every in ("", "query", "query=", "query=%20", "other=x"):
        assert request(APP, "GET", f"/v1/tools?{every}").json["tools"] == listed
    ranked = request(APP, "GET", "/v1/tools?query=Sentence%20OFFSETS").json["tools"]
    assert ranked[0]["id"] == "text-sentence-offsets"
    tool = request(APP, "GET", "/v1/tools/markdown-sections-chunk").json
    assert tool["latest"] in [version["version"] for version in tool["versions"]]
    stored = all_tools()["markdown-sections-chunk"]["1.0.0"].folder / "contract.json"
    assert request(APP, "GET", SECTIONS).body == stored.read_bytes()


def test_etag() -> None:
    first = request(APP, "GET", SECTIONS)
    tag = first.headers["etag"]
    for known in (tag, f'"other", {tag}', f"W/{tag}", "*", f" {tag} "):
        again = request(APP, "GET", SECTIONS, headers={"if-none-match": known})
        assert (again.status, again.body, again.headers["etag"]) == (304, b"", tag)
    assert request(APP, "GET", SECTIONS, headers={"if-none-match": '"other"'}).status == 200


@pytest.mark.parametrize(
    ("method", "target", "body", "headers", "status", "code"),
    [
        ("POST", EXECUTE, b"{}", {}, 400, "invalid_input"),
        ("POST", EXECUTE, b"[]", {}, 400, "invalid_input"),
        ("POST", EXECUTE, b"", {}, 400, "invalid_input"),
        ("POST", EXECUTE, b'{"markdown": NaN}', {}, 400, "invalid_input"),
        ("POST", EXECUTE, b'{"markdown": "\\ud800"}', {}, 400, "invalid_input"),
        ("POST", EXECUTE, b'{"markdown": "\xff"}', {}, 400, "invalid_input"),
        ("POST", EXECUTE, b"[" * 50000 + b"]" * 50000, {}, 400, "invalid_input"),
        ("POST", EXECUTE, b'{"a":' * 50000 + b"1" + b"}" * 50000, {}, 400, "invalid_input"),
        ("POST", EXECUTE, b'{"markdown": "a\\u0000b", "path": "/x"}', {}, 400, "invalid_input"),
        ("POST", EXECUTE, b'{"markdown": "%b"}' % (b"a" * 262145), {}, 413, "limit_exceeded"),
        ("POST", EXECUTE, b" " * 2_000_000, {}, 413, "limit_exceeded"),
        ("POST", EXECUTE, b"{}", {"content-type": "text/plain"}, 415, "unsupported_media_type"),
        ("POST", EXECUTE, b"{}", {"content-type": ""}, 415, "unsupported_media_type"),
        ("POST", EXECUTE, b"{}", {"content-type": "application/json; charset=latin1"}, 415,
         "unsupported_media_type"),
        ("POST", EXECUTE, b"{}", {"content-encoding": "gzip"}, 415, "unsupported_media_type"),
        ("POST", EXECUTE, b'\xef\xbb\xbf{"markdown": ""}', {}, 400, "invalid_input"),
        ("POST", EXECUTE, b'{"markdown": 1e400}', {}, 400, "invalid_input"),
        ("POST", EXECUTE, b'{"markdown": 123456789012345678901234567890}', {}, 400,
         "invalid_input"),
        ("POST", "/v1/tools/no-such/versions/1.0.0/execute", b"{}", {}, 404, "unknown_tool"),
        ("POST", EXECUTE.replace("1.0.0", "9.9.9"), b"{}", {}, 404, "unknown_version"),
        ("GET", SECTIONS.replace("1.0.0", "1.0"), b"", {}, 404, "unknown_version"),
        ("GET", "/v1/tools/no-such", b"", {}, 404, "unknown_tool"),
        ("GET", "/v1/tools/..%2f..%2fetc/versions/1.0.0", b"", {}, 404, "unknown_tool"),
        ("GET", "/v1/tools/\0", b"", {}, 404, "unknown_tool"),
        ("GET", "/etc/passwd", b"", {}, 404, "not_found"),
        ("GET", "/v1/tools/", b"", {}, 404, "not_found"),
        ("GET", EXECUTE, b"", {}, 405, "method_not_allowed"),
        ("DELETE", "/v1/tools", b"", {}, 405, "method_not_allowed"),
        ("GET", f"/v1/tools?query={'a' * 1001}", b"", {}, 413, "limit_exceeded"),
        ("GET", "/v1/tools", b"", {"host": "evil.example"}, 421, "unknown_host"),
        ("GET", "/v1/tools", b"", {"host": ""}, 421, "unknown_host"),
        ("GET", "/healthz", b"", {"origin": "https://evil.example"}, 403, "forbidden_origin"),
        ("GET", "/healthz", b"", {"origin": "null"}, 403, "forbidden_origin"),
    ],
)  # fmt: skip
def test_errors(
    method: str, target: str, body: bytes, headers: dict[str, str], status: int, code: str
) -> None:
    given = {"content-type": "application/json", **headers}
    reply = request(APP, method, target, body, given)
    error = reply.json["error"]
    assert (reply.status, error["code"]) == (status, code)
    assert sorted(error) == ["code", "details", "message"]
    assert reply.headers["content-type"] == "application/json"


def test_what_is_not_utf8_is_not_taken_for_a_surrogate() -> None:
    error = post(APP, EXECUTE, b'{"markdown": "caf\xe9"}').json["error"]
    assert error["details"] == {"field": "", "byte": 17}
    assert "surrogate" not in error["message"]
    for body in (b'{"markdown": "\\ud800"}', b'{"\\udc00": 1}'):
        assert "lone surrogate" in post(APP, EXECUTE, body).json["error"]["message"]


def test_numbers() -> None:
    """JSON Schema takes 10.0 for an integer, and so must every tool, whatever its size."""
    chunk = "/v1/tools/text-sentences-chunk/versions/1.0.0/execute"
    body = b'{"text": "A. B.", "max_size": %b, "overlap": %b}'
    assert post(APP, chunk, body % (b"10.0", b"-0.0")).json["result"]["max_size"] == 10
    for size in (b"10.5", b"1e30", b"-1e30", b"123456789012345678901234567890", b"true", b'"10"'):
        error = post(APP, chunk, body % (size, b"0")).json["error"]
        assert (error["code"], error["details"]["field"]) == ("invalid_input", "max_size"), size


def test_a_body_may_say_that_it_is_not_compressed() -> None:
    for coding in ("identity", "Identity "):
        given = {"content-type": "application/json", "content-encoding": coding}
        assert request(APP, "POST", EXECUTE, b'{"markdown": ""}', given).status == 200
    refused = post(APP, EXECUTE, b"\x1f\x8b", **{"content-encoding": "gzip"})
    assert refused.json["error"]["details"] == {"content_encoding": "gzip"}


def test_who_asks_before_sending_a_body_is_not_told_to() -> None:
    received = 0

    async def receive() -> dict[str, object]:
        nonlocal received
        received += 1
        return {"type": "http.disconnect"}

    given = {"content-type": "text/plain", "expect": "100-continue", "content-length": "9"}
    reply = asyncio.run(ask(APP, "POST", EXECUTE, headers=given, receive=receive))
    assert (reply.status, received) == (415, 0)


def test_long_names_are_not_repeated() -> None:
    for target in (f"/v1/tools/{'a' * 50000}", f"/v1/tools/markdown-chunk/versions/{'1' * 50000}"):
        reply = request(APP, "GET", target)
        assert reply.status == 404
        assert len(reply.body) < 1000


def test_405_names_what_is_allowed() -> None:
    assert request(APP, "PUT", EXECUTE).headers["allow"] == "POST"


def test_a_body_in_parts_is_counted_while_it_is_read() -> None:
    parts = [b'{"markdown": "', *[b"a" * 1000] * 200, b'"}']
    given = {"content-type": "application/json"}
    assert request(APP, "POST", EXECUTE, parts, given).status == 200
    most = max_body_bytes({"max_input_bytes": 262144})
    endless = request(APP, "POST", EXECUTE, [b" " * 65536] * 400, given)
    assert endless.status == 413
    assert endless.headers["connection"] == "close"
    details = endless.json["error"]["details"]
    assert details["limit"] == "max_body_bytes"
    assert details["maximum"] == most < details["found"] <= most + 65536
    told = request(APP, "POST", EXECUTE, b"{}", {**given, "content-length": "99999999"})
    assert told.json["error"]["details"]["found"] == 99999999


def test_every_input_within_the_limits_may_be_sent_escaped() -> None:
    body = b'{"markdown": "%b"}' % (rb"\u0061" * 262144)
    assert post(APP, EXECUTE, body).status == 200


def test_the_body_limit_follows_from_the_contract() -> None:
    assert max_body_bytes({"max_input_bytes": 10, "max_text_bytes": 5}) == 60 + 65536
    assert max_body_bytes({"max_text_bytes": 5, "max_name_bytes": 5}) == 60 + 65536
    assert max_body_bytes({"max_output_bytes": 5, "max_sections": 3}) == 4 << 20


def test_cors_is_for_v1_only() -> None:
    foreign = {"origin": "https://example.org", "content-type": "application/json"}
    reply = request(APP, "POST", EXECUTE, b'{"markdown": ""}', foreign)
    assert (reply.status, reply.headers["access-control-allow-origin"]) == (200, "*")
    preflight = request(APP, "OPTIONS", EXECUTE, headers=foreign)
    assert preflight.status == 204
    assert "POST" in preflight.headers["access-control-allow-methods"]
    assert "access-control-allow-origin" not in request(APP, "GET", "/healthz").headers
    own = {"origin": "http://127.0.0.1:8000"}
    assert request(APP, "GET", "/healthz", headers=own).status == 200


def test_every_answer_has_the_security_headers() -> None:
    for target in ("/v1/tools", "/nowhere", "/healthz", "/llms.txt"):
        headers = request(APP, "GET", target).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["referrer-policy"] == "no-referrer"


def test_hosts_can_be_added() -> None:
    named = service(hosts=("tools.example",))
    assert request(named, "GET", "/healthz", headers={"host": "tools.example:80"}).status == 200
    assert request(named, "GET", "/healthz", headers={"host": "other.example"}).status == 421
    assert request(service(hosts=("*",)), "GET", "/healthz", headers={"host": "x"}).status == 200


def test_rate_is_kept_for_each_client() -> None:
    app = service(rate=0.5)
    statuses = [request(app, "GET", "/v1/tools").status for _ in range(3)]
    assert statuses == [200, 429, 429]
    refused = request(app, "GET", "/v1/tools")
    assert refused.json["error"]["code"] == "rate_limited"
    assert int(refused.headers["retry-after"]) >= 1
    assert request(app, "GET", "/v1/tools", client="10.0.0.1").status == 200
    assert request(app, "GET", "/healthz").status == 200


def test_token_bucket() -> None:
    now = [0.0]
    rates = Rates(2.0, lambda: now[0])
    for _ in range(4):
        rates.take("2001:db8::1")
    with pytest.raises(RateLimited):
        rates.take("2001:db8::2")  # the same /64
    rates.take("2001:db8:1::1")
    now[0] = 0.5
    rates.take("2001:db8::3")
    with pytest.raises(RateLimited):
        rates.take("2001:db8::3")
    for number in range(MAX_CLIENTS + 10):
        rates.take(f"client {number}")
    assert len(rates.buckets) == MAX_CLIENTS


def test_a_fault_is_logged_and_not_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*args: object, **kwargs: object) -> None:
        raise RuntimeError("the text was: secret words")

    monkeypatch.setattr("spanwise.doors.work.execute", broken)
    reply = post(APP, EXECUTE, b'{"markdown": "secret words"}')
    assert (reply.status, reply.json["error"]["code"]) == (500, "internal_error")
    logged = capsys.readouterr().err
    assert "RuntimeError" in logged
    assert "secret" not in logged + reply.body.decode()
    monkeypatch.setattr("spanwise.doors.http.app.openapi", broken)
    assert request(APP, "GET", "/openapi.json").json["error"]["code"] == "internal_error"
    assert "secret" not in capsys.readouterr().err


def test_one_log_line_a_request_without_any_text(capsys: pytest.CaptureFixture[str]) -> None:
    app = service()
    app.guard.quiet = False
    trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    post(app, EXECUTE, b'{"markdown": "# secret"}', traceparent=trace)
    post(app, EXECUTE, b'{"secret": 1}')
    request(app, "GET", "/v1/tools?query=secret")
    request(app, "GET", "/secret")
    post(app, "/v1/tools/secret/versions/1.0.0/execute", b"{}")
    logged = capsys.readouterr().err
    lines = [json.loads(line) for line in logged.splitlines()]
    assert "secret" not in logged
    assert [line["status"] for line in lines] == [200, 400, 200, 404, 404]
    assert lines[0]["tool"] == "markdown-sections-chunk"
    assert lines[0]["trace"] == "0af7651916cd43dd8448eb211c80319c"
    assert lines[0]["bytes_in"] == len(b'{"markdown": "# secret"}')
    assert lines[1]["code"] == "invalid_input"


def test_metrics() -> None:
    app = service()
    post(app, EXECUTE, b'{"markdown": ""}')
    post(app, EXECUTE, b"{}")
    request(app, "BREW", "/v1/tools")
    text = request(app, "GET", "/metrics").body.decode()
    route = "/v1/tools/{id}/versions/{version}/execute"
    assert f'spanwise_requests_total{{route="{route}",method="POST",status="200"}} 1' in text
    assert 'spanwise_errors_total{code="invalid_input"} 1' in text
    assert f'spanwise_request_seconds_bucket{{route="{route}",le="+Inf"}} 2' in text
    assert "BREW" not in text
    assert "spanwise_queue_length 0" in text


def test_openapi_holds_the_schemas_of_all_tools() -> None:
    found = request(APP, "GET", "/openapi.json").json
    assert found["openapi"] == "3.1.0"
    for contract in spanwise.contracts():
        operation = found["paths"][contract["execute_url"]]["post"]
        media = operation["requestBody"]["content"]["application/json"]
        assert media["schema"] == contract["input_schema"]
        answer = operation["responses"]["200"]["content"]["application/json"]["schema"]
        assert answer["properties"]["result"] == contract["output_schema"]
    names = [op["operationId"] for path in found["paths"].values() for op in path.values()
             if isinstance(op, dict)]  # fmt: skip
    assert len(set(names)) == len(names)


def test_openapi_is_valid() -> None:
    validator = pytest.importorskip("openapi_spec_validator", reason="checked in make test-service")
    validator.validate(request(APP, "GET", "/openapi.json").json)


def test_mcp_only_serves_no_tools_over_http() -> None:
    alone = service(mcp_only=True)
    assert request(alone, "GET", "/v1/tools").status == 404
    assert request(alone, "GET", "/healthz").status == 200


NEW_TOOL = {
    "id": "text-lines-count",
    "version": "1.2.0",
    "description": "Count the lines of a text.",
    "supported_operations": ["count the lines of a text"],
    "unsupported_operations": ["Counting words"],
    "semantics": ["A line ends at LF. More than max_text_bytes is limit_exceeded."],
    "limits": {"max_text_bytes": 1000},
    "pricing": {"status": "unpriced", "charge_usd": None},
    "input_schema": {
        "type": "object",
        "additionalProperties": False,
        "required": ["text"],
        "properties": {"text": {"type": "string", "description": "The text."}},
    },
    "output_schema": {
        "type": "object",
        "additionalProperties": False,
        "required": ["line_count"],
        "properties": {"line_count": {"type": "integer"}},
    },
    "examples": [{"input": {"text": "a\nb"}, "output": {"line_count": 2}}],
    "execute_url": "/v1/tools/text-lines-count/versions/1.2.0/execute",
}
CODE = """
def run(limits, *, text):
    return {"line_count": text.count("\\n") + 1}
"""


@pytest.fixture
def new_tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A catalogue with one tool more: a folder, and nothing else."""
    copied = tmp_path / "tools"
    shutil.copytree(tools.__path__[0], copied)
    folder = copied / "text_lines_count"
    folder.mkdir()
    (folder / "contract.json").write_text(json.dumps(NEW_TOOL))
    (folder / "tool.py").write_text(CODE)
    (folder / "__init__.py").write_text("")
    monkeypatch.setattr(tools, "__path__", [str(copied)])
    all_tools.cache_clear()
    yield "text-lines-count"
    all_tools.cache_clear()


def test_a_tool_is_a_folder_and_appears_everywhere(new_tool: str) -> None:
    app = service()
    address = f"/v1/tools/{new_tool}/versions/1.2.0"
    assert post(app, f"{address}/execute", b'{"text": "a\\nb\\nc"}').json["result"] == {
        "line_count": 3
    }
    assert request(app, "GET", address).json == NEW_TOOL
    assert request(app, "GET", f"/v1/tools/{new_tool}").json["latest"] == "1.2.0"
    page = request(app, "GET", f"/tools/{new_tool}").body.decode()
    assert "Counting words" in page
    assert new_tool in request(app, "GET", "/?query=count%20lines").body.decode()
    for target in ("/v1/tools", "/v1/tools?query=count lines", "/openapi.json", "/llms.txt"):
        assert address in request(app, "GET", target.replace(" ", "%20")).body.decode(), target
    assert new_tool in CliRunner().invoke(main, ["tools"]).stdout
    command = ["run", new_tool, "1.2.0", "--input", "-"]
    assert CliRunner().invoke(main, command, input=b'{"text": ""}').stdout == '{"line_count":1}\n'
    assert spanwise.execute(new_tool, "1.2.0", {"text": ""}) == {"line_count": 1}
    assert call("search_tools", {"query": "count lines"}, None)["tools"][0]["id"] == new_tool
    assert call("describe_tool", {"id": new_tool}, None) == NEW_TOOL
    one = {"id": new_tool, "version": "1.2.0", "input": {"text": "a"}}
    assert call("execute", one, None) == {"result": {"line_count": 1}}


def test_errors_are_those_of_the_library() -> None:
    for body in (b"{}", b'{"markdown": 1}', b'{"markdown": "", "extra": 1}'):
        with pytest.raises(spanwise.SpanwiseError) as caught:
            spanwise.execute("markdown-sections-chunk", "1.0.0", json.loads(body))
        assert post(APP, EXECUTE, body).json["error"] == caught.value.as_dict()
