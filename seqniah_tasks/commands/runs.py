"""Commands about runs: what one will take, how one went, and the installation they need."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from seqniah_datasets.corpora import DEFAULT_CORPUS
from seqniah_datasets.sources import EDITIONS
from seqniah_datasets.tokens import DEFAULT_TOKENIZER
from seqniah_tasks import doctor as checks
from seqniah_tasks import estimable, views
from seqniah_tasks.benchmarks import counting_stars
from seqniah_tasks.benchmarks import sequential_niah as benchmark
from seqniah_tasks.benchmarks.options import options_of
from seqniah_tasks.commands import estimating
from seqniah_tasks.commands.estimating import (
    Context,
    Epochs,
    InputPrice,
    Limit,
    ModelName,
    OutputPrice,
    OutputTokens,
    TokensPerSecond,
)
from seqniah_tasks.commands.types import (
    AsJson,
    CorpusSpec,
    EditionName,
    GraphPaths,
    Lang,
    Length,
    MaxConnections,
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


def estimate(
    model: ModelName = "",
    context: Context = None,
    limit: Limit = None,
    epochs: Epochs = 1,
    input_price: InputPrice = None,
    output_price: OutputPrice = None,
    tokens_per_second: TokensPerSecond = None,
    max_connections: MaxConnections = None,
    output_tokens: OutputTokens = None,
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
    given = locals()
    estimating.tell(estimable.sequential_niah(options_of(given)), given, as_json=as_json)


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
