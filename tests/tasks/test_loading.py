"""Benchmarks in Python: samples, verdicts, data sets."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

import seqniah
from datasets import Dataset, load_from_disk
from seqniah_datasets.errors import SeqniahError

SMALL = {"length": "8k-16k", "limit_per_stratum": 1}


def test_samples_are_those_of_the_task() -> None:
    bench = seqniah.load("test", lang="en", **SMALL)
    assert len(bench) == 3 == len(list(bench))
    sample = bench[0]
    assert [one.id for one in bench[:2]] == [bench[0].id, bench[1].id]
    assert bench.find(sample.id).prompt == sample.prompt
    assert sample.question in sample.prompt
    assert hashlib.sha256(sample.prompt.encode()).hexdigest() == sample.shown.sha256
    assert sample.tokens == bench.bench.tokenizer.count(sample.prompt)


def test_the_reference_is_right_and_a_part_of_it_is_not() -> None:
    bench = seqniah.load("test", lang="en", pipeline="synthetic-temporal", **SMALL)
    sample = bench[0]
    right = bench.judge(sample, sample.reference)
    assert right.score is True and right.figures["item_recall"] == 1.0
    wrong = bench.judge(sample, "\n".join(sample.reference.splitlines()[:-1]))
    assert wrong.score is False and "missing_items" in wrong.told["failure_modes"]


def test_scores_are_numbers_where_the_benchmark_has_numbers() -> None:
    bench = seqniah.load("counting_stars", m=4, n=1, max_length="2k", lang="en", numbers="3,7,8,9")
    assert bench.judge(bench[0], "[3, 7]").score == 0.5
    assert bench.judge(bench[0], bench[0].reference).score == 1.0


def test_a_data_set_can_be_filtered_and_saved(tmp_path: Path) -> None:
    bench = seqniah.load("test", **SMALL)
    made = bench.to_dataset()
    assert isinstance(made, Dataset) and made.split == "test"
    assert made["id"][:] == [one.id for one in bench]
    assert made[0]["input"] == bench[0].prompt
    english = made.filter(lambda row: row["lang"] == "en")
    assert len(english) == 3 < len(made)
    english.save_to_disk(str(tmp_path / "saved"))
    again = load_from_disk(str(tmp_path / "saved"))
    assert again["input"][:] == english["input"][:]
    assert again.info.description == bench.card()
    assert bench.card().startswith("---\n") and str(bench.bench.facts()["digest"]) in bench.card()
    assert "seqniah build test -T length=8k-16k -T limit_per_stratum=1 " in bench.card()


def test_a_misspelt_name_gets_the_nearest() -> None:
    with pytest.raises(SeqniahError, match="no option 'lenght'; did you mean length"):
        seqniah.load("test", lenght="8k-16k")
    with pytest.raises(SeqniahError, match="no task 'tets'; did you mean test"):
        seqniah.load("tets")
