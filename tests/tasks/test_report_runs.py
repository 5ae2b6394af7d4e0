"""Which answers are one run, what runs are called, and what keeps them from being compared."""

from __future__ import annotations

from report_rows import one, rows, studied

from seqniah_tasks.report.runs import MOST_FACETS, accuracy, differences, different_samples


def test_the_most_accurate_run_comes_first_and_one_without_a_verdict_last() -> None:
    found = studied(
        [one(model="none", correct=None)],
        [one(model="bad", correct=False)],
        [one(model="good")],
    )
    assert [run.label for run in found.runs] == ["good", "bad", "none"]


def test_runs_that_are_equally_right_stand_by_name() -> None:
    assert [run.label for run in studied([one(model="b")], [one(model="a")]).runs] == ["a", "b"]


def test_files_of_different_samples_are_one_run() -> None:
    (run,) = studied(rows(2, id="en"), rows(3, id="zh", lang="zh")).runs
    assert run.files == ("1.eval", "2.eval")
    assert len(run.answers) == 5
    assert run.label == "org/model"


def test_a_file_that_answers_a_sample_again_is_another_run() -> None:
    found = studied(rows(2), [one(id="sample-2", correct=False)])
    assert [(run.label, len(run.answers)) for run in found.runs] == [
        ("org/model (1)", 2),
        ("org/model (2)", 1),
    ]


def test_a_third_part_joins_the_first_run_that_lacks_its_samples() -> None:
    first, again, rest = rows(2, id="a"), rows(2, id="a", correct=False), rows(2, id="b")
    assert [run.files for run in studied(first, again, rest).runs] == [
        ("1.eval", "3.eval"),
        ("2.eval",),
    ]


def test_epochs_in_one_file_are_one_run_and_no_further_samples() -> None:
    answers = [one(epoch=1), one(epoch=2, correct=False), one(id="other", correct=False)]
    (run,) = studied(answers).runs
    assert (run.accuracy.hits, run.accuracy.of) == (0.5, 2)


def test_an_unscored_answer_is_in_no_accuracy() -> None:
    share = accuracy([one(), one(id="b", correct=None), one(id="c", correct=False)])
    assert (share.hits, share.of) == (1, 2)


def test_what_tells_runs_of_one_model_apart_is_in_their_labels() -> None:
    found = studied(
        [one(judge="rules 2")],
        [one(judge="cascade of rules 2 and judge/x", setup="closed book", correct=False)],
        [one(model="other", judge="rules 2", correct=False)],
    )
    assert [run.label for run in found.runs] == [
        "org/model (rules 2, the usual set-up)",
        "org/model (cascade of rules 2 and judge/x, closed book)",
        "other",
    ]


def test_an_answer_that_none_judged_belongs_to_the_judge_of_its_file() -> None:
    (run,) = studied([one(), one(id="cut", judge=None, correct=None)]).runs
    assert len(run.answers) == 2


def test_the_noise_suite_stands_beside_the_split_and_not_in_it() -> None:
    suite = [one(id="sample-1", correct=False), one(id="sample-1-tm1", noise="tm", variant=1)]
    (run,) = studied(rows(3), suite).runs
    assert [row.id for row in run.answers] == ["sample-1", "sample-2", "sample-3"]
    assert [row.id for row in run.suite] == ["sample-1", "sample-1-tm1"]
    assert run.accuracy.value == 1.0


def test_of_a_noise_suite_alone_the_originals_are_the_answers() -> None:
    suite = [one(id="sample-1", correct=False), one(id="sample-1-tm1", noise="tm", variant=1)]
    (run,) = studied(suite).runs
    assert [row.id for row in run.answers] == ["sample-1"]
    assert len(run.suite) == 2


def test_an_answer_without_a_model_is_of_the_unnamed_one() -> None:
    assert studied([one(model=None)]).runs[0].label == "unnamed"


def test_differences_name_the_field_and_its_values() -> None:
    found = studied([one(tokenizer="qwen", setup="closed book")], [one(model="b")])
    assert differences(found.runs) == [
        "The runs differ in tokenizer: cl100k_base, qwen.",
        "The runs differ in set-up: closed book, the usual set-up.",
    ]
    assert not differences(found.runs[:1])


def test_only_so_many_runs_have_charts_of_their_own() -> None:
    few = studied(*([one(model=f"m{number}")] for number in range(MOST_FACETS)))
    assert few.left_out == "" and len(few.facets) == MOST_FACETS
    many = studied(*([one(model=f"m{number:02}")] for number in range(MOST_FACETS + 3)))
    assert "the other 3 " in many.left_out and len(many.facets) == MOST_FACETS


def test_runs_of_different_samples_say_how_many_they_share() -> None:
    found = studied(rows(5, model="a"), rows(3, model="b"))
    assert different_samples(found.runs) == [
        "The runs answered different samples, 3 of which are common to all: a 5, b 3."
    ]
    assert not different_samples(studied(rows(2, model="a"), rows(2, model="b")).runs)
    many = studied(*(rows(number, model=f"m{number:02}") for number in range(1, 12)))
    (line,) = different_samples(many.runs)
    assert line.endswith(", m08 8, 3 other runs.") and ", 1 of which" in line
