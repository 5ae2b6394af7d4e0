"""Both harnesses alike: the same answers to the same prompts get the same verdicts and figures."""

from __future__ import annotations

import hashlib
import math
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval as run_eval
from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from lm_eval.api.instance import Instance
from lm_eval.api.model import LM
from lm_eval.evaluator import simple_evaluate
from lm_eval.tasks import TaskManager

import seqniah_tasks
from seqniah_datasets.corpora import procedural
from seqniah_datasets.schema import LANGS, Needle, Pipeline, QAItem
from seqniah_datasets.splits import BINS
from seqniah_tasks.benchmarks.sequential_niah.bench import (
    Planned,
    SequentialNiah,
)
from seqniah_tasks.benchmarks.sequential_niah.options import read_options

EACH = 5
"""Samples of each language, pipeline and length."""

TASKS = Path(seqniah_tasks.__file__).with_name("lm_eval_tasks")

Figures = dict[str, Any]


# Answers, made of the question's own items without any help of the judge


def _numbered(items: list[str]) -> str:
    return "\n".join(f"{number}. {item}" for number, item in enumerate(items, 1))


def _items(qa: QAItem) -> list[str]:
    return [needle.item for needle in qa.needles]


def _dated(needle: Needle, years: int = 0) -> str:
    if needle.date is None:
        return needle.event
    return f"{needle.date.year + years:04d}-{needle.date:%m-%d}: {needle.event}"


def _one_wrong(qa: QAItem, other: QAItem) -> str:
    """The last date is a year off; what has no dates ends with a step of something else."""
    lines = [_dated(needle) for needle in qa.needles]
    last = qa.needles[-1]
    return _numbered([*lines[:-1], other.needles[0].item if last.date is None else _dated(last, 1)])


def _sides_changed(qa: QAItem) -> str:
    """Where there are two sides, each does what the other did; else the last item is missing."""
    if not qa.parties:
        return _numbered(_items(qa)[:-1])
    one, other = qa.parties
    swapped = (item.replace(one, "\0").replace(other, one) for item in _items(qa))
    return _numbered([item.replace("\0", other) for item in swapped])


def _table(qa: QAItem) -> str:
    rows = [f"| {n} | {_dated(needle)} |" for n, needle in enumerate(qa.needles, 1)]
    return "\n".join(["| No. | What |", "| --- | --- |", *rows])


def _prose(qa: QAItem) -> str:
    joined = {"en": " After that: ", "zh": "之后，"}[qa.lang]
    return joined.join(_items(qa))


def _none(qa: QAItem) -> str:
    refusals = {"en": "I cannot find this in the text.", "zh": "文中没有提到。"}
    return refusals[qa.lang]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of answer."""

    name: str
    write: Callable[[QAItem, QAItem], str]
    """Of the question, and another question of the same kind."""
    correct: bool | None
    """What any judge must say of it; None where that is the judge's to say."""
    mode: str = ""
    """The failure mode that a wrong one must have."""


