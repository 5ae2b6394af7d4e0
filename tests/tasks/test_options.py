"""Options as users write them, and what they are told when one is wrong."""

from __future__ import annotations

import pytest

from seqniah_datasets.errors import SeqniahError, UnknownName
from seqniah_tasks.benchmarks.sequential_niah.options import (
    Given,
    read_options,
)


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (None, set()),
        ("", set()),
        (5, {5}),
        ("5", {5}),
        ("3-5", {3, 4, 5}),
        (">10", {11, 12, 13, 14, 15}),
        ("3,6-7", {3, 6, 7}),
        ([3, "14-15"], {3, 14, 15}),
    ],
)
def test_needles_are_a_number_a_range_or_a_list(given: Given, wanted: set[int]) -> None:
    assert read_options(needles=given).needles == wanted


@pytest.mark.parametrize(
    "given", ["2", "16", "5-3", ">15", "many", "3-", "-3", "3-5-7", 0, 4.5, ">>3"]
)
def test_other_needles_are_refused_with_the_choices(given: Given) -> None:
    with pytest.raises(UnknownName, match=r"needles.*3 to 15, 3-5, 6-10, 11-15"):
        read_options(needles=given)


@pytest.mark.parametrize(
    ("name", "value", "choices"),
    [
        ("split", "valid", "train, dev, test"),
        ("lang", "fr", "en, zh"),
        ("pipeline", "synthetic", "synthetic-temporal"),
        ("length", "1k-2k", "8k-16k, 16k-32k, 32k-64k, 64k-128k"),
        ("order", "random", "shuffled, sorted"),
    ],
)
def test_an_unknown_value_is_refused_with_the_choices(name: str, value: str, choices: str) -> None:
    with pytest.raises(UnknownName, match=f"Unknown {name} '{value}'; known: {choices}"):
        read_options(**{name: value})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("seed", "x"),
        ("seed", -1),
        ("seed", 1.5),
        ("seed", True),
        ("seed", None),
        ("limit_per_stratum", 0),
        ("limit_per_stratum", 2.7),
    ],
)
def test_a_number_that_is_none_is_refused(name: str, value: object) -> None:
    with pytest.raises(SeqniahError, match=f"{name} is a whole number from"):
        read_options(**{name: value})  # type: ignore[arg-type]


def test_lists_come_as_comma_lists_or_lists() -> None:
    one = read_options(lang="en, zh", length="8k-16k,64k-128k")
    assert one == read_options(lang=["en", "zh"], length=["8k-16k", "64k-128k"])


@pytest.mark.parametrize("name", ["corpus", "tokenizer"])
def test_a_path_survives_what_a_harness_makes_of_it(name: str) -> None:
    # -T corpus=a,b arrives as a list and -T corpus=123 as a number.
    assert getattr(read_options(**{name: ["a", "b"]}), name) == "a,b"  # type: ignore[arg-type]
    assert getattr(read_options(**{name: 123}), name) == "123"  # type: ignore[arg-type]
    for nothing in ("", " "):
        with pytest.raises(SeqniahError, match=f"{name} is empty"):
            read_options(**{name: nothing})  # type: ignore[arg-type]
