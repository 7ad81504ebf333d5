"""Counting tokens: against tiktoken and the tokenizers library, and what goes wrong by name."""

import hashlib
import json
import multiprocessing
import pickle
import random
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from spanwise import tokens
from spanwise.errors import InvalidInput
from spanwise.tokens import ENCODINGS, Tokenizer, estimate, load_tokenizer
from tests.shared_data import PACKAGE, markdown_files, needs_data
from tests.tiktoken_reference import tiktoken_count

ROOT = Path(__file__).parents[1]
MISSING = "needs the extra: pip install 'spanwise[tokens]'"
splintr = pytest.importorskip("splintr", reason=MISSING)
tokenizers = pytest.importorskip("tokenizers", reason=MISSING)

ODD = [
    "",
    "\0",
    "a\0b",
    "".join(map(chr, range(0x20))) + "\x7f\x80\x85\xa0\xad",
    "\r\n\r\n \r\r\n\t\n",
    "one\r\ntwo\r\n\r\nthree\r",
    " " * 3000,
    "\n" * 3000,
    "\t \n" * 500,
    "a" * 5000,
    "é" * 2000,
    "=" * 3000,
    "1234567890" * 300,
    "👩‍👩‍👧‍👦🏳️‍🌈🇩🇪👍🏽" * 50,
    "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𐍈 𓀀 \U0010ffff",
    "日本語のテキスト、中文文本。한국어 텍스트",
    "नमस्ते ไทย עברית العربية ελληνικά кириллица",
    "e\u0301\u0301\u0301 \u200b\u200d\ufeff\u2028\u2029",
    "don't DON'T we'LL I'M they'Re x's 's'S",
    "<|endoftext|>",
    "before<|endoftext|>after<|fim_prefix|><|im_start|>user<|im_end|><|endofprompt|><|think|>",
    "https://example.org/a/b?c=d#e//f\n/\n//\n",
]

LONG_S = "'\u017f"
"""The one known difference: see `test_a_contraction_with_a_long_s`."""


@pytest.fixture(scope="module", params=ENCODINGS)
def encoding(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture(scope="module")
def reference(encoding: str, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], int]:
    pytest.importorskip("tiktoken", reason="needs tiktoken: pip install 'spanwise[oracles]'")
    return tiktoken_count(encoding, tmp_path_factory.mktemp("ranks"))


@pytest.mark.parametrize("text", ODD, ids=lambda text: ascii(text[:20]))
def test_odd_texts_count_as_tiktoken_counts_them(
    encoding: str, reference: Callable[[str], int], text: str
) -> None:
    assert load_tokenizer(encoding).count(text) == reference(text)


def test_every_special_token_counts_as_text(encoding: str, reference: Callable[[str], int]) -> None:
    count = load_tokenizer(encoding).count
    for special in splintr.Tokenizer.from_pretrained(encoding).special_tokens():
        for text in (special, f"a{special}b", f"{special}{special}\n"):
            assert count(text) == reference(text) > 1


def test_every_character_of_two_planes(encoding: str, reference: Callable[[str], int]) -> None:
    count = load_tokenizer(encoding).count
    characters = [chr(c) for c in range(0x20000) if not 0xD800 <= c < 0xE000]
    random.Random(4).shuffle(characters)
    for start in range(0, len(characters), 7):
        text = "a " + "'s ".join(characters[start : start + 7]) + "1"
        assert count(text) == reference(text), ascii(text)


SNIPPETS = [*"aAsS'1 \n\r\t/!", "\r\n", "'s", "'LL", "\u017f", "'\u017f", "ß", "ǅ", "İ", "中", "가"]
SNIPPETS += ["e\u0301", "\u0301", "\u3000", "\x85", "\u200d", "👩‍👧", "<|endoftext|>", "\0", "।"]


