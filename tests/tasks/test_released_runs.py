"""Released samples as a run: alike in both harnesses, with reports, noise figures and commands."""

from __future__ import annotations

import hashlib
import json
import math
import re
from pathlib import Path
from typing import Any

import in_process
import pytest
from inspect_ai import eval as run_eval
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.log import EvalLog
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from lm_eval_parts import Json, Listener, metric, run, samples
from released_rows import ROWS, asked, built, md5, write

from seqniah_tasks import baselines
from seqniah_tasks.adapters.lm_eval.solve import Refusal

REFERENCES = ("ref_answer", "gt_answer", "output")


def _rows(path: Path) -> list[Json]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def _prompt(row: Json) -> str:
    return str(row.get("input") or row["question"])


def _answers(rows: list[Json]) -> dict[str, str]:
    """To each prompt: right ones, shortened ones, others' and the lexical reader's, in turn."""
    references = [next(row[name] for name in REFERENCES if name in row) for row in rows]
    found: dict[str, str] = {}
    for number, (row, own) in enumerate(zip(rows, references, strict=True)):
        intro, _, items = own.partition("\n")
        kinds = (
            own,
            items.rpartition("\n")[0],
            "\n".join([intro, *reversed(items.splitlines())]),
            references[number - 1],
            baselines.lexical(_prompt(row)),
        )
        found[_prompt(row)] = kinds[number % len(kinds)]
    return found


def _inspected(
    data: Path, logs: Path, answers: dict[str, str], task: str = "test", **given: Any
) -> EvalLog:
    def outputs(messages: Any, *_: Any) -> ModelOutput:
        output = ModelOutput.from_content("mock", answers[messages[-1].text])
        output.usage = ModelUsage()
        return output

    (log,) = run_eval(
        f"seqniah/{task}",
        model=get_model("mockllm/model", custom_outputs=outputs),
        log_dir=str(logs),
        display="none",
        task_args={"edition": "released", "data": str(data), "scorer": "rules", **given},
    )
    assert log.status == "success", log.error
    return log


def _by_inspect(log: EvalLog) -> dict[str, tuple[Any, ...]]:
    found: dict[str, tuple[Any, ...]] = {}
    for one in log.samples or []:
        assert one.scores
        told = one.scores["rules"].metadata or {}
        items = one.scores["items"].value
        assert isinstance(items, dict)
        order = items["order_agreement"]
        found[str(one.id)] = (
            one.messages[0].text,
            one.scores["rules"].value == "C",
            told["failure_modes"],
            items["item_recall"],
            items["item_precision"],
            None if math.isnan(order) else order,
        )
    return found


def _by_lm_eval(found: Json, task: str) -> dict[str, tuple[Any, ...]]:
    return {
        row["doc"]["id"]: (
            row["arguments"][0][0],
            row["judged"]["correct"],
            row["judged"]["failure_modes"],
            row["item_recall"],
            row["item_precision"],
            row["order_agreement"],
        )
        for row in samples(found, task)
    }


def _both_agree(data: Path, logs: Path) -> dict[str, tuple[Any, ...]]:
    """What both harnesses say of the same answers, with prompts as the file has them."""
    rows = _rows(data)
    answers = _answers(rows)
    ours = _by_inspect(_inspected(data, logs, answers))
    model = Listener(answers.__getitem__)
    given = {"data": str(data), "scorer": "rules"}
    theirs = _by_lm_eval(
        run(model, given, tasks="seqniah_released", limit=None), "seqniah_released"
    )
    assert ours == theirs
    assert {name: told[0] for name, told in ours.items()} == {
        row["md5"]: _prompt(row) for row in rows
    }
    return ours


def test_verdicts_are_the_same_in_both(tmp_path: Path) -> None:
    data = write(tmp_path / "rows.jsonl", [*ROWS, built(9)])
    found = _both_agree(data, tmp_path / "logs")
    assert [found[md5(n)][1] for n in (1, 2, 3, 4, 9)] == [True, False, False, False, True]


def test_verdicts_on_the_real_noise_prompts_are_the_same_in_both(
    real_data: Path, tmp_path: Path
) -> None:
    data = real_data / "qa_official" / "noise_test_data_for_infer.jsonl"
    found = _both_agree(data, tmp_path / "logs")
    assert len(found) == 24
    # Two kinds of five are right: the row before asks the same question, where it is the answer.
    assert sum(told[1] for told in found.values()) == 10


