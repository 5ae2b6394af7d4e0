"""Counting-Stars in inspect-ai: by name, with options, scored; with models that misbehave."""

from __future__ import annotations

import json
import math
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from inspect import signature
from pathlib import Path
from typing import Any, get_args

import command_line
import pytest
from inspect_ai import eval as run_eval
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.log import EvalLog, EvalSample, write_eval_log
from inspect_ai.model import ModelOutput, ModelUsage, StopReason, get_model
from inspect_ai.scorer import Score
from inspect_ai.viewer import TaskSamplesView
from inspect_ai.viewer._config import TaskSamplesColumnId
from markdown_it import MarkdownIt

import seqniah
from seqniah_datasets import tokens
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.schema import StarAsk, StarTask
from seqniah_scorers.stars import StarCase, judge
from seqniah_tasks.adapters.inspect import logs as inspect_logs
from seqniah_tasks.benchmarks.counting_stars import explain as explain_stars
from seqniah_tasks.benchmarks.counting_stars.bench import (
    VERSION,
    CountingStars,
)
from seqniah_tasks.benchmarks.counting_stars.options import StarOptions, read_star_options
from seqniah_tasks.benchmarks.counting_stars.questions import case_of
from seqniah_tasks.benchmarks.options import Guard, parameters
from seqniah_tasks.means import mean_score
from seqniah_tasks.truncation import Fate
from seqniah_tasks.views.summary import figures_as_json

SMALL: dict[str, Any] = {"m": 4, "n": 2, "max_length": "4k"}

Answering = Callable[[StarCase], str]


def _run(folder: Path, model: Any, epochs: int = 1, **options: Any) -> EvalLog:
    log = run_eval(
        "seqniah/counting_stars",
        model=model,
        log_dir=str(folder),
        display="log",
        epochs=epochs,
        task_args={**SMALL, **options},
    )[0]
    assert log.status == "success", log.error
    return log


def _answering(
    answer: Answering, stop: StopReason = "stop", most: int = 10**9, **options: Any
) -> Any:
    """A model that answers as `answer` says of the sample that it sees, and reads `most` tokens."""
    guard = ("on_overflow", "context")
    given = {name: value for name, value in options.items() if name not in guard}
    bench = CountingStars(read_star_options(**{**SMALL, **given}))
    cases = {
        bench.prompt(planned).text: case_of(bench.item(planned).facts, "") for planned in bench.plan
    }

    def outputs(messages: Any, *_: Any) -> ModelOutput:
        prompt = messages[-1].text
        output = ModelOutput.from_content("mock", answer(cases[prompt]), stop)
        seen = min(tokens.tokenizer().count(prompt), most)
        output.usage = ModelUsage(input_tokens=seen, output_tokens=1, total_tokens=seen + 1)
        return output

    return get_model("mockllm/model", custom_outputs=outputs)


def _right(case: StarCase) -> str:
    if case.ask is StarAsk.SUM:
        return _json(case, sum(case.right))
    return _json(case, max(case.right) if case.ask is StarAsk.LARGEST else case.right)


def _json(case: StarCase, value: Any) -> str:
    return json.dumps({case.asked[0]: value}, ensure_ascii=False)


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
    return sample.scores["stars"]


def _told(sample: EvalSample) -> dict[str, Any]:
    return _score(sample).metadata or {}


def _record(log: EvalLog) -> Any:
    return inspect_logs.read_run(Path(log.location.removeprefix("file://")))


# Options.


def test_the_task_takes_all_options_with_their_defaults() -> None:
    *taken, unknown = signature(seqniah.counting_stars).parameters.values()
    wanted = parameters(StarOptions, Guard, fixed={})
    assert [(one.name, one.default) for one in taken] == [(one.name, one.default) for one in wanted]
    assert unknown.kind is unknown.VAR_KEYWORD  # so that a misspelt name can be refused
    told = seqniah.counting_stars.__doc__ or ""
    assert re.findall(r"^ {8}(\w+):", told, re.M) == [one.name for one in wanted]


