"""Commands about runs: what one will take, how one went, and the installation they need."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from seqniah_datasets.corpora import DEFAULT_CORPUS
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.sources import EDITIONS
from seqniah_datasets.tokens import DEFAULT_TOKENIZER
from seqniah_tasks import doctor as checks
from seqniah_tasks import estimate as estimates
from seqniah_tasks import views
from seqniah_tasks.benchmarks import counting_stars
from seqniah_tasks.benchmarks import sequential_niah as benchmark
from seqniah_tasks.benchmarks.options import options_of
from seqniah_tasks.budget import Model
from seqniah_tasks.commands.types import (
    AsJson,
    CorpusSpec,
    EditionName,
    GraphPaths,
    Lang,
    Length,
    Needles,
    OnShortfall,
    OrderName,
    PerStratum,
    Pipelines,
    QAPaths,
    Seed,
    Split,
    TokenizerName,
    print_json,
)
from seqniah_tasks.views import doctor as doctor_view
from seqniah_tasks.views import estimate as estimate_view


def estimate(
    model: Annotated[str, typer.Option(help="A model as inspect names it.")] = "",
    context: Annotated[int | None, typer.Option(help="Its window in tokens, if unknown.")] = None,
    limit: Annotated[int | None, typer.Option(help="At most so many samples.")] = None,
    epochs: Annotated[int, typer.Option(help="How often each sample is asked.")] = 1,
    input_price: Annotated[
        float | None, typer.Option(help="US dollars a million prompt tokens.")
    ] = None,
    output_price: Annotated[
        float | None, typer.Option(help="US dollars a million answer tokens.")
    ] = None,
    tokens_per_second: Annotated[
        float | None, typer.Option(help="Prompt tokens that one connection gets read in a second.")
    ] = None,
    max_connections: Annotated[int | None, typer.Option(help="Requests under way at once.")] = None,
    output_tokens: Annotated[int | None, typer.Option(help="Tokens of an answer.")] = None,
    split: Split = "test",
    lang: Lang = "",
    pipeline: Pipelines = "",
    length: Length = "",
    needles: Needles = "",
    corpus: CorpusSpec = None,
    seed: Seed = 0,
    tokenizer: TokenizerName = DEFAULT_TOKENIZER,
    order: OrderName = "shuffled",
    limit_per_stratum: PerStratum = None,
    edition: EditionName = "open",
    tkg: GraphPaths = "",
    qa: QAPaths = "",
    shortfall: OnShortfall = "refuse",
    as_json: AsJson = False,
) -> None:
    """Say what a run will take before it starts: tokens, money, time, room in the window."""
    options = options_of(locals())
    request = estimates.read_request(
        limit, epochs, output_tokens, input_price, output_price, tokens_per_second, max_connections
    )
    limits = None
    if context is not None and context < 1:
        raise SeqniahError(f"--context is a number of tokens from 1, not {context}.")
    if context and not model:
        limits = Model("a model", context)
    if model:
        from seqniah_tasks.adapters import inspect_prices

        limits = inspect_prices.limits(model, context)
        request = replace(request, price=request.price or inspect_prices.price(model))
    found = estimates.estimate(options, request, limits)
    if as_json:
        print_json(estimate_view.as_json(found))
    else:
        estimate_view.print_estimate(Console(highlight=False), found)


def summary(
    log: Annotated[
        Path | None, typer.Argument(help="A log of inspect, or a folder; default: the newest.")
    ] = None,
    log_dir: Annotated[Path, typer.Option(help="Where the newest log is looked for.")] = Path(
        os.environ.get("INSPECT_LOG_DIR", "logs")
    ),
    as_json: AsJson = False,
) -> None:
    """Print a log's accuracy or mean score by stratum, with intervals, and how to open it."""
    from seqniah_tasks.adapters import inspect_logs

    given = log or log_dir
    path = given if log and not given.is_dir() else inspect_logs.newest(given)
    run = inspect_logs.read(path)
    if as_json:
        print_json(views.summary_as_json(run, path))
    else:
        views.print_summary(Console(highlight=False), run, path)


def doctor(
    corpus: CorpusSpec = None,
    tokenizer: TokenizerName = DEFAULT_TOKENIZER,
    judge_url: Annotated[
        str,
        typer.Option(help="Of an OpenAI-compatible server, up to /v1; default: JUDGE_BASE_URL."),
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Check installation, cache, corpus, tokenizer and judge; exit code 1 for a problem."""
    found = checks.examine(checks.setting(corpus or DEFAULT_CORPUS, tokenizer, judge_url))
    if as_json:
        print_json(doctor_view.as_json(found))
    else:
        doctor_view.print_findings(Console(highlight=False), found)
    raise typer.Exit(checks.exit_code(found))


def version() -> None:
    """Print the versions that name a result: package, benchmark, edition."""
    from importlib.metadata import version as installed

    typer.echo(f"seqniah {installed('seqniah')}")
    typer.echo(f"Sequential-NIAH version {benchmark.VERSION}, editions {' and '.join(EDITIONS)}")
    typer.echo(f"Counting-Stars version {counting_stars.VERSION}")