# Logs, summaries, reports.


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, EvalLog]:
    folder = tmp_path_factory.mktemp("ran")
    rows = [*ROWS, built(9)]
    data = write(folder / "rows.jsonl", rows)
    return folder, _inspected(data, folder / "logs", _answers(rows))


def test_a_log_names_the_file_and_its_digest(ran: tuple[Path, EvalLog]) -> None:
    folder, log = ran
    facts = log.eval.metadata or {}
    digest = hashlib.sha256((folder / "rows.jsonl").read_bytes()).hexdigest()
    assert (facts["edition"], facts["corpus"], facts["corpus_digest"]) == (
        "released", "rows.jsonl", digest,
    )  # fmt: skip
    assert facts["sources"] == {"rows.jsonl": {"name": "rows.jsonl", "digest": digest}}
    depths = {str(one.id): one.metadata["needle_depths"] for one in log.samples or []}
    assert [len(depths[md5(n)]) for n in (1, 9)] == [0, 3]


def test_summary_records_and_report_read_such_a_run(ran: tuple[Path, EvalLog]) -> None:
    folder, _ = ran
    logs = str(folder / "logs")
    told = in_process.run("summary", "--log-dir", logs)
    assert "released edition" in told and "(2 of 6 right" in told
    assert "unknown" in told and "0k-8k (unpublished)" in told
    out = folder / "records.csv"
    in_process.run("records", logs, "--out", str(out))
    lines = out.read_text("utf-8").splitlines()
    assert len(lines) == 7 and "unknown" in "".join(lines)
    in_process.run("report", logs, "--out", str(folder / "report"))
    assert "33.3" in (folder / "report" / "index.html").read_text("utf-8")


def test_samples_are_shown_built_and_counted(ran: tuple[Path, EvalLog]) -> None:
    folder, _ = ran
    words = ("-T", "edition=released", "-T", f"data={folder / 'rows.jsonl'}")
    assert "How do I cook beans?" in in_process.run("show", "test", md5(1), *words)
    in_process.run("build", "test", *words, "--out", str(folder / "built"))
    kept = _rows(folder / "built" / "recipes.jsonl")
    assert {row["id"]: row["input"] for row in kept}[md5(2)] == ROWS[1]["question"]
    counts = json.loads(in_process.run("stats", "test", *words, "--json"))
    here = {(one["margin"], one["value"]): one["here"] for one in counts}
    assert here["all", "all"] == 6 and here["pipeline", "unknown"] == 1
    assert "6" in in_process.run("estimate", "test", *words)


# Noise.


def test_variants_give_the_figures_of_the_suite(tmp_path: Path) -> None:
    rows = [built(8), *(built(8, variant=n, noise_type=None) for n in range(1, 13)), ROWS[0]]
    rows = [{**row, "input": f"{row['input']} "} if "_" in row["md5"] else row for row in rows]
    for number, row in enumerate(rows[1:13]):
        row["input"] = f"{number}{row['input']}"
    data = write(tmp_path / "rows.jsonl", rows)
    wrong = {_prompt(rows[1]), _prompt(rows[12])}  # TM 1 and SN 3
    answers = {
        _prompt(row): "No." if _prompt(row) in wrong else row.get("output", "") for row in rows
    }
    log = _inspected(data, tmp_path / "logs", answers, "noise")
    assert len(log.samples or []) == 13
    assert log.results
    ours = {score.name: score.metrics for score in log.results.scores}["rules"]
    by_hand = {"acc_ref": 1, "acc_tm": 3 / 4, "acc_sm": 1, "acc_ro": 1, "acc_sn": 3 / 4}
    by_hand |= {"acc_all": 11 / 13, "agreement_tm": 0, "agreement_sm": 1}
    assert {name: ours[name].value for name in by_hand} == pytest.approx(by_hand)
    given = {"data": str(data), "edition": "released", "scorer": "rules"}
    model = Listener(answers.__getitem__)
    theirs = run(model, given, tasks="seqniah_noise", limit=None)
    assert {name: metric(theirs, name, "seqniah_noise") for name in by_hand} == pytest.approx(
        by_hand
    )