def test_a_misspelt_option_names_the_nearest() -> None:
    with pytest.raises(PrerequisiteError, match="no option 'lenght'; did you mean"):
        seqniah.counting_stars(lenght="4k")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"lang": "fr"}, "Unknown lang 'fr'; known: en, zh"),
        ({"task": "counting"}, "Unknown task 'counting'; known: searching, reasoning, players"),
        ({"preset": "32-32", "m": 3}, "preset=32-32 says what m is"),
        ({"m": 0}, "m is a whole number from 1, not 0"),
        ({"max_length": "long"}, "max_length is a length like 128000, 128k or 1m"),
        ({"ask": "sum"}, "ask is for task=players"),
        ({"m": 2000, "max_length": "4k"}, "2,000 stars do not fit into 4,000 tokens"),
        ({"corpus": "/nowhere"}, "corpus /nowhere is not there"),
        ({"on_overflow": "shrug"}, "Unknown on_overflow 'shrug'; known: refuse, skip"),
        ({"context": "big"}, "context is a whole number from 1"),
    ],
)
def test_a_wrong_option_is_one_sentence(options: dict[str, Any], message: str) -> None:
    with pytest.raises(PrerequisiteError) as error:
        seqniah.counting_stars(**{"n": 1, **options})
    assert re.search(message, str(error.value.message)), error.value.message


def test_the_name_and_facts_of_a_task_say_what_is_unusual() -> None:
    task = seqniah.counting_stars(**{**SMALL, "task": "reasoning", "order": "shuffled"})
    assert task.display_name == "Counting-Stars 4-2-shuffled (reasoning, up to 4k)"
    usual = seqniah.counting_stars(**{**SMALL, "max_length": "128k"})
    assert usual.display_name == "Counting-Stars 4-2"
    facts = task.metadata or {}
    assert (facts["benchmark"], facts["task"], facts["stars"]) == ("counting-stars", "reasoning", 4)
    assert facts["scorer"] == "counting rules 2"


# Answers.


def test_the_baseline_runs_the_whole_loop(tmp_path: Path) -> None:
    log = _run(tmp_path, "seqniah/lexical")
    assert len(_samples(log)) == 4
    for sample in _samples(log):
        prompt, facts = sample.messages[0].text, sample.metadata
        assert facts["prompt_tokens"] == tokens.tokenizer().count(prompt)
        assert prompt.endswith(str(sample.input))
        assert len(facts["needle_depths"]) == facts["needles"] == 4
        assert 0.95 * facts["length"] < facts["prompt_tokens"] <= facts["length"]
        assert facts["length_bin"] == f"{facts['length'] // 1000}k"
        assert all(re.search(rf"(?<!\d){number}(?!\d)", prompt) for number in facts["right"])
    assert log.eval.task_version == VERSION
    assert (log.eval.metadata or {})["edition"] == "4-2"


def test_right_answers_are_right_in_every_figure(tmp_path: Path) -> None:
    metrics = _metrics(_run(tmp_path, _answering(_right)))
    assert metrics["stars.mean"] == metrics["stars.upper"] == 1.0
    assert 0.0 < metrics["stars.lower"] < 1.0
    for group in ("2k", "4k", "en", "zh"):
        assert metrics[f"stars.{group}"] == 1.0
    assert "stars.list" not in metrics
    assert metrics["position.mean"] == metrics["precision.mean"] == 1.0
    assert "confusion.mean" not in metrics


def test_the_headline_is_the_mean_score(tmp_path: Path) -> None:
    log = _run(tmp_path, _answering(lambda _: ""))
    assert log.results
    assert log.results.headline
    assert (log.results.headline.scorer, log.results.headline.metric) == ("stars", "mean")


def test_a_partly_right_answer_is_told_star_by_star(tmp_path: Path) -> None:
    def partly(case: StarCase) -> str:
        first, second, third, _ = case.right
        return _json(case, [second, first, third])

    log = _run(tmp_path, _answering(partly))
    assert _metrics(log)["stars.mean"] == 0.75
    assert _metrics(log)["position.mean"] == 0.25
    for sample in _samples(log):
        told = _told(sample)
        assert (told["credits"], told["positions"]) == ("1110", "0010")
        assert told["failure_modes"] == ["missing_items", "wrong_order"]
        number, depth = sample.metadata["right"][3], sample.metadata["needle_depths"][3]
        row = f"- star 4, number {number} at {depth:.1%} of the text: missing"
        assert row in (_score(sample).explanation or "").split("\n")
    assert [sample.correct for sample in _record(log).samples] == [False] * 4


