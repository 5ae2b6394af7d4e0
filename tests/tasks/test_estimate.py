"""What an estimate says before a run, and that it costs nothing to ask."""

from __future__ import annotations

import io
import json
from collections import Counter
from pathlib import Path

import pytest
from inspect_ai.model import get_model_info
from rich.console import Console

from seqniah_datasets import tokens
from seqniah_datasets.errors import SeqniahError
from seqniah_tasks import budget
from seqniah_tasks.adapters.inspect import models as inspect_prices
from seqniah_tasks.benchmarks.protocol import Prefixes
from seqniah_tasks.benchmarks.sequential_niah.bench import SequentialNiah
from seqniah_tasks.benchmarks.sequential_niah.options import read_options
from seqniah_tasks.estimate import (
    Estimate,
    LengthEstimate,
    Request,
    Speed,
    estimate,
    read_request,
)
from seqniah_tasks.prices import Price, Rate
from seqniah_tasks.views import estimate as view


def _by_hand(
    price: Price | None = None,
    speed: Speed | None = None,
    model: budget.Model | None = None,
    prefixes: Prefixes | None = None,
) -> Estimate:
    """Three samples asked twice: 200,000 prompt tokens an epoch, 1,500 of answers in all."""
    bins = (
        LengthEstimate("32k-64k", 2, 2, 80_000, 45_000, 45_000, 0),
        LengthEstimate("64k-128k", 1, 1, 120_000, 120_000, 120_000, 1),
    )
    allowed = budget.Budget(model, 16_384, 2_048) if model else None

    def cost(price: Price, answers: tuple[int, int, int]) -> float:
        prompts = zip((35_000, 45_000, 120_000), answers, strict=True)
        return 2 * sum(price.cost(read, wrote) for read, wrote in prompts)

    return Estimate(
        benchmark="sequential-niah",
        title="Sequential-NIAH, test split",
        split="test",
        tokenizer="cl100k_base",
        epochs=2,
        bins=bins,
        narrower="-T length=32k-64k",
        output_tokens=1_500,
        output_given=False,
        most_output=2 * 2 * 16_384 if model else None,
        budget=allowed,
        prefixes=prefixes,
        price=price,
        cost=cost(price, (250, 250, 250)) if price else None,
        most_cost=cost(price, (16_384, 16_384, 0)) if price and model else None,
        speed=speed,
    )


def test_the_whole_test_split_is_what_the_paper_published() -> None:
    found = estimate(SequentialNiah(read_options()), Request())
    assert [(one.name, one.samples) for one in found.bins] == [
        ("8k-16k", 220),
        ("16k-32k", 610),
        ("32k-64k", 610),
        ("64k-128k", 560),
    ]
    assert found.requests == 2_000
    # Appendix F.1 of the paper: 97 million tokens.
    assert found.prompt_tokens == pytest.approx(97e6, rel=0.02)


def test_built_prompts_are_about_as_long_as_estimated() -> None:
    options = read_options(length="8k-16k,16k-32k", limit_per_stratum=1)
    found, bench = estimate(SequentialNiah(options), Request()), SequentialNiah(options)
    built: Counter[str] = Counter()
    for planned in bench.plan:
        built[planned.slot.length.name] += bench.recipe(planned).tokens
    assert found.samples == len(bench.plan)
    assert [one.prompt_tokens for one in found.bins] == [
        pytest.approx(built[name], rel=0.03) for name in ("8k-16k", "16k-32k")
    ]


def test_no_corpus_is_opened_and_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEQNIAH_CACHE", str(tmp_path / "cache"))
    usual = estimate(SequentialNiah(read_options()), Request(limit=30))
    for corpus in (str(tmp_path / "texts"), "hub:nobody/nothing@" + "0" * 40):
        assert estimate(SequentialNiah(read_options(corpus=corpus)), Request(limit=30)) == usual
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.txt").write_text("A short text. " * 50, "utf-8")
    assert (
        estimate(SequentialNiah(read_options(corpus=str(tmp_path / "texts"))), Request(limit=30))
        == usual
    )
    assert not (tmp_path / "cache" / "corpora").exists()


