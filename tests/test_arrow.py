"""The Arrow door: the rows of `chunk_markdown` as columns, from and to whatever speaks Arrow."""

import gc
import importlib.util
import json
import os
import pickle
import subprocess
import sys
import types
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import spanwise
from spanwise.arrow.schema import DOCUMENT_FIELDS, TEXT_FIELDS
from spanwise.errors import InvalidInput, LimitExceeded
from tests.shared_data import PACKAGE, markdown_files, needs_data
from tests.sync_world import spanwise_command, write_documents

pa = pytest.importorskip("pyarrow")

from spanwise.arrow import SCHEMA, BatchChunker, chunk_batch, chunk_stream  # noqa: E402

Row = dict[str, Any]

TEA = "# Tea\n\nHot.\n\n## Green\n\nSteep é.\n"
TEXTS = [TEA, None, "", "no heading", "---\na: 1\n---\n\n# Ω\n\n" + "word " * 700]
NAMES = ["tea.md", "gone.md", "empty.md", "flat.mdx", "long.md"]


def table(texts: Any = TEXTS, names: Any = NAMES, **more: Any) -> Any:
    return pa.table(
        {"text": pa.array(texts, pa.string()), "source": pa.array(names, pa.string())} | more
    )


def rows_of(chunks: Any) -> list[Row]:
    """The rows as `chunk_markdown` gives them: a key that is not there is null in a column."""
    rows: list[Row] = pa.table(chunks).to_pylist()
    for row in rows:
        if row["headings"] is None:
            del row["headings"]
    return rows


def expected(texts: Any = TEXTS, names: Any = NAMES, **options: Any) -> list[Row]:
    return [
        dict(row)
        for text, name in zip(texts, names, strict=True)
        if text is not None
        for row in spanwise.chunk_markdown(text.removeprefix("\ufeff"), source=name, **options)
    ]


class OnlyArray:
    """An object that has nothing but `__arrow_c_array__`."""

    def __init__(self, batch: Any) -> None:
        self.batch = batch

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        return self.batch.__arrow_c_array__(requested_schema)


class OnlyStream:
    """An object that has nothing but `__arrow_c_stream__`."""

    def __init__(self, data: Any) -> None:
        self.data = data

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.data.__arrow_c_stream__(requested_schema)


def test_the_schema_is_that_of_the_row() -> None:
    hints = typing.get_type_hints(written_row(), include_extras=True)
    fields = [*TEXT_FIELDS, *DOCUMENT_FIELDS]
    assert [field.name for field in fields] == list(hints)
    for field in fields:
        hint = hints[field.name]
        optional = typing.get_origin(hint) is typing.NotRequired
        plain = typing.get_args(hint)[0] if optional else hint
        parts = [plain]
        if isinstance(plain, types.UnionType):
            parts = [part for part in typing.get_args(plain) if part is not type(None)]
        assert field.nullable == (optional or plain is not parts[0]), field.name
        assert field.kind in KINDS[kind_of(parts[0])], field.name


def written_row() -> type:
    """`rows.Chunk` as it is written: a compiled module does not keep all of its types."""
    path = Path(PACKAGE, "spanwise", "rows.py")
    spec = importlib.util.spec_from_file_location("written_rows", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    row: type = module.Chunk
    return row


KINDS = {
    "str": ["string"],
    "Literal": ["string"],
    "int": ["int32", "int64"],
    "bool": ["bool"],
    "list[str]": ["strings"],
    "Pages": ["json"],
    "list[dict]": ["json"],
}


def kind_of(hint: Any) -> str:
    if typing.get_origin(hint) is typing.Literal:
        return "Literal"
    if typing.get_origin(hint) is list:
        (inside,) = typing.get_args(hint)
        return f"list[{(typing.get_origin(inside) or inside).__name__}]"
    return str(hint.__name__)


def test_the_arrow_schema_follows_the_list() -> None:
    assert SCHEMA.names == [field.name for field in TEXT_FIELDS]
    assert [field.nullable for field in SCHEMA] == [field.nullable for field in TEXT_FIELDS]
    assert SCHEMA.field("text").type == pa.string()
    assert SCHEMA.field("heading_path").type == pa.list_(pa.string())
    assert SCHEMA.field("start").type == pa.int64()


@needs_data
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"max_chars": 300, "overlap_chars": 60, "prefix_path": True, "unit": "utf16"},
        {"min_chars": 400, "unit": "utf8", "front_matter": "drop", "mdx": True},
    ],
    ids=["plain", "prefixes", "joined"],
)
def test_rows_are_those_of_chunk_markdown(options: Any) -> None:
    """On real documents, hostile ones too: on each fourth, or by `make laws` on all."""
    records = list(markdown_files("docs", "nasty"))
    texts = [record["text"] for record in records if is_utf8(record["text"])]
    assert len(texts) > 2700
    if os.environ.get("SPANWISE_LAWS") != "all":
        texts = texts[::4]
    names = [f"a/{number}.{'mdx' if number % 9 == 0 else 'md'}" for number in range(len(texts))]
    made = chunk_batch(table(texts, names), **options)
    assert rows_of(made) == expected(texts, names, **options)
    assert made.schema == SCHEMA
    pa.table(made).validate(full=True)