def test_reasoning_gives_halves_and_quarters(tmp_path: Path) -> None:
    def mixed(case: StarCase) -> str:
        right, wrong = case.right, case.wrong
        return _json(case, [right[0], wrong[1], right[1], wrong[2]])

    log = _run(tmp_path, _answering(mixed, task="reasoning"), task="reasoning")
    assert _metrics(log)["stars.mean"] == (1 + 0.5 + 0.25 + 0) / 4
    for sample in _samples(log):
        assert _told(sample)["credits"] == "1hq0"
        assert "mistaken_counts" in _told(sample)["failure_modes"]
        second, third = sample.metadata["wrong"][1:3]
        told = _score(sample).explanation or ""
        assert f"both its number and the mistaken {second} are listed" in told
        assert f"only the mistaken {third} is listed" in told
        assert f"Numbers counted by mistake: {second}, {third}." in told


PLAYERS: dict[str, Any] = {"task": "players", "m": 8, "players": 3, "lang": "en"}
PLAYERS |= {"n": 3, "max_length": "12k"}


def test_players_are_right_in_every_question(tmp_path: Path) -> None:
    log = _run(tmp_path, _answering(_right, **PLAYERS), **PLAYERS)
    metrics = _metrics(log)
    assert metrics["stars.mean"] == 1.0
    names = [name.removeprefix("stars.") for name in metrics if name.startswith("stars.")]
    groups = ["4k", "8k", "12k", "en", "list", "sum", "largest", "order"]
    assert names == ["mean", "lower", "upper", *groups]
    assert metrics["confusion.mean"] == 0.0
    assert log.results
    scored = {one.name: one.scored_samples for one in log.results.scores}
    # Of a sum and a largest number there is no place and no share.
    assert (scored["stars"], scored["position"], scored["confusion"]) == (12, 6, 12)


def test_the_list_that_was_asked_for_is_read(tmp_path: Path) -> None:
    def with_notes(case: StarCase) -> str:
        notes = {**json.loads(_right(case)), "noted": [n for one in case.others for n in one]}
        return json.dumps(notes, ensure_ascii=False)

    log = _run(tmp_path, _answering(with_notes, **PLAYERS), **PLAYERS)
    assert _metrics(log)["stars.mean"] == 1.0


def test_another_players_numbers_are_confusion(tmp_path: Path) -> None:
    def theirs(case: StarCase) -> str:
        return _right(
            StarCase(case.task, case.ask, case.others[0], "", asked=case.asked, others=())
        )

    log = _run(tmp_path, _answering(theirs, **PLAYERS), **PLAYERS)
    for sample in _samples(log):
        assert _score(sample).value == 0.0
        assert _told(sample)["confusion"] == 1.0
        assert "other_player" in _told(sample)["failure_modes"]
    assert _metrics(log)["confusion.mean"] == 1.0


@pytest.mark.parametrize(
    ("answer", "mode"),
    [
        (" ", "no_answer"),
        ("I cannot find this in the text.", "refusal"),
        ('{"little_penguin": []}', "no_answer"),
        ("Here they are:", "unreadable"),
        ('{"little_penguin": [', "no_answer"),
    ],
)
def test_no_answer_scores_nothing_and_is_counted(tmp_path: Path, answer: str, mode: str) -> None:
    log = _run(tmp_path, _answering(lambda _: answer), n=1)
    metrics = _metrics(log)
    assert metrics["stars.mean"] == metrics["position.mean"] == 0.0
    assert math.isnan(metrics["precision.mean"])
    for sample in _samples(log):
        assert _told(sample)["failure_modes"][-1] == mode
        assert _told(sample)["credits"] == "0000"


def test_the_output_limit_is_told(tmp_path: Path) -> None:
    log = _run(tmp_path, _answering(lambda case: _right(case)[:-3], "max_tokens"), n=1)
    for sample in _samples(log):
        assert "The output limit ended the answer." in (_score(sample).explanation or "")


