"""Take the picture of the playground that the README and the docs show: docs/playground.png.

    .venv-service/bin/python -m scripts.picture

Needs Chromium; `make test-browser` sets the rest up.
"""

import shutil
from pathlib import Path

from playwright import sync_api as playwright
from tests.test_serve import Running

TARGET = Path(__file__).parents[1] / "docs" / "playground.png"
MOST_BYTES = 150_000
TEXT = """# Tea

Water, leaves and time.

## Steeping

Hotter water makes it bitter, and cooler water wants more time.

| tea | from | minutes |
| --- | --- | --- |
| Sencha | Shizuoka | 2 |
| Gyokuro | Uji | 2 |
| Bancha | Kyoto | 3 |
| Hojicha | Kyoto | 1 |
| Genmaicha | Shizuoka | 2 |
| Longjing | Hangzhou | 3 |
| Assam | Assam | 4 |

## Milk

```python
# Not a heading
cup = steep("Assam", minutes=4) + milk
```
"""


def main() -> None:
    """Open the playground, choose a small size, take the source and the first three pieces."""
    chromium = shutil.which("chromium")
    with (
        Running(workers=1, document=("tea.md", TEXT)) as running,
        playwright.sync_playwright() as started,
    ):
        browser = started.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(
            viewport={"width": 980, "height": 900}, color_scheme="light", bypass_csp=True
        )
        page.goto(f"http://127.0.0.1:{running.port}/playground")
        page.locator(".piece").first.wait_for()
        page.locator("input[name=max_chars]").fill("200")
        page.locator("input[name=overlap_chars]").fill("40")
        page.wait_for_function("document.querySelectorAll('.pieces li').length > 3")
        page.locator(".piece").nth(2).hover()
        page.wait_for_timeout(500)
        top, bottom = page.evaluate(
            """() => {
                const box = (all, number) =>
                    document.querySelectorAll(all)[number].getBoundingClientRect();
                return [box(".source", 0).top + scrollY - 2,
                        box(".pieces li", 2).bottom + scrollY + 12];
            }"""
        )
        clip = {"x": 0, "y": top, "width": 980, "height": bottom - top}
        page.screenshot(path=str(TARGET), full_page=True, clip=clip)
        browser.close()
    size = TARGET.stat().st_size
    if size > MOST_BYTES:
        raise SystemExit(f"{TARGET.name}: {size} bytes are more than {MOST_BYTES}")
    print(f"{TARGET.name}: {size} bytes")


if __name__ == "__main__":
    main()