def is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def test_exact_tokens() -> None:
    options: Any = {"max_tokens": 60, "tokenizer": "cl100k_base", "overlap_tokens": 9}
    made = rows_of(chunk_batch(table(), **options))
    assert made == expected(**options)
    assert all(row["tokens_exact"] for row in made)


@needs_data
def test_rows_are_those_of_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_documents(Path("docs"))
    assert spanwise_command("chunk", "docs", "-o", "out.jsonl").returncode == 0
    lines = Path("out.jsonl").read_bytes().splitlines()
    paths = sorted(path for path in Path("docs").rglob("*") if path.is_file())
    texts = [path.read_bytes().decode("utf-8-sig") for path in paths]
    assert rows_of(chunk_batch(table(texts, [path.as_posix() for path in paths]))) == [
        json.loads(line) for line in lines
    ]


@pytest.mark.parametrize(
    "kind",
    [
        pa.string(),
        pa.large_string(),
        pa.string_view(),
        pa.dictionary(pa.int8(), pa.string()),
        pa.dictionary(pa.int32(), pa.large_string()),
    ],
    ids=str,
)
def test_kinds_of_strings(kind: Any) -> None:
    given = pa.table(
        {
            "text": pa.array(TEXTS, pa.string()).cast(kind),
            "source": pa.array(NAMES).cast(kind),
            "more": pa.array(NAMES).cast(kind),
        }
    )
    made = chunk_batch(given, carry=["more"])
    assert rows_of(made) == [row | {"more": row["source"]} for row in expected()]
    assert made.schema.field("text").type == pa.string()
    # Views are taken by few.
    assert made.schema.field("more").type == (pa.string() if kind == pa.string_view() else kind)


def test_slices_start_where_they_start() -> None:
    whole = table(TEXTS * 3, [f"{number}{name}" for number in range(3) for name in NAMES])
    part = whole.slice(3, 8)
    names = part.column("source").to_pylist()
    assert rows_of(chunk_batch(part)) == expected(part.column("text").to_pylist(), names)
    (batch,) = whole.to_batches()
    assert rows_of(chunk_batch(batch.slice(4, 1))) == expected(TEXTS[4:], ["0long.md"])


def test_several_batches_are_one() -> None:
    given = pa.concat_tables([table(), table([], []), table([TEA], ["again.md"])])
    made = chunk_batch(given, carry=[])
    assert isinstance(made, pa.RecordBatch)
    assert rows_of(made) == expected([*TEXTS, TEA], [*NAMES, "again.md"])


def test_nothing_in_nothing_out() -> None:
    for given in (
        table([], []),
        table().to_batches()[0].slice(0, 0),
        table([None, ""], ["a", "b"]),
        pa.table({"text": pa.nulls(2), "source": ["a", "b"]}),
        pa.RecordBatchReader.from_batches(table().schema, []),
    ):
        made = chunk_batch(given)
        assert made.num_rows == 0
        assert made.schema == SCHEMA


