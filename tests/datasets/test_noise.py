"""Variants of the noise suite: what each type changes, what none may touch, exact counts."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import anywhere
import pytest

from seqniah_datasets import haystack, noise, recipes, rendering, rng, tokens
from seqniah_datasets.corpora import corpus
from seqniah_datasets.corpora.base import Corpus
from seqniah_datasets.haystack import Frame, Order
from seqniah_datasets.noise import FAR, VARIANTS, Unfit
from seqniah_datasets.schema import (
    LANGS,
    Insertion,
    Lang,
    LengthBin,
    Lure,
    LureKind,
    Needle,
    NeedleGroup,
    NoiseType,
    Origin,
    Pipeline,
    QAItem,
    Recipe,
    Window,
    Wish,
)
from seqniah_datasets.sources.base import Demand
from seqniah_datasets.sources.synthetic_temporal import SyntheticTemporal
from seqniah_tasks.benchmarks.sequential_niah.bench import SequentialNiah
from seqniah_tasks.benchmarks.sequential_niah.options import read_options

MOVES = (NoiseType.TM, NoiseType.SM, NoiseType.RO)
"""Types that need no lures."""

NUMBERS = (1, 2, 3)


@dataclass(frozen=True)
class Made:
    """A sample with all its variants."""

    corpus: Corpus
    base: Recipe
    bin: LengthBin
    lures: tuple[Lure, ...]
    variants: dict[tuple[NoiseType, int], Recipe]

    @cached_property
    def places(self) -> list[int]:
        return haystack.places(self.base, self.corpus)

    def of(self, kind: NoiseType) -> list[Recipe]:
        return [self.variants[kind, number] for number in NUMBERS]

    def numbers(self, recipe: Recipe) -> list[int]:
        """The needles' places as numbers in the list of all places, in order of position."""
        return [self.places.index(place.at) for place in recipe.insertions]


def _made(bench: SequentialNiah) -> Iterator[Made]:
    for planned in bench.plan:
        slot = planned.slot
        base = bench.recipe(planned)
        lures = bench.supplies[slot.lang, slot.pipeline].lures(slot.serial)
        try:
            found = {
                (kind, number): noise.vary(base, kind, number, lures, bench.corpus)
                for kind in NoiseType
                for number in NUMBERS
            }
        except noise.Unfit:  # the suite takes another sample then
            continue
        yield Made(bench.corpus, base, slot.length, lures, found)


CASES: dict[str, dict[str, object]] = {
    "plain": {"length": "8k-16k,16k-32k", "limit_per_stratum": 2},
    "sorted": {"length": "8k-16k", "limit_per_stratum": 2, "order": "sorted", "seed": 3},
    "folder": {"length": "8k-16k,16k-32k", "limit_per_stratum": 2, "corpus": "texts"},
    "qwen": {"length": "16k-32k", "limit_per_stratum": 2, "tokenizer": "qwen"},
    "long": {"length": "32k-64k,64k-128k", "limit_per_stratum": 1, "tokenizer": "o200k_base"},
    "dev": {"length": "8k-16k", "limit_per_stratum": 2, "split": "dev"},
}
"""Options of the samples that variants are made of."""


@pytest.fixture(scope="module", params=list(CASES))
def made(request: pytest.FixtureRequest, texts: Path, cache: Path) -> list[Made]:
    options = dict(CASES[request.param])
    if "corpus" in options:
        options["corpus"] = str(texts)
    bench = SequentialNiah(read_options(**options), cache)  # type: ignore[arg-type]
    found = list(_made(bench))
    assert len(found) >= 0.8 * len(bench.plan)
    strata = {(one.base.qa.lang, one.base.qa.pipeline) for one in found}
    assert strata == {(lang, pipeline) for lang in LANGS for pipeline in Pipeline}
    return found


def _needles(recipe: Recipe) -> list[int]:
    return [place.needle for place in recipe.insertions]


def _places(recipe: Recipe) -> list[int]:
    return [place.at for place in recipe.insertions]