def test_limit_takes_the_first_samples_and_epochs_multiply_requests() -> None:
    options = read_options(lang="zh")
    once = estimate(SequentialNiah(options), Request(limit=7))
    thrice = estimate(SequentialNiah(options), Request(limit=7, epochs=3))
    bench = SequentialNiah(options)
    assert once.samples == thrice.samples == 7
    assert once.prompt_tokens == sum(bench.tokens(one) for one in bench.plan[:7])
    assert thrice.requests == 21
    assert thrice.prompt_tokens == 3 * once.prompt_tokens
    assert thrice.output_tokens == 3 * once.output_tokens
    assert thrice.bins == once.bins


def test_answers_are_half_as_long_again_as_references() -> None:
    options = read_options(tokenizer="o200k_base", length="8k-16k")
    bench = SequentialNiah(options)
    counted = [tokens.tokenizer("o200k_base").count(bench.qa(p).reference) for p in bench.plan[:5]]
    found = estimate(SequentialNiah(options), Request(limit=5))
    assert 0 <= found.output_tokens - 1.5 * sum(counted) < 1
    assert not found.output_given
    given = estimate(SequentialNiah(options), Request(limit=5, epochs=2, output_tokens=300))
    assert given.output_tokens == 3_000
    assert given.output_given


def test_closed_book_prompts_are_counted_as_they_are() -> None:
    options = read_options(closed_book=True)
    bench = SequentialNiah(options)
    prompts = [bench.prompt(planned).text for planned in bench.plan[:4]]
    counted = sum(tokens.tokenizer("cl100k_base").count(prompt) for prompt in prompts)
    assert estimate(SequentialNiah(options), Request(limit=4)).prompt_tokens == counted


def test_overflow_is_counted_as_a_run_would_refuse_it() -> None:
    options = read_options(length="8k-16k,16k-32k")
    model = budget.Model("some/model", 20_000)
    found = estimate(SequentialNiah(options), Request(), model)
    bench = SequentialNiah(options)
    # 20,000 less 128 of the chat template and 2,048 of answer
    over = Counter(p.slot.length.name for p in bench.plan if bench.tokens(p) > 17_824)
    assert over["16k-32k"] > 0
    assert {one.name: one.over for one in found.bins} == {"8k-16k": 0, "16k-32k": over["16k-32k"]}
    assert found.narrower == "-T length=8k-16k"
    with pytest.raises(SeqniahError, match=f"answer for {found.over} samples"):
        budget.check_fit(
            budget.budget(model, None), [(p.slot.length.name, bench.tokens(p)) for p in bench.plan]
        )


def test_a_cost_is_prompts_and_answers_by_their_prices() -> None:
    found = _by_hand(Price(2.5, 10.0, "the price given"), model=budget.Model("m", 100_000))
    # 400,000 prompt tokens at $2.50 are $1.00, 1,500 of answers at $10 are $0.015.
    assert found.cost == pytest.approx(1.015)
    # At the limit: 65,536 answer tokens.
    assert found.most_cost == pytest.approx(1.65536)
    assert _by_hand().cost is None
    assert _by_hand().most_cost is None


def test_long_prompts_are_paid_by_their_own_rate() -> None:
    options = read_options(length="8k-16k,16k-32k", limit_per_stratum=1)
    rates = Price(1.0, 10.0, "given", longer=(Rate(16_000, 2.0, 20.0),))
    request = Request(epochs=2, output_tokens=100, price=rates)
    found = estimate(SequentialNiah(options), request, budget.Model("m", 100_000, 1_000))
    short, long = found.bins
    assert short.longest <= 16_000 < long.longest and found.most_output is not None
    # Each answer of 100 tokens costs $0.001 behind a short prompt, $0.002 behind a long one.
    once = short.prompt_tokens * 1e-6 + long.prompt_tokens * 2e-6
    answers = short.samples * 0.001 + long.samples * 0.002
    assert found.cost == pytest.approx(2 * (once + answers))
    most = found.most_output / found.requests / 100 * answers
    assert found.most_cost == pytest.approx(2 * (once + most))
    told = dict(view.estimate_lines(found))["Cost"]
    assert "$1 in, $10 out a million tokens; prompts above 16,000 tokens $2 in, $20 out" in told


