"""Counting-Stars in lm-eval: its tasks, options, metrics, windows, files, and inspect beside it."""

from __future__ import annotations

import hashlib
import json
import logging
import math
import os
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

import command_line
import pytest
from inspect_ai import eval as run_eval
from inspect_ai.log import EvalSample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from lm_eval.api.metrics import mean_stderr, stderr_for_metric
from lm_eval.api.registry import model_registry, register_model
from lm_eval.loggers import EvaluationTracker
from lm_eval.tasks import TaskManager
from lm_eval_parts import (
    FOLDER,
    Json,
    Listener,
    Windowed,
    digest,
    metric,
    run,
    samples,
)

from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.schema import LANGS, Lang, StarAsk, StarTask
from seqniah_scorers.stars import judge
from seqniah_tasks.adapters.lm_eval import samples as lm_eval_samples
from seqniah_tasks.adapters.lm_eval import verdicts
from seqniah_tasks.adapters.lm_eval.solve import Refusal
from seqniah_tasks.baselines import TOP_K, lexical
from seqniah_tasks.benchmarks.counting_stars.bench import (
    VERSION,
    CountingStars,
)
from seqniah_tasks.benchmarks.counting_stars.options import read_star_options
from seqniah_tasks.benchmarks.counting_stars.prompts import answer_start
from seqniah_tasks.benchmarks.counting_stars.questions import (
    PlannedStars,
    case_of,
)
from seqniah_tasks.budget import LEAST_ANSWER, OVERHEAD
from seqniah_tasks.serve import Counter, running

GROUP, EN, ZH = "counting_stars", "counting_stars_en", "counting_stars_zh"
TASK_OF: dict[Lang, str] = {"en": EN, "zh": ZH}
WISHED = 4_096
"""Tokens of answer that the tasks ask for."""


@pytest.fixture(scope="module")
def small(texts: Path) -> Json:
    """Options of a run that takes a second."""
    return {"corpus": str(texts), "m": 4, "n": 2, "max_length": "8k"}


def bench(options: Json) -> CountingStars:
    return CountingStars(read_star_options(**options))


def loaded(tasks: str, metadata: Json | None = None) -> dict[str, Any]:
    """Tasks by name, made without a run."""
    manager = TaskManager(include_path=FOLDER, include_defaults=False, metadata=metadata)
    found: dict[str, Any] = manager.load(tasks.split(","))["tasks"]
    return found


def plan(known: CountingStars, lang: str) -> list[PlannedStars]:
    return [one for one in known.plan if one.lang == lang]


def begun(known: CountingStars, planned: PlannedStars) -> str:
    """The beginning of the answer that a completion prompt holds."""
    return answer_start(planned.lang, planned.ask, known.asked(planned).key)


# What the harness finds.


def test_the_harness_finds_a_group_of_two_tasks_of_the_benchmarks_version(small: Json) -> None:
    manager = TaskManager(include_path=FOLDER, include_defaults=False, metadata=small)
    ours = {name for name in manager.all_tasks if name.startswith(GROUP)}
    assert ours == {GROUP, EN, ZH}
    found: dict[str, Any] = dict(manager.load([GROUP]))
    assert set(found["tasks"]) == {EN, ZH}
    assert {task.VERSION for task in found["tasks"].values()} == {VERSION}
    assert [str(one.version) for one in found["groups"].values()] == [str(VERSION)]
    assert {EN, ZH} <= manager.task_index["longcxt"].tags


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"task": "reasoning"},
        {"task": "players", "players": 2},
        {"task": "players", "ask": "sum,order"},
        {"repeats": 2, "order": "shuffled"},
        {"numbers": [9, 2, 30, 4]},
        {"numbers": "9,2,30,4", "order": "shuffled"},
        {"seed": 3, "snap": "none", "unit": "characters", "tokenizer": "o200k_base"},
        {"m": "3", "n": "1", "max_length": 6000},
    ],
    ids=str,
)
def test_documents_are_the_benchmarks_own_samples(small: Json, options: Json) -> None:
    given = {**small, **options}
    known = bench(given)
    tasks = loaded(GROUP, given)
    for lang in LANGS:
        docs, planned = list(tasks[TASK_OF[lang]].eval_docs), plan(known, lang)
        assert [doc["id"] for doc in docs] == [one.id for one in planned] != []
        for doc, one in zip(docs, planned, strict=True):
            assert case_of(doc, "an answer") == case_of(known.item(one).facts, "an answer")
            assert doc["reference"] == known.item(one).reference
            assert doc["question"] == known.asked(one).question
            assert (doc["length_bin"], doc["length"]) == (one.length, one.tokens)
            assert doc["setup"] == known.setup()
    doc = docs[0]
    assert tasks[ZH].doc_to_text(doc) == known.prompt(planned[0]).text
    assert len(json.dumps(doc)) < 10_000


