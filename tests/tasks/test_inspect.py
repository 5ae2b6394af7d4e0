"""The tasks in inspect-ai: by name, with options, scored, logged; with models that misbehave."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval as run_eval
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.log import EvalLog, EvalSample, write_eval_log
from inspect_ai.model import ModelOutput, ModelUsage, StopReason, get_model
from inspect_ai.scorer import Score

import seqniah
from seqniah_datasets import tokens
from seqniah_datasets.errors import SeqniahError
from seqniah_tasks.adapters.inspect import logs as inspect_logs
from seqniah_tasks.benchmarks.sequential_niah.bench import (
    VERSION,
    SequentialNiah,
)
from seqniah_tasks.benchmarks.sequential_niah.options import read_options

SHORT = {"length": "8k-16k"}


def _run(folder: Path, model: Any, limit: int = 4, **options: Any) -> EvalLog:
    log = run_eval(
        "seqniah/test",
        model=model,
        limit=limit,
        log_dir=str(folder),
        display="log",
        task_args={**SHORT, **options},
    )[0]
    assert log.status == "success", log.error
    return log


def _metrics(log: EvalLog) -> dict[str, float]:
    assert log.results is not None
    return {
        f"{score.name}.{name}": metric.value
        for score in log.results.scores
        for name, metric in score.metrics.items()
    }


def _samples(log: EvalLog) -> list[EvalSample]:
    assert log.samples
    return log.samples


def _score(sample: EvalSample) -> Score:
    assert sample.scores
    return sample.scores["rules"]


def _answering(answer: Callable[[str], str], stop: StopReason = "stop") -> Any:
    """A model that answers as `answer` says, given the reference of the question it sees."""
    bench = SequentialNiah(read_options(**SHORT))
    references = {bench.qa(planned).question: bench.qa(planned).reference for planned in bench.plan}

    def outputs(messages: Any, *_: Any) -> ModelOutput:
        prompt = messages[-1].text
        question = next(question for question in references if prompt.endswith(question))
        output = ModelOutput.from_content("mock", answer(references[question]), stop)
        seen = tokens.tokenizer().count(prompt)
        output.usage = ModelUsage(input_tokens=seen, output_tokens=1, total_tokens=seen + 1)
        return output

    return get_model("mockllm/model", custom_outputs=outputs)


def test_the_baseline_runs_the_whole_loop(tmp_path: Path) -> None:
    log = _run(tmp_path, "seqniah/lexical", 6)
    for sample in _samples(log):
        prompt = sample.messages[0].text
        assert sample.metadata["prompt_tokens"] == tokens.tokenizer().count(prompt)
        assert prompt.endswith(str(sample.input))
        assert len(sample.metadata["needle_depths"]) == sample.metadata["needles"]
        facts = _score(sample).metadata or {}
        assert len(facts["needles"]) == sample.metadata["needles"]
        assert sample.output.usage is not None
        assert sample.output.usage.input_tokens == sample.metadata["prompt_tokens"]
    assert log.eval.task_version == VERSION
    assert (log.eval.metadata or {})["edition"] == "open"


def test_right_answers_are_right_in_every_figure(tmp_path: Path) -> None:
    metrics = _metrics(_run(tmp_path, _answering(lambda reference: reference), 8))
    assert metrics["rules.accuracy"] == 1.0
    assert metrics["rules.lower"] < 1.0 == metrics["rules.upper"]
    for stratum in ("8k-16k", "6-10 needles", "synthetic-temporal", "en", "zh"):
        assert metrics[f"rules.{stratum}"] == 1.0
    assert metrics["item_recall.mean"] == metrics["item_precision.mean"] == 1.0
    assert metrics["order_agreement.mean"] == 1.0


def test_a_missing_item_is_wrong_and_its_needle_is_named(tmp_path: Path) -> None:
    def without_last(reference: str) -> str:
        return reference.rpartition("\n")[0]

    log = _run(tmp_path, _answering(without_last))
    assert _metrics(log)["rules.accuracy"] == 0.0
    for sample in _samples(log):
        facts = _score(sample).metadata or {}
        assert facts["failure_modes"] == ["missing_items"]
        assert [needle["found"] for needle in facts["needles"]][-1] is False
        assert all(needle["found"] for needle in facts["needles"][:-1])


@pytest.mark.parametrize(
    ("answer", "mode"),
    [
        (" ", "no_answer"),
        ("I cannot find this in the text.", "refusal"),
        ("Here are the entries:", "unreadable"),
    ],
)
def test_no_answer_is_wrong_and_counted(tmp_path: Path, answer: str, mode: str) -> None:
    log = _run(tmp_path, _answering(lambda _: answer), 2)
    assert _metrics(log)["rules.accuracy"] == 0.0
    for sample in _samples(log):
        assert mode in (_score(sample).metadata or {})["failure_modes"]


def test_an_answer_cut_at_the_output_limit_is_wrong_with_its_mode(tmp_path: Path) -> None:
    log = _run(tmp_path, _answering(lambda reference: reference[:-40], "max_tokens"), 2)
    for sample in _samples(log):
        assert "cut_off" in (_score(sample).metadata or {})["failure_modes"]
        assert _score(sample).value == "I"


def test_a_prompt_that_did_not_fit_is_unscored_and_never_wrong(tmp_path: Path) -> None:
    log = _run(tmp_path, _answering(lambda _: "", "model_length"), 2)
    for sample in _samples(log):
        assert math.isnan(_score(sample).as_float())
        assert _score(sample).reason == "input_not_seen_whole"
    assert log.results is not None
    unscored = {score.name: score.unscored_samples for score in log.results.scores}
    assert {unscored[name] for name in ("rules", "item_recall", "item_precision")} == {2}
    record = inspect_logs.read_run(Path(log.location.removeprefix("file://")))
    assert [sample.correct for sample in record.samples] == [None, None]


def test_an_unknown_fate_of_a_prompt_is_one_sentence(tmp_path: Path) -> None:
    log = _run(tmp_path, "seqniah/lexical", 1)
    (sample,) = _samples(log)
    sample.metadata["prompt_fate"] = "eaten"
    write_eval_log(log, str(tmp_path / "eaten.eval"))
    told = rf"sample '{sample.id}', epoch 1: prompt_fate is whole or .* not 'eaten'; fix it or"
    with pytest.raises(SeqniahError, match=told):
        inspect_logs.read_run(tmp_path / "eaten.eval")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"lang": "fr"}, r"Unknown lang 'fr'; known: en, zh"),
        ({"length": "4k"}, r"known: 8k-16k"),
        ({"scorer": "vibes"}, r"Unknown scorer 'vibes'; known: auto, rules"),
        ({"corpus": "/nowhere"}, r"corpus /nowhere is not there"),
        ({"tokenizer": "gpt9"}, r"Unknown tokenizer 'gpt9'"),
        ({"lang": "en", "needles": "3", "length": "8k-16k", "seed": "x"}, "seed is a whole number"),
    ],
)
def test_a_wrong_option_is_one_sentence(
    tmp_path: Path, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(PrerequisiteError) as error:
        seqniah.test(**options)
    import re

    assert re.search(message, str(error.value.message)), error.value.message


def test_filters_that_leave_nothing_say_so() -> None:
    with pytest.raises(PrerequisiteError) as error:
        seqniah.test(
            needles="3",
            limit_per_stratum=1,
            length="8k-16k",
            pipeline="synthetic-temporal",
            lang="en",
            order="sorted",
            seed=3,
            tokenizer="nope",
        )
    assert "tokenizer" in str(error.value.message)


@pytest.mark.parametrize("arguments", [{"top_k": 0}, {"top_k": "many"}, {"topk": 3}])
def test_a_wrong_model_argument_is_one_sentence(arguments: dict[str, Any]) -> None:
    with pytest.raises(PrerequisiteError):
        get_model("seqniah/lexical", **arguments)


def test_an_unknown_baseline_lists_the_known_ones() -> None:
    with pytest.raises(PrerequisiteError) as error:
        get_model("seqniah/oracle")
    assert "known: seqniah/lexical" in str(error.value.message)


def test_the_other_splits_are_there_by_name(tmp_path: Path) -> None:
    for split in ("dev", "train"):
        log = run_eval(
            f"seqniah/{split}", model="seqniah/lexical", limit=1, log_dir=str(tmp_path),
            display="log", task_args=SHORT,
        )[0]  # fmt: skip
        assert log.status == "success"
        assert str(_samples(log)[0].id).startswith(f"{split}-")
