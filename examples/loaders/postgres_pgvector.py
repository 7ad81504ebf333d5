"""Chunks and their vectors in PostgreSQL with pgvector, kept in step with `spanwise sync`.

python postgres_pgvector.py "dbname=docs" update chunks.jsonl delta.jsonl
python postgres_pgvector.py "dbname=docs" search how long does green tea steep

The module `embedding` is yours: `embed(texts)` gives a list of `DIMENSIONS` numbers for each text.
"""

import sys

import psycopg
from embedding import DIMENSIONS, embed
from pgvector import Vector
from pgvector.psycopg import register_vector
from psycopg.types.json import Jsonb

import spanwise

BATCH = 256
"""Texts that are embedded at once."""
SCHEMA = f"""
CREATE EXTENSION IF NOT EXISTS vector;
CREATE TABLE IF NOT EXISTS chunks (
    chunk_id uuid PRIMARY KEY,  -- 32 hex digits are a UUID without its hyphens
    text_sha uuid NOT NULL,
    source text NOT NULL,
    text text NOT NULL,
    place jsonb NOT NULL  -- the rest of the row
);
CREATE INDEX IF NOT EXISTS chunks_by_text ON chunks (text_sha);
CREATE INDEX IF NOT EXISTS chunks_by_source ON chunks (source);
-- Apart from the chunks: what only moves leaves the vectors and their index alone.
CREATE TABLE IF NOT EXISTS vectors (
    text_sha uuid PRIMARY KEY,
    vector vector({DIMENSIONS}) NOT NULL
);
CREATE INDEX IF NOT EXISTS vectors_by_distance ON vectors USING hnsw (vector vector_cosine_ops);
CREATE TABLE IF NOT EXISTS loaded (run text NOT NULL);
"""


def opened(address):
    """The store in a database, its tables made where there are none."""
    store = psycopg.connect(address)
    store.execute(SCHEMA)
    store.commit()
    register_vector(store)
    return store


def update(store, chunks, delta, whole=False):
    """Load what changed, or all chunks where a delta was missed; what was done."""
    with spanwise.read_delta(delta) as changes, store.transaction():
        store.execute("LOCK TABLE loaded IN EXCLUSIVE MODE")  # one loader at a time
        whole = whole or not changes.follows(one(store, "SELECT max(run) FROM loaded"))
        if whole:
            load(store, chunks)
        else:
            apply(store, changes)
        embedded = embed_new(store)
        changes.check_count(one(store, "SELECT count(*) FROM chunks"))
        store.execute("DELETE FROM loaded")
        store.execute("INSERT INTO loaded VALUES (%s)", [changes.run])
    return f"{'all chunks' if whole else 'changes'} loaded, {embedded} embedded"


def load(store, chunks):
    """Let the store hold the rows of a file of chunks and nothing else."""
    store.execute("DELETE FROM chunks")
    for rows in spanwise.read_chunks(chunks):
        put(store, rows)


def apply(store, changes):
    """Do what a delta says; doing it again changes nothing."""
    for rows in changes.batches("delete"):
        keys = [row["chunk_id"] for row in rows]
        store.execute("DELETE FROM chunks WHERE chunk_id = ANY(%s::uuid[])", [keys])
    for rows in changes.batches("upsert"):
        put(store, rows)
    for rows in changes.batches("move"):
        places = [(place(row), row["chunk_id"]) for row in rows]
        with store.cursor() as cursor:
            cursor.executemany("UPDATE chunks SET place = %s WHERE chunk_id = %s", places)


def put(store, rows):
    """Insert rows, or replace those that are there."""
    values = [
        (row["chunk_id"], row["text_sha"], row["source"], clean(row["text"]), place(row))
        for row in rows
    ]
    with store.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO chunks VALUES (%s, %s, %s, %s, %s) ON CONFLICT (chunk_id) DO UPDATE "
            "SET text_sha = excluded.text_sha, source = excluded.source, text = excluded.text, "
            "place = excluded.place",
            values,
        )


def place(row):
    """All of a row but its text."""
    return Jsonb({name: clean(value) for name, value in row.items() if name != "text"})


def clean(value):
    """PostgreSQL has no U+0000; in Markdown it means U+FFFD (CommonMark 0.31.2, 2.3)."""
    return value.replace("\0", "\ufffd") if isinstance(value, str) else value


def embed_new(store):
    """Embed the texts that have no vector, drop vectors that have no text; how many were new."""
    embedded = 0
    with store.cursor("new") as new, store.cursor() as cursor:  # one query, read in batches
        new.execute(
            "SELECT DISTINCT ON (text_sha) text_sha, text FROM chunks WHERE NOT EXISTS "
            "(SELECT FROM vectors WHERE vectors.text_sha = chunks.text_sha)"
        )
        while found := new.fetchmany(BATCH):
            keys, texts = zip(*found, strict=True)
            pairs = zip(keys, map(Vector, embed(list(texts))), strict=True)
            cursor.executemany("INSERT INTO vectors VALUES (%s, %s)", pairs)
            embedded += len(found)
    store.execute(
        "DELETE FROM vectors WHERE NOT EXISTS "
        "(SELECT FROM chunks WHERE chunks.text_sha = vectors.text_sha)"
    )
    return embedded


def one(store, query):
    """The one value that a query gives."""
    return store.execute(query).fetchone()[0]


def search(store, query, limit=5):
    """The rows whose texts are nearest to a query, nearest first."""
    found = store.execute(
        "SELECT place, text FROM vectors JOIN chunks USING (text_sha) "
        "ORDER BY vector <=> %s LIMIT %s",
        [Vector(embed([query])[0]), limit],
    )
    return [place | {"text": text} for place, text in found]


def main():
    """The command line; `load` loads all chunks, whatever the store holds."""
    address, command, *arguments = sys.argv[1:]
    with opened(address) as store:
        if command in ("update", "load"):
            print(update(store, *arguments, whole=command == "load"))
        elif command == "search":
            for row in search(store, " ".join(arguments)):
                lines = f"{row['source']}:{row['start_line']}-{row['end_line']}"
                print(lines, " > ".join(row["heading_path"]))


if __name__ == "__main__":
    main()
