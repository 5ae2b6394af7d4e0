"""Short documents joined to one sky: which, in what order, how many, and always the same."""

from __future__ import annotations

import random
import unicodedata
from pathlib import Path

import pytest

from seqniah_datasets import recipes, rendering, spread
from seqniah_datasets.corpora import corpus
from seqniah_datasets.corpora.base import Corpus
from seqniah_datasets.corpora.joined import JoinedCorpus, shared
from seqniah_datasets.errors import CorpusError
from seqniah_datasets.haystack import Frame
from seqniah_datasets.rulers import Sky
from seqniah_datasets.schema import LANGS, Lang, Needle, Origin, QAItem, StarTask
from seqniah_datasets.spread import Placed, Skies, Spread

EN = "The mill of the town stood by the water. It was old, and it was loud: number {}. "
ZH = "镇上的磨坊在河边。它很旧，也很吵，这是第{}座。"
MANY = 12


def _documents(lang: Lang) -> list[str]:
    """Documents of about 1,000 to 1,800 tokens, the longest last."""
    form = EN if lang == "en" else ZH
    return [form.format(number) * (50 + 3 * number) + "\n" for number in range(MANY)]


def _write(folder: Path, names: list[str] | None = None) -> Path:
    """A folder with both languages mixed; `names` tells in which order its files are made."""
    texts = {
        f"{number:02}/{lang}.txt": one
        for lang in LANGS
        for number, one in enumerate(_documents(lang))
    }
    for name in names or list(texts):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(texts[name], "utf-8")
    return folder


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _write(tmp_path_factory.mktemp("short") / "texts")


def _open(folder: Path, encoding: str = "cl100k_base", cache: Path | None = None) -> Corpus:
    return corpus(str(folder), encoding, cache or folder.parent / "cache")


def _text(opened: Corpus, lang: Lang, tokens: int) -> str:
    found, ref = shared(opened, lang, tokens)
    return bytes(Sky(found, ref).text).decode()


@pytest.mark.parametrize("lang", LANGS)
def test_documents_of_a_language_are_joined_in_the_order_of_paths(short: Path, lang: Lang) -> None:
    joined = _text(_open(short), lang, 10_000)
    parts = [one.strip("\n") for one in _documents(lang)]
    many = joined.count("\n\n") + 1
    assert joined == "\n\n".join(parts[:many]) + "\n"
    assert 1 < many < MANY


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("wanted", [3_500, 6_000, 10_000])
def test_no_more_are_joined_than_it_takes(short: Path, lang: Lang, wanted: int) -> None:
    opened = _open(short)
    found, ref = shared(opened, lang, wanted)
    assert isinstance(found, JoinedCorpus)
    sky = Sky(found, ref)
    text = bytes(sky.text).decode()
    assert sky.tokens == opened.tokenizer.count(text) >= wanted
    without_last = text[: text.rindex("\n\n")]
    assert opened.tokenizer.count(without_last) < wanted + MANY


def test_one_long_document_serves_alone(short: Path) -> None:
    opened = _open(short)
    found, ref = shared(opened, "en", 900)
    assert found is opened
    assert bytes(Sky(found, ref).text).decode() in _documents("en")


@pytest.mark.parametrize("lang", LANGS)
def test_all_that_there_is_may_be_too_short(short: Path, lang: Lang) -> None:
    opened = _open(short)
    found, ref = shared(opened, lang, 900_000)
    sky = Sky(found, ref)
    wanted = "\n\n".join(one.strip("\n") for one in _documents(lang)) + "\n"
    assert bytes(sky.text).decode() == wanted
    has = f"{opened.tokenizer.count(wanted):,}"
    with pytest.raises(
        CorpusError, match=rf"{short} has {has} tokens for the sky, and 800,000 are wanted; give"
    ):
        Skies(sky, "tokens", lang).ruler.cut(800_000)


