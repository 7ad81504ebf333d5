"""What harm files can do: `python -m benchmarks.hostile [MUTATIONS] [SEED]`.

Reads the bombs of the tests, all shared documents, and MUTATIONS (20) broken forms of some of each
kind, all in a child with the usual limits (10 seconds, a gigabyte). Prints how many ended how, the
slowest and the biggest; the exit status is 1 where one passed a limit, failed in a way no rule
foresaw, or gave no text without a word about it.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Final

from tests.hostile import MEMORY, SECONDS, SILENT, UNPLANNED, Outcome, mutations, tried
from tests.shared_data import DATA
from tests.test_hostile_documents import FILES, SOURCES

EACH: Final = 12
"""Documents of a kind that are broken."""


def documents() -> Iterator[tuple[str, bytes, str | None]]:
    """Name, bytes and password of each shared document."""
    for line in (DATA / "documents" / "manifest.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        path = DATA / "documents" / record["file"]
        yield path.name, path.read_bytes(), record.get("password") or None


def broken(count: int, seed: int) -> Iterator[tuple[str, bytes, str | None]]:
    """Broken forms of the sources of the tests, and of shared Word and HTML documents."""
    wholes = [(name, make()) for name, make in SOURCES]
    for kind in (".docx", ".html"):
        known = [(name, data) for name, data, _ in documents() if name.endswith(kind)]
        small = [one for one in known if len(one[1]) < 60_000]
        wholes.extend(small[:: max(1, len(small) // EACH)])
    for name, data in wholes:
        if not data:
            continue
        for number, made in enumerate(mutations(data, count, seed)):
            yield f"{number}-{name}", made, None


def measured(title: str, files: Iterator[tuple[str, bytes, str | None]]) -> bool:
    """Print the table of a set; whether all is well."""
    results: list[tuple[str, Outcome]] = []
    for name, data, password in files:
        results.append((name, tried(data, name, password=password)))
    counts = Counter(outcome.what for _, outcome in results)
    print(f"{title}: {len(results)} files; {', '.join(f'{n} {k}' for k, n in counts.items())}")
    slowest = max(results, key=lambda one: one[1].seconds)
    biggest = max(results, key=lambda one: one[1].peak)
    print(f"  slowest {slowest[1].seconds:.1f} s {slowest[0]} ({slowest[1].what})")
    print(f"  biggest {biggest[1].peak / 2**20:.0f} MiB {biggest[0]} ({biggest[1].what})")
    bad = [
        (name, one)
        for name, one in results
        if one.what in (SILENT, UNPLANNED) or one.seconds > SECONDS or one.peak > MEMORY
    ]
    for name, one in bad:
        print(f"  bad {name}: {one.what} {one.seconds:.1f} s {one.message}")
    return not bad


def main() -> None:
    """Print the tables."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    well = [
        measured("made to do harm", ((name, make(), None) for name, make, _ in FILES)),
        measured("shared documents", documents()),
        measured("broken forms", broken(count, seed)),
    ]
    sys.exit(0 if all(well) else 1)


if __name__ == "__main__":
    main()
