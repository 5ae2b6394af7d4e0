"""What a report says before its figures: parts of a split, unusual ways of asking."""

from __future__ import annotations

from report_rows import rows, studied

from seqniah_tasks.report.cautions import cautions, settings


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
    assert studied(usual).runs[0].of_paper
    assert not studied(closed).runs[0].of_paper


def test_what_all_runs_share_is_one_line() -> None:
    both = studied(rows(1, model="a"), rows(1, model="b", tokenizer="qwen")).runs
    assert settings(both) == (
        "test split, open edition, benchmark version 2, corpus procedural, judge rules 2"
    )
    assert "tokenizer cl100k_base" in settings(both[:1])


def test_a_run_without_any_verdict_has_no_judge_to_differ() -> None:
    found = studied(rows(1), rows(1, model="b", correct=None, judge=None)).runs
    assert not [line for line in cautions(found) if "judge" in line]
