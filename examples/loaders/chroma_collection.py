"""Chunks and their vectors in Chroma, kept in step with `spanwise sync`.

python chroma_collection.py folder update chunks.jsonl delta.jsonl
python chroma_collection.py folder search how long does green tea steep

The module `embedding` is yours: `embed(texts)` gives a list of `DIMENSIONS` numbers for each text.
"""

import json
import sys

import chromadb
from embedding import embed

import spanwise

BATCH = 256
"""Chunks that are written at once."""


def opened(path):
    """The collection of chunks in a folder, made where there is none."""
    settings = chromadb.Settings(anonymized_telemetry=False)
    return chromadb.PersistentClient(path, settings).get_or_create_collection(
        "chunks",
        configuration={"hnsw": {"space": "cosine"}},
        embedding_function=None,  # left out, Chroma downloads a model
    )


def update(store, chunks, delta, whole=False):
    """Load what changed, or all chunks where a delta was missed; what was done."""
    with spanwise.read_delta(delta) as changes:
        whole = whole or not changes.follows((store.metadata or {}).get("run"))
        embedded = load(store, chunks) if whole else apply(store, changes)
        changes.check_count(store.count())
        store.modify(metadata={"run": changes.run})
    return f"{'all chunks' if whole else 'changes'} loaded, {embedded} embedded"


def load(store, chunks):
    """Let the store hold the rows of a file of chunks and nothing else; how many were embedded."""
    store.modify(metadata={"run": "none"})  # no transactions: when this is stopped, begin again
    embedded = 0
    kept = set()
    for rows in spanwise.read_chunks(chunks, BATCH):
        embedded += put(store, rows)
        kept.update(row["chunk_id"] for row in rows)
    remove(store, [key for key in store.get(include=[])["ids"] if key not in kept])
    return embedded


def apply(store, changes):
    """Do what a delta says; doing it again changes nothing. How many were embedded."""
    # Deletes come last: a file with another name finds its vectors under the old one.
    embedded = sum(put(store, rows) for rows in changes.batches("upsert", BATCH))
    for rows in changes.batches("move", BATCH):
        store.update([row["chunk_id"] for row in rows], metadatas=[metadata(row) for row in rows])
    for rows in changes.batches("delete", BATCH):
        remove(store, [row["chunk_id"] for row in rows])
    return embedded


def put(store, rows):
    """Write rows; how many texts were embedded for it, since no chunk had them."""
    same = {"text_sha": {"$in": [row["text_sha"] for row in rows]}}
    found = store.get(where=same, include=["metadatas", "embeddings"])
    names = [one["text_sha"] for one in found["metadatas"]]
    known = dict(zip(names, found["embeddings"].tolist(), strict=True))
    new = {row["text_sha"]: row["text"] for row in rows if row["text_sha"] not in known}
    if new:
        known |= zip(new, embed(list(new.values())), strict=True)
    store.upsert(
        ids=[row["chunk_id"] for row in rows],
        embeddings=[known[row["text_sha"]] for row in rows],
        documents=[row["text"] for row in rows],
        metadatas=[metadata(row) for row in rows],
    )
    return len(new)


def metadata(row):
    """What to filter by, and all of a row but its text as JSON.

    Chroma takes no null, no empty list and no object; and an update keeps the names that it is not
    given, so all rows have the same.
    """
    return {
        "source": row["source"],
        "text_sha": row["text_sha"],
        "heading": " > ".join(row["heading_path"]),
        "place": json.dumps({name: value for name, value in row.items() if name != "text"}),
    }


def remove(store, keys):
    """Delete the chunks with these ids."""
    for some in range(0, len(keys), BATCH):
        store.delete(keys[some : some + BATCH])


def search(store, query, limit=5):
    """The rows whose texts are nearest to a query, nearest first."""
    found = store.query(
        query_embeddings=[embed([query])[0]], n_results=limit, include=["metadatas", "documents"]
    )
    pairs = zip(found["metadatas"][0], found["documents"][0], strict=True)
    return [json.loads(one["place"]) | {"text": text} for one, text in pairs]


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