@settings(max_examples=500, deadline=None)
@given(data=st.data())
def test_any_text(encoding: str, reference: Callable[[str], int], data: st.DataObject) -> None:
    text = data.draw(
        st.one_of(st.text(), st.lists(st.sampled_from(SNIPPETS), max_size=60).map("".join))
    )
    assume(encoding == "cl100k_base" or LONG_S not in text)
    assert load_tokenizer(encoding).count(text) == reference(text)


@pytest.mark.parametrize("text", ["K'\u017f'MLL", "A'\u017f'M'MSA", "1'\u017f'LL", "don'\u017f t"])
def test_a_contraction_with_a_long_s(
    encoding: str, reference: Callable[[str], int], text: str
) -> None:
    """o200k_base matches contractions without regard to case, and U+017F is a case of "s".

    The scanner does not take it for one, which moves the next boundary when another contraction
    follows at once. No text is known to contain that.
    """
    counted = load_tokenizer(encoding).count(text)
    assert abs(counted - reference(text)) <= (1 if encoding == "o200k_base" else 0)


@needs_data
def test_real_documents(encoding: str, reference: Callable[[str], int]) -> None:
    count = load_tokenizer(encoding).count
    texts = [record["text"] for record in markdown_files("docs", "nasty") if "text" in record]
    assert len(texts) > 1000
    for text in texts[::3]:
        assert count(text) == reference(text)


def test_lone_surrogates_count_as_the_replacement_character(encoding: str) -> None:
    count = load_tokenizer(encoding).count
    assert count("a\ud800b") == count("a\ufffdb")
    assert count("\ud83d\ude00") == count("\U0001f600")


