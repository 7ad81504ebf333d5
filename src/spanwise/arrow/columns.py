"""Chunks straight into Arrow's buffers: no dictionary and no string for each row.

Compiled, and without an Arrow library; `building` makes record batches of what comes out.
"""

from dataclasses import replace
from typing import Final, final

from librt.strings import BytesWriter, write_i32_le, write_i64_le
from mypy_extensions import i32, i64

from spanwise.errors import LimitExceeded
from spanwise.markdown.chunking import KINDS, Counter, pieces
from spanwise.markdown.options import ChunkOptions, is_mdx
from spanwise.rows import BYTES_PER_TOKEN, ID_DIGITS, Ids, document_id
from spanwise.spans import to_unit

BATCH_LIMIT: Final = (1 << 31) - 1
"""What 32-bit offsets reach: bytes that the strings of one batch may have together."""

_NONE: Final[list[bytes]] = []
_KINDS: Final = [kind.encode() for kind in KINDS]


@final
class Strings:
    """A column of strings: the bytes of each, and where it ends.

    They are put together once, at the end: memory that grows is mapped and cleared twice.
    """

    def __init__(self) -> None:
        """Empty."""
        self.values: list[bytes] = []
        self.end: i64 = 0
        self.offsets = BytesWriter()
        write_i32_le(self.offsets, 0)

    def add(self, value: bytes) -> None:
        """One more."""
        self.values.append(value)
        self.end += len(value)
        write_i32_le(self.offsets, i32(self.end))

    def buffers(self) -> list[bytes]:
        """Offsets and values."""
        return [self.offsets.getvalue(), b"".join(self.values)]


@final
class Lists:
    """A column of lists of strings."""

    def __init__(self) -> None:
        """Empty."""
        self.items = Strings()
        self.count: i64 = 0
        self.offsets = BytesWriter()
        write_i32_le(self.offsets, 0)

    def add(self, items: list[bytes]) -> None:
        """One more."""
        for item in items:
            self.items.add(item)
        self.count += len(items)
        write_i32_le(self.offsets, i32(self.count))

    def buffers(self) -> list[bytes]:
        """Offsets of the lists, then offsets and values of the items."""
        return [self.offsets.getvalue(), *self.items.buffers()]


def _hex_column(ids: list[bytes]) -> list[bytes]:
    """Offsets and values of a column of ids, each as its `ID_DIGITS` digits."""
    offsets = BytesWriter()
    width: i64 = ID_DIGITS
    end: i64 = 0
    while end <= len(ids) * width:
        write_i32_le(offsets, i32(end))
        end += width
    return [offsets.getvalue(), b"".join(ids).hex().encode()]


@final
class Batch:
    """The columns of some rows. `size` is the bytes of all strings."""

    def __init__(self) -> None:
        """Empty."""
        self.rows: i64 = 0
        self.size: i64 = 0
        self.parents = BytesWriter()
        self.id = Strings()
        self.chunk_ids: list[bytes] = []
        self.doc_ids: list[bytes] = []
        self.text_shas: list[bytes] = []
        self.source = Strings()
        self.index = BytesWriter()
        self.kind = Strings()
        self.heading_path = Lists()
        self.heading_level = BytesWriter()
        self.has_anchor = BytesWriter()
        self.anchor = Strings()
        self.start_line = BytesWriter()
        self.end_line = BytesWriter()
        self.start = BytesWriter()
        self.end = BytesWriter()
        self.part = BytesWriter()
        self.parts = BytesWriter()
        self.chars = BytesWriter()
        self.tokens = BytesWriter()
        self.prefix_chars = BytesWriter()
        self.suffix_chars = BytesWriter()
        self.text = Strings()
        self.has_headings = BytesWriter()
        self.headings = Lists()

    def buffers(self) -> dict[str, list[bytes]]:
        """Arrow's buffers of each column that differs between rows, without those for nulls.

        `has_anchor` and `has_headings` have a byte for each row, 0 where there is none; `parents`
        has the numbers that `add` was given.
        """
        return {
            "parents": [self.parents.getvalue()],
            "id": self.id.buffers(),
            "chunk_id": _hex_column(self.chunk_ids),
            "doc_id": _hex_column(self.doc_ids),
            "text_sha": _hex_column(self.text_shas),
            "source": self.source.buffers(),
            "index": [self.index.getvalue()],
            "kind": self.kind.buffers(),
            "heading_path": self.heading_path.buffers(),
            "heading_level": [self.heading_level.getvalue()],
            "has_anchor": [self.has_anchor.getvalue()],
            "anchor": self.anchor.buffers(),
            "start_line": [self.start_line.getvalue()],
            "end_line": [self.end_line.getvalue()],
            "start": [self.start.getvalue()],
            "end": [self.end.getvalue()],
            "part": [self.part.getvalue()],
            "parts": [self.parts.getvalue()],
            "chars": [self.chars.getvalue()],
            "tokens": [self.tokens.getvalue()],
            "prefix_chars": [self.prefix_chars.getvalue()],
            "suffix_chars": [self.suffix_chars.getvalue()],
            "text": self.text.buffers(),
            "has_headings": [self.has_headings.getvalue()],
            "headings": self.headings.buffers(),
        }


