"""Needles in haystacks: exact counts, true sentence ends, untouched text, clear refusals."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import anywhere
import pytest

from seqniah_datasets import haystack, rendering, rng, tokens
from seqniah_datasets.corpora import corpus
from seqniah_datasets.corpora.base import Corpus
from seqniah_datasets.errors import CorpusError
from seqniah_datasets.haystack import Frame, Order
from seqniah_datasets.recipes import as_json, from_json
from seqniah_datasets.schema import (
    LANGS,
    Insertion,
    Lang,
    LengthBin,
    Needle,
    NeedleGroup,
    NeedleOrder,
    Origin,
    QAItem,
    Recipe,
    Wish,
)
from seqniah_datasets.segment import segment
from seqniah_datasets.sources.base import Demand
from seqniah_datasets.sources.synthetic_temporal import SyntheticTemporal

SMALL = LengthBin("2k-4k", 2_000, 4_000)
FRAME = Frame("Text:\n", "\n\nWhat?")
ORIGIN = Origin(0, "open", "test 000000")


def _order(number: int, needle_order: NeedleOrder = "shuffled", length: LengthBin = SMALL) -> Order:
    return Order(f"sample-{number}", ORIGIN, ("test", number), length, needle_order)


def _item(lang: Lang, number: int, needles: int = 6) -> QAItem:
    wishes = (Wish(NeedleGroup("any", needles, needles), needles),) * (number + 1)
    return SyntheticTemporal().supply(Demand(lang, "dev", 0, wishes)).item(number)


@pytest.fixture(scope="module")
def opened(texts: Path, cache: Path) -> Corpus:
    return corpus(str(texts), root=cache)


@pytest.fixture(scope="module")
def recipes(opened: Corpus) -> list[Recipe]:
    return [
        anywhere.build(_item(lang, number, 3 + number % 13), _order(number), FRAME, opened)
        for lang in LANGS
        for number in range(60)
    ]


def test_counts_are_exact_and_in_their_bin(recipes: list[Recipe], opened: Corpus) -> None:
    for recipe in recipes:
        prompt = rendering.prompt_bytes(recipe, opened)
        assert recipe.tokens == tokens.tokenizer().count(prompt.decode())
        assert 2_000 <= recipe.tokens < 4_000
        assert recipe.sha256 == hashlib.sha256(prompt).hexdigest()


def _without_needles(recipe: Recipe, prompt: bytes) -> bytes:
    """The document of a prompt, its needles and their line breaks taken out by their spans."""
    spans = sorted(rendering.spans(recipe), key=lambda span: span.start)
    breaks = {place.needle: len(place.after) for place in recipe.insertions}
    kept, before = b"", len(recipe.before.encode())
    for span in spans:
        assert prompt[span.start - 1 : span.start] == b"\n"
        kept += prompt[before : span.start - 1]
        before = span.end + breaks[span.needle]
    return kept + prompt[before : len(prompt) - len(recipe.after.encode())]


def test_the_haystack_without_needles_is_the_document_window(
    recipes: list[Recipe], opened: Corpus
) -> None:
    for recipe in recipes:
        index = opened.open(recipe.window.shard)
        window = bytes(index.text[recipe.window.start : recipe.window.end])
        assert _without_needles(recipe, rendering.prompt_bytes(recipe, opened)) == window


def test_needles_stand_where_their_spans_say_and_once(
    recipes: list[Recipe], opened: Corpus
) -> None:
    for recipe in recipes:
        prompt = rendering.prompt_bytes(recipe, opened)
        spans = rendering.spans(recipe)
        assert [span.needle for span in spans] == list(range(len(recipe.qa.needles)))
        for span, needle in zip(spans, recipe.qa.needles, strict=True):
            assert prompt[span.start : span.end] == needle.text.encode()
            assert prompt.count(needle.text.encode()) == 1
            assert prompt.count(needle.event.encode()) == 1
            assert 0 < span.depth < 1


def test_needles_stand_at_sentence_ends_of_the_document(
    recipes: list[Recipe], opened: Corpus
) -> None:
    for recipe in recipes:
        index = opened.open(recipe.window.shard)
        window = bytes(index.text[recipe.window.start : recipe.window.end])
        ends = set(segment(window).ends.tolist())
        for place in recipe.insertions:
            assert len(window[: place.at].rstrip(b" \t")) in ends


def test_every_text_between_needles_is_not_empty(recipes: list[Recipe]) -> None:
    for recipe in recipes:
        places = [0, *(place.at for place in recipe.insertions)]
        assert len(set(places)) == len(places)


def test_shuffled_needles_are_out_of_order_and_sorted_ones_in_order(opened: Corpus) -> None:
    shuffled = anywhere.build(_item("en", 1, 9), _order(1), FRAME, opened)
    in_order = anywhere.build(_item("en", 1, 9), _order(1, "sorted"), FRAME, opened)
    numbers = [place.needle for place in in_order.insertions]
    assert numbers == list(range(9))
    assert [place.needle for place in shuffled.insertions] != numbers
    assert [place.at for place in shuffled.insertions] == [
        place.at for place in in_order.insertions
    ]


def test_a_sample_depends_on_its_own_key_alone(opened: Corpus, cache: Path, texts: Path) -> None:
    alone = anywhere.build(_item("zh", 17), _order(17), FRAME, corpus(str(texts), root=cache))
    assert alone == anywhere.build(_item("zh", 17), _order(17), FRAME, opened)
    assert alone.window != anywhere.build(_item("zh", 17), _order(18), FRAME, opened).window


# Each needle begins or ends in a way that a tokenizer may glue to what stands next to it.
ADVERSARIAL = (
    "'s what they said",
    "...",
    "   spaces before and after   ",
    "\n\nline breaks\n\n",
    "12345",
    "。”",
    "\u0301 accent without a letter",
    "emoji \U0001f469\u200d\U0001f469\u200d\U0001f467",
    "\t\ttabs\t",
    "<|endoftext|>",
    "don't'll've",
    "\u3000全角空格\u3000",
    "\r\n",
    "ends in a space ",
    "/// slashes ///",
)


@pytest.mark.parametrize("name", list(tokens.ENCODINGS))
@pytest.mark.parametrize("lang", LANGS)
def test_adversarial_needles_are_counted_exactly(
    texts: Path, cache: Path, name: str, lang: Lang
) -> None:
    opened = corpus(str(texts), name, root=cache)
    counter = tokens.tokenizer(name)
    for number in range(40):
        draws = rng.stream("adversarial", lang, number)
        made = tuple(
            Needle(
                f"{draws.choice(ADVERSARIAL)}{number}-{k}{draws.choice(ADVERSARIAL)}",
                "x",
                f"@{k}@",
                None,
            )
            for k in range(12)
        )
        item = replace(_item(lang, number), needles=made)
        frame = Frame(draws.choice(ADVERSARIAL), draws.choice(ADVERSARIAL))
        recipe = anywhere.build(item, _order(number), frame, opened)
        assert recipe.tokens == counter.count(rendering.prompt_bytes(recipe, opened).decode())


def test_a_tokenizer_without_exact_cuts_counts_the_finished_prompt(
    texts: Path, cache: Path, tmp_path: Path
) -> None:
    import sentencepiece

    (tmp_path / "text.txt").write_text((texts / "en.txt").read_text("utf-8")[:50_000], "utf-8")
    sentencepiece.SentencePieceTrainer.Train(
        input=str(tmp_path / "text.txt"),
        model_prefix=str(tmp_path / "small"),
        vocab_size=500,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    name = str(tmp_path / "small.model")
    opened = corpus(str(texts), name, root=cache)
    for number in range(5):
        recipe = anywhere.build(_item("en", number), _order(number), FRAME, opened)
        assert recipe.tokens == tokens.tokenizer(name).count(rendering.render(recipe, opened).input)
        assert 2_000 <= recipe.tokens < 4_000


def test_the_mean_target_gives_the_published_total() -> None:
    # 220, 610, 610 and 560 samples of the test split; about 97 million tokens in all (F.1).
    counts = {8_000: 220, 16_000: 610, 32_000: 610, 64_000: 560}
    total = 0.0
    for low, count in counts.items():
        length = LengthBin("x", low, 2 * low)
        targets = [haystack.target_tokens(("length", number), length) for number in range(800)]
        assert all(low <= target < 2 * low - 256 for target in targets)
        total += count * sum(targets) / len(targets)
    assert 95e6 < total < 99e6


def _corpus_of(text: str, tmp_path: Path) -> Corpus:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.txt").write_text(text, "utf-8")
    return corpus(str(tmp_path / "texts"), root=tmp_path)


def test_a_haystack_that_names_the_subject_is_refused(tmp_path: Path) -> None:
    item = _item("en", 3)
    text = f"The mill of the town was old. It was seen by {item.subject} in the end. " * 800
    opened = _corpus_of(text, tmp_path)
    with pytest.raises(CorpusError, match=r"sample-3.*40 speak of the question's subject"):
        anywhere.build(item, _order(3), FRAME, opened)


def test_a_haystack_that_holds_an_event_is_refused(tmp_path: Path) -> None:
    item = _item("en", 4)
    text = f"The mill of the town was old. {item.needles[2].event} It was in the end. " * 800
    opened = _corpus_of(text, tmp_path)
    with pytest.raises(CorpusError, match="subject or events"):
        anywhere.build(item, _order(4), FRAME, opened)


def test_another_window_is_taken_when_one_holds_the_subject(tmp_path: Path) -> None:
    item = _item("en", 5)
    clean = "The mill of the town was old, and it stood by the water in the end. " * 1_500
    opened = _corpus_of(f"{clean}{item.subject} was there. {clean}", tmp_path)
    for number in range(20):
        recipe = anywhere.build(item, _order(number), FRAME, opened)
        prompt = rendering.prompt_bytes(recipe, opened)
        assert prompt.count(item.subject.encode()) == len(item.needles)


def test_too_few_sentence_ends_are_refused(tmp_path: Path) -> None:
    opened = _corpus_of(
        "The mill of the town was old and " * 3_000 + "it ended. So it was.", tmp_path
    )
    with pytest.raises(CorpusError, match="too few sentence ends"):
        anywhere.build(_item("en", 6), _order(6), FRAME, opened)


def test_a_recipe_of_another_corpus_is_refused(opened: Corpus, tmp_path: Path) -> None:
    recipe = anywhere.build(_item("en", 7), _order(7), FRAME, opened)
    other = _corpus_of("The mill of the town was old.", tmp_path)
    with pytest.raises(CorpusError, match="is not the one that sample-7 was made of"):
        rendering.prompt_bytes(recipe, other)


def test_a_line_break_follows_a_needle_only_where_the_text_has_none(
    recipes: list[Recipe], opened: Corpus
) -> None:
    seen = set()
    for recipe in recipes:
        prompt = rendering.prompt_bytes(recipe, opened)
        breaks = {place.needle: place.after for place in recipe.insertions}
        for span in rendering.spans(recipe):
            assert prompt[span.end : span.end + 1] == b"\n"
            seen.add(breaks[span.needle])
    assert seen == {"", "\n"}


@pytest.mark.parametrize("opening", ["《", "「", "\u3000\u3000", "（"])
def test_a_window_starts_on_a_whole_character(tmp_path: Path, opening: str) -> None:
    text = f"{opening}镇上的磨坊在河边很旧也很吵。" * 1_500
    opened = _corpus_of(text, tmp_path)
    for number in range(12):
        recipe = anywhere.build(_item("zh", number), _order(number), FRAME, opened)
        document = rendering.render(recipe, opened).input.removeprefix(FRAME.before)
        assert document[0] == (opening if opening.strip() else "镇")


def test_a_document_that_ends_in_blanks_serves(tmp_path: Path) -> None:
    text = "The mill of the town was old, and it stood by the water in the end. " * 900
    opened = _corpus_of(text + 'They left (far "hill").  ', tmp_path)
    for number in range(40):
        recipe = anywhere.build(_item("en", number, 15), _order(number), FRAME, opened)
        assert recipe.tokens == tokens.tokenizer().count(rendering.render(recipe, opened).input)


@pytest.fixture(scope="module")
def inline(opened: Corpus) -> list[Recipe]:
    """Samples whose needles run on in paragraphs, with up to four lures among them."""
    found: list[Recipe] = []
    for lang in LANGS:
        for number in range(30):
            order = replace(_order(number), placement="inline")
            lures = [
                f"Diary of {number}\n\nMay {n}, 2001\nIt {n} rained." for n in range(number % 5)
            ]
            item = _item(lang, number, 3 + number % 5)
            found.append(anywhere.build(item, order, FRAME, opened, lures))
    return found


def test_inline_passages_run_on_in_a_paragraph_of_the_document(
    inline: list[Recipe], opened: Corpus
) -> None:
    for recipe in inline:
        lang = recipe.qa.lang
        prompt = rendering.prompt_bytes(recipe, opened)
        assert recipe.tokens == tokens.tokenizer().count(prompt.decode())
        assert 2_000 <= recipe.tokens < 4_000
        assert len(recipe.strays) == int(recipe.id.rpartition("-")[2]) % 5
        passages = [needle.text for needle in recipe.qa.needles]
        passages += [stray.text for stray in recipe.strays]
        colon = ": " if lang == "en" else "："
        for n, stray in enumerate(recipe.strays):
            assert stray.text.endswith(f"May {n}, 2001{colon}It {n} rained.")
        blank = " " if lang == "en" else ""
        for text in passages:
            assert "\n" not in text
            (before, after) = prompt.decode().split(text)
            assert before[-1] not in "\n" and after[0] != "\n"
            assert before.endswith(blank) and after.startswith(blank)
            assert not before.endswith("  ")
        # Taken out again, with the blanks that join them, the document is as it was.
        window = rendering.window_text(recipe, opened)
        kept = bytes(window).decode()
        text = prompt.decode().removeprefix(FRAME.before).removesuffix(FRAME.after)
        for one in sorted((*recipe.insertions, *recipe.strays), key=lambda one: -one.at):
            own = recipe.qa.needles[one.needle].text if isinstance(one, Insertion) else one.text
            text = text.replace(f"{one.before}{own}{one.after}", "", 1)
        assert text == kept


def test_inline_recipes_survive_their_files_and_spans_find_their_needles(
    inline: list[Recipe], opened: Corpus
) -> None:
    for recipe in inline:
        again = from_json(json.loads(json.dumps(as_json(recipe))))
        assert again == recipe
        prompt = rendering.prompt_bytes(again, opened)
        assert hashlib.sha256(prompt).hexdigest() == recipe.sha256
        for span in rendering.spans(again):
            assert prompt[span.start : span.end] == recipe.qa.needles[span.needle].text.encode()


def test_lures_change_no_needle_and_their_places_vary(opened: Corpus) -> None:
    shares = set()
    for number in range(12):
        lures = ["Nobody of that name was there.", "It was another day."]
        recipe = anywhere.build(_item("en", number), _order(number), FRAME, opened, lures)
        assert [stray.text for stray in recipe.strays] == lures
        assert len(recipe.insertions) == 6
        stands = sorted([*(one.at for one in recipe.insertions), recipe.strays[0].at])
        shares.add(stands.index(recipe.strays[0].at))
    assert len(shares) > 3
