"""Chunks and their vectors in DuckDB, kept in step with `spanwise sync`.

python duckdb_table.py chunks.duckdb update chunks.jsonl delta.jsonl
python duckdb_table.py chunks.duckdb search how long does green tea steep

The module `embedding` is yours: `embed(texts)` gives a list of `DIMENSIONS` numbers for each text.
"""

import json
import sys

import duckdb
from embedding import DIMENSIONS, embed

import spanwise

BATCH = 256
"""Texts that are embedded at once."""
COLUMNS = {
    "id": "VARCHAR", "chunk_id": "VARCHAR", "doc_id": "VARCHAR", "text_sha": "VARCHAR",
    "source": "VARCHAR", "index": "INTEGER", "kind": "VARCHAR", "heading_path": "VARCHAR[]",
    "heading_level": "TINYINT", "anchor": "VARCHAR", "start_line": "INTEGER",
    "end_line": "INTEGER", "start": "BIGINT", "end": "BIGINT", "part": "INTEGER",
    "parts": "INTEGER", "chars": "INTEGER", "tokens": "INTEGER", "tokens_exact": "BOOLEAN",
    "prefix_chars": "INTEGER", "suffix_chars": "INTEGER", "text": "VARCHAR",
    "headings": "VARCHAR[]", "media_type": "VARCHAR", "title": "VARCHAR", "pages": "JSON",
    "regions": "JSON", "prefix_regions": "JSON",
}  # fmt: skip
JOINED = ["headings"]
CONVERTED = ["media_type", "title", "pages", "regions", "prefix_regions"]
"""Only rows of joined sections, or of converted documents, have these."""

# Not one key: DuckDB would look for it before the rows that a transaction deletes are gone.
SCHEMA = f"""
CREATE TABLE IF NOT EXISTS chunks ({", ".join(f'"{name}" {COLUMNS[name]}' for name in COLUMNS)});
CREATE TABLE IF NOT EXISTS vectors (text_sha VARCHAR, vector FLOAT[{DIMENSIONS}]);
CREATE TABLE IF NOT EXISTS loaded (run VARCHAR);
"""
TYPES = ", ".join(f"\"{name}\": '{kind}'" for name, kind in {"op": "VARCHAR", **COLUMNS}.items())
LINES = f"read_json(?, format = 'newline_delimited', columns = {{{TYPES}}})"
"""A table function that reads chunks or a delta; what a line does not have is NULL."""


def opened(path):
    """The store in the file at `path`, made where there is none; one process may write to it."""
    store = duckdb.connect(path)
    store.execute(SCHEMA)
    return store


def update(store, chunks, delta, whole=False):
    """Load what changed, or all chunks where a delta was missed; what was done."""
    with spanwise.read_delta(delta) as changes:
        whole = whole or not changes.follows(one(store, "SELECT max(run) FROM loaded"))
        store.begin()
        try:
            if whole:
                load(store, chunks)
            else:
                apply(store, delta)
            embedded = embed_new(store)
            changes.check_count(one(store, "SELECT count(*) FROM chunks"))
            store.execute("DELETE FROM loaded")
            store.execute("INSERT INTO loaded VALUES (?)", [changes.run])
            store.commit()
        except BaseException:
            store.rollback()
            raise
    return f"{'all chunks' if whole else 'changes'} loaded, {embedded} embedded"


def load(store, chunks):
    """Let the store hold the rows of a file of chunks and nothing else."""
    store.execute("DELETE FROM chunks")
    store.execute(f"INSERT INTO chunks BY NAME SELECT * EXCLUDE op FROM {LINES}", [chunks])


def apply(store, delta):
    """Do what a delta says; doing it again changes nothing."""
    store.execute(
        "CREATE OR REPLACE TEMP TABLE changes AS "
        f"SELECT * FROM {LINES} WHERE op IN ('upsert', 'delete', 'move')",
        [delta],
    )
    store.execute(
        "UPDATE changes SET text = chunks.text FROM chunks "
        "WHERE changes.op = 'move' AND chunks.chunk_id = changes.chunk_id"
    )
    store.execute("DELETE FROM chunks WHERE chunk_id IN (SELECT chunk_id FROM changes)")
    store.execute(  # a move of what is not there has no text
        "INSERT INTO chunks BY NAME "
        "SELECT * EXCLUDE op FROM changes WHERE op <> 'delete' AND text IS NOT NULL"
    )
    store.execute("DROP TABLE changes")


def embed_new(store):
    """Embed the texts that have no vector, drop vectors that have no text; how many were new."""
    new = (
        "SELECT text_sha, any_value(text) FROM chunks "
        "WHERE text_sha NOT IN (SELECT text_sha FROM vectors) GROUP BY text_sha LIMIT ?"
    )
    embedded = 0
    while found := store.execute(new, [BATCH]).fetchall():
        keys, texts = zip(*found, strict=True)
        store.execute(
            f"INSERT INTO vectors SELECT unnest(?), unnest(?::FLOAT[{DIMENSIONS}][])",
            [list(keys), embed(list(texts))],
        )
        embedded += len(found)
    store.execute("DELETE FROM vectors WHERE text_sha NOT IN (SELECT text_sha FROM chunks)")
    return embedded


def one(store, query):
    """The one value that a query gives."""
    return store.execute(query).fetchone()[0]


def search(store, query, limit=5):
    """The rows whose texts are nearest to a query, nearest first."""
    store.execute(
        "SELECT chunks.* FROM vectors JOIN chunks USING (text_sha) "
        f"ORDER BY array_cosine_distance(vector, ?::FLOAT[{DIMENSIONS}]), chunk_id LIMIT ?",
        [embed([query])[0], limit],
    )
    return [row_of(dict(zip(COLUMNS, values, strict=True))) for values in store.fetchall()]


def row_of(record):
    """A record as `spanwise chunk` gives it."""
    absent = [] if record["headings"] else JOINED
    absent = absent + ([] if record["media_type"] else CONVERTED)
    row = {name: value for name, value in record.items() if name not in absent}
    return row | {name: json.loads(row[name] or "null") for name in row if COLUMNS[name] == "JSON"}


def main():
    """The command line; `load` loads all chunks, whatever the store holds."""
    path, command, *arguments = sys.argv[1:]
    store = opened(path)
    if command in ("update", "load"):
        print(update(store, *arguments, whole=command == "load"))
    elif command == "search":
        for row in search(store, " ".join(arguments)):
            lines = f"{row['source']}:{row['start_line']}-{row['end_line']}"
            print(lines, " > ".join(row["heading_path"]))


if __name__ == "__main__":
    main()
