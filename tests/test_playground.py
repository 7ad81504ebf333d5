"""Pages in a real browser: Debian's Chromium, driven by Playwright; and axe on each of them."""

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("uvicorn", reason="needs the extra [serve]")
pytest.importorskip("playwright", reason="needs playwright (make test-browser)")

from playwright import sync_api as playwright

import spanwise
from tests.test_serve import Running

CHROMIUM = shutil.which("chromium")
AXE = os.environ.get("SPANWISE_AXE", "")
SHOTS = os.environ.get("SPANWISE_SCREENSHOTS", "")

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs chromium")

TEXT = "# Tea 🍵\n\nSteep. " + "It is 😀 good. " * 60 + "\n\n## Green\n\nNo milk.\n"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with Running(workers=1, document=("guide.md", TEXT)) as running:
        yield f"http://127.0.0.1:{running.port}"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def strict_page(browser: Any) -> Iterator[Any]:
    """A page under the content security policy that the server sends."""
    yield from opened_page(browser)


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A page whose script may be waited for, which the policy would forbid."""
    yield from opened_page(browser, bypass_csp=True)


def is_fault(message: Any) -> bool:
    """An error on the console; a call that was answered with an error is none."""
    return message.type == "error" and not message.text.startswith("Failed to load resource")


def opened_page(browser: Any, **options: Any) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1280, "height": 1000}, **options)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    opened = context.new_page()
    faults: list[str] = []
    opened.on("pageerror", lambda error: faults.append(str(error)))
    opened.on("console", lambda m: faults.append(m.text) if is_fault(m) else None)
    yield opened
    context.close()
    assert faults == []


def utf16(text: str, start: int, end: int) -> str:
    return text.encode("utf-16-le")[2 * start : 2 * end].decode("utf-16-le")


def wait_for_pieces(page: Any, column: int = 0) -> Any:
    box = page.locator(".column").nth(column)
    box.locator(".piece").first.wait_for()
    return box


def check_shot(page: Any, name: str) -> None:
    if SHOTS:
        page.screenshot(path=str(Path(SHOTS) / f"{name}.png"), full_page=True)


def spans(box: Any) -> list[tuple[int, int, str]]:
    return [
        (int(mark["start"]), int(mark["end"]), mark["text"])
        for mark in box.locator(".piece").evaluate_all(
            "all => all.map(e => ({...e.dataset, text: e.textContent}))"
        )
    ]


def test_pieces_are_coloured_where_they_are(strict_page: Any, address: str) -> None:
    page = strict_page
    page.goto(f"{address}/playground")
    box = wait_for_pieces(page)
    rows = spanwise.chunk_markdown(TEXT, unit="utf16")
    assert [(start, end) for start, end, _ in spans(box)] == [(r["start"], r["end"]) for r in rows]
    for start, end, shown in spans(box):
        assert shown == utf16(TEXT, start, end)
    assert box.locator(".source").text_content() == TEXT
    check_shot(page, "playground")


def test_options_show_prefix_and_overlap_apart(page: Any, address: str) -> None:
    page.goto(f"{address}/playground")
    box = wait_for_pieces(page)
    box.locator("input[name=max_chars]").fill("300")
    box.locator("input[name=overlap_chars]").fill("40")
    box.locator("input[name=prefix_path]").check()
    rows = spanwise.chunk_markdown(TEXT, max_chars=300, overlap_chars=40, prefix_path=True)
    page.wait_for_function(f"document.querySelectorAll('.pieces li').length == {len(rows)}")
    for item, row in zip(box.locator(".pieces pre").all(), rows, strict=True):
        assert item.text_content() == row["text"]
        start, end = row["prefix_chars"], len(row["text"]) - row["suffix_chars"]
        assert item.locator(".own").text_content() == row["text"][start:end]
    assert box.locator(".pieces .path").count() == len(rows)
    assert box.locator(".pieces .added").count() >= len(rows) - 2
    box.locator("input[name=max_chars]").fill("7")
    page.locator(".summary.wrong").wait_for()
    assert "max_chars" in box.locator(".summary").text_content()


def test_typing_dropping_and_another_tool(page: Any, address: str, tmp_path: Path) -> None:
    page.goto(f"{address}/playground")
    box = wait_for_pieces(page)
    page.locator("#text").fill("One 😀. Two. Three.")
    box.locator("select[name=tool]").select_option("text-sentences-chunk@1.0.0")
    box.locator("input[name=max_size]").fill("14")
    box.locator("input[name=overlap]").fill("1")
    box.locator(".piece.shared").wait_for()
    assert box.locator(".pieces li").count() == 2
    assert box.locator(".piece.shared").text_content() == "Two. "
    (tmp_path / "other.md").write_text("# A\n\n# B\n\n# C\n")
    page.locator("#file").set_input_files(str(tmp_path / "other.md"))
    page.wait_for_function("document.getElementById('text').value.startsWith('# A')")
    page.evaluate(
        """() => {
            const data = new DataTransfer();
            data.items.add(new File(["# Dropped\\n\\nText.\\n"], "d.md"));
            const told = {dataTransfer: data, bubbles: true, cancelable: true};
            document.getElementById("text").dispatchEvent(new DragEvent("drop", told));
        }"""
    )
    page.wait_for_function("document.getElementById('text').value.startsWith('# Dropped')")
    box.locator("select[name=tool]").select_option("markdown-sections-chunk@1.0.0")
    page.wait_for_function("document.querySelectorAll('.pieces li').length == 1")
    assert "Dropped" in box.locator(".pieces li").first.text_content()


def test_compare_and_permalink(page: Any, address: str, browser: Any) -> None:
    page.goto(f"{address}/playground")
    wait_for_pieces(page)
    page.locator("#compare").check()
    second = wait_for_pieces(page, 1)
    second.locator("input[name=max_chars]").fill("250")
    page.wait_for_function(
        "document.querySelectorAll('.column')[1].querySelectorAll('li').length > 3"
    )
    counts = [box.locator(".pieces li").count() for box in page.locator(".column").all()]
    assert counts[0] < counts[1]
    check_shot(page, "compare")
    page.locator("#link").click()
    page.wait_for_function("location.hash.length > 10")
    page.wait_for_function("document.getElementById('said').textContent.includes('link')")
    other = browser.new_page()
    other.goto(page.url)
    wait_for_pieces(other, 1)
    other.wait_for_function(
        f"document.querySelectorAll('.column')[1].querySelectorAll('li').length == {counts[1]}"
    )
    assert other.locator("#text").input_value() == TEXT
    assert other.locator(".column").nth(1).locator("input[name=max_chars]").input_value() == "250"
    other.close()
    page.locator("#compare").uncheck()
    assert page.locator(".column").count() == 1


def test_keyboard(page: Any, address: str) -> None:
    page.goto(f"{address}/playground")
    box = wait_for_pieces(page)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to content"
    box.locator(".piece").first.focus()
    assert box.locator(".detail").text_content().startswith("Piece 1: Tea 🍵 · offsets 0 to")
    page.keyboard.press("ArrowRight")
    assert "lines 5 to 7" in box.locator(".detail").text_content()
    page.keyboard.press("Home")
    assert "Piece 1" in box.locator(".detail").text_content()
    box.locator(".piece").nth(1).hover()
    assert "Piece 2" in box.locator(".detail").text_content()


def test_copy_as(page: Any, address: str) -> None:
    page.goto(f"{address}/playground")
    box = wait_for_pieces(page)
    box.locator("input[name=max_chars]").fill("400")
    for name, part in (
        ("cli", "spanwise run markdown-chunk 1.0.0"),
        ("python", 'spanwise.execute("markdown-chunk", "1.0.0", json.loads('),
        ("curl", "/v1/tools/markdown-chunk/versions/1.0.0/execute"),
        ("mcp", '"max_chars": 400'),
    ):
        box.locator(".copy select").select_option(name)
        page.wait_for_timeout(200)
        box.locator(".copy button").click()
        page.wait_for_function("document.getElementById('said').textContent == 'Copied the call'")
        assert part in page.evaluate("navigator.clipboard.readText()")


def test_cutting_by_tokens(page: Any, address: str) -> None:
    pytest.importorskip("splintr", reason="needs the extra [tokens]")
    page.goto(f"{address}/playground")
    box = wait_for_pieces(page)
    box.locator("select[name=tool]").select_option("chunk_markdown")
    box.locator("input[name=max_tokens]").fill("60")
    box.locator("input[name=prefix_path]").check()
    rows = spanwise.chunk_markdown(
        TEXT, max_tokens=60, tokenizer="cl100k_base", prefix_path=True, unit="utf16"
    )
    page.wait_for_function(f"document.querySelectorAll('.pieces li').length == {len(rows)}")
    assert [(start, end) for start, end, _ in spans(box)] == [(r["start"], r["end"]) for r in rows]
    assert f"to {max(row['tokens'] for row in rows)} tokens" in box.locator(".summary").inner_text()
    assert "the line is at 60" in box.locator("figcaption").inner_text()
    check_shot(page, "tokens")
    for name, part in (
        ("cli", "spanwise chunk - --max-tokens 60 --tokenizer cl100k_base --prefix-path"),
        ("python", ', max_tokens=60, tokenizer="cl100k_base", prefix_path=True)'),
        ("curl", "/mcp"),
        ("mcp", '"name": "chunk_markdown"'),
    ):
        box.locator(".copy select").select_option(name)
        assert part in box.locator(".copy code").inner_text()
    box.locator("input[name=max_tokens]").fill("7")
    page.locator(".summary.wrong").wait_for()
    assert "max_tokens" in box.locator(".summary").inner_text()


def test_a_hostile_document_is_only_text(page: Any, address: str) -> None:
    page.goto(f"{address}/playground")
    wait_for_pieces(page)
    hostile = "# <img src=x onerror=alert(1)>\n\n<script>window.broken = 1</script>\n"
    page.locator("#text").fill(hostile)
    page.wait_for_function("document.querySelector('.source').textContent.includes('onerror')")
    assert page.evaluate("window.broken === undefined && !document.querySelector('.source img')")


@pytest.mark.parametrize("path", ["/", "/playground", "/tools/markdown-sections-chunk"])
def test_weight(strict_page: Any, address: str, path: str) -> None:
    page = strict_page
    sizes: list[int] = []
    page.on("response", lambda response: sizes.append(len(response.body())))
    page.goto(f"{address}{path}", wait_until="networkidle")
    assert 0 < sum(sizes) < 150_000


def test_pages_are_readable_without_scripts(browser: Any, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    page.get_by_label("Search the tools").fill("heading")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("link", name="markdown-sections-chunk", exact=True).click()
    for heading in ("Decide before calling", "Supported", "Not supported", "Behaviour", "Input",
                    "Output", "Limits", "Example", "How to call it", "Related tools"):  # fmt: skip
        assert page.get_by_role("heading", name=heading, exact=True).first.is_visible()
    check_shot(page, "tool")
    assert page.goto(f"{address}/tools/no-such").status == 404
    assert "no-such" in page.content()
    context.close()


@pytest.mark.skipif(not Path(AXE).is_file(), reason="SPANWISE_AXE is not the path of axe.min.js")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/", "/playground", "/tools/markdown-sections-chunk", "/tools/x"])
def test_axe_finds_no_serious_fault(browser: Any, address: str, path: str, scheme: str) -> None:
    context = browser.new_context(color_scheme=scheme, bypass_csp=True)
    page = context.new_page()
    page.goto(f"{address}{path}", wait_until="networkidle")
    if path == "/playground":
        page.locator("#compare").check()
        wait_for_pieces(page, 1)
    page.add_script_tag(path=AXE)
    found = page.evaluate("axe.run()")["violations"]
    check_shot(page, f"axe{path.replace('/', '-')}-{scheme}")
    context.close()
    serious = [fault for fault in found if fault["impact"] in ("serious", "critical")]
    assert serious == [], json.dumps(serious, indent=1)[:3000]
