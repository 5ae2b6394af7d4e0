"""Published prices: the figures of providers, in estimates and in reports, without a network."""

from __future__ import annotations

import csv
import html
import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import command_line
import genai_prices
import http_parts
import pytest
from genai_prices.data import providers
from http_parts import chat_reply
from inspect_ai.log import EvalSpec

from seqniah_tasks.adapters.inspect import models
from seqniah_tasks.adapters.inspect.spending import spent
from seqniah_tasks.adapters.inspect.summaries import Summary
from seqniah_tasks.prices import Price, published

AT = datetime(2026, 1, 15, 12, tzinfo=UTC)

# ai.google.dev/gemini-api/docs/pricing, Gemini 2.5 Pro, dollars a million tokens: prompts up to
# 200,000 tokens $1.25 in, $10 out, $0.125 from the cache; longer ones $2.50, $15 and $0.25.
GEMINI = "google/gemini-2.5-pro"
# openai.com/api/pricing, GPT-4.1: $2 in, $8 out, $0.50 from the cache.
GPT = "openai/gpt-4.1"
# claude.com/pricing, Claude Haiku 4.5: $1 in, $5 out, $0.10 from the cache, $1.25 into it.
HAIKU = "anthropic/claude-haiku-4-5-20251001"


def run_of(model: str, base_url: str | None = None) -> EvalSpec:
    told: Any = {"created": AT.isoformat(), "task": "t", "dataset": {}, "config": {}}
    return EvalSpec(**told, model=model, model_base_url=base_url)


def of(name: str) -> Price:
    provider, _, model = name.partition("/")
    price = published(provider, model, AT)
    assert price is not None
    return price


@pytest.mark.parametrize(
    ("name", "read", "wrote", "cached", "stored", "dollars"),
    [
        (GEMINI, 100_000, 1_000, 0, 0, 0.125 + 0.01),
        (GEMINI, 200_000, 1_000, 0, 0, 0.25 + 0.01),
        (GEMINI, 200_001, 1_000, 0, 0, 200_001 * 2.5e-6 + 0.015),
        (GEMINI, 500_000, 2_000, 100_000, 0, 400_000 * 2.5e-6 + 0.025 + 0.03),
        (GPT, 1_000_000, 10_000, 200_000, 0, 1.6 + 0.1 + 0.08),
        (HAIKU, 100_000, 1_000, 50_000, 20_000, 0.03 + 0.005 + 0.025 + 0.005),
    ],
)
def test_a_cost_is_that_of_the_published_figures(
    name: str, read: int, wrote: int, cached: int, stored: int, dollars: float
) -> None:
    assert of(name).cost(read, wrote, cached=cached, stored=stored) == pytest.approx(dollars)


def test_a_price_says_where_it_is_from_and_of_which_day() -> None:
    version = genai_prices.__version__
    assert of(GEMINI).source == f"genai-prices {version}, google/gemini-2.5-pro on 2026-01-15"
    assert of(HAIKU).source == f"genai-prices {version}, anthropic/claude-haiku-4-5 on 2026-01-15"


def test_all_costs_are_those_that_the_data_itself_computes() -> None:
    listed = [(one.id, model.id) for one in providers for model in one.models]
    prices = {names: price for names in listed if (price := published(*names, AT))}
    assert len(prices) > len(listed) / 2
    for (provider, model), price in prices.items():
        for read in (1_000, 150_000, 300_000, 1_100_000):
            usage = genai_prices.Usage(
                input_tokens=read, cache_read_tokens=900, cache_write_tokens=90, output_tokens=700
            )
            theirs = genai_prices.calc_price(
                usage, model, provider_id=provider, genai_request_timestamp=AT
            )
            ours = price.cost(read, 700, cached=900, stored=90)
            assert ours == pytest.approx(float(theirs.total_price)), (provider, model)


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("openai/gpt-4.1", ("openai", "gpt-4.1")),
        ("openai/azure/gpt-4.1", ("azure", "gpt-4.1")),
        ("grok/grok-4", ("x-ai", "grok-4")),
        ("openai-api/deepseek/deepseek-chat", ("deepseek", "deepseek-chat")),
        ("google/vertex/gemini-2.5-pro", ("google", "gemini-2.5-pro")),
        ("openrouter/openai/gpt-4.1", ("openrouter", "openai/gpt-4.1")),
    ],
)
def test_inspects_names_are_understood(name: str, asked: tuple[str, str]) -> None:
    expected = published(*asked, AT)
    assert expected is not None and models.price_then(run_of(name)) == expected


