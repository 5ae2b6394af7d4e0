"""The noise suite as a run: which samples, in both harnesses, with figures worked out by hand."""

from __future__ import annotations

import json
import math
import os
import re
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import command_line
import pytest
from inspect_ai import eval as run_eval
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.log import EvalLog
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from lm_eval.loggers import EvaluationTracker
from lm_eval_parts import Json, Listener, digest, metric, run

import seqniah
from seqniah_datasets import noise
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.schema import Lang, Lure, LureKind, NoiseType, Pipeline, QAItem
from seqniah_datasets.sources.base import Supply
from seqniah_tasks.adapters.lm_eval.solve import Refusal
from seqniah_tasks.benchmarks import options
from seqniah_tasks.benchmarks.sequential_niah.bench import (
    Planned,
    SequentialNiah,
)
from seqniah_tasks.benchmarks.sequential_niah.noise import NAMES, NoiseSuite
from seqniah_tasks.benchmarks.sequential_niah.options import BASES, NoiseOptions, read_options

SEQNIAH = str(Path(sys.executable).with_name("seqniah"))
SHORT = {"length": "8k-16k"}
KINDS = ("tm", "sm", "ro", "sn")
"""In the paper's order (Table 5)."""


def _options(bases: int, **given: Any) -> NoiseOptions:
    return options.read(NoiseOptions, {**given, "bases": bases}, {"split": "test"})


def _suite(cache: Path, bases: int, **given: Any) -> NoiseSuite:
    return NoiseSuite(_options(bases, **given), cache)


def _stratum(planned: Planned) -> tuple[str, str, str, str]:
    slot = planned.slot
    return slot.lang, slot.pipeline.value, slot.length.name, slot.group.name


def _bases(suite: NoiseSuite) -> list[Planned]:
    return [planned for planned in suite.plan if planned.noise is None]


# Which samples it has.


@pytest.fixture(scope="module")
def whole(cache: Path) -> NoiseSuite:
    return _suite(cache, BASES)


def test_the_papers_numbers_are_the_default(whole: NoiseSuite) -> None:
    assert BASES == 200
    kinds = Counter(planned.noise for planned in whole.plan)
    assert kinds == {None: 200, **dict.fromkeys(NoiseType, 600)}
    assert len(whole.plan) == 2_600
    assert len({planned.id for planned in whole.plan}) == 2_600


def test_each_base_stands_before_its_variants(whole: NoiseSuite) -> None:
    for start in range(0, len(whole.plan), 13):
        base, *variants = whole.plan[start : start + 13]
        assert (base.noise, base.variant, base.base) == (None, 0, base.id)
        assert [one.id for one in variants] == [
            f"{base.id}-{kind}{number}" for kind in KINDS for number in (1, 2, 3)
        ]
        for one in variants:
            assert (one.base, one.slot, one.needles) == (base.id, base.slot, base.needles)
            assert one.id == f"{base.id}-{one.noise}{one.variant}"


def test_the_bases_are_a_fair_part_of_the_split(whole: NoiseSuite, cache: Path) -> None:
    plan = SequentialNiah(read_options(), cache).plan
    places = [plan.index(base) for base in _bases(whole)]
    assert places == sorted(places)
    assert Counter(map(_stratum, _bases(whole))) == Counter(map(_stratum, plan[:BASES]))


def test_the_bases_are_the_splits_own_samples_byte_for_byte(whole: NoiseSuite, cache: Path) -> None:
    split = SequentialNiah(read_options(), cache)
    assert whole.digest == split.digest
    for base in _bases(whole)[:30]:
        recipe = split.recipe(split.find(base.id))
        assert whole.recipe(base) == recipe
        for variant in ("tm2", "sm1", "ro3", "sn2"):
            found = whole.recipe(whole.find(f"{base.id}-{variant}"))
            assert (found.window, found.qa) == (recipe.window, recipe.qa)
            assert found.id == f"{base.id}-{variant}"
            assert found.sha256 != recipe.sha256
            assert base.slot.length.low <= found.tokens < base.slot.length.high


