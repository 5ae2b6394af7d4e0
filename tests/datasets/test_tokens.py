"""Counts are exact, the files are verified, and cuts add up where a tokenizer says so."""

from __future__ import annotations

import gzip
import hashlib
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate
from pathlib import Path

import numpy as np
import pytest
import sentencepiece
import tiktoken
import tokenizers
from how_many import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import decoders, models, normalizers, pre_tokenizers, trainers

from seqniah_datasets import engines, tokens
from seqniah_datasets.corpora import procedural
from seqniah_datasets.errors import DamagedFile, SeqniahError, UnknownName
from seqniah_datasets.segment import segment

# Widely known values: text, then tokens in cl100k, o200k and Qwen.
KNOWN = [
    ("hello world", (2, 2, 2)),
    ("1234567", (3, 3, 7)),  # digits by threes, but one by one in Qwen
    ("", (0, 0, 0)),
    ("<|endoftext|>", (7, 7, 7)),  # no special token is recognised in plain text
]


@pytest.mark.parametrize(("text", "counts"), KNOWN)
def test_known_counts(text: str, counts: tuple[int, int, int]) -> None:
    found = tuple(tokens.tokenizer(name).count(text) for name in tokens.ENCODINGS)
    assert found == counts


@pytest.mark.parametrize("name", ["cl100k_base", "o200k_base"])
def test_digests_are_those_the_publisher_expects(name: str) -> None:
    # tiktoken's own source names the digest that it checks a download against.
    import inspect

    from tiktoken_ext import openai_public

    assert tokens.ENCODINGS[name].sha256 in inspect.getsource(getattr(openai_public, name))


@pytest.mark.parametrize("name", list(tokens.ENCODINGS))
def test_the_rank_files_are_whole(name: str) -> None:
    place = Path(tokens.__file__).parent / "ranks" / f"{name}.tiktoken.gz"
    raw = gzip.decompress(place.read_bytes())
    assert hashlib.sha256(raw).hexdigest() == tokens.ENCODINGS[name].sha256


def test_a_damaged_rank_file_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ranks").mkdir()
    monkeypatch.setattr(tokens, "files", lambda package: tmp_path)
    for content in (b"no gzip", gzip.compress(b"YQ== 0\n"), gzip.compress(b"x" * 99)[:-9]):
        (tmp_path / "ranks" / "qwen.tiktoken.gz").write_bytes(content)
        with pytest.raises(DamagedFile, match=r"qwen\.tiktoken\.gz.*reinstall seqniah"):
            tokens.BytePairTokenizer("qwen")


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(
        UnknownName, match=r"'gpt-9'.*cl100k_base, o200k_base, qwen.*tokenizer\.json"
    ):
        tokens.tokenizer("gpt-9")


@pytest.mark.parametrize("name", list(tokens.ENCODINGS))
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_prefix_counts_equal_the_counts_of_the_prefixes(name: str, lang: str) -> None:
    counter = tokens.tokenizer(name)
    text = procedural.write("en" if lang == "en" else "zh", 60_000, 901).encode()
    cuts = segment(text).anchors
    counts = counter.prefix_counts(text, cuts)
    assert len(cuts) > 100
    for cut, count in list(zip(cuts.tolist(), counts.tolist(), strict=False))[::17]:
        assert count == counter.count(text[:cut].decode())
    assert counts[-1] == counter.count(text.decode())


def test_prefix_counts_across_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    counter = tokens.tokenizer("cl100k_base")
    text = procedural.write("en", 60_000, 902).encode()
    cuts = segment(text).anchors
    whole = counter.prefix_counts(text, cuts)
    monkeypatch.setattr(tokens, "_BLOCK", 700)
    assert np.array_equal(counter.prefix_counts(text, cuts), whole)


def test_a_cut_inside_a_token_is_marked() -> None:
    counts = tokens.tokenizer("cl100k_base").prefix_counts(b"hello world", np.array([2, 5]))
    assert counts.tolist() == [-1, 1, 2]


def test_a_text_without_cuts_is_counted_whole() -> None:
    counts = tokens.tokenizer("qwen").prefix_counts(b"hello world", np.empty(0, np.int64))
    assert counts.tolist() == [2]


@settings(max_examples=examples(100), deadline=None)
@given(
    st.text(max_size=40),
    st.sampled_from("aZ9中龥"),
    st.sampled_from(".!?。！？…"),
    st.text(max_size=40),
)
def test_cutting_before_a_terminator_changes_no_token(
    left: str, last: str, terminator: str, right: str
) -> None:
    _assert_cut(left + last, terminator + right)


