"""The benchmark as a whole: which samples, under which ids, and that filters change none."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from seqniah_datasets import rendering, tokens
from seqniah_datasets.errors import CorpusError, SeqniahError
from seqniah_datasets.schema import SPLITS
from seqniah_scorers.order_demand import demands_order
from seqniah_tasks.benchmarks.sequential_niah.bench import (
    SequentialNiah,
)
from seqniah_tasks.benchmarks.sequential_niah.margins import margins
from seqniah_tasks.benchmarks.sequential_niah.options import read_options
from seqniah_tasks.benchmarks.sequential_niah.score import judge, needle_type


def _bench(cache: Path, **given: object) -> SequentialNiah:
    return SequentialNiah(read_options(**given), cache)  # type: ignore[arg-type]


@pytest.mark.parametrize(("split", "samples"), [("test", 2_000), ("dev", 2_000), ("train", 10_000)])
def test_the_open_edition_meets_every_quota(cache: Path, split: str, samples: int) -> None:
    bench = _bench(cache, split=split)
    assert len(bench.plan) == samples
    assert bench.shortfalls == []
    assert {margin.here - margin.target for margin in margins([bench])} == {0}
    assert all(p.slot.group.low <= p.needles <= p.slot.group.high for p in bench.plan)


def test_filters_keep_ids_and_order(cache: Path) -> None:
    whole = [planned.id for planned in _bench(cache).plan]
    part = [
        planned.id for planned in _bench(cache, lang="zh", length="8k-16k", needles="6-10").plan
    ]
    assert part == [
        one for one in whole if "-zh-" in one and "-8k-16k-" in one and one in set(part)
    ]
    assert len(part) == 18 + 18 + 10  # the quota table's cells
    assert all(6 <= int(one.split("-n")[-1][:2]) <= 10 for one in part)


def test_filters_keep_bytes(cache: Path) -> None:
    whole, part = _bench(cache), _bench(cache, length="8k-16k")
    planned = part.plan[1]
    assert part.recipe(planned) == whole.recipe(whole.find(planned.id))


@pytest.mark.parametrize(
    "change", [{"seed": 1}, {"tokenizer": "qwen"}, {"order": "sorted"}], ids=lambda c: next(iter(c))
)
def test_what_rebuilds_changes_the_ids(cache: Path, change: dict[str, object]) -> None:
    assert not {p.id for p in _bench(cache).plan} & {p.id for p in _bench(cache, **change).plan}


def test_another_corpus_changes_the_ids(cache: Path, texts: Path) -> None:
    assert not {p.id for p in _bench(cache).plan} & {
        p.id for p in _bench(cache, corpus=str(texts)).plan
    }


def test_a_limit_per_stratum_takes_the_first_of_each(cache: Path) -> None:
    plan = _bench(cache, limit_per_stratum=2).plan
    strata = Counter((p.slot.lang, p.slot.pipeline, p.slot.length.name) for p in plan)
    assert set(strata.values()) == {2}
    assert len(strata) == 2 * 3 * 4


def test_no_qa_is_shared_between_splits(cache: Path) -> None:
    subjects: dict[str, set[str]] = {}
    for split in SPLITS:
        bench = _bench(cache, split=split)
        subjects[split] = {bench.qa(planned).subject for planned in bench.plan}
        # Nor within one: en and zh tell of one invented world, each in its own names.
        assert len(subjects[split]) == len(bench.plan)
    assert not subjects["train"] & subjects["test"]
    assert not subjects["dev"] & subjects["test"]
    assert not subjects["train"] & subjects["dev"]


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("length", ["8k-16k", "64k-128k"])
def test_finished_prompts_lie_in_their_bin(cache: Path, lang: str, length: str) -> None:
    bench = _bench(cache, lang=lang, length=length)
    for planned in bench.plan[:2]:
        sample = bench.sample(planned)
        assert sample.tokens == tokens.tokenizer().count(sample.input)
        assert planned.slot.length.low <= sample.tokens < planned.slot.length.high
        assert sample.input.endswith(sample.qa.question)


def test_the_judge_reads_the_order_demand_of_every_question(cache: Path) -> None:
    bench = _bench(cache)
    for planned in bench.plan:
        qa = bench.qa(planned)
        kind = needle_type(qa.pipeline)
        assert demands_order(qa.question, kind) == qa.order_required, qa.question


def test_the_reference_itself_is_correct_and_half_of_it_is_not(cache: Path) -> None:
    bench = _bench(cache)
    for planned in bench.plan[:300]:
        qa = bench.qa(planned)
        assert judge(qa, qa.reference).correct, qa.reference
        assert not judge(qa, "\n".join(qa.reference.split("\n")[:-1])).correct, qa.reference


def test_an_unknown_id_names_one_that_is_known(cache: Path) -> None:
    bench = _bench(cache)
    with pytest.raises(SeqniahError, match=f"No sample 'x'.*{bench.plan[0].id}"):
        bench.find("x")
    assert bench.find("3") == bench.plan[3]


def test_a_corpus_too_short_for_the_wanted_bins_is_found_out_at_once(
    cache: Path, texts: Path
) -> None:
    with pytest.raises(CorpusError, match=r"needs; the longest, .*\.txt, has"):
        _bench(cache, corpus=str(texts)).prepare()
    _bench(cache, corpus=str(texts), length="8k-16k").prepare()


def test_rendering_gives_what_the_recipe_promises(cache: Path) -> None:
    bench = _bench(cache, length="8k-16k")
    recipe = bench.recipe(bench.plan[0])
    import hashlib

    text = rendering.render(recipe, bench.corpus).input
    assert hashlib.sha256(text.encode()).hexdigest() == recipe.sha256


def test_needles_stand_between_paragraphs(cache: Path) -> None:
    bench = _bench(cache, length="8k-16k", limit_per_stratum=2)
    for planned in bench.plan:
        recipe = bench.recipe(planned)
        prompt = rendering.prompt_bytes(recipe, bench.corpus)
        for span in rendering.spans(recipe):
            assert prompt[span.start - 1 : span.start] == b"\n"
            assert prompt[span.end : span.end + 2] == b"\n\n"


@pytest.mark.parametrize("pipeline", ["real-temporal", "real-logical"])
def test_quoting_the_needles_in_order_is_right_and_leaving_one_out_is_not(
    cache: Path, pipeline: str
) -> None:
    bench = _bench(cache, pipeline=pipeline, length="8k-16k,16k-32k")
    for planned in bench.plan:
        qa = bench.qa(planned)
        lines = [f"{number}. {needle.text}" for number, needle in enumerate(qa.needles, 1)]
        assert judge(qa, "\n".join(lines)).correct, lines
        for left_out in (0, len(lines) // 2, len(lines) - 1):
            part = lines[:left_out] + lines[left_out + 1 :]
            assert not judge(qa, "\n".join(part)).correct, lines[left_out]
        swapped = "\n".join([lines[1], lines[0], *lines[2:]])
        assert judge(qa, swapped).correct is not qa.order_required


TOGETHER = re.compile(
    "met|meeting|telephone|joint|confer|consult|negotiat|talk|cooperat|spoke (?:with|by)|shared"
    "|together|formal agreement|signed|sealed"
    "|exchanged views|agree|dialogue|collaborat|accord|exchange of views|exchange views|[与和同]"
)


def test_an_event_told_of_the_other_direction_is_wrong(cache: Path) -> None:
    """Unless both sides did the same to each other."""
    bench = _bench(cache, pipeline="real-temporal", length="8k-16k")
    caught = 0
    for planned in bench.plan:
        qa = bench.qa(planned)
        a, b = qa.parties
        items = [needle.item for needle in qa.needles]
        for number, item in enumerate(items):
            turned = item.replace(a, "\0").replace(b, a).replace("\0", b)
            if turned == item:
                continue
            answer = [*items[:number], turned, *items[number + 1 :]]
            if judge(qa, "\n".join(f"- {one}" for one in answer)).correct:
                assert TOGETHER.search(item), item
            else:
                caught += 1
    assert caught > 200
