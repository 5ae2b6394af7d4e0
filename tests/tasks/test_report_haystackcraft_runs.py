"""Runs of HaystackCraft in all settings by the reader without a model, in one report."""

from __future__ import annotations

import csv
from pathlib import Path

import in_process
import pytest
from inspect_ai import eval as run_eval

STRATEGIES = ("bm25", "bm25+ppr", "dense", "dense+ppr", "hybrid", "hybrid+ppr")
ROUNDS = ("1", "2", "3", "max3")


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a report over a static run in 12 settings and one for each number of rounds."""
    logs = tmp_path_factory.mktemp("logs")
    usual = {"questions": 2, "length": "8k"}
    static = {"strategy": ",".join(STRATEGIES), "order": "ranked,permuted"}
    tasks = [("haystackcraft", static)]
    tasks += [
        ("haystackcraft_dynamic", {"strategy": "bm25+ppr,dense", "rounds": one}) for one in ROUNDS
    ]
    for task, options in tasks:
        (log,) = run_eval(
            f"seqniah/{task}",
            model="seqniah/reader",
            task_args={**usual, **options},
            log_dir=str(logs),
            display="none",
        )
        assert log.status == "success", log.error
    out = tmp_path_factory.mktemp("report") / "out"
    in_process.run("report", str(logs), "--out", str(out))
    return out


def _rows(report: Path, name: str) -> list[dict[str, str]]:
    (path,) = report.rglob(f"{name}.csv")
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_each_setting_has_a_chart_beside_the_papers_models(report: Path) -> None:
    charts = {path.stem for path in report.rglob("haystackcraft-setting-*.svg")}
    assert len(charts) == 12 + 8
    page = (report / "index.html").read_text("utf-8")
    assert "(published, on Wikipedia)" in page and "o4-mini" in page
    published = _rows(report, "haystackcraft-published")
    tables = {row["source"].rpartition(" ")[2] for row in published}
    assert tables == {str(number) for number in range(5, 19)}
    suspect = [row for row in published if "Table 17 and in Table 18" in row["remark"]]
    assert {(row["model"], row["rounds"]) for row in suspect} == {("Llama-3.1-8B-Instruct", "2")}
    assert len(suspect) == 8


def test_each_setting_and_size_is_scored_over_the_same_questions(report: Path) -> None:
    rows = _rows(report, "haystackcraft-by-size")
    static = [row for row in rows if not row["rounds"]]
    assert {(row["strategy"], row["order"], row["size"]) for row in static} == {
        (strategy, order, size)
        for strategy in STRATEGIES
        for order in ("ranked", "permuted")
        for size in ("8k",)
    }
    assert {row["questions"] for row in rows} == {"2"}
    assert {row["scored"] for row in static if row["order"] == "permuted"} == {"6"}
    assert {row["rounds"] for row in rows} - {""} == set(ROUNDS)
    asked = _rows(report, "haystackcraft-rounds")
    assert [row["rounds_used"] for row in asked if row["rounds"] == "3"] == ["3.0", "3.0"]


def test_wrong_answers_are_stacked_by_whose_they_are(report: Path) -> None:
    assert (report / "index.html").read_text("utf-8").count("Whose wrong answers are") > 1
    told = {row["mode"] for row in _rows(report, "haystackcraft-origins") if row["size"] == "all"}
    assert told == {"bridge", "namesake", "distractor", "nowhere", "no_answer"}
