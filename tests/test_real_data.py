"""On real text: War and Peace and The Story of the Stone, where SEQNIAH_REAL_DATA is set."""

from __future__ import annotations

import sys
import unicodedata
from collections import defaultdict
from pathlib import Path

import pytest

from seqniah_datasets import haystack, tokens
from seqniah_datasets.schema import LANGS, Lang
from seqniah_datasets.splits import BINS
from seqniah_tasks.baselines import lexical
from seqniah_tasks.benchmarks.options import read_options
from seqniah_tasks.benchmarks.sequential_niah import SequentialNiah, judge


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
        prompt = haystack.prompt_bytes(recipe, bench.corpus)
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