# What each type changes.


def test_a_tiny_movement_is_by_one_or_two_sentences_and_passes_no_neighbour(
    made: list[Made],
) -> None:
    steps: Counter[int] = Counter()
    for one in made:
        here = one.numbers(one.base)
        for variant in one.of(NoiseType.TM):
            there = one.numbers(variant)
            assert _needles(variant) == _needles(one.base)
            assert there == sorted(set(there))
            steps.update(new - old for new, old in zip(there, here, strict=True))
            assert not variant.strays
    assert set(steps) == {-2, -1, 1, 2}
    # None of the steps is rare: needles with room on both sides take each as often.
    assert min(steps.values()) > 0.15 * steps.total()


def test_a_significant_movement_is_far_and_keeps_the_order(made: list[Made]) -> None:
    moved: Counter[bool] = Counter()
    for one in made:
        least = (one.base.window.end - one.base.window.start) / 20
        for variant in one.of(NoiseType.SM):
            assert _needles(variant) == _needles(one.base)
            assert _places(variant) == sorted(set(_places(variant)))
            assert set(_places(variant)) <= set(one.places)
            for new, old in zip(_places(variant), _places(one.base), strict=True):
                assert abs(new - old) >= least
                moved[new > old] += 1
            assert not variant.strays
    assert min(moved.values()) > 0.25 * moved.total()


def test_a_reorder_keeps_the_places_and_nothing_else_of_the_order(made: list[Made]) -> None:
    for one in made:
        orders = [tuple(_needles(variant)) for variant in one.of(NoiseType.RO)]
        assert len({*orders, tuple(_needles(one.base))}) == VARIANTS + 1
        for variant, order in zip(one.of(NoiseType.RO), orders, strict=True):
            assert _places(variant) == _places(one.base)
            assert sorted(order) == list(range(len(one.base.qa.needles)))
            assert not variant.strays


def test_semantic_noise_adds_one_or_two_lures_of_the_source(made: list[Made]) -> None:
    counts: Counter[int] = Counter()
    for one in made:
        own = [lure.text for lure in one.lures]
        taken = set(_places(one.base))
        used: list[str] = []
        for variant in one.of(NoiseType.SN):
            assert variant.insertions == one.base.insertions
            assert [stray.at for stray in variant.strays] == sorted(
                {stray.at for stray in variant.strays}
            )
            for stray in variant.strays:
                assert stray.text in own
                assert stray.at in one.places and stray.at not in taken
            used += [stray.text for stray in variant.strays]
            counts[len(variant.strays)] += 1
        assert len(set(used)) == len(used)
    assert set(counts) == {1, 2}


def test_lures_stand_in_the_prompt_once_beside_all_needles(made: list[Made]) -> None:
    for one in made:
        before = rendering.prompt_bytes(one.base, one.corpus)
        for variant in one.of(NoiseType.SN):
            prompt = rendering.prompt_bytes(variant, one.corpus)
            for stray in variant.strays:
                assert before.count(stray.text.encode()) == 0
                assert prompt.count(f"\n{stray.text}\n".encode()) == 1
            for needle in one.base.qa.needles:
                for told in (needle.text, needle.event):
                    assert prompt.count(told.encode()) == before.count(told.encode()) <= 1


# What none may touch.


def test_everything_else_is_the_samples_own(made: list[Made]) -> None:
    for one in made:
        for variant in one.variants.values():
            assert variant == replace(
                one.base,
                id=variant.id,
                insertions=variant.insertions,
                strays=variant.strays,
                tokens=variant.tokens,
                sha256=variant.sha256,
            )
            assert variant.qa.reference == one.base.qa.reference
            assert variant.before == one.base.before and variant.after == one.base.after
        assert one.base.strays == ()


def test_ids_tell_base_type_and_variant(made: list[Made]) -> None:
    ids = [one.base.id for one in made]
    for one in made:
        named = {key: variant.id for key, variant in one.variants.items()}
        assert named == {
            (kind, number): f"{one.base.id}-{kind.value}{number}" for kind, number in one.variants
        }
        ids += named.values()
    assert len(set(ids)) == len(ids) == 13 * len(made)