@settings(max_examples=examples(100), deadline=None)
@given(
    st.text(max_size=40),
    st.text("\n\r \t\u3000.!。x/", max_size=4),
    st.sampled_from("aZ9中龥é"),
    st.text(max_size=40),
)
def test_cutting_between_a_line_break_and_a_letter_changes_no_token(
    left: str, blanks: str, first: str, right: str
) -> None:
    assert all(tokens.tokenizer(name).line_cuts for name in tokens.ENCODINGS)
    _assert_cut(f"{left}{blanks}\n", first + right)


def _assert_cut(before: str, after: str) -> None:
    """No token of any encoding runs over the place between them."""
    for name in tokens.ENCODINGS:
        count = tokens.tokenizer(name).count
        assert count(before + after) == count(before) + count(after)


@pytest.fixture(scope="module")
def byte_level(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small tokenizer.json of the kind that most open models have."""
    trained = tokenizers.Tokenizer(models.BPE())
    trained.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trained.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=600, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False
    )
    corpus = [procedural.write("en", 20_000, 903), procedural.write("zh", 20_000, 903)]
    trained.train_from_iterator(corpus, trainer)
    path = tmp_path_factory.mktemp("byte-level") / "tokenizer.json"
    trained.save(str(path))
    return path


@pytest.fixture(scope="module")
def metaspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tokenizer.json whose tokens reach across sentence ends."""
    trained = tokenizers.Tokenizer(models.BPE())
    trained.normalizer = normalizers.Sequence(
        [normalizers.Prepend("\u2581"), normalizers.Replace(" ", "\u2581")]
    )
    trainer = trainers.BpeTrainer(vocab_size=600, show_progress=False)
    trained.train_from_iterator(["It is so. It is so. " * 50], trainer)
    path = tmp_path_factory.mktemp("metaspace") / "tokenizer.json"
    trained.save(str(path))
    return path


@pytest.fixture(scope="module")
def sentence_piece(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("spm")
    (folder / "text.txt").write_text(procedural.write("en", 30_000, 904), "utf-8")
    sentencepiece.SentencePieceTrainer.Train(
        input=str(folder / "text.txt"),
        model_prefix=str(folder / "small"),
        vocab_size=400,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    return folder / "small.model"


def test_a_tokenizer_json_counts_as_its_library_does(byte_level: Path) -> None:
    counter = tokens.tokenizer(str(byte_level))
    text = procedural.write("zh", 9_000, 905)
    engine = tokenizers.Tokenizer.from_file(str(byte_level))
    assert counter.count(text) == len(engine.encode(text, add_special_tokens=False).ids)
    assert counter.exact_cuts


def test_a_folder_that_holds_a_tokenizer_json_will_do(byte_level: Path) -> None:
    assert (
        tokens.tokenizer(str(byte_level.parent)).digest == tokens.tokenizer(str(byte_level)).digest
    )


def test_tokens_across_sentence_ends_are_found_out(metaspace: Path) -> None:
    assert not tokens.tokenizer(str(metaspace)).exact_cuts


def test_sentence_piece_counts_as_its_library_does(sentence_piece: Path) -> None:
    counter = tokens.tokenizer(str(sentence_piece))
    engine = sentencepiece.SentencePieceProcessor(model_file=str(sentence_piece))
    text = procedural.write("en", 5_000, 906)
    assert counter.count(text) == len(engine.encode(text))
    assert not counter.exact_cuts


@pytest.mark.parametrize(
    ("name", "content"),
    [("tokenizer.json", b"{}"), ("tokenizer.json", b"\xff"), ("x.model", b"{}")],
)
def test_an_unusable_file_is_named(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(SeqniahError, match=f"{name} is not a usable"):
        tokens.tokenizer(str(tmp_path / name))


def test_the_engine_is_the_publishers() -> None:
    # Guards against a slip in a transcribed pattern: a text with every kind of piece.
    from tiktoken_ext import openai_public

    counter = tokens.tokenizer("cl100k_base")
    assert isinstance(counter, tokens.BytePairTokenizer)
    raw = tokens._rank_file("cl100k_base", tokens.ENCODINGS["cl100k_base"].sha256)
    ranks = tokens._ranks(raw)
    published = dict.fromkeys(["name"], "cl100k_base")
    original = openai_public.load_tiktoken_bpe
    openai_public.load_tiktoken_bpe = lambda *args, **kwargs: ranks
    try:
        theirs = tiktoken.Encoding(**{**openai_public.cl100k_base(), **published})
    finally:
        openai_public.load_tiktoken_bpe = original
    text = "It's 12345 o'clock!!\r\n\r\n  Größe ½ 中文，“好”。\t x  \n end  "
    assert counter.count(text) == len(theirs.encode_ordinary(text))


@pytest.mark.parametrize("name", list(tokens.ENCODINGS))
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_fast_engine_gives_the_same_tokens(name: str, lang: str) -> None:
    pytest.importorskip("gigatoken", reason="the extra `fast` is not installed")
    counter = tokens.tokenizer(name)
    assert isinstance(counter, tokens.BytePairTokenizer)
    assert counter._encode_long != counter._encode
    text = procedural.write("en" if lang == "en" else "zh", 300_000, 908).encode()
    assert np.array_equal(counter._encode_long(text), counter._encode(text))


@pytest.mark.parametrize("name", list(tokens.ENCODINGS))
def test_many_short_texts_have_the_tokens_of_each(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tokens, "_BLOCK", 2_000)  # then the fast engine, where there is one
    counter = tokens.BytePairTokenizer(name)
    text = procedural.write("en", 20_000, 909) + engines.AWKWARD
    texts = [text[start : start + 137] for start in range(0, len(text), 137)]
    ends = [counter.token_ends(one.encode()) for one in texts]
    reference = [counter._engine.encode_ordinary(one) for one in texts]
    assert counter.counts(texts) == list(map(len, reference))
    assert [one.tolist() for one in ends] == [
        list(accumulate(len(counter._engine.decode_single_token_bytes(id)) for id in one))
        for one in reference
    ]


def test_a_fast_engine_that_differs_is_not_used(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    pytest.importorskip("gigatoken", reason="the extra `fast` is not installed")
    monkeypatch.setitem(engines.SCHEMES, "cl100k_base", "gpt2")
    counter = tokens.BytePairTokenizer("cl100k_base")
    assert counter._encode_long == counter._encode
    assert "differ from tiktoken's" in caplog.text


def test_without_the_fast_engine_the_reference_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines.importlib.util, "find_spec", lambda name: None)
    counter = tokens.BytePairTokenizer("qwen")
    assert counter._encode_long == counter._encode


def test_a_vocabulary_that_joins_words_and_full_stops_is_not_trusted(tmp_path: Path) -> None:
    # Its table of sums looks fine: only words that end in s or e are joined to what follows.
    trained = tokenizers.Tokenizer(
        models.BPE({"s": 0, ".": 1, "s.": 2, " ": 3, "A": 4}, [("s", ".")], unk_token="A")
    )
    trained.save(str(tmp_path / "tokenizer.json"))
    assert not tokens.tokenizer(str(tmp_path / "tokenizer.json")).exact_cuts


def test_special_tokens_of_a_tokenizer_json_are_plain_text(
    byte_level: Path, tmp_path: Path
) -> None:
    engine = tokenizers.Tokenizer.from_file(str(byte_level))
    engine.add_special_tokens(["<|endoftext|>"])
    engine.save(str(tmp_path / "tokenizer.json"))
    assert tokens.tokenizer(str(tmp_path / "tokenizer.json")).count("<|endoftext|>") > 1


@pytest.mark.parametrize("name", ["o200k_base", "qwen"])
def test_a_million_blanks_are_counted_or_refused_in_words(name: str) -> None:
    try:
        assert tokens.tokenizer(name).count(" " * 1_200_000) > 0
    except SeqniahError as error:
        assert "run of blanks" in str(error)


def test_threads_that_ask_at_once_share_one_tokenizer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each opened its own before, and a run of many samples took hundreds of MB for it."""
    opened: list[str] = []

    class Slow(tokens.BytePairTokenizer):
        def __init__(self, name: str) -> None:
            opened.append(name)
            time.sleep(0.05)

    monkeypatch.setattr(tokens, "BytePairTokenizer", Slow)
    tokens._opened.cache_clear()
    try:
        with ThreadPoolExecutor(8) as pool:
            found = set(map(id, pool.map(tokens.tokenizer, ["qwen"] * 8)))
    finally:
        tokens._opened.cache_clear()
    assert opened == ["qwen"] and len(found) == 1