@pytest.mark.parametrize("unit", ["a", " ", "\n", "👩‍👩‍👧", "a'\u017f ", "中"], ids=ascii)
def test_counting_is_linear(encoding: str, unit: str) -> None:
    assert_linear(load_tokenizer(encoding), unit, 60_000 // len(unit))


def assert_linear(tokenizer: Tokenizer, unit: str, times: int) -> None:
    def seconds(text: str) -> float:
        took = []
        for _ in range(3):
            start = time.process_time()
            tokenizer.count(text)
            took.append(time.process_time() - start)
        return min(took)

    # Twice twice the text: 4 times the work if linear, 16 if quadratic.
    one, two, four = (seconds(unit * times * n) for n in (1, 2, 4))
    assert four < 10 * max(one, 0.001), (one, two, four)


def test_an_encoding_is_loaded_once(encoding: str) -> None:
    assert load_tokenizer(encoding) is load_tokenizer(encoding)
    assert load_tokenizer(encoding).name == encoding


# --- tokenizer.json files ---------------------------------------------------------------------

PROSE = [
    "# Installing\n\nRun `pip install spanwise` and then *read* the guide.\n",
    "A span is half-open; offsets count code points. Übergrößen, naïve façade, 東京, Привет!\n",
    "| a | b |\n|---|---|\n| 1 | 2 |\n\n```python\nprint('hello', end='')\n```\n",
]


def byte_level() -> Any:
    model = tokenizers.Tokenizer(tokenizers.models.BPE())
    model.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=400,
        special_tokens=["<|endoftext|>"],
        initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    model.train_from_iterator(PROSE * 3, trainer)
    return model


def word_piece() -> Any:
    model = tokenizers.Tokenizer(tokenizers.models.WordPiece(unk_token="[UNK]"))
    model.normalizer = tokenizers.normalizers.BertNormalizer()
    model.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    special = ["[UNK]", "[CLS]", "[SEP]", "[MASK]", "[PAD]"]
    trainer = tokenizers.trainers.WordPieceTrainer(
        vocab_size=300, special_tokens=special, show_progress=False
    )
    model.train_from_iterator(PROSE * 3, trainer)
    model.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    return model


MODELS = {"byte-level BPE": byte_level, "WordPiece": word_piece}


@pytest.fixture(params=MODELS)
def model(request: pytest.FixtureRequest) -> Any:
    return MODELS[request.param]()


def saved(model: Any, folder: Path, name: str = "tokenizer.json") -> str:
    path = folder / name
    model.save(str(path))
    return str(path)


def test_a_file_counts_as_the_library_counts(model: Any, tmp_path: Path) -> None:
    tokenizer = load_tokenizer(saved(model, tmp_path))
    model.encode_special_tokens = True
    for text in ODD + PROSE:
        assert tokenizer.count(text) == len(model.encode(text, add_special_tokens=False).ids)


def test_nothing_is_added_cut_off_or_filled_up(model: Any, tmp_path: Path) -> None:
    plain = load_tokenizer(saved(model, tmp_path, "plain.json"))
    model.enable_truncation(max_length=5)
    model.enable_padding(length=64)
    configured = load_tokenizer(saved(model, tmp_path, "configured.json"))
    for text in PROSE:
        assert configured.count(text) == plain.count(text) > 5
    assert configured.count("") == 0


def test_special_tokens_of_a_file_count_as_text(model: Any, tmp_path: Path) -> None:
    tokenizer = load_tokenizer(saved(model, tmp_path))
    for special in ("<|endoftext|>", "[SEP]", "[MASK]"):
        assert tokenizer.count(special) > 1


def test_a_file_with_dropout_counts_the_same_every_time(tmp_path: Path) -> None:
    model = byte_level()
    sure = load_tokenizer(saved(model, tmp_path, "sure.json"))
    model.model.dropout = 0.5
    shaky = load_tokenizer(saved(model, tmp_path, "shaky.json"))
    text = "".join(PROSE)
    assert {shaky.count(text) for _ in range(20)} == {sure.count(text)}


def test_lone_surrogates_in_a_file_tokenizer(model: Any, tmp_path: Path) -> None:
    tokenizer = load_tokenizer(saved(model, tmp_path))
    assert tokenizer.count("a\ud800b") == tokenizer.count("a\ufffdb")


@pytest.mark.parametrize("unit", ["a", " ", "👩‍👩‍👧"], ids=ascii)
def test_a_file_tokenizer_is_linear(model: Any, unit: str, tmp_path: Path) -> None:
    assert_linear(load_tokenizer(saved(model, tmp_path)), unit, 20_000 // len(unit))


def test_the_name_of_a_file_tokenizer_is_its_content(model: Any, tmp_path: Path) -> None:
    path = saved(model, tmp_path)
    digest = hashlib.sha256(Path(path).read_bytes()).hexdigest()
    (tmp_path / "elsewhere").mkdir()
    copy = saved(model, tmp_path / "elsewhere")
    assert load_tokenizer(path).name == load_tokenizer(copy).name == f"tokenizer.json@{digest[:12]}"


# --- workers and threads ----------------------------------------------------------------------


def counts_of(tokenizer: Tokenizer, texts: list[str]) -> list[int]:
    return [tokenizer.count(text) for text in texts]


def test_tokenizers_travel_to_spawned_workers(tmp_path: Path) -> None:
    spawn = multiprocessing.get_context("spawn")
    loaded = [load_tokenizer(name) for name in (*ENCODINGS, saved(word_piece(), tmp_path))]
    with ProcessPoolExecutor(1, mp_context=spawn) as pool:
        for tokenizer in loaded:
            there = pool.submit(counts_of, tokenizer, PROSE).result()
            assert there == counts_of(tokenizer, PROSE)


def test_a_file_changed_under_a_worker_is_an_error(tmp_path: Path) -> None:
    pickled = pickle.dumps(load_tokenizer(saved(word_piece(), tmp_path)))
    assert pickle.loads(pickled).count("a span") > 0
    saved(byte_level(), tmp_path)
    with pytest.raises(InvalidInput, match="changed while in use"):
        pickle.loads(pickled)


@pytest.mark.parametrize("name", [*ENCODINGS, *MODELS])
def test_threads_share_a_tokenizer(name: str, tmp_path: Path) -> None:
    source = saved(MODELS[name](), tmp_path) if name in MODELS else name
    tokenizer = load_tokenizer(source)
    texts = [text * n for text in ODD + PROSE for n in (1, 2, 3)]
    alone = counts_of(tokenizer, texts)
    with ThreadPoolExecutor(8) as pool:
        for together in pool.map(lambda _: counts_of(tokenizer, texts), range(8)):
            assert together == alone


def test_no_network(tmp_path: Path) -> None:
    script = """
import socket, sys

def refused(*args, **named):
    raise AssertionError("the network was asked for")

socket.socket = socket.create_connection = socket.getaddrinfo = refused
from spanwise.tokens import load_tokenizer
for source in sys.argv[1:]:
    print(load_tokenizer(source).count("Nothing is fetched. <|endoftext|>"))
"""
    sources = [*ENCODINGS, saved(byte_level(), tmp_path)]
    ran = subprocess.run(
        [sys.executable, "-c", script, *sources],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": PACKAGE, "HOME": str(tmp_path), "TMPDIR": str(tmp_path)},
    )
    expected = [
        load_tokenizer(source).count("Nothing is fetched. <|endoftext|>") for source in sources
    ]
    assert [int(line) for line in ran.stdout.split()] == expected
    assert [path.name for path in tmp_path.iterdir()] == ["tokenizer.json"]


def test_nothing_heavy_is_imported_before_a_tokenizer_is_loaded() -> None:
    script = "import sys, spanwise.tokens; print({'splintr', 'tokenizers'} & set(sys.modules))"
    ran = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": PACKAGE},
    )
    assert ran.stdout.strip() == "set()"


# --- errors -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["gpt-5", "", "no/such/tokenizer.json", "cl100k", "a\0b"])
def test_an_unknown_name_lists_the_names(name: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        load_tokenizer(name)
    for known in ENCODINGS:
        assert known in caught.value.message
    assert "no such file" in caught.value.message
    assert caught.value.details["tokenizer"] == name


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\xff\xfe{}", "not UTF-8 at byte 0"),
        (b"", "not JSON"),
        (b"cl100k_base", "not JSON"),
        (b'{"model": ', "not JSON"),
        (b"[]", "JSON, but not a Hugging Face tokenizer"),
        (b"{}", "JSON, but not a Hugging Face tokenizer"),
        (b'{"version": "1.0", "model": {"type": "BPE"}}', "JSON, but not a Hugging Face tokenizer"),
        (json.dumps({"model": {"type": "Magic"}}).encode(), "JSON, but not a Hugging Face"),
    ],
    ids=ascii,
)
def test_a_file_that_is_no_tokenizer(content: bytes, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    with pytest.raises(InvalidInput) as caught:
        load_tokenizer(str(path))
    assert str(path) in caught.value.message
    assert reason in caught.value.message


def test_a_folder_is_not_a_file(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="cannot be read"):
        load_tokenizer(str(tmp_path))


def test_the_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = saved(word_piece(), tmp_path)
    tokens._encoding.cache_clear()
    for package in ("splintr", "tokenizers"):
        monkeypatch.setitem(sys.modules, package, None)
    for source in (*ENCODINGS, path):
        with pytest.raises(InvalidInput, match=r"pip install 'spanwise\[tokens\]'"):
            load_tokenizer(source)


def test_text_must_be_text(encoding: str) -> None:
    with pytest.raises((TypeError, AttributeError)):
        load_tokenizer(encoding).count(b"bytes")  # type: ignore[arg-type]


# --- the estimate -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("é" * 4, 2), ("日本", 2), ("\ud800a", 1)],
)
def test_the_estimate_is_a_quarter_of_the_bytes_rounded_up(text: str, expected: int) -> None:
    assert estimate(text) == expected