def test_no_two_variants_of_a_sample_are_alike(made: list[Made]) -> None:
    for one in made:
        variants = [one.base, *one.variants.values()]
        assert len({(variant.insertions, variant.strays) for variant in variants}) == 13
        assert len({variant.sha256 for variant in variants}) == 13


def _without_passages(recipe: Recipe, prompt: bytes) -> bytes:
    """The prompt without what was put into it, each passage seen to stand where it should."""
    put = [(one.at, recipe.qa.needles[one.needle].text, one.after) for one in recipe.insertions]
    put += [(stray.at, stray.text, stray.after) for stray in recipe.strays]
    kept, done = b"", 0
    begin = shift = len(recipe.before.encode())
    for at, text, after in sorted(put):
        passage = f"\n{text}{after}".encode()
        assert prompt[at + shift : at + shift + len(passage)] == passage
        kept += prompt[done : at + shift]
        shift += len(passage)
        done = at + shift
    kept += prompt[done:]
    assert len(kept) == len(prompt) - (shift - begin)
    return kept


def test_the_text_between_passages_is_the_originals_byte_for_byte(made: list[Made]) -> None:
    for one in made:
        bare = _without_passages(one.base, rendering.prompt_bytes(one.base, one.corpus))
        index, window = one.corpus.open(one.base.window.shard), one.base.window
        text = bytes(index.text[window.start : window.end])
        assert bare == one.base.before.encode() + text + one.base.after.encode()
        for variant in one.variants.values():
            prompt = rendering.prompt_bytes(variant, one.corpus)
            assert _without_passages(variant, prompt) == bare
            # Each passage has a line of its own.
            for needle in variant.qa.needles:
                assert prompt.count(f"\n{needle.text}\n".encode()) == 1


def test_a_line_break_follows_a_passage_only_where_the_text_has_none(made: list[Made]) -> None:
    seen: Counter[tuple[NoiseType, bool]] = Counter()
    for one in made:
        window = one.base.window
        text = bytes(one.corpus.open(window.shard).text[window.start : window.end])
        for (kind, _), variant in one.variants.items():
            for passage in (*variant.insertions, *variant.strays):
                ends_line = text[passage.at : passage.at + 1] == b"\n"
                assert passage.after == ("" if ends_line else "\n")
                seen[kind, ends_line] += 1
    # Tiny movements leave the ends of paragraphs, at which all else stands.
    assert set(seen) >= {(kind, True) for kind in NoiseType} - {(NoiseType.TM, True)}
    assert seen[NoiseType.TM, False]


# What is counted and noted of them.


def test_tokens_and_digests_are_those_of_the_rendered_prompt(made: list[Made]) -> None:
    for one in made:
        for variant in one.variants.values():
            prompt = rendering.prompt_bytes(variant, one.corpus)
            assert variant.tokens == tokens.tokenizer(variant.tokenizer).count(prompt.decode())
            assert variant.sha256 == hashlib.sha256(prompt).hexdigest()
            assert one.bin.low <= variant.tokens < one.bin.high


def test_spans_say_where_the_needles_stand(made: list[Made]) -> None:
    for one in made:
        size = one.base.window.end - one.base.window.start
        for variant in one.variants.values():
            sample = rendering.render(variant, one.corpus)
            prompt = sample.input.encode()
            assert sample.id == variant.id and sample.tokens == variant.tokens
            at = {place.needle: place.at for place in variant.insertions}
            assert [span.needle for span in sample.spans] == sorted(at)
            for span, needle in zip(sample.spans, variant.qa.needles, strict=True):
                assert prompt[span.start : span.end] == needle.text.encode()
                assert span.depth == at[span.needle] / size


