"""Answers to Counting-Stars made elsewhere: scored from a file, then read by the report."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import command_line
import pytest
from inspect_ai import eval as run_eval
from inspect_ai.log import EvalLog

from seqniah_datasets.errors import SeqniahError
from seqniah_tasks.adapters.inspect import logs as inspect_table
from seqniah_tasks.adapters.lm_eval import logs as lm_eval_table
from seqniah_tasks.records import Record, value
from seqniah_tasks.report.runs import study

SEQNIAH = str(Path(sys.executable).with_name("seqniah"))
SKY = [3, 5, 9, 15]

Json = dict[str, Any]


def _call(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    done = command_line.run([SEQNIAH, *words], cwd=folder)
    assert "Traceback" not in done.stderr
    return done


def _score(folder: Path, rows: Sequence[Json]) -> Json:
    """What the command says of the responses; scores.jsonl is then in the folder."""
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "responses.jsonl").write_text(text, encoding="utf-8")
    words = "score counting-stars --in responses.jsonl --out scores.jsonl --json"
    done = _call(folder, *words.split())
    assert done.returncode in (0, 3), done.stderr
    figures: Json = json.loads(done.stdout)
    return figures


def _rows(folder: Path, rows: Sequence[Json]) -> list[Record]:
    _score(folder, rows)
    return lm_eval_table.read_verdicts(folder / "scores.jsonl")


def _lines(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / "report" / "tables" / f"{name}.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _answers() -> list[Json]:
    """Of two models, at three lengths, one also on mistaken counts, one without an answer."""
    given: dict[str, dict[int, str | None]] = {
        "first": {4096: "[3, 5, 9, 15]", 8192: "[5, 9, 15]", 16384: "[15, 7, 3]"},
        "second": {4096: "[3, 9]", 8192: "no idea", 16384: None},
    }
    plain = [
        {"id": f"sky-{n}", "model": model, "length": n, "reference": SKY, "response": response}
        for model, responses in given.items()
        for n, response in responses.items()
    ]
    wrong = {"wrong": [4, 6, 8, 16], "response": "[4, 5, 6, 7]"}
    return [*plain, {"id": "r", "model": "first", "length": 4096, "reference": SKY, **wrong}]


def test_responses_become_a_report_with_the_figures_of_the_scores(tmp_path: Path) -> None:
    figures = _score(tmp_path, _answers())
    done = _call(tmp_path, "report", "scores.jsonl", "--out", "report")
    assert done.returncode == 0, done.stderr
    runs = {line["run"]: line for line in _lines(tmp_path, "stars-runs")}
    assert set(runs) == {"first (searching)", "first (reasoning)", "second (searching)"}
    second = figures["by_model"]["second"]
    assert float(runs["second (searching)"]["score"]) == pytest.approx(second["membership"])
    assert float(runs["second (searching)"]["position"]) == pytest.approx(second["position"])
    assert runs["second (searching)"]["unscored"] == "1"
    # Half a star for the right number beside its mistake, a quarter for a mistake alone.
    assert figures["reasoning"] == 0.1875
    assert float(runs["first (reasoning)"]["score"]) == 0.1875
    scores = [json.loads(line) for line in (tmp_path / "scores.jsonl").open(encoding="utf-8")]
    told = {
        (f"{row['model']} ({row['pipeline']})", str(row["length"]), str(star + 1)): (
            row["membership" if row["pipeline"] == "searching" else "reasoning"][star],
            row["position"][star],
        )
        for row in scores
        if row["score"] is not None
        for star in range(len(SKY))
    }
    found = {
        (line["run"], line["length"], line["star"]): (float(line["found"]), float(line["placed"]))
        for line in _lines(tmp_path, "stars-by-star-and-length")
    }
    assert found == told
    page = (tmp_path / "report" / "index.html").read_text("utf-8")
    assert 'id="stars-maps"' in page
    assert "The row has no response (null)" in page
    # Nobody knows what the lengths are counted in.
    assert "tokens" not in page
    assert "3 lengths from 4096 to 16384" in page


def test_maps_are_of_what_has_a_length_and_the_page_says_so(tmp_path: Path) -> None:
    bare = {"reference": SKY, "response": "[3]", "model": "m"}
    _score(tmp_path, [bare, {**bare, "length": 4000}, bare])
    assert _call(tmp_path, "report", "scores.jsonl", "--out", "report").returncode == 0
    (line,) = _lines(tmp_path, "stars-runs")
    assert (line["score"], line["scored"]) == ("0.25", "3")
    assert {line["stars"] for line in _lines(tmp_path, "stars-by-star-and-length")} == {"1.0"}
    page = (tmp_path / "report" / "index.html").read_text("utf-8")
    assert "on no map: m 2 of 3." in page
    assert "one length, 4k" in page


def test_without_any_length_there_is_a_table_and_no_map(tmp_path: Path) -> None:
    _score(tmp_path, [{"reference": SKY, "response": "[3]"}])
    assert _call(tmp_path, "report", "scores.jsonl", "--out", "report").returncode == 0
    (line,) = _lines(tmp_path, "stars-runs")
    assert (line["run"], line["score"]) == ("unnamed", "0.25")
    assert not list((tmp_path / "report" / "figures").glob("stars-found*"))
    page = (tmp_path / "report" / "index.html").read_text("utf-8")
    assert "on no map: unnamed 1 of 1." in page
    assert "Asked: skies of 4 stars, task searching." in page


def test_a_table_of_records_has_what_the_scores_tell(tmp_path: Path) -> None:
    _score(tmp_path, _answers())
    assert _call(tmp_path, "records", "scores.jsonl", "--out", "t.jsonl").returncode == 0
    rows = [json.loads(line) for line in (tmp_path / "t.jsonl").open(encoding="utf-8")]
    whole, third, none, reasoned = rows[0], rows[2], rows[5], rows[6]
    assert (whole["benchmark"], whole["pipeline"], whole["ask"]) == (
        "counting-stars", "searching", "list",
    )  # fmt: skip
    assert (whole["harness"], whole["tokenizer"], whole["depths"]) == (None, None, None)
    assert (whole["correct"], whole["length_bin"], whole["length"]) == (True, "4096", 4096)
    assert third["credits"] == [1, 0, 0, 1] and third["placed"] == [False] * 4
    assert third["item_precision"] == pytest.approx(2 / 3)
    assert third["failure_modes"] == ["missing_items", "redundant_items", "wrong_order"]
    assert (none["correct"], none["score"], none["failure_modes"]) == (None, None, None)
    assert none["reason"].startswith("The row has no response")
    assert (reasoned["pipeline"], reasoned["setup"]) == ("reasoning", "reasoning")
    # 7 is nobody's; 4 and 6 were counted by mistake.
    assert reasoned["failure_modes"] == ["missing_items", "redundant_items", "mistaken_counts"]


def test_each_model_is_a_run_and_their_answers_pair_by_id(tmp_path: Path) -> None:
    rows = _rows(tmp_path, _answers())
    runs = {run.label: run for run in study({Path("scores.jsonl"): rows}).runs}
    first, second = runs["first (searching)"], runs["second (searching)"]
    assert {row.id for row in first.answers} == {row.id for row in second.answers}
    assert len(second.scored) == 2


# As the task judges


@pytest.fixture(scope="module", params=["searching", "reasoning"])
def log(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> EvalLog:
    """A reader that finds some stars, as an evaluation logs it."""
    options = {"task": request.param, "m": 12, "n": 4, "max_length": "16k"}
    (log,) = run_eval(
        "seqniah/counting_stars",
        model="seqniah/skimming",
        model_args={"top_k": 10},
        task_args=options,
        log_dir=str(tmp_path_factory.mktemp("stars")),
        display="log",
    )
    assert log.status == "success", log.error
    return log


def test_the_command_judges_as_the_task_does(log: EvalLog, tmp_path: Path) -> None:
    given = [
        {
            "id": sample.id,
            "model": log.eval.model,
            "reference": sample.metadata["right"],
            "wrong": sample.metadata["wrong"] or None,
            "length": sample.metadata["length"],
            "response": sample.output.completion,
        }
        for sample in log.samples or ()
    ]
    ours = {row.id: row for row in _rows(tmp_path, given)}
    theirs = {row.id: row for row in inspect_table.read(Path(log.location))}
    assert len(theirs) == 8 and ours.keys() == theirs.keys()
    same = (
        *("model", "benchmark", "pipeline", "ask", "length_bin", "length", "needles", "correct"),
        *("score", "position", "credits", "placed", "item_recall", "item_precision", "confusion"),
        *("failure_modes", "reason", "judge", "judged_by"),
    )
    for name, row in theirs.items():
        for column in same:
            assert value(ours[name], column) == value(row, column), (name, column)
    modes = {mode for row in theirs.values() for mode in row.failure_modes or ()}
    assert ("mistaken_counts" in modes) is (log.eval.task_args["task"] == "reasoning")
    assert any(0 < (row.score or 0) < 1 for row in theirs.values())


# What a file may hold


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"credits": "11x1"}, "credits is one of"),
        ({"credits": "1" * 10_001}, "credits has 10,001 signs, more than 10,000"),
        ({"credits": "11"}, "credits is a list of 4, not of 2"),
        ({"positions": [1, 1]}, "positions is one of 1, 0"),
        ({"score": 2}, "score is a number from 0 to 1"),
        ({"position_mean": "high"}, "position is a number from 0 to 1"),
        ({"failure_modes": ["bad"]}, "failure_modes is a list of"),
        ({"model": "a\nb"}, "model is a name"),
        ({"id": None}, "id is missing"),
        ({"length_bin": "long"}, "length_bin is a length like 4k"),
        ({"length": -1}, "length is a whole number"),
        ({"pipeline": "sums"}, "pipeline is "),
    ],
)
def test_scores_that_were_changed_are_refused_by_line(
    tmp_path: Path, changed: Json, told: str
) -> None:
    _score(tmp_path, [{"reference": SKY, "response": "[3]", "length": 4000}])
    path = tmp_path / "scores.jsonl"
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **changed}), "utf-8")
    with pytest.raises(SeqniahError) as raised:
        lm_eval_table.read_verdicts(path)
    assert f"{path}, line 1: {told}" in str(raised.value)


def test_the_longest_sky_that_is_scored_is_read_too(tmp_path: Path) -> None:
    sky = list(range(10_000))
    (row,) = _rows(
        tmp_path,
        [{"reference": sky, "response": json.dumps(sky), "length": 10**12 - 1, "id": "x" * 4096}],
    )
    assert (row.score, len(row.items.get("credits", ())), row.length) == (1, 10_000, 10**12 - 1)
