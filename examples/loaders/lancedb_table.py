"""Chunks and their vectors in LanceDB, kept in step with `spanwise sync`.

python lancedb_table.py folder update chunks.jsonl delta.jsonl
python lancedb_table.py folder search how long does green tea steep

The module `embedding` is yours: `embed(texts)` gives a list of `DIMENSIONS` numbers for each text.
"""

import json
import sys

import lancedb
import pyarrow
from embedding import DIMENSIONS, embed

import spanwise

BATCH = 256
"""Texts that are embedded at once."""
SCHEMA = pyarrow.schema(
    {
        "chunk_id": pyarrow.string(),
        "text_sha": pyarrow.string(),
        "source": pyarrow.string(),
        "heading_path": pyarrow.list_(pyarrow.string()),
        "text": pyarrow.string(),
        "place": pyarrow.string(),  # the rest of the row, as JSON
        "vector": pyarrow.list_(pyarrow.float32(), DIMENSIONS),
    }
)
TAG = "run-"


def opened(path):
    """The table of chunks in a folder, made where there is none."""
    return lancedb.connect(path).create_table("chunks", schema=SCHEMA, exist_ok=True)


def update(store, chunks, delta, whole=False):
    """Load what changed, or all chunks where a delta was missed; what was done."""
    embedded = []
    with spanwise.read_delta(delta) as changes:
        tags = [name for name in store.tags.list() if name.startswith(TAG)]
        runs = [name.removeprefix(TAG) for name in tags] or [None]
        whole = whole or not all(map(changes.follows, runs))
        if whole:
            load(store, chunks, embedded)
        else:
            apply(store, changes, embedded)
        changes.check_count(store.count_rows())
        # A tag names a version, and tells here which run that is.
        if TAG + changes.run not in tags:
            store.tags.create(TAG + changes.run, store.version)
        for name in tags:
            if name != TAG + changes.run:
                store.tags.delete(name)
    store.optimize()
    return f"{'all chunks' if whole else 'changes'} loaded, {len(embedded)} embedded"


def load(store, chunks, embedded):
    """Let the store hold the rows of a file of chunks and nothing else."""
    batches = (
        records(row_batch, vectors(store, row_batch, embedded))
        for row_batch in spanwise.read_chunks(chunks, BATCH)
    )
    merge(store, batches, gone="true")


def apply(store, changes, embedded):
    """Do what a delta says, in one commit; doing it again changes nothing."""

    def batches():
        for rows in changes.batches("upsert", BATCH):
            yield records(rows, vectors(store, rows, embedded))
        for rows in changes.batches("move", BATCH):
            held = {one["chunk_id"]: one for one in where(store, "chunk_id", rows)}
            there = [row | {"text": held[row["chunk_id"]]["text"]} for row in rows]
            yield records(there, {one["text_sha"]: one["vector"] for one in held.values()})

    gone = [row for rows in changes.batches("delete") for row in rows]
    merge(store, batches(), in_list("chunk_id", gone))


def merge(store, batches, gone):
    """Write record batches, and delete the other records that a condition is true for."""
    one_commit = store.merge_insert("chunk_id").when_matched_update_all()
    one_commit = one_commit.when_not_matched_insert_all().when_not_matched_by_source_delete(gone)
    one_commit.execute(pyarrow.RecordBatchReader.from_batches(SCHEMA, batches))


def records(rows, vector_of):
    """Rows as a record batch."""
    return pyarrow.RecordBatch.from_pylist(
        [
            {
                **{name: row[name] for name in SCHEMA.names if name in row},
                "place": json.dumps({name: row[name] for name in row if name != "text"}),
                "vector": vector_of[row["text_sha"]],
            }
            for row in rows
        ],
        SCHEMA,
    )


def vectors(store, rows, embedded):
    """The vector for each text_sha, from the store where it has one; `embedded` gets the others."""
    known = {one["text_sha"]: one["vector"] for one in where(store, "text_sha", rows)}
    new = {row["text_sha"]: row["text"] for row in rows if row["text_sha"] not in known}
    if new:
        embedded.extend(new)
        known |= zip(new, embed(list(new.values())), strict=True)
    return known


def where(store, name, rows):
    """The records that have in a column what one of the rows has."""
    return store.search().where(in_list(name, rows)).limit(None).to_list()


def in_list(name, rows):
    """The condition that a column has what one of the rows has; ids need no escapes in SQL."""
    values = [f"'{row[name]}'" for row in rows]
    return f"{name} IN ({', '.join(values)})" if values else "false"


def search(store, query, limit=5):
    """The rows whose texts are nearest to a query, nearest first."""
    found = store.search(embed([query])[0]).distance_type("cosine").limit(limit).to_list()
    return [json.loads(one["place"]) | {"text": one["text"]} for one in found]


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