def test_recipes_are_read_back_with_their_strays(made: list[Made]) -> None:
    for one in made:
        assert "strays" not in recipes.as_json(one.base)
        for (kind, _), variant in one.variants.items():
            fields = recipes.as_json(variant)
            assert ("strays" in fields) == (kind is NoiseType.SN)
            again = recipes.from_json(json.loads(json.dumps(fields)))
            assert again == variant
            if kind is NoiseType.SN:
                assert rendering.render(again, one.corpus) == rendering.render(variant, one.corpus)
                assert len(again.strays) == len(variant.strays) > 0


# The same wherever and whenever they are made.


def test_a_variant_depends_on_no_other(made: list[Made]) -> None:
    for one in made[:6]:
        for (kind, number), variant in reversed(one.variants.items()):
            assert noise.vary(one.base, kind, number, one.lures, one.corpus) == variant


SCRIPT = """\
import json
from seqniah_datasets import noise
from seqniah_datasets.schema import NoiseType
from seqniah_tasks.benchmarks.sequential_niah.bench import SequentialNiah
from seqniah_tasks.benchmarks.sequential_niah.options import read_options

bench = SequentialNiah(read_options(length="8k-16k", limit_per_stratum=1))
found = {}
for planned in bench.plan:
    slot = planned.slot
    lures = bench.supplies[slot.lang, slot.pipeline].lures(slot.serial)
    recipe = bench.recipe(planned)
    for kind in reversed(NoiseType):
        for number in (3, 1, 2):
            made = noise.vary(recipe, kind, number, lures, bench.corpus)
            found[made.id] = made.sha256
print(json.dumps(found))
"""


def test_variants_are_the_same_in_another_process(cache: Path, tmp_path: Path) -> None:
    bench = SequentialNiah(read_options(length="8k-16k", limit_per_stratum=1), cache)
    here = {v.id: v.sha256 for one in _made(bench) for v in one.variants.values()}
    assert len(here) == 6 * 12
    for seed, zone in (("1", "Asia/Tokyo"), ("77", "America/Caracas")):
        around = {"PYTHONHASHSEED": seed, "LC_ALL": "C", "TZ": zone}
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, **around},
            cwd=tmp_path,
            capture_output=True,
            check=True,
        )
        assert json.loads(done.stdout) == here


# Texts and needles that are made to be difficult.

SMALL = LengthBin("1k-4k", 1_000, 4_000)
ORIGIN = Origin(0, "open", "test 000000")
GLUE = (
    *("'s what they said", "...", "   blanks   ", "\n\nline breaks\n\n", "12345", "。”"),
    *("\u0301 accent", "\U0001f469\u200d\U0001f467", "\t\ttabs\t", "<|endoftext|>", "\r\n", "//"),
)
"""Passages that a tokenizer may glue to what stands next to them."""


def _item(lang: Lang, number: int, needles: int) -> QAItem:
    wishes = (Wish(NeedleGroup("any", needles, needles), needles),) * (number + 1)
    return SyntheticTemporal().supply(Demand(lang, "dev", 0, wishes)).item(number)


def _base(
    item: QAItem, opened: Corpus, number: int = 0, length: LengthBin = SMALL, around: str = "\n\n"
) -> Recipe:
    order = Order(f"sample-{number}", ORIGIN, ("noise test", number), length, "shuffled")
    return anywhere.build(item, order, Frame(f"Text:{around}", f"{around}What?"), opened)


def _lures(*texts: str) -> tuple[Lure, ...]:
    return tuple(Lure(text, LureKind.UNDATED, "somebody", None) for text in texts)


def _corpus_of(text: str, folder: Path, tokenizer: str = tokens.DEFAULT_TOKENIZER) -> Corpus:
    (folder / "texts").mkdir()
    (folder / "texts" / "a.txt").write_text(text, "utf-8")
    return corpus(str(folder / "texts"), tokenizer, root=folder)