@pytest.mark.parametrize("bases", [1, 7, 40])
def test_fewer_bases_are_the_first_ones(whole: NoiseSuite, cache: Path, bases: int) -> None:
    few = _suite(cache, bases)
    plan = SequentialNiah(read_options(), cache).plan
    # Those of the split's first samples that are fit, and others of the strata of the unfit.
    known = {one.id for one in whole.plan}
    fit = [one.id for one in plan[:bases] if one.id in known]
    assert [one.id for one in _bases(few) if one in plan[:bases]] == fit
    assert Counter(map(_stratum, _bases(few))) == Counter(map(_stratum, plan[:bases]))
    assert len(fit) >= 0.9 * bases and {one.id for one in few.plan} <= known
    last = few.plan[-1]
    assert few.recipe(last) == whole.recipe(last)
    facts = few.facts()
    assert (facts["suite"], facts["bases"]) == ("noise", bases)
    assert facts["digest"] == whole.digest


def test_more_bases_than_there_are_samples_are_all_of_them(cache: Path) -> None:
    filters = {"length": "8k-16k", "pipeline": "real-logical", "lang": "zh"}
    split = SequentialNiah(read_options(**filters), cache)
    suite = _suite(cache, 5_000, **filters)
    assert [one.id for one in _bases(suite)] == [one.id for one in split.plan]
    assert len(split.plan) == 21  # of the quota table


def stratum(planned: Planned) -> tuple[str, ...]:
    slot = planned.slot
    return slot.lang, str(slot.pipeline), slot.length.name, slot.group.name


def test_filters_leave_samples_of_their_kind_with_their_bytes(
    whole: NoiseSuite, cache: Path
) -> None:
    suite = _suite(cache, 20, lang="zh", length="8k-16k,32k-64k")
    split = SequentialNiah(read_options(lang="zh", length="8k-16k,32k-64k"), cache)
    bases, order = _bases(suite), [one.id for one in split.plan]
    # Where one of the first has no room for a lure, the next of its stratum takes its place.
    assert sorted(map(stratum, bases)) == sorted(map(stratum, split.plan[:20]))
    assert [one.id for one in bases] == sorted((one.id for one in bases), key=order.index)
    assert len({one.id for one in bases} & set(order[:20])) >= 18
    assert {(one.slot.lang, one.slot.length.name) for one in suite.plan} == {
        ("zh", "8k-16k"),
        ("zh", "32k-64k"),
    }
    both = sorted({one.id for one in suite.plan} & {one.id for one in whole.plan})
    assert len(both) >= 26
    for name in both[::5]:
        assert suite.recipe(suite.find(name)) == whole.recipe(whole.find(name))


@dataclass(frozen=True)
class Sparing:
    """A supply that has lures for some samples only, or overlong ones."""

    own: Supply
    none: frozenset[int]
    """Serials without."""
    long: frozenset[int]
    """Serials whose lures are longer than any length bin is wide."""

    @property
    def reused(self) -> int:
        return self.own.reused

    def needles(self, serial: int) -> int | None:
        return self.own.needles(serial)

    def item(self, serial: int) -> QAItem:
        return self.own.item(serial)

    def lures(self, serial: int) -> tuple[Lure, ...]:
        if serial in self.none:
            return self.own.lures(serial)[:2]
        if serial in self.long:
            text = "Nobody wrote down what came of it. " * 1_000
            return tuple(Lure(f"{k} {text}", LureKind.UNDATED, "somebody", None) for k in range(6))
        return self.own.lures(serial)


class SparingSuite(NoiseSuite):
    """The suite with sources that have no lures for every third sample, and long ones for some."""

    @cached_property
    def supplies(self) -> dict[tuple[Lang, Pipeline], Supply]:
        none, long = frozenset(range(0, 900, 3)), frozenset(range(1, 900, 9))
        return {key: Sparing(own, none, long) for key, own in super().supplies.items()}


def _is_fit(planned: Planned) -> bool:
    return planned.slot.serial % 3 != 0 and planned.slot.serial % 9 != 1


