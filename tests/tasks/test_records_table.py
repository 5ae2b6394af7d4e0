"""The table of records: the same rows from either harness, and nothing from broken files."""

from __future__ import annotations

import csv
import json
import math
import shutil
import sys
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import command_line
import pyarrow.parquet
import pytest
from inspect_ai import Task
from inspect_ai import eval as run_eval
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog, EvalSample, read_eval_log, write_eval_log
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from lm_eval.evaluator import simple_evaluate
from lm_eval.loggers import EvaluationTracker
from lm_eval.tasks import TaskManager
from lm_eval_parts import FOLDER, Json, Listener

from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.schema import NoiseType
from seqniah_tasks.adapters.inspect import logs as inspect_logs
from seqniah_tasks.benchmarks.sequential_niah.bench import SequentialNiah
from seqniah_tasks.benchmarks.sequential_niah.options import read_options
from seqniah_tasks.commands.records import records
from seqniah_tasks.records import Record, columns, record, table, value

SEQNIAH = str(Path(sys.executable).with_name("seqniah"))
PART = {"lang": "zh", "pipeline": "real-logical", "length": "8k-16k"}
TASK = "seqniah_real_logical_zh"
OF_HARNESS = {"harness", "source", "model", "task", "planned", "finished"}
SPENT = {"reported_tokens", "input_tokens", "output_tokens", "seconds", "cost"}
OF_VERDICTS = ("failure_modes", "item_recall", "item_precision", "order_agreement", "found")
COUNT = 5


def _right(items: list[str]) -> list[str]:
    return items


def _short(items: list[str]) -> list[str]:
    return items[1:]


def _swapped(items: list[str]) -> list[str]:
    return [items[1], items[0], *items[2:]]


def _backwards(items: list[str]) -> list[str]:
    return items[::-1]


def _silent(items: list[str]) -> list[str]:
    return []


FAULTS = (_right, _short, _swapped, _backwards, _silent)
"""What the first samples get, in turn."""


@pytest.fixture(autouse=True)
def no_kept_verdicts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Judges keep their replies; these tests ask for each anew."""
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "kept"))


@pytest.fixture(scope="module")
def answering() -> Callable[[str], str]:
    """What a model says to a prompt, whichever harness asks."""
    plan = (bench := SequentialNiah(read_options(**PART))).plan[:COUNT]
    known: dict[str, str] = {}
    for planned, fault in zip(plan, FAULTS, strict=True):
        qa = bench.qa(planned)
        items = [line.removeprefix("- ") for line in qa.reference.split("\n")[1:]]
        given = enumerate(fault(items), 1)
        known[qa.question] = "\n".join(f"{number}. {item}" for number, item in given) or " "
    return lambda prompt: next(text for asked, text in known.items() if prompt.endswith(asked))


def _mock(answering: Callable[[str], str], seen: Callable[[str], int] = lambda _: 0) -> Any:
    """A model that answers so, and reports so many tokens of a prompt, and seven of its answer."""

    def outputs(messages: Any, *_: Any) -> ModelOutput:
        output = ModelOutput.from_content("mock", answering(messages[-1].text))
        read = seen(messages[-1].text)
        written = 7 if read else 0
        output.usage = ModelUsage(
            input_tokens=read, output_tokens=written, total_tokens=read + written
        )
        return output

    return get_model("mockllm/model", custom_outputs=outputs, memoize=False)


def _inspected(folder: Path, model: Any, task: str = "seqniah/test", **more: Any) -> EvalLog:
    given = {"task_args": PART, "limit": COUNT, **more}
    log = run_eval(task, model=model, log_dir=str(folder), display="log", **given)[0]
    assert log.status == "success", log.error
    return log


def _evaluated(folder: Path, answering: Callable[[str], str], **more: Any) -> Path:
    """The samples file of a run that logs its samples as the harness's command does."""
    given = {"length": PART["length"]}
    tracker = EvaluationTracker(output_path=str(folder))
    results: Json = simple_evaluate(
        model=Listener(answering),
        model_args={"model": "org/canned"},
        tasks=[TASK],
        task_manager=TaskManager(include_path=FOLDER, include_defaults=False, metadata=given),
        limit=COUNT,
        apply_chat_template=True,
        bootstrap_iters=0,
        evaluation_tracker=tracker,
        metadata=given,
        **more,
    )
    samples = results.pop("samples")
    tracker.save_results_aggregated(results=results, samples=samples)
    tracker.save_results_samples(task_name=TASK, samples=samples[TASK])
    (path,) = folder.rglob("samples_*.jsonl")
    return path


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory, answering: Callable[[str], str]) -> Path:
    return Path(_inspected(tmp_path_factory.mktemp("logs"), _mock(answering)).location)


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory, answering: Callable[[str], str]) -> Path:
    return _evaluated(tmp_path_factory.mktemp("evaluated"), answering)


