"""Chunks in SQLite with full-text search, kept in step with `spanwise sync`.

python sqlite_fts.py chunks.db update chunks.jsonl delta.jsonl
python sqlite_fts.py chunks.db search how long does green tea steep
"""

import json
import sqlite3
import sys

import spanwise

SCHEMA = """
CREATE TABLE IF NOT EXISTS chunks (
    number INTEGER PRIMARY KEY,  -- what the index refers to: a rowid without a name may change
    chunk_id TEXT NOT NULL UNIQUE,
    source TEXT NOT NULL,
    heading TEXT NOT NULL,
    text TEXT NOT NULL,
    place TEXT NOT NULL  -- the rest of the row, as JSON
);
CREATE INDEX IF NOT EXISTS by_source ON chunks (source);
CREATE TABLE IF NOT EXISTS loaded (run TEXT NOT NULL);

-- Only the index, the words stay in the table; and a chunk that moves is not indexed again.
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (
    heading, text, content = 'chunks', content_rowid = 'number', tokenize = 'porter unicode61'
);
CREATE TRIGGER IF NOT EXISTS put AFTER INSERT ON chunks BEGIN
    INSERT INTO words (rowid, heading, text) VALUES (new.number, new.heading, new.text);
END;
CREATE TRIGGER IF NOT EXISTS gone AFTER DELETE ON chunks BEGIN
    INSERT INTO words (words, rowid, heading, text)
    VALUES ('delete', old.number, old.heading, old.text);
END;
"""


def opened(path):
    """The store in the file at `path`, made where there is none."""
    store = sqlite3.connect(path)
    store.executescript(SCHEMA)
    return store


def update(store, chunks, delta, whole=False):
    """Load what changed, or all chunks where a delta was missed; what was done."""
    with spanwise.read_delta(delta) as changes, store:  # all of it or nothing
        run = store.execute("SELECT max(run) FROM loaded").fetchone()[0]
        whole = whole or not changes.follows(run)
        if whole:
            load(store, chunks)
        else:
            apply(store, changes)
        changes.check_count(store.execute("SELECT count(*) FROM chunks").fetchone()[0])
        store.execute("DELETE FROM loaded")
        store.execute("INSERT INTO loaded VALUES (?)", (changes.run,))
    return f"{'all chunks' if whole else 'changes'} loaded"


def load(store, chunks):
    """Let the store hold the rows of a file of chunks and nothing else."""
    store.execute("DELETE FROM chunks")
    for rows in spanwise.read_chunks(chunks):
        put(store, rows)


def apply(store, changes):
    """Do what a delta says; doing it again changes nothing."""
    for rows in changes.batches("delete"):
        remove(store, rows)
    for rows in changes.batches("upsert"):
        remove(store, rows)
        put(store, rows)
    for rows in changes.batches("move"):
        places = [(place(row), row["chunk_id"]) for row in rows]
        store.executemany("UPDATE chunks SET place = ? WHERE chunk_id = ?", places)


def remove(store, rows):
    """Delete the chunks with the ids of these rows."""
    keys = [(row["chunk_id"],) for row in rows]
    store.executemany("DELETE FROM chunks WHERE chunk_id = ?", keys)


def put(store, rows):
    """Insert rows."""
    store.executemany(
        "INSERT INTO chunks (chunk_id, source, heading, text, place) VALUES (?, ?, ?, ?, ?)",
        [
            (
                row["chunk_id"],
                row["source"],
                " > ".join(row["heading_path"]),
                row["text"],
                place(row),
            )
            for row in rows
        ],
    )


def place(row):
    """All of a row but its text, as JSON."""
    return json.dumps({key: value for key, value in row.items() if key != "text"})


def search(store, query, limit=5):
    """The rows that have most of the words of a query, best first; headings count three times."""
    # In quotation marks a word is a word, whatever FTS5 reads in AND, * or -.
    words = ['"' + word.replace('"', '""') + '"' for word in query.split()]
    found = store.execute(
        "SELECT chunks.place, chunks.text FROM words JOIN chunks ON chunks.number = words.rowid "
        "WHERE words MATCH ? ORDER BY bm25(words, 3, 1) LIMIT ?",
        (" OR ".join(words), limit),
    )
    return [json.loads(place) | {"text": text} for place, text in found]


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