def test_a_corpus_of_one_language_serves_its_task(small: Json, tmp_path: Path) -> None:
    text = (Path(small["corpus"]) / "zh.txt").read_text("utf-8")
    (tmp_path / "zh.txt").write_text(text, "utf-8")
    options = {**small, "corpus": str(tmp_path)}
    docs = list(loaded(ZH, options)[ZH].eval_docs)
    assert [doc["id"] for doc in docs] == [one.id for one in bench({**options, "lang": "zh"}).plan]
    with pytest.raises(Refusal, match="no document in English"):
        loaded(EN, options)


def test_a_preset_gives_the_published_lengths(texts: Path) -> None:
    task = loaded(EN, {"preset": "32-16", "corpus": str(texts), "max_length": 16_000})[EN]
    assert sorted(task.eval_docs["length"]) == [1_000 * part for part in range(1, 17)]
    assert set(task.eval_docs["needles"]) == {32}


def test_the_facts_of_the_samples_stand_in_the_results(small: Json) -> None:
    found = run(Listener(), small, tasks=EN, limit=1)
    told = found["configs"][EN]["metadata"]
    assert told["scorer"] == "counting rules 2"
    for name, value in bench({**small, "lang": "en"}).facts().items():
        assert told[name] == value
    json.dumps(told)


# What stands in --model_args is the model's.


class Patient(Windowed):
    """A listener that takes any argument and heeds none."""

    def __init__(self, **given: Any) -> None:
        super().__init__(1_000_000)


def test_what_the_model_is_told_changes_no_samples(
    small: Json, caplog: pytest.LogCaptureFixture
) -> None:
    if "stars-patient" not in model_registry:
        register_model("stars-patient")(Patient)
    args = {"max_length": 32_768, "seed": 4_713, "tokenizer": "no-such", "m": 7, "unit": "inches"}
    chosen = {name: value for name, value in small.items() if name not in args}
    with caplog.at_level(logging.WARNING, "seqniah"):
        found = run("stars-patient", {**chosen, "max_length": "9k"}, tasks=EN, model_args=args)
    known = bench({**chosen, "max_length": "9k"})
    assert [row["doc"]["id"] for row in samples(found, EN)] == [one.id for one in plan(known, "en")]
    assert {row["doc"]["needles"] for row in samples(found, EN)} == {32}
    for told in ("seed=4713", "tokenizer=no-such", "m=7", "unit=inches"):
        assert any(f"{told} of --model_args is the model's" in text for text in caplog.messages)


def test_a_models_length_is_never_the_stars(caplog: pytest.LogCaptureFixture) -> None:
    if "stars-patient" not in model_registry:
        register_model("stars-patient")(Patient)
    with caplog.at_level(logging.WARNING, "seqniah"):
        found = run(
            "stars-patient", {"n": 64, "m": 2}, tasks=EN, limit=1, model_args={"max_length": 32_769}
        )
    assert [row["doc"]["length"] for row in samples(found, EN)] == [128_000]
    assert any("max_length=32769 of --model_args is the model's" in t for t in caplog.messages)


# Mistakes.


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("max_lenght", "max_length"),
        ("presets", "preset"),
        ("player", "players"),
        ("repeat", "repeats"),
        ("number", "numbers"),
        ("on_overfow", "on_overflow"),
    ],
)
def test_a_name_that_is_nearly_one_of_ours_is_refused(small: Json, name: str, meant: str) -> None:
    with pytest.raises(Refusal, match=f"{name!r}.*did you mean {meant!r}"):
        loaded(EN, {**small, name: "2"})


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"preset": "8-8"}, "32-32-shuffled"),
        ({"preset": "32-32", "n": 3}, "leave one of the two out"),
        ({"m": 0}, "m is a whole number from 1"),
        ({"max_length": "wide"}, "max_length is a length like"),
        ({"task": "counting"}, "searching, reasoning, players"),
        ({"ask": "sum"}, "ask is for task=players"),
        ({"lang": "en"}, "name counting_stars_en"),
        ({"corpus": "/no/such/folder"}, "/no/such/folder"),
        ({"on_overflow": "cut"}, "refuse, skip"),
        ({"context": "wide"}, "context is a whole number"),
    ],
    ids=str,
)
def test_a_value_that_is_none_is_refused_in_one_sentence(
    small: Json, options: Json, words: str
) -> None:
    chosen = {name: value for name, value in small.items() if "preset" not in options}
    with pytest.raises(Refusal) as caught:
        loaded(GROUP, {**chosen, **options})
    said = str(caught.value)
    assert said.startswith("seqniah: ") and "\n" not in said
    assert words in said