@pytest.mark.parametrize(
    ("connections", "seconds"),
    [(1, 400), (2, 200), (4, 120), (1_000, 120)],  # no faster than the longest prompt alone
)
def test_time_is_shared_by_the_connections(connections: int, seconds: float) -> None:
    assert _by_hand(speed=Speed(1_000, connections)).seconds == pytest.approx(seconds)


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"limit": 0}, "--limit is a number from 1, not 0"),
        ({"epochs": 0}, "--epochs is a number from 1"),
        ({"output_tokens": -1}, "--output-tokens"),
        ({"input_price": 1.0}, "give --output-price too"),
        ({"output_price": 1.0}, "give --input-price too"),
        ({"input_price": -1.0, "output_price": 1.0}, "--input-price is a number from 0"),
        ({"input_price": float("nan"), "output_price": 1.0}, "--input-price"),
        ({"tokens_per_second": 0.0}, "--tokens-per-second is a number above 0, not 0"),
        ({"tokens_per_second": float("inf")}, "--tokens-per-second"),
        ({"tokens_per_second": 5.0, "max_connections": 0}, "--max-connections"),
    ],
)
def test_an_impossible_request_is_refused(given: dict[str, int], complaint: str) -> None:
    with pytest.raises(SeqniahError, match=complaint):
        read_request(**given)


def test_a_request_holds_price_and_speed_where_they_are_given() -> None:
    assert read_request() == Request()
    full = read_request(input_price=0.0, output_price=0.5, tokens_per_second=9.0, max_connections=3)
    assert full.price == Price(0.0, 0.5, "the price given")
    assert full.speed == Speed(9.0, 3)
    assert read_request(tokens_per_second=9.0).speed == Speed(9.0, 1)


def test_no_sample_at_all_is_an_error() -> None:
    with pytest.raises(SeqniahError, match="No sample passes"):
        estimate(SequentialNiah(read_options(pipeline="real-temporal", needles="15")), Request())


def test_limits_are_those_of_inspects_tables_unless_the_user_knows() -> None:
    info = get_model_info("openai/gpt-4o-mini")
    assert info is not None
    known = inspect_prices.limits("openai/gpt-4o-mini")
    assert (known.window, known.most_output) == (info.context_length, info.output_tokens)
    assert inspect_prices.limits("openai/gpt-4o-mini", 9_000).window == 9_000
    assert inspect_prices.limits("openai/o3").reasoning
    assert inspect_prices.limits("nobody/zzzz-unheard-of") == budget.Model("nobody/zzzz-unheard-of")


def test_prices_come_from_inspects_file_and_are_not_guessed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(inspect_prices.COST_FILE, raising=False)
    assert inspect_prices.price("nobody/zzzz-unheard-of") is None
    assert inspect_prices.price("seqniah/lexical") == Price(0, 0, "it answers on this machine")
    prices = tmp_path / "prices.json"
    cost = {"input": 3, "output": 15, "input_cache_write": 3.75, "input_cache_read": 0.3}
    prices.write_text(json.dumps({"nobody/zzzz": cost}), "utf-8")
    monkeypatch.setenv(inspect_prices.COST_FILE, str(prices))
    assert inspect_prices.price("nobody/zzzz") == Price(3, 15, f"the price in {prices}")
    assert inspect_prices.price("nobody/zzzz-unheard-of") is None