def test_other_columns_are_carried() -> None:
    given = table(
        lang=pa.array(["en", "de", None, "fr", "en"]),
        tags=pa.array([["a", "b"], [], None, ["c"], [None]]),
        meta=pa.array([{"x": number} for number in range(5)]),
        score=pa.array([1.5, None, 2.5, 3.5, 4.5]),
    )
    names = ["score", "lang", "tags", "meta"]
    made = chunk_batch(given, carry=names)
    assert made.schema.names == [*SCHEMA.names, *names]
    origin = dict(zip(NAMES, given.select(names).to_pylist(), strict=True))
    assert rows_of(made) == [row | origin[row["source"]] for row in expected()]


def test_columns_by_name() -> None:
    given = pa.table({"id": NAMES, "body": TEXTS, "other": [1, 2, 3, 4, 5]})
    assert rows_of(chunk_batch(given, text="body", source="id")) == expected()


@pytest.mark.parametrize(
    ("given", "options", "message"),
    [
        ([1], {}, "batch: list has neither __arrow_c_array__ nor __arrow_c_stream__"),
        (table(), {"text": "body"}, "text: no column called body, among text, source"),
        (table(), {"source": "body"}, "source: no column called body, among text, source"),
        (table(), {"carry": ["body"]}, "carry: no column called body, among text, source"),
        (table(), {"carry": ["text"]}, "carry: chunks have columns of their own called text"),
        (table(), {"carry": "lang"}, "carry: a string, where a list of names belongs"),
        (table(x=[1] * 5), {"carry": ["x", "x"]}, "carry: a column is named twice"),
        (
            pa.table({"text": [1], "source": ["a"]}),
            {},
            "text: the column text is int64, not text",
        ),
        (
            pa.table([["a"], ["b"], ["c"]], names=["text", "text", "source"]),
            {},
            "text: 2 columns called text",
        ),
        (table(["# a", "# b"], ["x", None]), {}, "source: source is null in row 1"),
        (table(), {"max_chars": 5}, "max_chars: 5 is less than 200"),
    ],
)
def test_what_is_wrong_is_told(given: Any, options: Any, message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        chunk_batch(given, **options)
    assert caught.value.message.startswith(message)


def test_bytes_that_are_no_text() -> None:
    offsets = pa.array([0, 2, 5], pa.int32()).buffers()[1]
    broken = pa.Array.from_buffers(pa.string(), 2, [None, offsets, pa.py_buffer(b"# a\xff!")])
    given = pa.table({"text": broken, "source": ["a", "b"]})
    with pytest.raises(InvalidInput, match="text: not UTF-8 in row 1, at byte 1"):
        chunk_batch(given)


def test_batches_are_split_before_the_limit() -> None:
    """2 GiB is what 32-bit offsets reach; here a smaller limit, which rows are split at."""
    chunker = BatchChunker(batch_bytes=1900, carry=["n"])
    made = chunker(table(n=[1, 2, 3, 4, 5]))
    assert isinstance(made, pa.Table)
    batches = made.to_batches()
    assert len(batches) > 2
    assert len({batch.num_rows for batch in batches}) > 1
    number = {name: place for place, name in enumerate(NAMES, 1)}
    assert rows_of(made) == [row | {"n": number[row["source"]]} for row in expected()]
    for batch in batches:
        texts = batch.column("text").to_pylist() + batch.column("id").to_pylist()
        assert len("".join(texts).encode()) <= 1900 or batch.num_rows == 1


def test_a_chunk_beyond_the_limit_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    from spanwise.arrow import columns

    if not str(columns.__file__).endswith(".py"):
        pytest.skip("a constant of a compiled module stays what it is")
    monkeypatch.setattr(columns, "BATCH_LIMIT", 1000)
    with pytest.raises(LimitExceeded, match=r"the strings of long.md#2: \d+ is more than"):
        chunk_batch(table())


def test_carried_values_beyond_the_limit_are_split(monkeypatch: pytest.MonkeyPatch) -> None:
    """pyarrow refuses to repeat values beyond 2 GiB; here it is let refuse earlier."""
    from spanwise.arrow import building

    def refusing(column: Any) -> Any:
        if column.nbytes > 60:
            raise pa.ArrowInvalid("overflow")
        return real(column)

    real = building._one_chunk
    monkeypatch.setattr(building, "_one_chunk", refusing)
    made = chunk_batch(table(more=NAMES), carry=["more"])
    assert made.to_batches()[0].num_rows < len(expected()) == made.num_rows
    assert rows_of(made) == [row | {"more": row["source"]} for row in expected()]


def test_a_stream_is_made_batch_by_batch() -> None:
    asked = []

    def batches() -> Iterator[Any]:
        for number in range(4):
            asked.append(number)
            yield table([TEA], [f"{number}.md"]).to_batches()[0]

    source = pa.RecordBatchReader.from_batches(table().schema, batches())
    stream = chunk_stream(source)
    assert stream.schema == SCHEMA
    # DuckDB asks for a stream to see its schema, and for another one to read.
    assert pa.RecordBatchReader.from_stream(stream).schema == SCHEMA
    assert asked == []
    reader = pa.RecordBatchReader.from_stream(stream)
    first = reader.read_next_batch()
    assert asked == [0]
    rest = pa.Table.from_batches([first, *reader])
    assert rows_of(rest) == expected([TEA] * 4, [f"{number}.md" for number in range(4)])


def test_a_stream_can_be_read_again_where_its_input_can() -> None:
    stream = chunk_stream(table())
    assert rows_of(stream) == rows_of(stream) == expected()


def test_a_stream_splits_big_batches() -> None:
    names = [f"{number}.md" for number in range(600)]
    stream = BatchChunker(batch_bytes=20_000).stream(table([TEA] * 600, names))
    batches = list(stream.reader())
    assert len(batches) > 5
    assert rows_of(pa.Table.from_batches(batches)) == expected([TEA] * 600, names)


def test_errors_come_up_in_a_stream() -> None:
    reader = chunk_stream(table(["# a"], [None])).reader()
    with pytest.raises(InvalidInput, match="source is null in row 0"):
        reader.read_next_batch()


@pytest.mark.parametrize("kind", [OnlyArray, OnlyStream])
def test_capsules_are_enough(kind: Any) -> None:
    (batch,) = table().to_batches()
    assert rows_of(chunk_batch(kind(batch))) == expected()
    assert rows_of(chunk_stream(kind(batch))) == expected()


def test_buffers_outlive_what_they_were_made_of() -> None:
    made = chunk_batch(table())
    text = made.column("text")
    del made
    gc.collect()
    assert text.to_pylist() == [row["text"] for row in expected()]


def test_a_chunker_can_be_sent() -> None:
    options: Any = {"max_tokens": 60, "tokenizer": "cl100k_base"}
    sent = pickle.loads(pickle.dumps(BatchChunker(**options)))
    assert rows_of(sent(table())) == expected(**options)


@pytest.mark.parametrize(
    "name", ["polars", "duckdb", "arro3.core", "nanoarrow"], ids=lambda name: name
)
def test_others_give_and_take(name: str) -> None:
    """What they export is chunked, and what comes out is read by them, both whole and streamed."""
    module = pytest.importorskip(name)
    if name == "polars":
        given = module.DataFrame({"text": TEXTS, "source": NAMES})
        take = module.DataFrame
    elif name == "duckdb":
        con = module.connect()
        con.execute("CREATE TABLE docs (text VARCHAR, source VARCHAR)")
        con.executemany("INSERT INTO docs VALUES (?, ?)", list(zip(TEXTS, NAMES, strict=True)))
        given = con.table("docs")

        def take(chunks: Any) -> Any:
            return con.sql("SELECT * FROM chunks")
    elif name == "arro3.core":
        given = module.Table.from_arrow(table())
        take = module.Table.from_arrow
    else:
        given = module.c_array_stream(table())
        take = module.c_array_stream
    made = chunk_batch(given)
    assert rows_of(made) == expected()
    assert rows_of(take(made)) == expected()
    assert rows_of(take(chunk_stream(table()))) == expected()


def test_without_the_extra() -> None:
    code = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "import spanwise.arrow as door\n"
        "try:\n    door.chunk_batch\n"
        "except Exception as error: print(type(error).__name__, error.details, error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={"PYTHONPATH": PACKAGE}
    )
    assert done.stdout.startswith(
        "InvalidInput {'extra': 'arrow'} Arrow data needs an extra: pip install 'spanwise[arrow]'"
    ), done.stderr


def test_public_names() -> None:
    import spanwise.arrow

    for name in spanwise.arrow.__all__:
        assert getattr(spanwise.arrow, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'chunks'"):
        spanwise.arrow.chunks  # noqa: B018
