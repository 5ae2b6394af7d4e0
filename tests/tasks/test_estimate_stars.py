"""What an estimate of Counting-Stars says before a run, held against the prompts that are built."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from in_process import run
from rich.console import Console

from seqniah_datasets.errors import SeqniahError
from seqniah_tasks import budget
from seqniah_tasks.benchmarks.counting_stars.bench import CountingStars
from seqniah_tasks.benchmarks.counting_stars.options import (
    read_star_options,
)
from seqniah_tasks.estimate import Request, estimate, read_request
from seqniah_tasks.views import estimate as view


def _bench(**given: Any) -> CountingStars:
    return CountingStars(read_star_options(**given))


def _alike(one: str, other: str) -> int:
    """Characters with which both begin."""
    differing = (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    return next(differing, min(len(one), len(other)))


@pytest.mark.parametrize(
    ("words", "within"),
    [
        (("-T", "max_length=32k", "-T", "n=8"), 0.01),
        (("-T", "max_length=32k", "-T", "n=8", "-T", "snap=none"), 0.001),
        (("-T", "max_length=16k", "-T", "n=4", "-T", "task=players"), 0.01),
        (("-T", "max_length=24k", "-T", "n=3", "-T", "task=reasoning", "-T", "repeats=2"), 0.01),
        (("-T", "max_length=16k", "-T", "n=4", "-T", "unit=words"), 1e-9),
        (("-T", "max_length=16k", "-T", "n=4", "-T", "unit=characters", "-T", "lang=en"), 1e-9),
    ],
)
def test_built_prompts_are_as_long_as_estimated(
    words: tuple[str, ...], within: float, tmp_path: Path
) -> None:
    told = json.loads(run("estimate", "counting_stars", *words, "--json"))
    built = json.loads(
        run("build", "counting_stars", *words, "--json", "--out", str(tmp_path / "built"))
    )
    assert told["samples"] == built["samples"]
    assert told["prompt_tokens"] == pytest.approx(built["tokens"], rel=within)
    assert told["benchmark"] == built["benchmark"]
    assert told["title"].startswith(f"Counting-Stars {built['edition']}")


@pytest.mark.parametrize(
    "given",
    [
        {"n": 8},
        {"n": 8, "m": 1},
        {"n": 4, "m": 200, "snap": "none"},
        {"n": 4, "task": "players"},
        {"n": 4, "task": "players", "ask": "sum,order", "lang": "zh"},
        {"n": 4, "unit": "words"},
    ],
    ids=str,
)
def test_what_prompts_share_is_what_they_begin_with(given: dict[str, Any]) -> None:
    bench = _bench(max_length="32k", **given)
    count = bench.corpus.tokenizer.count
    earlier: dict[str, list[str]] = {"en": [], "zh": []}
    shared = 0
    for planned in bench.plan:
        text = bench.prompt(planned).text
        same = max((_alike(text, one) for one in earlier[planned.lang]), default=0)
        shared += count(text[:same])
        earlier[planned.lang].append(text)
    found = estimate(bench, Request())
    assert found.prefix_tokens == pytest.approx(shared, rel=0.05)
    assert estimate(bench, Request(epochs=3)).prefix_tokens == (3 * found.prefix_tokens)


def test_a_single_prompt_shares_nothing() -> None:
    found = estimate(_bench(max_length="32k", n=8), Request(limit=1))
    assert (found.samples, found.prefix_tokens) == (1, 0)
    assert "no two prompts begin alike" in dict(view.estimate_lines(found))["Caching"]


def test_questions_about_one_sky_are_said_to_share_it() -> None:
    alone = estimate(_bench(max_length="16k", n=2), Request())
    several = estimate(_bench(max_length="16k", n=2, task="players"), Request())
    lines = [dict(view.estimate_lines(one))["Caching"] for one in (alone, several)]
    assert ["one sky" in line for line in lines] == [False, True]
    assert "up to the first star" in lines[0]
    # Three of four questions about each sky find it read.
    assert several.prefix_tokens > 0.7 * several.prompt_tokens


def test_overflow_is_counted_as_a_run_would_refuse_it() -> None:
    bench, model = _bench(max_length="32k", n=8), budget.Model("some/model", 24_000)
    found = estimate(bench, Request(), model)
    # 24,000 less 128 of the chat template and 2,048 of answer take 20k, and not 24k
    assert [one.name for one in found.bins if one.over] == ["24k", "28k", "32k"]
    assert found.over == 6
    allowed = budget.budget(model, None, longest=bench.longest_answer)
    with pytest.raises(SeqniahError, match="answer for 6 samples"):
        budget.check_fit(allowed, [(one.length, bench.tokens(one)) for one in bench.plan])
    assert found.narrower == "-T max_length=20k (other lengths, another test)"
    assert "-T max_length=20k" in dict(view.estimate_lines(found))["Window"]
    narrowed = _bench(max_length="20k", n=8)
    assert not estimate(narrowed, Request(), model).over


def test_long_lists_of_stars_are_left_room() -> None:
    bench = _bench(m=1_000, max_length="64k", n=2, lang="en")
    found = estimate(bench, Request(), budget.Model("some/model", 100_000))
    longest = max(bench.corpus.tokenizer.count(bench.item(one).reference) for one in bench.plan)
    assert longest > budget.LEAST_ANSWER
    assert found.budget
    assert found.budget.least >= longest


@pytest.mark.parametrize(("n", "width"), [(8, 80), (32, 80), (33, 100), (200, 120)])
def test_many_lengths_are_grouped_to_a_table_of_a_screen(n: int, width: int) -> None:
    bench = _bench(m=2, max_length=256_000, n=n)
    found = estimate(bench, read_request(), budget.Model("m", 130_000))
    assert len(found.bins) == n
    out = io.StringIO()
    view.print_estimate(Console(file=out, width=width), found)
    lines = out.getvalue().splitlines()
    assert max(map(len, lines)) <= width
    start = next(place for place, line in enumerate(lines) if line.startswith("length"))
    rows = [line.split() for line in lines[start + 1 : lines.index("", start)]]
    assert rows[-1][0] == "all"
    assert 8 <= len(rows) - 1 <= 16
    for column, total in ((1, found.samples), (4, found.over)):
        figures = [int(row[column].replace(",", "")) for row in rows]
        assert sum(figures[:-1]) == figures[-1] == total
    assert rows[0][0].split("-")[0] == found.bins[0].name
    assert rows[-2][0].split("-")[-1] == found.bins[-1].name


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("-T", "corpus=/nowhere"), "is not there"),
        (("-T", "m=4000", "-T", "n=1", "-T", "max_length=8k"), "do not fit"),
        (("-T", "preset=32-32", "-T", "m=4"), "leave one of the two out"),
        (("--context", "0"), "--context is a number of tokens from 1"),
        (("--input-price", "1"), "give --output-price too"),
    ],
)
def test_a_mistake_is_told_in_one_sentence(words: tuple[str, ...], told: str) -> None:
    said = run("estimate", "counting_stars", *words, code=1)
    assert said.startswith("seqniah: ")
    assert said.count("\n") == 1
    assert told in said


def test_the_estimate_is_printed() -> None:
    price = ("--input-price", "2", "--output-price", "8", "--tokens-per-second", "1000")
    small = ("-T", "max_length=8k", "-T", "n=2", "-T", "m=4", "--context", "7000")
    said = " ".join(run("estimate", "counting_stars", *small, *price).split())
    assert "Counting-Stars 4-2 (up to 8k)" in said
    assert "2 of 4 prompts do not fit the 7,000 tokens of a model beside 2,048 of answer" in said
    # 2 x (4,000 + 8,000) tokens at $2 a million
    assert "about $0.05 (the price given: $2 in, $8 out a million tokens)" in said
