"""Commands about runs: what one takes, a rehearsal, the harness, how one went, what they need."""

from __future__ import annotations

import os
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from seqniah_datasets.corpora import DEFAULT_CORPUS
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.tokens import DEFAULT_TOKENIZER
from seqniah_tasks import benchmarks
from seqniah_tasks import serve as rehearsal
from seqniah_tasks.adapters.lm_eval import command, tasks
from seqniah_tasks.budget import Model
from seqniah_tasks.commands.types import (
    TEST,
    AsJson,
    Given,
    MaxConnections,
    TaskName,
    Threshold,
    TokenizerName,
    chosen,
    spread,
    tell,
    values,
)
from seqniah_tasks.effective import THRESHOLD, checked
from seqniah_tasks.terminal import progress_bar

PASSED_ON = {"ignore_unknown_options": True, "allow_extra_args": True}
"""What makes typer leave the words of a command as they are; its --help must be off as well."""

serve = spread(rehearsal.serve)


def estimate(
    task: TaskName = TEST,
    given: Given = None,
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
    max_connections: MaxConnections = None,
    output_tokens: Annotated[int | None, typer.Option(help="Tokens of an answer.")] = None,
    as_json: AsJson = False,
) -> None:
    """Say what a run will take before it starts: tokens, money, time, room in the window."""
    from seqniah_tasks import estimate as estimates
    from seqniah_tasks.views import estimate as view

    request = estimates.read_request(
        limit, epochs, output_tokens, input_price, output_price, tokens_per_second, max_connections
    )
    limits = _limits(model, context)
    if model:
        from seqniah_tasks.adapters.inspect import models

        request = replace(request, price=request.price or models.price(model))
    spec = benchmarks.task(task).spec
    bench = spec.open(chosen(spec, values(given)))
    with progress_bar() as progress:
        found = estimates.estimate(bench, request, limits, progress)
    tell(as_json, view.as_json, view.print_estimate, found)


def _limits(model: str, context: int | None) -> Model | None:
    if context is not None and context < 1:
        raise SeqniahError(f"--context is a number of tokens from 1, not {context}.")
    if model:
        from seqniah_tasks.adapters.inspect import models

        return models.limits(model, context)
    return Model("a model", context) if context else None


def lm_eval(context: typer.Context) -> None:
    """Run the lm_eval command of this environment; it then knows the tasks, as seqniah."""
    command.run(context.args)


def lm_eval_path() -> None:
    """Print the folder of the tasks, for --include_path of an lm_eval that does not know them."""
    typer.echo(tasks.folder())


def summary(
    log: Annotated[
        Path | None,
        typer.Argument(
            help="A log of inspect, or a folder, of which the newest log or eval set is shown."
        ),
    ] = None,
    log_dir: Annotated[Path, typer.Option(help="Where the newest log is looked for.")] = Path(
        os.environ.get("INSPECT_LOG_DIR", "logs")
    ),
    threshold: Threshold = THRESHOLD,
    as_json: AsJson = False,
) -> None:
    """Print a log's accuracy or mean score by stratum, with intervals, and how to open it."""
    checked(threshold)
    from seqniah_tasks.adapters.inspect import logs as inspect_logs
    from seqniah_tasks.views import summary as view

    given = log or log_dir
    is_log = log is not None and not log.is_dir()
    paths, others = ([given], []) if is_log else inspect_logs.newest(given)
    runs = {path: inspect_logs.read_run(path) for path in paths}
    if len(runs) == 1:
        ((path, run),) = runs.items()
        tell(as_json, view.as_json, view.print_summary, run, path, threshold)
    else:
        tell(as_json, view.all_as_json, view.print_all, runs, threshold)
    if others:
        typer.echo(
            f"seqniah: {len(others)} other logs are in {given}, not shown here; give one, or "
            f"compare all with seqniah report {shlex.quote(str(given))}",
            err=True,
        )


def invalidate(log: Annotated[Path, typer.Argument(help="A log of inspect.")]) -> None:
    """Mark a log's answers that no judge can score, for inspect eval-retry to ask for them again.

    These are replies without content, and prompts that were cut or not sent.
    """
    from seqniah_tasks.adapters.inspect import again

    count = again.invalidate(log)
    typer.echo(f"{count:,} marked. Ask again: inspect eval-retry {shlex.quote(str(log))}")


def doctor(
    corpus: Annotated[
        str, typer.Option(help="procedural, a folder of texts, or hub:OWNER/NAME@REVISION.")
    ] = DEFAULT_CORPUS,
    tokenizer: TokenizerName = DEFAULT_TOKENIZER,
    judge_url: Annotated[
        str,
        typer.Option(help="Of an OpenAI-compatible server, up to /v1; default: JUDGE_BASE_URL."),
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Check installation, cache, corpus, tokenizer and judge; exit code 1 for a problem."""
    from seqniah_tasks import doctor as checks
    from seqniah_tasks.views import doctor as view

    found = checks.examine(checks.setting(corpus, tokenizer, judge_url))
    tell(as_json, view.as_json, view.print_findings, found)
    raise typer.Exit(checks.exit_code(found))


def version() -> None:
    """Print the versions that name a result: package, benchmark, edition."""
    from importlib.metadata import version as installed

    typer.echo(f"seqniah {installed('seqniah')}")
    for one in benchmarks.known().values():
        typer.echo(f"{one.title} version {one.version}{one.about}")
