"""Chunks and their vectors in Qdrant, kept in step with `spanwise sync`.

python qdrant_collection.py folder update chunks.jsonl delta.jsonl
python qdrant_collection.py folder search how long does green tea steep

In place of a folder, which one process at a time may use, give http://... for a server (1.16 or
later). The module `embedding` is yours: `embed(texts)` gives a list of `DIMENSIONS` numbers for
each text.
"""

import sys
from uuid import UUID

from embedding import DIMENSIONS, embed
from qdrant_client import QdrantClient, models

import spanwise

BATCH = 256
"""Points that are written at once."""
NAME = "chunks"


def opened(address):
    """A client of a server or of a folder, with a collection of chunks."""
    server = address.startswith(("http://", "https://"))
    store = QdrantClient(url=address) if server else QdrantClient(path=address)
    if not store.collection_exists(NAME):
        size = models.VectorParams(size=DIMENSIONS, distance=models.Distance.COSINE)
        store.create_collection(NAME, vectors_config=size)
        if server:  # a folder has no indexes
            for field in ("metadata.text_sha", "metadata.source"):
                store.create_payload_index(NAME, field, models.PayloadSchemaType.KEYWORD)
    return store


def update(store, chunks, delta, whole=False):
    """Load what changed, or all chunks where a delta was missed; what was done."""
    with spanwise.read_delta(delta) as changes:
        told = store.get_collection(NAME).config.metadata or {}
        whole = whole or not changes.follows(told.get("run"))
        embedded = load(store, chunks) if whole else apply(store, changes)
        changes.check_count(store.count(NAME, exact=True).count)
        store.update_collection(NAME, metadata={"run": changes.run})
    return f"{'all chunks' if whole else 'changes'} loaded, {embedded} embedded"


def load(store, chunks):
    """Let the store hold the rows of a file of chunks and nothing else; how many were embedded."""
    # No transactions: when this is stopped, begin again.
    store.update_collection(NAME, metadata={"run": "none"})
    embedded = 0
    kept = set()
    for rows in spanwise.read_chunks(chunks, BATCH):
        embedded += put(store, rows)
        kept.update(row["chunk_id"] for row in rows)
    remove(store, [key for key in all_ids(store) if key not in kept])
    return embedded


def apply(store, changes):
    """Do what a delta says; doing it again changes nothing. How many were embedded."""
    # Deletes come last: a file with another name finds its vectors under the old one.
    embedded = sum(put(store, rows) for rows in changes.batches("upsert", BATCH))
    for rows in changes.batches("move", BATCH):
        places = [
            models.SetPayloadOperation(
                set_payload=models.SetPayload(payload={"metadata": row}, points=[row["chunk_id"]])
            )
            for row in rows
        ]
        store.batch_update_points(NAME, places)
    for rows in changes.batches("delete", BATCH):
        remove(store, [row["chunk_id"] for row in rows])
    return embedded


def put(store, rows):
    """Write rows; how many texts were embedded for it, since no point had them."""
    same = models.MatchAny(any=[row["text_sha"] for row in rows])
    only = models.Filter(must=[models.FieldCondition(key="metadata.text_sha", match=same)])
    known = {
        point.payload["metadata"]["text_sha"]: point.vector
        for point in points(store, scroll_filter=only, with_vectors=True, with_payload=True)
    }
    new = {row["text_sha"]: row["text"] for row in rows if row["text_sha"] not in known}
    if new:
        known |= zip(new, embed(list(new.values())), strict=True)
    store.upsert(
        NAME,
        [
            models.PointStruct(
                id=row["chunk_id"],  # 32 hex digits are a UUID without its hyphens
                vector=known[row["text_sha"]],
                payload={  # the names that LangChain reads
                    "page_content": row["text"],
                    "metadata": {name: value for name, value in row.items() if name != "text"},
                },
            )
            for row in rows
        ],
    )
    return len(new)


def remove(store, keys):
    """Delete the points of these chunk ids."""
    for some in range(0, len(keys), BATCH):
        store.delete(NAME, models.PointIdsList(points=keys[some : some + BATCH]))


def all_ids(store):
    """All chunk ids there are."""
    return [UUID(point.id).hex for point in points(store, with_payload=False)]


def points(store, **wanted):
    """All points that are wanted."""
    offset = None
    while True:
        found, offset = store.scroll(NAME, limit=BATCH, offset=offset, **wanted)
        yield from found
        if offset is None:
            return


def search(store, query, limit=5):
    """The rows whose texts are nearest to a query, nearest first."""
    found = store.query_points(NAME, query=embed([query])[0], limit=limit, with_payload=True).points
    return [one.payload["metadata"] | {"text": one.payload["page_content"]} for one in found]


def main():
    """The command line; `load` loads all chunks, whatever the store holds."""
    address, command, *arguments = sys.argv[1:]
    store = opened(address)
    if command in ("update", "load"):
        print(update(store, *arguments, whole=command == "load"))
    elif command == "search":
        for row in search(store, " ".join(arguments)):
            lines = f"{row['source']}:{row['start_line']}-{row['end_line']}"
            print(lines, " > ".join(row["heading_path"]))
    store.close()


if __name__ == "__main__":
    main()