def _rows(*given: Path, folder: Path) -> list[Json]:
    """What the command writes."""
    out = folder / "rows.jsonl"
    records(list(given), out)
    return [json.loads(line) for line in out.read_text("utf-8").splitlines()]


def _but(rows: list[Json], *names: str) -> list[Json]:
    return [{name: one[name] for name in one if name not in names} for one in rows]


def _by_id(rows: list[Json]) -> list[Json]:
    return sorted(rows, key=lambda one: str(one["id"]))


def test_rows_of_both_harnesses_agree(log: Path, samples: Path, tmp_path: Path) -> None:
    ours = _rows(log, folder=tmp_path)
    others = _rows(samples, folder=tmp_path)
    assert len(ours) == COUNT
    assert _by_id(_but(ours, *OF_HARNESS, *SPENT)) == _by_id(_but(others, *OF_HARNESS, *SPENT))
    assert {(one["harness"], one["model"], one["task"]) for one in ours} == {
        ("inspect", "mockllm/model", "seqniah/test")
    }
    assert {(one["harness"], one["model"], one["task"]) for one in others} == {
        ("lm-eval", "org/canned", TASK)
    }
    assert {one["source"] for one in others} == {str(samples)}
    # Files of lm-eval are there once a run has ended, and do not tell what it was to do.
    assert {(one["planned"], one["finished"]) for one in ours} == {(COUNT, True)}
    assert {(one["planned"], one["finished"]) for one in others} == {(None, None)}
    # A model that reports no tokens has read none, as far as the table knows.
    for name in SPENT - {"seconds"}:
        assert {one[name] for one in (*ours, *others)} == {None}
    assert all(one["seconds"] > 0 for one in ours)


def test_rows_tell_what_was_answered(log: Path, tmp_path: Path) -> None:
    rows = {one["id"]: one for one in _rows(log, folder=tmp_path)}
    bench = SequentialNiah(read_options(**PART))
    for planned, fault in zip(bench.plan, FAULTS, strict=False):
        one, number = rows[planned.id], planned.needles
        assert one["needles"] == len(one["depths"]) == len(one["found"]) == number
        spans = sorted(bench.sample(planned).spans, key=lambda span: span.needle)
        assert one["depths"] == pytest.approx([span.depth for span in spans], abs=1e-4)
        assert one["prompt_tokens"] == bench.recipe(planned).tokens
        assert (one["noise"], one["variant"], one["base"]) == (None, None, planned.id)
        required = bench.qa(planned).order_required
        assert one["order_required"] is required
        assert one["correct"] is (
            fault is _right or (fault in (_swapped, _backwards) and not required)
        )
        assert (
            one["failure_modes"]
            == {
                _right: [],
                _short: ["missing_items"],
                _swapped: ["wrong_order"] * required,
                _backwards: ["wrong_order"] * required,
                _silent: ["no_answer"],
            }[fault]
        )
        hits = {_short: number - 1, _silent: 0}.get(fault, number)
        assert sum(one["found"]) == hits
        assert one["found"][0] is (fault not in (_short, _silent))
        assert one["item_recall"] == pytest.approx(hits / number, abs=1e-4)
        assert (
            one["order_agreement"]
            == {
                _right: 1.0,
                _short: 1.0,
                _swapped: pytest.approx(1 - 4 / (number * (number - 1)), abs=1e-4),
                _backwards: -1.0,
                _silent: None,
            }[fault]
        )


def _needles(sample: EvalSample, key: str = "rules") -> list[tuple[float, bool]]:
    assert sample.scores
    told = (sample.scores[key].metadata or {})["needles"]
    return [(one["depth"], one["found"]) for one in told]


def test_either_harness_tells_how_the_model_was_asked(
    answering: Callable[[str], str], tmp_path: Path
) -> None:
    settings = {"temperature": 0.5, "reasoning_effort": "low", "max_connections": 3}
    log = Path(_inspected(tmp_path / "logs", _mock(answering), **settings).location)
    samples = _evaluated(tmp_path / "samples", answering, gen_kwargs={"temperature": 0.5})
    told = [{one["generation"] for one in _rows(path, folder=tmp_path)} for path in (log, samples)]
    assert told == [{"reasoning_effort=low, temperature=0.5"}, {"temperature=0.5"}]


