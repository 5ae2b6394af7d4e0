"""How a model was asked, as a report may tell it."""

from __future__ import annotations

from typing import Any

import pytest

from seqniah_tasks.report.generation import words


def test_settings_stand_first_and_arguments_by_name() -> None:
    assert words({"temperature": 0.7, "seed": None}, {"top_k": 64, "dtype": "bfloat16"}) == (
        "temperature=0.7, dtype=bfloat16, top_k=64"
    )
    assert words({"top_k": 1}, {"top_k": 64}) == "top_k=64"
    assert words({}, {}) is None


@pytest.mark.parametrize(
    "argument",
    [
        *({"api_key": "sk-1"}, {"KEY": "a"}, {"hf_token": "a"}, {"password": "a"}),
        *({"Authorization": "a"}, {"auth_header": "a"}, {"client_secret": "a"}),
        *({"base_url": "http://host/v1"}, {"pretrained": "/home/me/model"}, {"template": "a b"}),
        *({"name": "x" * 41}, {"x" * 41: 1}, {"a, b": 1}, {"a": "b, c=d"}, {"a": ""}),
        *({"extra": {"a": 1}}, {"until": ["a"]}, {"a": "<b>"}, {"a": "\u202e"}, {"é": 1}),
    ],
)
def test_secrets_addresses_and_texts_are_left_out(argument: dict[str, Any]) -> None:
    assert words(argument, {}) is None
    assert words({"seed": 1}, argument) == "seed=1"


def test_what_only_looks_like_a_secret_is_told() -> None:
    assert words({"max_tokens": 100}, {"tokenizer": "qwen", "monkey": 1}) == (
        "max_tokens=100, monkey=1, tokenizer=qwen"
    )


def test_there_is_an_end_to_it() -> None:
    told = words({}, {f"a{number:03}": number for number in range(1_000)})
    assert told is not None
    assert told.count("=") == 24