def test_options_of_the_other_benchmark_are_let_pass_and_told(
    small: Json, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "seqniah"):
        given = {**small, "length": "8k-16k", "needles": "3", "repeats": 1}
        tasks = loaded(f"{EN},seqniah_real_logical_en", given)
    assert {doc["needles"] for doc in tasks[EN].eval_docs} == {4}
    assert {doc["needles"] for doc in tasks["seqniah_real_logical_en"].eval_docs} == {3}
    for name, title in (("needles", "Counting-Stars"), ("repeats", "Sequential-NIAH")):
        told = f"{name} of --metadata changes nothing in {title}"
        assert any(told in text for text in caplog.messages)


# Figures.


Answering = Callable[[CountingStars, PlannedStars], str]


def _with(key: str, value: object) -> str:
    return json.dumps({key: value}, ensure_ascii=False)


def _all(known: CountingStars, planned: PlannedStars) -> str:
    return known.item(planned).reference


def _without_first(known: CountingStars, planned: PlannedStars) -> str:
    asked = known.asked(planned)
    return _with(asked.key, list(asked.right[1:]))


def _last_first(known: CountingStars, planned: PlannedStars) -> str:
    """All right numbers, the last one before the others."""
    asked = known.asked(planned)
    return f"```json\n{_with(asked.key, [asked.right[-1], *asked.right[:-1]])}\n```"


def _mistaken(known: CountingStars, planned: PlannedStars) -> str:
    """What was counted first, or else one number too much for everyone."""
    asked = known.asked(planned)
    return _with(asked.key, list(asked.wrong) or [number + 1_000 for number in asked.right])


def _of_others(known: CountingStars, planned: PlannedStars) -> str:
    asked = known.asked(planned)
    return _with(asked.key, [number for player in asked.others for number in player])


def _prose(known: CountingStars, planned: PlannedStars) -> str:
    return "I count: " + ", ".join(map(str, known.asked(planned).right))


def _nothing(known: CountingStars, planned: PlannedStars) -> str:
    return " "


def _malformed(known: CountingStars, planned: PlannedStars) -> str:
    return '{"little_penguin": [" and so on'


KINDS: list[Answering] = [
    *(_all, _without_first, _last_first, _mistaken, _of_others, _prose, _nothing, _malformed),
]


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample, and what a model will say to it."""

    planned: PlannedStars
    answer: str


def answered(known: CountingStars, kinds: list[Answering] = KINDS) -> dict[str, Sample]:
    """By the prompt's digest; each kind of answer in turn, in every language."""
    found: dict[str, Sample] = {}
    for lang in LANGS:
        for number, planned in enumerate(plan(known, lang)):
            answer = kinds[number % len(kinds)](known, planned)
            found[known.prompt(planned).sha256] = Sample(planned, answer)
    return found


def says(found: dict[str, Sample]) -> Callable[[str], str]:
    """A model that knows these prompts byte for byte, and no other."""
    return lambda prompt: found[digest(prompt)].answer


def test_scores_of_lists_are_the_shares_that_answers_deserve(small: Json) -> None:
    # Of few stars there are few skies; with this seed no two of them are the same.
    options = {**small, "repeats": 4, "seed": 1}
    known = bench(options)
    assert len(answered(known)) == 2 * len(KINDS)
    found = run(Listener(says(answered(known))), options, tasks=GROUP, limit=None)
    for lang in LANGS:
        rows = samples(found, TASK_OF[lang])
        by_kind = dict(zip(KINDS, rows, strict=True))
        scores = [by_kind[kind]["score"] for kind in KINDS]
        assert scores == [1, 3 / 4, 1, 0, 0, 1, 0, 0]
        assert [by_kind[kind]["position"] for kind in KINDS] == [1, 0, 0, 0, 0, 1, 0, 0]
        told = [by_kind[kind]["judged"] for kind in KINDS]
        assert [one["credits"] for one in told][:3] == ["1111", "0111", "1111"]
        assert [one["correct"] for one in told] == [score == 1 for score in scores]
        assert told[0]["failure_modes"] == [] and told[0]["reason"]
        assert told[1]["failure_modes"] == ["missing_items"]
        assert told[2]["failure_modes"] == ["wrong_order"]
        assert told[6]["failure_modes"] == ["no_answer"]
        assert metric(found, "score", TASK_OF[lang]) == pytest.approx(mean(scores))
        assert metric(found, "position", TASK_OF[lang]) == pytest.approx(2 / 8)
        assert metric(found, "judged", TASK_OF[lang]) == 8
        # Each length has every second answer.
        lengths = {row["doc"]["length_bin"]: [] for row in rows}
        for row in rows:
            lengths[row["doc"]["length_bin"]].append(row["score"])
        assert set(lengths) == {"4k", "8k"}
        for name, part in lengths.items():
            assert metric(found, f"len_{name}", TASK_OF[lang]) == pytest.approx(mean(part))
        assert not any("confusion" in key for key in found["results"][TASK_OF[lang]])
        for row in rows:
            assert digest(row["arguments"][0][0]) == row["judged"]["prompt_sha256"]
            assert len(row["judged"]["needle_depths"]) == 4
    group = found["groups"][GROUP]
    assert group["score,rules"] == pytest.approx(mean(scores))
    assert group["unscored,rules"] == 0.0