def test_an_unfit_sample_gives_its_place_to_the_next_of_its_stratum(cache: Path) -> None:
    plan = SequentialNiah(read_options(**SHORT), cache).plan
    suite = SparingSuite(_options(60, **SHORT), cache)
    # A few more are unfit by themselves, as too close to the end of their bin.
    natural = NoiseSuite(_options(60, **SHORT), cache)
    wanted = Counter(map(_stratum, plan[:60]))
    expected: list[Planned] = []
    for stratum, count in wanted.items():
        alike = [one for one in plan if _stratum(one) == stratum and _is_fit(one)]
        fit = [one for one in alike[: 2 * count + 3] if natural._fits(one)]
        assert len(fit) >= count
        expected += fit[:count]
    expected.sort(key=plan.index)
    assert [one.id for one in _bases(suite)] == [one.id for one in expected]
    replaced = [one for one in plan[:60] if not _is_fit(one)]
    assert len(replaced) > 15
    for planned in suite.plan[: 13 * 6]:
        low, high = planned.slot.length.low, planned.slot.length.high
        assert low <= suite.recipe(planned).tokens < high


class LurelessSuite(NoiseSuite):
    """The suite with sources that have too few lures for any sample."""

    @cached_property
    def supplies(self) -> dict[tuple[Lang, Pipeline], Supply]:
        every = frozenset(range(2_000))
        return {key: Sparing(own, every, every) for key, own in super().supplies.items()}


def test_a_suite_without_samples_is_refused_in_a_sentence(cache: Path) -> None:
    wanted = _options(3, **SHORT, lang="en", needles=9)
    with pytest.raises(SeqniahError, match=r"^No sample with these options has variants.*\.$"):
        _ = LurelessSuite(wanted, cache).plan


def test_texts_whose_sentences_end_in_few_places_are_passed_over(
    cache: Path, tmp_path: Path
) -> None:
    # In each document, all sentences end within less than a twentieth of any window.
    long = "the mill of the town was old and it stood by the water for many a year and " * 1_200
    for number in range(3):
        text = f"Once {number} {long}{'So it was. ' * 40}Then {long}ended."
        (tmp_path / f"{number}.txt").write_text(text, "utf-8")
    filters: dict[str, Any] = {"length": "16k-32k", "lang": "en", "limit_per_stratum": 1}
    suite = _suite(cache, 2, corpus=str(tmp_path), needles="3-5", **filters)
    served = SequentialNiah(suite.options, cache)
    with pytest.raises(noise.Unfit):
        noise.vary(served.recipe(served.plan[0]), NoiseType.SM, 1, (), served.corpus)
    with pytest.raises(SeqniahError, match="has variants of all types"):
        _ = suite.plan


WRONG = [0, -1, "x", 1.5, True, "", [3, 4]]


@pytest.mark.parametrize("bases", WRONG, ids=repr)
def test_inspect_refuses_a_number_that_is_none(bases: Any) -> None:
    with pytest.raises(PrerequisiteError) as refused:
        seqniah.noise(**SHORT, bases=bases)
    assert re.search("bases is a whole number from 1, not .*", str(refused.value))


@pytest.mark.parametrize("bases", [0, "x", 1.5], ids=repr)
def test_lm_eval_refuses_a_number_that_is_none(bases: Any) -> None:
    with pytest.raises(Refusal, match=r"bases is a whole number from 1, not .*\.$"):
        run(Listener(), {**SHORT, "bases": bases}, tasks="seqniah_noise")


# Runs in both harnesses. Of three samples all are wrong under semantic noise, and the third one
# is wrong as it is and in its second tiny movement besides.

TASK = "seqniah_noise"
RUN = {**SHORT, "bases": 3, "scorer": "rules"}


def _is_right(base: int, kind: str, variant: int) -> bool:
    if kind == "sn":
        return False
    return not (base == 2 and (kind, variant) in (("", 0), ("tm", 2)))