@pytest.mark.parametrize(
    "name",
    [
        "nobody/zzzz-unheard-of",
        "openai/zzzz-unheard-of",
        "vllm/Qwen/Qwen3-32B",
        "hf/meta-llama/Llama-3.1-8B-Instruct",
        "ollama/gpt-oss:20b",
        "openai-api/seqniah/lexical",
        "openai-api/mine/gpt-4.1",
        "gpt-4.1",
    ],
)
def test_what_runs_on_ones_own_machine_or_is_unknown_has_no_price(name: str) -> None:
    assert models.price(name) is None and models.price_then(run_of(name)) is None


def test_another_server_is_not_paid_as_the_provider_is() -> None:
    assert models.price_then(run_of(GPT, "http://localhost:8000/v1")) is None
    assert models.price_then(run_of(GPT, "https://api.openai.com/v1")) == of(GPT)


# Estimates


def said(*words: str, **env: str) -> str:
    done = command_line.run(
        ["seqniah", "estimate", "test", "--limit", "5", *words], env={**os.environ, **env}
    )
    assert done.returncode == 0, done.stderr
    return " ".join(done.stdout.split())


def test_an_estimate_knows_a_price_and_where_it_is_from() -> None:
    printed = said("--model", GPT, "--output-tokens", "300")
    assert f"(genai-prices {genai_prices.__version__}, openai/gpt-4.1 on 20" in printed
    assert "$2 in, $8 out a million tokens)" in printed
    fields = json.loads(said("--model", GPT, "--output-tokens", "300", "--json"))
    assert fields["cost"] == pytest.approx(fields["prompt_tokens"] * 2e-6 + 5 * 300 * 8e-6)
    tiers = said("--model", GEMINI)
    assert "prompts above 200,000 tokens $2.5 in, $15 out" in tiers


def test_the_user_and_inspects_file_know_better(tmp_path: Path) -> None:
    prices = tmp_path / "prices.json"
    cost = {"input": 3, "output": 15, "input_cache_write": 3.75, "input_cache_read": 0.3}
    prices.write_text(json.dumps({GPT: cost}), "utf-8")
    env = {models.COST_FILE: str(prices)}
    found = json.loads(said("--model", GPT, "--json", **env))["price"]
    assert (found["source"], found["input"], found["output"]) == (f"the price in {prices}", 3, 15)
    given = ("--input-price", "7", "--output-price", "9")
    found = json.loads(said("--model", GPT, "--json", *given, **env))["price"]
    assert (found["source"], found["input"], found["output"]) == ("the price given", 7, 9)


def test_an_unknown_price_is_one_sentence_with_the_way_out() -> None:
    printed = said("--model", "vllm/Qwen/Qwen3-32B", "--context", "200000")
    assert (
        "no price of vllm/Qwen/Qwen3-32B is known; give --input-price and --output-pri" in printed
    )


OFFLINE = """
import sys

def refuse(event, args):
    if event.startswith(("socket.connect", "socket.getaddrinfo", "socket.gethostby")):
        raise SystemExit(f"the network was touched: {event}")

sys.addaudithook(refuse)
import seqniah, seqniah_tasks.adapters.inspect.logs, seqniah_tasks.cli, seqniah_tasks.estimate
import seqniah_tasks.prices
assert "genai_prices" not in sys.modules
from datetime import UTC, datetime
from seqniah_tasks.prices import published
assert published("google", "gemini-2.5-pro", datetime(2026, 1, 15, tzinfo=UTC)).output == 10
assert published("google", "zzzz", datetime(2026, 1, 15, tzinfo=UTC)) is None
"""