def test_the_mean_has_a_standard_error(small: Json) -> None:
    options = {**small, "repeats": 2}
    known = bench(options)
    half = answered(known, [_all, _nothing])
    found: Json = run(Listener(says(half)), options, tasks=EN, limit=None)
    scores = [row["score"] for row in samples(found, EN)]
    assert sorted(scores) == [0, 0, 1, 1]
    # The harness has a formula for its own mean alone.
    task = loaded(EN, options)[EN]
    assert stderr_for_metric(task.aggregation()["score"], 10) is mean_stderr
    assert mean_stderr(scores) == pytest.approx(math.sqrt(1 / 3) / 2)


def test_the_reasoning_task_gives_parts_of_a_credit(small: Json) -> None:
    options = {**small, "task": "reasoning", "n": 1, "repeats": 2}
    known = bench(options)
    kinds: list[Answering] = [_mistaken, _all]
    found = run(Listener(says(answered(known, kinds))), options, tasks=EN, limit=None)
    rows = samples(found, EN)
    assert [row["score"] for row in rows] == [0.25, 1]
    assert [row["judged"]["credits"] for row in rows] == ["qqqq", "1111"]
    assert "mistaken_counts" in rows[0]["judged"]["failure_modes"]


def test_players_have_a_confusion_and_single_numbers_no_position(small: Json) -> None:
    options = {**small, "task": "players", "players": 2, "n": 1}
    known = bench(options)
    found = run(Listener(says(answered(known, [_of_others]))), options, tasks=GROUP, limit=None)
    for lang in LANGS:
        rows = {row["doc"]["ask"]: row for row in samples(found, TASK_OF[lang])}
        assert set(rows) == set(StarAsk)
        assert (rows["list"]["score"], rows["list"]["confusion"]) == (0, 1)
        assert rows["list"]["judged"]["credits"] == "00"
        # Two of two players are asked for, so nobody else's numbers can be given.
        assert (rows["order"]["score"], rows["order"]["confusion"]) == (0, 0)
        for ask in ("sum", "largest"):
            assert rows[ask]["position"] is rows[ask]["precision"] is None
            assert rows[ask]["judged"]["credits"] == ""
        told = [row["confusion"] for row in rows.values()]
        assert metric(found, "confusion", TASK_OF[lang]) == pytest.approx(mean(told))
        assert metric(found, "position", TASK_OF[lang]) == 0
    assert found["groups"][GROUP]["confusion,rules"] == pytest.approx(
        mean(metric(found, "confusion", task) for task in (EN, ZH))
    )
    assert found["higher_is_better"][EN]["confusion"] is False


# Completions.


@pytest.mark.parametrize("task", StarTask)
def test_in_completion_form_json_is_begun_after_the_prompt(small: Json, task: StarTask) -> None:
    options = {**small, "task": str(task), "n": 1}
    known = bench(options)
    starts = {
        known.prompt(one).text + begun(known, one): (one, begun(known, one).rpartition("\n")[2])
        for one in known.plan
    }

    def rest(prompt: str) -> str:
        planned, start = starts[prompt]
        right = known.item(planned).reference
        assert right.startswith(start)
        return right.removeprefix(start) + "\nDone."

    model = Listener(rest)
    found = run(model, options, tasks=GROUP, chat=False, limit=None)
    assert sorted(model.prompts) == sorted(starts)
    for lang in LANGS:
        for row in samples(found, TASK_OF[lang]):
            assert row["filtered_resps"] == [row["doc"]["reference"] + "\nDone."]
            assert row["score"] == 1.0
    for wishes in model.wishes:
        assert "\n\n" in wishes["until"] and len(wishes["until"]) <= 4
        # None of them can stand within an answer.
        assert not any(
            stop in known.item(one).reference for stop in wishes["until"] for one in known.plan
        )


