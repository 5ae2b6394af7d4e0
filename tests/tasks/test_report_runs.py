"""Which answers are one run, what runs are called, and what keeps them from being compared."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from report_rows import one, rows, studied

from seqniah_datasets.errors import SeqniahError
from seqniah_tasks.means import accuracy
from seqniah_tasks.records import Record
from seqniah_tasks.report.runs import (
    MOST_FACETS,
    MOST_NAMED,
    MOST_RUNS,
    differences,
    different_samples,
    study,
)
from seqniah_tasks.report.words import joined


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
        ("org/model (2 samples)", 2),
        ("org/model (1 sample)", 1),
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
    assert (run.share.hits, run.share.of) == (0.5, 2)


def test_an_unscored_answer_is_in_no_accuracy() -> None:
    share = accuracy([one(), one(id="b", correct=None), one(id="c", correct=False)])
    assert (share.hits, share.of) == (1, 2)


def test_what_tells_runs_of_one_model_apart_is_in_their_labels() -> None:
    found = studied(
        [one(judge="rules 3")],
        [one(judge="cascade of rules 3 and judge/x", setup="closed book", correct=False)],
        [one(model="other", judge="rules 3", correct=False)],
    )
    assert [run.label for run in found.runs] == [
        "org/model (rules 3, the usual set-up)",
        "org/model (cascade of rules 3 and judge/x, closed book)",
        "other",
    ]


def test_settings_of_the_model_tell_its_runs_apart() -> None:
    found = studied(
        [one(generation="reasoning_effort=high, temperature=0.7")],
        [one(generation="reasoning_effort=low, temperature=0.7", correct=False)],
        [one(model="other", generation="temperature=0.7", correct=False)],
    )
    assert [run.label for run in found.runs] == [
        "org/model (reasoning_effort=high)",
        "org/model (reasoning_effort=low)",
        "other",
    ]
    assert differences(found.runs) == []


def test_a_run_without_settings_is_called_by_its_model() -> None:
    found = studied([one()], [one(id="b", generation="temperature=0.7", correct=False)])
    assert [run.label for run in found.runs] == ["org/model", "org/model (temperature=0.7)"]


def test_an_answer_that_none_judged_belongs_to_the_judge_of_its_file() -> None:
    (run,) = studied([one(), one(id="cut", judge=None, correct=None)]).runs
    assert len(run.answers) == 2


def test_of_several_judges_none_gets_what_nobody_judged() -> None:
    """As a file that was put together of others has it."""
    answers = [one(id="a"), one(id="b", judge="judge: x"), one(id="c", judge=None, correct=None)]
    found = studied(answers).runs
    assert {run.setting.judge: [row.id for row in run.answers] for run in found} == {
        "rules 3": ["a"],
        "judge: x": ["b"],
        "": ["c"],
    }
    assert [run.label for run in found][-1] == "org/model (judge not told)"


def test_a_run_that_has_nothing_right_stands_before_one_without_a_verdict() -> None:
    found = studied([one(model="a", correct=None)], [one(model="b", correct=False)])
    assert [run.label for run in found.runs] == ["b", "a"]


def test_the_noise_suite_stands_beside_the_split_and_not_in_it() -> None:
    suite = [one(id="sample-1", correct=False), one(id="sample-1-tm1", noise="tm", variant=1)]
    (run,) = studied(rows(3), suite).runs
    assert [row.id for row in run.answers] == ["sample-1", "sample-2", "sample-3"]
    assert [row.id for row in run.suite] == ["sample-1", "sample-1-tm1"]
    assert run.share.value == 1.0
    assert run.files == ("1.eval", "2.eval")


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


def test_values_that_hold_commas_are_parted_by_semicolons() -> None:
    both = "closed book, needles in true order"
    found = studied([one(setup=both)], [one(id="b", setup="closed book")])
    assert differences(found.runs) == [f"The runs differ in set-up: closed book; {both}."]
    assert sorted(run.label for run in found.runs) == [
        "org/model (closed book)",
        f"org/model ({both})",
    ]
    assert joined(["a, b", "c", "d", "e"], 2) == "a, b; c and 2 more"
    assert joined(["1,000", "c"], 2) == "1,000, c"


@pytest.mark.parametrize(
    ("field", "word"),
    [
        *((name, name) for name in ("split", "edition", "tokenizer", "corpus", "judge")),
        *(("version", "benchmark version"), ("setup", "set-up")),
    ],
)
def test_runs_that_differ_in_anything_are_two_and_say_in_what(field: str, word: str) -> None:
    given = {"split": "dev"}.get(field, "another")
    found = studied([one()], [one(id="b", **{field: given})]).runs
    assert len(found) == 2
    (line,) = differences(found)
    assert line.startswith(f"The runs differ in {word}: ") and given in line


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
    assert line.endswith(", m08 8 and 3 more.") and ", 1 of which" in line


@pytest.mark.parametrize(("runs", "end"), [(9, "corpus-8."), (10, "corpus-7 and 2 more.")])
def test_many_differences_are_counted_and_one_more_is_named(runs: int, end: str) -> None:
    assert MOST_NAMED == 8
    found = studied(*([one(corpus=f"corpus-{number}")] for number in range(runs)))
    (line,) = differences(found.runs)
    assert line.endswith(end)


def test_more_runs_than_can_be_compared_are_refused() -> None:
    answers = [one(corpus=f"corpus-{number}") for number in range(MOST_RUNS + 1)]
    assert len(studied(answers[1:]).runs) == MOST_RUNS
    with pytest.raises(SeqniahError, match=f"hold {MOST_RUNS + 1} runs.* give fewer"):
        studied(answers)


def test_an_unscored_sample_was_answered_too() -> None:
    found = studied(rows(2, model="a"), [one(id="sample-1", model="b"), _open("sample-2", "b")])
    assert not different_samples(found.runs)


def _open(name: str, model: str) -> Record:
    return one(id=name, model=model, correct=None)


def test_as_many_runs_as_a_sentence_names_are_all_named() -> None:
    eight = studied(*(rows(number, model=f"m{number}") for number in range(1, 9)))
    (line,) = different_samples(eight.runs)
    assert line.endswith(", m8 8.") and "other" not in line


def test_numbers_of_runs_are_never_another_models_name() -> None:
    taken = "a (1)", "a (1.eval)"
    others = ([one(model=name)] for name in taken)
    found = studied([one(model="a")], [one(model="a")], *others)
    assert sorted(run.label for run in found.runs) == ["a (1)", "a (1.eval)", "a (2)", "a (3)"]
    assert {run.model: run.label for run in found.runs if run.model in taken} == {
        name: name for name in taken
    }


def test_runs_of_one_model_stand_in_the_order_of_their_numbers() -> None:
    found = studied(*([one()] for _ in range(11)))
    assert [run.label for run in found.runs] == [
        f"org/model ({number}.eval)" for number in range(1, 12)
    ]


LOG = "2026-05-0{}T18-{}-00-00-00_test_x.eval"


@pytest.mark.parametrize(
    ("files", "told"),
    [
        (("/logs/a/run.eval", "/logs/b/run.eval"), ("a", "b")),
        (("/logs/run.eval", "/logs/b/run.eval"), ("logs", "logs/b")),
        (("/logs/a/new/run.eval", "/logs/b/new/run.eval"), ("a", "b")),
        ((f"/{LOG.format(1, 10)}", f"/{LOG.format(2, 10)}"), ("2026-05-01", "2026-05-02")),
        ((f"/{LOG.format(1, 10)}", f"/{LOG.format(1, 20)}"), ("at 18:10", "at 18:20")),
        (
            (f"/{LOG.format(1, 10)}", f"/{LOG.format(2, 10)}", f"/{LOG.format(2, 20)}"),
            ("2026-05-01, at 18:10", "2026-05-02, at 18:10", "2026-05-02, at 18:20"),
        ),
    ],
)
def test_runs_asked_alike_are_told_apart_by_where_and_when_they_were_made(
    files: tuple[str, ...], told: tuple[str, ...]
) -> None:
    found = study({Path(file): rows(2) for file in files})
    labels = {run.files[0]: run.label for run in found.runs}
    top = os.path.commonpath([Path(file).parent for file in files])
    assert labels == {
        Path(file).relative_to(top).as_posix(): f"org/model ({fact})"
        for file, fact in zip(files, told, strict=True)
    }


def test_the_fewest_facts_tell_runs_apart() -> None:
    asked = {"a": (2, 3), "b": (2, 3)}
    files = {
        Path(f"/logs/{folder}/{count}.eval"): rows(count)
        for folder, counts in asked.items()
        for count in counts
    }
    assert {run.label for run in study(files).runs} == {
        f"org/model ({folder}, {count} samples)"
        for folder, counts in asked.items()
        for count in counts
    }


def test_files_are_told_from_the_folder_on_that_holds_them_all() -> None:
    files = Path("/home/me/logs/a/1.eval"), Path("/home/me/logs/b/2.eval")
    given = {path: [one(model=path.stem)] for path in files}
    assert [run.files for run in study(given).runs] == [("a/1.eval",), ("b/2.eval",)]
    (alone,) = study({files[0]: [one()]}).runs
    assert alone.files == ("1.eval",)