KINDS = [
    Kind("copied", lambda qa, _: qa.reference, True),
    Kind("items alone", lambda qa, _: "\n".join(_items(qa)), True),
    Kind("numbered", lambda qa, _: _numbered(_items(qa)), True),
    Kind("other dates", lambda qa, _: _numbered([_dated(one) for one in qa.needles]), True),
    Kind("lines end as on Windows", lambda qa, _: qa.reference.replace("\n", "\r\n"), True),
    Kind(
        "thoughts first",
        lambda qa, other: f"<think>\n{_numbered(_items(other))}\n</think>\n\n{qa.reference}",
        True,
    ),
    Kind("the first is missing", lambda qa, _: _numbered(_items(qa)[1:]), False, "missing_items"),
    Kind("sides changed", lambda qa, _: _sides_changed(qa), None),
    Kind(
        "one is added",
        lambda qa, other: _numbered([*_items(qa), other.needles[0].item]),
        False,
        "redundant_items",
    ),
    Kind("one is wrong", _one_wrong, False),
    Kind("refused", lambda qa, _: _none(qa), False, "refusal"),
    Kind("empty", lambda *_: " ", False, "no_answer"),
    Kind("another question's", lambda _, other: other.reference, False),
    Kind("backwards", lambda qa, _: _numbered(_items(qa)[::-1]), None),
    Kind("the first comes last", lambda qa, _: _numbered([*_items(qa)[1:], _items(qa)[0]]), None),
    Kind("prose", lambda qa, _: _prose(qa), None),
    Kind("table", lambda qa, _: _table(qa), None),
    Kind("twice", lambda qa, _: f"{qa.reference}\n\n{_numbered(_items(qa))}", None),
    Kind("thoughts without end", lambda qa, _: f"<think>\n{qa.reference}", None),
    Kind("broken off", lambda qa, _: qa.reference[: len(qa.reference) // 2], None),
]


@dataclass(frozen=True, slots=True)
class Sample:
    """One sample with the answer that a model will give to it."""

    planned: Planned
    qa: QAItem
    kind: Kind
    answer: str


@dataclass(frozen=True, slots=True)
class Found:
    """What a harness says of one sample."""

    prompt: str
    correct: bool
    modes: list[str]
    recall: float
    precision: float
    order: float | None
    fates: list[tuple[float, bool]]
    """Depth of each needle, and whether it was found."""
    reason: str


@pytest.fixture(scope="module")
def options(tmp_path_factory: pytest.TempPathFactory) -> Figures:
    """The same for both harnesses; each of its documents is as long as the longest prompt."""
    folder = tmp_path_factory.mktemp("long-texts")
    for lang in LANGS:
        (folder / f"{lang}.txt").write_text(procedural.write(lang, 700_000, 900), "utf-8")
    return {"corpus": str(folder), "limit_per_stratum": EACH, "scorer": "rules"}


@pytest.fixture(scope="module")
def samples(options: Figures) -> dict[str, Sample]:
    """By the prompt's digest. Every language and pipeline gets every kind of answer."""
    chosen = {name: value for name, value in options.items() if name != "scorer"}
    bench = SequentialNiah(read_options(**chosen))
    groups: dict[tuple[str, Pipeline], list[Planned]] = defaultdict(list)
    for planned in bench.plan:
        groups[planned.slot.lang, planned.slot.pipeline].append(planned)
    found: dict[str, Sample] = {}
    for group in groups.values():
        for number, planned in enumerate(group):
            qa, other = bench.qa(planned), bench.qa(group[number - 1])
            kind = KINDS[number % len(KINDS)]
            answer = kind.write(qa, other)
            found[bench.recipe(planned).sha256] = Sample(planned, qa, kind, answer)
    return found


def _answer(samples: dict[str, Sample], prompt: str) -> str:
    """Fails for a prompt that is not byte for byte one of the benchmark's."""
    return samples[hashlib.sha256(prompt.encode()).hexdigest()].answer


@pytest.fixture(scope="module")
def log(
    options: Figures, samples: dict[str, Sample], tmp_path_factory: pytest.TempPathFactory
) -> EvalLog:
    def outputs(messages: Any, *_: Any) -> ModelOutput:
        output = ModelOutput.from_content("mock", _answer(samples, messages[-1].text))
        output.usage = ModelUsage()
        return output

    log = run_eval(
        "seqniah/test",
        model=get_model("mockllm/model", custom_outputs=outputs),
        log_dir=str(tmp_path_factory.mktemp("logs")),
        display="log",
        task_args=options,
    )[0]
    assert log.status == "success", log.error
    return log


class Canned(LM):  # type: ignore[misc]
    """A chat model that knows all answers by heart."""

    _START, _END = "<|user|>", "<|assistant|>"

    def __init__(self, samples: dict[str, Sample]) -> None:
        super().__init__()
        self.samples = samples

    @property
    def tokenizer_name(self) -> str:
        return "canned"

    def chat_template(self, chat_template: bool | str = False) -> str:
        return f"{self._START}CONTENT{self._END}"

    def apply_chat_template(
        self, chat_history: list[dict[str, str]], add_generation_prompt: bool = True
    ) -> str:
        (message,) = chat_history
        assert message["role"] == "user" and add_generation_prompt
        return f"{self._START}{message['content']}{self._END}"

    @classmethod
    def prompt(cls, context: str) -> str:
        assert context.startswith(cls._START) and context.endswith(cls._END)
        return context[len(cls._START) : -len(cls._END)]

    def generate_until(self, requests: list[Instance], disable_tqdm: bool = False) -> list[str]:
        return [_answer(self.samples, self.prompt(one.args[0])) for one in requests]

    def loglikelihood(self, requests: Any, disable_tqdm: bool = False) -> Any:
        raise NotImplementedError

    loglikelihood_rolling = loglikelihood


def _evaluated(samples: dict[str, Sample], options: Figures, tasks: list[str]) -> Figures:
    results: Figures | None = simple_evaluate(
        Canned(samples),
        tasks=tasks,
        task_manager=TaskManager(include_path=TASKS, include_defaults=False, metadata=options),
        apply_chat_template=True,
        bootstrap_iters=0,
    )
    assert results is not None
    return results


@pytest.fixture(scope="module")
def results(options: Figures, samples: dict[str, Sample]) -> Figures:
    return _evaluated(samples, options, ["seqniah"])


def _by_inspect(sample: EvalSample) -> Found:
    assert sample.scores
    rules, items = sample.scores["rules"], sample.scores["items"].value
    facts = rules.metadata or {}
    assert isinstance(items, dict)
    order = items["order_agreement"]
    return Found(
        prompt=sample.messages[0].text,
        correct=rules.value == "C",
        modes=facts["failure_modes"],
        recall=items["item_recall"],
        precision=items["item_precision"],
        order=None if math.isnan(order) else order,
        fates=[(one["depth"], one["found"]) for one in facts["needles"]],
        reason=facts["reason"],
    )


def _by_lm_eval(sample: Figures) -> Found:
    judged = sample["judged"]
    assert sample["acc"] == float(judged["correct"])
    return Found(
        prompt=Canned.prompt(sample["arguments"][0][0]),
        correct=judged["correct"],
        modes=judged["failure_modes"],
        recall=sample["item_recall"],
        precision=sample["item_precision"],
        order=sample["order_agreement"],
        fates=[(one["depth"], one["found"]) for one in judged["needles"]],
        reason=judged["reason"],
    )


@pytest.fixture(scope="module")
def inspected(log: EvalLog) -> dict[str, Found]:
    return {str(sample.id): _by_inspect(sample) for sample in log.samples or []}


@pytest.fixture(scope="module")
def evaluated(results: Figures) -> dict[str, Found]:
    rows = [row for rows in results["samples"].values() for row in rows]
    found = {row["doc"]["id"]: _by_lm_eval(row) for row in rows}
    assert len(found) == len(rows)
    return found


def test_every_stratum_and_length_gets_every_kind_of_answer(samples: dict[str, Sample]) -> None:
    strata, kinds = set(), set()
    for sample in samples.values():
        slot = sample.planned.slot
        strata.add((slot.lang, slot.pipeline, slot.length.name))
        kinds.add((slot.lang, slot.pipeline, sample.kind.name))
    assert len(samples) >= 100
    assert len(strata) == len(LANGS) * len(Pipeline) * len(BINS)
    assert len(kinds) == len(LANGS) * len(Pipeline) * len(KINDS)


def test_prompts_and_verdicts_are_the_same_in_both(
    samples: dict[str, Sample], inspected: dict[str, Found], evaluated: dict[str, Found]
) -> None:
    assert inspected.keys() == evaluated.keys() == {one.planned.id for one in samples.values()}
    for sample in samples.values():
        assert inspected[sample.planned.id] == evaluated[sample.planned.id], sample


def test_verdicts_are_those_that_the_answers_deserve(
    samples: dict[str, Sample], evaluated: dict[str, Found]
) -> None:
    for sample in samples.values():
        found, kind = evaluated[sample.planned.id], sample.kind
        correct, mode = kind.correct, kind.mode
        if kind.name in ("backwards", "the first comes last"):
            correct = not sample.qa.order_required
            mode = "wrong_order"
        if correct is not None:
            assert found.correct is correct, (sample, found.reason)
        if correct is False and mode:
            assert mode in found.modes, sample
        if correct:
            assert found.recall == found.precision == 1.0 and not found.modes
            assert all(one for _, one in found.fates)


def test_the_headline_is_the_same_in_both(
    log: EvalLog, results: Figures, evaluated: dict[str, Found]
) -> None:
    assert log.results
    ours = {one.name: one.metrics for one in log.results.scores}
    group = results["groups"]["seqniah"]
    share = statistics.mean(one.correct for one in evaluated.values())
    assert 0 < share < 1
    assert group["acc,rules"] == pytest.approx(share)
    assert ours["rules"]["accuracy"].value == pytest.approx(share)
    for name in ("item_recall", "item_precision"):
        assert group[f"{name},rules"] == pytest.approx(ours[name]["mean"].value)
    assert group["unscored,rules"] == 0.0


def test_groups_are_the_same_in_both(
    log: EvalLog, results: Figures, samples: dict[str, Sample], options: Figures
) -> None:
    # The harness takes no task twice in one run, and pipelines cut across languages.
    crossing = [f"seqniah_{one}".replace("-", "_") for one in Pipeline]
    others = _evaluated(samples, options, crossing)
    groups = results["groups"] | others["groups"]
    assert log.results
    ours = {one.name: one.metrics for one in log.results.scores}["rules"]
    for name in ("en", "zh", *map(str, Pipeline)):
        group = groups[f"seqniah_{name.replace('-', '_')}"]
        assert group["acc,rules"] == pytest.approx(ours[name].value)


def _scored(values: Iterator[float | None]) -> list[float]:
    return [value for value in values if value is not None]


def test_subtasks_and_their_lengths_are_the_same_in_both(
    samples: dict[str, Sample], inspected: dict[str, Found], results: Figures, log: EvalLog
) -> None:
    groups: dict[str, list[tuple[Planned, Found]]] = defaultdict(list)
    for sample in samples.values():
        slot = sample.planned.slot
        task = f"seqniah_{slot.pipeline}_{slot.lang}".replace("-", "_")
        groups[task].append((sample.planned, inspected[sample.planned.id]))
    assert groups.keys() == results["samples"].keys()
    lengths: dict[str, list[float]] = defaultdict(list)
    for task, group in groups.items():
        figures, found = results["results"][task], [one for _, one in group]
        assert figures["acc,rules"] == pytest.approx(statistics.mean(f.correct for f in found))
        assert figures["item_recall,rules"] == pytest.approx(
            statistics.mean(one.recall for one in found)
        )
        assert figures["item_precision,rules"] == pytest.approx(
            statistics.mean(one.precision for one in found)
        )
        assert figures["order_agreement,rules"] == pytest.approx(
            statistics.mean(_scored(one.order for one in found))
        )
        for length in BINS:
            part = [one.correct for planned, one in group if planned.slot.length is length]
            assert len(part) == EACH
            lengths[length.name].append(figures[f"acc_{length.name},rules"])
            assert lengths[length.name][-1] == pytest.approx(statistics.mean(part))
    # Every length has as many samples in each task, so that means of means are means.
    assert log.results
    ours = {one.name: one.metrics for one in log.results.scores}["rules"]
    for name, shares in lengths.items():
        assert ours[name].value == pytest.approx(statistics.mean(shares))