def test_an_answer_may_be_as_long_as_the_list_of_all_stars(texts: Path) -> None:
    model = Listener()
    run(model, {"corpus": str(texts), "m": 4, "n": 1, "max_length": "8k"}, tasks=EN, limit=1)
    many = Listener()
    options = {"corpus": str(texts), "m": 1_024, "n": 1, "max_length": "24k"}
    run(many, options, tasks=EN, limit=1)
    assert model.wishes[0]["max_gen_toks"] == WISHED
    (planned,) = plan(bench(options), "en")
    longest = bench(options).longest_answer
    # Some models need a token for each digit.
    written = re.sub(r"\s", "", bench(options).item(planned).reference)
    assert longest > max(LEAST_ANSWER, len(written))
    assert many.wishes[0]["max_gen_toks"] == 2 * longest > WISHED
    with pytest.raises(Refusal, match=f"needs {longest:,} .*; pass --gen_kwargs max_gen_toks="):
        run(Listener(), options, tasks=EN, limit=1, gen_kwargs=f"max_gen_toks={longest - 1}")
    least = Windowed(bench(options).prompt(planned).tokens + OVERHEAD + longest)
    run(least, options, tasks=EN, limit=1)
    assert least.wishes[0]["max_gen_toks"] == longest


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("ask", StarAsk)
def test_baselines_continue_answers_that_have_begun(lang: Lang, ask: StarAsk) -> None:
    told: dict[Lang, tuple[str, str]] = {
        "en": ("The little fox counted {} ★. ", "Which counts had the little fox?"),
        "zh": ("小狐狸数了{}颗★。", "小狐狸数了多少？"),
    }
    sentence, question = told[lang]
    text = "".join(sentence.format(number) for number in (12, 7, 30))
    start = answer_start(lang, ask, "little_fox")
    whole = start.rpartition("\n")[2] + lexical(f"{text}\n\n{question}{start}")
    listed = ask in (StarAsk.LIST, StarAsk.ORDER)
    assert json.loads(whole) == {"little_fox": [12, 7, 30] if listed else 30}
    nobody = start.rpartition("\n")[2] + lexical(f"Nothing here.\n\nWho?{start}")
    assert json.loads(nobody) == {"little_fox": [] if listed else None}


# Windows.


def test_a_window_that_is_too_small_is_refused_with_a_length_that_fits(small: Json) -> None:
    options = {**small, "n": 16, "max_length": "32k"}
    window = 20_000
    model = Windowed(window)
    with pytest.raises(Refusal) as caught:
        run(model, options, tasks=GROUP, limit=None)
    said = str(caught.value)
    assert model.prompts == [] and "\n" not in said
    known = bench(options)
    sizes = {one.tokens: known.prompt(one).tokens for one in plan(known, "en")}
    over = sorted(
        length for length, size in sizes.items() if size + OVERHEAD + LEAST_ANSWER > window
    )
    assert f"{len(over)} of 16 samples, from {over[0] // 1_000}k on, of {EN}" in said
    assert "--model_args max_length=N" in said and '{"on_overflow": "skip"}' in said
    advised = json.loads(said.split("--metadata '")[1].split("'")[0])
    assert set(advised) == {"max_length"} and 17_000 <= advised["max_length"] < 18_000
    fits = Windowed(window)
    run(fits, {**options, **advised}, tasks=GROUP, limit=None)  # as the message says
    assert len(fits.prompts) == 32


def test_samples_that_do_not_fit_can_be_left_out_and_are_counted(small: Json) -> None:
    known = bench(small)
    sizes = [known.prompt(one).tokens for one in plan(known, "en")]
    window = min(sizes) + OVERHEAD + LEAST_ANSWER
    model = Windowed(window, says(answered(known, [_all])))
    found = run(model, {**small, "on_overflow": "skip"}, tasks=EN, limit=None)
    assert len(model.prompts) == 1
    assert metric(found, "left_out", EN) == 1
    assert metric(found, "score", EN) == 1.0
    assert [row["doc"]["length_bin"] for row in samples(found, EN)] == ["4k"]
    assert "len_4k,rules" in found["results"][EN] and "len_8k,rules" not in found["results"][EN]
    with pytest.raises(Refusal, match="No prompt of counting_stars_en fits"):
        run(Windowed(3_000), {**small, "on_overflow": "skip"}, tasks=EN, limit=None)
    with pytest.raises(Refusal, match="more than the 3,000 of Listener"):
        run(Listener(), {**small, "context": 3_000}, tasks=EN, limit=None)


# Files.


SEQNIAH = str(Path(sys.executable).with_name("seqniah"))


def _write(folder: Path, model: Listener, options: Json, tasks: str, **more: Any) -> None:
    """A run that writes its samples below the folder, as the harness's command does."""
    tracker = EvaluationTracker(output_path=str(folder))
    found = run(
        model,
        options,
        tasks=tasks,
        limit=more.pop("limit", None),
        model_args={"model": "org/known"},
        evaluation_tracker=tracker,
        **more,
    )
    kept = found.pop("samples")
    tracker.save_results_aggregated(results=found, samples=kept)
    for task in found["configs"]:
        tracker.save_results_samples(task_name=task, samples=kept[task])


