"""What a report says before its figures: parts of a split, unusual ways of asking."""

from __future__ import annotations

from report_rows import rows, star, studied

from seqniah_tasks.benchmarks.sequential_niah.report.published import is_beside
from seqniah_tasks.report.page.head import cautions, settings


def test_a_whole_split_asked_in_the_usual_way_needs_no_caution() -> None:
    assert cautions(studied(rows(2_000)).runs) == []


def test_a_part_of_a_split_is_told_with_its_size() -> None:
    assert cautions(studied(rows(63)).runs) == [
        "Only a part of the split was answered: org/model 63 of 2,000."
    ]
    (line,) = cautions(studied(rows(9_999, split="train")).runs)
    assert line.endswith("org/model 9,999 of 10,000.")


def test_epochs_are_no_further_samples_of_a_split() -> None:
    answers = [row for epoch in (1, 2) for row in rows(1_999, epoch=epoch)]
    assert "1,999 of 2,000" in cautions(studied(answers).runs)[0]


def test_a_closed_book_is_told_though_no_other_run_differs() -> None:
    first = cautions(studied(rows(2_000, setup="closed book")).runs)[0]
    assert first.endswith("such runs are another test: org/model: closed book.")


def test_nothing_published_stands_beside_an_unusual_run() -> None:
    usual, closed = rows(1), rows(1, setup="closed book")
    assert is_beside(studied(usual).runs[0])
    assert not is_beside(studied(closed).runs[0])


def test_what_all_runs_share_is_one_line() -> None:
    both = studied(rows(1, model="a"), rows(1, model="b", tokenizer="qwen")).runs
    assert settings(both) == (
        "test split, open edition, benchmark version 2, corpus procedural, judge rules 3"
    )
    assert "tokenizer cl100k_base" in settings(both[:1])


def test_a_run_without_any_verdict_has_no_judge_to_differ() -> None:
    found = studied(rows(1), rows(1, model="b", correct=None, judge=None)).runs
    assert not [line for line in cautions(found) if "judge" in line]


def test_an_unfinished_run_is_told_with_how_much_of_it_is_in() -> None:
    done, broken = rows(3, planned=1_500), rows(2, planned=1_500, id="broken", finished=False)
    ended = rows(1_500, model="b", planned=1_500)
    lines = cautions(studied(done + broken, ended).runs)
    assert "Not every run has finished all that was planned: org/model 3 of 1,500." in lines


def test_only_the_files_that_lack_something_are_counted() -> None:
    whole = rows(4, planned=4, source="1.eval")
    part = rows(2, planned=7, source="2.eval", id="other")
    (run,) = studied(whole, part).runs
    assert cautions([run])[0].endswith("planned: org/model 2 of 7.")


def test_originals_of_the_noise_suite_are_counted_once() -> None:
    variants = rows(3, planned=6, id="variant", noise="tm", variant=1, base="sample-1")
    (run,) = studied(rows(2, planned=6) + variants).runs
    assert run.answers and run.suite
    assert cautions([run])[0].endswith("planned: org/model 5 of 6.")


def test_what_no_file_tells_is_not_called_unfinished() -> None:
    answers = rows(2, harness="lm-eval", planned=None, finished=None)
    assert not [line for line in cautions(studied(answers).runs) if "finished" in line]


def test_an_unfinished_run_of_stars_is_told_too() -> None:
    runs = studied([star([1.0, 0.0], planned=8)]).runs
    assert "Not every run has finished all that was planned: org/model 1 of 8." in cautions(runs)