def test_epochs_are_rows_in_the_order_of_the_log(tmp_path: Path) -> None:
    given = _inspected(tmp_path, "seqniah/lexical", epochs=2)
    whole = read_eval_log(given.location).samples or []
    rows = inspect_logs.read(Path(given.location))
    assert [(one.id, one.epoch) for one in rows] == [(one.id, one.epoch) for one in whole]
    assert {one.epoch for one in rows} == {1, 2}
    summed = inspect_logs.read_run(Path(given.location)).samples
    assert [(one.correct, one.prompt_fate) for one in rows] == [
        (one.correct, one.prompt_fate) for one in summed
    ]
    for one, sample in zip(rows, whole, strict=True):
        assert sample.output.usage is not None
        assert one.input_tokens == one.reported_tokens == sample.output.usage.input_tokens
        assert one.output_tokens == sample.output.usage.output_tokens
        assert one.seconds == sample.working_time
        assert list(
            zip(value(one, "depths") or (), value(one, "found") or (), strict=True)
        ) == _needles(sample)
    assert len({value(one, "found") for one in rows}) > 1


def test_a_judges_verdicts_and_only_the_models_own_tokens(
    answering: Callable[[str], str], tmp_path: Path
) -> None:
    def label(prompt: str) -> str:
        told = {"order_analysis": "", "eval_analysis": "So it is.", "eval_label": "correct"}
        return json.dumps(told)

    given = _inspected(
        tmp_path,
        _mock(answering, len),
        model_roles={"grader": _mock(label, lambda _: 500)},
        task_args={**PART, "scorer": "judge"},
    )
    whole = read_eval_log(given.location).samples or []
    read = [len(one.messages[0].text) for one in whole]
    both = [one.model_usage["mockllm/model"].input_tokens for one in whole]
    # Where there is no answer, no judge is asked.
    more = [both - own for both, own in zip(both, read, strict=True)]
    assert sorted(more) == [0, *[500] * (COUNT - 1)], "the log has them in one"
    rows = inspect_logs.read(Path(given.location))
    assert sorted((bool(one.correct), str(one.judged_by)) for one in rows) == [
        (False, "rules"),
        *[(True, "model")] * (COUNT - 1),
    ]
    assert {one.judge for one in rows} == {"judge: mockllm/model"}
    assert [(one.input_tokens, one.output_tokens) for one in rows] == [(own, 7) for own in read]
    assert {one.reason for one in rows if one.correct} == {"So it is."}
    # What was found is the rules' to say.
    assert any(one.correct and not all(value(one, "found") or ()) for one in rows)


def test_what_nobody_could_judge_is_unscored(
    answering: Callable[[str], str], tmp_path: Path
) -> None:
    given = _inspected(
        tmp_path,
        _mock(answering),
        model_roles={"grader": _mock(lambda _: "I would rather not say.")},
        task_args={**PART, "scorer": "judge"},
    )
    found = inspect_logs.read(Path(given.location))
    rows = [one for one in found if one.judged_by == "model"]
    assert len(rows) == COUNT - 1, "where there is no answer, no judge is asked"
    assert {one.correct for one in rows} == {None}
    assert all(one.reason for one in rows)
    assert {value(one, name) for one in rows for name in OF_VERDICTS} == {None}


def test_the_deciding_scorer_is_the_last_one(
    log: Path, answering: Callable[[str], str], tmp_path: Path
) -> None:
    from inspect_ai import score

    import seqniah

    again = score(
        read_eval_log(str(log)),
        seqniah.judge(),
        action="append",
        display="log",
        model_roles={"grader": _mock(lambda _: '{"eval_label": "incorrect"}')},
    )
    path = tmp_path / "again.eval"
    write_eval_log(again, str(path))
    before, after = inspect_logs.read(log), inspect_logs.read(path)
    assert any(one.correct for one in before)
    assert {(one.correct, one.judge) for one in after} == {(False, "judge: mockllm/model")}
    assert [value(one, "found") for one in after] == [value(one, "found") for one in before]


def test_a_cut_prompt_is_unscored(answering: Callable[[str], str], tmp_path: Path) -> None:
    given = _inspected(tmp_path, _mock(answering, lambda _: 1_000))
    rows = inspect_logs.read(Path(given.location))
    assert {(one.prompt_fate, one.correct, one.judged_by) for one in rows} == {("cut", None, None)}
    assert {one.reported_tokens for one in rows} == {1_000}
    assert all("did not see the whole prompt" in (one.reason or "") for one in rows)
    assert {value(one, name) for one in rows for name in OF_VERDICTS} == {None}


def test_a_prompt_found_cut_by_later_ones_is_unscored(tmp_path: Path, log: Path) -> None:
    """As a log stands when the first answers came before there was anything to compare with."""

    def edit(number: int, summary: Json) -> None:
        whole = summary["metadata"]["prompt_tokens"]
        # The longest is told to be a third shorter than it should, unlike the others.
        told = whole if number else int(whole * 0.6)
        summary["metadata"] |= {"reported_tokens": told, "prompt_fate": "unverified"}

    rows = inspect_logs.read(_edited(log, tmp_path, edit, copies=3))
    fates = [one.prompt_fate for one in rows]
    assert fates.count("cut") == 1
    cut = rows[fates.index("cut")]
    assert (cut.correct, cut.failure_modes, value(cut, "found"), cut.judged_by) == (
        None,
        None,
        None,
        None,
    )
    assert cut.judge == "rules 7"


