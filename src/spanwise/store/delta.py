"""What brings a store up to date: a set operation over chunk ids, and its JSON lines.

A line is one of

    {"op":"upsert", ...row}                                  new, or perhaps not in the store
    {"op":"delete","chunk_id","doc_id","source","reason"}    changed, config or source_removed
    {"op":"move", ...row without text}                       the same text in another place
    {"op":"summary", ...}                                    the last one

Lines of one source stand together, deletes before upserts before moves.
"""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Final, Literal, NamedTuple

import orjson

from spanwise.rows import ID_BYTES, ID_DIGITS, document_id

DIGEST_BYTES: Final = 8
PACKED_BYTES: Final = ID_BYTES + DIGEST_BYTES

Reason = Literal["changed", "config", "source_removed"]

State = Mapping[bytes, bytes]
"""What a store holds: for each chunk id (16 bytes) a digest of its whole row (8 bytes)."""

_KEY: Final = b',"chunk_id":"'
_UPSERT: Final = b'{"op":"upsert",'


class Changes(NamedTuple):
    """What is to be done to a store, as ids."""

    upserts: frozenset[bytes]
    deletes: frozenset[bytes]
    moves: frozenset[bytes]


def delta(states: Sequence[State], new: State) -> Changes:
    """What brings a store to `new`, be it in any one of `states` or between them.

    There are several states where earlier deltas were handed out and nobody said that they were
    loaded. An id that all of them have needs no text any more; one that only some have is written
    again or deleted. The order of rows has no part in it, and doing it twice changes nothing.
    """
    somewhere: set[bytes] = set().union(*states)
    everywhere = somewhere.intersection(*states)
    upserts = frozenset(new.keys() - everywhere)
    deletes = frozenset(somewhere - new.keys())
    moves = frozenset(
        one for one in everywhere & new.keys() if any(state[one] != new[one] for state in states)
    )
    return Changes(upserts, deletes, moves)


def pack(lines: Iterable[bytes]) -> bytes:
    """Ids and digests of encoded rows, in their order."""
    return b"".join([chunk_id(line) + sha256(line).digest()[:DIGEST_BYTES] for line in lines])


def unpack(packed: bytes) -> dict[bytes, bytes]:
    """The state that `pack` has made bytes of, in the order of the rows."""
    return {
        packed[at : at + ID_BYTES]: packed[at + ID_BYTES : at + PACKED_BYTES]
        for at in range(0, len(packed), PACKED_BYTES)
    }


def chunk_id(line: bytes) -> bytes:
    """The id in an encoded row.

    Only a key can look like that: a quotation mark in a string has a backslash before it.
    """
    start = line.index(_KEY) + len(_KEY)
    return bytes.fromhex(line[start : start + ID_DIGITS].decode("ascii"))


def change_lines(
    source: str, changes: Changes, old: Iterable[bytes], lines: Sequence[bytes], reason: Reason
) -> list[bytes]:
    """The lines that tell of the changes to one source.

    `old` has the ids that may be deleted, in the order to tell of them; `lines` are the rows of the
    source as it is now.
    """
    deletes = []
    upserts = []
    moves = []
    if changes.deletes:
        doc_id = document_id(source)
        for one in old:
            if one in changes.deletes:
                told = {"op": "delete", "chunk_id": one.hex(), "doc_id": doc_id}
                deletes.append(_line(told | {"source": source, "reason": reason}))
    for line in lines:
        one = chunk_id(line)
        if one in changes.upserts:
            upserts.append(_UPSERT + line[1:] + b"\n")
        elif one in changes.moves:
            row = orjson.loads(line)
            del row["text"]
            moves.append(_line({"op": "move"} | row))
    return deletes + upserts + moves


def _line(value: object) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE)