def test_a_language_that_is_not_there_is_named(tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.txt").write_text(EN * 50, "utf-8")
    with pytest.raises(CorpusError, match=r"holds no document in Chinese.*lang=en"):
        shared(_open(tmp_path / "texts"), "zh", 900)


@pytest.mark.parametrize("first", ["cl100k_base", "qwen"])
def test_each_encoding_joins_as_many_as_it_takes(short: Path, tmp_path: Path, first: str) -> None:
    # Chinese has fewer tokens in Qwen's, so that more documents are needed; in either order.
    found = {}
    for encoding in sorted(["cl100k_base", "qwen"], key=lambda one: one != first):
        opened = _open(short, encoding, tmp_path)
        found[encoding] = _text(opened, "zh", 9_000)
        assert opened.tokenizer.count(found[encoding]) >= 9_000
    assert found["qwen"] != found["cl100k_base"]
    # Neither takes the other's place in the cache.
    folders = {JoinedCorpus(_open(short, one, tmp_path)).folder for one in found}
    assert len(folders) == 2
    assert found["qwen"].startswith(found["cl100k_base"].rstrip("\n"))


def test_the_order_of_the_file_system_does_not_matter(short: Path, tmp_path: Path) -> None:
    names = [f"{number:02}/{lang}.txt" for lang in LANGS for number in range(MANY)]
    random.Random(3).shuffle(names)
    other = _write(tmp_path / "again", names)
    for lang in LANGS:
        one, two = _open(short), _open(other)
        assert _text(one, lang, 10_000) == _text(two, lang, 10_000)
        assert one.digest == two.digest


def test_a_changed_document_is_joined_anew(tmp_path: Path) -> None:
    folder = _write(tmp_path / "texts")
    before = _text(_open(folder), "en", 5_000)
    (folder / "00" / "en.txt").write_text(
        "It was the first of all. " + _documents("en")[0], "utf-8"
    )
    after = _text(_open(folder), "en", 5_000)
    assert after.startswith("It was the first of all. ")
    assert not before.startswith("It was the first")


def test_line_ends_accents_blanks_and_empty_documents_come_out_clean(tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    text = EN.format(1) * 20
    (folder / "a.txt").write_bytes(f"\ufeffThe cafe\u0301 of the town.\r\n{text}\r\n\r\n".encode())
    (folder / "b.txt").write_text("", "utf-8")
    (folder / "c.txt").write_text(" \n\t\n \n", "utf-8")
    (folder / "d.txt").write_text(f"\n\n{text}\rThe end of it.\n\n\n", "utf-8", newline="")
    joined = _text(_open(folder), "en", 600)
    assert joined == f"The caf\u00e9 of the town.\n{text}\n\n{text}\nThe end of it.\n"
    assert unicodedata.is_normalized("NFC", joined)


@pytest.mark.parametrize("lang", LANGS)
def test_a_recipe_that_was_written_and_read_renders_the_same_bytes(
    short: Path, tmp_path: Path, lang: Lang
) -> None:
    found, ref = shared(_open(short), lang, 9_000)
    texts = [f"★ number {number} ★." for number in range(8)]
    needles = tuple(Needle(text, str(number), "", None) for number, text in enumerate(texts[::2]))
    qa = QAItem(lang, StarTask.PLAYERS, "x", "?", "", needles, order_required=True)
    placed = [Placed(text, None if row % 2 else row // 2) for row, text in enumerate(texts)]
    wanted = Spread(
        *(
            "one",
            Origin(1, "test", "test"),
            qa,
            placed,
            Frame("", "\n\n?"),
            8_000,
            "none",
            "tokens",
        ),
        StarTask.PLAYERS,
    )
    skies = Skies(Sky(found, ref), "tokens", lang)
    made = spread.recipe(wanted, skies, spread.layout(wanted, skies))
    recipes.write(tmp_path / "out", [recipes.as_json(made)], {})
    (again,) = recipes.read(tmp_path / "out")
    assert again == made
    # Another process opens the corpus anew, and has only the recipe's keys.
    later = JoinedCorpus(_open(short, cache=tmp_path / "later"))
    before = rendering.render(made, found)
    assert rendering.render(again, later) == before
    assert made.tokens == found.tokenizer.count(before.input) == 8_000


def test_unknown_parts_are_refused(short: Path) -> None:
    joined = JoinedCorpus(_open(short))
    for key in ("fr-100", "en-", "en", "zh-1x", "00000"):
        with pytest.raises(CorpusError, match="is it the corpus of the recipe"):
            joined.shard(key)