def _edited(log: Path, folder: Path, edit: Callable[[int, Json], Any], copies: int = 1) -> Path:
    """The log with other summaries, the longest prompt's first, each `copies` times."""
    path = folder / "edited.eval"
    with zipfile.ZipFile(log) as source, zipfile.ZipFile(path, "w") as target:
        for name in source.namelist():
            raw = source.read(name)
            if name == "summaries.json":
                found = json.loads(raw)
                found.sort(key=lambda one: -one["metadata"]["prompt_tokens"])
                found = [
                    {**json.loads(json.dumps(one)), "epoch": epoch}
                    for epoch in range(1, copies + 1)
                    for one in found
                ]
                for number, one in enumerate(found):
                    edit(number, one)
                raw = json.dumps(found).encode()
            target.writestr(name, raw)
    return path


def test_the_noise_suite_tells_its_variants(tmp_path: Path) -> None:
    given = _inspected(
        tmp_path,
        "seqniah/lexical",
        task="seqniah/noise",
        task_args={**PART, "bases": 1},
        limit=None,
    )
    rows = inspect_logs.read(Path(given.location))
    (base,) = [one for one in rows if value(one, "noise") is None]
    assert base.variant is None and base.base == base.id
    assert {one.base for one in rows} == {base.id}
    assert sorted(
        (str(value(one, "noise")), one.variant or 0) for one in rows if one is not base
    ) == sorted((str(kind), number) for kind in NoiseType for number in (1, 2, 3))
    depths = {str(value(one, "noise")): value(one, "depths") for one in rows}
    assert depths["sn"] != depths["sm"] != value(base, "depths")
    assert depths["ro"] is not None and value(base, "depths") is not None
    assert sorted(depths["ro"]) != list(value(base, "depths"))


def test_a_log_in_json_or_of_a_run_that_goes_on_has_the_same_rows(
    log: Path, tmp_path: Path
) -> None:
    whole = read_eval_log(str(log))
    path = tmp_path / "log.json"
    write_eval_log(whole, str(path))
    rows = inspect_logs.read(log)
    assert [replace(one, source="") for one in inspect_logs.read(path)] == [
        replace(one, source="") for one in rows
    ]
    # Without the summaries of all samples, inspect's own reader finds those of each.
    going = tmp_path / "going.eval"
    with zipfile.ZipFile(log) as source, zipfile.ZipFile(going, "w") as target:
        for name in source.namelist():
            if name not in ("summaries.json", "header.json"):
                target.writestr(name, source.read(name))
    assert [replace(one, source="") for one in inspect_logs.read(going)] == [
        replace(one, source="") for one in rows
    ]


def test_logs_of_earlier_versions_tell_needles_too(log: Path, tmp_path: Path) -> None:
    whole = read_eval_log(str(log))
    for sample in whole.samples or []:
        assert sample.scores
        assert (sample.scores["rules"].metadata or {}).pop("found")
    path = tmp_path / "old.eval"
    write_eval_log(whole, str(path))
    assert [replace(one, source="") for one in inspect_logs.read(path)] == [
        replace(one, source="") for one in inspect_logs.read(log)
    ]


def test_a_sample_that_ended_with_an_error_says_so(tmp_path: Path, log: Path) -> None:
    def edit(number: int, summary: Json) -> None:
        if number == 0:
            summary |= {"scores": None, "error": "The server\nhung up."}

    rows = inspect_logs.read(_edited(log, tmp_path, edit))
    ended = [one for one in rows if one.correct is None]
    assert [one.reason for one in ended] == ["The sample ended with an error: The server hung up."]
    assert (ended[0].judge, ended[0].judged_by, value(ended[0], "found")) == ("rules 7", None, None)


def _set(fields: Json, path: str, value: Any) -> None:
    """One field set, or taken away where the value is an ellipsis."""
    first, _, rest = path.partition(".")
    if rest:
        _set(fields[first], rest, value)
    elif value is ...:
        del fields[first]
    else:
        fields[first] = value