def test_epochs_of_a_sample_count_by_their_mean(tmp_path: Path) -> None:
    seen: Counter[tuple[int, ...]] = Counter()

    def once(case: StarCase) -> str:
        seen[case.right] += 1
        return _right(case) if seen[case.right] == 1 else " "

    log = _run(tmp_path, _answering(once), epochs=2)
    metrics = _metrics(log)
    assert metrics["stars.mean"] == metrics["stars.2k"] == metrics["position.mean"] == 0.5
    record = _record(log)
    assert len(record.samples) == 8
    found = mean_score(record.samples)
    assert (found.value, found.of) == (0.5, 4)
    assert list(figures_as_json(record)["strata"]) == [  # type: ignore[call-overload]
        "length: 2k", "length: 4k", "language: en", "language: zh",
    ]  # fmt: skip
    # The summary and the log say the same.
    assert (found.low, found.high) == (metrics["stars.lower"], metrics["stars.upper"])


def test_a_grader_is_neither_needed_nor_asked(tmp_path: Path) -> None:
    def never(*_: Any) -> ModelOutput:
        raise AssertionError("the grader was asked")

    log = run_eval(
        "seqniah/counting_stars",
        model=_answering(lambda _: "12 or 13, who knows"),
        model_roles={"grader": get_model("mockllm/grader", custom_outputs=never)},
        log_dir=str(tmp_path),
        display="log",
        task_args=SMALL,
    )[0]
    assert log.status == "success"
    assert {_told(sample)["judge"] for sample in _samples(log)} == {"counting rules 2"}


def test_a_log_whose_failure_modes_are_no_list_is_read_or_named(tmp_path: Path) -> None:
    log = _run(tmp_path, _answering(_right))
    for odd in (None, 7, "none"):
        for sample in _samples(log):
            _told(sample)["failure_modes"] = odd
        write_eval_log(log)
        if odd is None:
            record = _record(log)
            assert [sample.failure_modes for sample in record.samples] == [None] * 4
            assert mean_score(record.samples).value == 1.0
            continue
        with pytest.raises(SeqniahError, match=f"failure_modes is a list of .* not {odd!r}"):
            _record(log)


# Prompts that a model cannot have seen whole.


def test_a_prompt_that_did_not_fit_is_unscored_and_never_wrong(tmp_path: Path) -> None:
    log = _run(tmp_path, _answering(lambda _: "", "model_length"))
    for sample in _samples(log):
        assert math.isnan(_score(sample).as_float())
        assert _score(sample).reason == "input_not_seen_whole"
    assert log.results is not None
    unscored = {score.name: score.unscored_samples for score in log.results.scores}
    assert {unscored[name] for name in ("stars", "position", "precision", "confusion")} == {4}
    record = _record(log)
    assert [sample.score for sample in record.samples] == [None] * 4
    for run in (record, replace(record, samples=())):
        told = figures_as_json(run)
        assert told["score"] == [None, 0.0, 1.0, 0] and "accuracy" not in told


def test_prompts_cut_in_silence_are_in_no_figure(tmp_path: Path) -> None:
    eight: dict[str, Any] = {"n": 8, "max_length": "8k", "lang": "en"}

    bench = CountingStars(read_star_options(**{**SMALL, **eight}))
    beyond = {bench.asked(planned).right for planned in bench.plan if planned.tokens > 5_200}

    def unless_cut(case: StarCase) -> str:
        return "" if case.right in beyond else _right(case)

    log = _run(tmp_path, _answering(unless_cut, most=5_200, **eight), **eight)
    record = _record(log)
    cut = {sample.id for sample in record.samples if sample.prompt_fate == Fate.CUT}
    long = {str(one.id) for one in _samples(log) if one.metadata["prompt_tokens"] > 5_200}
    assert cut == long
    assert len(cut) == 3
    metrics = _metrics(log)
    assert metrics["stars.mean"] == mean_score(record.samples).value == 1.0
    assert metrics["prompt.cut"] == 3
    assert {name for name in metrics if re.fullmatch(r"stars\.\dk", name)} == {
        f"stars.{size}k" for size in (1, 2, 3, 4, 5)
    }
    for sample in record.samples:
        assert (sample.score is None) == (sample.id in cut)
        assert not sample.failure_modes


