"""A benchmark that declares nothing of its reports is in them all the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from report_rows import rows, star

from seqniah_tasks import benchmarks
from seqniah_tasks.benchmarks.protocol import Benchmark, ByMeasure, Figure, Scored, Scoring
from seqniah_tasks.records import Record, Transcript, record
from seqniah_tasks.report import building
from seqniah_tasks.report.building import Report
from seqniah_tasks.report.cases import choose, example
from seqniah_tasks.report.runs import Study

NAMES = ("Own bench", "other_bench")


@pytest.fixture(autouse=True)
def declared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two such benchmarks beside those that are there, of scores and of verdicts."""
    measure = ByMeasure(lambda answered: Scored(1.0, "So it is."), "measure 1")
    scorings = (
        Scoring(by=measure, name="own", figures={"overlap": Figure("Overlap")}),
        Scoring(by=measure, name="other", binary=True),
    )
    held = {
        name: Benchmark(name=name, title=name.title(), version=1, tasks=(), scoring=scoring)
        for name, scoring in zip(NAMES, scorings, strict=True)
    }
    known = {**benchmarks.known(), **held}
    monkeypatch.setattr(benchmarks, "known", lambda: known)


def answers(name: str, model: str, right: int) -> list[Record]:
    """Twelve answers at three lengths in two languages, of which so many are right."""
    return [
        record(
            "here",
            {
                "benchmark": name,
                "harness": "inspect",
                "source": f"{name}-{model}",
                "model": model,
                "id": f"s{number}",
                "lang": ("en", "de")[number % 2],
                "length_bin": ("128k", "4k", "32k")[number % 3],
                "score": 1.0 if number < right else 0.25,
                "correct": number < right,
                "overlap": 0.5,
                "seconds": 2.0,
            },
        )
        for number in range(12)
    ]


def made(*files: list[Record]) -> Report:
    def shown(study: Study) -> list[Any]:
        chosen = [row for run in study.runs for row in choose(run.answers, 1)]
        return [example(Transcript(row, "Which?", "<i>This.", "That.", {})) for row in chosen]

    return building.build({Path(f"{n}.eval"): file for n, file in enumerate(files)}, "T", shown)


def lines(report: Report, name: str) -> list[dict[str, Any]]:
    table = next(table for table in report.tables if table.name == name)
    return [dict(zip([one.name for one in table.columns], row, strict=True)) for row in table.rows]


def test_scores_stand_with_their_intervals_by_length_in_pairs_and_with_their_cost() -> None:
    report = made(answers("Own bench", "a", 8), answers("Own bench", "b", 4))
    best, other = lines(report, "own-bench-runs")
    assert (best["run"], best["score"], best["perfect"], best["overlap"]) == ("a", 0.75, 8, 0.5)
    assert best["low"] < 0.75 < best["high"]
    assert other["score"] == 0.5
    by_length = [
        one for one in lines(report, "own-bench-mean-score-by-stratum") if one["by"] == "length"
    ]
    assert [one["stratum"] for one in by_length] == ["4k", "32k", "128k"] * 2
    (pair,) = lines(report, "own-bench-pairs")
    assert (pair["samples"], pair["difference"]) == (12, 0.25)
    assert set(report.figures) == {
        "own-bench-scores",
        "own-bench-mean-score-by-length",
        "own-bench-mean-score-by-language",
        "own-bench-effective-length",
        "own-bench-paired-differences",
        "own-bench-seconds-by-length",
    }


def test_verdicts_are_told_as_accuracy_and_compared_by_mcnemars_test() -> None:
    report = made(answers("other_bench", "a", 8), answers("other_bench", "b", 4))
    best, _ = lines(report, "other-bench-runs")
    assert (best["accuracy"], best["right"]) == (pytest.approx(8 / 12), 8)
    (pair,) = lines(report, "other-bench-pairs")
    assert [pair[name] for name in ("both_right", "only_first", "only_second", "both_wrong")] == [
        4, 4, 0, 4,
    ]  # fmt: skip
    assert "McNemar" in report.page and "permutation test" not in report.page


def test_a_wrong_answer_stands_beside_its_reference_without_items() -> None:
    page = made(answers("Own bench", "a", 8)).page
    assert "(of Own Bench those without the full score)" in page
    assert "Each shows the reference beside the answer." in page
    assert "&lt;i&gt;This." in page and "That." in page and "score 25.0 %" in page
    assert 'class="fates"' not in page and "Item by item" not in page


def test_all_benchmarks_stand_on_one_page_under_names_of_their_own() -> None:
    report = made(
        rows(3), [star([1, 0])], *(answers(name, model, 5) for name in NAMES for model in "ab")
    )
    assert list(report.study.by_benchmark()) == [
        "sequential-niah", "counting-stars", *NAMES,
    ]  # fmt: skip
    assert "Own Bench: scores" in report.page and "Other_Bench: scores" in report.page