RULES = "scores.rules.metadata"
BROKEN = [
    ("id", None, "summary 1 is not of the form"),
    ("id", "a\nb", "id is a name of at most 4,096 characters that can all be seen, not 'a"),
    ("epoch", "1", "summary 1 is not of the form"),
    ("epoch", -1, "epoch is a whole number from 1, not -1"),
    ("metadata", [], "summary 1 is not of the form"),
    ("scores", {"rules": 3}, "summary 1 is not of the form"),
    ("metadata.lang", "fr", "lang is en or zh, not 'fr'"),
    ("metadata.lang", ["zh"], "lang is en or zh, not"),
    ("metadata.needles", "six", "needles is a whole number from 1, not 'six'"),
    ("metadata.needles", True, "needles is a whole number from 1, not True"),
    ("metadata.prompt_fate", "eaten", "prompt_fate is whole or cut or unverified or skipped, not"),
    ("metadata.prompt_tokens", 10**400, "prompt_tokens is a whole number"),
    ("metadata.prompt_tokens", 3.5, "prompt_tokens is a whole number"),
    ("metadata.prompt_tokens", math.nan, "prompt_tokens is a whole number from 1, not nan"),
    ("metadata.prompt_tokens", 1e30, "prompt_tokens is a whole number from 1, not 1e.30"),
    ("metadata.noise", "loud", "noise is tm or sm or ro or sn, not 'loud'"),
    ("metadata.needle_depths", [2.0], "depths is a list of numbers from 0 to 1"),
    ("metadata.needle_depths", [0.5], "depths is a list of .*, not of 1"),
    ("metadata.needle_depths", "[bold]", "depths is a list of numbers from 0 to 1, not '.bold.'"),
    ("metadata.order_required", 1, "order_required is true or false, not 1"),
    (f"{RULES}.found", [1, 0, 1], "found is a list of true and false"),
    (f"{RULES}.found", [True] * 99_999, "found is a list of true and false"),
    (f"{RULES}.failure_modes", ["x"], "failure_modes is a list of missing_items, "),
    (f"{RULES}.failure_modes", 5, "failure_modes is a list of missing_items, "),
    (f"{RULES}.judge", ["rules 7"], "judge is a name"),
    (f"{RULES}.judged_by", "me", "judged_by is rules or model, not 'me'"),
    (f"{RULES}.reason", 5, "reason is a text, not 5"),
    ("scores.items.value", {"item_recall": 7}, "item_recall is a number from 0 to 1, not 7"),
    ("scores.items.value", {"order_agreement": "x"}, "order_agreement is a number from -1 to 1"),
    ("working_time", -3, "seconds is a number from 0 to .*, not -3"),
    ("working_time", math.inf, "seconds is a number from 0 to .*, not inf"),
    ("working_time", 1e300, "seconds is a number from 0 to 9,007,199,254,740,992, not 1e.300"),
]


@pytest.mark.parametrize(("field", "value", "told"), BROKEN)
def test_a_broken_summary_is_named_with_its_sample(
    log: Path, tmp_path: Path, field: str, value: Any, told: str
) -> None:
    path = _edited(log, tmp_path, lambda number, one: None if number else _set(one, field, value))
    with pytest.raises(SeqniahError, match=told) as error:
        inspect_logs.read(path)
    assert str(error.value).startswith(f"{path}, s")
    assert len(str(error.value)) < len(str(path)) + 400
    with pytest.raises(SeqniahError) as summed_up:
        inspect_logs.read_run(path)
    assert str(summed_up.value) == str(error.value)