def test_what_does_not_fit_is_skipped_or_refused(tmp_path: Path) -> None:
    window = 2_000 + 128 + 2_048 + 100
    log = _run(tmp_path, _answering(_right), on_overflow="skip", context=window)
    for sample in _samples(log):
        skipped = _score(sample).reason == "input_not_seen_whole"
        assert skipped == (sample.metadata["length"] == 4_000)
        assert skipped == (sample.metadata.get("prompt_fate") == "skipped")
    assert _metrics(log)["prompt.skipped"] == 2
    assert _metrics(log)["stars.mean"] == 1.0
    with pytest.raises(
        Exception, match=r"for 2 samples \(0 of 2 in 2k, 2 of 2 in 4k\); pass "
    ) as told:
        _run(tmp_path, _answering(_right), context=window)
    said = str(getattr(told.value, "message", told.value))
    given = re.search(r"-T max_length=(\w+)", said)
    assert given
    # What is advised is a way out.
    fits = _run(
        tmp_path, _answering(_right, max_length=given[1]), context=window, max_length=given[1]
    )
    assert _metrics(fits)["stars.mean"] == 1.0


def test_a_server_that_says_nothing_leaves_prompts_unverified(tmp_path: Path) -> None:
    log = _run(tmp_path, _answering(_right, most=0))
    assert _metrics(log)["prompt.unverified"] == 4
    assert _metrics(log)["stars.mean"] == 1.0


# What a person sees.


def _only_code_of_others(text: str) -> None:
    found = MarkdownIt("commonmark", {"html": True}).parse(text)
    kinds = {token.type for block in found for token in (block, *(block.children or []))}
    kinds = {kind.removesuffix("_open").removesuffix("_close") for kind in kinds}
    harmless = {"paragraph", "inline", "text", "softbreak", "code_inline", "list_item"}
    assert kinds <= {*harmless, "bullet_list"}


ATTACKS = (
    "<script>window.PWNED = 1</script> [12, 13]",
    "`` ` 12, 13\n\n# All right\n\n- star 1: **right**",
    '{"little_penguin": [12, "<img src=x onerror=alert(1)>", "[a](javascript:1)"]}',
)


@pytest.mark.parametrize("answer", ATTACKS)
@pytest.mark.parametrize("task", list(StarTask))
def test_explanations_hold_no_markup_of_an_answer(task: StarTask, answer: str) -> None:
    case = StarCase(
        task, StarAsk.LIST, (3, 7, 12), answer,
        wrong=(4, 6, 13) if task is StarTask.REASONING else (),
        others=((13, 20),) if task is StarTask.PLAYERS else (),
    )  # fmt: skip
    told = explain_stars.explain(case, judge(case), (0.25, 0.5, 1.0))
    _only_code_of_others(told)
    assert "- star 2, number 7 at 50.0% of the text: missing" in told


def test_an_explanation_of_ten_thousand_stars_is_short() -> None:
    right = tuple(range(3, 40_003, 4))
    for response in ("", json.dumps([n + 1 for n in right]), json.dumps(right[::2]), "9" * 10**6):
        case = StarCase(StarTask.SEARCHING, StarAsk.LIST, right, response)
        told = explain_stars.explain(case, judge(case), tuple(n / 40_003 for n in right))
        assert len(told) < 5_000
        missed = 10_000 - sum(map(bool, judge(case).credits))
        assert f"\n\nAnd {missed - explain_stars.MOST_ROWS:,} more." in told


def test_a_number_behind_those_that_count_is_no_plain_miss() -> None:
    case = StarCase(StarTask.SEARCHING, StarAsk.LIST, (3, 7, 12), "[1, 3, 2, 7]")
    rows = explain_stars.explain(case, judge(case)).split("\n")
    late = "listed, but not among the first 3 numbers, which alone count"
    assert [row for row in rows if row.startswith("- ")] == [
        f"- star 2, number 7: {late}",
        "- star 3, number 12: missing",
    ]


def test_an_explanation_of_a_number_tells_what_it_is_made_of() -> None:
    case = StarCase(StarTask.PLAYERS, StarAsk.SUM, (3, 7), '{"sum": 11}', others=((5, 6),))
    told = explain_stars.explain(case, judge(case))
    assert "The sum is 10; the answer is 11" in told
    assert judge(case).reason in told
    assert " 3, 7." in told
    assert "missing" not in told


def _columns(view: TaskSamplesView) -> Iterator[str]:
    return (column.id for column in view.columns or [])


