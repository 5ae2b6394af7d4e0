"""How a model was asked, as a report may tell it."""

from __future__ import annotations

from typing import Any

import pytest

from seqniah_tasks.generation import KNOWN, words


def test_what_is_known_is_told_in_one_order() -> None:
    run = {"temperature": 0.7, "reasoning_effort": "high"}
    told = "reasoning_effort=high, temperature=0.7, top_k=64, dtype=bfloat16"
    assert words(run, {"dtype": "bfloat16", "top_k": 64}) == told
    assert words({}, {}) is None
    assert words({}, dict.fromkeys(KNOWN)) is None


def test_the_first_that_says_something_counts() -> None:
    assert words({"top_k": 1}, {"top_k": 64}) == "top_k=1"
    assert words({"top_k": None}, {"top_k": 64}) == "top_k=64"
    assert words({"top_k": 1}, {"top_k": None}) == "top_k=1"


@pytest.mark.parametrize(
    "name",
    [
        *("api_key", "apiKey", "hf_token", "hf_tokens", "password", "Authorization", "bearer"),
        *("base_url", "pretrained", "model", "num_concurrent", "batch_size", "device", "tokenizer"),
        *("a, b", "", "until", "system_message", "extra_body", "é"),
    ],
)
def test_nothing_else_is_told(name: str) -> None:
    assert words({name: "abc"}, {name: 1}) is None
    assert words({name: "abc", "seed": 1}) == "seed=1"


@pytest.mark.parametrize(
    "value",
    [
        *("", " ", "a b", "b, c=d", "<b>", "\u202e", "x" * 41, "http://host/v1", "/home/me", "é"),
        *("nan", "inf", float("nan"), float("-inf"), 1e300, "1e300", {"a": 1}, ["a"], None, b"a"),
    ],
)
def test_what_is_no_short_word_or_number_is_left_out(value: Any) -> None:
    assert words({"revision": value}) is None


@pytest.mark.parametrize(
    ("written", "told"),
    [
        *((0, "0"), (0.0, "0"), ("0", "0"), ("0.0", "0"), ("0.70", "0.7"), (1e-05, "1e-05")),
        *((16_384, "16384"), ("16384.0", "16384"), (True, "true"), ("True", "true")),
        *(("High", "high"), ("a1b2-c_3.d", "a1b2-c_3.d")),
    ],
)
def test_a_value_is_told_alike_however_it_was_written(written: object, told: str) -> None:
    assert words({"seed": written}) == f"seed={told}"