@final
class Columns:
    """Makes the rows of documents: those that `rows.chunk_rows` makes, as columns."""

    def __init__(self, options: ChunkOptions, counter: Counter | None, most: int) -> None:
        """A batch ends before the row that would bring its strings over `most` bytes."""
        self.options = options
        self.as_mdx = replace(options, mdx=True) if options.mdx is None else options
        self.counter = counter
        self.most: i64 = min(most, BATCH_LIMIT)
        self.batch = Batch()
        self.full: list[Batch] = []

    def take(self, rest: bool) -> list[Batch]:
        """The batches that are full, and with `rest` the one that is not; they start anew."""
        done = self.full
        self.full = []
        if rest:
            done.append(self.batch)
            self.batch = Batch()
        return done

    def add(self, text: str, source: str, parent: i64) -> None:
        """The rows of one document; LimitExceeded where a single one has too many bytes.

        `text` and `source` hold no lone surrogates. `parent` is kept with each row.
        """
        options = self.as_mdx if is_mdx(source) else self.options
        found = pieces(text, options, self.counter)
        if not found:
            return
        offsets: list[int] = []
        if options.unit != "code_point" and not text.isascii():
            for piece in found:
                offsets.append(piece.start)
                offsets.append(piece.end)
            offsets = to_unit(text, offsets, options.unit)
        # Of ASCII, bytes are sliced faster than text is sliced and encoded.
        data = text.encode() if text.isascii() else b""
        is_ascii = len(data) == len(text)
        ids = Ids(source)
        encoded_source = source.encode()
        doc_id = bytes.fromhex(document_id(source))
        batch = self.batch
        counter = self.counter
        path = found[0].path
        titles = [title.encode() for title in path]
        path_size = _size(titles)
        for index, piece in enumerate(found, 1):
            start = piece.start
            end = piece.end
            prefix = piece.prefix
            suffix = piece.suffix
            part = ""
            chars = end - start
            if is_ascii:
                encoded = data[start:end]
            else:
                part = text[start:end]
                encoded = part.encode()
            if prefix or suffix:
                encoded = prefix.encode() + encoded + suffix.encode()
                chars += len(prefix) + len(suffix)
            if piece.path is not path:
                path = piece.path
                titles = [title.encode() for title in path]
                path_size = _size(titles)
            section = piece.section
            anchor = section.anchor
            encoded_anchor = anchor.encode() if anchor is not None else b""
            headings = _NONE
            joined = piece.joined
            if joined is not None:
                headings = [one.path[-1].encode() for one in joined]
            encoded_id = f"{source}#{index}".encode()
            size: i64 = len(encoded) + path_size + _size(headings) + len(encoded_anchor)
            size += len(encoded_source) + len(encoded_id) + 4 * ID_DIGITS
            if batch.size + size > self.most:
                if size > BATCH_LIMIT:
                    raise LimitExceeded(
                        "max_batch_bytes", BATCH_LIMIT, size, f"the strings of {source}#{index}"
                    )
                if batch.rows > 0:
                    self.full.append(batch)
                    batch = Batch()
                    self.batch = batch
            batch.size += size
            batch.rows += 1

            write_i64_le(batch.parents, parent)
            batch.id.add(encoded_id)
            ids.take(encoded, path)
            batch.chunk_ids.append(ids.chunk_id)
            batch.doc_ids.append(doc_id)
            batch.text_shas.append(ids.text_sha)
            batch.source.add(encoded_source)
            write_i32_le(batch.index, i32(index))
            batch.kind.add(_KINDS[section.kind])
            batch.heading_path.add(titles)
            write_i32_le(batch.heading_level, i32(section.level))
            batch.has_anchor.append(1 if anchor is not None else 0)
            batch.anchor.add(encoded_anchor)
            write_i32_le(batch.start_line, i32(piece.start_line))
            write_i32_le(batch.end_line, i32(piece.end_line))
            if offsets:
                start = offsets[2 * index - 2]
                end = offsets[2 * index - 1]
            write_i64_le(batch.start, start)
            write_i64_le(batch.end, end)
            write_i32_le(batch.part, i32(piece.part))
            write_i32_le(batch.parts, i32(piece.parts))
            write_i32_le(batch.chars, i32(chars))
            tokens: i64 = piece.tokens
            if counter is None:
                tokens = (len(encoded) + BYTES_PER_TOKEN - 1) // BYTES_PER_TOKEN
            elif tokens < 0:
                tokens = counter.count(encoded.decode())
            write_i32_le(batch.tokens, i32(tokens))
            write_i32_le(batch.prefix_chars, i32(len(prefix)))
            write_i32_le(batch.suffix_chars, i32(len(suffix)))
            batch.text.add(encoded)
            batch.has_headings.append(1 if joined is not None else 0)
            batch.headings.add(headings)


def _size(strings: list[bytes]) -> i64:
    """Bytes of them all, and of their offsets."""
    size: i64 = 0
    for one in strings:
        size += len(one) + 4
    return size
