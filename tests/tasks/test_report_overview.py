"""The headline of a report: accuracies, what is not in them, and the paper's beside them."""

from __future__ import annotations

import pytest
from report_rows import one, rows, studied

from seqniah_tasks.benchmarks.sequential_niah.report.overview import section
from seqniah_tasks.benchmarks.sequential_niah.report.published import WORDS
from seqniah_tasks.records import Record
from seqniah_tasks.report.parts import Dots, Section, Table
from seqniah_tasks.report.runs import Study


def made(study: Study) -> Section:
    found = section(study)
    assert found is not None
    return found


def lines(found: Section, name: str) -> list[dict[str, object]]:
    table: Table = next(table for table in found.tables if table.name == name)
    names = [column.name for column in table.columns]
    return [dict(zip(names, row, strict=True)) for row in table.rows]


def dots(found: Section) -> Dots:
    (figure,) = found.figures
    assert isinstance(figure.chart, Dots)
    return figure.chart


def run(model: str, right: int, wrong: int, **columns: object) -> list[Record]:
    return [
        *rows(right, id="right", model=model, correct=True, **columns),
        *rows(wrong, id="wrong", model=model, correct=False, **columns),
    ]


def test_a_report_of_nothing_has_no_headline() -> None:
    assert section(Study(())) is None


def test_runs_stand_in_the_order_of_their_accuracy_with_wilson_intervals() -> None:
    from scipy.stats import binomtest

    found = made(studied(run("low", 5, 15), run("high", 15, 5)))
    chart = dots(found)
    ours = [row for row in chart.rows if not row.published]
    assert [row.label for row in ours] == ["high", "low"]
    high = ours[0].point
    assert high is not None
    wilson = binomtest(15, 20).proportion_ci(method="wilson")
    assert high.value == 0.75
    assert (high.low, high.high) == pytest.approx((wilson.low, wilson.high))
    assert high.of == 20
    (told,) = (figure.told for figure in found.figures)
    assert told.startswith("Accuracy is highest for high: 75.0 %")
    assert "lowest for low: 25.0 %" in told


def test_the_papers_models_follow_the_runs_of_the_test_split() -> None:
    found = made(studied(run("ours", 1, 1)))
    theirs = [row for row in dots(found).rows if row.published]
    assert len(theirs) == 11
    assert dots(found).rows[-11:] == tuple(theirs)
    values = [row.point.value for row in theirs if row.point]
    assert values == sorted(values, reverse=True)
    assert (theirs[0].label, theirs[-1].label) == ("Gemini-1.5", "GPT-4o")
    assert (values[0], values[-1]) == (0.635, 0.2835)
    # The words and the number of the table stand with the figure and with every line.
    assert WORDS in found.figures[0].title
    assert "Table 8" in found.figures[0].title
    table = lines(found, "published")
    assert {line["remark"] for line in table} == {WORDS}
    assert all("Table 8" in str(line["source"]) for line in table[:11])
    # What the text tells is listed too, and is no mark of its own.
    assert [line["accuracy"] for line in table[11:]] == [0.635, 0.5005, 0.6315, 0.511]


def test_other_splits_have_nothing_of_the_paper_beside_them() -> None:
    found = made(studied(run("ours", 1, 1, split="dev")))
    assert not any(row.published for row in dots(found).rows)
    assert [table.name for table in found.tables] == ["runs", "settings"]
    words = " ".join((found.lead, found.figures[0].title, found.figures[0].told, *found.notes))
    assert "paper" not in words
    assert "published" not in words