@pytest.mark.parametrize("text", [b"", b"PK\x03\x04 and so on", b"{", b"[" * 100_000])
@pytest.mark.parametrize("name", ["log.eval", "log.json"])
def test_what_is_no_log_is_refused(tmp_path: Path, name: str, text: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(text)
    with pytest.raises(SeqniahError, match="is not a readable log of inspect") as error:
        inspect_logs.read(path)
    assert "\n" not in str(error.value)


def test_a_log_that_was_broken_off_is_refused(log: Path, tmp_path: Path) -> None:
    path = tmp_path / "half.eval"
    path.write_bytes(log.read_bytes()[: log.stat().st_size // 2])
    with pytest.raises(SeqniahError, match=r"half\.eval is not a readable log of inspect"):
        inspect_logs.read(path)


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log of a task that is not ours."""
    task = Task(dataset=[Sample(input="What?", target="That.")], name="other")
    folder = tmp_path_factory.mktemp("foreign")
    return Path(
        run_eval(task, model="mockllm/model", log_dir=str(folder), display="log")[0].location
    )


def test_of_a_folder_the_last_run_of_each_model_and_task_counts(
    log: Path, samples: Path, foreign: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "logs"
    whole = read_eval_log(str(log))

    def put(name: str, created: str, **changes: Any) -> Path:
        spec = whole.eval.model_copy(update={"created": created, **changes})
        write_eval_log(whole.model_copy(update={"eval": spec}), str(folder / name))
        return folder / name

    older = put("z.eval", "2025-01-01T00:00:00+00:00")
    newer = put("a.eval", "2025-01-02T00:00:00+00:00")
    model = put("b.eval", "2024-01-01T00:00:00+00:00", model="mockllm/other")
    options = put("c.eval", "2024-01-01T00:00:00+00:00", task_args={"lang": "en"})
    below = put("below/d.eval", "2024-01-01T00:00:00+00:00")
    shutil.copy(foreign, folder)
    # Newest of all, but its run ended before the first sample.
    spec = whole.eval.model_copy(update={"created": "2026-01-01T00:00:00+00:00"})
    empty = whole.model_copy(update={"eval": spec, "samples": [], "status": "error"})
    write_eval_log(empty, str(folder / "e.eval"))
    shutil.copytree(samples.parent, folder / "lm-eval")
    rows = _rows(folder, folder=tmp_path)
    assert list(dict.fromkeys(one["source"] for one in rows)) == [
        *map(str, (newer, model, below, options)),
        str(folder / "lm-eval" / samples.name),
    ]
    assert len(rows) == 5 * COUNT
    said = capsys.readouterr()
    assert f"2 left out, run again later or without a sample yet: {folder}" in said.err
    assert str(older) in said.err and "e.eval" in said.err
    assert f"{5 * COUNT} rows of 5 files: {tmp_path / 'rows.jsonl'}" in said.out
    # What is named itself is never left out, and nothing is there twice.
    assert len(_rows(older, folder, newer, folder=tmp_path)) == 6 * COUNT
    assert "1 left out" in capsys.readouterr().err


def test_there_is_something_to_read(log: Path, foreign: Path, tmp_path: Path) -> None:
    out = tmp_path / "rows.csv"
    with pytest.raises(SeqniahError, match="No log of a seqniah task with a sample in it is in"):
        records([tmp_path], out)
    with pytest.raises(SeqniahError, match="No log of a seqniah task with a sample in it is in"):
        records([foreign.parent], out)
    with pytest.raises(SeqniahError, match="is a log of other, not of a seqniah task"):
        records([foreign], out)
    with pytest.raises(SeqniahError, match=r"There is no .*nowhere"):
        records([tmp_path / "nowhere.eval"], out)
    (tmp_path / "notes.txt").write_text("notes", "utf-8")
    with pytest.raises(SeqniahError, match=r"notes\.txt is no log by its name"):
        records([tmp_path / "notes.txt"], out)
    empty = read_eval_log(str(log)).model_copy(update={"samples": []})
    write_eval_log(empty, str(tmp_path / "empty.eval"))
    with pytest.raises(SeqniahError, match="has no sample yet"):
        records([tmp_path / "empty.eval"], out)
    assert not out.exists()


def _lines(path: Path) -> list[Json]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def _changed(samples: Path, folder: Path, edit: Callable[[list[Json]], Any]) -> Path:
    rows = _lines(samples)
    edit(rows)
    path = folder / samples.name
    path.write_text("".join(f"{json.dumps(one)}\n" for one in rows), "utf-8")
    return path


def test_answers_without_verdicts_are_refused_with_the_way(
    answering: Callable[[str], str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = _evaluated(tmp_path / "predicted", answering, predict_only=True)
    with pytest.raises(SeqniahError, match="line 1 has no verdict; judge the file first") as error:
        records([path], tmp_path / "rows.csv")
    command = str(error.value).partition("this writes: ")[2].split()
    done = command_line.run([SEQNIAH, *command[1:]], cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert len(_rows(tmp_path / "verdicts.jsonl", folder=tmp_path)) == COUNT


LM_BROKEN = [
    ("judged.correct", "yes", "correct is true or false, not 'yes'"),
    ("judged.item_recall", 2, "item_recall is a number from 0 to 1, not 2"),
    ("judged.pairs", [3], "pairs is not as seqniah writes it"),
    ("judged.pairs", [{"reference": []}], "pairs is not as seqniah writes it"),
    ("judged.pairs", ..., "pairs is not as seqniah writes it"),
    ("judged.failure_modes", "none", "failure_modes is a list of"),
    ("judged.reported_tokens", -1, "reported_tokens is a whole number from 1, not -1"),
    ("judged.judge", 3, "judge is a name"),
    ("doc.needles", 10**12, "judged.needle_depths is a list of 1000000000000, not"),
    ("doc.lang", "fr", "doc.lang is en or zh"),
]


@pytest.mark.parametrize(("field", "value", "told"), LM_BROKEN)
def test_a_broken_line_is_named(
    samples: Path, tmp_path: Path, field: str, value: Any, told: str
) -> None:
    path = _changed(samples, tmp_path, lambda rows: _set(rows[1], field, value))
    with pytest.raises(SeqniahError, match=f"line 2:? ?.*{told}"):
        records([path], tmp_path / "rows.csv")


def test_a_sample_twice_is_refused(samples: Path, tmp_path: Path) -> None:
    path = _changed(samples, tmp_path, lambda rows: rows.append(rows[0]))
    with pytest.raises(SeqniahError, match=rf"line {COUNT + 1}: the sample .* was in line 1"):
        records([path], tmp_path / "rows.csv")


def test_verdicts_of_lm_evals_answers_are_rows(samples: Path, tmp_path: Path) -> None:
    out = tmp_path / "verdicts.jsonl"
    command_line.run(
        [SEQNIAH, "score", "lm-eval", str(samples), "--out", str(out), "--judge", "rules"],
        check=True,
    )
    whole, found = _rows(samples, folder=tmp_path), _rows(out, folder=tmp_path)
    assert {one["source"] for one in found} == {str(out)}
    for one, other in zip(whole, found, strict=True):
        told = {name for name in COLUMNS if other[name] is not None} - {"source"}
        assert told >= {"id", "harness", "model", "task", "lang", "length_bin", "depths", "found"}
        assert told >= {"correct", "judge", "judged_by", "failure_modes", "needles", "reason"}
        assert {name: one[name] for name in told} == {name: other[name] for name in told}


def test_verdicts_on_cases_are_rows_without_strata(samples: Path, tmp_path: Path) -> None:
    cases, out = tmp_path / "cases.jsonl", tmp_path / "verdicts.jsonl"
    rows = _lines(samples)
    given = [
        {
            **{name: one["doc"][name] for name in ("id", "lang", "question", "reference")},
            "order_required": one["doc"]["order_required"],
            "needle_type": "logical",
            "response": one["filtered_resps"][0] if number else None,
        }
        for number, one in enumerate(rows)
    ]
    cases.write_text("".join(f"{json.dumps(one)}\n" for one in given), "utf-8")
    done = command_line.run([SEQNIAH, "score", "cases", "--in", str(cases), "--out", str(out)])
    assert done.returncode == 3, "one response never came"
    found, whole = _rows(out, folder=tmp_path), _rows(samples, folder=tmp_path)
    told = {name for one in found for name in COLUMNS if one[name] is not None}
    assert told == {
        *("source", "benchmark", "id", "needles", "order_required", "correct", "score"),
        *("reason", *OF_VERDICTS),
    }
    assert (found[0]["correct"], found[0]["found"], found[0]["needles"]) == (
        None,
        None,
        whole[0]["needles"],
    )
    for one, other in zip(whole[1:], found[1:], strict=True):
        assert {name: one[name] for name in told - {"source"}} == {
            name: other[name] for name in told - {"source"}
        }


@pytest.mark.parametrize(
    ("second", "told"),
    [
        ("{", "line 2 is not JSON"),
        ("[]", "line 2 is no verdict of seqniah score"),
        ('{"id": "x"}', "line 2 is no verdict of seqniah score"),
        ('{"pairs": []}', "line 2: id is missing"),
        ('{"id": "x", "pairs": [], "needle_fates": [1]}', "line 2: needle_fates is not as"),
        ('{"id": "x", "pairs": [], "needles": 1000000000000}', "line 2: .* needles are more"),
        ('{"id": "x", "pairs": [], "correct": 1}', "line 2: correct is true or false, not 1"),
    ],
)
def test_a_broken_verdict_is_named(tmp_path: Path, second: str, told: str) -> None:
    path = tmp_path / "verdicts.jsonl"
    path.write_text(f'{{"id": "a", "pairs": [], "correct": true}}\n{second}\n', "utf-8")
    with pytest.raises(SeqniahError, match=told):
        records([path], tmp_path / "rows.csv")


@pytest.mark.parametrize(
    ("odd", "told"),
    [
        ({"needles": 10**9, "stars": 10**9}, "1,000,000,000 needles are more than 10,000"),
        ({"ask": ["list"]}, "ask is list or sum or largest or order, not"),
        ({"ask": {"list": 1}}, "ask is list or sum or largest or order, not"),
        ({"credits": "1" * 10_001}, "credits has 10,001 signs, more than 10,000"),
        ({"positions": "0" * 10_001}, "positions has 10,001 signs, more than 10,000"),
    ],
)
def test_a_broken_verdict_about_stars_is_named(
    tmp_path: Path, odd: dict[str, Any], told: str
) -> None:
    path = tmp_path / "verdicts.jsonl"
    good = {"benchmark": "counting-stars", "id": "x", "ask": "list", "credits": "1", "score": 1}
    lines = [good, {**good, "id": "y", **odd}]
    path.write_text("".join(f"{json.dumps(one)}\n" for one in lines), "utf-8")
    with pytest.raises(SeqniahError, match=rf"verdicts\.jsonl, line 2: {told}"):
        records([path], tmp_path / "rows.csv")


SCHEMA = table([]).schema
COLUMNS = tuple(columns())


def _made(**given: Any) -> Record:
    return record("here", {"source": "s", "id": "x", **given})


def test_the_table_has_all_columns_whatever_is_there() -> None:
    assert table([_made()]).schema == SCHEMA
    stars = {"benchmark": "counting-stars", "credits": [0.5], "score": 0.5}
    assert table([_made(**stars)]).schema == SCHEMA
    told = {"benchmark": "sequential-niah", "source": "s", "id": "x"}
    assert table([_made()]).to_pylist() == [{**dict.fromkeys(COLUMNS), **told}]
    assert {"pipeline", "item_recall", "found", "ask", "credits"} < set(COLUMNS)


def test_what_is_not_known_is_null() -> None:
    unknown = _made(model="", noise="", variant=0, reported_tokens=0, depths=[], output_tokens=0)
    assert {unknown.model, value(unknown, "noise"), unknown.variant, value(unknown, "depths")} == {
        None
    }
    assert unknown.reported_tokens is None
    assert unknown.output_tokens == 0, "a model may well write nothing"
    assert _made(variant=3).variant is None, "there is no variant without noise"
    assert _made(correct=False, failure_modes=[], found=[]).failure_modes == ()
    with pytest.raises(SeqniahError, match="here: item_recall is a number from 0 to 1, not nan"):
        _made(item_recall=math.nan)


@pytest.fixture
def wild(samples: Path, tmp_path: Path) -> Path:
    """A samples file whose texts are formulas to a spreadsheet."""

    def edit(rows: list[Json]) -> None:
        rows[0]["doc"]["id"] = "=HYPERLINK(1)"
        rows[1]["doc"]["id"] = "@sum"
        rows[0]["judged"]["reason"] = '+1 as one says,\n"so" and half \ud800 a pair'
        rows[1]["judged"]["judge"] = "-1"
        rows[2]["doc"]["corpus"] = "＝1"
        rows[3]["judged"]["reason"] = "so" * 2_000

    return _changed(samples, tmp_path, edit)


def test_cells_are_no_formulas(wild: Path, tmp_path: Path) -> None:
    out = tmp_path / "rows.csv"
    records([wild], out)
    assert out.read_bytes().count(b"\n") == COUNT + 1
    with out.open(encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file))
    assert found[0]["id"] == "'=HYPERLINK(1)"
    assert found[1]["id"] == "'@sum"
    assert found[0]["reason"] == '\'+1 as one says, "so" and half \\ud800 a pair'
    assert found[1]["judge"] == "'-1"
    assert found[2]["corpus"] == "'＝1"
    assert len(found[3]["reason"]) <= 1_024 and found[3]["reason"].endswith("...")
    # A number may be below zero, and an empty cell is one that is not known.
    assert "-1.0" in {one["order_agreement"] for one in found}
    assert {one["noise"] for one in found} == {""}
    for one, line in zip(found, _rows(wild, folder=tmp_path), strict=True):
        for name in ("depths", "found", "failure_modes", "correct", "needles"):
            assert json.loads(one[name]) == line[name]


def test_every_format_holds_the_same(wild: Path, log: Path, tmp_path: Path) -> None:
    rows = _rows(wild, log, folder=tmp_path)
    out = tmp_path / "rows.parquet"
    records([wild, log], out)
    found = pyarrow.parquet.read_table(out)
    assert found.schema == SCHEMA
    assert found.to_pylist() == rows
    again = tmp_path / "again.parquet"
    records([wild, log], again)
    assert again.read_bytes() == out.read_bytes()


def test_a_table_is_written_whole_or_not_at_all(samples: Path, log: Path, tmp_path: Path) -> None:
    out = tmp_path / "rows.csv"
    out.write_text("before", "utf-8")
    broken = _changed(samples, tmp_path, lambda rows: _set(rows[-1], "judged.correct", 3))
    for given in ([log, broken], [tmp_path / "nowhere"]):
        with pytest.raises(SeqniahError):
            records(given, out)
        assert out.read_text("utf-8") == "before"
    with pytest.raises(SeqniahError, match=r"Unknown format of --out '.xlsx'; known: .parquet"):
        records([log], tmp_path / "rows.xlsx")
    with pytest.raises(SeqniahError, match="is a folder; --out is a file"):
        (tmp_path / "folder.csv").mkdir()
        records([log], tmp_path / "folder.csv")
    copy = shutil.copy(samples, tmp_path / "copy.jsonl")
    with pytest.raises(SeqniahError, match="--out would overwrite"):
        records([Path(copy)], Path(copy))
    assert _lines(Path(copy)) == _lines(samples)
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith(".")) == []


def test_the_command(log: Path, samples: Path, tmp_path: Path) -> None:
    out = tmp_path / "rows.parquet"
    done = command_line.run([SEQNIAH, "records", str(log), str(samples), "--out", str(out)])
    assert (done.returncode, done.stdout) == (0, f"{2 * COUNT} rows of 2 files: {out}\n")
    assert pyarrow.parquet.read_table(out).num_rows == 2 * COUNT
    empty = tmp_path / "empty"
    empty.mkdir()
    done = command_line.run([SEQNIAH, "records", str(empty), "--out", str(out)])
    assert done.returncode == 1
    assert done.stderr.startswith("seqniah: No log of a seqniah task") and not done.stdout