def test_prices_need_no_network_and_only_what_wants_one_imports_the_data() -> None:
    done = subprocess.run(
        [sys.executable, "-c", OFFLINE], capture_output=True, encoding="utf-8", check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


# Logs


def test_a_log_without_a_cost_is_priced_and_one_with_a_cost_is_not() -> None:
    ran = run_of(GEMINI)
    counted = {"input_tokens": 250_000, "input_tokens_cache_read": 50_000, "output_tokens": 1_000}
    found = spent(summary(**counted), ran, False)
    # 300,000 tokens of prompt: the long rate, $2.50 in, $0.25 from the cache, $15 out.
    assert found["cost"] == pytest.approx(0.625 + 0.0125 + 0.015)
    assert found["price"] == of(GEMINI).source
    assert (found["input_tokens"], found["cached_tokens"]) == (300_000, 50_000)
    told = spent(summary(**counted, total_cost=9.5), ran, False)
    assert told["cost"] == 9.5 and "price" not in told


def test_what_a_provider_kept_is_not_told_where_it_does_not_say() -> None:
    ran = run_of(GEMINI)
    assert "cached_tokens" not in spent(summary(input_tokens=9, output_tokens=1), ran, False)
    nothing = {"input_tokens": 9, "input_tokens_cache_read": 0, "output_tokens": 1}
    assert spent(summary(**nothing), ran, False)["cached_tokens"] == 0


def summary(**usage: Any) -> Summary:
    return Summary(Path("a.eval"), {"model_usage": {GEMINI: usage}})


def answered(folder: Path, model: str) -> dict[str, Any]:
    """The spending of a run of three samples as the report has it; by a server of a model's."""

    def reply(method: str, path: str, asked: Any, headers: dict[str, str]) -> tuple[int, Any]:
        usage = {"prompt_tokens": 10_000, "completion_tokens": 100, "total_tokens": 10_100}
        return 200, {**chat_reply("Not found."), "usage": usage}

    with http_parts.served(reply) as url:
        env = {**os.environ, "OPENAI_BASE_URL": f"{url}/v1", "OPENAI_API_KEY": "none"}
        words = ["inspect", "eval", "seqniah/test", "--model", model, "--limit", "3"]
        length = ["-T", "length=8k-16k", "-T", "lang=en", "-M", "responses_api=false"]
        command_line.run(
            [*words, *length, "--log-dir", "logs", "--display", "none"],
            cwd=folder,
            env=env,
            check=True,
        )
    command_line.run(["seqniah", "report", "logs", "--out", "report"], cwd=folder, check=True)
    with (folder / "report/tables/spending.csv").open(encoding="utf-8", newline="") as file:
        (line,) = csv.DictReader(file)
    page = html.unescape((folder / "report/index.html").read_text("utf-8"))
    return {**line, "page": " ".join(page.split())}


def test_a_report_tells_a_runs_cost_and_whose_price_it_is(tmp_path: Path) -> None:
    found = answered(tmp_path, GPT)
    # Three times 10,000 tokens at $2 and 100 at $8 a million.
    assert float(found["cost"]) == pytest.approx(0.0624)
    source = f"genai-prices {genai_prices.__version__}, openai/gpt-4.1 on 20"
    assert f"was computed from the tokens, with the price of {source}" in found["page"]


def test_a_report_says_that_a_price_is_unknown(tmp_path: Path) -> None:
    found = answered(tmp_path, "openai/zzzz-unheard-of")
    assert found["cost"] == ""
    told = "No price of the model of openai/zzzz-unheard-of is known; inspect's --model-cost-config"
    assert told in found["page"]