def test_the_table_counts_what_is_in_no_accuracy() -> None:
    answers = [
        *run("ours", 3, 1),
        *rows(2, id="cut", model="ours", correct=None, prompt_fate="cut"),
        *rows(1, id="long", model="ours", correct=None, prompt_fate="skipped"),
        *rows(
            1,
            id="torn",
            model="ours",
            correct=None,
            judged_by="model",
            reason="The judge's reply has no verdict.",
        ),
        *rows(1, id="bare", model="ours", correct=True, prompt_fate="unverified"),
    ]
    found = made(studied(answers))
    (line,) = lines(found, "runs")
    expected = {
        "answers": 9,
        "unscored": 4,
        "cut": 2,
        "skipped": 1,
        "unverified": 1,
        "scored": 5,
        "right": 4,
        "accuracy": 0.8,
    }
    assert {name: line[name] for name in expected} == expected
    notes = "\n".join(found.notes)
    assert (
        "ours: 4 of 9 answers unscored: 2 with a prompt that was cut, 1 to which the judge gave no "
        "verdict and 1 with a prompt that was not sent, since it does not fit the model's window."
    ) in notes
    assert 'Of torn-1 the file tells: "The judge\'s reply has no verdict."' in notes
    assert "too few prompts were shorter: ours 1 of 9." in notes


def test_a_run_without_a_verdict_has_no_accuracy() -> None:
    error = "The sample ended with an error: " + 60 * "refused "
    found = made(studied(run("fine", 1, 0), rows(2, model="broken", correct=None, reason=error)))
    fine, broken = lines(found, "runs")
    assert fine["accuracy"] == 1.0
    assert (broken["scored"], broken["right"]) == (0, 0)
    figures = ("accuracy", "low", "high", "item_recall", "item_precision", "order_agreement")
    assert {broken[name] for name in figures} == {None}
    assert dots(found).rows[1].label == "broken"
    assert dots(found).rows[1].point is None
    assert "broken: 2 of 2 answers unscored: 2 never judged." in found.notes
    (quoted,) = (note for note in found.notes if "the file tells" in note)
    assert quoted.endswith('refused..."')
    assert len(quoted) < 250
    assert "broken" not in found.figures[0].told


def test_figures_of_items_are_means_over_samples_not_over_answers() -> None:
    """One sample asked three times is one sample; an undefined order counts nowhere."""
    again = {"item_recall": 0.5, "item_precision": 0.8, "order_agreement": None, "id": "often"}
    answers = [one(correct=False, epoch=epoch, **again) for epoch in (1, 2, 3)]
    answers.append(one(id="once", item_recall=1.0, item_precision=1.0, order_agreement=-0.5))
    (line,) = lines(made(studied(answers)), "runs")
    assert line["item_recall"] == pytest.approx(0.75)
    assert line["item_precision"] == pytest.approx(0.9)
    assert line["order_agreement"] == -0.5
    assert (line["answers"], line["scored"], line["accuracy"]) == (4, 2, 0.5)


def test_epochs_that_disagree_count_by_their_mean() -> None:
    answers = [one(id="s", correct=correct, epoch=n) for n, correct in enumerate((True, False), 1)]
    found = made(studied(answers))
    (line,) = lines(found, "runs")
    assert (line["right"], line["scored"], line["accuracy"]) == (0.5, 1, 0.5)
    assert lines(found, "settings")[0]["epochs"] == 2


def test_runs_of_other_settings_are_told_apart() -> None:
    found = made(
        studied(run("m", 1, 1, edition="open"), run("m", 1, 1, edition="paper", judge=None))
    )
    assert "The runs differ in edition: open, paper." in found.notes
    assert any(note.startswith("Compare only within the same split") for note in found.notes)
    settings = lines(found, "settings")
    assert {line["edition"] for line in settings} == {"open", "paper"}
    # What a file does not tell is nothing, and no empty text.
    assert {line["judge"] for line in settings if line["edition"] == "paper"} == {None}
    assert {line["files"] for line in settings} == {"1.eval", "2.eval"}


def test_runs_alike_need_no_warning() -> None:
    found = made(studied(run("a", 1, 1), run("b", 1, 1)))
    assert not any("differ" in note or "Compare only" in note for note in found.notes)
