"""The `seqniah` command."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable

import typer

from seqniah_datasets.errors import SeqniahError
from seqniah_tasks.commands import (
    counting,
    harness,
    judge_serving,
    judge_training,
    judging,
    lm_eval_scoring,
    records,
    rehearsal,
    report,
    rewriting,
    runs,
    samples,
    scoring,
    stars,
)

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Build, look at and check the samples of Sequential-NIAH, for inspect and lm-eval.",
)

COMMANDS = (
    *(samples.build, samples.stats, samples.show, samples.index),
    *(rewriting.rewrite, runs.estimate, rehearsal.serve, runs.summary, runs.doctor, runs.version),
    *(records.records, report.report, harness.lm_eval_path),
)
"""In the order of --help; a new command is a function in `commands` and an entry here."""

GROUPS: dict[str, tuple[str, dict[str, Callable[..., None]]]] = {
    "score": (
        "Judge responses that were made anywhere.",
        {
            "cases": scoring.cases,
            "lm-eval": lm_eval_scoring.lm_eval,
            "counting-stars": counting.counting_stars,
        },
    ),
    "counting-stars": (
        "Build and look at the samples of Counting-Stars; estimate a run.",
        {"build": stars.build, "show": stars.show, "estimate": stars.estimate},
    ),
    "judge": (
        "Make data for judges; measure, train and serve one.",
        {
            "data": judging.data,
            "eval": judging.evaluate,
            "train": judge_training.train,
            "serve": judge_serving.serve,
        },
    ),
}
"""Commands of two words: what the first one is about, and the second ones by name."""

for command in COMMANDS:
    app.command()(command)
app.command(context_settings=harness.PASSED_ON, add_help_option=False)(harness.lm_eval)
for word, (about, commands) in GROUPS.items():
    group = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False, help=about)
    for second, function in commands.items():
        group.command(second)(function)
    app.add_typer(group, name=word)


def main() -> None:
    """Run the command; a user's mistake is one sentence, and SEQNIAH_DEBUG=1 shows all of it."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that cannot show 中 still gets \u4e2d
            stream.reconfigure(errors="backslashreplace")
    try:
        app()
    except SeqniahError as error:
        if os.environ.get("SEQNIAH_DEBUG"):
            raise
        typer.echo(f"seqniah: {error}", err=True)
        sys.exit(1)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