@pytest.mark.parametrize("name", list(tokens.ENCODINGS))
@pytest.mark.parametrize("lang", LANGS)
def test_passages_that_run_into_their_neighbours_are_counted_exactly(
    texts: Path, cache: Path, name: str, lang: Lang
) -> None:
    opened, counter = corpus(str(texts), name, root=cache), tokens.tokenizer(name)
    for number in range(12):
        draws = rng.stream("noise test", lang, number)
        written = [f"{draws.choice(GLUE)}{number}-{k}{draws.choice(GLUE)}" for k in range(16)]
        needles = tuple(
            Needle(text, "x", f"@{k}@", None) for k, text in enumerate(written[: 3 + number % 8])
        )
        item = replace(_item(lang, number, 3), needles=needles)
        base = _base(item, opened, number, LengthBin("3k-5k", 3_000, 5_000), draws.choice(GLUE))
        for kind in NoiseType:
            for variant in NUMBERS:
                made = noise.vary(base, kind, variant, _lures(*written[10:]), opened)
                prompt = rendering.prompt_bytes(made, opened)
                assert made.tokens == counter.count(prompt.decode())
                assert _without_passages(made, prompt) == _without_passages(
                    base, rendering.prompt_bytes(base, opened)
                )
                for span, needle in zip(rendering.spans(made), needles, strict=True):
                    assert prompt[span.start : span.end] == needle.text.encode()


def test_passages_at_nearly_every_sentence_end_are_counted_exactly(tmp_path: Path) -> None:
    # About a dozen long sentences, of which six are followed by a needle and some by a lure.
    opened = _corpus_of(f"The mill was old{' and it stood by the water' * 33}. " * 20, tmp_path)
    lures = _lures(*(f"Nobody wrote down what came of it, {k}" for k in range(6)))
    base = _base(_item("en", 1, 6), opened, length=LengthBin("2k-3k", 2_600, 2_900))
    assert 10 <= len(haystack.places(base, opened)) <= 13
    for kind in (NoiseType.TM, NoiseType.RO, NoiseType.SN):
        for number in NUMBERS:
            made = noise.vary(base, kind, number, lures, opened)
            prompt = rendering.prompt_bytes(made, opened)
            assert made.tokens == tokens.tokenizer().count(prompt.decode())
            assert all(f"\n{needle.text}\n".encode() in prompt for needle in made.qa.needles)