def _score(out: Path, *words: object, code: int = 0) -> tuple[list[Json], list[Json], str]:
    """Rows, runs and standard error of `seqniah score lm-eval`."""
    env = {
        name: value for name, value in os.environ.items() if not name.startswith("SEQNIAH_JUDGE")
    }
    done = command_line.run(
        [SEQNIAH, "score", "lm-eval", *map(str, words), "--out", str(out), "--json"], env=env
    )
    assert done.returncode == code, done.stderr
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    return rows, json.loads(done.stdout)["runs"], done.stderr


VERDICT = (
    *("correct", "score", "position", "precision", "confusion", "credits", "positions"),
    *("failure_modes", "reason", "judge", "judged_by", "needle_depths", "prompt_fate"),
)


@pytest.mark.parametrize("chat", [True, False])
def test_a_run_that_only_predicts_is_scored_later_to_the_same_verdicts(
    small: Json, tmp_path: Path, chat: bool
) -> None:
    options = {**small, "task": "players", "players": 2}
    known = bench(options)
    made = answered(known)
    ends = {"" if chat else begun(known, one) for one in known.plan}

    def answer(prompt: str) -> str:
        for end in ends:
            said = made.get(digest(prompt.removesuffix(end)))
            if said and prompt.endswith(end):
                return said.answer.removeprefix(end.rpartition("\n")[2])
        raise AssertionError("a prompt that is none of the benchmark's")

    for name, only in (("at once", False), ("later", True)):
        folder = tmp_path / name
        _write(folder, Listener(answer), options, GROUP, chat=chat, predict_only=only)
    at_once = {
        row["doc"]["id"]: row
        for path in (tmp_path / "at once").rglob("samples_*.jsonl")
        for row in map(json.loads, path.read_text("utf-8").splitlines())
    }
    assert len(at_once) == len(known.plan)
    for folder in ("at once", "later"):
        rows, (summed,), _ = _score(tmp_path / "verdicts.jsonl", tmp_path / folder)
        assert {row["id"] for row in rows} == set(at_once)
        for row in rows:
            judged, doc = at_once[row["id"]]["judged"], at_once[row["id"]]["doc"]
            assert {name: row[name] for name in VERDICT} == {name: judged[name] for name in VERDICT}
            for name in ("benchmark", "lang", "pipeline", "ask", "length", "needles", "stars"):
                assert row[name] == doc[name]
            assert (row["model"], row["setup"]) == ("org/known", known.setup())
        scores = [row["score"] for row in rows]
        assert summed["task"] == GROUP and summed["scorer"] == "counting rules 2"
        assert summed["score"][0] == pytest.approx(mean(scores))
        assert summed["remarks"] == ["2 players, up to 8k"]
        assert summed["score"][3] == len(scores)


def test_files_of_both_benchmarks_are_scored_together(small: Json, tmp_path: Path) -> None:
    other = "seqniah_real_logical_en"
    model = Listener(lambda prompt: '{"little_penguin": [1]}')
    _write(
        tmp_path, model, {**small, "length": "8k-16k", "scorer": "rules"}, f"{EN},{other}", limit=2
    )
    rows, runs, _ = _score(tmp_path / "verdicts.jsonl", tmp_path)
    assert {row.get("benchmark") for row in rows} == {None, "counting-stars"}
    assert {run["task"] for run in runs} == {EN, other}
    assert {run["scorer"] for run in runs if run["task"] == EN} == {"counting rules 2"}
    assert all("accuracy" in run for run in runs if run["task"] == other)


def test_what_was_not_seen_or_not_answered_is_unscored(small: Json, tmp_path: Path) -> None:
    known = bench(small)
    _write(tmp_path, Listener(says(answered(known, [_all]))), small, EN)
    (path,) = tmp_path.rglob("samples_*.jsonl")
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    rows[0]["judged"]["prompt_fate"] = "cut"
    rows[1]["resps"], rows[1]["filtered_resps"] = [[]], []
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    found, (summed,), said = _score(tmp_path / "verdicts.jsonl", path, code=3)
    assert [(row["score"], row["correct"], row["judged_by"]) for row in found] == 2 * [
        (None, None, None)
    ]
    assert [row["failure_modes"] for row in found] == [[], []]
    assert summed["unscored"] == 2 and summed["score"][0] is None
    assert "2 unscored, the first because: The model did not see the whole prompt" in said