@pytest.mark.parametrize("content", ["{", '{"m": {"input": "much"}}', '{"m": 3}', None])
def test_a_bad_file_of_prices_is_one_sentence(
    content: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prices = tmp_path / "prices.json"
    if content is not None:
        prices.write_text(content, "utf-8")
    monkeypatch.setenv(inspect_prices.COST_FILE, str(prices))
    with pytest.raises(SeqniahError, match="cannot be read") as error:
        inspect_prices.price("m")
    assert "\n" not in str(error.value)


def test_what_is_unknown_is_said_with_how_to_give_it() -> None:
    lines = dict(view.estimate_lines(_by_hand()))
    assert lines["Cost"].startswith("unknown; give --input-price and --output-price")
    assert lines["Time"].startswith("unknown; give --tokens-per-second")
    assert "--model" in lines["Window"]
    lines = dict(view.estimate_lines(_by_hand(model=budget.Model("m"))))
    assert lines["Cost"].startswith("no price of m is known")
    assert "--context" in lines["Window"]


def test_what_costs_nothing_is_said_so() -> None:
    found = _by_hand(inspect_prices.price("seqniah/lexical"))
    assert dict(view.estimate_lines(found))["Cost"] == "nothing (it answers on this machine)"


def test_what_is_known_is_said_with_its_assumption() -> None:
    model = budget.Model("m", 100_000, reasoning=True)
    found = _by_hand(Price(2.5, 10.0, "the price given"), Speed(10, 1), model)
    lines = dict(view.estimate_lines(found))
    assert lines["Requests"].startswith("6, with about 400,000 prompt tokens")
    assert "250 an answer, assumed: 1.5 times the mean of the references" in lines["Output"]
    assert "its thoughts add to it" in lines["Output"]
    assert lines["Cost"].startswith("about $1.01 (") or lines["Cost"].startswith("about $1.02 (")
    assert lines["Caching"].startswith("none to hope for: every prompt begins with a haystack")
    assert "later epochs repeat prompts" in lines["Caching"]
    assert lines["Time"].startswith("about 11 h 7 min")  # 40,000 seconds
    assert lines["Window"].startswith("1 of 3 prompts does not fit")
    assert "length=32k-64k" in lines["Window"]


@pytest.mark.parametrize(
    ("tokens", "told"),
    [
        (50_000, "reads about 100,000 prompt tokens (25 %) fewer"),  # of 200,000, in two epochs
        (999, "reads about 2,000 prompt tokens (less than 1 %) fewer"),
        (0, "none to hope for: no two prompts begin alike"),
    ],
)
def test_what_prompts_share_is_told_but_not_discounted(tokens: int, told: str) -> None:
    price = Price(2.5, 10.0, "the price given")
    found = _by_hand(price, prefixes=Prefixes(tokens, "they begin alike"))
    line = dict(view.estimate_lines(found))["Caching"]
    assert told in line
    assert "no discount is counted" in line
    assert ("they begin alike" in line) == (tokens > 0)
    assert found.cost == _by_hand(price).cost


@pytest.mark.parametrize("width", [80, 120])
def test_an_estimate_fits_the_terminal(width: int) -> None:
    out = io.StringIO()
    model = budget.Model("provider/a-model-with-a-long-name-2030-01-01", 100_000)
    found = _by_hand(Price(2.5, 10.0, "the price given"), Speed(1_000, 4), model)
    view.print_estimate(Console(file=out, width=width), found)
    printed = out.getvalue()
    assert max(map(len, printed.splitlines())) <= width
    assert "too long" in printed
    row = next(line.split() for line in printed.splitlines() if line.startswith("all"))
    assert row == ["all", "3", "200,000", "120,000", "1"]


def test_the_same_as_json() -> None:
    fields = json.loads(json.dumps(view.as_json(_by_hand(Price(2.5, 10.0, "given")))))
    assert fields["requests"] == 6
    assert fields["prompt_tokens"] == 400_000
    assert fields["cost"] == pytest.approx(1.015)
    assert fields["prefix_tokens"] == 0
    assert fields["over"] is None
    assert fields["seconds"] is None
    assert fields["bins"][1] == {
        "name": "64k-128k",
        "samples": 1,
        "requests": 1,
        "prompt_tokens": 120_000,
        "longest": 120_000,
        "most": 120_000,
        "over": 1,
    }
