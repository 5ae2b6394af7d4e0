"""On real text: War and Peace and The Story of the Stone, where SEQNIAH_REAL_DATA is set."""

from __future__ import annotations

import hashlib
import re
import sys
import unicodedata
from collections import defaultdict
from pathlib import Path

import pytest

from seqniah_datasets import rendering, tokens
from seqniah_datasets.schema import LANGS, Lang
from seqniah_datasets.splits import BINS
from seqniah_tasks.baselines import lexical
from seqniah_tasks.benchmarks.counting_stars.bench import CountingStars
from seqniah_tasks.benchmarks.counting_stars.options import read_star_options
from seqniah_tasks.benchmarks.sequential_niah.bench import SequentialNiah
from seqniah_tasks.benchmarks.sequential_niah.options import read_options
from seqniah_tasks.benchmarks.sequential_niah.score import judge


@pytest.fixture(scope="module")
def bench(real_data: Path, cache: Path) -> SequentialNiah:
    opened = SequentialNiah(read_options(corpus=str(real_data / "corpora")), cache)
    opened.prepare()
    return opened


@pytest.mark.parametrize("name", list(tokens.ENCODINGS))
@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("length", [one.name for one in BINS])
def test_counts_are_exact_from_8k_to_128k(
    real_data: Path, cache: Path, name: str, lang: Lang, length: str
) -> None:
    options = read_options(
        lang=lang, length=length, corpus=str(real_data / "corpora"), tokenizer=name
    )
    opened = SequentialNiah(options, cache)
    for planned in opened.plan[:3]:
        sample = opened.sample(planned)
        assert sample.tokens == tokens.tokenizer(name).count(sample.input)
        assert planned.slot.length.low <= sample.tokens < planned.slot.length.high


def test_needles_follow_a_finished_sentence(bench: SequentialNiah) -> None:
    closing = "\"'”’」』）)]】》 \t"
    for planned in bench.plan[:150]:
        recipe = bench.recipe(planned)
        index = bench.corpus.open(recipe.window.shard)
        for place in recipe.insertions:
            spot = recipe.window.start + place.at
            before = bytes(index.text[spot - 24 : spot]).decode(errors="ignore")
            before = before.rstrip(closing)
            assert unicodedata.category(before[-1]) == "Po", (before, planned.id)
            assert before[-1] in ".!?。！？…", (before, planned.id)


def test_a_needle_never_parts_a_number_or_a_title(bench: SequentialNiah) -> None:
    for planned in bench.plan[:150]:
        if planned.slot.lang != "en":
            continue
        recipe = bench.recipe(planned)
        index = bench.corpus.open(recipe.window.shard)
        for place in recipe.insertions:
            spot = recipe.window.start + place.at
            before = bytes(index.text[spot - 6 : spot]).decode(errors="ignore").strip()
            after = bytes(index.text[spot : spot + 1])
            assert not before.endswith(("Mr.", "Mrs.", "St.", "Dr.")), before
            assert not (bytes(index.text[spot - 1 : spot]) == b"." and after.isalnum()), before


def test_the_document_around_the_needles_is_untouched(bench: SequentialNiah) -> None:
    for planned in bench.plan[:40]:
        recipe = bench.recipe(planned)
        prompt = rendering.prompt_bytes(recipe, bench.corpus)
        index = bench.corpus.open(recipe.window.shard)
        window = bytes(index.text[recipe.window.start : recipe.window.end])
        for place in reversed(recipe.insertions):
            inserted = f"\n{recipe.qa.needles[place.needle].text}{place.after}".encode()
            window = window[: place.at] + inserted + window[place.at :]
        assert prompt == recipe.before.encode() + window + recipe.after.encode()


def test_the_lexical_floor_by_stratum(
    bench: SequentialNiah, capsys: pytest.CaptureFixture[str]
) -> None:
    right: dict[str, list[bool]] = defaultdict(list)
    for planned in bench.plan[:120]:
        sample = bench.sample(planned)
        verdict = judge(sample.qa, lexical(sample.input))
        slot = planned.slot
        for stratum in ("all", slot.lang, slot.length.name, f"{slot.group.name} needles"):
            right[stratum].append(bool(verdict.correct))
    with capsys.disabled():
        lines = (
            f"  lexical, {name:<14} {sum(hits):>3} of {len(hits)}" for name, hits in right.items()
        )
        sys.stdout.write("\n" + "\n".join(lines) + "\n")
    assert 0 < sum(right["all"]) < len(right["all"])
    assert not any(right[">10 needles"])  # it gives ten sentences at most


_BOOKS: dict[Lang, str] = {"en": "en/war_and_peace.txt", "zh": "zh/story_of_the_stone.txt"}
_STAR: dict[Lang, str] = {
    "en": r"\nThe little penguin counted (\d+) ★\.\n",
    "zh": r"\n小企鹅数了(\d+)颗★。\n",
}


@pytest.mark.parametrize("snap", ["none", "sentence"])
@pytest.mark.parametrize("lang", LANGS)
def test_the_standard_version_of_counting_stars_in_a_book(
    real_data: Path, cache: Path, lang: Lang, snap: str
) -> None:
    book = real_data / "corpora" / _BOOKS[lang]
    opened = CountingStars(
        read_star_options(preset="32-32", lang=lang, snap=snap, corpus=str(book)), cache
    )
    opened.prepare()
    text = bytes(opened.corpus.open("00000").text).decode()
    assert [planned.tokens for planned in opened.plan][:2] == [128_000, 64_000]
    assert len(opened.plan) == 32
    count = tokens.tokenizer().count
    for planned in opened.plan:
        sample, recipe = opened.sample(planned), opened.recipe(planned)
        assert sample.tokens == count(sample.input)
        assert 0 <= planned.tokens - sample.tokens <= (0 if snap == "none" else 600)
        assert recipe.sha256 == hashlib.sha256(sample.input.encode()).hexdigest()
        numbers = tuple(map(int, re.findall(_STAR[lang], sample.input)))
        assert numbers == tuple(opened.item(planned).facts["right"])
        assert len(set(numbers)) == 32
        raw = sample.input.encode()
        found = [raw[span.start : span.end].decode() for span in sample.spans]
        assert found == [needle.text for needle in sample.qa.needles]
        # What stands between the stars is the book, from its beginning on.
        at = 0
        for part in re.split(_STAR[lang], sample.input.rsplit("\n\n", 1)[0] + "\n")[::2]:
            assert text.startswith(part, at) or text.startswith(f"\n{part}", at)
            at = text.index(part, at) + len(part)
        assert sample.spans[-1].depth == 1
        if planned.tokens not in (4_000, 64_000):
            continue
        sky = count(raw[: sample.spans[-1].start].decode())
        for number, span in enumerate(sample.spans):
            depth = count(raw[: span.start].decode()) / sky
            assert abs(depth - (number + 1) / 32) < (0.006 if snap == "none" else 0.018)