BROKEN: list[tuple[str, Any, str]] = [
    ("right", [1, 2], "doc.right is a list of 4 numbers"),
    ("right", [1, 2, 3, "4"], "doc.right is a list of whole numbers"),
    ("right", [1, 2, 3, 10**30], "doc.right is a list of whole numbers"),
    ("right", [1, 2, 3, True], "doc.right is a list of whole numbers"),
    ("wrong", [1], "doc.wrong is as long a list as right"),
    ("others", [1], "doc.others is a list of lists"),
    ("others", {"a": [1]}, "doc.others is a list of lists"),
    ("asked", ["a\nb"], "doc.asked is a list of names"),
    ("asked", ["a"] * 9, "doc.asked is a list of names"),
    ("ask", "all", "doc.ask is list or sum or largest or order"),
    ("ask", None, "doc.ask is"),
    ("pipeline", "real-logical", "doc.pipeline is searching or reasoning or players"),
    ("pipeline", "reasoning", "doc.wrong is as long a list as right"),
    ("length", "4k", "doc.length is a whole number from 1"),
    ("length_bin", "", "doc.length_bin is a name"),
    ("setup", 3, "doc.setup is empty, or a name"),
    ("needles", 3, "doc.right is a list of 3 numbers"),
    ("benchmark", "counting-sheep", "is no sample of a seqniah task"),
    ("benchmark", ["counting-stars"], "is no sample of a seqniah task"),
]


@pytest.mark.parametrize(("field", "value", "told"), BROKEN)
def test_a_broken_field_is_named_with_file_and_line(
    tmp_path: Path, field: str, value: Any, told: str
) -> None:
    document = {
        **{"id": "stars-1", "benchmark": "counting-stars", "version": 1, "edition": "4-2"},
        **{"tokenizer": "cl100k_base", "corpus": "procedural", "setup": "", "split": "test"},
        **{"stars": 4, "lang": "en", "pipeline": "searching", "ask": "list", "length_bin": "4k"},
        **{"length": 4_000, "needles": 4, "repeat": 1, "question": "Which?", "reference": "{}"},
        **{"right": [1, 2, 3, 4], "wrong": [], "others": [], "asked": ["little_penguin"]},
    }
    row = {"doc": document, "resps": [["[1, 2]"]]}
    path = tmp_path / "samples.jsonl"
    path.write_text(json.dumps(row) + "\n", "utf-8")
    (good,) = verdicts.answers(lm_eval_samples.find([path])[0])
    assert good.benchmark.name == "counting-stars"
    path.write_text(json.dumps({**row, "doc": {**document, field: value}}) + "\n", "utf-8")
    with pytest.raises(SeqniahError, match=f"line 1:? .*{told}") as error:
        verdicts.answers(lm_eval_samples.find([path])[0])
    assert len(str(error.value)) < len(str(path)) + 300


def test_folders_are_searched_for_files_of_stars(tmp_path: Path) -> None:
    name = "samples_counting_stars_en_2025-03-01T10-00-00.000001.jsonl"
    (tmp_path / name).write_text("{}\n", "utf-8")
    (tmp_path / "samples_gsm8k_2025-03-01T10-00-00.jsonl").write_text("{}\n", "utf-8")
    (found,) = lm_eval_samples.find([tmp_path])[0]
    assert (found.path.name, found.task) == (name, EN)


# The command against the rehearsal server.


def _command(folder: Path, url: str, model: str, options: Json, *words: str) -> dict[str, Json]:
    """Lines of the samples files by id, after a run of the harness's command."""
    path = "chat/completions" if "chat" in model else "completions"
    more = "" if "chat" in model else ",tokenized_requests=False,tokenizer_backend=none"
    command = [
        *(str(Path(sys.executable).with_name("lm_eval")), "run", "--include_path", str(FOLDER)),
        *("--model", model, "--model_args", f"model=lexical,base_url={url}/{path}{more}"),
        *("--tasks", GROUP, "--metadata", json.dumps(options), "--log_samples"),
        *("--output_path", str(folder), *words),
    ]
    env = {**os.environ, "OPENAI_API_KEY": "none", "HF_HUB_OFFLINE": "1"}
    done = command_line.run(command, env=env)
    assert done.returncode == 0, done.stderr[-4_000:]
    return {
        row["doc"]["id"]: row
        for file in folder.rglob("samples_*.jsonl")
        for row in map(json.loads, file.read_text("utf-8").splitlines())
    }


@pytest.mark.parametrize("chat", [True, False])
def test_the_command_scores_as_the_baseline_does(small: Json, tmp_path: Path, chat: bool) -> None:
    options = {**small, "task": "players", "players": 3, "m": 6}
    known = bench(options)
    counter = Counter()
    with running(counter=counter) as url:
        model, words = (
            ("local-completions", ())
            if not chat
            else (
                "local-chat-completions",
                ("--apply_chat_template",),
            )
        )
        rows = _command(tmp_path, url, model, options, *words)
    assert rows.keys() == {one.id for one in known.plan}
    assert counter.requests == counter.answered == len(rows)
    scores = []
    for planned in known.plan:
        start = "" if chat else begun(known, planned)
        answer = start.rpartition("\n")[2] + lexical(known.prompt(planned).text + start, TOP_K)
        row, verdict = rows[planned.id], judge(case_of(known.item(planned).facts, answer))
        assert row["filtered_resps"] == [answer]
        assert row["score"] == verdict.score
        assert row["judged"]["failure_modes"] == list(map(str, verdict.failure_modes))
        assert row["confusion"] == verdict.confusion
        assert row["judged"]["prompt_sha256"] == known.prompt(planned).sha256
        scores.append(verdict.score)
    assert 0 < mean(scores) < 1
    (path,) = tmp_path.rglob("results_*.json")
    group = json.loads(path.read_text("utf-8"))["groups"][GROUP]
    assert group["score,rules"] == pytest.approx(mean(scores))