def test_data_without_variants_is_no_noise_suite(tmp_path: Path) -> None:
    data = write(tmp_path / "rows.jsonl", ROWS)
    with pytest.raises(PrerequisiteError, match="is a variant with noise"):
        _inspected(data, tmp_path / "logs", {}, "noise")


# Refusals before the first request.


def test_both_harnesses_refuse_bad_files_in_a_sentence(tmp_path: Path) -> None:
    data = tmp_path / "rows.jsonl"
    data.write_bytes(write(tmp_path / "whole.jsonl", ROWS).read_bytes()[:-30])
    told = "line 5, the last one, is not whole"
    with pytest.raises(PrerequisiteError, match=told):
        _inspected(data, tmp_path / "logs", {})
    model = Listener()
    with pytest.raises(Refusal, match=told):
        run(model, {"data": str(data)}, tasks="seqniah_released")
    with pytest.raises(Refusal, match="pass data="):
        run(model, {}, tasks="seqniah_released")
    assert not model.prompts


def test_released_questions_are_not_rewritten(tmp_path: Path) -> None:
    data = write(tmp_path / "rows.jsonl", ROWS)
    words = ("-T", "edition=released", "-T", f"data={data}", "--out", str(tmp_path / "qa.jsonl"))
    told = in_process.run("rewrite", "test", *words, "--model", "mockllm/model", code=1)
    assert "asked as they are" in told


# Published answers.


def _scored(folder: Path, answers: list[Json], *words: str, code: int = 0) -> tuple[str, Path]:
    data = write(folder / "rows.jsonl", ROWS)
    given = write(folder / "answers.jsonl", answers)
    out = folder / "verdicts.jsonl"
    paths = ("--data", str(data), "--responses", str(given), "--out", str(out))
    return in_process.run("score", "released", *paths, *words, code=code), out


def test_published_answers_are_joined_and_judged(tmp_path: Path) -> None:
    answers = [
        {"md5": md5(2), "answer": ROWS[1]["gt_answer"]},
        {"md5": md5(1), "Qwen2.5": "1. Soak the beans overnight."},
        {"md5": md5(77), "answer": "of a sample that is not here"},
    ]
    told, out = _scored(tmp_path, answers)
    assert "2 cases judged by rules 7: 1 correct, 1 incorrect, 0 unscored" in told
    rows = _rows(out)
    assert [(row["id"], row["correct"]) for row in rows] == [(md5(2), True), (md5(1), False)]
    assert rows[1]["failure_modes"] == ["missing_items"] and rows[1]["order_required"] is True
    told, _ = _scored(tmp_path, [*answers, {"md5": md5(3), "answer": None}], code=3)
    assert "left out, answers without a sample: 1; samples without an answer: 2." in told
    assert "1 unscored" in told


@pytest.mark.parametrize(
    ("answers", "told"),
    [
        ([{"md5": md5(1), "a": "x", "b": "y"}], "line 1: an answer is md5 and one field more"),
        ([{"answer": "x"}], "line 1: an answer is md5"),
        ([{"md5": md5(1), "a": 3}], "line 1: an answer is a text, or null"),
        ([{"md5": md5(1), "a": "x"}] * 2, "line 2: .* was answered before"),
        ([{"md5": md5(7), "a": "x"}], "No answer of .* is to a sample of"),
        ([], "No answer of .* is to a sample of"),
    ],
    ids=range(6),
)
def test_bad_answers_are_named_with_their_line(
    tmp_path: Path, answers: list[Json], told: str
) -> None:
    said, out = _scored(tmp_path, answers, code=1)
    assert re.search(told, said) and not out.exists()


def test_items_of_several_lines_are_one_each_in_records(tmp_path: Path) -> None:
    nested = "Do these:\n\n1. Soak:\n   - the beans\n   - overnight\n\n2. Boil them.\n\n3. Season."
    data = write(tmp_path / "rows.jsonl", [asked(1, "How do I cook beans?", nested)])
    rows = _rows(data)
    log = _inspected(data, tmp_path / "logs", {_prompt(rows[0]): nested})
    (one,) = log.samples or []
    told = (one.scores or {})["rules"].metadata or {}
    assert told["found"] == [True] * one.metadata["needles"] == [True] * 3
    assert in_process.run("records", str(tmp_path / "logs"), "--out", str(tmp_path / "r.csv"))