def test_a_tokenizer_without_exact_cuts_counts_the_finished_variant(
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
    lures = _lures(*(f"Nothing came of it, said one, {k}." for k in range(6)))
    base = _base(_item("en", 2, 6), opened, length=LengthBin("3k-5k", 3_000, 5_000))
    for kind in NoiseType:
        made = noise.vary(base, kind, 2, lures, opened)
        rendered = rendering.render(made, opened).input
        assert made.tokens == tokens.tokenizer(name).count(rendered)


# Samples that have no variants.


def _crowded(tmp_path: Path) -> tuple[Recipe, Corpus]:
    """A sample whose window has all its sentence ends within a few hundred bytes."""
    long = "the mill of the town was old and it stood by the water for many a year and " * 130
    opened = _corpus_of(f"Once {long}{'So it was. ' * 30}Then {long}ended.", tmp_path)
    length = LengthBin("4k-5k", 4_700, 5_200)
    return _base(_item("en", 1, 3), opened, length=length), opened


def test_a_window_with_its_sentence_ends_in_one_spot_has_no_significant_movement(
    tmp_path: Path,
) -> None:
    base, opened = _crowded(tmp_path)
    everywhere = haystack.places(base, opened)
    assert len(everywhere) > 20
    assert everywhere[-1] - everywhere[0] < FAR * (base.window.end - base.window.start)
    with pytest.raises(Unfit, match=r"sample-0.*\bsm\b"):
        noise.vary(base, NoiseType.SM, 1, (), opened)
    for kind in (NoiseType.TM, NoiseType.RO):
        assert len(noise.layouts(base, kind, everywhere)) == VARIANTS


def test_a_window_with_a_needle_at_every_sentence_end_can_only_be_reordered(
    tmp_path: Path,
) -> None:
    long = "The mill of the town was old and it stood by the water " * 30
    opened = _corpus_of(f"{long.strip()}. " * 7, tmp_path)
    item = _item("en", 2, 6)
    base = _base(item, opened, length=LengthBin("2k-3k", 2_600, 3_100))
    everywhere = haystack.places(base, opened)
    assert [place.at for place in base.insertions] == everywhere
    lures = _lures("One.", "Two.", "Three.")
    for kind in (NoiseType.TM, NoiseType.SM, NoiseType.SN):
        with pytest.raises(Unfit, match="sample-0"):
            noise.vary(base, kind, 1, lures, opened)
    orders = {tuple(_needles(noise.vary(base, NoiseType.RO, n, (), opened))) for n in NUMBERS}
    assert len(orders) == VARIANTS


def _all_moves(here: tuple[int, ...], size: int, kind: NoiseType) -> set[tuple[int, ...]]:
    """Every layout of a window of `size` places, ten bytes apart, that a movement may make."""

    def serves(new: int, old: int) -> bool:
        return abs(new - old) in (1, 2) if kind is NoiseType.TM else abs(new - old) >= 3

    layouts = itertools.combinations(range(size), len(here))
    return {new for new in layouts if all(map(serves, new, here))}


@pytest.mark.parametrize("kind", [NoiseType.TM, NoiseType.SM])
def test_small_windows_are_unfit_where_too_few_movements_exist(
    texts: Path, cache: Path, kind: NoiseType
) -> None:
    base = _base(_item("en", 4, 3), corpus(str(texts), root=cache))
    numbers = _needles(base)
    fits: Counter[bool] = Counter()
    for size in range(3, 10):
        everywhere = range(10, 10 * size + 10, 10)
        for here in itertools.combinations(range(size), 3):
            stand = zip(numbers, here, strict=True)
            insertions = tuple(Insertion(number, everywhere[at], "\n") for number, at in stand)
            # Of 600 bytes, a twentieth is three of ten.
            made = replace(base, window=Window("", 0, 600), insertions=insertions)
            moves = _all_moves(here, size, kind)
            fits[len(moves) >= VARIANTS] += 1
            if len(moves) < VARIANTS:
                with pytest.raises(Unfit):
                    noise.layouts(made, kind, everywhere)
            else:
                found = noise.layouts(made, kind, everywhere)
                assert len(set(found)) == len(found) == VARIANTS
                assert set(found) <= moves
    assert min(fits.values()) > 10


def test_two_needles_have_too_few_orders(texts: Path, cache: Path) -> None:
    opened = corpus(str(texts), root=cache)
    item = _item("en", 3, 3)
    base = _base(replace(item, needles=item.needles[:2]), opened)
    with pytest.raises(Unfit, match=r"sample-0.*\bro\b"):
        noise.vary(base, NoiseType.RO, 1, (), opened)
    assert noise.vary(base, NoiseType.TM, 1, (), opened).insertions != base.insertions


@pytest.mark.parametrize("count", range(8))
def test_each_variant_has_lures_of_its_own_or_the_sample_is_unfit(
    texts: Path, cache: Path, count: int
) -> None:
    opened = corpus(str(texts), root=cache)
    lures = _lures(*(f"Nothing came of it, said one, {k}." for k in range(count)))
    sizes: set[int] = set()
    for number in range(10):
        base = _base(_item("zh", number, 5), opened, number)
        if count < VARIANTS:
            with pytest.raises(Unfit, match=f"sample-{number} has no 3 lures"):
                noise.vary(base, NoiseType.SN, 1, lures, opened)
            continue
        found = [noise.vary(base, NoiseType.SN, n, lures, opened).strays for n in NUMBERS]
        texts_used = [stray.text for strays in found for stray in strays]
        assert len(set(texts_used)) == len(texts_used)
        sizes |= {len(strays) for strays in found}
    assert sizes == (set() if count < VARIANTS else {1} if count < 2 * VARIANTS else {1, 2})