def test_the_viewer_shows_the_scores_and_the_worst_first(tmp_path: Path) -> None:
    log = _run(tmp_path, _answering(_right, **PLAYERS), **PLAYERS)
    assert log.eval.viewer
    assert log.eval.viewer.trust_content is False
    view = log.eval.viewer.task_samples_view
    assert isinstance(view, TaskSamplesView)
    scores = ["stars", "position", "precision", "confusion", "prompt"]
    ids = list(_columns(view))
    assert [one.rpartition("__")[2] for one in ids if one.startswith("score__")] == scores
    for sample in _samples(log):
        given = sample.scores or {}
        beside = given["placing"].value
        assert isinstance(beside, dict)
        assert [*beside] == scores[1:4]
    assert {one for one in ids if "__" not in one} <= set(get_args(TaskSamplesColumnId))
    assert set(view.score_labels or {}) == set(scores)
    assert set(view.score_color_scales or {}) == set(scores[:4])
    assert [(one.column, one.dir) for one in view.sort or []] == [
        ("sampleStatus", "asc"),
        ("score__stars__stars", "asc"),
    ]


def test_the_viewer_has_no_column_that_is_always_empty(tmp_path: Path) -> None:
    log = _run(tmp_path, _answering(_right))
    assert log.eval.viewer
    view = log.eval.viewer.task_samples_view
    assert isinstance(view, TaskSamplesView)
    # The viewer adds what is not listed.
    shown = {column.id: column.visible for column in view.columns or []}
    assert shown["score__placing__confusion"] is False
    assert shown["score__placing__precision"] is True


# The commands.


def _said(*words: str) -> str:
    done = command_line.run([str(Path(sys.executable).with_name(words[0])), *words[1:]])
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_inspect_and_summary_from_the_command_line(tmp_path: Path) -> None:
    folder = str(tmp_path)
    given = {"n": 3, "max_length": "12k", "m": 8, "task": "players", "players": 2, "lang": "en,zh"}
    options = [word for name, value in given.items() for word in ("-T", f"{name}={value}")]
    _said("inspect", "eval", "seqniah/counting_stars", "--model", "seqniah/lexical",
          *options, "--log-dir", folder, "--display", "none")  # fmt: skip
    said = _said("seqniah", "summary", "--log-dir", folder)
    assert "Score" in said
    assert "Not the usual run: 2 players, up to 12k." in said
    rows = [line.split() for line in said.split("\n") if "%" in line and " to " in line]
    groups = [row[row[0] in ("length", "language", "question")] for row in rows[-9:]]
    assert groups == ["4k", "8k", "12k", "en", "zh", "list", "sum", "largest", "order"]
    facts = json.loads(_said("seqniah", "summary", "--log-dir", folder, "--json"))
    assert facts["score"][3] == 24
    assert "accuracy" not in facts
    assert facts["position"][3] == 12
    assert facts["strata"]["question: sum"][3] == 6
    parts = [facts["strata"][f"question: {ask}"][0] for ask in StarAsk]
    assert facts["score"][0] == pytest.approx(sum(parts) / 4)


@pytest.mark.parametrize(
    ("task", "options", "wrong", "told"),
    [
        ("counting_stars", ("m=4", "n=1", "max_length=2k"), "rules", "seqniah/stars"),
        ("test", ("length=8k-16k", "limit_per_stratum=1", "lang=en"), "stars", "seqniah/rules"),
    ],
)
def test_a_scorer_of_the_other_benchmark_is_refused_in_a_sentence(
    tmp_path: Path, task: str, options: tuple[str, ...], wrong: str, told: str
) -> None:
    inspect = str(Path(sys.executable).with_name("inspect"))
    given = [word for option in options for word in ("-T", option)]
    run = ("--model", "seqniah/lexical", "--limit", "1", "--log-dir", ".", "--display", "none")
    command_line.run([inspect, "eval", f"seqniah/{task}", *run, *given], cwd=tmp_path, check=True)
    (log,) = tmp_path.glob("*.eval")
    words = ("--scorer", f"seqniah/{wrong}", "--action", "append", "--overwrite")
    done = command_line.run([inspect, "score", log.name, *words], cwd=tmp_path)
    said = " ".join((done.stdout + done.stderr).split())
    assert done.returncode != 0
    assert "This log is not of" in said and told in said
    assert "Traceback" not in said
