"""Options of Counting-Stars as users and harnesses write them, and what wrong ones are told."""

from __future__ import annotations

import re
from typing import Any

import pytest

from seqniah_datasets.errors import SeqniahError, UnknownName
from seqniah_datasets.schema import StarAsk, StarTask
from seqniah_tasks.benchmarks import options
from seqniah_tasks.benchmarks.counting_stars.options import (
    PRESETS,
    StarOptions,
    read_star_options,
)

# Version as Table 1 of the paper names it, then M, N and order.
PUBLISHED = [
    ("32-32", 32, 32, "increasing"),
    ("16-32", 16, 32, "increasing"),
    ("64-32", 64, 32, "increasing"),
    ("32-16", 32, 16, "increasing"),
    ("32-32-shuffled", 32, 32, "shuffled"),
]


@pytest.mark.parametrize(("name", "m", "n", "order"), PUBLISHED)
def test_a_preset_is_a_published_version(name: str, m: int, n: int, order: str) -> None:
    found = read_star_options(preset=name)
    assert (found.m, found.n, found.order) == (m, n, order)
    assert found.edition == name
    assert found.lengths == tuple(range(128_000 // n, 128_001, 128_000 // n))
    assert found == read_star_options(m=m, n=n, order=order)


def test_there_are_no_other_presets() -> None:
    assert list(PRESETS) == [name for name, *_ in PUBLISHED]


def test_without_options_it_is_the_standard_version() -> None:
    found = read_star_options()
    assert found == read_star_options(preset="32-32")
    assert (found.task, found.ask, found.players) == (StarTask.SEARCHING, (StarAsk.LIST,), 1)
    assert (found.lang, found.snap, found.unit) == (("en", "zh"), "sentence", "tokens")
    assert (found.repeats, found.seed, found.numbers) == (1, 0, ())


EDITIONS: list[tuple[dict[str, Any], str]] = [
    ({"m": 8, "n": 4}, "8-4"),
    ({"m": 8, "n": 4, "order": "shuffled"}, "8-4-shuffled"),
    ({"numbers": "9,3,7"}, "3-32-given"),
    ({"numbers": "9,3,7", "order": "increasing"}, "3-32"),
    ({"task": "players"}, "32-32-shuffled"),
    ({"task": "players", "order": "increasing"}, "32-32"),
    ({"task": "players", "preset": "16-32"}, "16-32-shuffled"),
    ({"task": "reasoning", "preset": "64-32"}, "64-32"),
]


@pytest.mark.parametrize(("given", "edition"), EDITIONS)
def test_the_edition_is_named_as_the_paper_does(given: dict[str, Any], edition: str) -> None:
    assert read_star_options(**given).edition == edition


@pytest.mark.parametrize(
    ("given", "length"),
    [
        *((128_000, 128_000), ("128000", 128_000), ("128k", 128_000), ("128K", 128_000)),
        *(("1m", 1_000_000), ("1M", 1_000_000), (" 64k ", 64_000), ("1_000k", 1_000_000)),
        *(("100m", 100_000_000), (100_000_000, 100_000_000), ("100000k", 100_000_000)),
    ],
)
def test_a_length_may_have_k_or_m_behind_it(given: str | int, length: int) -> None:
    assert read_star_options(max_length=given).max_length == length


def test_lengths_are_the_n_ths_of_the_longest() -> None:
    assert read_star_options(max_length=1_000, n=3).lengths == (333, 666, 1_000)
    assert read_star_options(max_length=32, n=32).lengths == tuple(range(1, 33))
    assert read_star_options(max_length="128k", n=1).lengths == (128_000,)


# The same as Python gives it, as -T does, as YAML and JSON do.
ALIKE: list[tuple[str, list[Any], str, object]] = [
    ("lang", ["en,zh", "en, zh", ["en", "zh"], ("en", "zh"), None, "", []], "lang", ("en", "zh")),
    ("lang", ["zh", ["zh"], "zh,", "zh,zh"], "lang", ("zh",)),
    ("numbers", ["3,7,8", "3, 7 ,8", [3, 7, 8], ["3", "7", "8"], (3, 7, 8)], "numbers", (3, 7, 8)),
    ("numbers", [7, "7", [7], "07"], "numbers", (7,)),
    ("numbers", [None, "", []], "numbers", ()),
    ("m", [5, "5", " 5 ", "05"], "m", 5),
    ("n", [5, "5"], "n", 5),
    ("repeats", [2, "2"], "repeats", 2),
    ("seed", [0, "0"], "seed", 0),
    ("corpus", ["a,b", ["a", "b"]], "corpus", "a,b"),
    ("corpus", [123, "123"], "corpus", "123"),
    ("tokenizer", ["qwen", ["qwen"]], "tokenizer", "qwen"),
]


@pytest.mark.parametrize(("name", "given", "field", "wanted"), ALIKE)
def test_an_option_comes_in_whatever_form_a_harness_gives_it(
    name: str, given: list[Any], field: str, wanted: object
) -> None:
    for one in given:
        assert getattr(read_star_options(**{name: one}), field) == wanted


@pytest.mark.parametrize("given", ["sum,list", ["sum", "list"], "sum, list,sum"])
def test_asks_are_a_list(given: str | list[str]) -> None:
    found = read_star_options(task="players", ask=given)
    assert found.ask == (StarAsk.SUM, StarAsk.LIST)


def test_players_are_asked_everything_unless_told_otherwise() -> None:
    found = read_star_options(task="players")
    assert found.ask == tuple(StarAsk)
    assert (found.players, found.order) == (4, "shuffled")
    assert read_star_options(task="players", players="24").players == 24


# What is wrong, and what its one sentence says.
WRONG: list[tuple[dict[str, Any], str]] = [
    ({"repeats": 1_001}, r"repeats is a whole number from 1 to 1,000, not 1,001\.$"),
    ({"numbers": "1,1234567890"}, r"of at most 9 digits each; '1234567890' is none\.$"),
    ({"seed": "9" * 5_000}, r"seed is a whole number from 0, of fewer than 16 digits, not '9{40}'"),
    ({"preset": "32-64"}, r"Unknown preset '32-64'; known: 32-32, 16-32, .*32-32-shuffled\.$"),
    ({"preset": 32}, r"Unknown preset '32'; known"),
    ({"task": "counting"}, r"Unknown task 'counting'; known: searching, reasoning, players\.$"),
    ({"task": None}, r"Unknown task"),
    ({"lang": "fr"}, r"Unknown lang 'fr'; known: en, zh\.$"),
    ({"lang": ["en", "fr"]}, r"Unknown lang 'fr'"),
    ({"order": "random"}, r"Unknown order 'random'; known: increasing, shuffled, given\.$"),
    ({"snap": "line"}, r"Unknown snap 'line'; known: none, word, sentence\.$"),
    ({"snap": None}, r"Unknown snap"),
    ({"unit": "bytes"}, r"Unknown unit 'bytes'; known: tokens, characters, words\.$"),
    ({"task": "players", "ask": "least"}, r"Unknown ask 'least'; known: list, sum, largest, order"),
    *(({"m": one}, r"^m is a whole number from 1") for one in (0, -1, 1.5, "x", True, 10_001)),
    *(
        ({"n": one}, r"^n is a whole number from 1")
        for one in (0, "1.5", [1, 2], 1_025, "9" * 5_000)
    ),
    *(({"repeats": one}, r"^repeats is a whole number from 1") for one in (0, None, "two")),
    *(({"seed": one}, r"^seed is a whole number from 0") for one in (-1, "x", None, 0.5)),
    *(
        ({"max_length": one}, r"^max_length is a length like 128000, 128k or 1m")
        for one in (0, -1, "k", "", "1.5k", "1e5", None, True, 12.0, "2g", [1], "9" * 5_000)
    ),
    *(
        ({"max_length": one}, r"^max_length is .*100,000,000")
        for one in ("101m", "999999k", 100_000_001)
    ),
    *(
        ({"numbers": one}, r"^numbers is a list of whole numbers from 1, like 3,7,8")
        for one in ("3;7", "3-7", [3, 7.5], "0,1", [-1], [True], "x", "9" * 5_000)
    ),
    ({"numbers": "3,7,3"}, r"numbers names one number twice"),
    ({"numbers": "03,3"}, r"numbers names one number twice"),
    ({"corpus": " "}, r"^corpus is empty; give a name or a path"),
    ({"tokenizer": ""}, r"^tokenizer is empty"),
]


CONTRADICTIONS: list[tuple[dict[str, Any], str]] = [
    ({"preset": "32-32", "m": 32}, r"preset=32-32 says what m is; leave one of the two out"),
    ({"preset": "32-32", "n": 16}, r"preset=32-32 says what n is"),
    ({"preset": "32-32", "order": "shuffled"}, r"says what order is"),
    ({"preset": "32-32", "numbers": "1,2"}, r"numbers has 2 numbers for m=32 stars; give more"),
    ({"m": 4, "numbers": "1,2,3"}, r"numbers has 3 numbers for m=4 stars"),
    ({"order": "given"}, r"order=given is for numbers that are given; add numbers="),
    ({"numbers": "3,7", "repeats": 2}, r"repeats would ask the same again.*order=shuffled"),
    ({"max_length": 31}, r"max_length=31 has no 32 parts; give a smaller n"),
    ({"ask": "sum"}, r"ask is for task=players"),
    ({"ask": "list", "task": "reasoning"}, r"ask is for task=players"),
    ({"players": 1}, r"players is for task=players"),
    ({"players": 4, "task": "reasoning"}, r"players is for task=players"),
    ({"task": "players", "players": 1}, r"players is a whole number from 2"),
    ({"task": "players", "players": 25}, r"players is a whole number from 2 to 24, not 25"),
    ({"task": "players", "players": "x"}, r"players is a whole number from 2"),
    ({"task": "players", "m": 3}, r"m=3 stars are too few for 4 players"),
]


@pytest.mark.parametrize(("given", "message"), WRONG + CONTRADICTIONS)
def test_what_is_wrong_is_told_in_one_sentence_with_the_way_out(
    given: dict[str, Any], message: str
) -> None:
    with pytest.raises(SeqniahError) as caught:
        read_star_options(**given)
    told = str(caught.value)
    assert re.search(message, told)
    assert told.endswith(".")
    assert "\n" not in told
    assert not re.search(r"[a-z]\. [A-Z]", told)


def test_an_unknown_choice_is_an_unknown_name() -> None:
    with pytest.raises(UnknownName):
        read_star_options(preset="1-1")


def test_what_goes_together_is_not_refused() -> None:
    read_star_options(numbers="9,3,7", repeats=2, order="shuffled")
    read_star_options(numbers="9,3,7", m=2)
    read_star_options(task="players", players=2, m=2)
    read_star_options(preset="32-32", numbers=",".join(map(str, range(1, 33))))
    read_star_options(preset="32-32", max_length="1m", task="players", ask="order")


def test_options_are_picked_from_the_arguments_of_a_task() -> None:
    given = {"m": "8", "lang": "zh", "grader": "none", "limit": 3}
    assert options.read(StarOptions, given) == read_star_options(m=8, lang="zh")
    assert options.read(StarOptions, {}) == read_star_options()
    assert "grader" not in options.names(StarOptions)