# Both harnesses.


@dataclass(frozen=True, slots=True)
class Found:
    """What a harness says of one sample."""

    prompt: str
    score: float
    figures: tuple[float | None, ...]
    credits: str
    positions: str
    modes: tuple[str, ...]
    reason: str
    sha256: str
    tokens: int
    depths: tuple[float, ...]


def _found(prompt: str, score: float, told: Json, notes: Json) -> Found:
    return Found(
        prompt=hashlib.sha256(prompt.encode()).hexdigest(),
        score=score,
        figures=tuple(told[name] for name in ("position", "precision", "confusion")),
        credits=told["credits"],
        positions=told["positions"],
        modes=tuple(told["failure_modes"]),
        reason=told["reason"],
        sha256=notes["prompt_sha256"],
        tokens=notes["prompt_tokens"],
        depths=tuple(notes["needle_depths"]),
    )


def _by_inspect(sample: EvalSample) -> Found:
    assert sample.scores
    score = sample.scores["stars"]
    assert isinstance(score.value, float | int)
    notes = {**sample.metadata, **(score.metadata or {})}
    return _found(sample.messages[0].text, float(score.value), score.metadata or {}, notes)


def _by_lm_eval(row: Json) -> Found:
    return _found(row["arguments"][0][0], row["score"], row["judged"], row["judged"])


@pytest.mark.parametrize("task", StarTask)
def test_prompts_and_verdicts_are_the_same_in_both_harnesses(
    small: Json, tmp_path: Path, task: StarTask
) -> None:
    options = {**small, "task": str(task), "n": 3, "repeats": 3, "m": 6}
    made = answered(bench(options))

    def outputs(messages: Any, *_: Any) -> ModelOutput:
        output = ModelOutput.from_content("mock", says(made)(messages[-1].text))
        output.usage = ModelUsage()
        return output

    (log,) = run_eval(
        "seqniah/counting_stars",
        model=get_model("mockllm/model", custom_outputs=outputs),
        log_dir=str(tmp_path),
        display="log",
        task_args=options,
    )
    assert log.status == "success", log.error
    found = run(Listener(says(made)), options, tasks=GROUP, limit=None)
    inspected = {str(sample.id): _by_inspect(sample) for sample in log.samples or []}
    rows = [row for name in (EN, ZH) for row in samples(found, name)]
    assert {row["doc"]["id"]: _by_lm_eval(row) for row in rows} == inspected
    assert inspected.keys() == {one.planned.id for one in made.values()}
    for one in made.values():
        assert one.planned.id in inspected
        assert inspected[one.planned.id].prompt == inspected[one.planned.id].sha256
    assert log.results
    ours = {one.name: one.metrics for one in log.results.scores}
    share = mean(one.score for one in inspected.values())
    assert 0 < share < 1
    assert ours["stars"]["mean"].value == pytest.approx(share)
    assert found["groups"][GROUP]["score,rules"] == pytest.approx(share)


def test_the_baseline_has_the_same_floor_in_both_harnesses(small: Json, tmp_path: Path) -> None:
    options = {**small, "m": 32}
    with running(top_k=64) as url:
        rows = _command(tmp_path, url, "local-chat-completions", options, "--apply_chat_template")
    (log,) = run_eval(
        "seqniah/counting_stars",
        model="seqniah/lexical",
        model_args={"top_k": 64},
        log_dir=str(tmp_path),
        display="log",
        task_args=options,
    )
    assert log.status == "success", log.error
    inspected = {str(sample.id): _by_inspect(sample) for sample in log.samples or []}
    assert {name: _by_lm_eval(_sent(row)) for name, row in rows.items()} == inspected
    assert {name: row["filtered_resps"] for name, row in rows.items()} == {
        str(sample.id): [sample.output.completion] for sample in log.samples or []
    }
    assert TOP_K / 32 < mean(one.score for one in inspected.values()) < 1


def _sent(row: Json) -> Json:
    """A line of a samples file of a chat, with the prompt as the model was sent it."""
    (message,) = json.loads(row["arguments"]["gen_args_0"]["arg_0"][0])
    return {**row, "arguments": [[message["content"]]]}
