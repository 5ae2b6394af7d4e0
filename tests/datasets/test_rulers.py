"""Lengths along a document, against full tokenisation and plain splitting."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from itertools import accumulate, pairwise
from pathlib import Path

import pytest
import tokenizers
from how_many import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import models, normalizers, trainers

from seqniah_datasets import tokens
from seqniah_datasets.corpora import corpus, procedural
from seqniah_datasets.corpora.haystacks import DocumentRef
from seqniah_datasets.errors import CorpusError
from seqniah_datasets.rulers import CharacterRuler, Sky, TokenRuler, WordRuler
from seqniah_datasets.segment import segment

FRAGMENTS = [
    *("The mill of the town stood by the water. ", "It was old", ", and it was loud! ", "\n\n"),
    *(
        "镇上的磨坊在河边。",
        "它很旧，也很吵。",
        "磨坊",
        "\u3000",
        "Größe ½ café. ",
        "It's 12,345.67 ",
    ),
    *(
        "\U0001f600\U0001f468\u200d\U0001f469",
        "é\u0301\u0323",
        "?!",
        "...",
        "……",
        " \t ",
        "\n",
        "x",
    ),
    *("\U00020000\U00020001", "これは日本語です。", "aaaaaaaaaaaaaaaaaaaaaaaa", "“Why?” he said. "),
]

NO_ENDS = {
    "en": "the mill of the town stood by the water and it was old and loud " * 60,
    "zh": "镇上的磨坊在河边它很旧也很吵" * 60,
    "emoji": "\U0001f600\U0001f468\u200d\U0001f469\u200d\U0001f467" * 90,
    "run": "a" * 900 + "的" * 300,
}


def _sky(folder: Path, text: str, encoding: str = "cl100k_base") -> Sky:
    """The sky of a text that stands between two others in its shard."""
    rows = ["The first one. It is short.\n", text, "最后一篇。"]
    lines = [json.dumps({"text": row}, ensure_ascii=False) for row in rows]
    (folder / "a.jsonl").write_text("\n".join(lines), "utf-8")
    return Sky(corpus(str(folder / "a.jsonl"), encoding, folder / "cache"), DocumentRef("00000", 1))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("rulers")


def _borders(text: str) -> list[int]:
    """Where characters begin, in bytes, and the end."""
    return [len(text[:cut].encode()) for cut in range(len(text) + 1)]


def _check_tokens(sky: Sky, encoding: str) -> None:
    """Every cut and every size against one tokenisation of the whole text."""
    counter = tokens.tokenizer(encoding)
    assert isinstance(counter, tokens.BytePairTokenizer)
    engine, text = counter._engine, bytes(sky.text).decode()
    parts = engine.decode_tokens_bytes(engine.encode_ordinary(text))
    ends = list(accumulate(map(len, parts)))
    borders, ruler = _borders(text), TokenRuler(sky)
    assert sky.tokens == len(ends) == counter.count(text)
    assert [ruler.size(at) for at in borders] == [bisect_right(ends, at) for at in borders]
    cuts = [ruler.cut(size) for size in range(sky.tokens + 1)]
    assert cuts == [max(at for at in borders if at <= end) for end in [0, *ends]]
    assert cuts == sorted(cuts)


@settings(max_examples=examples(25), deadline=None)
@given(
    st.lists(st.sampled_from(FRAGMENTS), min_size=1, max_size=30),
    st.sampled_from(list(tokens.ENCODINGS)),
)
def test_tokens_are_those_of_the_whole_text(
    folder: Path, fragments: list[str], encoding: str
) -> None:
    _check_tokens(_sky(folder, "".join(fragments), encoding), encoding)


@pytest.mark.parametrize("encoding", list(tokens.ENCODINGS))
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_tokens_of_prose_are_those_of_the_whole_text(
    folder: Path, lang: str, encoding: str
) -> None:
    text = procedural.write("zh" if lang == "zh" else "en", 3_000, 77)[:900]
    _check_tokens(_sky(folder, text, encoding), encoding)


@pytest.mark.parametrize("name", list(NO_ENDS))
def test_a_long_line_without_sentence_ends_is_cut_as_exactly(folder: Path, name: str) -> None:
    sky = _sky(folder, NO_ENDS[name])
    assert not sky.ends
    _check_tokens(sky, "cl100k_base")


def test_a_tokenizer_file_that_tells_no_ends_is_cut_near_enough(folder: Path) -> None:
    trained = tokenizers.Tokenizer(models.BPE())
    trained.normalizer = normalizers.Replace(" ", "\u2581")
    trainer = trainers.BpeTrainer(vocab_size=900, show_progress=False)
    text = procedural.write("en", 6_000, 78) + procedural.write("zh", 6_000, 78)
    trained.train_from_iterator([text], trainer)
    trained.save(str(folder / "tokenizer.json"))
    sky = _sky(folder, text, str(folder / "tokenizer.json"))
    ruler, count = TokenRuler(sky), tokens.tokenizer(str(folder / "tokenizer.json")).count
    cuts = [ruler.cut(size) for size in range(0, sky.tokens, 31)]
    assert cuts == sorted(cuts)
    for size, at in zip(range(0, sky.tokens, 31), cuts, strict=True):
        # Decoding fails within a character.
        assert abs(count(bytes(sky.text[:at]).decode()) - size) < 0.02 * sky.tokens


@settings(max_examples=examples(25), deadline=None)
@given(st.lists(st.sampled_from(FRAGMENTS), min_size=1, max_size=30))
def test_characters_are_counted_one_by_one(folder: Path, fragments: list[str]) -> None:
    sky = _sky(folder, "".join(fragments))
    text, ruler = bytes(sky.text).decode(), CharacterRuler(sky)
    borders = _borders(text)
    assert [ruler.cut(size) for size in range(len(text) + 1)] == borders
    assert [ruler.size(at) for at in borders] == list(range(len(text) + 1))


@settings(max_examples=examples(25), deadline=None)
@given(st.lists(st.sampled_from([one for one in FRAGMENTS if "\u3000" not in one]), max_size=30))
def test_words_are_what_splitting_gives(folder: Path, fragments: list[str]) -> None:
    sky = _sky(folder, "The start" + "".join(fragments))
    text, ruler = bytes(sky.text).decode(), WordRuler(sky)
    words = text.split()
    for number in range(len(words) + 1):
        before = bytes(sky.text[: ruler.cut(number)]).decode()
        assert before.split() == words[:number]
        assert before == before.rstrip()
        assert ruler.size(ruler.cut(number)) == number


@pytest.mark.parametrize(
    ("ruler", "unit", "has"),
    [(TokenRuler, "tokens", "4"), (CharacterRuler, "characters", "16"), (WordRuler, "words", "4")],
)
def test_a_sky_that_is_too_short_is_named_with_what_it_has(
    folder: Path, ruler: type[TokenRuler | CharacterRuler | WordRuler], unit: str, has: str
) -> None:
    # Four words, each a token, known from their common vocabularies.
    sky = _sky(folder, "one two six four")
    with pytest.raises(
        CorpusError, match=rf"a\.jsonl has {has} {unit} .*, and 17 are wanted; give a longer corpus"
    ):
        ruler(sky).cut(17)
    assert ruler(sky).cut(int(has)) == len(sky.text)


@settings(max_examples=examples(25), deadline=None)
@given(st.lists(st.sampled_from(FRAGMENTS), min_size=1, max_size=30))
def test_sentence_ends_count_from_the_document_s_start(folder: Path, fragments: list[str]) -> None:
    text = "".join(fragments)
    found = _sky(folder, text)
    assert found.ends == segment(bytes(found.text)).ends.tolist()


_HAN_KANA = "\u3400-\u9fff\u3040-\u30ff"


@settings(max_examples=examples(25), deadline=None)
@given(st.lists(st.sampled_from(FRAGMENTS), min_size=1, max_size=30))
def test_a_place_between_words_is_the_last_one_that_parts_no_letters(
    folder: Path, fragments: list[str]
) -> None:
    sky = _sky(folder, "".join(fragments))
    text = bytes(sky.text).decode()
    letters = rf"[^\W_{_HAN_KANA}]+"
    words = [word.span() for word in re.finditer(rf"{letters}(?:['\u2019]{letters})*", text)]
    inside = {cut for start, end in words for cut in range(start + 1, end)}
    apart = [cut for cut in range(1, len(text) + 1) if cut not in inside]
    borders = _borders(text)
    for cut in range(1, len(text) + 1):
        before = [one for one in apart if one <= cut]
        wanted = [borders[before[-1]]] if before else [0, borders[cut]]
        assert sky.word(borders[cut]) in wanted or borders[cut] - borders[before[-1]] > 100


@pytest.mark.parametrize("word", ["don't", "o\u2019clock"])
def test_a_word_with_an_apostrophe_is_one_word(folder: Path, word: str) -> None:
    sky = _sky(folder, f"They {word} know.")
    borders = _borders(f"They {word}")
    assert {sky.word(at) for at in borders[6:-1]} == {5}
    assert sky.word(borders[-1]) == borders[-1]


def test_steps_over_characters_and_blanks_stay_within_the_document(folder: Path) -> None:
    text = "a\u00e9中\U0001f600 \t b"
    sky = _sky(folder, text)
    borders = _borders(text)
    assert [sky.following(at) for at in borders] == [*borders[1:], borders[-1]]
    for low, high in pairwise(borders):
        assert {sky.whole(at) for at in range(low, high)} == {low}
    blanks = len("a\u00e9中\U0001f600".encode())
    assert sky.past_blanks(blanks) == blanks + 3
    assert sky.past_blanks(len(sky.text)) == len(sky.text)


def test_a_phrase_is_looked_for_before_the_end_only(folder: Path) -> None:
    sky = _sky(folder, "The mill. The little penguin came.")
    assert sky.holds("little penguin", len(sky.text))
    assert not sky.holds("little penguin", 20)
    assert not sky.holds("first one", len(sky.text)), "of the document before"