BY_HAND = {
    "acc_ref": 2 / 3,
    # Sets of 2/3, 1, 2/3 and 1: each lies 1/6 from the mean.
    "acc_tm": 5 / 6,
    "agreement_tm": 2 / 3,
    "spread_tm": math.sqrt(4 / 36 / 3),
    # 2/3, 1, 1 and 1: one lies 3/12 below the mean, three 1/12 above.
    "acc_sm": 11 / 12,
    "agreement_sm": 2 / 3,
    "spread_sm": math.sqrt((9 + 3) / 144 / 3),
    "acc_ro": 11 / 12,
    "agreement_ro": 2 / 3,
    "spread_ro": math.sqrt((9 + 3) / 144 / 3),
    # 2/3, 0, 0 and 0; only the third sample is the same in all, always wrong.
    "acc_sn": 1 / 6,
    "agreement_sn": 1 / 3,
    "spread_sn": math.sqrt((9 + 3) / 36 / 3),
    # Twice 2/3, eight times 1, three times 0.
    "acc_all": 28 / 39,
    "agreement_all": 0.0,
    "spread_all": math.sqrt((8 + 2 * 4 / 9 - 13 * (28 / 39) ** 2) / 12),
}


@pytest.fixture(scope="module")
def canned(cache: Path) -> dict[str, str]:
    """The answer to each prompt, by its digest."""
    suite = _suite(cache, 3, **SHORT)
    found: dict[str, str] = {}
    for number, planned in enumerate(suite.plan):
        reference = suite.qa(planned).reference
        right = _is_right(number // 13, str(planned.noise or ""), planned.variant)
        answer = reference if right else reference.rpartition("\n")[0]
        found[digest(suite.sample(planned).input)] = answer
    assert len(found) == 39
    return found


def _inspect(folder: Path, task: str, model: Any, **given: Any) -> EvalLog:
    log = run_eval(
        f"seqniah/{task}",
        model=model,
        log_dir=str(folder),
        display="log",
        **given,
    )[0]
    assert log.status == "success", log.error
    return log


@pytest.fixture(scope="module")
def log(canned: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> EvalLog:
    def outputs(messages: Any, *_: Any) -> ModelOutput:
        output = ModelOutput.from_content("mock", canned[digest(messages[-1].text)])
        output.usage = ModelUsage()
        return output

    model = get_model("mockllm/model", custom_outputs=outputs)
    return _inspect(tmp_path_factory.mktemp("logs"), "noise", model, task_args=RUN)


@dataclass(frozen=True)
class Ran:
    """A run of lm-eval with the folder of its files."""

    results: Json
    rows: list[Json]
    folder: Path


@pytest.fixture(scope="module")
def ran(canned: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Ran:
    folder = tmp_path_factory.mktemp("results")
    tracker = EvaluationTracker(output_path=str(folder))
    model = Listener(lambda prompt: canned[digest(prompt)])
    results = run(model, RUN, tasks=TASK, limit=None, evaluation_tracker=tracker)
    rows: list[Json] = results["samples"][TASK]
    kept = {name: part for name, part in results.items() if name != "samples"}
    tracker.save_results_aggregated(results=kept, samples=results["samples"])
    tracker.save_results_samples(task_name=TASK, samples=rows)
    return Ran(results, rows, folder)


def _metrics(log: EvalLog, scorer: str = "rules") -> dict[str, float]:
    assert log.results
    (score,) = [one for one in log.results.scores if one.name == scorer]
    return {name: one.value for name, one in score.metrics.items()}


def _noise_figures(metrics: Mapping[str, Any]) -> dict[str, float]:
    """Those of the noise suite."""
    return {name: value for name, value in metrics.items() if name in NAMES}


def _verdicts(log: EvalLog) -> dict[str, bool]:
    return {
        str(sample.id): (sample.scores or {})["rules"].value == "C" for sample in log.samples or []
    }


def test_inspect_gives_the_figures_worked_out_by_hand(log: EvalLog) -> None:
    assert set(NAMES) == set(BY_HAND)
    assert _noise_figures(_metrics(log)) == pytest.approx(BY_HAND)
    assert _metrics(log)["accuracy"] == pytest.approx(28 / 39)
    facts = log.eval.metadata or {}
    assert (facts["suite"], facts["bases"]) == ("noise", 3)
    assert log.eval.dataset.name == "sequential-niah-test-noise"


def test_lm_eval_gives_the_figures_worked_out_by_hand(ran: Ran) -> None:
    assert {name: metric(ran.results, name, TASK) for name in NAMES} == pytest.approx(BY_HAND)
    assert metric(ran.results, "acc", TASK) == pytest.approx(28 / 39)
    better = ran.results["higher_is_better"][TASK]
    assert {name for name in NAMES if not better[name]} == {
        *(f"spread_{kind}" for kind in (*KINDS, "all"))
    }


def test_the_verdicts_are_the_same_in_both_and_as_meant(log: EvalLog, ran: Ran) -> None:
    ours = _verdicts(log)
    assert ours == {row["doc"]["id"]: row["judged"]["correct"] for row in ran.rows}
    for number, row in enumerate(ran.rows):
        doc = row["doc"]
        meant = _is_right(number // 13, doc["noise"], doc["variant"])
        assert row["judged"]["correct"] is meant, doc["id"]


def test_a_sample_says_what_it_is_a_variant_of(log: EvalLog, ran: Ran) -> None:
    for sample in log.samples or []:
        name, _, kind = str(sample.id).rpartition("-")
        told = [sample.metadata.get(field) for field in ("base", "noise", "variant")]
        is_variant = kind[:2] in KINDS
        assert told == ([name, kind[:2], int(kind[2])] if is_variant else [None] * 3)
    documents = [row["doc"] for row in ran.rows]
    assert all(doc["in_suite"] for doc in documents)
    for doc in documents:
        ending = f"-{doc['noise']}{doc['variant']}" if doc["noise"] else ""
        assert doc["id"] == f"{doc['base']}{ending}"
    assert list(Counter(doc["base"] for doc in documents).values()) == [13, 13, 13]


# What is printed of them.


def _command(*words: str | Path) -> str:
    env = {name: value for name, value in os.environ.items() if "SEQNIAH_JUDGE" not in name}
    done = command_line.run([SEQNIAH, *map(str, words)], env={**env, "COLUMNS": "100"})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def _figures(told: Json) -> dict[str, float]:
    """The figures of a summary in JSON, under the harnesses' names."""
    found = {"acc_ref": told["noise"]["reference"][0]}
    for kind, line in told["noise"]["noise"].items():
        found[f"acc_{kind}"] = line["accuracy"][0]
        found[f"agreement_{kind}"] = line["agreement"][0]
        found[f"spread_{kind}"] = line["spread"][0]
    return found


def test_the_summary_of_a_log_has_the_table(log: EvalLog) -> None:
    told = json.loads(_command("summary", log.location, "--json"))
    assert _figures(told) == pytest.approx(BY_HAND)
    assert told["noise"]["base_samples"] == 3
    lines = _command("summary", log.location).splitlines()
    rows = {line.split()[0]: line.split() for line in lines if line.strip()}
    assert list(rows).index("Ref") < list(rows).index("TM") < list(rows).index("All")
    assert rows["Ref"][1] == "66.67%"
    assert [rows[kind.upper()][1] for kind in KINDS] == ["83.33%", "91.67%", "91.67%", "16.67%"]
    assert [rows[kind.upper()][5] for kind in KINDS] == ["±19.25", "±16.67", "±16.67", "±33.33"]
    assert rows["All"][1] == "71.79%"


def test_the_samples_file_gives_the_same_summary(log: EvalLog, ran: Ran) -> None:
    (told,) = json.loads(_command("score", "lm-eval", ran.folder, "--json"))["runs"]
    ours = json.loads(_command("summary", log.location, "--json"))
    assert told["noise"] == ours["noise"]
    assert told["accuracy"] == ours["accuracy"]
    theirs = _command("score", "lm-eval", ran.folder).splitlines()
    table = [line for line in _command("summary", log.location).splitlines() if line.strip()]
    first = next(n for n, line in enumerate(table) if line.split()[0] == "Ref")
    for line in table[first : first + 6]:
        assert line in theirs


def test_a_sample_that_is_asked_twice_is_right_if_half_its_answers_are(
    cache: Path, tmp_path: Path
) -> None:
    suite = _suite(cache, 1, **SHORT)
    named = {digest(suite.sample(one).input): one for one in suite.plan}
    asked: Counter[str] = Counter()

    def outputs(messages: Any, *_: Any) -> ModelOutput:
        planned = named[digest(messages[-1].text)]
        kind = planned.id[-3:]
        asked[kind] += 1
        wrong = kind == "ro2" or (kind == "sm1" and asked[kind] == 2)
        answer = "Not found." if wrong else suite.qa(planned).reference
        output = ModelOutput.from_content("mock", answer)
        output.usage = ModelUsage()
        return output

    model = get_model("mockllm/model", custom_outputs=outputs)
    log = _inspect(tmp_path, "noise", model, task_args={**RUN, "bases": 1}, epochs=2)
    assert set(asked.values()) == {2}
    figures = _noise_figures(_metrics(log))
    assert (figures["acc_sm"], figures["acc_ro"]) == (1.0, 3 / 4)
    assert (figures["agreement_sm"], figures["agreement_ro"]) == (1.0, 0.0)
    told = json.loads(_command("summary", log.location, "--json"))
    ours = {name: value for name, value in _figures(told).items() if value is not None}
    assert ours == pytest.approx({name: figures[name] for name in ours})
    assert "acc_all" in ours and told["accuracy"][0] == pytest.approx(23 / 26)


# Beside the other tasks.


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> EvalLog:
    folder = tmp_path_factory.mktemp("plain")
    return _inspect(folder, "test", "seqniah/lexical", limit=2, task_args=SHORT)


def test_the_bases_get_the_verdicts_that_they_get_in_the_split(
    plain: EvalLog, tmp_path: Path
) -> None:
    suite = _inspect(tmp_path, "noise", "seqniah/lexical", task_args={**SHORT, "bases": 2})
    assert len(suite.samples or []) == 26
    mine = {str(sample.id): sample for sample in suite.samples or []}
    assert len(plain.samples or []) == 2
    both = [sample for sample in plain.samples or [] if str(sample.id) in mine]
    assert both
    for sample in both:
        twin = mine[str(sample.id)]
        assert twin.messages[0].text == sample.messages[0].text
        assert twin.output.completion == sample.output.completion
        assert (twin.scores or {})["rules"].value == (sample.scores or {})["rules"].value
    verdicts = list(_verdicts(suite).values())
    shares = [sum(verdicts[place::13]) / 2 for place in range(13)]
    figures = _noise_figures(_metrics(suite))
    assert figures["acc_ref"] == pytest.approx(shares[0])
    assert figures["acc_all"] == pytest.approx(sum(shares) / 13)


def test_other_tasks_have_no_figures_of_noise(plain: EvalLog) -> None:
    assert _noise_figures(_metrics(plain)) == {}
    assert "8k-16k" in _metrics(plain)
    assert "noise" not in json.loads(_command("summary", plain.location, "--json"))
    results = run(Listener(), {**SHORT, "scorer": "rules"})
    (named,) = results["results"].values()
    assert not {key.partition(",")[0] for key in named} & set(NAMES)
    for row in next(iter(results["samples"].values())):
        doc = row["doc"]
        assert (doc["in_suite"], doc["noise"], doc["variant"]) == (False, "", 0)
        assert not set(row) & set(NAMES)


def test_a_part_of_the_suite_has_the_figures_of_that_part(
    canned: dict[str, str], tmp_path: Path
) -> None:
    """The first 13 samples are one base with its variants; 8 are only some of these."""
    model = Listener(lambda prompt: canned[digest(prompt)])
    one = run(model, RUN, tasks=TASK, limit=13)
    assert metric(one, "acc_ref", TASK) == metric(one, "acc_tm", TASK) == 1.0
    assert metric(one, "acc_sn", TASK) == pytest.approx(1 / 4)
    assert metric(one, "agreement_sn", TASK) == 0.0
    part = run(model, RUN, tasks=TASK, limit=7)
    assert metric(part, "acc_sm", TASK) == 1.0
    assert math.isnan(metric(part, "agreement_ro", TASK))
