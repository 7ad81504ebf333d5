"""Build the docs into build/docs/site, without a network, and check every link in the result.

    python -m scripts.build_docs

The pages of docs/ and the reference pages are put together in build/docs, Zensical makes HTML of
them (docs/zensical.toml), and then each link, image, script and style sheet of each page has to be
there, fragments too. A warning is an error. Exit status 1 says that something was wrong.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from scripts.docs_reference import pages

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
BUILD = ROOT / "build" / "docs"
SITE = BUILD / "site"

LOADED = {("script", "src"), ("img", "src"), ("link", "href"), ("iframe", "src"), ("source", "src")}
"""What a browser fetches by itself; all of it has to be part of the site."""


def assemble() -> None:
    """Write all pages and the configuration below build/docs."""
    shutil.rmtree(BUILD, ignore_errors=True)
    shutil.copytree(DOCS, BUILD / "pages", ignore=shutil.ignore_patterns("zensical.toml"))
    made = pages()
    for name, text in made.items():
        path = BUILD / "pages" / name
        if path.exists():
            raise FileExistsError(f"docs/{name} is in the way of a page that is made")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.rstrip("\n") + "\n", encoding="utf-8")
    configuration = (DOCS / "zensical.toml").read_text(encoding="utf-8")
    (BUILD / "zensical.toml").write_text(expanded(configuration, sorted(made)), encoding="utf-8")


def expanded(configuration: str, made: list[str]) -> str:
    """The configuration with the pages that `"reference/tools/*"` stands for in its navigation.

    Those are the ones that begin so and are not named themselves.
    """

    def names(match: re.Match[str]) -> str:
        found = [name for name in made if name.startswith(match[1])]
        return " ".join(f'"{name}",' for name in found if f'"{name}"' not in configuration)

    return re.sub(r'"([^"*]+)\*",?', names, configuration)


def build() -> bool:
    """Run Zensical; whether it had nothing to say against any page."""
    done = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict", "-f", str(BUILD / "zensical.toml")],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    clean = done.returncode == 0 and "No issues found" in done.stdout
    if not clean:
        print(done.stdout)
    return clean


class Page(HTMLParser):
    """The ids of a page and what it refers to."""

    def __init__(self, path: Path) -> None:
        """Read the page at `path`."""
        super().__init__()
        self.ids: set[str] = set()
        self.references: list[tuple[str, str, str]] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.ids.add(value)
            if name in ("href", "src") and value is not None:
                self.references.append((tag, name, value))


def faults() -> Iterator[str]:
    """What is wrong with links in the site."""
    found = {path: Page(path) for path in sorted(SITE.rglob("*.html"))}
    if not found:
        yield f"no pages in {SITE}"
    for path, page in found.items():
        for tag, name, value in page.references:
            where = f"{path.relative_to(SITE)}: <{tag} {name}={value!r}>"
            parts = urlsplit(value)
            if parts.scheme or parts.netloc:
                if (tag, name) in LOADED and parts.scheme != "data":
                    yield f"{where} is loaded from elsewhere"
                continue
            base = SITE if parts.path.startswith("/") else path.parent
            target = (base / unquote(parts.path).lstrip("/")).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.is_file():
                yield f"{where} is not there"
            elif parts.fragment and target in found:
                fragment = unquote(parts.fragment)
                if fragment not in found[target].ids and not fragment.startswith("__"):
                    yield f"{where}: no such place in the page"


def run() -> int:
    """Assemble, build, check; the exit status."""
    assemble()
    if not build():
        return 1
    wrong = list(faults())
    for fault in wrong:
        print(fault)
    count = len(list(SITE.rglob("*.html")))
    print(f"docs: {count} pages in {SITE.relative_to(ROOT)}, {len(wrong)} faults")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(run())
